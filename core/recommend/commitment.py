"""A commitment that costs more than none: said where one was asked for."""

from core.recommend.recommendation import Option
from core.reference.catalogue import Reference
from core.wording import dollars


def commitment_note(
    committed: Option | None, plain: Option | None, reference: Reference
) -> tuple[str, ...]:
    """What the same load costs on demand, where that is the cheaper; else nothing."""
    if committed is None or plain is None:
        return ()
    if plain.usd_per_month >= committed.usd_per_month:
        return ()
    seller = reference.provider(plain.offer.provider)
    gpu = plain.plan.gpu.name.removeprefix("NVIDIA ").removeprefix("AMD Instinct ")
    name = seller.name if seller else plain.offer.provider
    return (
        f"No known term beats the market: on demand the same load costs "
        f"{dollars(plain.usd_per_month)}/month ({plain.gpus} × {gpu} at {name}).",
    )

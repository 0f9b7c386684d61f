"""The lines of the why view that go beyond the verdict's own arithmetic."""

from collections.abc import Iterator

from core.market.recommendation import Option, Recommendation
from core.sizing.details import Details, EngineLever, details_of
from core.wording import count, dollars
from core.workload import InferenceSpec

REGIMES = {
    "single_stream": "one request alone",
    "interactive": "32 in flight",
    "saturated": "every request queued",
}


def detail_notes(best: Option, found: Recommendation) -> tuple[str, ...]:
    """Regimes, cost at other utilisations and in other units, engine levers."""
    spec = found.resolved.spec
    if not isinstance(spec, InferenceSpec):
        return ()
    details = details_of(best, spec)
    return (
        _regimes(details),
        _utilisations(details),
        f"In other units: {dollars(details.usd_per_twelve_months)} in twelve months, "
        f"{dollars(details.usd_per_request)} a request, "
        f"{dollars(details.usd_per_million_blended)} per 1M tokens in and out.",
        *(_lever(lever) for lever in details.engine),
        *_model_levers(spec),
    )


def _regimes(details: Details) -> str:
    """The three figures that one number would hide."""
    parts = (
        f"{REGIMES[name]} {count(round(rate.likely))} "
        f"({count(round(rate.low))}–{count(round(rate.high))})"
        for name, rate in details.regimes.items()
    )
    return "Tokens/s of one replica: " + ", ".join(parts) + "."


def _utilisations(details: Details) -> str:
    parts = (
        f"{float(line.utilisation):.0%}: {dollars(line.usd_per_million)} per 1M, "
        f"{dollars(line.idle_per_month)} idle"
        for line in details.utilisations
    )
    return "At an average load of " + "; ".join(parts) + " a month."


def _lever(lever: EngineLever) -> str:
    effect = lever.effect
    if lever.gpus >= lever.instead_of:
        return f"Lever: {effect.name} frees no GPU here; {effect.caveat}."
    return (
        f"Lever: {effect.name}, {lever.gpus} instead of {lever.instead_of} GPUs, "
        f"{dollars(lever.usd_difference)}/month; {effect.caveat}."
    )


def _model_levers(spec: InferenceSpec) -> Iterator[str]:
    """What a smaller or sparser model would do, where there is room for one."""
    if spec.model.params_b >= DISTILL_FROM_B:
        yield (
            "Lever: distillation into a smaller student cuts the fleet in proportion "
            "to its size, and is a training run of its own; structured pruning "
            "likewise. Unstructured pruning speeds up no serving engine."
        )


DISTILL_FROM_B = 20
"""Billions of parameters from which a student several times smaller is common."""

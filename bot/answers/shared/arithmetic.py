"""The "why" of any answer: its steps, its assumptions, the rules that fired."""

from bot.answers.shared.figures import gpu_name
from core.estimate.results import MemoryEstimate
from core.market.hours import paid_hours
from core.market.recommendation import Option
from core.reference.catalogue import Reference
from core.wording import dollars
from core.workload import Constraints


def memory_step(name: str, weights: str, parts: MemoryEstimate, room: str) -> str:
    """One GPU's memory as a sum, in GB."""
    rest = parts.activations_gb + parts.runtime_gb
    return (
        f"Memory per {name}: {parts.available_gb:.1f} GB usable − "
        f"{parts.weights_gb:.1f} GB {weights.upper()} weights − {rest:.1f} GB "
        f"activations and runtime = {signed(parts.free_for_kv_gb)} GB for KV cache; "
        f"{room}."
    )


def signed(gigabytes: float) -> str:
    """An amount to a tenth, with a real minus."""
    return f"{gigabytes:.1f}".replace("-", "−")


def fleet_step(option: Option, limits: Constraints, reference: Reference) -> str:
    """A fleet's monthly bill as a product."""
    offer, plan = option.offer, option.plan
    seller = reference.provider(offer.provider)
    return (
        f"GPUs of your own: {option.gpus} × {gpu_name(plan.gpu)} × "
        f"{dollars(offer.usd_per_gpu_hour)} "
        f"({seller.name if seller else offer.provider}) × "
        f"{paid_hours(offer, limits):,.0f} h = {dollars(option.usd_per_month)}/month, "
        f"{plan.busy:.0%} busy at the peak."
    )

"""The "why" of any answer: its steps, its assumptions, the rules that fired."""

from bot.answers.shared.figures import gpu_name
from bot.render.words import say
from core.estimate.capacity import ReplicaCapacity
from core.estimate.results import MemoryEstimate
from core.hardware import GpuSpec
from core.market.hours import paid_hours
from core.market.recommendation import Option
from core.reference.catalogue import Reference
from core.workload import Constraints


def memory_step(name: str, weights: str, parts: MemoryEstimate, room: str) -> str:
    """One GPU's memory as a sum, in GB."""
    rest = parts.activations_gb + parts.runtime_gb
    return say(
        "shared.memory_step",
        name=name,
        available_gb=parts.available_gb,
        weights_gb=parts.weights_gb,
        weights=weights.upper(),
        rest=rest,
        signed=signed(parts.free_for_kv_gb),
        room=room,
    )


def replica_memory(gpu: GpuSpec, weights: str, one: ReplicaCapacity) -> str:
    """One GPU's memory, and how many requests it holds at once."""
    room = say(
        "shared.requests_by_memory",
        kv_per_sequence_gb=one.memory.kv_per_sequence_gb,
        room=one.room,
    )
    return memory_step(gpu_name(gpu), weights, one.memory, room)


def signed(gigabytes: float) -> str:
    """An amount to a tenth, with a real minus."""
    return f"{gigabytes:.1f}".replace("-", "−")


def fleet_step(option: Option, limits: Constraints, reference: Reference) -> str:
    """A fleet's monthly bill as a product."""
    offer, plan = option.offer, option.plan
    seller = reference.provider(offer.provider)
    return say(
        "shared.fleet_step",
        gpus=option.gpus,
        gpu_name=gpu_name(plan.gpu),
        usd_per_gpu_hour=offer.usd_per_gpu_hour,
        which=seller.name if seller else offer.provider,
        paid_hours=paid_hours(offer, limits),
        usd_per_month=option.usd_per_month,
        busy=plan.busy,
    )

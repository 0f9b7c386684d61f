"""Latency limits that nobody stated: they choose the answer, and never refuse one."""

from collections.abc import Callable, Iterator

from core.estimate.capacity import ReplicaCapacity
from core.wording import say
from core.workload import InferenceSpec, LatencyTargets, Resolved

TARGETS = {
    "ttft_ms": say("advice.first_token"),
    "tpot_ms": say("advice.time_per_token"),
}
STEPS = (1.5, 2.0, 4.0, 8.0)
"""How far assumed limits give way, before they fall."""


def assumed_targets(resolved: Resolved) -> tuple[str, ...]:
    """The latency limits that nobody stated."""
    named = {entry.field for entry in resolved.assumptions}
    return tuple(field for field in TARGETS if field in named)


def looser(resolved: Resolved, spec: InferenceSpec) -> Iterator[Resolved]:
    """The same workload with its assumed limits further and further away, then none."""
    fields = assumed_targets(resolved)
    if not fields:
        return
    given = {field: getattr(spec.targets, field) for field in fields}
    for times in (*STEPS, None):
        far = {
            field: None if ms is None or times is None else ms * times
            for field, ms in given.items()
        }
        targets = spec.targets.model_copy(update=far)
        kept = tuple(a for a in resolved.assumptions if a.field not in fields)
        changed = spec.model_copy(update={"targets": targets})
        yield resolved.model_copy(update={"spec": changed, "assumptions": kept})


def missed(usual: LatencyTargets, carried: ReplicaCapacity) -> str:
    """What is slower than chat usually is, in one sentence; empty: nothing is."""
    slow = late(usual, carried)
    return say("advice.slower_than_chat", slow=slow) if slow else ""


def late(usual: LatencyTargets, carried: ReplicaCapacity) -> str:
    """What is slower than the limits, each beside its limit; empty: nothing is."""
    reached: dict[str, Callable[[ReplicaCapacity], float]] = {
        "ttft_ms": lambda one: one.ttft_limited_ms,
        "tpot_ms": lambda one: one.tpot_limited_ms,
    }
    slow = [
        say("advice.usual", name=name, found=found, limit=limit)
        for field, name in TARGETS.items()
        if (limit := getattr(usual, field)) is not None
        and (found := reached[field](carried)) > limit
    ]
    return ", ".join(slow)

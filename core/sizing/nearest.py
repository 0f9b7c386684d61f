"""The nearest yes to a no: the least that would have to give."""

from collections.abc import Callable, Iterator
from typing import Any

from core.market.recommendation import Nearest, Option
from core.reference.places import places, wider
from core.wording import say
from core.workload import Constraints, InferenceSpec, LatencyTargets

MORE: dict[str, Any] = {"count": None}
PLACE: dict[str, Any] = {"region": None, "regions_also": ()}
PAID: dict[str, Any] = MORE | {"pricing": (), "term_months": None}
SELLER: dict[str, Any] = MORE | {"providers": ()}
ANYWHERE: dict[str, Any] = PAID | SELLER | PLACE | {"gpus": ()}
LOOSENED: tuple[tuple[str, dict[str, Any]], ...] = (
    (say("advice.with_more_gpus"), MORE),
    (say("advice.on_another_gpu"), MORE | {"gpus": ()}),
    (say("advice.with_another_way"), PAID),
    (say("advice.at_another_provider"), SELLER),
    (say("advice.another_gpu_and_pricing"), PAID | {"gpus": ()}),
    (say("advice.in_another_place"), ANYWHERE),
    (say("advice.without_an_sla"), ANYWHERE | {"sla": None, "certifications": ()}),
)
"""What is let go of, the least first, and how that is said."""
TARGETS = {
    "ttft_ms": say("advice.first_token"),
    "tpot_ms": say("advice.time_per_token"),
    "e2e_ms": say("advice.whole_answer"),
}
ASSUMED_TIMES, STATED_TIMES = (2, 4), (1.5, 2, 4)
"""How far latency limits give way, step by step, before they fall."""


def nearest_yes(
    spec: InferenceSpec,
    best: Callable[[InferenceSpec], Option | None],
    assumed: frozenset[str] = frozenset(),
) -> Nearest | None:
    """Loosen one restriction after the other until something carries the load.

    `assumed`: the latency limits that nobody stated; they give way first.
    """
    for words, looser in _looser(spec, assumed):
        option = best(looser)
        if option is not None:
            return Nearest(words, option)
    return None


def _looser(
    spec: InferenceSpec, assumed: frozenset[str]
) -> Iterator[tuple[str, InferenceSpec]]:
    for patience in ASSUMED_TIMES if assumed else ():
        yield _slower(spec, patience, assumed)
    limits = spec.constraints
    for words, change in (*_wider(limits.region), *_elsewhere(limits), *LOOSENED):
        changed = limits.model_copy(update=change)
        if changed != limits:
            yield words, spec.model_copy(update={"constraints": changed})
    if spec.targets != LatencyTargets():
        for times in STATED_TIMES:
            yield _slower(spec, times, frozenset(TARGETS))
        yield (
            say("advice.without_latency_limit"),
            spec.model_copy(update={"targets": LatencyTargets()}),
        )


def _elsewhere(limits: Constraints) -> Iterator[tuple[str, dict[str, Any]]]:
    """The named seller in any region: its prices are not known in each."""
    if limits.providers and limits.region:
        yield say("advice.same_seller_in_another_region"), PLACE


def _wider(region: str | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """The country of a city, and the continent of a country, before any place."""
    for id_ in wider(region) if region else ():
        yield say("advice.anywhere_in", named=places()[id_].named), {"region": id_}


def _slower(
    spec: InferenceSpec, times: float, fields: frozenset[str]
) -> tuple[str, InferenceSpec]:
    """The same with some latency limits so many times as long."""
    given = {name: getattr(spec.targets, name) for name in TARGETS if name in fields}
    longer = {name: ms * times for name, ms in given.items() if ms is not None}
    said = ", ".join(
        say("advice.ms", targets=TARGETS[name], ms=ms) for name, ms in longer.items()
    )
    targets = spec.targets.model_copy(update=longer)
    return say("advice.within", said=said), spec.model_copy(update={"targets": targets})

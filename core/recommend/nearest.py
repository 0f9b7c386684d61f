"""The nearest yes to a no: the least that would have to give."""

from collections.abc import Callable, Iterator
from typing import Any

from core.recommend.recommendation import Nearest, Option
from core.workload import InferenceSpec, LatencyTargets

LOOSENED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("with more of them", {"count": None}),
    ("on another GPU", {"count": None, "gpus": ()}),
    ("elsewhere or paid otherwise", {
        "count": None, "gpus": (), "providers": (), "region": None, "pricing": (),
        "term_months": None, "sla": None,
    }),
)  # fmt: skip
"""What is let go of, the least first, and how that is said."""


def nearest_yes(
    spec: InferenceSpec, best: Callable[[InferenceSpec], Option | None]
) -> Nearest | None:
    """Loosen one restriction after the other until something carries the load."""
    for words, looser in _looser(spec):
        option = best(looser)
        if option is not None:
            return Nearest(words, option)
    return None


def _looser(spec: InferenceSpec) -> Iterator[tuple[str, InferenceSpec]]:
    limits = spec.constraints
    for words, change in LOOSENED:
        changed = limits.model_copy(update=change)
        if changed != limits:
            yield words, spec.model_copy(update={"constraints": changed})
    if spec.targets != LatencyTargets():
        yield (
            "without a latency limit",
            spec.model_copy(update={"targets": LatencyTargets()}),
        )

"""Which inputs would change the winner, and where: the winner against one rival."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from core.market.board import billed_gpus
from core.market.hours import paid_hours
from core.market.pricing import rentable
from core.market.recommendation import (
    FleetPlan,
    Flip,
    FlipField,
    Option,
)
from core.sizing.fleet import kept_free, plan_gpu, replicas_of
from core.workload import InferenceSpec, LatencyTargets

LOAD_STEPS = (1.5, 2, 3, 4, 6, 8, 12, 16, 32, 64)
PROMPT_STEPS = (2, 4, 16)
TPOT_STEPS = (1.5, 2.5)
RIVALS = 1
"""Other GPUs held against the winner: the runner-up, for an answer within 25 ms."""
CLEAR = 0.03
"""A lead smaller than this is whole GPUs rounding, not a reason to choose."""
_HALVINGS = 4
"""Enough to place a flip within a tenth of the gap between two steps."""


def rivals_of(options: Sequence[Option]) -> list[Option]:
    """The best option of each other GPU than the winner's, cheapest first."""
    best = options[0].plan.gpu.id if options else ""
    found: dict[str, Option] = {}
    for option in options:
        if option.plan.gpu.id != best:
            found.setdefault(option.plan.gpu.id, option)
    return list(found.values())[:RIVALS]


def flips(
    spec: InferenceSpec,
    options: Sequence[Option],
    targets_at: Callable[[float], LatencyTargets] | None = None,
) -> tuple[Flip, ...]:
    """Where another GPU overtakes the winner: the nearest flip of each input, each way.

    Then the price at which the next costlier one would win. `targets_at`: the
    limits for a prompt length, where a longer prompt is given more time to be read.
    """
    rivals = rivals_of(options)
    if not rivals:
        return ()
    bench = _Bench(spec, options[0], targets_at)
    nearest: dict[tuple[FlipField, bool], Flip] = {}
    for rival in rivals:
        for flip in bench.flips_to(rival):
            known = nearest.get((flip.field, flip.above))
            if known is None or _nearer(flip, known):
                nearest[flip.field, flip.above] = flip
    # A rival that leads on both sides of today's value leads by whole GPUs alone.
    both = {field for field, above in nearest if (field, not above) in nearest}
    nearest = {key: flip for key, flip in nearest.items() if key[0] not in both}
    best = options[0]
    costlier = [one for one in rivals if one.usd_per_month > best.usd_per_month]
    return (*nearest.values(), *(_by_price(best, one) for one in costlier[:1]))


def overtaken_at(spec: InferenceSpec, best: Option, rival: Option) -> float | None:
    """Requests per second from which a rival costs less than the best; None: never."""
    bench, now = _Bench(spec, best), spec.load.rps
    return bench.turn("rps", rival, now, LOAD_STEPS, above=True)


def _nearer(one: Flip, other: Flip) -> bool:
    return one.value < other.value if one.above else one.value > other.value


def _by_price(best: Option, rival: Option) -> Flip:
    """The rival's price at which both fleets cost the same a month."""
    ratio = best.usd_per_month / rival.usd_per_month
    price = float(rival.offer.usd_per_gpu_hour * ratio)
    return Flip("usd_per_gpu_hour", price, False, rival)


class _Bench:
    """What the winner and its rivals cost at other values, each worked out once."""

    def __init__(
        self,
        spec: InferenceSpec,
        best: Option,
        targets_at: Callable[[float], LatencyTargets] | None = None,
    ) -> None:
        self.spec = spec
        self.best = best
        self._targets_at = cache(targets_at or (lambda prompt: spec.targets))
        self._costs: dict[tuple[int, FlipField, float], float] = {}
        self._shapes: dict[int, tuple[FleetPlan, ...]] = {}

    def flips_to(self, rival: Option) -> Iterator[Flip]:
        """Where one rival overtakes: by load, by prompt length, by pace."""
        spec = self.spec
        room = spec.model.context - spec.output_tokens
        longer = [s for s in PROMPT_STEPS if spec.input_tokens * s <= room]
        searches: list[tuple[FlipField, float | None, Sequence[float], bool]] = [
            ("rps", spec.load.rps, LOAD_STEPS, True),
            ("rps", spec.load.rps, LOAD_STEPS, False),
            ("input_tokens", spec.input_tokens, longer, True),
            ("input_tokens", spec.input_tokens, PROMPT_STEPS[:2], False),
            ("tpot_ms", spec.targets.tpot_ms, TPOT_STEPS, True),
            ("tpot_ms", spec.targets.tpot_ms, TPOT_STEPS, False),
        ]
        for field, now, steps, above in searches:
            found = now and self.turn(field, rival, now, steps, above)
            if found:
                yield Flip(field, found, above, rival)

    def turn(
        self,
        field: FlipField,
        rival: Option,
        now: float,
        steps: Sequence[float],
        above: bool,
    ) -> float | None:
        """The value from which a rival leads, and goes on leading a step further."""

        def lead(value: float) -> float:
            mine, theirs = (self.cost(o, field, value) for o in (self.best, rival))
            if math.isinf(mine):
                return 0.0 if math.isinf(theirs) else -math.inf
            return theirs / mine - 1

        before = now
        values = [now * step if above else now / step for step in steps]
        for index, value in enumerate(values):
            if all(lead(one) < -CLEAR for one in values[index : index + 2]):
                return _between(lead, before, value)
            before = value
        return None

    def cost(self, option: Option, field: FlipField, value: float) -> float:
        """Dollars a month of an option's GPU and offer with one input changed."""
        key = id(option), field, value
        if key not in self._costs:
            self._costs[key] = self._cost(option, field, value)
        return self._costs[key]

    def _cost(self, option: Option, field: FlipField, value: float) -> float:
        if field == "rps":
            if id(option) not in self._shapes:
                self._shapes[id(option)] = _shapes(self.spec, option)
            return _monthly(value, self._shapes[id(option)], option, self.spec)
        if field == "tpot_ms":
            targets = self.spec.targets.model_copy(update={"tpot_ms": value})
            changed: dict[str, object] = {"targets": targets}
        else:
            changed = {"input_tokens": value, "targets": self._targets_at(value)}
        spec = self.spec.model_copy(update=changed)
        return _monthly(spec.load.rps, _shapes(spec, option), option, spec)


def _between(lead: Callable[[float], float], ahead: float, behind: float) -> float:
    """The value at which the lead turns, between one on each side."""
    for _ in range(_HALVINGS):
        middle = math.sqrt(ahead * behind)
        if lead(middle) < 0:
            behind = middle
        else:
            ahead = middle
    return behind


def _shapes(spec: InferenceSpec, option: Option) -> tuple[FleetPlan, ...]:
    plan = option.plan
    found = plan_gpu(spec, plan.gpu, plan.weights).plans
    return tuple(one for one in found if rentable(one, option.offer))


def _monthly(
    rps: float, shapes: Sequence[FleetPlan], option: Option, spec: InferenceSpec
) -> float:
    """Dollars a month of the cheapest shape at a rate; infinite where none serves."""
    if not shapes:
        return math.inf
    at_rate = spec.model_copy(
        update={"load": spec.load.model_copy(update={"rps": rps})}
    )
    sizes = [
        kept_free(
            spec,
            rps / shape.capacity.requests_per_second.likely,
            replicas_of(at_rate, shape.capacity),
        )
        * shape.replica_gpus
        for shape in shapes
    ]
    gpus = billed_gpus(option.offer, min(sizes) * spec.model_count)
    hours = paid_hours(option.offer, spec.constraints)
    return float(option.offer.usd_per_gpu_hour * gpus * hours)

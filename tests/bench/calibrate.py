"""Fit the serving constants to the measurements that ship; estimate what is left out.

Every constant has an expected value and a spread; the fit minimises a robust (soft L1)
sum of squared log errors of the physics alone plus the squared distance from
expectation, by Gauss–Newton. Leaving a group out solves the equations of the full fit
without the group's rows, outliers weighed anew until that changes little: what its
rows pulled is undone, and constants that only they determined fall back to their
expectation. The group's measurements are no anchors then either.
"""

import math
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from operator import mul

from msgspec.structs import replace

from core.estimate.anchors import Filter
from core.estimate.evidence import Point, Series, shipped, sources
from core.estimate.results import ServingEstimate
from core.estimate.serving import (
    Deployment,
    ServingRequest,
    deploy,
    estimate,
    unanchored,
)
from core.estimate.shape import shape_of
from core.reference.load import reference
from core.reference.serving import ServingConstants, serving_constants
from tests.bench.build_measurements import request_of
from tests.bench.linear import solve

SHARED = {
    "dense_bandwidth": (0.80, 0.10),
    "expert_bandwidth": (0.75, 0.15),
    "kv_bandwidth": (0.75, 0.15),
    "decode_compute": (0.85, 0.15),
    "prefill_attention": (0.50, 0.20),
    "latent_attention": (0.60, 0.20),
    "block_flops": (7e10, 0.40),
    "tile_gain": (3.0, 0.40),
    "collective_s": (3e-6, 0.40),
    "collective_hop_s": (4e-6, 0.40),
    "link_share": (0.60, 0.25),
    "pcie_share": (0.70, 0.25),
    "layer_s": (1.5e-5, 0.50),
    "moe_layer_s": (1.5e-5, 0.50),
    "recurrent_layer_s": (8e-6, 0.50),
    "stream_passes": (6.0, 0.40),
    "permute_passes": (4.0, 0.50),
    "step_s": (3e-4, 0.60),
    "sequence_s": (6e-6, 0.60),
    "expert_imbalance": (1.10, 0.10),
    "copy_imbalance": (1.10, 0.10),
    "pipeline_bubble": (0.06, 0.60),
    "first_token_per_prompt_token_s": (5e-6, 0.70),
    "first_token_s": (0.01, 0.50),
}
"""Expected value, and the spread of its logarithm."""
EFFICIENCY = {
    "bf16": (0.65, 0.15),
    "fp8": (0.60, 0.15),
    "fp4": (0.42, 0.15),
    # No dense model was measured with its weights unpacked: what Marlin reaches stands.
    "weight_only": (0.54, 0.03),
}
EXPERTS = dict.fromkeys(EFFICIENCY, (0.80, 0.20)) | {"weight_only": (0.40, 0.20)}
PAIR = {"bandwidth": (1.0, 0.08), "compute": (1.0, 0.12), "overhead": (1.0, 0.20)}
FAMILY = {
    "bandwidth": (1.0, 0.10),
    "compute": (1.0, 0.20),
    "overhead": (1.0, 0.25),
    "link": (1.0, 0.30),
    "hop": (1.0, 0.25),
    "weight_only": (1.0, 0.15),
}
ENGINE = {
    "bandwidth": (1.0, 0.06),
    "compute": (1.0, 0.10),
    "kv_bandwidth": (1.0, 0.10),
    "overhead": (1.0, 0.30),
    "step": (1.0, 0.50),
    "sequence": (1.0, 0.60),
    "request_s": (5e-4, 0.70),
    "prefill_queue": (0.16, 0.60),
    "prefill_interleave": (1.0, 0.30),
    "first_token_layer_s": (3e-4, 1.00),
}
IN_STEP = {("engine", "nim-2024", "prefill_queue"): (0.5, 0.30)}
"""A closed loop waits for half of the other prompts where its clients stay in step, as
with GenAI-Perf, whose answers NIM's guide makes equally long; and for 1/20 where only
the first of ten rounds is in step: InferenceX draws lengths from 80 to 100 %. Of other
tests neither is known, so the middle is expected of them."""
WEIGHTS = {
    ("saturated", "tokens_per_second"): 1.6,
    ("closed_loop", "tokens_per_second"): 0.5,
    ("closed_loop", "tpot_ms"): 1.0,
    ("closed_loop", "ttft_ms"): 0.35,
    ("static", "tpot_ms"): 0.7,
    ("static", "tokens_per_second"): 0.5,
    ("static", "ttft_ms"): 0.4,
    ("open_loop", "tokens_per_second"): 1.0,
    ("open_loop", "tpot_ms"): 0.5,
    ("open_loop", "ttft_ms"): 0.3,
}
"""What an error counts, by regime and quantity; times of queueing are the noisiest."""
QUANTITIES = ("tokens_per_second", "tpot_ms", "ttft_ms")
EXPECTED_ERROR = 0.15
PRIOR = 3.0
NUDGE = 0.02
ROUNDS, STILL = 2, 0.1
"""How often outliers are weighed anew, and by how much a weight may be off."""


@dataclass(frozen=True, slots=True)
class Choice:
    """How the fit weighs what it sees; `tests.bench.choose` picks it by hold-out."""

    knee: float
    """Errors beyond this share of the expected one count by their size, not by its
    square: tables of one publisher err together."""
    balance: float
    """How far publishers count alike however much they published: 0 by what they
    measured, 1 all the same."""
    rates: float
    host: float
    pair: float
    family: float
    """Spreads of an engine's rates and host times, of kernels, of families, as a factor
    on the expected ones."""
    kin: float
    """Variance that engines of one generation share, in units of each one's own."""


CHOSEN = Choice(
    knee=0.3, balance=0.0, rates=0.5, host=1.0, pair=0.3, family=2.0, kin=3.0
)
FULL_WEIGHT = 25
"""Rows of one model, GPU, format, source and regime that count whole; of more, each
counts less, so that no table of hundreds outweighs the other publishers."""
TYPICAL = 250.0
"""What a publisher's measurements weigh where their number plays no part."""
OLD_ENGINES = 0.05
"""Weight of rows whose engine is older than what their request names, where others of
their GPU family are newer."""
OLD = ("argonne", "dstack-disaggregation")
RATES = ("bandwidth", "compute", "kv_bandwidth")
HOST = ("overhead", "step", "sequence")
GENERATIONS = (
    ("vllm", "sglang", "tensorrt"),
    ("nim-2024", "vllm-static-2024"),
)
"""Servers of one time: what one of them says of schedulers and kernels is expected of
the others. Before 2025 every step waited for its host; since, it is scheduled ahead."""
Path = tuple[str, ...]


@dataclass(slots=True)
class Case:
    """A measurement ready to be estimated again and again, and what it depends on."""

    series: Series
    point: Point
    request: ServingRequest
    family: str
    engine: str
    weight: float
    family_only: bool = False
    """Whether it tells of its GPU family and not of its engine: that is an old one,
    but nothing newer was measured on the family."""

    def errors(self, found: ServingEstimate) -> dict[str, float]:
        """Return ln(estimate / measured) by quantity; none where it does not fit."""
        if not found.fits:
            return {}
        pairs = {
            "tokens_per_second": found.tokens_per_second.likely,
            "ttft_ms": found.ttft_ms,
            "tpot_ms": found.tpot_ms,
        }
        measured = ((name, getattr(self.point, name)) for name in pairs)
        return {name: math.log(pairs[name] / want) for name, want in measured if want}


Group = Callable[[Series], str]


def publisher(series: Series) -> str:
    """Return who published a series."""
    return sources()[series.source]["publisher"]


@cache
def _shape_name(model: str) -> str:
    return repr(shape_of(reference().models[model]))


def system(series: Series) -> str:
    """Return the GPU and the shape of the model, which several models may share."""
    return f"{_shape_name(series.model)} on {series.gpu}"


@dataclass(slots=True)
class Residual:
    """One weighted log error of a case, and its slopes by constant."""

    case: int
    quantity: str
    value: float
    scale: float
    """What the log error was multiplied by."""
    slopes: dict[int, float]


def cases() -> list[Case]:
    """Return the measurements that ship, ready to be estimated."""
    constants = serving_constants()
    ready = []
    for series, point in ((one, point) for one in shipped() for point in one.points):
        request = request_of(series, point)
        family = constants.family_name(request.gpu)
        engine = constants.engine_key(request.framework, request.regime, request.gpu)
        borrowed = constants.family[family].like or family
        ready.append(Case(series, point, request, borrowed, engine, 1.0))
    alike = Counter(_table(case) for case in ready)
    measured_since = {case.family for case in ready if case.series.source not in OLD}
    for case in ready:
        case.weight = min(1.0, (FULL_WEIGHT / alike[_table(case)]) ** 0.5)
        old = case.series.source in OLD and case.request.regime == "closed_loop"
        case.family_only = old and case.family not in measured_since
        if old and not case.family_only:
            case.weight = OLD_ENGINES
    return ready


def balanced(ready: Iterable[Case], choice: Choice) -> dict[str, float]:
    """Return the factor on the weights of each publisher's cases."""
    whole: dict[str, float] = {}
    for case in ready:
        name = publisher(case.series)
        whole[name] = whole.get(name, 0.0) + case.weight**2
    return {n: (TYPICAL / sum_) ** (choice.balance / 2) for n, sum_ in whole.items()}


def _table(case: Case) -> tuple[str, ...]:
    series = case.series
    return (
        series.model, series.gpu, series.weights, series.source, series.regime,
    )  # fmt: skip


def paths(constants: ServingConstants) -> dict[Path, tuple[float, float]]:
    """Return every fitted constant with its expected value and spread."""
    found: dict[Path, tuple[float, float]] = {}
    found |= {("shared", name): prior for name, prior in SHARED.items()}
    found |= {("efficiency", name): prior for name, prior in EFFICIENCY.items()}
    for family, spec in constants.family.items():
        if spec.measured:
            unpacks = not spec.formats or "int4" in spec.formats
            names = (n for n in FAMILY if n != "weight_only" or unpacks)
            found |= {("family", family, name): FAMILY[name] for name in names}
    for engine in constants.engine:
        found |= {("engine", engine, name): prior for name, prior in ENGINE.items()}
    found |= IN_STEP
    found |= {("expert_efficiency", name): prior for name, prior in EXPERTS.items()}
    for pair in constants.pair:
        found |= {("pair", pair, name): prior for name, prior in PAIR.items()}
    return found


def value_of(constants: ServingConstants, path: Path) -> float:
    """Return one constant."""
    found: object = getattr(constants, path[0])
    for name in path[1:]:
        found = found[name] if isinstance(found, dict) else getattr(found, name)
    assert isinstance(found, float)
    return found


def changed(constants: ServingConstants, new: dict[Path, float]) -> ServingConstants:
    """Return the constants with some replaced; borrowing families follow."""
    table = constants.model_dump()
    for path, value in new.items():
        target = table
        for name in path[:-1]:
            target = target[name]
        target[path[-1]] = value
    for family in table["family"].values():
        if family["like"]:
            lender = table["family"][family["like"]]
            family |= {name: lender[name] for name in FAMILY}
    return ServingConstants.model_validate(table)


def _errors(
    case: Case, constants: ServingConstants, placed: Deployment
) -> dict[str, float]:
    """Return the weighted errors of one case by quantity, by the physics alone."""
    found = case.errors(unanchored(case.request, constants, placed))
    regime = case.request.regime
    return {
        name: _counts(case, name) * error
        for name, error in found.items()
        if (regime, name) in WEIGHTS
    }


def _counts(case: Case, quantity: str) -> float:
    return case.weight * WEIGHTS[case.request.regime, quantity] / EXPECTED_ERROR


def residuals(ready: list[Case], constants: ServingConstants) -> list[Residual]:
    """Return all residuals with their slopes, by forward differences.

    A constant moves the parts of a step, and those move the errors: parts are fewer
    than constants, and what constants do to them is the same whatever the load.
    """
    variants = [
        changed(constants, {path: value_of(constants, path) * math.exp(NUDGE)})
        for path in paths(constants)
    ]
    moves: dict[tuple[object, ...], dict[int, dict[str, float]]] = {}
    found = []
    for number, case in enumerate(ready):
        placed = deploy(case.request, constants)
        base = _errors(case, constants, placed)
        if not base:
            continue
        key = _setup(case, placed)
        if key not in moves:
            moves[key] = {
                index: by
                for index, path in enumerate(paths(constants))
                if _touches(path, case)
                and (by := _moved(case, placed, variants[index]))
            }
        slopes = _part_slopes(case, constants, placed, base, moves[key])
        for quantity, error in base.items():
            own = slopes[quantity]
            by_constant = {
                index: slope
                for index, parts in moves[key].items()
                if (slope := sum(own[part] * by for part, by in parts.items()))
            }
            scale = _counts(case, quantity)
            found.append(Residual(number, quantity, error, scale, by_constant))
    return found


def _setup(case: Case, placed: Deployment) -> tuple[object, ...]:
    """Return what decides on the parts of a step, whatever the lengths and the load."""
    request = case.request
    return (
        request.model.id, request.gpu.id, request.weights, request.kv, placed.layout,
        placed.engine_key, case.family_only,
    )  # fmt: skip


_OWN = ("prefill_interleave", "prefill_queue")
"""What an engine does between its steps; all else of it goes into their parts."""


def _moved(
    case: Case, placed: Deployment, variant: ServingConstants
) -> dict[str, float]:
    """Return by how much a nudged constant moves the parts of a step, per nudge."""
    again = deploy(case.request, variant)
    pairs = [
        (name, getattr(placed.timings, name), getattr(again.timings, name))
        for name in placed.timings.__struct_fields__
    ]
    pairs += [(n, getattr(placed.engine, n), getattr(again.engine, n)) for n in _OWN]
    return {n: math.log(now / was) / NUDGE for n, was, now in pairs if now != was}


def _part_slopes(
    case: Case,
    constants: ServingConstants,
    placed: Deployment,
    base: dict[str, float],
    moves: dict[int, dict[str, float]],
) -> dict[str, dict[str, float]]:
    """Return how each error grows with the logarithm of each part, by quantity."""
    slopes: dict[str, dict[str, float]] = {quantity: {} for quantity in base}
    for part in {part for parts in moves.values() for part in parts}:
        errors = _errors(case, constants, _nudged(placed, part))
        for quantity, error in base.items():
            slopes[quantity][part] = (errors[quantity] - error) / NUDGE
    return slopes


def _nudged(placed: Deployment, part: str) -> Deployment:
    """Return a deployment with one part of its steps a little longer."""
    if part in _OWN:
        longer = {part: getattr(placed.engine, part) * math.exp(NUDGE)}
        return replace(placed, engine=placed.engine.model_copy(update=longer))
    longer = {part: getattr(placed.timings, part) * math.exp(NUDGE)}
    return replace(placed, timings=replace(placed.timings, **longer))


def _touches(path: Path, case: Case) -> bool:
    if path[0] == "family" or case.family_only:
        return path[:2] == ("family", case.family)
    if path[0] == "pair":
        return path[1] == f"{case.engine}/{case.family}"
    return path[0] != "engine" or path[1] == case.engine


class Normal:
    """The normal equations of a Gauss–Newton step, to which residuals are added.

    The matrix is symmetric: what is left of its diagonal stays nought.
    """

    def __init__(
        self, constants: ServingConstants, choice: Choice, share: float = 1.0
    ) -> None:
        self.constants, self.choice = constants, choice
        known = paths(constants)
        self.off = [
            math.log(expected / value_of(constants, path))
            for path, (expected, _) in known.items()
        ]
        self.pulls = {pair: pull * share for pair, pull in pulls(known, choice).items()}
        size = len(known)
        self.matrix = [[0.0] * size for _ in range(size)]
        self.vector = [0.0] * size

    def weight(self, value: float, factor: float) -> float:
        """Return what a residual of such a size counts: less, the larger it is."""
        return factor**2 / math.sqrt(1 + (value * factor / self.choice.knee) ** 2)

    def add(self, residual: Residual, weight: float) -> None:
        """Add one residual, or, with a weight below 0, take it away."""
        ordered = tuple(residual.slopes.items())
        for place, (one, slope) in enumerate(ordered, 1):
            row, part = self.matrix[one], weight * slope
            self.vector[one] -= part * residual.value
            row[one] += part * slope
            for other, second in ordered[place:]:
                row[other] += part * second

    def step(self) -> list[float]:
        """Return how far to go, in logarithms, with the pull of what is expected."""
        matrix, vector = [row[:] for row in self.matrix], self.vector[:]
        for row, cells in enumerate(matrix):
            for column in range(row):
                cells[column] = matrix[column][row]
        for (one, other), pull in self.pulls.items():
            matrix[one][other] += pull
            vector[one] += pull * self.off[other]
        return [max(-1.0, min(1.0, by)) for by in solve(matrix, vector)]

    def reached(self, step: list[float]) -> ServingConstants:
        """Return the constants after a step."""
        known = paths(self.constants)
        return changed(
            self.constants,
            {
                path: value_of(self.constants, path) * math.exp(by)
                for path, by in zip(known, step, strict=True)
            },
        )


def pulls(
    known: dict[Path, tuple[float, float]], choice: Choice
) -> dict[tuple[int, int], float]:
    """Return how hard constants are drawn to what is expected, alone and in pairs.

    Engines of one generation share a part of what sets them apart: the inverse of a
    covariance v (1 + kin · ones) is (1 - kin / (1 + n kin) · ones) / v.
    """
    place = {path: index for index, path in enumerate(known)}
    found = {}
    for path, (_, spread) in known.items():
        pull = PRIOR / (spread * _looser(path, choice)) ** 2
        alike = [path]
        if path[0] == "engine" and path[2] in (*RATES, *HOST):
            kin = next((each for each in GENERATIONS if path[1] in each), ())
            alike = [("engine", name, path[2]) for name in kin] or alike
        shared = choice.kin / (1 + len(alike) * choice.kin) if len(alike) > 1 else 0.0
        for other in alike:
            own = 1.0 if other == path else 0.0
            found[place[path], place[other]] = pull * (own - shared)
    return found


def _looser(path: Path, choice: Choice) -> float:
    if path[0] == "engine":
        return {
            **dict.fromkeys(RATES, choice.rates),
            **dict.fromkeys(HOST, choice.host),
        }.get(path[2], 1.0)
    return {"pair": choice.pair, "family": choice.family}.get(path[0], 1.0)


def left_out(
    ready: list[Case], group: Group, folds: int, seen: list[Case] | None = None
) -> Iterator[tuple[Case, ServingEstimate]]:
    """Yield every case, estimated by a fit and anchors that have not seen its group.

    The groups are dealt into so many folds, and each fold is left out at once. `seen`:
    what the fits are to, where not all that is estimated. Of a sample of all
    measurements each stands for several.
    """
    constants, fits = serving_constants(), ready if seen is None else seen
    every = _residuals_of(fits)
    factors = balanced(fits, CHOSEN)
    factor = [factors[publisher(case.series)] for case in fits]
    share = len(fits) / sum(len(series.points) for series in shipped())
    whole = Normal(constants, CHOSEN, share)
    weights = [whole.weight(one.value, factor[one.case]) for one in every]
    for residual, weight in zip(every, weights, strict=True):
        whole.add(residual, weight)
    names = sorted({group(case.series) for case in (*ready, *fits)})
    dealt = {name: number % folds for number, name in enumerate(names)}
    fold_of = [dealt[group(case.series)] for case in fits]
    for fold in range(min(folds, len(names))):
        rest = Normal(constants, CHOSEN, share)
        rest.matrix = [row[:] for row in whole.matrix]
        rest.vector = whole.vector[:]
        kept: list[tuple[Residual, float]] = []
        for residual, weight in zip(every, weights, strict=True):
            if fold_of[residual.case] == fold:
                rest.add(residual, -weight)
            else:
                kept.append((residual, weight))
        step = rest.step()
        for _ in range(ROUNDS):
            kept = [
                _weighed(rest, one, had, factor[one.case], step) for one, had in kept
            ]
            step = rest.step()
        apart = {name for name, its in dealt.items() if its == fold}
        fitted = rest.reached(step)
        yield from unseen_estimates(ready, group, apart, fitted)


_latest: list[tuple[list[Case], list[Residual]]] = []


def _residuals_of(ready: list[Case]) -> list[Residual]:
    """Return the residuals by the constants that ship; those of the last list stay."""
    if not _latest or _latest[0][0] is not ready:
        _latest[:] = [(ready, residuals(ready, serving_constants()))]
    return _latest[0][1]


def _weighed(
    equations: Normal, one: Residual, had: float, factor: float, step: list[float]
) -> tuple[Residual, float]:
    """Weigh a residual anew where a step has moved it much."""
    slopes = one.slopes
    moved = one.value + sum(map(mul, slopes.values(), map(step.__getitem__, slopes)))
    weight = equations.weight(moved, factor)
    if abs(weight - had) <= STILL * had:
        return one, had
    equations.add(one, weight - had)
    return one, weight


def unseen_estimates(
    ready: list[Case],
    group: Group,
    apart: Container[str],
    fitted: ServingConstants,
) -> Iterator[tuple[Case, ServingEstimate]]:
    """Yield the cases of groups that neither constants nor anchors have seen."""
    for case in ready:
        if group(case.series) in apart:
            yield case, estimate(case.request, fitted, without(group, case))


def without(group: Group, case: Case) -> Filter:
    """Return the filter that leaves a case's whole group out of the anchors."""
    name = group(case.series)
    return lambda series: None if group(series) == name else series


def without_row(case: Case) -> Filter:
    """Return the filter that leaves one measurement out of the anchors."""

    def allowed(series: Series) -> Series | None:
        if case.point not in series.points or series.model != case.series.model:
            return series
        rest = tuple(point for point in series.points if point != case.point)
        return replace(series, points=rest)

    return allowed

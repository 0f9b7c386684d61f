"""Fit the serving constants to measurements; estimate rows that the fit has not seen.

Every constant has an expected value and a spread; the fit minimises a robust (soft L1)
sum of squared log errors plus the squared distance from expectation, by Gauss–Newton.
Leaving a group out takes one such step from the full fit without the group's rows: what
its rows pulled is undone, and constants that only they determined fall back to their
expectation.
"""

import math
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from core.estimate.interface import read_request, serving_answer
from core.estimate.serving import ServingRequest, unanchored
from core.reference.load import reference
from core.reference.serving import ServingConstants, serving_constants
from tests.bench.linear import solve
from tests.bench.measured import Pair, Row, log_error, missed, rows

SHARED = {
    "dense_bandwidth": (0.80, 0.10),
    "expert_bandwidth": (0.75, 0.15),
    "kv_bandwidth": (0.75, 0.15),
    "decode_compute": (0.85, 0.15),
    "prefill_attention": (0.50, 0.20),
    "latent_attention": (0.60, 0.20),
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
    "weight_only": (0.45, 0.20),
}
EXPERTS = dict.fromkeys(EFFICIENCY, (0.80, 0.20))
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
    "prefill_queue": (0.3, 0.50),
    "prefill_interleave": (1.0, 0.30),
    "first_token_s": (0.02, 1.00),
}
WEIGHTS = {
    ("saturated", "tokens_per_second"): 1.6,
    ("concurrency", "tokens_per_second"): 0.5,
    ("concurrency", "tpot_ms"): 1.0,
    ("concurrency", "ttft_ms"): 0.35,
    ("static", "tpot_ms"): 0.7,
    ("static", "tokens_per_second"): 0.5,
    ("static", "ttft_ms"): 0.4,
    ("rate", "tokens_per_second"): 1.0,
    ("rate", "tpot_ms"): 0.5,
    ("rate", "ttft_ms"): 0.3,
}
"""What an error counts, by regime and quantity; times of queueing are the noisiest."""
EXPECTED_ERROR = 0.15
PRIOR = 3.0
NUDGE = 0.02
EXPERIMENTAL = 0.2
"""Weight of sources that call themselves experimental."""
MLPERF = [("mi300x", "fp8", 3460.0), ("mi355x", "fp4", 12501.0)]
"""Medians of MLPerf Inference Llama-2-70B offline, per GPU; OpenOrca's mean lengths are
294 tokens in and out. They alone say what AMD reaches without tensor parallelism."""

Path = tuple[str, ...]


@dataclass(slots=True)
class Case:
    """A row ready to be estimated again and again, and the constants it depends on."""

    row: Row
    request: ServingRequest
    family: str
    engine: str
    weight: float


@dataclass(slots=True)
class Residual:
    """One weighted log error of a case, and its slopes by constant."""

    case: int
    value: float
    slopes: dict[int, float]


def cases(found: Iterable[Row]) -> list[Case]:
    """Read the rows that can be read."""
    known, constants = reference(), serving_constants()
    names = {id(family): name for name, family in constants.family.items()}
    ready = []
    for row in found:
        request = read_request(row.request, known)
        family = constants.family_of(request.gpu)
        engine = constants.engine_key(request.framework, request.regime, request.gpu)
        weight = EXPERIMENTAL if "experimental" in row.source else 1.0
        borrowed = family.like or names[id(family)]
        ready.append(Case(row, request, borrowed, engine, weight))
    return ready


def mlperf_rows() -> list[Row]:
    """Return MLPerf's medians as rows: eight GPUs, one replica each."""
    return [
        Row(
            {"model": "Llama-2-70B", "gpu": gpu, "num_gpus": 8, "weights": weights,
             "tp": 1, "input_tokens": 294.0, "output_tokens": 294.0,
             "scenario": "offline"},
            {"tokens_per_second": 8 * per_gpu}, "saturated", "MLPerf Inference",
        )
        for gpu, weights, per_gpu in MLPERF
    ]  # fmt: skip


def paths(constants: ServingConstants) -> dict[Path, tuple[float, float]]:
    """Return every fitted constant with its expected value and spread."""
    found: dict[Path, tuple[float, float]] = {}
    found |= {("shared", name): prior for name, prior in SHARED.items()}
    found |= {("efficiency", name): prior for name, prior in EFFICIENCY.items()}
    for family, spec in constants.family.items():
        if spec.measured:
            found |= {("family", family, n): prior for n, prior in FAMILY.items()}
    for engine in constants.engine:
        found |= {("engine", engine, name): prior for name, prior in ENGINE.items()}
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


def _errors(case: Case, constants: ServingConstants) -> dict[str, float]:
    """Return the weighted errors of one case by quantity."""
    answer = serving_answer(unanchored(case.request, constants))
    if missed(answer):
        return {}
    found = {}
    for (regime, quantity), weight in WEIGHTS.items():
        if regime == case.row.regime:
            error = log_error(case.row, answer, quantity)
            if error is not None:
                found[quantity] = case.weight * weight * error / EXPECTED_ERROR
    return found


def residuals(ready: list[Case], constants: ServingConstants) -> list[Residual]:
    """Return all residuals with their slopes, by forward differences."""
    base = [_errors(case, constants) for case in ready]
    slopes: list[dict[str, dict[int, float]]] = [{q: {} for q in e} for e in base]
    for index, path in enumerate(paths(constants)):
        nudged = {path: value_of(constants, path) * math.exp(NUDGE)}
        variant = changed(constants, nudged)
        for number, case in enumerate(ready):
            if base[number] and _touches(path, case):
                for quantity, error in _errors(case, variant).items():
                    slope = (error - base[number][quantity]) / NUDGE
                    if slope:
                        slopes[number][quantity][index] = slope
    return [
        Residual(number, error, slopes[number][quantity])
        for number, errors in enumerate(base)
        for quantity, error in errors.items()
    ]


def _touches(path: Path, case: Case) -> bool:
    if path[0] == "family":
        return path[1] == case.family
    if path[0] == "pair":
        return path[1] == f"{case.engine}/{case.family}"
    return path[0] != "engine" or path[1] == case.engine


class Normal:
    """The normal equations of a Gauss–Newton step, to which residuals are added."""

    def __init__(self, size: int) -> None:
        self.matrix = [[0.0] * size for _ in range(size)]
        self.vector = [0.0] * size

    def add(self, residual: Residual, sign: float = 1.0) -> None:
        """Add one residual (or take it away) with its soft-L1 weight."""
        weight = sign / math.sqrt(1 + residual.value**2)
        for one, slope in residual.slopes.items():
            row, scaled = self.matrix[one], weight * slope
            self.vector[one] -= scaled * residual.value
            for other, second in residual.slopes.items():
                row[other] += scaled * second

    def step(self, constants: ServingConstants) -> dict[Path, float]:
        """Solve with the pull of the expectations; return the new constants."""
        known = paths(constants)
        matrix, vector = [row[:] for row in self.matrix], self.vector[:]
        now = [math.log(value_of(constants, path)) for path in known]
        for index, (expected, spread) in enumerate(known.values()):
            pull = PRIOR / spread**2
            matrix[index][index] += pull
            vector[index] += pull * (math.log(expected) - now[index])
        moved = solve(matrix, vector)
        return {
            path: math.exp(at + max(-1.0, min(1.0, by)))
            for path, at, by in zip(known, now, moved, strict=True)
        }


def left_out(found: list[Row], by: str) -> list[Pair]:
    """Return every row with an estimate whose fit has not seen its model, or GPU."""
    constants = serving_constants()
    ready = cases([*found, *mlperf_rows()])
    every = residuals(ready, constants)
    size = len(paths(constants))
    whole = Normal(size)
    for residual in every:
        whole.add(residual)
    key: Callable[[int], str] = lambda n: str(ready[n].row.request[by])  # noqa: E731
    pairs: list[Pair] = []
    for group in sorted({key(number) for number in range(len(ready))}):
        rest = Normal(size)
        rest.matrix = [row[:] for row in whole.matrix]
        rest.vector = whole.vector[:]
        for residual in every:
            if key(residual.case) == group:
                rest.add(residual, -1.0)
        unseen = changed(constants, rest.step(constants))
        pairs += [
            (case.row, serving_answer(unanchored(case.request, unseen)))
            for number, case in enumerate(ready[: len(found)])
            if key(number) == group
        ]
    return pairs


def print_fit(rounds: int) -> None:
    """Print every constant after some rounds of fitting, beside what is shipped."""
    shipped = serving_constants()
    constants, ready = shipped, cases([*rows("serving"), *mlperf_rows()])
    for _ in range(rounds):
        normal = Normal(len(paths(constants)))
        for residual in residuals(ready, constants):
            normal.add(residual)
        constants = changed(constants, normal.step(constants))
    for path in paths(constants):
        was, now = value_of(shipped, path), value_of(constants, path)
        sys.stdout.write(f"{'.'.join(path):56s}{was:12.4g}{now:12.4g}\n")

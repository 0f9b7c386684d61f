"""How far training estimates lie from published measurements, in and out of sample.

`python -m tests.bench.training_accuracy` prints the median and 90th percentile of
|ln(estimate / measured)|, the bias and the range's coverage, by regime, GPU, precision,
method, model class and source. `--left-out` sets rows apart in turn: each one, each
model on each GPU, each publisher. What is apart anchors nothing, and the constants
marked "fitted" make one step of the fit without it. `--fit` prints constants fitted to
all measurements and to the disclosed hours of whole runs.
"""

import argparse
import math
import statistics
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from core.estimate import training_memory
from core.estimate.anchoring import corrected
from core.estimate.interface import estimate_line
from core.estimate.training import TrainingRequest, estimate
from core.estimate.training_anchors import neighbours
from core.estimate.training_physics import speed
from core.estimate.training_request import read_request
from core.estimate.training_shape import generic_decoder
from core.reference.load import reference
from core.reference.runs import PublishedRun, published_runs
from core.reference.training import TrainingConstants, training_constants
from core.reference.training_measurements import TrainingMeasurement
from tests.bench.build_training_measurements import publisher, row_id
from tests.bench.linear import solve
from tests.bench.measured import (
    FOLDER,
    Pair,
    Row,
    Summary,
    covered,
    grouped,
    missed,
    rows,
    summary,
)

SPEED, PEAK = "tokens_per_second", "memory_gb_per_gpu"
QUANTITIES = (SPEED, "memory_gb_per_gpu", "gpu_hours")
HEADER = f"{'':50s}{'n':>6s} {'median':>8s} {'p90':>8s} {'bias':>8s}"

# What was expected before any fit, and the spread of its logarithm.
EXPECTED: dict[str, tuple[float, float]] = {
    "stack.tuned.matmul": (0.80, 0.10),
    "stack.tuned.elementwise": (80, 0.40),
    "stack.tuned.launch_ms": (0.02, 0.50),
    "stack.tuned.tensor_parallel": (0.8, 0.40),
    "stack.fsdp.matmul": (0.80, 0.15),
    "stack.fsdp.elementwise": (140, 0.40),
    "stack.fsdp.attention": (0.5, 0.30),
    "stack.fsdp.tensor_parallel": (2.0, 0.40),
    "stack.eager.matmul": (0.75, 0.15),
    "stack.eager.elementwise": (140, 0.40),
    "stack.eager.attention": (0.6, 0.30),
    "stack.eager.launch_ms": (4.0, 0.50),
    "stack.xla.matmul": (0.75, 0.15),
    "stack.xla.elementwise": (80, 0.40),
    "attention.blackwell": (0.35, 0.25),
    "attention.b300": (0.50, 0.25),
    "attention.cdna3": (0.30, 0.30),
    "attention.cdna4": (0.30, 0.30),
    "attention.tpu-v6e": (0.40, 0.30),
    "attention.tpu-v7": (0.40, 0.30),
    "matmul.b200.fp4": (0.55, 0.20),
    "matmul.b300.fp4": (0.45, 0.30),
    "matmul.gb300.fp4": (0.55, 0.20),
    "matmul.gb300.fp8": (0.85, 0.06),
    "matmul.cdna4.fp4": (0.45, 0.20),
    "matmul.mi300x.fp8": (0.45, 0.15),
    "matmul.mi325x.fp8": (0.55, 0.15),
    "constant.narrow_expert_width": (1500, 0.40),
    "constant.routing_passes": (15, 0.50),
    "constant.all_to_all_exposed": (0.40, 0.40),
    "constant.recurrent_passes": (60, 0.50),
    "constant.cast_passes": (25, 0.40),
    "constant.adapter_passes": (150, 0.40),
    "constant.dequantised": (3.0, 0.15),
    "constant.launch_qlora": (1.4, 0.20),
    "constant.launch_full": (2.0, 0.30),
    "constant.gather_exposed": (0.20, 0.40),
    "constant.gradients_exposed": (0.60, 0.40),
    "constant.tuned_in_16_bits": (0.9, 0.02),
    "constant.ring_per_doubling": (0.1, 0.70),
    "constant.step_ms_per_doubling": (5, 0.25),
    "constant.tensor_across_nodes": (2.0, 0.50),
    "constant.step_ms": (4.0, 0.70),
    "constant.run_efficiency": (0.92, 0.05),
}
# Constants that the fit moves together: one reason, one number.
TIED = {
    "attention.b300": ("attention.gb300",),
    "attention.tpu-v6e": ("attention.tpu-v5e", "attention.tpu-v5p"),
    "matmul.b200.fp4": ("matmul.gb200.fp4",),
    "matmul.gb300.fp8": ("matmul.gb300.bf16",),
}
MEMORY = {
    "CONTEXT_GB": (1.0, 0.40),
    "COLLECTIVES_GB": (1.0, 0.40),
    "FRAGMENTATION": (1.05, 0.03),
    "UNPACKED_BYTES": (16.0, 0.50),
    "PLAIN_LOGIT_BYTES": (12.0, 0.30),
}
"""The same of memory: a few hidden states in 32 bits, a logit and its
gradient in 16 bits with two copies in 32."""
FILES = ("training", "training-2")
DISCLOSED_COUNT = 3
"""Rows that a disclosed run counts for: it is months of the work that is asked for."""
ROBUST = 0.15
"""Errors beyond this count by their size, not by its square."""
ROUNDS = 12
STEP, MEMORY_STEP = 1e-3, 0.02
WELL_COUNTED = 1.5
"""Disclosed hours that may be further off than this factor teach nothing."""

KEYS: dict[str, Callable[[Row], str]] = {
    "regime": lambda row: row.regime,
    "gpu": lambda row: f"{row.regime} {row.request.get('gpu')}",
    "precision": lambda row: f"{row.regime} {row.request.get('precision')}",
    "method": lambda row: f"{row.regime} {row.request.get('method')}",
    "class": lambda row: f"{row.regime} {_model_class(row)}",
    "source": lambda row: row.source[:30],
}


def main() -> None:
    """Print the tables that the arguments ask for."""
    parser = argparse.ArgumentParser(prog="training_accuracy", description=__doc__)
    parser.add_argument("--left-out", action="store_true")
    parser.add_argument("--fit", action="store_true")
    arguments = parser.parse_args()
    found = measurements()
    if not found:
        sys.exit(f"no measurements in {FOLDER}: nothing to compare with")
    if arguments.fit:
        sys.stdout.write(fit_report(found))
        return
    sys.stdout.write(report(found))
    if arguments.left_out:
        sys.stdout.write(leave_one_out_report(found))


def measurements() -> list[Row]:
    """Return every published measurement of training that is at hand."""
    return [row for name in FILES for row in rows(name)]


def report(found: Iterable[Row]) -> str:
    """Return the tables of errors of the program as it stands."""
    known = reference()
    pairs: list[Pair] = [(row, estimate_line(row.request, known)) for row in found]
    lines = [f"training: {len(pairs)} measurements"]
    for title, key in KEYS.items():
        lines += ["", f"by {title}", HEADER]
        for quantity in QUANTITIES if title == "regime" else (SPEED,):
            lines += _table(quantity, grouped(pairs, quantity, key))
    for regime in sorted({row.regime for row, _ in pairs}):
        part = [pair for pair in pairs if pair[0].regime == regime]
        share, width = covered(part)
        out = sum(missed(answer) for _, answer in part)
        lines.append(
            f"{regime:9s} in range {share:.1%}, width {width:.2f} ×, missed {out}"
        )
    return "\n".join([*lines, ""])


def fit_report(found: list[Row]) -> str:
    """Return every fitted constant beside the one that ships."""
    cases = [*_cases(found), *DISCLOSED_COUNT * disclosed()]
    logs, _, _ = fit(cases)
    shipped = shipped_logs()
    return "".join(
        f"{name:36s}{math.exp(shipped[name]):12.4g}{math.exp(value):12.4g}\n"
        for name, value in logs.items()
    )


def leave_one_out_report(found: list[Row]) -> str:
    """Return the errors on rows of which nothing near was known."""
    lines = []
    for title, answers in left_out(found).items():
        lines += ["", f"each {title} left out in turn", HEADER]
        for regime in ("train", "finetune"):
            part = [one for one in answers if one.row.regime == regime]
            lines += _table(SPEED, {regime: summary([one.error for one in part])})
            share = sum(one.covered for one in part) / len(part)
            width = statistics.median(one.width for one in part)
            lines.append(f"{regime:32s}in range {share:.1%}, width {width:.2f} ×")
    for title, apart in memory_left_out(found).items():
        lines += ["", f"memory, each {title} left out", HEADER]
        lines += _table("memory_gb_per_gpu", {"finetune": summary(apart)})
    return "\n".join([*lines, ""])


def _table(quantity: str, found: Mapping[str, Summary]) -> list[str]:
    return [f"{name:32s}{quantity:18s}{line}" for name, line in found.items()]


def _model_class(row: Row) -> str:
    return read_request(row.request, reference()).model.kind


def constants_with(values: Mapping[str, float]) -> TrainingConstants:
    """Return the program's constants with some of them changed."""
    changed = dict(values)
    for name, others in TIED.items():
        if name in changed:
            changed |= dict.fromkeys(others, changed[name])
    known = training_constants()
    tables: dict[str, Any] = {
        "attention": dict(known.attention),
        "constant": dict(known.values),
        "matmul": {gpu: dict(row) for gpu, row in known.matmul.items()},
        "stack": dict(known.stacks),
    }
    for name, value in changed.items():
        table, key, *field = name.split(".")
        if table == "stack":
            tables[table][key] = replace(tables[table][key], **{field[0]: value})
        elif table == "matmul":
            tables[table][key][field[0]] = value
        else:
            tables[table][key] = value
    return replace(
        known,
        attention=tables["attention"],
        values=tables["constant"],
        matmul=tables["matmul"],
        stacks=tables["stack"],
    )


Case = tuple[Row, TrainingRequest, float]


def _cases(found: Iterable[Row]) -> list[Case]:
    """Every row with a speed, read once, with the logarithm of that speed."""
    known = reference()
    return [
        (row, read_request(row.request, known), math.log(speed))
        for row in found
        if (speed := row.measured.get(SPEED))
    ]


def disclosed() -> list[Case]:
    """Runs whose makers disclosed GPU-hours: what is known of thousands of GPUs."""
    return [
        _disclosed(run) for run in published_runs() if run.uncertainty < WELL_COUNTED
    ]


def _disclosed(run: PublishedRun) -> Case:
    known = reference()
    model = known.model(run.id) or generic_decoder(run.params_b)
    if run.active_params_b is not None:
        model = known.model(run.id) or known.representative(
            run.params_b, run.active_params_b
        )
    request = TrainingRequest(
        model=model,
        gpu=known.gpus[run.gpu],
        gpus=run.gpus,
        precision=run.precision,
        sequence=run.sequence,
        global_batch=run.batch_tokens / run.sequence,
        tokens=run.tokens,
    )
    speed = run.tokens_per_gpu_second * run.gpus
    row = Row({"model": run.id, "gpu": run.gpu}, {}, "disclosed", run.source)
    return row, request, math.log(speed)


def _errors(cases: Iterable[Case], logs: Mapping[str, float]) -> list[float]:
    constants = constants_with({name: math.exp(value) for name, value in logs.items()})
    return [math.log(speed(request, constants)[1]) - want for _, request, want in cases]


def fit(cases: list[Case]) -> tuple[dict[str, float], list[float], list[list[float]]]:
    """Return fitted logarithms, the errors there, and the errors' slopes in each."""
    logs = {name: math.log(middle) for name, (middle, _) in EXPECTED.items()}
    errors, slopes = _errors(cases, logs), _slopes(cases, logs)
    for _ in range(ROUNDS):
        trial = _stepped(logs, errors, slopes)
        found = _errors(cases, trial)
        if _cost(trial, found) >= _cost(logs, errors):
            break
        logs, errors = trial, found
        slopes = _slopes(cases, logs)
    return logs, errors, slopes


def _slopes(cases: list[Case], logs: dict[str, float]) -> list[list[float]]:
    """Return ∂error/∂ln(constant), one row per case."""
    columns = []
    middle = _errors(cases, logs)
    for name in EXPECTED:
        moved = _errors(cases, {**logs, name: logs[name] + STEP})
        columns.append([(b - a) / STEP for a, b in zip(middle, moved, strict=True)])
    return [list(row) for row in zip(*columns, strict=True)]


def _cost(logs: Mapping[str, float], errors: Iterable[float]) -> float:
    """Soft-L1 errors plus squared distance from expectation."""
    from_data = sum(2 * (math.sqrt(1 + (e / ROBUST) ** 2) - 1) for e in errors)
    from_prior = sum(
        ((logs[name] - math.log(middle)) / spread) ** 2
        for name, (middle, spread) in EXPECTED.items()
    )
    return from_data + from_prior


def _stepped(
    logs: dict[str, float],
    errors: list[float],
    slopes: list[list[float]],
    expected: Mapping[str, tuple[float, float]] = EXPECTED,
) -> dict[str, float]:
    """Return one damped Gauss–Newton step towards the least cost."""
    names = list(expected)
    size = len(names)
    matrix = [[0.0] * size for _ in names]
    vector = [0.0] * size
    for error, slope in zip(errors, slopes, strict=True):
        weight = 1 / (ROBUST**2 * math.sqrt(1 + (error / ROBUST) ** 2))
        moving = [(i, s) for i, s in enumerate(slope) if s]
        for i, a in moving:
            vector[i] -= weight * a * error
            for j, b in moving:
                matrix[i][j] += weight * a * b
    for i, name in enumerate(names):
        middle, spread = expected[name]
        matrix[i][i] += 1 / spread**2
        vector[i] -= (logs[name] - math.log(middle)) / spread**2
    moves = solve(matrix, vector)
    return {
        name: logs[name] + max(-0.5, min(0.5, move))
        for name, move in zip(names, moves, strict=True)
    }


def shipped_logs() -> dict[str, float]:
    """Return the logarithms of the constants that the fit may move, as they ship."""
    known = training_constants()
    tables: dict[str, Mapping[str, Any]] = {
        "attention": known.attention, "constant": known.values,
        "matmul": known.matmul, "stack": known.stacks,
    }  # fmt: skip
    logs = {}
    for name in EXPECTED:
        table, key, *field = name.split(".")
        value = tables[table][key]
        if table == "stack":
            value = getattr(value, field[0])
        elif field:
            value = value[field[0]]
        logs[name] = math.log(value)
    return logs


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One row as it is estimated without what it was set apart with."""

    row: Row
    error: float
    covered: bool
    width: float


APART: dict[str, Callable[[Row], str]] = {
    "row": row_id,
    "model on a GPU": lambda row: f"{row.request['model']} {row.request['gpu']}",
    "publisher": publisher,
}


def left_out(found: Iterable[Row]) -> dict[str, list[LeftOut]]:
    """Return every row, estimated without itself, its like, or its publisher.

    The constants make one Gauss–Newton step from those that ship, without the rows
    left out; the errors follow by their slopes, so that nothing is fitted anew.
    """
    cases = _cases(found)
    whole = [*cases, *DISCLOSED_COUNT * disclosed()]
    logs = shipped_logs()
    errors, slopes = _errors(whole, logs), _slopes(whole, logs)
    return {
        title: _left_out(cases, logs, errors, slopes, key)
        for title, key in APART.items()
    }


def _left_out(
    cases: list[Case],
    logs: dict[str, float],
    errors: list[float],
    slopes: list[list[float]],
    key: Callable[[Row], str],
) -> list[LeftOut]:
    groups: dict[str, list[int]] = {}
    for number, (row, _, _) in enumerate(cases):
        groups.setdefault(key(row), []).append(number)
    if len(groups) == len(cases):
        # One row of hundreds does not move the constants.
        physics = dict.fromkeys(range(len(cases)), errors)
    else:
        physics = {}
        for numbers in groups.values():
            moved = _without(logs, errors, slopes, frozenset(numbers))
            physics |= dict.fromkeys(numbers, moved)
    names = {row_id(row): number for number, (row, _, _) in enumerate(cases)}
    return [
        _answer(case, physics[number][number], physics[number], names, cases, key)
        for number, case in enumerate(cases)
    ]


def _without(
    logs: dict[str, float],
    errors: list[float],
    slopes: list[list[float]],
    out: frozenset[int],
) -> list[float]:
    """Return all errors after a step of the fit that has not seen some rows."""
    kept = [n for n in range(len(errors)) if n not in out]
    moved = _stepped(logs, [errors[n] for n in kept], [slopes[n] for n in kept])
    moves = [moved[name] - logs[name] for name in EXPECTED]
    return [
        error + sum(a * b for a, b in zip(slope, moves, strict=True) if a)
        for error, slope in zip(errors, slopes, strict=True)
    ]


def _answer(
    case: Case,
    error: float,
    errors: list[float],
    names: Mapping[str, int],
    cases: list[Case],
    key: Callable[[Row], str],
) -> LeftOut:
    row, request, _ = case

    def apart(measured: TrainingMeasurement) -> bool:
        number = names.get(measured.id)
        return number is None or key(cases[number][0]) == key(row)

    near = (
        replace(one, residual=-errors[names[one.id]])
        for one in neighbours(request, apart)
    )
    error += corrected(near).log_factor
    span = estimate(request, apart=apart).tokens_per_second
    width = span.high / span.low
    return LeftOut(row, error, abs(error) <= math.log(width) / 2, width)


def memory_left_out(found: Iterable[Row]) -> dict[str, list[float]]:
    """Return errors of fine-tuning memory, the constants not fitted to the row."""
    known = reference()
    measured = [
        (row, read_request(row.request, known))
        for row in found
        if row.regime == "finetune" and row.measured.get(PEAK)
    ]
    logs = {name: math.log(getattr(training_memory, name)) for name in MEMORY}
    errors = _memory_errors(measured, logs)
    moved = [
        _memory_errors(measured, {**logs, name: at + MEMORY_STEP})
        for name, at in logs.items()
    ]
    slopes = [
        [(after - error) / MEMORY_STEP for after in row]
        for error, *row in zip(errors, *moved, strict=True)
    ]
    result: dict[str, list[float]] = {}
    for title, key in APART.items():
        names = [key(row) for row, _ in measured]
        result[title] = []
        without = {
            name: _stepped(
                logs,
                [e for e, its in zip(errors, names, strict=True) if its != name],
                [s for s, its in zip(slopes, names, strict=True) if its != name],
                MEMORY,
            )
            for name in set(names)
        }
        for case, name in zip(measured, names, strict=True):
            result[title] += _memory_errors([case], without[name])
    return result


def _memory_errors(
    measured: Iterable[tuple[Row, TrainingRequest]], logs: Mapping[str, float]
) -> list[float]:
    shipped = {name: getattr(training_memory, name) for name in logs}
    try:
        for name, value in logs.items():
            setattr(training_memory, name, math.exp(value))
        return [
            math.log(estimate(request).memory_gb_per_gpu / row.measured[PEAK])
            for row, request in measured
        ]
    finally:
        for name, number in shipped.items():
            setattr(training_memory, name, number)


if __name__ == "__main__":
    main()

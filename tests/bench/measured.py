"""The published measurements beside the repository, and errors of estimates on them."""

import gzip
import json
import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2].parent / "shared" / "data" / "measurements"
Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One measured configuration: the request that asks for it, and what it gave."""

    request: dict[str, Any]
    measured: dict[str, float]
    regime: str
    source: str


def rows(name: str = "serving") -> list[Row]:
    """Return the measurements of one file, none where the data is not there."""
    path = FOLDER / f"{name}.jsonl.gz"
    if not path.exists():
        return []
    with gzip.open(path, "rt") as lines:
        return [_row(json.loads(line)) for line in lines]


def _row(line: dict[str, Any]) -> Row:
    regime = line.get("regime") or line["request"].get("task", "")
    return Row(line["request"], line["measured"], regime, line["source"])


def likely(value: object) -> float | None:
    """Return the middle of a range, or the number itself."""
    found = value.get("likely") if isinstance(value, Mapping) else value
    return float(found) if isinstance(found, int | float) and found > 0 else None


def log_error(row: Row, answer: Answer, quantity: str) -> float | None:
    """Return ln(estimate / measured), None where either is missing."""
    want, got = row.measured.get(quantity), likely(answer.get(quantity))
    return math.log(got / want) if want and got else None


def missed(answer: Answer) -> bool:
    """Whether an answer calls a configuration that ran unreadable or unfit."""
    return "error" in answer or answer.get("fits") is False


@dataclass(frozen=True, slots=True)
class Summary:
    """Errors of one group: |ln(estimate / measured)| and the signed middle."""

    count: int
    median: float
    p90: float
    bias: float

    def __str__(self) -> str:
        return (
            f"{self.count:6d} {self.median:8.1%} {self.p90:8.1%} {self.bias:+8.1%}"
        )  # fmt: skip


def summary(errors: Sequence[float]) -> Summary:
    """Summarise signed errors; at least one."""
    sizes = sorted(abs(error) for error in errors)
    return Summary(
        len(sizes),
        statistics.median(sizes),
        sizes[min(len(sizes) - 1, int(0.9 * len(sizes)))],
        statistics.median(errors),
    )


Pair = tuple[Row, Answer]


def grouped(
    pairs: Iterable[Pair], quantity: str, key: Callable[[Row], str]
) -> dict[str, Summary]:
    """Summarise one quantity's errors by a key of the row."""
    errors: dict[str, list[float]] = {}
    for row, answer in pairs:
        error = None if missed(answer) else log_error(row, answer, quantity)
        if error is not None:
            errors.setdefault(key(row), []).append(error)
    return {name: summary(found) for name, found in sorted(errors.items())}


def covered(pairs: Iterable[Pair]) -> tuple[float, float]:
    """Return the share of throughputs inside their range, and the median width."""
    inside: list[bool] = []
    widths: list[float] = []
    for row, answer in pairs:
        want, span = row.measured.get("tokens_per_second"), _span(answer)
        if want and span:
            inside.append(span[0] <= want <= span[1])
            widths.append(span[1] / span[0])
    if not inside:
        return math.nan, math.nan
    return sum(inside) / len(inside), statistics.median(widths)


def _span(answer: Answer) -> tuple[float, float] | None:
    span = answer.get("tokens_per_second")
    if missed(answer) or not isinstance(span, Mapping) or not span["low"]:
        return None
    return span["low"], span["high"]

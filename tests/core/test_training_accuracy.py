"""The line that training estimates hold on published measurements, where at hand."""

import gzip
import json
import math
import statistics
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from core.estimate.interface import estimate_line
from core.reference.load import reference

DATA = Path(__file__).parents[2].parent / "shared/data/measurements/training.jsonl.gz"
BARS = [
    # regime, quantity, median, 90th percentile, |bias|
    ("train", "tokens_per_second", 0.10, 0.40, 0.05),
    ("finetune", "tokens_per_second", 0.08, 0.30, 0.05),
    ("train", "memory_gb_per_gpu", 0.15, 1.0, 0.15),
    ("finetune", "memory_gb_per_gpu", 0.28, 1.1, 0.10),
    ("finetune", "gpu_hours", 0.08, 0.25, 0.05),
]


@cache
def answered() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return every measurement with its estimate; skip where there are none."""
    if not DATA.exists():
        pytest.skip(f"no measurements at {DATA}: accuracy is not checked here")
    known = reference()
    with gzip.open(DATA, "rt") as lines:
        rows = [json.loads(line) for line in lines]
    return [(row, estimate_line(row["request"], known)) for row in rows]


@pytest.mark.parametrize(("regime", "quantity", "median", "p90", "bias"), BARS)
def test_errors_stay_below_the_bar(
    regime: str, quantity: str, median: float, p90: float, bias: float
) -> None:
    """Median, 90th percentile and bias hold on all measurements of the regime."""
    found = []
    for row, answer in answered():
        want, got = row["measured"].get(quantity), answer.get(quantity)
        got = got["likely"] if isinstance(got, dict) else got
        if row["regime"] == regime and want and got:
            found.append(math.log(got / want))
    sizes = sorted(abs(error) for error in found)
    assert statistics.median(sizes) <= median
    assert sizes[int(0.9 * len(sizes))] <= p90
    assert abs(statistics.median(found)) <= bias


@pytest.mark.parametrize("regime", ["train", "finetune"])
def test_ranges_hold_most_measurements_and_stay_narrow(regime: str) -> None:
    """At least 80 % of the speeds lie in their range, its median width ≤ 1.9."""
    inside, widths = [], []
    for row, answer in answered():
        want, span = (
            row["measured"].get("tokens_per_second"),
            answer.get("tokens_per_second"),
        )
        if row["regime"] == regime and want and span:
            inside.append(span["low"] <= want <= span["high"])
            widths.append(span["high"] / span["low"])
    assert sum(inside) / len(inside) >= 0.8
    assert statistics.median(widths) <= 1.9


def test_what_was_measured_is_neither_unfit_nor_unread() -> None:
    """At most 3 % of configurations that ran are refused or not understood."""
    missed = [row for row, a in answered() if "error" in a or not a["fits"]]
    assert len(missed) <= 0.03 * len(answered())

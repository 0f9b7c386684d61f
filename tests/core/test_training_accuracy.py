"""The line that training estimates hold on published measurements, where at hand."""

import statistics
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from core.estimate.interface import estimate_line
from core.reference.load import reference
from core.reference.training_measurements import training_measurements
from tests.bench.build_training_measurements import row_id
from tests.bench.measured import FOLDER, Pair, grouped, missed, summary
from tests.bench.training_accuracy import (
    LeftOut,
    left_out,
    measurements,
    memory_left_out,
)

SPEED = "tokens_per_second"
IN_SAMPLE = [
    # regime, quantity, median, 90th percentile, |bias|
    ("train", SPEED, 0.037, 0.18, 0.02),
    ("finetune", SPEED, 0.033, 0.135, 0.02),
    ("train", "memory_gb_per_gpu", 0.175, 0.68, 0.13),
    ("finetune", "gpu_hours", 0.03, 0.11, 0.02),
]
LEFT_OUT = [
    # what is apart, regime, median, 90th percentile of the speed
    ("row", "train", 0.055, 0.28),
    ("row", "finetune", 0.045, 0.18),
    ("model on a GPU", "train", 0.088, 0.325),
    ("model on a GPU", "finetune", 0.075, 0.265),
    ("publisher", "train", 0.13, 0.37),
    ("publisher", "finetune", 0.105, 0.46),
]


@pytest.fixture(scope="module")
def answered() -> list[Pair]:
    """Every measurement with its estimate; skip where there are none."""
    found = measurements()
    if not found:
        pytest.skip(f"no measurements in {FOLDER}: accuracy is not checked here")
    known = reference()
    return [(row, estimate_line(row.request, known)) for row in found]


@cache
def apart() -> dict[str, list[LeftOut]]:
    """Every row, estimated without itself, its like, or its publisher."""
    found = measurements()
    if not found:
        pytest.skip(f"no measurements in {FOLDER}: accuracy is not checked here")
    return left_out(found)


def of(title: str, regime: str) -> list[LeftOut]:
    """The rows of one regime as they are estimated with so much set apart."""
    return [one for one in apart()[title] if one.row.regime == regime]


@pytest.mark.parametrize(("regime", "quantity", "median", "p90", "bias"), IN_SAMPLE)
def test_errors_stay_below_the_bar(
    answered: list[Pair],
    regime: str,
    quantity: str,
    median: float,
    p90: float,
    bias: float,
) -> None:
    """Median, 90th percentile and bias hold on all measurements of the regime."""
    found = grouped(answered, quantity, lambda row: row.regime)[regime]
    assert found.median <= median
    assert found.p90 <= p90
    assert abs(found.bias) <= bias


@pytest.mark.parametrize(("title", "regime", "median", "p90"), LEFT_OUT)
def test_errors_stay_below_the_bar_on_what_was_left_out(
    title: str, regime: str, median: float, p90: float
) -> None:
    """Neither anchors nor constants have seen the row, its like or its publisher."""
    sizes = sorted(abs(one.error) for one in of(title, regime))
    assert statistics.median(sizes) <= median
    assert sizes[int(0.9 * len(sizes))] <= p90


@pytest.mark.parametrize(
    ("regime", "label"),
    [("train", "training tokens/s"), ("finetune", "fine-tuning tokens/s")],
)
def test_the_readme_prints_what_was_left_out(regime: str, label: str) -> None:
    """Median and 90th percentile of a row, its like and its publisher left out."""
    text = (Path(__file__).parents[2] / "core" / "README.md").read_text("utf-8")
    row = next(line for line in text.splitlines() if line.startswith(f"| {label} |"))
    cells = [cell.strip(" %") for cell in row.strip("|").split("|")[2:]]
    for cell, title in zip(cells, apart(), strict=True):
        found = summary([one.error for one in of(title, regime)])
        printed = [float(figure) / 100 for figure in cell.split("/")]
        assert pytest.approx([found.median, found.p90], abs=6e-4) == printed


def test_memory_holds_where_its_constants_have_not_seen_the_row() -> None:
    """A row, its like, its publisher left out: as the README prints them."""
    found = measurements()
    if not found:
        pytest.skip(f"no measurements in {FOLDER}: accuracy is not checked here")
    text = (Path(__file__).parents[2] / "core" / "README.md").read_text("utf-8")
    row = next(li for li in text.splitlines() if "| fine-tuning memory" in li)
    cells = [cell.strip(" %") for cell in row.strip("|").split("|")[2:]]
    for cell, errors in zip(cells, memory_left_out(found).values(), strict=True):
        figures = summary(errors)
        assert figures.median <= 0.14
        assert figures.p90 <= 0.70
        assert abs(figures.bias) <= 0.05
        printed = [float(figure) / 100 for figure in cell.split("/")]
        assert pytest.approx([figures.median, figures.p90], abs=6e-4) == printed


@pytest.mark.parametrize("regime", ["train", "finetune"])
@pytest.mark.parametrize(
    ("title", "width"), [("row", 1.6), ("model on a GPU", 1.8), ("publisher", 1.85)]
)
def test_ranges_hold_most_of_what_was_left_out_and_stay_narrow(
    title: str, width: float, regime: str
) -> None:
    """At least 80 % of the speeds, by precision too where there are thirty."""
    found = of(title, regime)
    assert statistics.median(one.width for one in found) <= width
    assert share_covered(found) >= 0.8
    for precision in ("bf16", "fp8", "fp4"):
        part = [
            one
            for one in (*of(title, "train"), *of(title, "finetune"))
            if one.row.request.get("precision") == precision
        ]
        assert len(part) >= 30
        assert share_covered(part) >= 0.8, precision


def share_covered(found: Iterable[LeftOut]) -> float:
    """The share of speeds inside their range."""
    return statistics.mean(one.covered for one in found)


def test_what_was_measured_is_neither_unfit_nor_unread(answered: list[Pair]) -> None:
    """At most 3 % of configurations that ran are refused or not understood."""
    refused = [row for row, answer in answered if missed(answer)]
    assert len(refused) <= 0.03 * len(answered)


def test_the_table_that_ships_is_the_one_that_was_published(
    answered: list[Pair],
) -> None:
    """Every speed is in the packaged table, as it was measured."""
    shipped = {row.id: row.tokens_per_second for row in training_measurements()}
    published = {
        row_id(row): row.measured[SPEED]
        for row, _ in answered
        if row.measured.get(SPEED)
    }
    assert shipped.keys() == published.keys()
    assert all(
        pytest.approx(speed, rel=1e-6) == shipped[name]
        for name, speed in published.items()
    )

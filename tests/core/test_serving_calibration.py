"""The fit of the constants, and what it says of models that it has not seen."""

import statistics

import pytest

from core.reference.serving import serving_constants
from tests.bench.calibrate import changed, left_out, paths, value_of
from tests.bench.linear import solve
from tests.bench.measured import FOLDER, log_error, missed, rows

EVERY = 3
"""Each third measurement is enough to hold the line, in a third of the time."""
BARS = [("saturated", "tokens_per_second", 0.15), ("concurrency", "tpot_ms", 0.22)]


def test_models_left_out_of_the_fit_are_estimated_nearly_as_well() -> None:
    """Fitted without its model, a row's median error stays below the stated bars."""
    if not FOLDER.exists():
        pytest.skip(f"no measurements in {FOLDER}: nothing to leave out")
    pairs = left_out(rows("serving")[::EVERY], "model")
    for regime, quantity, bar in BARS:
        errors = [
            error
            for row, answer in pairs
            if row.regime == regime and not missed(answer)
            if (error := log_error(row, answer, quantity)) is not None
        ]
        assert len(errors) > 300
        assert statistics.median(abs(error) for error in errors) <= bar


def test_no_constant_belongs_to_a_model() -> None:
    """Constants are per format, GPU family or engine, far fewer than measurements."""
    groups = {path[0] for path in paths(serving_constants())}
    assert {"shared", "efficiency", "family", "engine"} == groups
    assert len(paths(serving_constants())) < 150


@pytest.mark.parametrize("path", list(paths(serving_constants())))
def test_shares_of_a_peak_are_shares(path: tuple[str, ...]) -> None:
    """A share of bandwidth or of a matrix rate is above 0 and not above 1."""
    value = value_of(serving_constants(), path)
    assert value > 0
    if path[0] == "efficiency" or path[-1].endswith(("_bandwidth", "_share")):
        assert path[0] == "engine" or value <= 1


def test_a_changed_constant_reaches_the_families_that_borrow_it() -> None:
    """MI355X borrows MI300X's constants, also while they are being fitted."""
    known = serving_constants()
    new = changed(known, {("family", "cdna3", "compute"): 0.123})
    assert 0.123 == new.family["cdna4"].compute
    assert known.family["hopper"] == new.family["hopper"]


def test_a_linear_system_is_solved() -> None:
    """Elimination with pivots solves what a zero on the diagonal would break."""
    assert [3.0, -1.0] == solve([[0.0, 2.0], [1.0, 1.0]], [-2.0, 2.0])

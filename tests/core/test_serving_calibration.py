"""The fit of the constants, and what estimates say of what they have not seen."""

import re
import statistics
from functools import cache
from pathlib import Path

import pytest

from core.estimate.results import ServingEstimate
from core.reference.serving import serving_constants
from tests.bench.accuracy import KEYS, WAYS, covered, tabled
from tests.bench.calibrate import Case, cases, changed, paths, value_of
from tests.bench.linear import solve

EVERY = 4
"""Each fourth measurement is enough to hold the line, and the one after it for what
constants without a group are fitted to: fewer would say too little of either."""
BARS = {
    "in sample": {
        "tokens": (0.035, 0.16), "tpot": (0.036, 0.145), "ttft": (0.095, 0.33),
        "saturated": (0.05, 0.18), "static": (0.02, 0.08),
    },
    "row left out": {
        "tokens": (0.042, 0.18), "tpot": (0.043, 0.185), "ttft": (0.135, 0.47),
        "saturated": (0.068, 0.245), "static": (0.027, 0.115),
    },
    "model x system left out": {
        "tokens": (0.102, 0.31), "tpot": (0.10, 0.32), "ttft": (0.31, 0.83),
        "saturated": (0.105, 0.345), "static": (0.066, 0.24),
    },
    "whole source left out": {
        "tokens": (0.115, 0.34), "tpot": (0.115, 0.35), "ttft": (0.365, 0.88),
        "saturated": (0.11, 0.38), "static": (0.074, 0.29),
    },
}  # fmt: skip
"""Median and 90th percentile of |ln(estimate / measured)|, with room for the sample."""
LINES = {
    "tokens": "closed_loop tokens_per_second",
    "tpot": "closed_loop tpot_ms",
    "ttft": "closed_loop ttft_ms",
    "saturated": "saturated tokens_per_second",
    "static": "static tpot_ms",
}


PRINTED = {
    "tokens/s at a concurrency": "tokens", "TPOT at a concurrency": "tpot",
    "TTFT at a concurrency": "ttft", "tokens/s, saturated": "saturated",
    "TPOT, one batch run to its end": "static",
}  # fmt: skip
"""What the README's table calls these lines."""
README = Path(__file__).parents[2] / "core" / "README.md"
SAMPLED = 1.2
"""How far the median of the sample may lie from that of all, as a factor."""


WITHDRAWN = """
5-37 95-98 101-105 109-110 113-117 120 122-123 125 127 132 134 136 138 140 142 149-154
156-157 159-160 162-163 165-166 168-174 201 203 205 207 209-212 214 216 218 220 222-225
227-234 239-240 245-248 254-258 264-267 274-276 281-286 293-297 303-309 315-345 381
383-388 394-398 404-410 415-418 719-722 862-865 964-967 1037-1040 1091-1095 1221-1237
1281-1295 1333-1347 2478-2479 2481-2482 2590 2592-2593 2690-2693 2764-2767 3841-3847
3871-3872 3877-3878 5600-5602 5766-5768 5868-5871 6011-6012 6014 6852-6856 6863-6867
6873-6877 6890-6955 7039-7050
"""
"""Places of rows that drafted tokens, ran before they were ready or are printed twice,
in the table that samples were first drawn from: they are no measurements any more."""


def drawn(first: int) -> list[Case]:
    """Each fourth measurement, as they were first drawn, without those withdrawn.

    None stands in for those: it would be another of the same few models, and a sample
    that has more of them than the table.
    """
    ends = [[int(end) for end in span.split("-")] for span in WITHDRAWN.split()]
    gone = {place for span in ends for place in range(span[0], span[-1] + 1)}
    measured = cases()
    places = (n for n in range(len(measured) + len(gone)) if n not in gone)
    return [
        case
        for place, case in zip(places, measured, strict=True)
        if place % EVERY == first
    ]


@cache
def sample() -> list[Case]:
    """The measurements that are estimated here."""
    return drawn(0)


@cache
def seen_by_fits() -> list[Case]:
    """The measurements that constants are fitted to where some are left out."""
    return drawn(1)


@cache
def sampled(way: str) -> list[tuple[Case, ServingEstimate]]:
    """The sample with its estimates, so much left out."""
    if way in ("in sample", "row left out"):
        return list(WAYS[way](sample()))
    return list(WAYS[way](sample(), seen_by_fits()))


def test_the_readme_prints_what_was_left_out() -> None:
    """A row, a model on its system, a whole source: medians and counts as measured."""
    text = README.read_text("utf-8")
    front = (README.parents[1] / "README.md").read_text("utf-8").splitlines()
    table = [line for line in front if re.search(r"\d / \d.* %", line)]
    assert 6 <= len(table) == len(set(table) & set(text.splitlines()))
    ways = [way for way in WAYS if way != "in sample"]
    every = tabled(sampled(ways[0]), KEYS["regime"])
    for label, name in PRINTED.items():
        row = re.search(rf"^\| {re.escape(label)} \| ([\d,]+) \|(.*)\|$", text, re.M)
        assert row, label
        count = int(row[1].replace(",", ""))
        assert pytest.approx(count, rel=0.2) == every[LINES[name]].count * EVERY
        medians = [float(cell.split("/")[0]) / 100 for cell in row[2].split("|")]
        assert len(ways) == len(medians)
        for way, printed in zip(ways, medians, strict=True):
            found = tabled(sampled(way), KEYS["regime"])[LINES[name]].median
            assert 1 / SAMPLED <= found / printed <= SAMPLED, f"{label}, {way}: {found}"


@pytest.mark.parametrize("way", list(WAYS))
def test_errors_stay_below_the_bar(way: str) -> None:
    """In sample, a row, a model on a GPU and a publisher left out: each holds."""
    found = sampled(way)
    lines = tabled(found, KEYS["regime"])
    for name, (median, p90) in BARS[way].items():
        line = lines[LINES[name]]
        assert line.count > 100
        assert line.median <= median, f"{name}: {line}"
        assert line.p90 <= p90, f"{name}: {line}"
        assert abs(line.bias) <= 0.08, f"{name}: {line}"


@pytest.mark.parametrize("way", list(WAYS))
def test_ranges_hold_four_in_five_and_stay_narrow(way: str) -> None:
    """By regime, format and engine; narrow beside measurements, wider where unseen."""
    found = covered(sampled(way))
    unseen = way not in ("in sample", "row left out")
    for name, (count, share, _) in found.items():
        assert count < 30 or share >= 0.8, f"{name}: {share:.0%}"
    for regime in ("closed_loop", "saturated", "static"):
        _, share, width = found[regime]
        assert share >= 0.82, f"{regime}: {share:.0%}"
        assert width <= (1.9 if unseen else 1.4), f"{regime}: {width:.2f}"
    widths = [width for count, _, width in found.values() if count >= 30]
    assert statistics.median(widths) <= (1.95 if unseen else 1.4)


def test_no_constant_belongs_to_a_model() -> None:
    """Constants are per format, GPU family or engine, far fewer than measurements."""
    groups = {path[0] for path in paths(serving_constants())}
    known = {"shared", "efficiency", "expert_efficiency", "family", "engine", "pair"}
    assert known == groups
    assert len(paths(serving_constants())) < 270


def test_shares_of_a_peak_are_shares() -> None:
    """A share of bandwidth or of a matrix rate is above 0 and not above 1."""
    constants = serving_constants()
    for path in paths(constants):
        value = value_of(constants, path)
        assert value > 0
        if path[0] == "efficiency" or path[-1].endswith(("_bandwidth", "_share")):
            assert path[0] == "engine" or value <= 1, path


def test_a_changed_constant_reaches_the_families_that_borrow_it() -> None:
    """MI355X borrows MI300X's constants, also while they are being fitted."""
    known = serving_constants()
    new = changed(known, {("family", "cdna3", "compute"): 0.123})
    assert 0.123 == new.family["cdna4"].compute
    assert known.family["hopper"] == new.family["hopper"]


def test_a_linear_system_is_solved() -> None:
    """Symmetric and positive definite, as the equations of a fit are."""
    matrix = [[4.0, 2.0, 0.0], [2.0, 5.0, 1.0], [0.0, 1.0, 3.0]]
    right = [sum(cell * x for cell, x in zip(row, (3, -1, 2))) for row in matrix]  # noqa: B905
    assert pytest.approx([3, -1, 2]) == solve(matrix, right)


def test_nothing_is_called_measured_that_no_measurement_is_of() -> None:
    """A family's formats are the table's."""
    constants = serving_constants()
    formats: dict[str, set[str]] = {}
    for case in cases():
        family = constants.family_name(case.request.gpu)
        formats.setdefault(family, set()).add(case.series.weights)
    for name, family in constants.family.items():
        assert not family.measured or name in formats
        assert not family.formats or set(family.formats) == formats[name]

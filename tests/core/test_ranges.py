"""Ranges: the quantiles of what unseen estimates missed by, pooled where few are."""

import itertools
import math
from dataclasses import replace
from random import Random

import pytest

from core.estimate.ranges import RangeTable, range_table, ranged
from core.estimate.results import Basis, Trust
from core.reference.load import reference
from core.reference.serving import serving_constants
from tests.bench.build_ranges import (
    HELD,
    LEFT_OUT,
    OLD,
    TARGET,
    Miss,
    crossed,
    unmeasured,
    worked_out,
    written,
)
from tests.bench.calibrate import OLD_ENGINES, cases, paths, residuals

VLLM = ("closed_loop", "vllm", "dense", "fp8", "hopper")
OTHER = ("saturated", "tensorrt-offline", "dense", "fp8", "hopper")
STATIC = ("static", "gaudi", "dense", "fp8", "gaudi")
NOBODY = ("closed_loop", "vllm", "dense", "fp8", "somebody-else")


def missed(
    spread: float,
    words: tuple[str, ...] = VLLM,
    trust: Trust = Trust(),  # noqa: B008 - frozen
    systems: int = 40,
    rows: int = 25,
    seed: int = 1,
) -> list[Miss]:
    """Return misses drawn from a normal distribution of a spread, by systems."""
    draw = Random(seed)  # noqa: S311 - no secret
    return [
        Miss(
            way=LEFT_OUT[-1],
            regime=words[0],
            publisher="somebody",
            system=f"{seed}-{number % systems}",
            family=words[-1],
            basis=Basis(words, True, trust),
            size=abs(draw.gauss(0.0, spread)) + 1e-6,
            counts=1.0,
        )
        for number in range(systems * rows)
    ]


def everywhere(spread: float = 0.1) -> list[Miss]:
    """Return misses of another use at all weights of evidence and disagreements."""
    return [
        miss
        for number, weight in enumerate((0.0, 0.02, 0.1, 0.4, 1.0))
        for row, apart in enumerate((0.0, 0.1, 0.3))
        for miss in missed(
            spread, STATIC, Trust(weight, apart), rows=3, seed=100 + 3 * number + row
        )
    ]


def share_held(found: list[Miss], table: RangeTable) -> float:
    """Return the share of misses that ranges hold."""
    return sum(miss.held_by(table) for miss in found) / len(found)


def test_ranges_hold_their_share_of_what_they_were_not_worked_out_from() -> None:
    """Of other draws, of each use by itself, and near evidence as far from it."""
    near, own = Trust(1.0, 0.05), Trust(1.0, 0.05, 1.0)
    parts = [
        (0.02, VLLM, own), (0.05, VLLM, near), (0.3, VLLM, Trust()),
        (0.04, OTHER, own), (0.1, OTHER, near), (0.5, OTHER, Trust()),
    ]  # fmt: skip
    found = [miss for part in parts for miss in missed(*part)]
    table = worked_out(found + everywhere())
    for part in parts:
        assert pytest.approx(HELD, abs=0.035) == share_held(
            missed(*part, seed=2), table
        )


def test_a_use_with_few_measurements_is_drawn_to_those_it_belongs_to() -> None:
    """One system says little: its range lies between its own and that of the rest."""
    many = missed(0.1) + everywhere()
    few = missed(0.6, (*VLLM[:4], "ada"), systems=1, rows=40, seed=3)
    more = missed(0.6, (*VLLM[:4], "ada"), systems=40, seed=3)
    rest = worked_out(many).half(Basis(VLLM, True))
    little = worked_out(many + few).half(Basis((*VLLM[:4], "ada"), True))
    much = worked_out(many + more).half(Basis((*VLLM[:4], "ada"), True))
    assert rest * 1.3 < little < much * 0.9


def test_runs_on_engines_of_2024_widen_only_where_they_ran() -> None:
    """Their format on their GPUs has their misses; the rest of the engine does not."""
    there = (*VLLM[:3], "fp16", "cdna2")
    plain = missed(0.1) + everywhere()
    old = [replace(miss, regime=OLD) for miss in missed(0.9, there, seed=9)]
    before, after = worked_out(plain), worked_out(plain + old)
    for words in (VLLM, (*VLLM[:4], "ada"), OTHER):
        basis = Basis(words, True)
        assert pytest.approx(before.half(basis)) == after.half(basis)
    assert after.half(Basis(there, True)) > 3 * before.half(Basis(there, True))


def test_few_systems_are_held_by_more_than_many() -> None:
    """What is known of three systems lies wider than the same known of fifty."""
    sizes = [
        worked_out(
            missed(0.2, systems=count, rows=900 // count) + everywhere(0.2)
        ).half(Basis(VLLM, True))
        for count in (3, 50)
    ]
    assert sizes[0] > 1.04 * sizes[1]


def test_what_nobody_measured_is_wider_by_what_left_out_families_missed() -> None:
    """All families alike, whatever the number of their rows; never narrower."""
    found = missed(0.1) + missed(0.1, (*VLLM[:4], "ada"), seed=4) + everywhere()
    wide = [
        *missed(0.1, (*VLLM[:4], "hopper"), rows=100, seed=5),
        *missed(0.4, (*VLLM[:4], "ada"), rows=2, seed=6),
    ]
    factor = unmeasured(found, wide)
    assert factor > 1.8
    assert unmeasured(found, missed(0.01, seed=7)) == 1.0


def test_cross_fitting_leaves_the_group_out() -> None:
    """A system whose estimates miss by far more is not held by the others' ranges."""
    odd = [miss for miss in missed(2.0, systems=1, rows=600, seed=8) if miss.size > 1.0]
    found = missed(0.1) + everywhere() + odd
    halves = dict(crossed(found, lambda miss: miss.system[:2], 1000))
    assert len(halves) == len(found)
    assert all(halves[miss] < 1.0 for miss in odd)


def test_shipped_ranges_narrow_with_evidence_and_widen_where_it_disagrees() -> None:
    """Whatever the use; and the file is what the script writes."""
    table = range_table()
    assert list(table.weight) == sorted(table.weight)
    for line, after in itertools.pairwise(table.grid):
        assert all(near < far for far, near in zip(line, after, strict=True))
    assert all(list(line) == sorted(line) for line in table.grid)
    assert table.alone > max(line[0] for line in table.grid)
    assert TARGET.read_text("utf-8") == written(table)


def test_shipped_uses_are_those_of_the_constants() -> None:
    """Regime, engine and family of every factor exist, and factors are no accident."""
    table, known = range_table(), serving_constants()
    kinds = {model.kind for model in reference().models.values()}
    for factors in (table.far, table.near, table.own):
        for name, factor in factors.items():
            words = name.split("/")
            assert words[0] in ("all", "overloaded", *known.spread)
            assert len(words) < 2 or words[1] in known.engine
            assert len(words) < 3 or words[2] in kinds
            assert len(words) < 5 or words[4] in known.family
            assert 0.1 < factor < 20


def test_the_range_is_continuous_in_the_evidence() -> None:
    """A little more evidence, or disagreement, moves a range a little."""
    table = range_table()
    steps = [Trust(weight / 500, 0.1) for weight in range(1000)]
    steps += [Trust(0.2, apart / 1000) for apart in range(600)]
    steps += [Trust(0.2, 0.6, own / 100) for own in range(100)]
    for words in (VLLM, OTHER, NOBODY):
        halves = [table.half(Basis(words, True, trust)) for trust in steps]
        pairs = list(itertools.pairwise(halves))
        del pairs[999]
        assert max(abs(math.log(b / a)) for a, b in pairs) < 0.03


def test_a_family_nobody_measured_has_a_wider_range() -> None:
    """Far from evidence; beside measurements of its own it is as any other."""
    far, near = Trust(), Trust(1.0, 0.05)
    for trust, wider in ((far, True), (near, False)):
        plain = ranged(100.0, Basis(NOBODY, True, trust))
        unknown = ranged(100.0, Basis(NOBODY, False, trust))
        assert (unknown.high > plain.high) == wider
        assert pytest.approx(100.0**2) == unknown.low * unknown.high


def test_a_family_that_only_old_engines_measured_is_fitted_to_them_alone() -> None:
    """Their rows count whole and move its constants; today's engines stay."""
    old = [case for case in cases() if case.family_only]
    assert {case.family for case in old} == {"cdna2"}
    few = old[::20]
    slopes = {
        path for one in residuals(few, serving_constants()) for path in one.slopes
    }
    names = list(paths(serving_constants()))
    assert few
    assert {names[index][:2] for index in slopes} == {("family", "cdna2")}
    assert all(case.weight > OLD_ENGINES for case in old)

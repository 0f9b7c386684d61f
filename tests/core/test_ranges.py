"""Ranges: the quantiles of what unseen estimates missed by, pooled where few are."""

import itertools
import math
from dataclasses import replace
from random import Random

import pytest
from msgspec import structs

from core.estimate.capacity import capacity
from core.estimate.formats import compute_rate, precisions_for
from core.estimate.ranges import RangeTable, most_per_second, range_table
from core.estimate.replica import Workload
from core.estimate.results import Basis, Trust
from core.estimate.serving import ServingRequest, deploy, estimate
from core.reference.load import reference
from core.reference.serving import serving_constants
from tests.bench.build_ranges import (
    HELD,
    LEFT_OUT,
    OLD,
    TARGET,
    Miss,
    completed,
    crossed,
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
    publisher: str = "somebody",
) -> list[Miss]:
    """Return misses drawn from a normal distribution of a spread, by systems."""
    draw = Random(seed)  # noqa: S311 - no secret
    return [
        Miss(
            way=LEFT_OUT[-1],
            regime=words[0],
            publisher=publisher,
            system=f"{seed}-{number % systems}",
            basis=Basis(words, trust),
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
    rest = worked_out(many).half(Basis(VLLM))
    little = worked_out(many + few).half(Basis((*VLLM[:4], "ada")))
    much = worked_out(many + more).half(Basis((*VLLM[:4], "ada")))
    assert rest * 1.3 < little < much * 0.9


def test_runs_on_engines_of_2024_widen_only_where_they_ran() -> None:
    """Their format on their GPUs has their misses; the rest of the engine does not."""
    there = (*VLLM[:3], "fp16", "cdna2")
    plain = missed(0.1) + everywhere()
    old = [replace(miss, regime=OLD) for miss in missed(0.9, there, seed=9)]
    before, after = worked_out(plain), worked_out(plain + old)
    for words in (VLLM, (*VLLM[:4], "ada"), OTHER):
        basis = Basis(words)
        assert pytest.approx(before.half(basis)) == after.half(basis)
    assert after.half(Basis(there)) > 3 * before.half(Basis(there))


def test_few_systems_are_held_by_more_than_many() -> None:
    """What is known of three systems lies wider than the same known of fifty."""
    sizes = [
        worked_out(
            missed(0.2, systems=count, rows=900 // count) + everywhere(0.2)
        ).half(Basis(VLLM))
        for count in (3, 50)
    ]
    assert sizes[0] > 1.04 * sizes[1]


def test_what_nobody_measured_is_wider_by_what_unknown_uses_missed() -> None:
    """A system counts once, whatever the number of its rows; never narrower."""
    known = missed(0.1) + everywhere()
    one_gpu = missed(0.1, (*VLLM[:4], "ada"), systems=1, rows=300, seed=4)
    many = [replace(one, way=LEFT_OUT[-2]) for one in one_gpu]
    wide = [
        replace(one, way=LEFT_OUT[-2])
        for seed, name in enumerate(("ampere", "blackwell", "cdna3"))
        for one in missed(0.4, (*VLLM[:4], name), systems=1, rows=9, seed=10 + seed)
    ]
    assert 2 < completed(known + many + wide).unknown < 6
    assert completed(known + many).unknown < 1.3
    assert completed(missed(0.1)).unknown == 1.0


def test_cross_fitting_leaves_the_group_out() -> None:
    """A publisher whose estimates miss by far more is not held by others' ranges."""
    odd = missed(2.0, systems=1, rows=600, seed=8, publisher="another")
    odd = [miss for miss in odd if miss.size > 1.0]
    found = missed(0.1) + everywhere() + odd
    tables = dict(crossed(found, LEFT_OUT[-1], worked_out))
    assert len(tables) == len(found)
    assert not any(miss.held_by(tables[miss]) for miss in odd)


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
        halves = [table.half(Basis(words, trust)) for trust in steps]
        pairs = list(itertools.pairwise(halves))
        del pairs[999]
        assert max(abs(math.log(b / a)) for a, b in pairs) < 0.03


def test_a_use_nobody_measured_has_a_wider_range() -> None:
    """Than the shorter use that stands for it."""
    table = range_table()
    known, basis = structs.replace(table, unknown=1.0), Basis(NOBODY)
    assert table.half(basis) == pytest.approx(table.unknown * known.half(basis))
    assert table.unknown > 1.2


def test_nothing_measured_or_estimated_is_above_the_roofline() -> None:
    """No high end on any GPU in any format, and of all published figures two, which
    are misprints: GPT-J writes 16 times as long answers faster than short ones, and
    one client of Qwen2 72B gets more than sixteen.
    """
    above = {
        case.series.model
        for case in cases()
        if (case.point.tokens_per_second or 0.0) > most_at(case.request)
    }
    assert above == {"gpt-j-6b", "qwen2-72b"}
    models = [reference().models[name] for name in ("llama-3.2-3b", "mixtral-8x7b")]
    for gpu, model in itertools.product(reference().gpus.values(), models):
        for weights in precisions_for(gpu):
            asked = ServingRequest(model, gpu, 8, weights, 1000, 200, tp=8)
            high = estimate(asked).tokens_per_second.high
            flops = 2e9 * model.active_params_b * high * (1000 + 200) / 200
            assert flops < 1.05 * 8e12 * compute_rate(gpu, weights)[0]
            carried = capacity(model, gpu, 8, weights, None, 1000, 200)
            assert carried.requests_per_second.high * 200 <= most_at(asked) * 1.001


def most_at(asked: ServingRequest) -> float:
    """Return the output tokens/s at peak FLOPS or bandwidth."""
    placed = deploy(asked, serving_constants())
    batch = (asked.concurrency or math.inf) / placed.replicas
    return placed.replicas * asked.output_tokens * most_per_second(
        asked.model, asked.gpu, placed.layout, asked.weights, placed.kv,
        Workload(asked.input_tokens, asked.output_tokens, asked.cache_hit_rate),
        min(batch, placed.engine.max_batch),
    )  # fmt: skip


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

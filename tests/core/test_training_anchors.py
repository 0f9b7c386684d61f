"""Training estimates near measurements: anchored, steady, monotone, honest far away."""

from math import exp, log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.estimate.anchoring import Neighbour, corrected
from core.estimate.training import TrainingRequest, estimate
from core.estimate.training_anchors import correction, neighbours
from core.estimate.training_request import read_request
from core.reference.load import reference
from core.reference.training import training_constants
from core.reference.training_measurements import training_measurements

KNOWN = reference()
MEASURED = training_measurements()
measured_runs = st.sampled_from(MEASURED).map(
    lambda row: read_request(row.request, KNOWN)
)
distances = st.floats(0, 5)
residuals = st.floats(-1, 1)
near = st.lists(
    st.builds(
        Neighbour,
        id=st.just("a row"),
        source=st.just("somebody"),
        date=st.just("2026-01"),
        distance=distances,
        residual=residuals,
    ),
    max_size=12,
)


def rate(request: TrainingRequest) -> float:
    """Return the likely tokens/s."""
    return estimate(request).tokens_per_second.likely


def test_every_measurement_names_its_source_and_date() -> None:
    """A row that ships says who published it, where and when."""
    assert len(MEASURED) > 500
    assert all(row.source and row.url.startswith("https://") for row in MEASURED)
    assert all(len(row.date) == len("2026-01") for row in MEASURED)
    assert len({row.id for row in MEASURED}) == len(MEASURED)


def test_far_from_every_measurement_the_estimate_is_the_physics() -> None:
    """Nobody measured a T4: its estimate says so and equals the physics."""
    asked = TrainingRequest(
        model=KNOWN.models["llama-3.2-1b"],
        gpu=KNOWN.gpus["t4"],
        gpus=1,
        method="lora",
        sequence=512,
        task="finetune",
    )
    found = estimate(asked)
    physics = estimate(asked, training_constants())

    assert physics.tokens_per_second.likely == found.tokens_per_second.likely
    assert found.evidence.anchors == 0
    assert found.why.endswith("not measured: from hardware data only")


def test_beside_a_measurement_the_estimate_says_so_and_is_narrower() -> None:
    """A run that was measured is anchored on it, in a narrower range than physics."""
    row = next(row for row in MEASURED if row.source == "llm-foundry")
    asked = read_request(row.request, KNOWN)
    found, physics = estimate(asked), estimate(asked, training_constants())

    assert row.id == found.evidence.nearest
    assert f"based on {found.evidence.anchors} measurements" in found.why
    ours, theirs = found.tokens_per_second, physics.tokens_per_second
    assert ours.high / ours.low < theirs.high / theirs.low
    assert abs(log(ours.likely / row.tokens_per_second)) < 0.15


@given(near)
@settings(max_examples=60, deadline=None)
def test_a_correction_never_leaves_what_its_neighbours_say(
    known: list[Neighbour],
) -> None:
    """It lies between nothing and the largest residual, and its share below one."""
    found = corrected(known)
    said = [0.0, *(one.residual for one in known)]
    assert min(said) - 1e-9 <= found.log_factor <= max(said) + 1e-9
    assert 0 <= found.share < 1


@given(near, residuals)
@settings(max_examples=60, deadline=None)
def test_one_row_moves_others_by_no_more_than_its_weight(
    known: list[Neighbour], residual: float
) -> None:
    """A row at distance 2 moves an estimate by less than four percent of itself."""
    far = Neighbour("far", "somebody", "2026-01", 2.0, residual)
    moved = corrected([*known, far]).log_factor - corrected(known).log_factor
    assert abs(moved) <= 0.04 * 2


@given(measured_runs)
@settings(max_examples=40, deadline=None)
def test_removing_the_nearest_row_moves_an_estimate_little(
    asked: TrainingRequest,
) -> None:
    """By its own weight at the most, which physics and other rows hold down."""
    rows = sorted(neighbours(asked), key=lambda one: one.distance)
    if not rows:
        return
    whole = correction(asked)
    without = correction(asked, apart=lambda row: row.id == rows[0].id)
    share = exp(-2 * rows[0].distance) / (exp(-2 * rows[0].distance) + 0.5)
    moved = abs(whole.log_factor - without.log_factor)
    assert moved <= share * (abs(rows[0].residual) + abs(without.log_factor)) + 1e-9


@given(measured_runs, st.sampled_from((1.0, 1.5, 3.0)))
@settings(max_examples=40, deadline=None)
def test_more_gpus_are_faster_across_the_edge_of_the_anchors(
    asked: TrainingRequest, more: float
) -> None:
    """Doubled GPUs with work for them write more tokens/s, measured there or not."""
    batch = (asked.global_batch or asked.gpus) * more
    few = replace(asked, global_batch=max(batch, asked.gpus), tokens=None)
    many = replace(few, gpus=2 * few.gpus, global_batch=2 * (few.global_batch or 1))
    if estimate(few).fits and estimate(many).fits:
        assert rate(many) > rate(few)


@given(measured_runs, st.floats(1.3, 4.0))
@settings(max_examples=40, deadline=None)
def test_larger_models_are_slower_across_the_edge_of_the_anchors(
    asked: TrainingRequest, factor: float
) -> None:
    """The same architecture with every parameter count multiplied."""
    model = asked.model
    sized = {
        "layers": max(1, round(model.layers * factor)),
        "params_b": model.params_b * factor,
        "active_params_b": model.active_params_b * factor,
        "id": "larger",
    }
    if model.attention == "hybrid":
        return  # the counts of its kinds of layers would have to grow with it
    larger = replace(asked, model=model.model_copy(update=sized))
    if estimate(asked).fits and estimate(larger).fits:
        assert rate(larger) < rate(asked)


@pytest.mark.parametrize("card", ["h100-80gb-sxm", "a100-80gb-sxm", "b200"])
def test_a_fixed_batch_loses_efficiency_on_more_gpus_but_not_speed(card: str) -> None:
    """One million tokens a step over 16 to 1,024 GPUs: faster, by ever less per GPU."""
    runs = [
        TrainingRequest(
            model=KNOWN.models["llama-3.1-8b"],
            gpu=KNOWN.gpus[card],
            gpus=gpus,
            sequence=4096,
            global_batch=256,
        )
        for gpus in (16, 64, 256, 1024)
    ]
    physics = [
        estimate(run, training_constants()).tokens_per_second.likely for run in runs
    ]
    rates = [rate(run) for run in runs]
    assert sorted(rates) == rates
    assert sorted(physics) == physics
    assert physics[-1] / 1024 < 0.85 * physics[0] / 16


@given(measured_runs, st.floats(1.0, 1000.0))
@settings(max_examples=30, deadline=None)
def test_more_tokens_take_hours_in_proportion(
    asked: TrainingRequest, factor: float
) -> None:
    """The anchors do not depend on how long a run is."""
    short = replace(asked, tokens=1e9)
    long = replace(asked, tokens=1e9 * factor)
    hours = estimate(short).gpu_hours or 0
    assert pytest.approx(hours * factor) == estimate(long).gpu_hours

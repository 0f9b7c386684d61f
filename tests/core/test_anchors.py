"""Estimates anchored on measurements: one model, across the anchors' edge."""

import itertools
import math
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.estimate.capacity import capacity
from core.estimate.evidence import Point, Series, shipped, sources
from core.estimate.parallel import Layout
from core.estimate.replica import Curve, LoadedReplica, Workload
from core.estimate.serving import ServingRequest, deploy, estimate, unanchored
from core.reference.load import reference
from core.reference.serving import serving_constants
from tests.bench.build_measurements import TARGET, estimated
from tests.bench.calibrate import cases, system, without, without_row

KNOWN = reference()
MODELS = [
    "llama-3.3-70b", "deepseek-r1", "gpt-oss-120b", "qwen3-32b", "gemma-3-27b",
    "mixtral-8x22b", "qwen3-30b-a3b",
]  # fmt: skip
"""Measured widely, measured a little, and never."""
GPUS = ["h100-80gb-sxm", "h200-sxm", "b200", "mi325x", "l40s", "b300"]
EVERY = 37
ROUNDING = 0.01
"""By how far a longer prompt may seem to carry more: queues join straight pieces."""

STEPS = (1.05, 1.2, 1.5, 2.0, 3.0, 5.0)
"""From beside a measurement to far from it."""

model, gpu = st.sampled_from(MODELS), st.sampled_from(GPUS)
tokens, users = st.floats(100, 12_000), st.floats(1, 300)
factor = st.floats(1, 4)
residuals = st.tuples(st.floats(-1, 1), st.floats(-1, 1))


def asked(name: str, on: str, **load: object) -> ServingRequest:
    """Return a request on eight GPUs of a kind, tensor parallel."""
    base = ServingRequest(
        KNOWN.models[name], KNOWN.gpus[on], 8, "fp8", 1024, 1024, tp=8
    )
    return replace(base, **load)  # type: ignore[arg-type]


@given(model, gpu, tokens, tokens, st.floats(1, 5000))
@settings(max_examples=60, deadline=None)
def test_clients_in_flight_are_the_rate_times_their_time(
    name: str, on: str, prompt: float, answer: float, clients: float
) -> None:
    """Little's law holds in a closed loop at every load, queues included."""
    load = asked(name, on, input_tokens=prompt, output_tokens=answer)
    found = estimate(replace(load, concurrency=clients))
    rate = found.tokens_per_second.likely / answer
    assert pytest.approx(clients, rel=1e-6) == rate * found.e2e_ms / 1e3


@given(model, gpu, tokens, tokens, st.floats(0.01, 50))
@settings(max_examples=60, deadline=None)
def test_requests_in_flight_are_their_rate_times_their_time(
    name: str, on: str, prompt: float, answer: float, rps: float
) -> None:
    """Little's law holds under arrivals at a rate; beyond what is held, they wait."""
    load = asked(name, on, input_tokens=prompt, output_tokens=answer, rps=rps)
    found = estimate(load)
    served = found.tokens_per_second.likely / answer
    if found.binding == "none":
        assert pytest.approx(rps, rel=1e-6) == served
    in_flight = served * found.e2e_ms / 1e3
    if found.batch < found.max_batch:
        assert pytest.approx(found.batch, rel=1e-6) == in_flight
    else:
        assert in_flight >= found.batch * (1 - 1e-9)


@given(model, gpu, tokens, st.floats(20, 2000), st.floats(0.05, 0.95))
@settings(max_examples=60, deadline=None)
def test_sizing_and_estimates_are_one_model(
    name: str, on: str, prompt: float, answer: float, share: float
) -> None:
    """What sizing says of a replica is what the estimate says at that rate."""
    load = asked(name, on, input_tokens=prompt, output_tokens=answer)
    carried = capacity(load.model, load.gpu, Layout(8), "fp8", None, prompt, answer)
    if not carried.met:
        return
    rate = carried.requests_per_second.likely
    assert pytest.approx(carried.batch) == rate * carried.e2e_ms / 1e3
    full = estimate(replace(load, rps=rate * (1 - 1e-9)))
    assert pytest.approx(carried.ttft_ms, rel=1e-3) == full.ttft_ms
    assert pytest.approx(carried.tpot_ms, rel=1e-3) == full.tpot_ms
    less = estimate(replace(load, rps=rate * share))
    assert less.ttft_ms <= full.ttft_ms * (1 + 1e-6)
    arriving = less.tokens_per_second.likely / answer
    assert pytest.approx(rate * share, rel=1e-6) == arriving


def test_idle_full_and_overloaded_are_told_apart() -> None:
    """Idle: the prompt alone; full: a queue that only lengthens the first token."""
    load = asked("llama-3.3-70b", "h100-80gb-sxm")
    idle, alone = (estimate(replace(load, rps=rps)) for rps in (1e-3, 2e-3))
    assert pytest.approx(idle.ttft_ms, rel=1e-2) == alone.ttft_ms
    most = estimate(replace(load, rps=1e6))
    beyond = estimate(replace(load, rps=2e6))
    assert (
        pytest.approx(most.tokens_per_second.likely) == beyond.tokens_per_second.likely
    )
    few, many = (
        estimate(replace(load, concurrency=clients)) for clients in (20_000, 40_000)
    )
    assert pytest.approx(few.tpot_ms) == many.tpot_ms
    assert many.ttft_ms > 1.9 * few.ttft_ms
    assert pytest.approx(few.tokens_per_second.likely) == many.tokens_per_second.likely


@given(model, gpu, tokens, users, factor)
@settings(max_examples=80, deadline=None)
def test_more_load_is_never_quicker_and_never_carries_less(
    name: str, on: str, prompt: float, clients: float, times: float
) -> None:
    """TTFT, TPOT and the rate rise with the load, through and beyond the anchors."""
    load = asked(name, on, input_tokens=prompt, concurrency=clients)
    few, many = estimate(load), estimate(replace(load, concurrency=clients * times))
    assert few.tpot_ms <= many.tpot_ms * (1 + 1e-9)
    assert few.ttft_ms <= many.ttft_ms * (1 + 1e-9)
    rates = few.tokens_per_second.likely, many.tokens_per_second.likely
    assert rates[0] <= rates[1] * (1 + 1e-9)


@given(model, tokens, st.lists(residuals, min_size=8, max_size=8), st.booleans())
@settings(max_examples=80, deadline=None)
def test_whatever_measurements_say_more_load_is_never_quicker(
    name: str, answer: float, said: list[tuple[float, float]], together: bool
) -> None:
    """Residuals that jump with the load bend the curve, and never turn it back."""
    load = asked(name, "b200", output_tokens=answer)
    placed = deploy(load, serving_constants())
    replica = LoadedReplica(
        placed.timings, placed.engine, Workload(load.input_tokens, answer)
    )

    def correction(in_flight: float, _: float, __: float) -> tuple[float, float]:
        return said[min(int(math.log(max(in_flight, 1.0), 3.0)), len(said) - 1)]

    curve = Curve(replica, 2000, correction, together=together)
    states = [curve.at(1.5**power) for power in range(20)]
    for less, more in itertools.pairwise(states):
        assert less.ttft_s <= more.ttft_s * (1 + 1e-9)
        assert less.tpot_s <= more.tpot_s * (1 + 1e-9)
        rates = less.requests_per_second, more.requests_per_second
        assert rates[0] <= rates[1] * (1 + 1e-9)


@given(model, gpu, tokens, tokens, users, factor)
@settings(max_examples=80, deadline=None)
def test_larger_batches_higher_rates_and_slower_gpus_go_one_way(
    name: str, on: str, prompt: float, answer: float, batch: float, times: float
) -> None:
    """One batch to its end, arrivals at a rate, all queued: as in a closed loop."""
    load = asked(name, on, input_tokens=prompt, output_tokens=answer)
    for little, much in (
        ({"scenario": "static", "concurrency": batch}, {"concurrency": batch * times}),
        ({"rps": batch / 20}, {"rps": batch * times / 20}),
    ):
        one = replace(load, **little)  # type: ignore[arg-type]
        few, many = estimate(one), estimate(replace(one, **much))  # type: ignore[arg-type]
        assert few.tpot_ms <= many.tpot_ms * (1 + 1e-9)
        assert few.ttft_ms <= many.ttft_ms * (1 + 1e-9)
        rates = few.tokens_per_second.likely, many.tokens_per_second.likely
        assert rates[0] <= rates[1] * (1 + ROUNDING)
    plain = load.gpu
    slower = plain.model_copy(update={"bandwidth_gb_s": plain.bandwidth_gb_s / times})
    for way in ({"scenario": "offline"}, {"rps": batch / 20}):
        quick = replace(load, **way)  # type: ignore[arg-type]
        slow = estimate(replace(quick, gpu=slower)).tokens_per_second.likely
        assert slow <= estimate(quick).tokens_per_second.likely * (1 + 1e-3)


@given(model, gpu, tokens, tokens, users, factor)
@settings(max_examples=80, deadline=None)
def test_longer_texts_and_slower_gpus_never_help(
    name: str, on: str, prompt: float, answer: float, clients: float, times: float
) -> None:
    """Longer prompts and answers, and less of a GPU, carry no more requests."""
    load = asked(
        name, on, input_tokens=prompt, output_tokens=answer, concurrency=clients
    )
    plain = load.gpu
    slower = plain.model_copy(
        update={
            "bandwidth_gb_s": plain.bandwidth_gb_s / times,
            "link_gb_s": plain.link_gb_s / times,
            "tflops": {each: rate / times for each, rate in plain.tflops.items()},
        }
    )
    rate = estimate(load).tokens_per_second.likely
    longer = replace(load, input_tokens=prompt * times)
    for worse in (
        replace(load, output_tokens=answer * times),
        replace(load, gpu=slower),
    ):
        found = estimate(worse).tokens_per_second.likely * answer / worse.output_tokens
        assert found <= rate * (1 + 1e-3)
    assert estimate(longer).tokens_per_second.likely <= rate * (1 + ROUNDING)


@given(model, gpu, tokens, tokens, users, factor)
@settings(max_examples=80, deadline=None)
def test_longer_prompts_never_help_any_way_of_running(
    name: str, on: str, prompt: float, answer: float, batch: float, times: float
) -> None:
    """Everything queued, one batch to its end, arrivals at a rate, within a TPOT."""
    load = asked(name, on, input_tokens=prompt, output_tokens=answer)
    tpot = {"tpot_limit_ms": 60.0}
    for way in (
        replace(load, scenario="offline"),
        replace(load, scenario="static", concurrency=batch),
        replace(load, scenario="capacity", **tpot),
        replace(load, rps=batch / 100),
    ):
        short, long = estimate(way), estimate(replace(way, input_tokens=prompt * times))
        few, many = short.tokens_per_second.likely, long.tokens_per_second.likely
        assert many <= few * (1 + ROUNDING)
        if way.scenario == "static" or way.rps:
            assert short.ttft_ms <= long.ttft_ms * (1 + ROUNDING)


@given(model, gpu, tokens, tokens, users, factor)
@settings(max_examples=80, deadline=None)
def test_longer_answers_never_carry_more_requests_any_way_of_running(
    name: str, on: str, prompt: float, answer: float, batch: float, times: float
) -> None:
    """Everything queued, one batch to its end, arrivals at a rate, within a TPOT."""
    load = asked(name, on, input_tokens=prompt, output_tokens=answer)
    for way in (
        replace(load, scenario="offline"),
        replace(load, scenario="static", concurrency=batch),
        replace(load, scenario="capacity", tpot_limit_ms=60.0),
        replace(load, rps=batch / 100),
    ):
        long = replace(way, output_tokens=answer * times)
        few = estimate(long).tokens_per_second.likely / long.output_tokens
        many = estimate(way).tokens_per_second.likely / answer
        assert few <= many * (1 + ROUNDING)


def ways_off(request: ServingRequest, times: float) -> list[ServingRequest]:
    """Return what a measured request becomes with more work or less of a GPU."""
    plain = request.gpu
    slower = plain.model_copy(
        update={
            "bandwidth_gb_s": plain.bandwidth_gb_s / times,
            "tflops": {each: rate / times for each, rate in plain.tflops.items()},
        }
    )
    return [
        replace(request, input_tokens=request.input_tokens * times),
        replace(request, output_tokens=request.output_tokens * times),
        replace(request, gpu=slower),
    ]


def test_from_a_measurement_outwards_more_work_is_never_quicker() -> None:
    """Step by step across the anchors' edge: lengths, GPU speed, load.

    Single batches are corrected one by one, not along a curve of loads, so that a
    neighbour that comes nearer may move them by a little more.
    """
    checked = 0
    for case in cases()[::EVERY]:
        request = replace(case.request, tail=None)
        room = 1.1 if request.scenario == "static" else 1 + ROUNDING
        base = estimate(request)
        least = [base.tokens_per_second.likely / request.output_tokens] * 3
        for times in STEPS:
            for number, worse in enumerate(ways_off(request, times)):
                found = estimate(worse)
                if found.fits:
                    rate = found.tokens_per_second.likely / worse.output_tokens
                    assert rate <= least[number] * room, (worse, times)
                    least[number] = min(rate, least[number])
                    checked += 1
        loads = [request, *more_loaded(request)]
        for less, more in itertools.pairwise(map(estimate, loads)):
            assert less.tpot_ms <= more.tpot_ms * room
            assert less.ttft_ms <= more.ttft_ms * room
            rate = more.tokens_per_second.likely
            assert less.tokens_per_second.likely <= rate * room
            checked += 1
    assert checked > 3000


def more_loaded(request: ServingRequest) -> list[ServingRequest]:
    """Return a request with more clients, or a higher rate; none if all are queued."""
    if request.concurrency:
        return [replace(request, concurrency=request.concurrency * t) for t in STEPS]
    return [replace(request, rps=request.rps * t) for t in STEPS if request.rps]


def test_one_measurement_moves_the_others_little() -> None:
    """Without one row the estimate nearby stays: no single row decides."""
    moved = []
    for case in cases()[::EVERY]:
        near = replace(case.request, output_tokens=case.request.output_tokens * 1.3)
        if near.concurrency:
            near = replace(near, concurrency=near.concurrency * 1.3)
        with_it = estimate(near).tokens_per_second.likely
        alone = estimate(near, None, without_row(case)).tokens_per_second.likely
        moved.append(abs(math.log(with_it / alone)))
    assert len(moved) > 150
    assert statistics.median(moved) <= 0.02
    assert sorted(moved)[int(0.9 * len(moved))] <= 0.12


def test_far_from_every_measurement_the_estimate_is_the_physics() -> None:
    """A model on a GPU that nobody measured is served by the same code."""
    load = asked("gemma-3-27b", "l40s", concurrency=16.0)
    found, plain = estimate(load), unanchored(load)
    assert (0, None, None) == (
        found.evidence.anchors, found.evidence.nearest, found.evidence.distance,
    )  # fmt: skip
    assert "not measured: from hardware data only" == found.evidence.words
    ratio = found.tokens_per_second.likely / plain.tokens_per_second.likely
    assert abs(math.log(ratio)) < 0.25


def test_a_full_batch_lies_beside_itself_however_many_it_holds() -> None:
    """Everything queued, on one replica or several: only its age sets it apart."""
    scale = serving_constants().anchor
    checked: set[tuple[bool, bool]] = set()
    for case in cases():
        if case.series.regime == "saturated" and case.point.tokens_per_second:
            found = estimate(case.request)
            far = max(scale.age, scale.age_of_default) * 3
            if found.fits:
                assert found.evidence.distance is not None, case.series
                assert found.evidence.distance <= far, case.series
                checked.add((found.max_batch > 1000, case.series.gpus > case.series.tp))
    assert len(checked) == 4


def test_evidence_names_the_nearest_measurement() -> None:
    """On a measured configuration the distance is nearly nothing, the range narrow."""
    case = next(c for c in cases() if c.series.source == "inferencex")
    found = estimate(case.request).evidence
    assert found.anchors >= 1
    assert found.nearest is not None
    assert found.nearest.split(":")[1] == case.series.model
    assert found.distance is not None
    assert found.distance < 0.3
    assert found.words.startswith("based on ")
    assert "InferenceX" in found.words


def test_the_range_narrows_with_evidence() -> None:
    """Without the measurements of its model on its GPU, a row's range is wider."""
    wider = []
    for case in cases()[::EVERY]:
        near = estimate(case.request).tokens_per_second
        far = estimate(case.request, None, without(system, case)).tokens_per_second
        wider.append((far.high / far.low) / (near.high / near.low))
    assert statistics.median(wider) > 1.15


def test_every_measurement_has_a_source_and_a_month() -> None:
    """Known model, known GPU, a source with its address, and when it was."""
    for series in shipped():
        assert series.model in KNOWN.models
        assert series.gpu in KNOWN.gpus
        assert sources()[series.source]["url"].startswith("https://")
        assert series.date[:2] == "20"
        assert series.points


def test_shipped_residuals_are_those_of_the_physics_that_ships() -> None:
    """Where this fails: `python -m tests.bench.build_measurements --again`."""
    for series in list(shipped())[::EVERY]:
        again = estimated(series)
        for shipped_one, fresh in zip(series.points, again.points, strict=True):
            assert same(shipped_one, fresh), f"stale: {series.id(shipped_one)}"
    assert TARGET.stat().st_size < 1_000_000


def same(one: Point, other: Point) -> bool:
    """Whether two points have the same residuals, as far as the file rounds them."""
    pairs = ((one.ttft, other.ttft), (one.tpot, other.tpot))
    return all(
        (a is None) == (b is None) and abs((a or 0.0) - (b or 0.0)) < 2e-3
        for a, b in pairs
    )


def test_a_series_without_points_is_no_series() -> None:
    """Leaving every point out leaves no anchor behind that still weighs."""
    case = cases()[0]

    def none_of_it(series: Series) -> Series | None:
        return replace(series, points=())

    found = estimate(case.request, None, none_of_it)
    plain = unanchored(case.request)
    assert found.tokens_per_second.likely == plain.tokens_per_second.likely

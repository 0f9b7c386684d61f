"""Throughput and latency of a served model: rooflines, invariants, known figures."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.estimate.evidence import Measurement, matching, measurements
from core.estimate.formats import compute_rate, precisions_for
from core.estimate.parallel import Layout, layouts, stated_layout
from core.estimate.serving import ServingRequest, by_regime, estimate
from core.estimate.steps import usual_replica
from core.hardware import GpuSpec
from core.reference.load import reference
from core.reference.serving import serving_constants
from core.units import Precision
from tests.bench.ratios import timed
from tests.core.market import model
from tests.each import each

KNOWN = reference()
REGIMES = ("single_stream", "interactive", "saturated")
GPUS = ["h100-80gb-sxm", "h200-sxm", "b200", "a100-80gb-sxm", "mi300x"]


def gpu(name: str) -> GpuSpec:
    """Return a GPU of the reference."""
    return KNOWN.gpus[name]


def request(
    name: str = "llama-3.3-70b",
    on: str = "h100-80gb-sxm",
    gpus: int = 4,
    weights: Precision = "fp8",
    **load: object,
) -> ServingRequest:
    """Return a request for chat-like lengths."""
    base = ServingRequest(model(name), gpu(on), gpus, weights, 1000, 500)
    return replace(base, **load)  # type: ignore[arg-type]


@each(
    [
        ("llama-3.1-8b", "h100-80gb-sxm", 1, "bf16"),
        ("llama-3.3-70b", "h100-80gb-sxm", 2, "fp8"),
        ("llama-3.3-70b", "h200-sxm", 1, "fp8"),
        ("llama-3.1-8b", "a100-80gb-sxm", 1, "bf16"),
    ]
)
def test_one_stream_is_bound_by_bandwidth(
    name: str, on: str, tp: int, weights: Precision
) -> None:
    """A single stream decodes at 45–80 % of weights over memory bandwidth."""
    found = estimate(request(name, on, tp, weights, concurrency=1.0))
    bytes_per_weight = 1 if weights == "fp8" else 2
    weights_gb = model(name).params_b * bytes_per_weight
    floor_ms = weights_gb / tp / gpu(on).bandwidth_gb_s * 1e3
    assert 0.45 <= floor_ms / found.tpot_ms <= 0.85
    assert "single_stream" == found.regime


@given(
    st.sampled_from(GPUS),
    st.sampled_from(["llama-3.3-70b", "qwen3-235b-a22b", "gpt-oss-120b"]),
    st.floats(1, 400),
    st.floats(1, 4),
)
@settings(max_examples=60)
def test_more_users_never_get_faster_answers(
    on: str, name: str, users: float, times: float
) -> None:
    """More requests in flight never lower TPOT or TTFT of one of them."""
    few = estimate(request(name, on, 8, concurrency=users))
    many = estimate(request(name, on, 8, concurrency=users * times))
    assert few.tpot_ms <= many.tpot_ms * (1 + 1e-9)
    assert few.ttft_ms <= many.ttft_ms * (1 + 1e-9)


@given(st.sampled_from(GPUS), st.floats(1.0, 3.0), st.sampled_from([1.0, 32.0, 256.0]))
@settings(max_examples=40)
def test_a_faster_gpu_is_never_slower(on: str, factor: float, users: float) -> None:
    """The same card with more bandwidth, compute and link yields no less."""
    plain = gpu(on)
    faster = plain.model_copy(
        update={
            "bandwidth_gb_s": plain.bandwidth_gb_s * factor,
            "tflops": {name: rate * factor for name, rate in plain.tflops.items()},
            "link_gb_s": plain.link_gb_s * factor,
        }
    )
    base = request(on=on, concurrency=users)
    slow = estimate(base).tokens_per_second.likely
    fast = estimate(replace(base, gpu=faster)).tokens_per_second.likely
    assert slow <= fast * (1 + 1e-9)


@given(st.floats(10, 20_000), st.floats(2, 4_000), st.sampled_from(GPUS))
@settings(max_examples=40)
def test_range_holds_the_likely_figure(prompt: float, answer: float, on: str) -> None:
    """Low ≤ likely ≤ high, p95 is no better than the middle, every figure is finite."""
    found = estimate(request(on=on, input_tokens=prompt, output_tokens=answer))
    rate = found.tokens_per_second
    assert 0 < rate.low <= rate.likely <= rate.high < float("inf")
    assert found.ttft_ms <= found.ttft_p95_ms
    assert found.tpot_ms <= found.tpot_p95_ms


def test_prefix_cache_shortens_the_first_token_only() -> None:
    """A cached prompt start lowers TTFT; one stream decodes as before."""
    cold = estimate(request(concurrency=1.0, input_tokens=8000))
    warm = estimate(request(concurrency=1.0, input_tokens=8000, cache_hit_rate=0.9))
    assert warm.ttft_ms < 0.7 * cold.ttft_ms
    assert pytest.approx(cold.tpot_ms, rel=1e-4) == warm.tpot_ms


def test_int4_saves_bandwidth_and_no_compute() -> None:
    """INT4 speeds up one stream on an H100 and does not speed up a full batch."""
    lone = {p: estimate(request(weights=p, concurrency=1.0)) for p in ("bf16", "int4")}
    assert lone["int4"].tpot_ms < lone["bf16"].tpot_ms
    rate, kind = compute_rate(gpu("h100-80gb-sxm"), "int4")
    assert (989.0, "weight_only") == (round(rate), kind)


def attention_s(engine: str, name: str, sequences: int) -> float:
    """Return a decode step's attention over 8,000 cached tokens on one H100."""
    known, on = model(name), gpu("h100-80gb-sxm")
    replica = usual_replica(known, on, Layout(), "fp8", "fp8", engine)
    return replica.decode_seconds(sequences, 8000) - replica.decode_seconds(
        sequences, 0
    )


def test_a_cache_that_is_not_split_leaves_a_gpu_idle() -> None:
    """Where one block reads a head's cache, two sequences take as long as one.

    Engines that split it take twice as long for two, and less for one.
    """
    old, new = "tensorrt-static-2024", "tensorrt"
    one = attention_s(old, "llama-3.1-8b", 1)
    assert one > 5 * attention_s(new, "llama-3.1-8b", 1)
    assert pytest.approx(one, rel=0.02) == attention_s(old, "llama-3.1-8b", 2)
    assert attention_s(old, "llama-3.1-8b", 64) > 8 * one
    two = 2 * attention_s(new, "llama-3.1-8b", 1)
    assert pytest.approx(two) == attention_s(new, "llama-3.1-8b", 2)


def test_eight_query_heads_on_a_kv_head_fill_a_tile() -> None:
    """Twice the query heads on as many KV heads: tensor cores make it quicker."""
    four, eight = "llama-3.1-8b", "llama-3.3-70b"
    layers = model(eight).layers / model(four).layers
    old = "tensorrt-static-2024"
    each_layer = attention_s(old, eight, 64) / layers
    assert each_layer < attention_s(old, four, 64)


def test_regimes_are_far_apart() -> None:
    """One number cannot stand for a model on a GPU: the regimes differ over 20 ×."""
    found = by_regime(request(gpus=8, tp=4))
    rates = [found[name].likely for name in REGIMES]
    assert sorted(rates) == rates
    assert rates[-1] > 20 * rates[0]
    alone = estimate(request(gpus=4, tp=4, concurrency=1.0))
    assert pytest.approx(2 * alone.tokens_per_second.likely, rel=0.02) == rates[0]


def test_an_estimate_costs_little() -> None:
    """An eighth of a loop of plain Python, 0.4 ms, so that a question stays quick."""
    asked = request(concurrency=32.0)
    assert timed(lambda: [estimate(asked) for _ in range(16)], 40, enough=1.5) <= 2


def test_an_unmeasured_family_gets_a_wider_range() -> None:
    """A GPU nobody has measured is estimated with a wider range than an H100."""
    measured = estimate(request("llama-3.1-8b", gpus=1, weights="bf16"))
    guessed = estimate(request("llama-3.1-8b", "tpu-v6e", 4, "bf16"))
    widths = [
        found.tokens_per_second.high / found.tokens_per_second.low
        for found in (measured, guessed)
    ]
    assert widths[0] < widths[1]
    assert not serving_constants().family_of(gpu("tpu-v6e")).measured


def test_what_does_not_fit_says_so_with_the_arithmetic() -> None:
    """A 405B model on one H100 is refused with weights and room in GB."""
    found = estimate(request("llama-3.1-405b", gpus=1))
    assert not found.fits
    assert "weights" == found.binding
    assert "GB per GPU" in found.why


@each(sorted(KNOWN.gpus))
def test_every_gpu_of_the_reference_is_estimated(on: str) -> None:
    """An 8B model gets a finite estimate in every format on every card."""
    for weights in precisions_for(gpu(on)):
        found = estimate(request("llama-3.1-8b", on, 8, weights, concurrency=8.0))
        assert 0 < found.tokens_per_second.likely < 1e6
        assert 0 < found.tpot_ms < 1e6


@each(
    [
        ("a100-80gb-sxm", ("bf16", "int8", "int4")),
        ("h100-80gb-sxm", ("bf16", "fp8", "int4")),
        ("b200", ("bf16", "fp8", "fp4", "int4")),
        ("mi355x", ("bf16", "fp8", "fp4", "int4")),
        ("b300", ("bf16", "fp8", "fp4", "int4")),
        ("t4", ("fp16", "int8", "int4")),
        ("v100-sxm2-32gb", ("fp16", "int4")),
    ]
)
def test_formats_follow_the_hardware(on: str, expected: tuple[Precision, ...]) -> None:
    """FP8 where it is native, FP4 on Blackwell and MI355X only, INT4 anywhere."""
    assert expected == precisions_for(gpu(on))


@each(
    [
        ("llama-3.3-70b", 8, {"tp": 4}, (Layout(4), 2)),
        ("llama-3.3-70b", 8, {}, (Layout(8), 1)),
        ("llama-3.3-70b", 8, {"tp": 2, "pp": 4}, (Layout(2, 4), 1)),
        # The stated degree is a product with the expert-parallel one.
        ("deepseek-r1", 8, {"tp": 64, "ep": 8}, (Layout(8, 1, 1, True), 1)),
        # Attention copied on every GPU, experts spread.
        ("deepseek-r1", 8, {"tp": 1, "ep": 8}, (Layout(1, 1, 8, True), 1)),
        ("minimax-m2.5", 4, {"tp": 1, "dp": 4, "ep": 4}, (Layout(1, 1, 4, True), 1)),
        # More experts' shares than GPUs, all of which the tensors take already.
        ("minimax-m2.5", 4, {"tp": 4, "dp": 4, "ep": 16}, (Layout(4, 1, 1, True), 1)),
        ("llama-3.1-8b", 4, {"tp": 1, "dp": 4}, (Layout(1), 4)),
    ]
)
def test_stated_sizes_are_read_as_benchmarks_mean_them(
    name: str, gpus: int, sizes: dict[str, int], expected: tuple[Layout, int]
) -> None:
    """Parallel sizes become one replica's shape and the number of replicas."""
    assert expected == stated_layout(model(name), gpus, **sizes)


def test_layouts_stay_within_a_node_until_they_must_leave_it() -> None:
    """One to eight GPUs by tensor parallelism, then whole nodes in stages."""
    sizes = [shape.gpus for shape in layouts(model("llama-3.3-70b"), gpu("b200"))]
    assert [1, 2, 4, 8, 16, 32] == sizes


def anchors() -> list[Measurement]:
    """Return published offline figures at 1000/1000, one a model, GPU and count."""
    return [
        found
        for found in measurements()
        if found.concurrency is None
        and (found.input_tokens, found.output_tokens) == (1000, 1000)
    ]


def test_published_throughput_is_met_within_its_range() -> None:
    """Four in five published 1000/1000 offline figures lie between low and high."""
    inside = []
    for found in anchors():
        asked = ServingRequest(
            model(found.model), gpu(found.gpu), found.gpus, weights_of(found),
            found.input_tokens, found.output_tokens, tp=found.tp,
            scenario="offline", framework=found.engine,
        )  # fmt: skip
        rate = estimate(asked).tokens_per_second
        inside.append(rate.low <= found.tokens_per_second <= rate.high)
    assert len(inside) >= 20
    assert sum(inside) >= 0.8 * len(inside)


def weights_of(found: Measurement) -> Precision:
    """Return the weight format of a measurement."""
    formats: dict[str, Precision] = {p: p for p in ("bf16", "fp8", "fp4", "int4")}
    return formats[found.weights]


def test_a_matching_measurement_is_cited() -> None:
    """The same model, GPU, count and near lengths find a figure with its source."""
    found = matching(model("llama-3.3-70b"), "h200-sxm", 1, "fp8", 1100, 900)
    assert found is not None
    assert found.url.startswith("https://")
    assert found.date >= "2024"
    assert 2000 < found.tokens_per_second_per_gpu < 4000


@each([("h200-sxm", 3, 1000), ("t4", 1, 1000), ("b200", 1, 9e5)])
def test_no_measurement_is_bent_to_fit(on: str, gpus: int, prompt: float) -> None:
    """Another count, GPU or length finds nothing rather than something near."""
    asked = (model("llama-3.3-70b"), on, gpus, "fp8", prompt, 1000.0)
    assert matching(*asked) is None


def test_shipped_measurements_name_what_the_reference_knows() -> None:
    """Every cited figure is of a known model and GPU, with a source and a date."""
    for found in measurements():
        assert KNOWN.model(found.model) is not None
        assert found.gpu in KNOWN.gpus
        assert found.url.startswith("https://")
        assert found.date[:2] == "20"

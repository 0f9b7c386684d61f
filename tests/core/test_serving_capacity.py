"""What one replica carries within latency limits, and the replicas a load needs."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.estimate.capacity import ReplicaCapacity, capacity, replicas_for
from core.estimate.limits import at_percentile
from core.estimate.queueing import one_server_wait_s, queue_wait_s
from core.estimate.slices import mig_slices
from core.estimate.speculation import Speculation
from core.reference.load import reference
from core.units import Precision
from core.workload import LatencyTargets

KNOWN = reference()
MODEL = KNOWN.models["llama-3.3-70b"]
H100 = KNOWN.gpus["h100-80gb-sxm"]


def carried(
    gpus: int = 4,
    weights: Precision = "fp8",
    targets: LatencyTargets | None = None,
    **more: object,
) -> ReplicaCapacity:
    """Return what H100s carry of chat traffic: 500 tokens in, 200 out."""
    return capacity(MODEL, H100, gpus, weights, None, 500, 200, targets, **more)  # type: ignore[arg-type]


def test_the_flagship_question_needs_a_sensible_fleet() -> None:
    """70B FP8 at 50 requests/s of 500/200 takes between 4 and 24 H100s."""
    chat = carried(2, targets=LatencyTargets(ttft_ms=2000, tpot_ms=50))
    size = replicas_for(50, chat)
    assert chat.met
    assert 4 <= size * chat.gpus <= 24


@given(st.floats(20, 200), st.floats(1, 3))
@settings(max_examples=50)
def test_a_looser_limit_never_carries_less(tpot: float, times: float) -> None:
    """A looser TPOT limit never lowers the batch or the rate."""
    tight = carried(targets=LatencyTargets(tpot_ms=tpot))
    loose = carried(targets=LatencyTargets(tpot_ms=tpot * times))
    assert tight.batch <= loose.batch
    assert tight.requests_per_second.likely <= loose.requests_per_second.likely


@given(st.floats(15, 120), st.sampled_from(["p50", "p90", "p95", "p99"]))
@settings(max_examples=50)
def test_the_limit_holds_where_it_binds(tpot: float, percentile: str) -> None:
    """The batch found meets the limit; one request more breaks it."""
    limits = LatencyTargets.model_validate({"tpot_ms": tpot, "percentile": percentile})
    found = carried(targets=limits)
    if found.met and found.batch < found.room:
        assert "tpot" == found.binding
        if percentile == "p95":
            assert found.tpot_p95_ms <= tpot * (1 + 1e-9)
            assert found.tpot_p95_ms > 0.8 * tpot


def test_an_impossible_limit_returns_the_best_there_is() -> None:
    """TPOT of 1 ms is not met: rate 0, and the latency of one request alone."""
    found = carried(targets=LatencyTargets(tpot_ms=1))
    assert (False, True, 0) == (found.met, found.fits, found.batch)
    assert 0 == found.requests_per_second.likely
    assert 5 < found.tpot_ms < 40
    assert "one request alone" in found.why
    with pytest.raises(ValueError, match="no target"):
        replicas_for(1, found)


def test_what_does_not_fit_carries_nothing() -> None:
    """BF16 on one H100: not a single request, bound by weights."""
    found = carried(1, "bf16")
    assert (False, False, "weights") == (found.fits, found.met, found.binding)
    assert "141.1 GB for weights alone and has 76.5 GB to use" in found.why


def test_a_stricter_percentile_carries_less() -> None:
    """The same limit at p99 leaves room for fewer requests than at p50."""
    half = carried(targets=LatencyTargets(tpot_ms=30, percentile="p50"))
    strict = carried(targets=LatencyTargets(tpot_ms=30, percentile="p99"))
    assert strict.batch < half.batch


def test_percentiles_are_those_of_a_lognormal() -> None:
    """The median is 1, p95 is itself, p99 lies beyond by the normal quantiles."""
    assert 1 == at_percentile(1.63, "p50")
    assert pytest.approx(1.63) == at_percentile(1.63, "p95")
    assert pytest.approx(1.63 ** (2.3263 / 1.6449)) == at_percentile(1.63, "p99")


def erlang_c_wait_s(load: float, servers: int, service_s: float) -> float:
    """Return the exact mean wait of M/M/c."""
    offered = load * servers
    last = offered**servers / math.factorial(servers) / (1 - load)
    rest = sum(offered**k / math.factorial(k) for k in range(servers))
    return last / (rest + last) * service_s / (servers * (1 - load))


@pytest.mark.parametrize("servers", [1, 2, 8, 40])
@pytest.mark.parametrize("load", [0.5, 0.8, 0.95])
def test_wait_is_near_erlang_c(load: float, servers: int) -> None:
    """Sakasegawa's closed form is within 15 %, or 1.5 % of a service time, of M/M/c."""
    exact = erlang_c_wait_s(load, servers, 1.0)
    tolerance = max(0.15 * exact, 0.015)
    assert pytest.approx(exact, abs=tolerance) == queue_wait_s(load, servers, 1.0)


def test_wait_at_full_load_is_endless() -> None:
    """A queue at utilisation 1 never empties; an idle one keeps nobody waiting."""
    assert math.inf == queue_wait_s(1.0, 4, 1.0) == one_server_wait_s(1.0, 1.0)
    assert 0 == queue_wait_s(0.0, 4, 1.0) == one_server_wait_s(0.0, 1.0)


@given(st.floats(0.1, 8000))
@settings(max_examples=60)
def test_a_fleet_has_headroom(rps: float) -> None:
    """No fleet runs above 90 % of its slots, nor is one replica fewer allowed to."""
    chat = carried()
    size, each = replicas_for(rps, chat), chat.requests_per_second.likely

    def wait_ms(replicas: int) -> float:
        load = rps / (each * replicas)
        return 1e3 * queue_wait_s(load, replicas * chat.batch, chat.batch / each)

    assert rps / (each * size) <= 0.9 + 1e-9
    assert wait_ms(size) <= 0.1 * chat.ttft_ms
    fewer = size - 1
    assert not fewer or rps / (each * fewer) > 0.9 or wait_ms(fewer) > chat.e2e_ms


def test_littles_law_holds() -> None:
    """Requests in flight are the rate times the time each spends in the replica."""
    chat = carried(targets=LatencyTargets(tpot_ms=40))
    in_flight = chat.requests_per_second.likely * chat.e2e_ms / 1e3
    assert pytest.approx(chat.batch, rel=0.15) == in_flight


def test_expected_tokens_of_a_checked_draft() -> None:
    """One drafted token that stands with 0.85 yields 1.85 tokens a step."""
    assert pytest.approx(1.85) == Speculation(1, 0.85, 0.05).tokens_per_step
    assert 4 == Speculation(3, 1.0, 0.05).tokens_per_step
    assert pytest.approx(1) == Speculation(3, 0.0, 0.05).tokens_per_step


def test_speculation_speeds_up_decoding_and_not_the_first_token() -> None:
    """TPOT of a small batch falls; TTFT does not improve by prefill."""
    limits = LatencyTargets(tpot_ms=14, percentile="p50")
    before = carried(8, targets=limits)
    after = carried(8, targets=limits, speculation=Speculation(1, 0.82, 0.1))
    assert after.requests_per_second.likely > 1.1 * before.requests_per_second.likely
    assert after.ttft_ms > 0.9 * before.ttft_ms


def test_disaggregation_saves_nothing_where_no_latency_binds() -> None:
    """Without a TPOT limit the pools together carry what one replica carried.

    Measurements correct each at its own load, which the pools reach with fewer.
    """
    before, apart = carried(), carried(disaggregated=True)
    rates = [each.requests_per_second.likely for each in (before, apart)]
    assert rates[1] <= 1.08 * rates[0]


def test_disaggregation_pays_where_prompts_interrupt_answers() -> None:
    """Long prompts under a tight TPOT: apart, the same GPUs carry more."""
    limits = LatencyTargets(tpot_ms=25)
    rates = [
        capacity(MODEL, H100, 4, "fp8", None, 4000, 200, limits, disaggregated=apart)
        .requests_per_second.likely
        for apart in (False, True)
    ]  # fmt: skip
    assert rates[1] > 1.1 * rates[0] > 0


def test_prefix_caching_saves_prefill() -> None:
    """Half the prompt cached carries more requests where prompts are long."""
    long = capacity(MODEL, H100, 4, "fp8", None, 8000, 100)
    hit = capacity(MODEL, H100, 4, "fp8", None, 8000, 100, cache_hit_rate=0.5)
    assert hit.requests_per_second.likely > 1.2 * long.requests_per_second.likely


def test_mig_slices_share_out_one_gpu() -> None:
    """Seven-way MIG: a seventh of the compute with an eighth of the memory, no link."""
    small, _, large = mig_slices(H100)
    assert pytest.approx(10) == small.memory_gb
    assert pytest.approx(989 / 7, rel=0.01) == small.tflops["bf16"]
    assert pytest.approx(40) == large.memory_gb
    assert 0 == small.link_gb_s
    assert () == mig_slices(KNOWN.gpus["l40s"])
    eight_b = KNOWN.models["llama-3.1-8b"]
    assert not capacity(eight_b, small, 1, "bf16", None, 500, 200).fits
    assert capacity(eight_b, large, 1, "bf16", None, 500, 200).fits

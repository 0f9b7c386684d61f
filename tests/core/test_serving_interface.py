"""The JSON-lines interface: what a program writes and reads."""

import json
import math
import statistics
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.estimate.interface import estimate_line, estimate_lines
from core.estimate.serving import estimate
from core.reference.load import reference
from tests.bench.calibrate import cases, without_row

KNOWN = reference()
GOOD: dict[str, Any] = {
    "id": "a", "task": "serve", "model": "Llama-3.3-70B", "gpu": "h100-80gb-sxm",
    "num_gpus": 2, "weights": "fp8", "input_tokens": 1000.0, "output_tokens": 1000.0,
    "tp": 2, "concurrency": 16.0, "framework": "vLLM",
}  # fmt: skip
FIELDS = {
    "id", "tokens_per_second", "ttft_ms", "tpot_ms", "max_batch", "memory_gb_per_gpu",
    "binding", "fits", "why", "evidence",
}  # fmt: skip


def test_a_serving_line_is_answered_with_every_field() -> None:
    """The answer carries the request's id, a range, latencies, memory and a reason."""
    answer = estimate_line(GOOD, KNOWN)
    assert set(answer) == FIELDS
    assert "a" == answer["id"]
    rate = answer["tokens_per_second"]
    assert 0 < rate["low"] < rate["likely"] < rate["high"]
    assert answer["fits"] is True
    assert json.loads(json.dumps(answer)) == answer


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"model": "gpt-17-ultra"}, "unknown model"),
        ({"gpu": "h9000"}, "unknown gpu"),
        ({"weights": "fp7"}, "fp7"),
        ({"input_tokens": None}, "input_tokens"),
        ({"output_tokens": "many"}, "output_tokens"),
        ({"concurrency": -1}, "concurrency"),
        ({"concurrency": True}, "concurrency"),
        ({"num_gpus": 0}, "num_gpus"),
        ({"input_tokens": float("inf")}, "input_tokens"),
        ({"output_tokens": float("nan")}, "output_tokens"),
        ({"task": "dance"}, "task"),
        ({"scenario": "dream"}, "scenario"),
        ({"model": 7}, "model"),
    ],
)
def test_a_line_that_cannot_be_read_says_why(change: dict[str, Any], word: str) -> None:
    """An unreadable request returns its id and the field at fault."""
    answer = estimate_line({**GOOD, **change}, KNOWN)
    assert {"id", "error"} == set(answer)
    assert "a" == answer["id"]
    assert word in answer["error"]


@pytest.mark.parametrize("line", [None, 3, "text", [1], {}])
def test_what_is_no_request_is_an_error_too(line: object) -> None:
    """Anything but an object with the fields it needs is an error, not a crash."""
    assert "error" in estimate_line(line, KNOWN)


def test_the_stream_goes_on_after_a_bad_line() -> None:
    """A bad line between two good ones costs neither of them its answer."""
    lines = [GOOD, {"id": "b", "model": "?"}, {**GOOD, "id": "c"}]
    answers = list(estimate_lines(lines, KNOWN))
    assert ["a", "b", "c"] == [answer["id"] for answer in answers]
    assert ["fits" in answer for answer in answers] == [True, False, True]


VALUES = st.one_of(
    st.none(), st.booleans(), st.text(max_size=8), st.integers(-(10**20), 10**20),
    st.floats(), st.sampled_from(["fp8", "int4", "offline", "static", "server"]),
)  # fmt: skip


@given(st.sampled_from(sorted(GOOD)), VALUES, st.sampled_from(["tp", "rps", "kv"]))
@settings(max_examples=300)
def test_no_value_breaks_the_stream(field: str, value: object, other: str) -> None:
    """Whatever a field holds, the answer is a JSON object with finite numbers."""
    answer = estimate_line({**GOOD, field: value, other: value}, KNOWN)
    json.dumps({**answer, "id": None}, allow_nan=False)
    assert ("error" in answer) != ("tokens_per_second" in answer)


def test_a_size_stands_in_for_a_model_without_a_name() -> None:
    """An unknown name with its size is estimated as a model of that size."""
    known = estimate_line({**GOOD, "model": "our-70b", "params_b": 70}, KNOWN)
    assert "error" not in known


def test_an_unknown_name_with_a_size_is_estimated_and_said_to_be_unknown() -> None:
    """Total and active size are read from the name; the reason names the stand-in."""
    answer = estimate_line({**GOOD, "model": "Marvel-123B-A7B", "num_gpus": 8}, KNOWN)
    assert "Marvel-123B-A7B is not known" in answer["why"]
    dense = estimate_line({**GOOD, "model": "Marvel-123B", "num_gpus": 8}, KNOWN)
    assert answer["tpot_ms"] < dense["tpot_ms"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [("NVFP4", "fp4"), ("awq", "int4"), ("bfloat16", "bf16"), ("FP8", "fp8")],
)
def test_formats_are_read_as_engines_spell_them(written: str, meant: str) -> None:
    """An engine's own spelling of a format gives the same answer."""
    plain = estimate_line({**GOOD, "weights": meant, "num_gpus": 8}, KNOWN)
    assert plain == estimate_line({**GOOD, "weights": written, "num_gpus": 8}, KNOWN)


def test_scenarios_are_told_apart() -> None:
    """Offline yields most; a static batch reports its own peak memory."""
    offline = estimate_line({**GOOD, "concurrency": None, "scenario": "offline"}, KNOWN)
    static = estimate_line({**GOOD, "scenario": "static"}, KNOWN)
    live = estimate_line(GOOD, KNOWN)
    likely = [a["tokens_per_second"]["likely"] for a in (offline, live)]
    assert likely[0] > likely[1]
    assert static["memory_gb_per_gpu"] < live["memory_gb_per_gpu"]


def test_an_endless_rate_is_saturation() -> None:
    """All requests at once, written as an infinite rate, is the saturated case."""
    burst = {**GOOD, "concurrency": None, "scenario": "server", "rps": float("inf")}
    queued = {**GOOD, "concurrency": None, "scenario": "offline"}
    assert (
        estimate_line(burst, KNOWN)["tokens_per_second"]
        == estimate_line(queued, KNOWN)["tokens_per_second"]
    )


def test_a_low_rate_yields_what_arrives() -> None:
    """Far below capacity the output is the arrival rate times the answer length."""
    slow = {**GOOD, "concurrency": None, "rps": 0.05}
    rate = estimate_line(slow, KNOWN)["tokens_per_second"]["likely"]
    assert pytest.approx(0.05 * 1000, rel=0.01) == rate


def test_capacity_is_the_most_within_a_limit_on_the_mean() -> None:
    """As many clients as keep TPOT at its limit; one impossible limit carries none."""
    asked = {**GOOD, "scenario": "capacity", "tpot_limit_ms": 40.0}
    for field in ("concurrency", "rps"):
        asked.pop(field, None)
    found = estimate_line(asked, KNOWN)
    assert pytest.approx(40.0, rel=1e-3) == found["tpot_ms"]
    tighter = estimate_line({**asked, "ttft_limit_ms": found["ttft_ms"] / 2}, KNOWN)
    assert tighter["ttft_ms"] <= found["ttft_ms"] / 2 * 1.01
    rates = [each["tokens_per_second"]["likely"] for each in (tighter, found)]
    assert 0 < rates[0] < rates[1]
    none = estimate_line({**asked, "tpot_limit_ms": 0.01}, KNOWN)
    assert 0 == none["tokens_per_second"]["likely"]
    missing = estimate_line({**asked, "tpot_limit_ms": None}, KNOWN)
    assert "tpot_limit_ms" in missing["error"]


def test_capacity_meets_the_measured_rate_at_the_measured_tpot() -> None:
    """Within 14 % at the median and 4 % on the whole, with the row left out."""
    errors = []
    for case in cases()[::7]:
        measured = case.point
        if case.series.regime != "closed_loop" or not measured.tpot_ms:
            continue
        limited = replace(
            case.request, concurrency=None, scenario="capacity",
            tpot_limit_ms=measured.tpot_ms,
        )  # fmt: skip
        found = estimate(limited, None, without_row(case))
        rate, want = found.tokens_per_second.likely, measured.tokens_per_second
        if found.fits and rate and want:
            errors.append(math.log(rate / want))
    assert len(errors) > 300
    assert statistics.median(map(abs, errors)) <= 0.14
    assert abs(statistics.median(errors)) <= 0.04

"""Estimates as JSON lines: one request object in, one answer object out."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.estimate.errors import UnreadableRequestError
from core.estimate.results import Evidence, ServingEstimate
from core.estimate.serving import Scenario, ServingRequest, estimate
from core.estimate.training import estimate_request
from core.hardware import GpuSpec
from core.llm import ModelSpec
from core.patterns import regex
from core.reference.catalogue import Reference
from core.reference.serving import serving_constants
from core.units import PRECISIONS, Precision
from core.wording import say

_SCENARIOS: dict[str, Scenario] = {
    "offline": "offline",
    "server": "server",
    "static": "static",
    "capacity": "capacity",
}

_SPELLINGS: dict[str, Precision] = {
    **{name: name for name in PRECISIONS},
    "bfloat16": "bf16", "float16": "fp16", "half": "fp16", "float32": "fp32",
    "fp8_e4m3": "fp8", "e4m3": "fp8", "w8a8": "int8", "nvfp4": "fp4", "mxfp4": "fp4",
    "awq": "int4", "gptq": "int4", "w4a16": "int4",
}  # fmt: skip
_SIZE = regex(r"(?<![a-z0-9.])(\d+(?:\.\d+)?)b(?![a-z])")
_ACTIVE = regex(r"(?<![a-z0-9])a(\d+(?:\.\d+)?)b(?![a-z])")

_LARGEST = 1e12

Answer = dict[str, Any]


def estimate_lines(lines: Iterable[object], reference: Reference) -> Iterator[Answer]:
    """Answer every request in order; one that cannot be read does not end the rest."""
    return (estimate_line(line, reference) for line in lines)


def estimate_line(line: object, reference: Reference) -> Answer:
    """Answer one request; `{"id", "error"}` where it cannot be read."""
    if not isinstance(line, dict):
        return {"id": None, "error": say("interface.not_an_object")}
    try:
        return {"id": line.get("id"), **_answer(line, reference)}
    except (ValueError, TypeError, OverflowError) as error:
        return {"id": line.get("id"), "error": str(error)}


def _answer(line: Mapping[str, Any], reference: Reference) -> Answer:
    task = line.get("task", "serve")
    if task == "serve":
        asked = read_request(line, reference)
        answer = serving_answer(estimate(asked))
        note = _stand_in_note(line, asked.model, reference)
        return {**answer, "why": answer["why"] + note} if note else answer
    if task in ("train", "finetune"):
        return estimate_request(dict(line), reference)
    raise UnreadableRequestError(say("interface.unknown_task", task=repr(task)))


def read_request(line: Mapping[str, Any], reference: Reference) -> ServingRequest:
    """Read a serving request object; the error raised says what is wrong with it."""
    scenario = line.get("scenario")
    if scenario is not None and scenario not in _SCENARIOS:
        raise UnreadableRequestError(
            say("interface.unknown_scenario", scenario=repr(scenario))
        )
    rps, tpot_limit = _number(line, "rps"), _number(line, "tpot_limit_ms")
    if scenario == "capacity" and tpot_limit is None:
        raise UnreadableRequestError(say("interface.limit_missing"))
    model = _model(line, reference)
    return ServingRequest(
        model=model,
        gpu=_gpu(line, reference),
        gpus=_count(line, "num_gpus") or 1,
        weights=_precision(line, "weights") or _published_format(model),
        kv=_precision(line, "kv"),
        input_tokens=_required(line, "input_tokens"),
        output_tokens=max(_required(line, "output_tokens"), 1.0),
        tp=_count(line, "tp"),
        pp=_count(line, "pp"),
        dp=_count(line, "dp"),
        ep=_count(line, "ep"),
        concurrency=_number(line, "concurrency"),
        rps=rps,
        scenario=_SCENARIOS[scenario] if scenario else None,
        framework=_text(line, "framework"),
        ttft_limit_ms=_number(line, "ttft_limit_ms"),
        tpot_limit_ms=tpot_limit,
        tail=test_run() if scenario == "server" else None,
    )


def _published_format(model: ModelSpec) -> Precision:
    """Return the format that a model's maker publishes its weights in."""
    return _SPELLINGS.get(model.native_precision, "bf16")


def test_run() -> tuple[float, float]:
    """Return how long published tests at a request rate run: see serving.toml."""
    known = serving_constants()
    return float(known.server_run_requests), known.server_run_tail


def serving_answer(found: ServingEstimate) -> Answer:
    """Return a serving estimate as the fields of one answer line."""
    rate = found.tokens_per_second
    return {
        "tokens_per_second": {
            "low": _significant(rate.low),
            "likely": _significant(rate.likely),
            "high": _significant(rate.high),
        },
        "ttft_ms": _significant(found.ttft_ms),
        "tpot_ms": _significant(found.tpot_ms),
        "max_batch": found.max_batch,
        "memory_gb_per_gpu": _significant(found.memory_gb_per_gpu),
        "binding": found.binding,
        "fits": found.fits,
        "why": found.why,
        "evidence": _evidence(found.evidence),
    }


def _evidence(found: Evidence) -> Answer:
    """Return how many measurements an estimate rests on, and which is the nearest."""
    away = found.distance
    return {
        "anchors": found.anchors,
        "nearest": found.nearest,
        "distance": None if away is None else round(away, 3),
    }


def _significant(value: float) -> float:
    return float(f"{value:.4g}")


def _model(line: Mapping[str, Any], reference: Reference) -> ModelSpec:
    name = _text(line, "model")
    found = reference.model(name) if name else None
    if found is not None:
        return found
    params, active = _sizes(line, name or "")
    if params:
        return reference.representative(params, active)
    near = ", ".join(reference.nearest("model", name)) if name else ""
    hint = f"; near: {near}" if near else ""
    raise UnreadableRequestError(f"unknown model {name!r}{hint}")


def _sizes(line: Mapping[str, Any], name: str) -> tuple[float | None, float | None]:
    """Return total and active billions of parameters: as stated, or as named."""
    stated = _number(line, "params_b")
    if stated:
        return stated, _number(line, "active_params_b")
    total, active = _SIZE.search(name.lower()), _ACTIVE.search(name.lower())
    return (
        float(total.group(1)) if total else None,
        float(active.group(1)) if active else None,
    )


def _stand_in_note(
    line: Mapping[str, Any], model: ModelSpec, reference: Reference
) -> str:
    """Say that a model was not known by name, and what stands in for it."""
    name = _text(line, "model") or ""
    if name and reference.model(name) is not None:
        return ""
    return say("interface.read_as_another", name=name or "no model", taken=model.name)


def _gpu(line: Mapping[str, Any], reference: Reference) -> GpuSpec:
    name = _text(line, "gpu")
    found = reference.gpu(name) if name else None
    if found is None:
        raise UnreadableRequestError(say("interface.unknown_gpu", gpu=repr(name)))
    return found


def _precision(line: Mapping[str, Any], field: str) -> Precision | None:
    """Return a number format; None where it is absent or left to the engine."""
    value = _text(line, field)
    if value is None or value.lower() in ("", "auto"):
        return None
    found = _SPELLINGS.get(value.lower())
    if found is None:
        raise UnreadableRequestError(
            say("interface.unknown_format", field=field, value=repr(value))
        )
    return found


def _text(line: Mapping[str, Any], field: str) -> str | None:
    value = line.get(field)
    if value is None or isinstance(value, str):
        return value
    raise UnreadableRequestError(say("interface.not_text", field=field))


def _number(line: Mapping[str, Any], field: str) -> float | None:
    """Return a positive number, None where the field is absent or null."""
    value = line.get(field)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UnreadableRequestError(say("interface.not_a_number", field=field))
    if not value > 0:
        raise UnreadableRequestError(say("interface.above_zero", field=field))
    if value > _LARGEST and field != "rps":
        raise UnreadableRequestError(
            say("interface.out_of_reach", field=field, value=value)
        )
    return float(value)


def _count(line: Mapping[str, Any], field: str) -> int | None:
    value = _number(line, field)
    return None if value is None else max(1, round(value))


def _required(line: Mapping[str, Any], field: str) -> float:
    value = _number(line, field)
    if value is None:
        raise UnreadableRequestError(f"{field} is missing")
    return value

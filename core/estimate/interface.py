"""Estimates as JSON lines: one request object in, one answer object out."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from core.estimate.results import ServingEstimate
from core.estimate.serving import Scenario, ServingRequest, estimate
from core.hardware import GpuSpec
from core.llm import ModelSpec
from core.reference.catalogue import Reference
from core.reference.serving import serving_constants
from core.units import PRECISIONS, Precision

_TRAINING = "core.estimate.training"
_SCENARIOS: dict[str, Scenario] = {
    "offline": "offline",
    "server": "server",
    "static": "static",
}

Answer = dict[str, Any]


class UnreadableRequestError(ValueError):
    """A request line that cannot be estimated, with the reason."""


def estimate_lines(lines: Iterable[object], reference: Reference) -> Iterator[Answer]:
    """Answer every request in order; one that cannot be read does not end the rest."""
    return (estimate_line(line, reference) for line in lines)


def estimate_line(line: object, reference: Reference) -> Answer:
    """Answer one request; `{"id", "error"}` where it cannot be read."""
    if not isinstance(line, dict):
        return {"id": None, "error": "a request is a JSON object"}
    try:
        return {"id": line.get("id"), **_answer(line, reference)}
    except (ValueError, TypeError, OverflowError) as error:
        return {"id": line.get("id"), "error": str(error)}


def _answer(line: Mapping[str, Any], reference: Reference) -> Answer:
    task = line.get("task", "serve")
    if task == "serve":
        return serving_answer(estimate(read_request(line, reference)))
    if task in ("train", "finetune"):
        return _training()(line, reference)
    raise UnreadableRequestError(f"unknown task {task!r}: serve, train or finetune")


def _training() -> Callable[[Mapping[str, Any], Reference], Answer]:
    """Return the training estimator, loaded when the first such line comes."""
    if find_spec(_TRAINING) is None:
        raise UnreadableRequestError("training estimates are not part of this build")
    found: Callable[[Mapping[str, Any], Reference], Answer]
    found = import_module(_TRAINING).estimate_request
    return found


def read_request(line: Mapping[str, Any], reference: Reference) -> ServingRequest:
    """Read a serving request object; the error raised says what is wrong with it."""
    scenario = line.get("scenario")
    if scenario is not None and scenario not in _SCENARIOS:
        raise UnreadableRequestError(f"unknown scenario {scenario!r}")
    rps = _number(line, "rps")
    return ServingRequest(
        model=_model(line, reference),
        gpu=_gpu(line, reference),
        gpus=_count(line, "num_gpus") or 1,
        weights=_precision(line, "weights") or "bf16",
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
        tail=_test_run() if scenario == "server" else None,
    )


def _test_run() -> tuple[float, float]:
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
    }


def _significant(value: float) -> float:
    return float(f"{value:.4g}")


def _model(line: Mapping[str, Any], reference: Reference) -> ModelSpec:
    name = _text(line, "model")
    found = reference.model(name) if name else None
    if found is not None:
        return found
    params = _number(line, "params_b")
    if params:
        return reference.representative(params, _number(line, "active_params_b"))
    near = ", ".join(reference.nearest("model", name)) if name else ""
    hint = f"; near: {near}" if near else ""
    raise UnreadableRequestError(f"unknown model {name!r}{hint}")


def _gpu(line: Mapping[str, Any], reference: Reference) -> GpuSpec:
    name = _text(line, "gpu")
    found = reference.gpu(name) if name else None
    if found is None:
        raise UnreadableRequestError(f"unknown gpu {name!r}")
    return found


def _precision(line: Mapping[str, Any], field: str) -> Precision | None:
    value = _text(line, field)
    for known in PRECISIONS:
        if known == (value or "").lower():
            return known
    if value is None:
        return None
    raise UnreadableRequestError(f"unknown {field} format {value!r}")


def _text(line: Mapping[str, Any], field: str) -> str | None:
    value = line.get(field)
    if value is None or isinstance(value, str):
        return value
    raise UnreadableRequestError(f"{field} is not text")


def _number(line: Mapping[str, Any], field: str) -> float | None:
    """Return a positive number, None where the field is absent or null."""
    value = line.get(field)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UnreadableRequestError(f"{field} is not a number")
    if not value > 0:
        raise UnreadableRequestError(f"{field} must be above zero")
    return float(value)


def _count(line: Mapping[str, Any], field: str) -> int | None:
    value = _number(line, field)
    return None if value is None else max(1, round(value))


def _required(line: Mapping[str, Any], field: str) -> float:
    value = _number(line, field)
    if value is None:
        raise UnreadableRequestError(f"{field} is missing")
    return value

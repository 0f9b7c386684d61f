"""The one door from a question to a workload."""

from core.defaults import Defaults
from core.frozen import Frozen
from core.llm import ModelSpec
from core.query import Kind, Query, Unknown
from core.reference.catalogue import Reference
from core.resolve.constraints import beyond_every_gpu
from core.resolve.gaps import Gaps
from core.resolve.jobs import resolve_batch, resolve_finetune, resolve_training
from core.resolve.media import is_media, resolve_media, untrained_media
from core.resolve.model import resolve_model
from core.resolve.serving import resolve_serving
from core.wording import significant
from core.workload import Resolved, WorkloadSpec


class Unresolved(Frozen):
    """Why there is no workload yet, what was unknown, and what to ask for."""

    reason: str
    unknown: tuple[Unknown, ...] = ()


def resolve(
    query: Query, reference: Reference, defaults: Defaults
) -> Resolved | Unresolved:
    """Fill a question's gaps; refuse where a name is unknown or no model is meant."""
    problem = _impossible(query) or _unknown_names(query, reference)
    if problem is None and (why := beyond_every_gpu(query, reference)):
        problem = Unresolved(reason=why)
    if problem is not None:
        return problem
    gaps = Gaps(query, defaults)
    if is_media(query, reference):
        if why := untrained_media(query):
            return Unresolved(reason=why)
        return _resolved(gaps, resolve_media(gaps, reference))
    model = resolve_model(gaps, reference)
    if model is None:
        return Unresolved(
            reason="No model was named: which one, or how many parameters?"
        )
    return _resolved(gaps, _workload(gaps, model, reference))


def _resolved(gaps: Gaps, spec: WorkloadSpec) -> Resolved:
    return Resolved(
        spec=spec, assumptions=tuple(gaps.assumptions), notes=tuple(gaps.notes)
    )


def _workload(gaps: Gaps, model: ModelSpec, reference: Reference) -> WorkloadSpec:
    match work_kind(gaps.query):
        case "batch":
            return resolve_batch(gaps, model, reference)
        case "finetune":
            return resolve_finetune(gaps, model, reference)
        case "training":
            return resolve_training(gaps, model, reference)
        case _:
            return resolve_serving(gaps, model, reference)


def work_kind(query: Query) -> Kind:
    """The stated kind, or the one that the stated numbers entail."""
    if query.kind is not None and query.kind != "mixed":
        return query.kind
    tuning = (query.method, query.epochs, query.dataset_samples, query.lora_rank)
    if any(value is not None for value in tuning):
        return "finetune"
    if query.dataset_tokens is not None:
        return "training"
    if query.requests_total is not None or query.tokens_total is not None:
        return "batch"
    return "inference"


def _unknown_names(query: Query, reference: Reference) -> Unresolved | None:
    """Names that no table knows: said with the nearest, never taken."""
    unknown = list(query.unknown)
    named = query.model if query.modality is None and not query.params_b else None
    if named and reference.model(named) is None:
        nearest = reference.nearest("model", named)
        unknown.append(Unknown(kind="model", text=named, nearest=nearest))
    for slug in query.gpu or ():
        if not reference.gpus_named(slug):
            nearest = reference.nearest("gpu", slug)
            unknown.append(Unknown(kind="gpu", text=slug, nearest=nearest))
    for name in (*(query.provider or ()), *(query.provider_exclude or ())):
        if reference.provider(name) is None:
            nearest = reference.nearest("provider", name)
            unknown.append(Unknown(kind="provider", text=name, nearest=nearest))
    if not unknown:
        return None
    names = ", ".join(f"“{entry.text}”" for entry in unknown)
    return Unresolved(reason=f"I don't know {names}.", unknown=tuple(unknown))


POSITIVE = {
    "params_b": (1e-3, 1e5, "billion parameters"),
    "rps": (1e-9, 1e7, "requests per second"),
    "peak_rps": (1e-9, 1e7, "requests per second"),
    "concurrency": (1e-9, 1e8, "requests in flight"),
    "users": (1e-9, 1e10, "users"),
    "requests_per_day": (1e-9, 1e12, "requests per day"),
    "requests_per_month": (1e-9, 1e14, "requests per month"),
    "tokens_per_second": (1e-9, 1e10, "tokens per second"),
    "input_tokens": (1, 1e7, "prompt tokens"),
    "output_tokens": (1, 1e6, "answer tokens"),
    "context": (1, 1e8, "tokens of context"),
    "count": (1, 1e6, "GPUs"),
    "epochs": (1e-3, 1e4, "epochs"),
    "dataset_tokens": (1, 1e17, "training tokens"),
    "budget_amount": (1e-9, 1e12, "of budget"),
    "hours_per_day": (1e-9, 24, "hours a day"),
    "days_per_week": (1e-9, 7, "days a week"),
    "utilization": (1e-9, 1, "utilisation, a share of one"),
    "cache_hit_rate": (0, 1, "cache hits, a share of one"),
    "input_share": (0, 1, "prompt in all tokens, a share of one"),
    "requests_total": (1e-9, 1e15, "requests"),
    "tokens_total": (1e-9, 1e18, "tokens"),
    "dataset_samples": (1, 1e13, "samples"),
    "deadline_hours": (1e-3, 1e6, "hours until it must end"),
    "duration_hours": (1e-3, 1e6, "hours of rent"),
    "term_months": (1e-2, 1200, "months of a term"),
    "ttft_ms": (1e-9, 1e8, "ms to the first token"),
    "tpot_ms": (1e-9, 1e7, "ms per token"),
}


def _bounds(low: float, high: float) -> str:
    if low < 1e-6:
        return f"I take more than 0, up to {significant(high)}"
    return f"I take {low:,g} to {significant(high)}"


def _impossible(query: Query) -> Unresolved | None:
    """A stated number outside what the field can mean."""
    for field, (low, high, meaning) in POSITIVE.items():
        value = getattr(query, field)
        if value is not None and not low <= value <= high:
            return Unresolved(
                reason=f"{value:,g} {meaning} cannot be meant: {_bounds(low, high)}."
            )
    return None

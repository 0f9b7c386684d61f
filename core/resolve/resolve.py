"""The one door from a question to a workload."""

from msgspec.structs import asdict

from core.defaults import Defaults
from core.frozen import Frozen
from core.llm import ModelSpec
from core.query import ABOUT, Kind, Query, Unknown
from core.reference.catalogue import Reference
from core.reference.places import said
from core.resolve.constraints import (
    beyond_every_gpu,
    days_of_use,
    homes,
    office_week,
    places_meant,
    places_stated,
)
from core.resolve.gaps import Gaps
from core.resolve.jobs import resolve_batch, resolve_finetune, resolve_training
from core.resolve.media import is_media, resolve_media, untrained_media
from core.resolve.model import resolve_model, with_usual_size
from core.resolve.serving import resolve_serving
from core.wording import say
from core.workload import Resolved, WorkloadSpec


class Unresolved(Frozen, frozen=True):
    """Why there is no workload yet, what was unknown, and what to ask for."""

    reason: str
    unknown: tuple[Unknown, ...] = ()
    field: str = ""
    """The one whose number cannot be; empty: something else is wrong."""


def resolve(
    query: Query, reference: Reference, defaults: Defaults
) -> Resolved | Unresolved:
    """Fill a question's gaps; refuse where a name is unknown or no model is meant."""
    named, query = query.model, with_usual_size(query, reference)
    problem = impossible(query) or _unknown_names(query, reference)
    if problem is None and (why := beyond_every_gpu(query, reference)):
        problem = Unresolved(reason=why)
    if problem is not None:
        return problem
    gaps = _gaps(query, defaults)
    if query.model != named and (meant := reference.model(query.model or "")):
        gaps.notes.append(
            say("assumptions.no_size_named", named=named or "", name=meant.name)
        )
    if is_media(query, reference):
        if why := untrained_media(query):
            return Unresolved(reason=why)
        return _resolved(gaps, resolve_media(gaps, reference))
    model = resolve_model(gaps, reference)
    if model is None:
        return Unresolved(reason=say("assumptions.which_model"))
    return _resolved(gaps, _workload(gaps, model, reference))


def _gaps(query: Query, defaults: Defaults) -> Gaps:
    """The notebook of a question; an office is closed at the weekend."""
    week = office_week(query)
    if week is None:
        return Gaps(query, defaults)
    days = days_of_use(query)
    gaps = Gaps(query.model_copy(update={"days_per_week": days}), defaults)
    gaps.assumptions.append(week)
    return gaps


def _resolved(gaps: Gaps, spec: WorkloadSpec) -> Resolved:
    _assume_place(gaps)
    return Resolved(
        spec=spec, assumptions=tuple(gaps.assumptions), notes=tuple(gaps.notes)
    )


def _assume_place(gaps: Gaps) -> None:
    """Say how far from its users a service may stand, where nobody says where it is."""
    stated, meant = places_stated(gaps.query), places_meant(gaps.query)
    if stated != meant:
        where = say("assumptions.near_users", places=said(meant))
        why = say("assumptions.place_of_users", places=said(homes(gaps.query)))
        gaps.assume("region", where, why, say("assumptions.hosted"))


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
    piles = (
        query.requests_total, query.tokens_total, query.words_total,
        query.requests_per_day, query.requests_per_month, query.dataset_samples,
        query.tokens_per_day, query.tokens_per_month,
    )  # fmt: skip
    if query.kind == "batch" and query.rps and not any(piles):
        return "inference"  # what keeps coming is no pile, though nobody waits for it
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
    return Unresolved(
        reason=say("assumptions.don_know", names=names), unknown=tuple(unknown)
    )


def impossible(query: Query) -> Unresolved | None:
    """A stated number outside what its field can mean."""
    values = asdict(query)
    for field, told in ABOUT.items():
        value = values[field]
        if value is None or told.bounds is None or isinstance(value, bool | tuple):
            continue
        low, high = told.bounds
        positive = low == 0 and told.unit not in MAY_BE_NONE
        if low <= value <= high and not (positive and value == 0):
            continue
        least = (
            say("assumptions.above")
            if positive
            else say("assumptions.at_least", low=low)
        )
        name = told.label[:1].upper() + told.label[1:]
        if told.unit == "share":
            return Unresolved(
                field=field,
                reason=say(
                    "assumptions.must_be_between",
                    name=name,
                    low=low,
                    high=high,
                    value=value,
                ),
            )
        unit = f" {told.unit}" if told.unit not in ("currency", "share", "") else ""
        return Unresolved(
            field=field,
            reason=say(
                "assumptions.out_of_bounds",
                name=name,
                least=least,
                high=high,
                unit=unit,
                value=value,
            ),
        )
    return None


MAY_BE_NONE = ("share", "share/month", "replicas", "images", "words", "hours")
"""Units in which nothing at all may be stated."""

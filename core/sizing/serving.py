"""Serving: generate fleets, price them, rank by what a month costs, explain."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from types import MappingProxyType

from msgspec.structs import replace

from core.answers.answer import Lever, Rejection, Role
from core.estimate.evidence import Measurement, matching, nearest
from core.hardware import GpuSpec
from core.market.hours import paid_hours, paid_per_used
from core.market.market import Market, Use, contract_note, market_of, place_note
from core.market.pricing import cheapest_at
from core.market.recommendation import (
    FleetPick,
    FleetPlan,
    KeptBy,
    Nearest,
    Option,
    Recommendation,
    Status,
)
from core.market.spending import PER_MILLION, Ceiling, ceiling, converted
from core.offers import Catalog, Offer
from core.reference.catalogue import Reference
from core.sizing.advice import Case, advised
from core.sizing.commitment import base_note, whole_term
from core.sizing.fleet import Planned, plan_gpu
from core.sizing.levers import cheapest_reserved, serving_levers
from core.sizing.nearest import TARGETS, nearest_yes
from core.sizing.patience import assumed_targets, looser, missed
from core.sizing.picks import far_cloud, picks_of, starred_role
from core.wording import say
from core.workload import Constraints, InferenceSpec, Resolved

MODEST_GPUS = 16
"""Up to so many GPUs an assumed limit is kept, and what it costs is said."""
TWICE_AS_LONG = 2
"""The steps of patience that a saving is worth: up to twice the usual wait."""
LONG_PROMPT = 30_000
"""Tokens from which on readers wait anyway, and one step more is worth a look."""


def recommend_serving(
    resolved: Resolved,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Recommendation:
    """The fleets that meet the targets: the starred one, then the others by price.

    Where only a latency limit that nobody stated stands in the way, or makes a large
    fleet twice as dear, it gives way step by step, and the answer says what is slow and
    what would keep it. A small fleet keeps it, beside what half the money would do.
    """
    found = _recommended(resolved, spec, catalog, reference, now)
    thinner = _thinner(found, resolved, spec, catalog, reference, now)
    if thinner is not None:
        return thinner
    if found.status == "over_budget":
        return _kept_with_patience(found, resolved, spec, catalog, reference, now)
    strict = best = found.options[0] if found.options else None
    if best is not None and best.gpus <= MODEST_GPUS:
        patient = _patient(best, resolved, spec, catalog, reference, now)
        found = replace(found, patient=patient)
        return _against_others(found, spec, catalog, reference, now)
    slow_alone = spec.constraints.count and not _carry_less(found)
    for step, patient_ in enumerate(looser(resolved, spec)):
        only_so = strict is None and spec.constraints.gpus
        if best is not None and step >= TWICE_AS_LONG and not only_so:
            break
        if not isinstance(patient_.spec, InferenceSpec):
            continue
        again = _recommended(patient_, patient_.spec, catalog, reference, now)
        if again.options and (best is None or _halves(again.options[0], best)):
            best = again.options[0]
            slow = _slow(spec, best, strict, reference)
            found = replace(again, notes=(*slow, *again.notes), late=bool(slow))
            if best.gpus <= MODEST_GPUS:
                break
        elif best is None and slow_alone and _carry_less(again):
            found = replace(again, late=True)
    return _against_others(found, spec, catalog, reference, now)


def _thinner(
    found: Recommendation,
    resolved: Resolved,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Recommendation | None:
    """What counted GPUs do in 4 bits, where they do nothing else; None: no more."""
    thin = None if found.options else _in_four_bits(resolved, spec)
    if thin is None:
        return None
    again = recommend_serving(*thin, catalog, reference, now)
    if again.options:
        return replace(again, notes=(say("advice.four_bits"), *again.notes))
    return again if _carry_less(again) and not _carry_less(found) else None


def _carry_less(found: Recommendation) -> bool:
    """Whether counted GPUs hold the model, and carry less than was asked for."""
    return any(one.rule == "count" for one in found.rejections)


def _in_four_bits(
    resolved: Resolved, spec: InferenceSpec
) -> tuple[Resolved, InferenceSpec] | None:
    """The same with 4-bit weights, where GPUs are counted and no format is stated."""
    limits = spec.constraints
    if not (limits.gpus and limits.count) or spec.precisions:
        return None
    if "int4" in spec.precisions_excluded:
        return None
    thin = spec.model_copy(update={"precisions": ("int4",)})
    kept = tuple(one for one in resolved.assumptions if one.field != "precision")
    return resolved.model_copy(update={"spec": thin, "assumptions": kept}), thin


def _patient(
    best: Option,
    resolved: Resolved,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Option | None:
    """The fleet for half the price, if assumed limits were up to twice as long.

    What twice as long does not halve, nothing shorter does; nor is anything worth a
    look that would need other GPUs than those that lead, if half of them can be rented.
    """
    patience = TWICE_AS_LONG + (spec.input_tokens >= LONG_PROMPT)
    patience = 0 if spec.waits_on else patience
    whole = 1 < best.gpus <= best.offer.gpu_count
    found: Option | None = None
    for later in reversed(list(islice(looser(resolved, spec), patience))):
        if not isinstance(later.spec, InferenceSpec):
            continue
        half = best.usd_per_month / 2
        if found is None and not whole:
            same = _star(_only(later.spec, best), catalog, reference, now, below=half)
            if same is None or not _halves(same, best):
                break
        other = _star(later.spec, catalog, reference, now, below=half)
        if other is None or not _halves(other, best):
            break
        found = other
    return found


def _only(spec: InferenceSpec, best: Option) -> InferenceSpec:
    """The same load on the GPUs that lead."""
    limits = spec.constraints.model_copy(update={"gpus": (best.plan.gpu.id,)})
    return spec.model_copy(update={"constraints": limits})


def _slow(
    spec: InferenceSpec, best: Option, strict: Option | None, reference: Reference
) -> tuple[str, ...]:
    """What is slower than usual, and the fleet that would not be; nothing: none is."""
    slow = missed(spec.targets, best.plan.capacity)
    if not slow or strict is None:
        return (slow,) if slow else ()
    seller = reference.provider(strict.offer.provider)
    kept = say(
        "advice.within_the_usual",
        gpus=strict.gpus,
        short=strict.plan.gpu.short,
        provider=seller.name if seller else strict.offer.provider,
        usd_per_month=strict.usd_per_month,
    )
    return (slow + kept,)


def _kept_with_patience(
    found: Recommendation,
    resolved: Resolved,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Recommendation:
    """What keeps the budget once limits that nobody stated give way, if any does."""
    for patient in looser(resolved, spec):
        if not isinstance(patient.spec, InferenceSpec):
            continue
        again = _recommended(patient, patient.spec, catalog, reference, now)
        if again.status == "ok" and again.options:
            best = again.options[0]
            strict = found.options[0] if found.options else None
            slow = _slow(spec, best, strict, reference)
            return replace(again, notes=(*slow, *again.notes), late=bool(slow))
    return _against_others(found, spec, catalog, reference, now)


def _against_others(
    found: Recommendation,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Recommendation:
    """A crowd of the GPUs that were named, with what others would do for half of it."""
    limits = spec.constraints
    if not found.options or not limits.gpus or found.options[0].gpus < MODEST_GPUS:
        return found
    free = spec.model_copy(
        update={"constraints": limits.model_copy(update={"gpus": ()})}
    )
    other = _star(free, catalog, reference, now)
    if other is None or not _halves(other, found.options[0]):
        return found
    return replace(found, instead=other)


def _star(
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
    *,
    below: Decimal | None = None,
) -> Option | None:
    """The fleet that would be starred within the budget; None: there is none.

    `below`: of those alone of which one GPU costs no more a month.
    """
    market = _market(spec, catalog, reference, now)
    planned = (
        plan_all(spec, reference, market)
        if below is None
        else _planned(spec, tuple(_within(below, spec, market, reference)))
    )
    options = rank(priced(spec, planned, market, reference))
    options, _, _ = within_budget(spec, options, now)
    options, _ = starred_first(options, picks_of(spec, options), starred_role(spec))
    return options[0] if options else None


def _within(
    usd: Decimal, spec: InferenceSpec, market: Market, reference: Reference
) -> Iterable[GpuSpec]:
    """The GPUs of which one costs no more a month."""
    limits = spec.constraints
    for gpu in limits.gpus or tuple(market.by_gpu):
        offer = next(iter(market.boxes(gpu)), None)
        if offer and offer.usd_per_gpu_hour * paid_hours(offer, limits) <= usd:
            yield reference.gpus[gpu]


def _halves(patient: Option, strict: Option) -> bool:
    """Whether waiting a little longer saves half of the bill."""
    return 2 * patient.usd_per_month <= strict.usd_per_month


def _recommended(
    resolved: Resolved,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Recommendation:
    market = _market(spec, catalog, reference, now)
    planned = plan_all(spec, reference, market)
    options = rank(priced(spec, planned, market, reference))
    options, over, broke = within_budget(spec, options, now)
    rejections = [*over, *_gpu_rejections(planned, reference), *market.rejections()]
    picks, role = picks_of(spec, options), starred_role(spec)
    options, role = starred_first(options, picks, role)
    best = options[0] if options else None
    plain = _on_demand(spec, best, catalog, reference, now)
    found = Recommendation(
        resolved=resolved,
        options=tuple(options),
        fleet_picks=picks,
        term_loses=plain if _loses(best, plain) else None,
        at_home=_at_home(spec, best, catalog, reference, now),
        starred=role,
        worth_checking=_worth_checking(spec, planned, market, best, reference),
        rejections=tuple(rejections),
        levers=_levers(resolved, spec, best, catalog, reference, now),
        evidence=_evidence(spec, best) if best else None,
        nearest=None if best else _nearest(resolved, spec, catalog, reference, now),
        unpriced=_unpriced(spec, planned, options, reference),
        notes=(
            *converted(spec.constraints.budget or spec.constraints.per_million, now),
            *(contract_note(best.gpus) if best else ()),
            *place_note(
                spec.constraints,
                best.offer if best else None,
                [option.offer for option in options],
                reference,
            ),
            *(whole_term(best.offer, best.usd_per_month) if best else ()),
            *base_note(spec, best, _term(spec, best, catalog, reference, now)),
        ),
        status=_status(options, broke, planned),
    )
    found = replace(found, kept_by=_kept_by(found, spec.constraints, now))
    said = advised(Case(found, spec, catalog, reference, now))
    return replace(said, notes=(*said.notes, *far_cloud(picks, reference, spec.places)))


OF_SERVING = ("quantise-first", "prefix-caching")
"""Levers that serve the same requests on the same GPUs."""


def _kept_by(
    found: Recommendation, limits: Constraints, now: datetime
) -> KeptBy | None:
    """The mildest change of serving with which all limits of money are kept."""
    most, token = ceiling(limits.budget, now), ceiling(limits.per_million, now)
    if found.status != "over_budget" or most is None:
        return None
    best = found.options[0]
    paid = paid_per_used(best.offer, limits)
    for lever in reversed(found.levers):
        if lever.rule not in OF_SERVING or not lever.usd_difference:
            continue
        usd = best.usd_per_month + lever.usd_difference
        part = usd / best.usd_per_month
        if token is not None and best.usd_per_million_output_tokens * part > token.usd:
            continue
        if most.allows(best.usd_per_hour * part, limits, paid_per_used=paid):
            return KeptBy(lever, usd)
    return None


def starred_first(
    options: Sequence[Option], picks: Sequence[FleetPick], role: Role
) -> tuple[list[Option], Role]:
    """The starred pick before the others; the best price where it is missing."""
    found = {pick.role: pick.option for pick in picks}
    if found[role] is None:
        role = "best_price"
    best = found[role]
    if best is None:
        return list(options), role
    return [best, *(option for option in options if option is not best)], role


def _loses(committed: Option | None, plain: Option | None) -> bool:
    """Whether the commitment that was asked for costs more than none."""
    if committed is None or plain is None:
        return False
    return plain.usd_per_month < committed.usd_per_month


def _at_home(
    spec: InferenceSpec,
    best: Option | None,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Decimal | None:
    """A month of the same GPUs on demand at the seller of the term."""
    if best is None or best.offer.pricing != "reserved":
        return None
    limits = spec.constraints.model_copy(
        update={
            "pricing": ("on_demand",),
            "term_months": None,
            "providers": (best.offer.provider,),
            "gpus": (best.offer.gpu,),
        }
    )
    looser = spec.model_copy(update={"constraints": limits})
    sold = _market(looser, catalog, reference, now).boxes(best.offer.gpu)
    same = [one for one in sold if one.gpu_count == best.offer.gpu_count] or sold
    if not same:
        return None
    return same[0].usd_per_gpu_hour * best.gpus * paid_hours(same[0], limits)


def _levers(
    resolved: Resolved,
    spec: InferenceSpec,
    best: Option | None,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> tuple[Lever, ...]:
    """What would save; a stated limit on the wait for answers bears no cold start."""
    if best is None:
        return ()
    waits = {"ttft_ms": spec.targets.ttft_ms, "e2e_ms": spec.targets.e2e_ms}
    assumed = assumed_targets(resolved)
    prompt = any(ms and name not in assumed for name, ms in waits.items())
    return serving_levers(spec, best, catalog, reference, now, prompt, assumed)


def _worth_checking(
    spec: InferenceSpec,
    planned: Mapping[str, Planned],
    market: Market,
    best: Option | None,
    reference: Reference,
) -> tuple[Option, ...]:
    """What would be cheaper than the star, if it could be ordered as listed."""
    if best is None or best.doubt:
        return ()
    plans = {
        gpu: planned.get(gpu) or plan_gpu(spec, reference.gpus[gpu])
        for gpu in market.apart
    }
    found = rank(priced(spec, plans, market, reference, True, best.usd_per_month))
    return tuple(one for one in found if one.usd_per_month < best.usd_per_month)


def _market(
    spec: InferenceSpec, catalog: Catalog, reference: Reference, now: datetime
) -> Market:
    placed = spec.places_shape if spec.places > 1 else None
    use = Use(spec.constraints, live=True, now=now, placed=placed)
    return market_of(catalog, use, reference)


def _on_demand(
    spec: InferenceSpec,
    best: Option | None,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Option | None:
    """The cheapest fleet without the commitment that was asked for."""
    limits = spec.constraints
    if best is None or limits.pricing != ("reserved",):
        return None
    changed: dict[str, object] = {"pricing": ("on_demand",), "term_months": None}
    plain = limits.model_copy(update=changed)
    looser = spec.model_copy(update={"constraints": plain})
    market = _market(looser, catalog, reference, now)
    planned = plan_all(looser, reference, market)
    options = priced(looser, planned, market, reference)
    return min(options, key=option_order, default=None)


def _term(
    spec: InferenceSpec,
    best: Option | None,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Offer | None:
    if best is None or "reserved" not in spec.constraints.pricing:
        return None
    return cheapest_reserved(spec, best, catalog, reference, now)


def _nearest(
    resolved: Resolved,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Nearest | None:
    def best(looser: InferenceSpec) -> Option | None:
        market = _market(looser, catalog, reference, now)
        planned = plan_all(looser, reference, market)
        options = priced(looser, planned, market, reference)
        return min(options, key=option_order, default=None)

    named = {assumption.field for assumption in resolved.assumptions}
    return nearest_yes(spec, best, frozenset(TARGETS) & named)


def plan_all(
    spec: InferenceSpec, reference: Reference, market: Market
) -> Mapping[str, Planned]:
    """Plan every GPU that an offer passed for, or that was asked for by name."""
    wanted = spec.constraints.gpus or tuple(market.by_gpu)
    return _planned(spec, tuple(reference.gpus[gpu] for gpu in wanted))


@lru_cache(maxsize=64)
def _planned(spec: InferenceSpec, gpus: tuple[GpuSpec, ...]) -> Mapping[str, Planned]:
    return MappingProxyType({gpu.id: plan_gpu(spec, gpu) for gpu in gpus})


def priced(
    spec: InferenceSpec,
    planned: Mapping[str, Planned],
    market: Market,
    reference: Reference,
    apart: bool = False,
    below: Decimal | None = None,
) -> Iterable[Option]:
    """Every fleet at every machine; `below`: those only that may cost less a month.

    What costs more than another of its kind, at the fewest GPUs or at its own, is never
    the best one.
    """
    limits = spec.constraints
    cheapest: dict[tuple[object, ...], Decimal] = {}
    for gpu, found in planned.items():
        fewest = min((plan.gpus for plan in found.plans), default=0)
        for offer in market.boxes(gpu, apart) if fewest else ():
            least = offer.usd_per_gpu_hour * fewest * paid_hours(offer, limits)
            if below is not None and least >= below:
                continue
            kind = (gpu, offer.provider, offer.pricing, offer.negotiated, offer.doubt)
            most = cheapest.get(kind)
            if most is not None and least > most:
                continue
            option = cheapest_at(spec, found.plans, offer, reference, most)
            if option is not None:
                cheapest[kind] = option.usd_per_month
                yield option


def rank(options: Iterable[Option]) -> list[Option]:
    """The best option of each provider and GPU; cheapest per month first.

    A team's own price stands beside the list price that it was negotiated from.
    """
    best: dict[tuple[str, str, str, bool], tuple[tuple[object, ...], Option]] = {}
    for option in options:
        offer = option.offer
        key = (offer.provider, option.plan.gpu.id, offer.pricing, offer.negotiated)
        place, kept = option_order(option), best.get(key)
        if kept is None or place < kept[0]:
            best[key] = place, option
    return [option for _, option in sorted(best.values(), key=itemgetter(0))]


def option_order(option: Option) -> tuple[object, ...]:
    """What can be ordered first; then the cheapest month, fewer GPUs, fresher, name."""
    return (
        bool(option.doubt),
        option.usd_per_month,
        option.gpus,
        -option.offer.observed_at.timestamp(),
        option.offer.provider,
        option.offer.gpu,
        option.offer.region,
    )


def within_budget(
    spec: InferenceSpec, options: list[Option], now: datetime
) -> tuple[list[Option], list[Rejection], bool]:
    """Split off what costs more than may be spent; where all does, keep it to show.

    Returned with the reasons, and whether nothing keeps within the limits.
    """
    limits = spec.constraints
    most, token = ceiling(limits.budget, now), ceiling(limits.per_million, now)
    over: list[Rejection] = []
    kept = options
    if most is not None:
        kept = [one for one in options if affordable(one, most, limits)]
        over += _costlier(
            options, kept, say("rejections.over_the_budget", words=most.words)
        )
    if token is not None:
        within = [o for o in kept if o.usd_per_million_output_tokens <= token.usd]
        over += _costlier(
            kept,
            within,
            say("rejections.over", words=token.words, per_million=PER_MILLION),
        )
        kept = within
    return kept or options, over, bool(options) and not kept


def _costlier(
    options: Sequence[Option], kept: Sequence[Option], why: str
) -> list[Rejection]:
    number = len(options) - len(kept)
    subject = say("rejections.fleet", number=number)
    return [Rejection(subject, "budget", why, number)] if number else []


def affordable(option: Option, most: Ceiling, limits: Constraints) -> bool:
    """Whether a fleet keeps within a budget, the paid hours of a term counted."""
    paid = paid_per_used(option.offer, limits)
    return most.allows(option.usd_per_hour, limits, paid_per_used=paid)


def _gpu_rejections(
    planned: Mapping[str, Planned], reference: Reference
) -> list[Rejection]:
    """Why each GPU does not do, the one that comes nearest first: the quickest."""
    quickest = sorted(planned, key=lambda gpu: -reference.gpus[gpu].bandwidth_gb_s)
    found = (planned[gpu].rejection for gpu in quickest)
    return [rejection for rejection in found if rejection]


def _evidence(spec: InferenceSpec, best: Option) -> Measurement | None:
    """The published measurement closest to the winner's replica."""
    plan = best.plan
    batch = plan.capacity.batch
    lengths = spec.input_tokens, spec.output_tokens
    return matching(
        spec.model, plan.gpu.id, plan.replica_gpus, plan.weights, *lengths, batch
    ) or nearest(spec.model, plan.gpu.id, plan.weights, *lengths, batch)


def _unpriced(
    spec: InferenceSpec,
    planned: Mapping[str, Planned],
    options: list[Option],
    reference: Reference,
) -> tuple[FleetPlan, ...]:
    """Fleets of GPUs that were asked for and would do, but that nobody sells so."""
    sold = {option.plan.gpu.id for option in options}
    return tuple(
        min(found.plans, key=lambda plan: plan.gpus)
        for gpu, found in planned.items()
        if found.plans and gpu not in sold
    )


def _status(
    options: list[Option], broke: bool, planned: Mapping[str, Planned]
) -> Status:
    if options:
        return "over_budget" if broke else "ok"
    carried = any(found.plans for found in planned.values())
    return "unpriced" if carried else "nothing_fits"

"""A sizing answer: verdict, why and how sure, offers, levers, small print."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime

from bot.answers.shared.figures import (
    age,
    at_seller,
    chips,
    gpu_name,
    money,
    monthly,
    number,
    price_sources,
    pricing_words,
    provider_name,
    sla_words,
)
from bot.answers.shared.left_out import counted
from bot.answers.shared.page import Page
from bot.answers.shared.workload import asks_if_more, asks_openly
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.estimate.capacity import HIGHEST_UTILISATION
from core.estimate.evidence import Measurement
from core.estimate.results import Binding
from core.market.hours import paid_hours, paid_per_used
from core.market.recommendation import FleetPlan, Option, Recommendation
from core.market.spending import ceiling
from core.money.costs import exact
from core.query import Query
from core.reference.catalogue import Reference
from core.reference.places import lies_in, said
from core.resolve.serving import describe_load
from core.sizing.advice import MOSTLY_IDLE
from core.sizing.fleet import wants_fp8_cache
from core.sizing.patience import late
from core.sizing.serving import affordable
from core.wording import count, dollars, significant
from core.workload import InferenceSpec

COLUMNS = (
    "Offer",
    "GPUs",
    "$/GPU-h",
    "$/h",
    "$/month",
    "$/1M out",
    "SLA",
    say("sizing.price_age"),
)

SHOWN = 7
SHORT_ANSWER = 20
"""Output tokens up to which people count requests: a class, a score, a yes or no."""
CHECKED = 3
"""Cheaper offers that cannot be ordered as listed, shown for a look."""
LISTED = 25
"""Rows that a surface may page through; what costs more is counted."""
GPU_REASONS = {
    "fits": say("sizing.too_small"),
    "count": say("sizing.too_few"),
    "latency": say("sizing.too_slow"),
    "pcie-tensor-parallel": say("sizing.without_a_fast_link"),
    "aged-architecture": say("sizing.too_old_for_current"),
}
OFFER_REASONS = {
    "gpu": say("sizing.other_or_unclear_gpus"),
    "provider": say("sizing.other_providers"),
    "pricing": say("sizing.other_pricing"),
    "region": "elsewhere",
    "sla": say("sizing.without_the_sla"),
    "compliance": say("sizing.without_the_certificate"),
    "infiniband": say("shared.without_a_fast_network"),
    "commitment": "reserved terms",
    "spot-live": "spot",
    "serverless-apart": "serverless",
    "community-live": say("sizing.community_hosts"),
    "tier": say("sizing.of_a_kind_ruled"),
    "seller": say("sizing.of_sellers_ruled_out"),
    "consumer-card": say("sizing.of_consumer_cards"),
    "stale-price": say("sizing.too_old_to_use"),
    "fresh-first": say("sizing.not_updated_lately"),
}

PURPOSES = {
    "weights": say("sizing.hold_the_model"),
    "kv_cache": say("sizing.hold_all_requests"),
    "throughput": say("sizing.keep_up"),
    "ttft": say("sizing.start_in_time"),
    "tpot": say("sizing.answer_fast_enough"),
}
"""What it takes so many GPUs for; "none" of these: there is room to spare."""

NO_MORE: dict[Binding, str] = {
    "weights": say("sizing.no_room_beside_the_model"),
    "throughput": say("sizing.writes_no_more"),
    "none": say("sizing.room_to_spare"),
    "tpot": say("sizing.more_would_be_slower"),
    "ttft": say("sizing.more_would_wait_longer"),
    "kv_cache": say("sizing.no_room_for_more"),
}
"""Why given hardware serves no more."""


def sizing_view(found: Recommendation, page: Page) -> AnswerView:
    """The five parts of a serving answer."""
    best = found.options[0]
    spec = _serving(found)
    instead, patient = _cheaper_fleet(found, spec, page.reference)
    return page.answer(
        verdict=_asked(found, spec)
        or "".join(
            (
                _added(best, page.question.query),
                _dearer_term(found, page.reference),
                instead,
                _within_budget(best, spec, page),
                _verdict(best, spec, page.reference),
                _off_the_hour(found),
                _nearly_full(best, found),
                patient,
            )
        ),
        why=_said(found, spec, best, page.reference),
        table=_table(found, page.reference, page.now),
        levers=tuple(monthly(lever) for lever in found.levers),
        chips=chips(found.resolved.assumptions),
        notes=(
            *_part_time(best, spec, page.question.query),
            *found.notes,
            *found.resolved.notes,
        ),
        small_print=_small_print(best, found, spec, page),
    )


def _dearer_term(found: Recommendation, reference: Reference) -> str:
    """What costs less by the hour than the term that was asked for; else empty."""
    plain = found.term_loses
    if plain is None:
        return ""
    return say(
        "sizing.term_loses",
        gpus=plain.gpus,
        gpu_name=gpu_name(plain.plan.gpu),
        seller=provider_name(plain.offer.provider, reference),
        usd=plain.usd_per_month,
    )


def _off_the_hour(found: Recommendation) -> str:
    """What a term saves at its own seller, where it is dearer than another's hour."""
    own, term = found.at_home, found.options[0].usd_per_month
    if found.term_loses is None or own is None or own <= term:
        return ""
    return say("sizing.term_at_home", usd=own, off=1 - term / own)


NEARLY_FULL = 0.05
"""Of a GPU's memory, left beside the model, below which longer prompts may not fit."""


def _nearly_full(best: Option, found: Recommendation) -> str:
    """How little the model leaves for requests, where nobody said how long they are."""
    memory = best.plan.capacity.memory
    free, have = memory.free_for_kv_gb, memory.available_gb
    guessed = any(one.field == "input_tokens" for one in found.resolved.assumptions)
    if not guessed or free >= NEARLY_FULL * have:
        return ""
    return say("sizing.nearly_full", free=free, have=have)


def _part_time(best: Option, spec: InferenceSpec, query: Query) -> Iterator[str]:
    """What half of the fleet saves outside of the hours in which most of it comes."""
    quiet, replicas = query.quiet_hours, best.plan.replicas
    if not quiet or spec.constraints.owned or best.offer.term_months:
        return
    if replicas < LEAST_TO_HALVE:
        days = (query.days_per_week or 7) / 7
        on = best.usd_per_month * exact((24 - quiet) / 24 * days)
        yield say("sizing.one_is_not_halved", quiet=quiet, usd=on)
        return
    off = replicas // 2 * best.plan.gpus // replicas
    saves = best.usd_per_month * exact(off / best.plan.gpus * quiet / 24)
    yield say(
        "sizing.half_off",
        off=off,
        gpus=best.plan.gpus,
        quiet=quiet,
        usd=best.usd_per_month - saves,
        saves=saves,
        left=best.plan.gpus - off,
    )


LEAST_TO_HALVE = 2
"""Replicas of which one may be turned off."""


def _added(best: Option, query: Query) -> str:
    """How many more than today it takes, by what each of those carries."""
    today, each = query.count_today, query.measured_rps
    if not today or not each or best.plan.gpus <= today:
        return ""
    return say(
        "sizing.add",
        more=best.plan.gpus - today,
        gpu_name=gpu_name(best.plan.gpu),
        today=today,
        rate=each * today,
        each=each,
    )


def _asked(found: Recommendation, spec: InferenceSpec) -> str:
    """What the techniques that were asked about do; empty: none was."""
    told = [monthly(lever) for lever in found.levers[: len(spec.techniques)]]
    return ". ".join(
        f"{one.text}, {one.difference}" if one.difference else one.text for one in told
    )


def _said(
    found: Recommendation, spec: InferenceSpec, best: Option, reference: Reference
) -> str:
    """The reasons; where a technique is asked about, what the fleet is first."""
    why = _why(found, spec, best)
    if not spec.techniques:
        return why
    verdict = _verdict(best, spec, reference)
    told = found.levers[: len(spec.techniques)]
    if all(lever.usd_difference is None for lever in told):
        return say("sizing.as_it_stands", verdict=verdict, why=why)
    return say("sizing.without_it", verdict=verdict, why=why)


def _serving(found: Recommendation) -> InferenceSpec:
    spec = found.resolved.spec
    if not isinstance(spec, InferenceSpec):
        raise TypeError(f"a sizing view draws serving answers, not {spec.kind}")
    return spec


def _verdict(best: Option, spec: InferenceSpec, reference: Reference) -> str:
    """The rental and its bill; per token only where the GPUs have work to do.

    A bill of some hours holds only where the GPUs are given back between.
    """
    limits = spec.constraints
    used, whole = paid_hours(best.offer, limits), exact(limits.hours_per_month)
    fleet = _fleet(best, spec, reference)
    usd = best.usd_per_month
    if used < whole and not limits.owned:
        return say(
            "sizing.verdict_of_some_hours",
            fleet=fleet,
            usd_per_month=usd,
            hours=float(used),
            always=best.usd_per_hour * whole,
        )
    if best.plan.busy < MOSTLY_IDLE:
        return say(
            "sizing.verdict_of_idle_gpus",
            fleet=fleet,
            usd_per_month=usd,
            busy=best.plan.busy,
        )
    per_million = best.usd_per_million_output_tokens
    if spec.output_tokens <= SHORT_ANSWER:
        return say(
            "sizing.verdict_of_short_answers",
            fleet=fleet,
            usd_per_month=usd,
            usd_per_thousand=per_million * exact(spec.output_tokens) / 1000,
        )
    return say(
        "sizing.verdict",
        fleet=fleet,
        usd_per_month=usd,
        usd_per_million_output_tokens=per_million,
    )


def _fleet(best: Option, spec: InferenceSpec, reference: Reference) -> str:
    """What is rented, where, and how, on the terms that were asked for."""
    return say(
        "sizing.fleet",
        gpus=best.gpus,
        gpu_name=gpu_name(best.plan.gpu),
        at_seller=at_seller(best.offer, reference),
        machines=_machines(best),
        terms=_terms(best, spec),
        standby=_standby(best, spec),
    )


def _terms(best: Option, spec: InferenceSpec) -> str:
    """The place and the way to pay, where the question cares."""
    limits, offer, place = spec.constraints, best.offer, ""
    if limits.regions:
        here = [one for one in limits.regions if lies_in(offer.region, one)]
        place = say("sizing.in_place", place=said(here or limits.regions))
    elif limits.regions_excluded:
        place = say("sizing.outside_place", place=said(limits.regions_excluded))
    by_hour = offer.pricing == "on_demand" and "on_demand" in limits.pricing
    return place + (say("sizing.on_demand") if by_hour else "")


def _cheaper_fleet(
    found: Recommendation, spec: InferenceSpec, reference: Reference
) -> tuple[str, str]:
    """What stands before and behind the fleet: other GPUs that cost half of it.

    Before: those named are a crowd. Behind: an assumed limit is a little longer.
    """
    other = found.instead or found.patient
    if other is None:
        return "", ""
    fleet = say(
        "sizing.cheaper_fleet",
        gpus=other.gpus,
        gpu_name=gpu_name(other.plan.gpu),
        at_seller=at_seller(other.offer, reference),
        usd_per_month=other.usd_per_month,
    )
    if other is found.instead:
        pace = say("sizing.at_the_usual_pace") if found.late else ""
        return say("sizing.instead", pace=pace, fleet=fleet), ""
    longer = late(spec.targets, other.plan.capacity)
    return "", say("sizing.patient", fleet=fleet, late=longer)


def _why(found: Recommendation, spec: InferenceSpec, best: Option) -> str:
    plan, evidence = best.plan, best.plan.capacity.evidence
    load = _load(found, spec)
    if own := plan.capacity.measured:
        return say(
            "sizing.why_measured",
            load=load,
            name=spec.model.name,
            weights=plan.weights.upper(),
            rate=own,
            full=HIGHEST_UTILISATION,
        )
    words = evidence.words
    anchored = words[0].upper() + words[1:]
    return say(
        "sizing.why",
        load=load,
        name=spec.model.name,
        weights=_format(plan, spec),
        decided=_decided(best, spec, found.late),
        gpus_range=_gpus_range(best),
        estimate=anchored
        if evidence.measured
        else say("sizing.estimate_not_measured", words=words),
    )


def _format(plan: FleetPlan, spec: InferenceSpec) -> str:
    """The weights' format, and that the cache has it too where room hangs on that."""
    weights = plan.weights.upper()
    if wants_fp8_cache(spec, plan):
        return say("sizing.with_fp8_cache", weights=weights)
    return weights


def _load(found: Recommendation, spec: InferenceSpec) -> str:
    """The traffic that the fleet is sized for, and each one's pace if it is stated."""
    assumed = {one.field for one in found.resolved.assumptions}
    pace = None if "concurrency" in assumed else spec.targets.tpot_ms
    said = describe_load(spec.load, pace)
    peak = _has_a_peak(found, spec)
    return say("sizing.at_the_peak", load=said) if peak else said


def _has_a_peak(found: Recommendation, spec: InferenceSpec) -> bool:
    """Whether the rate is the peak of an average that was told, not itself told."""
    if spec.load.concurrency is not None or spec.load.average_share == 1:
        return False
    return not any(one.field == "utilization" for one in found.resolved.assumptions)


ALONE = 0.8
"""How busy one server less may be and still carry the load, so that the last one
stands by for a failure."""


def _machines(best: Option) -> str:
    """The machine type by which a hyperscaler's GPUs are ordered: "2 × p5.48xlarge"."""
    name, size = best.offer.instance, best.machine_gpus
    if best.seller_kind != "hyperscaler" or not name or not size:
        return ""
    return say("sizing.machines", machines=best.gpus // size, name=name)


def _standby(best: Option, spec: InferenceSpec) -> str:
    """That one server is there for failures alone; empty: the load needs them all."""
    servers = best.plan.replicas
    if not 1 < servers <= spec.least_replicas:
        return ""
    alone = best.plan.busy * servers / (servers - 1)
    return say("sizing.one_stands_by") if alone < ALONE else ""


def _decided(best: Option, spec: InferenceSpec, late: bool) -> str:
    """What it takes so many GPUs for; of a machine that is rented whole, how many.

    `late`: it is slower than usual, which the notes say.
    """
    plan, gpus = best.plan, best.gpus
    if plan.capacity.binding == "none":
        return say("sizing.room_to_spare")
    if _standby(best, spec):
        return say(
            "sizing.stands_by", servers=plan.replicas - 1, replicas=plan.replicas
        )
    purpose = PURPOSES[plan.capacity.binding]
    if late and plan.capacity.binding == "tpot":
        purpose = say("sizing.write_a_token", ms=plan.capacity.tpot_limited_ms)
    if plan.gpus < gpus and (best.machine_gpus or 1) > 1:
        return say(
            "sizing.it_takes_whole_machines",
            needed=plan.gpus,
            machine=best.machine_gpus,
            purpose=purpose,
        )
    if plan.gpus < gpus:
        return say("sizing.it_takes_some", needed=plan.gpus, gpus=gpus, purpose=purpose)
    return say("sizing.it_takes", gpus=gpus, purpose=purpose)


def limited_by(binding: Binding) -> str:
    """What keeps hardware from serving more, as a sentence without its stop."""
    return NO_MORE[binding]


def _sized_as(best: Option, spec: InferenceSpec) -> str:
    """How the GPUs are grouped, and what they reach at the peak."""
    return say(
        "sizing.sized_to_target",
        replicas=_replicas(best),
        rate=_rate(spec.output_tokens_per_second),
        latency=best.plan.capacity.latency,
    )


def _rate(tokens_per_second: float) -> str:
    """A rate in whole tokens, but for the slowest."""
    if tokens_per_second < 10:
        return significant(tokens_per_second, 2)
    return count(round(tokens_per_second))


def _replicas(best: Option) -> str:
    plan = best.plan
    number = (
        say("sizing.one_server")
        if plan.replicas == 1
        else say("sizing.servers", replicas=plan.replicas)
    )
    each = (
        "1 GPU"
        if plan.replica_gpus == 1
        else say("sizing.server_gpus", replica_gpus=plan.replica_gpus)
    )
    return say(
        "sizing.rejected_count",
        number=number,
        each=each,
        which=" each" if plan.replicas > 1 else "",
    )


def _within_budget(best: Option, spec: InferenceSpec, page: Page) -> str:
    """Whether a stated budget pays for it, in the pessimistic case too."""
    limits = spec.constraints
    most = ceiling(limits.budget, page.now)
    token = ceiling(limits.per_million, page.now)
    if most is None or not affordable(best, most, limits):
        return ""
    if token is not None and best.usd_per_million_output_tokens > token.usd:
        return ""
    _, worst = best.usd_per_month_range
    share = worst / best.usd_per_month
    paid = paid_per_used(best.offer, limits)
    if most.allows(best.usd_per_hour * share, limits, paid_per_used=paid):
        if asks_if_more(page.question.query):
            return say("jobs.no_less", budget=most.words)
        if asks_openly(page.question.query):
            return say("sizing.within_budget_as_wished")
        return say("sizing.within_budget")
    return say("sizing.within_budget_likely", worst=worst)


def _gpus_range(best: Option) -> str:
    """How sure the count is."""
    low, high = best.gpus_range
    if high <= best.gpus:
        return say("sizing.enough_if_pessimistic")
    if low >= best.gpus:
        most = best.usd_per_month_range[1]
        return say("sizing.gpus_if_too_optimistic", high=high, most=most)
    return say(
        "sizing.gpus_depending_on_tuning",
        low=low,
        high=high,
        least=best.usd_per_month_range[0],
        most=best.usd_per_month_range[1],
    )


def _pessimistic(best: Option) -> str:
    """What the pessimistic case costs; empty: not more."""
    _, high = best.gpus_range
    if high <= best.gpus:
        return ""
    more = dollars(best.usd_per_month_range[1] - best.usd_per_month)
    return say("sizing.pessimistic", billed=high, more=more)


def _cited(measured: Measurement) -> str:
    """A published figure of this model on this GPU, with the load it was taken at."""
    load = (
        say("sizing.all_requests_queued")
        if measured.concurrency is None
        else say("sizing.at_once", concurrency=measured.concurrency)
    )
    return say(
        "sizing.nearest_benchmark_tokens_s",
        tokens_per_second_per_gpu=round(measured.tokens_per_second_per_gpu),
        input_tokens=measured.input_tokens,
        output_tokens=measured.output_tokens,
        load=load,
        source=measured.source,
        date=measured.date,
    )


def _table(found: Recommendation, reference: Reference, now: datetime) -> Table:
    star, *others = found.options
    ordered = [star, *worth_a_look(others)]
    rows = tuple(_row(option, reference, now) for option in ordered[:LISTED])
    return Table(
        caption=say("sizing.table"),
        columns=COLUMNS,
        rows=rows,
        winner=0 if found.advises else None,
        shown=SHOWN,
        note=_table_note(found, reference, len(found.options) - len(rows)),
    )


def _table_note(found: Recommendation, reference: Reference, costlier: int) -> str:
    """What is worth checking, though it cannot be ordered; then what was left out."""
    checked = [
        say(
            "sizing.at_month",
            gpus=one.gpus,
            gpu_name=gpu_name(one.plan.gpu),
            provider_name=provider_name(one.offer.provider, reference),
            usd_per_month=one.usd_per_month,
            doubt=one.doubt,
        )
        for one in found.worth_checking[:CHECKED]
    ]
    said = say("sizing.worth_checking", checked="; ".join(checked)) if checked else ""
    return ". ".join(filter(None, (said, rejected_note(found, costlier))))


def _row(option: Option, reference: Reference, now: datetime) -> tuple[Cell, ...]:
    offer = option.offer
    name = (
        f"{provider_name(offer.provider, reference)} {gpu_name(option.plan.gpu)} "
        f"{pricing_words(offer)}"
    )
    return (
        Cell(text=name),
        number(option.gpus),
        money(offer.usd_per_gpu_hour),
        money(option.usd_per_hour),
        money(option.usd_per_month),
        money(option.usd_per_million_output_tokens),
        Cell(text=_sla(option, reference)),
        age(offer, now),
    )


def _sla(option: Option, reference: Reference) -> str:
    if option.sla_percent is None:
        return sla_words(option.offer, reference)
    return f"{option.sla_percent:g} %"


def worth_a_look(options: Sequence[Option]) -> list[Option]:
    """Put the rows that a reader sees first: cheap ones, and other GPUs than those.

    Half of the visible rows are the cheapest fleets, the other half the best fleet of
    each further GPU, all in order of price; what remains follows in the same order.
    """
    chosen = list(options[: SHOWN - SHOWN // 2])
    seen = {option.plan.gpu.id for option in chosen}
    for option in options:
        if len(chosen) < SHOWN and option.plan.gpu.id not in seen:
            seen.add(option.plan.gpu.id)
            chosen.append(option)
    picked = {id(option) for option in chosen}
    first = [option for option in options if id(option) in picked]
    rest = [option for option in options if id(option) not in picked]
    missing = SHOWN - len(first)
    first = sorted([*first, *rest[:missing]], key=lambda o: o.usd_per_month)
    return [*first, *rest[missing:]]


def rejected_note(found: Recommendation, costlier: int = 0) -> str:
    """What was considered and left out, counted by reason."""
    gpus = Counter(r.rule for r in found.rejections if r.rule in GPU_REASONS)
    offers: Counter[str] = Counter()
    for entry in found.rejections:
        if entry.rule in OFFER_REASONS:
            offers[OFFER_REASONS[entry.rule]] += entry.count
    parts = (
        [say("sizing.more_expensive_offers", costlier=costlier)] if costlier > 0 else []
    )
    parts += counted(
        "GPUs", Counter({GPU_REASONS[rule]: n for rule, n in gpus.items()})
    )
    parts += counted("offers", offers)
    parts += [f"{r.subject} {r.why}" for r in found.rejections if r.rule == "budget"]
    return say("sizing.left_out") + "; ".join(parts) if parts else ""


def _small_print(
    best: Option, found: Recommendation, spec: InferenceSpec, page: Page
) -> tuple[str, ...]:
    idle = best.idle_usd_per_month
    hours = paid_hours(best.offer, spec.constraints)
    known = found.evidence
    said = (
        _sized_as(best, spec),
        _pessimistic(best),
        _cited(known) if known is not None else "",
    )
    return (
        " ".join(filter(None, said)),
        say(
            "sizing.small_print",
            id=page.id,
            average_share=spec.load.average_share,
            idle=idle,
            usd_per_month=best.usd_per_month,
            hours=float(hours),
        ),
        price_sources(option.offer for option in found.options[:7]),
    )

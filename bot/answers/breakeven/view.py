"""Self-host or API: both bills at the load, and the load at which they cross."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal

from bot.answers.breakeven.table import (
    api_name,
    breakeven_table,
    listed,
    tokens_a_day,
)
from bot.answers.shared.figures import (
    chips,
    gpu_name,
    price_sources,
    pricing_words,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.question.asks import asks
from bot.render.views import AnswerView, Lever
from bot.render.words import say
from core.answers.answer import Lever as CostLever
from core.answers.api_levers import api_levers
from core.answers.breakeven import BreakEvenAnswer, Crossing
from core.market.api_market import stands_there
from core.money.breakeven import SECONDS_PER_DAY
from core.money.currency import NoRate, rate_for
from core.money.exchange import exchange_rates
from core.money.served import mix_of, requests_per_month
from core.query import Query
from core.reference.catalogue import Reference
from core.sizing.pay_by_use import ApiOption, ApiRange
from core.units import HOURS_PER_MONTH
from core.wording import count, dollars, significant
from core.workload import InferenceSpec


def breakeven_view(found: BreakEvenAnswer, page: Page) -> AnswerView:
    """Which way is cheaper, from which load on that turns, and every way's bill."""
    return page.answer(
        verdict=_verdict(found, page) + _left_out(found),
        why=_why(found, page.reference),
        table=breakeven_table(found, page.reference),
        levers=tuple(_levers(found, page.reference)),
        chips=chips(found.resolved.assumptions),
        notes=(
            *_rate_note(page.question.query, page.now),
            *_share_note(page.question.query),
            *_unpriced_note(found),
            *_grown(found, page.reference),
            *_counted(found, page.question.query.count),
            *_whereabouts(found, page.reference),
            *_cautions(found),
            *found.resolved.notes,
        ),
        small_print=_small_print(found),
    )


def _verdict(found: BreakEvenAnswer, page: Page) -> str:
    hurdle, reference = found.hurdle, page.reference
    if hurdle is None:
        return _no_api(found, page)
    if found.fleet is None:
        if found.must_host:
            return say("breakeven.no_gpu_and_no_api")
        return say("breakeven.stay_with_no_gpu", api_name=api_name(hurdle.api))
    if not found.load_stated:
        return _verdict_without_load(found, hurdle, reference)
    fleet, saves = found.fleet, found.self_hosting_saves or Decimal(0)
    own = say(
        "breakeven.at_cost_about_month",
        gpus=fleet.gpus,
        gpu_name=gpu_name(fleet.plan.gpu),
        provider_name=provider_name(fleet.offer.provider, reference),
        usd_per_month=fleet.usd_per_month,
    )
    other = say(
        "breakeven.costs",
        api_name=api_name(hurdle.api),
        usd_per_month=hurdle.usd_per_month,
    )
    if found.must_host:
        return say("breakeven.beyond", beyond=_difference(saves), own=own, other=other)
    if page.question.query.asks_difference:
        return f"{_difference(saves)}. {_advice(found, reference, own, other)}"
    plain = _yes_or_no(found, page.question.query)
    if plain and (least := _undercut(found, reference)):
        return say(
            "breakeven.plainly",
            plain=plain,
            own=own,
            other=other,
            least=least.strip(" ."),
        )
    plain = "" if found.near else plain
    return plain + _advice(found, reference, own, other)


def _yes_or_no(found: BreakEvenAnswer, query: Query) -> str:
    """Whether the way that is asked about is the cheaper one; empty: none is."""
    saves, own = found.self_hosting_saves, asks(query, "own_side")
    if saves is None or own == asks(query, "api_side") or asks(query, "either"):
        return ""  # which of two it is, is no yes
    if found.near:
        return say("breakeven.about_the_same")
    return say("breakeven.yes") if own == (saves > 0) else say("breakeven.no")


def _difference(saves: Decimal) -> str:
    """What self-hosting costs beyond the API, or saves."""
    if saves > 0:
        return say("breakeven.costs_less", usd=saves)
    return say("breakeven.costs_more", usd=-saves)


def _advice(found: BreakEvenAnswer, reference: Reference, own: str, other: str) -> str:
    """Which way to take, with both bills."""
    saves = found.self_hosting_saves or Decimal(0)
    least = _undercut(found, reference)
    if found.near and least:
        return say("breakeven.beside", own=own, other=other, least=least)
    if found.near:
        return say("breakeven.too_close_to_call", own=own, other=other)
    if saves > 0:
        advice = "" if least else "Self-host: "
        if isinstance(found.undercut, ApiOption):
            least = say("breakeven.change_the_api") + least
        return say(
            "breakeven.verdict_self_host",
            advice=advice,
            own=own,
            other=other,
            least=least,
        )
    if least and not isinstance(found.undercut, ApiOption):
        return say("breakeven.serverless_first", other=other, own=own, least=least)
    return say("breakeven.stay_with_an_api", other=other, own=own, least=least)


def _undercut(found: BreakEvenAnswer, reference: Reference) -> str:
    """What is cheaper than the two that are compared."""
    way = found.undercut
    if way is None:
        return ""
    if isinstance(way, ApiOption):
        where = say("breakeven.s_api", api_name=api_name(way.api))
    else:
        where = say(
            "breakeven.serverless_at",
            provider_name=provider_name(way.offer.provider, reference),
        )
    return say("breakeven.is_cheapest", where=where, usd_per_month=way.usd_per_month)


def _no_api(found: BreakEvenAnswer, page: Page) -> str:
    limits = found.spec.constraints
    narrowed = limits.regions or limits.regions_excluded or limits.certifications
    said = say("breakeven.that_meets_your_limits") if narrowed or limits.sla else ""
    name = found.spec.model.name
    without = _without_an_api(found, page.reference)
    if page.question.query.own_weights:
        return say("breakeven.none_of_yours") + without
    return say("breakeven.we_know_no_api", name=name, said=said) + without


def _without_an_api(found: BreakEvenAnswer, reference: Reference) -> str:
    """The cheapest way that is no API, and the other one; empty: none is known."""
    fleet, way = found.fleet, found.serverless
    own = fleet and say(
        "breakeven.at_cost_about_month",
        gpus=fleet.gpus,
        gpu_name=gpu_name(fleet.plan.gpu),
        provider_name=provider_name(fleet.offer.provider, reference),
        usd_per_month=fleet.usd_per_month,
    )
    where = way and say(
        "breakeven.serverless_at",
        provider_name=provider_name(way.offer.provider, reference),
    )
    if not found.load_stated or found.advised is None:
        return ""
    if way is not None and found.advised is way:
        usd = way.usd_per_month
        least = say("breakeven.is_cheapest", where=where, usd_per_month=usd)
        return f". {least.strip(' .;')}" + (f"; {own}" if own else "")
    return f". {own}" if own else ""


def _verdict_without_load(
    found: BreakEvenAnswer, hurdle: ApiOption, reference: Reference
) -> str:
    model, api = found.spec.model.name, api_name(hurdle.api)
    crossing = found.crossing
    if crossing is None or crossing.point.never:
        if found.must_host:
            return say("breakeven.never_cheaper", api=api, model=model)
        usd = hurdle.usd_per_million
        stay = say("breakeven.stay_with_self_hosting", api=api, usd=usd, model=model)
        return stay + _against_dearer(found, reference)
    return say(
        "breakeven.self_hosting_is_cheaper",
        model=model,
        api=api,
        tokens_a_day=tokens_a_day(crossing, found.spec),
        requests_a_day=_requests_a_day(crossing),
        a_month=30 * _requests_a_day(crossing) * float(mix_of(found.spec).tokens),
        replica=_replica(crossing, reference),
    )


def _against_dearer(found: BreakEvenAnswer, reference: Reference) -> str:
    """From which load on GPUs cost less than the next listed API; empty: than none."""
    usd = {option.api: option.usd_per_million for option in listed(found)}
    met = [c for c in found.crossings if c.api in usd and not c.point.never]
    if not met:
        return ""
    one = min(met, key=lambda crossing: usd[crossing.api])
    return say(
        "breakeven.against_dearer",
        api=api_name(one.api),
        usd=usd[one.api],
        a_month=30 * _requests_a_day(one) * float(mix_of(found.spec).tokens),
        replica=_replica(one, reference),
    )


def _requests_a_day(crossing: Crossing) -> float:
    return float(crossing.point.requests_per_second or 0) * SECONDS_PER_DAY


def _replica(crossing: Crossing, reference: Reference) -> str:
    """The GPUs of the replica that reaches the break-even first."""
    unit = crossing.unit
    return f"{unit.gpus} × {gpu_name(reference.gpus[unit.gpu])}"


def _grown(found: BreakEvenAnswer, reference: Reference) -> Iterator[str]:
    """The GPUs that pay off where the listed ones carry less than it takes."""
    crossing, fleet = found.crossing, found.fleet
    if crossing is None or fleet is None or crossing.point.never:
        return
    if (crossing.unit.gpu, crossing.unit.gpus) != (fleet.plan.gpu.id, fleet.gpus):
        yield say(
            "breakeven.others_pay_off",
            tokens=tokens_a_day(crossing, found.spec),
            replica=_replica(crossing, reference),
            usd=crossing.unit.fleet.usd_per_hour * HOURS_PER_MONTH,
        )


def _why(found: BreakEvenAnswer, reference: Reference) -> str:
    spec, parts = found.spec, []
    if found.implied is not None and found.spend is not None:
        parts.append(
            say(
                "breakeven.what_the_spend_buys",
                spend=found.spend,
                tokens=float(found.implied.tokens),
                requests=float(found.implied.requests),
            )
        )
        if found.as_named is not None:
            own = float(found.implied.requests * mix_of(spec).tokens)
            parts[0] += say("breakeven.same_requests", tokens=own, name=spec.model.name)
    if found.load_stated:
        work = found.fleet.plan.busy * spec.load.average_share if found.fleet else None
        requests = requests_per_month(spec)
        tokens = requests * mix_of(spec).tokens / 30
        parts.append(
            say(
                "breakeven.your_load_is_tokens",
                tokens=float(tokens),
                rps=spec.load.rps,
                busy=say("breakeven.keeps_busy", share=work) if found.fleet else "",
            )
        )
    crossing = found.crossing
    if crossing is not None:
        # Without a load the verdict is where the prices meet; its GPUs' price is left.
        whole = found.load_stated or crossing.point.never
        parts.append(
            crossing_words(crossing, spec, reference)
            if whole
            else _where(crossing, reference)
        )
        if not whole and (busy := crossing.full_utilisation) is not None:
            parts.append(say("breakeven.busy_there", busy=busy))
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in parts)


def _where(crossing: Crossing, reference: Reference) -> str:
    """The GPUs that reach the break-even first, and their price."""
    unit = crossing.unit
    return say(
        "breakeven.at_h",
        replica=_replica(crossing, reference),
        provider_name=provider_name(unit.offer.provider, reference),
        pricing_words=pricing_words(unit.offer),
        usd_per_hour=unit.fleet.usd_per_hour,
    )


def crossing_words(crossing: Crossing, own: InferenceSpec, reference: Reference) -> str:
    """Where the two prices meet, or why they never do."""
    point, where = crossing.point, _where(crossing, reference)
    if point.never:
        return say(
            "breakeven.self_hosting_never_pays",
            where=where,
            fleet_usd_per_million=point.fleet_usd_per_million,
            provider_name=crossing.api.provider_name,
            api_usd_per_million=point.api_usd_per_million,
        )
    return say(
        "breakeven.self_hosting_becomes_cheaper",
        provider_name=crossing.api.provider_name,
        tokens_a_day=tokens_a_day(crossing, own),
        requests_a_day=_requests_a_day(crossing),
        where=where,
    )


def _levers(found: BreakEvenAnswer, reference: Reference) -> list[Lever]:
    beside = found.undercut is not None  # they are held against what it undercuts
    told = () if found.must_host else api_levers(found, reference)
    levers = [_lever(lever, beside) for lever in told]
    if found.serverless_below is not None and found.load_stated:
        daily = found.serverless_below * SECONDS_PER_DAY
        now = found.spec.load.average_rps * SECONDS_PER_DAY
        few = significant(daily, 2) if daily < 1e4 else count(daily)
        text = say("breakeven.serverless_is_cheaper_below", few=few)
        levers.append(
            Lever(text=text, difference=say("breakeven.present_load", now=round(now)))
        )
    return levers


def _lever(lever: CostLever, beside: bool) -> Lever:
    usd = lever.usd_difference
    if usd is None:
        return Lever(text=lever.text, difference=lever.note)
    sign = "+" if usd > 0 else ""
    text = f"{sign}{dollars(usd)}/month"
    return Lever(text=lever.text, difference=text, note=lever.note, beside=beside)


def _counted(found: BreakEvenAnswer, named: int | None) -> list[str]:
    """Whether the GPUs that the question counts are those that the load takes."""
    fleet = found.fleet
    if named is None or fleet is None or not found.load_stated:
        return []
    if fleet.gpus == named:
        return []
    gpu = gpu_name(fleet.plan.gpu)
    return [say("breakeven.counted", named=named, gpus=fleet.gpus, gpu=gpu)]


def _whereabouts(found: BreakEvenAnswer, reference: Reference) -> Iterator[str]:
    """That nobody says whether a named API stands where it may."""
    limits = found.spec.constraints
    if found.named is None or not (limits.regions or limits.regions_excluded):
        return
    api = found.named.cheapest.api
    if not stands_there(reference.provider(api.provider), limits):
        yield say("breakeven.whereabouts", provider_name=api.provider_name)


def _cautions(found: BreakEvenAnswer) -> list[str]:
    notes = []
    model = found.spec.model.name
    if found.as_named is not None and found.named is not None:
        notes.append(_unlike(found.spec, found.as_named, found.named.cheapest))
    elif found.other_models:
        names = ", ".join(option.api.model for option in found.other_models)
        notes.append(say("breakeven.cautions", model=model, names=names))
    if found.similar and found.hosted is not None:
        notes.append(similar_note(model, found.hosted))
    hosted = None if found.must_host else found.hosted
    if hosted is not None and hosted.odd and found.named is None:
        notes.append(odd_note(hosted, found.load_stated))
    elif hosted is not None and _is_passed(found, hosted.cheapest):
        odd = hosted.cheapest
        told = say(
            "breakeven.odd_passed",
            provider_name=odd.api.provider_name,
            usd_per_month=odd.usd_per_month,
        )
        notes.insert(0, told)
    return notes


def _unlike(own: InferenceSpec, named: InferenceSpec, api: ApiOption) -> str:
    """That one side's answers are longer, as only its model thinks."""
    model = api.api.model.rsplit("/", 1)[-1]
    thinks = own.output_tokens > named.output_tokens
    return say(
        "breakeven.unlike_lengths",
        thinker=own.model.name if thinks else model,
        model=model,
        named_in=named.input_tokens,
        named_out=named.output_tokens,
        own=own.model.name,
        own_in=own.input_tokens,
        own_out=own.output_tokens,
    )


def _is_passed(found: BreakEvenAnswer, odd: ApiOption) -> bool:
    """Whether a row of the table is cheaper than the way that the verdict names."""
    best = found.advised
    return best is not None and odd.usd_per_month < best.usd_per_month


def odd_note(hosted: ApiRange, load_stated: bool = True) -> str:
    """Why the cheapest of the APIs is not the one that is compared."""
    if not load_stated:
        return say(
            "breakeven.odd_price",
            provider_name=hosted.cheapest.api.provider_name,
            usd_per_million=hosted.cheapest.usd_per_million,
        )
    return say(
        "breakeven.odd_note",
        provider_name=hosted.cheapest.api.provider_name,
        usd_per_million=hosted.cheapest.usd_per_million,
        usd_per_month=hosted.cheapest.usd_per_month,
        provider_name_2=hosted.going.api.provider_name,
    )


def similar_note(model: str, hosted: ApiRange) -> str:
    """Whose prices stand in where nobody sells the model by the token."""
    names = ", ".join(dict.fromkeys(o.api.model for o in hosted.options[:2]))
    return say("breakeven.similar_note", model=model, names=names)


def _small_print(found: BreakEvenAnswer) -> tuple[str, ...]:
    offers = [found.fleet.offer] if found.fleet else []
    offers += [found.serverless.offer] if found.serverless else []
    lines = [price_sources(offers)] if offers else []
    firsts = [o for r in (found.named, found.hosted) if r for o in r.options[:1]]
    lines += [
        say(
            "breakeven.small_print",
            source=one.api.source,
            as_of=one.api.as_of,
            source_url=one.api.source_url,
        )
        + (f" ({one.api.note})" if one.api.note else "")
        for one in firsts
    ]
    return tuple(lines)


def _share_note(query: Query) -> tuple[str, ...]:
    """What of a stated spend is weighed, where only a part is to move."""
    if query.api_share is None or query.api_spend_amount is None:
        return ()
    return (say("breakeven.share_note", api_share=query.api_share),)


def _rate_note(query: Query, now: datetime) -> tuple[str, ...]:
    """The rate that a spend was turned into dollars at, or that there is none."""
    code = query.api_spend_currency or "USD"
    if query.api_spend_amount is None or code == "USD":
        return ()
    rate = rate_for(code, exchange_rates(), now.date())
    if isinstance(rate, NoRate):
        return (say("breakeven.rate_note", reason=rate.reason),)
    return (f"{rate.shown}.",)


def _unpriced_note(found: BreakEvenAnswer) -> tuple[str, ...]:
    """Which of the APIs that were named stand in no figure, and what stands in."""
    if not found.unpriced or found.named:
        return ()
    return (say("breakeven.unpriced_note", names=_unpriced(found)),)


def _left_out(found: BreakEvenAnswer) -> str:
    """Which of the APIs that were named has no price beside those that have."""
    if not (found.unpriced and found.named):
        return ""
    return say("breakeven.left_out", names=_unpriced(found))


def _unpriced(found: BreakEvenAnswer) -> str:
    return " and ".join(
        name if "-" in name else name.capitalize() for name in found.unpriced
    )

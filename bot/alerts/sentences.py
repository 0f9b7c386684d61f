"""One alert in a sentence, and why it is told."""

from collections.abc import Sequence
from datetime import datetime

from bot.alerts.wording import (
    instant_words,
    label_name,
    measured,
    offer_words,
    percent_words,
)
from bot.answers.shared.figures import PRICING_WORDS, gpu_name, provider_name
from bot.render.words import say
from core.alerts.alert import Alert, PriceAlert, StaleAlert, WorkloadAlert
from core.reference.catalogue import Reference
from core.wording import significant

_CAUSES = {
    "changed": say("alerts.provider_changed_price"),
    "revalued": say("alerts.the_provider_s_own"),
    "listed": say("alerts.that_offer_is_newly"),
    "delisted": say("alerts.cheaper_offer_gone"),
}
_WORKLOADS = {
    "winner": say("alerts.another_best_offer"),
    "cost": say("alerts.the_cost_moved"),
    "unpriced": say("alerts.nothing_meets_its_limits"),
    "priced": say("alerts.limits_met_again"),
    "breakeven": say("alerts.break_even_moved"),
    "beside": say("alerts.the_cost_moved"),
}


def headline(alert: Alert, reference: Reference) -> str:
    """Say what happened, from what to what."""
    match alert:
        case PriceAlert():
            return _price(alert, reference)
        case WorkloadAlert():
            cause = cause_words([alert], reference)
            return f"{cause}. {alert.question}: {_workload(alert)}"
        case StaleAlert():
            return _stale(alert)


def reason_words(alert: Alert, reference: Reference) -> str:
    """Say why it is told and since when."""
    match alert:
        case PriceAlert():
            return " ".join(filter(None, (_cause(alert, reference), _since(alert))))
        case WorkloadAlert():
            return say(
                "alerts.now_before",
                after=alert.after,
                date=_date(alert.since),
                before=alert.before,
            )
        case StaleAlert():
            return say("alerts.prices_are_old") if alert.stale else ""


def cause_words(alerts: Sequence[Alert], reference: Reference) -> str:
    """Say what set off a message: the price that moved, and how many more did."""
    first = sorted(alerts, key=lambda alert: isinstance(alert, WorkloadAlert))
    facts = [fact for alert in first if (fact := _fact(alert, reference))]
    told = list(dict.fromkeys(facts))
    if not told:
        return say("alerts.prices_moved")
    more = len(told) - 1
    rest = (
        ""
        if not more
        else say("alerts.and_more_change", more=more, ending="s" if more > 1 else "")
    )
    return told[0] + rest


def _fact(alert: Alert, reference: Reference) -> str:
    """The change of a price that an alert rests on."""
    match alert:
        case WorkloadAlert():
            return _workload_cause(alert, reference)
        case StaleAlert():
            return _stale(alert)
    return _level_cause(alert, reference) or headline(alert, reference)


def _level_cause(alert: PriceAlert, reference: Reference) -> str:
    """Whose price moved the level that is watched; empty: the alert says it itself."""
    offer, was = alert.offer, alert.was
    if alert.what not in ("crossed", "new_low") or not offer or not was:
        return ""
    if (alert.before or 0) == (alert.after or 0) or alert.cause == "listed":
        return ""
    if (was.provider, was.gpu) == (offer.provider, offer.gpu):
        return f"{_repriced(alert, reference)} ({_percent(alert)})"
    seller, now = provider_name(was.provider, reference), offer_words(offer, reference)
    thing = offer_words(was, reference).removeprefix(f"{seller} ")
    verb = say("alerts.no_longer_offers") if alert.cause == "delisted" else "raised"
    if verb == "raised" and (alert.after or 0) < (alert.before or 0):
        return ""
    at = _amount(alert, alert.after)
    return say(
        "alerts.cheapest_now_at", seller=seller, verb=verb, thing=thing, now=now, at=at
    )


def _workload_cause(alert: WorkloadAlert, reference: Reference) -> str:
    cause = alert.cause
    if cause is None:
        return ""
    seller, gpu, pricing, *_ = [*cause.name.split(), "", ""]
    known = reference.gpus.get(gpu)
    by = (
        ""
        if cause.percent is None
        else say("alerts.price_moved_by", percent=abs(cause.percent))
    )
    if known is None:
        return say(
            "alerts.the_price_of_moved",
            name=cause.name or say("alerts.workload_cause"),
            by=by,
        )
    who = provider_name(seller, reference)
    thing = f"{gpu_name(known)} {PRICING_WORDS.get(pricing, pricing)}"
    return {
        "raised": say("alerts.raised", who=who, thing=thing, by=by),
        "lowered": say("alerts.lowered", who=who, thing=thing, by=by),
        "listed": say("alerts.now_offers_for_less", who=who, thing=thing),
        "gone": say("alerts.cause_no_longer_offers", who=who, thing=thing),
        "own_set": say("alerts.own_set", who=who, thing=thing),
        "own_moved": say("alerts.own_moved", who=who, thing=thing, by=by),
        "own_gone": say("alerts.own_gone", who=who, thing=thing),
    }[cause.what]


def _repriced(alert: PriceAlert, reference: Reference) -> str:
    """ "Nebius raised B200 on-demand from $7.15 to $8.50 per GPU-hour"."""
    offer = alert.offer
    verb = "raised" if (alert.after or 0) > (alert.before or 0) else "lowered"
    before, after = _amount(alert, alert.before), _amount(alert, alert.after)
    if offer is None:
        return say(
            "alerts.per_gpu_hour",
            label_name=label_name(alert.label),
            before=before,
            after=after,
        )
    seller = provider_name(offer.provider, reference)
    thing = offer_words(offer, reference).removeprefix(f"{seller} ")
    return say(
        "alerts.from_to_per_gpu",
        seller=seller,
        verb=verb,
        thing=thing,
        before=before,
        after=after,
    )


def _percent(alert: PriceAlert) -> str:
    return percent_words(alert.before or 1, alert.after or 1)


def _price(alert: PriceAlert, reference: Reference) -> str:
    offer = (
        offer_words(alert.offer, reference) if alert.offer else label_name(alert.label)
    )
    if alert.measure == "spot_discount":
        return _discount(alert)
    if alert.what == "listed":
        return say(
            "alerts.newly_on_offer_at", offer=offer, amount=_amount(alert, alert.after)
        )
    if alert.what == "delisted":
        return say(
            "alerts.no_longer_on_offer",
            offer=offer,
            amount=_amount(alert, alert.before),
        )
    moves = alert.what == "moved" and alert.before != alert.after
    if moves and alert.before and alert.after:
        return f"{_repriced(alert, reference)} ({_percent(alert)})"
    moved = _amount(alert, alert.after)
    if alert.before is not None and alert.after is not None and alert.before > 0:
        moved = say(
            "alerts.before_and_after",
            amount=_amount(alert, alert.before),
            moved=moved,
            percent_words=percent_words(alert.before, alert.after),
        )
    label = label_name(alert.label)
    low = (
        say("alerts.its_lowest_since") + _date(alert.since)
        if alert.since
        else say("alerts.a_new_low")
    )
    return say("alerts.cheapest_now", label=label, offer=offer, moved=moved) + (
        low if alert.what == "new_low" else ""
    )


def _discount(alert: PriceAlert) -> str:
    level = _amount(alert, alert.after)
    was = (
        say("alerts.was", amount=_amount(alert, alert.before))
        if alert.before is not None
        else ""
    )
    return say(
        "alerts.spot_gap_now",
        label_name=label_name(alert.label),
        level=level,
        was=was,
    )


def _cause(alert: PriceAlert, reference: Reference) -> str:
    if alert.cause is None or alert.what in ("listed", "delisted"):
        return ""
    if alert.measure == "spot_discount":
        return ""
    words = _CAUSES[alert.cause]
    if alert.cause == "delisted" and alert.was is not None:
        words += say("alerts.cause", offer_words=offer_words(alert.was, reference))
    return words


def _since(alert: PriceAlert) -> str:
    if alert.what == "moved" and alert.since is not None:
        return say("alerts.since", date=_date(alert.since))
    return ""


def _workload(alert: WorkloadAlert) -> str:
    words = (
        say("alerts.workload", line=alert.line)
        if alert.line
        else _WORKLOADS[alert.what]
    )
    if alert.percent is None:
        return words
    sign = "+" if alert.percent > 0 else "−"
    return f"{words} ({sign}{significant(abs(alert.percent))} %)"


def _stale(alert: StaleAlert) -> str:
    parts = [
        say("alerts.silent_for", name=name, at=(alert.at - at).total_seconds() / 3600)
        for name, at in alert.stale
    ]
    if alert.recovered:
        parts.append(
            say("alerts.answering_again", recovered=", ".join(alert.recovered))
        )
    return say("alerts.price_sources") + "; ".join(parts)


def _amount(alert: PriceAlert, level: int | None) -> str:
    return "unknown" if level is None else measured(level, alert.measure)


def _date(at: datetime | None) -> str:
    return "" if at is None else instant_words(at)

"""One alert in a sentence, and why it is told."""

from datetime import datetime

from bot.alerts.wording import (
    instant_words,
    label_name,
    measured,
    offer_words,
    percent_words,
)
from core.alerts.alert import Alert, PriceAlert, StaleAlert, WorkloadAlert
from core.reference.catalogue import Reference
from core.wording import duration, significant

_CAUSES = {
    "changed": "The provider changed its price.",
    "revalued": "The provider's own price is unchanged: the exchange rate moved.",
    "listed": "That offer is newly listed. No price was cut.",
    "delisted": "The cheaper offer is no longer listed. No price was raised.",
}
_WORKLOADS = {
    "winner": "another best offer",
    "cost": "the cost moved",
    "unpriced": "nothing meets its limits any more",
    "priced": "an offer meets its limits again",
    "breakeven": "the break-even with the API moved",
}


def headline(alert: Alert, reference: Reference) -> str:
    """Say what happened, from what to what."""
    match alert:
        case PriceAlert():
            return _price(alert, reference)
        case WorkloadAlert():
            return f"{alert.question}: {_workload(alert)} · {alert.after}"
        case StaleAlert():
            return _stale(alert)


def reason_words(alert: Alert, reference: Reference) -> str:
    """Say why it is told and since when."""
    match alert:
        case PriceAlert():
            return " ".join(filter(None, (_cause(alert, reference), _since(alert))))
        case WorkloadAlert():
            return f"Before, told {_date(alert.since)}: {alert.before}"
        case StaleAlert():
            return "Prices from there are that old." if alert.stale else ""


def _price(alert: PriceAlert, reference: Reference) -> str:
    offer = (
        offer_words(alert.offer, reference) if alert.offer else label_name(alert.label)
    )
    if alert.measure == "spot_discount":
        return _discount(alert)
    if alert.what == "listed":
        return f"Newly on offer: {offer} at {_amount(alert, alert.after)}"
    if alert.what == "delisted":
        return f"No longer on offer: {offer}, last {_amount(alert, alert.before)}"
    moved = _amount(alert, alert.after)
    if alert.before is not None and alert.after is not None and alert.before > 0:
        moved = (
            f"{_amount(alert, alert.before)} → {moved} per GPU-hour "
            f"({percent_words(alert.before, alert.after)})"
        )
    if alert.what == "moved":
        return f"{offer}: {moved}"
    label = label_name(alert.label)
    low = ", its lowest since " + _date(alert.since) if alert.since else ", a new low"
    return f"Cheapest {label} now {offer}: {moved}" + (
        low if alert.what == "new_low" else ""
    )


def _discount(alert: PriceAlert) -> str:
    level = _amount(alert, alert.after)
    was = f", was {_amount(alert, alert.before)}" if alert.before is not None else ""
    return f"{label_name(alert.label)}: spot is {level} under on-demand{was}"


def _cause(alert: PriceAlert, reference: Reference) -> str:
    if alert.cause is None or alert.what in ("listed", "delisted"):
        return ""
    if alert.measure == "spot_discount":
        return ""
    words = _CAUSES[alert.cause]
    if alert.cause == "delisted" and alert.was is not None:
        words += f" It was {offer_words(alert.was, reference)}."
    return words


def _since(alert: PriceAlert) -> str:
    if alert.what == "moved" and alert.since is not None:
        return f"Since {_date(alert.since)}."
    return ""


def _workload(alert: WorkloadAlert) -> str:
    words = f"the cost is {alert.line}" if alert.line else _WORKLOADS[alert.what]
    if alert.percent is None:
        return words
    sign = "+" if alert.percent > 0 else "−"
    return f"{words} ({sign}{significant(abs(alert.percent))} %)"


def _stale(alert: StaleAlert) -> str:
    parts = [
        f"{name} silent for {duration((alert.at - at).total_seconds() / 3600)}"
        for name, at in alert.stale
    ]
    if alert.recovered:
        parts.append(f"{', '.join(alert.recovered)} answering again")
    return "Price sources: " + "; ".join(parts)


def _amount(alert: PriceAlert, level: int | None) -> str:
    return "unknown" if level is None else measured(level, alert.measure)


def _date(at: datetime | None) -> str:
    return "" if at is None else instant_words(at)

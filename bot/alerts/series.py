"""What a watched price was over a time: for charts, tables and sentences."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from bot.render.views import Chart, Series
from core.alerts.selection import Selection
from core.market.current import current
from core.offers import Offer
from core.reference.catalogue import Reference
from core.reference.freshness import tier_of
from prices.history.series import PriceInterval, Step, Wanted, cheapest_over_time
from prices.history.store import Store

POINTS = 16
LINES = 6
CHART_NAME = 20


class Movement(Struct, frozen=True):
    """A cheapest price at the start and the end of a time, and its extremes."""

    first: Offer
    last: Offer
    low: Step
    high: Step

    @property
    def moved(self) -> bool:
        """Whether the price ended elsewhere."""
        return _micro(self.first) != _micro(self.last)


def cheapest_steps(
    store: Store,
    selection: Selection,
    reference: Reference,
    since: datetime,
    until: datetime,
) -> list[Step]:
    """Return the cheapest selected price as a step line over a time.

    It ends with the price that an answer would give at `until`.
    """
    intervals = [
        _while_it_counted(interval)
        for gpu in selection.gpus
        for interval in store.series(Wanted(gpu, since=since, until=until))
        if selection.takes(interval.offer, reference)
    ]
    steps = _within(cheapest_over_time(_latest_sources(intervals)), since, until)
    last = current_price(store, selection, reference, until)
    if steps and _micro(steps[-1].cheapest) != _micro(last):
        steps.append(Step(until, last))
    elif steps:
        steps[-1] = replace(steps[-1], cheapest=last)
    return steps


def current_price(
    store: Store, selection: Selection, reference: Reference, now: datetime
) -> Offer | None:
    """Return the offer that a selection's price is of now, None where none counts."""
    catalog = store.catalog(now, at=now)
    offers = (offer for gpu in selection.gpus for offer in catalog.of_gpu(gpu))
    counting = current(offers, now, reference)
    return next((o for o in counting if selection.takes(o, reference)), None)


def _while_it_counted(interval: PriceInterval) -> PriceInterval:
    """End an interval at which its price was too old to count."""
    offer = interval.offer
    expires = offer.observed_at + timedelta(days=tier_of(offer).expired_days)
    if interval.ended_at is not None and interval.ended_at <= expires:
        return interval
    return replace(interval, ended_at=expires)


def movement(steps: Sequence[Step]) -> Movement | None:
    """Sum a step line up; None where nothing was on offer."""
    sold = [(step, step.cheapest) for step in steps if step.cheapest is not None]
    if not sold:
        return None
    return Movement(
        first=sold[0][1],
        last=sold[-1][1],
        low=min(sold, key=lambda pair: _micro(pair[1]))[0],
        high=max(sold, key=lambda pair: _micro(pair[1]))[0],
    )


def line_chart(
    lines: Sequence[tuple[str, Sequence[Step]]],
    title: str,
    since: datetime,
    until: datetime,
) -> Chart | None:
    """Draw step lines over one time; None where none has two prices to join."""
    known = [
        (name, steps, span) for name, steps in lines if (span := _span(steps, until))
    ]
    if not any(len(_sold(steps)) > 1 for _, steps, _ in known):
        return None
    # Slack's charts take no gaps: a line is drawn where its price was known throughout.
    since = max(since, min(begins for _, _, (begins, _) in known))
    until = max(ends for _, _, (_, ends) in known)
    dates = [since + (until - since) * i / (POINTS - 1) for i in range(POINTS)]
    kept = [
        (name, _sold(steps))
        for name, steps, (begins, ends) in known
        if begins <= since and ends >= until
    ][:LINES]
    if not any(len(steps) > 1 for _, steps in kept):
        return None
    return Chart(
        kind="line",
        title=title,
        categories=tuple(labels(dates)),
        series=tuple(
            Series(name=name[:CHART_NAME], values=tuple(_at(steps, d) for d in dates))
            for name, steps in kept
        ),
        y_label="$/GPU-h",
    )


def labels(dates: Sequence[datetime]) -> list[str]:
    """Write dates, with the hour where several fall on one day; each once."""
    short = len({date.date() for date in dates}) < len(dates)
    return [f"{d:%d %b %H:%M}" if short else f"{d:%d %b}" for d in dates]


def _latest_sources(intervals: list[PriceInterval]) -> list[PriceInterval]:
    """Keep, of a provider that several sources speak of, the one heard of last.

    Prices of two sources are never one line: they disagree on the same day.
    """
    heard: dict[str, tuple[datetime, str]] = {}
    for interval in intervals:
        offer = interval.offer
        best = heard.get(offer.provider, (offer.observed_at, offer.source))
        heard[offer.provider] = max(best, (offer.observed_at, offer.source))
    return [i for i in intervals if i.offer.source == heard[i.offer.provider][1]]


def _within(steps: list[Step], since: datetime, until: datetime) -> list[Step]:
    """Cut a step line to a time; what stood at its start begins it."""
    before = [step for step in steps if step.at <= since][-1:]
    return [
        *(Step(since, step.cheapest) for step in before),
        *(step for step in steps if since < step.at <= until),
    ]


def _span(steps: Sequence[Step], until: datetime) -> tuple[datetime, datetime] | None:
    """Return from when to when something was on offer; None where nothing was."""
    sold = _sold(steps)
    if not sold:
        return None
    return sold[0][0], until if steps[-1].cheapest is not None else steps[-1].at


def _sold(steps: Sequence[Step]) -> list[tuple[datetime, float]]:
    return [
        (step.at, float(step.cheapest.usd_per_gpu_hour))
        for step in steps
        if step.cheapest is not None
    ]


def _at(steps: list[tuple[datetime, float]], date: datetime) -> float:
    """Return the price at a date; before the first, the first."""
    return ([price for at, price in steps if at <= date] or [steps[0][1]])[-1]


def _micro(offer: Offer | None) -> int:
    return 0 if offer is None else offer.micro_usd_per_gpu_hour

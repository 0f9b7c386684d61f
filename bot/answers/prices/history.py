"""How a price moved: a line chart where it did, and what it was before."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from bot.answers.shared.figures import PRICING_WORDS, provider_name
from bot.render.views import Chart, Series
from bot.render.words import say
from core.market.current import is_plain
from core.offers import Offer, Pricing
from core.reference.catalogue import Reference
from prices.history.series import PriceInterval, Step, cheapest_over_time

POINTS = 12
LINES = 4
NEAR_START = 0.25
"""A line may begin this share of the window later than the longest one."""

ROUNDED = Decimal("0.005")
"""Two sources that round one price differently are no move."""

Key = tuple[object, ...]
Track = tuple[str, Pricing, str]
"""Provider, pricing and source: prices of two sources are never one line."""


def price_chart(
    intervals: Iterable[PriceInterval], title: str, reference: Reference, now: datetime
) -> Chart | None:
    """The sellers whose price moved, each as a line over one window; None: none did."""
    moved = _moved(intervals)
    if not moved:
        return None
    longest = min(steps[0].at for steps in moved.values())
    latest = longest + (now - longest) * NEAR_START
    drawn = {key: steps for key, steps in moved.items() if steps[0].at <= latest}
    start = max(steps[0].at for steps in drawn.values())
    dates = [start + (now - start) * i / (POINTS - 1) for i in range(POINTS)]
    return Chart(
        kind="line",
        title=say("prices.price_chart", title=title),
        categories=tuple(_date(at, now - start) for at in dates),
        series=tuple(
            Series(name=_name(key, reference), values=_values(steps, dates))
            for key, steps in drawn.items()
        ),
        y_label="$/GPU-h",
    )


def _moved(intervals: Iterable[PriceInterval]) -> dict[Track, list[Step]]:
    """The step line of each seller whose price changed, the liveliest first."""
    tracks: dict[Track, list[PriceInterval]] = {}
    for one in intervals:
        offer = one.offer
        if is_plain(offer) and offer.pricing != "reserved":
            key = offer.provider, offer.pricing, offer.source
            tracks.setdefault(key, []).append(one)
    lines = {key: _sold(cheapest_over_time(found)) for key, found in tracks.items()}
    lively = sorted(lines.items(), key=lambda line: (-len(line[1]), line[0]))
    return {key: steps for key, steps in lively[:LINES] if len(steps) > 1}


def _sold(steps: list[Step]) -> list[Step]:
    """The steps with a price: a pause in the offer keeps the last one."""
    return [step for step in steps if step.cheapest is not None]


def _values(steps: Sequence[Step], dates: Sequence[datetime]) -> tuple[float, ...]:
    return tuple(_at(steps, date) for date in dates)


def _at(steps: Sequence[Step], date: datetime) -> float:
    """The price that stood at a date, or the first known one before any stood."""
    in_force = [step for step in steps if step.at <= date] or [steps[0]]
    offer = in_force[-1].cheapest
    return float(offer.usd_per_gpu_hour) if offer else 0.0


def _date(at: datetime, window: timedelta) -> str:
    return f"{at:%d %b}" if window < timedelta(days=300) else f"{at:%b %Y}"


def _name(key: Track, reference: Reference) -> str:
    provider, pricing, _ = key
    return f"{provider_name(provider, reference)} {PRICING_WORDS[pricing]}"


class History:
    """What a GPU's offers cost over time, found by what is sold and by its seller."""

    def __init__(self, intervals: Iterable[PriceInterval]) -> None:
        self.intervals = tuple(intervals)
        self._by_seat: dict[Key, list[PriceInterval]] = {}
        self._by_line: dict[Key, list[PriceInterval]] = {}
        for one in self.intervals:
            offer = one.offer
            line = _line(offer)
            self._by_seat.setdefault((line, _machine(offer)), []).append(one)
            self._by_line.setdefault((line, offer.source), []).append(one)

    def before(self, offer: Offer) -> PriceInterval | None:
        """The latest other price of the same machine, place and pricing; None: none.

        Another source may have seen it: which one is said with it.
        """
        line = _line(offer)
        same = self._by_line.get((line, offer.source), [])
        keys = {one.offer.key for one in _renamed(offer, same)}
        seated = self._by_seat.get((line, _machine(offer)), [])
        known = [*seated, *(one for one in same if one.offer.key in keys)]
        earlier = [
            one
            for one in known
            if one.offer.observed_at < offer.observed_at
            and abs(change(one.offer, offer)) >= ROUNDED
        ]
        return max(earlier, key=lambda one: one.offer.observed_at, default=None)


def _line(offer: Offer) -> tuple[object, ...]:
    """What one seller's offers of a GPU have in common, whichever machine it is."""
    return (
        offer.provider,
        offer.gpu,
        offer.pricing,
        offer.term_months,
        offer.tier,
        offer.region,
    )


def _machine(offer: Offer) -> tuple[object, ...]:
    """What of a machine has to be the same for two prices to be of one thing."""
    return offer.instance, offer.gpu_count, offer.min_gpus


def _renamed(offer: Offer, same: Sequence[PriceInterval]) -> Iterator[PriceInterval]:
    """What an offer was called before its source named its machines otherwise.

    Names go and names come in one poll. Of several that came, the one at the price of
    the name that went is meant; whether the others cost something else before, nobody
    knows. A single name that came is meant at any price.
    """
    key = offer.key
    first = min((o.first_seen for o in same if o.offer.key == key), default=None)
    came = {one.offer.key: one for one in same if one.first_seen == first}
    went = [one for one in same if one.delisted and one.ended_at == first]
    for one in went if len({each.offer.key for each in went}) == 1 else ():
        old, start = one.offer, came[key].offer.micro_usd_per_gpu_hour
        fits = not old.instance or old.gpu_count == offer.gpu_count
        if fits and (len(came) == 1 or start == old.micro_usd_per_gpu_hour):
            yield one


def change(before: Offer, now: Offer) -> Decimal:
    """What a price rose by, as a share; negative: it fell."""
    return now.usd_per_gpu_hour / before.usd_per_gpu_hour - 1

"""A digest: what moved, lows and highs, a line for each watched price."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from msgspec import Struct

from bot.alerts.buttons import stop_action
from bot.alerts.series import Movement, cheapest_steps, line_chart, movement
from bot.alerts.wording import (
    cadence_words,
    instant_words,
    label_name,
    percent_words,
    selection_words,
)
from bot.answers.shared.figures import age, money, price_sources, provider_name
from bot.language.alerts.subjects import selections_named
from bot.render.views import AnswerView, Cell, Chart, Credit, Table
from bot.render.words import say
from core.alerts.selection import Selection
from core.alerts.subscription import DigestWatch, PriceWatch, Subscription
from core.offers import MICRO
from core.reference.catalogue import Reference
from core.wording import dollars
from prices.history.series import Step
from prices.history.store import Store

COLUMNS = ("Price", "Now", "Change", "Low", "High", say("alerts.cheapest_at"), "Seen")
NAMED = 3
"""Moves that the verdict names; the table has them all."""


class Line(Struct, frozen=True):
    """One watched price over the digest's time."""

    selection: Selection
    steps: list[Step]
    movement: Movement

    @property
    def change(self) -> float:
        """What it moved by, as a share."""
        first = self.movement.first.micro_usd_per_gpu_hour
        return self.movement.last.micro_usd_per_gpu_hour / first - 1


def digest_view(
    subscription: Subscription,
    watch: DigestWatch,
    channel: Sequence[Subscription],
    store: Store,
    reference: Reference,
    since: datetime,
    until: datetime,
) -> AnswerView:
    """Draw the digest of a channel over a time."""
    wanted = _wanted(watch, channel, reference)
    lines = [
        Line(selection, steps, moved)
        for selection in wanted
        if (steps := cheapest_steps(store, selection, reference, since, until))
        and (moved := movement(steps)) is not None
    ]
    lines.sort(key=lambda line: -abs(line.change))
    return AnswerView(
        kind="answer",
        verdict=_verdict(lines, reference, since),
        why=say(
            "alerts.digest_period",
            instant_words=instant_words(since),
            instant_words_2=instant_words(until),
            cadence_words=cadence_words(watch.cadence),
        ),
        table=_table(lines, reference, until) if lines else None,
        charts=_charts(lines, since, until),
        notes=_unsold(wanted, lines, reference),
        credits=(
            Credit(
                text=say("alerts.digest_by", id=subscription.id),
                user_id=subscription.user_id,
            ),
        ),
        small_print=(price_sources(line.movement.last for line in lines),)
        if lines
        else (),
        actions=(stop_action((subscription.id,)),),
    )


def _wanted(
    watch: DigestWatch, channel: Sequence[Subscription], reference: Reference
) -> list[Selection]:
    """Return the prices to tell of: those named, else those that are watched."""
    if watch.labels:
        return selections_named(watch.labels, reference)
    watched = [
        selection
        for subscription in channel
        if isinstance(subscription.watch, PriceWatch)
        for selection in subscription.watch.selections
        if selection.measure == "price"
    ]
    return list(dict.fromkeys(watched))


def _verdict(lines: list[Line], reference: Reference, since: datetime) -> str:
    moved = [line for line in lines if line.movement.moved]
    if not lines:
        return say("alerts.there_is_no_offer")
    if not moved:
        return say("alerts.no_watched_price_moved", instant_words=instant_words(since))
    named = [
        say(
            "alerts.digest_price_change",
            selection_words=selection_words(line.selection, reference),
            change=_change(line),
            usd_per_gpu_hour=line.movement.last.usd_per_gpu_hour,
        )
        for line in moved[:NAMED]
    ]
    more = len(moved) - NAMED
    return "; ".join(named) + (say("alerts.more_moved", more=more) if more > 0 else "")


def _table(lines: list[Line], reference: Reference, until: datetime) -> Table:
    rows = tuple(
        (
            Cell(text=selection_words(line.selection, reference)),
            money(line.movement.last.usd_per_gpu_hour),
            Cell(text=_change(line), value=round(line.change * 100, 2)),
            _extreme(line.movement.low),
            _extreme(line.movement.high),
            Cell(text=provider_name(line.movement.last.provider, reference)),
            age(line.movement.last, until),
        )
        for line in lines
    )
    return Table(caption=say("alerts.table"), columns=COLUMNS, rows=rows, shown=7)


def _charts(lines: list[Line], since: datetime, until: datetime) -> tuple[Chart, ...]:
    """Draw on-demand and reserved prices in one chart, spot in another."""
    charts = []
    for title, spot in (
        (say("alerts.cheapest_per_gpu_hour"), False),
        (say("alerts.cheapest_spot"), True),
    ):
        named = [
            (_short(line.selection), line.steps)
            for line in lines
            if (line.selection.pricing == "spot") == spot
        ]
        chart = line_chart(_distinct(named), title, since, until)
        charts += [chart] if chart else []
    return tuple(charts)


def _unsold(
    wanted: list[Selection], lines: list[Line], reference: Reference
) -> tuple[str, ...]:
    sold = {line.selection for line in lines}
    names = [selection_words(s, reference) for s in wanted if s not in sold]
    return (say("alerts.unsold", names=", ".join(names)),) if names else ()


def _change(line: Line) -> str:
    if not line.movement.moved:
        return "unchanged"
    first, last = line.movement.first, line.movement.last
    return percent_words(first.micro_usd_per_gpu_hour, last.micro_usd_per_gpu_hour)


def _extreme(step: Step) -> Cell:
    offer = step.cheapest
    if offer is None:
        return Cell(text="–")
    price = Decimal(offer.micro_usd_per_gpu_hour) / MICRO
    return Cell(text=f"{dollars(price)}, {step.at:%d %b}", value=float(price))


def _short(selection: Selection) -> str:
    where = f" {selection.providers[0]}" if len(selection.providers) == 1 else ""
    return f"{label_name(selection.label)}{where}"


def _distinct(
    named: list[tuple[str, list[Step]]],
) -> list[tuple[str, list[Step]]]:
    """Keep the first line of each name: a chart's series are told apart by it."""
    return list(dict(reversed(named)).items())[::-1]

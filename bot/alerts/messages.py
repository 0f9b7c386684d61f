"""Letters as messages: what changed, from what to what, and what it means here."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from msgspec import Struct, field
from msgspec.structs import replace

from bot.alerts.buttons import HISTORY, adjust_action, snooze_action, stop_action
from bot.alerts.digest import digest_view
from bot.alerts.outcomes import Runner
from bot.alerts.sentences import cause_words, headline, reason_words
from bot.alerts.series import cheapest_steps, line_chart
from bot.alerts.trend import cost_chart
from bot.alerts.wording import (
    label_name,
    measured,
    offer_words,
    percent_words,
    selection_words,
    signed_percent,
)
from bot.answers.shared.figures import why_action
from bot.render.views import Action, AnswerView, Cell, Chart, Credit, Table
from bot.render.words import say
from core.alerts.alert import Alert, PriceAlert, StaleAlert, WorkloadAlert
from core.alerts.letters import DAILY_CAP, Address, Letter
from core.alerts.selection import Selection
from core.alerts.subscription import DigestWatch, PriceWatch, Subscription
from core.reference.catalogue import Reference
from prices.alerts.subscriptions import SubscriptionBook
from prices.history.series import Step
from prices.history.store import Store

CHARTED = timedelta(days=30)
MOST_DRAWN = 100
DETAILED = ("alerts", "summary")
"""Letters whose details follow in the thread of their message."""
COLUMNS = ("What", "From", "To", "Change", "Now")


class Composer(Struct, frozen=True):
    """Writes what is posted, with the prices that stand when it is."""

    store: Store
    book: SubscriptionBook
    known: Callable[[], Reference]
    runner: Runner
    drawn: dict[tuple[Selection, datetime], list[Step]] = field(default_factory=dict)
    """What was drawn lately: one poll moves the same price for many channels."""

    @property
    def reference(self) -> Reference:
        """What is known now, the sellers of the day among it."""
        return self.known()

    def view(
        self, address: Address, letter: Letter, now: datetime, *, whole: bool = True
    ) -> AnswerView | None:
        """Compose a message; None where nobody wants it any more.

        Where it is not wanted whole: the news, or the details that follow in its
        thread.
        """
        found = self.known()
        one = replace(self, known=lambda: found)
        match letter.kind:
            case "trouble":
                return _trouble(letter)
            case "digest":
                return one._digest(address, letter)
            case "alerts" | "summary" | "details":
                return one._alerts(address, letter, now, whole)

    def _steps(self, selection: Selection, at: datetime) -> list[Step]:
        found = self.drawn.get((selection, at))
        if found is None:
            since, known = at - CHARTED, self.reference
            found = cheapest_steps(self.store, selection, known, since, at)
            if len(self.drawn) >= MOST_DRAWN:
                self.drawn.clear()
            self.drawn[selection, at] = found
        return found

    def _alerts(
        self, address: Address, letter: Letter, now: datetime, whole: bool
    ) -> AnswerView | None:
        channel = self.book.of_channel(address.team_id, address.channel_id)
        numbers = {subscription.id for subscription in channel}
        alerts = [alert for alert in letter.alerts if alert.subscription in numbers]
        if not alerts:
            return None
        news = self._news(letter, alerts)
        if letter.kind != "details" and not whole:
            return news
        details = news.model_copy(
            update={
                "charts": self._charts(alerts, channel, letter.at),
                "credits": _credits(alerts),
                "small_print": tuple(self._sources(alerts, now)),
            }
        )
        if letter.kind != "details":
            return details
        told: dict[str, object] = {"verdict": say("alerts.details"), "why": ""}
        return details.model_copy(update=told | {"table": None, "actions": ()})

    def _news(self, letter: Letter, alerts: Sequence[Alert]) -> AnswerView:
        several = len(alerts) > 1 or letter.kind == "summary"
        return AnswerView(
            kind="answer",
            verdict=self._verdict(letter, alerts),
            why="" if several else reason_words(alerts[0], self.reference),
            table=self._table(alerts) if several else None,
            actions=_actions(alerts),
        )

    def _verdict(self, letter: Letter, alerts: Sequence[Alert]) -> str:
        if letter.kind == "summary":
            count = len(alerts) + letter.more
            return say(
                "alerts.verdict",
                count=count,
                ending="s" if count > 1 else "",
                at=letter.at,
                daily_cap=DAILY_CAP,
                cause_words=cause_words(alerts, self.reference),
            )
        if len(alerts) == 1:
            return headline(alerts[0], self.reference)
        return cause_words(alerts, self.reference)

    def _table(self, alerts: Sequence[Alert]) -> Table:
        rows = tuple(_row(alert, self.reference) for alert in alerts)
        return Table(
            caption=say("alerts.what_changed"),
            columns=COLUMNS,
            rows=rows[:100],
            shown=10,
        )

    def _charts(
        self, alerts: Sequence[Alert], channel: Sequence[Subscription], at: datetime
    ) -> tuple[Chart, ...]:
        """Draw thirty days of the prices that a message speaks of, or of a cost."""
        if cost := cost_chart(alerts, channel, self.runner, CHARTED, at):
            return (cost,)
        selections = _selections(alerts, channel)
        lines = {
            selection_words(selection, self.reference): self._steps(selection, at)
            for selection in selections
        }
        title = say("alerts.charts")
        chart = line_chart(list(lines.items()), title, at - CHARTED, at)
        return (chart,) if chart else ()

    def _sources(self, alerts: Sequence[Alert], now: datetime) -> list[str]:
        """Say where each price was read, when, and how long ago that is."""
        lines = {}
        for alert in alerts:
            if isinstance(alert, PriceAlert) and (offer := alert.offer) is not None:
                hours = max((now - offer.observed_at).total_seconds() / 3600, 0)
                lines[offer.source] = say(
                    "alerts.sources",
                    source=offer.source,
                    observed_at=offer.observed_at,
                    hours=hours,
                    source_url=offer.source_url,
                )
        return list(lines.values())[:4]

    def _digest(self, address: Address, letter: Letter) -> AnswerView | None:
        subscription = self.book.find(letter.subscription or 0, address.team_id)
        if subscription is None or not isinstance(subscription.watch, DigestWatch):
            return None
        watch, due = subscription.watch, letter.due or letter.at
        return digest_view(
            subscription,
            watch,
            self.book.of_channel(address.team_id, address.channel_id),
            self.store,
            self.reference,
            due - watch.cadence.period_before(due),
            letter.at,
        )


def _trouble(letter: Letter) -> AnswerView:
    return AnswerView(
        kind="hint",
        verdict=letter.text,
        small_print=(letter.link,) if letter.link else (),
    )


def _selections(
    alerts: Sequence[Alert], channel: Sequence[Subscription]
) -> list[Selection]:
    """Return what the alerted subscriptions watch of the GPUs that are told of."""
    watched = {s.id: s.watch for s in channel}
    found = []
    for alert in alerts:
        watch = watched.get(alert.subscription)
        if isinstance(alert, PriceAlert) and isinstance(watch, PriceWatch):
            found += [
                s.model_copy(update={"measure": "price"})
                for s in watch.selections
                if s.label == alert.label
            ]
    return list(dict.fromkeys(found))[:6]


def _row(alert: Alert, reference: Reference) -> tuple[Cell, ...]:
    if isinstance(alert, WorkloadAlert):
        return _plan_row(alert)
    if not isinstance(alert, PriceAlert):
        blank = Cell(text="–")
        return (Cell(text=headline(alert, reference)), blank, blank, blank, blank)
    change = Cell(text=_EVENTS[alert.what])
    if alert.before and alert.after:
        moved = (alert.after / alert.before - 1) * 100
        change = Cell(
            text=percent_words(alert.before, alert.after), value=round(moved, 2)
        )
    offer = offer_words(alert.offer, reference) if alert.offer else "–"
    return (
        Cell(
            text=say(
                "alerts.watched_thing",
                label_name=label_name(alert.label),
                subscription=alert.subscription,
            )
        ),
        _level(alert, alert.before),
        _level(alert, alert.after),
        change,
        Cell(text=offer),
    )


def _plan_row(alert: WorkloadAlert) -> tuple[Cell, ...]:
    """A watched question, before and after, as they were judged."""
    change = "" if alert.percent is None else signed_percent(alert.percent)
    return (
        Cell(
            text=say(
                "alerts.plan_row",
                question=alert.question,
                subscription=alert.subscription,
            )
        ),
        Cell(text=alert.before_amount or "–"),
        Cell(text=alert.after_amount or "–"),
        Cell(text=change or "–", value=alert.percent),
        Cell(text=alert.after),
    )


_EVENTS = {
    "crossed": "crossed",
    "moved": "moved",
    "new_low": say("alerts.new_low"),
    "listed": say("alerts.newly_listed"),
    "delisted": say("alerts.no_longer_listed"),
}


def _level(alert: PriceAlert, level: int | None) -> Cell:
    if level is None:
        return Cell(text="–")
    return Cell(text=measured(level, alert.measure), value=level / 1_000_000)


def _credits(alerts: Sequence[Alert]) -> tuple[Credit, ...]:
    """Say of each subscription what was typed, and by whom."""
    typed = {alert.subscription: alert for alert in alerts}
    return tuple(
        Credit(
            text=say("alerts.credits", number=number, typed=alert.typed),
            user_id=alert.user_id,
        )
        for number, alert in list(typed.items())[:5]
    )


def _actions(alerts: Sequence[Alert]) -> tuple[Action, ...]:
    numbers = tuple(dict.fromkeys(alert.subscription for alert in alerts))[:50]
    first = alerts[0]
    found = [snooze_action(numbers, "1d"), snooze_action(numbers, "1w")]
    if len(numbers) == 1 and not isinstance(first, StaleAlert):
        found.append(adjust_action(numbers[0]))
        found.append(Action(id=HISTORY, label="History", value=str(numbers[0])))
    found.append(stop_action(numbers))
    if isinstance(first, WorkloadAlert) and first.answer_id:
        found.append(why_action(first.answer_id))
    return tuple(found)

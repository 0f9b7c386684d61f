"""What the clock brings: workloads asked again, silent sources, digests, sleepers."""

import logging
from datetime import datetime, timedelta
from itertools import product

from msgspec import Struct

from bot.alerts.outcomes import Runner, context_of, outcome_of
from bot.alerts.wording import amount_words, line_words
from bot.question.question import Answered
from bot.render.words import say
from core.alerts.alert import Alert, StaleAlert, WorkloadAlert
from core.alerts.conditions import COOLDOWN
from core.alerts.letters import Address, Letter
from core.alerts.staleness import SilenceTold, silence
from core.alerts.subscription import StaleWatch, Subscription, WorkloadWatch
from core.alerts.workloads import (
    News,
    Outcome,
    WorkloadTold,
    cause_of,
    changed,
    compare,
    crossed,
    rearmed,
    rebased,
)
from core.reference.freshness import STOPPED
from prices.alerts import alerting
from prices.alerts.subscriptions import SubscriptionBook, address_of
from prices.history.store import Store
from prices.sources import api_prices

log = logging.getLogger("gpucost")
Answer = tuple[Answered, Outcome] | None


class Watching(Struct, frozen=True):
    """Looks at everything that no poll looks at."""

    store: Store
    book: SubscriptionBook
    runner: Runner

    def look(self, now: datetime) -> int:
        """Queue whatever is news by now; return how many messages or alerts."""
        woken = alerting.look(self.book.engine, now)
        found = woken + self.workloads(now) + self.sources(now) + self.digests(now)
        return found + self.stopped(now)

    def stopped(self, now: datetime) -> int:
        """Tell each workspace, once, of a source that is no longer read.

        Where it began with alerts is whose the bot is.
        """
        silent = {
            name: last
            for name, last in self.store.regularly_read().items()
            if now - last > STOPPED
        }
        if not silent:
            return 0
        first: dict[str, Address] = {}
        for subscription in sorted(self.book.every(), key=lambda each: each.id):
            first.setdefault(subscription.team_id, address_of(subscription))
        return self.book.outbox.add(
            (
                address,
                Letter(kind="trouble", text=_stopped(name, last), at=now),
                f"stopped {address.team_id} {name} {last:%Y-%m-%dT%H:%M}",
            )
            for (name, last), address in product(silent.items(), first.values())
        )

    def digests(self, now: datetime) -> int:
        """Queue the digests that are due."""
        return self.book.queue_digests(now)

    def workloads(self, now: datetime) -> int:
        """Answer every watched question again that has not seen these prices."""
        version = f"{self.store.catalog(now).version}{api_prices.version()}"
        answers: dict[str, Answer] = {}
        told = 0
        for subscription in self.book.unseen("workload", version, now):
            key = _same_answer(subscription)
            if key not in answers:
                answers[key] = self._answer(subscription)
            told += self._compare(subscription, answers[key], version, now)
        self.book.release(now)
        return told

    def sources(self, now: datetime) -> int:
        """Tell of sources that went silent, or came back, since it was told last."""
        seen, count = self.store.last_successes(), 0
        for subscription in self.book.of_kind("stale"):
            watch = subscription.watch
            if isinstance(watch, StaleWatch) and not _muted(subscription, now):
                kept = self.book.told(subscription.id) or "{}"
                before = SilenceTold.model_validate_json(kept)
                limit = timedelta(hours=watch.hours)
                change = silence(watch.among(seen), before, now, limit)
                if change.stale or change.recovered:
                    stale = tuple((name, seen[name]) for name in change.stale)
                    alert = _stale(subscription, stale, change.recovered, now)
                    kept = change.told.model_dump_json()
                    self.book.tell(subscription, kept, "", [alert], now)
                    count += 1
        return count

    def _answer(self, subscription: Subscription) -> Answer:
        """Answer a watched question; a fault is logged and costs the others nothing."""
        watch = subscription.watch
        if not isinstance(watch, WorkloadWatch):
            return None
        try:
            answered = self.runner.again(watch.query, context_of(subscription))
        except Exception:
            log.exception("watched question %r could not be answered", watch.question)
            return None
        outcome = outcome_of(answered)
        return None if outcome is None else (answered, outcome)

    def _compare(
        self, subscription: Subscription, answer: Answer, version: str, now: datetime
    ) -> int:
        watch, kept = subscription.watch, self.book.told(subscription.id)
        if not isinstance(watch, WorkloadWatch) or answer is None or kept is None:
            return 0
        _, outcome = answer
        told = WorkloadTold.model_validate_json(kept)
        if told.alerted and now < told.at + COOLDOWN:
            return 0
        news = _news(watch, told.outcome, outcome)
        alerts: list[Alert] = []
        moved = news or changed(told.outcome, outcome)
        if moved is not None:
            alert = _workload(subscription, told, moved, answer, now)
            if news is None:
                self.book.tell_beside(subscription, alert, now)
            else:
                alerts.append(alert)
        if news is None and not _followed(watch, told.outcome, outcome):
            self.book.tell(subscription, kept, version, [], now)
            return 0
        after = WorkloadTold(
            outcome=outcome, at=now, alerted=bool(alerts)
        ).model_dump_json()
        self.book.tell(subscription, after, version, alerts, now)
        return len(alerts)


def _stopped(name: str, last: datetime) -> str:
    return say("alerts.stopped", name=name, last=last)


def _news(watch: WorkloadWatch, told: Outcome, now: Outcome) -> News | None:
    if watch.line is not None:
        return crossed(watch.line, told, now)
    return compare(told, now, watch.percent, watch.direction)


def _followed(watch: WorkloadWatch, told: Outcome, now: Outcome) -> bool:
    """Tell whether the next news is measured from an answer that is none itself."""
    if watch.line is not None:
        return rearmed(watch.line, told, now)
    return rebased(told, now, watch.percent, watch.direction)


def _same_answer(subscription: Subscription) -> str:
    """Name what makes two watched questions the same: the words, and whose they are."""
    watch = subscription.watch
    query = watch.query.model_dump_json() if isinstance(watch, WorkloadWatch) else ""
    return f"{subscription.team_id} {subscription.channel_id} {query}"


def _muted(subscription: Subscription, now: datetime) -> bool:
    return subscription.muted_until is not None and subscription.muted_until > now


def _workload(
    subscription: Subscription,
    told: WorkloadTold,
    news: News,
    answer: tuple[Answered, Outcome],
    now: datetime,
) -> WorkloadAlert:
    watch, (answered, outcome) = subscription.watch, answer
    line = watch.line if isinstance(watch, WorkloadWatch) else None
    return WorkloadAlert(
        subscription=subscription.id,
        typed=subscription.typed,
        user_id=subscription.user_id,
        question=watch.question if isinstance(watch, WorkloadWatch) else "",
        what=news.what,
        percent=news.percent,
        before=told.outcome.words,
        after=outcome.words,
        before_amount=amount_words(told.outcome),
        after_amount=amount_words(outcome),
        cause=cause_of(told.outcome, outcome),
        line=line_words(line) if line and news.what != "beside" else "",
        answer_id=answered.view.id,
        since=told.at,
        at=now,
    )


def _stale(
    subscription: Subscription,
    stale: tuple[tuple[str, datetime], ...],
    recovered: tuple[str, ...],
    now: datetime,
) -> StaleAlert:
    return StaleAlert(
        subscription=subscription.id,
        typed=subscription.typed,
        user_id=subscription.user_id,
        stale=stale,
        recovered=recovered,
        at=now,
    )

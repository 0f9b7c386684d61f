"""The bot as it is served: it answers, refreshes prices, alerts and cleans up."""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from threading import Event, Thread
from typing import Final

from msgspec import Struct

from bot.alerts.service import alert_service, patient_clients
from bot.config.settings import Settings
from bot.operate.operations import Operations
from bot.run.app import OwnApp, build_app
from bot.run.composition import compose
from bot.run.schedule import Pace
from bot.run.warming import stay_warm, warm_up
from bot.service.answering import utc_now
from core.wording import say
from prices.alerts.subscriptions import SubscriptionBook
from prices.history.store import Store
from prices.refresh.intake import SourceResult
from prices.refresh.run import due, refresh_due
from prices.refresh.worker import Outcome, WorkerError, refresh_apart
from prices.sources.chosen import VARIABLE
from prices.sources.feeds import all_sources, unknown_names
from prices.sources.fetch import Fetcher

log = logging.getLogger("gpucost")
STOP_S: Final = 5.0
"""How long a look for what was left behind is waited for."""


class Feeds(Struct, frozen=True):
    """The price feeds that the operator wants polled."""

    environment: Mapping[str, str]
    """What the operator states: keys, files, which feeds, or none: "off"."""
    fetcher: Fetcher | None = None

    def refresh(self, store: Store, now: datetime) -> None:
        """Poll those that are due, in a process of its own: see `worker`."""
        if self.fetcher is not None:
            refresh_due(self.environment, store, now, self.fetcher, _note_result)
        elif wanted := due(store, all_sources(self.environment), now):
            self._apart(store, now, {spec.name for spec in wanted})

    def _apart(self, store: Store, now: datetime, waiting: set[str]) -> None:
        """Note how each feed ended, also where the worker did not live so long."""

        def tell(feed: Outcome) -> None:
            waiting.discard(feed.name)
            _note(feed)

        try:
            refresh_apart(store.engine.home, self.environment, tell)
        except WorkerError as fault:
            for name in sorted(waiting):
                _note(Outcome(name, ok=False, error=str(fault)))
                store.record_failure(name, now, str(fault))

    def words(self) -> str:
        """Say what is polled."""
        for name in unknown_names(self.environment):
            log.warning("%s: there is no feed %r, or it has no key", VARIABLE, name)
        names = [spec.name for spec in all_sources(self.environment)]
        return (
            say("run.polls_feeds", feeds=", ".join(names))
            if names
            else say("run.polls_no_feed")
        )


@contextmanager
def running(
    settings: Settings,
    feeds: Feeds,
    operate: Operations | None = None,
    clock: Callable[[], datetime] = utc_now,
    pace: Pace | None = None,
) -> Iterator[OwnApp]:
    """Make the app, and do until the block ends what the bot does by itself."""
    pace = pace or Pace()
    client_for = patient_clients(settings)
    if operate:
        client_for = operate.watched(client_for)
    service = alert_service(settings, compose(settings, clock), client_for)
    answering = service.answering
    answers = operate.observed(answering) if operate else answering
    replied = operate.metrics.replied if operate else None
    app = build_app(settings, answers, service.for_slack(), clock, replied)

    def refresh(now: datetime) -> None:
        feeds.refresh(answering.store, now)
        stay_warm(answering)

    warm_up(answering)
    with (
        settings.database.anchored(),
        service.running(refresh, pace) as threads,
        recovering(app) as keeper,
    ):
        _say_what_runs(service.commands.book, feeds, pace)
        if operate:
            operate.vitals.anchor()
            operate.vitals.watch(*threads, keeper)
        yield app


@contextmanager
def recovering(app: OwnApp) -> Iterator[Thread]:
    """Answer what a process that was killed had acknowledged, now and from now on."""
    stop = Event()
    keeper = Thread(
        target=app.claims.keep, args=(app, stop), name="claims", daemon=True
    )
    keeper.start()
    yield keeper
    stop.set()
    keeper.join(STOP_S)


def _say_what_runs(book: SubscriptionBook, feeds: Feeds, pace: Pace) -> None:
    log.info("%s", feeds.words())
    log.info(
        "looks every %g min which feeds are due, and every %g min what is news; "
        "subscriptions: %d, messages waiting: %d",
        pace.refresh.total_seconds() / 60,
        pace.look.total_seconds() / 60,
        book.count(),
        book.outbox.depth(),
    )


def _note_result(result: SourceResult) -> None:
    changed = len(result.changes.changed) if result.changes else 0
    _note(Outcome(result.name, result.ok, result.error, result.offers, changed))


def _note(feed: Outcome) -> None:
    if not feed.ok:
        log.warning("feed %s: %s", feed.name, feed.error)
        return
    log.info("feed %s: %d offers, %d changed", feed.name, feed.offers, feed.changed)

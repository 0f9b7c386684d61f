"""The bot as it is served: it answers, refreshes prices, alerts and cleans up."""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from slack_bolt import App

from bot.alerts.service import alert_service, patient_clients
from bot.config.settings import Settings
from bot.operate.operations import Operations
from bot.run.app import build_app
from bot.run.composition import compose
from bot.run.schedule import Pace
from bot.run.warming import warm_up
from bot.service.answering import utc_now
from prices.alerts import outbox
from prices.alerts.subscriptions import SubscriptionBook
from prices.database.connection import anchored
from prices.history.store import Store
from prices.refresh.intake import SourceResult
from prices.refresh.run import refresh_due
from prices.sources import VARIABLE, all_sources, unknown_names
from prices.sources.fetch import Fetcher

log = logging.getLogger("gpucost")


@dataclass(frozen=True)
class Feeds:
    """The price feeds that the operator wants polled."""

    environment: Mapping[str, str]
    """What the operator states: keys, files, which feeds, or none: "off"."""
    fetcher: Fetcher | None = None

    def refresh(self, store: Store, now: datetime) -> None:
        """Poll those that are due."""
        refresh_due(self.environment, store, now, self.fetcher, _note)

    def words(self) -> str:
        """Say what is polled."""
        for name in unknown_names(self.environment):
            log.warning("%s: there is no feed %r, or it has no key", VARIABLE, name)
        names = [spec.name for spec in all_sources(self.environment)]
        return f"polls {', '.join(names)}" if names else "polls no price feed"


@contextmanager
def running(
    settings: Settings,
    feeds: Feeds,
    operate: Operations | None = None,
    clock: Callable[[], datetime] = utc_now,
    pace: Pace | None = None,
) -> Iterator[App]:
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
    warm_up(answering)
    with (
        anchored(settings.database),
        service.running(lambda now: feeds.refresh(answering.store, now), pace),
    ):
        _say_what_runs(service.desk.book, feeds, pace)
        yield app


def _say_what_runs(book: SubscriptionBook, feeds: Feeds, pace: Pace) -> None:
    log.info("%s", feeds.words())
    log.info(
        "looks every %g min which feeds are due, and every %g min what is news; "
        "subscriptions: %d, messages waiting: %d",
        pace.refresh.total_seconds() / 60,
        pace.look.total_seconds() / 60,
        book.count(),
        outbox.depth(book.path),
    )


def _note(result: SourceResult) -> None:
    if not result.ok:
        log.warning("feed %s: %s", result.name, result.error)
        return
    changed = len(result.changes.changed) if result.changes else 0
    log.info("feed %s: %d offers, %d changed", result.name, result.offers, changed)

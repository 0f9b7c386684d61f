"""What the store says of itself, read when somebody asks and kept for some seconds."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from threading import Lock
from typing import Final, Generic, TypeVar

from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from core.wording import say
from prices.database.connection import DatabaseError, Engine
from prices.history.gauges import StoreFigures, figures
from prices.history.health import SourceStatus

log = logging.getLogger("gpucost")
T = TypeVar("T")

FRESH_S: Final = 10.0
NO_TIME: Final = 0.0


class Kept(Generic[T]):
    """A value that is worked out anew only once it is some seconds old."""

    def __init__(self, read: Callable[[], T], seconds: float = FRESH_S) -> None:
        self._read, self._seconds = read, seconds
        self._lock = Lock()
        self._value: T | None = None
        self._until = NO_TIME

    def __call__(self) -> T:
        """Return the value."""
        with self._lock:
            if self._value is None or time.monotonic() >= self._until:
                self._value = self._read()
                self._until = time.monotonic() + self._seconds
            return self._value


class StoreCollector(Collector):
    """Feeds, quarantine, outbox and file as gauges; nothing but the first if it fails.

    Ages are not stored as such: a scrape in between would show an age that stands
    still. What is given is when; a rule subtracts it from `time()`.
    """

    def __init__(
        self,
        engine: Engine,
        intervals: Mapping[str, timedelta] | None = None,
        seconds: float = FRESH_S,
    ) -> None:
        """Read a store; `intervals`: how often each feed is polled."""
        self._intervals = intervals or {}
        self._figures: Kept[StoreFigures] = Kept(lambda: figures(engine), seconds)

    def describe(self) -> Iterable[Metric]:
        """Name nothing beforehand: registering must not read the store."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Yield what is measured now."""
        try:
            found = self._figures()
        except (OSError, DatabaseError) as fault:
            log.warning("the store cannot be measured: %s", fault)
            yield _gauge("gpucost_store_readable", say("metrics.store_readable"), 0)
            return
        yield _gauge("gpucost_store_readable", say("metrics.store_readable"), 1)
        yield _polled(self._intervals)
        yield from _file(found)
        yield from _feeds(found.sources)
        yield from _outbox(found)


def _polled(intervals: Mapping[str, timedelta]) -> Metric:
    polled = _by_source("gpucost_feed_interval_seconds", say("metrics.feed_interval"))
    for source, every in intervals.items():
        polled.add_metric([source], every.total_seconds())
    return polled


def _file(found: StoreFigures) -> Iterator[Metric]:
    yield _gauge(
        "gpucost_store_bytes",
        say("metrics.store_bytes"),
        found.size_bytes,
    )
    if found.free_disk_bytes is not None:
        yield _gauge(
            "gpucost_store_disk_free_bytes",
            say("metrics.disk_free"),
            found.free_disk_bytes,
        )
    yield _gauge(
        "gpucost_store_schema_version",
        say("metrics.schema_version"),
        found.schema_version,
    )


def _feeds(sources: Iterable[SourceStatus]) -> Iterator[Metric]:
    succeeded = _by_source(
        "gpucost_feed_last_success_timestamp_seconds",
        say("metrics.feed_last_success"),
    )
    observed = _by_source(
        "gpucost_feed_observed_timestamp_seconds",
        say("metrics.feed_observed"),
    )
    failing = _by_source("gpucost_feed_failing", say("metrics.feed_failing"))
    offers = _by_source("gpucost_feed_offers", say("metrics.feed_offers"))
    for source in sources:
        labels = [source.name]
        if source.last_success:
            succeeded.add_metric(labels, source.last_success.timestamp())
        if source.observed_at:
            observed.add_metric(labels, source.observed_at.timestamp())
        failing.add_metric(labels, bool(source.error))
        offers.add_metric(labels, source.offers)
    yield from (succeeded, observed, failing, offers)


def _outbox(found: StoreFigures) -> Iterator[Metric]:
    held = _by_source("gpucost_quarantined_prices", say("metrics.quarantined_prices"))
    for source in found.sources:
        held.add_metric([source.name], found.quarantined.get(source.name, 0))
    yield held
    outbox = found.outbox
    yield _gauge(
        "gpucost_outbox_messages", say("metrics.outbox_messages"), outbox.messages
    )
    yield _gauge(
        "gpucost_outbox_oldest_seconds",
        say("metrics.outbox_oldest"),
        max(time.time() - outbox.since, 0) if outbox.since else 0,
    )
    yield _gauge(
        "gpucost_outbox_given_up", say("metrics.outbox_given_up"), outbox.given_up
    )


def _gauge(name: str, what: str, value: float) -> Metric:
    return GaugeMetricFamily(name, what, value=value)


def _by_source(name: str, what: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, what, labels=("source",))

"""Poll every feed at once; what one does wrong is its own affair.

Each feed is fetched in a thread of its own, up to its own deadline. What arrives is
read, judged and recorded here, one feed after another in the order of arrival, so that
only one payload is unfolded at a time. A feed that outlives its deadline is left behind
with its thread.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic

from msgspec import Struct

from core.wording import say
from prices.database.connection import StoreError
from prices.guard.quarantine import BY_HAND, Quarantine
from prices.history.health import SourceStatus
from prices.history.poll import ChangeSet, OlderPollError, Poll
from prices.history.store import Store
from prices.refresh.intake import Arrival, PollIntake, SourceResult
from prices.sources.feeds import all_sources
from prices.sources.fetch import Fetcher, FetchError
from prices.sources.http_cache import HttpCache
from prices.sources.rates import NAME as RATES
from prices.sources.source import SourceSpec

GRACE_S = 2.0
"""For a thread to report that its deadline has passed."""
RETRY_SHARE = 4
"""A feed that failed is due again after a quarter of its interval."""

Progress = Callable[[SourceResult], None]


class RefreshReport(Struct, frozen=True):
    """What one look at the feeds came to."""

    at: datetime
    results: tuple[SourceResult, ...] = ()
    """How each feed ended that was due; empty where none was."""

    @property
    def failed(self) -> tuple[SourceResult, ...]:
        """The feeds that could not be read."""
        return tuple(result for result in self.results if not result.ok)


def refresh_due(
    environment: Mapping[str, str],
    store: Store,
    now: datetime,
    fetcher: Fetcher | None = None,
    progress: Progress | None = None,
) -> RefreshReport:
    """Poll the feeds that are due; what a served bot calls every few minutes.

    `environment` is what `bot.config.settings.stated()` returns: keys, the owner's
    files and `GPUCOST_FEEDS`, which may be "off". Each feed is recorded as it arrives,
    in a transaction of its own that `store`'s `after_poll` takes part in; it never
    raises for what a feed does. It returns by the latest deadline among the feeds that
    were due (90 s), at once where none was.
    """
    wanted = due(store, all_sources(environment), now)
    with ours(store, wanted) as free:
        # What another polled until now is no longer due.
        if not (wanted := due(store, free, now) if free else []):
            return RefreshReport(now)
        return RefreshReport(now, tuple(refresh(store, now, wanted, fetcher, progress)))


@contextmanager
def ours(store: Store, specs: Sequence[SourceSpec]) -> Iterator[list[SourceSpec]]:
    """Have the feeds to oneself that no other machine polls at this moment."""
    with store.engine.turns(f"poll {spec.name}" for spec in specs) as names:
        yield [spec for spec in specs if f"poll {spec.name}" in names]


def refresh(
    store: Store,
    now: datetime,
    sources: Sequence[SourceSpec] | None = None,
    fetcher: Fetcher | None = None,
    progress: Progress | None = None,
) -> list[SourceResult]:
    """Poll the feeds, all that the environment allows where none are given.

    The results come in the order of the feeds; `progress` hears of each as it ends.
    """
    if store.readonly:
        raise StoreError(say("database.read_only", place=store.engine))
    specs = all_sources(os.environ) if sources is None else tuple(sources)
    intake = PollIntake(store, now, specs)
    asked = intake.with_rates(specs)
    arrivals = _arrivals(asked, fetcher or Fetcher(), intake.kept)
    results: dict[str, SourceResult] = {}
    for arrival in _in_order(arrivals, waits=len(asked) > len(specs)):
        if arrival.spec.name == RATES:
            intake.take_rates(arrival)
            continue
        result = intake.take(arrival)
        results[arrival.spec.name] = result
        if progress:
            progress(result)
    return [results[spec.name] for spec in specs]


def _in_order(arrivals: Iterable[Arrival], *, waits: bool) -> Iterator[Arrival]:
    """Put prices in other currencies after the rates, and witnesses last."""
    foreign: list[Arrival] = []
    witnesses: list[Arrival] = []
    for arrival in arrivals:
        spec = arrival.spec
        if spec.witness:
            witnesses.append(arrival)
        elif waits and spec.foreign:
            foreign.append(arrival)
        else:
            yield arrival
        if spec.name == RATES:
            waits = False
            yield from foreign
    yield from witnesses


def due(store: Store, specs: Iterable[SourceSpec], now: datetime) -> list[SourceSpec]:
    """Return the feeds whose last poll, or last failure, is long enough ago."""
    known = {status.name: status for status in store.sources()}
    return [spec for spec in specs if _is_due(spec, known.get(spec.name), now)]


def _is_due(spec: SourceSpec, status: SourceStatus | None, now: datetime) -> bool:
    if status is None:
        return True
    waits = (
        (status.last_success, spec.every),
        (status.last_failure, spec.every / RETRY_SHARE),
    )
    return all(last is None or now - last >= wait for last, wait in waits)


def _arrivals(
    specs: Sequence[SourceSpec], fetcher: Fetcher, kept: HttpCache
) -> Iterator[Arrival]:
    """Yield what each feed sent, or why it did not, by the end of its deadline."""
    queue: SimpleQueue[Arrival] = SimpleQueue()
    started = monotonic()
    for spec in specs:
        work = partial(_fetch, spec, fetcher, kept, queue)
        Thread(target=work, name=f"feed {spec.name}", daemon=True).start()
    waiting = {spec.name: spec for spec in specs}
    while waiting:
        ends = min(spec.deadline_s for spec in waiting.values()) + GRACE_S
        try:
            arrival = queue.get(timeout=max(0.0, started + ends - monotonic()))
        except Empty:
            arrival = _overdue(waiting.values(), monotonic() - started)
        if waiting.pop(arrival.spec.name, None):
            yield arrival


def _overdue(waiting: Iterable[SourceSpec], seconds: float) -> Arrival:
    spec = min(waiting, key=lambda spec: spec.deadline_s)
    fault = FetchError(say("feeds.no_answer_within", seconds=spec.deadline_s))
    return Arrival(spec, [], {}, seconds, fault)


def _fetch(
    spec: SourceSpec,
    fetcher: Fetcher,
    kept: HttpCache,
    queue: SimpleQueue[Arrival],
) -> None:
    started = monotonic()
    try:
        with fetcher.session(spec, partial(kept.find, spec.name)) as session:
            payloads = list(spec.fetch(session))
            fresh = session.fresh
        start = payloads[0][:200] if payloads else b""
        seconds = monotonic() - started
        arrival = Arrival(spec, payloads, fresh, seconds, start=start)
    except Exception as fault:  # noqa: BLE001 - one feed must not end the others
        arrival = Arrival(spec, [], {}, monotonic() - started, fault)
    queue.put(arrival)


def release(
    store: Store, entry_id: int, now: datetime, who: str = ""
) -> ChangeSet | None:
    """Let a price go that a person vouches for, and record it now.

    Where there is no price to record (a provider that shrank), the next poll passes.
    An id that is not held raises `KeyError`.
    """
    quarantine = Quarantine(store.engine)
    entry = quarantine.find(entry_id)
    if entry is None or entry.state != "held":
        raise KeyError(entry_id)
    quarantine.release([entry_id], BY_HAND, now, who)
    if entry.point is None or entry.kind == "differs":
        return None
    with suppress(OlderPollError):
        return store.record(Poll(entry.source, now, [entry.point], complete=False))
    return None

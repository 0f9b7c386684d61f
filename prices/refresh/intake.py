"""From what a feed sent to what the store keeps: read, judge, record, note."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from core.wording import say
from prices.database.connection import DatabaseError, Engine
from prices.guard.guard import judge
from prices.guard.market import Market, dollars_of
from prices.guard.quarantine import Quarantine, Suspect, printable
from prices.guard.verdict import Permits, Verdict
from prices.history.poll import ChangeSet, OlderPollError, Poll
from prices.history.store import Store
from prices.snapshot import datasets
from prices.snapshot.published import published
from prices.sources.fetch import Kept
from prices.sources.http_cache import HttpCache
from prices.sources.rates import NAME as RATES
from prices.sources.rates import SPEC as RATES_SPEC
from prices.sources.rates import RateBook, read_rates
from prices.sources.rows import subject_of
from prices.sources.source import (
    Moment,
    PayloadError,
    Reading,
    SourceSpec,
    UnreachableError,
)


class NothingLeftError(PayloadError):
    """A poll of which every offer is kept back."""


SETTING = timedelta(minutes=10)
"""By how much two machines' clocks may differ."""


class SourceResult(Struct, frozen=True):
    """How the poll of one feed ended."""

    name: str
    ok: bool
    error: str = ""
    changes: ChangeSet | None = None
    offers: int = 0
    """How many offers entered, confirmed ones included."""
    quarantined: int = 0
    """How many are kept back."""
    seconds: float = 0.0
    note: str = ""


class Arrival(Struct, frozen=True):
    """What a feed sent, or why it sent nothing."""

    spec: SourceSpec
    payloads: list[bytes]
    fresh: dict[str, Kept]
    seconds: float
    fault: Exception | None = None
    start: bytes = b""
    """How the first payload begins."""


class ClockError(ValueError):
    """A source whose last poll is still to come: the clock was, or is, wrong."""

    def __init__(self, last: datetime) -> None:
        super().__init__(say("feeds.polled_in_future", last=last))


class PollIntake:
    """Where payloads become prices: rates, market and quarantine of one refresh."""

    def __init__(
        self, store: Store, now: datetime, specs: Sequence[SourceSpec]
    ) -> None:
        self.kept = HttpCache(store.engine)
        self._store = store
        self._now = now
        self._quarantine = Quarantine(store.engine)
        self._rates = RateBook(store.engine)
        self._polled = store.last_successes()
        labels = {spec.name: spec.label for spec in specs if spec.label}
        offers = store.catalog(now, superseded=True).offers
        public = {spec.name for spec in specs if not spec.private}
        shipped = {dataset.source for dataset in datasets()}
        self._market = Market(offers, now, labels, public | shipped)
        suspects = self._quarantine.entries()
        self._market.hear(entry.point for entry in suspects if entry.point)

    def with_rates(self, specs: Sequence[SourceSpec]) -> tuple[SourceSpec, ...]:
        """Ask for exchange rates too on a day that has none."""
        if not specs or self._rates.is_pinned(self._now.date()):
            return tuple(specs)
        return (RATES_SPEC, *specs)

    def take_rates(self, arrival: Arrival) -> None:
        """Pin the day's rates; without them the last ones hold, with their date."""
        today = self._now.date()
        try:
            if arrival.fault:
                raise arrival.fault
            for payload in arrival.payloads:
                rates = read_rates(payload, self._rates.pinned(today), self._now)
                self._rates.pin(today, rates)
            self._note_success(RATES)
        except Exception as fault:  # noqa: BLE001 - prices in dollars need no rate
            self._note_failure(RATES, _said(fault))

    def take(self, arrival: Arrival) -> SourceResult:
        """Read, judge and record what a feed sent."""
        started = monotonic()
        spec = arrival.spec
        try:
            result = self._taken(arrival)
        except Exception as fault:  # noqa: BLE001 - one feed must not end the others
            result = self._failed(arrival, fault)
        seconds = arrival.seconds + monotonic() - started
        return replace(result, name=spec.name, seconds=seconds)

    def _taken(self, arrival: Arrival) -> SourceResult:
        if arrival.fault:
            raise arrival.fault
        spec = arrival.spec
        if spec.keep:
            result = self._kept_apart(arrival, spec.keep)
            self.kept.keep(spec.name, arrival.fresh, self._now)
            return result
        if spec.catalogue:
            result = self._others(arrival)
            self.kept.keep(spec.name, arrival.fresh, self._now)
            return result
        reading = self._read(arrival)
        take = self._witnessed if spec.witness else self._judged
        result = take(spec, reading)
        self.kept.keep(spec.name, arrival.fresh, self._now)
        return result

    def _kept_apart(
        self, arrival: Arrival, keep: Callable[[Engine, bytes, datetime], str]
    ) -> SourceResult:
        """Hand over what is no price of a GPU."""
        said = [keep(self._store.engine, each, self._now) for each in arrival.payloads]
        self._note_success(arrival.spec.name)
        return SourceResult(arrival.spec.name, ok=True, note="; ".join(said))

    def _others(self, arrival: Arrival) -> SourceResult:
        """Record what other sources said, each as a poll of its own."""
        total, held, changes = 0, 0, None
        for dataset in published(b"".join(arrival.payloads)):
            last = self._polled.get(dataset.source)
            if last is not None and last >= dataset.observed_at:
                continue
            spec = replace(
                arrival.spec,
                name=dataset.source,
                label=dataset.source,
                attribution=dataset.attribution,
                private=False,
            )
            result = self._judged(spec, Reading(points=list(dataset.points)))
            total, held = total + result.offers, held + result.quarantined
            changes = result.changes or changes
        self._note_success(arrival.spec.name)
        note = "" if total else say("feeds.nothing_newer")
        return SourceResult(
            arrival.spec.name, True, "", changes, total, held, note=note
        )

    def _read(self, arrival: Arrival) -> Reading:
        # A feed that is in dollars alone and says otherwise is not converted.
        today = self._rates.pinned(self._now.date()) if arrival.spec.foreign else ()
        moment = Moment(self._now, today)
        reading = Reading()
        while arrival.payloads:
            # from the front, so that a payload is gone once it has been read
            reading.merge(_read_one(arrival.spec, arrival.payloads[0], moment))
            del arrival.payloads[0]
        if not reading.points and not reading.refused:
            raise PayloadError("no offers")
        return reading

    def _judged(self, spec: SourceSpec, reading: Reading) -> SourceResult:
        last = self._polled.get(spec.name)
        released = self._quarantine.entries("released", source=spec.name)
        permits = Permits(released, last.timestamp() if last else 0)
        verdict = judge(reading, spec.name, self._market, permits)
        self._release(spec.name, verdict)
        self._quarantine.note(spec.name, verdict.suspects, self._now)
        if not verdict.points:
            raise NothingLeftError(_nothing_left(verdict))
        changes = self._record(spec, reading, verdict)
        return SourceResult(
            name=spec.name,
            ok=True,
            changes=changes,
            offers=len(verdict.points),
            quarantined=len(verdict.suspects),
            note=_note(reading, verdict) if changes else "polled already",
        )

    def _release(self, source: str, verdict: Verdict) -> None:
        """Let go what another source vouches for by now."""
        held = {
            (entry.kind, entry.seat): entry.id
            for entry in self._quarantine.entries(source=source)
        }
        for suspect, voucher in verdict.vouched:
            if entry_id := held.get((suspect.kind, suspect.seat)):
                self._quarantine.release([entry_id], voucher, self._now)

    def _record(
        self, spec: SourceSpec, reading: Reading, verdict: Verdict
    ) -> ChangeSet | None:
        poll = Poll(
            source=spec.name,
            observed_at=self._now,
            points=verdict.points,
            complete=verdict.complete,
            providers=reading.providers,
            held=verdict.held,
            incomplete=verdict.incomplete,
            version=reading.version,
            attribution=spec.attribution,
        )
        try:
            return self._store.record(poll)
        except OlderPollError as older:
            if older.last - self._now > SETTING:
                raise ClockError(older.last) from older
            return None  # another process was faster

    def _witnessed(self, spec: SourceSpec, reading: Reading) -> SourceResult:
        """Let a witness speak; nothing that it says is kept but where it disputes."""
        suspects = [
            Suspect(
                "differs",
                subject_of(claim),
                say(
                    "feeds.sources_differ",
                    one=dollars_of(claim.micro_usd_per_gpu_hour),
                    source=claim.source,
                    other=dollars_of(point.micro_usd_per_gpu_hour),
                    name=spec.name,
                ),
                key=(claim.source, subject_of(claim)),
            )
            for point in reading.points
            for claim in self._market.disputed(point)
        ]
        self._market.hear(reading.points)
        self._quarantine.note(spec.name, suspects, self._now)
        self._note_success(spec.name)
        said = f"{len(reading.points)} prices compared"
        return SourceResult(spec.name, ok=True, quarantined=len(suspects), note=said)

    def _failed(self, arrival: Arrival, fault: Exception) -> SourceResult:
        error = _said(fault)
        if isinstance(fault, PayloadError) and not isinstance(fault, NothingLeftError):
            self._quarantine.note_payload(
                arrival.spec.name, error, arrival.start, self._now
            )
        self._note_failure(arrival.spec.name, error)
        return SourceResult(arrival.spec.name, ok=False, error=error)

    def _note_success(self, name: str) -> None:
        """Note that a source without offers of its own was read."""
        with suppress(OlderPollError):
            self._store.record(Poll(name, self._now, [], complete=False))

    def _note_failure(self, name: str, error: str) -> None:
        # Where the file is locked or full, the result alone can say it.
        with suppress(DatabaseError):
            self._store.record_failure(name, self._now, error)


def _read_one(spec: SourceSpec, payload: bytes, moment: Moment) -> Reading:
    try:
        return spec.read(payload, moment)
    except (PayloadError, UnreachableError, MemoryError):
        raise
    except Exception as fault:
        said = f"{type(fault).__name__}: {fault}"
        raise PayloadError(f"another shape ({said})"[:200]) from fault


def _said(fault: Exception) -> str:
    if isinstance(fault, MemoryError):
        return say("feeds.payload_too_large")
    known = isinstance(fault, UnreachableError | PayloadError | ClockError)
    error = str(fault) if known else f"{type(fault).__name__}: {fault}"
    return printable(" ".join(error.split()))[:300]


def _note(reading: Reading, verdict: Verdict) -> str:
    more = say("feeds.duplicates", duplicates=verdict.duplicates)
    return "; ".join(filter(None, (reading.note, more if verdict.duplicates else "")))


def _nothing_left(verdict: Verdict) -> str:
    """Say why a poll of nothing but suspects is refused as a whole."""
    first = verdict.suspects[0]
    return say(
        "feeds.all_refused",
        count=len(verdict.suspects),
        subject=first.subject,
        reason=first.reason,
    )

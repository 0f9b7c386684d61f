"""Prices that the guard keeps back: why, since when, and who let them go.

An entry is held until a poll of its source no longer reports it (`ended`), or until
somebody vouches for it (`released`): another source, or a person. A release is a
permit: the same price of the same offer passes from then on.
"""

import json
from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from msgspec import Struct

from core.offers import PricePoint
from core.wording import say
from prices.database.connection import Connection, Engine
from prices.database.tables import prepare
from prices.history.ingest import Key
from prices.records import audit

Kind = Literal[
    "not a price",
    "shape",
    "bounds",
    "spot",
    "total",
    "jump",
    "reserved",
    "swapped",
    "machine",
    "drift",
    "shrunk",
    "payload",
    "differs",
]
State = Literal["held", "released", "ended"]

BY_HAND = "by hand"
FORGOTTEN_AFTER = timedelta(days=90)
"""When what has ended is no longer of interest; what a person let go is never."""

SCRIPTS = {
    "m001_quarantine": """
        CREATE TABLE quarantine (
            id INTEGER PRIMARY KEY,
            source TEXT NOT NULL,
            kind TEXT NOT NULL,
            seat TEXT NOT NULL,
            subject TEXT NOT NULL,
            reason TEXT NOT NULL,
            raw TEXT NOT NULL,
            micro_usd INTEGER,
            point TEXT,
            first_seen INTEGER NOT NULL,
            last_seen INTEGER NOT NULL,
            times INTEGER NOT NULL DEFAULT 1,
            state TEXT NOT NULL DEFAULT 'held'
                CHECK (state IN ('held', 'released', 'ended')),
            closed_at INTEGER,
            closed_by TEXT NOT NULL DEFAULT ''
        ) STRICT;
        CREATE UNIQUE INDEX quarantine_held ON quarantine (source, kind, seat)
            WHERE state = 'held';
        CREATE INDEX quarantine_by_state ON quarantine (state, source);
    """
}
_COLUMNS = (
    "id, source, kind, seat, subject, reason, raw, micro_usd, point, "
    "first_seen, last_seen, times, state, closed_at, closed_by"
)


class Suspect(Struct, frozen=True):
    """What a poll said that is not to be believed yet."""

    kind: Kind
    subject: str
    reason: str
    raw: str = ""
    key: Key | None = None
    point: PricePoint | None = None

    @property
    def seat(self) -> str:
        """What makes two suspects the same: the offer, or the words where it has none.

        A row that names no offer is known by what it said.
        """
        return json.dumps(self.key) if self.key else f"{self.subject}|{self.raw}"


class Entry(Struct, frozen=True):
    """One suspect as it is kept."""

    id: int
    source: str
    kind: Kind
    seat: str
    subject: str
    reason: str
    raw: str
    micro_usd: int | None
    point: PricePoint | None
    first_seen: datetime
    last_seen: datetime
    times: int
    """How many polls have said it."""
    state: State
    closed_at: datetime | None
    closed_by: str


class Quarantine:
    """The suspects of every source."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        prepare(engine, "quarantine", SCRIPTS)
        audit.prepare_audit(engine)

    def note(self, source: str, suspects: Iterable[Suspect], now: datetime) -> None:
        """Note what a poll said that is held; what it no longer says has ended."""
        at = int(now.timestamp())
        rows = [_row(source, suspect, at) for suspect in suspects]
        with self.engine.writing() as connection:
            connection.executemany(_HOLD, rows)
            connection.execute(
                """
                UPDATE quarantine SET state = 'ended', closed_at = ?
                WHERE source = ? AND state = 'held' AND last_seen < ?
                """,
                (at, source, at),
            )
            connection.execute(
                """
                DELETE FROM quarantine
                WHERE closed_at < ? AND (state = 'ended' OR closed_by != ?)
                """,
                (at - int(FORGOTTEN_AFTER.total_seconds()), BY_HAND),
            )

    def note_payload(
        self, source: str, reason: str, payload: bytes, now: datetime
    ) -> None:
        """Note a payload that was refused as a whole; nothing else has ended by it."""
        start = payload[:200].decode("utf-8", "replace")
        suspect = Suspect("payload", "the whole payload", reason, start)
        row = _row(source, suspect, int(now.timestamp()))
        with self.engine.writing() as connection:
            connection.execute(_HOLD, row)

    def entries(self, *states: State, source: str | None = None) -> list[Entry]:
        """Return entries by state, those that are held where none is named.

        The latest come first.
        """
        states = states or ("held",)
        marks = ",".join("?" * len(states))
        with self.engine.reading() as connection:
            rows = connection.execute(
                f"""
                SELECT {_COLUMNS} FROM quarantine
                WHERE state IN ({marks}) AND source = coalesce(?, source)
                ORDER BY last_seen DESC, id
                """,  # noqa: S608 - constants and question marks
                (*states, source),
            ).fetchall()
        return [_entry(row) for row in rows]

    def find(self, entry_id: int) -> Entry | None:
        """Return one entry."""
        with self.engine.reading() as connection:
            row = connection.execute(
                f"SELECT {_COLUMNS} FROM quarantine WHERE id = ?",  # noqa: S608 - constants
                (entry_id,),
            ).fetchone()
        return _entry(row) if row else None

    def release(
        self, ids: Collection[int], by: str, now: datetime, who: str = ""
    ) -> None:
        """Let entries go, and say who vouches for them; `who` is that by name."""
        at = int(now.timestamp())
        with self.engine.writing() as connection:
            _tell(connection, ids, who or by, now)
            connection.executemany(
                """
                UPDATE quarantine SET state = 'released', closed_at = ?, closed_by = ?
                WHERE id = ? AND state = 'held'
                """,
                [(at, by, entry_id) for entry_id in ids],
            )


def _tell(connection: Connection, ids: Iterable[int], who: str, now: datetime) -> None:
    """Note the release of what is held, before it is released."""
    for entry_id in ids:
        row = connection.execute(
            """
            SELECT source || ' ' || id || ': ' || subject, reason, micro_usd
            FROM quarantine WHERE id = ? AND state = 'held'
            """,
            (entry_id,),
        ).fetchone()
        if row is not None:
            subject, held_for, micro = row
            price = None if micro is None else say("guard.price_kept", usd=micro / 1e6)
            audit.note(
                connection,
                audit.Entry(
                    now, audit.OPERATOR, who, "price released", subject, held_for, price
                ),
            )


_HOLD = """
    INSERT INTO quarantine (source, kind, seat, subject, reason, raw, micro_usd,
        point, first_seen, last_seen)
    VALUES (:source, :kind, :seat, :subject, :reason, :raw, :micro_usd, :point,
        :at, :at)
    ON CONFLICT (source, kind, seat) WHERE state = 'held' DO UPDATE SET
        reason = excluded.reason, raw = excluded.raw,
        micro_usd = excluded.micro_usd, point = excluded.point,
        last_seen = excluded.last_seen, times = quarantine.times + 1
"""


def printable(text: str) -> str:
    """Return what a feed said with nothing in it that a terminal would obey."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _row(source: str, suspect: Suspect, at: int) -> dict[str, object]:
    point = suspect.point
    return {
        "source": source,
        "kind": suspect.kind,
        "seat": suspect.seat[:1000],
        "subject": printable(suspect.subject)[:300],
        "reason": printable(suspect.reason)[:300],
        "raw": printable(suspect.raw)[:500],
        "micro_usd": point.micro_usd_per_gpu_hour if point else None,
        "point": point.model_dump_json() if point else None,
        "at": at,
    }


def _entry(row: Any) -> Entry:
    values = dict(zip(_COLUMNS.split(", "), row, strict=True))
    point, closed = values["point"], values["closed_at"]
    values["point"] = PricePoint.model_validate_json(str(point)) if point else None
    for name in ("first_seen", "last_seen"):
        values[name] = datetime.fromtimestamp(float(str(values[name])), UTC)
    if closed is not None:
        values["closed_at"] = datetime.fromtimestamp(float(str(closed)), UTC)
    return Entry(**values)

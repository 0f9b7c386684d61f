"""A way out after the clock was ahead: polls of days to come get days that were.

A source goes on from its last poll alone, so that one dated next year would stop it
until then. Nothing goes: what lies ahead keeps its order, a second apart, behind the
last instant that any source knew of before. So no price looks younger than it is; the
next poll says what is still true.
"""

from datetime import UTC, datetime

from msgspec import Struct

from core.wording import say
from prices.database.connection import Connection, Engine
from prices.records import audit

_EVERY = """
    SELECT at AS t FROM polls
    UNION ALL SELECT at FROM coverage
    UNION ALL SELECT observed_at FROM coverage
    UNION ALL SELECT first_seen FROM offers
    UNION ALL SELECT confirmed_until FROM offers
    UNION ALL SELECT first_seen FROM history
    UNION ALL SELECT last_seen FROM history
    UNION ALL SELECT ended_at FROM history
"""
_INSTANTS = f"SELECT DISTINCT t FROM ({_EVERY}) AS instants"  # noqa: S608 - constants
_BEHIND = f"{_INSTANTS} WHERE t <= ? ORDER BY t DESC LIMIT 1"
_AHEAD = f"{_INSTANTS} WHERE t > ? ORDER BY t"
_DATED = {
    "polls": ("at",),
    "coverage": ("at", "observed_at"),
    "offers": ("first_seen", "confirmed_until"),
    "history": ("first_seen", "last_seen", "ended_at"),
}
"""Every column of each table that dates what a poll said."""


class TooManyAheadError(ValueError):
    """More instants lie ahead than seconds passed since the last that was right."""


class Ahead(Struct, frozen=True):
    """What is dated later than now."""

    polls: int
    sources: tuple[str, ...]
    until: datetime | None
    behind: datetime
    """The last instant that is not: what lies ahead is put behind it."""


def ahead(engine: Engine, now: datetime) -> Ahead:
    """Say what of a store is dated later than now."""
    with engine.reading() as connection:
        return _ahead(connection, int(now.timestamp()))


def redate(engine: Engine, now: datetime, who: str) -> Ahead:
    """Date what lies ahead behind what does not, all of it or nothing."""
    at = int(now.timestamp())
    audit.prepare_audit(engine)
    with engine.writing() as connection:
        found = _ahead(connection, at)
        if found.until is not None:
            _plan(connection, at, int(found.behind.timestamp()))
            with connection.unguarded("history", "history_never_changes"):
                for table, columns in _DATED.items():
                    connection.execute(_move(table, columns), (at,) * len(columns))
            connection.execute("DROP TABLE redated")
            audit.note(connection, _entry(found, now, who))
    return found


def _move(table: str, columns: tuple[str, ...]) -> str:
    """Write how a table's dates become those that are planned for them."""
    moved = ", ".join(
        f"{name} = coalesce((SELECT new FROM redated WHERE old = {name}), {name})"  # noqa: S608 - constants
        for name in columns
    )
    late = " OR ".join(f"{name} > ?" for name in columns)
    return f"UPDATE {table} SET {moved} WHERE {late}"  # noqa: S608 - constants


def _ahead(connection: Connection, now: int) -> Ahead:
    polled = connection.execute(
        """
        SELECT name, count(*), max(at) FROM polls
        JOIN sources ON sources.id = source_id WHERE at > ? GROUP BY name ORDER BY name
        """,
        (now,),
    ).fetchall()
    (last,) = connection.execute(_BEHIND, (now,)).fetchone() or (0,)
    return Ahead(
        polls=sum(count for _, count, _ in polled),
        sources=tuple(name for name, _, _ in polled),
        until=_instant(max(at for *_, at in polled)) if polled else None,
        behind=_instant(last),
    )


def _plan(connection: Connection, now: int, behind: int) -> None:
    """Pair every instant that lies ahead with the one that it gets."""
    found = [t for (t,) in connection.execute(_AHEAD, (now,))]
    if behind + len(found) > now:
        raise TooManyAheadError(
            say("database.try_again", seconds=behind + len(found) - now)
        )
    number = connection.dialect.number
    connection.execute(
        f"CREATE TEMP TABLE redated (old {number} PRIMARY KEY, new {number} NOT NULL)"
    )
    pairs = [(old, behind + place) for place, old in enumerate(found, 1)]
    connection.executemany("INSERT INTO redated VALUES (?, ?)", pairs)


def _entry(found: Ahead, now: datetime, who: str) -> audit.Entry:
    return audit.Entry(
        at=now,
        team_id=audit.OPERATOR,
        user_id=who,
        action="polls redated",
        subject=", ".join(found.sources),
        before=f"up to {found.until:%Y-%m-%d %H:%M}",
        after=f"{found.polls} behind {found.behind:%Y-%m-%d %H:%M}",
    )


def _instant(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)

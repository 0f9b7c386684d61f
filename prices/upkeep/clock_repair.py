"""A way out after the clock was ahead: polls of days to come get days that were.

A source goes on from its last poll alone, so that one dated next year would stop it
until then. Nothing goes: what lies ahead keeps its order, a second apart, behind the
last instant that any source knew of before. So no price looks younger than it is; the
next poll says what is still true.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from prices.database.connection import Connection, Engine, StoreError
from prices.history.schema import HISTORY_STAYS
from prices.records import audit

_EVERY = """
    CREATE TEMP VIEW instants AS
    SELECT at AS t FROM polls
    UNION ALL SELECT at FROM coverage
    UNION ALL SELECT observed_at FROM coverage
    UNION ALL SELECT first_seen FROM offers
    UNION ALL SELECT confirmed_until FROM offers
    UNION ALL SELECT first_seen FROM history
    UNION ALL SELECT last_seen FROM history
    UNION ALL SELECT ended_at FROM history
"""
_PLAN = """
    CREATE TEMP TABLE redated AS
    SELECT t AS old, bounds.behind + row_number() OVER (ORDER BY t) AS new
    FROM instants, temp.bounds WHERE t > bounds.now GROUP BY t
"""
_MOVES = (
    """
    UPDATE polls SET at = redated.new FROM temp.redated WHERE at = redated.old
    """,
    """
    UPDATE coverage SET
        at = coalesce((SELECT new FROM temp.redated WHERE old = at), at),
        observed_at = coalesce(
            (SELECT new FROM temp.redated WHERE old = observed_at), observed_at)
    WHERE at > (SELECT now FROM temp.bounds)
    """,
    """
    UPDATE offers SET
        first_seen = coalesce(
            (SELECT new FROM temp.redated WHERE old = first_seen), first_seen),
        confirmed_until = coalesce(
            (SELECT new FROM temp.redated WHERE old = confirmed_until), confirmed_until)
    WHERE max(first_seen, coalesce(confirmed_until, 0))
        > (SELECT now FROM temp.bounds)
    """,
    "DROP TRIGGER history_never_changes",
    """
    UPDATE history SET
        first_seen = coalesce(
            (SELECT new FROM temp.redated WHERE old = first_seen), first_seen),
        last_seen = coalesce(
            (SELECT new FROM temp.redated WHERE old = last_seen), last_seen),
        ended_at = coalesce(
            (SELECT new FROM temp.redated WHERE old = ended_at), ended_at)
    WHERE ended_at > (SELECT now FROM temp.bounds)
    """,
    HISTORY_STAYS,
)


class TooManyAheadError(ValueError):
    """More instants lie ahead than seconds passed since the last that was right."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """What is dated later than now."""

    polls: int
    sources: tuple[str, ...]
    until: datetime | None
    behind: datetime
    """The last instant that is not: what lies ahead is put behind it."""


def ahead(engine: Engine, now: datetime) -> Ahead:
    """Say what of a store is dated later than now."""
    _refuse_server(engine)
    with engine.reading() as connection:
        return _ahead(connection, int(now.timestamp()))


def redate(engine: Engine, now: datetime, who: str) -> Ahead:
    """Date what lies ahead behind what does not, all of it or nothing."""
    at = int(now.timestamp())
    _refuse_server(engine)
    audit.prepare_audit(engine)
    with engine.writing() as connection:
        found = _ahead(connection, at)
        if found.until is not None:
            _plan(connection, at, int(found.behind.timestamp()))
            for statement in _MOVES:
                connection.execute(statement)
            audit.note(connection, _entry(found, now, who))
    return found


def _refuse_server(engine: Engine) -> None:
    if not engine.is_file:
        raise StoreError(f"{engine}: polls can be redated in SQLite alone so far")


def _ahead(connection: Connection, now: int) -> Ahead:
    polled = connection.execute(
        """
        SELECT name, count(*), max(at) FROM polls
        JOIN sources ON sources.id = source_id WHERE at > ? GROUP BY name ORDER BY name
        """,
        (now,),
    ).fetchall()
    connection.execute(_EVERY)
    (last,) = connection.execute(
        "SELECT max(t) FROM instants WHERE t <= ?", (now,)
    ).fetchone()
    return Ahead(
        polls=sum(count for _, count, _ in polled),
        sources=tuple(name for name, _, _ in polled),
        until=_instant(max(at for *_, at in polled)) if polled else None,
        behind=_instant(last or 0),
    )


def _plan(connection: Connection, now: int, behind: int) -> None:
    """Pair every instant that lies ahead with the one that it gets."""
    connection.execute("CREATE TEMP TABLE bounds (now INTEGER, behind INTEGER)")
    connection.execute("INSERT INTO temp.bounds VALUES (?, ?)", (now, behind))
    connection.execute(_PLAN)
    connection.execute("CREATE UNIQUE INDEX temp.redated_by_old ON redated (old)")
    (latest,) = connection.execute("SELECT max(new) FROM temp.redated").fetchone()
    if latest > now:
        raise TooManyAheadError(f"try again in {latest - now} seconds")


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

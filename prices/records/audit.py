"""Who changed what: settings, price books, alerts, installations, the file itself.

An entry is written in the transaction of the change that it tells of, so neither is
there without the other. The table only grows; entries older than what retention was
told to keep may go, and the horizon up to which they went is itself kept.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec import Struct

from prices.database.connection import Connection, Engine
from prices.database.tables import Steps, prepare

if TYPE_CHECKING:
    from prices.database.tables import Database

OPERATOR = ""
"""The team of what was done to the whole installation, from a terminal."""

TABLES = """
    CREATE TABLE audit (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        team_id TEXT NOT NULL,
        user_id TEXT NOT NULL,
        action TEXT NOT NULL,
        subject TEXT NOT NULL,
        before TEXT,
        after TEXT
    ) STRICT;
    CREATE INDEX audit_of_team ON audit (team_id, id);
    CREATE INDEX audit_by_age ON audit (at);
    CREATE TABLE audit_horizon (
        forget_before INTEGER NOT NULL,
        set_at INTEGER NOT NULL
    ) STRICT;
    CREATE TRIGGER audit_never_changes BEFORE UPDATE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
    CREATE TRIGGER audit_never_shrinks BEFORE DELETE ON audit
        WHEN OLD.at >= (SELECT coalesce(max(forget_before), 0) FROM audit_horizon)
        BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
    CREATE TRIGGER audit_horizon_never_changes BEFORE UPDATE ON audit_horizon
        BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
    CREATE TRIGGER audit_horizon_never_shrinks BEFORE DELETE ON audit_horizon
        BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
"""

BEFORE_THE_TRAIL = {
    "preferences": """
        INSERT INTO audit (at, team_id, user_id, action, subject, before, after)
        SELECT set_at, team_id, set_by,
            CASE WHEN value IS NULL THEN 'setting removed' ELSE 'setting set' END,
            CASE channel_id WHEN '' THEN key ELSE key || ' in ' || channel_id END,
            lag(value) OVER (PARTITION BY team_id, channel_id, key ORDER BY id), value
        FROM preferences ORDER BY id;
    """,
    "price_book": """
        INSERT INTO audit (at, team_id, user_id, action, subject, before, after)
        SELECT set_at, team_id, set_by,
            CASE WHEN micro_usd IS NULL THEN 'price removed' ELSE 'price set' END,
            provider || ' ' || gpu || ' ' || pricing,
            lag(micro_usd) OVER same / 1e6, micro_usd / 1e6
        FROM price_book
        WINDOW same AS (PARTITION BY team_id, provider, gpu, pricing, term_months
                        ORDER BY id)
        ORDER BY id;
    """,
    "subscriptions": """
        INSERT INTO audit (at, team_id, user_id, action, subject, after)
        SELECT created_at, team_id, user_id, 'alert made',
            'alert ' || id || ' in ' || channel_id, typed
        FROM subscriptions ORDER BY id;
    """,
}
"""What other tables know of the time before there was a trail."""


def _trail(db: "Database") -> None:
    """Create the trail, and begin it with what is known."""
    db.executescript(TABLES)
    for table, script in BEFORE_THE_TRAIL.items():
        if db[table].exists():
            db.executescript(script)


STEPS: Steps = {
    "m001_audit": _trail,
    # INSERT OR REPLACE deletes without waking the trigger on deletions.
    "m002_never_replaced": """
        CREATE TRIGGER audit_never_replaced BEFORE INSERT ON audit
            WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
            BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
    """,
    "m003_place": "ALTER TABLE audit ADD COLUMN place TEXT NOT NULL DEFAULT '';",
}


class Entry(Struct, frozen=True):
    """One change; `before` and `after` are None where there was, or is, nothing."""

    at: datetime
    team_id: str
    user_id: str
    action: str
    subject: str
    before: str | None = None
    after: str | None = None
    place: str = ""
    """Where it was done: "command in C024BE7LH", "terminal"; "" where nobody noted it.
    """


def prepare_audit(engine: Engine) -> None:
    """Bring the trail's tables up to date."""
    prepare(engine, "audit", STEPS)


def note(connection: Connection, entry: Entry) -> None:
    """Write an entry within the transaction of the change that it tells of."""
    connection.execute(
        """
        INSERT INTO audit
            (at, team_id, user_id, action, subject, before, after, place)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (
            int(entry.at.timestamp()),
            entry.team_id,
            entry.user_id,
            entry.action,
            entry.subject,
            entry.before,
            entry.after,
            entry.place,
        ),
    )


class AuditTrail:
    """Every change of every team, oldest first."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        prepare_audit(engine)

    def add(self, entry: Entry) -> None:
        """Write an entry of a change that is no row of this database."""
        with self.engine.writing() as connection:
            note(connection, entry)

    def entries(
        self,
        team_id: str | None = None,
        since: datetime | None = None,
        action: str = "",
    ) -> Iterator[Entry]:
        """Yield entries, of one team or since an instant where that is asked for."""
        wanted = {
            "team": team_id,
            "since": int(since.timestamp()) if since else None,
            "action": f"%{action}%",
        }
        with self.engine.reading() as connection:
            rows = connection.execute(
                """
                SELECT at, team_id, user_id, action, subject, before, after, place
                FROM audit
                WHERE team_id = coalesce(:team, team_id) AND at >= coalesce(:since, at)
                    AND lower(action) LIKE lower(:action) ORDER BY id
                """,
                wanted,
            )
            for at, *rest in rows:
                yield Entry(datetime.fromtimestamp(at, UTC), *rest)


def forget(connection: Connection, before: datetime, now: datetime) -> int:
    """Drop entries older than an instant, and say up to when the trail was cut."""
    cut = int(before.timestamp())
    known = "SELECT 1 FROM audit WHERE at < ? LIMIT 1"
    if connection.execute(known, (cut,)).fetchone() is None:
        return 0
    connection.execute(
        "INSERT INTO audit_horizon VALUES (?, ?)", (cut, int(now.timestamp()))
    )
    return connection.execute("DELETE FROM audit WHERE at < ?", (cut,)).rowcount


def last_of(connection: Connection, action: str) -> Entry | None:
    """Return the newest entry of an action."""
    row = connection.execute(
        """
        SELECT at, team_id, user_id, action, subject, before, after, place FROM audit
        WHERE action = ? ORDER BY id DESC LIMIT 1
        """,
        (action,),
    ).fetchone()
    return Entry(datetime.fromtimestamp(row[0], UTC), *row[1:]) if row else None

"""The tables of alerts: who watches what, where prices stand, what is to be posted.

A `track` follows the cheapest price of one selection of offers; subscriptions to the
same selection share it. A `watches` row is one subscription's view of one track, with
its tripwires indexed, so that a poll reads only the watches whose wires it touches.
Instants are whole seconds since 1970 (UTC).
"""

from typing import TYPE_CHECKING

from prices.database.connection import Connection, Engine
from prices.database.tables import Steps, prepare

if TYPE_CHECKING:
    from prices.database.tables import Database

SUBSCRIPTIONS = """
    CREATE TABLE subscriptions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        team_id TEXT NOT NULL,
        channel_id TEXT NOT NULL,
        user_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        typed TEXT NOT NULL,
        watch TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        muted_until INTEGER,
        paused TEXT NOT NULL DEFAULT '',
        told TEXT,
        seen TEXT NOT NULL DEFAULT '',
        due_at INTEGER
    ) STRICT;
    CREATE INDEX subscriptions_of_channel ON subscriptions (team_id, channel_id);
    CREATE INDEX subscriptions_of_kind ON subscriptions (kind)
        WHERE kind <> 'price';
    CREATE INDEX subscriptions_due ON subscriptions (due_at) WHERE due_at IS NOT NULL;
"""

TRACKS = """
    CREATE TABLE tracks (
        id INTEGER PRIMARY KEY,
        selection TEXT NOT NULL UNIQUE,
        level INTEGER,
        idx INTEGER,
        drift INTEGER NOT NULL,
        cheapest TEXT,
        sellers TEXT
    ) STRICT;
    CREATE TABLE track_gpus (
        gpu TEXT NOT NULL,
        provider TEXT NOT NULL,
        track_id INTEGER NOT NULL REFERENCES tracks,
        PRIMARY KEY (gpu, provider, track_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE track_points (
        track_id INTEGER NOT NULL REFERENCES tracks,
        at INTEGER NOT NULL,
        level INTEGER,
        idx INTEGER,
        PRIMARY KEY (track_id, at)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE watches (
        subscription_id INTEGER NOT NULL REFERENCES subscriptions,
        track_id INTEGER NOT NULL REFERENCES tracks,
        place INTEGER NOT NULL,
        kind TEXT NOT NULL,
        series TEXT NOT NULL,
        low INTEGER,
        high INTEGER,
        span INTEGER,
        ppm INTEGER,
        wake_at INTEGER,
        memory TEXT NOT NULL,
        PRIMARY KEY (subscription_id, track_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX watches_low ON watches (track_id, series, low)
        WHERE low IS NOT NULL;
    CREATE INDEX watches_high ON watches (track_id, series, high)
        WHERE high IS NOT NULL;
    CREATE INDEX watches_wake ON watches (wake_at) WHERE wake_at IS NOT NULL;
"""

WATCHES_OTHER = """
    CREATE INDEX watches_other ON watches (track_id, kind, span, ppm)
        WHERE span IS NOT NULL;
"""

OUTBOX = """
    CREATE TABLE outbox (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        once TEXT UNIQUE,
        mark TEXT NOT NULL,
        team_id TEXT NOT NULL,
        channel_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        letter TEXT NOT NULL,
        at INTEGER NOT NULL,
        not_before REAL NOT NULL,
        tries INTEGER NOT NULL DEFAULT 0,
        tried_at REAL,
        holder TEXT,
        held_until REAL NOT NULL DEFAULT 0,
        sent_at REAL,
        ts TEXT,
        fault TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE INDEX outbox_waiting ON outbox (team_id, channel_id, id)
        WHERE sent_at IS NULL AND fault = '';
    CREATE INDEX outbox_of_day ON outbox (team_id, channel_id, kind, at);
    CREATE TABLE pauses (
        team_id TEXT NOT NULL,
        channel_id TEXT NOT NULL,
        until REAL NOT NULL,
        PRIMARY KEY (team_id, channel_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE leases (
        name TEXT PRIMARY KEY,
        holder TEXT NOT NULL,
        until REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE schedule (
        job TEXT PRIMARY KEY,
        next_run_at REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
"""


OUTBOX_AGAIN = """
    ALTER TABLE outbox RENAME TO first_outbox;
    DROP INDEX outbox_waiting;
    DROP INDEX outbox_of_day;
    {outbox}
    INSERT INTO outbox SELECT id, once, mark, team_id, channel_id, kind, letter, at,
        not_before, tries, tried_at, holder, held_until, sent_at, ts, fault
        FROM first_outbox;
    DELETE FROM sqlite_sequence WHERE name = 'outbox';
    INSERT INTO sqlite_sequence (name, seq)
        SELECT 'outbox', seq FROM sqlite_sequence WHERE name = 'first_outbox';
    DROP TABLE first_outbox;
"""


def _whole_seconds(db: "Database") -> None:
    """Let early files wait by fractions of a second, and find windows by their span."""
    columns = {column.name: column.type for column in db["outbox"].columns}
    if columns["not_before"] != "REAL":
        made, _, _ = OUTBOX.partition("CREATE TABLE pauses")
        db.executescript(OUTBOX_AGAIN.format(outbox=made))
    db.executescript("DROP INDEX watches_other;" + WATCHES_OTHER)


STEPS: Steps = {
    "m001_alerts": SUBSCRIPTIONS + TRACKS + WATCHES_OTHER + OUTBOX,
    "m002_fractions_of_seconds": _whole_seconds,
}


def has_alert_tables(connection: Connection) -> bool:
    """Tell whether anybody ever used alerts in this file."""
    return "schedule" in connection.tables()


def prepare_alerts(engine: Engine) -> None:
    """Bring the tables up to date."""
    prepare(engine, "alerts", STEPS)

"""The schema of the price store, step by step.

`offers` says what is sold, once, and never changes. `standing` holds the one price of
each offer that stands now: the open interval. `history` holds the closed intervals and
is append-only; triggers keep it so. A poll that sees the price it saw before writes
nothing per offer: `coverage` notes once per provider that all its standing prices were
confirmed. Text that repeats lives once, in `words`. Instants are whole seconds since
1970 (UTC); money is millionths of a dollar, beside the exact text of the source.
"""

import sqlite3

from sqlite_utils import Database, Migrations

migrations = Migrations("prices")


@migrations()
def m001_prices(db: Database) -> None:
    """Create the tables of offers, prices and polls."""
    db.executescript("""
        CREATE TABLE words (
            id INTEGER PRIMARY KEY,
            word TEXT NOT NULL UNIQUE
        ) STRICT;
        CREATE TABLE sources (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            attribution TEXT NOT NULL DEFAULT ''
        ) STRICT;
        CREATE TABLE polls (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            source_id INTEGER NOT NULL REFERENCES sources,
            at INTEGER NOT NULL,
            version TEXT NOT NULL DEFAULT '',
            error TEXT,
            points INTEGER NOT NULL DEFAULT 0,
            listed INTEGER NOT NULL DEFAULT 0,
            changed INTEGER NOT NULL DEFAULT 0,
            delisted INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX polls_of_source ON polls (source_id, at);
        CREATE TABLE coverage (
            source_id INTEGER NOT NULL REFERENCES sources,
            provider_id INTEGER NOT NULL REFERENCES words,
            at INTEGER NOT NULL,
            observed_at INTEGER NOT NULL CHECK (observed_at <= at),
            PRIMARY KEY (source_id, provider_id, at)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE offers (
            id INTEGER PRIMARY KEY,
            source_id INTEGER NOT NULL REFERENCES sources,
            provider_id INTEGER NOT NULL REFERENCES words,
            gpu_id INTEGER NOT NULL REFERENCES words,
            gpu_count INTEGER NOT NULL CHECK (gpu_count >= 1),
            instance_id INTEGER NOT NULL REFERENCES words,
            region_id INTEGER NOT NULL REFERENCES words,
            pricing TEXT NOT NULL
                CHECK (pricing IN ('on_demand', 'spot', 'reserved')),
            term_months INTEGER NOT NULL CHECK (term_months >= 0),
            upfront INTEGER NOT NULL CHECK (upfront IN (0, 1)),
            tier TEXT NOT NULL,
            includes TEXT NOT NULL,
            UNIQUE (gpu_id, provider_id, region_id, instance_id, gpu_count, pricing,
                    term_months, upfront, tier, includes, source_id)
        ) STRICT;
        CREATE TABLE standing (
            offer_id INTEGER PRIMARY KEY REFERENCES offers,
            first_seen INTEGER NOT NULL,
            micro_usd INTEGER NOT NULL CHECK (micro_usd > 0),
            raw_total TEXT NOT NULL,
            currency TEXT NOT NULL,
            url_id INTEGER NOT NULL REFERENCES words,
            confirmed_until INTEGER
        ) STRICT;
        CREATE TABLE history (
            offer_id INTEGER NOT NULL REFERENCES offers,
            first_seen INTEGER NOT NULL,
            last_seen INTEGER NOT NULL CHECK (last_seen >= first_seen),
            ended_at INTEGER NOT NULL CHECK (ended_at > last_seen),
            delisted INTEGER NOT NULL CHECK (delisted IN (0, 1)),
            micro_usd INTEGER NOT NULL CHECK (micro_usd > 0),
            raw_total TEXT NOT NULL,
            currency TEXT NOT NULL,
            url_id INTEGER NOT NULL REFERENCES words,
            PRIMARY KEY (offer_id, first_seen)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX history_by_end ON history (ended_at);
        CREATE TRIGGER history_never_changes BEFORE UPDATE ON history
            BEGIN SELECT RAISE(ABORT, 'history is append-only'); END;
        CREATE TRIGGER history_never_shrinks BEFORE DELETE ON history
            BEGIN SELECT RAISE(ABORT, 'history is append-only'); END;
    """)


def migrate(connection: sqlite3.Connection) -> None:
    """Apply what is missing, inside the caller's write transaction.

    `user_version` repeats the number of steps, so that a reader can tell without
    loading sqlite-utils, which costs a cold start more than a whole answer.
    """
    migrations.apply(Database(connection, execute_plugins=False))
    steps = len(migrations._migrations)
    connection.execute(f"PRAGMA user_version = {steps}")

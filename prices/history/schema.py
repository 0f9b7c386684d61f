"""The schema of the price store, step by step.

`offers` says what is sold and, where it still is, the one price that stands: the open
interval. `history` holds the closed intervals; it is append-only and triggers keep it
so. A poll that sees the price it saw before writes nothing per offer: `coverage` notes
once per provider that all its standing prices were confirmed, except those whose
`confirmed_until` says otherwise. Text that repeats lives once, in `words` and `terms`.
Instants are whole seconds since 1970 (UTC); money is millionths of a dollar, beside the
exact text of the source.
"""

from typing import TYPE_CHECKING

from prices.database.connection import Connection
from prices.database.tables import Steps

if TYPE_CHECKING:
    from prices.database.tables import Database

OWNER = "prices"

WORDS = """
    CREATE TABLE words (
        id INTEGER PRIMARY KEY,
        word TEXT NOT NULL UNIQUE
    ) STRICT;
"""

TERMS = """
    CREATE TABLE terms (
        id INTEGER PRIMARY KEY,
        pricing TEXT NOT NULL CHECK (pricing IN ('on_demand', 'spot', 'reserved')),
        term_months INTEGER NOT NULL CHECK (term_months >= 0),
        upfront INTEGER NOT NULL CHECK (upfront IN (0, 1)),
        tier TEXT NOT NULL,
        includes TEXT NOT NULL,
        UNIQUE (pricing, term_months, upfront, tier, includes)
    ) STRICT;
"""

POLLS = """
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
"""

OFFERS = """
    CREATE TABLE offers (
        id INTEGER PRIMARY KEY,
        source_id INTEGER NOT NULL REFERENCES sources,
        provider_id INTEGER NOT NULL REFERENCES words,
        gpu_id INTEGER NOT NULL REFERENCES words,
        gpu_count INTEGER NOT NULL CHECK (gpu_count >= 1),
        instance_id INTEGER NOT NULL REFERENCES words,
        region_id INTEGER NOT NULL REFERENCES words,
        terms_id INTEGER NOT NULL REFERENCES terms,
        first_seen INTEGER,
        micro_usd INTEGER CHECK (micro_usd > 0),
        raw_total TEXT,
        currency TEXT,
        url_id INTEGER REFERENCES words,
        confirmed_until INTEGER,
        CHECK ((first_seen IS NULL) = (micro_usd IS NULL)),
        UNIQUE (gpu_id, provider_id, region_id, instance_id, gpu_count, terms_id,
                source_id)
    ) STRICT;
    CREATE VIEW standing AS
        SELECT id, source_id, provider_id, gpu_id, gpu_count, instance_id, region_id,
               terms_id, micro_usd, raw_total, currency, url_id,
               confirmed_until AS last_seen, first_seen,
               NULL AS ended_at, 0 AS delisted
        FROM offers WHERE first_seen IS NOT NULL;
"""

HISTORY = """
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
"""

PAST = """
    CREATE VIEW past AS
        SELECT id, source_id, provider_id, gpu_id, gpu_count, instance_id, region_id,
               terms_id, h.micro_usd, h.raw_total, h.currency, h.url_id,
               h.last_seen, h.first_seen, h.ended_at, h.delisted
        FROM offers CROSS JOIN history AS h ON offer_id = id;
"""

FIRST_OFFERS = """
    CREATE TEMP TABLE first_offers AS
        SELECT offers.*, s.first_seen, s.micro_usd, s.raw_total, s.currency, s.url_id,
               s.confirmed_until
        FROM offers LEFT JOIN standing AS s ON s.offer_id = offers.id;
    DROP TABLE standing;
    DROP TABLE offers;
"""

OFFERS_AGAIN = """
    INSERT INTO terms (pricing, term_months, upfront, tier, includes)
        SELECT DISTINCT pricing, term_months, upfront, tier, includes
        FROM first_offers ORDER BY 1, 2, 3, 4, 5;
    INSERT INTO offers
        SELECT o.id, source_id, provider_id, gpu_id, gpu_count, instance_id, region_id,
               terms.id, first_seen, micro_usd, raw_total, currency, url_id,
               confirmed_until
        FROM first_offers AS o
        JOIN terms USING (pricing, term_months, upfront, tier, includes);
    DROP TABLE first_offers;
"""


def _offers_and_history(db: "Database") -> None:
    """Create the tables; in the very first files, offers and prices stood apart."""
    if not db["offers"].exists():
        db.executescript(WORDS + TERMS + POLLS + OFFERS + HISTORY + PAST)
        return
    db.executescript(FIRST_OFFERS + TERMS + OFFERS + OFFERS_AGAIN + PAST)


FACTS = """
    CREATE TABLE facts (
        id INTEGER PRIMARY KEY,
        seller_kind TEXT NOT NULL,
        stock TEXT NOT NULL,
        evidence TEXT NOT NULL,
        min_gpus INTEGER CHECK (min_gpus >= 1)
    ) STRICT;
    ALTER TABLE offers ADD COLUMN facts_id INTEGER REFERENCES facts;
    ALTER TABLE history ADD COLUMN facts_id INTEGER REFERENCES facts;
    DROP VIEW standing;
    DROP VIEW past;
    CREATE VIEW standing AS
        SELECT id, source_id, provider_id, gpu_id, gpu_count, instance_id, region_id,
               terms_id, facts_id, micro_usd, raw_total, currency, url_id,
               confirmed_until AS last_seen, first_seen,
               NULL AS ended_at, 0 AS delisted
        FROM offers WHERE first_seen IS NOT NULL;
    CREATE VIEW past AS
        SELECT id, source_id, provider_id, gpu_id, gpu_count, instance_id, region_id,
               terms_id, h.facts_id, h.micro_usd, h.raw_total, h.currency, h.url_id,
               h.last_seen, h.first_seen, h.ended_at, h.delisted
        FROM offers CROSS JOIN history AS h ON offer_id = id;
"""
"""What is said of an offer beside its price: it may change while the price stands. In
files from before, the seller's kind is that of the registry and the rest unknown."""

VERDA = """
    INSERT OR IGNORE INTO words (word) SELECT 'verda'
        WHERE EXISTS (SELECT 1 FROM words WHERE word = 'datacrunch');
    UPDATE OR IGNORE offers
        SET provider_id = (SELECT id FROM words WHERE word = 'verda')
        WHERE provider_id = (SELECT id FROM words WHERE word = 'datacrunch');
    INSERT OR IGNORE INTO coverage
        SELECT source_id, (SELECT id FROM words WHERE word = 'verda'), at, observed_at
        FROM coverage
        WHERE provider_id = (SELECT id FROM words WHERE word = 'datacrunch');
"""
"""gpurentalprices writes the provider by its name of until 2025."""

STEPS: Steps = {
    "m001_offers_and_history": _offers_and_history,
    # Some early files join the other way round: a price of a past day took minutes.
    "m002_past_by_offer": "DROP VIEW past;" + PAST,
    "m003_facts_of_an_offer": FACTS,
    "m004_datacrunch_is_verda": VERDA,
}
"""Never changed once released: what is new comes as another step."""


def migrate(connection: Connection) -> None:
    """Apply what is missing, inside the caller's write transaction.

    The schema version repeats the number of steps, so that a reader can tell without
    loading sqlite-utils, which takes longer than a whole answer.
    """
    connection.migrate(OWNER, STEPS)
    connection.set_schema_version(len(STEPS))

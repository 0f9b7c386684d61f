BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'prices','m001_offers_and_history','2026-11-21 06:31:56.565973+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'answers','m001_answers','2026-11-21 06:31:56.577568+00:00');
CREATE TABLE answers (
                team_id TEXT NOT NULL,
                id TEXT NOT NULL,
                asked_at INTEGER NOT NULL,
                question TEXT NOT NULL,
                query TEXT NOT NULL,
                catalog_version TEXT NOT NULL,
                formula_version TEXT NOT NULL,
                view TEXT NOT NULL,
                explanation TEXT NOT NULL,
                PRIMARY KEY (team_id, id)
            ) STRICT, WITHOUT ROWID;
INSERT INTO "answers" VALUES('T1','abcde0',1777896000,'70b 0rps','{"text": "70b"}','poll-3','1','{"kind": "answer"}','{"kind": "answer"}');
INSERT INTO "answers" VALUES('T1','abcde1',1777899600,'70b 1rps','{"text": "70b"}','poll-3','1','{"kind": "answer"}','{"kind": "answer"}');
INSERT INTO "answers" VALUES('T1','abcde2',1777903200,'70b 2rps','{"text": "70b"}','poll-3','1','{"kind": "answer"}','{"kind": "answer"}');
CREATE TABLE coverage (
        source_id INTEGER NOT NULL REFERENCES sources,
        provider_id INTEGER NOT NULL REFERENCES words,
        at INTEGER NOT NULL,
        observed_at INTEGER NOT NULL CHECK (observed_at <= at),
        PRIMARY KEY (source_id, provider_id, at)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "coverage" VALUES(1,1,1777636800,1777636800);
INSERT INTO "coverage" VALUES(1,1,1777723200,1777723200);
INSERT INTO "coverage" VALUES(1,1,1777809600,1777809600);
INSERT INTO "coverage" VALUES(1,6,1777636800,1777636800);
INSERT INTO "coverage" VALUES(1,6,1777723200,1777723200);
INSERT INTO "coverage" VALUES(1,6,1777809600,1777809600);
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
INSERT INTO "history" VALUES(1,1777636800,1777636800,1777723200,0,2500000,'2.50','USD',4);
INSERT INTO "history" VALUES(1,1777723200,1777723200,1777809600,0,2750000,'2.75','USD',4);
INSERT INTO "history" VALUES(4,1777636800,1777723200,1777809600,1,1200000,'1.20','USD',4);
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
INSERT INTO "offers" VALUES(1,1,1,2,1,3,3,1,1777809600,2600000,'2.60','USD',4,NULL);
INSERT INTO "offers" VALUES(2,1,1,5,8,3,3,1,1777636800,4990000,'39.92','USD',4,NULL);
INSERT INTO "offers" VALUES(3,1,1,5,1,3,3,2,1777636800,3100000,'3.10','USD',4,NULL);
INSERT INTO "offers" VALUES(4,1,6,7,1,3,3,3,NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "polls" VALUES(1,1,1777636800,'',NULL,4,4,0,0);
INSERT INTO "polls" VALUES(2,1,1777723200,'',NULL,4,0,1,0);
INSERT INTO "polls" VALUES(3,1,1777809600,'',NULL,3,0,1,1);
CREATE TABLE sources (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        attribution TEXT NOT NULL DEFAULT ''
    ) STRICT;
INSERT INTO "sources" VALUES(1,'feed','');
CREATE TABLE terms (
        id INTEGER PRIMARY KEY,
        pricing TEXT NOT NULL CHECK (pricing IN ('on_demand', 'spot', 'reserved')),
        term_months INTEGER NOT NULL CHECK (term_months >= 0),
        upfront INTEGER NOT NULL CHECK (upfront IN (0, 1)),
        tier TEXT NOT NULL,
        includes TEXT NOT NULL,
        UNIQUE (pricing, term_months, upfront, tier, includes)
    ) STRICT;
INSERT INTO "terms" VALUES(1,'on_demand',0,0,'standard','unknown');
INSERT INTO "terms" VALUES(2,'reserved',12,0,'standard','unknown');
INSERT INTO "terms" VALUES(3,'spot',0,0,'standard','unknown');
CREATE TABLE words (
        id INTEGER PRIMARY KEY,
        word TEXT NOT NULL UNIQUE
    ) STRICT;
INSERT INTO "words" VALUES(1,'lambda');
INSERT INTO "words" VALUES(2,'h100-80gb-sxm');
INSERT INTO "words" VALUES(3,'');
INSERT INTO "words" VALUES(4,'https://example.com/prices');
INSERT INTO "words" VALUES(5,'b200');
INSERT INTO "words" VALUES(6,'runpod');
INSERT INTO "words" VALUES(7,'a100-80gb');
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX polls_of_source ON polls (source_id, at);
CREATE VIEW standing AS
        SELECT id, source_id, provider_id, gpu_id, gpu_count, instance_id, region_id,
               terms_id, micro_usd, raw_total, currency, url_id,
               confirmed_until AS last_seen, first_seen,
               NULL AS ended_at, 0 AS delisted
        FROM offers WHERE first_seen IS NOT NULL;
CREATE INDEX history_by_end ON history (ended_at);
CREATE TRIGGER history_never_changes BEFORE UPDATE ON history
        BEGIN SELECT RAISE(ABORT, 'history is append-only'); END;
CREATE TRIGGER history_never_shrinks BEFORE DELETE ON history
        BEGIN SELECT RAISE(ABORT, 'history is append-only'); END;
CREATE VIEW past AS
        SELECT id, source_id, provider_id, gpu_id, gpu_count, instance_id, region_id,
               terms_id, h.micro_usd, h.raw_total, h.currency, h.url_id,
               h.last_seen, h.first_seen, h.ended_at, h.delisted
        FROM offers CROSS JOIN history AS h ON offer_id = id;
CREATE INDEX answers_by_question ON answers (team_id, question, asked_at);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('polls',3);
COMMIT;
PRAGMA user_version = 1;

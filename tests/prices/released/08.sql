BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'prices','m001_offers_and_history','2026-11-21 07:22:11.090201+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'prices','m002_past_by_offer','2026-11-21 07:22:11.090797+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'answers','m001_answers','2026-11-21 07:22:11.099877+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'answers','m002_by_age','2026-11-21 07:22:11.100065+00:00');
INSERT INTO "_sqlite_migrations" VALUES(5,'answers','m003_asked_again','2026-11-21 07:22:11.100915+00:00');
INSERT INTO "_sqlite_migrations" VALUES(6,'alerts','m001_alerts','2026-11-21 07:22:11.199874+00:00');
INSERT INTO "_sqlite_migrations" VALUES(7,'alerts','m002_fractions_of_seconds','2026-11-21 07:22:11.200303+00:00');
INSERT INTO "_sqlite_migrations" VALUES(8,'audit','m001_audit','2026-11-21 07:22:11.264160+00:00');
INSERT INTO "_sqlite_migrations" VALUES(9,'audit','m002_never_replaced','2026-11-21 07:22:11.264505+00:00');
INSERT INTO "_sqlite_migrations" VALUES(10,'preferences','m001_preferences','2026-11-21 07:22:11.312713+00:00');
INSERT INTO "_sqlite_migrations" VALUES(11,'price_book','m001_price_book','2026-11-21 07:22:11.335914+00:00');
INSERT INTO "_sqlite_migrations" VALUES(12,'threads','m001_threads','2026-11-21 07:22:11.393707+00:00');
INSERT INTO "_sqlite_migrations" VALUES(13,'deliveries','m001_deliveries','2026-11-21 07:22:11.405343+00:00');
INSERT INTO "_sqlite_migrations" VALUES(14,'recent','m001_recent','2026-11-21 07:22:11.414897+00:00');
INSERT INTO "_sqlite_migrations" VALUES(15,'feedback','m001_feedback','2026-11-21 07:22:11.460644+00:00');
INSERT INTO "_sqlite_migrations" VALUES(16,'quarantine','m001_quarantine','2026-11-21 07:22:11.494477+00:00');
INSERT INTO "_sqlite_migrations" VALUES(17,'rates','m001_rates','2026-11-21 07:22:11.509290+00:00');
INSERT INTO "_sqlite_migrations" VALUES(18,'feeds','m001_feed_state','2026-11-21 07:22:11.534248+00:00');
CREATE TABLE answers (
            team_id TEXT NOT NULL,
            id TEXT NOT NULL,
            asked_at INTEGER NOT NULL,
            question TEXT NOT NULL,
            query TEXT NOT NULL,
            catalog_version TEXT NOT NULL,
            formula_version TEXT NOT NULL,
            view TEXT NOT NULL,
            explanation TEXT NOT NULL, asked_as TEXT NOT NULL DEFAULT '', standing TEXT NOT NULL DEFAULT '', times INTEGER NOT NULL DEFAULT 1,
            PRIMARY KEY (team_id, id)
        ) STRICT, WITHOUT ROWID;
INSERT INTO "answers" VALUES('T1','abcde0',1777896000,'70b 0rps','{}','poll-3','1','{}','{}','','',1);
INSERT INTO "answers" VALUES('T1','abcde1',1777899600,'70b 1rps','{}','poll-3','1','{}','{}','','',1);
INSERT INTO "answers" VALUES('T1','abcde2',1777903200,'70b 2rps','{}','poll-3','1','{}','{}','','',1);
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
INSERT INTO "audit" VALUES(1,1777896000,'T1','U1','setting set','currency',NULL,'EUR');
INSERT INTO "audit" VALUES(2,1777896000,'T1','U1','setting removed','currency','EUR',NULL);
INSERT INTO "audit" VALUES(3,1777896000,'T1','U1','setting set','region in C1',NULL,'eu');
INSERT INTO "audit" VALUES(4,1777896000,'T1','U1','price set','lambda h100-80gb-sxm on_demand',NULL,'$1.89/GPU-h');
INSERT INTO "audit" VALUES(5,1777896000,'T1','U1','alert made','alert 1 in C1',NULL,'stale');
CREATE TABLE audit_horizon (
        forget_before INTEGER NOT NULL,
        set_at INTEGER NOT NULL
    ) STRICT;
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
INSERT INTO "coverage" VALUES(1,5,1777636800,1777636800);
INSERT INTO "coverage" VALUES(1,5,1777723200,1777723200);
INSERT INTO "coverage" VALUES(1,5,1777809600,1777809600);
CREATE TABLE deliveries (
            team_id TEXT NOT NULL,
            key TEXT NOT NULL,
            claimed_at INTEGER NOT NULL,
            done_at INTEGER,
            PRIMARY KEY (team_id, key)
        ) STRICT, WITHOUT ROWID;
INSERT INTO "deliveries" VALUES('T1','event:E1',1777896000,1777896000);
CREATE TABLE exchange_rates (
            day TEXT NOT NULL,
            currency TEXT NOT NULL,
            per_usd TEXT NOT NULL,
            as_of TEXT NOT NULL,
            source TEXT NOT NULL,
            PRIMARY KEY (day, currency)
        ) STRICT, WITHOUT ROWID;
CREATE TABLE feed_state (
            source TEXT NOT NULL,
            url TEXT NOT NULL,
            etag TEXT NOT NULL,
            last_modified TEXT NOT NULL,
            fetched_at INTEGER NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (source, url)
        ) STRICT;
INSERT INTO "feed_state" VALUES('feed','https://example.com/prices','etag','monday',1777896000,X'789C4BCA4FA90400041A01AF');
CREATE TABLE feedback (
            team_id TEXT NOT NULL,
            answer_id TEXT NOT NULL,
            user_id TEXT NOT NULL,
            verdict TEXT NOT NULL CHECK (verdict IN ('good', 'bad')),
            given_at INTEGER NOT NULL,
            PRIMARY KEY (team_id, answer_id, user_id)
        ) STRICT, WITHOUT ROWID;
INSERT INTO "feedback" VALUES('T1','abcde0','U1','good',1777896000);
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
INSERT INTO "history" VALUES(1,1777636800,1777636800,1777723200,0,2500000,'2.50','USD',7);
INSERT INTO "history" VALUES(1,1777723200,1777723200,1777809600,0,2750000,'2.75','USD',7);
INSERT INTO "history" VALUES(4,1777636800,1777723200,1777809600,1,1200000,'1.20','USD',7);
CREATE TABLE leases (
        name TEXT PRIMARY KEY,
        holder TEXT NOT NULL,
        until REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
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
INSERT INTO "offers" VALUES(1,1,1,2,1,3,3,1,1777809600,2600000,'2.60','USD',7,NULL);
INSERT INTO "offers" VALUES(2,1,1,4,8,3,3,1,1777636800,4990000,'4.99','USD',7,NULL);
INSERT INTO "offers" VALUES(3,1,1,4,1,3,3,2,1777636800,3100000,'3.10','USD',7,NULL);
INSERT INTO "offers" VALUES(4,1,5,6,1,3,3,3,NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "outbox" VALUES(1,'once 1','1966f6678549fc98','T1','C1','trouble','{"kind":"trouble","alerts":[],"more":0,"text":"x","link":"","at":"2026-05-04T12:00:00Z"}',1777896000,1777896000.0,0,NULL,NULL,0.0,NULL,NULL,'');
CREATE TABLE pauses (
        team_id TEXT NOT NULL,
        channel_id TEXT NOT NULL,
        until REAL NOT NULL,
        PRIMARY KEY (team_id, channel_id)
    ) STRICT, WITHOUT ROWID;
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
CREATE TABLE preferences (
            id INTEGER PRIMARY KEY,
            team_id TEXT NOT NULL,
            channel_id TEXT NOT NULL,
            key TEXT NOT NULL,
            value TEXT,
            set_by TEXT NOT NULL,
            set_at INTEGER NOT NULL
        ) STRICT;
INSERT INTO "preferences" VALUES(1,'T1','','currency','EUR','U1',1777896000);
INSERT INTO "preferences" VALUES(2,'T1','','currency',NULL,'U1',1777896000);
INSERT INTO "preferences" VALUES(3,'T1','C1','region','eu','U1',1777896000);
CREATE TABLE price_book (
            id INTEGER PRIMARY KEY,
            team_id TEXT NOT NULL,
            provider TEXT NOT NULL,
            gpu TEXT NOT NULL,
            pricing TEXT NOT NULL CHECK (pricing IN ('on_demand', 'spot', 'reserved')),
            term_months INTEGER NOT NULL CHECK (term_months >= 0),
            micro_usd INTEGER CHECK (micro_usd > 0),
            until TEXT,
            set_by TEXT NOT NULL,
            set_at INTEGER NOT NULL
        ) STRICT;
INSERT INTO "price_book" VALUES(1,'T1','lambda','h100-80gb-sxm','on_demand',0,1890000,NULL,'U1',1777896000);
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
INSERT INTO "quarantine" VALUES(1,'feed','bounds','b200|','b200','too cheap','',NULL,NULL,1777896000,1777896000,1,'held',NULL,'');
CREATE TABLE recent (
            team_id TEXT NOT NULL,
            user_id TEXT NOT NULL,
            question TEXT NOT NULL,
            answer_id TEXT NOT NULL,
            verdict TEXT NOT NULL,
            asked_at INTEGER NOT NULL,
            PRIMARY KEY (team_id, user_id, question)
        ) STRICT, WITHOUT ROWID;
INSERT INTO "recent" VALUES('T1','U1','70b 0rps','abcde0','a verdict',1777896000);
CREATE TABLE schedule (
        job TEXT PRIMARY KEY,
        next_run_at REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE sources (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        attribution TEXT NOT NULL DEFAULT ''
    ) STRICT;
INSERT INTO "sources" VALUES(1,'feed','');
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
INSERT INTO "subscriptions" VALUES(1,'T1','C1','U1','stale','stale','{"kind":"stale","hours":24.0}',1777896000,NULL,'',NULL,'',NULL);
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
CREATE TABLE threads (
            team_id TEXT NOT NULL,
            place TEXT NOT NULL,
            query TEXT NOT NULL,
            asked_at INTEGER NOT NULL,
            PRIMARY KEY (team_id, place)
        ) STRICT, WITHOUT ROWID;
INSERT INTO "threads" VALUES('T1','C1|1','{}',1777896000);
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
CREATE TABLE tracks (
        id INTEGER PRIMARY KEY,
        selection TEXT NOT NULL UNIQUE,
        level INTEGER,
        idx INTEGER,
        drift INTEGER NOT NULL,
        cheapest TEXT,
        sellers TEXT
    ) STRICT;
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
CREATE TABLE words (
        id INTEGER PRIMARY KEY,
        word TEXT NOT NULL UNIQUE
    ) STRICT;
INSERT INTO "words" VALUES(1,'lambda');
INSERT INTO "words" VALUES(2,'h100-80gb-sxm');
INSERT INTO "words" VALUES(3,'');
INSERT INTO "words" VALUES(4,'b200');
INSERT INTO "words" VALUES(5,'runpod');
INSERT INTO "words" VALUES(6,'a100-80gb');
INSERT INTO "words" VALUES(7,'https://example.com/prices');
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
CREATE INDEX answers_by_age ON answers (asked_at);
CREATE INDEX answers_by_asked_as ON answers (team_id, asked_as, asked_at);
CREATE INDEX subscriptions_of_channel ON subscriptions (team_id, channel_id);
CREATE INDEX subscriptions_of_kind ON subscriptions (kind)
        WHERE kind <> 'price';
CREATE INDEX subscriptions_due ON subscriptions (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX watches_low ON watches (track_id, series, low)
        WHERE low IS NOT NULL;
CREATE INDEX watches_high ON watches (track_id, series, high)
        WHERE high IS NOT NULL;
CREATE INDEX watches_wake ON watches (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX outbox_waiting ON outbox (team_id, channel_id, id)
        WHERE sent_at IS NULL AND fault = '';
CREATE INDEX outbox_of_day ON outbox (team_id, channel_id, kind, at);
CREATE INDEX watches_other ON watches (track_id, kind, span, ppm)
        WHERE span IS NOT NULL;
CREATE INDEX audit_of_team ON audit (team_id, id);
CREATE INDEX audit_by_age ON audit (at);
CREATE TRIGGER audit_never_changes BEFORE UPDATE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
CREATE TRIGGER audit_never_shrinks BEFORE DELETE ON audit
        WHEN OLD.at >= (SELECT coalesce(max(forget_before), 0) FROM audit_horizon)
        BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
CREATE TRIGGER audit_horizon_never_changes BEFORE UPDATE ON audit_horizon
        BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
CREATE TRIGGER audit_horizon_never_shrinks BEFORE DELETE ON audit_horizon
        BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
CREATE TRIGGER audit_never_replaced BEFORE INSERT ON audit
            WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
            BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
CREATE INDEX preferences_by_place ON preferences (team_id, channel_id, key, id);
CREATE TRIGGER preferences_are_kept BEFORE UPDATE ON preferences
        BEGIN SELECT RAISE(ABORT, 'settings are appended, never changed'); END;
CREATE INDEX price_book_by_team ON price_book (team_id, id);
CREATE TRIGGER price_book_is_kept BEFORE UPDATE ON price_book
        BEGIN SELECT RAISE(ABORT, 'prices are appended, never changed'); END;
CREATE INDEX threads_by_age ON threads (asked_at);
CREATE INDEX deliveries_by_age ON deliveries (claimed_at);
CREATE INDEX recent_by_age ON recent (team_id, user_id, asked_at);
CREATE UNIQUE INDEX quarantine_held ON quarantine (source, kind, seat)
            WHERE state = 'held';
CREATE INDEX quarantine_by_state ON quarantine (state, source);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('audit',5);
INSERT INTO "sqlite_sequence" VALUES('polls',3);
INSERT INTO "sqlite_sequence" VALUES('subscriptions',1);
INSERT INTO "sqlite_sequence" VALUES('outbox',1);
COMMIT;
PRAGMA user_version = 2;

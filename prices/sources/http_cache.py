"""Bodies as they were last fetched, so that "not modified" is an answer."""

import zlib
from collections.abc import Mapping
from datetime import datetime, timedelta

from prices.database.connection import Engine
from prices.database.tables import prepare
from prices.sources.fetch import Kept

FORGOTTEN_AFTER = timedelta(days=60)

SCRIPTS = {
    "m001_feed_state": """
        CREATE TABLE feed_state (
            source TEXT NOT NULL,
            url TEXT NOT NULL,
            etag TEXT NOT NULL,
            last_modified TEXT NOT NULL,
            fetched_at INTEGER NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (source, url)
        ) STRICT;
    """
}


class HttpCache:
    """The last body of every URL whose server names its state."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        prepare(engine, "feeds", SCRIPTS)

    def find(self, source: str, url: str) -> Kept | None:
        """Return what a source last fetched from a URL."""
        with self.engine.reading() as connection:
            row = connection.execute(
                """
                SELECT body, etag, last_modified FROM feed_state
                WHERE source = ? AND url = ?
                """,
                (source, url),
            ).fetchone()
        if row is None:
            return None
        body, etag, last_modified = row
        return Kept(zlib.decompress(body), etag, last_modified)

    def keep(self, source: str, fresh: Mapping[str, Kept], now: datetime) -> None:
        """Keep what was fetched anew, in place of what was kept before."""
        if not fresh:
            return
        at = int(now.timestamp())
        oldest = at - int(FORGOTTEN_AFTER.total_seconds())
        rows = [
            (source, url, kept.etag, kept.last_modified, at, zlib.compress(kept.body))
            for url, kept in fresh.items()
        ]
        with self.engine.writing(alone=False) as connection:
            connection.executemany(
                """
                INSERT INTO feed_state VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (source, url) DO UPDATE SET etag = excluded.etag,
                    last_modified = excluded.last_modified,
                    fetched_at = excluded.fetched_at, body = excluded.body
                """,
                rows,
            )
            # Addresses change; what nobody asked for in so long is not asked again.
            connection.execute("DELETE FROM feed_state WHERE fetched_at < ?", (oldest,))

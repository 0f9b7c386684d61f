"""Which deliveries were taken on: Slack may bring the same one several times."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from prices.database.connection import PATIENCE_S, dispensable, writing
from prices.database.tables import prepare

TAKEN_OVER_AFTER = timedelta(minutes=4)
"""Longer than any answer waits for Slack; shorter than the last redelivery (5 min)."""
FORGOTTEN_AFTER = timedelta(days=3)
"""Delayed Events are redelivered hourly for a day."""

SCRIPTS = {
    "m001_deliveries": """
        CREATE TABLE deliveries (
            team_id TEXT NOT NULL,
            key TEXT NOT NULL,
            claimed_at INTEGER NOT NULL,
            done_at INTEGER,
            PRIMARY KEY (team_id, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX deliveries_by_age ON deliveries (claimed_at);
    """
}


class Deliveries:
    """One row for each thing delivered; whoever writes it first does the work."""

    def __init__(self, path: Path) -> None:
        self.path = path
        prepare(path, "deliveries", SCRIPTS)

    def claim(self, team_id: str, keys: Sequence[str], now: datetime) -> bool:
        """Take a delivery on, unless under any of its keys somebody did before.

        Work that was begun and never finished, because its process died, is free
        again after `TAKEN_OVER_AFTER`. Where nothing can be written it is taken on:
        an answer that comes twice is better than none.
        """
        at = int(now.timestamp())
        abandoned = at - int(TAKEN_OVER_AFTER.total_seconds())
        written: list[int] = []
        with (
            dispensable("the claim of a delivery"),
            writing(self.path, PATIENCE_S) as connection,
        ):
            # A list: every key is written, whichever of them was known.
            written = [
                connection.execute(
                    """
                    INSERT INTO deliveries (team_id, key, claimed_at) VALUES (?, ?, ?)
                    ON CONFLICT DO UPDATE SET claimed_at = excluded.claimed_at
                    WHERE done_at IS NULL AND claimed_at <= ?
                    """,
                    (team_id, key, at, abandoned),
                ).rowcount
                for key in keys
            ]
        return all(written)

    def finish(self, team_id: str, keys: Sequence[str], now: datetime) -> None:
        """Note that the work is done, and forget what is too old to come again."""
        at = int(now.timestamp())
        with (
            dispensable("the end of a delivery"),
            writing(self.path, PATIENCE_S) as connection,
        ):
            connection.executemany(
                "UPDATE deliveries SET done_at = ? WHERE team_id = ? AND key = ?",
                [(at, team_id, key) for key in keys],
            )
            connection.execute(
                "DELETE FROM deliveries WHERE claimed_at < ?",
                (at - int(FORGOTTEN_AFTER.total_seconds()),),
            )

"""The last question of every conversation, so that the next may be half of one."""

from datetime import UTC, datetime, timedelta

from prices.database.connection import PATIENCE_S, Engine, dispensable
from prices.database.tables import prepare

KEPT_FOR = timedelta(hours=24)
"""A conversation that nobody went on with for a day is over."""

SCRIPTS = {
    "m001_threads": """
        CREATE TABLE threads (
            team_id TEXT NOT NULL,
            place TEXT NOT NULL,
            query TEXT NOT NULL,
            asked_at INTEGER NOT NULL,
            PRIMARY KEY (team_id, place)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX threads_by_age ON threads (asked_at);
    """
}


class Threads:
    """One question a place, as JSON; a place is of one team."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        prepare(engine, "threads", SCRIPTS)

    def remember(self, team_id: str, place: str, query: str, now: datetime) -> None:
        """Keep the newest question of a place, and forget what is over."""
        with (
            dispensable("the last question of a conversation"),
            self.engine.writing(PATIENCE_S, alone=False) as connection,
        ):
            connection.execute(
                """
                INSERT INTO threads VALUES (?, ?, ?, ?) ON CONFLICT (team_id, place)
                DO UPDATE SET query = excluded.query, asked_at = excluded.asked_at
                """,
                (team_id, place, query, _seconds(now)),
            )
            connection.execute(
                "DELETE FROM threads WHERE asked_at < ?", (_seconds(now - KEPT_FOR),)
            )

    def recall(self, team_id: str, place: str, now: datetime) -> str | None:
        """The question of a place that is not over, None where there is none."""
        with self.engine.reading() as connection:
            row = connection.execute(
                "SELECT query FROM threads "
                "WHERE team_id = ? AND place = ? AND asked_at >= ?",
                (team_id, place, _seconds(now - KEPT_FOR)),
            ).fetchone()
        return str(row[0]) if row else None


def _seconds(instant: datetime) -> int:
    return int(instant.astimezone(UTC).timestamp())

"""When each chore is due next, and whose turn it is: kept, so that a restart forgets
and repeats nothing."""

from datetime import UTC, datetime

from prices.database import leases
from prices.database.connection import Engine, dispensable


class Schedule:
    """The chores of every process that shares a database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def due(self, chore: str) -> datetime | None:
        """Return when a chore is due next, None where nobody noted it."""
        with self.engine.reading() as connection:
            row = connection.execute(
                "SELECT next_run_at FROM schedule WHERE job = ?", (chore,)
            ).fetchone()
        return None if row is None else datetime.fromtimestamp(row[0], UTC)

    def note(self, chore: str, at: datetime) -> None:
        """Note when a chore is due next; a fault costs the note, not the chore."""
        with (
            dispensable(f"the time of {chore}"),
            self.engine.writing(alone=False) as connection,
        ):
            connection.execute(
                """
                INSERT INTO schedule (job, next_run_at) VALUES (?, ?)
                ON CONFLICT (job) DO UPDATE SET next_run_at = excluded.next_run_at
                """,
                (chore, at.timestamp()),
            )

    def take(self, chore: str, holder: str, now: datetime, seconds: float) -> bool:
        """Take a chore's lease; where nothing can be written, no chore could either."""
        with (
            dispensable(f"a lease of {chore}"),
            self.engine.writing(alone=False) as connection,
        ):
            return leases.take(connection, chore, holder, now.timestamp(), seconds)
        return False

    def give_back(self, chore: str, holder: str) -> None:
        """Let the next one have a chore at once."""
        with (
            dispensable(f"the end of {chore}"),
            self.engine.writing(alone=False) as connection,
        ):
            leases.give_back(connection, chore, holder)

"""When each chore is due next, kept so that a restart forgets and repeats nothing."""

from datetime import UTC, datetime
from pathlib import Path

from prices.database.connection import dispensable, reading, writing


def due(path: Path, chore: str) -> datetime | None:
    """Return when a chore is due next, None where nobody noted it."""
    with reading(path) as connection:
        row = connection.execute(
            "SELECT next_run_at FROM schedule WHERE job = ?", (chore,)
        ).fetchone()
    return None if row is None else datetime.fromtimestamp(row[0], UTC)


def note(path: Path, chore: str, at: datetime) -> None:
    """Note when a chore is due next; a fault costs the note, not the chore."""
    with dispensable(f"the time of {chore}"), writing(path) as connection:
        connection.execute(
            """
            INSERT INTO schedule (job, next_run_at) VALUES (?, ?)
            ON CONFLICT (job) DO UPDATE SET next_run_at = excluded.next_run_at
            """,
            (chore, at.timestamp()),
        )

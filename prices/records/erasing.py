"""Forgetting one team: whatever is kept under its id, in every table."""

import sqlite3
from datetime import datetime
from pathlib import Path

from prices.database.connection import reading, writing
from prices.records import audit

KEPT = frozenset({"audit", "installations", "workspaces"})
"""The trail is append-only and goes by age; tokens go when the app is removed."""


def teams(path: Path) -> list[str]:
    """Name every team that has anything kept."""
    with reading(path) as connection:
        found: set[str] = set()
        for table in _tables(connection):
            rows = connection.execute(f"SELECT DISTINCT team_id FROM {table}")  # noqa: S608 - names of our own
            found.update(team_id for (team_id,) in rows)
    return sorted(found - {""})


def erase(path: Path, team_id: str, now: datetime) -> dict[str, int]:
    """Delete a team's rows; return how many of each table went, and note it."""
    with writing(path) as connection:
        connection.execute("PRAGMA secure_delete = ON")
        went = {"watches": _erase_watches(connection, team_id)}
        for table in _tables(connection):
            went[table] = connection.execute(
                f"DELETE FROM {table} WHERE team_id = ?",  # noqa: S608 - names of our own
                (team_id,),
            ).rowcount
        went = {table: count for table, count in went.items() if count}
        rows = ", ".join(f"{count} of {table}" for table, count in went.items())
        done = audit.Entry(now, team_id, audit.OPERATOR, "data erased", rows or "none")
        audit.note(connection, done)
    return went


def _erase_watches(connection: sqlite3.Connection, team_id: str) -> int:
    """Drop what hangs on the team's subscriptions; it carries no team itself."""
    if not _has(connection, "watches"):
        return 0
    return connection.execute(
        """
        DELETE FROM watches WHERE subscription_id IN (
            SELECT id FROM subscriptions WHERE team_id = ?)
        """,
        (team_id,),
    ).rowcount


def _tables(connection: sqlite3.Connection) -> list[str]:
    """Name the tables whose rows are a team's."""
    rows = connection.execute(
        """
        SELECT t.name FROM sqlite_master AS t, pragma_table_info(t.name) AS c
        WHERE t.type = 'table' AND c.name = 'team_id' ORDER BY t.name
        """
    )
    return [name for (name,) in rows if name not in KEPT]


def _has(connection: sqlite3.Connection, table: str) -> bool:
    found = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    return connection.execute(found, (table,)).fetchone() is not None

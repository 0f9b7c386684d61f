"""Forgetting one team: whatever is kept under its id, in every table."""

from datetime import datetime

from prices.database.connection import Connection, Engine
from prices.records import audit

KEPT = frozenset({"audit", "installations", "workspaces"})
"""The trail is append-only and goes by age; tokens go when the app is removed."""


def teams(engine: Engine) -> list[str]:
    """Name every team that has anything kept."""
    with engine.reading() as connection:
        found: set[str] = set()
        for table in _tables(connection):
            rows = connection.execute(f"SELECT DISTINCT team_id FROM {table}")  # noqa: S608 - names of our own
            found.update(team_id for (team_id,) in rows)
    return sorted(found - {""})


def erase(engine: Engine, team_id: str, now: datetime) -> dict[str, int]:
    """Delete a team's rows; return how many of each table went, and note it."""
    with engine.writing() as connection:
        connection.forget_for_good()
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


def _erase_watches(connection: Connection, team_id: str) -> int:
    """Drop what hangs on the team's subscriptions; it carries no team itself."""
    if "watches" not in connection.tables():
        return 0
    return connection.execute(
        """
        DELETE FROM watches WHERE subscription_id IN (
            SELECT id FROM subscriptions WHERE team_id = ?)
        """,
        (team_id,),
    ).rowcount


def _tables(connection: Connection) -> list[str]:
    """Name the tables whose rows are a team's."""
    return [name for name in connection.team_tables() if name not in KEPT]

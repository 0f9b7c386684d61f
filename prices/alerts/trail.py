"""What people did to alerts, as the audit trail tells it."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final, Literal

from prices.database.connection import Connection
from prices.records import audit

PROGRAM: Final = "gpucost"
"""Who did what no person did: a channel was archived, a token withdrawn."""

Action = Literal[
    "alert made",
    "alert removed",
    "alert muted",
    "alert unmuted",
    "alert paused",
    "alert resumed",
    "alert adopted",
]

_BEFORE: Final[dict[Action, str]] = {
    "alert made": "NULL",
    "alert removed": "typed",
    "alert muted": "muted_until",
    "alert unmuted": "muted_until",
    "alert paused": "NULL",
    "alert resumed": "nullif(paused, '')",
    "alert adopted": "user_id",
}
"""What an action changes, as the column that held it."""


def tell(
    connection: Connection,
    action: Action,
    numbers: Iterable[int],
    by: str,
    after: str | None = None,
    at: datetime | None = None,
    place: str = "",
) -> None:
    """Note what is about to be done to subscriptions, in the same transaction.

    Without an instant it is now; `place`: from where it is done.
    """
    when = at or datetime.now(UTC)
    for number in numbers:
        row = connection.execute(
            f"""
            SELECT team_id, 'alert ' || id || ' in ' || channel_id, {_BEFORE[action]}
            FROM subscriptions WHERE id = ?
            """,  # noqa: S608 - constants above
            (number,),
        ).fetchone()
        if row is not None:
            team, subject, before = row
            if isinstance(before, int):  # until when it was muted
                before = f"{datetime.fromtimestamp(before, UTC):%Y-%m-%d %H:%M:%S}"
            entry = audit.Entry(when, team, by, action, subject, before, after, place)
            audit.note(connection, entry)

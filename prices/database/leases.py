"""Who of several processes does a thing: a lease that ends by itself."""

from typing import Final

from prices.database.connection import Connection

SLACK_S: Final = 60.0
"""More than two processes' readings of one clock lie apart: whoever waited for the
database compares with an instant from before it waited."""


def take(
    connection: Connection, name: str, holder: str, now: float, seconds: float
) -> bool:
    """Take a lease unless another holds it; times in Unix seconds.

    One that ends later than any lease taken by now could end was taken when the clock
    was ahead: it holds nobody off.
    """
    found = connection.execute(
        """
        INSERT INTO leases VALUES (?1, ?2, ?4) ON CONFLICT (name)
        DO UPDATE SET holder = excluded.holder, until = excluded.until
        WHERE leases.until <= ?3 OR leases.until > ?4 + ?5
            OR leases.holder = excluded.holder
        """,
        (name, holder, now, now + seconds, SLACK_S),
    )
    return found.rowcount == 1


def give_back(connection: Connection, name: str, holder: str) -> None:
    """Let the next one have it at once."""
    connection.execute(
        "DELETE FROM leases WHERE name = ? AND holder = ?", (name, holder)
    )

"""Which deliveries were taken on: Slack may bring the same one several times.

A claim keeps what was delivered until it is answered. Whoever finds the claim of a
process that died answers in its place.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct

from prices.database.connection import PATIENCE_S, Connection, Engine, dispensable
from prices.database.tables import prepare

TAKEN_OVER_AFTER = timedelta(minutes=4)
"""Longer than any answer waits for Slack; shorter than the last redelivery (5 min)."""
FORGOTTEN_AFTER = timedelta(days=3)
"""Delayed Events are redelivered hourly for a day."""
HELD_S = 15
"""How long a claim is its holder's without another word from it."""

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
    """,
    "m002_durable": """
        ALTER TABLE deliveries ADD COLUMN holder TEXT NOT NULL DEFAULT '';
        ALTER TABLE deliveries ADD COLUMN held_until INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE deliveries ADD COLUMN payload TEXT;
        ALTER TABLE deliveries ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX deliveries_open ON deliveries (holder) WHERE payload IS NOT NULL;
    """,
}


class Claim(Struct, frozen=True):
    """A delivery by its keys, with what was delivered where it has to be answered."""

    team_id: str
    keys: Sequence[str]
    payload: dict[str, Any] | None = None


class Abandoned(Struct, frozen=True):
    """What somebody who died had taken on, and how often it was begun before."""

    payload: dict[str, Any]
    tries: int


def _order(claim: Claim) -> tuple[str, list[str]]:
    return claim.team_id, sorted(claim.keys)


class Deliveries:
    """One row for each thing delivered; whoever writes it first does the work."""

    def __init__(self, engine: Engine, holder: str = "") -> None:
        self.engine = engine
        self.holder = holder
        prepare(engine, "deliveries", SCRIPTS)

    def claim(self, team_id: str, keys: Sequence[str], now: datetime) -> bool:
        """Take a delivery on, unless under any of its keys somebody did before."""
        won = self.claim_all([Claim(team_id, keys)], now)
        return won is None or won[0]

    def claim_all(self, claims: Sequence[Claim], now: datetime) -> list[bool] | None:
        """Take several on in one transaction; False: somebody did before.

        Work that was begun and never finished, because its process died, is free
        again after `TAKEN_OVER_AFTER`. None: nothing could be written. It is to be
        taken on then: an answer that comes twice is better than none.
        """
        with (
            dispensable("the claim of a delivery"),
            self.engine.writing(PATIENCE_S, alone=False) as connection,
        ):
            # In one order, so that no two processes wait for each other.
            won = {
                at: self._claimed(connection, claims[at], now)
                for at in sorted(range(len(claims)), key=lambda at: _order(claims[at]))
            }
            return [won[at] for at in range(len(claims))]
        return None

    def _claimed(self, connection: Connection, claim: Claim, now: datetime) -> bool:
        at = int(now.timestamp())
        abandoned = at - int(TAKEN_OVER_AFTER.total_seconds())
        # A list: every key is written, whichever of them was known.
        written = [
            connection.execute(
                """
                INSERT INTO deliveries (team_id, key, claimed_at) VALUES (?, ?, ?)
                ON CONFLICT (team_id, key) DO UPDATE
                SET claimed_at = excluded.claimed_at
                WHERE deliveries.done_at IS NULL AND deliveries.claimed_at <= ?
                """,
                (claim.team_id, key, at, abandoned),
            ).rowcount
            for key in sorted(claim.keys)
        ]
        if not all(written):
            return False
        if claim.payload is not None and claim.keys:
            said = json.dumps(claim.payload, ensure_ascii=False)
            connection.execute(
                """
                UPDATE deliveries SET payload = ?, holder = ?, held_until = ?
                WHERE team_id = ? AND key = ?
                """,
                (said, self.holder, at + HELD_S, claim.team_id, claim.keys[0]),
            )
        return True

    def finish(self, team_id: str, keys: Sequence[str], now: datetime) -> bool:
        """Note that the work is done, and forget what is too old to come again.

        False: it could not be noted. Until it is, a process that takes over would do
        the work again.
        """
        at = int(now.timestamp())
        with (
            dispensable("the end of a delivery"),
            self.engine.writing(PATIENCE_S, alone=False) as connection,
        ):
            connection.executemany(
                """
                UPDATE deliveries SET done_at = ?, payload = NULL
                WHERE team_id = ? AND key = ?
                """,
                [(at, team_id, key) for key in sorted(keys)],
            )
            connection.execute(
                "DELETE FROM deliveries WHERE claimed_at < ?",
                (at - int(FORGOTTEN_AFTER.total_seconds()),),
            )
            return True
        return False

    def hold(self, now: datetime) -> bool:
        """Say that the holder of the open claims still works on them, if one can."""
        with (
            dispensable("the hold on deliveries"),
            self.engine.writing(PATIENCE_S, alone=False) as connection,
        ):
            connection.execute(
                """
                UPDATE deliveries SET held_until = ?
                WHERE holder = ? AND payload IS NOT NULL
                """,
                (int(now.timestamp()) + HELD_S, self.holder),
            )
            return True
        return False

    def abandoned(
        self, now: datetime, is_dead: Callable[[str], bool], *, silent: bool = True
    ) -> Iterable[Abandoned]:
        """Take over what is open of holders that died, or that say nothing any more.

        Each is handed to one taker alone, and counts as begun once more. Where not even
        the taker could speak for a while, nobody is dead for being `silent`.
        """
        at, found = int(now.timestamp()), []
        with (
            dispensable("a look for what was left behind"),
            self.engine.writing(PATIENCE_S, alone=False) as connection,
        ):
            rows = connection.execute(
                f"""
                SELECT team_id, key, holder, held_until, payload, tries FROM deliveries
                WHERE payload IS NOT NULL AND holder <> ? ORDER BY claimed_at
                {connection.dialect.free}
                """,  # noqa: S608 - made of constants
                (self.holder,),
            ).fetchall()
            for team_id, key, holder, held_until, payload, tries in rows:
                # A lease from the future was taken while the clock was ahead.
                held = at < held_until <= at + HELD_S * 4 or not silent
                if held and not is_dead(holder):
                    continue
                connection.execute(
                    """
                    UPDATE deliveries SET holder = ?, held_until = ?, tries = tries + 1
                    WHERE team_id = ? AND key = ?
                    """,
                    (self.holder, at + HELD_S, team_id, key),
                )
                found.append(Abandoned(json.loads(payload), tries + 1))
        return found

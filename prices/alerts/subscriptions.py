"""Who asked to be told what: the subscriptions of every channel."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

from pydantic_core import from_json

from core.alerts.alert import Alert
from core.alerts.letters import Address, Letter
from core.alerts.subscription import DigestWatch, Subscription, Wanted, Watch
from prices.alerts import outbox, watches
from prices.alerts import price_series as tracks
from prices.alerts.tables import prepare_alerts
from prices.alerts.trail import PROGRAM, Action, tell
from prices.database.connection import Connection, Engine
from prices.records.audit import prepare_audit

_COLUMNS = """
    id, team_id, channel_id, user_id, typed, watch, created_at, muted_until, paused
"""
LONGEST_WAIT_S = 9 * 86_400
"""Every cadence is due within nine days."""
_MINE = "team_id = ? AND channel_id = ?"


class SubscriptionBook:
    """The subscriptions in one database; safe to share between threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.outbox = outbox.Outbox(engine)
        prepare_alerts(engine)
        prepare_audit(engine)

    def add(
        self, wanted: Wanted, at: datetime, told: str | None = None, place: str = ""
    ) -> Subscription:
        """Write a subscription down and begin to watch from where prices stand.

        `told` is what a workload or a feed is compared with, as JSON; `place`, here
        and below, from where it is done, for the audit trail.
        """
        with self.engine.writing() as connection:
            subscription = _insert(connection, wanted, at, told)
            made = [subscription.id]
            by, typed = wanted.user_id, wanted.typed
            tell(connection, "alert made", made, by, typed, at, place)
            watches.add_watches(connection, subscription, at)
            return subscription

    def of_channel(self, team_id: str, channel_id: str) -> list[Subscription]:
        """Return a channel's subscriptions, oldest first."""
        return self._read(f"WHERE {_MINE} ORDER BY id", (team_id, channel_id))

    def of_kind(self, kind: str) -> list[Subscription]:
        """Return the subscriptions of a kind that can be posted."""
        return self._read("WHERE kind = ? AND paused = '' ORDER BY id", (kind,))

    def count(self) -> int:
        """Count the subscriptions of every channel."""
        with self.engine.reading() as connection:
            found = connection.execute("SELECT count(*) FROM subscriptions").fetchone()
        return int(found[0])

    def every(self) -> list[Subscription]:
        """Return all subscriptions, oldest first."""
        return self._read("ORDER BY id", ())

    def of_user(self, team_id: str, user_id: str) -> list[Subscription]:
        """Return what one person has watched, in any channel, newest first."""
        where = "WHERE team_id = ? AND user_id = ? ORDER BY id DESC"
        return self._read(where, (team_id, user_id))

    def current_state(self, number: int) -> list[watches.CurrentState]:
        """Return what a price subscription knows of each of its selections."""
        with self.engine.reading() as connection:
            return watches.current_state(connection, number)

    def find(self, number: int, team_id: str) -> Subscription | None:
        """Find a subscription of a team by its number."""
        found = self._read("WHERE id = ? AND team_id = ?", (number, team_id))
        return found[0] if found else None

    def remove(
        self, numbers: Collection[int], by: str = PROGRAM, place: str = ""
    ) -> None:
        """Forget subscriptions, and what only they watched."""
        with self.engine.writing() as connection:
            tell(connection, "alert removed", numbers, by, place=place)
            for table, column in (
                ("watches", "subscription_id"),
                ("subscriptions", "id"),
            ):
                connection.executemany(
                    f"DELETE FROM {table} WHERE {column} = ?",  # noqa: S608 - constants
                    [(number,) for number in numbers],
                )

    def mute(
        self,
        numbers: Collection[int],
        until: datetime | None,
        by: str = PROGRAM,
        place: str = "",
    ) -> None:
        """Keep subscriptions quiet until an instant; None lets them speak again."""
        at = None if until is None else int(until.timestamp())
        action: Action = "alert unmuted" if until is None else "alert muted"
        after = None if until is None else f"{until.astimezone(UTC):%Y-%m-%d %H:%M:%S}"
        with self.engine.writing() as connection:
            tell(connection, action, numbers, by, after, place=place)
            connection.executemany(
                "UPDATE subscriptions SET muted_until = ? WHERE id = ?",
                [(at, number) for number in numbers],
            )
            if until is None:
                _look_again(connection, numbers)

    def pause(
        self, team_id: str, channel_id: str | None, why: str
    ) -> list[Subscription]:
        """Stop what cannot be posted, of a channel or a workspace; return what it was.

        What waits to be posted there is given up with the same reason.
        """
        place = (team_id, channel_id)
        with self.engine.writing() as connection:
            rows = connection.execute(
                f"""
                UPDATE subscriptions SET paused = ?1
                WHERE team_id = ?2 AND channel_id = coalesce(?3, channel_id)
                  AND paused = '' RETURNING {_COLUMNS}
                """,  # noqa: S608 - the columns are a constant above
                (why, *place),
            ).fetchall()
            tell(connection, "alert paused", [row[0] for row in rows], PROGRAM, why)
            outbox.give_up_all(connection, *place, why)
        return [_subscription(row) for row in rows]

    def resume(
        self,
        numbers: Collection[int],
        at: datetime,
        by: str = PROGRAM,
        place: str = "",
    ) -> None:
        """Watch again, from where prices stand now."""
        with self.engine.writing() as connection:
            tell(connection, "alert resumed", numbers, by, None, at, place)
            for number in numbers:
                _resume(connection, number, at)

    def hand_over(self, number: int, user_id: str, place: str = "") -> None:
        """Give a subscription another maker."""
        with self.engine.writing() as connection:
            tell(connection, "alert adopted", [number], user_id, user_id, place=place)
            connection.execute(
                "UPDATE subscriptions SET user_id = ? WHERE id = ?", (user_id, number)
            )

    def told(self, number: int) -> str | None:
        """Return what a workload or a feed is compared with, as it was kept."""
        with self.engine.reading() as connection:
            row = connection.execute(
                "SELECT told FROM subscriptions WHERE id = ?", (number,)
            ).fetchone()
        return row[0] if row else None

    def unseen(self, kind: str, version: str, now: datetime) -> list[Subscription]:
        """Return subscriptions not yet compared with a version of the prices."""
        return self._read(
            """
            WHERE kind = ? AND paused = '' AND seen <> ?
              AND coalesce(muted_until, 0) <= ? ORDER BY id
            """,
            (kind, version, int(now.timestamp())),
        )

    def tell(
        self,
        subscription: Subscription,
        told: str,
        version: str,
        alerts: Collection[Alert],
        at: datetime,
    ) -> None:
        """Keep what a subscription was compared with, and queue what was news."""
        address = address_of(subscription)
        with self.engine.writing() as connection:
            connection.execute(
                "UPDATE subscriptions SET told = ?, seen = ? WHERE id = ?",
                (told, version, subscription.id),
            )
            outbox.queue_alerts(connection, [(address, alert) for alert in alerts], at)

    def tell_beside(
        self, subscription: Subscription, alert: Alert, at: datetime
    ) -> None:
        """Say what moved too, where its channel is told of something anyway."""
        with self.engine.writing() as connection:
            outbox.join(connection, address_of(subscription), (alert,), at)

    def release(self, at: datetime) -> None:
        """Let go of what waited for workloads to be asked again."""
        with self.engine.writing() as connection:
            outbox.release(connection, at)

    def queue_digests(self, now: datetime) -> int:
        """Queue every digest that is due, once each; what was missed comes as one."""
        with self.engine.writing() as connection:
            rows = connection.execute(
                f"""
                SELECT {_COLUMNS}, due_at FROM subscriptions
                WHERE (due_at <= ?1 OR due_at > ?1 + ?2) AND paused = ''
                """,  # noqa: S608 - the columns are a constant above
                (int(now.timestamp()), LONGEST_WAIT_S),
            ).fetchall()
            return sum(
                _queue_digest(connection, _subscription(row[:-1]), row[-1], now)
                for row in rows
            )

    def clean(self, now: datetime, keep_sent: datetime) -> None:
        """Drop tracks that nobody watches and messages posted long ago."""
        with self.engine.writing() as connection:
            tracks.forget_unwatched(connection, now)
            outbox.forget_old(connection, keep_sent)

    def _read(self, where: str, values: tuple[Any, ...]) -> list[Subscription]:
        with self.engine.reading() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM subscriptions {where}",  # noqa: S608 - constants
                values,
            ).fetchall()
        return [_subscription(row) for row in rows]


def address_of(subscription: Subscription) -> Address:
    """Return where a subscription's messages go."""
    return Address(team_id=subscription.team_id, channel_id=subscription.channel_id)


def _insert(
    connection: Connection, wanted: Wanted, at: datetime, told: str | None
) -> Subscription:
    watch = wanted.watch
    (row,) = connection.execute(
        f"""
        INSERT INTO subscriptions (team_id, channel_id, user_id, kind, typed, watch,
            created_at, told, due_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING {_COLUMNS}
        """,  # noqa: S608 - the columns are a constant above
        (
            wanted.team_id,
            wanted.channel_id,
            wanted.user_id,
            watch.kind,
            wanted.typed,
            watch.model_dump_json(),
            int(at.timestamp()),
            told,
            _due(watch, at),
        ),
    ).fetchall()
    return _subscription(row)


def _resume(connection: Connection, number: int, at: datetime) -> None:
    rows = connection.execute(
        f"UPDATE subscriptions SET paused = '' WHERE id = ? RETURNING {_COLUMNS}",  # noqa: S608 - constants
        (number,),
    ).fetchall()
    for row in rows:
        subscription = _subscription(row)
        watches.add_watches(connection, subscription, at)
        connection.execute(
            "UPDATE subscriptions SET due_at = ? WHERE id = ?",
            (_due(subscription.watch, at), number),
        )


def _due(watch: Watch, at: datetime) -> int | None:
    if not isinstance(watch, DigestWatch):
        return None
    return int(watch.cadence.next_after(at).timestamp())


def _queue_digest(
    connection: Connection, subscription: Subscription, due: int, now: datetime
) -> bool:
    watch = subscription.watch
    if not isinstance(watch, DigestWatch):
        return False
    connection.execute(
        "UPDATE subscriptions SET due_at = ? WHERE id = ?",
        (_due(watch, now), subscription.id),
    )
    if due > now.timestamp():
        return False  # the clock was ahead when that was set
    if subscription.muted_until is not None and subscription.muted_until > now:
        return False
    when = datetime.fromtimestamp(due, UTC)
    letter = Letter(kind="digest", subscription=subscription.id, due=when, at=now)
    once = f"digest {subscription.id} {due}"
    return outbox.queue(connection, address_of(subscription), letter, once=once)


def _look_again(connection: Connection, numbers: Collection[int]) -> None:
    """Wake what waited for a mute to end as soon as anybody looks."""
    connection.executemany(
        """
        UPDATE watches SET wake_at = 0
        WHERE subscription_id = ? AND wake_at IS NOT NULL
        """,
        [(number,) for number in numbers],
    )


def _subscription(row: Any) -> Subscription:
    number, team, channel, user, typed, watch, created, muted, paused = row
    return Subscription.model_validate(
        {
            "id": number,
            "team_id": team,
            "channel_id": channel,
            "user_id": user,
            "typed": typed,
            "watch": from_json(watch),
            "created_at": tracks.instant(created),
            "muted_until": tracks.instant(muted),
            "paused": paused,
        }
    )

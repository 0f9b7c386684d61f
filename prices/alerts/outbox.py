"""What is to be posted: queued with the prices that cause it, taken under a lease.

A message is queued in the transaction that makes it news, so a crash loses neither or
both. Whoever posts takes it under a lease, notes that it is about to try, posts, and
notes that it is done. A crash between the last two leaves `tried_at` set: the next one
to take the message must look for its `mark` in the channel before it posts again.
"""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from secrets import token_hex
from typing import Any

from msgspec import Struct

from core.alerts.alert import Alert
from core.alerts.letters import (
    DAILY_CAP,
    GATHERING,
    Address,
    Letter,
    Told,
    added,
    grouped,
)
from prices.database.connection import Connection, Engine
from prices.database.leases import SLACK_S

AHEAD_S = 86_400.0
"""News of a day from now was queued while the clock was ahead: it does not wait."""


class Queued(Struct, frozen=True):
    """A message that is not posted yet."""

    id: int
    mark: str
    """What the posted message carries as metadata, to know it by."""
    address: Address
    letter: Letter
    tries: int
    tried_at: float | None
    """When somebody began to post it and never said how that ended; Unix seconds."""


Ending = Callable[[Connection], None]
"""What is to be noted of a message that somebody tried to post."""


class Outbox:
    """The messages of every channel, each operation in a transaction of its own."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def add(self, letters: Iterable[tuple[Address, Letter, str]]) -> int:
        """Queue letters, each under the name of which only the first counts."""
        with self.engine.writing(alone=False) as connection:
            return sum(
                queue(connection, address, letter, once=once)
                for address, letter, once in letters
            )

    def exchange(
        self,
        ended: Iterable[Ending],
        holder: str,
        clock: Callable[[], float],
        lease_s: float,
        most: int,
    ) -> list[Queued]:
        """Note what ended and take what is next, all in one transaction."""
        with self.engine.writing(alone=False) as connection:
            for ending in ended:
                ending(connection)
            if most <= 0:
                return []
            now = clock()
            taken = take_some(connection, holder, now, lease_s, most)
            for message in taken:
                # Noted before it is tried: whoever takes it after a crash looks first.
                trying(connection, message, holder, now, lease_s)
            return taken

    def next_due(self, now: float) -> float | None:
        """Return when something may next be posted, None where nothing waits."""
        with self.engine.reading() as connection:
            return next_due(connection, now)

    def waiting(self, by: datetime) -> list[Queued]:
        """Read every message that could be posted by an instant."""
        with self.engine.reading() as connection:
            return waiting(connection, by)

    def last_sent(self, subscription: int, most: int) -> list[Letter]:
        """Return the last letters posted that speak of a subscription, newest first."""
        with self.engine.reading() as connection:
            return last_sent(connection, subscription, most)

    def depth(self) -> int:
        """Count the messages that are not posted yet."""
        with self.engine.reading() as connection:
            (count,) = connection.execute(
                "SELECT count(*) FROM outbox WHERE sent_at IS NULL AND fault = ''"
            ).fetchone()
        return int(count)


def queue_alerts(connection: Connection, told: Iterable[Told], at: datetime) -> None:
    """Queue alerts, one message a poll and channel; above the cap, a summary.

    Where a channel also watches workloads, the message waits for these to be asked
    again, and takes what they tell: see `release`.
    """
    for address, alerts in grouped(told):
        if join(connection, address, alerts, at):
            continue
        if _queued_today(connection, address, at) < DAILY_CAP:
            letter = Letter(kind="alerts", alerts=alerts, at=at)
            wait = GATHERING if _has_workloads(connection, address) else timedelta()
            queue(connection, address, letter, not_before=at + wait)
        else:
            _summarise(connection, address, alerts, at)


def join(
    connection: Connection,
    address: Address,
    alerts: tuple[Alert, ...],
    at: datetime,
) -> bool:
    """Add alerts to the message that a channel waits for; False: there is none."""
    found = connection.execute(
        f"""
        SELECT id, letter FROM outbox WHERE team_id = ? AND channel_id = ?
            AND kind = 'alerts' AND not_before > ? AND tries = 0
            AND holder IS NULL AND sent_at IS NULL AND fault = ''
        {connection.dialect.held}
        """,  # noqa: S608 - made of constants
        (address.team_id, address.channel_id, int(at.timestamp())),
    ).fetchone()
    if found is None:
        return False
    letter = added(Letter.model_validate_json(found[1]), alerts)
    connection.execute(
        "UPDATE outbox SET letter = ? WHERE id = ?",
        (letter.model_dump_json(exclude_none=True), found[0]),
    )
    return True


def release(connection: Connection, at: datetime) -> None:
    """Let go of the messages that waited for workloads to be asked again."""
    connection.execute(
        """
        UPDATE outbox SET not_before = ?1 WHERE kind = 'alerts' AND not_before > ?1
            AND tries = 0 AND holder IS NULL AND sent_at IS NULL AND fault = ''
        """,
        (int(at.timestamp()),),
    )


def _has_workloads(connection: Connection, address: Address) -> bool:
    """Tell whether a channel watches workloads."""
    found = connection.execute(
        """
        SELECT 1 FROM subscriptions WHERE team_id = ? AND channel_id = ?
            AND kind = 'workload' AND paused = '' LIMIT 1
        """,
        (address.team_id, address.channel_id),
    ).fetchone()
    return found is not None


def queue(
    connection: Connection,
    address: Address,
    letter: Letter,
    *,
    once: str | None = None,
    not_before: datetime | None = None,
) -> bool:
    """Queue a message; of several under one name `once`, only the first counts."""
    found = connection.execute(
        """
        INSERT INTO outbox
            (once, mark, team_id, channel_id, kind, letter, at, not_before)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
        """,
        (
            once,
            token_hex(8),
            address.team_id,
            address.channel_id,
            letter.kind,
            letter.model_dump_json(exclude_none=True),
            int(letter.at.timestamp()),
            int((not_before or letter.at).timestamp()),
        ),
    )
    return found.rowcount == 1


def waiting(connection: Connection, by: datetime | None = None) -> list[Queued]:
    """Read every message that is not posted yet, or could be by an instant."""
    rows = connection.execute(
        f"""
        SELECT {_COLUMNS} FROM outbox WHERE sent_at IS NULL AND fault = ''
          AND not_before <= coalesce(?, not_before) ORDER BY id
        """,  # noqa: S608 - the columns are a constant below
        (None if by is None else int(by.timestamp()),),
    )
    return [_queued(row) for row in rows]


def take(
    connection: Connection, holder: str, now: float, lease_s: float
) -> Queued | None:
    """Take the message that waited longest, in a channel where nothing is under way."""
    return next(iter(take_some(connection, holder, now, lease_s, most=1)), None)


def take_some(
    connection: Connection, holder: str, now: float, lease_s: float, most: int
) -> list[Queued]:
    """Take the messages that waited longest, one of each channel that is free.

    One that is tried again later keeps the later ones of its channel behind it, unless
    it holds details: no news waits for these.
    `now` is in Unix seconds. Nobody else gets them before the lease ends. A try that
    ended with its process counts for nothing: it says nothing of the message.
    """
    longest = lease_s + SLACK_S
    wanted = {"now": now, "lease": longest, "drift": AHEAD_S, "most": most}
    free = connection.dialect.free
    rows = connection.execute(f"{_NEXT} {free}", wanted).fetchall()
    connection.executemany(
        """
        UPDATE outbox SET holder = ?, held_until = ?, tries = tries
            - CASE WHEN held_until > 0 AND tries > 0 THEN 1 ELSE 0 END
        WHERE id = ?
        """,
        [(holder, now + lease_s, row[0]) for row in rows],
    )
    return [_queued(row) for row in rows]


def trying(
    connection: Connection,
    message: Queued,
    holder: str,
    now: float,
    lease_s: float,
) -> bool:
    """Note that a message is about to be posted; False: the lease went to another."""
    found = connection.execute(
        """
        UPDATE outbox SET tried_at = coalesce(tried_at, ?), tries = tries + 1,
            held_until = ?
        WHERE id = ? AND holder = ? AND held_until > ? AND sent_at IS NULL
        """,
        (now, now + lease_s, message.id, holder, now),
    )
    return found.rowcount == 1


def sent(connection: Connection, message: Queued, ts: str, now: float) -> None:
    """Note that a message stands in its channel."""
    connection.execute(
        "UPDATE outbox SET sent_at = ?, ts = ?, held_until = 0 WHERE id = ?",
        (now, ts, message.id),
    )


def again(
    connection: Connection,
    message: Queued,
    at: float,
    *,
    refused: bool,
    untried: bool = False,
) -> None:
    """Put a message back until later; `refused`: Slack surely did not take it.

    `untried`: nobody tried to post it this time.
    """
    connection.execute(
        """
        UPDATE outbox SET held_until = 0, not_before = ?, tries = tries - ?,
            tried_at = CASE WHEN ? <> 0 THEN NULL ELSE tried_at END
        WHERE id = ?
        """,
        (at, int(untried), refused, message.id),
    )


def give_up(connection: Connection, message: Queued, fault: str) -> None:
    """Note that a message can never be posted, and why."""
    connection.execute(
        "UPDATE outbox SET fault = ?, held_until = 0 WHERE id = ?", (fault, message.id)
    )


def give_up_all(
    connection: Connection, team_id: str, channel_id: str | None, fault: str
) -> int:
    """Give up what waits for a channel, or for a whole workspace."""
    found = connection.execute(
        """
        UPDATE outbox SET fault = ?1, held_until = 0
        WHERE team_id = ?2 AND channel_id = coalesce(?3, channel_id)
          AND sent_at IS NULL AND fault = ''
        """,
        (fault, team_id, channel_id),
    )
    return found.rowcount


def pause(connection: Connection, team_id: str, channel_id: str, until: float) -> None:
    """Post nothing to a channel until then; to a workspace where the channel is ""."""
    longer = connection.dialect.larger("pauses.until", "excluded.until")
    connection.execute(
        f"""
        INSERT INTO pauses VALUES (?, ?, ?) ON CONFLICT (team_id, channel_id)
        DO UPDATE SET until = {longer}
        """,  # noqa: S608 - made of constants
        (team_id, channel_id, until),
    )


def next_due(connection: Connection, now: float) -> float | None:
    """Return when something may next be posted, None where nothing waits."""
    paused = """
        coalesce((SELECT max(until) FROM pauses AS p WHERE p.team_id = o.team_id
            AND p.channel_id IN ('', o.channel_id)), 0)
    """
    (due,) = connection.execute(
        f"""
        SELECT min({connection.dialect.larger("not_before", "held_until", paused)})
        FROM outbox AS o WHERE sent_at IS NULL AND fault = ''
        """  # noqa: S608 - made of constants
    ).fetchone()
    return None if due is None else max(float(due), now)


def last_sent(connection: Connection, subscription: int, most: int) -> list[Letter]:
    """Return the last letters posted that speak of a subscription, newest first."""
    told_of = connection.dialect.numbers_in("letter", "alerts", "subscription")
    rows = connection.execute(
        f"""
        SELECT letter FROM outbox WHERE sent_at IS NOT NULL
          AND (team_id, channel_id) IN
              (SELECT team_id, channel_id FROM subscriptions WHERE id = ?1)
          AND kind <> 'details' AND ?1 IN {told_of} ORDER BY id DESC LIMIT ?2
        """,  # noqa: S608 - made of constants
        (subscription, most),
    )
    return [Letter.model_validate_json(letter) for (letter,) in rows]


def forget_old(connection: Connection, before: datetime) -> int:
    """Drop what was posted, or given up, before an instant; return how much."""
    went = connection.execute(
        "DELETE FROM outbox WHERE at < ? AND (sent_at IS NOT NULL OR fault <> '')",
        (int(before.timestamp()),),
    )
    connection.execute("DELETE FROM pauses WHERE until < ?", (before.timestamp(),))
    return went.rowcount


_COLUMNS = "id, mark, team_id, channel_id, letter, tries, tried_at"
# What makes a row free is asked twice: a server asks the second time once it has the
# row, which somebody may have taken since the first look.
_NEXT = f"""
    WITH waiting AS (
        SELECT id, team_id, channel_id, kind, at, not_before, tries, held_until
        FROM outbox WHERE sent_at IS NULL AND fault = ''
    ), closed AS (
        SELECT team_id, channel_id FROM pauses
        WHERE until > :now AND until <= :now + :drift
        UNION
        SELECT team_id, channel_id FROM waiting
        WHERE held_until > :now AND held_until <= :now + :lease
    ), tried AS (
        SELECT team_id, channel_id, min(id) AS id FROM waiting
        WHERE tries > 0 AND not_before > :now AND at <= :now + :drift
          AND kind <> 'details'
        GROUP BY team_id, channel_id
    ), due AS (
        SELECT min(w.id) AS id FROM waiting AS w
        LEFT JOIN closed AS c
            ON c.team_id = w.team_id AND c.channel_id IN ('', w.channel_id)
        LEFT JOIN tried AS t
            ON t.team_id = w.team_id AND t.channel_id = w.channel_id AND t.id < w.id
        WHERE (w.not_before <= :now OR w.at > :now + :drift)
          AND c.team_id IS NULL AND t.id IS NULL
        GROUP BY w.team_id, w.channel_id ORDER BY 1 LIMIT :most
    )
    SELECT {_COLUMNS} FROM outbox WHERE id IN (SELECT id FROM due)
        AND sent_at IS NULL AND fault = ''
        AND NOT (held_until > :now AND held_until <= :now + :lease)
    ORDER BY id
"""  # noqa: S608 - the columns are a constant


def _queued(row: Any) -> Queued:
    number, mark, team, channel, letter, tries, tried_at = row
    address = Address(team_id=team, channel_id=channel)
    content = Letter.model_validate_json(letter)
    return Queued(number, mark, address, content, tries, tried_at)


def _queued_today(connection: Connection, address: Address, at: datetime) -> int:
    start = _midnight(at)
    (count,) = connection.execute(
        """
        SELECT count(*) FROM outbox WHERE team_id = ? AND channel_id = ?
            AND kind = 'alerts' AND at >= ? AND at < ?
        """,
        (
            address.team_id,
            address.channel_id,
            int(start.timestamp()),
            int((start + timedelta(days=1)).timestamp()),
        ),
    ).fetchone()
    return int(count)


def _summarise(
    connection: Connection,
    address: Address,
    alerts: tuple[Alert, ...],
    at: datetime,
) -> None:
    """Add alerts to the summary that ends the channel's day."""
    end = _midnight(at) + timedelta(days=1)
    found = connection.execute(
        f"""
        SELECT id, letter FROM outbox WHERE team_id = ? AND channel_id = ?
            AND kind = 'summary' AND not_before = ? AND holder IS NULL AND fault = ''
        {connection.dialect.held}
        """,  # noqa: S608 - made of constants
        (address.team_id, address.channel_id, int(end.timestamp())),
    ).fetchone()
    if found is None:
        letter = added(Letter(kind="summary", at=at), alerts)
        queue(connection, address, letter, not_before=end)
        return
    letter = added(Letter.model_validate_json(found[1]), alerts)
    connection.execute(
        "UPDATE outbox SET letter = ? WHERE id = ?",
        (letter.model_dump_json(exclude_none=True), found[0]),
    )


def _midnight(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)

"""What becomes of an alert after it was made, and how losses of it would show."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import Any

from slack_sdk import WebClient

from bot.alerts.delivery import Courier
from bot.alerts.messages import Composer
from bot.render.rendering import Renderer
from bot.slack.messenger import Messenger
from core.alerts.cadence import Cadence
from core.alerts.conditions import Move
from core.alerts.letters import Address, Letter
from core.alerts.selection import Selection
from core.alerts.subscription import DigestWatch, PriceWatch, Wanted
from core.reference.load import reference
from prices.alerts import outbox
from prices.alerts.subscriptions import SubscriptionBook
from prices.history.store import Store
from tests.engines import engine_of
from tests.faults.files import made_at, rows
from tests.faults.write_paths import START, WritePath, at, file_of, missing

GPU = "h100-80gb-sxm"
PLACE = Address(team_id="T", channel_id="C")
DIGESTS = 5
DAY = timedelta(days=1)
KEPT_DAYS = 3
LEASE_S = 2.0
"""By the clock of the courier, that each message sets forward."""


def _adjusting(home: Path, first: int) -> Iterator[int]:
    """Make an alert in place of another, and keep it quiet for a while."""
    book = SubscriptionBook(engine_of(file_of(home)))
    watch = PriceWatch(
        selections=(Selection(label=GPU, gpus=(GPU,)),),
        condition=Move(percent=Decimal(5)),
    )
    for n in count(first):
        old = [standing.id for standing in book.every()]
        wanted = Wanted(
            team_id="T", channel_id="C", user_id="U", typed=str(n), watch=watch
        )
        made = book.add(wanted, at(n)).id
        book.remove(old, "U")
        book.mute([made], at(n), "U")
        yield n


def _adjusting_lost(home: Path, numbers: list[int]) -> int:
    """The newest stands with all that belongs to it, and none that it replaced."""
    file = file_of(home)
    found = rows(file, "SELECT typed, muted_until FROM subscriptions ORDER BY id")
    standing = {int(str(typed)): until for typed, until in found}
    newest = max(numbers, default=0)
    gone = newest > max(standing, default=0)
    loud = standing.get(newest, at(newest).timestamp()) != at(newest).timestamp()
    watched = rows(file, "SELECT DISTINCT subscription_id FROM watches ORDER BY 1")
    half = watched != rows(file, "SELECT id FROM subscriptions ORDER BY id")
    told = {said for (said,) in rows(file, _MUTED)}
    muted = [until for until in standing.values() if until is not None]
    untold = sum(f"{_instant(until):%Y-%m-%d %H:%M:%S}" not in told for until in muted)
    replaced = any(number < newest for number in standing)
    return gone + loud + half + replaced + untold


_MUTED = "SELECT after FROM audit WHERE action = 'alert muted'"


def _instant(seconds: object) -> datetime:
    return datetime.fromtimestamp(float(str(seconds)), UTC)


def _begin_digests(home: Path) -> None:
    book = SubscriptionBook(engine_of(made_at(file_of(home))))
    watch = DigestWatch(cadence=Cadence(every="day"))
    for number in range(DIGESTS):
        wanted = Wanted(
            team_id="T",
            channel_id=f"C{number}",
            user_id="U",
            typed="digest daily",
            watch=watch,
        )
        book.add(wanted, START)


def _digests(home: Path, first: int) -> Iterator[int]:
    """Queue each morning's digests, post them, and forget those of past days."""
    book = SubscriptionBook(engine_of(file_of(home)))
    for n in count(first):
        now = START + n * DAY + DAY / 2
        book.queue_digests(now)
        yield n
        while _post(book, now):
            pass  # those of a morning before whose poster was killed come too
        book.clean(now, now - KEPT_DAYS * DAY)


def _post(book: SubscriptionBook, now: datetime) -> bool:
    with book.engine.writing() as connection:
        taken = outbox.take(connection, "me", now.timestamp(), LEASE_S)
        if taken is not None:
            outbox.sent(connection, taken, "1.0", now.timestamp())
    return taken is not None


def _digests_lost(home: Path, numbers: list[int]) -> int:
    """A morning's digests are queued for all, with the next morning noted, or none."""
    file = file_of(home)
    newest = max(numbers, default=0)
    mornings = rows(file, "SELECT at, count(*) FROM outbox GROUP BY at ORDER BY at")
    due = rows(file, "SELECT DISTINCT due_at FROM subscriptions")
    if not mornings:
        return len(numbers)
    last = int(str(mornings[-1][0]))
    unpaired = due != [(last + 21 * 3_600,)]
    uneven = sum(several != DIGESTS for _, several in mornings)
    since = {int((START + n * DAY + DAY / 2).timestamp()) for n in numbers}
    kept = {day for day in since if day > last - KEPT_DAYS * 86_400}
    there = {int(str(day)) for day, _ in mornings}
    return unpaired + uneven + len(kept - there) + (newest > 0 and last < max(since))


class _Channel(WebClient):
    """A channel that is a file: what was posted there stands, whoever is killed."""

    def __init__(self, posts: Path) -> None:
        super().__init__(token="xoxb-test")  # noqa: S106 - no one is asked
        self.posts = posts

    def chat_postMessage(self, **sent: Any) -> Any:  # noqa: N802 - Slack's name
        """Take a message."""
        mark = sent["metadata"]["event_payload"]["mark"]
        with self.posts.open("a") as lines:
            lines.write(mark + "\n")
        return {"ok": True, "ts": "1.0"}

    def conversations_history(self, **asked: Any) -> Any:
        """Show what stands here."""
        marks = self.posts.read_text().split() if self.posts.exists() else []
        payloads = [{"event_payload": {"mark": mark}} for mark in marks]
        return {"messages": [{"ts": "1.0", "metadata": each} for each in payloads]}


def _delivery(home: Path, first: int) -> Iterator[int]:
    """Queue a letter and let a courier post it, as the service does."""
    file, now = file_of(home), [at(first).timestamp()]
    book = SubscriptionBook(engine_of(file))
    composer = Composer(Store.open(engine_of(file)), book, reference, _Nobody())
    courier = Courier(
        book.outbox,
        composer,
        Messenger(Renderer()),
        lambda team: _Channel(home / "posts"),
        lease_s=LEASE_S,
        pace_s=0.0,
        now=lambda: now[0],
    )
    for n in count(first):
        now[0] = at(n).timestamp() + 2 * LEASE_S
        with book.engine.writing() as connection:
            letter = Letter(kind="trouble", text=str(n), at=at(n))
            outbox.queue(connection, PLACE, letter, once=str(n))
        yield n
        courier.deliver_all()


class _Nobody:
    """No workload is watched here."""

    def again(self, query: Any, context: Any, at: Any = None) -> Any:
        """Never asked."""
        raise AssertionError(query)


def _delivery_lost(home: Path, numbers: list[int]) -> int:
    """What counts as posted was, what was posted was once, and no letter is gone."""
    posts = home / "posts"
    marks = posts.read_text().split() if posts.exists() else []
    noted = rows(file_of(home), "SELECT mark FROM outbox WHERE sent_at IS NOT NULL")
    unposted = {mark for (mark,) in noted} - set(marks)
    twice = len(marks) - len(set(marks))
    queued = missing(home, numbers, "SELECT once FROM outbox")
    return queued + len(unposted) + twice


def _begin_delivery(home: Path) -> None:
    """Read the reference once, before any worker needs it."""
    reference()
    made_at(file_of(home))


PATHS = (
    WritePath("adjusted alerts", _adjusting, _adjusting_lost),
    WritePath("digests", _digests, _digests_lost, _begin_digests),
    WritePath("delivery", _delivery, _delivery_lost, _begin_delivery),
)
"""Every way of an alert from its form to its channel."""

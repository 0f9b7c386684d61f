"""What alerts and the clock write, and how losses of it would show."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import count
from pathlib import Path

from bot.run.schedule import Chore, alone, every
from core.alerts.conditions import Move
from core.alerts.selection import Selection
from core.alerts.subscription import PriceWatch, Wanted
from core.offers import PricePoint
from prices.alerts import outbox
from prices.alerts.alerting import evaluate
from prices.alerts.subscriptions import SubscriptionBook
from prices.history.poll import Poll
from prices.history.store import Store
from prices.records.installations import InstallStates
from prices.records.schedule import Schedule
from tests.engines import engine_of
from tests.faults.files import made_at, rows
from tests.faults.write_paths import START, WritePath, file_of, missing

GPU = "h100-80gb-sxm"
COOLED = timedelta(hours=7)
"""Longer than a watch is silent after it spoke."""


def _begin(home: Path) -> None:
    """Let a channel watch what a feed says for the first time."""
    file = made_at(file_of(home))
    _store(home).record(_poll(START, Decimal(2)))
    watch = PriceWatch(
        selections=(Selection(label=GPU, gpus=(GPU,)),),
        condition=Move(percent=Decimal(5)),
    )
    wanted = Wanted(team_id="T", channel_id="C", user_id="U", typed="h100", watch=watch)
    SubscriptionBook(engine_of(file)).add(wanted, START)


def _store(home: Path) -> Store:
    return Store.open(engine_of(file_of(home)), after_poll=evaluate)


def _poll(instant: datetime, usd: Decimal) -> Poll:
    point = PricePoint(
        provider="lambda",
        gpu=GPU,
        gpu_count=1,
        pricing="on_demand",
        observed_at=instant,
        raw_total=usd,
        micro_usd_per_gpu_hour=int(usd * 1_000_000),
        source="feed",
        source_url="https://example.com",
    )
    return Poll("feed", instant, [point])


def _alerts(home: Path, first: int) -> Iterator[int]:
    """Let a price go to and fro: each poll is news."""
    store = _store(home)
    ((standing,),) = rows(file_of(home), "SELECT micro_usd FROM offers")
    prices = (3, 2) if standing == 2_000_000 else (2, 3)
    for n in count(first):
        usd = Decimal(prices[(n - first) % 2])
        store.record(_poll(START + n * COOLED, usd))
        yield n


def _alerts_lost(home: Path, numbers: list[int]) -> int:
    """A poll, its step in the track and its message are there together, once each."""
    file, start = file_of(home), int(START.timestamp())
    polls = [int(str(at)) for (at,) in rows(file, "SELECT at FROM polls")]
    news = sorted(at for at in polls if at > start)
    told = [at for (at,) in rows(file, "SELECT at FROM outbox ORDER BY at")]
    steps = f"SELECT at FROM track_points WHERE at > {start} ORDER BY at"  # noqa: S608
    followed = [at for (at,) in rows(file, steps)]
    span = int(COOLED.total_seconds())
    lost = {start + n * span for n in numbers} - set(news)
    return len(lost) + (told != news) + (followed != news)


def _clockwork(home: Path, first: int) -> Iterator[int]:
    """Do a chore under its lease, pause a channel, begin an installation."""
    file = file_of(home)
    states = InstallStates(engine_of(file), timedelta(days=1), lambda: START)
    chore = Chore("look", every(COOLED), lambda now: _note(file, now))
    for n in count(first):
        if alone(
            Schedule(engine_of(file)),
            chore,
            lambda n=n: START + n * COOLED,
            f"life {first}",
        ):  # type: ignore[misc]
            yield n
        assert states.consume(states.issue())
        states.issue()


def _note(file: Path, now: datetime) -> None:
    number = (now - START) // COOLED
    with engine_of(file).writing() as connection:
        outbox.pause(connection, "T", str(number), now.timestamp())
        row = ("look", now.timestamp())
        connection.execute("DELETE FROM schedule")
        connection.execute("INSERT INTO schedule VALUES (?, ?)", row)


def _clockwork_lost(home: Path, numbers: list[int]) -> int:
    """What a chore did is there, and its next time is not older."""
    file = file_of(home)
    ((newest,),) = rows(file, "SELECT max(until) FROM pauses")
    kept = rows(file, "SELECT next_run_at FROM schedule")
    half = kept != ([] if newest is None else [(newest,)])
    return half + missing(home, numbers, "SELECT channel_id FROM pauses")


PATHS = (
    WritePath("alerts", _alerts, _alerts_lost, _begin),
    WritePath("clockwork", _clockwork, _clockwork_lost),
)
"""Every way into the tables that nobody asks for."""

"""Alerts under `kill -9`: 300 kills, at least 2,000 alerts, a Slack that misbehaves.

`python -m tests.bench.alerts_kill [--kills N] [--alerts N] [--no-scope]`: two processes
record prices and post alerts; one of them is killed again and again. Nothing may be
lost. Slack's stand-in delays, refuses with 429 and 5xx, and cuts connections after it
took a message. With the scope to read history no message may arrive twice; without it,
only one that was taken while nobody could note it: all others are `unexplained`.
"""

import argparse
import json
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from threading import Event, Thread
from typing import Any

from slack_sdk import WebClient

from bot.alerts.delivery import Courier
from bot.alerts.messages import Composer
from bot.render.rendering import Renderer
from bot.slack.messenger import Messenger
from core.alerts.conditions import Move
from core.alerts.selection import Selection
from core.alerts.subscription import PriceWatch, Wanted
from core.offers import PricePoint
from core.reference.load import reference
from prices.alerts import outbox
from prices.alerts.alerting import evaluate
from prices.alerts.subscriptions import SubscriptionBook
from prices.history.poll import OlderPollError, Poll
from prices.history.store import Store
from tests.bench.alerts_slack import WORKER, calls_in, serve, unexplained
from tests.engines import engine_of

START = datetime(2026, 1, 1, tzinfo=UTC)
GPUS = ("h100-80gb-sxm", "h200-sxm", "b200", "mi300x", "l40s")
CHANNELS = 100
WORKERS = 2
LEASE_S = 6.0
"""Longer than the stand-in ever delays a message."""
PATIENCE_S = 120.0
fork = multiprocessing.get_context("fork")


def prepare(path: Path) -> None:
    """Let a hundred channels each watch one price."""
    store = Store.open(engine_of(path))
    store.record(poll(0))
    book = SubscriptionBook(engine_of(path))
    for number in range(CHANNELS):
        gpu = GPUS[number % len(GPUS)]
        selection = Selection(label=gpu, gpus=(gpu,), pricing="on_demand")
        watch = PriceWatch(selections=(selection,), condition=Move(percent=Decimal(5)))
        book.add(
            Wanted(
                team_id=f"T{number % 4}",
                channel_id=f"C{number}",
                user_id="U1",
                typed=f"alert {gpu} moves 5%",
                watch=watch,
            ),
            START,
        )


def poll(day: int) -> Poll:
    """Make a day's poll: every price swings by a quarter."""
    at = START + timedelta(days=day)
    price = 2_000_000 if day % 2 == 0 else 2_500_000
    points = [
        PricePoint.model_validate(
            {
                "provider": "lambda",
                "gpu": gpu,
                "gpu_count": 1,
                "pricing": "on_demand",
                "raw_total": Decimal(price) / 1_000_000,
                "micro_usd_per_gpu_hour": price,
                "observed_at": at,
                "source": "feed",
                "source_url": "https://example.com",
            }
        )
        for gpu in GPUS
    ]
    return Poll("feed", at, points)


def work(path: Path, url: str, days: Path) -> None:
    """Record the polls that are wanted and post what waits, until killed."""
    store = Store.open(engine_of(path), after_poll=evaluate)
    courier = courier_of(path, url)
    Thread(target=courier.run, args=(Event(),), daemon=True).start()
    while True:
        wanted, recorded = int(days.read_text()), last_day(store)
        if recorded < wanted and waiting(path) < CHANNELS:
            try:
                store.record(poll(recorded + 1))
            except OlderPollError:
                continue
        time.sleep(0.02)


def want(days: Path, last: int) -> None:
    """Say which day is the last to record; workers read it at any time, and whole."""
    fresh = days.with_suffix(".new")
    fresh.write_text(str(last))
    fresh.replace(days)


def courier_of(path: Path, url: str) -> Courier:
    """Make a courier as the service does, in a hurry."""
    book = SubscriptionBook(engine_of(path))
    composer = Composer(Store.open(engine_of(path)), book, reference, NoRunner())
    client = WebClient(
        token="xoxb-test",  # noqa: S106 - the stand-in takes any
        base_url=f"{url}/api/",
        timeout=5,
        headers={WORKER: f"{os.getpid()} {time.monotonic_ns()}"},
        retry_handlers=[],
    )
    return Courier(
        book.outbox,
        composer,
        Messenger(Renderer()),
        lambda team: client,
        lease_s=LEASE_S,
        pace_s=0.0,
    )


class NoRunner:
    """Nobody watches a workload here."""

    def again(self, query: Any, context: Any, at: Any = None) -> Any:
        """Never asked."""
        raise AssertionError(query)


def last_day(store: Store) -> int:
    """Return the day of the newest poll."""
    return (store.last_successes()["feed"] - START).days


def waiting(path: Path) -> int:
    """Return how many messages are not posted yet."""
    with engine_of(path).reading() as connection:
        return len(outbox.waiting(connection))


def start_worker(path: Path, url: str, days: Path) -> Any:
    """Start a process that works until it is killed."""
    worker = fork.Process(target=work, args=(path, url, days), daemon=True)
    worker.start()
    return worker


def run(
    kills: int, alerts: int, scope: bool, seed: int, folder: Path
) -> dict[str, Any]:
    """Kill workers at random until there were enough kills and alerts; then drain."""
    path, log, days = folder / "prices.db", folder / "log", folder / "days"
    log.touch()
    want(days, 1_000_000)
    prepare(path)
    ports: Any = fork.Queue()
    slack = fork.Process(target=serve, args=(log, scope, seed, ports), daemon=True)
    slack.start()
    url = f"http://127.0.0.1:{ports.get()}"
    chance = random.Random(seed)  # noqa: S311 - when to kill whom
    workers = [start_worker(path, url, days) for _ in range(WORKERS)]
    killed: list[tuple[int, float]] = []
    while len(killed) < kills or len(posted_in(log)) < alerts:
        time.sleep(chance.uniform(0.05, 1.5))
        victim = chance.randrange(WORKERS)
        killed.append((workers[victim].pid, time.monotonic()))
        os.kill(workers[victim].pid, signal.SIGKILL)
        workers[victim].join()
        workers[victim] = start_worker(path, url, days)
    want(days, last_day(Store.open(engine_of(path))))
    drain(path)
    for process in (*workers, slack):
        process.kill()
        process.join()
    return result(path, log, killed)


def drain(path: Path) -> None:
    """Wait until everything that was queued is posted."""
    until = time.monotonic() + PATIENCE_S
    while waiting(path) and time.monotonic() < until:
        time.sleep(0.2)


def posted_in(log: Path) -> Counter[str]:
    """Count how often each message was posted."""
    return Counter(call.mark for call in calls_in(log) if call.taken)


def result(path: Path, log: Path, kills: list[tuple[int, float]]) -> dict[str, Any]:
    """Compare what should have been posted with what stands in the channels."""
    posted = posted_in(log)
    with engine_of(path).reading() as connection:
        rows = connection.execute(
            "SELECT mark, channel_id, at, sent_at, kind FROM outbox"
        ).fetchall()
        queued = {mark: (channel, at, sent) for mark, channel, at, sent, _ in rows}
        # In the thread of each are its details, queued as it is noted.
        news = [(channel, at) for _, channel, at, _, kind in rows if kind != "details"]
        (damage,) = connection.execute("PRAGMA quick_check").fetchone()
    last = last_day(Store.open(engine_of(path)))
    wanted = {
        (f"C{number}", int((START + timedelta(days=day)).timestamp()))
        for number in range(CHANNELS)
        for day in range(1, last + 1)
    }
    told = Counter(news)
    return {
        "kills": len(kills),
        "polls": last,
        "alerts": len(news),
        "details": len(queued) - len(news),
        "lost": len(wanted - told.keys()) + len(queued.keys() - posted.keys()),
        "uncalled_for": len(told.keys() - wanted) + sum(told.values()) - len(told),
        "duplicates": sum(posted.values()) - len(posted),
        "unexplained": unexplained(calls_in(log), kills),
        "unsent": sum(sent is None for _, _, sent in queued.values()),
        "database": damage,
    }


def main() -> int:
    """Print what came of it; 0 where nothing was lost and nothing came twice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--alerts", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-scope", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = run(
            options.kills,
            options.alerts,
            not options.no_scope,
            options.seed,
            Path(folder),
        )
    sys.stdout.write(json.dumps(found) + "\n")
    whole = found["database"] == "ok" and not found["unsent"]
    twice = found["unexplained"] or (found["duplicates"] and not options.no_scope)
    return 0 if whole and not (found["lost"] or found["uncalled_for"] or twice) else 1


if __name__ == "__main__":
    sys.exit(main())

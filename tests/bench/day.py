"""A day of fifty times a workspace's load, in minutes, on a clock of its own.

`python -m tests.bench.day [--load N] [--hours N]`: people type, feeds change prices,
alerts fire, digests come and the night's cleaning runs, all of it through the served
program's own parts and a Slack that listens. Counts, and what grew, as JSON.
"""

import argparse
import gc
import json
import os
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from bot.alerts.delivery import METADATA
from bot.alerts.service import AlertService, alert_service
from bot.config.secret import SecretStr
from bot.config.settings import Settings
from bot.run.app import build_app
from bot.run.composition import compose
from core.offers import PricePoint
from prices.alerts.outbox import Outbox
from prices.history.poll import Poll
from tests.bot.fake_slack import SECRET, FakeSlack, fake_slack
from tests.bot.person import Person
from tests.engines import engine_of

QUESTIONS_A_DAY = 40
"""Asked in one busy workspace."""
QUESTIONS = (
    "70b inference 50rps",
    "llama-3.1-8b 1M requests/day 500in/150out",
    "price h100 spot",
    "mixtral-8x7b chat 20rps ttft 800ms on h100",
    "cheapest a100 80gb",
    "qlora 8b on 5k samples",
    "lambda vs coreweave for 70b 50rps",
    "what is kv cache",
    "alert list",
    "help",
)
WATCHES = (
    "alert {gpu} moves 8%",
    "alert {gpu} < {line}",
    "alert {gpu} new low 30d",
    "digest {gpu} daily 9:00 berlin",
)
GPUS = ("h100-80gb-sxm", "h200-sxm", "b200", "mi300x", "l40s", "a100-80gb-sxm")
PROVIDERS = ("lambda", "runpod", "coreweave", "nebius", "crusoe", "verda", "together")
STEP = timedelta(minutes=5)
POLL = timedelta(hours=1)
CHANNELS = 50
DAWN = datetime(2026, 11, 23, tzinfo=UTC)


class Day:
    """The program, the people and the prices of one day."""

    def __init__(self, home: Path, slack: FakeSlack, load: int) -> None:
        self.now, self.slack = DAWN, slack
        self.random = random.Random(1)  # noqa: S311 - no secret
        self.settings = Settings(
            home=home,
            slack_bot_token=SecretStr("xoxb-bench"),
            slack_signing_secret=SecretStr(SECRET),
            slack_api_url=f"{slack.url}/api/",
        )
        self.service = self._service()
        answers, alerts = self.service.answering, self.service.for_slack()
        self.app = build_app(self.settings, answers, alerts, lambda: self.now)
        self.prices = {
            (gpu, name): Decimal(200 + 10 * n) / 100
            for gpu in GPUS
            for n, name in enumerate(PROVIDERS)
        }
        self.due = self._questions(load)
        self.asked = 0
        self.counts: Counter[str] = Counter()

    def _service(self) -> AlertService:
        answering = compose(self.settings, lambda: self.now)
        made = alert_service(self.settings, answering)
        return replace(made, courier=replace(made.courier, pace_s=0.0))

    def _questions(self, load: int) -> list[datetime]:
        """When people ask: twice as often in working hours."""
        weights = [2 if 8 <= hour < 18 else 1 for hour in range(24)]
        hours = self.random.choices(range(24), weights, k=QUESTIONS_A_DAY * load)
        seconds = (hour * 3600 + self.random.randrange(3600) for hour in hours)
        return sorted(DAWN + timedelta(seconds=each) for each in seconds)

    def ask(self, text: str, channel: str) -> None:
        """Let somebody type, and wait for the answer."""
        heard = len(self.slack.heard)
        person = Person(self.app, self.slack)
        person.command(text, channel_id=channel)
        self.slack.wait(heard + 1, 60)
        self.asked += 1

    def subscribe(self) -> None:
        """Let every channel watch something."""
        for number in range(CHANNELS):
            gpu = GPUS[number % len(GPUS)]
            for words in WATCHES:
                self.ask(words.format(gpu=gpu, line="1.90"), f"C{number}")
        self.ask("alert watch 70b 50rps 10%", "C0")
        self.tidy()
        self.counts.clear()
        self.asked = 0

    def step(self) -> None:
        """Let five minutes pass, and all that is due in them happen."""
        self.now += STEP
        if (self.now - DAWN) % POLL < STEP:
            self.poll()
        self.service.watching.look(self.now)
        if (self.now.hour, self.now.minute // 5) == (4, 3):
            self.service.cleaning.clean(self.now)
        self.service.courier.deliver_all()
        while self.due and self.due[0] <= self.now:
            self.due.pop(0)
            text = self.random.choice(QUESTIONS)
            self.ask(text, f"C{self.random.randrange(CHANNELS)}")
        self.tidy()

    def poll(self) -> None:
        """Let a tenth of the prices move by up to a tenth."""
        for key in self.random.sample(sorted(self.prices), len(self.prices) // 10):
            move = Decimal(self.random.randint(90, 111)) / 100
            self.prices[key] = round(self.prices[key] * move, 2)
        points = [self._point(*key, usd) for key, usd in self.prices.items()]
        self.service.answering.store.record(Poll("feed", self.now, points))

    def _point(self, gpu: str, provider: str, usd: Decimal) -> PricePoint:
        return PricePoint(
            provider=provider,
            gpu=gpu,
            gpu_count=1,
            pricing="on_demand",
            observed_at=self.now,
            raw_total=usd,
            micro_usd_per_gpu_hour=int(usd * 1_000_000),
            source="feed",
            source_url="https://example.com",
        )

    def tidy(self) -> None:
        """Count what Slack heard, and let it forget."""
        for _, message in self.slack.heard:
            about = (message.get("metadata") or {}).get("event_type")
            self.counts["alerts" if about == METADATA else "answers"] += 1
        self.slack.heard.clear()
        self.slack.others.clear()
        self.slack.tokens.clear()


def size(database: Path) -> dict[str, float]:
    """Measure what must not grow with time."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {
        "rss_mb": round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1),
        "threads": threading.active_count(),
        "files": len(list(Path("/proc/self/fd").iterdir())),
        "database_mb": round(database.stat().st_size / 1e6, 2),
    }


def live(load: int, hours: int) -> dict[str, Any]:
    """Live the day; its first quarter warms up."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as home, fake_slack() as slack:
        day = Day(Path(home), slack, load)
        day.subscribe()
        database = day.settings.database.file
        sizes = []
        for _ in range(hours):
            for _ in range(int(timedelta(hours=1) / STEP)):
                day.step()
            sizes.append(size(database))
        day.app.listener_runner.listener_executor.shutdown(wait=True)
        quarter = max(len(sizes) // 4, 1)
        warm = sizes[min(quarter, len(sizes) - 1)]
        return {
            "load": load,
            "hours": hours,
            "seconds": round(time.perf_counter() - began, 1),
            "questions": day.asked,
            **day.counts,
            "left_in_outbox": Outbox(engine_of(database)).depth(),
            "warm": warm,
            "end": sizes[-1],
            "rss_growth": round(sizes[-1]["rss_mb"] / warm["rss_mb"], 3),
            "files_kept_open": [
                min(each["files"] for each in part)
                for part in (sizes[:quarter], sizes[-quarter:])
            ],
        }


def main() -> int:
    """Print the day as one JSON object; fail where something grew or was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--load", type=int, default=50)
    parser.add_argument("--hours", type=int, default=24)
    options = parser.parse_args()
    found = live(options.load, options.hours)
    sys.stdout.write(json.dumps(found, indent=2) + "\n")
    first, last = found["files_kept_open"]  # an hour may end while one is written
    grew = found["rss_growth"] > 1.1 or last > first
    return 1 if grew or found["answers"] < found["questions"] else 0


if __name__ == "__main__":
    sys.exit(main())

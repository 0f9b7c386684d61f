"""Write down a file of this version, for later versions to bring forward.

`python -m tests.faults.release 08.sql` before a release that follows a new step of the
schema; the dump goes beside the others, and the tests take it up by themselves.
"""

import sqlite3
import sys
import tempfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from core.alerts.letters import Address, Letter
from core.alerts.subscription import StaleWatch, Wanted
from core.money.pricebook import NegotiatedPrice
from core.offers import PricePoint
from prices.alerts import outbox
from prices.alerts.subscriptions import SubscriptionBook
from prices.guard.quarantine import Quarantine, Suspect
from prices.history.poll import Poll
from prices.history.store import Store
from prices.records.answers import AnswerBook, KeptAnswer
from prices.records.delivery_dedup import Deliveries
from prices.records.feedback import Feedback, Opinion
from prices.records.preferences import Preferences, Setting
from prices.records.pricebook import PriceBook
from prices.records.recent import RecentQuestion, RecentQuestions
from prices.records.threads import Threads
from prices.sources.fetch import Kept
from prices.sources.http_cache import HttpCache
from tests.engines import engine_of
from tests.faults.files import RELEASED, made_at

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
LATER = NOON + timedelta(days=3)
CHEAP = ("1.20", "1.20", None)
"""A spot price that is no longer sold on the third day."""


def fill(path: Path) -> None:
    """Put a few rows into every table, the same in every version."""
    made_at(path)
    _prices(path)
    _teams(path)
    _alerts(path)


def _prices(path: Path) -> None:
    store = Store.open(engine_of(path))
    for day, (usd, spot) in enumerate(
        zip(("2.50", "2.75", "2.60"), CHEAP, strict=True)
    ):
        at = NOON + timedelta(days=day)
        points = [
            _point(at, usd),
            _point(at, "4.99", gpu="b200", gpu_count=8),
            _point(at, "3.10", gpu="b200", pricing="reserved", term_months=12),
        ]
        if spot:
            sold = {"provider": "runpod", "gpu": "a100-80gb", "pricing": "spot"}
            points.append(_point(at, spot, **sold))
        store.record(Poll("feed", at, points))
    Quarantine(engine_of(path)).note(
        "feed", [Suspect("bounds", "b200", "too cheap")], LATER
    )
    body = Kept(b"body", "etag", "monday")
    HttpCache(engine_of(path)).keep("feed", {"https://example.com/prices": body}, LATER)


def _point(at: datetime, usd: str, **more: object) -> PricePoint:
    stated = {
        "provider": "lambda",
        "gpu": "h100-80gb-sxm",
        "gpu_count": 1,
        "pricing": "on_demand",
        "observed_at": at,
        "raw_total": Decimal(usd),
        "micro_usd_per_gpu_hour": int(Decimal(usd) * 1_000_000),
        "source": "feed",
        "source_url": "https://example.com/prices",
    }
    return PricePoint.model_validate(stated | more)


def _teams(path: Path) -> None:
    book = AnswerBook(engine_of(path))
    for n in range(3):
        at, question = LATER + timedelta(hours=n), f"70b {n}rps"
        book.keep(
            KeptAnswer(f"abcde{n}", "T1", at, question, "{}", "poll-3", "1", "{}", "{}")
        )
    settings = Preferences(engine_of(path))
    for key, value, channel in (("currency", "EUR", ""), ("currency", None, ""),
                                ("region", "eu", "C1")):  # fmt: skip
        settings.set("T1", Setting(key, value, channel, "U1", LATER))
    price = NegotiatedPrice(
        provider="lambda", gpu="h100-80gb-sxm", pricing="on_demand", term_months=0,
        usd_per_gpu_hour=Decimal("1.89"), set_by="U1", set_at=LATER,
    )  # fmt: skip
    PriceBook(engine_of(path)).set("T1", price)
    Threads(engine_of(path)).remember("T1", "C1|1", "{}", LATER)
    Deliveries(engine_of(path)).claim("T1", ["event:E1"], LATER)
    Deliveries(engine_of(path)).finish("T1", ["event:E1"], LATER)
    asked = RecentQuestion("70b 0rps", "abcde0", "a verdict", LATER)
    RecentQuestions(engine_of(path)).note("T1", "U1", asked)
    Feedback(engine_of(path)).give("T1", Opinion("abcde0", "U1", "good", LATER))


def _alerts(path: Path) -> None:
    book, place = (
        SubscriptionBook(engine_of(path)),
        Address(team_id="T1", channel_id="C1"),
    )
    wanted = Wanted(
        team_id="T1", channel_id="C1", user_id="U1", typed="stale", watch=StaleWatch()
    )
    book.add(wanted, LATER)
    with book.engine.writing() as connection:
        letter = Letter(kind="trouble", text="x", at=LATER)
        outbox.queue(connection, place, letter, once="once 1")


def dumped(path: Path) -> str:
    """Write a file out as SQL, with the version that its header states."""
    with closing(sqlite3.connect(path)) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        lines = "\n".join(connection.iterdump())
    return f"{lines}\nPRAGMA user_version = {version};\n"


def main() -> int:
    """Dump a filled file under the name that is given."""
    target = RELEASED / sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "gpucost.sqlite3"
        fill(path)
        target.write_text(dumped(path), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

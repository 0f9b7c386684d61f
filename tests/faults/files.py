"""Database files of every version, and what is in them."""

import hashlib
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from prices.alerts.subscriptions import SubscriptionBook
from prices.database.connection import PATIENCE_S
from prices.guard.quarantine import Quarantine
from prices.history.store import Store
from prices.records.answers import AnswerBook
from prices.records.audit import AuditTrail
from prices.records.delivery_dedup import Deliveries
from prices.records.feedback import Feedback
from prices.records.installations import Installations
from prices.records.preferences import Preferences
from prices.records.pricebook import PriceBook
from prices.records.recent import RecentQuestions
from prices.records.threads import Threads
from prices.sources.http_cache import HttpCache
from prices.sources.rates import RateBook
from tests.engines import engine_of

RELEASED = Path(__file__).parent.parent / "prices" / "released"
"""Dumps of files that each earlier schema wrote, with rows in every table."""


BOOKS = (
    Store.open, AnswerBook, SubscriptionBook, Preferences, PriceBook, Threads,
    Deliveries, RecentQuestions, Feedback, Quarantine, RateBook, HttpCache,
    AuditTrail, lambda engine: Installations(engine, "app"),
)  # fmt: skip
"""Whatever keeps tables of its own."""


def hurry(monkeypatch: pytest.MonkeyPatch, seconds: float = 0.2) -> None:
    """Let no answer wait for the lock as long as it does for people."""
    assert PATIENCE_S <= 3
    ours = [module for name, module in sys.modules.items() if name[:7] == "prices."]
    for module in ours:
        if hasattr(module, "PATIENCE_S"):
            monkeypatch.setattr(module, "PATIENCE_S", seconds)


def current(folder: Path) -> Path:
    """Make a file as this version makes it."""
    return made_at(folder / "new" / "gpucost.sqlite3")


def made_at(path: Path) -> Path:
    """Make every table of this version in a new file."""
    for book in BOOKS:
        book(engine_of(path))
    return path


def released(version: str, folder: Path) -> Path:
    """Make the file that an earlier version left behind."""
    path = folder / "gpucost.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.executescript((RELEASED / version).read_text("utf-8"))
    return path


def versions() -> list[str]:
    """Name every earlier schema, oldest first."""
    return sorted(file.name for file in RELEASED.glob("*.sql"))


def digest(path: Path) -> str:
    """Say what a file holds, byte for byte."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    """Ask the database itself."""
    with engine_of(path).reading() as connection:
        return connection.execute(sql).fetchall()


def dump(path: Path) -> list[str]:
    """Write out everything that a file holds."""
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def beside(path: Path) -> list[str]:
    """Name what lies beside a database, but its log and the empty lock files."""
    own = {path.name + suffix for suffix in ("", "-wal", "-shm")}
    return sorted(
        file.name
        for file in path.parent.iterdir()
        if file.name not in own and not file.name.endswith("lock")
    )

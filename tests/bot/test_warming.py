"""The bot is warm before somebody asks, and its file stays open while it serves."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import get_type_hints

import pytest

from bot.answers.dispatch import PLACES, loaded
from bot.config.settings import Settings
from bot.question.question import Question
from bot.run.composition import compose
from bot.run.warming import warm_up
from tests.engines import engine_of

NOW = datetime(2026, 11, 21, tzinfo=UTC)
FRESH = """
import gc
import sys
from pathlib import Path
from bot.run.composition import compose
from bot.config.settings import Settings
from bot.run.warming import warm_up

answering = compose(Settings(home=Path(sys.argv[1])))

def tables():
    module = sys.modules.get("prices.sources.api_prices")
    return bool(module and module._own.cache_info().currsize)

before = tables()
warm_up(answering).join()
print(before, tables(), gc.get_freeze_count() > 50 * len(gc.get_objects()))
"""


def test_the_tables_of_api_prices_are_read_before_anybody_asks(tmp_path: Path) -> None:
    """They are not loaded by composing alone: a question in the terminal is quick.

    What is loaded by then is set apart from what Python looks through for garbage.
    """
    done = subprocess.run(
        [sys.executable, "-c", FRESH, str(tmp_path)],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip

    assert ["False", "True", "True"] == done.stdout.split()


@pytest.mark.sqlite_alone
def test_a_warm_up_that_fails_stops_nothing(tmp_path: Path) -> None:
    """Whatever is wrong is for the log, not for the start."""
    answering = compose(Settings(home=tmp_path), clock=lambda: NOW)
    answering.store.engine.file.unlink()

    thread = warm_up(answering)
    thread.join(10)

    assert not thread.is_alive()


@pytest.mark.sqlite_alone
def test_an_anchor_keeps_the_log_while_others_come_and_go(tmp_path: Path) -> None:
    """Without it the last to close copies the log back and removes it, every time."""
    file = tmp_path / "some.sqlite3"
    log = Path(f"{file}-wal")
    write(file, 1)
    assert not log.exists()

    with engine_of(file).anchored():
        write(file, 2)
        assert log.exists()

    assert [1, 2] == read(file)


@pytest.mark.sqlite_alone
def test_an_anchor_leaves_another_file_in_its_place_alone(tmp_path: Path) -> None:
    """A database put there meanwhile keeps what its own log holds."""
    file, other = tmp_path / "some.sqlite3", tmp_path / "other.sqlite3"
    write(file, 1)
    write(other, 7)

    with engine_of(file).anchored():
        write(file, 2)
        Path(f"{file}-wal").rename(tmp_path / "old-wal")
        Path(f"{file}-shm").unlink()
        file.rename(tmp_path / "old.sqlite3")
        other.rename(file)
        keeper = sqlite3.connect(file)
        keeper.execute("SELECT count(*) FROM t").fetchone()
        write(file, 8)
    found = read(file)
    keeper.close()

    assert [7, 8] == found


def write(file: Path, number: int) -> None:
    """Write a row as the program does."""
    with engine_of(file).writing(create=not file.exists()) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS t (x INTEGER)")
        connection.execute("INSERT INTO t VALUES (?)", (number,))


def read(file: Path) -> list[int]:
    """Return what stands in the file."""
    with closing(sqlite3.connect(file)) as connection:
        return [x for (x,) in connection.execute("SELECT x FROM t ORDER BY x")]


def test_every_kind_answers_as_the_table_says() -> None:
    """Kinds are named by their place: each is there, and so is what it returns."""
    for place, answers in PLACES.items():
        found = get_type_hints(loaded(place))
        assert answers == found["return"], place
        assert Question is found["question"], place

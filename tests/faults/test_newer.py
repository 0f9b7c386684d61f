"""A file of a newer version is told from one of this version, everywhere."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.commands.cli import main
from prices.database.connection import StoreError
from prices.history.store import SCHEMA_VERSION
from tests.engines import engine_of
from tests.faults.files import BOOKS, current, released

pytestmark = pytest.mark.sqlite_alone

Make = Callable[[Path], object]


@pytest.mark.parametrize("make", BOOKS)
def test_a_newer_file_is_refused_politely(
    make: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No table of a newer version is read as if it were of this one."""
    path = current(tmp_path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
            " SELECT migration_set, 'm900_later', '' FROM _sqlite_migrations"
            " WHERE name LIKE 'm001%'"
        )
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")

    with pytest.raises(StoreError, match="newer version of gpucost"):
        make(engine_of(path))


@pytest.mark.parametrize("words", [["70b 50rps"], ["migrate"], ["doctor"]])
def test_the_terminal_says_so_in_a_line(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nobody sees a traceback."""
    path = released("07.sql", tmp_path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
            " VALUES ('prices', 'm900_later', '')"
        )
        connection.execute("PRAGMA user_version = 900")
    monkeypatch.setenv("GPUCOST_HOME", str(tmp_path))

    assert 1 == main(words)

    said = capsys.readouterr()
    assert "written by a newer version of gpucost" in said.out + said.err

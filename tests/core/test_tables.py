"""Tables out of Python's cache are those of their files, whatever becomes of it."""

import os
import sys
import tomllib
from pathlib import Path

import pytest

from core.reference.tables import read_table, worked_out

ROOT = Path(__file__).parents[2]
TABLES = sorted(
    table
    for room in ("bot", "core", "prices", "templates")
    for table in (ROOT / room).rglob("*.toml")
)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with a table, and a module of the same name beside it."""
    folder = tmp_path / "quokka"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "herd.py").write_text("TABLE = {}\n")
    (folder / "herd.toml").write_text("size = 3\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.delitem(sys.modules, "quokka", raising=False)
    return folder


def test_every_table_is_what_its_file_says() -> None:
    """Also those with dates, from the first reading and from the cache."""
    assert len(TABLES) > 80
    for table in TABLES:
        package = ".".join(table.parent.relative_to(ROOT).parts)
        if not (table.parent / "__init__.py").exists():
            continue
        said = tomllib.loads(table.read_text("utf-8"))
        for _ in range(2):
            found = read_table(package, table.name)
            assert said == found, table
        found.clear()
        assert said == read_table(package, table.name), table


def test_a_table_that_changes_is_read_anew(package: Path) -> None:
    """It is kept in the cache beside its module, never instead of it."""
    assert {"size": 3} == read_table("quokka", "herd.toml")
    (kept,) = (package / "__pycache__").glob("herd*.pyc")
    assert kept.name.endswith("-toml.pyc")
    kept_before = kept.read_bytes()

    (package / "herd.toml").write_text("size = 40\n")

    assert {"size": 40} == read_table("quokka", "herd.toml")
    assert kept_before != kept.read_bytes()


@pytest.mark.parametrize("broken", [b"", b"rubbish", b"\0" * 400])
def test_a_cache_that_is_broken_is_no_matter(package: Path, broken: bytes) -> None:
    """Cut or written over, it is made again."""
    read_table("quokka", "herd.toml")
    (kept,) = (package / "__pycache__").glob("herd*.pyc")
    kept.write_bytes(broken)

    assert {"size": 3} == read_table("quokka", "herd.toml")


def test_where_nothing_may_be_written_tables_are_read_all_the_same(
    package: Path,
) -> None:
    """The program of another user, or on a disk that is read only."""
    (package / "__pycache__").write_text("a file in the way of the folder")

    assert {"size": 3} == read_table("quokka", "herd.toml")


@pytest.mark.parametrize("broken", [b"", b"rubbish", b"\0" * 400, None])
def test_what_is_worked_out_is_kept_until_a_source_changes(
    package: Path, broken: bytes | None
) -> None:
    """Neither a broken cache nor an older state of a table is believed."""
    table, made = package / "herd.toml", list[str]()

    def herd() -> dict[str, object]:
        made.append(table.read_text())
        return tomllib.loads(made[-1])

    def found() -> object:
        return worked_out(herd, str(package / "herd.py"), [table])

    assert [{"size": 3}] * 2 == [found(), found()]
    assert 1 == len(made)
    (kept,) = (package / "__pycache__").glob("herd.herd*.pyc")
    if broken is None:
        stat = table.stat()
        table.write_text("size = 4\n")
        os.utime(table, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    else:
        kept.write_bytes(broken)

    assert [tomllib.loads(table.read_text())] * 2 == [found(), found()]
    assert 2 == len(made)

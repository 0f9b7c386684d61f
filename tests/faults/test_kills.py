"""Writers are killed at any instant: what they had acknowledged is there."""

from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

import pytest

from prices.upkeep import schema
from tests.engines import engine_of
from tests.faults import file_paths
from tests.faults.kills import TABLES, report, run
from tests.faults.write_paths import WritePath, file_of, missing

FILES = [
    pytest.param(path, marks=pytest.mark.sqlite_alone, id=path.name)
    for path in file_paths.PATHS
]


@pytest.mark.parametrize(
    "path", [*(pytest.param(path, id=path.name) for path in TABLES), *FILES]
)
def test_nothing_acknowledged_is_lost(path: WritePath, tmp_path: Path) -> None:
    """Three kills of each; `make kills-all` makes five hundred."""
    tally = run(3, tmp_path, seed=7, paths=(path,))[path.name]

    assert (3, 0, 0) == (tally.kills, tally.lost, tally.damaged)


PASSING = {"leases", "audit_horizon"}
"""What a chore gives back when it ends, and how far the trail was forgotten."""


def test_every_table_has_a_writer_that_is_killed(tmp_path: Path) -> None:
    """A table that is new is missed here, and not after a power cut."""
    tables, written = set(), set()
    for path in TABLES:
        home = tmp_path / path.name
        home.mkdir()
        path.begin(home)
        promised = list(islice(path.work(home, 1), 2))
        assert 0 == path.lost(home, promised)
        with engine_of(file_of(home)).reading() as connection:
            counts = schema.counts(connection)
        tables |= counts.keys()
        written |= {table for table, rows in counts.items() if rows}

    assert PASSING == tables - written


def _forgetful(home: Path, first: int) -> Iterator[int]:
    yield from count(first)


def test_a_writer_that_promises_what_it_did_not_write_is_found(tmp_path: Path) -> None:
    """The search for losses finds one."""
    path = WritePath(
        "forgetful",
        _forgetful,
        lambda home, numbers: missing(home, numbers, "SELECT id FROM answers"),
    )

    found = report(run(3, tmp_path, paths=(path,)))

    assert found["all"]["lost"] > 0
    assert engine_of(file_of(tmp_path / "forgetful")).exists()

"""Conversations are remembered for a day, each by its own team."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from prices.records.threads import Threads
from tests.engines import engine_of

pytestmark = pytest.mark.both_engines

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def threads(tmp_path: Path) -> Threads:
    """An empty memory."""
    return Threads(engine_of(tmp_path / "threads.sqlite3"))


def test_the_newest_question_of_a_place_is_recalled(threads: Threads) -> None:
    """A later question of the same place takes the earlier one's."""
    threads.remember("T1", "C1|1.0", '{"rps": 50}', NOW)
    threads.remember("T1", "C1|1.0", '{"rps": 100}', NOW)

    assert threads.recall("T1", "C1|1.0", NOW) == '{"rps": 100}'


def test_a_place_is_of_one_team_only(threads: Threads) -> None:
    """The same channel id of another workspace is another place."""
    threads.remember("T1", "C1|1.0", "{}", NOW)

    assert threads.recall("T2", "C1|1.0", NOW) is None


def test_a_conversation_is_over_after_a_day(threads: Threads, tmp_path: Path) -> None:
    """What nobody went on with is neither recalled nor kept."""
    threads.remember("T1", "old", "{}", NOW - timedelta(hours=25))
    assert threads.recall("T1", "old", NOW) is None

    threads.remember("T1", "new", "{}", NOW)

    reopened = Threads(engine_of(tmp_path / "threads.sqlite3"))
    assert reopened.recall("T1", "old", NOW - timedelta(hours=25)) is None
    assert reopened.recall("T1", "new", NOW) == "{}"

"""Two replicas on one PostgreSQL server: a kill, a server that falls over, an update.

`make replicas` does the same with sixty kills.
"""

import pytest

from tests.faults.replicas import run


@pytest.mark.timeout(400)
def test_nothing_is_lost_or_answered_twice() -> None:
    """Whatever was acknowledged is answered, and no command fails in an update."""
    found = run(replicas=2, kills=1, restarts=1, rolls=1)

    assert found.acknowledged > 0
    assert ([], [], 0) == (found.lost, found.doubled, found.failed_while_rolling)

"""A burst of commands: each acknowledged in time, each answered once."""

from tests.bench.slack_load import measure

COMMANDS = 60
SLACK_WAITS_SECONDS = 3


def test_a_burst_of_commands_is_acknowledged_and_answered() -> None:
    """All at once over HTTP; `python -m tests.bench.slack_load` sends five hundred."""
    found = measure(COMMANDS)

    assert found["acknowledged"] == found["answered"] == COMMANDS
    assert found["ack_median_s"] <= 1
    assert found["ack_max_s"] < SLACK_WAITS_SECONDS

"""A burst of commands: each acknowledged in time, each answered once."""

from tests.bench.slack_load import measure

COMMANDS = 60


def test_a_burst_of_commands_is_acknowledged_and_answered() -> None:
    """All at once over HTTP; `python -m tests.bench.slack_load` sends five hundred."""
    found = measure(COMMANDS)

    assert found["acknowledged"] == found["answered"] == COMMANDS
    # On a busy machine all of it takes longer: answers wait for acknowledgements.
    assert found["ack_max_s"] <= found["all_answered_s"] / 2

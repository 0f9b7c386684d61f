"""A burst of commands: each acknowledged in time, each answered once."""

from tests.bench.slack_load import measure

COMMANDS = 60
SLACK_WAITS_S = 3.0
RUNS = 3


def test_a_burst_of_commands_is_acknowledged_and_answered() -> None:
    """All at once over HTTP; `python -m tests.bench.slack_load` sends five hundred.

    Slack's limit is a matter of the program where one run of some keeps it: what else
    the machine does slows each differently.
    """
    slowest = []
    for _ in range(RUNS):
        found = measure(COMMANDS)
        assert found["acknowledged"] == found["answered"] == COMMANDS
        # Answers wait for acknowledgements.
        assert found["ack_max_s"] <= found["all_answered_s"] / 2
        slowest.append(found["ack_max_s"])
        if slowest[-1] < SLACK_WAITS_S:
            return
    raise AssertionError(slowest)

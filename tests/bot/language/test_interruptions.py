"""How often spot is taken away, in the words of a question."""

import pytest

from bot.language.conversation import apply
from bot.language.parse import parse


@pytest.mark.parametrize(
    ("words", "hours", "machine"),
    [
        ("interrupted every 10 hours", 10, None),
        ("preempted twice a day", 12, None),
        ("one interruption per 6 h", 6, None),
        ("2 preemptions a day", 12, None),
        ("mtbf 12h", 12, None),
        ("mean time between interruptions of 90 minutes", 1.5, None),
        ("we lose a node every 8 hours", 8, True),
        ("each VM gets preempted 3x per week", 56, True),
        ("interrupted once a week", 168, None),
        ("killed about every 3h", 3, None),
        ("interruptible", None, None),
        ("done in 10 hours", None, None),
    ],
)
def test_the_hours_between_interruptions_are_read(
    words: str, hours: float | None, machine: bool | None
) -> None:
    """Of the job, unless a machine is what is lost; no deadline, no cadence."""
    query = parse(f"train 7b on 20b tokens on spot, {words}")

    assert (hours, machine) == (query.interrupted_hours, query.interrupted_machine)
    assert query.cadence is None
    assert ("done in" in words) == (query.deadline_hours is not None)


def test_a_thread_keeps_them() -> None:
    """ "and on a100?" is interrupted as often."""
    first = parse("train 7b on 20b tokens on spot h100, interrupted every 10 hours")
    second = apply(first, "and on a100?")

    assert second is not None
    assert 10 == second.interrupted_hours

"""How often a run on spot saves its work, as a question says it."""

import pytest

from bot.language.conversation import apply
from bot.language.parse import parse


@pytest.mark.parametrize(
    ("words", "hours"),
    [
        ("checkpoints every 30 minutes", 0.5),
        ("checkpointing every 2h", 2),
        ("hourly checkpoints", 1),
        ("saving weights every 15 min", 0.25),
        ("a checkpoint every hour", 1),
        ("checkpoints are written every 90 minutes", 1.5),
        ("daily checkpoints", 24),
        ("with checkpoints", None),
        ("interrupted every 10 hours", None),
    ],
)
def test_the_time_between_checkpoints_is_read(words: str, hours: float | None) -> None:
    """And is no deadline, no cadence of training, no number of models."""
    query = parse(f"train 7b on 20b tokens on spot, {words}")

    assert hours == query.checkpoint_hours
    stated = query.deadline_hours, query.cadence, query.model_count
    assert (None, None, None) == stated


def test_a_served_checkpoint_saves_nothing() -> None:
    """A checkpoint that is served is a model."""
    assert parse("serve our checkpoint, 7b, 5 rps every hour").checkpoint_hours is None


def test_a_thread_keeps_it() -> None:
    """ "and on a100?" saves as often."""
    first = parse("train 7b on 20b tokens on spot h100, checkpoints every 2 hours")
    second = apply(first, "and on a100?")

    assert second is not None
    assert 2 == second.checkpoint_hours

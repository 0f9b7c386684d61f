"""A thread goes on where it was; what it took over is shown."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.config.settings import Settings
from bot.question.asking import AskContext
from bot.run.composition import compose
from bot.service.answering import Answering

NOW = datetime(2026, 9, 1, tzinfo=UTC)
THREAD = AskContext(
    surface="mention", team_id="T1", channel_id="C1", user_id="U1", thread_ts="1.0"
)


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock at noon."""
    return Clock()


@pytest.fixture
def answering(tmp_path: Path, clock: Clock) -> Answering:
    """A bot that nobody has asked yet."""
    return compose(Settings(home=tmp_path), clock=clock)


def rps_of(answering: Answering, text: str, context: AskContext = THREAD) -> object:
    """The rate that an answer was computed for."""
    answered = answering.answered(text, context)
    return answered.query.rps if answered.query else None


def test_a_follow_up_takes_over_what_it_leaves_unsaid(answering: Answering) -> None:
    """The precision changes, the model and the rate stay, and that is said."""
    answering.ask("70b inference 50rps", context=THREAD)
    answered = answering.answered("what about int8?", THREAD)

    assert answered.query is not None
    assert (70, 50, ("int8",)) == (
        answered.query.params_b,
        answered.query.rps,
        answered.query.precision,
    )
    assert "Carried over" in answered.view.notes[0]
    assert "70b, 50 rps" in answered.view.notes[0]


def test_follow_ups_add_up(answering: Answering) -> None:
    """Each message changes the question that the last one made."""
    for text in ("70b inference 50rps", "and on nebius?", "at 100 rps"):
        answered = answering.answered(text, THREAD)

    assert answered.query is not None
    assert (100, ("nebius",)) == (answered.query.rps, answered.query.provider)


def test_a_whole_question_starts_anew(answering: Answering) -> None:
    """Nothing is carried into a question that stands by itself."""
    answering.ask("70b inference 50rps on h100", context=THREAD)
    answered = answering.answered("llama-3.1-8b inference 5rps", THREAD)

    assert answered.query is not None
    assert answered.query.gpu is None
    assert not any("Carried over" in note for note in answered.view.notes)


@pytest.mark.parametrize(
    "elsewhere",
    [
        {"thread_ts": "2.0"},
        {"channel_id": "C2"},
        {"team_id": "T2"},
        {"thread_ts": "", "surface": "command"},
    ],
)
def test_nothing_is_carried_between_places(
    answering: Answering, elsewhere: dict[str, str]
) -> None:
    """Another thread, channel or team knows nothing of this one."""
    answering.ask("70b inference 50rps", context=THREAD)
    other = THREAD.model_copy(update=elsewhere)

    assert rps_of(answering, "what about int8?", other) is None


def test_a_dm_is_a_conversation_of_its_own(answering: Answering) -> None:
    """Without a thread, a person's DM goes on by itself."""
    dm = THREAD.model_copy(update={"surface": "message", "thread_ts": ""})
    answering.ask("70b inference 50rps", context=dm)

    assert rps_of(answering, "what about int8?", dm) == 50


def test_a_dm_goes_on_below_the_thread_of_its_last_answer(answering: Answering) -> None:
    """Every message there starts a thread; whoever writes no reply is understood."""
    dm = THREAD.model_copy(update={"surface": "message"})
    answering.ask("70b inference 50rps", context=dm)

    assert 50 == rps_of(answering, "int8?", dm.model_copy(update={"thread_ts": "2.0"}))


def test_a_reply_in_a_dm_goes_on_where_it_stands(answering: Answering) -> None:
    """The thread's own question comes before a newer one of the same DM."""
    dm = THREAD.model_copy(update={"surface": "message"})
    answering.ask("70b inference 50rps", context=dm)
    answering.ask("8b 5rps", context=dm.model_copy(update={"thread_ts": "2.0"}))

    assert 50 == rps_of(answering, "what about int8?", dm)


def test_a_conversation_ends_after_a_day(answering: Answering, clock: Clock) -> None:
    """A message of the next afternoon is a new question."""
    answering.ask("70b inference 50rps", context=THREAD)
    clock.now += timedelta(hours=25)

    assert rps_of(answering, "what about int8?") is None

"""Who asks too often waits, is told so alone, and keeps nobody else waiting."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_bolt import Args

from bot.question.limits import QuestionLimits, Rate, TooManyError
from bot.render.views import AnswerView
from bot.run.app import Alerts
from bot.slack.listeners.context import ListenerContext, send
from tests.bot.conftest import Install, Workspace
from tests.bot.person import Person

STOPPED = AnswerView(kind="hint", verdict="stopped")


def asked(workspace: Workspace) -> int:
    """How many questions were answered."""
    return len(workspace.answers.asked)


def refused(workspace: Workspace) -> list[str]:
    """What those were told who asked too often."""
    heard = [message for _, message in workspace.slack.heard]
    return [m["text"] for m in heard if "The limit is" in str(m)]


def test_the_fourth_of_three_questions_waits(install: Install) -> None:
    """A signed command beyond the limit is told when the next may come, privately."""
    workspace = install(user_rate=3)
    for _ in range(4):
        workspace.person.command("70b inference 50rps")
    workspace.slack.wait(4)

    assert asked(workspace) == 3
    assert len(refused(workspace)) == 1
    message = next(m for _, m in workspace.slack.heard if "The limit is" in str(m))
    assert message["response_type"] == "ephemeral"
    # How long exactly is asked below, on a clock that stands still.
    told = re.search(
        r"limit is 3 questions a minute\. Ask again in (\d+) s\.", str(message)
    )
    assert told is not None
    assert 0 < int(told[1]) <= 20


def test_others_do_not_wait(install: Install) -> None:
    """One person's limit is theirs alone; that of a workspace is everybody's there."""
    workspace = install(user_rate=2, team_rate=3)
    people = [
        Person(workspace.app, workspace.slack, user=user, team=team)
        for user, team in [("U1", "T1"), ("U2", "T1"), ("U2", "T1"), ("U1", "T2")]
    ]
    for count, person in enumerate([people[0], *people], 1):
        person.command("70b inference 50rps")
        workspace.slack.wait(count)

    who = [(c.team_id, c.user_id) for _, c in workspace.answers.asked]
    assert [("T1", "U1"), ("T1", "U1"), ("T1", "U2"), ("T2", "U1")] == who
    assert len(refused(workspace)) == 1
    assert "in this workspace" in refused(workspace)[0]


def test_a_flood_in_a_channel_is_told_once(install: Install) -> None:
    """Mentions beyond the limit are whispered to once, not posted to the channel."""
    workspace = install(user_rate=1)
    for _ in range(5):
        workspace.person.happen("app_mention", text="<@UBOT> 70b inference 50rps")
    workspace.slack.wait(2)
    workspace.settle()

    names = [name for name, _ in workspace.slack.heard]
    assert sorted(names) == ["chat.postEphemeral", "chat.postMessage"]
    assert asked(workspace) == 1


@pytest.mark.parametrize("how", ["press", "verb", "sentence"])
def test_what_stops_alerts_always_works(install: Install, how: str) -> None:
    """Buttons, verbs and sentences about alerts are heard beyond every limit."""

    def stop(services: ListenerContext, args: Args) -> None:
        send(services, args, STOPPED)

    alerts = Alerts(
        verbs={"alert": lambda words, context: STOPPED},
        buttons={"alert_stop": stop},
        watches=lambda team, user: (),
    )
    workspace = install(alerts=alerts, user_rate=1, team_rate=1)
    workspace.person.command("70b inference 50rps")
    workspace.slack.wait(1)
    if how == "press":
        workspace.person.press("alert_stop", "1")
    else:
        workspace.person.command("alert stop 1" if how == "verb" else "stop all alerts")
    workspace.slack.wait(2)

    assert refused(workspace) == []


def test_time_brings_the_next() -> None:
    """Twelve a minute: the thirteenth at once waits five seconds, and not longer."""
    now = 1000.0
    limits = QuestionLimits(12, 0, clock=lambda: now)
    for _ in range(12):
        limits.count("T1", "U1")
    with pytest.raises(
        TooManyError, match=r"^The limit is 12 questions a minute\. Ask again in 5 s\.$"
    ):
        limits.count("T1", "U1")
    now += 5.0
    limits.count("T1", "U1")
    with pytest.raises(TooManyError):
        limits.count("T1", "U1")


def test_a_refused_question_counts_for_nobody() -> None:
    """A person who waits for the workspace has lost nothing of their own."""
    now = 0.0
    limits = QuestionLimits(2, 1, clock=lambda: now)
    limits.count("T1", "U1")
    for _ in range(10):
        with pytest.raises(TooManyError):
            limits.count("T1", "U2")
    now = 60.0
    limits.count("T1", "U2")


def test_a_clock_that_goes_back_gives_nothing_and_breaks_nothing() -> None:
    """Time can only bring more."""
    rate = Rate(60)
    rate.take(("a",), 100.0)
    assert rate.wait(("a",), 50.0) == 0.0
    assert rate.wait(("a",), 51.0) == 0.0


def test_memory_is_bounded() -> None:
    """However many people ask, only the latest are remembered."""
    rate = Rate(10, remembered=100)
    for number in range(10_000):
        rate.take((str(number),), 0.0)

    assert len(rate._buckets) == 100


@given(st.lists(st.floats(0, 30), max_size=60), st.integers(1, 30))
def test_no_more_than_the_rate_and_one_burst(
    gaps: list[float], per_minute: int
) -> None:
    """Over any time at most a burst and the rate go through, and at least a burst."""
    rate, now, granted = Rate(per_minute), 0.0, 0
    for gap in gaps:
        now += gap
        if not rate.wait(("k",), now):
            rate.take(("k",), now)
            granted += 1

    assert granted <= per_minute + now * per_minute / 60 + 1e-6
    assert granted >= min(len(gaps), per_minute)

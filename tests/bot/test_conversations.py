"""Talking to the bot alone, and what is shown while it works."""

import time
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from slack_bolt import BoltContext

from bot.render.views import AnswerView
from bot.slack.listeners.status import show_line
from bot.slack.outcome import Outcome
from tests.bot.blocks import every_text, of_type
from tests.bot.conftest import Workspace
from tests.bot.fake_slack import Fault
from tests.bot.samples import ANSWER


def test_a_message_to_the_bot_needs_no_name(workspace: Workspace) -> None:
    """It is answered in its thread, with everything but Share."""
    workspace.person.say("70b inference 50rps", ts="7.1")

    reply = workspace.slack.wait()[0]

    assert (reply["channel"], reply["thread_ts"]) == ("D1", "7.1")
    shown = every_text(reply["blocks"])
    assert "Share" not in shown
    assert "Change" in shown
    text, context = workspace.answers.asked[0]
    assert (text, context.surface) == ("70b inference 50rps", "message")
    assert (context.channel_id, context.thread_ts) == ("D1", "7.1")


def test_a_thread_goes_on_where_it_is(workspace: Workspace) -> None:
    """The second message of a thread is answered there, and asked as of there."""
    workspace.person.say("what about int8?", thread_ts="7.1")

    assert workspace.slack.wait()[0]["thread_ts"] == "7.1"
    assert workspace.answers.asked[0][1].thread_ts == "7.1"


def test_a_conversation_shows_that_the_bot_works(workspace: Workspace) -> None:
    """The status is set in the thread at once; Slack clears it with the answer."""
    workspace.person.say("70b", ts="7.1")

    status = workspace.slack.called("assistant.threads.setStatus")[0]

    workspace.slack.wait()
    assert (status["channel_id"], status["thread_ts"]) == ("D1", "7.1")
    assert status["status"]


@pytest.mark.parametrize(
    "fault", [Fault(said="missing_scope"), Fault(503, "busy"), Fault(silent=True)]
)
def test_a_status_that_fails_costs_no_answer(
    workspace: Workspace, fault: Fault
) -> None:
    """It is neither retried nor told."""
    workspace.slack.faults["assistant.threads.setStatus"] = [fault]

    workspace.person.say("70b")

    assert workspace.slack.wait()[0]["channel"] == "D1"


def test_opening_the_conversation_suggests_questions(workspace: Workspace) -> None:
    """One's own questions first, then examples; no thread is named."""
    workspace.person.command("70b inference 50rps")
    workspace.slack.wait()
    workspace.person.happen("app_home_opened", channel="D1", tab="messages")

    call = workspace.slack.called("assistant.threads.setSuggestedPrompts")[0]

    prompts = [prompt["message"] for prompt in call["prompts"]]
    assert prompts[0] == "70b inference 50rps"
    assert 2 <= len(prompts) == len(set(prompts)) <= 4
    assert "thread_ts" not in call


def slow(workspace: Workspace) -> Event:
    """Let answers wait until they are set free."""
    free, ask = Event(), workspace.answers.ask

    def wait(text: str, **more: Any) -> AnswerView:
        free.wait(10)
        return ask(text, **more)

    workspace.answers.ask = wait  # type: ignore[method-assign]
    return free


def test_a_slow_command_says_that_it_works(workspace: Workspace) -> None:
    """After a second one line is shown, and the answer asks for its place."""
    free = slow(workspace)
    began = time.monotonic()
    workspace.person.command("70b")

    (status,) = workspace.slack.called("/hook")
    took = time.monotonic() - began
    free.set()
    (answer,) = workspace.slack.wait()

    assert "Working it out" in status["text"]
    assert 0.9 <= took
    assert status["response_type"] == answer["response_type"] == "ephemeral"
    assert (status["replace_original"], answer["replace_original"]) == (False, True)


@pytest.mark.parametrize(
    ("faults", "expected"),
    [([], [(True, 0)]), ([Fault(429, "ratelimited")], [(True, 1)])],
)
def test_a_line_that_work_goes_on_is_a_call_like_any(
    workspace: Workspace, faults: list[Fault], expected: list[tuple[bool, int]]
) -> None:
    """It is told to whoever counts them, and so is a 429 before it."""
    workspace.slack.faults["/hook"] = faults
    heard: list[Outcome] = []
    context = BoltContext(response_url=workspace.person.hook)

    show_line(SimpleNamespace(context=context), heard.append)  # type: ignore[arg-type]

    assert expected == [(outcome.taken, outcome.limited) for outcome in heard]


def test_a_status_leaves_room_for_every_form_of_an_answer(
    workspace: Workspace,
) -> None:
    """Words alone are taken: the fifth and last use of the response_url."""
    free = slow(workspace)
    workspace.slack.refuse = lambda message: (
        (400, "invalid_blocks") if "blocks" in message else (200, "ok")
    )
    workspace.person.command("70b")
    (line,) = workspace.slack.called("/hook")
    free.set()

    said = workspace.slack.wait(4)

    assert not line["replace_original"]
    assert [message["replace_original"] for message in said] == [True] * 4
    assert "blocks" not in said[-1]
    assert ANSWER.verdict in said[-1]["text"]


def test_a_status_goes_away_where_no_answer_can_come(workspace: Workspace) -> None:
    """The thread takes no message: the asker is told elsewhere, the status cleared."""
    workspace.slack.faults["chat.postMessage"] = [Fault(said="restricted_action")]
    workspace.person.say("70b", ts="7.1")
    workspace.settle()

    shown = workspace.slack.called("assistant.threads.setStatus")

    assert [bool(call.get("status")) for call in shown] == [True, False]


def test_a_slow_press_in_a_thread_shows_a_status(workspace: Workspace) -> None:
    """A press on an answer in a thread waits where it was made."""
    free = slow(workspace)
    workspace.person.press("ask:0", "70b", private=False, thread="8.1", message="8.2")

    status = workspace.slack.called("assistant.threads.setStatus")[0]
    free.set()

    assert (status["channel_id"], status["thread_ts"]) == ("C1", "8.1")
    assert len(workspace.slack.wait()) == 1


def test_a_slow_mention_shows_a_status(workspace: Workspace) -> None:
    """In a channel nothing is posted but the answer."""
    free = slow(workspace)
    workspace.person.happen("app_mention", text="<@UBOT> 70b", ts="8.1")

    status = workspace.slack.called("assistant.threads.setStatus")[0]
    free.set()

    assert (status["channel_id"], status["thread_ts"]) == ("C1", "8.1")
    assert len(workspace.slack.wait()) == 1


def test_a_quick_answer_shows_no_status(workspace: Workspace) -> None:
    """Nobody needs to read that the bot works when it has worked."""
    workspace.person.command("70b")
    workspace.person.happen("app_mention", text="<@UBOT> 70b")
    workspace.settle()

    assert len(workspace.slack.heard) == 2
    assert not workspace.slack.others


def test_a_message_is_priced_by_its_shortcut(workspace: Workspace) -> None:
    """The answer is private, and Share goes to the message's thread."""
    workspace.person.message_shortcut(
        "price_this", text="should we run 70b at 50rps &amp; fp8?", thread_ts="90.0"
    )

    reply = workspace.slack.wait()[0]

    assert reply["response_type"] == "ephemeral"
    text, context = workspace.answers.asked[0]
    assert text == "should we run 70b at 50rps & fp8?"
    assert (context.surface, context.thread_ts) == ("shortcut", "90.0")
    buttons = of_type(reply["blocks"], "button")
    (value,) = [b["value"] for b in buttons if b["action_id"] == "share"]
    workspace.person.press("share", value)
    assert workspace.slack.wait(2)[1]["thread_ts"] == "90.0"

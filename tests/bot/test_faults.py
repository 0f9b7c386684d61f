"""Slack fails in every way: the asker is told, and nothing is lost or doubled."""

import socket
from typing import Any

import pytest

from bot.slack import outcome
from tests.bot.blocks import every_text, of_type
from tests.bot.conftest import Workspace
from tests.bot.fake_slack import Fault
from tests.bot.samples import ANSWER

LIMITED = Fault(429, "ratelimited")
BUSY = Fault(503, "busy")
HUNG = Fault(silent=True)
BUSY_BUT_TAKEN = Fault(503, "busy", taken=True)
HUNG_BUT_TAKEN = Fault(silent=True, taken=True)
UNSURE = Fault(said="internal_error", taken=True)


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait no second before looking again."""
    monkeypatch.setattr("bot.slack.messenger.PAUSE_SECONDS", 0)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up on silence soon; a busy machine may take a second for an answer."""
    monkeypatch.setattr(outcome, "TIMEOUT_SECONDS", 1)
    monkeypatch.setattr("bot.run.app.TIMEOUT_SECONDS", 1)


def answers(workspace: Workspace) -> list[dict[str, Any]]:
    """The messages that carry the answer, wherever they were shown."""
    heard = [message for _, message in workspace.slack.heard]
    return [m for m in heard if m["text"].startswith(ANSWER.verdict)]


def told(workspace: Workspace) -> str:
    """Everything that was said to anybody."""
    return "\n".join(message["text"] for _, message in workspace.slack.heard)


def ask(workspace: Workspace, way: str) -> None:
    """Ask in a channel by command, or in a thread by name."""
    if way == "/hook":
        workspace.person.command("70b")
    else:
        workspace.person.happen("app_mention", text="<@UBOT> 70b", ts="5.5")
    workspace.settle()


@pytest.mark.parametrize("way", ["/hook", "chat.postMessage"])
@pytest.mark.parametrize("times", [1, 2])
def test_a_rate_limit_is_waited_out(workspace: Workspace, way: str, times: int) -> None:
    """Slack says when to come again: the answer then comes once."""
    workspace.slack.faults[way] = [LIMITED] * times

    ask(workspace, way)

    assert len(answers(workspace)) == len(workspace.slack.heard) == 1


@pytest.mark.parametrize("way", ["/hook", "chat.postMessage"])
def test_a_limit_without_end_takes_another_way(workspace: Workspace, way: str) -> None:
    """The answer reaches its asker alone, with the reason."""
    workspace.slack.faults[way] = [LIMITED] * 9

    ask(workspace, way)

    (whisper,) = workspace.slack.called("chat.postEphemeral")
    assert "no more messages there" in whisper["text"]
    assert ANSWER.verdict in every_text(whisper["blocks"])
    assert len(workspace.slack.heard) == 1


@pytest.mark.parametrize("way", ["/hook", "chat.postMessage"])
def test_a_server_error_is_tried_once_more(workspace: Workspace, way: str) -> None:
    """What was not taken is sent again."""
    workspace.slack.faults[way] = [BUSY]

    ask(workspace, way)

    assert len(answers(workspace)) == len(workspace.slack.heard) == 1


@pytest.mark.parametrize("fault", [BUSY_BUT_TAKEN, HUNG_BUT_TAKEN, UNSURE])
def test_what_slack_took_in_silence_is_not_posted_twice(
    workspace: Workspace, fault: Fault
) -> None:
    """The thread is looked at, and the message stands in it."""
    workspace.slack.faults["chat.postMessage"] = [fault]

    ask(workspace, "chat.postMessage")

    assert len(answers(workspace)) == len(workspace.slack.heard) == 1
    (looked,) = workspace.slack.called("conversations.replies")
    assert looked["ts"] == "5.5"


@pytest.mark.parametrize("fault", [BUSY, HUNG])
def test_what_slack_lost_in_silence_is_posted_again(
    workspace: Workspace, fault: Fault
) -> None:
    """The thread is looked at, and the message does not stand in it."""
    workspace.slack.faults["chat.postMessage"] = [fault]

    ask(workspace, "chat.postMessage")

    assert len(answers(workspace)) == len(workspace.slack.heard) == 1


@pytest.mark.parametrize("fault", [BUSY, HUNG, BUSY_BUT_TAKEN, HUNG_BUT_TAKEN])
def test_where_nobody_may_look_the_asker_decides(
    workspace: Workspace, fault: Fault
) -> None:
    """Without the optional scope a button shows the answer, should it be missing."""
    workspace.slack.faults["chat.postMessage"] = [fault]
    workspace.slack.faults["conversations.replies"] = [Fault(said="missing_scope")]

    ask(workspace, "chat.postMessage")

    assert len(answers(workspace)) == int(fault.taken)
    (whisper,) = workspace.slack.called("chat.postEphemeral")
    assert "did not confirm" in whisper["text"]
    assert "thread_ts" not in whisper  # nobody would see it under a bare message
    (button,) = of_type(whisper["blocks"], "button")
    assert (button["action_id"], button["value"]) == ("show", ANSWER.id)


def test_in_a_thread_the_asker_is_told_there(workspace: Workspace) -> None:
    """Where a thread goes on, the whisper stands in it."""
    workspace.slack.faults["chat.postMessage"] = [Fault(said="restricted_action")]

    workspace.person.happen("app_mention", text="<@UBOT> 70b", thread_ts="4.4")

    assert workspace.slack.called("chat.postEphemeral")[0]["thread_ts"] == "4.4"


def test_a_whisper_in_doubt_is_not_repeated(workspace: Workspace) -> None:
    """The person's own conversation asks whether it was seen."""
    workspace.slack.faults["/hook"] = [Fault(404, "expired_url")]
    workspace.slack.faults["chat.postEphemeral"] = [BUSY_BUT_TAKEN]

    ask(workspace, "/hook")

    (message,) = workspace.slack.called("chat.postMessage")
    assert message["channel"] == "U1"
    assert "did not confirm" in message["text"]


@pytest.mark.parametrize("fault", [BUSY, HUNG, BUSY_BUT_TAKEN])
def test_an_edit_in_doubt_is_made_again(workspace: Workspace, fault: Fault) -> None:
    """The same change twice is one change."""
    workspace.slack.faults["/hook"] = [Fault(404, "expired_url")]
    workspace.slack.faults["chat.update"] = [fault]
    workspace.person.press("form", ANSWER.id, message="5.5", private=False)
    workspace.person.submit(workspace.opened(), {})
    workspace.settle()

    edits = workspace.slack.called("chat.update")
    assert 1 <= len(edits) == len(workspace.slack.heard)
    assert {"5.5"} == {edit["ts"] for edit in edits}


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("way", ["/hook", "chat.postMessage"])
def test_silence_is_not_waited_for_long(workspace: Workspace, way: str) -> None:
    """A Slack that says nothing for too long counts as one that hung up."""
    workspace.slack.faults[way] = [Fault(silent=True, after=1.5)]

    ask(workspace, way)

    messages = answers(workspace)
    asked = [m for _, m in workspace.slack.heard if "did not confirm" in m["text"]]
    assert len(messages) + len(asked) == 1


@pytest.mark.parametrize("fault", [HUNG, HUNG_BUT_TAKEN])
def test_a_command_without_a_reply_is_told_so(
    workspace: Workspace, fault: Fault
) -> None:
    """Nobody can look at what one person sees: they do, and press if it is missing."""
    workspace.slack.faults["/hook"] = [fault]

    ask(workspace, "/hook")

    assert len(answers(workspace)) == int(fault.taken)
    (whisper,) = workspace.slack.called("chat.postEphemeral")
    assert "did not confirm" in whisper["text"]


def test_sharing_is_never_repeated_blindly(workspace: Workspace) -> None:
    """What a whole channel sees is not sent again after a server error."""
    workspace.slack.faults["/hook"] = [BUSY_BUT_TAKEN]

    workspace.person.press("share", f"{ANSWER.id} q")
    workspace.settle()

    public = [
        m for _, m in workspace.slack.heard if m.get("response_type") == "in_channel"
    ]
    assert len(public) == 1
    assert "did not confirm" in told(workspace)


@pytest.mark.parametrize("code", ["expired_url", "used_url"])
def test_a_worn_out_response_url_is_replaced(workspace: Workspace, code: str) -> None:
    """The answer comes to the same person in the same channel, with the reason."""
    workspace.slack.faults["/hook"] = [Fault(404, code)]

    ask(workspace, "/hook")

    (whisper,) = workspace.slack.called("chat.postEphemeral")
    assert (whisper["channel"], whisper["user"]) == ("C1", "U1")
    assert ANSWER.verdict in every_text(whisper["blocks"])


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("not_in_channel", "/invite @gpucost"),
        ("channel_not_found", "/invite @gpucost"),
        ("is_archived", "archived"),
        ("restricted_action", "does not let apps post"),
    ],
)
def test_where_the_bot_may_not_post_its_asker_hears_why(
    workspace: Workspace, code: str, said: str
) -> None:
    """Neither the channel nor a whisper in it works: one's own conversation does."""
    workspace.slack.faults["chat.postMessage"] = [Fault(said=code)]
    workspace.slack.faults["chat.postEphemeral"] = [Fault(said=code)]

    ask(workspace, "chat.postMessage")

    (message,) = workspace.slack.called("chat.postMessage")
    assert message["channel"] == "U1"
    assert said in message["text"]
    assert ANSWER.verdict in every_text(message["blocks"])


def test_refused_blocks_are_answered_plainly(workspace: Workspace) -> None:
    """A button's answer comes without native blocks where they are refused."""

    def no_native(message: dict[str, Any]) -> tuple[int, str]:
        native = of_type(message.get("blocks", []), "data_table")
        return (400, "invalid_blocks") if native else (200, "ok")

    workspace.slack.refuse = no_native
    workspace.person.press("ask:0", "70b")

    plain = workspace.slack.wait(3)[2]

    assert not of_type(plain["blocks"], "data_table")
    assert plain["replace_original"]


def test_a_slack_that_cannot_be_reached_is_logged(
    workspace: Workspace, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody can be told: the log has the fault, and the next answer comes."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{probe.getsockname()[1]}/hook"
    hook, workspace.person.hook = workspace.person.hook, nowhere
    workspace.slack.faults["chat.postEphemeral"] = [BUSY] * 2
    workspace.slack.faults["chat.postMessage"] = [Fault(said="fatal_error")] * 2
    workspace.person.command("70b")
    workspace.person.hook = hook
    workspace.person.command("70b")
    workspace.settle()

    assert "could not be told" in caplog.text
    assert len(answers(workspace)) == 1

"""What Slack sends and what the bot says back, through signed requests."""

import logging
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from slack_bolt import Args

from bot.config.settings import Settings
from bot.question.asking import AskContext
from bot.render.views import AnswerView
from bot.run.app import Alerts
from bot.run.composition import compose
from bot.slack.listeners.context import ListenerContext
from prices.records.feedback import Feedback
from tests.bot.blocks import check_message, every_text, of_type
from tests.bot.conftest import Install, Workspace
from tests.bot.fake_slack import FakeAnswers
from tests.bot.samples import ANSWER, HINT
from tests.engines import engine_of


def test_a_command_is_answered_to_its_asker_alone(workspace: Workspace) -> None:
    """The reply is a valid, private message with the verdict and Share."""
    workspace.person.command("70b inference 50rps")

    reply = workspace.slack.wait()[0]

    check_message(reply["blocks"], reply["text"])
    assert reply["response_type"] == "ephemeral"
    assert reply["text"].startswith(ANSWER.verdict)
    labels = [b["text"]["text"] for b in of_type(reply["blocks"][-2], "button")]
    expected = ["Share", "Change", "All details", "Why?"]
    assert expected == labels


def test_the_answers_know_who_asks(workspace: Workspace) -> None:
    """Team, channel, user and surface reach the product with the question."""
    workspace.person.command("70b inference 50rps")
    workspace.slack.wait()

    text, context = workspace.answers.asked[0]

    assert text == "70b inference 50rps"
    expected = ("command", "T1", "C1", "U1")
    assert expected == (
        *(context.surface, context.team_id),
        *(context.channel_id, context.user_id),
    )


def held_back(workspace: Workspace) -> threading.Event:
    """Let no answer be made until the event is set."""
    plain, set_free = workspace.answers.ask, threading.Event()

    def ask(text: str, **more: object) -> object:
        assert set_free.wait(30)
        return plain(text, **more)

    workspace.answers.ask = ask
    return set_free


def test_a_command_is_acknowledged_before_it_is_answered(workspace: Workspace) -> None:
    """A slow answer does not hold the acknowledgement, which says nothing."""
    acknowledged = held_back(workspace)

    response = workspace.person.command("70b")

    assert (response.status, response.body) == (200, "")
    assert not workspace.slack.heard
    acknowledged.set()
    workspace.slack.wait()


def test_many_slow_answers_hold_up_nobody(workspace: Workspace) -> None:
    """Ten answers under way leave the eleventh its acknowledgement."""
    acknowledged = held_back(workspace)

    statuses = {workspace.person.command("70b").status for _ in range(11)}

    assert statuses == {200}
    assert not workspace.slack.heard
    acknowledged.set()
    workspace.slack.wait(11)


def test_an_example_button_asks_in_place(workspace: Workspace) -> None:
    """Pressing an example replaces the hint by the answer, still private."""
    workspace.answers.view = HINT
    workspace.person.command("asdf")
    button = of_type(workspace.slack.wait()[0]["blocks"], "button")[1]
    workspace.answers.view = ANSWER

    workspace.person.press(button["action_id"], button["value"])
    reply = workspace.slack.wait(2)[1]

    assert (reply["response_type"], reply["replace_original"]) == ("ephemeral", True)
    assert button["value"] == workspace.answers.asked[-1][0]
    assert workspace.answers.asked[-1][1].surface == "button"
    assert "Share" in every_text(reply["blocks"])


def test_a_public_choice_stays_public(workspace: Workspace) -> None:
    """A choice offered in a thread is answered there, with nothing to share."""
    workspace.person.press("ask:0", "70b", private=False, thread="100.1")

    reply = workspace.slack.wait()[0]

    assert (reply["response_type"], reply["thread_ts"]) == ("in_channel", "100.1")
    assert "Share" not in every_text(reply["blocks"])


def test_sharing_shows_the_channel_and_takes_the_button_away(
    workspace: Workspace,
) -> None:
    """The answer is posted once, with its sharer; the private copy loses Share."""
    workspace.person.user = "U2"
    workspace.person.press("share", "k7f2q9 70b inference 50rps")

    shared, kept = workspace.slack.wait(2)

    check_message(shared["blocks"], shared["text"])
    assert (shared["response_type"], kept["response_type"]) == (
        "in_channel",
        "ephemeral",
    )
    assert not shared["replace_original"]
    assert kept["replace_original"]
    assert of_type(shared["blocks"], "user")[0]["user_id"] == "U2"
    assert ANSWER.verdict in every_text(shared["blocks"])
    for message in (shared, kept):
        assert "Share" not in every_text(message["blocks"])
    assert not workspace.answers.asked


def test_share_carries_answer_and_question(workspace: Workspace) -> None:
    """Should the answer be gone by then, it can still be asked again."""
    workspace.person.command("70b inference 50rps")

    share = of_type(workspace.slack.wait()[0]["blocks"][-2], "button")[0]

    assert share["value"] == "k7f2q9 70b inference 50rps"


def test_a_forgotten_answer_is_asked_again_to_be_shared(workspace: Workspace) -> None:
    """The button carries the question for when the answer is gone."""
    workspace.answers.forgotten = True

    workspace.person.press("share", "k7f2q9 70b inference 50rps")
    workspace.slack.wait(2)

    assert workspace.answers.asked[0][0] == "70b inference 50rps"


def test_what_cannot_be_shared_is_said(workspace: Workspace) -> None:
    """Without answer or question, the person is told to ask again."""
    workspace.person.press("share", "unknown")

    assert "Please ask again" in workspace.said()


def test_the_why_button_adds_a_private_message(workspace: Workspace) -> None:
    """The answer itself stays where it is."""
    workspace.person.press("why", "k7f2q9")

    reply = workspace.slack.wait()[0]

    assert "why k7f2q9: because" in reply["text"]
    assert (reply["response_type"], reply["replace_original"]) == ("ephemeral", False)


def test_two_presses_share_once(workspace: Workspace) -> None:
    """Whoever presses twice before the button is gone shows the channel one answer."""
    for _ in range(2):
        workspace.person.press("share", "k7f2q9 q", message="5.5")
    workspace.settle()

    public = [m for m in workspace.slack.wait(2) if m["response_type"] == "in_channel"]

    assert len(public) == 1


def test_an_answer_is_shown_again(workspace: Workspace) -> None:
    """What Slack did not confirm can be called up by its button."""
    workspace.person.press("show", "k7f2q9")

    assert ANSWER.verdict in workspace.said()


@pytest.mark.parametrize("verdict", ["good", "bad"])
def test_opinions_are_written_down(workspace: Workspace, verdict: str) -> None:
    """Each press is kept once per person, and acknowledged to that person."""
    for kind in ("button", "feedback_buttons"):
        workspace.person.press("feedback", f"k7f2q9 {verdict}", kind=kind)
    workspace.settle()

    kept = Feedback(engine_of(workspace.home / "gpucost.sqlite3")).on("T1", "k7f2q9")

    assert [("U1", verdict)] == [(o.user_id, o.verdict) for o in kept]
    assert "Thank you for telling us." in workspace.said()
    assert workspace.slack.heard[0][1]["response_type"] == "ephemeral"


def test_a_command_may_hold_any_word(workspace: Workspace) -> None:
    """Bolt reads no command that holds "payload": we do."""
    response = workspace.person.command("70b payload 2k tokens")
    workspace.slack.wait()

    assert response.status == 200
    assert workspace.answers.asked[0][0] == "70b payload 2k tokens"
    assert workspace.answers.asked[0][1].team_id == "T1"


@pytest.mark.parametrize("action", ["feedback:9", "retired_button"])
def test_an_old_button_says_so(workspace: Workspace, action: str) -> None:
    """A button that nothing knows any more still gets a reply."""
    response = workspace.person.press(action, "gone x")

    assert response.status == 200
    assert "Please ask again" in workspace.said()


def test_a_mention_is_answered_in_its_thread(workspace: Workspace) -> None:
    """A new thread under a message at the root; the same thread otherwise."""
    workspace.person.happen(
        "app_mention", text="<@UBOT> 70b &gt; 8b? <http://a|a>", ts="100.1"
    )
    workspace.slack.wait()
    workspace.person.happen("app_mention", text="<@UBOT> help", thread_ts="90.1")

    first, second = workspace.slack.wait(2)

    assert (first["thread_ts"], second["thread_ts"]) == ("100.1", "90.1")
    assert workspace.answers.asked[0][0] == "70b > 8b? a"
    assert first["channel"] == "C1"
    assert "Share" not in every_text(first["blocks"])
    threads = [context.thread_ts for _, context in workspace.answers.asked]
    expected = ["100.1", "90.1"]
    assert expected == threads


@pytest.mark.parametrize(
    "event", [{"bot_id": "B9"}, {"subtype": "message_changed"}, {"hidden": True}]
)
def test_bots_and_changes_are_not_answered(
    workspace: Workspace, event: dict[str, object]
) -> None:
    """Two bots never talk to each other; that something changed is no question."""
    response = workspace.person.happen("app_mention", text="<@UBOT> 70b", **event)
    time.sleep(0.1)

    assert response.status == 200
    assert not workspace.answers.asked


def test_other_words_are_read_anew(workspace: Workspace) -> None:
    """A mention that was edited, and words to the bot alone; each edit once."""
    again = {"text": "<@UBOT> 8b 5rps", "ts": "100.1"}
    for edit in (None, "1", "1", "2"):
        edited = {"edited": {"ts": edit, "user": "U1"}} if edit else {}
        workspace.person.happen("app_mention", **again | edited)
    own = {"type": "message", "user": "U1", "ts": "90.1", "text": "8b 7rps"}
    for text in ("8b 9rps", "8b 7rps"):
        changed = own | {"text": text, "edited": {"ts": "3"}}
        workspace.person.say(
            "", user=None, subtype="message_changed", message=changed,
            previous_message=own,
        )  # fmt: skip
    workspace.settle()

    asked = sorted(text for text, _ in workspace.answers.asked)
    assert asked == ["8b 5rps"] * 3 + ["8b 9rps"]
    threads = {m["thread_ts"] for m in workspace.slack.called("chat.postMessage")}
    assert threads == {"100.1", "90.1"}


def test_unknown_events_are_taken(workspace: Workspace) -> None:
    """An event that nothing handles is no failed delivery."""
    assert workspace.person.happen("emoji_changed").status == 200


def test_an_unsigned_request_is_refused(workspace: Workspace) -> None:
    """Whoever does not know the secret is not answered."""
    response = workspace.person.command("70b", secret="another")  # noqa: S106

    assert response.status == 401
    assert not workspace.answers.asked


def test_a_fault_is_acknowledged_and_told_with_its_reference(
    workspace: Workspace, caplog: pytest.LogCaptureFixture
) -> None:
    """Slack gets its acknowledgement, the person a reference, the log the cause."""
    workspace.answers.fault = RuntimeError("the secret inside")

    with caplog.at_level(logging.ERROR):
        response = workspace.person.command("70b")
        reply = workspace.slack.wait()[0]

    reference = reply["text"].rsplit(" ", 1)[1]
    assert (response.status, response.body) == (200, "")
    assert reply["response_type"] == "ephemeral"
    assert "secret inside" not in str(reply)
    assert f"fault {reference}" in caplog.text
    assert "RuntimeError: the secret inside" in caplog.text


@pytest.fixture
def silence() -> Iterator[None]:
    """Write no log: a fault then follows the acknowledgement at once."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.usefixtures("silence")
def test_faults_never_lose_the_acknowledgement(workspace: Workspace) -> None:
    """A listener that fails at once is still acknowledged, every time.

    Without log and reply the fault follows the acknowledgement within Bolt's poll; one
    that was erased would be a 404.
    """
    workspace.answers.fault = RuntimeError("at once")
    workspace.person.hook = ""

    statuses = [workspace.person.command("70b").status for _ in range(20)]

    assert set(statuses) == {200}


def test_a_fault_after_a_mention_is_told_in_the_thread(workspace: Workspace) -> None:
    """Where there is no response_url, the thread hears the reference."""
    workspace.answers.fault = RuntimeError("x")

    workspace.person.happen("app_mention", text="<@UBOT> 70b", ts="100.1")

    assert workspace.slack.wait()[0]["thread_ts"] == "100.1"
    assert "Reference" in workspace.said()


@pytest.mark.parametrize(
    "text",
    ["settings", "Settings ", "“settings”", "—settings", "--settings", "'settings'"],
)
def test_a_verb_is_known_as_phones_type_it(workspace: Workspace, text: str) -> None:
    """Smart quotes and dashes around a verb change nothing."""
    workspace.person.command(text)

    assert "Settings of this channel" in workspace.said()
    assert not workspace.answers.asked


def test_what_an_answer_is_about_can_be_watched(install: Install) -> None:
    """Where there are alerts, an answer offers it, and the verb gets its question."""
    watched = []

    def watch(words: str, context: AskContext) -> AnswerView:
        watched.append((words, context.channel_id, context.user_id))
        return HINT

    workspace = install(alerts=Alerts({"watch": watch}, {}, lambda context: ()))
    workspace.person.command("70b inference 50rps")
    buttons = of_type(workspace.slack.wait()[0]["blocks"], "button")
    button = next(b for b in buttons if b["text"]["text"] == "Watch")

    workspace.person.press(button["action_id"], button["value"])

    assert workspace.slack.wait(2)[1]["response_type"] == "ephemeral"
    expected = [("70b inference 50rps", "C1", "U1")]
    assert expected == watched


@pytest.mark.parametrize(
    ("changed", "offered"),
    [
        ({}, {"Change", "Watch"}),
        ({"kind": "no"}, {"Change"}),
        ({"table": None, "chips": ()}, set()),
    ],
    ids=["an answer", "a no", "words explained"],
)
def test_only_what_can_be_done_is_offered(
    install: Install, changed: dict[str, object], offered: set[str]
) -> None:
    """A no does not move; an explanation has nothing to refine either."""
    answers = FakeAnswers(ANSWER.model_copy(update=changed))
    alerts = Alerts({"watch": lambda *_: HINT}, {}, lambda context: ())
    workspace = install(answers, alerts)
    workspace.person.command("70b inference 50rps")
    buttons = of_type(workspace.slack.wait()[0]["blocks"], "button")

    labels = {button["text"]["text"] for button in buttons}
    assert offered == labels & {"Change", "Watch"}


def test_other_parts_bring_their_own_buttons(install: Install) -> None:
    """What the alerts put under their messages reaches them, with its value."""
    pressed = []

    def snooze(services: ListenerContext, args: Args) -> None:
        pressed.append(args.action["value"])

    workspace = install(alerts=Alerts({}, {"alert_snooze": snooze}, lambda context: ()))
    workspace.person.press("alert_snooze:1d", "7")
    workspace.settle()

    assert pressed == ["7"]


def test_variants_and_details_are_one_press_away(
    install: Install, tmp_path: Path
) -> None:
    """A variant answers in place of its message; details show every offer."""
    workspace = install(answers=compose(Settings(home=tmp_path / "home")))
    person, question = workspace.person, "70b inference 50rps"
    person.command(question)
    (short,) = workspace.slack.wait()
    double = button_of(short, "2× load")

    person.press("details", button_of(short, "All details")["value"])
    full = workspace.slack.wait(2)[-1]
    person.press(double["action_id"], double["value"])
    varied = workspace.slack.wait(3)[-1]

    assert double["action_id"] == "variant:0"
    assert double["value"].endswith(" double the traffic")
    assert not of_type(short["blocks"], "container")
    assert offers_in(full) > 10 > offers_in(short) > 0
    assert not full.get("replace_original")
    assert (varied["response_type"], varied["replace_original"]) == ("ephemeral", True)
    assert "50 requests/s" in "".join(every_text(short["blocks"]))
    assert "100 requests/s" in "".join(every_text(varied["blocks"]))
    assert short["text"].split("\n")[0] != varied["text"].split("\n")[0]


def button_of(message: dict[str, Any], label: str) -> dict[str, Any]:
    """Find a button by its words."""
    buttons = of_type(message["blocks"], "button")
    return next(each for each in buttons if each["text"]["text"] == label)


def offers_in(message: dict[str, Any]) -> int:
    """Count the rows of all tables and lists, without their headings."""
    tables = of_type(message["blocks"], "data_table")
    lists = of_type(message["blocks"], "rich_text_list")
    rows = sum(len(table["rows"]) - 1 for table in tables)
    return rows + sum(len(one["elements"]) for one in lists)

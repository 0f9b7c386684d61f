"""Messages reach the reader even where native blocks do not."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from slack_sdk import WebClient

from bot.render.rendering import Renderer
from bot.slack.messenger import REFUSALS, Messenger, Place, UndeliveredError
from bot.slack.outcome import ReplyUrl, retry_handlers
from tests.bot.blocks import every_text, of_type
from tests.bot.fake_slack import FakeSlack, fake_slack
from tests.bot.samples import ANSWER, TABLE


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    """A Slack that can be told what to refuse."""
    with fake_slack() as fake:
        yield fake


def no_native(message: dict[str, Any]) -> tuple[int, str]:
    """Refuse every message with a native block, as some workspaces do."""
    native = of_type(message.get("blocks", []), "data_table")
    return (400, "invalid_blocks") if native else (200, "ok")


def no_feedback(message: dict[str, Any]) -> tuple[int, str]:
    """Refuse feedback alone: it is the newest of the native blocks."""
    asked = of_type(message.get("blocks", []), "context_actions")
    return (400, "invalid_blocks") if asked else (200, "ok")


def kinds(message: dict[str, Any]) -> tuple[bool, bool]:
    """Whether a message holds a native table, and native feedback."""
    blocks = message.get("blocks", [])
    return bool(of_type(blocks, "data_table")), bool(of_type(blocks, "context_actions"))


def reply(slack: FakeSlack, messenger: Messenger, team: str = "T1") -> None:
    """Answer a command of a team."""
    messenger.reply(ReplyUrl(f"{slack.url}/hook"), team, ANSWER, Place())


def test_refused_native_blocks_are_sent_again_plain(slack: FakeSlack) -> None:
    """The same answer follows in classic blocks."""
    slack.refuse = no_native

    reply(slack, Messenger(Renderer()))

    full, tables, plain = slack.wait(3)
    expected = [(True, True), (True, False), (False, False)]
    assert expected == [kinds(message) for message in (full, tables, plain)]
    assert of_type(plain["blocks"], "table")
    shown = "\n".join(every_text(plain["blocks"]))
    assert not [c.text for row in TABLE.rows for c in row if c.text not in shown]
    assert full["text"] == plain["text"]


def test_feedback_alone_costs_no_table(slack: FakeSlack) -> None:
    """Where only feedback is refused, three times, it becomes buttons and stays so."""
    slack.refuse = no_feedback
    messenger = Messenger(Renderer())

    for _ in range(REFUSALS + 1):
        reply(slack, messenger)

    expected = [*[(True, True), (True, False)] * REFUSALS, (True, False)]
    assert expected == [kinds(message) for message in slack.wait(len(expected))]
    assert "Good answer" in every_text(slack.heard[-1][1]["blocks"])


def test_a_workspace_that_refuses_is_remembered(slack: FakeSlack) -> None:
    """One refusal costs one answer; after three, native tables are not tried again."""
    slack.refuse = no_native
    messenger = Messenger(Renderer())

    for _ in range(REFUSALS + 1):
        reply(slack, messenger)
    reply(slack, messenger, team="T2")

    expected = [*[True, True, False] * REFUSALS, False, True, True, False]
    tried = slack.wait(len(expected))
    assert expected == [bool(of_type(m["blocks"], "data_table")) for m in tried]


def test_a_table_that_slack_refuses_too_is_set_in_characters(slack: FakeSlack) -> None:
    """The third step: neither the native table nor the older one."""
    slack.refuse = lambda m: (
        (400, "invalid_blocks")
        if of_type(m.get("blocks", []), "data_table")
        or of_type(m.get("blocks", []), "table")
        else (200, "ok")
    )

    reply(slack, Messenger(Renderer()))

    assert of_type(slack.wait(4)[-1]["blocks"], "rich_text_preformatted")


def test_an_answer_that_is_too_long_is_shortened(slack: FakeSlack) -> None:
    """The short form follows, still in native blocks, and nothing is lowered."""
    slack.refuse = lambda m: (
        (400, "msg_blocks_too_long")
        if of_type(m.get("blocks", []), "container")
        else (200, "ok")
    )

    reply(slack, Messenger(Renderer()))

    long, short = slack.wait(2)
    assert kinds(long) == kinds(short) == (True, True)
    assert len(short["blocks"]) < len(long["blocks"])


def test_blocks_that_fail_in_every_form_leave_the_words(slack: FakeSlack) -> None:
    """The last form is text alone, and native blocks are not blamed for it."""
    slack.refuse = lambda m: (400, "invalid_blocks") if "blocks" in m else (200, "ok")
    messenger = Messenger(Renderer())

    reply(slack, messenger)
    slack.refuse = lambda message: (200, "ok")
    reply(slack, messenger)

    words, native = slack.wait(6)[4:]
    assert "blocks" not in words
    assert words["text"].startswith(ANSWER.verdict)
    assert of_type(native["blocks"], "data_table")


def test_settings_can_do_without_native_blocks(slack: FakeSlack) -> None:
    """Where the operator says so, native blocks are never tried."""
    reply(slack, Messenger(Renderer(), native_blocks=False))

    assert not of_type(slack.wait()[0]["blocks"], "data_table")


@pytest.mark.parametrize(
    ("status", "said"),
    [(404, "expired_url"), (200, json.dumps({"ok": False, "error": "used_url"}))],
)
def test_an_unusable_response_url_is_a_fault(
    slack: FakeSlack, status: int, said: str
) -> None:
    """What Slack answers is neither retried in other forms nor passed over."""
    slack.refuse = lambda message: (status, said)

    with pytest.raises(UndeliveredError, match="ed_url"):
        reply(slack, Messenger(Renderer()))

    assert len(slack.heard) == 1


def test_posts_fall_back_likewise(slack: FakeSlack) -> None:
    """chat.postMessage names its error in JSON; the thread is kept."""
    slack.refuse = no_native
    client = WebClient("xoxb-test", base_url=f"{slack.url}/api/")

    Messenger(Renderer()).post(
        client, "T1", ANSWER, {"channel": "C1", "thread_ts": "1.1"}
    )

    threads = {message["thread_ts"] for message in slack.wait(3)}
    expected = {"1.1"}
    assert expected == threads
    assert kinds(slack.heard[-1][1]) == (False, False)


def test_links_do_not_unfurl(slack: FakeSlack) -> None:
    """Sources stay small print: Slack adds no previews, and parses no text."""
    reply(slack, Messenger(Renderer()))

    message = slack.wait()[0]

    expected = [False, False, False]
    assert expected == [
        message[key] for key in ("unfurl_links", "unfurl_media", "mrkdwn")
    ]


@pytest.mark.parametrize("way", ["response_url", "chat.postMessage"])
def test_rate_limits_are_waited_out(slack: FakeSlack, way: str) -> None:
    """What Slack asks to send later is sent later, once."""
    refusals = [(429, "ratelimited")]
    slack.refuse = lambda message: refusals.pop() if refusals else (200, "ok")
    messenger = Messenger(Renderer())

    if way == "response_url":
        reply(slack, messenger)
    else:
        client = WebClient(
            "xoxb-test",
            base_url=f"{slack.url}/api/",
            retry_handlers=retry_handlers(),
        )
        messenger.post(client, "T1", ANSWER, {"channel": "C1"})

    first, second = slack.wait(2)
    assert first == second


def test_a_response_url_is_used_five_times_at_most(slack: FakeSlack) -> None:
    """The sixth reply through one is not even tried."""
    messenger, url = Messenger(Renderer()), ReplyUrl(f"{slack.url}/hook")
    for _ in range(5):
        messenger.reply(url, "T1", ANSWER, Place())

    with pytest.raises(UndeliveredError, match="used_url"):
        messenger.reply(url, "T1", ANSWER, Place())

    assert len(slack.heard) == 5


def test_a_response_url_is_not_used_after_half_an_hour(slack: FakeSlack) -> None:
    """Slack would refuse it: it is not asked."""
    url = ReplyUrl(f"{slack.url}/hook", since=time.time() - 30 * 60 - 1)

    with pytest.raises(UndeliveredError, match="expired_url"):
        Messenger(Renderer()).reply(url, "T1", ANSWER, Place())

    assert not slack.heard


def test_every_message_names_its_answer(slack: FakeSlack) -> None:
    """The metadata carries the answer's id, and tells deliveries apart."""
    reply(slack, Messenger(Renderer()))
    reply(slack, Messenger(Renderer()))

    first, second = (message["metadata"] for message in slack.wait(2))
    assert first["event_type"] == second["event_type"] == "gpucost_answer"
    assert first["event_payload"]["answer_id"] == ANSWER.id
    assert first["event_payload"]["delivery"] != second["event_payload"]["delivery"]

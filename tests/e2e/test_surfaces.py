"""The rest of the places: follow-ups, shortcuts, buttons, the page and its forms.

| Place                        | Driven in                     |
|------------------------------|-------------------------------|
| command, Share, Why?, help   | test_slack.py                 |
| mention                      | test_slack.py                 |
| bare command, its form       | test_places.py                |
| chip: Change in place        | test_places.py                |
| conversation                 | test_places.py                |
| Home: recent, Ask again      | test_places.py                |
| settings, setprice as words  | test_places.py                |
| bots, edits                  | test_places.py                |
| thread, Change of a thread   | here                          |
| message and global shortcuts | here, over HTTP               |
| Watch, alert's buttons  | here                          |
| feedback                     | here                          |
| Home: pages, settings' form  | here                          |
"""

import json
import re
import urllib.request
from typing import Any
from urllib.parse import parse_qs, urlencode

import pytest

from tests.bot.blocks import every_text, of_type
from tests.bot.fake_slack import signed
from tests.bot.person import FORM
from tests.e2e.local_slack import LocalSlack, Message, wait_for
from tests.e2e.local_ui import LocalUi
from tests.e2e.reading import button, heard, opened, send
from tests.e2e.test_places import page


def test_a_thread_goes_on_from_its_answer(slack: LocalSlack) -> None:
    """A second mention changes what the first one asked, in the same thread."""
    asked = slack.say("<@UBOT> mixtral-8x7b chat 5rps")
    assert "Mixtral" in heard(slack)["text"]

    slack.say("<@UBOT> what about 50rps?", thread_ts=asked["ts"])
    answer = heard(slack, 2)

    assert answer["thread_ts"] == asked["ts"]
    assert "Mixtral" in answer["text"]


def test_refine_edits_a_public_answer(slack: LocalSlack, ui: LocalUi) -> None:
    """The form holds what was asked; sent, the same message says something else."""
    slack.say("<@UBOT> 70b inference 50rps")
    answer = heard(slack)
    slack.press(answer, button(answer, "Change"))
    send(ui, opened(ui), load="5 rps")

    def edited() -> bool:
        return " 5 requests/s" in slack.from_bot()[0]["text"]

    wait_for(edited, "the refined answer")
    assert [answer["ts"]] == [message["ts"] for message in slack.from_bot()]


def to_the_bot(slack: LocalSlack) -> tuple[str, dict[str, str]]:
    """Find where Slack sends what people do, and what it sent with the last command."""
    entries = [e for e in slack.log() if e["kind"] == "slash_commands"]
    sent = next(e for e in reversed(entries) if e["direction"] == "to_bot")
    url = re.search(r"POST (http://127\.0\.0\.1:\d+\S+)", sent["summary"])
    if url is None:
        pytest.skip("the local Slack has no shortcuts, and its socket takes none")
    return url[1], {k: v[0] for k, v in parse_qs(sent["detail"]).items()}


def use_shortcut(slack: LocalSlack, **payload: Any) -> None:
    """Send what Slack sends when somebody uses a shortcut."""
    url, command = to_the_bot(slack)
    common = {
        "team": {"id": command["team_id"]},
        "user": {"id": "U1"},
        "trigger_id": command["trigger_id"],
    }
    if payload["type"] == "message_action":
        common |= {"response_url": command["response_url"]}  # type: ignore[dict-item]
    body = urlencode({"payload": json.dumps(common | payload)})
    request = urllib.request.Request(url, body.encode(), signed(body, FORM))  # noqa: S310 - loopback
    with urllib.request.urlopen(request) as answer:  # noqa: S310 - loopback
        assert answer.status == 200


def test_a_message_is_priced_from_its_menu(slack: LocalSlack) -> None:
    """The answer is the asker's alone; Share would go to the message's thread."""
    slack.command("help")
    heard(slack)
    said = slack.say("we'd serve a 70b at inference 50rps, right?")
    use_shortcut(
        slack,
        type="message_action",
        callback_id="price_this",
        channel={"id": "C1"},
        message={
            "type": "message",
            "user": "U1",
            "ts": said["ts"],
            "text": said["text"],
        },
    )

    answer = heard(slack, 2)

    assert answer["ephemeral_to"] == "U1"
    assert "/month" in answer["text"]
    assert f"@{said['ts']}" in button(answer, "Share")["value"]


def test_the_search_field_opens_the_form(slack: LocalSlack, ui: LocalUi) -> None:
    """There is no channel: the answer comes in the person's own conversation."""
    slack.open_home()
    own = wait_for(slack.own_channel, "the conversation")
    slack.command("help")
    heard(slack)
    before = len(slack.from_bot(own))
    use_shortcut(slack, type="shortcut", callback_id="ask_gpucost")

    send(ui, opened(ui), model="8b", load="5 rps")

    def answered() -> list[Message]:
        everywhere = [*slack.from_bot(own)[before:], *slack.from_bot("U1")]
        return [m for m in everywhere if "/month" in m["text"]]

    assert wait_for(answered, "the answer")


def spoken(slack: LocalSlack, words: str) -> Message:
    """Wait for a message of the bot that says something; give it."""

    def found() -> Message | None:
        said = reversed(slack.from_bot())
        return next((m for m in said if words in "".join(every_text(m))), None)

    return wait_for(found, words)


def test_an_answer_is_watched_by_one_press(slack: LocalSlack) -> None:
    """The channel is told who watches what; a press stops it again."""
    slack.command("70b inference 50rps")
    answer = heard(slack)
    slack.press(answer, button(answer, "Watch"))

    told = spoken(slack, "is on:")
    slack.press(told, button(told, "What would it post?"))
    assert spoken(slack, "A test: this is what")["ephemeral_to"] == "U1"
    slack.press(told, button(told, "Stop"))
    spoken(slack, "No longer watched")
    slack.command("alert list")

    assert spoken(slack, "watches nothing")["ephemeral_to"] == "U1"


@pytest.mark.parametrize("verdict", ["positive_button", "negative_button"])
def test_an_opinion_is_thanked_for(slack: LocalSlack, verdict: str) -> None:
    """Privately, whichever it is."""
    slack.command("70b inference 50rps")
    answer = heard(slack)
    (opinions,) = of_type(answer["blocks"], "feedback_buttons")

    slack.press(answer, opinions[verdict] | {"action_id": opinions["action_id"]})
    thanks = heard(slack, 2)

    assert thanks["ephemeral_to"] == "U1"
    assert "Thank you for telling us" in thanks["text"]


def test_the_page_turns_and_comes_back(slack: LocalSlack, ui: LocalUi) -> None:
    """Five questions a page; what is older stands on the next."""
    # Their order is known to the second, and within one it is the alphabet's: this one.
    for count, number in enumerate(range(7, 0, -1), 1):
        slack.command(f"70b inference {number}rps")
        heard(slack, count)
    slack.open_home()

    def shown(number: int) -> bool:
        return f"70b inference {number}rps" in every_text(page(ui))

    wait_for(lambda: shown(1) and not shown(7), "the newest questions")
    ui.press_at_home("U1", button(page(ui), "Older"), slack.own_channel())
    wait_for(lambda: shown(7) and not shown(1), "the older ones")
    ui.press_at_home("U1", button(page(ui), "Newer"), slack.own_channel())
    wait_for(lambda: shown(1) and not shown(7), "the newest again")


def test_settings_are_changed_in_their_form(slack: LocalSlack, ui: LocalUi) -> None:
    """From the page: the workspace's currency; the page shows who set it."""
    slack.open_home()
    change = button(page(ui), "Change settings")
    own = wait_for(slack.own_channel, "the conversation")
    ui.press_at_home("U1", change, own)
    send(ui, opened(ui), currency="EUR")
    wait_for(lambda: "EUR" in "".join(every_text(page(ui))), "the setting on the page")
    slack.command("70b inference 50rps")
    answer = heard(slack)
    slack.command("settings workspace unset currency")
    heard(slack, 2)

    assert "€" in answer["text"].split("\n")[0]

"""Hostile words in every place where people write: nothing said back obeys them."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.bot.blocks import check_home, check_message, check_modal, of_type
from tests.bot.installing import Grant, Host, hosting
from tests.bot.person import Person
from tests.bot.test_rendering_hostile import HOSTILE, LINK
from tests.bot.test_teams_apart import the_product

Place = Callable[[Person, str], object]
OBEYED = ("usergroup", "channel", "broadcast", "emoji", "team", "date")
WORDS = tuple(text for text in HOSTILE if text.strip())

PLACES: dict[str, Place] = {
    "command": lambda them, text: them.command(text),
    "question": lambda them, text: them.command(f"70b 5rps {text}"),
    "unknown model": lambda them, text: them.command(f"llama-{text[:80]} 5rps"),
    "price": lambda them, text: them.command(f"price {text}"),
    "why": lambda them, text: them.command(f"why {text}"),
    "settings": lambda them, text: them.command(f"settings set region {text}"),
    "admins": lambda them, text: them.command(f"settings set admins {text}"),
    "setprice": lambda them, text: them.command(f"setprice {text} h100 1.20"),
    "setprice gpu": lambda them, text: them.command(f"setprice lambda {text} 1.20"),
    "watch": lambda them, text: them.command(f"watch 70b 5rps {text}"),
    "alert": lambda them, text: them.command(f"alert h100 < 1.00 {text}"),
    "alert removed": lambda them, text: them.command(f"alert remove {text}"),
    "mention": lambda them, text: them.happen("app_mention", text=f"<@UBOT> {text}"),
    "conversation": lambda them, text: them.say(f"70b 5rps {text}"),
    "shortcut": lambda them, text: them.message_shortcut("price_this", text=text),
    "ask button": lambda them, text: them.press("ask:0", text[:2000]),
    "share button": lambda them, text: them.press("share", f"abc {text[:1900]}"),
    "why button": lambda them, text: them.press("why", text[:2000]),
    "form button": lambda them, text: them.press("form", text[:2000]),
    "history button": lambda them, text: them.press("alert_history", text[:2000]),
}


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """The whole product, installed in a workspace."""
    with hosting(tmp_path_factory.mktemp("home"), product=the_product) as running:
        running.install(Grant())
        yield running


def quiet(host: Host, least: int) -> None:
    """Wait until so many calls came and no more come."""

    def count() -> int:
        return len(host.slack.heard) + len(host.slack.others)

    end = time.monotonic() + 30
    seen = -1
    while (count() < least or count() != seen) and time.monotonic() < end:
        seen = count()
        time.sleep(0.12)


def check_obeys_nothing(call: dict[str, Any]) -> None:
    """Assert that no text of a call could be read as markup by Slack."""
    for text in of_type(call, "mrkdwn"):
        assert LINK.fullmatch(text["text"])
    assert not [kind for kind in OBEYED if of_type(call, kind)]
    # The maker of an alert is named by the bot itself.
    makers = {f"W{number}" for number in range(len(PLACES))}
    assert {user["user_id"] for user in of_type(call, "user")} <= makers
    links = [link["url"] for link in of_type(call, "link")]
    assert not [url for url in links if "evil" in url]


def check_call(name: str, call: dict[str, Any]) -> None:
    """Assert that Slack takes what was said, and that it says only words."""
    view = call.get("view")
    if view is not None:
        (check_home if view["type"] == "home" else check_modal)(view)
        check_obeys_nothing(view)
    elif "blocks" in call:
        check_message(call["blocks"], call["text"])
        check_obeys_nothing({"blocks": call["blocks"]})
    if name in ("/hook", "chat.postMessage", "chat.postEphemeral"):
        assert "<" not in call["text"]


@pytest.mark.parametrize("text", WORDS, ids=range(len(WORDS)))
def test_hostile_words_are_only_words(host: Host, text: str) -> None:
    """Typed, mentioned, pressed or watched: every answer, form and page stays inert."""
    slack, them = host.slack, host.person()
    start = len(slack.heard), len(slack.others)
    # Each by another: nobody asks so much within a minute.
    for number, act in enumerate(PLACES.values()):
        them.user = f"W{number}"
        act(them, text)
    quiet(host, sum(start) + len(PLACES))
    them.happen("app_home_opened", tab="home")
    them.happen("app_home_opened", tab="messages")
    quiet(host, sum(start) + len(PLACES) + 2)

    calls = [*slack.heard[start[0] :], *slack.others[start[1] :]]

    assert len(calls) >= len(PLACES)
    for name, call in calls:
        check_call(name, call)
    said = "".join(call.get("text", "") for _, call in calls)
    assert "went wrong" not in said

"""What a visitor does reaches the bot as Slack would send it, and comes back."""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from slack_bolt import App

from bot.config.settings import Settings
from bot.playground import signed_client as door
from bot.playground.cli import forget_workspaces, playground_command
from bot.playground.examples import EXAMPLES
from bot.playground.playground import Playground, playing
from bot.playground.product import own_home, running_bot
from bot.playground.site import TOKEN_HEADER
from bot.playground.workspace import CHANNEL, CLASSIC_TEAM, DIRECT, TEAM, YOU
from bot.question.asking import AskContext
from bot.run.app import build_app
from bot.run.composition import compose
from bot.run.schedule import Chore, Timekeeper
from tests.bot.blocks import check_message, of_type
from tests.bot.fake_slack import FakeAnswers
from tests.bot.gallery import Gallery
from tests.bot.samples import ANSWER
from tests.engines import engine_of, told


@pytest.fixture(scope="module")
def running(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Playground, Gallery]]:
    """A playground around an app that remembers what it hears."""
    gallery = Gallery()
    with playing(tmp_path_factory.mktemp("home"), gallery.running) as playground:
        yield playground, gallery


@pytest.fixture
def play(running: tuple[Playground, Gallery]) -> Playground:
    """The playground, its conversations empty."""
    playground, gallery = running
    gallery.heard.clear()
    playground.visitor.clear()
    return playground


@pytest.fixture
def gallery(running: tuple[Playground, Gallery], play: Playground) -> Gallery:
    """What the app heard since this test began."""
    return running[1]


def messages(play: Playground) -> list[dict[str, Any]]:
    """What stands in the conversations."""
    return play.workspace.ledger.all_of("message")


def until(play: Playground, found: Callable[[], Any]) -> Any:
    """Read the news until something is there."""
    version = 0
    for _ in range(200):
        if value := found():
            return value
        version, _things = play.workspace.ledger.news(version, 0.1)
    raise AssertionError(f"never came: {messages(play)}")


def said(play: Playground, count: int = 1) -> list[dict[str, Any]]:
    """The bot's messages, once there are so many."""

    def found() -> list[dict[str, Any]]:
        heard = [message for message in messages(play) if message["bot"]]
        return heard if len(heard) >= count else []

    answers: list[dict[str, Any]] = until(play, found)
    return answers


def worded(play: Playground, words: str) -> dict[str, Any]:
    """The bot's message with these words, however many come before it."""

    def found() -> list[dict[str, Any]]:
        heard = [message for message in messages(play) if message["bot"]]
        return [message for message in heard if words in message["text"]]

    answers: list[dict[str, Any]] = until(play, found)
    return answers[-1]


def modal(play: Playground) -> dict[str, Any]:
    """The window that is open."""

    def found() -> list[dict[str, Any]]:
        views = play.workspace.ledger.all_of("view")
        return [each for each in views if each["position"]]

    shown: dict[str, Any] = until(play, found)[-1]
    return shown


def ids(blocks: list[dict[str, Any]], action_id: str) -> dict[str, str]:
    """The two ids of an element."""
    for block in blocks:
        inner = [*block.get("elements", []), block.get("accessory") or {}]
        if action_id in [element.get("action_id") for element in inner]:
            return {"block_id": block["block_id"], "action_id": action_id}
    raise AssertionError(f"no {action_id}")


def test_a_command_is_answered_for_its_asker(
    play: Playground, gallery: Gallery
) -> None:
    """It carries what Slack's would; command and answer are private."""
    assert play.visitor.say(CHANNEL, "/gpucost  hello <b> & 50rps")["ok"]

    body = gallery.wait("/gpucost")
    [answer] = said(play)
    assert "hello <b> & 50rps" == body["text"] == answer["text"]
    assert (TEAM, CHANNEL, YOU) == (
        body["team_id"],
        body["channel_id"],
        body["user_id"],
    )
    assert [True, True] == [message["ephemeral"] for message in messages(play)]


def test_a_mention_comes_escaped(play: Playground, gallery: Gallery) -> None:
    """The bot reads what Slack would hand it: entities, its own id, links marked."""
    play.visitor.say(CHANNEL, "@gpucost a <b> & https://example.com/x.")

    event = gallery.wait("app_mention")["event"]
    assert "<@UGPUCOST> a &lt;b&gt; &amp; <https://example.com/x>." == event["text"]
    assert messages(play)[0]["ts"] == event["ts"]


def test_a_reply_names_its_thread(play: Playground, gallery: Gallery) -> None:
    """A mention in a thread carries thread_ts; a slash command there is refused."""
    play.visitor.say(CHANNEL, "root")
    root = messages(play)[0]["ts"]
    play.visitor.say(CHANNEL, "@gpucost and int8?", root)
    refused = play.visitor.say(CHANNEL, "/gpucost 70b", root)

    assert root == gallery.wait("app_mention")["event"]["thread_ts"]
    assert "command_in_thread" == refused["error"]
    assert "mention" in refused["trouble"]


def test_a_direct_message_needs_no_mention(play: Playground, gallery: Gallery) -> None:
    """In its own conversation the bot hears everything."""
    play.visitor.say(DIRECT, "70b inference 50rps")

    event = gallery.wait("message")["event"]
    assert ("im", DIRECT) == (event["channel_type"], event["channel"])


def test_talk_of_a_channel_is_not_overheard(play: Playground, gallery: Gallery) -> None:
    """The bot has no scope to read channels, and gets nothing of them."""
    answer = play.visitor.say(CHANNEL, "lunch?")

    assert {"ok": True, "heard": False} == answer
    assert [] == gallery.heard
    assert "unknown_command" == play.visitor.say(CHANNEL, "/remind me")["error"]


def test_a_press_tells_what_was_pressed(play: Playground, gallery: Gallery) -> None:
    """Value, message, state and container; the answer replaces the message."""
    play.visitor.say(CHANNEL, "/gpucost press")
    [shown] = said(play)
    place = ids(shown["blocks"], "press")
    state = {place["block_id"]: {"pick": {"type": "static_select"}}}
    play.visitor.press(CHANNEL, shown["ts"], place, {"value": "forged"}, state)

    body = gallery.wait("block_actions")
    [action] = body["actions"]
    assert ("press", "pressed", "button") == (
        action["action_id"],
        action["value"],
        action["type"],
    )
    assert state == body["state"]["values"]
    assert body["container"]["is_ephemeral"]
    assert "message" not in body
    until(play, lambda: said(play)[0]["text"] == "replaced")
    assert 1 == len(said(play))


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("pick", {"selected_option": {"value": "two"}}),
        ("more", {"selected_option": {"value": "mute"}}),
        ("feedback", {"value": "down"}),
        ("beside", {}),
    ],
)
def test_whatever_is_chosen_is_told(
    play: Playground, gallery: Gallery, name: str, chosen: dict[str, Any]
) -> None:
    """Each kind of element reports its choice under its own ids."""
    play.visitor.say(CHANNEL, "/gpucost press")
    [shown] = said(play)
    place = ids(shown["blocks"], name)
    assert play.visitor.press(CHANNEL, shown["ts"], place, chosen, {})["ok"]

    [action] = gallery.wait("block_actions")["actions"]
    assert place.items() <= action.items()
    assert chosen.items() <= action.items()


def test_what_is_not_there_cannot_be_pressed(play: Playground) -> None:
    """A made-up button never reaches the bot."""
    play.visitor.say(CHANNEL, "/gpucost press")
    [shown] = said(play)
    invented = {"block_id": "b", "action_id": "approve"}

    with pytest.raises(Exception, match="unknown_element"):
        play.visitor.press(CHANNEL, shown["ts"], invented, {}, {})


def test_a_form_is_refused_then_taken(play: Playground, gallery: Gallery) -> None:
    """Errors stay with the window; a good submission closes it."""
    play.visitor.say(CHANNEL, "/gpucost form")
    view_id = modal(play)["view"]["id"]

    def state(model: str) -> dict[str, Any]:
        where = {"type": "conversations_select", "selected_conversation": CHANNEL}
        return {"model": {"model": {"value": model}}, "where": {"where": where}}

    refused = play.visitor.submit(view_id, state("wrong"))
    still_open = modal(play)["view"]["id"]
    taken = play.visitor.submit(view_id, state("70b"))

    body = gallery.wait("view_submission")
    assert {"model": "No such model"} == refused["errors"]
    assert view_id == still_open
    assert {"ok": True} == taken
    assert state("70b") == body["view"]["state"]["values"]
    assert CHANNEL == body["response_urls"][0]["channel_id"]
    assert [] == [v for v in play.workspace.ledger.all_of("view") if v["position"]]


def test_a_dismissed_form_is_told_of(play: Playground, gallery: Gallery) -> None:
    """As it asked with notify_on_close."""
    play.visitor.say(CHANNEL, "/gpucost form")
    view_id = modal(play)["view"]["id"]
    play.visitor.dismiss(view_id)

    assert view_id == gallery.wait("view_closed")["view"]["id"]


def test_a_bot_fills_a_select_as_one_types(play: Playground) -> None:
    """Options come for what was typed."""
    play.visitor.say(CHANNEL, "/gpucost form")
    view_id = modal(play)["view"]["id"]
    container = {"type": "view", "view_id": view_id}
    place = {"block_id": "found", "action_id": "found"}

    answer = play.visitor.suggest(container, place, "llama")

    assert ["llama-8b", "llama-70b"] == [o["value"] for o in answer["options"]]


def test_home_is_published_and_pressed(play: Playground, gallery: Gallery) -> None:
    """Opening the tab asks for it; its buttons name the view."""
    play.visitor.look("home")
    [home] = until(play, lambda: play.workspace.ledger.all_of("view"))
    view = home["view"]
    play.visitor.press_in_view(view["id"], ids(view["blocks"], "press"), {}, {})

    body = gallery.wait("block_actions")
    assert "home" == gallery.wait("app_home_opened")["event"]["tab"]
    assert {"type": "view", "view_id": view["id"]} == body["container"]


def test_shortcuts_carry_their_message(play: Playground, gallery: Gallery) -> None:
    """A message's shortcut has its text and a response_url, a global one neither."""
    play.visitor.say(CHANNEL, "70b at 50rps?")
    ts = messages(play)[0]["ts"]
    play.visitor.take_shortcut("price_this", CHANNEL, ts)
    play.visitor.take_shortcut("ask_gpucost", CHANNEL)

    taken = gallery.wait("message_action")
    assert "70b at 50rps?" == taken["message"]["text"]
    assert taken["response_url"].startswith("http://127.0.0.1:")
    assert "response_url" not in gallery.wait("shortcut")


def test_plain_blocks_are_another_workspace(play: Playground, gallery: Gallery) -> None:
    """Where native blocks are refused, the bot sees another team."""
    play.visitor.choose_blocks(True)
    play.visitor.say(CHANNEL, "/gpucost hello")

    assert CLASSIC_TEAM == gallery.wait("/gpucost")["team_id"]


def test_clear_begins_anew(play: Playground, gallery: Gallery) -> None:
    """Messages, an open form, a status and the kind of workspace are reset."""
    play.visitor.choose_blocks(True)
    play.visitor.say(CHANNEL, "70b at 50rps?")
    play.workspace.say_status(CHANNEL, "", "is thinking")
    play.stack.open({"type": "modal", "blocks": []}, CHANNEL)

    play.visitor.clear()

    assert [] == messages(play)
    assert not [
        view for view in play.workspace.ledger.all_of("view") if view["position"]
    ]
    statuses = play.workspace.ledger.all_of("status")
    assert {""} == {where["status"] for where in statuses}
    assert CLASSIC_TEAM != play.workspace.team


def test_the_bots_door_takes_signed_requests_only(
    play: Playground, gallery: Gallery
) -> None:
    """Not even the playground gets in with another secret."""
    forger = door.SignedClient(play.workspace, play.bot_address, "guess")

    delivered = forger.command({"command": "/gpucost", "text": "x", "team_id": TEAM})

    assert "http_401" == delivered.error
    assert [] == gallery.heard


def test_everything_listens_on_loopback(play: Playground) -> None:
    """Page, Slack and bot: none is open to the network."""
    addresses = [play.url, play.slack_url, f"http://{play.bot_address[0]}:"]

    assert all(each.startswith("http://127.0.0.1:") for each in addresses)


def test_a_bot_that_does_not_acknowledge_is_told_of(
    play: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After Slack's patience the visitor reads what went wrong."""
    monkeypatch.setattr(door, "PATIENCE_SECONDS", 0.2)
    asleep = threading.Event()
    with _deaf_server(asleep) as address:
        late = door.SignedClient(play.workspace, address, "secret")
        delivered = late.command({"command": "/gpucost", "text": "x"})
        asleep.set()

    assert "operation_timeout" == delivered.error


def _deaf_server(asleep: threading.Event) -> Any:
    from bot.playground.loopback import Call, Reply, listening

    def never(call: Call) -> Reply:
        asleep.wait(10)
        return Reply(200)

    return listening(never)


def test_no_real_workspace_is_taken_along() -> None:
    """Bolt would read tokens and OAuth secrets from the environment by itself."""
    environment = {"SLACK_BOT_TOKEN": "xoxb", "SLACK_CLIENT_ID": "1", "HOME": "/h"}
    forget_workspaces(environment)

    assert {"HOME": "/h"} == environment


def test_a_taken_port_is_named(
    play: Playground,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The way out is in the message."""
    monkeypatch.setenv("GPUCOST_HOME", str(tmp_path))
    port = play.url.rstrip("/").rpartition(":")[2]

    assert 1 == playground_command(["--port", port])
    assert "--port 0" in capsys.readouterr().err


def fetch(host: str, path: str, token: str) -> http.client.HTTPResponse:
    """Get something from a running playground."""
    connection = http.client.HTTPConnection(host, timeout=10)
    connection.request("GET", path, headers={TOKEN_HEADER: token})
    return connection.getresponse()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_serves_until_it_is_stopped(
    tmp_path: Path, number: signal.Signals
) -> None:
    """It says where the page is; Ctrl-C with the page open ends it at once."""
    command = [sys.executable, "-m", "bot.commands.cli", "playground", "--port", "0"]
    environment = dict(os.environ) | told(tmp_path)
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split()[-1]
            host = url.split("/")[2]
            page = fetch(host, "/", "").read().decode()
            token = page.split('-token" content="')[1].split('"')[0]
            version = json.load(fetch(host, "/news?after=0", token))["version"]
            with closing(http.client.HTTPConnection(host)) as waiting:
                news, told_as = f"/news?after={version}", {TOKEN_HEADER: token}
                waiting.request("GET", news, headers=told_as)
                process.send_signal(number)
                code = process.wait(15)
        finally:
            process.kill()

    assert 0 == code


def test_the_real_app_answers(tmp_path: Path) -> None:
    """The composed bot, asked and shared: private first, then for all."""

    @contextmanager
    def running_fake(settings: Settings) -> Iterator[App]:
        yield build_app(settings, FakeAnswers(ANSWER))

    with playing(tmp_path, running_fake) as play:
        play.visitor.say(CHANNEL, "/gpucost 70b inference 50rps")
        [answer] = said(play)
        check_message(answer["blocks"], answer["text"])
        share = next(
            ids(answer["blocks"], each["action_id"])
            for each in of_type(answer["blocks"], "button")
            if each["text"]["text"] == "Share"
        )
        play.visitor.press(CHANNEL, answer["ts"], share, {}, {})
        shared = said(play, 2)[1]

    assert (True, False) == (answer["ephemeral"], shared["ephemeral"])
    assert ANSWER.verdict in shared["text"]


ASKED, SPOKEN = (
    [question for group in groups for question in group.questions]
    for groups in (EXAMPLES[:-2], EXAMPLES[-2:])
)


def test_every_question_among_the_examples_has_an_answer(tmp_path: Path) -> None:
    """A newcomer who presses one reads a verdict, not a hint."""
    answering = compose(Settings(home=tmp_path))
    context = AskContext(surface="command", team_id=TEAM)

    kinds = {q: answering.ask(q, context=context).kind for q in ASKED}

    assert dict.fromkeys(ASKED, "answer") == kinds


def test_every_verb_among_the_examples_is_known(tmp_path: Path) -> None:
    """Alerts, settings, help and nonsense: the served bot has a word for each."""
    with playing(tmp_path, running_bot) as play:
        for question in SPOKEN:
            play.visitor.clear()
            assert play.visitor.say(CHANNEL, f"/gpucost {question}")["ok"]
            replies = said(play)
            check_message(replies[-1]["blocks"], replies[-1]["text"])
            assert "went wrong" not in replies[-1]["text"]


def test_a_real_bots_database_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The playground's alerts and settings are never those of a workspace."""
    monkeypatch.setenv("GPUCOST_HOME", str(tmp_path))

    assert tmp_path in own_home().parents


Work = dict[str, Callable[[datetime], object]]


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    """What the playground's clock does, by name, to be done at once."""
    found: Work = {}

    def noting(path: Path, wanted: list[Chore], *more: Any) -> Any:
        found.update({chore.name: chore.work for chore in wanted})
        return Timekeeper(engine_of(path), wanted, *more)

    monkeypatch.setattr("bot.alerts.service.Timekeeper", noting)
    return found


def test_alerts_speak_without_any_feed(tmp_path: Path, work: Work) -> None:
    """A negotiated price changes the answer that is watched: the channel hears it."""
    examples = {q for group in EXAMPLES for q in group.questions}
    watch, price = "watch 70b inference 50rps 10%", "setprice hyperstack b200 4.50"
    assert {watch, price} <= examples
    with playing(tmp_path, running_bot) as play:
        for question, answer in ((watch, "Alert 1 is on"), (price, "Saved:")):
            play.visitor.say(CHANNEL, f"/gpucost {question}")
            worded(play, answer)
        work["look"](datetime.now(UTC))
        told = worded(play, "the cost moved")

    assert "your price" in told["text"]
    assert not told["ephemeral"]


def test_it_calls_no_price_feed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: Work
) -> None:
    """Its clock looks at alerts and cleans up; it fetches nothing."""
    fetched: list[object] = []
    monkeypatch.setattr("prices.refresh.run.refresh", lambda *a, **k: fetched.append(a))
    with playing(tmp_path, running_bot):
        for chore in work.values():
            chore(datetime.now(UTC))

    assert {"refresh", "look", "clean"} == set(work)
    assert [] == fetched

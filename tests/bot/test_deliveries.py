"""Slack may bring anything again, late and out of order: it is answered once."""

import ast
import random
from datetime import timedelta
from pathlib import Path

import pytest

from bot.slack.listeners import EVENTS as LISTENED
from bot.slack.listeners.claims import Claims, machine_name
from bot.slack.outcome import tls
from prices.records.delivery_dedup import TAKEN_OVER_AFTER, Claim, Deliveries
from tests.bot.conftest import NOW, Install, Workspace
from tests.bot.person import Person
from tests.engines import engine_of

MESSAGES = 4
EVENTS = {
    "app_mention": {"text": "<@UBOT> 70b"},
    "message": {"text": "70b", "channel": "D1", "channel_type": "im"},
}


@pytest.mark.parametrize("mode", ["http", "socket_mode"])
@pytest.mark.parametrize("kind", EVENTS)
def test_events_brought_three_times_are_answered_once(
    workspace: Workspace, kind: str, mode: str
) -> None:
    """Each event has one answer, in whatever order its deliveries come."""
    workspace.person.mode = mode
    brought = [number for number in range(MESSAGES) for _ in range(3)]
    random.Random(7).shuffle(brought)  # noqa: S311 - no secret
    for number in brought:
        event = EVENTS[kind] | {"ts": f"200.{number}"}
        workspace.person.happen(kind, event_id=f"Ev-{number}", **event)
    workspace.settle()

    threads = [m["thread_ts"] for m in workspace.slack.called("chat.postMessage")]

    expected = [f"200.{number}" for number in range(MESSAGES)]
    assert expected == sorted(threads)


@pytest.mark.parametrize("by", [{}, {"bot_id": "B1"}])
def test_what_ended_two_processes_is_told_and_not_begun_again(
    workspace: Workspace, by: dict[str, str]
) -> None:
    """Once, to a person who waits; a program that wrote waits for nothing."""
    event = {"type": "app_mention", "channel": "C1", "user": "U1", "ts": "200.1"}
    body = {
        "type": "event_callback",
        "team_id": "T1",
        "event_id": "Ev-1",
        "event": event | {"text": "<@UBOT> 70b"} | by,
    }
    file, ended = engine_of(workspace.home / "gpucost.sqlite3"), 2**22 + 1
    here = machine_name(fleet=not file.is_file)
    first, second = (Deliveries(file, f"{here}:{ended}:{n}") for n in (1, 2))
    assert first.claim_all([Claim("T1", ["event:Ev-1"], body)], NOW) == [True]
    assert len(list(second.abandoned(NOW, lambda holder: True))) == 1

    claims: Claims = workspace.app.claims  # type: ignore[attr-defined]
    assert [1, 0] == [claims.recover(workspace.app) for _ in range(2)]
    workspace.settle()

    said = [message["text"] for _, message in workspace.slack.heard]
    assert ["restarted" in text for text in said] == [True][: not by]
    assert workspace.answers.asked == []


def test_a_page_is_published_once_for_one_opening(workspace: Workspace) -> None:
    """The same opening of the page, brought three times, publishes one page."""
    for _ in range(3):
        workspace.person.happen("app_home_opened", event_id="Ev-1", tab="home")
    workspace.settle()

    assert len(workspace.slack.called("views.publish")) == 1


EVERY = {
    "app_home_opened": ({"tab": "home"}, "views.publish", 1),
    "app_home_opened, messages": (
        {"tab": "messages"},
        "assistant.threads.setSuggestedPrompts",
        1,
    ),
    "app_mention": (EVENTS["app_mention"], "chat.postMessage", 1),
    "message": (EVENTS["message"], "chat.postMessage", 1),
    "app_uninstalled": ({}, "chat.postMessage", 0),
    "tokens_revoked": ({"tokens": {"bot": ["UBOT"]}}, "chat.postMessage", 0),
}


@pytest.mark.parametrize("mode", ["http", "socket_mode"])
def test_every_event_is_taken_once(workspace: Workspace, mode: str) -> None:
    """All of them three times each, shuffled: one outcome each, and no complaint."""
    assert {name.split(",")[0] for name in EVERY} == set(LISTENED)
    workspace.person.mode = mode
    brought = [name for name in EVERY for _ in range(3)]
    random.Random(11).shuffle(brought)  # noqa: S311 - no secret
    for name in brought:
        event, kind = EVERY[name][0], name.split(",")[0]
        ts = f"300.{list(EVERY).index(name)}"
        response = workspace.person.happen(
            kind, event_id=f"Ev-{name}", **({"ts": ts} | event)
        )
        assert response.status == 200
    workspace.settle()

    for method in {outcome[1] for outcome in EVERY.values()}:
        expected = sum(count for _, called, count in EVERY.values() if called == method)
        assert len(workspace.slack.called(method)) == expected


def test_a_message_that_mentions_the_bot_is_one_question(workspace: Workspace) -> None:
    """Slack tells of it twice, under two event ids."""
    both = {"channel": "D1", "ts": "300.1", "text": "<@UBOT> 70b"}
    workspace.person.happen("app_mention", **both)
    workspace.person.happen("message", channel_type="im", **both)
    workspace.settle()

    assert len(workspace.slack.heard) == 1


def test_a_socket_may_bring_an_envelope_again(workspace: Workspace) -> None:
    """A command and a press keep their trigger; a second press has another."""
    person = Person(workspace.app, workspace.slack, mode="socket_mode")
    for _ in range(3):
        person.command("70b", trigger_id="trigger-1")
    person.command("70b")
    workspace.settle()

    assert len(workspace.slack.heard) == 2


def test_every_command_is_a_new_one(workspace: Workspace) -> None:
    """The same words twice are two commands: each has a trigger of its own."""
    for _ in range(2):
        workspace.person.command("70b")
    workspace.settle()

    assert len(workspace.slack.heard) == 2


def test_two_processes_answer_once(install: Install) -> None:
    """What is shared is the database, not the memory."""
    first, second = install(), install()
    for workspace in (first, second):
        workspace.person.happen(
            "app_mention", event_id="Ev-1", ts="1.1", text="<@UBOT> 70b"
        )
    for workspace in (first, second):
        workspace.settle()

    assert len(first.slack.heard) == 1


def test_work_that_died_is_taken_over(workspace: Workspace) -> None:
    """A redelivery after a crash is answered; one during the work is not."""
    deliveries = Deliveries(engine_of(workspace.home / "gpucost.sqlite3"))
    deliveries.claim("T1", ["event:Ev-1", "message:C1:1.1"], NOW - TAKEN_OVER_AFTER)
    deliveries.claim("T1", ["event:Ev-2", "message:C1:1.2"], NOW - timedelta(minutes=1))
    for number in (1, 2):
        workspace.person.happen(
            "app_mention", event_id=f"Ev-{number}", ts=f"1.{number}", text="70b"
        )
    workspace.settle()

    threads = [message["thread_ts"] for message in workspace.slack.wait()]

    expected = ["1.1"]
    assert expected == threads


@pytest.mark.parametrize(
    "event",
    [
        {"bot_id": "B9"},
        {"subtype": "message_changed", "message": {"text": "70b", "user": "U1"}},
        {"subtype": "message_deleted"},
        {"subtype": "bot_message"},
        {"subtype": "assistant_app_thread"},
        {"hidden": True},
        {"user": "UBOT"},
    ],
)
def test_nobody_but_people_is_answered(
    workspace: Workspace, event: dict[str, object]
) -> None:
    """Other bots, deletions and the bot itself ask nothing."""
    response = workspace.person.say("70b 50rps", **event)
    workspace.settle()

    assert response.status == 200
    assert not workspace.answers.asked
    assert not workspace.slack.heard


def test_the_certificates_of_the_machine_are_loaded_once() -> None:
    """A client that is given no TLS loads them for every call, which takes 30 ms."""
    calls = [
        (path, node)
        for path in (Path(__file__).parents[2] / "bot").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") in ("WebClient", "WebhookClient")
    ]

    assert len(calls) > 5
    bare = [p for p, call in calls if "ssl" not in {w.arg for w in call.keywords}]
    assert not bare
    assert tls() is tls()

"""Forged requests of everybody, everywhere, for everything that the bot registers."""

import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from zlib import crc32

import pytest
from slack_bolt import App, BoltRequest

from bot.alerts.service import AlertService, alert_service
from bot.question.role import Role
from bot.run.app import Alerts, build_app
from bot.run.composition import compose
from bot.slack import authority
from bot.slack.authority import RIGHTS, SHORTEST_LOOK_S
from bot.slack.listeners import (
    BUTTONS,
    COMMANDS,
    EVENTS,
    FORMS,
    SHORTCUTS,
    WITHIN_S,
)
from bot.slack.seals import Seals
from tests.bot.blocks import every_text
from tests.bot.conftest import settings_for
from tests.bot.fake_slack import SECRET, FakeSlack, fake_slack, signed
from tests.bot.person import FORM, Person
from tests.bot.settling import Begun
from tests.bot.test_teams_apart import Rows, rows_of

SECRETS = ("team-one", "0.9137", "Phi-4", "2.3471", "(your price)", "43.21", "UMEMBER")
"""What only people of the workspace may read: answers, alerts, prices, settings."""
THREAD = "100.777"
PLACES = {"shared": "C9", "private": "G1", "dm": "D1", "mpim": "G2"}
VERB_WORDS = {
    "settings": ["", "set hours 700", "workspace set hours 700", "undo",
                 "set admins UEVIL0001", "workspace undo"],
    "setprice": ["", "lambda h100 0.01 confirm", "remove 1", "undo"],
}  # fmt: skip
ANY_WORDS = ["", "1", "remove 1", "h100 spot < 1.50"]
PRESSED = ["1", "1 1d", "setprice lambda h100 0.01 confirm", "settings set hours 700",
           "alert remove 1 yes", "C9"]  # fmt: skip
STATE = {
    "values": {
        "model": {"value": {"type": "plain_text_input", "value": "8b 2rps"}},
        "hours": {"value": {"type": "plain_text_input", "value": "700"}},
        "admins": {"value": {"selected_users": ["UEVIL0001"]}},
        "amount": {"value": {"type": "plain_text_input", "value": "h100 < 1.50"}},
        "place": {"value": {"selected_conversation": "C9"}},
    }
}


@dataclass(frozen=True)
class Caller:
    """Somebody, by what Slack says of them and what their requests claim."""

    user: str
    says: dict[str, Any]
    team: str | None = "T1"
    event: tuple[tuple[str, Any], ...] = ()


ROLES = {
    "external": Caller("UEXT", {"team_id": "T9", "is_stranger": True}, "T9"),
    "external with our id": Caller("UEXU", {"team_id": "T9"}, "T1"),
    "nobody knows": Caller("UNON", {"error": "user_not_found"}, None),
    "Slack is silent": Caller("USIL", {"error": "fatal_error"}, None),
    "guest": Caller("UGST", {"team_id": "T1", "is_restricted": True}),
    "single-channel guest": Caller(
        "UULT", {"team_id": "T1", "is_ultra_restricted": True}
    ),
    "removed": Caller("UDEL", {"team_id": "T1", "deleted": True}),
    "app": Caller("UAPP", {"team_id": "T1", "is_bot": True}, event=(("bot_id", "B9"),)),
}
MEMBER = Caller("UMEMBER", {"team_id": "T1"})
ADMIN = Caller("U1", {"team_id": "T1", "is_admin": True})


@dataclass
class Office:
    """One workspace with things to protect, and whoever comes by."""

    slack: FakeSlack
    app: App
    home: Path
    service: AlertService
    begun: Begun
    answer_id: str = ""

    def send(self, request: dict[str, Any], mode: str) -> None:
        """Bring a request over the socket, or signed over HTTP."""
        if mode == "socket":
            self.app.dispatch(BoltRequest(body=request, mode="socket_mode"))
            return
        if request["type"] == "event_callback":
            body, kind = json.dumps(request), "application/json"
        elif request["type"] == "command":
            body, kind = urlencode(request), FORM
        else:
            body, kind = urlencode({"payload": json.dumps(request)}), FORM
        answer = self.app.dispatch(BoltRequest(body=body, headers=signed(body, kind)))
        assert answer.status == 200, (request, answer.body)

    def settle(self) -> None:
        """Wait until everything that was begun is done."""
        self.begun.settle()

    def now(self) -> tuple[int, int]:
        """How much was said, and shown or opened, until now."""
        return len(self.slack.heard), len(self.slack.others)

    def told(self, since: tuple[int, int]) -> str:
        """Everything that was said, shown or opened since."""
        heard, others = since
        calls = [*self.slack.heard[heard:], *self.slack.others[others:]]
        return "\n".join(text for _, call in calls for text in every_text(call))


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """An admin set and negotiated, a member asked and watched."""
    home = tmp_path_factory.mktemp("home")
    with fake_slack() as slack:
        slack.methods["users.info"] = lambda asked: _person(str(asked.get("user")))
        slack.channels["C9"] = {"is_ext_shared": True}
        settings = settings_for(slack, home, user_rate=0, team_rate=0)
        service = alert_service(settings, compose(settings))
        app = build_app(settings, service.answering, service.for_slack())
        made = Office(slack, app, home, service, Begun(app))
        owner, member = Person(app, slack), Person(app, slack, user="UMEMBER")
        owner.command("settings workspace set utilisation 43.21%")
        owner.command("setprice lambda h100-nvl 2.3471 confirm")
        for channel in PLACES.values():
            member.command("alert a100-80gb spot < 0.9137", channel_id=channel)
        member.command("llama-3.3-70b 7rps on h200 q-of-team-one")
        for channel in PLACES.values():
            member.happen("app_mention", channel=channel, ts=THREAD,
                          text="<@UBOT> phi-4 chat 3rps")  # fmt: skip
        made.settle()
        made.answer_id = next(
            str(call["metadata"]["event_payload"]["answer_id"])
            for _, call in slack.heard
            if "H200" in call["text"]
        )
        yield made
        app.listener_runner.listener_executor.shutdown(wait=True)


def _person(user: str) -> dict[str, Any]:
    everybody = [*ROLES.values(), MEMBER, ADMIN]
    said = next((caller.says for caller in everybody if caller.user == user), {})
    if "error" in said:
        return {"ok": False, "error": said["error"]}
    return {"ok": True, "user": {"id": user} | said}


def requests(office: Office, caller: Caller, place: str) -> Iterator[dict[str, Any]]:
    """Everything that somebody can send from a place: generated from what listens."""
    for request in (
        *_commands(office, caller, place),
        *_events(caller, place),
        *_interactions(office, caller, place),
    ):
        yield request | {"response_url": f"{office.slack.url}/hook"}


def _commands(office: Office, caller: Caller, place: str) -> Iterator[dict[str, Any]]:
    texts = ["help", "8b chat 2rps", f"why {office.answer_id}"]
    for verb in ("settings", "setprice", *office.service.for_slack().verbs):
        texts += [f"{verb} {w}" for w in VERB_WORDS.get(verb, ANY_WORDS)]
    for name in COMMANDS:
        for text in texts:
            yield {
                "type": "command",
                "command": name,
                "text": text,
                "team_id": caller.team or "",
                "context_team_id": "T1",
                "channel_id": PLACES[place],
                "user_id": caller.user,
            }


def _events(caller: Caller, place: str) -> Iterator[dict[str, Any]]:
    for name in EVENTS.keys() - {"app_uninstalled", "tokens_revoked"}:
        for text in ("setprice list", "settings", "what about int8?", "alert list"):
            yield _event(name, text, caller, place)


def _interactions(
    office: Office, caller: Caller, place: str
) -> Iterator[dict[str, Any]]:
    alerts, channel = office.service.for_slack(), PLACES[place]
    user = {"id": caller.user} | ({"team_id": caller.team} if caller.team else {})
    sent = {"team": {"id": "T1"}, "user": user}
    message = {"ts": THREAD, "text": "setprice list", "type": "message"}
    for name in SHORTCUTS:
        yield sent | {"type": "shortcut", "callback_id": name}
        of_message = {"message": message, "channel": {"id": channel}}
        yield sent | of_message | {"type": "message_action", "callback_id": name}
    container = {"type": "message", "channel_id": channel, "message_ts": "1.1"}
    pressed = sent | {
        "type": "block_actions",
        "channel": {"id": channel},
        "container": container | {"thread_ts": THREAD},
    }
    for name in (*BUTTONS, *alerts.buttons):
        for value in (office.answer_id, *PRESSED):
            press = {"type": "button", "action_id": name, "value": value}
            yield pressed | {"actions": [press]}
    for name in (*FORMS, *alerts.forms):
        for metadata in ("{}", json.dumps({"channel_id": channel, "kind": "price"})):
            view = {"type": "modal", "callback_id": name, "private_metadata": metadata}
            yield sent | {"type": "view_submission", "view": view | {"state": STATE}}


def _event(name: str, text: str, caller: Caller, place: str) -> dict[str, Any]:
    kind = {"dm": "im", "mpim": "mpim"}.get(place, "channel")
    number = crc32(repr((name, text, caller.user, place)).encode())
    event = {
        "type": name,
        "user": caller.user,
        "channel": PLACES[place],
        "channel_type": kind,
        "ts": f"{number}.1",
        "thread_ts": THREAD,
        "text": f"<@UBOT> {text}",
    }
    told = {"user_team": caller.team} if caller.team else {}
    shared = {} if caller.team is None else {"is_ext_shared_channel": place == "shared"}
    return {
        "type": "event_callback",
        "team_id": "T1",
        "authorizations": [{"team_id": "T1", "enterprise_id": None}],
        "event_id": f"Ev{number}",
        "event": event | told | dict(caller.event),
    } | shared


PROTECTED = ("preferences", "price_book", "subscriptions")


def protected(office: Office) -> Rows:
    """What only people of the workspace may change; learning is no change."""
    rows = rows_of(office.home, "T1")
    rows["preferences"] = [r for r in rows["preferences"] if "shared" not in r]
    return {table: rows[table] for table in PROTECTED}


def fresh(request: dict[str, Any], name: str) -> dict[str, Any]:
    """The same once more, as a request of its own."""
    named = {"trigger_id": name, "event_id": f"Ev {name}"}
    if "event" in request:
        named |= {"event": request["event"] | {"ts": f"7{name.replace(' ', '')}.1"}}
    return request | named


EVERYWHERE = os.environ.get("GPUCOST_FORGED") == "all"
"""Each request of each role from each place both ways; else a quarter of them."""


def chosen(role: int, request: int, place: int, mode: int) -> bool:
    """Spread places and ways over requests and roles, so that all of them meet."""
    return EVERYWHERE or (request + role) % 8 == place * 2 + mode


@pytest.mark.parametrize("name", ROLES)
def test_who_is_not_of_the_workspace_reads_and_changes_nothing(
    office: Office, name: str
) -> None:
    """Every verb, button, form, shortcut and event, from every place, either way."""
    before, caller = protected(office), ROLES[name]
    since = office.now()

    number = list(ROLES).index(name)
    for at, place in enumerate(PLACES):
        for n, request in enumerate(requests(office, caller, place)):
            for way, mode in enumerate(("socket", "http")):
                if chosen(number, n, at, way):
                    office.send(fresh(request, f"{number} {at} {n} {way}"), mode)
    office.settle()

    said = office.told(since)
    assert bool(said) == (name != "app")
    assert [line for line in said.splitlines() if any(s in line for s in SECRETS)] == []
    assert protected(office) == before


def test_everything_that_listens_has_a_rule(office: Office) -> None:
    """And every rule a listener, a verb among them."""
    alerts = office.service.for_slack()
    registered = {
        *(f"command {name}" for name in COMMANDS),
        *(f"event {name}" for name in EVENTS),
        *(f"shortcut {name}" for name in SHORTCUTS),
        *(f"form {name}" for name in (*FORMS, *alerts.forms)),
        *(f"button {name}" for name in (*BUTTONS, *alerts.buttons)),
        *(f"verb {name}" for name in ("settings", "setprice", *alerts.verbs)),
    }

    assert registered == RIGHTS.keys()


@pytest.mark.parametrize("what", ["verbs", "buttons", "forms"])
def test_what_has_no_rule_keeps_the_bot_from_starting(
    office: Office, tmp_path: Path, what: str
) -> None:
    """A new action is noticed before anybody can press it."""
    parts: dict[str, Any] = {"verbs": {}, "buttons": {}} | {
        what: {"new": lambda *_: None}
    }
    alerts = Alerts(**parts, watches=lambda context: ())

    with pytest.raises(KeyError, match="new"):
        build_app(
            settings_for(office.slack, tmp_path), office.service.answering, alerts
        )


def one(office: Office, caller: Caller, text: str, channel: str = "G1") -> str:
    """Type one command and return what is said."""
    since = len(office.slack.heard)
    typing = Person(office.app, office.slack, user=caller.user)
    typing.command(text, channel_id=channel)
    office.slack.wait(since + 1)
    return "\n".join(every_text(office.slack.heard[-1][1]))


def test_people_of_the_workspace_read_what_others_may_not(office: Office) -> None:
    """The same acts show everything: the test above could have failed."""
    assert "43.21" in one(office, MEMBER, "settings")
    assert "2.3471" in one(office, MEMBER, "setprice list")
    assert "0.9137" in one(office, MEMBER, "alert list")
    assert "team-one" in one(office, MEMBER, f"why {office.answer_id}")
    assert "(your price)" in one(office, MEMBER, "price h100 nvl")


def test_rights_rise_with_the_role(office: Office) -> None:
    """A member changes a channel, a delegate the workspace, an admin who is one."""
    changes = {
        "settings set hours 701": Role.MEMBER,
        "settings workspace set hours 702": Role.DELEGATE,
        "setprice lambda h100-nvl 3.21": Role.DELEGATE,
        "settings set admins UOTHER001": Role.ADMIN,
    }
    delegate = Caller("UDELEG01", {"team_id": "T1"})
    one(office, ADMIN, "settings set admins UDELEG01")
    people = {
        Role.MEMBER: MEMBER,
        Role.DELEGATE: delegate,
        Role.ADMIN: ADMIN,
    }
    for role, caller in people.items():
        for words, needed in changes.items():
            before = protected(office)
            one(office, caller, words)
            changed = protected(office) != before
            assert changed == (role >= needed), (role, words)
            if words.startswith("settings set admins") and changed:
                one(office, ADMIN, "settings set admins UDELEG01")


def test_the_price_book_stays_out_of_shared_channels(office: Office) -> None:
    """Whoever asks by name there is answered from list prices, before everybody."""
    caller = Person(office.app, office.slack, user="UMEMBER")
    since, flag = office.now(), {"is_ext_shared_channel": True}
    asked = ("price h100 nvl", "setprice list", "settings", "alert list",
             "which alerts do we have?")  # fmt: skip
    for text in asked:
        caller.happen("app_mention", channel="C9", text=f"<@UBOT> {text}",
                      user_team="T1", body=flag)  # fmt: skip
    office.slack.wait(since[0] + len(asked))

    told = office.told(since)
    assert told.count("not shown where people of another organisation") >= 4
    secrets = ("2.3471", "(your price)", "3.21", "43.21", "0.9137")
    assert not [secret for secret in secrets if secret in told]


def test_the_answer_of_before_tells_no_channel_the_price_of_ours(
    office: Office,
) -> None:
    """Where nobody can tell who reads along, the price itself is not all that tells."""
    member = Person(office.app, office.slack, user="UMEMBER")
    assert "(your price)" in one(office, MEMBER, "price h100 nvl lambda", "D1")
    since = office.now()
    office.slack.methods["conversations.info"] = lambda _: {
        "ok": False,
        "error": "missing_scope",
    }
    member.happen("app_mention", channel="C77", user_team="T1",
                  text="<@UBOT> price h100 nvl lambda")  # fmt: skip
    office.slack.wait(since[0] + 1)
    del office.slack.methods["conversations.info"]

    told = office.told(since)
    assert "H100 NVL" in told
    assert "(your price)" not in told


def test_a_form_is_acknowledged_in_time_while_slack_says_nothing(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who sent it and who reads along is asked for within one span, not one each."""
    waited = []

    def silent(*_: object, timeout: float, **__: object) -> None:
        waited.append(timeout)
        time.sleep(timeout)
        raise TimeoutError

    monkeypatch.setattr(authority, "WebClient", silent)
    metadata = json.dumps({"channel_id": "C78"})
    sealed = Seals(SECRET).seal(metadata, "settings_form", "T1", "UNEW")
    view = {"type": "modal", "callback_id": "settings_form", "state": STATE}
    office.send(
        {
            "type": "view_submission",
            "team": {"id": "T1"},
            "user": {"id": "UNEW", "team_id": "T1"},
            "view": view | {"private_metadata": sealed},
            "trigger_id": "a slow Slack",
        },
        "socket",
    )

    assert waited
    assert sum(waited) <= WITHIN_S + SHORTEST_LOOK_S


@pytest.mark.parametrize("price", ["0.01", "90"])
def test_a_price_far_from_the_market_is_confirmed_and_marked(
    office: Office, price: str
) -> None:
    """It is asked about first; then it stands, marked, noted, and can be undone."""
    before = protected(office)
    asked = one(office, ADMIN, f"setprice lambda h100 {price}")
    assert "market's middle" in asked
    assert protected(office) == before

    assert "far from the market" in one(
        office, ADMIN, f"setprice lambda h100 {price} confirm"
    )
    assert "far from market" in one(office, ADMIN, "setprice list")
    trail = rows_of(office.home, "T1")["audit"]
    assert any(
        "U1" in row and "command in G1" in row and "price set" in row for row in trail
    )
    one(office, ADMIN, "setprice undo")
    assert "far from market" not in one(office, ADMIN, "setprice list")


def test_a_setting_is_undone(office: Office) -> None:
    """The value from before the last change holds again."""
    one(office, MEMBER, "settings set hours 710", "C7")
    one(office, MEMBER, "settings set hours 720", "C7")

    assert "710" in one(office, MEMBER, "settings undo", "C7")


TRAPS = (
    "setprice lambda h100 0.02 confirm",
    "setprice undo",
    "settings set hours 555",
    "settings workspace undo",
    "alert h100 < 1.11",
    "watch 8b 2rps",
    "tell us when h100 drops below $1.2",
    "stop all alerts",
)


@pytest.mark.parametrize("text", TRAPS)
def test_somebody_elses_message_is_priced_and_never_obeyed(
    office: Office, text: str
) -> None:
    """An outsider writes a command; an admin who asks what it costs runs none."""
    before, since = protected(office), office.now()
    message = {"ts": "5.5", "text": text, "type": "message", "user": "UEXT"}
    asked = {
        "type": "message_action",
        "callback_id": "price_this",
        "team": {"id": "T1"},
        "user": {"id": ADMIN.user, "team_id": "T1"},
        "channel": {"id": "G1"},
        "message": message,
        "response_url": f"{office.slack.url}/hook",
    }
    office.send(fresh(asked, f"trap {text}"), "http")
    office.settle()

    assert protected(office) == before
    assert "changes nothing" in office.told(since)


def pressed(
    office: Office, caller: Caller, place: str, name: str, value: str
) -> list[dict[str, Any]]:
    """Press a button of a message that all of a channel reads; give what is said."""
    since, channel = len(office.slack.heard), PLACES[place]
    press = {
        "type": "block_actions",
        "team": {"id": "T1"},
        "user": {"id": caller.user, "team_id": caller.team},
        "channel": {"id": channel},
        "container": {"type": "message", "channel_id": channel, "message_ts": "1.9"},
        "actions": [{"type": "button", "action_id": name, "value": value}],
        "response_url": f"{office.slack.url}/hook",
    }
    office.send(fresh(press, f"{caller.user} {place} {name} {value}"), "http")
    office.settle()
    return [call for _, call in office.slack.heard[since:]]


@pytest.mark.parametrize("name", [name for name in ROLES if name != "app"])
def test_who_is_outside_replaces_nothing_that_others_read(
    office: Office, name: str
) -> None:
    """A press of theirs is answered to them alone, and no opinion is kept."""
    of_team, opinions = office.answer_id, rows_of(office.home, "T1")["feedback"]
    presses = {
        "variant:0": f"{of_team} 2x load",
        "ask": "8b 2rps",
        "ask:1": "setprice list",
        "feedback": f"{of_team} bad",
    }
    for place in ("shared", "private", "mpim"):
        for button, value in presses.items():
            said = pressed(office, ROLES[name], place, button, value)
            assert said, (place, button)
            for call in said:
                assert call.get("response_type", "ephemeral") == "ephemeral"
                assert not call.get("replace_original")
                assert value != f"{of_team} 2x load" or "cannot open it" in call["text"]
    assert rows_of(office.home, "T1")["feedback"] == opinions


FORMS_CARRY = (
    '{"channel_id": "C9", "response_url": "http://127.0.0.1:9/evil", "private": false}'
)


@pytest.mark.parametrize("form", ["ask_form", "settings_form", "alert_form"])
@pytest.mark.parametrize("sealed_for", ["nobody", "somebody else", "another form"])
def test_a_form_goes_nowhere_that_it_was_not_opened_for(
    office: Office, form: str, sealed_for: str
) -> None:
    """What it carries was not sealed here, or for another, or for another form."""
    before, since = protected(office), len(office.slack.heard)
    seals = Seals(SECRET)
    carried = {
        "nobody": FORMS_CARRY,
        "somebody else": seals.seal(FORMS_CARRY, form, "T1", "UEXT"),
        "another form": seals.seal(FORMS_CARRY, "other_form", "T1", ADMIN.user),
    }[sealed_for]
    view = {"type": "modal", "callback_id": form, "private_metadata": carried}
    sent = {
        "type": "view_submission",
        "team": {"id": "T1"},
        "user": {"id": ADMIN.user, "team_id": "T1"},
        "view": view | {"state": STATE},
    }
    office.send(fresh(sent, f"{form} {sealed_for}"), "http")
    office.settle()

    (said,) = [call for _, call in office.slack.heard[since:]]
    assert "no longer valid" in said["text"]
    assert said["channel"] == ADMIN.user
    assert protected(office) == before


def test_a_member_replaces_what_they_vary(office: Office) -> None:
    """The same press by one of the workspace: the test above could have failed."""
    (said,) = pressed(office, MEMBER, "private", "variant:0", f"{office.answer_id} FP4")

    assert said["replace_original"]
    assert "H200" in said["text"]


def test_a_text_too_long_to_be_read_is_said_at_once(office: Office) -> None:
    """Below an answer too, where it could be read as a change of that answer."""
    request = _event("app_mention", "a" * 100_000, MEMBER, "private")
    since, begun = len(office.slack.heard), time.monotonic()

    office.send(fresh(request, "long"), "http")
    said = office.slack.wait(since + 1)[-1]

    assert "longer than the 40,000 characters" in said["text"]
    assert time.monotonic() - begun < 5

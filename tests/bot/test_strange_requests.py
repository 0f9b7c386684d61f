"""Signed requests of any shape: what Slack sends is taken, all else refused quietly."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from slack_bolt import App
from slack_sdk.socket_mode.request import SocketModeRequest

from bot.operate.operations import operations
from bot.operate.payload_schema import odd
from bot.operate.transports import PATH, HttpTransport, SocketTransport
from bot.run.app import build_app
from bot.slack.listeners import BUTTONS, FORMS
from bot.slack.outcome import Outcome
from tests.bot.alerts import AlertHarness
from tests.bot.conftest import NOW, settings_for
from tests.bot.fake_slack import SECRET, FakeAnswers, FakeSlack, fake_slack
from tests.bot.samples import ANSWER
from tests.bot.settling import Begun
from tests.bot.strange import Delivery, changed, deliveries, sealed

HOOK = "https://hooks.slack.com/x"
ALERT_BUTTONS = ["alert_adjust", "alert_history", "alert_new", "alert_snooze"]
SILENT = {"verify", "limited", "closed", "edited", "joined", "made", "reaction",
          "thread", "left", "revoked", "form alert_form"}  # fmt: skip
"""Kinds of which nobody is told anything; the last lacks a field, and says so."""
KINDS = deliveries([*BUTTONS, *ALERT_BUTTONS, "old"], [*FORMS, "alert_form"], HOOK)


@dataclass
class Doors:
    """The whole product, behind both doors."""

    slack: FakeSlack
    app: App
    http: HttpTransport
    socket: SocketTransport
    begun: Begun

    def knock(self, name: str, delivery: object) -> int:
        """Send a signed delivery over HTTP and give its status."""
        body, headers = sealed(name, delivery)
        return self.ask(body, headers)

    def ask(self, body: bytes, headers: dict[str, str], **more: str) -> int:
        """Make one request and give its status."""
        said: list[str] = []
        environ: dict[str, Any] = {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": PATH,
            "CONTENT_TYPE": headers.get("content-type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.input": BytesIO(body),
            **{f"HTTP_{k.upper().replace('-', '_')}": v for k, v in headers.items()},
        }
        self.http(environ | more, lambda status, _, *fault: said.append(status))  # type: ignore[arg-type,return-value]
        return int(said[0][:3])

    def settle(self) -> None:
        """Wait until all work is done, and what it handed on."""
        self.begun.settle()


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    """The product without prices; what it would post, a fake Slack hears."""
    home = tmp_path_factory.mktemp("home")
    with fake_slack() as slack:
        settings = settings_for(slack, home, slack_app_token="xapp-test")  # noqa: S106
        alerts = AlertHarness(home, slack.url).service.for_slack()
        app = build_app(settings, FakeAnswers(ANSWER), alerts, lambda: NOW)
        socket = SocketTransport(app, operations(settings), "xapp-test")
        made = Doors(
            slack,
            app,
            HttpTransport(app, operations(settings), SECRET),
            socket,
            Begun(app),
        )
        yield made
        socket.close()  # type: ignore[no-untyped-call]
        app.listener_runner.listener_executor.shutdown(wait=True)


@pytest.fixture(autouse=True)
def hooked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Let no response_url be called: some here name whatever is drawn."""
    said: list[object] = []

    def taken(url: str, message: object) -> Outcome:
        said.append(message)
        return Outcome()

    monkeypatch.setattr("bot.slack.outcome.of_hook", taken)
    return said


@pytest.mark.parametrize("name", sorted(KINDS))
def test_what_slack_sends_is_taken(name: str, doors: Doors) -> None:
    """The check of shapes refuses nothing that is documented."""
    assert odd(KINDS[name]) == ""
    assert doors.knock(name, KINDS[name]) == 200


@pytest.mark.parametrize("name", sorted(KINDS))
def test_what_comes_three_times_is_done_once(
    name: str, doors: Doors, hooked: list[object]
) -> None:
    """Slack brings any delivery again where it heard no acknowledgement in time."""
    ids = {"event_id": f"Ev {name}", "trigger_id": f"t {name}"}
    again = {key: ids.get(key, value) for key, value in KINDS[name].items()}
    if "event" in again:
        again["event"] = again["event"] | {"ts": f"200.{sorted(KINDS).index(name)}"}

    def done() -> int:
        doors.settle()
        return len(doors.slack.heard) + len(doors.slack.others) + len(hooked)

    before = done()
    assert 200 == doors.knock(name, again)
    once = done()
    assert [200, 200] == [doors.knock(name, again) for _ in range(2)]

    assert once == done()
    assert once > before or name in SILENT


def faults(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was logged with a traceback, or as an error."""
    return [
        f"{r.name}: {r.getMessage()}: {r.exc_info}"
        for r in caplog.records
        if r.exc_info or r.levelno >= logging.ERROR
    ]


@given(st.sampled_from(sorted(KINDS)).flatmap(
    lambda name: st.tuples(st.just(name), changed(KINDS[name]))))  # fmt: skip
@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_no_shape_makes_a_fault(
    doors: Doors, caplog: pytest.LogCaptureFixture, sent: tuple[str, Any]
) -> None:
    """Whatever part of a delivery is another or gone: taken or refused, quietly."""
    assert doors.knock(*sent) in (200, 400, 404)
    assert faults(caplog) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("button why:view", {"callback_id": None, "type": None, "state": None}),
        ("button why:team", None),
        ("button why:enterprise", {"id": "E1", "name": "Acme"}),
        ("button why:message", {"ts": "1.1", "user": None, "text": None}),
        ("home:event.view", {"type": "home", "callback_id": None}),
        ("mention:authorizations", None),
        ("joined:event.user", "U7"),
        ("reaction:event.item", "Fi1"),
        ("form ask_form:response_urls", [{"channel_id": "C1", "response_url": HOOK}]),
        ("command:enterprise_id", "E1"),
    ],
)
def test_what_slack_leaves_empty_is_no_oddity(
    path: str, value: object, doors: Doors
) -> None:
    """Nulls, and objects in place of ids, where Slack is known to send them."""
    name, _, where = path.partition(":")
    first, _, second = where.partition(".")
    sent = KINDS[name]
    changed = (sent[first] | {second: value}) if second else value

    assert 200 == doors.knock(name, sent | {first: changed})


SHAPES = [
    ("json", None, "body"),
    ("json", [], "body"),
    ("json", 5, "body"),
    ("json", "x", "body"),
    ("json", {}, "no type"),
    ("json", {"type": "event_callback"}, "no event.type"),
    ("json", {"type": "event_callback", "event": None}, "event is model_type"),
    ("json", {"type": "event_callback", "event": {"type": []}}, "event.type"),
    ("json", {"type": "event_callback", "authorizations": [5]}, "authorizations"),
    ("json", {"type": "url_verification"}, "no challenge"),
    ("button", {"type": "block_actions"}, "no actions.action_id"),
    ("button", {"type": "block_actions", "actions": []}, "no actions.action_id"),
    ("button", {"type": "block_actions", "actions": None}, "actions is list_type"),
    ("button", {"type": "block_actions", "user": 5}, "user"),
    ("form", {"type": "view_submission"}, "no view.type, no view.callback_id"),
    ("form", {"type": "view_submission", "view": []}, "view is model_type"),
    ("shortcut", {"type": "shortcut"}, "no callback_id"),
    ("button", {"response_url": "file:///etc/passwd"}, "response_url is value_error"),
    ("json", {"team_id": "\ud83d"}, "half a letter"),
]


@pytest.mark.parametrize(("name", "shape", "said"), SHAPES)
def test_a_strange_shape_is_refused_and_named(
    name: str,
    shape: object,
    said: str,
    doors: Doors,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The log says which field was odd, and nothing of what stood in it."""
    with caplog.at_level(logging.WARNING):
        assert doors.knock(name, shape) == 400

    assert said in caplog.text
    assert "etc/passwd" not in caplog.text


def test_no_word_of_a_sender_is_logged(
    doors: Doors, caplog: pytest.LogCaptureFixture
) -> None:
    """A field's own name may be a secret, or a forged line of the log."""
    values = {"xoxb-1-secret\nERROR all is lost": {"b": 5}}
    sent = KINDS["form ask_form"]["view"] | {"state": {"values": values}}

    with caplog.at_level(logging.WARNING):
        assert 400 == doors.knock("form", KINDS["form ask_form"] | {"view": sent})

    assert "view.state.values" in caplog.text
    assert "secret" not in caplog.text


def test_a_form_that_is_none_of_ours_is_answered(doors: Doors) -> None:
    """Settings whose place nobody can read are not set anywhere."""
    sent = KINDS["form settings_form"]
    other = sent | {"view": sent["view"] | {"private_metadata": "[]"}}
    other |= {"trigger_id": "none of ours"}
    before = len(doors.slack.heard)

    assert 200 == doors.knock("form", other)

    assert "no longer valid" in doors.slack.wait(before + 1)[-1]["text"]


@pytest.mark.parametrize(
    "payload", [{}, {"type": "block_actions", "actions": []}, {"team": {"id": 5}}]
)
def test_a_strange_envelope_is_left_aside(
    payload: Delivery, doors: Doors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over the socket it is acknowledged as well: Slack would bring it again."""
    sent: list[str] = []
    monkeypatch.setattr(
        doors.socket.client,
        "send_socket_mode_response",
        lambda response: sent.append(response.envelope_id),
    )

    doors.socket.handle(
        doors.socket.client, SocketModeRequest("interactive", "E9", payload)
    )

    assert ["E9"] == sent


def test_slack_may_look_at_the_certificate(doors: Doors) -> None:
    """Its request for that is not signed; a 200 is all that anybody gets by it."""
    kind = {"content-type": "application/x-www-form-urlencoded"}
    doors.settle()
    heard = len(doors.slack.heard)

    assert 200 == doors.ask(b"ssl_check=1&token=x", kind)
    assert 200 == doors.ask(b"", {}, REQUEST_METHOD="GET", QUERY_STRING="ssl_check=1")
    assert 200 == doors.ask(b"ssl_check=1&command=/gpucost&text=70b", kind)
    assert 401 == doors.ask(b"ssl_check=0&token=x", kind)
    assert 401 == doors.ask(b"x" * 600 + b"&ssl_check=1", kind)
    assert 404 == doors.ask(b"", {}, REQUEST_METHOD="GET", QUERY_STRING="")
    doors.settle()
    assert heard == len(doors.slack.heard)

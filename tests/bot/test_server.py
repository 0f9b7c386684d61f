"""The HTTP door: signed requests in, everything else turned away."""

import http.client
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest

from bot.config.secret import SecretStr
from bot.config.settings import Settings
from bot.operate.stopping import Stop
from bot.run.app import build_app
from bot.run.server import BODY_BYTES, PATH, http_server, missing, serve
from tests.bot.fake_slack import SECRET, FakeAnswers, FakeSlack, fake_slack, signed
from tests.bot.samples import ANSWER

FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    """A Slack to answer to."""
    with fake_slack() as fake:
        yield fake


@pytest.fixture
def address(slack: FakeSlack, tmp_path: Path) -> Iterator[tuple[str, int]]:
    """A served bot."""
    settings = Settings(
        home=tmp_path,
        slack_bot_token=SecretStr("xoxb-test"),
        slack_signing_secret=SecretStr(SECRET),
        slack_api_url=f"{slack.url}/api/",
        port=0,
    )
    app = build_app(settings, FakeAnswers(ANSWER))
    with http_server(app, settings) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server.server_address[0], server.server_address[1]
        server.shutdown()
        thread.join()
    app.listener_runner.listener_executor.shutdown(wait=True)


def ask(
    address: tuple[str, int],
    body: str | bytes = "",
    headers: dict[str, str] | None = None,
    method: str = "POST",
    path: str = PATH,
) -> int:
    """Make one request and give its status."""
    connection = http.client.HTTPConnection(*address, timeout=10)
    connection.request(method, path, body, headers or {})
    status = connection.getresponse().status
    connection.close()
    return status


def test_a_signed_command_is_answered(
    slack: FakeSlack, address: tuple[str, int]
) -> None:
    """The whole way over HTTP, from the signature to the reply."""
    fields = {
        "command": "/gpucost",
        "text": "70b",
        "team_id": "T1",
        "user_id": "U1",
        "channel_id": "C1",
        "response_url": f"{slack.url}/hook",
    }
    body = urlencode(fields)

    status = ask(address, body, signed(body, FORM))

    assert status == 200
    assert slack.wait()[0]["text"].startswith(ANSWER.verdict)


def test_slack_can_verify_the_address(address: tuple[str, int]) -> None:
    """The challenge that Slack sends to a new request URL comes back."""
    body = '{"type": "url_verification", "challenge": "c0ffee"}'
    connection = http.client.HTTPConnection(*address, timeout=10)

    connection.request("POST", PATH, body, signed(body, "application/json"))
    said = connection.getresponse().read()
    connection.close()

    assert b"c0ffee" in said


def test_every_answer_ends_its_connection(address: tuple[str, int]) -> None:
    """A client that keeps connections would send the next request into a closed one."""
    connection = http.client.HTTPConnection(*address, timeout=10)

    connection.request("POST", "/", "", {})
    response = connection.getresponse()
    response.read()
    connection.close()

    assert response.headers["connection"] == "close"


def test_an_endless_request_line_is_refused(address: tuple[str, int]) -> None:
    """A scanner's megabyte of path is not read to its end."""
    assert ask(address, path="/" + "x" * 70_000) == 431


def test_the_server_is_on_loopback_unless_told_otherwise(
    address: tuple[str, int],
) -> None:
    """A bot behind a proxy or a tunnel is not open to the network."""
    assert address[0] == "127.0.0.1"


def test_a_forged_request_is_refused(address: tuple[str, int]) -> None:
    """Signed with anything but the secret, a request gets nothing."""
    body = "command=%2Fgpucost"

    assert ask(address, body, signed(body, FORM, "guess")) == 401
    assert ask(address, body, {"content-type": FORM}) == 401


UNREADABLE = [
    (b"\xff\xfe\x00", FORM),
    (b"\xff\xfe", "application/json"),
    ("payload=%7Bnot", FORM),
    ("{not", "application/json"),
    ("[" * 100_000, "application/json"),
]
STRANGE = [
    ("[]", "application/json"),
    ("payload=5", FORM),
    ('{"team":[1],"event":[]}', "application/json"),
    ('{"authorizations":[5]}', "text/plain"),
    ('{"channel":[],"event":{"user":[]}}', ""),
]


@pytest.mark.parametrize(("body", "kind"), UNREADABLE + STRANGE)
def test_what_nobody_signed_is_not_even_read(
    address: tuple[str, int],
    body: str | bytes,
    kind: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """What a scanner sends makes no traceback."""
    stamped = {"x-slack-request-timestamp": str(int(time.time()))}
    forged = stamped | {"x-slack-signature": "v0=" + "0" * 64}
    assert 401 == ask(address, body, {"content-type": kind})
    assert 401 == ask(address, body, {"content-type": kind} | forged)
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize(("body", "kind"), UNREADABLE[2:])
def test_an_unreadable_body_is_refused_quietly(
    address: tuple[str, int],
    body: str,
    kind: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Not even where it is signed."""
    assert 400 == ask(address, body, signed(body, kind))
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("length", "expected"), [(str(BODY_BYTES + 1), 413), ("-1", 400), ("many", 400)]
)
def test_a_body_beyond_any_of_slacks_is_not_read(
    address: tuple[str, int], length: str, expected: int
) -> None:
    """The declared length decides, before a byte is taken in."""
    assert ask(address, "", {"content-length": length}) == expected


def test_other_paths_and_methods_are_not_found(address: tuple[str, int]) -> None:
    """There is one door."""
    assert ask(address, path="/") == 404
    assert ask(address, method="GET") == 404


@pytest.mark.parametrize(
    ("http", "expected"),
    [
        (True, ["SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET"]),
        (False, ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"]),
    ],
)
def test_what_is_missing_is_named(http: bool, expected: list[str]) -> None:
    """The variables to set are named as they are set."""
    assert expected == missing(Settings(home=Path("unused")), http)


def test_http_without_a_signing_secret_is_refused(
    slack: FakeSlack, tmp_path: Path
) -> None:
    """An empty secret would let anybody sign."""
    settings = Settings(
        home=tmp_path,
        slack_bot_token=SecretStr("xoxb-test"),
        slack_signing_secret=SecretStr(""),
        slack_api_url=f"{slack.url}/api/",
    )
    app = build_app(settings, FakeAnswers(ANSWER))

    with pytest.raises(ValueError, match="SLACK_SIGNING_SECRET"):
        serve(app, settings, http=True)


def test_a_chunked_body_is_read(slack: FakeSlack, address: tuple[str, int]) -> None:
    """A proxy may send a body without saying its length first."""
    body = urlencode({"command": "/gpucost", "text": "70b", "team_id": "T1"})
    connection = http.client.HTTPConnection(*address, timeout=10)

    connection.request(
        "POST", PATH, iter([body.encode()]), signed(body, FORM), encode_chunked=True
    )
    status = connection.getresponse().status
    connection.close()

    assert status == 200


def test_a_probe_before_the_door_learns_whether_and_not_why(
    address: tuple[str, int],
) -> None:
    """A proxy may probe the bot; this one has no prices yet, and does not say so."""
    assert ask(address, method="GET", path="/healthz") == 200
    assert ask(address, method="GET", path="/readyz") == 503
    assert ask(address, method="HEAD", path="/healthz") == 200
    assert ask(address, method="POST", path="/healthz") == 405
    assert ask(address, method="GET", path="/metrics") == 404


def test_a_signal_is_heard_before_anybody_may_find_it_healthy(
    monkeypatch: pytest.MonkeyPatch, slack: FakeSlack, tmp_path: Path
) -> None:
    """Who waits for the first probe may tell it to stop at once."""
    done: list[str] = []

    class Heard(Stop):
        def listen(self) -> None:
            done.append("listen")

    @contextmanager
    def probed(*_: object) -> Iterator[None]:
        done.append("probed")
        raise InterruptedError
        yield

    monkeypatch.setattr("bot.run.server.Stop", Heard)
    monkeypatch.setattr("bot.run.server.probed", probed)
    settings = Settings(
        home=tmp_path,
        slack_bot_token=SecretStr("xoxb-test"),
        slack_signing_secret=SecretStr(SECRET),
        slack_api_url=f"{slack.url}/api/",
    )
    app = build_app(settings, FakeAnswers(ANSWER))
    with pytest.raises(InterruptedError):
        serve(app, settings, http=True)
    app.listener_runner.listener_executor.shutdown(wait=True)
    assert ["listen", "probed"] == done

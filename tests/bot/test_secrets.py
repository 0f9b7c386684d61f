"""Secrets come from the environment or from files, and go to Slack and a feed alone."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import pytest

from bot.config.secret_files import FEEDS, SECRETS
from bot.config.settings import VARIABLES, Settings, load_settings, stated
from bot.operate.logs import redactor
from prices.sources import own
from prices.sources.feeds import KEYED
from prices.sources.source import Moment
from tests.bot.conftest import Install
from tests.bot.fake_slack import SECRET, FakeSlack, Fault, fake_slack
from tests.bot.served import TOKEN, Manager, command, managing
from tests.engines import as_text

FEED_KEY = "feedkey-0f1e2d3c4b5a6978"
PROXY_WORD = "proxyword-5f4dcc3b5aa765"
SEAL = "c2VhbC1zZWFsLXNlYWwtc2VhbC1zZWFsLXNlYWwhISE="
PRIVATE = "zanzibarproject"
"""What somebody wrote, and no word of the program's own."""
HIDDEN = (TOKEN, SECRET, FEED_KEY, PROXY_WORD, SEAL)


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    """A Slack to answer to."""
    with fake_slack() as fake:
        yield fake


def test_every_secret_may_stand_in_a_file(tmp_path: Path) -> None:
    """NAME_FILE gives what the file holds, without the line's end."""
    files = {}
    for name in SECRETS:
        (tmp_path / name).write_text(f"secret of {name}\n")
        files[f"{name}_FILE"] = str(tmp_path / name)
    settings = load_settings(files | {"GPUCOST_HOME": str(tmp_path)})

    assert settings.slack_bot_token is not None
    assert settings.slack_bot_token.get_secret_value() == "secret of SLACK_BOT_TOKEN"
    assert {n: f"secret of {n}" for n in FEEDS}.items() <= stated(files).items()


def test_no_secret_is_without_a_file() -> None:
    """A setting that hides itself, and a feed that needs a key, can use a file."""
    hidden = {
        VARIABLES[field]
        for field, kind in Settings.__annotations__.items()
        if "SecretStr" in str(kind)
    }
    assert hidden - {"GPUCOST_TOKEN_KEYS"} <= set(SECRETS)
    assert "GPUCOST_TOKEN_KEYS_FILE" in VARIABLES.values()
    assert set(KEYED) == set(FEEDS)


def test_a_secret_said_twice_is_refused(tmp_path: Path) -> None:
    """Nobody should have to guess which of two tokens is used."""
    both = {"SLACK_BOT_TOKEN": TOKEN, "SLACK_BOT_TOKEN_FILE": str(tmp_path / "t")}
    with pytest.raises(SystemExit, match="both set") as refused:
        load_settings(both)

    assert TOKEN not in str(refused.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """The variable is, and what is the matter; nothing else."""
    with pytest.raises(SystemExit, match="FILE: cannot read the file: No such"):
        load_settings({"SLACK_BOT_TOKEN_FILE": str(tmp_path / "none")})


def environment(folder: Path, proxy: str = "127.0.0.1:9") -> dict[str, str]:
    """Every kind of secret, one of them in a file."""
    (folder / "token").write_text(f"{TOKEN}\n")
    (folder / "keys").write_text(f"{SEAL}\n")
    return {
        "SLACK_BOT_TOKEN": "",
        "SLACK_BOT_TOKEN_FILE": str(folder / "token"),
        "SLACK_APP_TOKEN": "xapp-1-A1-2-alsosecret",
        "GPUCOST_TOKEN_KEYS_FILE": str(folder / "keys"),
        "LAMBDA_API_KEY": FEED_KEY,
        "GPUCOST_FEEDS": "lambda,gpurentalprices",
        "HTTPS_PROXY": f"http://user:{PROXY_WORD}@{proxy}",
        "NO_PROXY": "127.0.0.1,localhost",
    }


@dataclass(frozen=True)
class Day:
    """What a served bot left behind on a bad day."""

    log: str
    """The form of its log."""
    said: str
    written: bytes
    """Log, database, and every message that went to Slack."""


@pytest.fixture(scope="module", params=["text", "json"])
def bad_day(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Day:
    """Serve through faults of Slack, of feeds and of requests."""
    folder = tmp_path_factory.mktemp("bad-day")
    with fake_slack() as slack, managing(slack, folder) as manager, garbled() as proxy:
        told = environment(folder, proxy)
        bot = manager.start(**told, GPUCOST_LOG=request.param)
        faults = [Fault(500, f"broken {TOKEN}"), Fault(silent=True), Fault(404, "no")]
        slack.faults["/hook"] = faults
        asked = [f"70b for {PRIVATE} 50rps", f"price {PRIVATE}", "price h100", "help"]
        for number, text in enumerate([*asked, ""]):
            assert command(manager.address, slack, text, hook=str(number)) == 200
        forged = {"x-slack-signature": f"v0={'0' * 64}", "x-request-id": "from.proxy"}
        assert command(manager.address, slack, PRIVATE, "f", **forged) == 401
        slack.wait(1)
        bot.says("feed lambda")
        bot.ask_to_stop()
        assert bot.ended() == 0
        return Day(request.param, bot.said(), everything_written(manager, slack))


@contextmanager
def garbled() -> Iterator[str]:
    """A proxy that lets everybody through, to what is no TLS."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        Thread(target=_garble, args=(listener,), daemon=True).start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"


def _garble(listener: socket.socket) -> None:
    with suppress(OSError):
        while True:
            visitor, _ = listener.accept()
            with visitor, suppress(OSError):
                visitor.recv(65_536)
                visitor.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + b"no TLS " * 9)
                visitor.recv(65_536)


def everything_written(manager: Manager, slack: FakeSlack) -> bytes:
    """Logs, database, and every message that went to Slack."""
    files = [p for p in manager.folder.rglob("*") if p.is_file()]
    kept = [p.read_bytes() for p in files if p.name not in ("token", "keys")]
    sent = json.dumps([*slack.heard, *slack.others]).encode()
    served = as_text(manager.folder / "home/gpucost.sqlite3")
    return b"\n".join([*kept, served, sent])


def test_no_secret_is_written_whatever_happens(bad_day: Day) -> None:
    """Through faults of Slack, of feeds and of requests, none gets anywhere."""
    assert b"SQLite format 3" in bad_day.written or b"COPY " in bad_day.written
    assert b"feed lambda" in bad_day.written
    for secret in (*HIDDEN, "alsosecret"):
        assert secret.encode() not in bad_day.written


def test_no_question_is_logged(bad_day: Day) -> None:
    """Neither what people wrote nor a forged signature stands in the log."""
    assert "finishing what is under way" in bad_day.said
    for private in (PRIVATE, "xoxb", "0" * 64):
        assert private not in bad_day.said


def test_lines_name_their_requests(bad_day: Day) -> None:
    """Each request that something is said of is known by its id, the proxy's too."""
    assert "from.proxy" in bad_day.said
    if bad_day.log == "json":
        lines = [json.loads(line) for line in bad_day.said.splitlines()]
        assert "from.proxy" in {line["request_id"] for line in lines}


def test_a_refused_token_is_not_repeated(slack: FakeSlack, tmp_path: Path) -> None:
    """Slack's refusal is told at the start; the token is not."""
    slack.methods["auth.test"] = lambda body: {"ok": False, "error": "invalid_auth"}
    with managing(slack, tmp_path) as manager:
        told = manager.environment() | environment(tmp_path)
        ran = subprocess.run(
            [sys.executable, "-m", "bot.commands.cli", "serve", "--http"],
            env=told,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    assert ran.returncode == 1
    assert "invalid_auth" in ran.stderr
    for secret in HIDDEN:
        assert secret not in ran.stdout + ran.stderr


def test_a_fault_that_quotes_a_secret_says_nothing(
    install: Install, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exception in a listener with every secret in its words reaches nobody."""
    from bot.operate.logs import formatter

    monkeypatch.setenv("LAMBDA_API_KEY", FEED_KEY)
    workspace = install()
    workspace.answers.fault = RuntimeError(f"{TOKEN} {SECRET} {FEED_KEY} xoxb-test")
    workspace.person.command("70b inference 50rps")
    (message,) = workspace.slack.wait(1)
    shown = formatter(
        Settings(home=workspace.home, slack_signing_secret=SECRET)  # type: ignore[arg-type]
    )
    written = "\n".join(map(shown.format, caplog.records))

    assert "RuntimeError" in written
    for secret in (TOKEN, SECRET, FEED_KEY, "xoxb-test"):
        assert secret not in written + str(message)
    assert "went wrong" in str(message)


PLACE = "https://ann:pa55word-x9@prices.example.com/k/9f8e7d6c5b/list.csv?key=qv-33-1a"
UNSHOWN = ("pa55word-x9", "9f8e7d6c5b", "qv-33-1a")


def test_the_address_of_a_price_file_is_kept_without_its_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither stored nor shown with an offer, nor written to a log."""
    rows = b"provider,gpu,price\nlambda,h100-80gb-sxm,2.50\n"
    (spec,) = own.sources(PLACE)
    moment = Moment(datetime(2026, 11, 21, tzinfo=UTC))
    reading = spec.read(rows, moment)
    monkeypatch.setenv(own.VARIABLE, PLACE)
    written = redactor(Settings(home=tmp_path))(f"cannot read {PLACE}")

    seen = f"{spec.name} {spec.label} {reading!r} {written}"
    assert "prices.example.com" in repr(reading)
    assert [each for each in UNSHOWN if each in seen] == []

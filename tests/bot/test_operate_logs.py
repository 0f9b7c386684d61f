"""Logs: a request's id on every line, and never a secret or what somebody wrote."""

import json
import logging
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config.secret import SecretStr
from bot.config.settings import Settings
from bot.operate.logs import RecordFilter, formatter
from bot.operate.redaction import HIDDEN, Redactor
from bot.slack.requests import Carrying, handling, request_id
from tests.bot.fake_slack import SECRET

SETTINGS = Settings(home=Path("unused"), slack_signing_secret=SecretStr(SECRET))
PRIVATE = "zanzibarproject"
"""What somebody wrote, and no word of the program's own."""


def written(settings: Settings, message: str, fault: Exception | None = None) -> str:
    """What one record looks like in the log."""
    info = (type(fault), fault, fault.__traceback__) if fault else None
    record = logging.LogRecord("x", logging.ERROR, "f", 1, message, (), info)
    RecordFilter().filter(record)
    return formatter(settings).format(record)


@pytest.mark.parametrize(
    ("said", "secret"),
    [
        ("xoxb-12345-67890-AbCdEf", "67890"),
        ("xoxe.xoxp-1-Mi0yLTE2", "Mi0y"),
        ("xoxe-1-My0xLTE2", "My0x"),
        ("xapp-1-A111-222-deadbeef", "deadbeef"),
        ("https://hooks.slack.com/commands/T1/22/Abc", "Abc"),
        ("https://hooks.slack.com/services/T1/B2/Abc", "Abc"),
        ("v0=" + "ab" * 32, "abab"),
        ("wss://wss-primary.slack.com/link/?ticket=5a1e-88&app_id=1", "5a1e"),
        ("Authorization: Bearer abcdef123456", "abcdef"),
        ("{'Authorization': 'Basic abcdef123456'}", "abcdef"),
        ("a bearer abcdef123456", "abcdef"),
        ('{"signing_secret": "8f742231b10e8888abcd99yyyzzz85a5"}', "8f742"),
        ("client_secret=f00ba4f00ba4", "f00ba4"),
        ("LAMBDA_API_KEY=secret_abc_def", "abc_def"),
    ],
)
@pytest.mark.parametrize("log", ["text", "json"])
def test_no_secret_is_written(said: str, secret: str, log: str) -> None:
    """Whatever a library says of a secret, the log says that there was one."""
    settings = SETTINGS.model_copy(update={"log": log})

    line = written(settings, f"calling with {said} now")

    assert HIDDEN in line
    assert secret not in line
    assert "now" in line


def test_the_installations_own_secrets_are_known() -> None:
    """A secret that looks like nothing at all is hidden because it is set."""
    assert SECRET not in written(SETTINGS, f"it is {SECRET}")


def test_secrets_that_are_no_settings_are_known_by_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A feed's key, and each of several keys that stand in one variable."""
    monkeypatch.setenv("LAMBDA_API_KEY", "plainlookingkey")
    monkeypatch.setenv("GPUCOST_HOME", "/somewhere/known")
    settings = SETTINGS.model_copy(
        update={"token_keys": SecretStr("firstofthekeys, secondofthekeys")}
    )
    line = written(settings, "plainlookingkey secondofthekeys /somewhere/known")

    assert f"{HIDDEN} {HIDDEN} /somewhere/known" in line


@given(st.text())
def test_other_words_are_left_alone(text: str) -> None:
    """A text without a sign of a secret is written as it is."""
    if not any(sign in text.lower() for sign in ("xo", "xapp", "=", "bear", "basic")):
        assert Redactor()(text) == text


def fails(text: str) -> Exception:
    """A fault that quotes what somebody wrote, caused by another that does."""
    try:
        try:
            int(text)
        except ValueError as fault:
            raise KeyError(text) from fault
    except KeyError as fault:
        return fault


@pytest.mark.parametrize("log", ["text", "json"])
def test_a_fault_names_its_place_and_not_what_was_asked(log: str) -> None:
    """A traceback shows where; what the exception quotes may be somebody's words."""
    settings = SETTINGS.model_copy(update={"log": log})

    line = written(settings, "fault 1234", fails(PRIVATE))

    assert "KeyError" in line
    assert "ValueError" in line
    assert "in fails" in line
    assert PRIVATE not in line


def test_a_fault_of_the_machine_says_what_it_is() -> None:
    """A missing file or a locked database is no secret."""
    fault = FileNotFoundError(2, "No such file", "/data/gpucost.sqlite3")

    assert "/data/gpucost.sqlite3" in written(SETTINGS, "fault", fault)


def test_whoever_debugs_sees_everything_but_secrets() -> None:
    """At the level `debug`, an exception says what it quotes."""
    settings = SETTINGS.model_copy(update={"log_level": "debug"})

    line = written(settings, "fault", fails(f"{PRIVATE} xoxb-1-2-abcdef"))

    assert PRIVATE in line
    assert "xoxb-1" not in line


@pytest.mark.parametrize("log", ["text", "json"])
@pytest.mark.parametrize("control", ["\n", "\r\n", "\x1b[2K\r", "\x9b", "\u2028"])
def test_no_words_begin_a_line_of_their_own(log: str, control: str) -> None:
    """What a feed or a person brings in forges no line, and moves no cursor."""
    settings = SETTINGS.model_copy(update={"log": log})

    line = written(settings, f"a feed said{control}xoxb-12345-67890-AbCdEf")

    assert 1 == len(line.splitlines())
    assert not {"\x1b", "\x9b"} & set(line)
    assert "67890" not in line


def test_a_json_line_has_its_fields() -> None:
    """A machine reads time, level, logger, message, request and thread."""
    settings = SETTINGS.model_copy(update={"log": "json"})
    with handling("Ev123"):
        line = json.loads(written(settings, "all is well – nearly"))

    assert line.keys() == {
        "time", "level", "logger", "message", "request_id", "thread"
    }  # fmt: skip
    assert line["request_id"] == "Ev123"
    assert line["message"] == "all is well – nearly"
    assert line["time"].endswith("Z")


def test_a_request_keeps_its_id_in_other_threads() -> None:
    """Work handed on belongs to the request that handed it on."""
    with Carrying(1) as threads:
        with handling() as first:
            seen = threads.submit(request_id).result()
        assert threads.submit(request_id).result() == ""

    assert first == seen


@pytest.mark.parametrize("hostile", ["a\nb", "x" * 65, "", "a b", "ä"])
def test_a_hostile_id_is_replaced(hostile: str) -> None:
    """Nobody writes lines of their own into the log by the id of a request."""
    with handling(hostile) as known:
        assert known != hostile
        assert known.isalnum()


def test_what_escapes_a_thread_or_the_program_is_logged() -> None:
    """No fault goes to standard error by a way of its own."""
    import subprocess

    script = (
        "import threading, warnings\n"
        "from pathlib import Path\n"
        "from bot.operate.logs import configure\n"
        "from bot.config.settings import Settings\n"
        "configure(Settings(home=Path('x'), log='json'))\n"
        f"def fail(): raise ValueError('{PRIVATE}')\n"
        "thread = threading.Thread(target=fail)\n"
        "thread.start()\n"
        "thread.join()\n"
        "warnings.warn('xoxb-1-2-secret')\n"
        "fail()\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )

    lines = [json.loads(line) for line in ran.stderr.splitlines()]
    assert ["ERROR", "WARNING", "CRITICAL"] == [line["level"] for line in lines]
    assert PRIVATE not in ran.stderr
    assert "secret" not in ran.stderr

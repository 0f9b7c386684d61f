"""The doctor looks at what surrounds a serving bot."""

import os
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.config.secret import SecretStr
from bot.config.settings import Settings
from bot.operate.operations import operations, probed
from bot.operate.serving_checks import COPY_URL, serving
from bot.run.composition import compose
from tests.bot.served import free_port


def said(settings: Settings, environment: Mapping[str, str] | None = None) -> str:
    """Everything that is found, each with its mark."""
    found = serving(settings, environment or {})
    return "\n".join(f"{f.good} {f.what} {f.mend}" for f in found)


def test_nothing_is_wrong_where_nothing_is_served(tmp_path: Path) -> None:
    """Doors, probes and logs are named with the settings that move them."""
    settings = Settings(home=tmp_path, health_port=free_port())
    report = said(settings)

    assert "False" not in report
    assert "127.0.0.1:3000 (GPUCOST_PORT)" in report
    assert "no bot serves here" in report
    assert "logs as text, from the level info" in report
    assert "Litestream" not in report
    assert not any(f.fatal and not f.good for f in serving(settings, {}))


def test_an_open_door_and_a_talkative_log_are_noted(tmp_path: Path) -> None:
    """What is heard by others, and what others may read."""
    settings = Settings(
        home=tmp_path,
        host="0.0.0.0",  # noqa: S104 - named, not bound
        health_port=0,
        log_level="debug",
        slack_signing_secret=SecretStr("secret"),
    )
    report = said(settings)

    assert "open to the network and without TLS" in report
    assert "no probes and no metrics" in report
    assert "The log holds what people ask" in report
    in_a_container = settings.model_copy(update={"slack_signing_secret": None})
    assert "open to the network" not in said(in_a_container)


@pytest.mark.parametrize("ready", [True, False])
def test_a_bot_that_serves_is_asked(tmp_path: Path, ready: bool) -> None:
    """What its own readiness says is said here too."""
    settings = Settings(home=tmp_path, health_port=free_port())
    compose(settings)
    operate = operations(settings)
    operate.readiness.need("slack", lambda: ready, "no socket to Slack")

    with probed(settings, operate.pages):
        report = said(settings)

    words = "is ready" if ready else "is not ready: slack: no socket to Slack"
    assert f"{ready} a bot serves and {words}" in report


def test_another_program_on_the_port_is_no_bot(tmp_path: Path) -> None:
    """Whatever answers there, only our own answer counts."""
    from http.server import BaseHTTPRequestHandler, HTTPServer
    from threading import Thread

    class Other(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"[1]")

        def log_message(self, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Other) as server:
        Thread(target=server.handle_request).start()
        settings = Settings(home=tmp_path, health_port=server.server_address[1])

        assert "no bot serves here" in said(settings)


@pytest.mark.sqlite_alone
def test_a_copy_that_was_never_begun_is_noted(tmp_path: Path) -> None:
    """An address alone copies nothing."""
    report = said(Settings(home=tmp_path, health_port=0), {COPY_URL: "s3://b/x"})

    assert "never ran on this database" in report
    assert "s3://b/x" not in report


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(0, "True Litestream copies the database"), (10, "False Litestream is 10 min")],
)
@pytest.mark.sqlite_alone
def test_a_copy_that_fell_behind_is_noted(
    tmp_path: Path, minutes: int, words: str
) -> None:
    """Litestream's folder is as new as the database, or somebody should look."""
    settings = Settings(home=tmp_path, health_port=0)
    settings.database.file.write_bytes(b"x")
    folder = tmp_path / ".gpucost.sqlite3-litestream"
    folder.mkdir()
    then = time.time() - 60 * minutes
    os.utime(folder, (then, then))

    assert words in said(settings)

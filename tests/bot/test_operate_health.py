"""Readiness: what is wrong is said, and only where it is asked for."""

import http.client
import json
import socket
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from slack_sdk.socket_mode.request import SocketModeRequest

from bot.config.secret import SecretStr
from bot.config.settings import Settings
from bot.operate import readiness
from bot.operate.operations import operations, probed
from bot.operate.readiness import Readiness
from bot.operate.transports import SocketTransport
from bot.run.app import build_app
from bot.run.composition import compose
from core.reference.freshness import longest
from prices.database import sqlite
from prices.database.connection import Engine
from tests.bot.fake_slack import FakeAnswers, fake_slack
from tests.bot.samples import ANSWER
from tests.engines import engine_of

NOW = datetime(2026, 11, 21, tzinfo=UTC)


@pytest.fixture
def file(tmp_path: Path) -> Engine:
    """A database with the shipped prices."""
    return compose(Settings(home=tmp_path)).store.engine


def wrong(file: Path | Engine, now: datetime = NOW) -> dict[str, str]:
    """Every check that fails, with its reason."""
    checks = Readiness(engine_of(file), lambda: now).checks()
    return {check.name: check.wrong for check in checks if check.wrong}


def test_a_sound_store_is_ready(file: Engine) -> None:
    """With prices, migrations and a disk, nothing is wrong."""
    assert wrong(file) == {}


def test_prices_that_all_expired_are_named(file: Engine) -> None:
    """No answer uses a price beyond its age: with none younger, nobody is served."""
    assert "older than 183 days" in wrong(file, NOW + longest())["prices"]


@pytest.mark.sqlite_alone
def test_a_store_without_prices_is_not_ready(tmp_path: Path) -> None:
    """A database with nothing in it answers nothing."""
    with engine_of(tmp_path / "gpucost.sqlite3").writing(create=True):
        pass

    assert wrong(tmp_path / "gpucost.sqlite3") == {"database": "no such table: sources"}


@pytest.mark.sqlite_alone
def test_a_missing_store_is_not_ready(tmp_path: Path) -> None:
    """A database that is not there cannot be opened."""
    assert "cannot be opened" in wrong(tmp_path / "none.sqlite3")["database"]


@pytest.mark.sqlite_alone
def test_a_damaged_store_is_not_ready(tmp_path: Path) -> None:
    """A file that is no database is said to be none."""
    (tmp_path / "x.sqlite3").write_bytes(b"no database" * 1000)

    assert "no database" in wrong(tmp_path / "x.sqlite3")["database"]


@pytest.mark.sqlite_alone
def test_a_full_disk_is_told(file: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the disk is full, nobody is sent here any more."""
    monkeypatch.setattr(readiness, "DISK_BYTES", 10**18)

    assert "are free on the disk" in wrong(file)["writing"]


@pytest.mark.sqlite_alone
def test_a_store_that_refuses_to_be_written_is_told(
    file: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may write everything: what the system calls forbidden is simulated."""
    monkeypatch.setattr(sqlite.os, "access", lambda path, mode: False)

    assert wrong(file) == {"writing": "the database cannot be written"}


def test_somebody_who_writes_is_no_fault(
    file: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock that is held for a moment makes nobody unready."""
    monkeypatch.setattr(readiness, "LOCK_S", 0.05)
    with file.writing():
        assert wrong(file) == {}


@pytest.mark.sqlite_alone
def test_a_step_that_is_missing_is_named(file: Engine) -> None:
    """A store of an older version needs a migration first; of a newer, a program."""
    with engine_of(file).writing() as connection:
        connection.execute("DELETE FROM _sqlite_migrations WHERE name = 'm001_answers'")
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
            " VALUES ('answers', 'm999_of_tomorrow', 'x')"
        )

    assert wrong(file)["migrations"]


def test_probes_in_a_row_look_once(file: Engine) -> None:
    """A probe each moment costs a look every other second."""
    looks: list[datetime] = []

    def clock() -> datetime:
        looks.append(NOW)
        return NOW

    ready = Readiness(engine_of(file), clock)
    ready.checks()
    ready.checks()
    ready.stopping = True

    assert [NOW] == looks
    assert "the program is ending" in [check.wrong for check in ready.checks()]


def test_probes_have_an_address_of_their_own(file: Engine) -> None:
    """Reasons and metrics are on loopback; another path, another process beside it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = Settings(home=file.home, health_port=port)
    operate = operations(settings, lambda: NOW)
    operate.readiness.need("slack", lambda: False, "no socket to Slack")

    with probed(settings, operate.pages) as address, probed(settings, operate.pages):
        assert address == ("127.0.0.1", port)
        status, said = got(port, "/readyz")
        assert status == 503
        assert json.loads(said)["checks"]["slack"] == "no socket to Slack"
        assert json.loads(said)["checks"]["database"] == "ok"
        assert got(port, "/healthz") == (200, "ok\n")
        assert "gpucost_store_readable 1.0" in got(port, "/metrics")[1]
        assert got(port, "/slack/events")[0] == 404


def test_a_taken_address_names_its_setting(file: Engine) -> None:
    """Another program on the port is a reason to say which variable moves ours."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        settings = Settings(home=file.home, health_port=port)
        with (
            pytest.raises(OSError, match="GPUCOST_HEALTH_PORT"),
            probed(settings, operations(settings).pages),
        ):
            pass


def test_no_port_no_probes(file: Engine) -> None:
    """Port 0 switches them off."""
    settings = Settings(home=file.home, health_port=0)
    with probed(settings, operations(settings).pages) as address:
        assert address is None


def got(port: int, path: str) -> tuple[int, str]:
    """Ask for a page."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    response = connection.getresponse()
    found = response.status, response.read().decode()
    connection.close()
    return found


@pytest.fixture
def door(tmp_path: Path) -> Iterator[SocketTransport]:
    """The socket's door, connected to nobody."""
    with fake_slack() as slack:
        settings = Settings(
            home=tmp_path,
            slack_bot_token=SecretStr("xoxb-test"),
            slack_app_token=SecretStr("xapp-test"),
            slack_api_url=f"{slack.url}/api/",
        )
        app = build_app(settings, FakeAnswers(ANSWER))
        made = SocketTransport(app, operations(settings), "xapp-test")
        yield made
        made.close()  # type: ignore[no-untyped-call]
        app.listener_runner.listener_executor.shutdown(wait=True)


def test_an_envelope_is_acknowledged_timed_and_waited_for(
    door: SocketTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the socket is left, what came over it is acknowledged."""
    sent: list[str] = []
    monkeypatch.setattr(
        door.client,
        "send_socket_mode_response",
        lambda response: sent.append(response.envelope_id),
    )
    envelope = {"command": "/gpucost", "text": "help", "team_id": "T1"}
    request = SocketModeRequest("slash_commands", "E1", envelope)
    later: Callable[..., object] = door.client.message_workers.submit

    for _ in range(5):
        later(door.handle, door.client, request)
    door.settle()

    assert ["E1"] * 5 == sent
    timed = door._metrics.registry.get_sample_value(
        "gpucost_ack_seconds_count", {"transport": "socket", "status": "200"}
    )
    assert timed == 5


def test_a_door_that_stays_busy_is_left_in_time(
    door: SocketTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What never ends is not waited for without end."""
    monkeypatch.setattr("bot.operate.transports.SETTLE_S", 0.2)
    door._under_way = 1
    began = datetime.now(UTC)

    door.settle()

    assert timedelta(seconds=0.15) < datetime.now(UTC) - began < timedelta(seconds=2)

"""Stopping and following: what was taken is answered, and nothing is turned away."""

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.bot.fake_slack import FakeSlack, fake_slack
from tests.bot.served import PATIENCE_SECONDS, Manager, command, managing


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    """A Slack to answer to."""
    with fake_slack() as fake:
        yield fake


@pytest.fixture
def manager(slack: FakeSlack, tmp_path: Path) -> Iterator[Manager]:
    """A service manager."""
    with managing(slack, tmp_path) as made:
        yield made


class Slow:
    """A Slack that takes an answer only once it is let."""

    def __init__(self, slack: FakeSlack) -> None:
        self.asked, self.over = threading.Event(), threading.Event()
        slack.refuse = self._take

    def _take(self, message: dict[str, Any]) -> tuple[int, str]:
        self.asked.set()
        self.over.wait(PATIENCE_SECONDS)
        return 200, "ok"


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_new_process_follows_an_old_one_under_load(
    slack: FakeSlack, manager: Manager
) -> None:
    """Each command of a busy time is acknowledged and answered, whoever serves."""
    statuses: list[int] = []
    over = threading.Event()

    def type_on(who: int) -> None:
        number = 0
        while not over.is_set():
            hook = f"{who}.{number}"
            statuses.append(command(manager.address, slack, "help", hook))
            number += 1
            time.sleep(0.05)

    old = manager.start()
    people = [threading.Thread(target=type_on, args=(n,)) for n in range(4)]
    for person in people:
        person.start()
    new = manager.start()
    old.ask_to_stop()
    assert manager.heard() == b"STOPPING=1"
    ended = old.ended()
    before = len(statuses)
    until(lambda: len(statuses) > before + len(people))
    over.set()
    for person in people:
        person.join()
    new.ask_to_stop()

    assert ended == 0
    assert new.ended() == 0
    assert before < len(statuses)
    assert set(statuses) == {200}
    assert len(slack.wait(len(statuses))) == len(statuses)


def test_a_restart_leaves_no_gap(slack: FakeSlack, manager: Manager) -> None:
    """On SIGHUP the installed program follows itself, and the manager hears who."""
    statuses: list[int] = []
    over = threading.Event()

    def type_on() -> None:
        while not over.is_set():
            statuses.append(command(manager.address, slack, "help", str(len(statuses))))
            time.sleep(0.02)

    old = manager.start()
    person = threading.Thread(target=type_on)
    person.start()
    old.popen.send_signal(signal.SIGHUP)
    said = manager.heard().decode().splitlines()
    ended = old.ended()
    before = len(statuses)
    until(lambda: len(statuses) > before + 1)
    over.set()
    person.join()
    new = int(said[0].removeprefix("MAINPID="))
    os.kill(new, signal.SIGTERM)
    # Had the old one said so too, the manager would have ended the service.
    assert manager.heard() == b"STOPPING=1"
    assert manager.hears_nothing()

    assert said[1] == "READY=1"
    assert ended == 0
    assert before < len(statuses)
    assert set(statuses) == {200}
    assert len(slack.wait(len(statuses))) == len(statuses)


def test_a_successor_that_cannot_start_changes_nothing(
    slack: FakeSlack, manager: Manager
) -> None:
    """The old process serves on where the new one fails."""
    bot = manager.start()
    (manager.folder / ".env").write_text("GPUCOST_LOG=neither\n")
    bot.popen.send_signal(signal.SIGHUP)

    bot.says("the process that was to follow ended with code 1")

    assert command(manager.address, slack, "help") == 200
    bot.ask_to_stop()
    assert bot.ended() == 0


def test_an_answer_under_way_is_finished(slack: FakeSlack, manager: Manager) -> None:
    """Told to stop while Slack is slow to take an answer, the bot waits for it."""
    hook = Slow(slack)
    bot = manager.start()

    assert command(manager.address, slack, "help") == 200
    assert hook.asked.wait(PATIENCE_SECONDS)
    bot.ask_to_stop()
    assert manager.heard() == b"STOPPING=1"
    assert not slack.heard
    hook.over.set()

    assert bot.ended() == 0
    assert len(slack.heard) == 1


def test_an_end_that_takes_too_long_is_cut_short(
    slack: FakeSlack, manager: Manager
) -> None:
    """What hangs does not keep the program alive beyond its limit."""
    hook = Slow(slack)
    bot = manager.start(GPUCOST_STOP_SECONDS="0.2")
    command(manager.address, slack, "help")
    assert hook.asked.wait(PATIENCE_SECONDS)

    bot.ask_to_stop()

    assert bot.ended() == 0
    assert not hook.over.is_set()
    assert "still busy after 0.2 s" in bot.said()
    hook.over.set()


def test_asked_twice_it_ends_at_once(slack: FakeSlack, manager: Manager) -> None:
    """A second signal waits for nothing."""
    hook = Slow(slack)
    bot = manager.start()
    command(manager.address, slack, "help")
    assert hook.asked.wait(PATIENCE_SECONDS)

    bot.ask_to_stop()
    assert manager.heard() == b"STOPPING=1"
    bot.ask_to_stop()

    assert bot.ended() == 128 + signal.SIGTERM
    hook.over.set()


def test_two_sockets_handed_over_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Which of several would be ours is not guessed; another's are left alone."""
    from bot.operate.systemd import handed_over

    monkeypatch.setattr("os.getpid", lambda: 42)

    with pytest.raises(OSError, match="one socket"):
        handed_over({"LISTEN_PID": "42", "LISTEN_FDS": "2"})
    assert handed_over({"LISTEN_PID": "43", "LISTEN_FDS": "1"}) is None
    assert handed_over({}) is None


def test_a_manager_with_an_abstract_name_is_told(tmp_path: Path) -> None:
    """systemd may name its socket in the kernel's own space; without one, no word."""
    from bot.operate.systemd import tell

    name = f"gpucost-test-{tmp_path.name}-{time.monotonic_ns()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(f"\0{name}")
        manager.settimeout(5)
        tell("READY=1", {"NOTIFY_SOCKET": f"@{name}"})
        tell("READY=1", {})

        assert manager.recv(100) == b"READY=1"

"""A restart in Socket Mode: a second socket opens before the first one closes."""

import os
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from tests.e2e.local_slack import BINARY, SERVE, free_port, local_slack
from tests.e2e.reading import heard
from tests.engines import told

PATIENCE_SECONDS = 30


@pytest.mark.skipif(
    not BINARY.is_file(),
    reason="no local Slack: `make e2e-setup` installs it where npm is",
)
def test_a_process_follows_another_over_the_socket(tmp_path: Path) -> None:
    """On SIGHUP the bot opens its next socket, then leaves the old one."""
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(str(tmp_path / "notify"))
    manager.settimeout(PATIENCE_SECONDS)
    with manager, local_slack(tmp_path, "socket", 1) as slack:
        old = subprocess.Popen(
            SERVE,
            cwd=tmp_path,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(tmp_path),
                **told(tmp_path / "home"),
                "GPUCOST_HEALTH_PORT": str(free_port()),
                "GPUCOST_FEEDS": "off",
                "NOTIFY_SOCKET": str(tmp_path / "notify"),
                "SLACK_BOT_TOKEN": "xoxb-test-token",
                "SLACK_APP_TOKEN": "xapp-test-token",
                "SLACK_API_URL": f"{slack.url}/api/",
            },
        )
        try:
            assert manager.recv(100) == b"READY=1"
            slack.command("help")
            heard(slack)

            old.send_signal(signal.SIGHUP)
            new = int(manager.recv(100).split()[0].removeprefix(b"MAINPID="))
            try:
                ended = old.wait(PATIENCE_SECONDS)
                slack.command("70b inference 50rps")
                answer = heard(slack, 2)
            finally:
                os.kill(new, signal.SIGTERM)
        finally:
            old.kill()

        assert ended == 0
        assert "/month" in answer["text"]
        assert manager.recv(100) == b"STOPPING=1"

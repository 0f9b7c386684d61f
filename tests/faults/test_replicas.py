"""Two replicas on one PostgreSQL server: a kill, a server that falls over, an update.

`make replicas` does the same with sixty kills.
"""

from pathlib import Path
from typing import Any

import pytest

from tests import engines
from tests.bot.fake_slack import fake_slack
from tests.bot.served import Manager, Process, managing
from tests.faults.replicas import run
from tests.faults.sockets import slack_socket


@pytest.mark.timeout(400)
def test_nothing_is_lost_or_answered_twice() -> None:
    """Whatever was acknowledged is answered, and no command fails in an update."""
    found = run(replicas=2, kills=1, restarts=1, rolls=1)

    assert found.acknowledged > 0
    assert ([], [], 0) == (found.lost, found.doubled, found.failed_while_rolling)


@pytest.mark.timeout(120)
def test_two_sockets_beside_each_other_answer_once(tmp_path: Path) -> None:
    """One event over both is answered once; where one bot dies, the other goes on."""
    with (
        engines.kept_by("postgresql"),
        fake_slack() as slack,
        slack_socket(slack) as there,
        managing(slack, tmp_path) as manager,
    ):
        first = _on_a_socket(manager)
        there.wait(1)
        second = _on_a_socket(manager)
        there.wait(2)
        there.send(0, "events_api", _mention(1), "one-a")
        there.send(1, "events_api", _mention(1), "one-b")
        there.hears("one-a", "one-b")
        slack.wait(1)
        first.popen.kill()
        there.send(1, "events_api", _mention(2), "two")
        there.hears("two")
        said = slack.wait(2)
        second.ask_to_stop()
        assert second.ended() == 0

        threads = sorted(str(message.get("thread_ts")) for message in said)
        assert threads == ["1700000000.000001", "1700000000.000002"]
        assert len(slack.heard) == 2


def _on_a_socket(manager: Manager) -> Process:
    told = {"SLACK_APP_TOKEN": "xapp-1-A1-2-made-up", "GPUCOST_TEAM_RATE": "0"}
    return manager.start("serve", **told, **engines.told(manager.folder / "home"))


def _mention(number: int) -> dict[str, Any]:
    ts = f"1700000000.{number:06d}"
    event = {
        "type": "app_mention", "user": "U1", "channel": "C1", "ts": ts, "event_ts": ts,
        "text": "<@UBOT> 8b chat 20rps",
    }  # fmt: skip
    return {
        "type": "event_callback", "team_id": "T1", "event": event, "api_app_id": "A1",
        "event_id": f"Ev{number}",
        "authorizations": [{"team_id": "T1", "user_id": "UBOT"}],
    }  # fmt: skip

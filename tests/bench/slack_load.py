"""Many people at once: signed commands over HTTP, acknowledged and answered.

    python -m tests.bench.slack_load [COMMANDS]

Every command is its own connection, all open at the same moment; each has its own
question and response_url, so that what was answered is known one by one.
"""

import http.client
import json
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

from bot.config.secret import SecretStr
from bot.config.settings import Settings
from bot.run.app import build_app
from bot.run.composition import compose
from bot.run.server import PATH, http_server
from tests.bot.fake_slack import SECRET, FakeSlack, fake_slack, signed

FORM = "application/x-www-form-urlencoded"
PATIENCE_SECONDS = 300
WARMING = 10_000
"""The number of the command before those that count."""
Address = tuple[str, int]
Sent = tuple[float, int]
"""Seconds until the acknowledgement, and its status."""


def measure(commands: int = 500) -> dict[str, float]:
    """Send commands at once; give the acknowledgements' times and what was lost."""
    with fake_slack() as slack, TemporaryDirectory() as home, served(slack, home) as at:
        began = time.perf_counter()
        acks = _at_once(commands, lambda n: _command(at, slack, n))
        answered = _answered(slack, commands)
        took = time.perf_counter() - began
    statuses = [status for _, status in acks]
    spent = sorted(seconds for seconds, _ in acks)
    return {
        "commands": commands,
        "acknowledged": statuses.count(200),
        "ack_median_s": round(statistics.median(spent), 3),
        "ack_p99_s": round(spent[int(0.99 * (len(spent) - 1))], 3),
        "ack_max_s": round(spent[-1], 3),
        "answered": answered,
        "all_answered_s": round(took, 2),
    }


@contextmanager
def served(slack: FakeSlack, home: str) -> Iterator[Address]:
    """Serve the whole program on loopback, its first answer given."""
    settings = Settings(
        home=Path(home),
        slack_bot_token=SecretStr("xoxb-bench"),
        slack_signing_secret=SecretStr(SECRET),
        slack_api_url=f"{slack.url}/api/",
        port=0,
    )
    app = build_app(settings, compose(settings))
    with http_server(app, settings) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        at = (str(server.server_address[0]), server.server_address[1])
        _command(at, slack, WARMING)
        slack.wait(1, PATIENCE_SECONDS)
        slack.heard.clear()
        yield at
        server.shutdown()
        thread.join()
    app.listener_runner.listener_executor.shutdown(wait=True)


def _at_once(count: int, send: Callable[[int], Sent]) -> list[Sent]:
    """Run something on as many threads, all released together."""
    results: list[Sent] = []
    gate = threading.Barrier(count)

    def run(number: int) -> None:
        gate.wait()
        results.append(send(number))

    threads = [threading.Thread(target=run, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def _command(at: Address, slack: FakeSlack, number: int) -> Sent:
    """Type one command."""
    fields = {
        "command": "/gpucost",
        "text": f"70b inference {number + 1}rps",
        "response_url": f"{slack.url}/hook/{number}",
        "team_id": "T1",
        "channel_id": "C1",
        "user_id": f"U{number}",
        "trigger_id": f"trigger.{number}",
    }
    body = urlencode(fields)
    connection = http.client.HTTPConnection(*at, timeout=60)
    began = time.perf_counter()
    connection.request("POST", PATH, body, signed(body, FORM))
    status = connection.getresponse().status
    took = time.perf_counter() - began
    connection.close()
    return took, status


def _answered(slack: FakeSlack, commands: int) -> int:
    """Wait for every answer, and count the questions that got exactly one."""
    answers = [
        message["metadata"]["event_payload"]["answer_id"]
        for message in _final(slack, commands)
    ]
    return sum(1 for answer in set(answers) if answer and answers.count(answer) == 1)


def _final(slack: FakeSlack, commands: int) -> list[dict[str, Any]]:
    """The messages that are answers, and no line that work goes on."""
    end = time.monotonic() + PATIENCE_SECONDS
    found: list[dict[str, Any]] = []
    while len(found) < commands and time.monotonic() < end:
        time.sleep(0.05)
        found = [m for _, m in list(slack.heard) if "Working it out" not in m["text"]]
    return found


if __name__ == "__main__":
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    sys.stdout.write(json.dumps(measure(asked), indent=2) + "\n")

"""Slack for the bench of kills: delays, refuses, cuts, and notes what it took."""

import json
import random
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.queues import Queue
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import parse_qsl

SLOWEST_S = 0.5
NOTED_WITHIN_S = 1.0
"""Many are posted at once, and noted together in one transaction."""
WORKER = "x-worker"
"""The header in which a courier says which process it is."""


@dataclass(frozen=True)
class Call:
    """One message that was sent here, in the order of arrival."""

    worker: str
    mark: str
    taken: bool
    answered: bool
    """Whether the sender was told that it was taken, had it lived to hear so."""
    at: float
    """Seconds of the machine's clock that only goes on."""


def calls_in(log: Path) -> list[Call]:
    """Read what was written down; half a line is still being written."""
    text = log.read_text()
    lines = text[: text.rfind("\n") + 1].splitlines()
    return [Call(**json.loads(line)) for line in lines]


def unexplained(calls: list[Call], kills: list[tuple[int, float]]) -> int:
    """Count messages posted again although their first sender could have noted them.

    It could where it was told that the message was taken, and lived on for a while.
    `kills`: whose process ended, and when; what it sent may arrive later still.
    """
    ended = dict(kills)
    noted: set[str] = set()
    found = 0
    for call in calls:
        found += call.taken and call.mark in noted
        number = int(call.worker.split()[0])
        lived = ended.get(number, call.at + NOTED_WITHIN_S) - call.at
        if call.taken and call.answered and lived >= NOTED_WITHIN_S:
            noted.add(call.mark)
    return found


class StandIn:
    """Slack as far as posting and reading a channel go, on a bad day."""

    def __init__(self, log: Path, scope: bool, seed: int) -> None:
        self.log, self.scope = log, scope
        self.chance = random.Random(seed)  # noqa: S311 - which calls go wrong
        self.lock = Lock()
        self.posts: dict[str, list[dict[str, Any]]] = {}

    def post(self, fields: dict[str, str], worker: str) -> tuple[int, dict[str, Any]]:
        """Take a message, or do something else to it; status 0 cuts the line."""
        with self.lock:
            fate = self.chance.random()
            slow = self.chance.random()
        time.sleep(SLOWEST_S * slow if slow > 0.97 else 0.01)
        self.take(fields, worker, taken=fate >= 0.08, answered=fate >= 0.12)
        if fate < 0.05:
            return 429, {"ok": False, "error": "ratelimited"}
        if fate < 0.08:
            return 503, {"ok": False, "error": "service_unavailable"}
        if fate < 0.10:
            return 500, {"ok": False, "error": "internal_error"}
        if fate < 0.12:
            return 0, {}
        return 200, {"ok": True, "ts": f"{time.time():.6f}"}

    def take(
        self, fields: dict[str, str], worker: str, *, taken: bool, answered: bool
    ) -> None:
        """Write down that a message came, and whether it stands in its channel."""
        metadata = json.loads(fields["metadata"])
        mark = metadata["event_payload"]["mark"]
        call = Call(worker, mark, taken, answered, time.monotonic())
        with self.lock:
            if taken:
                posted = {"ts": f"{time.time():.6f}", "metadata": metadata}
                self.posts.setdefault(fields["channel"], []).append(posted)
            with self.log.open("a") as lines:
                lines.write(json.dumps(vars(call)) + "\n")

    def history(self, fields: dict[str, str]) -> tuple[int, dict[str, Any]]:
        """Give what stands in a channel, where the scope allows it."""
        if not self.scope:
            return 200, {"ok": False, "error": "missing_scope"}
        with self.lock:
            found = [
                post
                for post in self.posts.get(fields["channel"], [])
                if float(post["ts"]) >= float(fields.get("oldest", 0))
            ]
        return 200, {"ok": True, "messages": found[-200:]}


def serve(log: Path, scope: bool, seed: int, port: "Queue[int]") -> None:
    """Run the stand-in in a process of its own."""
    slack = StandIn(log, scope, seed)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"] or 0)).decode()
            json_sent = "json" in self.headers.get("content-type", "")
            sent = json.loads(body) if json_sent else dict(parse_qsl(body))
            fields = {name: _text(value) for name, value in sent.items()}
            if self.path.endswith(("/conversations.history", "/conversations.replies")):
                self.reply(*slack.history(fields))
            else:
                self.reply(*slack.post(fields, self.headers[WORKER]))

        def reply(self, status: int, said: dict[str, Any]) -> None:
            if not status:
                self.close_connection = True
                self.connection.close()
                return
            body = json.dumps(said).encode()
            self.send_response(status)
            if status == 429:
                self.send_header("Retry-After", "1")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def handle(self) -> None:
            try:
                super().handle()
            except (OSError, ValueError):
                self.close_connection = True

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *args: None  # type: ignore[method-assign]
    port.put(server.server_address[1])
    server.serve_forever()


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)

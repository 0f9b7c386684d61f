"""A loopback Slack: enough Web API and response_url to hear what a bot says."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode

from slack_bolt import App, BoltRequest, BoltResponse
from slack_sdk.signature import SignatureVerifier

from bot.asking import AskContext
from bot.views import AnswerView

SECRET = "test-signing-secret"  # noqa: S105 - no secret: the fake Slack's own
Refuse = Callable[[dict[str, Any]], tuple[int, str]]


class FakeSlack:
    """Record every message that is posted, and refuse what a test says."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        self.heard: list[tuple[str, dict[str, Any]]] = []
        self.refuse: Refuse = lambda message: (200, "ok")
        self._news = threading.Condition()

    def hear(self, path: str, message: dict[str, Any]) -> tuple[int, str]:
        """Take one call and answer it as Slack would."""
        if path == "/api/auth.test":
            return 200, json.dumps({"ok": True, "user_id": "UBOT", "bot_id": "BBOT"})
        status, said = self.refuse(message)
        with self._news:
            self.heard.append((path, message))
            self._news.notify_all()
        if path.startswith("/api/") and status == 200:
            ok = said == "ok"
            return 200, json.dumps({"ok": ok} | ({} if ok else {"error": said}))
        return status, said

    def wait(self, count: int = 1, seconds: float = 10) -> list[dict[str, Any]]:
        """Give the messages once there are as many as expected."""
        with self._news:
            if not self._news.wait_for(lambda: len(self.heard) >= count, seconds):
                raise AssertionError(f"{len(self.heard)} of {count} messages came")
        return [message for _, message in self.heard]


@contextmanager
def fake_slack() -> Iterator[FakeSlack]:
    """Run a fake Slack on a free loopback port."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"] or 0)).decode()
            kind = self.headers.get("content-type", "")
            fields = (
                json.loads(body or "{}") if "json" in kind else dict(parse_qsl(body))
            )
            status, said = slack.hear(self.path, fields)
            self.send_response(status)
            if status == 429:
                self.send_header("Retry-After", "0")
            self.send_header("content-length", str(len(said.encode())))
            self.end_headers()
            self.wfile.write(said.encode())

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    slack = FakeSlack(server)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield slack
    server.shutdown()
    thread.join()
    server.server_close()


class FakeAnswers:
    """Answer every question with the same view, and remember who asked what."""

    def __init__(self, view: AnswerView) -> None:
        self.view = view
        self.asked: list[tuple[str, AskContext]] = []
        self.forgotten = False
        self.fault: Exception | None = None

    def ask(self, text: str, *, context: AskContext) -> AnswerView:
        """Answer, or fail as a test demands."""
        self.asked.append((text, context))
        if self.fault:
            raise self.fault
        return self.view

    def why(self, answer_id: str, *, context: AskContext) -> AnswerView:
        """Explain, naming the id."""
        verdict = f"why {answer_id}: because"
        return AnswerView(kind="answer", id=answer_id, question="q", verdict=verdict)

    def recall(self, answer_id: str, *, context: AskContext) -> AnswerView | None:
        """Find the view by its id until it is forgotten."""
        known = answer_id == self.view.id and not self.forgotten
        return self.view if known else None


class Person:
    """Do in a workspace what people do, as requests that Slack signed."""

    def __init__(self, app: App, slack: FakeSlack) -> None:
        self.app = app
        self.hook = f"{slack.url}/hook"

    def command(
        self, text: str, secret: str = SECRET, command: str = "/gpucost"
    ) -> BoltResponse:
        """Type the slash command."""
        fields = {
            "command": command,
            "text": text,
            "response_url": self.hook,
            "team_id": "T1",
            "channel_id": "C1",
            "user_id": "U1",
            "trigger_id": "1.2.3",
        }
        return self.send(urlencode(fields), "application/x-www-form-urlencoded", secret)

    def press(
        self, action_id: str, value: str, *, private: bool = True, thread: str = ""
    ) -> BoltResponse:
        """Press a button of a message."""
        container = {"type": "message", "channel_id": "C1", "is_ephemeral": private}
        payload = {
            "type": "block_actions",
            "team": {"id": "T1"},
            "user": {"id": "U2"},
            "channel": {"id": "C1"},
            "container": container | ({"thread_ts": thread} if thread else {}),
            "response_url": self.hook,
            "actions": [{"type": "button", "action_id": action_id, "value": value}],
        }
        body = urlencode({"payload": json.dumps(payload)})
        return self.send(body, "application/x-www-form-urlencoded")

    def happen(self, kind: str, **event: Any) -> BoltResponse:
        """Let an event reach the bot."""
        common = {"type": kind, "channel": "C1", "user": "U1", "ts": "100.1"}
        body = {
            "type": "event_callback",
            "team_id": "T1",
            "event_id": "Ev1",
            "event": common | event,
        }
        return self.send(json.dumps(body), "application/json")

    def send(self, body: str, kind: str, secret: str = SECRET) -> BoltResponse:
        """Sign a request and give it to the app."""
        request = BoltRequest(body=body, headers=signed(body, kind, secret))
        return self.app.dispatch(request)


def signed(body: str, kind: str, secret: str = SECRET) -> dict[str, str]:
    """Make the headers with which Slack sends a body."""
    stamp = str(int(time.time()))
    signature = SignatureVerifier(secret).generate_signature(timestamp=stamp, body=body)
    return {
        "content-type": kind,
        "x-slack-request-timestamp": stamp,
        "x-slack-signature": signature or "",
    }

"""A loopback Slack: enough Web API and response_url to hear what a bot says."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl

from slack_sdk.signature import SignatureVerifier

from bot.question.asking import AskContext
from bot.render.views import AnswerView
from bot.slack.listeners.status import LINE
from core.offers import Catalog
from core.query import Query

SECRET = "test-signing-secret"  # noqa: S105 - no secret: the fake Slack's own
SPOKEN = ("/hook", "chat.postMessage", "chat.postEphemeral", "chat.update")
"""Calls that somebody reads; the others open or publish."""
LOOKUPS = ("users.info", "conversations.info")
"""Calls that change nothing, and that nobody sees."""
Call = tuple[str, dict[str, Any]]
Refuse = Callable[[dict[str, Any]], tuple[int, str]]


@dataclass(frozen=True)
class Fault:
    """One answer that a call gets instead of its own."""

    status: int = 200
    said: str = ""
    taken: bool = False
    """Whether Slack did what was asked, whatever it then answered."""
    silent: bool = False
    """Close the connection without a word."""
    after: float = 0
    """Seconds until then."""


class FakeSlack:
    """Record every call, and refuse what a test says."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        self.heard: list[Call] = []
        self.others: list[Call] = []
        self.refuse: Refuse = lambda message: (200, "ok")
        self.faults: dict[str, list[Fault]] = {}
        """For a method, what its next calls get; "/hook" is the response_url."""
        self.people: dict[str, dict[str, Any]] = {"U1": {"is_admin": True}}
        """What Slack says of somebody besides that they are a member."""
        self.channels: dict[str, dict[str, Any]] = {}
        """What it says of a channel besides that it is nobody else's."""
        self.methods: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "users.info": self._person,
            "conversations.info": self._channel,
        }
        """Methods that answer with more than that all is well."""
        self.stamps = False
        """Whether it tells the `ts` of what was posted, as Slack itself does."""
        self.retry_after = 0
        """Seconds that a 429 asks to wait."""
        self.tokens: list[tuple[str, str]] = []
        """With which token each method was called."""
        self._news = threading.Condition()

    def hear(self, path: str, message: dict[str, Any]) -> tuple[int, str] | None:
        """Take one call and answer it as Slack would; None: hang up."""
        name = _name(path)
        if name in self.methods and not self.faults.get(name):
            self._record(name, message)
            return 200, json.dumps(self.methods[name](message))
        if name in ("auth.test", "api.test"):
            return 200, json.dumps({"ok": True, "user_id": "UBOT", "bot_id": "BBOT"})
        fault = self.faults[name].pop(0) if self.faults.get(name) else None
        time.sleep(fault.after if fault else 0)
        if fault is not None and not fault.taken:
            return None if fault.silent else self._answer(name, fault)
        status, said = self.refuse(message) if name in SPOKEN else (200, "ok")
        self._record(name, message)
        if fault is not None:
            return None if fault.silent else self._answer(name, fault)
        return self._answer(name, Fault(status, said))

    def _person(self, asked: dict[str, Any]) -> dict[str, Any]:
        user = {"id": asked.get("user")} | self.people.get(str(asked.get("user")), {})
        return {"ok": True, "user": user}

    def _channel(self, asked: dict[str, Any]) -> dict[str, Any]:
        said = {"id": asked.get("channel"), "is_ext_shared": False}
        channel = said | self.channels.get(str(asked.get("channel")), {})
        return {"ok": True, "channel": channel}

    def _record(self, name: str, message: dict[str, Any]) -> None:
        # That work goes on is said only where it takes long: on some machines.
        spoken = name in SPOKEN and message.get("text") != LINE
        if name in LOOKUPS:
            return
        with self._news:
            (self.heard if spoken else self.others).append((name, message))
            self._news.notify_all()

    def _answer(self, name: str, fault: Fault) -> tuple[int, str]:
        if name == "/hook" or fault.status != 200:
            return fault.status, fault.said
        ok = fault.said in ("", "ok")
        body: dict[str, Any] = {"ok": ok} | ({} if ok else {"error": fault.said})
        if ok and self.stamps and name == SPOKEN[1]:
            body["ts"] = f"1700000000.{len(self.heard):06}"
        if ok and name in ("conversations.replies", "conversations.history"):
            body["messages"] = [m for called, m in self.heard if called == SPOKEN[1]]
        return 200, json.dumps(body)

    def wait(self, count: int = 1, seconds: float = 10) -> list[dict[str, Any]]:
        """Give the messages once there are as many as expected."""
        self._until(lambda: len(self.heard) >= count, seconds, f"{count} messages")
        return [message for _, message in self.heard]

    def called(
        self, method: str, count: int = 1, seconds: float = 10
    ) -> list[dict[str, Any]]:
        """Give the calls of a method once there are as many as expected."""

        def found() -> list[dict[str, Any]]:
            calls = [*self.heard, *self.others]
            return [message for name, message in calls if name == method]

        self._until(lambda: len(found()) >= count, seconds, f"{count} {method}")
        return found()

    def _until(self, enough: Callable[[], bool], seconds: float, what: str) -> None:
        with self._news:
            if not self._news.wait_for(enough, seconds):
                names = [name for name, _ in [*self.heard, *self.others]]
                raise AssertionError(f"{what} did not come, but {names}")


def _name(path: str) -> str:
    return path.removeprefix("/api/") if path.startswith("/api/") else "/hook"


def _fields(kind: str, body: str) -> dict[str, Any]:
    if "json" in kind:
        fields: dict[str, Any] = json.loads(body or "{}")
        return fields
    return {
        key: json.loads(value) if value[:1] in "[{" and value else value
        for key, value in parse_qsl(body)
    }


@contextmanager
def fake_slack() -> Iterator[FakeSlack]:
    """Run a fake Slack on a free loopback port."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"] or 0)).decode()
            fields = _fields(self.headers.get("content-type", ""), body)
            token = self.headers.get("authorization", "").removeprefix("Bearer ")
            slack.tokens.append((_name(self.path), token))
            answer = slack.hear(self.path, fields)
            if answer is None:
                self.close_connection = True
                return
            status, said = answer
            self.send_response(status)
            if status == 429:
                self.send_header("Retry-After", str(slack.retry_after))
            self.send_header("content-length", str(len(said.encode())))
            self.end_headers()
            self.wfile.write(said.encode())

        def log_message(self, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 256

    server = Server(("127.0.0.1", 0), Handler)
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
        self.query = Query(text="70b inference 50rps", params_b=70, rps=50)

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

    def query_of(self, answer_id: str, *, context: AskContext) -> Query | None:
        """Find what the view was computed from."""
        return self.query if self.recall(answer_id, context=context) else None

    def catalog(self, context: AskContext) -> Catalog:
        """Nothing is for sale."""
        return Catalog((), datetime(2026, 11, 20, tzinfo=UTC), "none")


def signed(body: str, kind: str, secret: str = SECRET) -> dict[str, str]:
    """Make the headers with which Slack sends a body."""
    stamp = str(int(time.time()))
    signature = SignatureVerifier(secret).generate_signature(timestamp=stamp, body=body)
    return {
        "content-type": kind,
        "x-slack-request-timestamp": stamp,
        "x-slack-signature": signature or "",
    }

"""A Slack on a bad day: a loopback proxy that answers some calls itself."""

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Trouble:
    """What one call gets instead of Slack's answer."""

    status: int = 200
    error: str = ""
    after: float = 0
    """Seconds until it comes."""
    passed_on: bool = False
    """Whether Slack did what was asked all the same."""


class Proxy:
    """Passes calls on, but for those that have trouble ahead."""

    def __init__(self, port: int, target: str) -> None:
        self.url = f"http://127.0.0.1:{port}/api/"
        self.ahead: dict[str, list[Trouble]] = {}
        """By method, what its next calls get."""
        self.met: list[tuple[str, Trouble]] = []
        self._target = target

    def answer(
        self, method: str, body: bytes, headers: dict[str, str]
    ) -> tuple[int, bytes]:
        """Answer one call."""
        waiting = self.ahead.get(method)
        if not waiting:
            return self._pass_on(method, body, headers)
        trouble = waiting.pop(0)
        self.met.append((method, trouble))
        if trouble.passed_on:
            self._pass_on(method, body, headers)
        time.sleep(trouble.after)
        said = {"ok": False, "error": trouble.error}
        return trouble.status, json.dumps(said).encode()

    def _pass_on(
        self, method: str, body: bytes, headers: dict[str, str]
    ) -> tuple[int, bytes]:
        kept = {
            k: v for k, v in headers.items() if k in ("content-type", "authorization")
        }
        request = urllib.request.Request(f"{self._target}/api/{method}", body, kept)  # noqa: S310 - loopback
        try:
            with urllib.request.urlopen(request) as answer:  # noqa: S310 - loopback
                return answer.status, answer.read()
        except urllib.error.HTTPError as fault:
            return fault.code, fault.read()


@contextmanager
def proxy(target: str) -> Iterator[Proxy]:
    """Stand before a Slack for as long as it is needed."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"] or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            method = self.path.removeprefix("/api/")
            status, said = standing.answer(method, body, headers)
            self.send_response(status)
            if status == 429:
                self.send_header("Retry-After", "1")
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    standing = Proxy(server.server_address[1], target)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield standing
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

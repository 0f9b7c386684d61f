"""A small web server for this machine alone: calls in, replies out."""

import json
import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import parse_qsl
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from core.wording import say

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

logger = logging.getLogger(__name__)

HOST: Final = "127.0.0.1"
BODY_BYTES: Final = 1_000_000


class Call(NamedTuple):
    """One HTTP request."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    """By lower-case name."""
    body: bytes


class Reply(NamedTuple):
    """What is sent back."""

    status: int
    body: bytes = b""
    kind: str = "text/plain; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()


Answer = Callable[[Call], Reply]


def as_json(value: object, status: int = 200) -> Reply:
    """Reply with a JSON document."""
    return Reply(status, json.dumps(value).encode(), "application/json")


def fields_of(call: Call) -> dict[str, Any]:
    """Read a JSON object or a form; ValueError when the body is neither."""
    if "json" in call.headers.get("content-type", ""):
        read = json.loads(call.body or b"{}")
        if not isinstance(read, dict):
            raise ValueError("not a JSON object")
        return read
    return dict(parse_qsl(call.body.decode(), keep_blank_values=True))


@contextmanager
def listening(answer: Answer, port: int = 0) -> Iterator[tuple[str, int]]:
    """Serve on the loopback address until the block ends; 0 takes a free port."""
    with make_server(HOST, port, _Guard(answer), _Server, _Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield HOST, server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


def own_hosts(port: str) -> tuple[str, str]:
    """Name the two ways in which a browser on this machine addresses the server."""
    return f"{HOST}:{port}", f"localhost:{port}"


class _Guard:
    """Turn away what comes under another name, or is too large, before it is read."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        reply = self._replied(environ)
        phrase = HTTPStatus(reply.status).phrase
        start_response(
            f"{reply.status} {phrase}",
            [
                ("content-type", reply.kind),
                ("content-length", str(len(reply.body))),
                ("cache-control", "no-store"),
                ("x-content-type-options", "nosniff"),
                *reply.headers,
            ],
        )
        return [reply.body]

    def _replied(self, environ: "WSGIEnvironment") -> Reply:
        # A page elsewhere may have its name resolve to 127.0.0.1 (DNS rebinding).
        if environ.get("HTTP_HOST") not in own_hosts(environ["SERVER_PORT"]):
            return Reply(421, say("playground.own_address_only").encode())
        length = environ.get("CONTENT_LENGTH") or "0"
        if not length.isdigit() or int(length) > BODY_BYTES:
            return Reply(413)
        try:
            return self._answer(_call(environ, int(length)))
        except ValueError as error:
            logger.info("unreadable request: %s", error)
            return Reply(400, say("playground.request_unreadable").encode())


def _call(environ: "WSGIEnvironment", length: int) -> Call:
    headers = {
        name[5:].replace("_", "-").lower(): value
        for name, value in environ.items()
        if name.startswith("HTTP_")
    }
    headers["content-type"] = environ.get("CONTENT_TYPE") or ""
    return Call(
        method=environ["REQUEST_METHOD"],
        path=environ.get("PATH_INFO") or "/",
        query=dict(parse_qsl(environ.get("QUERY_STRING") or "")),
        headers=headers,
        body=environ["wsgi.input"].read(length) if length else b"",
    )


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 64


class _Handler(WSGIRequestHandler):
    timeout = 60

    def log_message(self, format: str, *args: object) -> None:
        logger.debug(format, *args)

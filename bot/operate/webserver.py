"""A WSGI server that is safe to leave alone: waitress with three habits of our own.

It answers each connection once and says so; a request has to arrive within seconds; and
on being stopped it takes no more connections, but finishes those that it has.
"""

import logging
import socket
import time
from collections.abc import Iterator
from threading import Event
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from waitress import wasyncore  # type: ignore[import-untyped]
from waitress.server import create_server  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

BACKLOG: Final = 1024
"""A connection that finds no place here is tried again a second later."""
CONNECTIONS: Final = 400
"""With a file for each large body, below the 1,024 open files of most processes; what
half a megabyte each takes in memory is bearable. Others wait in the kernel's queue."""
REQUEST_S: Final = 10.0
"""How long a request may take to arrive; Slack sends its own at once."""
CROWDED_S: Final = 2.0
"""The same when connections run out, or when the server stops."""
DRAIN_S: Final = 10.0
ROOM: Final = 4
"""What else waitress counts among its connections: its socket, and its own pipe."""
HEADER_BYTES: Final = 65_536
_LOOK_S: Final = 0.25
_FORWARDED: Final = "x-forwarded-for x-forwarded-host x-forwarded-proto"


class Limits(Struct, frozen=True):
    """What a server takes at most."""

    threads: int
    body_bytes: int
    trusted_proxy: str = ""
    """The address whose X-Forwarded headers count; "*": whoever connects."""


class WebServer:
    """Serve a WSGI application on a listening socket, until told to stop."""

    def __init__(
        self,
        application: "WSGIApplication",
        listener: socket.socket,
        limits: Limits,
        *,
        shared: bool = False,
    ) -> None:
        """Take over a listening socket; `shared`: others accept from it as well."""
        address = listener.getsockname()
        self.server_address: tuple[str, int] = (address[0], address[1])
        self._map: dict[int, Any] = {}
        self.shared = shared
        """Whether others accept from the same socket, and go on to."""
        self._stop, self._ended = Event(), Event()
        self._server = create_server(
            once(application),
            map=self._map,
            sockets=[listener],
            **_options(limits),
        )
        # It warns of every request that finds all threads busy: a hundred lines a rush.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)

    def __enter__(self) -> "WebServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def serve_forever(self, poll_interval: float = _LOOK_S) -> None:
        """Answer until `shutdown`; then finish what was taken in."""
        looked = 0.0
        while not self._stop.is_set():
            self._turn(poll_interval)
            if time.monotonic() - looked > _LOOK_S:
                looked = time.monotonic()
                self._close_late(time.time())
        self._finish(poll_interval)
        self._ended.set()

    def shutdown(self) -> None:
        """Stop taking connections, and wait until those taken are answered."""
        self._stop.set()
        self._server.pull_trigger()
        self._ended.wait(DRAIN_S + 2)

    def close(self) -> None:
        """Give everything back."""
        self._server.task_dispatcher.shutdown(timeout=1)
        wasyncore.close_all(self._map)

    def _turn(self, seconds: float) -> None:
        # poll, as select knows no file beyond the 1,024th.
        wasyncore.loop(timeout=seconds, use_poll=True, map=self._map, count=1)

    def _close_late(self, now: float) -> None:
        """Close connections whose request, or whose reading of it, takes too long.

        A connection is used once, so its age is what counts: a byte now and then
        would keep it alive where its last sign of life did.
        """
        open_ones = list(self._server.active_channels.values())
        crowded = len(open_ones) + ROOM >= CONNECTIONS
        oldest = now - (CROWDED_S if crowded else REQUEST_S)
        for channel in open_ones:
            if not channel.requests and channel.creation_time < oldest:
                channel.handle_close()

    def _finish(self, poll_interval: float) -> None:
        """Take what the kernel holds for nobody else, and answer all of it."""
        before = -1
        while not self.shared and before < len(self._map):
            before = len(self._map)
            self._server.handle_accept()
        self._server.accepting = False
        self._server.del_channel()
        self._server.socket.close()
        end = time.monotonic() + DRAIN_S
        while self._server.active_channels and time.monotonic() < end:
            self._turn(poll_interval)
            self._close_late(time.time())


def listening(host: str, port: int, *, reuse_port: bool = False) -> socket.socket:
    """Bind an address; with `reuse_port`, beside another process of the same user."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server(
        (host, port), family=family, backlog=BACKLOG, reuse_port=reuse_port
    )


def once(application: "WSGIApplication") -> "WSGIApplication":
    """Let each connection serve one request, and say so with its answer.

    waitress closes a connection whose answer states no length, and announces it.
    """

    def answer(
        environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterator[bytes]:
        def start(status: str, headers: Any, *fault: Any) -> Any:
            unmeasured = [h for h in headers if h[0].lower() != "content-length"]
            return start_response(status, unmeasured, *fault)

        yield from application(environ, start)

    return answer


def _options(limits: Limits) -> dict[str, Any]:
    trust = (
        {
            "trusted_proxy": limits.trusted_proxy,
            "trusted_proxy_headers": _FORWARDED.split(),
        }
        if limits.trusted_proxy
        else {}
    )
    return {
        "threads": limits.threads,
        "backlog": BACKLOG,
        "connection_limit": CONNECTIONS,
        "max_request_header_size": HEADER_BYTES,
        "max_request_body_size": limits.body_bytes + 1,
        "log_socket_errors": False,
        "ident": None,
        "clear_untrusted_proxy_headers": True,
        **trust,
    }

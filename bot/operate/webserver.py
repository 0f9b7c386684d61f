"""A WSGI server that is safe to leave alone: waitress with three habits of our own.

It answers each connection once and says so; a request has to arrive within seconds; and
on being stopped it takes no more connections, but finishes those that it has.
"""

import logging
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING, Any, Final

from waitress import wasyncore  # type: ignore[import-untyped]
from waitress.adjustments import Adjustments  # type: ignore[import-untyped]
from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.server import TcpWSGIServer  # type: ignore[import-untyped]
from waitress.task import ThreadedTaskDispatcher, WSGITask  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

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
HEADER_BYTES: Final = 65_536
_LOOK_S: Final = 0.25
_FORWARDED: Final = "x-forwarded-for x-forwarded-host x-forwarded-proto"


@dataclass(frozen=True, slots=True)
class Limits:
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
        self._server = _Server(
            application,
            self._map,
            _sock=listener,
            dispatcher=_threads(limits.threads),
            adj=_adjustments(listener, limits),
            sockinfo=(listener.family, listener.type, listener.proto, address),
            bind_socket=False,
        )

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
                self._server.close_late(time.time())
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

    def _finish(self, poll_interval: float) -> None:
        self._server.stop_listening(empty_queue=not self.shared)
        end = time.monotonic() + DRAIN_S
        while self._server.active_channels and time.monotonic() < end:
            self._turn(poll_interval)
            self._server.close_late(time.time())


def listening(host: str, port: int, *, reuse_port: bool = False) -> socket.socket:
    """Bind an address; with `reuse_port`, beside another process of the same user."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server(
        (host, port), family=family, backlog=BACKLOG, reuse_port=reuse_port
    )


def _threads(count: int) -> ThreadedTaskDispatcher:
    made = ThreadedTaskDispatcher()
    # It warns of every request that finds all threads busy: a hundred lines a rush.
    made.queue_logger.setLevel(logging.ERROR)
    made.set_thread_count(count)
    return made


def _adjustments(listener: socket.socket, limits: Limits) -> Adjustments:
    trust = (
        {
            "trusted_proxy": limits.trusted_proxy,
            "trusted_proxy_headers": _FORWARDED.split(),
        }
        if limits.trusted_proxy
        else {}
    )
    return Adjustments(
        sockets=[listener],
        threads=limits.threads,
        backlog=BACKLOG,
        connection_limit=CONNECTIONS,
        max_request_header_size=HEADER_BYTES,
        max_request_body_size=limits.body_bytes + 1,
        log_socket_errors=False,
        ident=None,
        cleanup_interval=3600,  # the loop above looks more often, and at more
        **trust,
    )


class _Task(WSGITask):  # type: ignore[misc]
    """Say that the connection ends here: some clients would send the next request."""

    def build_response_header(self) -> bytes:
        self.request.headers["CONNECTION"] = "close"
        header: bytes = super().build_response_header()
        return header


class _Channel(HTTPChannel):  # type: ignore[misc]
    task_class = _Task


class _Server(TcpWSGIServer):  # type: ignore[misc]
    channel_class: Callable[..., HTTPChannel] = _Channel

    def close_late(self, now: float) -> None:
        """Close connections whose request, or whose reading of it, takes too long.

        A connection is used once, so its age is what counts: a byte now and then
        would keep it alive where its last sign of life did.
        """
        crowded = len(self._map) >= CONNECTIONS or not self.accepting
        oldest = now - (CROWDED_S if crowded else REQUEST_S)
        for channel in list(self.active_channels.values()):
            if not channel.requests and channel.creation_time < oldest:
                channel.will_close = True

    def stop_listening(self, *, empty_queue: bool) -> None:
        """Take no more; what the kernel holds for nobody else is still taken."""
        before = -1
        while empty_queue and before < len(self._map):
            before = len(self._map)
            self.handle_accept()
        self.accepting = False
        self.del_channel(self._map)
        self.socket.close()

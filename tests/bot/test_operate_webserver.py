"""The web server: slow clients end, full queues are emptied, proxies are believed."""

import http.client
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from bot.operate import webserver
from bot.operate.webserver import Limits, WebServer, listening

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

LIMITS = Limits(threads=4, body_bytes=1000)


def say_who(
    environ: "WSGIEnvironment", start_response: "StartResponse"
) -> Iterable[bytes]:
    """Answer after a moment, with whom it takes the client for."""
    time.sleep(0.2 if environ["PATH_INFO"] == "/slow" else 0)
    who = f"{environ['REMOTE_ADDR']} {environ['wsgi.url_scheme']}"
    start_response("200 OK", [("content-length", str(len(who)))])
    return [who.encode()]


@contextmanager
def serving(limits: Limits = LIMITS) -> Iterator[WebServer]:
    """Serve on loopback until the block ends."""
    with WebServer(say_who, listening("127.0.0.1", 0), limits) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def said(server: WebServer, path: str = "/", **headers: str) -> str:
    """Ask, and give the answer's text."""
    connection = http.client.HTTPConnection(*server.server_address, timeout=10)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("GET", path, headers=named)
    text = connection.getresponse().read().decode()
    connection.close()
    return text


def drip(slow: socket.socket) -> None:
    """Send a byte now and then for some seconds."""
    for _ in range(100):
        slow.sendall(b"x")
        time.sleep(0.05)


def test_a_request_that_drips_in_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte now and then keeps no connection open beyond its time."""
    monkeypatch.setattr(webserver, "REQUEST_S", 0.5)
    monkeypatch.setattr(webserver, "_LOOK_S", 0.05)
    with (
        serving() as server,
        socket.create_connection(server.server_address) as slow,
    ):
        began = time.monotonic()
        slow.settimeout(5)
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            drip(slow)

        assert 0.4 < time.monotonic() - began < 3
        assert said(server) == "127.0.0.1 http"


def test_many_who_say_nothing_keep_nobody_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where silent clients hold every connection, they have less time than others."""
    monkeypatch.setattr(webserver, "CONNECTIONS", 12)
    monkeypatch.setattr(webserver, "CROWDED_S", 0.3)
    monkeypatch.setattr(webserver, "_LOOK_S", 0.05)
    with serving() as server:
        silent = [socket.create_connection(server.server_address) for _ in range(20)]
        began = time.monotonic()

        assert said(server) == "127.0.0.1 http"
        assert time.monotonic() - began < webserver.REQUEST_S / 2
        for each in silent:
            each.close()


def test_what_waits_in_the_queue_is_answered_before_the_end() -> None:
    """Connections that the kernel took for us are served before we go."""
    server = WebServer(say_who, listening("127.0.0.1", 0), LIMITS)
    clients = [
        http.client.HTTPConnection(*server.server_address, timeout=10)
        for _ in range(10)
    ]
    for client in clients:
        client.request("GET", "/slow")
    stopping = threading.Thread(target=server.shutdown)
    stopping.start()
    with server:
        server.serve_forever(0.01)
    stopping.join()

    assert [200] * 10 == [client.getresponse().status for client in clients]
    for client in clients:
        client.close()


def test_a_stopped_server_takes_nobody() -> None:
    """Once it ended, its address is free."""
    with serving() as server:
        address = server.server_address

    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address)


def test_only_the_named_proxy_is_believed() -> None:
    """Whoever connects may claim an address; the proxy's word alone counts."""
    trusting = Limits(threads=2, body_bytes=1000, trusted_proxy="127.0.0.1")
    claim = {"X_Forwarded_For": "203.0.113.9", "X_Forwarded_Proto": "https"}
    with serving() as server:
        assert said(server, **claim) == "127.0.0.1 http"
    with serving(trusting) as server:
        assert said(server, **claim) == "203.0.113.9 https"

"""A server on loopback that does what servers do on bad days, and a network to it."""

import socket
import ssl
import subprocess
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from struct import pack
from typing import Any

from httpcore2 import NetworkBackend, NetworkStream, SyncBackend

Behaviour = Callable[["Visit"], None]


class Visit:
    """One request, and the socket on which to answer it."""

    def __init__(self, handler: StreamRequestHandler, server: "FaultServer") -> None:
        self._socket = handler.request
        self.server = server
        self.request_line = handler.rfile.readline().decode("latin-1").strip()
        self.headers: dict[str, str] = {}
        while (line := handler.rfile.readline().decode("latin-1").strip()) != "":
            name, _, value = line.partition(":")
            self.headers[name.lower()] = value.strip()
        handler.rfile.read(int(self.headers.get("content-length", "0")))

    @property
    def host(self) -> str:
        """The host that was asked for."""
        return self.headers.get("host", "").partition(":")[0]

    @property
    def path(self) -> str:
        """The path that was asked for."""
        return [*self.request_line.split(), "", ""][1]

    def send(self, *pieces: bytes, pause: float = 0.0) -> None:
        """Send pieces as they are."""
        for piece in pieces:
            self._socket.sendall(piece)
            if pause:
                time.sleep(pause)

    def answer(self, body: bytes, status: str = "200 OK", **headers: str) -> None:
        """Answer in full."""
        self.send(head(status, len(body), **headers), body)

    def reset(self) -> None:
        """End the connection with a reset."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, pack("ii", 1, 0))
        self._socket.close()


def head(status: str, length: int | None, **headers: str) -> bytes:
    """Write the head of an answer."""
    lines = [f"HTTP/1.1 {status}", "Connection: close"]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


class FaultServer(ThreadingTCPServer):
    """Answers each host as it was told to."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behaviours: dict[str, Behaviour] = {}
        self.visits: list[Visit] = []
        self.ended = threading.Event()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server_address[1])


class _Handler(StreamRequestHandler):
    def handle(self) -> None:
        server = self.server
        assert isinstance(server, FaultServer)
        with suppress(OSError, ValueError):
            visit = Visit(self, server)
            if not visit.request_line:
                return
            server.visits.append(visit)
            behaviour = server.behaviours.get(visit.host) or server.behaviours["*"]
            behaviour(visit)


@contextmanager
def fault_server(**behaviours: Behaviour) -> Iterator[FaultServer]:
    """Run a server while the block lasts; "any" answers every host."""
    with FaultServer() as server:
        server.behaviours = {"*": not_found, **behaviours}
        if "any" in behaviours:
            server.behaviours["*"] = behaviours["any"]
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield server
        finally:
            server.ended.set()
            server.shutdown()


class Loopback(NetworkBackend):
    """A network where every host is one port; TLS is left out unless asked for."""

    def __init__(self, port: int, *, tls: bool = False) -> None:
        self._port = port
        self._tls = tls
        self.asked: list[tuple[str, int]] = []

    def connect_tcp(self, host: str, port: int, *more: Any, **_: Any) -> NetworkStream:
        """Connect to the server, whatever the host."""
        self.asked.append((host, port))
        timeout = more[0] if more else None
        stream = SyncBackend().connect_tcp("127.0.0.1", self._port, timeout)
        return stream if self._tls else _Plain(stream)


class _Plain(NetworkStream):
    def __init__(self, stream: NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, timeout)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, timeout)

    def close(self) -> None:
        self._stream.close()

    def start_tls(self, *_: Any, **__: Any) -> NetworkStream:
        return self

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


# ---- what servers do ----


def answers(body: bytes, **headers: str) -> Behaviour:
    """Answer with a body."""
    return lambda visit: visit.answer(body, **headers)


def not_found(visit: Visit) -> None:
    """Know nothing."""
    visit.answer(b"", "404 Not Found")


def status(code: int, **headers: str) -> Behaviour:
    """Answer with a status."""
    return lambda visit: visit.answer(b"try later", f"{code} No", **headers)


def hangs(visit: Visit) -> None:
    """Never answer."""
    visit.server.ended.wait(30)


def drips(body: bytes, pause: float) -> Behaviour:
    """Answer a byte at a time, the head first."""
    whole = head("200 OK", len(body)) + body
    return lambda visit: visit.send(
        *(whole[n : n + 1] for n in range(len(whole))), pause=pause
    )


def resets(visit: Visit) -> None:
    """End the connection before a word."""
    visit.reset()


def breaks_off(body: bytes) -> Behaviour:
    """Promise more than is sent."""
    return lambda visit: visit.send(head("200 OK", 2 * len(body)), body)


def moves(to: str, code: int = 302) -> Behaviour:
    """Send on to another address."""
    return lambda visit: visit.answer(b"", f"{code} Moved", Location=to)


def fails_first(times: int, then: Behaviour, how: Behaviour) -> Behaviour:
    """Fail so many times before doing better."""
    left = [times]

    def behave(visit: Visit) -> None:
        left[0] -= 1
        (how if left[0] >= 0 else then)(visit)

    return behave


def knows_its_state(body: bytes, etag: str) -> Behaviour:
    """Answer 304 to whoever has the present state."""

    def behave(visit: Visit) -> None:
        if visit.headers.get("if-none-match") == etag:
            visit.answer(b"", "304 Not Modified")
        else:
            visit.answer(body, ETag=etag)

    return behave


def bomb(visit: Visit) -> None:
    """Send kilobytes that unpack to a hundred megabytes."""
    visit.answer(_packed(), Content_Encoding="gzip")


@cache
def _packed() -> bytes:
    packer = zlib.compressobj(6, wbits=31)
    packed = b"".join(packer.compress(bytes(1_000_000)) for _ in range(100))
    packed += packer.flush()
    assert len(packed) < 200_000
    return packed


def endless(visit: Visit) -> None:
    """Send a body that never ends."""
    visit.send(head("200 OK", None))
    while not visit.server.ended.is_set():
        visit.send(b"[1,2,3,4]" * 10_000)


def untrusted_tls(folder: Path) -> ssl.SSLContext | None:
    """Return a server's TLS that nobody has signed; None without openssl."""
    pem = folder / "untrusted.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt"]
    command += [
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=x",
    ]
    command += ["-addext", "subjectAltName=DNS:feed.example"]
    try:
        subprocess.run(
            [*command, "-keyout", str(pem), "-out", f"{pem}.crt"],
            check=True,
            capture_output=True,
        )
    except OSError:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{pem}.crt", pem)
    return context

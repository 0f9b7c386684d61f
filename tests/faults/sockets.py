"""The end of Slack's that Socket Mode connects to: envelopes out, acknowledgements in.

A WebSocket of RFC 6455 as far as Slack's client uses it: text frames, pings, no parts.
"""

import base64
import hashlib
import json
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from tests.bot.fake_slack import FakeSlack

_SALT: Final = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class SlackSocket:
    """Every connection that a bot opened, in order."""

    def __init__(self, slack: FakeSlack) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        port = self.listener.getsockname()[1]
        url = f"ws://127.0.0.1:{port}/link"
        slack.methods["apps.connections.open"] = lambda _: {"ok": True, "url": url}
        self.open: list[socket.socket] = []
        self.acknowledged: set[str] = set()
        self._news = threading.Condition()
        threading.Thread(target=self._welcome, daemon=True).start()

    def send(self, to: int, kind: str, payload: dict[str, Any], name: str) -> None:
        """Send one envelope over the connection of a place in the order."""
        envelope = {
            "envelope_id": name, "type": kind, "payload": payload,
            "accepts_response_payload": False,
        }  # fmt: skip
        self.open[to].sendall(_frame(TEXT, json.dumps(envelope).encode()))

    def wait(self, connections: int, seconds: float = 30) -> None:
        """Wait until so many are connected."""
        self._until(lambda: len(self.open) >= connections, seconds)

    def hears(self, *names: str, seconds: float = 30) -> None:
        """Wait until envelopes are acknowledged."""
        self._until(lambda: self.acknowledged >= set(names), seconds)

    def _until(self, enough: Any, seconds: float) -> None:
        with self._news:
            assert self._news.wait_for(enough, seconds), (self.open, self.acknowledged)

    def _welcome(self) -> None:
        with suppress(OSError):
            while True:
                visitor, _ = self.listener.accept()
                threading.Thread(
                    target=self._talk, args=(visitor,), daemon=True
                ).start()

    def _talk(self, visitor: socket.socket) -> None:
        with suppress(OSError, struct.error), visitor, visitor.makefile("rb") as heard:
            key = ""
            while (line := heard.readline().strip()) != b"":
                name, _, value = line.decode().partition(": ")
                key = value if name.lower() == "sec-websocket-key" else key
            proof = base64.b64encode(hashlib.sha1((key + _SALT).encode()).digest())  # noqa: S324 - RFC 6455 wants it
            visitor.sendall(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                b"Connection: Upgrade\r\nSec-WebSocket-Accept: " + proof + b"\r\n\r\n"
                + _frame(TEXT, b'{"type": "hello", "num_connections": 1}')
            )  # fmt: skip
            with self._news:
                self.open.append(visitor)
                self._news.notify_all()
            while True:
                kind, said = _heard(heard)
                if kind == PING:
                    visitor.sendall(_frame(PONG, said))
                elif kind == CLOSE:
                    return
                elif kind == TEXT:
                    with self._news:
                        self.acknowledged.add(json.loads(said).get("envelope_id", ""))
                        self._news.notify_all()


def _frame(kind: int, said: bytes) -> bytes:
    size = len(said)
    head = struct.pack("!BB", 0x80 | kind, size) if size < 126 else (
        struct.pack("!BBH", 0x80 | kind, 126, size)
    )  # fmt: skip
    return head + said


def _heard(file: Any) -> tuple[int, bytes]:
    first, size = struct.unpack("!BB", file.read(2))
    masked, size = size & 0x80, size & 0x7F
    if size > 125:
        (size,) = struct.unpack(
            "!H" if size == 126 else "!Q", file.read(2 if size == 126 else 8)
        )
    mask = file.read(4) if masked else bytes(4)
    said = bytes(byte ^ mask[at % 4] for at, byte in enumerate(file.read(size)))
    return first & 0x0F, said


@contextmanager
def slack_socket(slack: FakeSlack) -> Iterator[SlackSocket]:
    """Let bots connect until the block ends."""
    end = SlackSocket(slack)
    try:
        yield end
    finally:
        end.listener.close()
        for each in end.open:
            with suppress(OSError):
                each.close()

"""The local Slack's own screen: what it shows of forms and pages, and what it sends.

Its browser page speaks JSON over a WebSocket; so does this, with RFC 6455 alone.
"""

import base64
import json
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

TEXT, CLOSE = 0x1, 0x8
View = dict[str, Any]


class LocalUi:
    """One open screen: the forms on it, the pages, and what a form complained of."""

    def __init__(self, port: int) -> None:
        self.forms: list[View] = []
        self.pages: dict[str, View] = {}
        self.errors: dict[str, str] = {}
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._greet(port)
        self._stream = self._socket.makefile("rb")
        self._skip_headers()
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()

    def submit(self, user: str, values: dict[str, Any]) -> None:
        """Send the form on top, each input with its values."""
        self._send({"t": "view_submit", "user": user, "values": values})

    def press_at_home(self, user: str, button: View, channel: str) -> None:
        """Press a button of a page; unlike Slack, this one knows a channel for it."""
        action = {"type": "button", "value": button.get("value")}
        action["action_id"] = button["action_id"]
        self._send(
            {
                "t": "block_action",
                "channel": channel,
                "messageTs": "",
                "user": user,
                "action": action,
                "appId": "A1",
            }
        )

    def close(self) -> None:
        """Leave."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._listener.join()
        self._stream.close()
        self._socket.close()

    def _greet(self, port: int) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(
            f"GET /ui HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def _skip_headers(self) -> None:
        assert b"101" in self._stream.readline()
        while self._stream.readline().strip():
            pass

    def _send(self, message: View) -> None:
        body = json.dumps(message).encode()
        mask = os.urandom(4)
        head = struct.pack("!BBH", 0x80 | TEXT, 0x80 | 126, len(body))
        masked = bytes(byte ^ mask[n % 4] for n, byte in enumerate(body))
        self._socket.sendall(head + mask + masked)

    def _listen(self) -> None:
        try:
            for message in self._messages():
                self._note(message)
        except (OSError, ValueError, struct.error):
            return  # the screen was closed

    def _messages(self) -> Iterator[View]:
        while head := self._stream.read(2):
            if len(head) < 2:
                return
            length = head[1] & 0x7F
            if length == 126:
                (length,) = struct.unpack("!H", self._stream.read(2))
            elif length == 127:
                (length,) = struct.unpack("!Q", self._stream.read(8))
            body = self._stream.read(length)
            if head[0] & 0x0F == CLOSE:
                return
            if head[0] & 0x0F == TEXT:
                message: View = json.loads(body)
                yield message

    def _note(self, message: View) -> None:
        match message.get("t"):
            case "view":
                self.forms, self.errors = message.get("stack") or [], {}
            case "view_errors":
                self.errors = message.get("errors") or {}
            case "home":
                self.pages[message["user"]] = message["view"]


@contextmanager
def local_ui(port: int) -> Iterator[LocalUi]:
    """Open a screen for as long as it is needed."""
    ui = LocalUi(port)
    try:
        yield ui
    finally:
        ui.close()

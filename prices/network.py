"""Sockets for feeds: public addresses only, and no longer than a deadline.

A name on the allow-list may still resolve to an address inside the house, so what is
connected to is the very address that was checked. Every read and write is cut to what
is left of the deadline; a server that sends one byte a second cannot outlive it.
"""

import socket
import ssl
from collections.abc import Iterable
from ipaddress import ip_address
from time import monotonic
from typing import Any

from httpcore2 import (
    NetworkBackend,
    NetworkStream,
    ReadTimeout,
    SyncBackend,
)

SLOWEST_STEP_S = 10.0
SocketOptions = Iterable[tuple[Any, ...]] | None


class NotAllowedError(Exception):
    """An address that no feed may speak to, or a name that has none."""


class Deadline:
    """A point in time that no step of one feed may pass."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._ends = monotonic() + seconds

    def remaining(self) -> float:
        """Return the seconds left, none below zero."""
        return max(0.0, self._ends - monotonic())

    def step(self, timeout: float | None) -> float:
        """Return how long one step may take."""
        left = self.remaining()
        if left <= 0:
            raise ReadTimeout(f"no answer within {self.seconds:g} s")
        return min(left, SLOWEST_STEP_S if timeout is None else timeout)


class Public(SyncBackend):
    """Connect to public addresses only."""

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: SocketOptions = None,
    ) -> NetworkStream:
        """Connect to the first address of a host, if all of them are public."""
        found = _addresses(host, port)
        private = [address for address in found if not ip_address(address).is_global]
        if private:
            raise NotAllowedError(f"{host} is not a public address")
        return super().connect_tcp(found[0], port, timeout, None, socket_options)


class Timed(NetworkBackend):
    """Hold another network's connections to a deadline."""

    def __init__(self, network: NetworkBackend, deadline: Deadline) -> None:
        self._network = network
        self._deadline = deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: SocketOptions = None,
    ) -> NetworkStream:
        """Connect within what is left."""
        step = self._deadline.step(timeout)
        stream = self._network.connect_tcp(
            host, port, step, local_address, socket_options
        )
        return _TimedStream(stream, self._deadline)


class _TimedStream(NetworkStream):
    def __init__(self, stream: NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.step(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.step(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> NetworkStream:
        step = self._deadline.step(timeout)
        secured = self._stream.start_tls(ssl_context, server_hostname, step)
        return _TimedStream(secured, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _addresses(host: str, port: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as fault:
        raise NotAllowedError(f"{host} cannot be resolved") from fault
    return [str(address[0]) for *_, address in found]

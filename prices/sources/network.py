"""Sockets for feeds: public addresses only, and no longer than a deadline.

A name on the allow-list may still resolve to an address inside the private network,
so what is connected to is the very address that was checked. Every read and write is
cut to what is left of the deadline; a server that sends one byte a second cannot
outlive it.
"""

import socket
import ssl
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from time import monotonic
from typing import Any, Final

from httpcore2 import (
    NetworkBackend,
    NetworkStream,
    ReadTimeout,
    SyncBackend,
)

from core.wording import say

SLOWEST_STEP_S = 10.0
SocketOptions = Iterable[tuple[Any, ...]] | None

UNICAST: Final = IPv6Network("2000::/3")
"""All that IANA has given out of IPv6: no loopback, private or mapped address."""
NAT64: Final = IPv6Network("64:ff9b::/96")
"""RFC 6052: the last 32 bits are the IPv4 address that a translator connects to."""


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
            raise ReadTimeout(say("feeds.no_answer_within", seconds=self.seconds))
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
        if not all(map(is_public, found)):
            raise NotAllowedError(say("feeds.private_address", host=host))
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


def is_public(address: str) -> bool:
    """Tell whether an address, and any that is packed into it, is nobody's own.

    A tunnel or a translator unpacks what a check of the outer address passes over:
    64:ff9b::7f00:1 and 2002:7f00:1:: may both end at 127.0.0.1.
    """
    outer = ip_address(address)
    inner = _packed(outer) if isinstance(outer, IPv6Address) else outer
    if inner is None:
        return outer in UNICAST and outer.is_global
    return inner.is_global and not inner.is_multicast


def _packed(outer: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address at which an IPv6 one ends."""
    if outer in NAT64:
        return IPv4Address(int(outer) & 0xFFFF_FFFF)
    return outer.ipv4_mapped or outer.sixtofour


def _addresses(host: str, port: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as fault:
        raise NotAllowedError(say("feeds.unresolved", host=host)) from fault
    return [str(address[0]) for *_, address in found]

"""HTTP for feeds: few hosts, verified TLS, bounded in bytes, hops and seconds.

A server may hang, drip, lie about its content or send a bomb; all it can cost is the
deadline and the limit of its own feed.
"""

import random
import ssl
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from urllib.parse import urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore2
from msgspec import Struct, field

from core.wording import say
from prices.sources.network import Deadline, NotAllowedError, Public, Timed
from prices.sources.source import MEGABYTE, SourceSpec, UnreachableError

HOPS = 3
ATTEMPTS = 3
FIRST_PAUSE_S = 0.5
CHUNK = 65_536
HTTPS = 443
_AGAIN = frozenset({429, 500, 502, 503, 504})
_MOVED = frozenset({301, 302, 303, 307, 308})
_FAULTS = (
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.ProxyError,
    httpcore2.TimeoutException,
)
_SECRETS = frozenset({"authorization", "x-api-key", "api_key"})


class FetchError(UnreachableError):
    """What HTTP, TLS or the limits of a feed have against an answer."""


class _TryAgainError(Exception):
    def __init__(self, reason: str, pause_s: float | None = None) -> None:
        super().__init__(reason)
        self.pause_s = pause_s


class Kept(Struct, frozen=True):
    """A body as it was last fetched, and how its server names that state."""

    body: bytes
    etag: str = ""
    last_modified: str = ""


Memory = Callable[[str], Kept | None]


class Fetcher(Struct):
    """Opens sessions; tests put a network of their own in its place."""

    network: httpcore2.NetworkBackend = field(default_factory=Public)
    owners_network: httpcore2.NetworkBackend = field(
        default_factory=httpcore2.SyncBackend
    )
    """For what the owner names: it may be inside the private network."""
    tls: ssl.SSLContext | None = None
    pause: Callable[[float], None] = time.sleep
    chance: random.Random = field(default_factory=random.Random)

    @contextmanager
    def session(self, spec: SourceSpec, memory: Memory) -> Iterator["Session"]:
        """Open connections for one poll of one feed."""
        deadline = Deadline(spec.deadline_s)
        with self._pool(spec, deadline) as pool:
            yield Session(self, spec, pool, deadline, memory)

    def _pool(self, spec: SourceSpec, deadline: Deadline) -> httpcore2.ConnectionPool:
        proxy = self._proxy(spec)
        network = self.owners_network if proxy or spec.private else self.network
        return httpcore2.ConnectionPool(
            ssl_context=self.tls or verified_tls(),
            network_backend=Timed(network, deadline),
            proxy=httpcore2.Proxy(proxy) if proxy else None,
        )

    def _proxy(self, spec: SourceSpec) -> str | None:
        """Return the proxy that the environment names; it then resolves the hosts."""
        proxies = getproxies()
        bypassed = any(proxy_bypass(host, proxies) for host in spec.hosts)
        return None if bypassed else proxies.get("https")


@cache
def verified_tls() -> ssl.SSLContext:
    """Return TLS that checks certificates and names; the bundle is read once."""
    return httpcore2.default_ssl_context()


class Session:
    """One poll of one feed: what `Wire` promises, and what is worth keeping of it."""

    def __init__(
        self,
        fetcher: Fetcher,
        spec: SourceSpec,
        pool: httpcore2.ConnectionPool,
        deadline: Deadline,
        memory: Memory,
    ) -> None:
        self.fresh: dict[str, Kept] = {}
        """What was fetched anew and can be asked for by its state next time."""
        self._fetcher = fetcher
        self._spec = spec
        self._pool = pool
        self._deadline = deadline
        self._memory = memory

    def remaining(self) -> float:
        """Return the seconds left to this feed."""
        return self._deadline.remaining()

    def get(self, url: str, headers: dict[str, str] | None = None) -> bytes:
        """Return a body; the kept one where the server says that it still holds."""
        kept = self._memory(url)
        asked = dict(headers or {})
        if kept and kept.etag:
            asked["If-None-Match"] = kept.etag
        if kept and kept.last_modified:
            asked["If-Modified-Since"] = kept.last_modified
        answer = self._asked(_Question("GET", url, asked))
        if answer is None:
            if kept is None:
                raise FetchError("304 without having asked")
            return kept.body
        if answer.etag or answer.last_modified:
            self.fresh[url] = answer
        return answer.body

    def post(
        self, url: str, body: bytes, headers: dict[str, str] | None = None
    ) -> bytes:
        """Return the body of an answer to JSON."""
        asked = {"Content-Type": "application/json", **(headers or {})}
        answer = self._asked(_Question("POST", url, asked, body))
        if answer is None:
            raise FetchError("304 without having asked")
        return answer.body

    def _asked(self, question: "_Question") -> Kept | None:
        """Ask until there is an answer, no attempt is left, or no time."""
        for attempt in range(ATTEMPTS):
            try:
                return self._followed(question)
            except _TryAgainError as again:
                pause = self._pause(attempt, again)
                if attempt + 1 == ATTEMPTS or pause >= self.remaining():
                    raise FetchError(str(again)) from again
                self._fetcher.pause(pause)
        raise AssertionError("unreachable")

    def _pause(self, attempt: int, again: _TryAgainError) -> float:
        if again.pause_s is not None:
            return again.pause_s
        longest = FIRST_PAUSE_S * (1 << attempt)
        return longest * self._fetcher.chance.uniform(0.5, 1.5)

    def _followed(self, question: "_Question") -> Kept | None:
        """Ask, and follow redirects while they stay among the feed's hosts."""
        for _ in range(HOPS + 1):
            self._check(question.url)
            answer = self._once(question)
            if not isinstance(answer, str):
                return answer
            question = question.moved_to(answer)
        raise FetchError(say("feeds.redirects", most=HOPS))

    def _check(self, url: str) -> None:
        parts = urlsplit(url)
        host = parts.hostname or ""
        if host not in self._spec.hosts:
            raise FetchError(say("feeds.wrong_host", host=host[:80]))
        if self._spec.private and parts.scheme == "http":
            return
        if parts.scheme != "https":
            raise FetchError(
                say("feeds.not_https", host=host, scheme=parts.scheme or "no")
            )
        if parts.port not in (None, HTTPS) and not self._spec.private:
            raise FetchError(say("feeds.wrong_port", host=host, port=parts.port))

    def _once(self, question: "_Question") -> Kept | str | None:
        """Return a body, where to go instead, or None: what is kept still holds."""
        host = urlsplit(question.url).hostname
        try:
            with self._pool.stream(
                question.method,
                question.url,
                headers=question.all_headers(),
                content=question.body,
            ) as response:
                return self._answer(question, response)
        except NotAllowedError as fault:
            raise FetchError(str(fault)) from fault
        except httpcore2.UnsupportedProtocol as fault:
            raise FetchError(f"{host}: {fault}") from fault
        except _FAULTS as fault:
            if not self.remaining():
                late = say(
                    "feeds.host_silent", host=host, seconds=self._deadline.seconds
                )
                raise FetchError(late) from fault
            reason = f"{host}: {_words(fault)}"
            if _is_tls(fault):
                raise FetchError(reason) from fault
            raise _TryAgainError(reason) from fault

    def _answer(
        self, question: "_Question", response: httpcore2.Response
    ) -> Kept | str | None:
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in response.headers
        }
        status = response.status
        if status == 304:
            return None
        if status in _MOVED and "location" in headers and question.method == "GET":
            return urljoin(question.url, headers["location"])
        if status in _AGAIN:
            raise _TryAgainError(_status(status), _wait(headers.get("retry-after")))
        if status != 200:
            raise FetchError(_status(status))
        body = _decoded(
            response.iter_stream(),
            headers.get("content-encoding", "").strip().lower(),
            self._spec.limit_bytes,
        )
        return Kept(body, headers.get("etag", ""), headers.get("last-modified", ""))


class _Question(Struct, frozen=True):
    method: str
    url: str
    headers: dict[str, str]
    body: bytes | None = None

    def all_headers(self) -> list[tuple[bytes | str, bytes | str]]:
        agent = f"gpucost/{version('gpucost')} (price feeds; polls hourly)"
        usual = {
            "User-Agent": agent,
            "Accept": "application/json, text/*;q=0.9, */*;q=0.5",
            "Accept-Encoding": "gzip",
        }
        return [*(usual | self.headers).items()]

    def moved_to(self, url: str) -> "_Question":
        """Go elsewhere; a key goes along only to the same host."""
        kept = self.headers
        if urlsplit(url).hostname != urlsplit(self.url).hostname:
            kept = {n: v for n, v in kept.items() if n.lower() not in _SECRETS}
        return _Question(self.method, url, kept, self.body)


def _decoded(chunks: Iterable[bytes], encoding: str, limit: int) -> bytes:
    """Return a body, unpacked no further than the limit."""
    if encoding not in ("", "identity", "gzip", "x-gzip"):
        raise FetchError(say("feeds.encoding", encoding=encoding[:40]))
    body = bytearray()
    for piece in _unpacked(chunks) if "gzip" in encoding else chunks:
        body += piece
        if len(body) > limit:
            raise FetchError(say("feeds.too_many_mb", limit=limit / MEGABYTE))
    return bytes(body)


def _unpacked(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Unpack gzip a piece at a time: a bomb is met before it has gone off."""
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        for chunk in chunks:
            packed = chunk
            while packed and not unpacker.eof:
                yield unpacker.decompress(packed, CHUNK)
                packed = unpacker.unconsumed_tail or unpacker.unused_data
            if packed:  # of several members all but the first would be lost
                raise FetchError(say("feeds.gzip_tail"))
    except zlib.error as fault:
        raise FetchError("broken gzip") from fault
    if not unpacker.eof:
        raise FetchError(say("feeds.gzip_cut"))


def _status(status: int) -> str:
    if status in (401, 403):
        return say("feeds.key_refused", status=status)
    return f"status {status}"


def _wait(said: str | None) -> float | None:
    """Return what Retry-After asks for; a date is too rare to be worth reading."""
    return float(said) if said and said.isdecimal() else None


def _is_tls(fault: Exception) -> bool:
    """Whether a fault is one of TLS, which does not heal by asking again.

    httpcore2 hands the original on as an argument, and cuts the chain of causes.
    """
    return any(isinstance(said, ssl.SSLError) for said in fault.args)


def _words(fault: Exception) -> str:
    said = str(fault) or type(fault).__name__
    return " ".join(said.split())[:160]

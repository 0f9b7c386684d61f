"""The wire: whatever a server does, a feed costs its deadline and its limit at most."""

import gzip
import random
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from httpcore2 import SyncBackend
from msgspec.structs import replace

from prices.sources.fetch import Fetcher, FetchError, Kept, Session, verified_tls
from prices.sources.network import Deadline, NotAllowedError, Public
from prices.sources.source import Reading, SourceSpec
from tests.prices.fault_server import (
    Behaviour,
    FaultServer,
    Loopback,
    answers,
    bomb,
    breaks_off,
    drips,
    endless,
    fails_first,
    fault_server,
    hangs,
    knows_its_state,
    moves,
    resets,
    status,
    untrusted_tls,
)

URL = "https://feed.example/prices.json"
BODY = b'{"prices": [1, 2, 3]}'
SPEC = SourceSpec(
    name="feed",
    fetch=lambda wire: [wire.get(URL)],
    read=lambda _payload, _moment: Reading(),
    hosts=frozenset({"feed.example", "mirror.example"}),
    deadline_s=2.0,
    limit_bytes=1_000_000,
)


def fetcher_to(server: FaultServer, pauses: list[float] | None = None) -> Fetcher:
    """Return a fetcher whose every host is the server, and that never really waits."""
    noted = [] if pauses is None else pauses
    chance = random.Random(1)  # noqa: S311 - jitter
    return Fetcher(Loopback(server.port), pause=noted.append, chance=chance)


def get(
    server: FaultServer,
    spec: SourceSpec = SPEC,
    url: str = URL,
    pauses: list[float] | None = None,
    kept: Kept | None = None,
    headers: dict[str, str] | None = None,
) -> bytes:
    """Fetch a URL as a feed would."""
    fetcher = fetcher_to(server, pauses)
    with fetcher.session(spec, lambda _url: kept) as session:
        return session.get(url, headers)


@pytest.fixture
def serving() -> Iterator[Callable[..., FaultServer]]:
    """Start servers that end with the test."""
    running = []

    def start(**behaviours: Behaviour) -> FaultServer:
        manager = fault_server(**behaviours)
        running.append(manager)
        return manager.__enter__()

    yield start
    for manager in running:
        manager.__exit__(None, None, None)


Serving = Callable[..., FaultServer]


def test_a_body_is_fetched(serving: Serving) -> None:
    """A plain answer comes back as it is, and the request says who asks."""
    server = serving(any=answers(BODY, Content_Type="text/html"))

    assert BODY == get(server)
    (visit,) = server.visits
    assert visit.headers["user-agent"].startswith("gpucost/")
    assert "gzip" == visit.headers["accept-encoding"]


def test_a_packed_body_is_unpacked(serving: Serving) -> None:
    """gzip is undone, whatever the content type says."""
    packed = gzip.compress(BODY * 1000)
    server = serving(any=answers(packed, Content_Encoding="gzip"))

    assert BODY * 1000 == get(server)


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        (hangs, "within 2 s"),
        (drips(BODY * 50, 0.05), "within 2 s"),
        (resets, "feed.example: "),
        (breaks_off(BODY), "feed.example: "),
        (status(429), "status 429"),
        (status(429, Retry_After="3600"), "status 429"),
        (status(500), "status 500"),
        (status(503), "status 503"),
        (status(404), "status 404"),
        (status(401), "the key is missing or refused"),
        (status(204), "status 204"),
        (status(304), "304 without having asked"),
        (bomb, "more than 1 MB"),
        (endless, "more than 1 MB"),
        (answers(bytes(1_000_001)), "more than 1 MB"),
        (answers(b"junk", Content_Encoding="gzip"), "broken gzip"),
        (answers(gzip.compress(BODY)[:-9], Content_Encoding="gzip"), "cut off"),
        (answers(gzip.compress(BODY) * 2, Content_Encoding="gzip"), "after its end"),
        (answers(BODY, Content_Encoding="br"), "not ask for"),
        (moves("https://evil.example/x"), "“evil.example” is not a host"),
        (moves("https://169.254.169.254/latest"), "is not a host of this feed"),
        (moves("https://2130706433/x"), "is not a host of this feed"),
        (moves("https://0x7f.1/x"), "is not a host of this feed"),
        (moves("https://[::ffff:127.0.0.1]/x"), "is not a host of this feed"),
        (moves("https://feed.example@127.0.0.1/x"), "is not a host of this feed"),
        (moves("https://feed.example:6443/x"), "6443 is not that of https"),
        (moves("http://feed.example/x"), "http is not https"),
        (moves("file:///etc/passwd"), "is not a host of this feed"),
        (moves("https://mirror.example/x"), "more than 3 redirects"),
        (lambda visit: visit.send(b"\x16\x03garbage\r\n\r\n"), "feed.example: "),
        (lambda visit: visit.send(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 90_000),
         "feed.example: "),
    ],
)  # fmt: skip
def test_a_bad_day_ends_within_the_deadline(
    serving: Serving, behaviour: Behaviour, said: str
) -> None:
    """Every fault is an error with its reason, within the deadline, and no more."""
    server = serving(any=behaviour)
    started = time.monotonic()

    with pytest.raises(FetchError, match=said.replace("(", "\\(")):
        get(server)

    assert time.monotonic() - started < SPEC.deadline_s + 0.7


@pytest.mark.parametrize("how", [status(503), status(429), resets, breaks_off(b"{")])
def test_a_passing_fault_is_asked_again(serving: Serving, how: Behaviour) -> None:
    """Two more attempts, each after a longer pause that differs by chance."""
    pauses: list[float] = []
    server = serving(any=fails_first(2, answers(BODY), how))

    assert BODY == get(server, replace(SPEC, deadline_s=20), pauses=pauses)
    assert 3 == len(server.visits)
    first, second = pauses
    assert 0.25 <= first <= 0.75
    assert 0.5 <= second <= 1.5


def test_retry_after_is_heeded(serving: Serving) -> None:
    """A server that names a pause gets it."""
    pauses: list[float] = []
    how = status(429, Retry_After="7")
    server = serving(any=fails_first(1, answers(BODY), how))

    get(server, replace(SPEC, deadline_s=20), pauses=pauses)

    assert [7.0] == pauses


def test_a_refusal_is_not_asked_again(serving: Serving) -> None:
    """A missing page or a refused key does not heal by asking."""
    server = serving(any=status(403))

    with pytest.raises(FetchError):
        get(server)
    assert 1 == len(server.visits)


def test_what_has_not_changed_is_not_sent_again(serving: Serving) -> None:
    """A body is kept with its state, and stands where the server says so."""
    server = serving(any=knows_its_state(BODY, '"v7"'))
    fetcher = fetcher_to(server)

    with fetcher.session(SPEC, lambda _url: None) as first:
        first.get(URL)
    with fetcher.session(SPEC, lambda url: first.fresh.get(url)) as second:
        body = second.get(URL)

    assert Kept(BODY, '"v7"') == first.fresh[URL]
    assert (BODY, {}) == (body, second.fresh)
    assert '"v7"' == server.visits[1].headers["if-none-match"]


def test_a_redirect_among_the_hosts_is_followed(serving: Serving) -> None:
    """A mirror on the allow-list may answer instead."""
    server = serving(
        **{
            "feed.example": moves("https://mirror.example/v2"),
            "mirror.example": answers(BODY),
        }
    )

    assert BODY == get(server)


def test_a_key_does_not_follow_to_another_host(serving: Serving) -> None:
    """A secret header is for the host that it was meant for."""
    server = serving(
        **{
            "feed.example": moves("https://mirror.example/v2"),
            "mirror.example": answers(BODY),
        }
    )

    get(server, headers={"Authorization": "Bearer secret", "Accept": "text/csv"})

    first, second = server.visits
    assert "Bearer secret" == first.headers["authorization"]
    assert "authorization" not in second.headers
    assert "text/csv" == second.headers["accept"]


def test_no_error_names_a_key(serving: Serving) -> None:
    """What is logged and shown holds no secret."""
    server = serving(any=status(401))

    with pytest.raises(FetchError) as fault:
        get(server, headers={"X-API-KEY": "s3cret"})
    assert "s3cret" not in str(fault.value)


def test_only_the_hosts_of_a_feed_are_asked(serving: Serving) -> None:
    """An address that is no feed's is refused before anything is sent."""
    server = serving(any=answers(BODY))

    for url in (
        "https://other.example/",
        "http://feed.example/",
        "ftp://feed.example/",
    ):
        with pytest.raises(FetchError):
            get(server, url=url)
    assert [] == server.visits


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.0.0.8", "192.168.1.1", "169.254.169.254", "::1", "fd00::1",
     "0.0.0.0", "100.64.0.1"],  # noqa: S104 - to be refused
)  # fmt: skip
def test_private_addresses_are_out_of_reach(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A public name that leads to a private address is refused, not connected to."""
    found = [(0, 0, 0, "", ("93.184.216.34", 443)), (0, 0, 0, "", (address, 443))]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: found)

    with pytest.raises(NotAllowedError, match="not a public address"):
        Public().connect_tcp("feed.example", 443, 1.0)


def test_the_address_that_was_checked_is_connected_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The name is resolved once: it cannot mean something else a moment later."""
    asked: list[str] = []
    found = [(0, 0, 0, "", ("93.184.216.34", 443))]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: found)
    monkeypatch.setattr(
        SyncBackend, "connect_tcp", lambda _self, host, *_: asked.append(host)
    )

    Public().connect_tcp("feed.example", 443, 1.0)

    assert ["93.184.216.34"] == asked


def test_a_certificate_that_nobody_signed_is_refused(
    serving: Serving, tmp_path: Path
) -> None:
    """TLS is verified, and a bad certificate is not asked again."""
    context = untrusted_tls(tmp_path)
    if context is None:
        pytest.skip("there is no openssl to make a certificate with")
    server = serving(any=answers(BODY))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    fetcher = Fetcher(network=Loopback(server.port, tls=True))

    with (
        fetcher.session(SPEC, lambda _url: None) as session,
        pytest.raises(FetchError, match="CERTIFICATE_VERIFY_FAILED"),
    ):
        session.get(URL)


def test_a_server_without_tls_is_refused() -> None:
    """What answers in the clear is no https, and learns nothing of the request."""
    heard: list[bytes] = []

    def serve(listener: socket.socket) -> None:
        with listener.accept()[0] as visitor:
            heard.append(visitor.recv(65_536))
            visitor.sendall(b"HTTP/1.1 200 OK\r\n\r\n{}")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        network = Loopback(listener.getsockname()[1], tls=True)
        with (
            Fetcher(network=network).session(SPEC, lambda _url: None) as session,
            pytest.raises(FetchError, match="SSL"),
        ):
            session.get(URL)
    assert b"prices.json" not in heard[0]


def test_tls_is_verified_by_default() -> None:
    """The certificate and the name on it are checked."""
    context = verified_tls()

    assert (ssl.CERT_REQUIRED, True) == (context.verify_mode, context.check_hostname)
    assert Fetcher().tls is None


def test_the_owners_feed_may_be_in_the_house(serving: Serving) -> None:
    """A URL that the owner names may be private and without TLS, at that host only."""
    server = serving(any=answers(BODY))
    own = replace(SPEC, hosts=frozenset({"127.0.0.1"}), private=True)
    here = f"http://127.0.0.1:{server.port}/prices.csv"

    with Fetcher().session(own, lambda _url: None) as session:
        assert BODY == session.get(here)
        with pytest.raises(FetchError):
            session.get("http://10.0.0.1/prices.csv")


def test_a_proxy_of_the_environment_is_used(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the private network reaches the world through a proxy, feeds do too."""
    tunnelled: list[str] = []

    def proxy(visit: object) -> None:
        tunnelled.append(visit.request_line)  # type: ignore[attr-defined]
        visit.answer(b"", "403 Forbidden")  # type: ignore[attr-defined]

    server = serving(any=proxy)
    monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{server.port}")

    with (
        Fetcher(pause=print).session(SPEC, lambda _url: None) as session,
        pytest.raises(FetchError, match=r"feed\.example: 403"),
    ):
        session.get(URL)
    assert ["CONNECT feed.example:443 HTTP/1.1"] == tunnelled[:1]


def test_a_post_carries_its_body(serving: Serving) -> None:
    """A question in JSON goes out as such, and is not sent on by a redirect."""
    server = serving(any=answers(BODY))
    with fetcher_to(server).session(SPEC, lambda _url: None) as session:
        assert BODY == session.post(URL, b'{"query": "{}"}')
    assert "application/json" == server.visits[0].headers["content-type"]

    moved = serving(any=moves(URL))
    with (
        fetcher_to(moved).session(SPEC, lambda _url: None) as session,
        pytest.raises(FetchError, match="status 302"),
    ):
        session.post(URL, b"{}")


def test_a_session_knows_what_is_left() -> None:
    """The time that is left shrinks to nothing, never below."""
    deadline = Deadline(0.05)
    assert 0 < deadline.remaining() <= 0.05
    time.sleep(0.06)
    assert 0.0 == deadline.remaining()


def test_nothing_is_left_running(serving: Serving) -> None:
    """Sessions leave no thread and no open connection behind."""
    server = serving(any=answers(BODY))
    before = {thread.name for thread in threading.enumerate()}

    for _ in range(3):
        get(server)

    after = {t.name for t in threading.enumerate() if not t.name.startswith("Thread-")}
    assert after <= before
    assert isinstance(Session, type)

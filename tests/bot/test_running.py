"""The bot as served: prices refresh, alerts fire and messages arrive by themselves."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from httpcore2 import SyncBackend

from bot.alerts.delivery import METADATA
from bot.config.secret import SecretStr
from bot.config.settings import Settings, load_settings
from bot.run.running import Feeds, running
from bot.run.schedule import Pace
from bot.run.server import http_server
from core.money.currency import ExchangeRate
from prices.alerts.outbox import Outbox
from prices.database.connection import Engine
from prices.sources.fetch import Fetcher
from prices.sources.rates import RateBook
from tests.bot.fake_slack import SECRET, FakeSlack, fake_slack
from tests.bot.served import command, managing
from tests.engines import engine_of, told

ASKED = "alert h100 at crusoe below 1.50"
PATIENCE_S = 20.0
OLDER = (
    "UPDATE polls SET at = at - ?1 WHERE source_id = ",
    "UPDATE coverage SET at = at - ?1, observed_at = observed_at - ?1"
    " WHERE source_id = ",
    "UPDATE offers SET first_seen = first_seen - ?1 WHERE source_id = ",
)
"""All that notes when a poll was: the next may follow within its second."""


def price_list(price: str) -> bytes:
    """What somebody sells, as a price file of the owner's."""
    return f"provider,gpu,price\ncrusoe,h100-80gb-sxm,{price}\n".encode()


@dataclass
class PriceServer:
    """A feed on this machine that says what a test lets it say."""

    url: str
    price: str = "2.00"
    asked: int = 0


@contextmanager
def price_server() -> Iterator[PriceServer]:
    """Serve a price list on a free port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = price_list(said.price)
            self.send_response(200)
            self.send_header("content-type", "text/csv")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            said.asked += 1

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    said = PriceServer(f"http://127.0.0.1:{server.server_address[1]}/list.csv")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield said
    server.shutdown()
    thread.join()
    server.server_close()


class Clock:
    """The time, and however much a test adds to it."""

    def __init__(self) -> None:
        self.ahead = timedelta(0)

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait until something holds."""
    ends = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < ends, f"no {what}"
        time.sleep(0.01)


def posted(slack: FakeSlack) -> list[str]:
    """What channels were told unasked: alerts carry metadata of their own."""
    return [
        str(message["text"])
        for method, message in list(slack.heard)
        if (message.get("metadata") or {}).get("event_type") == METADATA
    ]


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    """A Slack to post to."""
    with fake_slack() as fake:
        yield fake


def test_a_price_that_falls_is_told_without_being_asked(
    slack: FakeSlack,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One process polls a feed, records the price, and posts what crossed a line."""
    settings = Settings(
        home=tmp_path,
        slack_bot_token=SecretStr("xoxb-test"),
        slack_signing_secret=SecretStr(SECRET),
        slack_api_url=f"{slack.url}/api/",
    )
    monkeypatch.setattr("bot.alerts.delivery.IDLE_S", 0.2)
    clock = Clock()
    pin_rates(settings.database)
    moment = timedelta(seconds=0.2)
    pace = Pace(refresh=moment, look=moment)
    caplog.set_level(logging.INFO, "gpucost")
    with price_server() as feed:
        environment = {"GPUCOST_PRICE_FILES": feed.url, "GPUCOST_FEEDS": "own list"}
        feeds = Feeds(environment, Fetcher(network=SyncBackend()))
        with (
            running(settings, feeds, clock=clock, pace=pace) as app,
            http_server(app, settings.model_copy(update={"port": 0})) as server,
        ):
            serving = threading.Thread(target=server.serve_forever, daemon=True)
            serving.start()
            until(lambda: "feed own list: 1 offers" in caplog.text, "first poll")
            assert command(server.server_address, slack, ASKED) == 200
            until(lambda: len(slack.heard) > 0, "answer to the command")
            before = posted(slack)
            feed.price = "1.40"
            clock.ahead = timedelta(hours=2)
            until(lambda: bool(posted(slack)), "alert")
            time.sleep(5 * moment.total_seconds())
            server.shutdown()
            serving.join()

    assert [] == before
    (told,) = posted(slack)
    assert "$2.00 → $1.40" in told
    assert feed.asked == 2
    assert "polls own list" in caplog.text


def test_gpucost_serve_refreshes_and_alerts(slack: FakeSlack, tmp_path: Path) -> None:
    """The program as started polls what is due; who follows it posts what fell."""
    prices = tmp_path / "list.csv"
    prices.write_bytes(price_list("2.00"))
    chosen = {"GPUCOST_PRICE_FILES": str(prices), "GPUCOST_FEEDS": "own list"}
    with managing(slack, tmp_path) as manager:
        settings = load_settings(manager.environment())
        pin_rates(settings.database)
        watch_a_first_price(slack, settings, chosen)
        pass_time(settings.database, timedelta(hours=2))
        prices.write_bytes(price_list("1.40"))

        bot = manager.start(**chosen)
        bot.says("subscriptions: 1, messages waiting: 0")
        # The courier looks again after some seconds: it may be told to stop before.
        file = settings.database
        box = Outbox(engine_of(file))
        until(lambda: box.depth() > 0 or bool(posted(slack)), "news")
        bot.ask_to_stop()

        assert bot.ended() == 0
    with running(settings, Feeds({"GPUCOST_FEEDS": "off"})):
        until(lambda: bool(posted(slack)), "alert")
    (told,) = posted(slack)
    assert "$2.00 → $1.40" in told


def watch_a_first_price(
    slack: FakeSlack, settings: Settings, chosen: dict[str, str]
) -> None:
    """Have the same bot in this process poll once, and be asked for an alert."""
    with (
        running(settings, Feeds(chosen | told(settings.home))) as app,
        http_server(app, settings.model_copy(update={"port": 0})) as server,
    ):
        serving = threading.Thread(target=server.serve_forever, daemon=True)
        serving.start()
        file = settings.database
        until(lambda: polls(file) > 0, "first poll")
        assert command(server.server_address, slack, ASKED) == 200
        slack.wait()
        server.shutdown()
        serving.join()


def pin_rates(database: Path) -> None:
    """Know today's exchange rates, so that nobody on the network is asked for them."""
    book = RateBook(engine_of(database))
    for day in (0, 1):
        today = datetime.now(UTC).date() + timedelta(days=day)
        euro = ExchangeRate(
            currency="EUR", per_usd=Decimal("0.9"), as_of=today, source="this test"
        )
        book.pin(today, [euro])


def polls(database: Path) -> int:
    """How often the list was polled."""
    with engine_of(database).reading() as connection:
        query = "SELECT count(*) FROM polls JOIN sources ON sources.id = source_id"
        row = connection.execute(f"{query} WHERE name = 'own list'").fetchone()
    return int(row[0])


def pass_time(database: Engine, span: timedelta) -> None:
    """Make what is noted so much older."""
    seconds = int(span.total_seconds())
    with database.writing() as connection:
        connection.execute(
            "UPDATE schedule SET next_run_at = next_run_at - ?", [seconds]
        )
        own = "(SELECT id FROM sources WHERE name = 'own list')"
        for query in OLDER:
            connection.execute(query + own, [seconds])


def test_a_feed_that_nobody_knows_is_named(caplog: pytest.LogCaptureFixture) -> None:
    """A misspelt feed is told in the log, never passed over."""
    feeds = Feeds({"GPUCOST_FEEDS": "runpod,vasst"})

    assert feeds.words() == "polls runpod"
    assert "no feed 'vasst'" in caplog.text


def test_feeds_can_be_off() -> None:
    """An operator may want no call to anybody but Slack."""
    assert Feeds({"GPUCOST_FEEDS": "off"}).words() == "polls no price feed"

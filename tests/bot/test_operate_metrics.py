"""Metrics: what happened is counted, labels stay few, and the store is read at ease."""

import logging
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from slack_bolt import App
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler

from bot.config.settings import Settings
from bot.operate.metrics import Metrics
from bot.operate.operations import Operations, operations
from bot.operate.stored import Kept, StoreCollector
from bot.operate.transports import HttpTransport
from bot.question.asking import AskContext
from bot.render.rendering import Renderer
from bot.run.composition import compose
from bot.slack.messenger import Messenger, Place, UndeliveredError
from bot.slack.outcome import ReplyUrl
from core.alerts.letters import Address, Letter
from prices.alerts import outbox
from prices.alerts.tables import prepare_alerts
from prices.guard.quarantine import Quarantine, Suspect
from prices.history.gauges import figures
from tests.bot.fake_slack import FakeSlack, Fault, fake_slack
from tests.bot.samples import ANSWER
from tests.engines import engine_of

CONTEXT = AskContext(surface="command", team_id="T0SECRETTEAM", user_id="U0SECRET")
NOW = datetime(2026, 11, 21, tzinfo=UTC)
QUESTIONS = ("70b inference 50rps", "price h100 spot", "fine-tune zanzibar", "help")


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    """A Slack to call."""
    with fake_slack() as fake:
        yield fake


@pytest.fixture
def operate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Operations:
    """The operator's view of a store with the shipped prices and one polled feed."""
    monkeypatch.setenv("GPUCOST_FEEDS", "gpurentalprices")
    settings = Settings(home=tmp_path)
    compose(settings)
    return operations(settings)


def page(operate: Operations, path: str = "/metrics") -> str:
    """What a page says."""
    chunks = operate.pages(
        {"PATH_INFO": path, "REQUEST_METHOD": "GET"}, lambda *_: lambda _: None
    )
    return b"".join(chunks).decode()


def samples(operate: Operations) -> dict[tuple[str, ...], float]:
    """Every sample on the page, by its name and the values of its labels."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(page(operate))
        for sample in family.samples
    }


def test_answers_are_counted_by_intent_and_outcome(
    operate: Operations, tmp_path: Path
) -> None:
    """What was asked, what came of it, and how long it took, with no question in it."""
    answers = operate.observed(compose(Settings(home=tmp_path)))

    views = [answers.ask(question, context=CONTEXT) for question in QUESTIONS]
    found = samples(operate)

    assert views[0].kind == "answer"
    assert found["gpucost_answers_total", "size", "answer"] == 1
    assert found["gpucost_answers_total", "price", "answer"] == 1
    assert found["gpucost_answers_total", "none", "help"] == 1
    assert found["gpucost_readings_total", "clarify"] == 1
    assert found["gpucost_answer_seconds_count", "size"] >= 1
    text = page(operate)
    for private in ("T0SECRETTEAM", "U0SECRET", "zanzibar"):
        assert private not in text


def test_an_observed_answer_is_the_same(operate: Operations, tmp_path: Path) -> None:
    """Whoever counts changes nothing."""
    plain = compose(Settings(home=tmp_path), clock=lambda: NOW)
    answers = operate.observed(plain)

    asked = answers.ask(QUESTIONS[0], context=CONTEXT)
    kept = plain.recall(asked.id, context=CONTEXT)

    assert kept == answers.recall(asked.id, context=CONTEXT)
    assert asked.verdict == kept.verdict if kept else False
    assert plain.why(asked.id, context=CONTEXT) == answers.why(
        asked.id, context=CONTEXT
    )
    query = answers.query_of(asked.id, context=CONTEXT)
    assert plain.query_of(asked.id, context=CONTEXT) == query
    assert plain.catalog(CONTEXT).version == answers.catalog(CONTEXT).version


def test_every_attempt_to_call_slack_is_counted(
    slack: FakeSlack, operate: Operations
) -> None:
    """A 429 that was retried, a refusal and a fault are told apart."""
    slack.faults["chat.postMessage"] = [
        Fault(429, "{}"),
        Fault(),
        Fault(503, "busy"),
        Fault(said="channel_not_found"),
    ]
    client = WebClient(
        "xoxb-1",
        f"{slack.url}/api/",
        retry_handlers=[RateLimitErrorRetryHandler(max_retry_count=1)],
    )
    operate.metrics.watch(operate.metrics.watch(client))

    client.chat_postMessage(channel="C0SECRET", text="x")
    for _ in range(2):
        with pytest.raises(SlackApiError):
            client.chat_postMessage(channel="C0SECRET", text="x")
    WebClient.auth_test(client)
    gone = WebClient("xoxb-1", "http://127.0.0.1:1/api/", retry_handlers=[])
    with pytest.raises(OSError, match="refused"):
        operate.watched(lambda team: gone)("T1").api_test()
    found = samples(operate)

    name, method = "gpucost_slack_calls_total", "chat.postMessage"
    assert found[name, method, "rate_limited"] == 1
    assert found[name, method, "ok"] == 1
    assert found[name, method, "server_error"] == 1
    assert found[name, method, "refused"] == 1
    assert found[name, "auth.test", "ok"] == 1
    assert found[name, "api.test", "unreachable"] == 1


def test_replies_through_a_response_url_are_counted(
    slack: FakeSlack, operate: Operations, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is tried again counts each time; a link that is worn out not at all."""
    monkeypatch.setattr("slack_sdk.http_retry.handler.time.sleep", lambda _: None)
    slack.faults["/hook"] = [
        Fault(429, "ratelimited"),
        Fault(503, "busy"),
        Fault(200, "ok", taken=True),
    ]
    messenger = Messenger(Renderer(), pause=lambda seconds: None)
    messenger.replied = operate.metrics.replied

    messenger.reply(ReplyUrl(f"{slack.url}/hook"), "T1", ANSWER, Place())
    with pytest.raises(UndeliveredError):
        messenger.reply(ReplyUrl("http://127.0.0.1:1", uses=5), "T1", ANSWER, Place())
    with pytest.raises(UndeliveredError):
        messenger.reply(ReplyUrl("http://127.0.0.1:1"), "T1", ANSWER, Place())
    slack.refuse = lambda message: (429, "slow down")
    with pytest.raises(UndeliveredError):
        messenger.reply(ReplyUrl(f"{slack.url}/hook"), "T1", ANSWER, Place())

    found = samples(operate)
    name = "gpucost_slack_calls_total"
    # One that was heeded, and three of a Slack that says nothing else.
    assert {"ok": 1, "server_error": 1, "unreachable": 1, "rate_limited": 4} == {
        key[2]: count
        for key, count in found.items()
        if key[:2] == (name, "response_url")
    }


def test_complaints_are_counted(operate: Operations) -> None:
    """A warning counts as one, a mere remark as none."""
    logger = logging.getLogger("gpucost.test.metrics")
    logger.propagate = False
    operate.metrics.watch_logs(logger)

    logger.setLevel(logging.INFO)
    logger.info("a remark")
    logger.warning("a warning")
    logger.error("an error")

    found = samples(operate)
    assert found["gpucost_log_records_total", "warning"] == 1
    assert found["gpucost_log_records_total", "error"] == 1


def test_an_acknowledgement_that_fails_is_timed_too(operate: Operations) -> None:
    """A listener that raises is a 500, and its time counts."""
    with pytest.raises(ValueError, match="x"), operate.metrics.acknowledging("http"):
        raise ValueError("x")

    assert samples(operate)["gpucost_ack_seconds_count", "500", "http"] == 1


def test_what_nobody_signed_is_counted_apart(operate: Operations) -> None:
    """Anybody can send it: the figures that page somebody do not move."""
    app = App(signing_secret="s", token="x", token_verification_enabled=False)  # noqa: S106 - made up
    door = HttpTransport(app, operate, "s")
    for path, body in (("/slack/events", b"\xff\xfe"), ("/slack/events", b"{}")):
        environ = {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": path,
            "wsgi.input": BytesIO(body),
        }
        door(environ, lambda *_: None)  # type: ignore[arg-type,return-value]

    found = samples(operate)
    assert found["gpucost_unsigned_requests_total", "401"] == 2
    assert not [key for key in found if key[0].startswith("gpucost_ack_seconds")]
    assert not [key for key in found if key[0].startswith("gpucost_log_records")]


def test_the_store_is_measured_when_it_is_asked(
    operate: Operations, tmp_path: Path
) -> None:
    """Feeds, offers, what is held back and what waits come from the database."""
    file = Settings(home=tmp_path).database
    prepare_alerts(engine_of(file))
    Quarantine(engine_of(file)).note(
        "gpurentalprices", [Suspect("jump", "h100", "up 9×")], NOW
    )
    due = datetime.now(UTC) - timedelta(minutes=10)
    with engine_of(file).writing() as connection:
        for at in (due, due + timedelta(days=1)):
            outbox.queue(connection, Address(team_id="T1", channel_id="C1"),
                         Letter(kind="alerts", at=at))  # fmt: skip

    found = samples(operate)

    assert found["gpucost_store_readable",] == 1
    assert found["gpucost_store_bytes",] > 100_000
    assert found["gpucost_feed_offers", "gpurentalprices"] > 100
    assert found["gpucost_feed_failing", "gpurentalprices"] == 0
    assert found["gpucost_feed_interval_seconds", "gpurentalprices"] > 60
    observed = found["gpucost_feed_observed_timestamp_seconds", "gpurentalprices"]
    assert datetime(2026, 8, 1, tzinfo=UTC).timestamp() < observed
    assert found["gpucost_quarantined_prices", "gpurentalprices"] == 1
    assert found["gpucost_outbox_messages",] == 1
    assert 590 < found["gpucost_outbox_oldest_seconds",] < 700
    assert found["process_resident_memory_bytes",] > 1e7


def test_a_message_that_is_tried_again_and_again_grows_old(tmp_path: Path) -> None:
    """That its next attempt is soon makes an old message no younger."""
    file = Settings(home=tmp_path).database
    compose(Settings(home=tmp_path))
    prepare_alerts(engine_of(file))
    written, now = datetime.now(UTC) - timedelta(hours=3), time.time()
    with engine_of(file).writing() as connection:
        address = Address(team_id="T1", channel_id="C1")
        outbox.queue(connection, address, Letter(kind="alerts", at=written))
        message = outbox.take(connection, "me", now, 60)
        assert message is not None
        outbox.trying(connection, message, "me", now, 60)
        outbox.again(connection, message, now + 600, refused=True)

    waiting = figures(engine_of(file)).outbox

    assert waiting.messages == 1
    assert waiting.since == int(written.timestamp())


def test_scrapes_in_a_row_read_the_store_once() -> None:
    """Whoever asks often gets what was read some seconds ago."""
    reads: list[int] = []
    kept = Kept(lambda: reads.append(1) or len(reads), seconds=60)  # type: ignore[func-returns-value]
    fresh = Kept(lambda: reads.append(1) or len(reads), seconds=0)  # type: ignore[func-returns-value]

    assert [1, 1] == [kept(), kept()]
    assert [2, 3] == [fresh(), fresh()]


def test_a_store_that_cannot_be_read_is_said_so(tmp_path: Path) -> None:
    """A broken file takes neither the page down nor the other metrics."""
    (tmp_path / "gpucost.sqlite3").write_bytes(b"no database" * 1000)
    metrics = Metrics(StoreCollector(engine_of(tmp_path / "gpucost.sqlite3")))

    assert metrics.registry.get_sample_value("gpucost_store_readable") == 0
    assert metrics.registry.get_sample_value("process_open_fds")
    assert metrics.registry.get_sample_value("gpucost_store_bytes") is None


def test_a_scrape_costs_little(operate: Operations) -> None:
    """With the shipped prices, a scrape that reads the store takes milliseconds."""
    began = time.thread_time()
    page(operate)

    assert time.thread_time() - began < 0.25

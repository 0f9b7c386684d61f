"""What Prometheus reads: answers, acknowledgements, calls to Slack, faults.

One object holds them all, made where the program is put together. No label names a
team, a person or a question, and each has few values.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
)
from prometheus_client.registry import Collector
from slack_sdk import WebClient
from slack_sdk.http_retry import HttpRequest, HttpResponse, RetryHandler, RetryState

from bot.slack.outcome import Outcome
from core.wording import say

ANSWER_S: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
ACK_S: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 10)
"""Slack gives an acknowledgement three seconds."""

NOT_CALLED: Final = ("expired_url", "used_url")
NO_ANSWER: Final = ("unreachable", "no_answer")
"""Outcomes that are our own words, not Slack's."""


class Metrics:
    """Everything that is counted, and the registry that it is read from."""

    def __init__(self, *collectors: Collector) -> None:
        self.registry = CollectorRegistry()
        self.answers = self._counter(
            "gpucost_answers",
            say("metrics.answers"),
            "intent",
            "outcome",
        )
        self.answer_seconds = self._histogram(
            "gpucost_answer_seconds", say("metrics.answer_seconds"), ANSWER_S, "intent"
        )
        self.readings = self._counter(
            "gpucost_readings",
            say("metrics.readings"),
            "reading",
        )
        self.ack_seconds = self._histogram(
            "gpucost_ack_seconds",
            say("metrics.ack_seconds"),
            ACK_S,
            "transport",
            "status",
        )
        self.unsigned = self._counter(
            "gpucost_unsigned_requests",
            say("metrics.unsigned_requests"),
            "status",
        )
        self.slack_calls = self._counter(
            "gpucost_slack_calls",
            say("metrics.slack_calls"),
            "method",
            "outcome",
        )
        self.log_records = self._counter(
            "gpucost_log_records", say("metrics.log_records"), "level"
        )
        for collector in (ProcessCollector(registry=None), *collectors):
            self.registry.register(collector)

    def _counter(self, name: str, what: str, *labels: str) -> Counter:
        return Counter(name, what, labels, registry=self.registry)

    def _histogram(
        self, name: str, what: str, buckets: tuple[float, ...], *labels: str
    ) -> Histogram:
        return Histogram(name, what, labels, buckets=buckets, registry=self.registry)

    @contextmanager
    def acknowledging(self, transport: str) -> Iterator["Ack"]:
        """Time one request; the block says what status it got."""
        ack, began = Ack(), perf_counter()
        try:
            yield ack
        finally:
            spent = perf_counter() - began
            self.ack_seconds.labels(transport, str(ack.status)).observe(spent)

    def watch(self, client: WebClient) -> WebClient:
        """Count every attempt of a client, and of those that Bolt makes like it."""
        if not any(isinstance(each, _Attempts) for each in client.retry_handlers):
            client.retry_handlers.insert(0, _Attempts(self.slack_calls))
        return client

    def replied(self, outcome: Outcome) -> None:
        """Count one use of a response_url, which is no method of the Web API."""
        if outcome.limited:
            limited = self.slack_calls.labels("response_url", "rate_limited")
            limited.inc(outcome.limited)
        if outcome.code not in NOT_CALLED:
            self.slack_calls.labels("response_url", _reply(outcome.code)).inc()

    def watch_logs(self, logger: logging.Logger) -> None:
        """Count what a logger and all below it complain about."""
        logger.addHandler(_Complaints(self.log_records))


class Ack:
    """How a request ended; 500 where it never said."""

    status = 500


class _Attempts(RetryHandler):
    """Sees every attempt, and asks for no other."""

    def __init__(self, calls: Counter) -> None:
        super().__init__(max_retry_count=0)
        self._calls = calls

    def can_retry(
        self,
        *,
        state: RetryState,
        request: HttpRequest,
        response: HttpResponse | None = None,
        error: Exception | None = None,
    ) -> bool:
        """Count, and leave the decision to the others."""
        method = request.url.rsplit("/", 1)[-1].partition("?")[0]
        self._calls.labels(method, _outcome(response)).inc()
        return False


def _outcome(response: HttpResponse | None) -> str:
    if response is None:
        return "unreachable"
    said = (response.body or {}).get("error", "")
    if response.status_code == 429 or said == "ratelimited":
        return "rate_limited"
    if response.status_code >= 500:
        return "server_error"
    return "refused" if said or response.status_code >= 400 else "ok"


def _reply(code: str) -> str:
    if not code:
        return "ok"
    if code.startswith("HTTP 5"):
        return "server_error"
    known = {"ratelimited": "rate_limited"} | dict.fromkeys(NO_ANSWER, "unreachable")
    return known.get(code, "refused")


class _Complaints(logging.Handler):
    def __init__(self, records: Counter) -> None:
        super().__init__(logging.WARNING)
        self._records = records

    def emit(self, record: logging.LogRecord) -> None:
        """Count one."""
        self._records.labels(record.levelname.lower()).inc()

"""What came of a call to Slack: taken, refused, or nobody knows."""

import json
import ssl
import time
from collections.abc import Callable
from functools import cache
from http.client import HTTPException
from typing import Any, Final
from urllib.error import URLError

from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry import RetryHandler
from slack_sdk.http_retry.builtin_handlers import (
    ConnectionErrorRetryHandler,
    RateLimitErrorRetryHandler,
)
from slack_sdk.webhook import WebhookClient, WebhookResponse

from core.checked import Checked

Message = dict[str, Any]
TIMEOUT_SECONDS: Final = 10
LIMITED_TIMES: Final = 2
USES: Final = 5
LIFETIME_SECONDS: Final = 30 * 60
"""docs.slack.dev/interactivity/handling-user-interaction: a response_url's limits."""

_REFUSALS: Final = ("invalid_blocks", "msg_blocks_too_long", "msg_too_long")
# Slack's own words for these: part of the operation may have succeeded.
_UNSURE: Final = frozenset({"internal_error", "fatal_error", "request_timeout"})


class Outcome(Checked):
    """Slack's error code, "" when the message was taken."""

    code: str = ""
    sure: bool = True
    """False: the message may have been taken although nobody said so."""
    limited: int = 0
    """How many times Slack first said to come again later, and was heeded."""

    @property
    def taken(self) -> bool:
        """Whether Slack has the message."""
        return not self.code

    @property
    def too_long(self) -> bool:
        """Whether the content is refused for its size alone."""
        return "too_long" in self.code

    @property
    def about_blocks(self) -> bool:
        """Whether the same content may pass in plainer blocks."""
        return any(code in self.code for code in _REFUSALS)


def of_api(call: Callable[[], object]) -> Outcome:
    """Make a call of the Web API."""
    try:
        call()
    except SlackApiError as error:
        return _of_status(error.response.status_code, error.response.get("error"))
    except (URLError, OSError, HTTPException) as error:
        return _of_network(error)
    return Outcome()


@cache
def tls() -> ssl.SSLContext:
    """Return TLS for every call to Slack, as the client itself would make it each time.

    The machine's certificates take some 30 ms of processor to load.
    """
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


def of_hook(url: str, message: Message) -> Outcome:
    """Send a message through a response_url."""
    limits = _Heeded(max_retry_count=LIMITED_TIMES)
    hook = WebhookClient(
        url,
        timeout=TIMEOUT_SECONDS,
        ssl=tls(),
        retry_handlers=[*_unsent(), limits],
    )
    try:
        response = hook.send_dict(message)
    except (URLError, OSError, HTTPException) as error:
        outcome = _of_network(error)
    else:
        outcome = _of_status(response.status_code, _refusal(response))
    return outcome.model_copy(update={"limited": limits.count})


def _of_status(status: int, code: str | None) -> Outcome:
    if status >= 500:
        return Outcome(code=f"HTTP {status}", sure=False)
    if status == 200 and not code:
        return Outcome()
    code = "ratelimited" if status == 429 else code or f"HTTP {status}"
    return Outcome(code=code, sure=code not in _UNSURE)


def _of_network(error: Exception) -> Outcome:
    # urllib wraps what happens before the request is out; afterwards, it does not.
    unsent = isinstance(error, URLError)
    return Outcome(code="unreachable" if unsent else "no_answer", sure=unsent)


def _refusal(response: WebhookResponse) -> str:
    """Read the error code of a response_url call: "ok", bare words or JSON."""
    try:
        said = json.loads(response.body)
    except ValueError:
        said = None
    if isinstance(said, dict):
        return "" if said.get("ok", True) else str(said.get("error"))
    return "" if response.status_code == 200 else response.body.strip()[:200]


def retry_handlers() -> list[RetryHandler]:
    """Retry what never reached Slack, and wait as long as a 429 says.

    slack_sdk's default also retries connections that broke while Slack was answering:
    that would post a message twice.
    """
    return [*_unsent(), RateLimitErrorRetryHandler(max_retry_count=LIMITED_TIMES)]


def _unsent() -> list[RetryHandler]:
    return [ConnectionErrorRetryHandler(error_types=[URLError])]


class _Heeded(RateLimitErrorRetryHandler):
    """Waits as long as a 429 says, and counts how often."""

    count = 0

    def prepare_for_next_attempt(self, **what: Any) -> None:
        """Count, then wait."""
        self.count += 1
        super().prepare_for_next_attempt(**what)


class ReplyUrl:
    """A response_url with its uses counted, so that none is spent in vain."""

    def __init__(self, url: str, since: float | None = None, uses: int = 0) -> None:
        self.url = url
        self.since = time.time() if since is None else since
        """When it was handed out, in seconds since 1970."""
        self.uses = uses
        self.waiting = False
        """Whether it was last used to say that work goes on."""

    @property
    def left(self) -> int:
        """How often it may still be used."""
        return max(USES - self.uses, 0)

    def send(self, message: Message) -> Outcome:
        """Use it once more, unless it is worn out or too old."""
        if time.time() - self.since > LIFETIME_SECONDS:
            return Outcome(code="expired_url")
        if self.uses >= USES:
            return Outcome(code="used_url")
        self.uses += 1
        return of_hook(self.url, message)

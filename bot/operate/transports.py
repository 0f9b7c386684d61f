"""The two transports that Slack uses: signed HTTP requests, and a socket."""

import json
import logging
import time
from collections.abc import Iterable
from io import BytesIO
from threading import Condition
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl

from slack_bolt import App, BoltRequest, BoltResponse
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_bolt.adapter.socket_mode.internals import run_bolt_app, send_response
from slack_bolt.adapter.wsgi import SlackRequestHandler
from slack_bolt.request.internals import parse_body
from slack_sdk.socket_mode.builtin import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest

from bot.operate.operations import Operations
from bot.operate.pages import answer
from bot.operate.payload_schema import odd, odd_request
from bot.operate.signatures import Signatures
from bot.operate.slack_time import SlackTime
from bot.slack.listeners.claims import INSTEAD
from bot.slack.listeners.words import wrong_clock_view
from bot.slack.requests import handling
from core.wording import say

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

logger = logging.getLogger(__name__)

PATH: Final = "/slack/events"
SETTLE_S: Final = 5.0
CHECK_BYTES: Final = 500
WRONG_CLOCK: Final = say("operate.clock_wrong")


class HttpTransport:
    """Take Slack's requests, and the probes of whoever stands before us."""

    def __init__(
        self,
        app: App,
        operate: Operations,
        signing_secret: str,
        at_slack: SlackTime | None = None,
    ) -> None:
        self._signatures = Signatures(signing_secret, at_slack=at_slack)
        self._app = app
        self._slack = SlackRequestHandler(app, PATH)
        self._metrics = operate.metrics
        self._public = operate.pages.public
        operate.readiness.need("clock", self._signatures.in_step, WRONG_CLOCK)

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Answer one request as WSGI."""
        path = environ.get("PATH_INFO", "")
        if page := self._public.get(path):
            return answer(environ, start_response, page(""))
        known_as = environ.get("HTTP_X_SLACK_REQUEST_ID", "")
        with handling(known_as or environ.get("HTTP_X_REQUEST_ID", "")):
            if path != PATH:
                return self._visited(environ, start_response)
            try:
                body = environ["wsgi.input"].read()
            except Exception as fault:  # noqa: BLE001 - whatever a stranger sent
                return self._strange(start_response, fault)
            if _certificate_check(environ, body):
                return self._unsigned(start_response, "200 OK")
            if environ["REQUEST_METHOD"] != "POST":
                return self._visited(environ, start_response)
            when = self._signatures.time_of(environ, body)
            if when == "now":
                return self._signed(environ, start_response, body)
            if when != "never" and _is_typed(body):
                return self._out_of_step(start_response)
            if when == "there" and self._told_elsewhere(environ, body):
                return self._unsigned(start_response, "200 OK")
            logger.info("refused a request that Slack did not sign, or too old")
            return self._unsigned(start_response, "401 Unauthorized")

    def _visited(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Show a page for visitors: what they bring nobody signed, and nobody reads."""
        unread = {"wsgi.input": BytesIO(), "CONTENT_LENGTH": "0"}
        try:
            return self._slack(environ | unread, start_response)
        except Exception as fault:  # noqa: BLE001 - whatever a stranger sent
            return self._strange(start_response, fault)

    def _strange(
        self, start_response: "StartResponse", fault: Exception
    ) -> Iterable[bytes]:
        """Refuse what broke its reader; a stranger causes no error of ours."""
        logger.info("refused an unsigned request: %s", type(fault).__name__)
        return self._unsigned(start_response, "400 Bad Request")

    def _unsigned(
        self, start_response: "StartResponse", status: str
    ) -> Iterable[bytes]:
        """Answer whom nobody vouches for; counted apart, as nobody is paged for it."""
        self._metrics.unsigned.labels(status[:3]).inc()
        return _nothing(start_response, status)

    def _out_of_step(self, start_response: "StartResponse") -> Iterable[bytes]:
        """Tell whoever typed a command why nothing is done; a recording learns no more.

        Slack shows the body of a command's answer to its asker.
        """
        self._metrics.unsigned.labels("200").inc()
        said = {"response_type": "ephemeral", "text": say("slack.my_clock_is_wrong")}
        body = json.dumps(said).encode()
        headers = [("content-type", "application/json")]
        start_response("200 OK", [*headers, ("content-length", str(len(body)))])
        return [body]

    def _told_elsewhere(self, environ: "WSGIEnvironment", body: bytes) -> bool:
        """Write to whoever pressed or mentioned why nothing is done, and no more."""
        if _odd(environ, body):
            return False
        kind = environ.get("CONTENT_TYPE", "").partition(";")[0] or None
        instead = {INSTEAD: wrong_clock_view()}
        read: Any = parse_body(body.decode(), kind)
        request = BoltRequest(body=read, mode="socket_mode", context=instead)
        return bool(self._app.dispatch(request).status == 200)

    def _signed(
        self, environ: "WSGIEnvironment", start_response: "StartResponse", body: bytes
    ) -> Iterable[bytes]:
        """Let nobody but Slack have a body parsed: Bolt checks after it has."""
        with self._metrics.acknowledging("http") as ack:

            def noted(status: str, headers: Any, *fault: Any) -> Any:
                ack.status = int(status[:3])
                return start_response(status, headers, *fault)

            if said := _odd(environ, body):
                logger.warning("refused a signed request: %s", said)
                return _nothing(noted, "400 Bad Request")
            return self._slack(environ | {"wsgi.input": BytesIO(body)}, noted)


def _nothing(start_response: "StartResponse", status: str) -> Iterable[bytes]:
    start_response(status, [("content-length", "0")])
    return [b""]


def _odd(environ: "WSGIEnvironment", body: bytes) -> str:
    try:
        return odd_request(body, environ.get("CONTENT_TYPE", ""))
    except ValueError:
        return say("operate.request_not_as_promised")
    except RecursionError:
        return say("operate.request_too_deep")


def _is_typed(body: bytes) -> bool:
    """Whether a body is a slash command's."""
    return "command" in dict(parse_qsl(body.decode(errors="replace")))


def _certificate_check(environ: "WSGIEnvironment", body: bytes) -> bool:
    """Tell the request by which Slack looks at a certificate; it signs none of them.

    docs.slack.dev/interactivity/implementing-slash-commands: "ssl_check" is 1, and a
    200 all that is wanted. Nothing else is read of it, and nothing done.
    """
    if environ["REQUEST_METHOD"] == "POST":
        said = body[:CHECK_BYTES].decode(errors="replace")
    else:
        said = environ.get("QUERY_STRING", "")[:CHECK_BYTES]
    return ("ssl_check", "1") in parse_qsl(said)


class SocketTransport(SocketModeHandler):
    """Take what comes over the socket, and know when nothing is under way."""

    def __init__(self, app: App, operate: Operations, token: str, **kept: Any) -> None:
        super().__init__(app, token, **kept)
        self._metrics = operate.metrics
        self._under_way = 0
        self._news = Condition()

    def handle(self, client: SocketModeClient, req: SocketModeRequest) -> None:  # type: ignore[override]
        """Acknowledge one envelope."""
        self._count(1)
        try:
            with (
                handling(req.envelope_id),
                self._metrics.acknowledging("socket") as ack,
            ):
                began = time.time()
                response = self._response(req)
                ack.status = response.status
                send_response(client, req, response, began)
        finally:
            self._count(-1)

    def _response(self, req: SocketModeRequest) -> BoltResponse:
        if said := odd(req.payload):
            # Acknowledged all the same: it would only come again.
            logger.warning("left an envelope aside: %s", said)
            return BoltResponse(status=200)
        return run_bolt_app(self.app, req)  # type: ignore[no-any-return]

    def settle(self) -> None:
        """Wait for a moment at which every envelope taken is acknowledged.

        Nothing that Slack sent is then lost by hanging up.
        """
        end = time.monotonic() + SETTLE_S
        with self._news:
            while not self._quiet() and time.monotonic() < end:
                self._news.wait(0.02)

    def _quiet(self) -> bool:
        return not self._under_way and self.client.message_queue.empty()

    def _count(self, change: int) -> None:
        with self._news:
            self._under_way += change
            self._news.notify_all()

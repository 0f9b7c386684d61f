"""Bring a Slack app to Slack: over a socket, or over signed HTTP requests."""

import logging
import signal
import threading
from collections.abc import Iterable
from http import HTTPStatus
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING, Final
from wsgiref.simple_server import (
    ServerHandler,
    WSGIRequestHandler,
    WSGIServer,
    make_server,
)

from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_bolt.adapter.wsgi import SlackRequestHandler

from bot.app import secret, web_client
from bot.install.wiring import lacking
from bot.settings import VARIABLES, Settings

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

logger = logging.getLogger(__name__)

PATH: Final = "/slack/events"
BODY_BYTES: Final = 1_000_000
LINE_BYTES: Final = 65_536
SOCKET_WORKERS: Final = 32


def missing(settings: Settings, http: bool) -> list[str]:
    """Name the variables that serving needs and nobody set.

    Without a signing secret anybody could sign a request: HTTP is refused then.
    """
    other = "slack_signing_secret" if http else "slack_app_token"
    needed = {
        other: settings.slack_signing_secret if http else settings.slack_app_token,
    }
    if not settings.many_workspaces:
        needed = {"slack_bot_token": settings.slack_bot_token} | needed
    unset = [VARIABLES[field] for field, value in needed.items() if not secret(value)]
    return unset + lacking(settings)


def serve(app: App, settings: Settings, http: bool = False) -> None:
    """Serve until SIGTERM or SIGINT, then finish the answers under way."""
    if lacking := missing(settings, http):
        raise ValueError(f"not set: {', '.join(lacking)}")
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    (serve_http if http else serve_socket)(app, settings, stop)
    app.listener_runner.listener_executor.shutdown(wait=True)


def serve_socket(app: App, settings: Settings, stop: threading.Event) -> None:
    """Hold a Socket Mode connection open until told to stop."""
    handler = SocketModeHandler(
        app,
        secret(settings.slack_app_token),
        web_client=web_client(settings, settings.slack_app_token),
        concurrency=SOCKET_WORKERS,
    )
    handler.connect()  # type: ignore[no-untyped-call]
    logger.info("connected to Slack over Socket Mode")
    stop.wait()
    handler.close()  # type: ignore[no-untyped-call]


def serve_http(app: App, settings: Settings, stop: threading.Event) -> None:
    """Take signed requests on the configured address until told to stop."""
    with http_server(app, settings) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        host, port = server.server_address[:2]
        logger.info("listening on http://%s:%s%s", host, port, PATH)
        stop.wait()
        server.shutdown()
        thread.join()


def http_server(app: App, settings: Settings) -> WSGIServer:
    """Bind the server; the loopback address unless the settings say otherwise."""
    return make_server(
        settings.host, settings.port, Gate(app), _ThreadedServer, _QuietHandler
    )


class Gate:
    """Turn away what Slack never sends, before Bolt reads it."""

    def __init__(self, app: App) -> None:
        self._slack = SlackRequestHandler(app, PATH)

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Answer one request as WSGI."""
        length = environ.get("CONTENT_LENGTH") or "0"
        if not length.isdigit() or int(length) > BODY_BYTES:
            return _refuse(start_response, "413 Request Entity Too Large")
        try:
            return self._slack(environ, start_response)
        except ValueError:
            # Neither UTF-8 nor the JSON or form that its header promises.
            return _refuse(start_response, "400 Bad Request")


def _refuse(start_response: "StartResponse", status: str) -> Iterable[bytes]:
    start_response(status, [("content-length", "0")])
    return [b""]


class _ThreadedServer(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    # A connection that finds no place here is tried again a second later.
    request_queue_size = 1024


class _ClosingHandler(ServerHandler):
    """Say that the connection ends here: some clients would send the next request."""

    request_handler: WSGIRequestHandler

    def send_preamble(self) -> None:
        super().send_preamble()
        self._write(b"Connection: close\r\n")


class _QuietHandler(WSGIRequestHandler):
    # A client that sends its body too slowly must not hold a thread.
    timeout = 15

    def log_message(self, format: str, *args: object) -> None:
        logger.debug(format, *args)

    def handle(self) -> None:
        # As in wsgiref, which names its own handler here.
        self.raw_requestline = self.rfile.readline(LINE_BYTES + 1)
        if len(self.raw_requestline) > LINE_BYTES:
            self.requestline = self.request_version = self.command = ""
            self.send_error(HTTPStatus.REQUEST_URI_TOO_LONG)
        elif self.parse_request():
            handler = _ClosingHandler(
                self.rfile,
                self.wfile,  # type: ignore[arg-type]
                self.get_stderr(),
                self.get_environ(),
            )
            handler.request_handler = self
            handler.run(self.server.get_app())  # type: ignore[attr-defined]

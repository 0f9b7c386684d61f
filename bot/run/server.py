"""Bring a Slack app to Slack: over a socket, or over signed HTTP requests."""

import logging
import socket
import threading
import time
from typing import Final

from slack_bolt import App

from bot.config.settings import VARIABLES, Settings
from bot.install.wiring import lacking
from bot.operate import systemd
from bot.operate.handover import Handover, take_over
from bot.operate.operations import Operations, operations, probed
from bot.operate.signatures import LASTS_S
from bot.operate.slack_time import SlackTime
from bot.operate.stopping import Stop
from bot.operate.transports import PATH, HttpTransport, SocketTransport
from bot.operate.webserver import Limits, WebServer, listening
from bot.run.app import secret, web_client
from core.wording import say

__all__ = ["PATH", "http_server", "missing", "serve"]

logger = logging.getLogger(__name__)

BODY_BYTES: Final = 1_000_000
HTTP_WORKERS: Final = 64
"""Each waits for its delivery to be written down, and those who wait share a write."""
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


def serve(
    app: App,
    settings: Settings,
    http: bool = False,
    operate: Operations | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT, then finish the answers under way."""
    if unset := missing(settings, http):
        raise ValueError(f"not set: {', '.join(unset)}")
    operate = operate or operations(settings)
    operate.metrics.watch(app.client)
    # Whoever finds the program healthy may tell it to stop.
    stop = Stop(settings.drain_seconds + settings.stop_seconds)
    stop.listen()
    with probed(settings, operate.pages):
        (serve_http if http else serve_socket)(app, settings, operate, stop)
        app.listener_runner.listener_executor.shutdown(wait=True)


def serve_socket(app: App, settings: Settings, operate: Operations, stop: Stop) -> None:
    """Hold a Socket Mode connection open until told to stop."""
    transport = SocketTransport(
        app,
        operate,
        secret(settings.slack_app_token),
        web_client=web_client(settings, settings.slack_app_token),
        concurrency=SOCKET_WORKERS,
    )
    followers = Handover()
    operate.readiness.need("slack", transport.client.is_connected, say("run.no_socket"))
    transport.connect()  # type: ignore[no-untyped-call]
    logger.info("connected to Slack over Socket Mode")
    _until_told(stop, operate, followers)
    transport.settle()
    transport.close()  # type: ignore[no-untyped-call]


def serve_http(app: App, settings: Settings, operate: Operations, stop: Stop) -> None:
    """Take signed requests until told to stop, on a socket handed over or our own."""
    handed = systemd.handed_over()
    listener = handed or listening(settings.host, settings.port)
    followers = Handover(listener)
    at_slack = SlackTime()
    with (
        at_slack.kept(app.client, LASTS_S),
        http_server(app, settings, operate, listener, at_slack) as server,
    ):
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        logger.info("listening on http://%s:%s%s", *server.server_address, PATH)
        _until_told(stop, operate, followers)
        if not followers.begun:
            time.sleep(settings.drain_seconds)
        server.shared = handed is not None or followers.begun
        server.shutdown()
        thread.join()


def _until_told(stop: Stop, operate: Operations, followers: Handover) -> None:
    stop.restart = followers.start
    take_over()
    stop.wait()
    logger.info("told to stop: finishing what is under way")
    operate.readiness.stopping = True
    if not followers.begun:
        # The service as such stops only where nobody takes over.
        systemd.tell("STOPPING=1")


def http_server(
    app: App,
    settings: Settings,
    operate: Operations | None = None,
    listener: socket.socket | None = None,
    at_slack: SlackTime | None = None,
) -> WebServer:
    """Make the server; the loopback address unless the settings say otherwise."""
    return WebServer(
        HttpTransport(
            app,
            operate or operations(settings),
            secret(settings.slack_signing_secret),
            at_slack,
        ),
        listener or listening(settings.host, settings.port),
        Limits(HTTP_WORKERS, BODY_BYTES, settings.trusted_proxy),
    )

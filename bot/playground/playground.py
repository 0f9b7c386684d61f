"""Put the parts together: a Slack on loopback, the real bot, and the page."""

import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from msgspec import Struct
from slack_bolt import App

from bot.config.secret import SecretStr
from bot.config.settings import Settings
from bot.playground.examples import EXAMPLES
from bot.playground.loopback import HOST, listening
from bot.playground.signed_client import SignedClient
from bot.playground.site import PageContext, Shortcut, Site
from bot.playground.stack import Stack
from bot.playground.visitor import Visitor
from bot.playground.web_api import API, WebApi
from bot.playground.workspace import BOT_USER, CHANNEL, DIRECT, YOU, Workspace
from bot.run.server import http_server
from bot.slack.listeners.commands import COMMAND
from bot.slack.listeners.shortcuts import ASK_ANYWHERE, PRICE_THIS
from core.wording import say
from prices.database.connection import Engine
from prices.records.audit import prepare_audit
from prices.records.erasing import erase, teams

SHORTCUTS: Final = (
    Shortcut(
        callback_id=ASK_ANYWHERE, label=say("playground.ask_anywhere"), on_message=False
    ),
    Shortcut(
        callback_id=PRICE_THIS, label=say("playground.price_this"), on_message=True
    ),
)
"""As the manifest names them."""

RunApp = Callable[[Settings], AbstractContextManager[App]]


class Playground(Struct, frozen=True):
    """What runs: where the page is, the workspace behind it, and who visits."""

    url: str
    token: str
    """What the page sends with each call."""
    slack_url: str
    bot_address: tuple[str, int]
    workspace: Workspace
    stack: Stack
    visitor: Visitor


@contextmanager
def playing(home: Path, run_app: RunApp, port: int = 0) -> Iterator[Playground]:
    """Run it all on loopback until the block ends; secrets are new every time."""
    workspace = Workspace()
    stack = Stack(workspace)
    token, secret = f"xoxb-{secrets.token_hex(16)}", secrets.token_hex(32)
    api = WebApi(workspace, stack, token)
    with listening(api) as slack, _bot(home, run_app, slack, token, secret) as address:
        slack_url = f"http://{slack[0]}:{slack[1]}"
        client = SignedClient(workspace, address, secret)
        database = Settings(home=home).database
        visitor = Visitor(
            workspace,
            stack,
            client,
            slack_url,
            frozenset({COMMAND}),
            forget=lambda: _forget(database, workspace.team),
        )
        context = _context()
        with listening(Site(workspace.ledger, visitor, context), port) as page:
            url = f"http://{page[0]}:{page[1]}/"
            try:
                yield Playground(
                    url, context.token, slack_url, address, workspace, stack, visitor
                )
            finally:
                workspace.ledger.close()


@contextmanager
def _bot(
    home: Path, run_app: RunApp, slack: tuple[str, int], token: str, secret: str
) -> Iterator[tuple[str, int]]:
    """Run the bot behind its own HTTP transport, for this Slack and no other."""
    # Nothing else is taken over from the operator's settings: no real token, no OAuth.
    settings = Settings(
        home=home,
        slack_bot_token=SecretStr(token),
        slack_signing_secret=SecretStr(secret),
        slack_api_url=f"http://{slack[0]}:{slack[1]}{API}",
        host=HOST,
        port=0,
    )
    with run_app(settings) as app, http_server(app, settings) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield HOST, server.server_address[1]
        finally:
            server.shutdown()
            thread.join()
            app.listener_runner.listener_executor.shutdown(wait=True)


def _forget(database: Engine, team: str) -> None:
    """Erase all that the visitor's workspace keeps; prices stay."""
    if database.exists() and team in teams(database):
        prepare_audit(database)
        erase(database, team, datetime.now(UTC))


def _context() -> PageContext:
    return PageContext(
        token=secrets.token_urlsafe(24),
        channel=CHANNEL,
        direct=DIRECT,
        visitor=YOU,
        bot=BOT_USER,
        command=COMMAND,
        examples=EXAMPLES,
        shortcuts=SHORTCUTS,
    )

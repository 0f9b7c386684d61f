"""The Slack app: settings and answers in, a Bolt app with every listener out."""

import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from pydantic import SecretStr
from slack_bolt import App
from slack_sdk import WebClient

from bot.asking import Answers
from bot.listeners import register
from bot.listeners.desk import Desk
from bot.messenger import Messenger, retry_handlers
from bot.rendering import Renderer
from bot.settings import Settings

logger = logging.getLogger(__name__)

# Bolt's default is five threads for all listeners: a sixth question would time out.
LISTENER_THREADS = 32


def build_app(settings: Settings, answers: Answers) -> App:
    """Make the app; Slack is asked at once whether it knows the bot token."""
    app = App(
        name="gpucost",
        client=web_client(settings, settings.slack_bot_token),
        signing_secret=secret(settings.slack_signing_secret),
        listener_executor=ThreadPoolExecutor(LISTENER_THREADS, "listener"),
    )
    app.error(_log_fault)
    messenger = Messenger(Renderer(), settings.native_blocks)
    register(app, Desk(answers, messenger))
    return app


def web_client(settings: Settings, token: SecretStr | None) -> WebClient:
    """Make a client of Slack, or of whatever stands in for it."""
    return WebClient(
        token=secret(token),
        base_url=settings.slack_api_url,
        retry_handlers=retry_handlers(),
    )


def secret(value: SecretStr | None) -> str:
    """Reveal a setting to the one that needs it."""
    return value.get_secret_value() if value else ""


def _log_fault(error: Exception, body: dict[str, Any]) -> None:
    """Log what failed before any listener ran; Bolt answers Slack with a 500."""
    logger.error("request of type %s failed", body.get("type"), exc_info=error)


def _needless(record: logging.LogRecord) -> bool:
    # Bolt also reads SLACK_BOT_TOKEN itself, then warns that it was given a client.
    return "`token` will be unused" not in record.getMessage()


logging.getLogger("slack_bolt.App").addFilter(_needless)

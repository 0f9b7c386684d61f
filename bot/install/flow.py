"""Installing the bot into a workspace: /slack/install and /slack/oauth_redirect."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from slack_bolt import BoltRequest, BoltResponse
from slack_bolt.oauth import OAuthFlow
from slack_bolt.oauth.callback_options import FailureArgs, SuccessArgs
from slack_bolt.oauth.oauth_settings import OAuthSettings
from slack_sdk import WebClient
from slack_sdk.oauth.installation_store import Installation

from bot.config.settings import Settings
from bot.install.pages import install_page, refused_page, welcome_words
from bot.install.scopes import SCOPES
from bot.install.stores import InstalledAuthorize, SealedInstallations, States
from bot.install.tokens import Tokens
from bot.slack.outcome import of_api, tls
from core.patterns import regex
from prices.records.installations import InstallStates

logger = logging.getLogger(__name__)

STATE_LASTS: Final = timedelta(minutes=10)
WELCOME_SECONDS: Final = 5
HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
}
_TEAM: Final = regex(r"[A-Z0-9]{1,32}")


class InstallFlow(OAuthFlow):
    """Bolt's flow, with a page that says what is asked for, and no fault let out."""

    def build_install_page_html(self, url: str, request: BoltRequest) -> str:
        """Say what the bot will be able to do, and offer to install it."""
        return install_page(url)

    def build_authorize_url(self, state: str, request: BoltRequest) -> str:
        """Name a workspace to install into where the link did, and nothing else."""
        named = request.query.get("team") or [""]
        if not _TEAM.fullmatch(named[0]):
            request.query.pop("team", None)
        return super().build_authorize_url(state, request)

    def append_set_cookie_headers(
        self,
        headers: dict[str, object],
        set_cookie_value: str | None,
    ) -> dict[str, object]:
        """Keep the page out of caches and frames."""
        own = headers | HEADERS
        return dict(super().append_set_cookie_headers(own, set_cookie_value))

    def run_installation(self, code: str) -> Installation | None:
        """Exchange the code; None where Slack refuses it or cannot be reached."""
        try:
            return super().run_installation(code)
        except (OSError, KeyError) as fault:
            logger.warning("installation failed: %s", type(fault).__name__)
            return None


def install_flow(
    settings: Settings,
    tokens: Tokens,
    client: WebClient,
    clock: Callable[[], datetime],
) -> InstallFlow:
    """Make the flow; `client` has no token of its own."""
    states = InstallStates(settings.database, STATE_LASTS, clock)
    secret = settings.slack_client_secret
    oauth = OAuthSettings(
        client_id=settings.slack_client_id,
        client_secret=secret.get_secret_value() if secret else "",
        scopes=list(SCOPES),
        user_scopes=[],
        redirect_uri=settings.slack_redirect_uri or None,
        installation_store=SealedInstallations(tokens),
        installation_store_bot_only=True,
        state_store=States(states),
        state_expiration_seconds=int(STATE_LASTS.total_seconds()),
    )
    oauth.authorize = InstalledAuthorize(tokens)
    flow = InstallFlow(client=client, settings=oauth)
    default_failure, default_success = flow.failure_handler, flow.success_handler

    def failed(args: FailureArgs) -> BoltResponse:
        """Keep Bolt's status and cookie; say what happened and what to do."""
        response = default_failure(args)
        response.body = refused_page(args.reason, flow.install_path)
        return response

    def installed(args: SuccessArgs) -> BoltResponse:
        """Greet whoever installed it, in their own conversation."""
        _welcome(client, args.installation)
        return default_success(args)

    flow.failure_handler, flow.success_handler = failed, installed
    return flow


def _welcome(client: WebClient, installed: Installation) -> None:
    own = WebClient(
        token=installed.bot_token,
        base_url=client.base_url,
        timeout=WELCOME_SECONDS,
        ssl=tls(),
    )
    outcome = of_api(
        lambda: own.chat_postMessage(channel=installed.user_id, text=welcome_words())
    )
    if not outcome.taken:
        logger.warning("nobody was welcomed: %s", outcome.code)

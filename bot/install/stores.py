"""What Bolt asks of installations, answered from sealed credentials."""

from typing import Any

from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.authorize import Authorize
from slack_bolt.context.context import BoltContext
from slack_bolt.error import BoltError
from slack_sdk.oauth import InstallationStore, OAuthStateStore
from slack_sdk.oauth.installation_store import Installation

from bot.install.sealing import Credentials
from bot.install.tokens import Tokens
from bot.render.words import say
from prices.database.connection import DatabaseError
from prices.records.installations import InstallStates, Site


class SealedInstallations(InstallationStore):
    """Takes installations on; Bolt finds them through `InstalledAuthorize`."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens

    def save(self, installation: Installation) -> None:
        """Keep the bot's part of an installation; of persons nothing is asked for."""
        try:
            self.tokens.keep(
                self._credentials(installation), float(installation.installed_at)
            )
        except DatabaseError as fault:
            raise BoltError(say("install.save", fault=fault)) from fault

    def _credentials(self, given: Installation) -> Credentials:
        if not given.bot_token:
            raise BoltError(say("install.credentials"))
        organisation = given.is_enterprise_install
        return Credentials(
            client_id=self.tokens.installations.client_id,
            enterprise_id=given.enterprise_id or "",
            team_id="" if organisation else given.team_id or "",
            name=(given.enterprise_name if organisation else given.team_name) or "",
            bot_id=given.bot_id or "",
            bot_user_id=given.bot_user_id or "",
            scopes=tuple(given.bot_scopes or ()),
            token=given.bot_token,
            refresh_token=given.bot_refresh_token or "",
            expires_at=given.bot_token_expires_at,
            installed_by=given.user_id or "",
        )


class States(OAuthStateStore):
    """Hands out states, and takes each back once."""

    def __init__(self, states: InstallStates) -> None:
        self._states = states

    def issue(self, *args: object, **kwargs: object) -> str:
        """Make a state for an installation that begins."""
        return self._states.issue()

    def consume(self, state: str) -> bool:
        """Take a state back from Slack."""
        return self._states.consume(state)


class InstalledAuthorize(Authorize):
    """Finds the token for a request, without asking Slack: an ack must not wait."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    def __call__(
        self,
        *,
        context: BoltContext,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None,
        **actor: Any,
    ) -> AuthorizeResult | None:
        """Answer with the bot's credentials where the request comes from."""
        site = Site(enterprise_id or "", team_id or "")
        organisation = bool(context.is_enterprise_install) or not site.team_id
        found = self._tokens.of(site, organisation)
        if found is None:
            return None
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=team_id,
            bot_id=found.bot_id,
            bot_user_id=found.bot_user_id,
            bot_token=found.token,
            bot_scopes=found.scopes,
            user_id=user_id,
        )

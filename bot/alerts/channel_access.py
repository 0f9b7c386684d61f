"""Whether the bot may speak in a channel, and who may speak for others."""

from collections.abc import Callable
from typing import Protocol

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.question.asking import AskContext
from bot.render.views import AnswerView
from bot.slack.messenger import Messenger, UnconfirmedError, UndeliveredError
from bot.slack.outcome import of_api
from core.alerts.letters import Address
from prices.records.preferences import Preferences

ADMINS = "admins"


class Doorstep(Protocol):
    """What the alerts have to ask of Slack before they promise anything."""

    def knock(self, address: Address, view: AnswerView) -> str:
        """Post a notice; return why that is impossible, "" where it was posted."""
        ...

    def is_admin(self, context: AskContext) -> bool:
        """Tell whether somebody may remove what others made."""
        ...

    def is_gone(self, team_id: str, user_id: str) -> bool:
        """Tell whether somebody is known to have left."""
        ...


class SlackDoorstep:
    """Asks Slack itself."""

    def __init__(
        self,
        client_for: Callable[[str], WebClient],
        messenger: Messenger,
        preferences: Preferences,
    ) -> None:
        self._client_for = client_for
        self._messenger = messenger
        self._preferences = preferences

    def knock(self, address: Address, view: AnswerView) -> str:
        """Post a notice; what nobody confirmed counts as posted."""
        client = self._client_for(address.team_id)
        where = {"channel": address.channel_id}
        try:
            self._messenger.post(client, address.team_id, view, where)
        except UnconfirmedError:
            return ""
        except UndeliveredError as fault:
            return str(fault)
        return ""

    def is_admin(self, context: AskContext) -> bool:
        """Tell whether the workspace's settings, or Slack, call somebody an admin."""
        held = self._preferences.of(context.team_id).get(ADMINS)
        if held is not None and context.user_id in (held.value or "").split(","):
            return True
        return bool({"is_admin", "is_owner"} & self._flags(context))

    def is_gone(self, team_id: str, user_id: str) -> bool:
        """Tell whether somebody has left; where Slack does not say, they have not."""
        context = AskContext(surface="command", team_id=team_id, user_id=user_id)
        return "deleted" in self._flags(context)

    def is_archived(self, address: Address) -> str:
        """Return why a channel can no longer be posted to, "" where nothing says so."""
        found: dict[str, bool] = {}

        def look() -> None:
            said = self._client_for(address.team_id).conversations_info(
                channel=address.channel_id
            )
            found.update(said.get("channel") or {})

        outcome = of_api(look)
        if outcome.code == "channel_not_found":
            return outcome.code
        return "is_archived" if found.get("is_archived") else ""

    def _flags(self, context: AskContext) -> set[str]:
        """Return what is true of somebody; nothing without the scope users:read."""
        try:
            said = self._client_for(context.team_id).users_info(user=context.user_id)
        except (SlackApiError, OSError):
            return set()
        user = said.get("user") or {}
        return {name for name, value in user.items() if value is True}

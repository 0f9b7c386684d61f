"""Whether the bot may speak in a channel, and who has left."""

from collections.abc import Callable
from typing import Protocol

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.render.views import AnswerView
from bot.slack.messenger import Messenger, UnconfirmedError, UndeliveredError
from bot.slack.outcome import of_api
from core.alerts.letters import Address


class ChannelAccess(Protocol):
    """What the alerts have to ask of Slack before they promise anything."""

    def knock(self, address: Address, view: AnswerView) -> str:
        """Post a notice; return why that is impossible, "" where it was posted."""
        ...

    def is_gone(self, team_id: str, user_id: str) -> bool:
        """Tell whether somebody is known to have left."""
        ...


class SlackChannelAccess:
    """Asks Slack itself."""

    def __init__(
        self,
        client_for: Callable[[str], WebClient],
        messenger: Messenger,
    ) -> None:
        self._client_for = client_for
        self._messenger = messenger

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

    def is_gone(self, team_id: str, user_id: str) -> bool:
        """Tell whether somebody has left; where Slack does not say, they have not."""
        try:
            said = self._client_for(team_id).users_info(user=user_id)
        except (SlackApiError, OSError):
            return False
        return (said.get("user") or {}).get("deleted") is True

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

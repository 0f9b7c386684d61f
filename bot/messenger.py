"""Post views where they were asked: native blocks first, plainer where refused."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry import RetryHandler, default_retry_handlers
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler
from slack_sdk.webhook import WebhookClient, WebhookResponse

from bot.rendering import Renderer
from bot.views import AnswerView
from core.frozen import Frozen

Message = dict[str, Any]
Send = Callable[[Message], str]
"""Send a message; the answer is Slack's error code, "" when it was taken."""

_REFUSALS: Final = ("invalid_blocks", "msg_blocks_too_long", "msg_too_long")


class UndeliveredError(Exception):
    """Slack took the message in no form; the argument is its error code."""


class Place(Frozen):
    """Where a reply goes, for a response_url."""

    public: bool = False
    replace: bool = False
    thread_ts: str = ""
    sharer: str = ""


class Messenger:
    """Send answers; remember the workspaces that refuse native blocks."""

    def __init__(self, renderer: Renderer, native_blocks: bool = True) -> None:
        self._renderer = renderer
        self._native_blocks = native_blocks
        self._plain_teams: set[str] = set()

    def reply(
        self, response_url: str, team_id: str, view: AnswerView, place: Place
    ) -> None:
        """Answer a command or a button press through its response_url."""
        hook = WebhookClient(response_url, retry_handlers=retry_handlers())
        # Slack's default differs from its stand-ins': the type is always said.
        where: Message = {
            "response_type": "in_channel" if place.public else "ephemeral",
            "replace_original": place.replace,
        }
        if place.thread_ts:
            where["thread_ts"] = place.thread_ts
        self._deliver(
            team_id,
            view,
            lambda message: _refusal(hook.send_dict(where | message)),
            place.sharer,
        )

    def post(
        self, client: WebClient, team_id: str, view: AnswerView, where: Message
    ) -> None:
        """Post into a conversation; `where` holds channel and thread_ts."""

        def send(message: Message) -> str:
            try:
                client.chat_postMessage(**where, **message)
            except SlackApiError as error:
                return str(error.response.get("error"))
            return ""

        self._deliver(team_id, view, send)

    def _deliver(
        self, team_id: str, view: AnswerView, send: Send, sharer: str = ""
    ) -> None:
        refused_native = False
        for native, message in self._forms(team_id, view, sharer):
            fault = send(message)
            if not fault:
                # Only when other blocks passed were the native ones to blame.
                if refused_native and "blocks" in message:
                    self._plain_teams.add(team_id)
                return
            if not any(code in fault for code in _REFUSALS):
                raise UndeliveredError(fault)
            refused_native = refused_native or native
        raise UndeliveredError(fault)

    def _forms(
        self, team_id: str, view: AnswerView, sharer: str
    ) -> Iterator[tuple[bool, Message]]:
        """Offer the message in forms that ever more of Slack accepts."""
        if self._native_blocks and team_id not in self._plain_teams:
            yield True, self._message(view, True, sharer)
        plain = self._message(view, False, sharer)
        yield False, plain
        yield False, {key: value for key, value in plain.items() if key != "blocks"}

    def _message(self, view: AnswerView, native: bool, sharer: str) -> Message:
        drawn = self._renderer.render_blocks(view, native, sharer)
        return {
            "text": drawn.text,
            "blocks": drawn.blocks,
            "mrkdwn": False,
            "unfurl_links": False,
            "unfurl_media": False,
        }


def retry_handlers() -> list[RetryHandler]:
    """Retry lost connections, and wait as long as a 429 says."""
    return [*default_retry_handlers(), RateLimitErrorRetryHandler(max_retry_count=2)]


def _refusal(response: WebhookResponse) -> str:
    """Read the error code of a response_url call: "ok", bare words or JSON."""
    try:
        said = json.loads(response.body)
    except ValueError:
        said = None
    if isinstance(said, dict) and said.get("ok") is False:
        return str(said.get("error"))
    if response.status_code == 200:
        return ""
    return response.body.strip()[:200] or f"HTTP {response.status_code}"

"""Post views where they were asked: native blocks first, plainer where refused."""

import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, Protocol

from slack_sdk import WebClient

from bot.render.glance import at_a_glance
from bot.render.rendering import Feedback, RenderedMessage, Renderer
from bot.render.views import AnswerView
from bot.slack.outcome import Message, Outcome, ReplyUrl, of_api
from core.checked import Checked

Level = Literal["full", "tables", "classic", "plain"]
LEVELS: Final[tuple[Level, ...]] = ("full", "tables", "classic", "plain")
"""Native blocks with feedback, without it, Slack's older table, characters; behind them
only words."""
NATIVE: Final = ("full", "tables")
REFUSALS: Final = 3
"""Of the same form, after which a workspace is no longer tried with it."""

Send = Callable[[Message], Outcome]
PAUSE_SECONDS: Final = 1.0
METADATA: Final = "gpucost_answer"
"""The `event_type` of every message; its payload names answer and delivery."""

_WHISPERED: Final = ("text", "blocks")
_UPDATED: Final = ("text", "blocks", "metadata")


class UndeliveredError(Exception):
    """Slack took the message in no form; the argument is its error code."""


class UnconfirmedError(UndeliveredError):
    """Slack may have taken the message, and nobody can find out."""


class Levels(Protocol):
    """What each workspace was seen to accept."""

    def level(self, team_id: str) -> Level:
        """Return the richest level worth trying."""
        ...

    def lower(self, team_id: str, level: Level) -> None:
        """Remember that nothing richer passes."""
        ...


class LevelsInMemory:
    """Levels for as long as the process lives."""

    def __init__(self) -> None:
        self._known: dict[str, Level] = {}

    def level(self, team_id: str) -> Level:
        """Return the richest level worth trying."""
        return self._known.get(team_id, LEVELS[0])

    def lower(self, team_id: str, level: Level) -> None:
        """Remember that nothing richer passes."""
        self._known[team_id] = level


class Place(Checked):
    """Where a reply goes, for a response_url."""

    public: bool = False
    replace: bool = False
    thread_ts: str = ""
    sharer: str = ""


class Messenger:
    """Send answers once, in the richest form that their workspace accepts."""

    def __init__(
        self,
        renderer: Renderer,
        native_blocks: bool = True,
        levels: Levels | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self.renderer = renderer
        self._best = LEVELS[0] if native_blocks else LEVELS[-1]
        self._known = levels or LevelsInMemory()
        self._pause = pause
        self.replied: Callable[[Outcome], None] = lambda outcome: None
        """Hears what came of each use of a response_url."""
        self._refused: Counter[tuple[str, Level]] = Counter()

    def reply(
        self, url: ReplyUrl, team_id: str, view: AnswerView, place: Place
    ) -> None:
        """Answer a command or a button press through its response_url."""
        # Slack's default differs from its stand-ins': the type is always said.
        where: Message = {
            "response_type": "in_channel" if place.public else "ephemeral",
            "replace_original": place.replace,
        }
        if place.thread_ts:
            where["thread_ts"] = place.thread_ts

        def send(message: Message) -> Outcome:
            return self._through(url, where | message, place)

        self._deliver(team_id, view, send, place.sharer, room=url.left)

    def post(
        self, client: WebClient, team_id: str, view: AnswerView, where: Message
    ) -> None:
        """Post into a conversation; `where` holds channel and thread_ts."""

        def send(message: Message) -> Outcome:
            return self._post_once(client, where, message)

        self._deliver(team_id, view, send)

    def whisper(
        self, client: WebClient, team_id: str, view: AnswerView, where: Message
    ) -> None:
        """Show one person a message; `where` holds channel, user and thread_ts."""

        def send(message: Message) -> Outcome:
            kept = _only(_WHISPERED, message)
            return of_api(lambda: client.chat_postEphemeral(**where, **kept))

        self._deliver(team_id, view, send)

    def update(
        self, client: WebClient, team_id: str, view: AnswerView, where: Message
    ) -> None:
        """Put a view in place of a message of ours; `where` holds channel and ts."""

        def send(message: Message) -> Outcome:
            kept = _only(_UPDATED, message)
            outcome = of_api(lambda: client.chat_update(**where, **kept))
            if outcome.sure:
                return outcome
            # The same change twice is one change.
            self._pause(PAUSE_SECONDS)
            return of_api(lambda: client.chat_update(**where, **kept))

        self._deliver(team_id, view, send)

    def level(self, team_id: str) -> Level:
        """The richest form worth trying in a workspace."""
        return max(self._known.level(team_id), self._best, key=LEVELS.index)

    def steps(self, team_id: str) -> tuple[Level, ...]:
        """That form and every plainer one, in which a message is tried in turn."""
        return LEVELS[LEVELS.index(self.level(team_id)) :]

    def drawn(
        self,
        view: AnswerView,
        level: Level,
        sharer: str = "",
        feedback: Feedback = "",
    ) -> RenderedMessage:
        """Draw a view in the blocks of one level."""
        return self.renderer.render_blocks(
            view,
            native=level in NATIVE,
            classic=level == "classic",
            sharer=sharer,
            feedback=feedback,
        )

    def _through(self, url: ReplyUrl, message: Message, place: Place) -> Outcome:
        """Use a response_url; what one person sees is sent again after a 5xx."""
        outcome = url.send(message)
        self.replied(outcome)
        if outcome.code.startswith("HTTP 5") and not place.public:
            self._pause(PAUSE_SECONDS)
            outcome = url.send(message)
            self.replied(outcome)
        return outcome

    def _post_once(
        self, client: WebClient, where: Message, message: Message
    ) -> Outcome:
        """Post; where Slack did not confirm it, look before posting again."""
        outcome = of_api(lambda: client.chat_postMessage(**where, **message))
        if outcome.sure:
            return outcome
        self._pause(PAUSE_SECONDS)
        landed = _landed(client, where, _delivery(message))
        if landed:
            return Outcome()
        if landed is None:
            return outcome
        return of_api(lambda: client.chat_postMessage(**where, **message))

    def _deliver(
        self,
        team_id: str,
        view: AnswerView,
        send: Send,
        sharer: str = "",
        room: int | None = None,
    ) -> None:
        first = self.level(team_id)
        for level, message in self._forms(first, view, sharer, room):
            outcome = send(message)
            if outcome.taken:
                # Words alone prove nothing about blocks.
                if level is not None and level != first:
                    self._note_refusal(team_id, first, level)
                return
            short = at_a_glance(view)
            if outcome.too_long and short != view:
                left = None if room is None else room - 1
                self._deliver(team_id, short, send, sharer, left)
                return
            if not outcome.sure:
                raise UnconfirmedError(outcome.code)
            if not outcome.about_blocks:
                break
        raise UndeliveredError(outcome.code)

    def _note_refusal(self, team_id: str, refused: Level, passed: Level) -> None:
        """Lower a workspace that refuses the same form again and again."""
        self._refused[team_id, refused] += 1
        if self._refused[team_id, refused] >= REFUSALS:
            self._known.lower(team_id, passed)

    def _forms(
        self, first: Level, view: AnswerView, sharer: str, room: int | None
    ) -> Iterator[tuple[Level | None, Message]]:
        """Offer the message in forms that ever more of Slack accepts, words last.

        Where there is `room` for fewer tries than forms, those between are left out.
        """
        message: Message = {}
        levels = LEVELS[LEVELS.index(first) :]
        if room is not None and len(levels) >= room:
            plainest = len(levels) - max(room - 2, 0)
            levels = (*levels[:1], *levels[plainest:])
        for level in levels:
            message = self._message(view, level, sharer)
            yield level, message
        yield None, {key: value for key, value in message.items() if key != "blocks"}

    def _message(self, view: AnswerView, level: Level, sharer: str) -> Message:
        feedback: Feedback = "native" if level == "full" else "buttons"
        drawn = self.drawn(view, level, sharer, feedback)
        return {
            "text": drawn.text,
            "blocks": drawn.blocks,
            "mrkdwn": False,
            "unfurl_links": False,
            "unfurl_media": False,
            "metadata": {
                "event_type": METADATA,
                "event_payload": {
                    "answer_id": view.id,
                    "delivery": secrets.token_hex(8),
                },
            },
        }


def _only(keys: tuple[str, ...], message: Message) -> Message:
    return {key: value for key, value in message.items() if key in keys}


def _delivery(message: Message) -> str:
    return str(message["metadata"]["event_payload"]["delivery"])


def _landed(client: WebClient, where: Message, delivery: str) -> bool | None:
    """Whether a message stands in its thread; None where we may not look."""
    if not where.get("thread_ts"):
        return None
    found: list[dict[str, Any]] = []

    def look() -> None:
        thread = client.conversations_replies(
            channel=where["channel"],
            ts=where["thread_ts"],
            include_all_metadata=True,
            oldest=str(time.time() - 600),
            limit=100,
        )
        found.extend(thread.get("messages") or ())

    if not of_api(look).taken:
        return None
    payloads = ((m.get("metadata") or {}).get("event_payload") or {} for m in found)
    return any(payload.get("delivery") == delivery for payload in payloads)

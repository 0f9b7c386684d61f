"""From the outbox to Slack: once each, at Slack's pace, whatever breaks on the way."""

import logging
import os
import random
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from datetime import UTC, datetime
from functools import partial
from secrets import token_hex
from threading import Event
from typing import Any, Final

from msgspec import Struct, field
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.alerts.messages import DETAILED, Composer
from bot.alerts.pausing import CHANNEL_FAULTS, TEAM_FAULTS, pause_place
from bot.render.rendering import WHY
from bot.render.views import AnswerView
from bot.slack.messenger import Level, Messenger
from bot.slack.outcome import Message, Outcome, of_api
from core.alerts.letters import Address
from core.wording import say
from prices.alerts import outbox
from prices.alerts.outbox import Outbox, Queued
from prices.alerts.subscriptions import SubscriptionBook

log = logging.getLogger("gpucost")

METADATA: Final = "gpucost_alert"
"""The `event_type` of every alert; its payload holds the mark to know it by."""
TIMEOUT_S: Final = 10
LEASE_S: Final = 90.0
"""Longer than a look and three attempts take, each up to its time-out."""
PACE_S: Final = 1.0
"""docs.slack.dev/apis/web-api/rate-limits: about a message a second and channel."""
LONGEST_WAIT_S: Final = 600.0
REFUSALS: Final = 5
"""Times that a refusal nobody knows is tried again."""
PAGES: Final = 5
UNKNOWN: Final = "unknown"
"""Of a message that was found in its channel without its `ts`."""
IDLE_S: Final = 5.0
POSTERS: Final = 96
"""Messages under way at once: at 150 ms each, and a wait for the next look, more than
a processor can draw."""
GATHER_S: Final = 0.1
"""What is next is looked up at most so often: the look reads all that waits."""


Ending = Callable[[Any], None]
"""Notes in the outbox, through a connection, what came of a message."""
Post = Callable[[], Ending]
Composed = tuple[AnswerView, tuple[Level, ...]]
"""What a message says, and the forms in which its workspace may take it."""


class Posted(Struct, frozen=True):
    """What came of a post: the message's ts, or why not and how long to wait."""

    outcome: Outcome
    ts: str = ""
    retry_after: float | None = None


class Courier(Struct, frozen=True):
    """Takes messages out of the outbox and posts them; several may share one."""

    outbox: Outbox
    composer: Composer
    messenger: Messenger
    client_for: Callable[[str], WebClient]
    """Clients that retry nothing by themselves: the outbox does."""
    lease_s: float = LEASE_S
    pace_s: float = PACE_S
    now: Callable[[], float] = time.time
    holder: str = field(
        default_factory=lambda: f"{socket.gethostname()}:{os.getpid()}:{token_hex(4)}"
    )

    def run(self, stop: Event) -> None:
        """Post until told to stop, many at once; a fault is logged, and on it goes."""
        with ThreadPoolExecutor(POSTERS, "courier") as pool:
            under_way: dict[Future[Ending], Queued] = {}
            look_at = 0.0
            while under_way or not stop.is_set():
                try:
                    looks = not stop.is_set() and time.monotonic() >= look_at
                    look_at = time.monotonic() + GATHER_S if looks else look_at
                    self._turn(pool, under_way, POSTERS if looks else 0)
                    if under_way:
                        wait_for(under_way, GATHER_S, FIRST_COMPLETED)
                    else:
                        stop.wait(self._idle() if looks else GATHER_S)
                except Exception:
                    log.exception("alerts could not be delivered")
                    stop.wait(IDLE_S)

    def deliver_all(self) -> int:
        """Post everything that may be posted now; return how many were taken."""
        count = 0
        while self.deliver_one():
            count += 1
        return count

    def deliver_one(self) -> bool:
        """Post the message that waited longest; False: none may be posted now."""
        posts = self._composed(self._write((), 1))
        self._write([post() for _, post in posts], 0)
        return bool(posts)

    def _turn(
        self, pool: Executor, under_way: dict[Future[Ending], Queued], most: int
    ) -> None:
        """Write down what ended, and begin as much as there is room for."""
        over = [each for each in under_way if each.done()]
        if not over and most <= len(under_way):
            return
        taken = self._write([each.result() for each in over], most - len(under_way))
        for each in over:
            del under_way[each]
        for message, post in self._composed(taken):
            under_way[pool.submit(post)] = message

    def _write(self, ended: Iterable[Ending], most: int) -> list[Queued]:
        """Note what ended and take what is next, all in one transaction."""
        return self.outbox.exchange(ended, self.holder, self.now, self.lease_s, most)

    def _composed(self, taken: list[Queued]) -> list[tuple[Queued, Post]]:
        """Compose messages, all of them from one look at the database."""
        at = self.now()
        with self.outbox.engine.one_view():
            return [(each, self._ready(each, at)) for each in taken]

    def _ready(self, message: Queued, taken_at: float) -> Post:
        """Compose one message; what is returned posts it."""
        try:
            to, letter, now = message.address, message.letter, self._clock()
            view = self.composer.view(to, letter, now, whole=False)
            steps = self.messenger.steps(to.team_id)
        except Exception:
            log.exception("an alert could not be composed")
            ending = self._put_off(message, self._backoff(message))
            return lambda: ending
        if view is None:
            gone = _given_up(message, say("alerts.unwatched"))
            return lambda: gone
        return partial(self._delivered, message, (view, steps), taken_at)

    def _delivered(
        self, message: Queued, composed: Composed, taken_at: float
    ) -> Ending:
        """Post one message; return what is to be noted of it."""
        if self.now() > taken_at + self.lease_s / 2:
            # Held up for so long, somebody else may soon have it: it is theirs.
            return _nothing
        try:
            if message.tried_at is not None and (ending := self._settled(message)):
                return ending
            return self._concluded(message, self._post(message, composed))
        except Exception:
            log.exception("an alert could not be delivered")
            return self._put_off(message, self._backoff(message))

    def _settled(self, message: Queued) -> Ending | None:
        """Look whether an attempt that nobody saw the end of did arrive."""
        client = self.client_for(message.address.team_id)
        try:
            ts = _landed(client, message)
        except SlackApiError as error:
            wait = _retry_after(error)
            # Without the scope to look, a duplicate is the lesser evil.
            return None if wait is None else self._put_off(message, wait, untried=True)
        except OSError:
            return self._put_off(message, self._backoff(message), untried=True)
        return self._sent(message, ts) if ts else None

    def _post(self, message: Queued, composed: Composed) -> Posted:
        """Post in the richest form that the workspace takes."""
        client = self.client_for(message.address.team_id)
        posted = Posted(Outcome(code="no form", sure=True))
        for form in self._forms(message, composed):
            posted = _posted(client, message.address, form)
            if posted.outcome.taken or not posted.outcome.about_blocks:
                break
        return posted

    def _forms(self, message: Queued, composed: Composed) -> Iterator[Message]:
        view, steps = composed
        common: Message = {
            "mrkdwn": False,
            "unfurl_links": False,
            "unfurl_media": False,
            "metadata": {
                "event_type": METADATA,
                "event_payload": {"mark": message.mark, "answer_id": _answer(view)},
            },
        }
        if message.letter.thread:
            common["thread_ts"] = message.letter.thread
        for level in steps:
            if level == "tables" and level != steps[0]:
                continue  # without feedback, it is the same as the one before
            drawn = self.messenger.drawn(view, level)
            yield {"text": drawn.text, "blocks": drawn.blocks} | common
        yield {"text": self.messenger.renderer.render_text(view)} | common

    def _concluded(self, message: Queued, posted: Posted) -> Ending:
        """Say what is to be noted of an attempt."""
        code, address = posted.outcome.code, message.address
        if posted.outcome.taken:
            return self._sent(message, posted.ts)
        if posted.retry_after is not None:
            return self._put_off(message, posted.retry_after, refused=True)
        if not posted.outcome.sure or code == "unreachable":
            sure = posted.outcome.sure
            pause = self._backoff(message)
            return self._put_off(message, pause, refused=sure, alone=True)
        if code in TEAM_FAULTS or code in CHANNEL_FAULTS:
            log.warning("alerts of %s stop: %s", address, code)
            pause_place(self._book(), address, code, self._clock())
            return _given_up(message, code)
        if message.tries < REFUSALS:
            pause = self._backoff(message)
            return self._put_off(message, pause, refused=True, alone=True)
        log.error("Slack never took alert %s: %s", message.id, code)
        return _given_up(message, code)

    def _sent(self, message: Queued, ts: str) -> Ending:
        """Note that it stands; its details follow as a message of their own.

        Queued with the note, they come once, and nothing of theirs repeats the news.
        """
        now, letter = self.now(), message.letter

        def note(connection: Any) -> None:
            outbox.sent(connection, message, ts, now)
            if letter.kind in DETAILED and ts not in ("", UNKNOWN):
                details = letter.model_copy(update={"kind": "details", "thread": ts})
                once = f"details {message.mark}"
                outbox.queue(connection, message.address, details, once=once)
            team, channel = message.address.team_id, message.address.channel_id
            outbox.pause(connection, team, channel, now + self.pace_s)

        return note

    def _put_off(
        self,
        message: Queued,
        seconds: float,
        *,
        refused: bool = False,
        untried: bool = False,
        alone: bool = False,
    ) -> Ending:
        """Put a message back; where Slack said so, its channel and workspace too."""
        until = self.now() + seconds
        team, channel = message.address.team_id, message.address.channel_id

        def note(connection: Any) -> None:
            outbox.again(connection, message, until, refused=refused, untried=untried)
            for place in () if alone else (channel, ""):
                outbox.pause(connection, team, place, until)

        return note

    def _backoff(self, message: Queued) -> float:
        """Return seconds to wait: doubled each time, spread so that none queue up."""
        longest = min(2.0 ** (message.tries + 1), LONGEST_WAIT_S)
        return random.uniform(longest / 2, longest)  # noqa: S311 - jitter # nosec B311

    def _idle(self) -> float:
        due = self.outbox.next_due(self.now())
        return IDLE_S if due is None else min(max(due - self.now(), 0.05), IDLE_S)

    def _book(self) -> SubscriptionBook:
        return self.composer.book

    def _clock(self) -> datetime:
        return datetime.fromtimestamp(self.now(), UTC)


def _nothing(connection: Any) -> None:
    """Note nothing."""


def _given_up(message: Queued, fault: str) -> Ending:
    return lambda connection: outbox.give_up(connection, message, fault)


def _answer(view: AnswerView) -> str:
    """The answer that an alert tells of; "" where it tells of prices alone."""
    return next((action.value for action in view.actions if action.id == WHY), "")


def _posted(client: WebClient, address: Address, form: Message) -> Posted:
    said: dict[str, Any] = {}

    def call() -> None:
        try:
            response = client.chat_postMessage(channel=address.channel_id, **form)
            said["ts"] = str(response.get("ts") or "")
        except SlackApiError as error:
            said["wait"] = _retry_after(error)
            raise

    outcome = of_api(call)
    return Posted(outcome, said.get("ts", ""), said.get("wait"))


def _retry_after(error: SlackApiError) -> float | None:
    """Return how long Slack asks to wait; None where it does not."""
    response = error.response
    if response.status_code != 429 and response.get("error") != "ratelimited":
        return None
    headers = {name.lower(): value for name, value in dict(response.headers).items()}
    try:
        return max(float(headers.get("retry-after", 1)), 0.0)
    except ValueError:
        return 1.0


def _landed(client: WebClient, message: Queued) -> str:
    """Find the message in its channel by its mark; return its ts, "" if absent."""
    since = f"{(message.tried_at or 0) - 60:.6f}"
    cursor = ""
    for _ in range(PAGES):
        asked: dict[str, Any] = {
            "channel": message.address.channel_id,
            "oldest": since,
            "include_all_metadata": True,
            "limit": 200,
            "cursor": cursor or None,
        }
        if thread := message.letter.thread:
            page = client.conversations_replies(ts=thread, **asked)
        else:
            page = client.conversations_history(**asked)
        for found in page.get("messages") or ():
            payload = (found.get("metadata") or {}).get("event_payload") or {}
            if payload.get("mark") == message.mark:
                return str(found.get("ts") or UNKNOWN)
        cursor = (page.get("response_metadata") or {}).get("next_cursor") or ""
        if not cursor:
            break
    return ""

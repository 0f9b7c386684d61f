"""What Slack delivered is written down before it is acknowledged, and until answered.

Many deliveries at once share one transaction. After a kill, another process, or the
next one, answers what was open; what kills its process twice is told about instead.
"""

import logging
import os
import socket
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLateError
from dataclasses import dataclass
from datetime import datetime
from queue import Empty, SimpleQueue
from secrets import token_hex
from threading import Event, Thread
from typing import Final

from slack_bolt import App, Args, BoltContext, BoltRequest, BoltResponse

from bot.render.views import AnswerView
from bot.render.words import say
from bot.slack.listeners.deliveries import delivery_keys
from bot.slack.listeners.places import tenant
from prices.records.delivery_dedup import Claim, Deliveries

logger = logging.getLogger(__name__)

ACKNOWLEDGED_WITHIN_S: Final = 1.0
"""A claim that takes longer is not waited for: Slack gives three seconds in all."""
TOGETHER: Final = 500
LOOK_S: Final = 3.0
TRIES: Final = 2
"""A delivery that was begun more often is not begun again."""
RECOVERED: Final = "tries"
_CLAIMED: Final = "claimed"
Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class _Asked:
    claim: Claim
    won: "Future[bool]"


def own_name() -> str:
    """Name this process: its machine, its number, and what no other one has."""
    return f"{socket.gethostname()}:{os.getpid()}:{token_hex(4)}"


class Claims:
    """Takes deliveries on, each once, and lets go of what is answered."""

    def __init__(self, deliveries: Deliveries, clock: Clock) -> None:
        self._deliveries = deliveries
        self._clock = clock
        self._asked: SimpleQueue[_Asked] = SimpleQueue()
        Thread(target=self._write, name="claims", daemon=True).start()

    def take(self, args: Args) -> BoltResponse | None:
        """Bolt's middleware: go on with what is new, acknowledge what is known."""
        if RECOVERED not in args.context:
            keys = delivery_keys(args) or [f"request:{token_hex(8)}"]
            body = {name: said for name, said in args.body.items() if name != "token"}
            asked = _Asked(Claim(tenant(args), keys, body), Future())
            self._asked.put(asked)
            try:
                if not asked.won.result(ACKNOWLEDGED_WITHIN_S):
                    return BoltResponse(status=200, body="")
            except TooLateError:
                logger.warning("a delivery is worked on before it is written down")
            args.context[_CLAIMED] = (tenant(args), keys)
        else:
            args.context[_CLAIMED] = (tenant(args), delivery_keys(args))
        args.next()
        return None

    def finish(self, context: BoltContext) -> None:
        """Let go of what is answered, or cannot be."""
        if claimed := context.pop(_CLAIMED, None):
            team_id, keys = claimed
            self._deliveries.finish(team_id, keys, self._clock())

    def recover(self, app: App) -> int:
        """Answer what processes that died had acknowledged; return how many."""
        found = list(self._deliveries.abandoned(self._clock(), _is_dead))
        for each in found:
            logger.warning("taking over what a process that ended had acknowledged")
            context = {RECOVERED: each.tries}
            request = BoltRequest(
                body=each.payload, mode="socket_mode", context=context
            )
            app.dispatch(request)
        return len(found)

    def keep(self, app: App, stop: Event) -> None:
        """Hold what is ours and look for what nobody holds, until told to stop."""
        while True:
            try:
                self._deliveries.hold(self._clock())
                self.recover(app)
            except Exception:
                logger.exception("what was left behind could not be taken over")
            if stop.wait(LOOK_S):
                return

    def _write(self) -> None:
        while True:
            batch = [self._asked.get()]
            try:
                while len(batch) < TOGETHER:
                    batch.append(self._asked.get_nowait())
            except Empty:
                pass
            claims = [each.claim for each in batch]
            try:
                won = self._deliveries.claim_all(claims, self._clock())
            except Exception:
                logger.exception("deliveries were not written down")
                won = [True] * len(batch)
            for each, new in zip(batch, won, strict=True):
                each.won.set_result(new)


def given_up(args: Args) -> bool:
    """Whether a delivery was begun too often to be begun again."""
    return int(args.context.get(RECOVERED, 0)) >= TRIES


def given_up_view() -> AnswerView:
    """What somebody is told whose question ended the process more than once."""
    return AnswerView(
        kind="error",
        id="",
        question="",
        verdict=say("slack.i_was_restarted_and"),
        why=say("slack.please_ask_again"),
    )


def _is_dead(holder: str) -> bool:
    """Whether a process of this machine has ended; of others nobody can tell."""
    host, _, rest = holder.partition(":")
    number = rest.partition(":")[0]
    if host != socket.gethostname() or not number.isdigit():
        return False
    if int(number) == os.getpid():
        return True  # the same number, and not the same name: one that ran before
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False

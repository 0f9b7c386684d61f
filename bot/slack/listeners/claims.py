"""What Slack delivered is written down before it is acknowledged, and until answered.

Many deliveries at once share one transaction. After a kill, another process, or the
next one, answers what was open; what kills its process twice is told about instead.
"""

import logging
import os
import socket
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLateError
from contextlib import suppress
from datetime import datetime
from functools import cache
from hashlib import blake2b
from pathlib import Path
from queue import Empty, SimpleQueue
from secrets import token_hex
from threading import Event, Thread
from typing import Any, Final

from msgspec import Struct
from slack_bolt import App, Args, BoltContext, BoltRequest, BoltResponse

from bot.slack.listeners.deliveries import delivery_keys
from bot.slack.listeners.places import tenant
from bot.slack.listeners.words import given_up_view
from prices.records.delivery_dedup import HELD_S, Abandoned, Claim, Deliveries
from prices.records.spool import Spool, let_go

logger = logging.getLogger(__name__)

ACKNOWLEDGED_WITHIN_S: Final = 1.5
"""A claim that takes longer is not waited for: Slack gives three seconds in all."""
TOGETHER: Final = 500
REMEMBERED: Final = 10_000
LOOK_S: Final = 3.0
TRIES: Final = 2
"""A delivery that was begun more often is not begun again."""
RECOVERED: Final = "tries"
INSTEAD: Final = "instead"
"""What is said in place of doing what was asked."""
_CLAIMED: Final = "claimed"
Clock = Callable[[], datetime]


class _Asked(Struct):
    claim: Claim
    won: "Future[bool]"
    late: bool = False
    """Whether it is worked on before the database could take it."""
    file: Path | None = None
    """Where it is written down until then."""


def own_name(machine: str) -> str:
    """Name this process: its machine, its number, and what no other one has."""
    return f"{machine}:{os.getpid()}:{token_hex(4)}"


@cache
def machine_name(*, fleet: bool) -> str:
    """Name where process numbers mean what they mean here.

    In a fleet, containers may share a name, and one host count processes in several
    ways.
    """
    if not fleet:
        return socket.gethostname()
    said = [socket.gethostname()]
    with suppress(OSError):  # not Linux: the name has to do
        said.append(Path("/proc/sys/kernel/random/boot_id").read_text("ascii"))
        said.append(Path("/proc/self/ns/pid").readlink().name)
    return blake2b("|".join(said).encode(), digest_size=8).hexdigest()


class Claims:
    """Takes deliveries on, each once, and lets go of what is answered."""

    def __init__(self, deliveries: Deliveries, clock: Clock) -> None:
        self._deliveries = deliveries
        self._clock = clock
        self._asked: SimpleQueue[_Asked] = SimpleQueue()
        self._spool = Spool(deliveries.engine.home, deliveries.holder)
        self._late: deque[_Asked] = deque()
        self._ended: deque[_Asked] = deque()
        self._told: set[str] = set()
        """To what nothing else was done than to say why."""
        self._silent_until = 0.0
        """Until then nobody else's silence means anything."""
        self._machine = machine_name(fleet=not deliveries.engine.is_file)
        if not deliveries.engine.is_file:
            self._wait_for_others()
        Thread(target=self._write, name="claims", daemon=True).start()

    def take(self, args: Args) -> BoltResponse | None:
        """Bolt's middleware: go on with what is new, acknowledge what is known."""
        if INSTEAD in args.context and RECOVERED not in args.context:
            return self._only_told(args)
        if RECOVERED not in args.context:
            keys = delivery_keys(args) or [f"request:{token_hex(8)}"]
            body = {name: said for name, said in args.body.items() if name != "token"}
            asked = _Asked(Claim(tenant(args), keys, body), Future())
            self._asked.put(asked)
            try:
                if not asked.won.result(ACKNOWLEDGED_WITHIN_S):
                    return BoltResponse(status=200, body="")
            except TooLateError:
                pass
            if asked.late or not asked.won.done():
                asked.file = self._spool.keep(asked.claim)
        else:
            asked = _Asked(Claim(tenant(args), delivery_keys(args)), Future())
            asked.won.set_result(True)
        args.context[_CLAIMED] = asked
        args.next()
        return None

    def _only_told(self, args: Args) -> BoltResponse | None:
        """Go on once to where it is said; nobody would do later what was asked."""
        keys = delivery_keys(args)
        if not self._told.isdisjoint(keys):
            return BoltResponse(status=200, body="")
        if len(self._told) > REMEMBERED:
            self._told.clear()
        self._told.update(keys)
        args.next()
        return None

    def finish(self, context: BoltContext) -> None:
        """Let go of what is answered, or cannot be."""
        if (asked := context.pop(_CLAIMED, None)) is None:
            return
        let_go(asked.file)
        # What is not written down yet cannot be noted as done yet.
        if asked.late or not asked.won.done() or not self._done(asked):
            self._ended.append(asked)

    def _done(self, asked: _Asked) -> bool:
        claim = asked.claim
        return self._deliveries.finish(claim.team_id, claim.keys, self._clock())

    def _catch_up(self) -> None:
        """Write down what could not be when it came, or when it ended."""
        late = [self._late.popleft() for _ in range(len(self._late))]
        claims = [each.claim for each in late]
        if late and self._deliveries.claim_all(claims, self._clock()) is None:
            self._late.extendleft(reversed(late))
            return
        for each in late:
            each.late = False
        for each in [self._ended.popleft() for _ in range(len(self._ended))]:
            if each.late or not each.won.done() or not self._done(each):
                self._ended.append(each)

    def _wait_for_others(self) -> None:
        self._silent_until = time.monotonic() + HELD_S

    def recover(self, app: App) -> int:
        """Answer what processes that died had acknowledged; return how many."""
        now, silent = self._clock(), time.monotonic() >= self._silent_until
        found = list(self._deliveries.abandoned(now, self._is_dead, silent=silent))
        for each in [*found, *self._spooled()]:
            logger.warning("taking over what a process that ended had acknowledged")
            context: dict[str, Any] = {RECOVERED: each.tries}
            if each.tries >= TRIES:
                context[INSTEAD] = given_up_view()
            request = BoltRequest(
                body=each.payload, mode="socket_mode", context=context
            )
            app.dispatch(request)
        return len(found)

    def _spooled(self) -> list[Abandoned]:
        """Take over what the database did not take of processes that ended."""
        found: list[Abandoned] = []
        for file, claim in self._spool.left(self._is_dead):
            won = self._deliveries.claim_all([claim], self._clock())
            if won is None:
                break  # it stays on the disk until the database takes it
            if won[0] and claim.payload is not None:
                found.append(Abandoned(claim.payload, 1))
            let_go(file)
        return found

    def _is_dead(self, holder: str) -> bool:
        """Whether a process of this machine has ended; of others nobody can tell."""
        machine, _, rest = holder.partition(":")
        number = rest.partition(":")[0]
        if machine != self._machine or not number.isdigit():
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

    def keep(self, app: App, stop: Event) -> None:
        """Hold what is ours and look for what nobody holds, until told to stop."""
        while True:
            try:
                if not self._deliveries.hold(self._clock()):
                    # Nor could the others say that they live.
                    self._wait_for_others()
                self._catch_up()
                if stop.is_set():
                    return
                self.recover(app)
            except Exception:
                logger.exception("what was left behind could not be taken over")
                if stop.is_set():
                    return
            stop.wait(LOOK_S)

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
                won = None
            if won is None:
                for each in batch:
                    each.late = True
                self._late.extend(batch)
            for each, new in zip(batch, won or [True] * len(batch), strict=True):
                each.won.set_result(new)

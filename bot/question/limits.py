"""How many questions one person and one workspace may ask: token buckets.

An answer costs the processor tens of milliseconds, so a loop in one workspace could
keep every other one waiting. One machine keeps them in its process, and loses them with
it: a limit is no bill. A fleet draws from those in its database.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Final

from msgspec import Struct, field

from bot.render.views import AnswerView
from core.wording import say
from prices.database.connection import dispensable
from prices.records.question_rates import WORKSPACE, Bucket, Key, QuestionRates

LONGEST: Final = 40_000
"""Characters, as in the longest message that Slack takes:
docs.slack.dev/reference/methods/chat.postMessage#truncating"""
REMEMBERED: Final = 10_000
"""Buckets kept; the one that was idle longest goes first, and is full when it returns.
"""


class TooManyError(Exception):
    """A question that came too soon after many others; `view` tells its asker."""

    def __init__(self, view: AnswerView, *, told: bool) -> None:
        super().__init__(view.verdict)
        self.view = view
        self.told = told
        """Whether they were told already, and nothing has changed since."""


class Rate(Struct):
    """So many a minute, all of them at once if need be; 0: without limit."""

    per_minute: int
    remembered: int = REMEMBERED
    _buckets: "OrderedDict[tuple[str, ...], Bucket]" = field(
        default_factory=OrderedDict
    )

    def wait(self, key: tuple[str, ...], now: float) -> float:
        """Return the seconds until the next may come; 0: now."""
        if not self.per_minute:
            return 0.0
        lacking = 1 - self._filled(key, now).level
        return max(0.0, lacking * 60 / self.per_minute)

    def take(self, key: tuple[str, ...], now: float) -> None:
        """Count one."""
        if self.per_minute:
            bucket = self._filled(key, now)
            bucket.level -= 1
            bucket.told = False

    def told(self, key: tuple[str, ...], now: float) -> bool:
        """Note that somebody is told; return whether they were already."""
        bucket = self._filled(key, now)
        before, bucket.told = bucket.told, True
        return before

    def drawing(self, key: tuple[str, ...], bucket: Bucket) -> "Rate":
        """Return the same rate of one bucket that is kept elsewhere."""
        return Rate(self.per_minute, 1, OrderedDict({key: bucket}))

    def _filled(self, key: tuple[str, ...], now: float) -> Bucket:
        bucket = self._buckets.setdefault(key, Bucket(self.per_minute, now))
        self._buckets.move_to_end(key)
        while len(self._buckets) > self.remembered:
            self._buckets.popitem(last=False)
        passed = max(0.0, now - bucket.at)
        gained = passed * self.per_minute / 60
        bucket.level = min(float(self.per_minute), bucket.level + gained)
        bucket.at = now
        return bucket


class QuestionLimits:
    """The limits per person and per workspace: of this process, or of a fleet."""

    def __init__(
        self,
        per_user: int,
        per_team: int,
        clock: Callable[[], float] = time.monotonic,
        shared: QuestionRates | None = None,
    ) -> None:
        self._user, self._team = Rate(per_user), Rate(per_team)
        self._clock = clock
        self._shared = shared
        self._lock = Lock()

    def count(self, team_id: str, user_id: str) -> None:
        """Count one question, or raise `TooManyError`: then it counts for nobody."""
        person, workspace = (team_id, user_id), (team_id, WORKSPACE)
        if self._shared is None:
            with self._lock:
                refused = self._drawn(
                    self._user, self._team, person, workspace, self._clock()
                )
        elif self._user.per_minute or self._team.per_minute:
            refused = self._drawn_together(self._shared, person, workspace)
        else:
            refused = None
        if refused:
            raise refused

    def _drawn_together(
        self, shared: QuestionRates, person: Key, workspace: Key
    ) -> TooManyError | None:
        """Draw from what a fleet shares; where it cannot be had, nobody waits."""
        full = (float(self._team.per_minute), float(self._user.per_minute))
        with (
            dispensable("how often somebody asks"),
            shared.held((workspace, person), full) as (of_team, of_user),
        ):
            user = self._user.drawing(person, of_user)
            team = self._team.drawing(workspace, of_team)
            now = shared.engine.now().timestamp()
            return self._drawn(user, team, person, workspace, now)
        return None

    def _drawn(
        self, user: Rate, team: Rate, person: Key, workspace: Key, now: float
    ) -> TooManyError | None:
        waits = user.wait(person, now), team.wait(workspace, now)
        if not any(waits):
            user.take(person, now)
            team.take(workspace, now)
            return None
        # Whom their workspace makes wait is told once, whoever else was.
        told = user.told(person, now) if waits[0] else team.told(workspace, now)
        return TooManyError(self._view(*waits), told=told)

    def _view(self, user_wait: float, team_wait: float) -> AnswerView:
        alone = user_wait >= team_wait
        rate = self._user if alone else self._team
        seconds = math.ceil(max(user_wait, team_wait))
        who = "" if alone else " in this workspace"
        return AnswerView(
            kind="hint",
            verdict=say(
                "commands.too_many", most=rate.per_minute, who=who, seconds=seconds
            ),
            why=say("commands.alerts_still_work"),
        )

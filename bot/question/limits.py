"""How many questions one person and one workspace may ask: token buckets.

An answer costs the processor tens of milliseconds, so a loop in one workspace could
keep every other one waiting. Kept in this process alone, and lost with it: a limit is
no bill.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from bot.render.views import AnswerView

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


@dataclass(slots=True)
class _Bucket:
    level: float
    at: float
    told: bool = False


@dataclass
class Rate:
    """So many a minute, all of them at once if need be; 0: without limit."""

    per_minute: int
    remembered: int = REMEMBERED
    _buckets: "OrderedDict[tuple[str, ...], _Bucket]" = field(
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

    def _filled(self, key: tuple[str, ...], now: float) -> _Bucket:
        bucket = self._buckets.setdefault(key, _Bucket(self.per_minute, now))
        self._buckets.move_to_end(key)
        while len(self._buckets) > self.remembered:
            self._buckets.popitem(last=False)
        passed = max(0.0, now - bucket.at)
        gained = passed * self.per_minute / 60
        bucket.level = min(float(self.per_minute), bucket.level + gained)
        bucket.at = now
        return bucket


class QuestionLimits:
    """The limits of this process: per person, and per workspace."""

    def __init__(
        self,
        per_user: int,
        per_team: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._user, self._team = Rate(per_user), Rate(per_team)
        self._clock = clock
        self._lock = Lock()

    def count(self, team_id: str, user_id: str) -> None:
        """Count one question, or raise `TooManyError`: then it counts for nobody."""
        person, workspace = (team_id, user_id), (team_id,)
        with self._lock:
            now = self._clock()
            waits = self._user.wait(person, now), self._team.wait(workspace, now)
            if not any(waits):
                self._user.take(person, now)
                self._team.take(workspace, now)
                return
            told = (self._user if waits[0] else self._team).told(person, now)
            raise TooManyError(self._view(*waits), told=told)

    def _view(self, user_wait: float, team_wait: float) -> AnswerView:
        alone = user_wait >= team_wait
        rate = self._user if alone else self._team
        seconds = math.ceil(max(user_wait, team_wait))
        who = "" if alone else " in this workspace"
        return AnswerView(
            kind="hint",
            id="",
            question="",
            verdict=f"{rate.per_minute} questions within a minute{who}; "
            f"the next one in {seconds} s.",
            why="Alerts and digests go on, and what stops them always works.",
        )

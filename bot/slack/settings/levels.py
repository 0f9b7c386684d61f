"""Which blocks a workspace accepts: learnt once, and kept."""

from collections.abc import Callable
from datetime import datetime, timedelta

from bot.slack.messenger import LEVELS, Level
from prices.database.connection import dispensable
from prices.records.preferences import LEARNT_BY, WORKSPACE, Preferences, Setting

KEY = "blocks"

TRIED_AGAIN_AFTER = timedelta(days=30)
"""Slack brings native blocks to ever more plans and surfaces."""


class LevelsKept:
    """Levels among a workspace's settings, where people see and change them."""

    def __init__(self, preferences: Preferences, clock: Callable[[], datetime]) -> None:
        self._preferences = preferences
        self._clock = clock
        self._last: dict[str, Level] = {}

    def level(self, team_id: str) -> Level:
        """Return the richest level worth trying; the last known if nothing can be read.

        A fault of the database is told in Slack: telling it must not need the database.
        """
        with dispensable("a look at the level of blocks"):
            self._last[team_id] = self._read(team_id)
        return self._last.get(team_id, LEVELS[0])

    def _read(self, team_id: str) -> Level:
        held = self._preferences.of(team_id).get(KEY)
        if held is None:
            return LEVELS[0]
        learnt = held.set_by == LEARNT_BY
        if learnt and self._clock() - held.set_at > TRIED_AGAIN_AFTER:
            return LEVELS[0]
        return next((level for level in LEVELS if level == held.value), LEVELS[0])

    def lower(self, team_id: str, level: Level) -> None:
        """Remember that nothing richer passes."""
        setting = Setting(KEY, level, WORKSPACE, LEARNT_BY, self._clock())
        self._last[team_id] = level
        with dispensable("the level of blocks"):
            self._preferences.set(team_id, setting)

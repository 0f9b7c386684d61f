"""The bot as it is served, with prices that renew themselves where a network is."""

from contextlib import AbstractContextManager
from pathlib import Path

from slack_bolt import App

from bot.config.settings import Settings, load_settings, stated
from bot.run.running import Feeds, running


def own_home() -> Path:
    """Name a folder apart: a real bot's alerts must never be posted here."""
    return load_settings().home / "playground"


def running_bot(settings: Settings) -> AbstractContextManager[App]:
    """Make the app, and keep the time for its alerts until the block ends."""
    return running(settings, Feeds(stated()))

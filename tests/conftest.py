"""What every test may take: the bot on shipped prices, and one flag for drawn files."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

import pytest

from bot.config.settings import Settings
from bot.question.asking import AskContext
from bot.run.composition import compose
from bot.service.answering import Answering
from tests.engines import everything_kept_by, forgotten, stop

ASKED_ON: Final = datetime(2026, 11, 21, tzinfo=UTC)
"""The day on which the shared bot is asked: within the shipped prices' months."""
COMMAND: Final = AskContext(surface="command", team_id="T1")
TERMINAL: Final = AskContext(surface="terminal")

# A test polls what it brings itself; nothing is fetched because prices are old.
os.environ["GPUCOST_FEEDS"] = "off"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag that rewrites golden files instead of comparing them."""
    parser.addoption("--update-golden", action="store_true", default=False)


@pytest.fixture(autouse=True, scope="session")
def _server() -> Iterator[None]:
    """Let GPUCOST_TEST_ENGINE=postgresql keep every home; end what server there is."""
    with everything_kept_by(os.environ.get("GPUCOST_TEST_ENGINE", "sqlite")):
        yield
    stop()


@pytest.fixture(autouse=True)
def _connections(_server: None) -> Iterator[None]:
    with forgotten():
        yield


@pytest.fixture(scope="session")
def answering(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answering]:
    """The bot on the shipped prices, as `ASKED_ON` finds it; nobody's settings.

    One for the whole run: a test that changes settings, prices or the time composes
    its own.
    """
    home = tmp_path_factory.mktemp("home")
    bot = compose(Settings(home=home), clock=lambda: ASKED_ON)
    with bot.store.engine.anchored():  # as it is served
        yield bot

"""A workspace in which the bot is installed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from slack_bolt import App

from bot.config.secret import SecretStr
from bot.config.settings import Settings
from bot.language.parse import parse
from bot.question.asking import Answers
from bot.run.app import Alerts, build_app
from core.reference.load import reference
from tests.bot.alerts import AlertHarness, make_home, offers
from tests.bot.blocks import every_text
from tests.bot.fake_slack import SECRET, FakeAnswers, FakeSlack, fake_slack
from tests.bot.person import Person
from tests.bot.samples import ANSWER

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@dataclass
class Workspace:
    """A Slack, the bot's answers, and somebody who uses both."""

    slack: FakeSlack
    answers: FakeAnswers
    person: Person
    home: Path
    app: App
    _settled: int = 0

    def said(self, count: int = 1) -> str:
        """Every text that stands in the newest message."""
        return "\n".join(every_text(self.slack.wait(count)[-1]))

    def opened(self, count: int = 1) -> dict[str, Any]:
        """The newest form that was opened."""
        view: dict[str, Any] = self.slack.called("views.open", count)[-1]["view"]
        return view

    def settle_one(self) -> None:
        """Wait for one more message."""
        self._settled += 1
        self.slack.wait(self._settled)

    def settle(self) -> None:
        """Wait until everything that was begun is done."""
        self.app.listener_runner.listener_executor.shutdown(wait=True)


def settings_for(slack: FakeSlack, home: Path, **more: object) -> Settings:
    """Point the bot at the fake Slack."""
    return Settings(
        home=home,
        slack_bot_token=SecretStr("xoxb-test"),
        slack_signing_secret=SecretStr(SECRET),
        slack_api_url=f"{slack.url}/api/",
        **more,
    )


Install = Callable[..., Workspace]


@pytest.fixture(scope="session")
def priced_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that is filled once: H100s at Lambda, AWS and Runpod, and an MI300X."""
    home = tmp_path_factory.mktemp("template") / "home"
    AlertHarness(home).poll(*offers("2.50"))
    return home


@pytest.fixture
def harness(priced_home: Path, tmp_path: Path) -> AlertHarness:
    """Give a harness where nobody watches anything yet."""
    return AlertHarness(make_home(priced_home, tmp_path / "home"))


@pytest.fixture(scope="session", autouse=True)
def _words_read() -> None:
    """Read the tables of words: a form has to be acknowledged within three seconds."""
    parse("70b", reference())


@pytest.fixture
def install(tmp_path: Path) -> Iterator[Install]:
    """Install the bot with other answers, alerts, time or settings than usual."""
    apps: list[App] = []
    with fake_slack() as slack:

        def build(
            answers: Answers | None = None,
            alerts: Alerts | None = None,
            clock: Callable[[], datetime] = lambda: NOW,
            **more: object,
        ) -> Workspace:
            fake = FakeAnswers(ANSWER)
            settings = settings_for(slack, tmp_path, **more)
            app = build_app(settings, answers or fake, alerts, clock)
            apps.append(app)
            return Workspace(slack, fake, Person(app, slack), tmp_path, app)

        yield build
        for app in apps:
            app.listener_runner.listener_executor.shutdown(wait=True)


@pytest.fixture
def workspace(install: Install) -> Workspace:
    """A workspace in which the bot is installed."""
    return install()

"""What a signed slash command costs beside a listener that does nothing."""

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from slack_bolt import Ack

from bot.config.secret import SecretStr
from bot.config.settings import Settings
from bot.question.asking import Answers
from bot.run.app import build_app
from tests.bot.fake_slack import SECRET, FakeAnswers, FakeSlack, fake_slack
from tests.bot.person import Person
from tests.bot.samples import ANSWER

QUESTION = "70b inference 50rps"
NOOP = "/noop"


def measure(answers: Answers | None = None, rounds: int = 100) -> dict[str, float]:
    """Time commands through Bolt, in milliseconds; without answers, a ready one.

    `noop_ms` is a signed request to a listener that only acknowledges; `ack_ms`
    the same until the bot's acknowledgement; `reply_ms` until its answer, rendered,
    has arrived at the response_url. `ratio` is the worse of both to the no-op.
    """
    with fake_slack() as slack, TemporaryDirectory() as home:
        settings = Settings(
            home=Path(home),
            slack_bot_token=SecretStr("xoxb-bench"),
            slack_signing_secret=SecretStr(SECRET),
            slack_api_url=f"{slack.url}/api/",
            user_rate=0,
        )
        app = build_app(settings, answers or FakeAnswers(ANSWER))
        app.command(NOOP)(_noop)
        person = Person(app, slack)
        found = _compare(person, slack, rounds)
        app.listener_runner.listener_executor.shutdown(wait=True)
    return found


def _noop(ack: Ack) -> None:
    ack()


def _compare(person: Person, slack: FakeSlack, rounds: int) -> dict[str, float]:
    noops, acks, replies = [], [], []
    # Taken in turns, so that a busy moment of the machine falls on all alike.
    for _ in range(rounds):
        noops.append(_milliseconds(lambda: person.command("", command=NOOP)))
        start = time.perf_counter()
        acks.append(_milliseconds(lambda: person.command(QUESTION)))
        slack.wait(1)
        replies.append((time.perf_counter() - start) * 1000)
        slack.heard.clear()
    noop, ack, reply = map(statistics.median, (noops, acks, replies))
    return {
        "rounds": rounds,
        "noop_ms": round(noop, 3),
        "ack_ms": round(ack, 3),
        "reply_ms": round(reply, 3),
        "ratio": round(max(ack, reply) / noop, 2),
    }


def _milliseconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return (time.perf_counter() - start) * 1000

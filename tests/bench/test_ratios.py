"""No common question costs much more than was accepted, nor grows with the offers."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bot.config.settings import Settings
from bot.run.composition import compose
from bot.service.answering import Answering
from prices.history.store import Store
from tests.bench.ratios import (
    ACCEPTED,
    DAY,
    GROWTH,
    QUESTIONS,
    calls_of,
    counted,
    grown,
)

RAISED = "; if that is right: python -m tests.bench.ratios --accept"
LEFT = """
    slack_bolt bot.run.app prices.sources.feeds prices.guard cryptography
    bot.answers.media bot.answers.lifecycle bot.answers.budget bot.answers.glossary
    core.jobs.recommend core.estimate.training core.estimate.media core.answers.mig
    httpx2 asyncio subprocess ssl jinja2 tomllib
""".split()
ACCEPTED_CALLS = json.loads(ACCEPTED.read_text("utf-8"))


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Answering:
    """A bot whose answers nobody else asked for before."""
    home = tmp_path_factory.mktemp("ratios")
    return compose(Settings(home=home), clock=lambda: DAY)


def test_calls_are_counted() -> None:
    """Work that is twice as much counts as twice as much, or a quarter goes unseen."""
    once, twice = (counted(lambda n=n: [abs(i) for i in range(n)]) for n in (500, 1000))  # type: ignore[misc]

    assert 1.9 < twice / once < 2.1


def test_the_accepted_figures_are_of_these_questions() -> None:
    """A question that is added is accepted with its figure."""
    assert [*ACCEPTED_CALLS] == [*QUESTIONS]


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_answer_costs_a_quarter_more(own: Answering, question: str) -> None:
    """Counted, not timed: a busy machine changes nothing."""
    found, accepted = calls_of(own, question), ACCEPTED_CALLS[question]

    assert found <= GROWTH * accepted, f"{found} calls for {accepted}{RAISED}"


def test_thirty_times_the_offers_cost_less_than_twice_as_much(
    own: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an answer costs grows with the answer, not with the catalogue."""
    few = calls_of(own, QUESTIONS[0])
    many = grown(own.store.catalog(DAY), 30)
    monkeypatch.setattr(Store, "catalog", lambda *_, **__: many)

    assert calls_of(own, QUESTIONS[0]) <= 2 * few


def test_a_terminal_loads_what_its_question_needs(tmp_path: Path) -> None:
    """Neither Slack nor the feeds nor the kinds that it did not ask for."""
    program = (
        "import sys; from bot.commands.cli import main; main(['70b inference 50rps']); "
        "print('|', *sys.modules)"
    )
    for _ in range(2):  # the first one reads the tables that the second finds kept
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={"GPUCOST_HOME": str(tmp_path), "GPUCOST_FEEDS": "off", "PATH": ""}
            | {"PYTHONPATH": str(Path(__file__).parents[2])},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    loaded = done.stdout.rpartition("|")[2].split()

    assert "bot.answers.sizing.decide" in loaded
    for name in LEFT:
        assert name not in loaded

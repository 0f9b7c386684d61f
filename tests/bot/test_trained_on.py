"""Is one GPU worth it over another for training, without a word of data."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.answers.shared.json import figures
from bot.config.settings import Settings
from bot.language.parse import parse
from bot.question.asking import AskContext
from bot.run.composition import compose
from bot.service.answering import Answering

CONTEXT = AskContext(surface="command", team_id="T1")
ASKED_ON = datetime(2026, 11, 21, tzinfo=UTC)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Answering:
    """A desk with the shipped prices."""
    home: Path = tmp_path_factory.mktemp("home")
    return compose(Settings(home=home), clock=lambda: ASKED_ON)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("is h200 worth it over h100 for training", False),
        ("h100 or a100 for fine-tuning 8b", False),
        ("mi300x vs h100 for training 70b, worth it?", False),
        ("train 7b on 1T tokens h100 vs h200", False),
        ("train 7b on h100", True),
    ],
)
def test_gpus_are_weighed_without_data(text: str, asks: bool) -> None:
    """What a run of unknown size costs is asked about; which GPU to take is not."""
    assert asks == (parse(text).clarify is not None)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("is h200 worth it over h100 for training", "H200 SXM is "),
        ("h100 or a100 for fine-tuning 8b", "H100 SXM is about as good as A100"),
        ("l40s vs h100 for training", "L40S is not worth it over H100"),
    ],
)
def test_speed_is_held_against_price(desk: Answering, text: str, first: str) -> None:
    """The verdict is that of the dollars: the same run on as many of each."""
    found = desk.answered(text, CONTEXT)
    rows = [figures(found)["recommendation"], *figures(found)["alternatives"]]
    by_gpu = {row["gpu"]: row for row in reversed(rows) if row["pricing"] != "spot"}

    assert found.view.verdict.startswith(first)
    assert 2 == len(by_gpu)
    assert 1 == len({row["count"] for row in by_gpu.values()})


def test_the_explanation_is_of_what_the_table_marks(desk: Answering) -> None:
    """The cheapest of the ways that are weighed, not a spot price beside them."""
    found = desk.answered("is h200 worth it over h100 for training", CONTEXT)
    best = figures(found)["recommendation"]
    row = found.view.table.rows[0] if found.view.table else ()

    assert "on_demand" == best["pricing"]
    assert best["usd_per_run"] == pytest.approx(row[4].value if row else 0)


def test_at_the_price_of_the_flip_both_cost_the_same(desk: Answering) -> None:
    """Speed over price is the ratio of the two bills."""
    view = desk.ask("is h200 worth it over h100 for training", context=CONTEXT)
    flip = float(view.levers[0].text.split("$")[1].split(" ")[0])
    h200, h100 = (row[2].value for row in view.table.rows) if view.table else (0, 0)
    bills = [row[4].value for row in view.table.rows] if view.table else []

    assert h100
    assert h200
    assert bills[1] / bills[0] == pytest.approx(flip / h200, rel=0.01)

"""Is one GPU worth it over another for training, without a word of data."""

import pytest

from bot.answers.shared.json import figures
from bot.language.parse import parse
from bot.service.answering import Answering
from tests.conftest import COMMAND


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
def test_speed_is_held_against_price(
    answering: Answering, text: str, first: str
) -> None:
    """The verdict is that of the dollars: the same run on as many of each."""
    found = answering.answered(text, COMMAND)
    rows = [figures(found)["recommendation"], *figures(found)["alternatives"]]
    by_gpu = {row["gpu"]: row for row in reversed(rows) if row["pricing"] != "spot"}

    assert found.view.verdict.startswith(first)
    assert 2 == len(by_gpu)
    assert 1 == len({row["count"] for row in by_gpu.values()})


def test_the_explanation_is_of_what_the_table_marks(answering: Answering) -> None:
    """The cheapest of the ways that are weighed, not a spot price beside them."""
    found = answering.answered("is h200 worth it over h100 for training", COMMAND)
    best = figures(found)["recommendation"]
    row = found.view.table.rows[0] if found.view.table else ()

    assert "on_demand" == best["pricing"]
    assert best["usd_per_run"] == pytest.approx(row[4].value if row else 0)


def test_at_the_price_of_the_flip_both_cost_the_same(answering: Answering) -> None:
    """Speed over price is the ratio of the two bills."""
    view = answering.ask("is h200 worth it over h100 for training", context=COMMAND)
    flip = float(view.levers[0].text.split("$")[1].split(" ")[0])
    rows = view.table.rows if view.table else ()
    h200 = next(row for row in rows if "H200" in row[0].text)
    h100 = next(row for row in rows if "H100" in row[0].text)

    assert h100[4].value / h200[4].value == pytest.approx(
        flip / h200[2].value, rel=0.01
    )

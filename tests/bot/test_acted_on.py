"""What whoever signs the bill looks for: every run, every way, every limit is told."""

import re

import pytest

from bot.render.glance import at_a_glance
from bot.service.answering import Answering
from tests.conftest import TERMINAL


@pytest.mark.parametrize("many", [12, 40])
@pytest.mark.parametrize(
    ("said", "a_month"),
    [
        ("{} LoRAs a week of 5k samples on llama 8b, what a month?", 365.25 / 7 / 12),
        ("fine-tune {} loras every month on 8b, 5k samples each", 1),
    ],
)
def test_each_adapter_is_a_run(
    answering: Answering, said: str, a_month: float, many: int
) -> None:
    """A month costs as many runs as adapters are made in it."""
    found = answering.answered(said.format(many), TERMINAL)
    assert found.figures is not None
    money = found.figures.ways[0].money
    assert money.month is not None
    assert money.run is not None

    share = float(money.month / money.run) / many / a_month
    assert 0.99 < share < 1.01


@pytest.mark.parametrize(
    "question",
    [
        "gpt-4o at 200M tokens a day vs self hosted llama 70b",
        "llama 8b: groq vs self hosting at 5B tokens a month",
        "claude sonnet costs us $18k a month, would llama 70b of our own be cheaper",
        "self host 70b vs api at 300M tokens a day",
        "deepseek v3 api vs self host 100M tokens a day",
    ],
)
def test_what_is_cheaper_than_the_verdict_is_told_with_its_reason(
    answering: Answering, question: str
) -> None:
    """A row below the starred one is named outside the table, as the outlier it is."""
    view = answering.answered(question, TERMINAL).view
    assert view.table is not None
    first = " ".join(str(getattr(cell, "text", cell)) for cell in view.table.rows[0])
    price = re.search(r"\$[\d,.]+", first)
    assert price is not None

    notes = " ".join(view.notes)
    odd = price[0] in notes and "unusually cheap" in notes
    assert price[0] in view.verdict or odd


@pytest.mark.parametrize("gpu", ["h100", "h200"])
def test_a_term_stands_beside_the_price_by_the_hour(
    answering: Answering, gpu: str
) -> None:
    """Whoever commits sees what the same GPUs cost without."""
    view = answering.answered(f"8 {gpu} reserved for a year", TERMINAL).view

    assert any("On demand, without a term: $" in note for note in view.notes)


@pytest.mark.parametrize(
    "load",
    [
        "resnet50 500 images per second", "yolov8 on 40 cameras at 15 fps",
        "mask r-cnn 100 images a second", "xgboost model 200 rps",
        "random forest, 2000 requests per second", "efficientnet 1M images a day",
    ],
)  # fmt: skip
def test_what_nobody_can_size_is_said_to_be_so(answering: Answering, load: str) -> None:
    """No fleet, no other model, no "something else"."""
    answered = answering.answered(load, TERMINAL)

    assert "cannot size" in answered.view.verdict


@pytest.mark.parametrize("limit", ["p95 80ms", "p99 100 ms"])
def test_a_limit_that_is_met_is_not_left_out_as_well(
    answering: Answering, limit: str
) -> None:
    """One sentence about a limit, not two that contradict each other."""
    view = answering.answered(f"embeddings 200 qps {limit} in total", TERMINAL).view

    assert not view.not_used


@pytest.mark.parametrize("load", ["70b 20 rps", "8b 200 users", "rag 32b 4 rps"])
def test_lengths_that_nobody_stated_stand_among_what_is_assumed(
    answering: Answering, load: str
) -> None:
    """They multiply the bill; what is stated is not assumed."""
    for said, sides in (("", "in/"), (" 1500 in", "out)"), (" 1500 in 150 out", "")):
        told = at_a_glance(answering.answered(load + said, TERMINAL).view).read_as
        assumed = told.partition("Assumed: ")[2]

        assert sides in assumed
        assert ("in/" in assumed) == (sides == "in/")

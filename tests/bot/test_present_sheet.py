"""Datasheets, terms beside spot, the month of one GPU: as a person reads them."""

import json

import pytest

from bot.answers.shared.json import figures
from bot.render.rendering import Renderer
from bot.service.answering import Answering
from tests.bot.blocks import check_message
from tests.conftest import COMMAND


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("tdp of b200", "B200 1,000 W"),
        ("memory of the mi325x", "MI325X 256 GB HBM3e"),
        ("does the l40s have nvlink", "L40S PCIe Gen4 only"),
        ("mi300x bandwidth", "MI300X 5.3 TB/s"),
        ("l4 tflops", "L4 121 BF16, 242 FP8, 242 INT8 TFLOPS"),
        ("rtx 4090 specs", "GeForce RTX 4090 24 GB GDDR6X, 1.01 TB/s, 450 W"),
    ],
)
def test_a_datasheet_leads_with_what_was_asked(
    answering: Answering, text: str, verdict: str
) -> None:
    """One line, the whole sheet below, blocks that Slack takes, the vendor's page."""
    found = answering.answered(text, COMMAND)
    message = Renderer().render_blocks(found.view)

    check_message(message.blocks, message.text)
    assert verdict == found.view.verdict
    assert "https://" in found.view.small_print[-1]
    assert found.explanation is not None


def test_the_figures_of_a_datasheet_are_those_of_its_lines(
    answering: Answering,
) -> None:
    """Each form's numbers and its lowest price, for programs."""
    found = answering.answered("h100 specs", COMMAND)
    shown = json.loads(json.dumps(figures(found)))
    table = found.view.table

    assert table is not None
    assert len(table.columns) - 1 == len(shown["alternatives"])
    watts = [f"{form['tdp_w']:,.0f} W" for form in shown["alternatives"]]
    assert watts == [cell.text for cell in table.rows[4][1:]]


def test_a_price_says_its_month_and_its_year(answering: Answering) -> None:
    """720 hours and twelve months of the price in the verdict; 730 where asked."""
    assert "a month (720 h)" in answering.answered("price l40s", COMMAND).view.why
    assert (
        "a month (730 h)"
        in answering.answered("price l40s, 730 hours a month", COMMAND).view.why
    )


def test_a_size_of_memory_leads_with_its_cheapest_gpu(answering: Answering) -> None:
    """None is named, so the lowest price by the hour of all that qualify leads."""
    verdict = answering.answered("80gb gpu price", COMMAND).view.verdict

    assert verdict.startswith("A100 80GB PCIe: ")


def test_more_memory_than_any_gpu_has_is_no_price(answering: Answering) -> None:
    """What the largest has is said in its place."""
    view = answering.answered("cheapest gpu with 2 tb of memory", COMMAND).view

    assert view.verdict.startswith("No GPU in the catalogue has 2,000 GB")


def test_a_year_stands_in_the_verdict_where_it_was_asked_for(
    answering: Answering,
) -> None:
    """Twelve times the month beside it."""
    view = answering.answered("what is the yearly cost of 70b at 10 rps", COMMAND).view
    month = answering.answered("70b at 10 rps", COMMAND).view

    year, _, rest = view.verdict.partition(" a year · ")
    assert year.startswith("$")
    assert rest == month.verdict
    assert "a year" not in month.verdict

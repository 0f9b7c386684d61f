"""Answers with a figure that was asked for beside the usual ones."""

import pytest

from bot.answers.shared.json import figures
from bot.service.answering import Answering
from tests.conftest import COMMAND


def test_two_models_are_sized_for_one_load(answering: Answering) -> None:
    """Each on its own best fleet; the cheaper is named, the other held against it."""
    found = answering.answered("llama 70b vs qwen 32b at 10 rps", COMMAND)
    rows = [figures(found)["recommendation"], *figures(found)["alternatives"]]

    assert {"llama-3.3-70b", "qwen3-32b"} == {row["model"] for row in rows}
    assert rows[0]["usd_per_month"] <= rows[1]["usd_per_month"]
    assert "less than Llama 3.3 70B" in found.view.verdict


def test_two_sizes_are_sized_for_one_load(answering: Answering) -> None:
    """Each size stands for its usual model."""
    found = answering.answered("8b or 70b for 300 users", COMMAND)
    rows = [figures(found)["recommendation"], *figures(found)["alternatives"]]

    assert ["llama-3.1-8b", "llama-3.3-70b"] == [row["model"] for row in rows]


def test_a_spend_in_euros_is_no_spend_in_dollars(answering: Answering) -> None:
    """4,000 € buy more tokens than 4,000 $, by a dated rate that is shown."""
    asked = "we pay openai {} a month for gpt-4o, should we self host 70b"
    euros = answering.ask(asked.format("4000 eur"), context=COMMAND)
    dollars = answering.ask(asked.format("4000 usd"), context=COMMAND)

    assert "$4,000" in dollars.verdict
    assert "$4,000" not in euros.verdict
    assert any("EUR on 20" in note for note in euros.notes)


def test_a_price_a_user_is_the_bill_divided(answering: Answering) -> None:
    """The division stands in the answer."""
    view = answering.ask("70b cost per user for 5000 users", context=COMMAND)

    assert view.verdict.endswith("per user and month")
    assert any("÷ 5,000 users" in note for note in view.notes)


def test_words_become_tokens_and_it_is_said(answering: Answering) -> None:
    """300 words are 400 tokens, as an assumption that can be changed."""
    view = answering.ask("8b 300 word answers 5rps", context=COMMAND)
    (chip,) = [chip for chip in view.chips if chip.field == "output_tokens"]

    assert "400 tokens" == chip.value


def test_the_whole_bill_is_in_the_figures_too(answering: Answering) -> None:
    """The terminal's JSON and the message carry the same sum."""
    found = answering.answered(
        "70b 20rps with 2TB egress and 20 engineer hours", COMMAND
    )
    whole = figures(found)["all_in"]

    assert whole["usd_per_month"] == pytest.approx(
        sum(line["usd"] for line in whole["lines"])
    )
    assert f"All in: ${whole['usd_per_month']:,.0f}/month" in found.view.verdict


def test_nobody_sells_a_term_that_is_asked_about(answering: Answering) -> None:
    """Without a known reserved price the rule is told, and the price to beat."""
    view = answering.ask("should we reserve 16 b200", context=COMMAND)

    assert view.verdict.startswith("We know no reserved price for B200")


def test_people_are_said_where_nothing_is_billed_as_one(answering: Answering) -> None:
    """A break-even weighs many ways: what an engineer costs stands beside them all."""
    asked = "is self-hosting 70b at 20 rps cheaper than openai with half an engineer?"
    view = answering.ask(asked, context=COMMAND)

    assert any("engineering $8,000 (80 h × $100)" in note for note in view.notes)


def test_spot_and_on_demand_stand_side_by_side(answering: Answering) -> None:
    """Both bills in the verdict, what interruptions cost below it."""
    asked = "spot or on-demand for fine-tuning 8b on 1B tokens?"
    view = answering.ask(asked, context=COMMAND)

    assert "spot" in view.verdict
    assert "on-demand" in view.verdict
    assert view.verdict.endswith(" more")
    assert view.notes[0].startswith("Spot: ")
    assert "Save work every" in view.notes[0]
    assert view.notes[1].startswith("Without interruptions: ")


def test_a_stated_rate_of_interruptions_is_used_and_said(answering: Answering) -> None:
    """Interrupted twice as often, dearer; no assumed rate beside it."""
    asked = "spot h100 for 7b training on 20b tokens, interrupted every {} hours"
    often, seldom = (
        answering.answered(asked.format(hours), COMMAND) for hours in ("5", "10")
    )
    costs = [figures(one)["recommendation"]["usd_per_run"] for one in (often, seldom)]

    assert costs[0] > costs[1]
    assert "stopped every 5 h, as you stated" in often.view.why
    assert "spot_mtbf_hours" not in {chip.field for chip in often.view.chips}


def test_the_bill_of_a_year_says_the_year(answering: Answering) -> None:
    """Twelve months of it, first in the verdict; without the word it is a month."""
    year, month = (
        answering.answered(f"how much are 100 h100 per {period}", COMMAND).view.verdict
        for period in ("year", "month")
    )

    first, _, rest = year.partition(" · ")
    assert first.endswith("a year")
    assert rest == month


def test_the_day_that_serving_passes_training_needs_no_model(
    answering: Answering,
) -> None:
    """The verdict, its arithmetic and JSON have the same figures."""
    asked = (
        "train once for $78M, serve 250B input tokens a day at $2.50 per 1M, when does "
        "serving pass training"
    )
    answered = answering.answered(asked, COMMAND)
    view, table = answered.view, answered.view.table

    assert "after 125 days, in month 5: $78,000,000 ÷ $625,000 a day" in view.verdict
    assert "250B tokens a day × $2.50 per 1M = $625,000" in view.why
    assert table is not None
    assert table.winner is not None
    assert "5" == table.rows[table.winner][0].text
    assert 124.8 == figures(answered)["serving_passes_training_after_days"]


def test_a_run_that_comes_again_is_told_by_the_year(answering: Answering) -> None:
    """Weekly are 52.1 runs a year."""
    asked = "cost to retrain weekly an 8b lora on 20k samples"
    found = answering.answered(asked, COMMAND)
    each = figures(found)["recommendation"]["usd_per_run"]
    (note,) = [note for note in found.view.notes if "runs a year" in note]
    yearly = float(note.split("$")[1].split(",")[0].replace(",", ""))

    assert "52.1 runs a year" in note
    assert each * 365 / 7 == pytest.approx(yearly, rel=0.01)

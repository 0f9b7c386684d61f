"""A budget in any currency is kept by every kind of answer."""

from decimal import Decimal

import pytest

from bot.answers.shared.json import figures
from bot.service.answering import Answering
from core.jobs.options import JobAnswer
from tests.conftest import TERMINAL


@pytest.mark.parametrize(
    ("question", "stated"),
    [
        ("70b 20rps under €1k a month", "1,000 EUR a month"),
        ("70b 20rps under £1k a month", "1,000 GBP a month"),
        ("70b 20rps under ₹50k per month", "50k INR a month"),
        ("price of 8x h100 under 1k eur a month", "1,000 EUR a month"),
        ("8x h100 under £2k a month", "2,000 GBP a month"),
        ("lambda vs coreweave for 70b 50rps under 1k eur a month", "1,000 EUR a month"),
        ("how many users can 4x h100 serve with 70b under €500/month",
         "500 EUR a month"),
        ("train a 70b on 1T tokens under €10k", "10k EUR"),
        ("200 sdxl images per minute under €10 a month", "10 EUR a month"),
    ],
)  # fmt: skip
def test_what_a_foreign_budget_does_not_pay_for_is_a_no(
    answering: Answering, question: str, stated: str
) -> None:
    """The verdict says the budget as stated and in dollars; the rate is dated."""
    view = answering.ask(question, context=TERMINAL)

    assert "no" == view.kind, view.verdict
    assert f"Not for {stated} ($" in view.verdict
    assert any("1 USD = " in note and "2026-10-30" in note for note in view.notes)


def test_a_budget_that_suffices_is_no_hindrance(answering: Answering) -> None:
    """The same winner as without it, and what costs more is counted."""
    free = answering.ask("70b 20rps", context=TERMINAL)
    paid = answering.ask("70b 20rps under €50k a month", context=TERMINAL)

    assert f"Yes, within your budget. {free.verdict}" == paid.verdict
    assert paid.table is not None
    assert "over the budget of 50k EUR a month ($55,860)" in paid.table.note


def test_where_only_spot_keeps_within_it_that_is_said(answering: Answering) -> None:
    """The cheapest on-demand price is over the budget, a spot price is not."""
    view = answering.ask("8x h100 under 10k eur a month", context=TERMINAL)

    assert view.verdict.startswith("For 10k EUR a month ($11,172) only spot: ")


def test_a_question_of_memory_keeps_its_verdict(answering: Answering) -> None:
    """Whether it fits is one thing, whether it may be paid another."""
    view = answering.ask("can 70b fit on an h100 under €1000 a month", context=TERMINAL)

    assert view.verdict.startswith("Yes, but only in INT4")
    assert any("over your budget of 1,000 EUR" in note for note in view.notes)


def test_what_a_budget_does_carry_is_said(answering: Answering) -> None:
    """So many of the GPUs, and the part of the load that those serve."""
    view = answering.ask("70b 50rps under $8k a month", context=TERMINAL)

    assert "no" == view.kind
    assert any("Your budget pays for 1 of the 6 GPUs" in one for one in view.notes)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("self host llama 70b vs api at 50M tokens/day under €1k a month",
         "Over it: rented GPUs $"),
        ("8b bot 50 calls a day under €5 a month",
         "Within your budget of 5 EUR a month ($5.59): "),
        ("seven 7b int4 models isolated MIG on one h100 under €1000 a month",
         "none. Over it: the slices $"),
        ("4x h100 at 30% utilisation what is idle costing us, budget €5k a month",
         "Within your budget of 5,000 EUR a month ($5,586): 2 GPUs, better used $"),
    ],
)  # fmt: skip
def test_where_ways_are_weighed_each_is_held_against_it(
    answering: Answering, question: str, said: str
) -> None:
    """Self-host or API, by use or by the month, slices, a fleet in hand."""
    view = answering.ask(question, context=TERMINAL)

    assert any(said in note for note in view.notes), view.notes
    assert any("1 USD = " in note for note in view.notes)


def test_an_answer_that_compares_no_bill_says_so(answering: Answering) -> None:
    """Specifications side by side; an amount without a period is for the whole."""
    view = answering.ask("h100 vs h200 under 300k eur", context=TERMINAL)

    assert ("300k eur",) == view.not_used


@pytest.mark.parametrize(
    ("question", "usd"),
    [
        ("8 h100 for 6 months at lambda", "31.92 × 4320"),
        ("8 h100 for 6 months 8 hours a day at lambda", "31.92 × 1440"),
        ("8 h100 for 2 weeks at lambda", "31.92 × 336"),
    ],
)
def test_a_rental_with_an_end_costs_the_hours_of_its_days(
    answering: Answering, question: str, usd: str
) -> None:
    """The verdict and the JSON name one sum: $31.92 an hour for the hours in use."""
    hourly, hours = usd.split(" × ")
    total = float(hourly) * float(hours)
    answered = answering.answered(question, TERMINAL)
    found = figures(answered)["recommendation"]

    assert f"${total:,.0f} for " in answered.view.verdict
    assert pytest.approx(total) == found["usd_for_the_rental"]


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("fine-tune 8b on 100M tokens on at most 8 h100", 8),
        ("full fine-tune of 70b on 1B tokens on max 64 h100", 64),
        ("full fine-tune of 70b on 1B tokens on max 4 h100", 4),
        ("pretrain 7b on 100B tokens within 10 days with at most 64 h100", 64),
        ("summarise 1M docs with 8b on max 4 l40s", 4),
        ("summarise 1M docs with 8b within 12 hours on at most 16 l40s", 16),
    ],
)
def test_so_many_gpus_at_most_bound_a_job(
    answering: Answering, text: str, most: int
) -> None:
    """No way takes more, and fewer are taken where they do as well for less."""
    held = answering.answered(text, TERMINAL).figures
    exact = text.replace("at most ", "").replace("max ", "")
    alike = answering.answered(exact, TERMINAL).figures
    assert isinstance(held, JobAnswer)
    assert isinstance(alike, JobAnswer)
    assert held.options
    assert all(one.gpus <= most for one in held.options)
    if alike.options:
        assert held.options[0].usd <= alike.options[0].usd * Decimal("1.1")

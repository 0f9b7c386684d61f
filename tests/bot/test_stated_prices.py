"""A price of a GPU-hour that a question states stands in for those on offer."""

import pytest

from bot.answers.shared.json import figures
from bot.language.conversation import apply
from bot.language.parse import parse
from bot.service.answering import Answering
from tests.conftest import COMMAND


@pytest.mark.parametrize(
    ("text", "prices"),
    [
        ("h100 at $2.20/h: 70b 20 rps", (("h100", 2.2),)),
        ("h100 at 2.20 an hour, 70% utilised: $ per 1M tokens for 70b",
         (("h100", 2.2),)),
        ("8 h100s @ $2.49/hr, monthly bill", (("h100", 2.49),)),
        ("h100 at $2.2/h vs h200 at $3.1/h, 70b 20 rps",
         (("h100", 2.2), ("h200", 3.1))),
        ("buying 16 h100 at $27k vs renting at $2.20", (("h100", 2.2),)),
    ],
)  # fmt: skip
def test_a_price_of_theirs_is_no_budget(
    text: str, prices: tuple[tuple[str, float], ...]
) -> None:
    """What stands behind "at", per hour, is what one GPU costs."""
    query = parse(text)

    assert prices == query.gpu_prices
    assert query.budget_amount is None


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("70b on h100 under $20/h", 20),
        ("8x h100 for $20/h", 20),
        ("70b 20 rps on h100, budget $15/h", 15),
    ],
)
def test_a_limit_stays_a_budget(text: str, budget: float) -> None:
    """Under, for, and the word itself."""
    query = parse(text)

    assert (budget, None) == (query.budget_amount, query.gpu_prices)


def test_a_watched_price_is_no_price_of_theirs() -> None:
    """An alert names the price to come."""
    assert parse("alert me when h100 at $2/h").gpu_prices is None


def test_the_answer_is_computed_with_it(answering: Answering) -> None:
    """So many GPUs at $2.20 for 720 hours."""
    found = figures(answering.answered("h100 at $2.20/h: 70b 20 rps", COMMAND))
    best = found["recommendation"]

    assert best["count"] * 2.2 * 720 == pytest.approx(best["usd_per_month"])


def test_each_gpu_has_its_own(answering: Answering) -> None:
    """Two prices, one comparison."""
    asked = "h100 at $2.2/h vs h200 at $3.1/h, 70b 20 rps"
    table = answering.ask(asked, context=COMMAND).table

    assert table is not None
    assert {2.2, 3.1} == {row[2].value for row in table.rows}


def test_a_thread_keeps_it() -> None:
    """ "and at 40 rps?" is still paid at that price."""
    second = apply(parse("h100 at $2.20/h: 70b 20 rps"), "and at 40 rps?")

    assert second is not None
    assert (("h100", 2.2),) == second.gpu_prices


TERMS = (
    "{term} commit at ${low}/h per H100 or stay at ${high} month to month, 24 cards",
    "we pay ${high} for 24 H100 on demand, is a {term} reservation at ${low} worth it?",
    "24 H100: ${high} an hour today, ${low} with a {term} commitment. sign?",
    "reserve 24 x h100 for {term} at {low} per GPU hour vs {high} on-demand",
)


@pytest.mark.parametrize("text", TERMS)
@pytest.mark.parametrize(
    ("term", "months", "low", "high"),
    [("3-year", 36, 1.9, 2.6), ("1 year", 12, 2, 3.1)],
)
def test_a_term_is_weighed_at_their_prices(
    answering: Answering, text: str, term: str, months: int, low: float, high: float
) -> None:
    """Of two prices the lower one is the term's; no list price takes their place."""
    asked = text.format(term=term, low=f"{low:.2f}", high=f"{high:.2f}")
    found = figures(answering.answered(asked, COMMAND))

    assert found["spec"] is None
    assert high == pytest.approx(float(found["on_demand"]["usd_per_gpu_hour"]))
    assert [months] == [one["months"] for one in found["whole_terms"]]
    committed = low * 24 * 720 * months
    assert committed == pytest.approx(found["whole_terms"][0]["usd_committed"])


MACHINES = (
    "what does our own 8xA100 server cost a month? paid {usd}k, depreciated over "
    "{years}, draws 5 kW, power is $0.20/kWh, colo $900/month, busy 45% of the time",
    "8x A100 box bought for ${usd},000, {years}-year depreciation, 5 kW at "
    "$0.20/kWh, hosting 900/month. real cost per month at 45% use?",
)


@pytest.mark.parametrize("text", MACHINES)
@pytest.mark.parametrize(("usd", "years"), [(140, 4), (95, 3)])
def test_machines_of_their_own_cost_what_they_say(
    answering: Answering, text: str, usd: int, years: int
) -> None:
    """Price ÷ months, power as it is drawn, and the place, as stated."""
    found = figures(answering.answered(text.format(usd=usd, years=years), COMMAND))
    owned = found["owned"]

    assert (usd * 1000, years * 12) == (owned["usd"], owned["amortise_months"])
    assert owned["colocation_usd_per_month"] == 900
    assert owned["energy"]["kilowatts"] == pytest.approx(5)
    assert owned["energy"]["hours"] == pytest.approx(720)


@pytest.mark.parametrize(
    "text",
    [
        "on-prem only: llama 70b at 9 rps, how many GPUs to purchase?",
        "llama 70b, 9 rps. what capex for our data centre?",
        "which servers should we buy for llama 70b at 9 rps",
    ],
)
def test_the_gpus_of_a_load_can_be_bought(answering: Answering, text: str) -> None:
    """Sized as any load, then bought."""
    found = figures(answering.answered(text, COMMAND))

    assert found["owned"]["usd"] > 0
    assert found["recommendation"]["usd_per_month"] > 0


def test_dollars_beside_euros_stay_dollars(answering: Answering) -> None:
    """A sign of its own counts before the currency of the other sums."""
    asked = (
        "our own 8x H100 server, bought for $290k, 8 kW at 0.24 €/kWh, depreciated "
        "over 4 years, busy 50% of the time: what does it cost a month?"
    )
    found = figures(answering.answered(asked, COMMAND))

    assert found["owned"]["usd"] == 290_000
    assert found["owned"]["energy"]["usd_per_kwh"] > 0.24

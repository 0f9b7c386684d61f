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


@pytest.mark.parametrize(
    ("text", "paid"),
    [
        ("60 people on Cursor at $32 plus $900 overage a month, would qwen3-coder-30b "
         "on 2 h100 replace it?", 2820),
        ("90 devs on Copilot at $19 each a month. is gpt-oss-120b on 2 H100 cheaper?",
         1710),
        ("we pay $25 per seat for 200 seats of ChatGPT monthly. would llama 70b on 2 "
         "h200 replace it?", 5000),
        ("Wir zahlen 20 $ pro Nutzer im Monat für 300 Nutzer Copilot. Würde Qwen3 32B "
         "auf 2 L40S das ersetzen?", 6000),
        ("our bill was $21,300 last month for serving llama 70b at 6 rps. What should "
         "it be?", 21_300),
        ("we burn 9k a month for a 32b at 3 rps, does that add up?", 9000),
        ("nous payons 7 400 $ par mois pour un 32b à 3 rps, est-ce trop cher ?", 7400),
        # neighbours: limits, and what an API costs
        ("70b 6 rps, budget $9k a month", None),
        ("300 users at most $40 a month, 8b chat", None),
        ("we pay $6k a month for gpt-4o, would llama 70b be cheaper?", None),
        ("the client pays 11,000 CHF a month at most, 24b at 4 rps", None),
    ],
)  # fmt: skip
def test_what_is_paid_today_is_no_limit(text: str, paid: float | None) -> None:
    """Seats and a bill are held against what would stand in their place."""
    query = parse(text)

    assert paid == query.paid_a_month
    assert (paid is None) is (
        query.budget_amount is not None or query.api_spend_amount is not None
    )


def test_a_bill_leads_with_the_difference(answering: Answering) -> None:
    """Both sides are of a month."""
    asked = "our bill was $21,300 last month for serving llama 70b at 6 rps, fair?"
    answered = answering.answered(asked, COMMAND)
    usd = figures(answered)["recommendation"]["usd_per_month"]

    assert f"${21_300 - usd:,.0f}/month less" in answered.view.verdict
    assert "$21,300 that you pay now" in answered.view.verdict


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("is $3.10/h for A100 80GB too much?", 3.1),
        ("they want $4.10 an hour per A100 80GB. Rip-off?", 4.1),
        ("Sind 2,90 $ pro Stunde für eine A100 80GB zu viel?", 2.9),
        ("¿Es caro pagar 2,50 $ la hora por una A100 80GB?", 2.5),
        ("is 1.10 per hour for an A100 80GB a fair rate today", 1.1),
        ("our contract has A100 80GB at $3.95/h. overpaying?", 3.95),
        # neighbours
        ("a100 80gb under $2/h", None),
        ("alert me when a100 80gb is at $1.20/h", None),
        ("8 a100 80gb for 12 months, is that too much for an 8b?", None),
        ("what does an a100 80gb cost an hour?", None),
    ],
)
def test_a_price_of_an_hour_is_judged(text: str, price: float | None) -> None:
    """In any language, whatever asks whether it is too much."""
    query = parse(text)

    assert (price and (("a100-80gb", price),)) == query.gpu_prices
    assert (price is None) or query.wanted == "fair_price"


def test_a_bill_of_a_machine_is_held_against_its_price_list(
    answering: Answering,
) -> None:
    """Of the machine that is rented, at whoever rents it out."""
    asked = (
        "AWS charged us $18,640 for SageMaker ml.g6e.12xlarge x2 endpoints in "
        "September. Does that add up, and what would plain EC2 have been?"
    )
    answered = answering.answered(asked, COMMAND)
    listed = 8 * 2.62316 * 720

    assert f"they cost ${listed:,.0f}/month" in answered.view.verdict
    assert f"you pay ${18_640 - listed:,.0f} more" in answered.view.verdict
    assert not answered.view.not_used


@pytest.mark.parametrize(
    ("text", "lease", "used"),
    [
        ("Dell leases us 8x H100 at $7,950 a month for 36 months, no power included. "
         "Better than renting at $2.2/h per GPU, we run 12h a day?", 7950, 0.5),
        ("lease: 8x H100, 36 months, $8,200/month. or rent, 50% busy?", 8200, 0.5),
        ("Leasingangebot: 8x H100 für 7.400 € im Monat, 36 Monate, ohne Strom. Lohnt "
         "sich das gegen Miete bei 12 Stunden am Tag?", 7400, 0.5),
        ("HP wants $11k/month for a leased DGX H100 (3 years). Is on-demand cheaper if "
         "it is 50% busy?", 11_000, 0.5),
    ],
)  # fmt: skip
def test_a_lease_is_weighed_with_what_it_takes_to_run(
    answering: Answering, text: str, lease: float, used: float
) -> None:
    """Over the same months, and for the hours in use."""
    assert parse(text).beside.lease_usd == lease  # type: ignore[union-attr]
    found = figures(answering.answered(text, COMMAND))

    assert found["owned"]["amortise_months"] == 36
    assert found["owned"]["interest_usd_per_month"] == 0
    month, rented = found["owned"]["usd_per_month"], found["rented"]
    assert month > lease
    hourly = rented["bill"]["usd_per_hour"]
    assert rented["usd_per_month_used"] == pytest.approx(hourly * 720 * used)


@pytest.mark.parametrize(
    ("text", "prices", "months"),
    [
        ("Google offered a3-megagpu-8g with a 3 year CUD at 56% off. Together offers "
         "$1.95 per GPU-hour, 12 months. We need 24 GPUs.", [1.95, 5.11], {12, 36}),
        ("Azure gives us 30% off list for 8 H100 on a 1-year term; Lambda quotes "
         "$2.60/h. which is cheaper", [2.6, 7.74], {12}),
        ("aws offers 25% off for 8 H100 for 3 years, nebius offers $2.40/h for 1 year",
         [2.4, 5.16], {12, 36}),
    ],
)  # fmt: skip
def test_a_discount_is_taken_off_the_price_list(
    answering: Answering, text: str, prices: list[float], months: set[int]
) -> None:
    """Each offer with its own term, and none with that of another."""
    table = answering.ask(text, context=COMMAND).table

    assert table is not None
    assert prices == [pytest.approx(row[2].value, abs=0.01) for row in table.rows]
    assert parse(text).utilization is None
    assert months == {int(one) for _, one in parse(text).seller_terms or ()}


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("at which daily token volume does renting an H100 beat Fireworks' llama 3.3 "
         "70b at $0.90/M?", True),
        ("how many tokens a day before a rented H100 is cheaper than Together's llama "
         "3.3 70b?", True),
        ("Ab wie vielen Tokens pro Tag ist eine gemietete H100 günstiger als Fireworks "
         "für Llama 3.3 70B?", True),
        ("À partir de quel volume par jour louer une H100 bat-il Together à 0,88 $/M "
         "pour llama 70b ?", True),
        ("Fireworks charges $0.90 per 1M for llama 70b. When does our own H100 win, "
         "in tokens per day?", True),
        ("from what volume is an H100 cheaper than together for llama 70b",
         True),
        # neighbours
        ("how many tokens per day can an H100 serve with llama 70b", False),
        ("how many tokens a day does llama 70b on an h100 make, cheaper than h200?",
         False),
        ("which GPU beats the H100 for a 70b at 20 rps?", False),
        ("what does fireworks charge per 1M tokens of llama 70b?", False),
    ],
)  # fmt: skip
def test_the_volume_at_which_it_turns_is_told(
    answering: Answering, text: str, turns: bool
) -> None:
    """Tokens and requests a day, and the GPUs that carry them."""
    view = answering.ask(text, context=COMMAND)

    told = "cheaper than" in view.verdict and "tokens/day (" in view.verdict
    assert turns is told, view.verdict
    assert not (turns and view.not_used)


@pytest.mark.parametrize(
    ("text", "gpus"),
    [
        ("预算 30 万人民币，本地部署 Qwen3-14B 给 100 人用，买什么卡？", 1),
        ("Budget 50.000 € einmalig, keine laufenden Kosten: welche Hardware für ein "
         "32B-Modell, 60 Mitarbeiter?", 2),
        ("80k EUR to buy hardware for Llama 3.3 70B on premises, 40 users", 2),
        ("capex only, $60k: what box do we need for a 32b and 60 employees?", 2),
        ("lab with €120k one-off money, no opex budget, 25 students who fine-tune 14B "
         "models. What would you buy?", 8),
        ("on-prem only, two sites active/passive, Llama 3.3 70B, 60 concurrent. capex "
         "and yearly opex please", 8),
    ],
)  # fmt: skip
def test_a_sum_for_hardware_buys_and_rents_nothing(
    answering: Answering, text: str, gpus: int
) -> None:
    """What is bought stands first; no month of rent is held against a sum once."""
    view = answering.ask(text, context=COMMAND)

    assert view.verdict.startswith(f"Buy {gpus} × "), view.verdict
    assert not any("rented" in note for note in view.notes)
    assert not view.not_used


@pytest.mark.parametrize(
    "text",
    [
        "what can I buy with $5k a month for llama 70b",
        "fine-tune a 14b on 50k samples with a budget of €2k",
        "32b for 60 employees under $2k a month",
        "8b chat for 300 users in two sites",
    ],
)
def test_what_is_rented_is_not_bought(answering: Answering, text: str) -> None:
    """A month's money, a run, a limit."""
    assert not answering.ask(text, context=COMMAND).verdict.startswith("Buy ")

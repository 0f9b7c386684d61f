"""Loads that grow, words of a pile, sums in other currencies, runs that are weighed."""

import pytest

from bot.answers.shared.json import figures
from bot.language.parse import parse
from bot.service.answering import Answering
from core.reference.assumed import defaults
from core.reference.load import reference
from core.resolve import Unresolved, resolve
from tests.conftest import COMMAND


@pytest.mark.parametrize(
    ("text", "monthly", "months"),
    [
        ("70b at 20rps growing 10% a month, cost over a year", 0.1, None),
        ("8b 10k users, 30% yoy growth", 1.3 ** (1 / 12) - 1, None),
        ("70b 5 rps with traffic up 5% every month", 0.05, None),
        ("70b 20 rps growing 20% a quarter, 2 years", 1.2 ** (1 / 3) - 1, 24),
        ("8b 20 rps, monthly growth of 15%", 0.15, None),
        ("8b 20 rps, expected to be 5x in a year", 5 ** (1 / 12) - 1, 12),
        ("8b 20 rps, load doubles within 6 months", 2 ** (1 / 6) - 1, 6),
        ("70b: 5 rps now, 20 rps in a year", 4 ** (1 / 12) - 1, 12),
        ("70b: from 1k to 8k users over the next 18 months", 8 ** (1 / 18) - 1, 18),
        ("70b at 5 rps now, 4x within a year", 4 ** (1 / 12) - 1, 12),
        ("70b 5 rps, 4000 in, 20 rps at peak", None, None),
        ("alert me when h100 rises 5% a week", None, None),
        ("70b 20 rps at 60% utilization", None, None),
    ],
)
def test_growth_is_a_share_a_month(
    text: str, monthly: float | None, months: int | None
) -> None:
    """A year's growth is spread over its months; a price that rises is no load."""
    query = parse(text)

    assert (monthly and round(monthly, 9), months) == (
        query.growth_per_month,
        query.growth_months,
    )


@pytest.mark.parametrize(
    "text",
    [
        "70b: 5 rps now, 20 rps in a year",
        "70b: today 5 rps, in a year 20 rps",
        "70b growing from 5 to 20 rps within 12 months",
    ],
)
def test_the_load_of_today_is_the_one_that_is_sized(text: str) -> None:
    """That of the year's end is where it grows to."""
    assert (5, ()) == (parse(text).rps, parse(text).not_used)


def test_a_year_of_growth_is_summed_first(answering: Answering) -> None:
    """Twelve months, each at its own load: more than twelve of today's."""
    grown = answering.answered(
        "yearly cost of 70b: 5 rps now, 20 rps in a year", COMMAND
    )
    flat = answering.answered("yearly cost of 70b at 5 rps", COMMAND)
    sums = [
        float(one.view.verdict.split(" ")[0].strip("$").replace(",", ""))
        for one in (grown, flat)
    ]
    month = figures(flat)["recommendation"]["usd_per_month"]

    assert sums[1] == pytest.approx(12 * float(month), abs=1)
    assert sums[0] > sums[1]


def test_the_last_month_and_all_of_them_are_told(answering: Answering) -> None:
    """10 % a month is 1.1¹² = 3.14 times in a year."""
    view = answering.ask("70b at 20rps growing 10% a month", context=COMMAND)

    assert " · in 12 months: " in view.verdict
    assert "the load in 12 months is 3.14 × today's" in view.notes[0]
    assert "The months until then cost $" in view.notes[0]


def test_a_pile_in_words_is_read_as_tokens(answering: Answering) -> None:
    """40M words are 53.3M tokens to be read."""
    found = answering.answered("translate 40M words en-de with 8b", COMMAND)
    (chip,) = [chip for chip in found.view.chips if chip.field == "tokens_total"]

    assert "53.3M tokens" == chip.value
    assert "223k requests" in found.view.why


def test_a_kilowatt_hour_in_euros_is_none_in_dollars(answering: Answering) -> None:
    """The same number costs more in euros, and the rate is shown."""
    asked = "energy cost of 16 h100 at 0.28 {} per kwh"
    euros, dollars = (
        answering.answered(asked.format(unit), COMMAND) for unit in ("eur", "usd")
    )

    assert any("EUR on 20" in note for note in euros.view.notes)
    assert not any("EUR on 20" in note for note in dollars.view.notes)
    assert euros.view.verdict != dollars.view.verdict


@pytest.mark.parametrize(
    "text",
    [
        "tco 70b 20 rps incl. an engineer at €80k a year",
        "h100 at €2.20/h: 70b 20 rps",
        "buy 8 h100 at €28k each or rent",
    ],
)
def test_a_sum_beside_the_gpus_keeps_its_currency(text: str) -> None:
    """Salaries, rents and purchases are no budgets."""
    query = parse(text)

    assert ("EUR", None) == (query.sums_currency, query.budget_amount)


def test_a_currency_without_a_rate_is_not_used(answering: Answering) -> None:
    """It is said, and the prices on offer stand."""
    query = parse("h100 at €2.20/h: 70b 20 rps")
    strange = query.model_copy(update={"sums_currency": "XTS"})
    found = answering.again(strange, COMMAND)

    assert any("not used: no dated XTS rate" in note for note in found.view.notes)
    assert "stated" != figures(found)["recommendation"]["provider"]


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("train 7b or 13b on 1T tokens",
         ("train 7b on 1t tokens", "train 13b on 1t tokens")),
        ("train 7b on 1T tokens, h100 or h200", ()),
        ("train 1b on 20b", ()),
    ],
)  # fmt: skip
def test_each_size_is_a_run_of_its_own(text: str, choices: tuple[str, ...]) -> None:
    """Neither is dropped in silence."""
    asked = parse(text).clarify

    assert choices == (asked.choices if asked else ())


@pytest.mark.parametrize(
    "by", ["by summer", "until march", "by q2", "before christmas"]
)
@pytest.mark.parametrize(
    ("said", "times"), [("doubles", 2), ("triples", 3), ("will be 4x", 4)]
)
def test_a_load_that_grows_once_is_priced_then(
    answering: Answering, said: str, times: int, by: str
) -> None:
    """No number of months is told, so the cost is that of the load which it will be."""
    found = answering.answered(f"llama 3.1 8b 10 rps, load {said} {by}", COMMAND)
    then = answering.answered(f"llama 3.1 8b {10 * times} rps", COMMAND)
    _, note = found.view.verdict.split(f" · at {times} × the load: ")
    usd = figures(then)["recommendation"]["usd_per_month"]

    assert f"${float(usd):,.0f}/month" in note


@pytest.mark.parametrize(
    "load", ["10B tokens a month", "3M requests a day", "20k users"]
)
def test_a_stated_peak_takes_the_place_of_the_usual_one(load: str) -> None:
    """ "peak is 6x the average": what a day's amount comes to at its busiest."""
    rates = []
    for factor in (3, 6):
        query = parse(f"llama 3.1 8b chat, {load}, peak is {factor}x the average")
        found = resolve(query, reference(), defaults())
        assert not isinstance(found, Unresolved)
        assert all(one.field != "peak_factor" for one in found.assumptions)
        rates.append(found.spec.load.rps)
    assert rates[1] == pytest.approx(2 * rates[0], rel=0.01)


@pytest.mark.parametrize(("gpus", "done"), [(1, False), (2, False), (3, True)])
def test_a_pile_that_comes_back_is_done_before(
    answering: Answering, gpus: int, done: bool
) -> None:
    """250,000 hours are about 1,920 hours of an L4, and a month has 720."""
    asked = f"whisper large-v3 250000 hours per month on {gpus} l4"
    verdict = answering.answered(asked, COMMAND).view.verdict
    assert verdict.startswith("No") is not done, verdict


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("glm-4.6 for 120 developers", "100 requests a day each are assumed"),
        ("llama 70b chat for 50k users", "10 requests a day each are assumed"),
        ("llama 70b chat for 50k users, 20 requests a day each", None),
        ("llama 70b chat for 40 people at once", None),
    ],
)
def test_a_day_that_nobody_stated_is_told_with_its_price(
    answering: Answering, text: str, told: str | None
) -> None:
    """What decides the bill stands beside it, at three times as much too."""
    notes = answering.answered(text, COMMAND).view.notes

    said = [note for note in notes if "a day each are assumed" in note]
    assert bool(told) == bool(said)
    assert told is None or (said[0].startswith(told) and "$" in said[0])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("qwen3-32b for a support chat, 50 at once", "Without thinking: "),
        ("gpt-oss-120b for a support chat, 50 at once", "At 25 tokens/s: "),
        ("deepseek r1, 4k tokens out, 2 rps", "At 25 tokens/s: "),
        ("qwen3-32b chat, 50 at once, no thinking", None),
        ("llama 70b chat, 50 at once", None),
        ("deepseek r1, 4k tokens out, 2 rps, 30 tokens/s each", None),
    ],
)
def test_a_long_answer_is_told_in_seconds_with_the_price_of_a_quicker_one(
    answering: Answering, text: str, told: str | None
) -> None:
    """Two minutes for a chat's answer are said, not left to be worked out."""
    notes = answering.answered(text, COMMAND).view.notes

    said = [note for note in notes if note.startswith("Each answer takes about")]
    assert bool(told) == bool(said)
    assert told is None or told in said[0]


def test_what_must_feel_instant_is_rented_and_timed(answering: Answering) -> None:
    """No API publishes its wait."""
    view = answering.answered(
        "codestral autocomplete for 60 devs, has to feel instant", COMMAND
    ).view

    assert "an API" not in view.verdict
    assert any(note.startswith("Instant is read as") for note in view.notes)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("prices fall 30% next year, what do 8 h100 cost?", "At prices 30 % lower"),
        ("we commit to 3 years on 8 h100 and prices drop by 20%, do we regret it?",
         "At prices 20 % lower"),
        ("what do 8 h100 at 30% use cost?", None),
    ],
)  # fmt: skip
def test_a_fall_of_prices_is_no_use_and_no_alert(
    answering: Answering, text: str, told: str | None
) -> None:
    """What leads is told at the lower price beside today's."""
    notes = answering.answered(text, COMMAND).view.notes

    assert [told] * bool(told) == [
        note[: len(told or "")] for note in notes if note.startswith("At prices")
    ]


def test_gpus_that_carry_a_load_grow_with_it_without_a_model(
    answering: Answering,
) -> None:
    """Four of them carry it today: no model has to be named for sixteen."""
    verdict = answering.answered(
        "20 rps on 4 h100 today, growing 12% a month, what do we spend in a year?",
        COMMAND,
    ).view.verdict

    assert "16 × H100" in verdict

"""The unit that was asked for stands in the verdict, and in the JSON."""

import re

import pytest

from bot.answers.shared.json import figures
from bot.language.parse import parse
from bot.service.answering import Answering
from tests.conftest import TERMINAL


@pytest.mark.parametrize(
    ("text", "key", "unit"),
    [
        ("blended cost per 1M tokens for llama 70b at 20 rps",
         "usd_per_million_tokens_blended", " per 1M tokens in and out"),
        ("cost per request of llama 8b on l40s", "usd_per_thousand_requests",
         " per 1,000 requests"),
        ("yearly cost of 70b at 10 rps", "usd_per_year", " a year"),
        ("$ per hour for serving kimi k2 at 3 rps", "usd_per_hour", " an hour"),
        ("hourly cost of 70b at 10 rps", "usd_per_hour", " an hour"),
    ],
)  # fmt: skip
def test_the_unit_asked_for_leads_no_less_than_the_month(
    answering: Answering, text: str, key: str, unit: str
) -> None:
    """In the verdict, with its arithmetic in the notes, and in the JSON."""
    found = answering.answered(text, TERMINAL)
    best = figures(found)["recommendation"]
    each = best[key]
    said = found.view.verdict.split(" · ")["year" not in unit]  # a year leads
    assert said.endswith(unit)
    usd = float(said.removesuffix(unit).lstrip("$").replace(",", ""))
    assert each == pytest.approx(usd, rel=6e-3)
    assert found.explanation is not None
    if "hour" not in unit:
        assert set(found.view.notes) & set(found.explanation.notes)
    month = best["usd_per_month"]
    per = {"usd_per_year": 12 * month}.get(key)
    assert per is None or per == pytest.approx(each)


@pytest.mark.parametrize(
    ("text", "item", "a_month"),
    [
        ("25 llm calls per ticket, 2,000 tickets a day, qwen3 32b. cost per ticket?",
         "ticket", 60_000),
        ("qwen3 32b agents, ~12 calls per task, 400 tasks a day, cost per task",
         "task", 12_000),
        ("qwen3 32b agent, 60k tickets a month, 10 calls each ticket, price per ticket",
         "ticket", 60_000),
        ("qwen3 32b, 3,000 documents a day of 5k tokens, cost per document",
         "document", 90_000),
    ],
)  # fmt: skip
def test_what_is_counted_has_its_price_not_its_calls(
    answering: Answering, text: str, item: str, a_month: int
) -> None:
    """A ticket of 25 calls costs a month over its tickets, not over the calls."""
    found = answering.answered(text, TERMINAL)
    told = re.search(rf"\$([\d.]+) per {item} ", found.view.verdict)
    assert told is not None
    assert found.figures is not None
    month = found.figures.ways[0].money.month
    assert month is not None
    assert float(told[1]) == pytest.approx(float(month) / a_month, rel=6e-3)


def test_what_a_cache_that_nobody_stated_saves_is_told(answering: Answering) -> None:
    """Code agents resend their history: without the cache the bill is a multiple."""
    said = "120 developers, code agents, qwen3-coder 480b"
    view = answering.answered(said, TERMINAL).view
    (told,) = (note for note in view.notes if "prefix cache" in note)
    without = re.search(r"new text: \$([\d,]+)/month, ([\d.]+) × as much", told)
    month = re.search(r"\$([\d,]+)/month", view.verdict)
    assert without is not None
    assert month is not None
    bare, usual = (int(one[1].replace(",", "")) for one in (without, month))
    assert bare > 2 * usual
    assert float(without[2]) == pytest.approx(bare / usual, rel=0.05)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("2x h200 or 4x h100 for llama 3.3 70b fp8, 16k context, 30 concurrent users",
         "longer waits"),
        ("GLM-4.6 for 80 developers as a chat assistant, at most 20 active at the same "
         "time, 24k context on average, weekdays 8 to 18", "longer waits"),
    ],
)  # fmt: skip
def test_every_kind_tells_what_its_cache_saves(
    answering: Answering, said: str, words: str
) -> None:
    """A comparison and an API's bill rest on the same share that nobody stated."""
    view = answering.answered(said, TERMINAL).view
    (told,) = (note for note in view.notes if "prefix cache" in note)
    assert words in told


def test_the_sum_of_a_quarter(answering: Answering) -> None:
    """Three monthly runs and ten more: thirteen times what one costs."""
    found = answering.answered(
        "number for the Q2 forecast: monthly LoRA of an 8B on 60M tokens, plus 10 "
        "failed experiments of the same size per quarter",
        TERMINAL,
    )
    asked = re.match(r"\$([\d.]+) a quarter · ", found.view.verdict)
    run = re.search(r"\$([\d.]+) per run", found.view.verdict)
    assert asked is not None
    assert run is not None
    assert float(asked[1]) == pytest.approx(13 * float(run[1]), rel=2e-3)
    assert not found.view.not_used


def test_too_few_gpus_for_a_rate_of_embeddings(answering: Answering) -> None:
    """As many as do are priced, and the rate is told in its own unit."""
    view = answering.answered(
        "is one L4 enough for bge-m3 at 150 rps of 300 tokens?", TERMINAL
    ).view
    assert re.match(r"No: 1 × L4 does \d+M tokens an hour", view.verdict)
    assert "2 × L4 at" in view.verdict
    assert view.kind == "no"


def test_a_blend_is_cheaper_than_what_is_written(answering: Answering) -> None:
    """The same bill over more tokens: 1,000 in and 200 out is a sixth."""
    found = answering.answered("blended $ per 1M tokens, 70b at 20 rps", TERMINAL)
    best = figures(found)["recommendation"]
    whole, written = (
        best["usd_per_million_tokens_blended"], best["usd_per_million_output_tokens"],
    )  # fmt: skip
    assert whole == pytest.approx(written / 6, rel=1e-4)


def test_a_thousand_tokens_without_a_load(answering: Answering) -> None:
    """Where no load is stated the price of a token is by GPU."""
    view = answering.answered("cost per 1k tokens llama 8b on h100", TERMINAL).view
    first, last = view.verdict.split(" ")[0], view.verdict.rpartition(" · ")[2]
    assert last.endswith(" per 1,000 output tokens")
    assert f"{first} ÷ 1,000 = {last}." == view.notes[0]


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("blended cost of llama 70b at 20 rps", "blended"),
        ("price per 1k tokens, llama 8b on h100", "thousand"),
        ("llama 70b 20 rps 1000 tokens per request, what does it cost", None),
        ("70b 20 rps", None),
    ],
)
def test_which_unit_is_asked_for(text: str, unit: str | None) -> None:
    """Tokens of a request are no unit of a price."""
    assert unit == parse(text).asked_unit


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("we have $25k, how long does it last for qwen3 32b at 3 rps", "$25,000"),
        ("$25k of credits, how many months of qwen3 32b at 3 rps is that", "$25,000"),
        ("25k in AWS credits. How long does that last for qwen3 32b at 3 rps?",
         "$25,000"),
        ("how far does 100k of google cloud credits get us with 70b at 8 rps",
         "$100,000"),
        ("wie lange reichen 40.000 € für 70b bei 5 rps", "40k EUR"),
    ],
)  # fmt: skip
def test_how_long_a_sum_lasts(answering: Answering, text: str, held: str) -> None:
    """The sum in hand by the month of the fleet that is recommended; it limits none."""
    found = answering.answered(text, TERMINAL)
    month = figures(found)["recommendation"]["usd_per_month"]
    said = re.match(r"(.+?)(?: \(\$([\d,]+)\))? lasts ([\d.]+) months · ",
                    found.view.verdict)  # fmt: skip
    assert said is not None
    assert said[1] == held
    usd = float((said[2] or held.lstrip("$")).replace(",", ""))
    assert usd / month == pytest.approx(float(said[3]), rel=0.06)
    assert found.view.kind == "answer"


@pytest.mark.parametrize(
    "text",
    [
        "70b at 5 rps, budget $25k a month",
        "how long does lora of 8b on 10M tokens take, $500 at most",
        "how long would 70b at 5 rps need to warm up, budget $25k",
    ],
)
def test_a_budget_is_no_sum_to_last(text: str) -> None:
    """Neither where it is of a month nor where time is asked of work."""
    assert parse(text).asked_unit is None

"""Answers that decide, as a person reads them, with the prices that ship."""

import json
import re
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.answers.prices.history import History, price_chart
from bot.answers.shared.json import figures
from bot.question.question import Answered
from bot.render.rendering import Renderer
from bot.render.views import AnswerView
from bot.service.answering import Answering
from core.answers.breakeven import BreakEvenAnswer
from core.offers import PricePoint
from core.reference.load import reference
from core.sizing.pay_by_use import ApiRange
from core.wording import dollars
from prices.history.poll import Poll, micro_per_gpu
from prices.history.series import Wanted
from prices.history.store import Store
from tests.bot.blocks import check_message
from tests.conftest import ASKED_ON, COMMAND
from tests.engines import engine_of

QUESTIONS = (
    "how many concurrent ppl can a single L40S handle w/ an 8b model",
    "ollama on g5.xlarge with llama3:8b q4_K_M ok for 5 devs?",
    "8xh100 vs 8xh200 for llama 70b",
    "is a single h100 enough for 70b fp8 with 32k ctx",
    "mixtral 8x7b awq on a single A6000, enough vram for 16k ctx?",
    "multi tenant: seven 7b int4 models, each isolated, MIG on one h100?",
    "a100 40 or 80 for 13b fp16 4k ctx 8 users",
    "Standard_ND96isr_H100_v5 vs a3-highgpu-8g hourly",
    "fp4 on b200 worth it vs fp8 on h100 spot",
    "mi300x better than h200 for long ctx??",
    "lambda vs coreweave 8x h100",
    "we have 4 a100s at ~35% gpu util serving 13b, upgrade to h100?",
    "spending $18k/mo on claude sonnet, mostly input (95/5). what would "
    "qwen3-235b-a22b on our own h200s look like",
    "when does self hosting 70b beat gpt-4o",
    "llama 70b 20 rps cheaper on api or own gpus?",
    "hobby project, 7b, maybe 50 calls a day, dont want to pay for idle",
    "how much are we wasting on 8 h100 at 30% utilization",
    "what is kv cache",
    "price h100",
    "monthly bill for 4x h100 lambda 24/7",
    "reserve 64 h200 for 6 months, who's cheapest in EU",
    "70b inference 50rps",
    "5 grand a month, best i can do for a 70b chatbot?",
)


def answered(answering: Answering, text: str) -> Answered:
    """The answer to a question in words."""
    return answering.answered(text, COMMAND)


def whole(view: AnswerView) -> str:
    """Every word of an answer that is read without pressing anything."""
    rows = view.table.rows if view.table else ()
    cells = [cell.text for row in rows for cell in row]
    levers = [part for lever in view.levers for part in (lever.text, lever.effect)]
    note = view.table.note if view.table else ""
    said = [view.verdict, view.why, *view.notes, *view.small_print]
    return "\n".join([*said, *cells, *levers, note])


@pytest.mark.parametrize("text", QUESTIONS)
def test_every_answer_is_a_valid_message_and_explains_itself(
    text: str, answering: Answering
) -> None:
    """A verdict in one line, blocks that Slack takes, figures that are JSON, a why."""
    found = answered(answering, text)
    view = found.view

    assert view.kind in ("answer", "no"), whole(view)
    assert "\n" not in view.verdict
    assert len(view.levers) <= 5
    for shown in (view, found.explanation):
        assert shown is not None
        message = Renderer().render_blocks(shown)
        check_message(message.blocks, message.text)
    assert view.id == json.loads(json.dumps(figures(found)))["id"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (QUESTIONS[0], ("1 × L40S answers about", "requests at once",
                        "people in conversation", "More at once would get slower")),
        (QUESTIONS[1], ("A10G", "INT4")),
        (QUESTIONS[3], ("No:", "too large for 1 × H100 SXM", "2 × H100 SXM in FP8")),
        (QUESTIONS[4], ("Yes: Mixtral 8x7B in INT4", "fits on 1 × RTX A6000")),
        (QUESTIONS[5], ("Yes: 7 ×", "each in its own 10 GB MIG slice")),
        (QUESTIONS[7], ("a3-highgpu-8g",
                        "Microsoft Azure Standard_ND96isr_H100_v5 ($70,7")),
        (QUESTIONS[8], ("becomes cheaper below", "B200 FP4", "H100 SXM FP8",
                        "maths and reasoning may suffer")),
        (QUESTIONS[9], ("1.36 × the memory", "1.1 × the memory bandwidth")),
        (QUESTIONS[10], ("35% less than CoreWeave", "SLA of 99 % instead of unknown")),
        (QUESTIONS[11], ("Not yet: run the work on 2 of your 4 × A100 80GB SXM",
                         "save $")),
        (QUESTIONS[12], ("H200 SXM", "$18,000", "Test quality first", "Anthropic")),
        (QUESTIONS[13], ("is cheaper than gpt-4o at OpenAI above", "tokens/day")),
        (QUESTIONS[15], ("Use an API", "Serverless", "over 99.9 % idle")),
        (QUESTIONS[16], ("Idle time costs $12,660/month", "are 30% used")),
        (QUESTIONS[17], ("grows with context × requests", "327,680")),
        (QUESTIONS[22], ("For $5,000 a month: 1 × B200", "requests at once")),
        (QUESTIONS[21], ("would give 4–5 H100", "$7,171–$8,964/month",
                         "becomes cheaper below", "ignores prompts and latency")),
    ],
)  # fmt: skip
def test_an_answer_says_what_its_asker_came_for(
    text: str, words: tuple[str, ...], answering: Answering
) -> None:
    """The verdict, the figure and the caution that each question is about."""
    read = whole(answered(answering, text).view)

    for word in words:
        assert word in read


def test_a_bill_says_what_an_earlier_list_made_of_it(answering: Answering) -> None:
    """Today's month at $0.97, and 4 × $0.88 × 720 h = $2,534 at August's price."""
    view = answered(answering, "monthly bill for 4x l40s massed compute 24/7").view

    assert view.verdict.startswith("4 × L40S at Massed Compute: $2,794/month")
    assert "the same month was $2,534" in whole(view)


def test_a_price_says_how_it_moved(answering: Answering) -> None:
    """The verdict's own beside it, those of other sellers in small print, none twice.

    $0.97 ÷ $0.88 = 1.10. A machine of another size or name (Lambda's of October
    against its list of April) is never compared.
    """
    alone = answered(answering, "price history l40s massed compute").view
    among = answered(answering, "price l40s").view
    sized = answered(answering, "price history h100 lambda").view

    moved = "Massed Compute asked $0.88 on 2026-08-22 (gpurentalprices): +10% since."
    assert moved in alone.why
    assert not any("Earlier" in line for line in alone.small_print)
    assert moved in among.why
    assert "asked" not in sized.why
    assert not any("Massed Compute" in line for line in among.small_print)
    assert any("Verda on-demand $1.37" in line for line in among.small_print)


def test_a_rental_has_a_whole_bill(answering: Answering) -> None:
    """Three months are 2,160 h; a fortnight 336 h."""
    months = answered(answering, "cost of 4x h100 sxm lambda for 3 months").view
    weeks = answered(answering, "cost of 4x h100 sxm lambda for 2 weeks").view

    assert "$35,338 for 90 days" in months.verdict
    assert "$5,497 for 14 days" in weeks.verdict


def test_the_why_of_the_flagship_compares_with_the_sources(
    answering: Answering,
) -> None:
    """Their division, and why ours is larger: prompts, latency, headroom."""
    explanation = answered(answering, "70b inference 50rps").explanation
    assert explanation is not None
    notes = " ".join(explanation.notes)

    assert "10k ÷ 3,000 = 4, ÷ 2,000 = 5" in notes
    assert "X-060" in notes
    assert "X-001" in notes


def test_money_in_words_and_in_json_is_the_same(answering: Answering) -> None:
    """The break-even's figures for programs are those of its table."""
    found = answered(answering, "llama 70b 20 rps cheaper on api or own gpus?")
    given = figures(found)
    month = Decimal(str(given["recommendation"]["usd_per_month"]))

    assert f"${month:,.0f}" in found.view.verdict
    assert {"novita", "openrouter"} <= {
        api["provider"] for api in given["apis_of_the_same_weights"]
    }


def test_the_advice_is_the_cheapest_way_in_words_table_and_json(
    answering: Answering,
) -> None:
    """Above the way that is advised stands at most the outlier that a note names."""
    ways = set()
    for text in (
        "llama 8b 10M requests a month 500 in 200 out, self-host or api",
        "gpt-4o vs self hosted llama 70b at 5 rps",
        "self-host llama 70b vs api at 2M tokens/day",
        "llama 70b 20 rps cheaper on api or own gpus?",
        # Serverless bills the average load: rented GPUs win where it is the peak.
        "gpt-4o 20 rps or self-host gpt-oss-20b at 100% utilization",
    ):
        found = answered(answering, text)
        given, table = figures(found), found.view.table
        assert table is not None
        assert table.winner is not None
        chosen = given["recommendation"]
        for row in table.rows[: table.winner]:
            name = row[0].text.rpartition(" at ")[2].split(",")[0]
            odd = [note for note in found.view.notes if "unusually cheap" in note]
            assert any(name in note for note in odd)
        own = chosen["way"] == "own_gpus"
        assert own == found.view.verdict.startswith("Self-host")
        assert dollars(Decimal(str(chosen["usd_per_month"]))) in found.view.verdict
        ways.add(chosen["way"])
    assert {"api", "own_gpus"} <= ways


def test_two_ways_that_are_close_are_neither_recommended(answering: Answering) -> None:
    """Too close to call in words is no recommendation for programs."""
    found = answered(answering, "llama 70b 500 rps cheaper on api or own gpus?")
    known = found.figures
    assert isinstance(known, BreakEvenAnswer)
    assert known.hosted is not None
    assert known.fleet is not None
    near = replace(known.hosted.cheapest, usd_per_month=known.fleet.usd_per_month)
    close = replace(known, serverless=None, hosted=ApiRange((near,)))
    given = figures(replace(found, figures=close))

    assert ("too_close", None) == (given["status"], given["recommendation"])
    assert given["own_fleet"] is not None
    assert close.undercut is None


def test_a_budget_that_is_too_small_names_the_nearest(answering: Answering) -> None:
    """Nothing for $500: the cheapest fleet that would do is named instead."""
    view = answered(answering, "70b chatbot under $500 a month").view

    assert view.kind == "no"
    assert "The nearest is 1 × " in view.verdict


def test_a_word_nobody_explains_is_a_hint(answering: Answering) -> None:
    """What is not in the glossary is said, with what is."""
    view = answered(answering, "explain quantum entanglement please").view

    assert view.kind == "hint"


def test_an_unknown_gpu_is_asked_back_not_guessed(answering: Answering) -> None:
    """A name that no table knows is said to be unknown, and priced as no other."""
    view = answered(answering, "price h1000").view

    assert view.kind in ("hint", "clarify"), view.verdict
    assert "$" not in view.verdict


def point(usd: str, at: datetime, provider: str = "lambda") -> PricePoint:
    """One H100 SXM at a seller, as one source saw it."""
    return PricePoint(
        provider=provider,
        gpu="h100-80gb-sxm",
        gpu_count=1,
        pricing="on_demand",
        raw_total=Decimal(usd),
        micro_usd_per_gpu_hour=micro_per_gpu(Decimal(usd), 1),
        observed_at=at,
        source="feed",
        source_url="https://example.com/prices",
    )


@pytest.fixture
def moving(tmp_path: Path) -> Store:
    """A store in which Lambda's price moved twice and CoreWeave's never."""
    store = Store.open(engine_of(tmp_path / "prices.db"))
    for weeks, usd in ((0, "2.49"), (4, "2.99"), (8, "2.29")):
        at = ASKED_ON - timedelta(weeks=12 - weeks)
        points = [point(usd, at), point("2.99", at, "coreweave")]
        store.record(Poll(source="feed", observed_at=at, points=points, complete=True))
    return store


def test_a_price_that_moved_is_drawn(moving: Store) -> None:
    """One line for the seller that moved, from its first price to the last."""
    intervals = moving.series(Wanted("h100-80gb-sxm"))
    chart = price_chart(intervals, "H100 SXM", reference(), ASKED_ON)
    assert chart is not None

    assert ["Lambda on-demand"] == [series.name for series in chart.series]
    values = chart.series[0].values
    assert (2.49, 2.29) == (values[0], values[-1])
    assert 2.99 in values
    assert len(chart.categories) == len(values) <= 20


def test_prices_that_never_moved_are_not_drawn(moving: Store) -> None:
    """A flat line says nothing that the table does not."""
    intervals = moving.series(Wanted("h100-80gb-sxm", provider="coreweave"))

    assert None is price_chart(intervals, "H100 SXM", reference(), ASKED_ON)


def test_the_price_before_is_the_latest_other_one(moving: Store) -> None:
    """Before $2.29 it was $2.99, not the $2.49 before that."""
    intervals = moving.series(Wanted("h100-80gb-sxm", provider="lambda"))
    now = next(one.offer for one in intervals if one.ended_at is None)
    before = History(intervals).before(now)
    assert before is not None

    assert Decimal("2.29") == now.usd_per_gpu_hour
    assert Decimal("2.99") == before.offer.usd_per_gpu_hour


@pytest.mark.parametrize(
    "question",
    [
        "llama 70b 1 rps hipaa",
        "llama 8b 2000 requests a day hipaa",
        "70b batch 1M requests hipaa",
        "70b batch 1M requests hipaa, batch api or own",
        "llama 8b self-host or api 1M requests a day, eu only",
        "cost per 1M tokens of llama 70b in the eu",
        "llama 8b 500 requests a day on lambda",
    ],
)
def test_no_api_is_advised_that_breaks_a_limit(
    answering: Answering, question: str
) -> None:
    """Neither verdict nor lever nor table names OpenRouter or Novita's tokens."""
    view = answering.ask(question, context=COMMAND)
    rows = view.table.rows if view.table else ()
    said = [view.verdict, *(lever.text for lever in view.levers)]
    said += [row[0].text for row in rows]

    apis = [text for text in said if "API" in text or "by the token" in text]
    assert not [text for text in apis if "OpenRouter" in text or "Novita" in text]
    assert "on lambda" not in question or not apis


def test_a_place_that_no_api_names_is_said(answering: Answering) -> None:
    """No price is known that keeps to the place, which is not the same as none."""
    asked = "llama 8b self-host or api 1M requests a day in germany"
    view = answering.ask(asked, context=COMMAND)

    assert "We know no API price" in view.verdict
    assert "that meets your limits" in view.verdict


@pytest.mark.parametrize(
    "question",
    [
        "gpt-4o vs self hosted llama 70b at 1M requests/day",
        "llama 8b self-host or api 10M requests a month 500 in 200 out",
        "llama 8b 300 requests per day",
        "sdxl 1M images a month",
        "hunyuan video 1000 clips a day",
        "whisper 10,000 hours of audio a month",
        "70b 50rps reserved 1 year, 8 hours a day",
        "we have 4 a100s at ~35% gpu util serving 13b, upgrade to h100?",
        "is a 1 year commitment on h100 at google cloud worth it, 8 hours a day",
        "is a 1 year term for h100 at lambda worth it at 10 hours a day",
        "8 h100 for 6 months 8 hours a day",
        "8 h100 reserved 1 year",
        "llama 70b 1M requests a day batch by 6 hours",
        "pretrain 7b on 1T tokens",
        "fine-tune 8b 100k samples, serve 5 rps for 12 months, retrain monthly",
        "buy 8 h100 for $280k or rent",
        "compare lambda coreweave and aws for 8 h100 for a month",
    ],
)
def test_every_dollar_of_a_verdict_is_worked_out_behind_why(
    answering: Answering, question: str
) -> None:
    """What is read first is what the arithmetic comes to."""
    view = answering.ask(question, context=COMMAND)
    steps = " ".join(answering.why(view.id, context=COMMAND).notes)
    named = re.findall(r"\$[\d,.]*\d", view.verdict)

    assert named
    assert [] == [usd for usd in named if usd not in steps]


def test_days_of_rent_are_compared(answering: Answering) -> None:
    """What each costs for the time that is asked about, not only by the hour."""
    view = answered(answering, "8 h100 at coreweave for 10 days vs lambda").view
    (said,) = (note for note in view.notes if note.startswith("For 10 days: "))
    assert {"Lambda", "CoreWeave"} <= set(said.replace(",", "").split())


def test_a_term_says_what_it_comes_to(answering: Answering) -> None:
    """Months times the month, for a bill and for a fleet; none by the hour."""
    for text in ("8 h100 reserved for 3 years", "llama 8b 5rps reserved 1 year"):
        found = answered(answering, text)
        month = figures(found)["recommendation"]["usd_per_month"]
        term = figures(found)["recommendation"]["term_months"]
        whole = dollars(Decimal(str(month)) * term)
        assert any(
            note == f"You commit to {whole} for {term} months."
            for note in found.view.notes
        )
    plain = answered(answering, "8 h100 a month").view
    assert not any("commit to" in note for note in plain.notes)


def test_hyperscalers_alone_are_held_against_anybody(answering: Answering) -> None:
    """What the premium is, and what it pays for; nothing where others are named."""
    found = answered(answering, "should i use a hyperscaler for llama 70b at 20 rps")
    given = figures(found)
    assert (
        given["elsewhere"]["usd_per_month"]
        < (given["recommendation"]["option"]["usd_per_month"])
    )
    assert any("Other sellers are cheaper: " in note for note in found.view.notes)

    other = answered(answering, "lambda vs coreweave for llama 70b at 20 rps")
    assert figures(other)["elsewhere"] is None


def test_what_nobody_sells_is_not_what_no_gpu_does(answering: Answering) -> None:
    """Crusoe lists no term: its hours are planned with, and that is said first."""
    unsold = answering.ask(
        "llama 70b 5 rps on crusoe, reserved 1 year", context=COMMAND
    )
    unfit = answering.ask("70b 50rps on one l4", context=COMMAND)

    assert "no price at Crusoe" in unsold.notes[0]
    assert unfit.verdict.startswith("Not with 1 × L4. Nearest")


RENAMED = {
    # what one unnamed machine cost, then those that were named, and what each is found
    # to have cost before
    "another price for fewer": ("3.99", {1: "4.29", 8: "3.99"}, {}),
    "a move and a name at once": ("3.99", {8: "4.50"}, {8: "3.99"}),
    "nobody knows which": ("3.99", {1: "4.29", 8: "4.09"}, {}),
}


@pytest.mark.parametrize("name", RENAMED)
def test_a_machine_that_was_renamed_keeps_its_past(tmp_path: Path, name: str) -> None:
    """A look back goes on under the name that went, where one can tell which it was."""
    unnamed, named, expected = RENAMED[name]
    store = Store.open(engine_of(tmp_path / "prices.db"))
    first, then = ASKED_ON - timedelta(weeks=8), ASKED_ON - timedelta(weeks=4)

    def poll(at: datetime, *points: PricePoint) -> None:
        store.record(Poll(source="feed", observed_at=at, points=points, complete=True))

    def machine(count: int, usd: str, at: datetime) -> PricePoint:
        told = {"gpu_count": count, "min_gpus": count, "instance": f"{count}x H100"}
        return point(usd, at).model_copy(update=told)

    poll(first, point("3.49", first))
    poll(first + timedelta(days=7), point(unnamed, first + timedelta(days=7)))
    poll(then, *(machine(n, usd, then) for n, usd in named.items()))
    intervals = store.series(Wanted("h100-80gb-sxm", provider="lambda"))

    found = {
        one.offer.gpu_count: f"{before.offer.usd_per_gpu_hour:.2f}"
        for one in intervals
        if one.ended_at is None and (before := History(intervals).before(one.offer))
    }

    same = {n: "3.49" for n, usd in named.items() if usd == unnamed}
    assert found == expected | same

"""A bill and a price by the token, where nobody asked for GPUs."""

from decimal import Decimal

import pytest

from bot.answers.shared.json import figures
from bot.language.parse import parse
from bot.service.answering import Answering
from core.answers.api_bill import ApiBill, ApiPrices
from core.wording import dollars
from tests.conftest import TERMINAL


def test_a_month_by_the_token_is_tokens_times_rates(answering: Answering) -> None:
    """30M requests of 500 in and 200 out, recomputed from the rates shown."""
    text = "gpt-4o cost for 1M requests a day 500 in 200 out"
    answered = answering.answered(text, TERMINAL)
    found = answered.figures
    assert isinstance(found, ApiBill)
    rates = found.options[0].api.live
    each = (
        500 * rates.input_usd_per_million + 200 * rates.output_usd_per_million
    ) / 1_000_000
    month = each * 30_000_000

    assert month == round(found.options[0].usd_per_month, 6)
    assert "answer" == answered.view.kind
    assert f"{dollars(month)}/month" in answered.view.verdict
    assert f"{dollars(each)} per request" in answered.view.verdict
    assert answered.explanation is not None
    assert any(dollars(month) in step for step in answered.explanation.notes)
    assert "cannot host this model" in answered.view.notes[0]


def test_json_has_the_ways_to_pay_less(answering: Answering) -> None:
    """Cached prompts and batches, each a month's dollars."""
    given = figures(answering.answered("claude sonnet cost at 20 rps", TERMINAL))
    best = given["recommendation"]
    assert best["usd_per_month_half_cached"] < best["usd_per_month"]
    assert best["usd_per_month_batched"] == best["usd_per_month"] / 2
    assert Decimal(str(best["usd_per_request"])) > 0


def test_a_pile_is_billed_at_each_api_and_in_its_batches(answering: Answering) -> None:
    """420,000 documents of 6,000 in and 500 out, at twice the batch rate without."""
    text = "420k docs 6k in 500 out batch: claude sonnet 4.5 vs gpt-5 vs gemini 2.5 pro"
    answered = answering.answered(text, TERMINAL)
    found = answered.figures
    assert isinstance(found, ApiBill)
    batched = [found.batched(one.api) for one in found.options]

    assert 3 == len(batched)
    assert sorted(batched) == batched  # type: ignore[type-var]
    for option, usd in zip(found.options, batched, strict=True):
        rates = option.api.batch
        assert rates is not None
        assert usd is not None
        each = 6000 * rates.input_usd_per_million + 500 * rates.output_usd_per_million
        assert round(each * 420_000 / 1_000_000, 6) == round(usd, 6)
        assert dollars(usd) in answered.view.verdict


def test_the_cheaper_of_two_comes_first(answering: Answering) -> None:
    """Named APIs are ranked by the month."""
    text = "gpt-4o and claude sonnet cost for 100k requests a day"
    found = answering.answered(text, TERMINAL).figures
    assert isinstance(found, ApiBill)
    bills = [one.usd_per_month for one in found.options]
    assert 2 == len(bills)
    assert sorted(bills) == bills


@pytest.mark.parametrize(
    "text",
    [
        "can we run gpt-4o on 8 h100",
        "gpt-4o",
        "self-host gpt-4o on our own gpus",
        "gpt-4o cost for 1M requests a day vs llama 70b",
    ],
)
def test_gpus_and_open_models_are_another_question(
    answering: Answering, text: str
) -> None:
    """Without a load there is no bill, and with an open model it is weighed."""
    assert not isinstance(answering.answered(text, TERMINAL).figures, ApiBill)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("what does gpt-4.1 cost per million tokens",
         "gpt-4.1 at OpenAI: $2.00 per 1M tokens in, $8.00 out"),
        ("gpt-5.2 price per 1M tokens", "gpt-5.2 at OpenAI: $1.75"),
        ("claude 3.5 sonnet price", "claude-3-5-sonnet at Anthropic: $3.00"),
        ("what would openai charge for 4o mini", "gpt-4o-mini at OpenAI: $0.15"),
        ("token price of grok 4 vs gemini 2.5 pro",
         "gemini-2.5-pro at Google: $1.25 per 1M tokens in, $10.00 out. grok-4-0709"),
        ("cheapest API for qwen3 32b", "Qwen3 32B at Nscale through Hugging"),
        ("what does together charge for llama 70b",
         "Llama 3.3 70B at Together AI: $0.88 per 1M tokens in, $0.88 out"),
        ("price per 1M input and output tokens for gpt-oss-120b at groq",
         "gpt-oss 120B at Groq: $0.15 per 1M tokens in, $0.60 out"),
        ("what does cerebras charge for llama 3.3 70b",
         "We know no price of Llama 3.3 70B at Cerebras. Llama 3.3 70B at "),
        ("price of gpt-9 per million tokens",
         "We know no price by the token of gpt-9. gpt-5"),
        ("was kostet gpt-4.1 pro Million Token", "gpt-4.1 at OpenAI: $2.00"),
        ("prix de l'api deepseek v3.1", "DeepSeek V3.1 at Deepseek: $0.27"),
        ("¿cuánto cobra groq por gpt-oss-120b?", "gpt-oss 120B at Groq: $0.15"),
        ("claude sonnet api price in the eu", "No seller of claude-sonnet-5-5 is"),
    ],
)  # fmt: skip
def test_a_price_by_the_token_comes_first(
    answering: Answering, text: str, first: str
) -> None:
    """The figure leads, behind what is not known; nothing is asked back or dropped."""
    view = answering.ask(text, context=TERMINAL)
    assert view.verdict.startswith(first)
    assert not view.not_used


def test_the_lowest_sound_price_leads_and_odd_ones_are_marked(
    answering: Answering,
) -> None:
    """Everything that is asked for a model is in the JSON, with its source."""
    answered = answering.answered(
        "api price of llama 3.3 70b, not on hyperbolic", TERMINAL
    )
    given, found = figures(answered), answered.figures
    assert isinstance(found, ApiPrices)
    best, rest = given["recommendation"], given["alternatives"]
    mix = [one["usd_per_million_of_this_mix"] for one in rest]
    assert sorted(mix) == mix
    cheaper = [
        one
        for one in rest
        if one["usd_per_million_of_this_mix"] < (best["usd_per_million_of_this_mix"])
    ]
    assert cheaper
    assert all(one["unusually_cheap"] for one in cheaper)
    assert "unusually cheap, check why" in answered.view.verdict
    assert {"usd_per_million_input", "source_url", "as_of"} <= best.keys()
    assert "hyperbolic" not in {one["provider"] for one in (best, *rest)}
    assert ["provider"] == [one["rule"] for one in given["rejections"]]


@pytest.mark.parametrize(
    "text",
    [
        "70b 50 rps cost per million tokens",
        "$ per 1M tokens on 2 H100",
        "cost per 1M tokens of llama 70b",
        "is gpt-4o cheaper than llama 70b",
        "llama 70b cost vs api",
        "claude sonnet api price for 3M tokens a day",
        "what rate does lambda charge for h100?",
        "we pay openai 9k a month, what would qwen3 32b cost",
    ],
)
def test_a_load_or_gpus_are_no_price_by_the_token(text: str) -> None:
    """What is sized, weighed or billed stays what it was."""
    assert "api_price" != parse(text).wanted


@pytest.mark.parametrize(
    ("text", "usd", "says"),
    [
        ("Bedrock bill, October: Claude Sonnet 4 input 4.9B tokens, output 310M, cache "
         "reads 12B, total $22,953. What would you change first?", 22_950, "adds up"),
        ("Claude Sonnet 4: 4.9B in, 310M out, 12B cache reads last month. What should "
         "it cost?", 22_950, "for these tokens"),
        ("our September invoice for gpt-4o: input 2B, output 200M, $9,000. does that "
         "add up?", 7000, "$2,000 more"),
        ("gpt-4o last month: 2B input tokens, 200M output tokens. We paid $6,500, ok?",
         7000, "$500 less"),
    ],
)  # fmt: skip
def test_the_parts_of_a_bill_are_held_against_the_price_list(
    answering: Answering, text: str, usd: float, says: str
) -> None:
    """Input, what the cache gives and answers, each at its rate."""
    answered = answering.answered(text, TERMINAL)
    found = figures(answered)

    assert found["recommendation"]["usd_per_month"] == pytest.approx(usd)
    assert says in answered.view.verdict
    assert "is the largest part" in answered.view.why


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("claude haiku 4.5 1M times a day, 3,400 token system prompt + 150 user + 90 "
         "out, with prompt caching. Monthly bill?", 3400 / 3550),
        ("gpt-4o-mini 400k calls a day, 2k token system prompt + 300 user + 120 out. "
         "Caching on. Monthly bill?", 2000 / 2300),
        ("gpt-4o-mini 400k calls a day, 2k token system prompt + 300 user + 120 out. "
         "Monthly bill?", None),
    ],
)  # fmt: skip
def test_a_system_prompt_is_cached_where_caching_is_on(
    text: str, share: float | None
) -> None:
    """The rest of each prompt is new."""
    assert parse(text).cache_hit_rate == (share and pytest.approx(share))

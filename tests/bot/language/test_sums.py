"""Sums of money beside what they are for, and what stands near them."""

import pytest

from bot.language.parse import parse
from core.reference.load import reference
from core.resolve.constraints import resolve_constraints


@pytest.mark.parametrize(
    ("text", "wanted", "each"),
    [
        ("buy 32 h100 at $25k each or rent for 4 years", "buy_or_rent", 25000),
        ("should we purchase 8 b200 for $50k each or lease them", "buy_or_rent", 50000),
        ("buy or rent 8 b200 for 2 years", "buy_or_rent", None),
        ("buy 1 year reserved of 8 h100, lambda or runpod", None, None),
        ("70b 20 rps buy or rent", "buy_or_rent", None),
    ],
)
def test_buying_and_renting_may_stand_apart(
    text: str, wanted: str | None, each: float | None
) -> None:
    """The sum beside "each" is what one GPU costs, no budget."""
    query = parse(text)

    assert wanted == query.wanted
    assert each == (query.beside.purchase_usd if query.beside else None)
    assert query.budget_amount is None


@pytest.mark.parametrize(
    ("text", "hourly", "budget"),
    [
        ("70b 20 rps all in: 40 engineer hours at $120", 120, None),
        ("70b 20 rps, 40 engineer hours at $120 an hour", 120, None),
        ("70b 20 rps, 40 engineer hours, budget $5000 a month", None, 5000),
        ("70b 20 rps, budget $120", None, 120),
    ],
)
def test_an_hour_of_an_engineer_has_its_price(
    text: str, hourly: float | None, budget: float | None
) -> None:
    """The sum right behind the hours is theirs; any other stays a budget."""
    query = parse(text)
    beside = query.beside

    assert hourly == (beside.engineering_usd_per_hour if beside else None)
    assert budget == query.budget_amount


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("70b 20 rps, price must be under $0.50 per 1M tokens", None),
        ("70b 20 rps under $0.50 per million tokens", None),
        ("70b 20 rps under $4 per hour", 4),
        ("8b 20 rps $500, 8 hours a day", 500),
    ],
)
def test_a_price_of_tokens_is_no_budget(text: str, budget: float | None) -> None:
    """However the tokens were read before."""
    assert budget == parse(text).budget_amount


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("70b 20 rps with a month of 730 hours", 730),
        ("70b 20 rps, 730 hours a month", 730),
        ("70b 20 rps, every month 40 hours", None),
    ],
)
def test_a_month_may_be_stated_either_way(text: str, hours: float | None) -> None:
    """Only what a month can have."""
    assert hours == parse(text).hours_per_month


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("70b 20 rps spot and on-demand mixed, live", "inference"),
        ("70b mixed workload: chat and training", "mixed"),
    ],
)
def test_two_ways_to_pay_mixed_are_one_kind_of_work(text: str, kind: str) -> None:
    """Work is mixed where kinds of work are."""
    assert kind == parse(text).kind


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("train a 7b on 1T tokens, retrain every quarter, serve 100 rps for 18 months",
         18),
        ("fine-tune 8b monthly on 20k samples and serve 10 rps for 9 months", 9),
        ("8b 10 rps p95 under 3 s", None),
    ],
)  # fmt: skip
def test_a_service_lasts_as_long_as_is_said(text: str, months: float | None) -> None:
    """Beside its training the months are those of the service."""
    assert months == parse(text).term_months


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("energy cost of 16 owned h200", 16),
        ("4 used a100 at 35%", 4),
        ("3 lovely h100", None),
    ],
)
def test_what_gpus_are_may_stand_before_them(text: str, count: int | None) -> None:
    """Between the count and the name; not any word does."""
    assert count == parse(text).count


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("70b average 12 rps peak 40 rps, how many to reserve",
         {"reserved", "on_demand"}),
        ("how many gpus should we reserve for 70b 40 rps peak",
         {"reserved", "on_demand"}),
        ("70b 40 rps on reserved gpus", {"reserved"}),
        ("70b 40 rps reserved, how many gpus per replica", {"reserved"}),
    ],
)  # fmt: skip
def test_how_many_to_reserve_leaves_a_rest(text: str, ways: set[str]) -> None:
    """Beside a reserved base the peak is paid by the hour."""
    limits = resolve_constraints(parse(text), reference())

    assert ways == set(limits.pricing)


@pytest.mark.parametrize(
    ("text", "each"),
    [
        ("$15k capex and 2 years: buy a 4x 4090 box or rent", 3750),
        ("buy 8 h100 at $28k each or rent", 28_000),
    ],
)
def test_a_sum_for_the_box_is_shared(text: str, each: float) -> None:
    """ "capex" is that of all its GPUs."""
    beside = parse(text).beside

    assert beside is not None
    assert each == beside.purchase_usd


@pytest.mark.parametrize("amount", ["2B", "700M", "1.5 billion", "40 million"])
@pytest.mark.parametrize(
    ("said", "side"),
    [
        ("offline: {} output tokens with {model}", "output"),
        ("batch job, {model}, {} input tokens", "input"),
        ("generate {} tokens offline with {model}", "output"),
        ("batch: {} tokens with {model}", None),
        ("{model}, {} output tokens a day", "output"),
        ("offline {model}, 3B input tokens and {} output tokens", None),
    ],
)
def test_tokens_of_one_side_are_not_those_of_both(
    amount: str, said: str, side: str | None
) -> None:
    """Whichever model stands beside them, the billions count tokens."""
    for model in ("llama 70b", "qwen 32b"):
        read = parse(said.format(amount, model=model))

        assert (side, None) == (read.tokens_side, read.clarify), read.text
        assert read.tokens_total or read.tokens_per_day
        assert (read.input_share is not None) == ("3B" in said)


@pytest.mark.parametrize("length", [1500, 2500, 6000])
@pytest.mark.parametrize(
    ("said", "field", "share"),
    [
        ("dpo on llama 8b, 20k pairs, sequences around {}", "tokens_per_sample", 1),
        ("dpo 8b 9k pairs with sequences of about {} tokens", "tokens_per_sample", 1),
        ("70b 10 rps 8000 in 300 out, {} system prompt shared", "cache_hit_rate", 8000),
        ("70b 4 rps, 8000 in, {} tokens of prefix shared", "cache_hit_rate", 8000),
        ("agents on 70b, 5 rps, context grows to {}", "context", 1),
        ("25 auditors who upload {} token ledgers into a 70b", "input_tokens", 1),
        ("80 nurses paste {} token charts, llama 70b", "input_tokens", 1),
    ],
)
def test_a_length_stands_in_its_own_role(
    said: str, field: str, share: float, length: int
) -> None:
    """Neither a count of users nor lost, whatever noun it belongs to."""
    read = parse(said.format(length))

    assert length / share == getattr(read, field), read.text
    assert not read.not_used


@pytest.mark.parametrize("ask", ["how many dollars", "what does it cost a month?"])
def test_a_round_thousand_beside_a_load_is_a_length(ask: str) -> None:
    """With no load it is the unit of a price."""
    assert 1000 == parse(f"70b 10 rps 1k tokens, {ask}").total_tokens_per_request
    assert "usd_per_million" == parse(f"llama 70b 1k tokens {ask}").wanted


def test_what_a_step_holds_is_the_batch() -> None:
    """On either side of the number."""
    for said in ("sequences per step 24", "24 sequences per step"):
        read = parse(f"fine-tune 8b full, {said}, 50M tokens")

        assert (24, None) == (read.batch_size, read.steps), read.text

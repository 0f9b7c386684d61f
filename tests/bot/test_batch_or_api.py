"""A pile of requests: own GPUs or the batches of an API."""

from decimal import Decimal

import pytest

from bot.answers.shared.json import figures
from bot.language.parse import parse
from bot.service.answering import Answering
from core.answers.batch_or_api import BatchOrApi, weigh_batch
from core.jobs.options import JobAnswer
from core.market.api_market import ApiBook
from core.money.api import ApiPrice, TokenPrice
from core.query import Query
from core.reference.assumed import defaults
from core.reference.load import reference
from core.resolve import Unresolved, resolve
from core.workload import BatchSpec
from tests.conftest import COMMAND


def rates(dollars_in: str, dollars_out: str) -> TokenPrice:
    """Dollars per 1M tokens, read and written."""
    return TokenPrice(
        input_usd_per_million=Decimal(dollars_in),
        output_usd_per_million=Decimal(dollars_out),
    )


def api(provider: str, batch: TokenPrice | None = None) -> ApiPrice:
    """An API at $1 and $2 per 1M tokens."""
    return ApiPrice(
        provider=provider, provider_name=provider, model="m", live=rates("1", "2"),
        batch=batch, as_of="2026-11-09", source="a list", source_url="https://a.test",
    )  # fmt: skip


def weighed(book: ApiBook, discount: float | None = None) -> BatchOrApi:
    """A million requests of 1,000 and 500 tokens, at these APIs."""
    query = Query(
        params_b=8, kind="batch", requests_total=1e6, input_tokens=1000,
        output_tokens=500,
    )  # fmt: skip
    found = resolve(query, reference(), defaults())
    assert not isinstance(found, Unresolved)
    assert isinstance(found.spec, BatchSpec)
    return weigh_batch(JobAnswer(found, ()), found.spec, book, discount)


def test_the_published_batch_rate_is_what_a_pile_costs() -> None:
    """1,000 × $1 + 500 × $2 per request are $2,000 a million; at half, $1,000."""
    (one,) = weighed(ApiBook(hosted=(api("a", rates("0.5", "1")),))).apis

    assert (Decimal(2000), Decimal(1000)) == (one.usd_live, one.usd)
    assert Decimal("0.5") == one.discount


def test_without_a_batch_rate_the_list_price_holds() -> None:
    """Nothing is taken off that nobody published."""
    (one,) = weighed(ApiBook(hosted=(api("a"),))).apis

    assert (Decimal(2000), None) == (one.usd, one.discount)


def test_a_stated_discount_holds_for_every_api() -> None:
    """A quarter off the list price, whatever is published."""
    book = ApiBook(hosted=(api("a"), api("b", rates("0.5", "1"))))
    found = weighed(book, 0.25)

    assert {Decimal(1500)} == {one.usd for one in found.apis}


def test_a_named_api_is_what_own_gpus_are_held_against() -> None:
    """Even where another is cheaper."""
    cheap = api("cheap", rates("0.1", "0.1"))
    found = weighed(ApiBook(named=(api("named"),), hosted=(cheap,)))

    assert found.hurdle is not None
    assert "named" == found.hurdle.api.provider
    assert not found.hurdle.same_weights


@pytest.mark.parametrize(
    ("text", "discount"),
    [
        ("openai batch api vs own gpus for 10M prompts on 70b", None),
        ("batch API discount against own GPUs for 70b", None),
        ("is the batch api with 50% off cheaper than self-hosting 70b, 5M docs", 0.5),
    ],
)
def test_batches_of_an_api_are_a_question_of_break_even(
    text: str, discount: float | None
) -> None:
    """For work that may wait, with the discount where one is stated."""
    query = parse(text)

    assert ("breakeven", "batch") == (query.intent, query.kind)
    assert discount == query.batch_discount


def test_both_bills_stand_in_the_answer(answering: Answering) -> None:
    """The named API by batch, own GPUs, and the same weights elsewhere."""
    asked = "openai batch api vs own gpus for 10M prompts on 70b"
    found = answering.answered(asked, COMMAND)
    ways = [row[0].text for row in found.view.table.rows] if found.view.table else []

    assert "by batch (50% off" in found.view.verdict
    assert any(way.startswith("Own: ") for way in ways)
    assert any(way.startswith("API: ") and "at OpenAI" in way for way in ways)
    assert figures(found)["recommendation"] is not None

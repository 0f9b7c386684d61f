"""Self-host or API, and what a bill says of the load behind it."""

from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.money.api import (
    ApiPrice,
    TokenMix,
    TokenPrice,
    api_usd_per_million,
    api_usd_per_request,
    cheapest_api,
    implied_tokens,
)
from core.money.breakeven import (
    Fleet,
    Serverless,
    bills,
    break_even,
    serverless_below,
)
from core.money.costs import cents

PRICES = st.decimals(min_value="0.01", max_value=60, places=4)
TOKENS = st.integers(min_value=1, max_value=100_000)
RATES = st.decimals(min_value="0.01", max_value=5000, places=2)
CHAT = TokenMix.of(1000, 200)


def api(
    read: str | Decimal,
    write: str | Decimal,
    cached: str | None = None,
    batch: TokenPrice | None = None,
    provider: str = "groq",
) -> ApiPrice:
    """Return an API price in dollars per 1M tokens."""
    return ApiPrice(
        provider=provider,
        provider_name=provider.title(),
        model="llama-3.3-70b",
        live=TokenPrice(
            input_usd_per_million=Decimal(read),
            output_usd_per_million=Decimal(write),
            cached_input_usd_per_million=Decimal(cached) if cached else None,
        ),
        batch=batch,
        as_of="2026-11-09",
        source="a test",
        source_url="",
    )


GROQ = api("0.59", "0.79")
FOUR_H100 = Fleet.of(Decimal("9.96"), 50)


def test_four_h100_against_an_api() -> None:
    """$9.96 an hour is 3.7 requests/s at $0.748 per 1,000: 7.4 % of 50 requests/s."""
    found = break_even(FOUR_H100, GROQ, CHAT)

    assert found.requests_per_second is not None
    assert found.tokens_per_day is not None
    assert found.utilisation is not None
    shown = [
        f"{found.requests_per_second:.3f}",
        f"{found.tokens_per_day / 10**6:.1f}",
        f"{found.utilisation:.4f}",
        f"{found.api_usd_per_million:.4f}",
        f"{found.fleet_usd_per_million:.4f}",
        f"{found.fleet_usd_per_hour_needed:.2f}",
    ]
    expected = ["3.699", "383.5", "0.0740", "0.6233", "0.0461", "134.64"]
    assert expected == shown
    assert not found.never


def test_never_at_any_load() -> None:
    """A fleet whose fully used token costs more than the API's never breaks even."""
    found = break_even(Fleet.of(Decimal("9.96"), 2), GROQ, CHAT)

    assert found.never
    assert found.requests_per_second is found.tokens_per_day is None
    assert found.reason.startswith("never: even at full load")
    assert "groq" in found.reason
    assert Decimal("5.39") == cents(found.fleet_usd_per_hour_needed)


def test_a_free_api_is_never_beaten() -> None:
    """Nothing undercuts nothing."""
    assert break_even(FOUR_H100, api("0", "0"), CHAT).never


def test_three_ways_at_a_tenth_of_the_capacity() -> None:
    """At 5 of 50 requests/s serverless is the cheapest, the dedicated fleet second."""
    serverless = Serverless(Fleet.of(Decimal("15.80"), 50))

    found = bills(5, CHAT, FOUR_H100, GROQ, serverless)

    shown = [(bill.way, str(cents(bill.usd_per_month))) for bill in found]
    expected = [
        ("serverless", "1137.60"),
        ("dedicated", "7171.20"),
        ("api", "9694.08"),
    ]
    assert expected == shown
    assert Decimal("0.1") == found[1].utilisation


def test_a_load_above_the_fleet_takes_more_fleets() -> None:
    """120 requests/s on fleets of 50 are three fleets, 80 % used."""
    (bill,) = bills(120, CHAT, FOUR_H100)

    assert Decimal("21513.60") == bill.usd_per_month
    assert Decimal("0.8") == bill.utilisation


def test_where_serverless_ends() -> None:
    """At $15.80 for $9.96 serverless wins under 63 % use, 57 % with a tenth lost."""
    fleet = Fleet.of(Decimal("15.80"), 50)

    assert Decimal("0.630") == round(serverless_below(FOUR_H100, Serverless(fleet)), 3)
    lossy = Serverless(fleet, Decimal("0.1"))
    assert Decimal("0.573") == round(serverless_below(FOUR_H100, lossy), 3)


def test_a_spend_is_tokens() -> None:
    """$18,000 at $3/$15 and 95/5 is five billion tokens, 4.75 of them read."""
    found = implied_tokens(18_000, api("3", "15"), TokenMix.of(950_000, 50_000))

    expected = [Decimal(5_000_000_000), Decimal(4_750_000_000), Decimal(250_000_000)]
    assert expected == [found.tokens, found.input_tokens, found.output_tokens]


def test_cache_hits_at_the_cached_rate_where_there_is_one() -> None:
    """Half the prompt at half price saves a quarter of it; without a rate nothing."""
    half = TokenMix.of(1_000_000, 0, 0.5)

    assert Decimal("1.875") == api_usd_per_request(api("2.5", "10", "1.25"), half)
    assert Decimal("2.5") == api_usd_per_request(api("2.5", "10"), half)


def test_batch_rates_where_published() -> None:
    """A batch takes the batch rates; without any it pays the live ones."""
    rates = TokenPrice(
        input_usd_per_million=Decimal("1.25"), output_usd_per_million=Decimal(5)
    )
    priced = api("2.5", "10", batch=rates)
    mix = TokenMix.of(500_000, 500_000)

    assert Decimal("3.125") == api_usd_per_million(priced, mix, batch=True)
    assert Decimal("6.25") == api_usd_per_million(api("2.5", "10"), mix, batch=True)
    assert Decimal("0.5") == priced.batch_discount
    assert api("2.5", "10").batch_discount is None


def test_the_cheapest_api_depends_on_the_mix() -> None:
    """Long prompts favour cheap input, long answers cheap output."""
    reader = api("0.1", "3", provider="reader")
    writer = api("1", "1", provider="writer")

    orders = [
        [price.provider for price in cheapest_api((writer, reader), mix)]
        for mix in (TokenMix.of(1000, 10), TokenMix.of(10, 1000))
    ]

    assert orders == [["reader", "writer"], ["writer", "reader"]]


@pytest.mark.parametrize("tokens", [(0, 0), (-1, 0)])
def test_a_request_has_tokens(tokens: tuple[int, int]) -> None:
    """A request of no tokens has no price per token."""
    with pytest.raises(ValueError, match="tokens per request"):
        TokenMix.of(*tokens)


@given(PRICES, PRICES, PRICES, RATES, TOKENS, TOKENS)
def test_the_bills_meet_at_the_break_even(
    hourly: Decimal, read: Decimal, write: Decimal, rate: Decimal, into: int, out: int
) -> None:
    """At the break-even load, and only there, both bills are the same."""
    fleet, mix, price = Fleet.of(hourly, rate), TokenMix.of(into, out), api(read, write)
    found = break_even(fleet, price, mix)

    assert found.never == (found.fleet_usd_per_million > found.api_usd_per_million)
    assume(found.utilisation is not None and found.utilisation < 1)
    assert found.requests_per_second is not None
    one, other = bills(found.requests_per_second, mix, fleet, price)
    assert abs(one.usd_per_month - other.usd_per_month) < Decimal("1e-9")


@given(PRICES, PRICES, RATES, st.integers(min_value=1, max_value=99))
def test_under_the_break_even_the_api_is_cheaper(
    hourly: Decimal, write: Decimal, rate: Decimal, percent: int
) -> None:
    """Any load under the break-even costs less at the API."""
    fleet, price = Fleet.of(hourly, rate), api(write, write)
    found = break_even(fleet, price, CHAT)
    at = found.requests_per_second or rate

    cheapest = bills(at * percent / 100, CHAT, fleet, price)[0]

    assert cheapest.way == "api"


@given(PRICES, PRICES, TOKENS, TOKENS, st.decimals(0, 1, places=3))
def test_a_cache_never_costs_more(
    read: Decimal, write: Decimal, into: int, out: int, hits: Decimal
) -> None:
    """More cache hits never raise the bill where cached input is cheaper."""
    price = api(read, write, cached=str(read / 10))

    without = api_usd_per_request(price, TokenMix.of(into, out))
    assert api_usd_per_request(price, TokenMix.of(into, out, hits)) <= without


@given(PRICES, PRICES, TOKENS, TOKENS, st.decimals("0.01", 10**7, places=2))
def test_implied_tokens_cost_the_spend(
    read: Decimal, write: Decimal, into: int, out: int, spend: Decimal
) -> None:
    """The tokens that a spend implies cost that spend."""
    price, mix = api(read, write), TokenMix.of(into, out)

    found = implied_tokens(spend, price, mix)

    back = found.tokens * api_usd_per_million(price, mix) / 1_000_000
    assert cents(spend) == cents(back)

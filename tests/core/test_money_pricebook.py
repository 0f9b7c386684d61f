"""A team's own prices: the line that sets one, and the offer it becomes."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import ValidationError

from core.money.pricebook import NegotiatedPrice
from core.money.setprice import PriceRefused, PriceSet, last_day, parse_setprice
from core.offers import Offer
from core.provider import ProviderSpec
from core.reference.catalogue import Reference
from core.reference.load import reference

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
PRICES = st.decimals(min_value="0.01", max_value=100, places=6)


@cache
def known() -> Reference:
    """Return the real GPUs with a handful of sellers."""
    names = {
        "lambda": "Lambda Labs", "aws": "AWS", "gcp": "Google Cloud",
        "coreweave": "CoreWeave", "runpod": "RunPod", "vast": "Vast.ai",
        "crusoe": "Crusoe",
    }  # fmt: skip
    sellers = {
        key: ProviderSpec(id=key, name=name, kind="direct", url="", sources=())
        for key, name in names.items()
    }
    return replace(reference(), providers=sellers)


def parsed(text: str) -> PriceSet | PriceRefused:
    """Read a line as one user would have sent it today."""
    return parse_setprice(text, known(), "U1", NOW)


def negotiated(text: str) -> NegotiatedPrice:
    """Return the price that a line sets."""
    found = parsed(text)
    assert isinstance(found, PriceSet), found
    return found.price


def test_the_line_of_the_readme() -> None:
    """Provider, GPU, price, pricing, term and the last day are read."""
    found = negotiated("setprice lambda h100 1.85 reserved 12m until 2027-03")

    expected = NegotiatedPrice(
        provider="lambda",
        gpu="h100-80gb-sxm",
        usd_per_gpu_hour=Decimal("1.85"),
        pricing="reserved",
        term_months=12,
        until=date(2027, 3, 31),
        set_by="U1",
        set_at=NOW,
    )
    assert expected == found


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (
            "/gpucost setprice Lambda H100 $1.85/hr",
            "lambda h100-80gb-sxm 1.85 on-demand",
        ),
        ("lambda labs h100 1.85 on demand", "lambda h100-80gb-sxm 1.85 on-demand"),
        ("aws h100 2 1y", "aws h100-80gb-sxm 2 reserved 12m"),
        ("aws h100 2.10 committed 3 years", "aws h100-80gb-sxm 2.10 reserved 36m"),
        ("runpod rtx 4090 0.40", "runpod rtx4090 0.40 on-demand"),
        ("vast rtx4090 0.25 spot", "vast rtx4090 0.25 spot"),
        ("set price gcp h200 3.1 usd per gpu hour", "gcp h200-sxm 3.1 on-demand"),
        (
            "coreweave h200 2.9 reserved 6mo until march 2027",
            "coreweave h200-sxm 2.9 reserved 6m until 2027-03-31",
        ),
        (
            "crusoe h200 2.9 till 2027-02-28",
            "crusoe h200-sxm 2.9 on-demand until 2027-02-28",
        ),
    ],
)
def test_the_words_people_use(text: str, command: str) -> None:
    """Other orders of the same words set the same price."""
    assert f"setprice {command}" == negotiated(text).command


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("setprice", "no price"),
        ("setprice lambda h100", "no price"),
        ("setprice h100 1.85", "name the provider"),
        ("setprice lamda h100 1.85", "no provider is called “lamda”"),
        ("setprice lambda h1000 1.85", "no GPU is called “h1000”"),
        ("setprice lambda h100 0", "not a price per GPU-hour"),
        ("setprice lambda h100 1850", "not a price per GPU-hour"),
        ("setprice lambda h100 €1.85", "US dollars"),
        ("setprice lambda h100 1.85 reserved", "needs its term"),
        ("setprice lambda h100 1.85 spot 12m", "only a reserved price"),
        ("setprice lambda h100 1.85 until 2026-10", "2026-10-31 is over"),
        ("setprice lambda h100 1.85 until someday", "date after “until”"),
        ("setprice lambda h100 1.85 until 2027-13", "date after “until”"),
        ("setprice lambda h100 1.85 cheap", "“cheap” is not"),
        ("setprice lambda h100 1.1234567", "six decimals"),
    ],
)
def test_what_is_wrong_is_said(text: str, reason: str) -> None:
    """A line that cannot be read is answered with the reason and an example."""
    found = parsed(text)

    assert isinstance(found, PriceRefused)
    assert reason in found.reason
    assert isinstance(parsed(found.example), PriceSet)


def test_a_typo_is_answered_with_the_nearest_name() -> None:
    """The nearest names are offered, none is taken for granted."""
    provider, gpu = parsed("lamda h100 1.85"), parsed("lambda h1000 1.85")

    assert isinstance(provider, PriceRefused)
    assert isinstance(gpu, PriceRefused)
    assert "lambda" in provider.nearest
    assert any(name.startswith("h100") for name in gpu.nearest)


def test_a_bare_family_is_said_to_be_one_variant() -> None:
    """The SXM part is taken for "h100", and the reader is told."""
    bare, exact = parsed("lambda h100 1.85"), parsed("lambda h100-80gb-pcie 1.85")

    assert isinstance(bare, PriceSet)
    assert isinstance(exact, PriceSet)
    assert "SXM" in bare.note
    assert "h100-80gb-pcie" in bare.note
    assert exact.note == ""


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2027", date(2027, 12, 31)),
        ("2028-02", date(2028, 2, 29)),
        ("2027-3-5", date(2027, 3, 5)),
        ("sep 2027", date(2027, 9, 30)),
        ("2027-02-30", None),
        ("smarch 2027", None),
        ("0000", None),
    ],
)
def test_a_period_ends_on_its_last_day(text: str, day: date | None) -> None:
    """A month or year holds through its last day; a day that is not is none."""
    assert day == last_day(text)


def test_the_offer_is_marked_and_expires() -> None:
    """An offer from the price book says so and holds through its last day."""
    price = negotiated("lambda h100 1.85 until 2026-11-20")

    offer = price.offer()

    assert offer.negotiated
    assert offer.source == "price book"
    assert offer.valid_until == price.expires
    assert price.holds(datetime(2026, 11, 20, 23, 59, tzinfo=UTC))
    assert not price.holds(datetime(2026, 11, 21, tzinfo=UTC))
    assert negotiated("lambda h100 1.85").holds(NOW + timedelta(days=10_000))


def test_a_term_belongs_to_reserved_alone() -> None:
    """The price book cannot hold a reservation without a term, nor a spot term."""
    fields = negotiated("lambda h100 1.85").model_dump()

    for change in ({"pricing": "reserved"}, {"term_months": 12}):
        with pytest.raises(ValidationError, match="a reserved price has a term"):
            NegotiatedPrice.model_validate({**fields, **change})


@given(PRICES, st.lists(PRICES, max_size=20))
def test_a_negotiated_price_ranks_by_its_value(
    own: Decimal, listed: list[Decimal]
) -> None:
    """Beside list prices it stands where its dollars put it, to the millionth."""
    template = negotiated("lambda h100 1.85")
    mine = template.model_copy(update={"usd_per_gpu_hour": own}).offer()
    others = [_listed(mine, price) for price in listed]

    ranked = sorted([*others, mine], key=lambda offer: offer.usd_per_gpu_hour)

    assert sorted([*listed, own]) == [offer.usd_per_gpu_hour for offer in ranked]
    assert own == mine.usd_per_gpu_hour


def _listed(like: Offer, price: Decimal) -> Offer:
    micro = int(price * 1_000_000)
    return like.model_copy(
        update={"micro_usd_per_gpu_hour": micro, "negotiated": False}
    )


@given(
    PRICES,
    st.sampled_from(["lambda", "aws", "coreweave", "runpod"]),
    st.sampled_from(["h100-80gb-sxm", "h200-sxm", "rtx4090", "mi300x", "l40s"]),
    st.sampled_from([("on_demand", 0), ("spot", 0), ("reserved", 1), ("reserved", 36)]),
    st.none() | st.dates(date(2026, 11, 20), date(2040, 12, 31)),
)
def test_the_command_sets_what_it_says(
    price: Decimal,
    provider: str,
    gpu: str,
    terms: tuple[str, int],
    until: date | None,
) -> None:
    """The line shown for a price sets that very price when it is sent again."""
    stated = NegotiatedPrice.model_validate(
        {
            "provider": provider,
            "gpu": gpu,
            "usd_per_gpu_hour": price,
            "pricing": terms[0],
            "term_months": terms[1],
            "until": until,
            "set_by": "U1",
            "set_at": NOW,
        }
    )

    assert stated == negotiated(stated.command)


@given(st.text(max_size=60))
def test_no_line_breaks_the_parser(text: str) -> None:
    """Any text is a price or a reason, never an exception."""
    assert isinstance(parsed(f"setprice {text}"), PriceSet | PriceRefused)


@given(st.lists(st.sampled_from(
    "lambda aws h100 4090 rtx 1.85 $2 €3 reserved spot 12m 3 years until 2027-03 2027 "
    "march per hour 0 999999 1e9 on demand".split()
), max_size=9))  # fmt: skip
def test_no_order_of_its_words_breaks_the_parser(words: list[str]) -> None:
    """Its own words in any order are a price or a reason."""
    assert isinstance(parsed(" ".join(words)), PriceSet | PriceRefused)

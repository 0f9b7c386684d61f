"""How old a price may be: tiers as data, shown, ranked, and at last left out."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from core.market.market import Use, open_market
from core.offers import Offer
from core.reference.freshness import freshness, tier_of, tiers
from core.reference.load import reference
from core.workload import Constraints

NOW = datetime(2026, 11, 21, tzinfo=UTC)
LIVE = Use(Constraints(), live=False, now=NOW)


def offer(days: float, usd: float = 2.0, **fields: object) -> Offer:
    """Make an H100 of an age, at Lambda on demand where nothing else is said."""
    usual: dict[str, object] = {
        "provider": "lambda",
        "gpu": "h100-80gb-sxm",
        "gpu_count": 8,
        "evidence": "price_list",
        "min_gpus": 8,
        "pricing": "on_demand",
        "raw_total": Decimal(str(usd)) * 8,
        "micro_usd_per_gpu_hour": round(usd * 1e6),
        "observed_at": NOW - timedelta(days=days),
        "source": "feed",
        "source_url": "https://example.com",
    }
    return Offer.model_validate(usual | fields)


@pytest.mark.parametrize(
    ("provider", "fields", "tier"),
    [
        ("aws", {}, "cloud list"),
        ("aws", {"pricing": "reserved", "term_months": 12}, "cloud list"),
        ("aws", {"pricing": "spot"}, "market"),
        ("lambda", {}, "list"),
        ("runpod", {"tier": "secure"}, "list"),
        ("runpod", {"tier": "community"}, "market"),
        ("vast", {}, "market"),
        ("somebody new", {}, "list"),
    ],
)
def test_a_price_ages_by_how_it_is_made(
    provider: str, fields: dict[str, object], tier: str
) -> None:
    """Lists of the large clouds slowest, markets fastest."""
    assert tier == tier_of(offer(0, provider=provider, **fields)).id


def test_the_tiers_are_in_order_and_sourced() -> None:
    """A market is stale before a list, and a list before a cloud's; each says why."""
    market, cloud, usual = (tiers()[name] for name in ("market", "cloud list", "list"))

    assert market.fresh_days < usual.fresh_days < cloud.fresh_days
    assert market.expired_days <= usual.expired_days <= cloud.expired_days
    for tier in tiers().values():
        assert tier.fresh_days < tier.expired_days
        assert tier.why


@pytest.mark.parametrize("name", ["market", "list", "cloud list"])
def test_age_decides(name: str) -> None:
    """Fresh to the last day, then stale, then expired."""
    tier = tiers()[name]
    fields: dict[str, dict[str, object]] = {
        "market": {"pricing": "spot"},
        "list": {},
        "cloud list": {"provider": "aws"},
    }

    def at(days: float) -> str:
        return freshness(offer(days, **fields[name]), NOW)

    assert ["fresh", "fresh"] == [at(0), at(tier.fresh_days)]
    assert ["stale", "stale"] == [at(tier.fresh_days + 0.1), at(tier.expired_days)]
    assert "expired" == at(tier.expired_days + 0.1)


def test_a_negotiated_price_holds_while_it_is_agreed() -> None:
    """Its age says nothing: it ends with its date."""
    assert "fresh" == freshness(offer(400, negotiated=True), NOW)


def test_an_expired_price_is_left_out_and_said() -> None:
    """Whatever it costs, with the days after which its kind counts no more."""
    offers = [offer(184, 0.5), offer(61, 0.5, pricing="spot"), offer(150, 3.0)]
    market = open_market(offers, LIVE, reference())

    assert [offers[2]] == market.by_gpu["h100-80gb-sxm"]
    assert {
        "price last seen over six months ago",
        "market price last seen over 60 days ago",
    } == {why for rule, why in market.refused if rule == "stale-price"}


@pytest.mark.parametrize(
    ("fresh_usd", "kept"), [(1.8, False), (2.0, False), (2.2, False), (2.21, True)]
)
def test_a_fresh_market_price_goes_before_a_stale_one(
    fresh_usd: float, kept: bool
) -> None:
    """Up to a tenth dearer; a stale one that is cheaper by more stays, marked."""
    stale = offer(30, 2.0, pricing="spot", provider="gcp")
    fresh = offer(1, fresh_usd, pricing="spot", provider="aws")
    spot = Use(Constraints(pricing=("spot",)), live=False, now=NOW)
    market = open_market([stale, fresh], spot, reference())

    assert ([stale] if kept else []) == [
        found for found in market.by_gpu["h100-80gb-sxm"] if found == stale
    ]
    assert fresh in market.by_gpu["h100-80gb-sxm"]
    assert (0 if kept else 1) == sum(
        count for (rule, _), count in market.refused.items() if rule == "fresh-first"
    )


def test_only_the_same_gpu_and_pricing_displaces() -> None:
    """Stale lists stay; stale spot stays beside fresh on-demand or another GPU."""
    offers = [
        offer(30, 2.0),
        offer(30, 2.0, pricing="spot"),
        offer(0, 1.0, provider="vast"),
        offer(0, 1.0, pricing="spot", gpu="l40s"),
    ]
    use = Use(Constraints(pricing=("spot", "on_demand")), live=False, now=NOW)
    market = open_market(offers, use, reference())

    assert offers[:3] == market.by_gpu["h100-80gb-sxm"]


def test_where_all_is_old_all_is_shown() -> None:
    """A machine that never polled answers from what it has."""
    offers = [offer(50, 2.0 + step, provider="vast") for step in (0, 0.1)]

    assert offers == open_market(offers, LIVE, reference()).by_gpu["h100-80gb-sxm"]

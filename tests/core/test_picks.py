"""Who may win: three picks, each of which somebody can order and operate."""

from datetime import UTC, datetime
from decimal import Decimal
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest

from core.answers.answer import Role
from core.market.recommendation import FleetPick, Recommendation
from core.market.uptime import uptime
from core.offers import Catalog
from core.query import Query
from core.reference.assumed import defaults
from core.reference.load import reference
from core.resolve import Unresolved, resolve
from core.sizing.picks import ABOUT_AS_CHEAP
from core.sizing.serving import recommend_serving
from core.workload import InferenceSpec
from prices.history.store import Store
from prices.snapshot import ensure_snapshot
from tests.core.market import offer, recommend
from tests.engines import engine_of

NOW = datetime(2026, 11, 22, tzinfo=UTC)
MODELS = ("llama-3.1-8b", "qwen3-32b", "llama-3.3-70b", "mixtral-8x7b", "gpt-oss-120b")
RATES = (0.05, 1.0, 8.0, 60.0)


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """The prices that ship with the package."""
    path: Path = tmp_path_factory.mktemp("prices") / "prices.sqlite3"
    store = Store.open(engine_of(path))
    ensure_snapshot(store)
    return store.catalog(NOW)


def sized(catalog: Catalog, **stated: Any) -> Recommendation:
    """What is recommended from a catalogue."""
    found = resolve(Query(**stated), reference(), defaults())
    assert not isinstance(found, Unresolved), found
    assert isinstance(found.spec, InferenceSpec)
    return recommend_serving(found, found.spec, catalog, reference(), NOW)


def pick(found: Recommendation, role: Role) -> FleetPick:
    """The pick of a role."""
    return next(one for one in found.fleet_picks if one.role == role)


def test_every_star_can_be_ordered_and_every_pick_is_there_or_explained(
    shipped: Catalog,
) -> None:
    """No GeForce, no marketplace, no "from" price, whatever the model and the load."""
    for model, rps in product(MODELS, RATES):
        found = sized(shipped, model=model, rps=rps)
        star = found.options[0]
        assert star.doubt == ""
        assert star.offer.evidence in ("api", "own", "price_list", "price_page")
        assert star.seller_kind in ("hyperscaler", "direct", "reseller")
        assert not star.plan.gpu.consumer
        assert ["best_price", "with_sla", "hyperscaler"] == [
            p.role for p in found.fleet_picks
        ]
        assert all(one.why for one in found.fleet_picks)
        covered, cloud = pick(found, "with_sla"), pick(found, "hyperscaler")
        assert covered.option is None or covered.option.sla_percent is not None
        assert cloud.option is None or cloud.option.seller_kind == "hyperscaler"
        assert covered.option is not None
        assert cloud.option is not None


def test_more_load_never_costs_less(shipped: Catalog) -> None:
    """Each pick's month grows with the rate, the prompt and the answer.

    But for what fewer machines, or a better known price, may cost more: a tenth.
    """
    usual: dict[str, float] = {"rps": 3, "input_tokens": 1000, "output_tokens": 200}
    for field, model in product(usual, MODELS[:3]):
        bills = [
            [
                one.option.usd_per_month if one.option else Decimal(0)
                for one in sized(
                    shipped, model=model, **usual | {field: usual[field] * times}
                ).fleet_picks
            ]
            for times in (1, 2, 5)
        ]
        for less, more in pairwise(bills):
            pairs = zip(less, more, strict=True)
            assert all(a <= b * ABOUT_AS_CHEAP for a, b in pairs), (field, model)


def test_who_serves_customers_is_told_of_an_sla(shipped: Catalog) -> None:
    """External: starred with an SLA, two replicas at least; else the best price."""
    for_customers = sized(shipped, params_b=8, rps=0.2, audience="external")
    among_us = sized(shipped, params_b=8, rps=0.2, audience="internal")

    assert ("with_sla", 2) == (
        for_customers.starred, for_customers.options[0].plan.replicas,
    )  # fmt: skip
    assert for_customers.options[0] is pick(for_customers, "with_sla").option
    assert "best_price" == among_us.starred
    assert among_us.options[0] is pick(among_us, "best_price").option


@pytest.mark.parametrize(
    ("stated", "doubt"),
    [
        ({"evidence": "from"}, "“from” price"),
        ({"evidence": "article"}, "article"),
        ({"stock": "out"}, "sold out"),
        ({"includes": "gpu_only"}, "without its host"),
        ({"provider": "gmicloud", "min_gpus": None}, "machine sizes are unknown"),
        ({"provider": "spheron"}, "below all owners"),
        ({"provider": "tensordock"}, "marketplace"),
        ({"provider": "somebody-new"}, "the seller is unknown"),
        ({"gpu": "rtx4090"}, "GeForce"),
    ],
)
def test_what_cannot_be_ordered_is_listed_apart(
    stated: dict[str, Any], doubt: str
) -> None:
    """A cheaper price that stands on nothing is worth checking, and never starred."""
    dear = offer("lambda", "h100-80gb-sxm", "3.00")
    cheap = offer(
        **{"provider": "lambda", "gpu": "h100-80gb-sxm", "usd": "0.50"} | stated
    )
    found = recommend(dear, cheap, params_b=8, rps=0.5)

    assert dear == found.options[0].offer
    assert any(doubt in one.doubt for one in found.worth_checking), found.worth_checking


@pytest.mark.parametrize(
    "asked",
    [
        {"provider": ("tensordock",), "gpu": ("rtx4090",)},
        {"hosts_welcome": True, "consumer_gpus": True},
    ],
)
def test_hosts_and_consumer_cards_are_used_where_they_are_asked_for(
    asked: dict[str, Any],
) -> None:
    """A marketplace that is named, or welcome, may win."""
    cheap = offer("tensordock", "rtx4090", "0.30")
    found = recommend(
        offer("lambda", "h100-80gb-sxm", "3.00"), cheap, params_b=8, rps=0.5, **asked
    )

    assert cheap == found.options[0].offer


def test_fewer_machines_win_where_they_cost_about_as_much() -> None:
    """26 small cards that are $43 cheaper are not operated by anybody."""
    large = offer("lambda", "h200-sxm", "4.00")
    found = recommend(large, offer("lambda", "a30", "0.10"), params_b=8, rps=30)
    crowd = min(found.options, key=lambda one: one.usd_per_month)
    assert crowd.plan.gpu.id == "a30"
    rival = next(one for one in found.options if one.plan.gpu.id == "h200-sxm")
    a30 = Decimal("4.00") * rival.gpus / crowd.gpus / Decimal("1.05")
    near = recommend(
        large, offer("lambda", "a30", str(round(a30, 4))), params_b=8, rps=30
    )

    assert "h200-sxm" == near.options[0].plan.gpu.id
    assert "to run instead of" in pick(near, "best_price").why


@pytest.mark.parametrize(
    ("provider", "fields", "machines", "percent", "best"),
    [
        ("aws", {}, 1, 99.5, 99.5),
        ("aws", {}, 2, 99.5, 99.99),
        ("gcp", {}, 1, 99.9, 99.9),
        ("gcp", {"gpu": "gb200"}, 2, None, 99.99),
        ("coreweave", {}, 2, 99.0, 99.9),
        ("vultr", {}, 2, None, None),
        ("digitalocean", {}, 2, None, None),
        ("latitude", {}, 1, None, None),
        ("aws", {"pricing": "spot"}, 2, None, None),
        ("baseten", {"tier": "serverless"}, 1, 99.9, 99.9),
        ("aws", {"tier": "serverless"}, 1, None, None),
    ],
)
def test_an_uptime_belongs_to_a_shape(
    provider: str,
    fields: dict[str, Any],
    machines: int,
    percent: float | None,
    best: float | None,
) -> None:
    """One machine, two zones, an endpoint: each has its own percentage, or none."""
    found = uptime(
        offer(**{"provider": provider, "gpu": "h100-80gb-sxm", "usd": "3"} | fields),
        machines, reference(),
    )  # fmt: skip

    assert (percent, best) == (found.percent, found.best_percent)


def test_two_zones_carry_the_peak_with_one_down(shipped: Catalog) -> None:
    """In two zones each has all that is needed; the uptime is the zones'."""
    once = sized(shipped, params_b=70, rps=20, provider=("gcp",))
    twice = sized(shipped, params_b=70, rps=20, provider=("gcp",), zones=2)

    gpu = once.options[0].plan.gpu.id
    same = next(one for one in twice.options if one.plan.gpu.id == gpu)
    assert same.plan.replicas == 2 * once.options[0].plan.replicas
    assert 99.9 == once.options[0].sla_percent
    assert 99.99 == same.sla_percent

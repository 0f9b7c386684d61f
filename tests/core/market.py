"""A small market to recommend from, with round prices."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from core.llm import ModelSpec
from core.market.recommendation import Recommendation
from core.offers import MICRO, Catalog, Offer
from core.query import Query
from core.reference.assumed import defaults
from core.reference.load import reference
from core.resolve import Unresolved, resolve
from core.sizing.serving import recommend_serving
from core.workload import InferenceSpec, Resolved

NOW = datetime(2026, 9, 1, tzinfo=UTC)


def offer(provider: str, gpu: str, usd: str, **more: Any) -> Offer:
    """One offer at a price per GPU-hour."""
    price = Decimal(usd)
    stated: dict[str, Any] = {
        "provider": provider,
        "gpu": gpu,
        "gpu_count": 1,
        "pricing": "on_demand",
        "evidence": "price_list",
        "min_gpus": more.get("gpu_count", 1),
        "raw_total": price,
        "micro_usd_per_gpu_hour": int(price * MICRO),
        "observed_at": NOW,
        "source": "test",
        "source_url": "https://example.com/prices",
    }
    return Offer.model_validate(stated | more)


def market(*offers: Offer) -> Catalog:
    """A catalogue of exactly these offers."""
    return Catalog(offers, NOW, "test-1")


USUAL = (
    offer("lambda", "h100-80gb-sxm", "2.49"),
    offer("coreweave", "h100-80gb-sxm", "2.99"),
    offer("lambda", "h100-80gb-sxm", "1.99", pricing="reserved", term_months=12),
    offer("spheron", "h100-80gb-sxm", "1.03", pricing="spot"),
    offer("spheron", "h200-sxm", "4.54"),
    offer("spheron", "b200", "6.02"),
    offer("aws", "h100-80gb-sxm", "3.90", gpu_count=8, instance="p5.48xlarge"),
    offer("aws", "l40s", "1.86", instance="g6e.xlarge", region="us-east-1"),
    offer("hyperstack", "l40s", "0.86"),
    offer("vast", "rtx4090", "0.35", tier="community"),
    offer("hotaisle", "mi300x", "2.19"),
)


def recommend(*offers: Offer, at: datetime = NOW, **stated: Any) -> Recommendation:
    """What is recommended for a question, from these offers or the usual ones."""
    found = resolve(
        Query(**{"params_b": 70, "rps": 50} | stated), reference(), defaults()
    )
    assert not isinstance(found, Unresolved), found
    assert isinstance(found.spec, InferenceSpec)
    catalog = market(*(offers or USUAL))
    return recommend_serving(found, found.spec, catalog, reference(), at)


def workload(query: Query) -> tuple[Resolved, InferenceSpec]:
    """A served workload, its gaps filled."""
    found = resolve(query, reference(), defaults())
    assert not isinstance(found, Unresolved), found
    assert isinstance(found.spec, InferenceSpec)
    return found, found.spec


def model(name: str) -> ModelSpec:
    """Return a model of the reference that must be there."""
    found = reference().model(name)
    assert found is not None, name
    return found

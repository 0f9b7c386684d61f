"""What lies in a region: the EU's law is no matter of a cloud's naming."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from core.offers import PricePoint
from core.recommend.market import region_matches
from core.reference.load import reference

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("region", "wanted", "expected"),
    [
        ("eu-west-1", "eu", True),
        ("eu-central-1", "eu", True),
        ("europe-west4-a", "eu", True),
        ("westeurope", "eu", True),
        ("eu-north-1", "eu", True),
        ("norwayeast", "eu", True),
        ("eu-west-2", "eu", False),
        ("eu-west-2a", "eu", False),
        ("europe-west2-b", "eu", False),
        ("europe-west6", "eu", False),
        ("europe-west20", "eu", True),
        ("uksouth", "eu", False),
        ("GB", "eu", False),
        ("switzerlandnorth", "eu", False),
        ("eu-west-2", "uk", True),
        ("europe-west2-b", "uk", True),
        ("europe-west3-a", "germany", True),
        ("eu-central-1", "germany", True),
        ("germanywestcentral", "germany", True),
        ("DE", "germany", True),
        ("europe-west4", "germany", False),
        ("europe-west4", "netherlands", True),
        ("eu-central-1", "frankfurt", True),
        ("eu-west-2", "london", True),
        ("us-east-1", "canada", False),
        ("us-east-1", "eu", False),
        ("us-east-1", "us", True),
        ("eastus2", "us", True),
        ("US", "us", True),
    ],
)
def test_a_region_holds_what_lies_in_it(
    region: str, wanted: str, expected: bool
) -> None:
    """London and Zurich are not in the EU, whatever AWS and Google call them."""
    point = PricePoint(
        provider="aws",
        gpu="h100-80gb-sxm",
        gpu_count=1,
        pricing="on_demand",
        region=region,
        raw_total=Decimal(2),
        micro_usd_per_gpu_hour=2_000_000,
        observed_at=NOON,
        source="feed",
        source_url="https://example.com/prices",
    )

    assert expected == region_matches(point, wanted, reference())

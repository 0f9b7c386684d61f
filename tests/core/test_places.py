"""What lies in a region: the EU's law is no matter of a cloud's naming."""

from datetime import UTC, datetime
from decimal import Decimal

from core.market.market import region_matches
from core.offers import PricePoint
from core.reference.load import reference
from core.reference.places import places, wider
from tests.each import each

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@each(
    [
        ("eu-west-1", "eu", True),
        ("eu-central-1", "eu", True),
        ("europe-west4-a", "eu", True),
        ("westeurope", "eu", True),
        ("eu-north-1", "eu", True),
        ("norwayeast", "eu", False),
        ("norwayeast", "eea", True),
        ("iceland", "eu", False),
        ("eu-north-1", "eea", True),
        ("uksouth", "eea", False),
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
        ("ap-south-1", "india", True),
        ("asia-south1-b", "india", True),
        ("centralindia", "asia", True),
        ("ap-northeast-1", "japan", True),
        ("ap-southeast-1", "singapore", True),
        ("ap-southeast-2", "asia", False),
        ("ap-southeast-2", "australia", True),
        ("ca-central-1", "canada", True),
        ("CA", "canada", True),
        ("canada-1", "us", False),
        ("sa-east-1", "brazil", True),
        ("sa-east-1", "latam", True),
        ("me-west1", "middle-east", True),
        ("eastus", "us-east", True),
        ("helsinki-finland-2", "finland", True),
        ("helsinki-finland-2", "eu", True),
        ("desmoines-usa-1", "us", True),
        ("FIN-01", "eu", True),
        ("us-south-1", "us", True),
        ("us-east-1a", "us-east-1", True),
        ("us-east-10", "us-east-1", False),
        ("moon-1", "eu", False),
    ]
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


@each(
    [
        ("frankfurt", ("germany", "eu-central", "eu", "eea")),
        ("eu-central-1", ("frankfurt", "germany", "eu-central", "eu", "eea")),
        ("london", ("uk",)),
        ("eu", ("eea",)),
        ("switzerland", ()),
        ("nowhere", ()),
    ]
)
def test_a_place_lies_in_wider_ones(wanted: str, expected: tuple[str, ...]) -> None:
    """Where nothing is sold in Frankfurt, Germany comes before the whole EU."""
    assert expected == wider(wanted)


def test_every_place_lies_in_a_known_one() -> None:
    """No row of the table names a wider place that is none, or lies in itself."""
    known = places()
    assert [] == [p.id for p in known.values() if p.within and p.within not in known]
    assert [] == [p.id for p in known.values() if not (p.begins or p.words or p.code)]

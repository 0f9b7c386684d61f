"""Stores on real files, and price points made by a few words."""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from core.offers import PricePoint
from prices.history.poll import micro_per_gpu
from prices.history.store import Store
from tests.engines import engine_of

MakePoint = Callable[..., PricePoint]
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def make_point(total: str = "2.50", **fields: object) -> PricePoint:
    """Make a point of one H100 at Lambda, changed by what is given."""
    count = int(str(fields.get("gpu_count", 1)))
    usual: dict[str, object] = {
        "provider": "lambda",
        "gpu": "h100-80gb-sxm",
        "gpu_count": count,
        "pricing": "on_demand",
        "raw_total": Decimal(total),
        "micro_usd_per_gpu_hour": micro_per_gpu(Decimal(total), count),
        "observed_at": NOON,
        "source": "feed",
        "source_url": "https://example.com/prices",
    }
    return PricePoint.model_validate(usual | fields)


@pytest.fixture(scope="session")
def point() -> MakePoint:
    """Give the maker of price points."""
    return make_point


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Give an empty store."""
    return Store.open(engine_of(tmp_path / "prices.db"))

"""The real feeds, where somebody asks for it: GPUCOST_LIVE=1 pytest -k live -s."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from prices.history.store import Store
from prices.refresh.run import refresh
from prices.sources.feeds import all_sources
from tests.engines import engine_of


@pytest.mark.skipif("GPUCOST_LIVE" not in os.environ, reason="GPUCOST_LIVE is not set")
@pytest.mark.timeout(300)
def test_every_feed_still_has_its_shape(tmp_path: Path) -> None:
    """Each feed that can be reached reads, and most of it is believed."""
    store = Store.open(engine_of(tmp_path / "prices.db"))

    results = refresh(store, datetime.now(UTC), all_sources(os.environ))

    print(*results, sep="\n")  # noqa: T201 - somebody is looking
    assert [] == [result.name for result in results if not result.ok]
    assert all(result.quarantined <= result.offers for result in results)

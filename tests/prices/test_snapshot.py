"""The snapshot that ships: whole, dated, and recorded once."""

from datetime import UTC, datetime
from pathlib import Path

from prices.snapshot import ensure_snapshot
from prices.store import Store

NOW = datetime(2026, 11, 21, tzinfo=UTC)


def test_a_fresh_store_answers_offline(tmp_path: Path) -> None:
    """A fresh machine has prices of at least twenty providers, of every kind."""
    store = Store.open(tmp_path / "prices.db")
    ensure_snapshot(store)

    catalog = store.catalog(NOW)

    assert len(catalog.providers) >= 20
    assert {"on_demand", "spot", "reserved"} == {o.pricing for o in catalog.offers}


def test_the_snapshot_is_recorded_once(tmp_path: Path) -> None:
    """A second start changes nothing."""
    store = Store.open(tmp_path / "prices.db")
    ensure_snapshot(store)

    assert [] == ensure_snapshot(store)

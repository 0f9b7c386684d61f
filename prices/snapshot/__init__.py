"""Dated prices that ship with the package, so that a fresh machine answers offline.

`manifest.toml` names each dataset: its source, the instant it was observed, where it
comes from and under which terms. The rows are CSV beside it. They enter through
`Store.record`, as polls of the sources that live feeds continue.
"""

import csv
from contextlib import suppress
from datetime import datetime
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

from core.frozen import Frozen
from core.offers import Instant, PricePoint
from core.reference.packaged import files
from core.reference.tables import read_table
from prices.history.poll import ChangeSet, OlderPollError, Poll, micro_per_gpu
from prices.history.store import Store

COLUMNS = (
    "provider",
    "gpu",
    "gpu_count",
    "instance",
    "region",
    "pricing",
    "term_months",
    "upfront",
    "tier",
    "includes",
    "seller_kind",
    "stock",
    "evidence",
    "min_gpus",
    "raw_total",
    "source_url",
)


class Dataset(Frozen, frozen=True, kw_only=True, omit_defaults=True):
    """One source at one instant, as it ships."""

    source: str
    observed_at: Instant
    file: str
    complete: bool
    """Whether an offer that is not named here is no longer sold."""
    currency: str = "USD"
    source_url: str
    attribution: str = ""
    licence: str = ""
    note: str = ""


def ensure_snapshot(store: Store) -> list[ChangeSet]:
    """Record the shipped datasets that are newer than what the store has polled.

    It changes nothing the second time, and nothing where live feeds were polled since;
    a newer snapshot, shipped with an upgrade, is recorded.
    """
    recorded = []
    for dataset in missing(store):
        # another process that starts at the same time may have been faster
        with suppress(OlderPollError):
            recorded.append(store.record(read_poll(dataset)))
    return recorded


def missing(store: Store) -> list[Dataset]:
    """Return the shipped datasets that the store does not have, oldest first."""
    polled = store.last_successes()
    return [
        dataset
        for dataset in datasets()
        if (last := polled.get(dataset.source)) is None or last < dataset.observed_at
    ]


def datasets(folder: Path | None = None) -> list[Dataset]:
    """Return what the snapshot holds, oldest first."""
    if folder is None:
        manifest = read_table(__name__, "manifest.toml")
    else:
        import tomllib  # of what was just exported

        manifest = tomllib.loads(folder.joinpath("manifest.toml").read_text("utf-8"))
    found = [Dataset.model_validate(entry) for entry in manifest["dataset"]]
    return sorted(found, key=lambda dataset: dataset.observed_at)


def newest() -> datetime:
    """Return when the newest shipped dataset was observed: the snapshot's date."""
    return datasets()[-1].observed_at


def read_poll(dataset: Dataset, folder: Path | None = None) -> Poll:
    """Read one dataset as the poll that it once was."""
    text = (folder or _shipped()).joinpath(dataset.file).read_text("utf-8")
    return Poll(
        source=dataset.source,
        observed_at=dataset.observed_at,
        points=[_point(row, dataset) for row in csv.DictReader(StringIO(text))],
        complete=dataset.complete,
        attribution=dataset.attribution,
    )


def _shipped() -> Path:
    return files(__name__)


def _point(row: dict[str, Any], dataset: Dataset) -> PricePoint:
    total, count = Decimal(row["raw_total"]), int(row["gpu_count"])
    return PricePoint(
        provider=row["provider"],
        gpu=row["gpu"],
        gpu_count=count,
        instance=row["instance"],
        region=row["region"],
        pricing=row["pricing"],
        term_months=int(row["term_months"]),
        upfront=row["upfront"] == "1",
        tier=row["tier"],
        includes=row["includes"],
        seller_kind=row["seller_kind"],
        stock=row["stock"],
        evidence=row["evidence"],
        min_gpus=int(row["min_gpus"]) if row["min_gpus"] else None,
        raw_total=total,
        currency=dataset.currency,
        micro_usd_per_gpu_hour=micro_per_gpu(total, count),
        observed_at=dataset.observed_at,
        source=dataset.source,
        source_url=row["source_url"] or dataset.source_url,
    )

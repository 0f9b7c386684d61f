"""The catalogue file: what stands in one store, for others to take instead of polling.

    gpucost prices publish FOLDER

A publisher polls and guards; whoever names its file in `GPUCOST_CATALOGUE` fetches that
one file, by its ETag, in place of every feed that needs no key. The file is JSON and
dated, and names the SHA-256 of its own datasets. Each dataset keeps its source, its
terms and every offer's own date, and enters as a poll of that source would.
"""

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct, ValidationError

from core.offers import PricePoint
from core.wording import say
from prices.history.store import Store
from prices.sources.payload import json_of, member, unzipped
from prices.sources.source import (
    MEGABYTE,
    Moment,
    PayloadError,
    Reading,
    SourceSpec,
    Wire,
)

NAME = "catalogue"
VARIABLE = "GPUCOST_CATALOGUE"
FORMAT = 1
LIMIT = 32 * MEGABYTE
_COLUMNS = tuple(name for name in PricePoint.__struct_fields__ if name != "source")


class Published(Struct, frozen=True):
    """What one source said, as a publisher recorded it."""

    source: str
    observed_at: datetime
    attribution: str
    points: tuple[PricePoint, ...]


def publish(store: Store, folder: Path, now: datetime, private: set[str]) -> Path:
    """Write the offers that stand, but those of private sources; return the file.

    Beside the day's file stands the same as `catalogue.json.gz`, with checksums.
    """
    offers = store.catalog(now, superseded=True).offers
    datasets = [
        {
            "source": status.name,
            "observed_at": status.last_success.isoformat(),
            "attribution": status.attribution,
            "rows": [_row(o) for o in offers if o.source == status.name],
        }
        for status in store.sources()
        if status.last_success and status.name not in private
    ]
    kept = [dataset for dataset in datasets if dataset["rows"]]
    whole = {
        "format": FORMAT,
        "published_at": now.isoformat(),
        "sha256": _checksum(kept),
        "columns": _COLUMNS,
        "datasets": kept,
    }
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
    # No time in the gzip header: the same prices are the same bytes.
    packed = gzip.compress(text.encode(), mtime=0)
    folder.mkdir(parents=True, exist_ok=True)
    day = folder / f"catalogue-{now:%Y-%m-%d}.json.gz"
    for file in (day, folder / "catalogue.json.gz"):
        file.write_bytes(packed)
        said = f"{hashlib.sha256(packed).hexdigest()}  {file.name}\n"
        file.with_name(f"{file.name}.sha256").write_text(said, "ascii")
    return day


def published(payload: bytes) -> list[Published]:
    """Read a catalogue file; one that is cut, changed or newer is refused."""
    data = json_of(unzipped(payload))
    if member(data, "format", kind=int) != FORMAT:
        raise PayloadError(say("feeds.catalogue_format", number=data["format"]))
    datasets = member(data, "datasets")
    if _checksum(datasets) != data.get("sha256"):
        raise PayloadError(say("feeds.catalogue_checksum"))
    columns = member(data, "columns")
    try:
        return [_dataset(entry, columns) for entry in datasets]
    except (KeyError, TypeError, ValueError, ValidationError) as fault:
        raise PayloadError(f"another shape ({type(fault).__name__})") from fault


def source(url: str) -> SourceSpec:
    """Return the catalogue at an address of the owner's choice as a feed."""

    def fetch(wire: Wire) -> Iterable[bytes]:
        yield wire.get(url)

    return SourceSpec(
        name=NAME,
        fetch=fetch,
        read=_read,
        hosts=frozenset({urlsplit(url).hostname or ""}),
        label=NAME,
        private=True,
        deadline_s=30.0,
        limit_bytes=LIMIT,
        catalogue=True,
    )


def wanted(environment: Mapping[str, str]) -> str:
    """Return the address of the catalogue that is to be taken, blank where none is."""
    return environment.get(VARIABLE, "").strip()


def _read(payload: bytes, _moment: Moment) -> Reading:
    points = [point for dataset in published(payload) for point in dataset.points]
    return Reading(points=points, rows=len(points))


def _row(point: PricePoint) -> list[Any]:
    values = point.model_dump()
    return [values[name] for name in _COLUMNS]


def _dataset(entry: dict[str, Any], columns: list[str]) -> Published:
    name = str(entry["source"])
    return Published(
        source=name,
        observed_at=datetime.fromisoformat(entry["observed_at"]),
        attribution=str(entry["attribution"]),
        points=tuple(_points(entry["rows"], columns, name)),
    )


def _points(rows: list[Any], columns: list[str], name: str) -> Iterator[PricePoint]:
    known = [column in PricePoint.__struct_fields__ for column in columns]
    for row in rows:
        pairs = zip(columns, row, known, strict=True)
        values = {column: value for column, value, ours in pairs if ours}
        yield PricePoint.model_validate(values | {"source": name})


def _checksum(datasets: Any) -> str:
    text = json.dumps(datasets, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()

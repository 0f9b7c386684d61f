"""Renew the shipped snapshot from a store that live feeds keep.

    python -m prices.snapshot.export PRICES_DB FOLDER

FOLDER holds a `manifest.toml`; each of its datasets whose source was polled since is
written anew with what stands now, dated by its oldest observation. To ship another
source, add its entry to the manifest with an early `observed_at`.
"""

import csv
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from msgspec import to_builtins

from core.offers import PricePoint
from prices.database.sqlite import Sqlite
from prices.history.store import Store
from prices.snapshot import COLUMNS, Dataset, datasets

HEADING = """\
# The prices that ship with the package; prices/snapshot/__init__.py reads them.
# Rows are figures as the source published them, for gpu_count GPUs and one hour.
"""


def export(store: Store, folder: Path, now: datetime) -> list[Dataset]:
    """Renew the datasets of a folder that the store knows fresher; return these."""
    observed = {status.name: status.observed_at for status in store.sources()}
    offers = store.catalog(now, superseded=True).offers
    kept, renewed = [], []
    shipped = datasets(folder)
    latest = {dataset.source: dataset for dataset in shipped}
    for dataset in shipped:
        at = observed.get(dataset.source)
        # an earlier edition of a source is history and stays
        if at is None or at <= dataset.observed_at or dataset != latest[dataset.source]:
            kept.append(dataset)
            continue
        fresh = dataset.model_copy(update={"observed_at": at})
        write_dataset(fresh, (o for o in offers if o.source == fresh.source), folder)
        renewed.append(fresh)
    write_manifest([*kept, *renewed], folder)
    return renewed


def write_dataset(dataset: Dataset, points: Iterable[PricePoint], folder: Path) -> None:
    """Write one dataset's rows, in a stable order."""
    with (folder / dataset.file).open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(
            sorted(_rows(points, dataset), key=lambda row: tuple(row.values()))
        )


def write_manifest(found: Iterable[Dataset], folder: Path) -> None:
    """Write what the datasets are, by source."""
    entries = [
        _entry(dataset)
        for dataset in sorted(found, key=lambda d: (d.source, d.observed_at))
    ]
    (folder / "manifest.toml").write_text("\n".join([HEADING, *entries]), "utf-8")


def _rows(points: Iterable[PricePoint], dataset: Dataset) -> Iterator[dict[str, str]]:
    for point in points:
        row = {column: str(getattr(point, column)) for column in COLUMNS}
        smallest = "" if point.min_gpus is None else str(point.min_gpus)
        if point.source_url == dataset.source_url:
            row["source_url"] = ""
        yield row | {"upfront": str(int(point.upfront)), "min_gpus": smallest}


def _entry(dataset: Dataset) -> str:
    values = to_builtins(dataset, builtin_types=(datetime,))
    lines = [f"{name} = {_toml(value)}" for name, value in values.items()]
    return "\n".join(["[[dataset]]", *lines, ""])


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def main(store: str, folder: str) -> None:
    """Renew a folder and say which sources are new in it."""
    opened = Store.open(Sqlite(Path(store)), readonly=True)
    for dataset in export(opened, Path(folder), datetime.now().astimezone()):
        sys.stdout.write(f"{dataset.source} {dataset.observed_at:%Y-%m-%d}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

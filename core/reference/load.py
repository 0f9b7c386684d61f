"""Read the packaged reference data, once."""

import csv
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from core.frozen import Source
from core.hardware import GpuSpec
from core.llm import ModelSpec
from core.provider import ProviderSpec
from core.reference.catalogue import Reference, names_of
from core.reference.names import Key, written_key
from core.reference.packaged import files
from core.reference.tables import read_table, worked_out

_FOLDER = files("core.reference")


@cache
def reference() -> Reference:
    """Return the reference data that ships with the program."""
    models = {spec.id: spec for spec in _models()}

    def written() -> dict[str, Key]:
        names = (name for spec in models.values() for name in names_of(spec))
        return {name: written_key(name) for name in names}

    made_from = ("models.csv", "names.py", "catalogue.py")
    return Reference(
        gpus={spec.id: spec for spec in _gpus()},
        models=models,
        providers={spec.id: spec for spec in _providers()},
        written=worked_out(
            written, __file__, [_FOLDER.joinpath(name) for name in made_from]
        ),
    )


def _toml(name: str) -> dict[str, Any]:
    return read_table("core.reference", name)


def _gpus() -> Iterator[GpuSpec]:
    table = _toml("gpus.toml")
    known = _sources(table)
    for row in table["gpu"]:
        row["sources"] = [known[key] for key in row["sources"]]
        yield GpuSpec.model_validate(row)


def _providers() -> Iterator[ProviderSpec]:
    table = _toml("providers.toml")
    for row in table["provider"]:
        row["sources"] = [
            Source(url=url, checked=table["checked"]) for url in row["sources"]
        ]
        yield ProviderSpec.model_validate(row)


def _sources(table: Mapping[str, Any]) -> dict[str, Source]:
    """Return the sources that rows name by a short key."""
    checked: str = table["checked"]
    urls: dict[str, str] = table["sources"]
    return {key: Source(url=url, checked=checked) for key, url in urls.items()}


def _models() -> Iterator[ModelSpec]:
    """Read one model a row.

    With MLA, head_dim is the width without rotary part. Where heads differ between
    local and global layers (Gemma 4), the row has those of the global ones.
    """
    text = _FOLDER.joinpath("models.csv").read_text("utf-8")
    for row in csv.DictReader(text.splitlines()):
        stated: dict[str, Any] = {name: cell for name, cell in row.items() if cell}
        source = Source(url=stated.pop("source"), checked=stated.pop("checked"))
        aliases = tuple(stated.pop("aliases", "").split("|"))
        stated["aliases"] = tuple(alias for alias in aliases if alias)
        yield ModelSpec.model_validate({**stated, "sources": (source,)})

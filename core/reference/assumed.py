"""Read what is assumed where nothing is stated."""

from functools import cache
from importlib.resources import files
from tomllib import loads
from typing import Any

from core.defaults import Default, Defaults


@cache
def defaults() -> Defaults:
    """Return the defaults that ship with the program."""
    uses = {use: _entries(rows) for use, rows in _table("uses.toml").items()}
    return Defaults(_entries(_table("defaults.toml")), uses)


def _entries(rows: dict[str, Any]) -> dict[str, Default]:
    return {name: Default.model_validate(row) for name, row in rows.items()}


def _table(name: str) -> dict[str, Any]:
    return loads((files("core.reference") / name).read_text("utf-8"))

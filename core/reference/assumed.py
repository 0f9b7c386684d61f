"""Read what is assumed where nothing is stated."""

from functools import cache
from typing import Any

from core.defaults import Default, Defaults
from core.reference.tables import read_table


@cache
def defaults() -> Defaults:
    """Return the defaults that ship with the program."""
    uses = {use: _entries(rows) for use, rows in _profiles().items()}
    return Defaults(_entries(_table("defaults.toml")), uses)


def profile_name(use: str) -> str:
    """Return how a sentence names a profile: "agent with tools"."""
    return str(_profiles()[use]["name"])


@cache
def _profiles() -> dict[str, Any]:
    return _table("profiles.toml")


def _entries(rows: dict[str, Any]) -> dict[str, Default]:
    return {
        name: Default.model_validate(row)
        for name, row in rows.items()
        if isinstance(row, dict)
    }


def _table(name: str) -> dict[str, Any]:
    return read_table("core.reference", name)

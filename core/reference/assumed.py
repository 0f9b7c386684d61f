"""Read what is assumed where nothing is stated."""

from functools import cache
from typing import Any

from core.defaults import Default, Defaults
from core.reference.tables import read_table


@cache
def defaults() -> Defaults:
    """Return the defaults that ship with the program."""
    tables = {**_profiles(), **_documents(), **_table("degrees.toml")}
    uses = {use: _entries(rows) for use, rows in tables.items()}
    return Defaults(_entries(_table("defaults.toml")), uses)


def profile_name(use: str) -> str:
    """Return how a sentence names a profile: "agent with tools"."""
    return str(_profiles()[use]["name"])


def document_name(kind: str) -> str:
    """Return how a sentence names texts of a kind: "support tickets"."""
    return str(_documents()[kind]["name"])


@cache
def _profiles() -> dict[str, Any]:
    return _table("profiles.toml")


@cache
def _documents() -> dict[str, Any]:
    return _table("documents.toml")


def _entries(rows: dict[str, Any]) -> dict[str, Default]:
    return {
        name: Default.model_validate(row)
        for name, row in rows.items()
        if isinstance(row, dict)
    }


def _table(name: str) -> dict[str, Any]:
    return read_table("core.reference", name)

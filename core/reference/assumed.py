"""Read what is assumed where nothing is stated."""

from functools import cache
from importlib.resources import files
from tomllib import loads

from core.defaults import Default, Defaults


@cache
def defaults() -> Defaults:
    """Return the defaults that ship with the program."""
    text = (files("core.reference") / "defaults.toml").read_text("utf-8")
    table = loads(text)
    return Defaults({name: Default.model_validate(row) for name, row in table.items()})

"""What is assumed where nothing is stated: values with their reasons."""

from collections.abc import Iterator, Mapping
from datetime import date

from core.frozen import Frozen


class Default(Frozen):
    """One assumed value, why it is taken, and where that was read."""

    value: float
    why: str
    source: str
    checked: date


class Defaults:
    """The defaults by name; a channel's own settings override them."""

    def __init__(self, entries: Mapping[str, Default]) -> None:
        self._entries = dict(entries)

    def __getitem__(self, name: str) -> Default:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def overridden(self, values: Mapping[str, float], why: str) -> "Defaults":
        """The same defaults with some values set by whoever may set them."""
        changed = {
            name: self._entries[name].model_copy(update={"value": value, "why": why})
            for name, value in values.items()
        }
        return Defaults(self._entries | changed)

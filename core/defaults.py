"""What is assumed where nothing is stated: values with their reasons."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Literal

from core.frozen import Frozen


class Default(Frozen, frozen=True, kw_only=True):
    """One assumed value, why it is taken, and where that was read."""

    value: float
    why: str
    source: str
    confidence: Literal["A", "B", "C"] | None = None
    """A measured by its owner, B a study or computed from one, C an assumption."""
    checked: date


Uses = Mapping[str, Mapping[str, Default]]
"""What is assumed instead for a workload profile: "rag", "agent" …"""


class Defaults:
    """The defaults by name; a channel's own settings override them."""

    def __init__(
        self, entries: Mapping[str, Default], uses: Uses | None = None
    ) -> None:
        self._entries = dict(entries)
        self._uses = uses or {}

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
        uses = {
            use: {name: row for name, row in rows.items() if name not in changed}
            for use, rows in self._uses.items()
        }
        return Defaults(self._entries | changed, uses)

    def get(self, name: str) -> Default | None:
        """A default that only some profiles have; None: this one has none."""
        return self._entries.get(name)

    def of_use(self, use: str) -> Mapping[str, Default]:
        """What a profile says beyond the usual defaults."""
        return self._uses.get(use, {})

    def for_texts(self, kind: str, use: str) -> "Defaults":
        """The same defaults with the length of a kind of text, and of what is made."""
        rows = dict(self._uses.get(kind, {}))
        extracted = rows.pop("extracted_tokens", None)
        if use != "summary":
            rows.pop("output_tokens", None)
        if use == "extraction" and extracted:
            rows["output_tokens"] = extracted
        return Defaults(self._entries | rows, self._uses)

    def for_degrees(self, degrees: Iterable[str]) -> "Defaults":
        """The same defaults where words only lower or raise them: "short", "most"."""
        rows = dict(self._entries)
        for degree in degrees:
            lowers = degree.startswith(("short", "low"))
            for name, row in self._uses.get(degree, {}).items():
                usual = self._entries.get(name)
                if usual is None or (row.value < usual.value) == lowers:
                    rows[name] = row
        return Defaults(rows, self._uses)

    def for_use(self, use: str | None) -> "Defaults":
        """The same defaults with those of a named use in place of the usual ones."""
        rows = self._uses.get(use or "")
        return Defaults(self._entries | dict(rows), self._uses) if rows else self

"""What the keys of pasted commands and configurations mean, read from the tables here.

A table has `signs` (words that tell the dialect), `programs`, `kind` (the work that it
entails), `[fields]` (field = keys, the first key that is there counts) and `[switches]`
("field=value" = keys that are on or off), `[words]` (the same, by words that stand
anywhere) and `[patterns]` for output. A key with a dash in front is a short flag.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from msgspec import Struct

from core.patterns import regex
from core.reference.packaged import files
from core.reference.tables import read_table

_HUMP = regex(r"(?<=[a-z0-9])(?=[A-Z])")
_PLAIN = frozenset("input-tokens output-tokens prompt-tokens context-length".split())
"""Keys that people type as well."""
_MONEY = frozenset("budget currency period".split())
"""Fields whose keys people type: alone they make no paste."""
_FOLDER = files("bot.language.dialects")


class Dialect(Struct, frozen=True):
    """One table; keys are in the form of `normal_key`."""

    name: str
    signs: tuple[str, ...]
    programs: frozenset[str]
    kind: str | None
    fields: tuple[tuple[str, tuple[str, ...]], ...]
    switches: tuple[tuple[str, str, tuple[str, ...]], ...]
    words: tuple[tuple[str, str, tuple[str, ...]], ...]
    patterns: tuple[tuple[str, re.Pattern[str]], ...]


@lru_cache(4096)
def normal_key(key: str) -> str:
    """Return one spelling of a key: max_model_len, maxModelLen → max-model-len."""
    return _HUMP.sub("-", key).lower().replace("_", "-")


@cache
def dialects() -> tuple[Dialect, ...]:
    """Return every table; `common`, which has no signs, is the last."""
    names = sorted(
        (entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(".toml")),
        key=lambda name: (name == "common.toml", name),
    )
    return tuple(_read(name) for name in names)


@cache
def table_keys() -> frozenset[str]:
    """Every key of every table."""
    return frozenset(key for table in dialects() for key in _keys(table))


@cache
def switch_keys() -> frozenset[str]:
    """Keys that are on or off, and take no value in every table."""
    on = {key for table in dialects() for _, _, keys in table.switches for key in keys}
    return frozenset(
        on - {key for table in dialects() for _, keys in table.fields for key in keys}
    )


@cache
def engine_signs() -> tuple[str, ...]:
    """Names of what serves models: a block that bears one is no prose."""
    served = (table for table in dialects() if table.kind == "inference")
    return tuple(sign for table in served for sign in table.signs)


@cache
def specific_keys() -> frozenset[str]:
    """Keys that nobody types who does not paste: of several parts, or in a path."""
    tables = [table for table in dialects() if table.signs]
    keys = {key for table in tables for key in _keys(table)}
    return frozenset(k for k in keys if re.search(r"\w[-./]\w", k)) - _PLAIN


def _keys(table: Dialect) -> frozenset[str]:
    fields = {k for name, keys in table.fields if name not in _MONEY for k in keys}
    return frozenset(fields | {key for _, _, keys in table.switches for key in keys})


def _read(name: str) -> Dialect:
    row = read_table("bot.language.dialects", name)
    return Dialect(
        name=name.removesuffix(".toml"),
        signs=_listed(row.get("signs", "")),
        programs=frozenset(_listed(row.get("programs", ""))),
        kind=row.get("kind"),
        fields=tuple((f, _listed(keys)) for f, keys in row.get("fields", {}).items()),
        switches=_valued(row.get("switches", {})),
        words=_valued(row.get("words", {})),
        patterns=tuple(
            (field, regex(pattern, re.IGNORECASE))
            for field, pattern in row.get("patterns", {}).items()
        ),
    )


def _valued(rows: Mapping[str, str]) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Split "pricing=spot" = "a, b" into field, value and keys."""
    return tuple(
        (what.partition("=")[0], what.partition("=")[2], _listed(keys))
        for what, keys in rows.items()
    )


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


PROGRAMS = frozenset(program for table in dialects() for program in table.programs)

"""Bytes to JSON, CSV or text; what is none of these is refused by name.

A content type is never believed: a status page says `application/json` too.
"""

import csv
import gzip
import json
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from io import StringIO
from typing import Any

from core.wording import say
from prices.sources.source import PayloadError

LONGEST_CELL = 100_000
MOST_ROWS = 250_000
"""Five times the largest feed; what is more is no price list."""


def instant_of(text: str) -> datetime:
    """An ISO date or time; without a zone, UTC."""
    instant = datetime.fromisoformat(text)
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)


def check_rows(count: int) -> None:
    """Refuse what has more rows than any price list."""
    if count > MOST_ROWS:
        raise PayloadError(say("feeds.too_many_rows", most=MOST_ROWS))


def unzipped(payload: bytes) -> bytes:
    """Return what a gzipped file holds, any other as it is."""
    if not payload.startswith(b"\x1f\x8b"):
        return payload
    try:
        return gzip.decompress(payload)
    except (EOFError, OSError, zlib.error) as fault:
        raise PayloadError(f"broken gzip ({fault})") from fault


def text_of(payload: bytes) -> str:
    """Return a payload as text; HTML and bytes that are no UTF-8 are refused."""
    try:
        text = payload.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise PayloadError("not UTF-8 text") from fault
    start = text[:200].lstrip().lower()
    if start.startswith(("<!doctype", "<html", "<?xml", "<head", "<body")):
        raise PayloadError(say("feeds.web_page"))
    if not start:
        raise PayloadError("an empty payload")
    return text


def json_of(payload: bytes) -> Any:
    """Return parsed JSON; numbers that have a fraction are exact decimals."""
    return parsed(text_of(payload))


def parsed(text: str) -> Any:
    """Return the JSON of a text; numbers that have a fraction are exact decimals."""
    try:
        return json.loads(
            text,
            parse_float=Decimal,
            object_pairs_hook=_once_each,
        )
    except RecursionError as fault:
        raise PayloadError(say("feeds.json_too_deep")) from fault
    except ValueError as fault:
        raise PayloadError(say("feeds.broken_json", fault=fault)[:160]) from fault


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a key that stands twice: which of two prices would hold?"""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(say("feeds.duplicate_key"))
    return found


def member(value: Any, *path: str, kind: type = list) -> Any:
    """Return what stands at a path of keys; another shape is refused."""
    found = value
    for key in path:
        if not isinstance(found, dict) or key not in found:
            raise PayloadError(say("feeds.key_missing", key=key))
        found = found[key]
    if not isinstance(found, kind):
        what = f"“{'.'.join(path)}”" if path else "the payload"
        raise PayloadError(say("feeds.wrong_type", what=what, kind=kind.__name__))
    return found


def items_of(value: Any, key: str) -> list[Any]:
    """Return a list, bare or in the object around it."""
    found: list[Any] = value if isinstance(value, list) else member(value, key)
    return found


def records_of(payload: bytes, required: tuple[str, ...]) -> Iterator[dict[str, str]]:
    """Yield the rows of a CSV with a header that holds the required columns."""
    csv.field_size_limit(LONGEST_CELL)
    check_rows(payload.count(b"\n") - 1)
    reader = csv.DictReader(StringIO(text_of(payload)), restkey="", restval="")
    try:
        names = list(reader.fieldnames or ())
        if missing := set(required) - set(names):
            raise PayloadError(f"no column {', '.join(sorted(missing))}")
        if len(set(names)) < len(names):
            raise PayloadError(say("feeds.duplicate_column"))
        yield from reader
    except csv.Error as fault:
        raise PayloadError(f"broken CSV ({fault})") from fault

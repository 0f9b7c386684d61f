"""API prices newer than the package: fetched where the owner asks for it.

genai-prices publishes its data every few days. `GPUCOST_API_PRICES=update` polls that
file as any other feed, bounded and by its state; what arrives is checked, kept in the
database and put in the place of what the package carries. Nothing is fetched without.
"""

import json
import logging
import zlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from core.wording import say
from prices.database.connection import Engine
from prices.database.tables import prepare
from prices.sources.source import (
    MEGABYTE,
    Moment,
    PayloadError,
    Reading,
    SourceSpec,
    Wire,
)

if TYPE_CHECKING:
    from genai_prices.types import Provider

log = logging.getLogger("gpucost")

NAME = "genai-prices"
VARIABLE = "GPUCOST_API_PRICES"
UPDATE = "update"
URL = (
    "https://raw.githubusercontent.com/pydantic/genai-prices/refs/heads/main/"
    "prices/new_data/v2/data.json"
)
LEAST_OF_PACKAGE = 0.5
"""A file with fewer models than this share of the package's is cut, not news."""

SCRIPTS = {
    "m001_api_data": """
        CREATE TABLE api_data (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            fetched_at INTEGER NOT NULL,
            body BLOB NOT NULL
        ) STRICT;
    """
}


def wanted(settings_env: Mapping[str, str]) -> bool:
    """Whether the owner asked for updates."""
    return settings_env.get(VARIABLE, "").strip().lower() == UPDATE


def keep(engine: Engine, payload: bytes, now: datetime) -> str:
    """Check what was fetched, keep it, let it count from now on, and say what it is."""
    found = _providers_of(payload)
    body = zlib.compress(payload)
    prepare(engine, "api_prices", SCRIPTS)
    with engine.writing() as connection:
        connection.execute(
            """
            INSERT INTO api_data VALUES (1, ?, ?) ON CONFLICT (id) DO UPDATE SET
                fetched_at = excluded.fetched_at, body = excluded.body
            """,
            (int(now.timestamp()), body),
        )
    _use(found, now)
    return say("feeds.api_models", models=_models(found), providers=len(found))


def adopt(engine: Engine) -> datetime | None:
    """Let what was kept count in this process; return when it was fetched."""
    prepare(engine, "api_prices", SCRIPTS)
    with engine.reading() as connection:
        row = connection.execute("SELECT fetched_at, body FROM api_data").fetchone()
    if row is None:
        return None
    try:
        found = _providers_of(zlib.decompress(row[1]))
    except PayloadError as fault:
        # Another version of the package kept it: the next poll brings it anew.
        log.warning("kept API prices are passed over: %s", fault)
        return None
    fetched_at = datetime.fromtimestamp(row[0], UTC)
    _use(found, fetched_at)
    return fetched_at


def _providers_of(payload: bytes) -> list["Provider"]:
    """Read the published file by the package's own rules."""
    from genai_prices.data import providers
    from genai_prices.types import _providers_from_raw
    from pydantic import ValidationError

    try:
        raw = json.loads(payload)
    except ValueError as fault:
        raise PayloadError(f"not JSON ({fault})") from fault
    if not isinstance(raw, list):
        raise PayloadError(say("feeds.api_not_a_list"))
    try:
        found = _providers_from_raw(raw)
    except (ValidationError, ValueError, TypeError, KeyError) as fault:
        raise PayloadError(say("feeds.api_shape", fault=fault)) from fault
    if _models(found) < LEAST_OF_PACKAGE * _models(providers):
        raise PayloadError(
            say("feeds.fewer_models", models=_models(found), before=_models(providers))
        )
    return found


def _models(providers: Iterable["Provider"]) -> int:
    return sum(len(provider.models) for provider in providers)


def _use(providers: list["Provider"], fetched_at: datetime) -> None:
    from genai_prices.data_snapshot import DataSnapshot, set_custom_snapshot

    set_custom_snapshot(
        DataSnapshot(providers, from_auto_update=True, timestamp=fetched_at)
    )


def _fetch(wire: Wire) -> Iterable[bytes]:
    yield wire.get(URL)


def _no_prices(_payload: bytes, _moment: Moment) -> Reading:
    return Reading(complete=False)


SOURCE = SourceSpec(
    name=NAME,
    fetch=_fetch,
    read=_no_prices,
    keep=keep,
    hosts=frozenset({"raw.githubusercontent.com"}),
    attribution="API prices of https://github.com/pydantic/genai-prices, MIT",
    every=timedelta(days=1),
    limit_bytes=24 * MEGABYTE,
)
"""How the file travels; `keep` reads it."""

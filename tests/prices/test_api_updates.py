"""Newer API prices: asked for, fetched as any feed, checked, kept, dated."""

import json
import time
import zlib
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from genai_prices.data import providers
from genai_prices.data_snapshot import set_custom_snapshot
from msgspec.structs import replace

from bot.config.settings import Settings
from bot.run.composition import compose
from core.money.api import ApiPrice
from prices.guard.quarantine import Quarantine
from prices.history.store import Store
from prices.refresh.run import due, refresh
from prices.sources import api_updates
from prices.sources.api_prices import api_price_named, edition
from prices.sources.feeds import KEYLESS, all_sources
from prices.sources.fetch import Fetcher
from tests.prices.fault_server import (
    Behaviour,
    Loopback,
    answers,
    fault_server,
    hangs,
    knows_its_state,
)
from tests.prices.feeds import NOW

DAY = timedelta(days=1)
HOST = "raw.githubusercontent.com"


@pytest.fixture(autouse=True)
def packaged() -> Iterator[None]:
    """Leave every test, and the next one, with the package's own data."""
    set_custom_snapshot(None)
    yield
    set_custom_snapshot(None)


def published(models: int, output: float = 12.5) -> bytes:
    """Write a file of the published shape: so many models, one of a known name."""
    names = ["gpt-4o", *(f"model-{number}" for number in range(1, models))]
    maker: dict[str, Any] = {
        "id": "openai",
        "name": "OpenAI",
        "api_pattern": "https://api\\.openai\\.com",
        "models": [
            {
                "id": name,
                "match": {"equals": name},
                "prices": {"input_mtok": 3.5, "output_mtok": output},
            }
            for name in names
        ],
    }
    return json.dumps([maker]).encode()


ENOUGH = sum(len(provider.models) for provider in providers)


def polled(store: Store, behave: Behaviour, days: int = 0) -> tuple[bool, str, str]:
    """Poll the file from a server that behaves so; return how it ended."""
    spec = replace(api_updates.SOURCE, deadline_s=2.0)
    with fault_server(**{HOST: behave}) as server:
        fetcher = Fetcher(Loopback(server.port), pause=lambda _s: time.sleep(0.01))
        (result,) = refresh(store, NOW + days * DAY, [spec], fetcher)
    return result.ok, result.error, result.note


def gpt() -> ApiPrice:
    """Return the price of a model that both sets of data name."""
    price = api_price_named("gpt-4o", NOW)
    assert price is not None
    return price


def test_nothing_is_fetched_unasked() -> None:
    """The file is a feed only where the owner says so."""
    assert KEYLESS == all_sources({})
    assert [api_updates.SOURCE] == [
        spec
        for spec in all_sources({"GPUCOST_API_PRICES": "update"})
        if spec not in KEYLESS
    ]


def test_what_is_fetched_counts_and_is_dated(store: Store) -> None:
    """From then on prices come from it, with its day; another process finds it."""
    before = gpt()
    assert (True, "", f"{ENOUGH:,} API models of 1 providers") == polled(
        store, answers(published(ENOUGH))
    )

    after = gpt()
    assert Decimal("12.5") == after.live.output_usd_per_million
    assert before.live != after.live
    assert (f"{NOW:%Y-%m-%d}", True) == (after.as_of, "published" in after.source)

    set_custom_snapshot(None)  # as a new process begins
    assert before == gpt()
    assert NOW == api_updates.adopt(store.engine)
    assert after == gpt()


def test_it_is_polled_once_a_day(store: Store) -> None:
    """Its success counts as any feed's."""
    polled(store, answers(published(ENOUGH)))
    spec = api_updates.SOURCE

    assert [] == due(store, [spec], NOW + DAY / 2)
    assert [spec] == due(store, [spec], NOW + DAY)
    assert "genai-prices" in {status.name for status in store.sources()}


def test_a_state_that_still_holds_is_as_good(store: Store) -> None:
    """A 304 renews the day of what is kept."""
    behave = knows_its_state(published(ENOUGH), '"one"')

    assert polled(store, behave)[0]
    assert polled(store, behave, days=1)[0]
    assert NOW + DAY == edition()


@pytest.mark.parametrize(
    ("behave", "reason"),
    [
        (answers(b"<html>soon</html>"), "not JSON"),
        (answers(b'{"a": 1}'), "no list of providers"),
        (answers(b'[{"id": "openai"}]'), "another shape"),
        (answers(published(ENOUGH // 3)), f"models, {ENOUGH} before"),
        (answers(published(ENOUGH)[:-90]), "not JSON"),
        (hangs, "no answer within 2 s"),
    ],
)
def test_what_cannot_be_believed_changes_nothing(
    store: Store, behave: Behaviour, reason: str
) -> None:
    """A broken or shrunken file, or none, leaves the package's own prices."""
    before = gpt()
    ok, error, _ = polled(store, behave)

    assert (False, True) == (ok, reason in error)
    assert before == gpt()
    assert api_updates.adopt(store.engine) is None
    assert (reason != "no answer within 2 s") == bool(
        Quarantine(store.engine).entries()
    )


def test_the_program_takes_up_what_is_kept(tmp_path: Path) -> None:
    """At its start, and only where updates are asked for."""
    settings = Settings(home=tmp_path, api_prices="update")
    compose(settings)
    api_updates.keep(settings.database, published(ENOUGH), NOW)
    set_custom_snapshot(None)

    compose(Settings(home=tmp_path))
    assert edition() is None
    compose(settings)
    assert NOW == edition()


def test_what_another_version_kept_is_passed_over(store: Store) -> None:
    """Data that this version of the package cannot read leaves the package's own."""
    api_updates.keep(store.engine, published(ENOUGH), NOW)
    set_custom_snapshot(None)
    with store.engine.writing() as connection:
        connection.execute("UPDATE api_data SET body = ?", (zlib.compress(b"[1]"),))

    assert api_updates.adopt(store.engine) is None
    assert edition() is None

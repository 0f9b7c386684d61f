"""One file of what a publisher polled, and a refresh in a process of its own."""

import gzip
import json
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from prices.history.poll import Poll
from prices.history.store import Store
from prices.refresh.run import refresh
from prices.refresh.worker import Outcome, refresh_apart
from prices.snapshot.published import NAME, publish, published, source
from prices.sources.feeds import all_sources
from prices.sources.fetch import Fetcher
from prices.sources.source import PayloadError
from tests.engines import engine_of
from tests.prices.conftest import make_point
from tests.prices.fault_server import fault_server, knows_its_state
from tests.prices.feeds import NOW

HOUR = timedelta(hours=1)


@pytest.fixture
def publisher(tmp_path: Path) -> Store:
    """Give a store that polled two sources, one of them the owner's own."""
    store = Store.open(engine_of(tmp_path / "publisher.db"))
    seen = {"observed_at": NOW - HOUR, "stock": "out", "min_gpus": 2}
    for name in ("feed", "own list"):
        told = make_point("2.00", source=name, **seen)
        store.record(Poll(name, NOW - HOUR, [told], attribution=f"by {name}"))
    return store


def test_a_catalogue_is_taken_as_polls_of_its_sources(
    publisher: Store, tmp_path: Path
) -> None:
    """Offers, ages, facts and terms arrive; by its ETag it is fetched once."""
    body = publish(publisher, tmp_path / "out", NOW, {"own list"}).read_bytes()
    store = Store.open(engine_of(tmp_path / "taker.db"))
    behaviours = {"127.0.0.1": knows_its_state(body, '"one"')}
    with fault_server(**behaviours) as server:
        spec = source(f"http://127.0.0.1:{server.port}/catalogue.json.gz")
        fetcher = Fetcher()
        for hours in range(2):
            (result,) = refresh(store, NOW + hours * HOUR, [spec], fetcher)
            assert result.ok, result.error

    (offer,) = store.catalog(NOW).offers
    assert (offer.source, offer.stock, offer.min_gpus) == ("feed", "out", 2)
    assert offer.observed_at == NOW - HOUR
    assert {"feed", NAME} <= {status.name for status in store.sources()}
    assert "by feed" in {status.attribution for status in store.sources()}
    assert "nothing newer" in result.note


def test_a_catalogue_that_was_changed_is_refused(
    publisher: Store, tmp_path: Path
) -> None:
    """A price that somebody altered on the way does not match the checksum."""
    file = publish(publisher, tmp_path / "out", NOW, set())
    text = gzip.decompress(file.read_bytes()).decode()

    assert len(published(file.read_bytes())) == 2
    for altered in (text.replace("2000000", "1000000"), text[:-40], "[]"):
        with pytest.raises(PayloadError):
            published(altered.encode())


def test_one_file_stands_for_every_feed_without_a_key() -> None:
    """Who names a catalogue polls it, what has a key, and files of their own."""
    wanted = {"GPUCOST_CATALOGUE": "https://example.com/c.json.gz"}

    assert [NAME] == [spec.name for spec in all_sources(wanted)]
    keyed = all_sources(wanted | {"LAMBDA_API_KEY": "k"})
    assert {"lambda", NAME} == {spec.name for spec in keyed}


def test_a_feed_too_long_ends_in_an_error_apart_from_the_bot(tmp_path: Path) -> None:
    """Its rows are unfolded elsewhere: the process that asked hears one line."""
    long, short = tmp_path / "long.json", tmp_path / "short.json"
    row = {"provider": "lambda", "gpu": "h100", "price": 2}
    long.write_text("[" + "1," * 1_700_000 + "1]")
    short.write_text(json.dumps([row]))
    environment = {
        "GPUCOST_PRICE_FILES": f"{long} {short}",
        "GPUCOST_FEEDS": "own long,own short",
    }
    heard: list[Outcome] = []

    refresh_apart(tmp_path / "home", environment, heard.append)

    said = {outcome.name: outcome for outcome in heard}
    assert not said["own long"].ok
    assert "rows" in said["own long"].error or "memory" in said["own long"].error
    assert (True, 1) == (said["own short"].ok, said["own short"].offers)


def test_offline_an_answer_says_how_old_prices_are(tmp_path: Path) -> None:
    """Nothing hangs, the answer is there, and one line says how to refresh."""
    environment = os.environ | {
        "GPUCOST_HOME": str(tmp_path),
        "GPUCOST_CATALOGUE": "http://127.0.0.1:9/catalogue.json.gz",
        "GPUCOST_FEEDS": "all",
    }
    code = "from bot.commands.cli import main; raise SystemExit(main(['price h100']))"

    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (0, True) == (done.returncode, "H100" in done.stdout)
    (line,) = done.stderr.splitlines()
    assert "gpucost prices refresh" in line

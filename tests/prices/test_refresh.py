"""A refresh: every feed at once over real HTTP, and none at another's mercy."""

import io
import json
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from msgspec.structs import replace

from prices.database.connection import StoreError
from prices.guard.quarantine import Quarantine
from prices.history.store import Store
from prices.refresh.run import due, refresh, refresh_due
from prices.sources import gpuhunt, prime_intellect
from prices.sources.feeds import KEYED, KEYLESS, all_sources, unknown_names
from prices.sources.fetch import Fetcher
from prices.sources.rates import NAME as RATES
from prices.sources.rates import SPEC, RateBook
from prices.sources.source import Moment, Reading, SourceSpec
from tests.engines import engine_of
from tests.prices.conftest import make_point
from tests.prices.fault_server import (
    Behaviour,
    FaultServer,
    Loopback,
    Visit,
    answers,
    bomb,
    breaks_off,
    drips,
    endless,
    fault_server,
    hangs,
    knows_its_state,
    moves,
    resets,
    status,
)
from tests.prices.feeds import NOW, SOURCES, feed, offline, reading_of, recorded

HOUR = timedelta(hours=1)
HTML = b"<html><body>We will be back soon</body></html>"


def with_key(name: str, body: bytes) -> Behaviour:
    """Answer whoever shows the key."""

    def behave(visit: Visit) -> None:
        if "a key" in visit.headers.get(name, ""):
            visit.answer(body)
        else:
            visit.answer(b"", "401 Unauthorized")

    return behave


def azure(visit: Visit) -> None:
    """Answer Azure's filter by machine, one item a page."""
    query = parse_qs(urlsplit(visit.path).query)
    wanted = unquote(query["$filter"][0]).rpartition("armSkuName eq '")[2].rstrip("'")
    skip = int(query.get("$skip", ["0"])[0])
    page = json.loads(recorded("azure-retail.json"))
    items = [item for item in page["Items"] if item["armSkuName"] == wanted]
    page["Items"] = items[skip : skip + 6]
    if skip + 6 < len(items):
        page["NextPageLink"] = f"https://{visit.host}{visit.path}&$skip={skip + 6}"
    visit.answer(json.dumps(page).encode())


def github(visit: Visit) -> None:
    """Answer for raw files, which know their state."""
    name = {
        "pricing.yml": "gcp-machine-types.yml",
        "latest.json": "gpurentalprices.json",
        "vms.csv": "skypilot.csv",
    }[visit.path.rpartition("/")[2]]
    body = recorded(name)
    if name == "skypilot.csv":
        body = body.partition(b"\n")[2]  # the cloud's name is not in the file
    knows_its_state(body, f'"{name}"')(visit)


WORLD: dict[str, Behaviour] = {
    "api.runpod.io": answers(recorded("runpod.json")),
    "api.datacrunch.io": answers(recorded("verda.json")),
    "apexapps.oracle.com": answers(recorded("oci-list.json")),
    "prices.azure.com": azure,
    "raw.githubusercontent.com": github,
    "b0.p.awsstatic.com": answers(recorded("aws.json")),
    "website.spot.ec2.aws.a2z.com": answers(recorded("aws-spot.json")),
    "console.vast.ai": answers(recorded("vast.json")),
    "lium.io": answers(recorded("lium.json")),
    "cloud.lambda.ai": with_key("authorization", recorded("lambda.json")),
    "api.shadeform.ai": with_key("x-api-key", recorded("shadeform.json")),
    "api.primeintellect.ai": with_key("authorization", recorded("primeintellect.json")),
    "dashboard.tensordock.com": with_key("authorization", recorded("tensordock.json")),
    "api.digitalocean.com": with_key("authorization", recorded("digitalocean.json")),
    "infrahub-api.nexgencloud.com": with_key("api_key", recorded("hyperstack.json")),
    "api.frankfurter.dev": answers(recorded("exchange-rates.json")),
}
"""What the feeds' hosts answer on a good day."""


def everything(deadline_s: float = 20.0) -> list[SourceSpec]:
    """Return every feed, with keys; gpuhunt's process brings its recorded lines."""
    keys = dict.fromkeys(KEYED, "a key") | {"GPUCOST_SKYPILOT": "1"}
    specs = [replace(spec, deadline_s=deadline_s) for spec in all_sources(keys)]
    lines = partial(lambda payload, _wire: [payload], recorded("gpuhunt.jsonl"))
    return [
        replace(spec, fetch=lines) if spec.name == "gpuhunt" else spec for spec in specs
    ]


@contextmanager
def world(**changed: Behaviour) -> Iterator[tuple[FaultServer, Fetcher]]:
    """Serve every feed, some of them otherwise."""
    with fault_server(**(WORLD | changed)) as server:
        yield server, Fetcher(Loopback(server.port), pause=lambda _s: time.sleep(0.01))


def standing(store: Store) -> dict[tuple[object, ...], int]:
    """Return every offer that stands, with its price."""
    offers = store.catalog(NOW, superseded=True).offers
    return {offer.key: offer.micro_usd_per_gpu_hour for offer in offers}


def test_every_feed_arrives_over_http(store: Store) -> None:
    """Requests, keys, pages and payloads fit together: every feed is stored."""
    told: list[str] = []
    with world() as (server, fetcher):
        specs = everything()
        results = refresh(store, NOW, specs, fetcher, lambda r: told.append(r.name))

    assert [] == [result for result in results if not result.ok]
    assert [spec.name for spec in specs] == [result.name for result in results]
    assert sorted(told) == sorted(result.name for result in results)
    offers = {result.name: result.offers for result in results}
    # as many as a payload holds: nothing of Azure's pages is lost
    for name in ("azure-retail.json", "runpod.json", "gcp-machine-types.yml"):
        source = name.partition(".")[0]
        assert len(reading_of(name).points) == offers[source]
    assert sum(offers.values()) == len(standing(store))
    assert {visit.host for visit in server.visits} == set(WORLD)


def test_a_second_poll_confirms(store: Store) -> None:
    """The same payloads again change nothing but the age; kept bodies stand for 304."""
    with world() as (server, fetcher):
        refresh(store, NOW - HOUR, everything(), fetcher)
        before = standing(store)
        results = refresh(store, NOW, everything(), fetcher)

    assert before == standing(store)
    for result in results:
        if result.changes is not None:
            assert ((), (), ()) == (
                result.changes.listed,
                result.changes.changed,
                result.changes.delisted,
            )
    asked = [v for v in server.visits if v.host == "raw.githubusercontent.com"]
    assert [bool(v.headers.get("if-none-match")) for v in asked].count(True) * 2 == len(
        asked
    )


BAD_DAYS: dict[str, Behaviour] = {
    "hangs": hangs,
    "drips": drips(recorded("runpod.json"), 0.05),
    "resets": resets,
    "breaks off": breaks_off(recorded("runpod.json")),
    "429": status(429),
    "500": status(500),
    "304": status(304),
    "bomb": bomb,
    "endless": endless,
    "redirects away": moves("https://evil.example/graphql"),
    "html": answers(HTML, Content_Type="application/json"),
    "cut off": answers(recorded("runpod.json")[:900]),
    "empty": answers(b""),
}


@pytest.mark.parametrize("day", BAD_DAYS)
def test_one_bad_feed_costs_the_others_nothing(store: Store, day: str) -> None:
    """All others are polled, within its deadline, and its own offers stand and age."""
    specs = [
        replace(SOURCES[name], deadline_s=1.2)
        for name in ("runpod.json", "verda.json", "oci-list.json", "lium.json")
    ]
    with world() as (_, fetcher):
        refresh(store, NOW - HOUR, specs, fetcher)
    before = standing(store)
    started = time.monotonic()
    with world(**{"api.runpod.io": BAD_DAYS[day]}) as (_, fetcher):
        results = refresh(store, NOW, specs, fetcher)

    assert time.monotonic() - started < 1.2 + 1.0
    assert [False, True, True, True] == [result.ok for result in results]
    assert results[0].error
    assert before == standing(store)
    ages = {offer.source: offer.observed_at for offer in store.catalog(NOW).offers}
    assert {"runpod": NOW - HOUR, "verda": NOW} == {
        name: ages[name] for name in ("runpod", "verda")
    }
    (status_of,) = [s for s in store.sources() if s.name == "runpod"]
    assert (results[0].error, NOW) == (status_of.error, status_of.last_failure)


def test_all_feeds_down_is_no_disaster(store: Store) -> None:
    """Without a network every feed says why, at once, and the catalogue stands."""
    with world() as (_, fetcher):
        refresh(store, NOW - HOUR, everything(), fetcher)
    before = standing(store)
    specs = [spec for spec in everything() if spec.name != "gpuhunt"]

    started = time.monotonic()
    results = refresh(store, NOW, specs, offline())

    assert time.monotonic() - started < 3
    assert not any(result.ok for result in results)
    assert all("cannot be resolved" in result.error for result in results)
    assert before == standing(store)


def test_a_feed_that_never_returns_is_left_behind(store: Store) -> None:
    """Even a fetch that heeds no deadline holds nobody up."""
    stuck = replace(
        feed("runpod.json"), fetch=lambda _wire: time.sleep(20), deadline_s=0.3
    )

    started = time.monotonic()
    late, fine = refresh(store, NOW, [stuck, feed("verda.json")], offline())

    assert time.monotonic() - started < 4
    assert (False, "no answer within 0.3 s", True) == (late.ok, late.error, fine.ok)


def test_a_reader_that_breaks_harms_nobody(store: Store) -> None:
    """An error that nobody foresaw is that feed's, with its name."""

    def broken(_payload: bytes, _moment: Moment) -> Reading:
        raise ZeroDivisionError("of all things")

    bad = replace(feed("runpod.json"), read=broken)
    failed, fine = refresh(store, NOW, [bad, feed("verda.json")], offline())

    said = "another shape (ZeroDivisionError: of all things)"
    assert (said, True) == (failed.error, fine.ok)


def test_a_market_that_says_nothing_is_not_sold_out(store: Store) -> None:
    """An empty list from a replica that lags delists nothing."""
    spec = replace(prime_intellect.source("a key"), deadline_s=5)
    with world() as (_, fetcher):
        refresh(store, NOW - HOUR, [spec], fetcher)
    before = standing(store)
    empty = answers(b'{"items": [], "totalCount": 0}')
    with world(**{"api.primeintellect.ai": empty}) as (_, fetcher):
        (result,) = refresh(store, NOW, [spec], fetcher)

    assert (False, "no offers") == (result.ok, result.error)
    assert before == standing(store)


def test_a_poll_that_was_made_already_is_no_error(store: Store) -> None:
    """Two processes may refresh in the same second."""
    refresh(store, NOW, [feed("verda.json")], offline())
    (result,) = refresh(store, NOW, [feed("verda.json")], offline())

    assert (True, None, "polled already") == (result.ok, result.changes, result.note)


def test_a_store_that_cannot_be_written_is_told_at_once(store: Store) -> None:
    """Nothing is fetched for a store that takes nothing."""
    readonly = Store.open(store.engine, readonly=True)

    with pytest.raises(StoreError):
        refresh(readonly, NOW, [feed("verda.json")], offline())


def test_feeds_are_due_by_their_interval(store: Store) -> None:
    """A success counts for the whole interval, a failure for a quarter of it."""
    good, bad = feed("verda.json"), feed("runpod.json", b"")
    refresh(store, NOW, [good, bad], offline())

    def names(minutes: int) -> Sequence[str]:
        specs = due(store, [good, bad], NOW + timedelta(minutes=minutes))
        return [spec.name for spec in specs]

    assert ([], ["runpod"], ["verda", "runpod"]) == (names(14), names(15), names(60))
    fresh = Store.open(engine_of(store.engine.home / "new.db"))
    assert [good] == due(fresh, [good], NOW)


@pytest.mark.parametrize(
    ("said", "polled"),
    [
        ("", len(KEYLESS) + 1),
        ("all", len(KEYLESS) + 1),
        ("off", 0),
        ("verda, RunPod", 2),
        ("own list,verda", 2),
        ("nobody", 0),
    ],
)
def test_feeds_may_be_left_out_or_switched_off(said: str, polled: int) -> None:
    """`GPUCOST_FEEDS` leaves those that it names; what it names wrongly is told."""
    environment = {"GPUCOST_FEEDS": said, "GPUCOST_PRICE_FILES": "/a/list.csv"}

    assert polled == len(all_sources(environment))
    assert (["nobody"] if said == "nobody" else []) == unknown_names(environment)


def test_the_clock_polls_what_is_due_and_reports_it(
    store: Store, tmp_path: Path
) -> None:
    """One call a few minutes apart: each feed by its interval, failures sooner."""
    fine = tmp_path / "fine.csv"
    fine.write_bytes(recorded("own.csv"))
    environment = {
        "GPUCOST_FEEDS": "own fine,own gone",
        "GPUCOST_PRICE_FILES": f"{fine} {tmp_path / 'gone.csv'}",
    }

    def polled(minutes: int) -> dict[str, bool]:
        at = NOW + timedelta(minutes=minutes)
        report = refresh_due(environment, store, at, offline())
        assert at == report.at
        assert [r.name for r in report.results if not r.ok] == [
            result.name for result in report.failed
        ]
        return {result.name: result.ok for result in report.results}

    assert {"own fine": True, "own gone": False} == polled(0)
    assert {} == polled(5)
    assert {"own gone": False} == polled(15)
    assert {"own fine": True, "own gone": False} == polled(60)
    assert () == refresh_due({"GPUCOST_FEEDS": "off"}, store, NOW + 9 * HOUR).results


# ---- exchange rates ----


def in_euros(at_noon: str) -> SourceSpec:
    """Return a feed of one price in euros, converted by the rates of the moment."""

    def read(_payload: bytes, moment: Moment) -> Reading:
        (rate,) = [rate for rate in moment.rates if rate.currency == "EUR"]
        micro = round(rate.to_usd(Decimal(at_noon)) * 1_000_000)
        point = make_point(
            at_noon,
            currency="EUR",
            micro_usd_per_gpu_hour=micro,
            observed_at=moment.at,
        )
        return Reading(points=[point])

    return SourceSpec(name="feed", fetch=lambda _wire: [b"x"], read=read, foreign=True)


def rates(euro: str, day: str) -> Behaviour:
    """Answer with the ECB's rates of a day."""
    body = {"amount": 1.0, "base": "USD", "date": day, "rates": {"EUR": float(euro)}}
    return answers(json.dumps(body).encode())


def test_a_days_rate_holds_all_day(store: Store) -> None:
    """The dollar moves between two polls of a day, the price does not."""
    first, second = rates("0.86", "2026-11-20"), rates("0.90", "2026-11-20")
    with world(**{"api.frankfurter.dev": first}) as (_, fetcher):
        refresh(store, NOW - HOUR, [in_euros("2.00")], fetcher)
    with world(**{"api.frankfurter.dev": second}) as (server, fetcher):
        (result,) = refresh(store, NOW, [in_euros("2.00")], fetcher)

    assert [] == server.visits
    assert result.changes is not None
    assert ((), 1) == (result.changes.changed, result.changes.same)


def test_only_prices_in_other_currencies_wait_for_the_rates(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the rates hang, feeds in dollars are long done, the others use the last."""
    impatient = replace(SPEC, deadline_s=0.5)
    monkeypatch.setattr("prices.refresh.intake.RATES_SPEC", impatient)
    told: list[str] = []
    specs = [in_euros("2.00"), feed("lium.json")]
    with world(**{"api.frankfurter.dev": hangs}) as (_, fetcher):
        results = refresh(store, NOW, specs, fetcher, lambda r: told.append(r.name))

    assert ["lium", "feed"] == told
    assert [True, True] == [result.ok for result in results]


def test_another_days_rate_revalues_and_changes_nothing(store: Store) -> None:
    """A price that is the same in euros is no price change on any day."""
    day = timedelta(days=1)
    with world(**{"api.frankfurter.dev": rates("0.86", "2026-11-20")}) as (_, fetcher):
        refresh(store, NOW, [in_euros("2.00")], fetcher)
    with world(**{"api.frankfurter.dev": rates("0.90", "2026-11-22")}) as (_, fetcher):
        (result,) = refresh(store, NOW + day, [in_euros("2.00")], fetcher)

    assert result.changes is not None
    assert ((), 1) == (result.changes.changed, len(result.changes.revalued))


@pytest.mark.parametrize(
    "answer",
    [
        rates("8.6", "2026-11-20"),  # ten times what it was
        rates("0.86", "2027-01-01"),  # of the future
        answers(HTML),
        answers(b'{"base": "EUR", "amount": 1, "date": "2026-11-20", "rates": {}}'),
        status(500),
    ],
)
def test_rates_that_cannot_be_believed_are_not_used(
    store: Store, answer: Behaviour
) -> None:
    """The last known rates hold, with their date, and the failure is on record."""
    before = RateBook(store.engine).pinned(NOW.date())
    with world(**{"api.frankfurter.dev": answer}) as (_, fetcher):
        (result,) = refresh(store, NOW, [in_euros("2.00")], fetcher)

    assert result.ok
    assert before == RateBook(store.engine).pinned(NOW.date())
    (status_of,) = [s for s in store.sources() if s.name == RATES]
    assert status_of.error


# ---- gpuhunt, in a process of its own ----


def catalogue(visit: Visit) -> None:
    """Answer as gpuhunt's store does, for AWS alone."""
    _, provider, *_ = visit.path.split("/")
    if provider != "aws":
        visit.answer(b"", "404 Not Found")
    elif visit.path.endswith("version"):
        visit.answer(b"20261120-7312")
    else:
        head = "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,"
        csv = (
            f"{head}spot,disk_size,gpu_vendor,flags,cpu_arch,provider_data\n"
            "p5.48xlarge,us-east-1,55.04,192,2048,8,H100,80.0,False,,nvidia,,x86,{}\n"
            "m5.large,us-east-1,0.096,2,8,0,,,False,,,,x86,{}\n"
        )
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("aws.csv", csv)
        visit.answer(packed.getvalue())


def test_gpuhunt_is_read_in_a_process_of_its_own(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library loads what is published, and says what it could not load."""
    some = partial(gpuhunt.fetch, providers=("aws", "oci"))
    spec = replace(gpuhunt.SOURCE, fetch=some, deadline_s=30)
    with fault_server(any=catalogue) as server:
        monkeypatch.setenv("GPUHUNT_CATALOG_URL", f"http://127.0.0.1:{server.port}")
        (result,) = refresh(store, NOW, [spec], offline())

    assert (True, 1, "not loaded: oci") == (result.ok, result.offers, result.note)
    (offer,) = store.catalog(NOW).offers
    assert ("h100-80gb-sxm", 6_880_000) == (offer.gpu, offer.micro_usd_per_gpu_hour)
    assert "2026-11-20" == offer.observed_at.date().isoformat()


def test_gpuhunt_ends_with_its_deadline(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A download that hangs is ended with its process; others are long done."""
    spec = replace(gpuhunt.SOURCE, deadline_s=2)
    with fault_server(any=hangs) as server:
        monkeypatch.setenv("GPUHUNT_CATALOG_URL", f"http://127.0.0.1:{server.port}")
        some = replace(spec, fetch=partial(gpuhunt.fetch, providers=("aws",)))
        started = time.monotonic()
        late, fine = refresh(store, NOW, [some, feed("verda.json")], offline())

    assert time.monotonic() - started < 5
    assert (False, True) == (late.ok, fine.ok)
    assert fine.seconds < 1.5


# ---- whole or not at all ----

REFRESH = """
import sys
from datetime import datetime
from pathlib import Path
from prices.refresh.run import refresh
from prices.history.store import Store
from tests.engines import engine_of
from tests.prices.feeds import SOURCES, feed, offline

def tell(result):
    print(result.name, flush=True)

store = Store.open(engine_of(sys.argv[1]))
specs = [feed(name) for name in SOURCES if name != "own.csv"]
print("go", flush=True)
refresh(store, datetime.fromisoformat(sys.argv[2]), specs, offline(), tell)
"""
KILLS = int(os.environ.get("GPUCOST_KILLS", "5"))
"""The full hundred is `GPUCOST_KILLS=100`, about a minute."""
FEEDS = [name for name in SOURCES if name != "own.csv"]


def killed(path: Path, after: int, more_s: float) -> None:
    """Refresh every feed in another process; kill it after so many, and a moment."""
    with subprocess.Popen(
        [sys.executable, "-c", REFRESH, str(path), NOW.isoformat()],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        for _ in range(after + 1):
            process.stdout.readline()
        time.sleep(more_s)
        process.kill()


@pytest.mark.timeout(60 + 10 * KILLS)
def test_a_killed_refresh_leaves_a_whole_database(tmp_path: Path) -> None:
    """After kill -9 at any point each feed's poll is in as a whole, or not at all."""
    whole = Store.open(engine_of(tmp_path / "whole.db"))
    refresh(whole, NOW, [feed(name) for name in FEEDS], offline())
    expected = by_source(whole)

    seen = set()
    for kill in range(KILLS):
        path = tmp_path / f"killed-{kill}.db"
        killed(path, kill * len(FEEDS) // KILLS, 0.0007 * (kill * 7 % 10))
        store = Store.open(engine_of(path))
        assert () == store.health().damage
        found = by_source(store)
        assert found.items() <= expected.items()
        successes = {s.name for s in store.sources() if s.last_success and s.offers}
        assert set(found) == successes
        Quarantine(engine_of(path)).entries()
        seen.add(len(found))
        refresh(store, NOW + HOUR, [feed("verda.json")], offline())
        assert "verda" in by_source(store)
    assert len(seen) > KILLS // 2 or len(seen) > len(FEEDS) // 2


def by_source(store: Store) -> dict[str, frozenset[object]]:
    """Return what stands, by source."""
    found: dict[str, set[object]] = {}
    for key, micro in standing(store).items():
        found.setdefault(str(key[0]), set()).add((key, micro))
    return {name: frozenset(offers) for name, offers in found.items()}


# ---- fast and small ----

MEASURED = """
import sys, time
from datetime import datetime
from pathlib import Path
from prices.refresh.run import refresh
from prices.history.store import Store
from tests.engines import engine_of
from tests.prices.feeds import SOURCES, feed, offline

store = Store.open(engine_of(sys.argv[1]))
specs = [feed(name) for name in SOURCES]
started = time.process_time()
results = refresh(store, datetime.fromisoformat(sys.argv[2]), specs, offline())
# what it takes of a processor: the machine may have other things to do
seconds = time.process_time() - started
# Not getrusage: its peak is inherited from whoever started this program.
status = Path("/proc/self/status").read_text()
kilobytes = int(status.split("VmHWM:")[1].split()[0])
print(seconds, kilobytes / 1000, sum(result.ok for result in results))
"""


def test_a_refresh_is_fast_and_small(tmp_path: Path) -> None:
    """All recorded feeds are in within 5 s, in at most 250 MB."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(tmp_path / "a.db"), NOW.isoformat()],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=True,
        text=True,
    )
    seconds, megabytes, good = map(float, done.stdout.split())

    assert seconds <= 5
    assert megabytes <= 250
    assert len(SOURCES) == good

"""Random polls against a model that keeps every row it was ever given."""

import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.offers import Offer, PricePoint
from prices.database.connection import Engine
from prices.history.poll import Poll
from prices.history.series import Wanted, cheapest_over_time
from prices.history.store import Store
from tests.engines import copied, engine_of

MakePoint = Callable[..., PricePoint]
State = dict[tuple[str, str], int]
START = datetime(2026, 1, 1, tzinfo=UTC)
GPUS = ["h100-80gb-sxm", "a10", "l4"]

rows = st.dictionaries(
    st.tuples(st.sampled_from(["lambda", "runpod"]), st.sampled_from(GPUS)),
    st.integers(1, 4),
)
polls = st.lists(
    st.tuples(st.sampled_from(["one", "two"]), rows, st.booleans()),
    min_size=1,
    max_size=8,
)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """Give an empty store to copy, which is faster than making one."""
    return Store.open(engine_of(tmp_path_factory.mktemp("empty") / "a.db")).engine


def told(point: MakePoint, source: str, found: State, at: datetime) -> list[PricePoint]:
    """Make the points of one poll."""
    return [
        point(str(price), provider=provider, gpu=gpu, source=source, observed_at=at)
        for (provider, gpu), price in found.items()
    ]


def state_of(offers: tuple[Offer, ...], source: str) -> State:
    """Return one source's offers as the model keeps them."""
    return {
        (offer.provider, offer.gpu): int(offer.usd_per_gpu_hour)
        for offer in offers
        if offer.source == source
    }


@given(polls=polls)
@settings(max_examples=40, deadline=None)
def test_the_store_equals_a_model_that_keeps_everything(
    empty: Engine, point: MakePoint, polls: list[tuple[str, State, bool]]
) -> None:
    """Changes, the catalogue and every past instant equal a brute-force replay."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(copied(empty, engine_of(Path(folder) / "copy.db")))
        model: dict[str, State] = {"one": {}, "two": {}}
        past: list[tuple[datetime, dict[str, State]]] = []
        for hours, (source, found, complete) in enumerate(polls):
            at = START + timedelta(hours=hours)
            points = told(point, source, found, at)
            changes = store.record(Poll(source, at, points, complete=complete))
            before = model[source]
            model[source] = dict(found) if complete else before | found
            past.append((at, dict(model)))

            moved = {key for key in found if before.get(key, found[key]) != found[key]}
            assert len(changes.changed) == len(moved)
            assert len(changes.listed) == len(found.keys() - before.keys())
            assert len(changes.delisted) == len(before.keys() - model[source].keys())

        for at, expected in past:
            for instant in (at, at + timedelta(minutes=59)):
                offers = store.as_of(instant, superseded=True).offers
                assert expected["one"] == state_of(offers, "one")
                assert expected["two"] == state_of(offers, "two")
        now = store.catalog(START + timedelta(days=9), superseded=True).offers
        assert {name: state_of(now, name) for name in model} == model


@given(polls=polls)
@settings(max_examples=25, deadline=None)
def test_history_follows_from_the_intervals(
    empty: Engine, point: MakePoint, polls: list[tuple[str, State, bool]]
) -> None:
    """Intervals of an offer never overlap; events follow from them."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(copied(empty, engine_of(Path(folder) / "copy.db")))
        changes = []
        for hours, (source, found, complete) in enumerate(polls):
            at = START + timedelta(hours=hours)
            points = told(point, source, found, at)
            changes.append(store.record(Poll(source, at, points, complete=complete)))

        intervals = store.series(Wanted("a10"))
        events = store.events(START - timedelta(hours=1), START + timedelta(days=9))

        for key in {interval.offer.key for interval in intervals}:
            mine = [found for found in intervals if found.offer.key == key]
            ends = [found.ended_at for found in mine[:-1]]
            starts = [found.first_seen for found in mine[1:]]
            assert all(
                end is not None and end <= start
                for end, start in zip(ends, starts, strict=True)
            )
        kinds = [event.kind for event in events]
        assert sum(len(c.listed) for c in changes) == kinds.count("listed")
        assert sum(len(c.changed) for c in changes) == kinds.count("changed")
        assert sum(len(c.delisted) for c in changes) == kinds.count("delisted")


@given(polls=polls)
@settings(max_examples=20, deadline=None)
def test_the_cheapest_line_equals_the_cheapest_of_each_instant(
    empty: Engine, point: MakePoint, polls: list[tuple[str, State, bool]]
) -> None:
    """A chart's step line shows, at every poll, the cheapest offer as of then."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(copied(empty, engine_of(Path(folder) / "copy.db")))
        for hours, (source, found, complete) in enumerate(polls):
            at = START + timedelta(hours=hours)
            points = told(point, source, found, at)
            store.record(Poll(source, at, points, complete=complete))
        steps = cheapest_over_time(store.series(Wanted("a10")))

        for hours in range(len(polls)):
            at = START + timedelta(hours=hours)
            then = store.as_of(at, superseded=True).of_gpu("a10")
            best = min((o.micro_usd_per_gpu_hour for o in then), default=None)
            shown = [step.cheapest for step in steps if step.at <= at]
            drawn = shown[-1].micro_usd_per_gpu_hour if shown and shown[-1] else None
            assert best == drawn

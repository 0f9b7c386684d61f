"""What was worked out for other questions is used again, and changes no answer."""

from datetime import timedelta
from pathlib import Path

from bot.config.settings import Settings
from bot.run.composition import compose
from core.estimate import capacity
from core.jobs import batch, runs
from core.market.market import Use, market_of, open_market
from core.sizing import fleet
from core.workload import Constraints
from tests.bench.same_answers import CONTEXT, DAY, labelled, said

EVERY = 31
KEPT = (
    capacity.capacity, capacity._placed, fleet.plan_gpu, batch.plan_batch,
    runs.plan_run,
)  # fmt: skip


def test_an_answer_is_the_same_whatever_was_asked_before(tmp_path: Path) -> None:
    """Each of a sample of questions first after the others, then by a fresh program."""
    answering = compose(Settings(home=tmp_path), clock=lambda: DAY)
    questions = labelled(EVERY)
    after = {one: said(answering, one) for one in [*questions, *questions]}
    assert any(kept.cache_info().hits for kept in KEPT)
    for one in questions:
        for kept in KEPT:
            kept.cache_clear()
        answering.catalog(CONTEXT).kept.clear()
        assert said(answering, one) == after[one], one


def test_a_market_is_kept_until_a_price_ages(tmp_path: Path) -> None:
    """Any instant's market is the one that is opened anew; between two turns one."""
    answering = compose(Settings(home=tmp_path), clock=lambda: DAY)
    catalog, known = answering.catalog(CONTEXT), answering.known()
    opened = set()
    for days in (0, 0.01, 1, 4, 30, 100, 400):
        use = Use(Constraints(), live=True, now=DAY + timedelta(days=days))
        kept, fresh = (
            market_of(catalog, use, known),
            open_market(catalog.offers, use, known),
        )
        assert kept.by_gpu == fresh.by_gpu
        assert kept.apart == fresh.apart
        assert kept.refused == fresh.refused
        opened.add(id(kept))
    assert 2 <= len(opened) < 7

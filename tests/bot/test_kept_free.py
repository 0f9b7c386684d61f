"""Headroom and spare replicas that a question asks for are in the fleet."""

import math

import pytest

from bot.language import conversation as followup
from bot.language.parse import parse
from bot.render.field_words import question_of
from bot.service.answering import Answering
from core.market.recommendation import Recommendation
from tests.conftest import TERMINAL


@pytest.mark.parametrize(
    ("text", "share", "spare"),
    [
        ("llama 70b 50rps with 30% headroom", 0.3, None),
        ("llama 70b 50rps, headroom of 25%", 0.25, None),
        ("llama 70b 50rps 20% buffer", 0.2, None),
        ("llama 70b 50rps n+1", None, 1),
        ("llama 70b 50rps, N + 2 redundancy", None, 2),
        ("70b 50rps, survive losing one replica", None, 1),
        ("70b 50rps with one spare replica", None, 1),
        ("70b 50rps at 30% utilisation", None, None),
        ("4x h100 70b how much headroom do we have at 10 rps", None, None),
    ],
)
def test_what_is_to_be_kept_free_is_read(
    text: str, share: float | None, spare: int | None
) -> None:
    """A share of the fleet, or replicas that may fail; no other share is meant."""
    query = parse(text)
    assert (share, spare) == (query.headroom, query.spare_replicas)
    assert query.rps in (10, 50)


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("mistral small 24b as RAG backend on h100, 1 rps, 2 replicas for HA", 2),
        ("llama 8b 1 rps, at least three replicas", 3),
        ("llama 8b 1 rps, 3 replicas for redundancy", 3),
    ],
)
def test_replicas_that_are_asked_for_are_rented(
    answering: Answering, text: str, least: int
) -> None:
    """Where one would carry the load, as many run as were asked for."""
    found = answering.answered(text, TERMINAL).figures
    assert isinstance(found, Recommendation)
    assert {least} == {option.plan.replicas for option in found.options[:3]}


def test_two_regions_are_two_fleets(answering: Answering) -> None:
    """Each carries the load that is stated for each."""
    said = "two regions (US and EU), each 10 rps of gpt-oss-120b, 2k in 400 out"
    one = answering.answered("gpt-oss-120b 10 rps, 2k in 400 out", TERMINAL).figures
    both = answering.answered(said, TERMINAL).figures
    assert isinstance(one, Recommendation)
    assert isinstance(both, Recommendation)
    assert 2 == parse(said).regions_count
    fleets = {(o.plan.gpu.id, o.offer.provider): o.plan for o in one.options}
    pairs = [
        (option.plan, alone)
        for option in both.options
        if (alone := fleets.get((option.plan.gpu.id, option.offer.provider)))
        and alone.replica_gpus == option.plan.replica_gpus
    ]
    assert pairs
    for twice, alone in pairs:
        assert twice.replicas == 2 * alone.replicas


@pytest.mark.parametrize(
    "text",
    [
        "bge-reranker-v2 100 queries/s with 50 docs each",
        "rerank 50 docs each x 100 queries/s with bge-reranker-v2",
    ],
)
def test_a_rerankers_documents_are_counted_once(text: str) -> None:
    """Queries are the rate, and each ranks as many documents as are stated."""
    query = parse(text)
    assert (100, 50) == (query.rps, query.batch_size)


@pytest.mark.parametrize(
    "text",
    ["llama 70b 50rps with 30% headroom", "llama 70b 50rps n+1",
     "llama 8b 1 rps, at least 3 replicas"],
)  # fmt: skip
def test_what_is_kept_free_holds_in_forms_and_threads(text: str) -> None:
    """A form writes it back, and a message after it leaves it standing."""
    query = parse(text)
    kept = query.headroom, query.spare_replicas, query.least_replicas
    again = parse(question_of(query))
    assert kept == (again.headroom, again.spare_replicas, again.least_replicas)
    after = followup.apply(query, "and in the eu?")
    assert after is not None
    assert kept == (after.headroom, after.spare_replicas, after.least_replicas)


def test_headroom_is_free_at_the_peak(answering: Answering) -> None:
    """No more than the rest of the fleet is busy, and no replica more is rented."""
    found = answering.answered("llama 70b 50rps with 30% headroom", TERMINAL).figures
    assert isinstance(found, Recommendation)
    for option in found.options:
        rate = option.plan.capacity.requests_per_second.likely
        least = math.ceil(50 / (rate * 0.7) - 1e-9)
        assert option.plan.busy <= 0.7 + 1e-9
        assert option.plan.replicas == least


def test_a_spare_replica_is_one_more(answering: Answering) -> None:
    """Of the same GPUs, and the answer says what it is for."""
    plain = answering.answered("llama 70b 50rps on b200", TERMINAL).figures
    asked = answering.answered("llama 70b 50rps on b200 n+1", TERMINAL)
    assert isinstance(plain, Recommendation)
    assert isinstance(asked.figures, Recommendation)
    few, more = plain.options[0].plan, asked.figures.options[0].plan
    assert few.replicas + 1 == more.replicas
    assert more.busy < few.busy
    assert (
        "Includes 1 spare server, so the peak still works after a failure."
        in asked.view.notes
    )

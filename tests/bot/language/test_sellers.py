"""Sellers that no table knows are named like any other, once somebody sells there."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.language.conversation import apply
from bot.language.parse import parse
from core.reference.load import reference

KNOWN = reference().with_sellers(
    ["acme-dc", "Basement Compute", "house", "dc", "42", "lambda", "on demand"]
)


@pytest.mark.parametrize(
    ("text", "providers"),
    [
        ("h100 at acme-dc", ("acme-dc",)),
        ("price h100 Acme DC", ("acme-dc",)),
        ("how much is acme-dc's l40s", ("acme-dc",)),
        ("70b 50rps on acme_dc or lambda", ("acme-dc", "lambda")),
        ("is acme-dc cheaper than runpod for h100", ("acme-dc", "runpod")),
        ("h100 at basement compute", ("Basement Compute",)),
        ("rtx 4090 on house", ("house",)),
        ("rtx 4090 at dc", ("dc",)),
        ("h100 at amce-dc", ("acme-dc",)),
    ],
)
def test_a_seller_of_the_house_is_read(text: str, providers: tuple[str, ...]) -> None:
    """However a seller's name is spelt, joined, or slightly misspelt."""
    assert providers == parse(text, KNOWN).provider


@pytest.mark.parametrize(
    ("text", "excluded"),
    [
        ("70b 50rps not on acme-dc", ("acme-dc",)),
        ("h100 price anywhere but acme-dc", ("acme-dc",)),
        ("8b 10rps not on house", ("house",)),
    ],
)
def test_a_seller_of_the_house_can_be_ruled_out(
    text: str, excluded: tuple[str, ...]
) -> None:
    """What is ruled out is not what is wanted."""
    query = parse(text, KNOWN)

    assert (excluded, None) == (query.provider_exclude, query.provider)


@pytest.mark.parametrize(
    "text",
    [
        "we have 8 h100 in our house",
        "70b 50rps at 42 tokens/s per user",
        "h100 on demand",
        "70b in our dc with 16 h100",
        "8b at p95 300ms",
        "h100 at us-east-1",
    ],
)
def test_an_ordinary_word_is_no_seller(text: str) -> None:
    """A name that is a word of the language counts only where a seller would stand."""
    assert parse(text, KNOWN).provider is None


def test_nobody_else_is_taken_for_a_seller() -> None:
    """Without a price of theirs the same words name nobody, or are asked about."""
    assert parse("h100 at acme-dc", reference()).provider is None
    assert "provider" in {u.kind for u in parse("h100 at acmecloud", KNOWN).unknown}


def test_a_seller_of_the_house_takes_the_place_of_another_in_a_thread() -> None:
    """A message that names it goes on with the question before it."""
    before = parse("70b 50rps on lambda", KNOWN)

    after = apply(before, "and on acme-dc?", KNOWN)

    assert after is not None
    assert ("acme-dc",) == after.provider
    assert 50 == after.rps


def test_known_sellers_are_known_already() -> None:
    """Reference data with no stranger is the same object."""
    assert reference() is reference().with_sellers(["lambda", "Runpod", "aws"])


def test_a_stranger_has_a_name_and_no_terms() -> None:
    """Nothing is made up of what a seller promises."""
    spec = KNOWN.provider("ACME DC")

    assert spec is not None
    assert ("acme-dc", (), ()) == (spec.id, spec.sources, spec.certifications)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=4))
@example(["in", "on", "a", "price", "8", "70b", "h100", "eu", "not", "at", "us-east-1"])
@example(["", " ", "-", "名前", "İ", "'s", "x" * 120, "aws ", "(((", "\u0130"])
def test_no_name_of_a_seller_changes_a_question_about_others(names: list[str]) -> None:
    """Whatever somebody calls a seller, a question that names none reads as before."""
    known = reference().with_sellers(names)

    for text in ("70b inference 50rps", "price h100 spot in eu, not on aws"):
        assert parse(text, reference()) == parse(text, known)

"""Sellers whom nobody knows are asked about, where a seller is named at all."""

import pytest

from bot.language.parse import parse
from bot.language.typos import lookalikes
from core.reference.load import reference


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("70b 50rps on foobarcloud", "foobarcloud"),
        ("h100 price at foocloud", "foocloud"),
        ("price h100 from acmegpu", "acmegpu"),
        ("70b 20 rps not on zetacloud", "zetacloud"),
        ("8b 5 rps via nordhosting", "nordhosting"),
    ],
)
def test_a_seller_whom_nobody_knows_is_asked_about(text: str, name: str) -> None:
    """Leaving the name out would answer for everybody else."""
    query = parse(text, reference())

    assert [("provider", name)] == [(one.kind, one.text) for one in query.unknown]
    assert query.clarify is not None
    assert name in query.clarify.question


@pytest.mark.parametrize(
    "text",
    [
        "h100 at lamdacloud",
        "70b on a multigpu server",
        "70b on our servers",
        "8b on webservers 5 rps",
        "70b on prem",
        "70b 5 rps on a public cloud",
        "8b on cpu or gpu",
        "70b 20rps on kubernetes",
    ],
)
def test_other_places_are_no_sellers(text: str) -> None:
    """A slip in a known name is mended; machines and ways to run are none."""
    assert () == parse(text, reference()).unknown


def test_no_word_of_the_dictionary_is_mended_into_ours() -> None:
    """ "The basement" is no Baseten, "tracking" no training."""
    plain = parse("llama 3.1 8b, 5 rps, 300 in, 90 out")
    ours = {"a", "spot"}
    for word in sorted(lookalikes() - ours):
        query = parse(f"the {word}, llama 3.1 8b, 5 rps, 300 in, 90 out")
        assert (query.provider, query.model, query.kind, query.pricing) == (
            plain.provider, plain.model, plain.kind, plain.pricing,
        ), word  # fmt: skip


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("lama 3.1 8b 5 rps", "llama-3.1-8b"),
        ("gema 3 27b at 2 rps", "gemma-3-27b"),
        ("mistrial 7b 5 rps", "mistral-7b"),
    ],
)
def test_a_word_before_a_size_is_still_a_misspelt_model(text: str, model: str) -> None:
    """What else would stand there."""
    assert parse(text).model == model


def test_a_technique_in_a_models_name_is_not_asked_about() -> None:
    """ "R1-distill-Llama" wants no distillation, and what it thinks nobody claims."""
    query = parse("R1-distill-Llama-70B, 4 rps, 600 in, ~3,500 out (it thinks a lot)")
    assert not query.techniques
    assert (query.rps, query.input_tokens, query.output_tokens) == (4, 600, 3500)

"""What a request looks like by what it is for, where its lengths are not stated."""

import pytest

from core.query import Query, Use
from core.reference.assumed import defaults
from core.reference.load import reference
from core.resolve import Unresolved, resolve
from core.workload import InferenceSpec, ServingLoad


def lengths(**stated: object) -> tuple[float, float]:
    """The prompt and the answer that a question is sized for."""
    query = Query.model_validate({"params_b": 70, "rps": 1} | stated)
    found = resolve(query, reference(), defaults())
    assert not isinstance(found, Unresolved)
    assert isinstance(found.spec, InferenceSpec)
    return found.spec.input_tokens, found.spec.output_tokens


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        (None, (1000, 200)),
        ("rag", (2944, 283)),
        ("summary", (4096, 512)),
        ("completion", (2048, 28)),
        ("agent", (2720, 63)),
        ("vision", (572 + 1.6 * 650, 130)),
        ("classification", (70, 3)),
        ("extraction", (3802, 130)),
    ],
)
def test_the_use_decides_the_usual_lengths(
    use: Use | None, expected: tuple[float, float]
) -> None:
    """Published lengths of that use, in place of a chat's."""
    assert expected == lengths(use=use)


@pytest.mark.parametrize("use", ["extraction", "vision"])
def test_an_invoice_is_a_page_and_its_fields_are_a_record(use: Use) -> None:
    """Read as text or as an image, it has as many tokens; 29 hold no line items."""
    assert (1400, 300) == lengths(use=use, document="invoice", kind="batch", rps=1)


@pytest.mark.parametrize(
    ("use", "kind", "seen", "expected"),
    [
        ("summary", "page", 0, (667, 75)),
        ("translation", "page", 0, (667, 748)),
        ("translation", "sentence", 0, (40, 45)),
        ("extraction", "page", 1, (171 + 1656, 130)),
        ("ocr", "page", 1, (171 + 1656, 991)),
    ],
)
def test_a_page_is_as_long_in_every_use(
    use: Use, kind: str, seen: int, expected: tuple[float, float]
) -> None:
    """As plain text, or as an image where a model is shown it."""
    shown = {"model_class": "vision"} if seen else {}
    assert expected == lengths(use=use, document=kind, **shown)


def test_agents_run_their_tools_between_two_requests() -> None:
    """So many at once hold their contexts, and each asks again after its pause."""

    def load(use: Use | None) -> ServingLoad:
        query = Query.model_validate({"params_b": 70, "concurrency": 50, "use": use})
        found = resolve(query, reference(), defaults())
        assert not isinstance(found, Unresolved)
        assert isinstance(found.spec, InferenceSpec)
        return found.spec.load

    assert 50 == load("agent").concurrency
    assert 50 / load("agent").rps == pytest.approx(10 + 0.68 + 63 * 0.05)
    assert 50 / load("chat").rps == pytest.approx(0.5 + 200 * 0.05)


def test_a_stated_length_stands_whatever_the_use() -> None:
    """Only what is left out is assumed."""
    assert (2000, 283) == lengths(use="rag", input_tokens=2000)


def test_a_channels_own_default_beats_the_use() -> None:
    """What somebody set is not overruled by a word."""
    mine = defaults().overridden({"input_tokens": 700}, "set in this channel")

    assert 700 == mine.for_use("rag")["input_tokens"].value
    assert 283 == mine.for_use("rag")["output_tokens"].value

"""GPUs and makers that are ruled out are never the ones that are wanted."""

import pytest

from bot.language.conversation import apply
from bot.language.parse import parse
from bot.render.field_words import question_of
from core.query import Query
from core.reference.load import reference
from core.resolve.constraints import resolve_constraints


def read(text: str) -> Query:
    """Read a question."""
    return parse(text, reference())


def on(previous: Query, text: str) -> Query:
    """Go on in a thread."""
    query = apply(previous, text, reference())
    assert query is not None
    return query


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("70b 20rps no b200", ("b200",)),
        ("70b 20rps not on h100", ("h100",)),
        ("70b 20 rps without b200 or b300", ("b200", "b300")),
        ("70b 20rps anything but an h100", ("h100",)),
        ("70b 20 rps excluding b200", ("b200",)),
        ("70b 20 rps w/o mi300x", ("mi300x",)),
        ("70b 20rps without nvidia", ("nvidia",)),
        ("70b 20rps no amd or intel", ("amd",)),
        ("70b 20rps amd only", ("nvidia", "intel", "google")),
        ("70b 20rps on amd gpus", ("nvidia", "intel", "google")),
        ("70b 20rps only on nvidia", ("amd", "intel", "google")),
    ],
)
def test_what_is_ruled_out_is_not_wanted(text: str, out: tuple[str, ...]) -> None:
    """It is kept apart, and no GPU is asked for."""
    query = read(text)

    assert (out, None) == (query.gpu_exclude, query.gpu)


@pytest.mark.parametrize(
    ("text", "gpu"),
    [
        ("70b on h100 not on aws 10 rps", ("h100",)),
        ("why not a100?", ("a100",)),
        ("does 70b not fit on h100", ("h100",)),
        ("70b 10 rps not only on h100", ("h100",)),
        ("nvidia h100 price", ("h100",)),
        ("not enough h100 for 70b", ("h100",)),
    ],
)
def test_what_is_not_ruled_out_is_wanted(text: str, gpu: tuple[str, ...]) -> None:
    """Another word is meant by the "not"."""
    query = read(text)

    assert (None, gpu) == (query.gpu_exclude, query.gpu)


def test_one_of_two_can_be_ruled_out() -> None:
    """The other one is wanted."""
    query = read("70b on h100 not a100 10 rps")

    assert (("a100",), ("h100",)) == (query.gpu_exclude, query.gpu)


def test_every_form_of_it_is_ruled_out() -> None:
    """H100 is SXM, PCIe and NVL; AMD is all that AMD makes."""
    h100 = resolve_constraints(read("70b 5rps no h100"), reference()).gpus_excluded
    amd = resolve_constraints(read("70b 5rps no amd"), reference()).gpus_excluded

    assert {"h100-80gb-sxm", "h100-80gb-pcie", "h100-nvl"} <= set(h100)
    made = {gpu.id for gpu in reference().gpus.values() if gpu.vendor == "amd"}
    assert made == set(amd)


def test_a_thread_goes_on_without_it() -> None:
    """What was ruled out before stays out, and what was wanted leaves."""
    first = on(read("70b 20 rps on b200"), "not b200")
    second = on(first, "no h200 either")
    third = on(second, "at 40 rps")

    assert (("b200",), None) == (first.gpu_exclude, first.gpu)
    assert ("b200", "h200") == second.gpu_exclude == third.gpu_exclude
    assert 40 == third.rps


def test_certificates_hold_for_the_whole_thread() -> None:
    """HIPAA is not forgotten at the next question."""
    query = on(read("70b 20 rps hipaa"), "what about int8?")

    assert ("hipaa",) == query.compliance


def test_it_is_written_as_it_is_read() -> None:
    """A form's question rules out the same."""
    query = read("70b 20rps without b200 or nvidia")

    assert query.gpu_exclude == read(question_of(query)).gpu_exclude

"""Numbers that lost their unit, and forms of a GPU."""

import pytest

from bot.language.parse import parse
from core.reference.load import reference
from core.resolve.constraints import resolve_constraints


@pytest.mark.parametrize(
    ("text", "size", "count"),
    [
        ("serve 70 on h100", 70, None),
        ("serve 70 on 4 h100", 70, 4),
        ("host a 70 on h200", 70, None),
        ("does a 13 fit on l4", 13, None),
        ("serve llama 70 on h100", 70, None),
        ("fine-tune 70 on 8 h100", 70, 8),
        ("70 h100", None, 70),
        ("serve 8b on 4 h100", 8, 4),
        ("8 h100 price", None, 8),
        ("50 rps 8b on h100", 8, None),
    ],
)
def test_a_number_on_a_gpu_is_a_size(
    text: str, size: float | None, count: int | None
) -> None:
    """Nobody counts GPUs with "on" between."""
    query = parse(text)

    assert (size, count) == (query.params_b, query.count)


@pytest.mark.parametrize("text", ["serve 100 on h100", "run 300 on b200"])
def test_a_number_that_is_no_size_is_asked_about(text: str) -> None:
    """Parameters, users or GPUs: each choice is clear."""
    asked = parse(text).clarify

    assert asked is not None
    assert ("params_b", "users", "count") == asked.about
    assert [None] * 3 == [parse(choice).clarify for choice in asked.choices]


@pytest.mark.parametrize(
    ("text", "gpus"),
    [
        ("h200 sxm price", ("h200-sxm",)),
        ("h200 nvl price", ("h200-nvl",)),
        ("h200 price", ("h200-sxm", "h200-nvl")),
        ("h100 sxm5 price", ("h100-80gb-sxm",)),
    ],
)
def test_a_form_is_exact(text: str, gpus: tuple[str, ...]) -> None:
    """SXM lists no NVL."""
    assert gpus == resolve_constraints(parse(text), reference()).gpus

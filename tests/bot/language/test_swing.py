"""An average and a peak beside each other: each number gets its nearest word."""

import pytest

from bot.language.parse import parse
from core.reference.assumed import defaults
from core.reference.load import reference
from core.resolve.resolve import resolve
from core.workload import InferenceSpec


def rates(text: str) -> tuple[float | None, float | None]:
    """The average and the peak that are read, in requests a second."""
    query = parse(text, reference())
    return query.rps, query.peak_rps


@pytest.mark.parametrize(
    "text",
    [
        "8b 40 rps peak, 12 average",
        "8b 40rps peak 12rps average",
        "8b peak 40 rps average 12",
        "8b 12 rps avg, 40 peak",
        "8b avg 12 rps and 40 rps at peak",
        "8b 40 peak/12 avg rps",
        "8b traffic peaks at 40 rps, averages 12",
        "8b on average 12 rps (peak: 40 rps)",
        "8b 720 requests/min average, peak 2400",
        "8b with a sustained 12 rps and spikes of 40 rps",
        "8b im schnitt 12 rps, spitze 40 rps",
    ],
)
def test_each_number_gets_its_word(text: str) -> None:
    """Whatever order they come in."""
    assert (12, 40) == rates(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("70b 40 rps peak with average prompt 1000", (None, 40)),
        ("70b average answer of 300 tokens, 20 rps, peak 60", (20, 60)),
        ("8b 1M requests/day on average, peak 80 rps", (None, 80)),
        ("70b 20 rps average", (20, None)),
        ("70b p95 ttft 300ms average 20 rps", (20, None)),
    ],
)
def test_an_average_of_something_else_is_no_rate(
    text: str, expected: tuple[float | None, float | None]
) -> None:
    """Of prompts, of answers, of a day."""
    assert expected == rates(text)


def test_an_average_above_its_peak_is_carried_and_said() -> None:
    """The larger of the two is sized for."""
    query = parse("8b average 40 rps peak 12 rps", reference())
    resolved = resolve(query, reference(), defaults())

    assert isinstance(resolved.spec, InferenceSpec)
    assert (40, 1) == (resolved.spec.load.rps, resolved.spec.load.average_share)
    (said,) = [a for a in resolved.assumptions if a.field == "peak_rps"]
    assert "above your peak of 12" in said.why

"""What a change does: the question is read without it, and with it."""

from typing import Any

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "field", "before", "after"),
    [
        ("what changes if prompts go from 2k to 8k tokens? 70b fp8, 8 rps",
         "input_tokens", 2000, 8000),
        ("answers get longer, 200 to 800 tokens. what does that do to the bill? "
         "8b, 20 rps", "output_tokens", 200, 800),
        ("how much more would it cost to go from 10 to 25 rps on llama 3.1 70b?",
         "rps", 10, 25),
        ("what does cutting ttft from 2 s to 500 ms cost us on a 70b at 6 rps?",
         "ttft_ms", 2000, 500),
        ("ttft is 2.5 s on our 32b with one h100 at 6 rps, would a second card get "
         "us under 1 s?", "count", 1, 2),
        ("what does adding N+1 cost us on 4 h100s?", "count", 4, 5),
        ("if our users double to 400 for the 8b bot, does the one l40s still hold?",
         "users", 200, 400),
        ("right now 1 rps on a 13b with one a10g; marketing expects 8 rps in spring. "
         "extra cost?", "rps", 1, 8),
        ("how much cheaper is eu vs us for 4 h100s?", "region", None, "eu"),
        ("8b, 3 rps in the pilot then 25 rps after launch, size both", "rps", 3, 25),
        ("what would 99.9% availability add to the cost of 2 h100s for our 32b?",
         "sla", None, True),
        ("8k context vs 32k context for 70b at 5 rps, how does the cost change?",
         "context", 8000, 32000),
        ("llama 70b on 4 h100 at 8k context, what happens to the cost if we go to 64k?",
         "context", 8000, 64000),
        ("what would int4 save us compared to fp8 on qwen3 235b",
         "precision", ("fp8",), ("int4",)),
        ("8 h100, 24/7 or only 10 h a day?", "hours_per_day", 24, 10),
    ],
)  # fmt: skip
def test_a_change_has_two_states(
    text: str, field: str, before: Any, after: Any
) -> None:
    """One field is another, and the rest holds for both."""
    states = parse(text).states

    assert states is not None
    assert [getattr(one, field) for one in states] == [before, after]
    assert (
        states[0].model_copy(update={field: after, "text": "", "spans": {}}).stated()
        == states[1].stated()
    )


@pytest.mark.parametrize(
    "text",
    [
        "70b fp8 8 rps 2k to 8k tokens prompts",
        "70b inference from 8am to 6pm 20 rps",
        "between 5 and 10 rps on a 32b",
        "what do we save with a 1 year commitment over on demand for 4 h100s?",
        "8b on 3 A10G handles 6 rps, traffic doubles, what do we add?",
        "h100 vs h200 for our 70b at 8 rps, what's the difference in cost?",
        "is one l4 enough for an 8b at 2 rps?",
        "int4 vs fp8 on a 32b with 20 rps, what's cheaper?",
        "p4d vs p5 instances for llama 70b",
        "answers grew from 120 to 200, what do we need for 14b at 31 rps?",
    ],
)
def test_no_change_has_none(text: str) -> None:
    """A range, a day, a term and a choice have answers of their own."""
    assert parse(text).states is None


def test_a_wait_of_today_limits_nothing() -> None:
    """It is measured: the limit is the one that is asked for."""
    query = parse("ttft is 2.5 s on our 32b with one h100 at 6 rps, would a second "
                  "card get us under 1 s?")  # fmt: skip

    assert (query.measured_wait_ms, query.ttft_ms) == (2500, 1000)

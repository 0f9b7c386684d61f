"""A limit on what 1M output tokens may cost is kept, or said not to be."""

import pytest

from bot.language.parse import parse
from bot.render.field_words import question_of
from bot.service.answering import Answering
from core.market.recommendation import Recommendation
from tests.conftest import TERMINAL


@pytest.mark.parametrize(
    ("text", "most", "currency"),
    [
        ("70b 20rps under $1 per million tokens", 1, "USD"),
        ("70b 20 rps max $0.50/1M output tokens", 0.5, "USD"),
        ("70b 20rps for less than 50 cents per million tokens", 0.5, "USD"),
        ("70b 20rps below €1 per 1M", 1, "EUR"),
        ("70b $1/M tok max, 5 rps", 1, "USD"),
        ("cheaper than $0.6 per million tokens with llama 70b at 10 rps", 0.6, "USD"),
        ("gpt-4o at $2.50 per 1M input vs self host 70b", None, None),
        ("70b 5rps cheaper than gpt-4o at $2.50 per 1M?", None, None),
        ("70b 5rps under $1k a month", None, None),
    ],
)
def test_a_limit_is_told_from_a_price(
    text: str, most: float | None, currency: str | None
) -> None:
    """What may not be passed is a limit; what an API asks is none."""
    query = parse(text)
    assert (most, currency) == (query.most_per_million, query.most_per_million_currency)
    again = parse(question_of(query))
    assert query.most_per_million == again.most_per_million


def test_every_fleet_shown_keeps_the_limit(answering: Answering) -> None:
    """Dearer tokens are left out, and counted."""
    free = answering.answered("70b 20rps", TERMINAL).figures
    held = answering.answered("70b 20rps under $2.50 per 1M tokens", TERMINAL).figures
    assert isinstance(free, Recommendation)
    assert isinstance(held, Recommendation)
    assert len(held.options) < len(free.options)
    assert all(one.usd_per_million_output_tokens <= 2.5 for one in held.options)
    over = [one for one in held.rejections if one.rule == "budget"]
    assert [len(free.options) - len(held.options)] == [one.count for one in over]
    assert "ok" == held.status


def test_a_limit_that_nothing_keeps_names_the_nearest(answering: Answering) -> None:
    """The answer is no, and says for which of the two limits."""
    view = answering.answered(
        "70b 20rps under $20k a month and under $0.20 per 1M tokens", TERMINAL
    ).view
    assert "no" == view.kind
    assert view.verdict.startswith(
        "Not for $0.20 per 1M output tokens. The nearest is "
    )
    assert not any("budget pays for" in note for note in view.notes)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("summarise 1M docs with 8b under $0.50 per 1M tokens", "Within the limit"),
        ("summarise 1M docs with 8b under $0.001 per 1M tokens", "Over the limit"),
        ("llama 70b vs api, 2M tokens/day, under $1 per 1M tokens", "Over the limit"),
    ],
)
def test_other_answers_say_how_they_keep_it(
    answering: Answering, text: str, said: str
) -> None:
    """No limit is dropped without a word."""
    notes = answering.answered(text, TERMINAL).view.notes
    assert any(said in note for note in notes)

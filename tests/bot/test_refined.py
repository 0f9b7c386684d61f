"""A form that refines an answer loses nothing that its question said."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.config.settings import Settings
from bot.language.parse import parse
from bot.question.asking import AskContext
from bot.render.field_words import question_of
from bot.run.composition import compose
from bot.service.refined import UNSEEN, refined
from core.query import Query
from core.reference.load import reference

NOW = datetime(2026, 11, 21, tzinfo=UTC)
OF_THE_TEXT = {"text", "spans", "clarify", "unknown"}
QUESTIONS = (
    "70b 20rps hipaa",
    "70b 20rps spot ok",
    "70b 20rps with 2tb egress and 20 engineer hours a month",
    "tco of 70b 10rps storage 500gb",
    "fine-tune 70b on 100M tokens, retrain monthly on 20B tokens, serve 50 rps for "
    "12 months",
    "train 7b on 1B tokens on spot, interrupted every 10 hours",
    "70b 20rps how many should we reserve",
    "we spend 5k eur a month on gpt-4o, self-host 70b?",
    "buy 8 h100 at $28k each or rent",
    "cost per user of 8b for 5000 users",
    "cost per request 70b 10rps",
    "blended cost per 1M tokens 70b 10 rps",
    "yearly cost of 70b at 10 rps",
    "fastest gpu for 8b",
    "how much vram for 70b",
    "tdp of b200",
    "is a 1-year reservation of h100 worth it",
    "8b vs 70b 10 rps",
    "rag 8b 5rps",
    "70b 20rps not in the us, no community hosts, n+1, under $2 per 1M tokens",
)


def meant(query: Query) -> dict[str, Any]:
    """All that a query says, its text apart."""
    said = query.model_dump(exclude_none=True)
    return {name: value for name, value in said.items() if name not in OF_THE_TEXT}


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_form_sent_as_it_was_opened_asks_the_same(text: str) -> None:
    """Words carry what the inputs show, and the rest stands beside them."""
    before = parse(text)
    now = refined(before, parse(question_of(before)), reference())
    assert meant(before) == meant(now)
    assert now.clarify is None


def test_every_question_says_something_unseen() -> None:
    """The questions above are those that words alone would lose."""
    lost = {name for text in QUESTIONS for name in UNSEEN if getattr(parse(text), name)}
    assert {"beside", "life", "wanted", "interruptible", "rivals", "use"} <= lost


@pytest.mark.parametrize(
    ("text", "changed", "field", "expected"),
    [
        ("70b 20rps spot ok", "70b 20 rps pricing=on-demand", "interruptible", None),
        ("70b 20rps spot ok", "70b 40 rps pricing=spot", "interruptible", True),
        ("70b 20rps how many should we reserve", "70b 20 rps", "part_reserved", None),
        ("8b vs 70b 10 rps", "compare inference 13b 10 rps", "rivals", None),
        ("yearly cost of 70b at 10 rps", "monthly bill inference 70b 30 rps",
         "asked_unit", "year"),
        ("70b 20rps n+1", "inference 70b 20 rps", "spare_replicas", None),
    ],
)  # fmt: skip
def test_what_is_changed_takes_what_belongs_to_it_along(
    text: str, changed: str, field: str, expected: object
) -> None:
    """A field holds while the inputs that it belongs to stay as they were."""
    now = refined(parse(text), parse(changed), reference())
    assert expected == getattr(now, field)


def test_a_refined_answer_keeps_what_its_form_did_not_show(tmp_path: Path) -> None:
    """Another team's answer is not refined: its words alone are read."""
    answering = compose(Settings(home=tmp_path), clock=lambda: NOW)
    asked = AskContext(surface="command", team_id="T1", channel_id="C1", user_id="U1")
    first = answering.answered("yearly cost of 70b at 10 rps", asked)
    form = asked.model_copy(update={"surface": "form", "refines": first.view.id})
    words = "monthly bill inference 70b 30 rps"

    after = answering.answered(words, form)
    assert " a year · " in after.view.verdict

    other = form.model_copy(update={"team_id": "T2"})
    assert not answering.answered(words, other).view.verdict.endswith(" a year")

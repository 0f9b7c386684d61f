"""Whatever people ask, Slack takes the answer, its form, its reason and their page."""

import json
import re
from collections import Counter
from itertools import cycle
from pathlib import Path

import pytest

from bot.config.settings import Settings
from bot.question.asking import AskContext
from bot.render.rendering import Renderer
from bot.render.view_rendering import ViewRenderer
from bot.render.views import AnswerView
from bot.run.composition import compose
from bot.service.answering import Answering
from bot.slack.home.page import Home, Pages
from bot.slack.modals.form import Origin, question_form
from core.reference.load import reference
from prices.records.preferences import Preferences
from prices.records.recent import RecentQuestion, RecentQuestions
from tests.bot.blocks import check_home, check_message, check_modal
from tests.bot.conftest import NOW
from tests.bot.test_rendering_hostile import check_inert
from tests.engines import engine_of

ROOT = Path(__file__).parents[2]
HERE = AskContext(surface="command", team_id="T1", channel_id="C1", user_id="U1")
RENDERER, VIEWS = Renderer(), ViewRenderer()
LEVELS = (("native", True), ("buttons", True), ("buttons", False))
EVERY_NTH = 3
"""Of the labelled questions; all of them take minutes."""


def questions() -> list[str]:
    """What people ask, and what the pages tell them to ask."""
    lines = (Path(__file__).parent / "language/questions.jsonl").read_text("utf-8")
    labelled = [json.loads(line)["text"] for line in lines.splitlines()]
    pages = [
        (ROOT / page).read_text("utf-8") for page in ("README.md", "bot/README.md")
    ]
    told = [re.split(r"## (?:What|More) to ask", page)[1] for page in pages]
    shown = [re.findall(r"`([^`\n]+)`", part.split("\n## ")[0]) for part in told]
    return [*shown[0], *shown[1], *labelled[::EVERY_NTH]]


@pytest.fixture(scope="module")
def answering(tmp_path_factory: pytest.TempPathFactory) -> Answering:
    """The whole program on the shipped prices."""
    return compose(Settings(home=tmp_path_factory.mktemp("home")), lambda: NOW)


@pytest.fixture(scope="module")
def answered(answering: Answering) -> list[tuple[str, AnswerView]]:
    """Every question with its answer."""
    return [(text, answering.ask(text, context=HERE)) for text in questions()]


def test_every_answer_is_a_valid_message(
    answered: list[tuple[str, AnswerView]],
) -> None:
    """With native blocks, without feedback, plain: one level for each in turn."""
    for (_, view), (feedback, native) in zip(answered, cycle(LEVELS)):
        message = RENDERER.render_blocks(view, native, "U1", feedback)
        check_message(message.blocks, message.text)
        check_inert(RENDERER.render_blocks(view, native))

    assert len(answered) >= 150
    kinds = Counter(view.kind for _, view in answered)
    assert kinds["answer"] > len(answered) / 2
    assert not kinds["error"]


_PRICED = re.compile(r"^(?!.* of electricity).*\$\d")


def test_every_price_that_is_named_has_its_source(
    answering: Answering, answered: list[tuple[str, AnswerView]]
) -> None:
    """A verdict with an offer's price, a "no" too, says where prices are from."""
    refused = (
        "fine-tune llama 70b full on 50k samples on 1 h100",
        "70b 50rps on l4 at lambda",
    )
    told = [answering.ask(text, context=HERE) for text in refused]
    assert ["no"] * len(told) == [view.kind for view in told]

    priced = [
        v for v in (*told, *(v for _, v in answered)) if _PRICED.search(v.verdict)
    ]
    silent = [v for v in priced if not any("price" in s.lower() for s in v.small_print)]
    assert len(priced) > 100
    assert [] == silent


def test_every_explanation_is_a_valid_message(
    answering: Answering, answered: list[tuple[str, AnswerView]]
) -> None:
    """Why, for every answer that has an id."""
    explained = [answering.why(v.id, context=HERE) for _, v in answered[::2] if v.id]

    for view in explained:
        message = RENDERER.render_blocks(view)
        check_message(message.blocks, message.text)

    assert len(explained) > 50


def test_every_answer_can_be_refined(
    answering: Answering, answered: list[tuple[str, AnswerView]]
) -> None:
    """Its form is valid whichever of its assumptions is pressed."""
    forms = 0
    for _, view in answered:
        query = answering.query_of(view.id, context=HERE) if view.id else None
        if query is not None:
            focus = view.chips[0].field if view.chips else ""
            form = question_form(query, Origin(channel_id="C1"), view.chips, focus)
            check_modal(VIEWS.render_form(form))
            forms += 1

    assert forms > 75


def test_every_question_fits_a_page(
    answering: Answering, answered: list[tuple[str, AnswerView]], tmp_path: Path
) -> None:
    """Pages of recent questions are valid, with native tables and without."""
    file = tmp_path / "recent.sqlite3"
    recent = RecentQuestions(engine_of(file))
    for text, view in answered[:100]:
        recent.note("T1", "U1", RecentQuestion(text, view.id, view.verdict, NOW))
    home = Home(answering, recent, Preferences(engine_of(file)), reference, lambda: NOW)

    pages = [home.page(HERE, Pages(recent=n)) for n in range(20)]

    for page in pages:
        check_home(VIEWS.render_home(page))
        check_home(VIEWS.render_home(page, native=False))
    assert len({page.sections[0].rows for page in pages}) == 20

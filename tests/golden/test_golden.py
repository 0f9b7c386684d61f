"""Answers as they are read, one file a question: read them before committing them.

Each file holds the short form, then all of it as a terminal shows it.

`pytest tests/golden --update-golden` draws them again.
"""

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest
from rich.console import Console

from bot.answers.shared.json import figures
from bot.render.glance import at_a_glance
from bot.render.rendering import ASK, CHIP, Renderer
from bot.render.terminal import draw
from bot.render.views import AnswerView
from bot.service.answering import Answering
from tests.bot.blocks import check_message
from tests.conftest import COMMAND
from tests.test_wording import MOST_LINES, SHORT_LINES, SHORT_WORDS

HERE = Path(__file__).parent
QUESTIONS = (HERE / "questions.txt").read_text("utf-8").splitlines()
RENDERER = Renderer()
SLACK_COLUMNS = 100
"""Characters of a line at 800 pixels."""

LINK = re.compile(r"<https?://[^|>]*\|([^>]*)>")
"""A link in small print: its label is what is read."""


def file_for(question: str) -> Path:
    """The golden file of a question; its place in the list keeps names apart."""
    words = re.sub(r"[^a-z0-9]+", "-", question.lower()).strip("-")[:48].strip("-")
    return HERE / f"{QUESTIONS.index(question):02d}-{words}.txt"


def drawn(answering: Answering, question: str) -> str:
    """The answer in short and in full; both must be what Slack accepts."""
    view = answering.ask(question, context=COMMAND)
    short = at_a_glance(view)
    for one in (short, view):
        message = RENDERER.render_blocks(one)
        check_message(message.blocks, message.text)
    return f"{question}\n\n{page(short)}\n{'─' * 80}\n{page(view)}"


def page(view: AnswerView) -> str:
    """A view as a terminal of 100 columns shows it."""
    shown = StringIO()
    draw(view, Console(file=shown, width=100))
    return "\n".join(line.rstrip() for line in shown.getvalue().splitlines()) + "\n"


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_answer_is_what_was_read_and_approved(
    answering: Answering, question: str, request: pytest.FixtureRequest
) -> None:
    """The page is the one in the golden file."""
    now = drawn(answering, question)
    path = file_for(question)
    if request.config.getoption("--update-golden"):
        path.write_text(now, "utf-8")

    assert path.read_text("utf-8") == now


def read_before_buttons(blocks: list[dict[str, Any]]) -> list[str]:
    """The lines of a Slack message as far as its answer's own buttons."""
    lines: list[str] = []
    for block in blocks:
        first = block.get("elements", [{}])[0].get("action_id", "")
        if block["type"] == "actions" and not first.startswith((ASK, CHIP)):
            break
        for line in "".join(texts(block)).splitlines():
            lines += wrap(" ".join(LINK.sub(r"\1", line).split()), SLACK_COLUMNS)
    return lines


def texts(piece: object) -> Iterator[str]:
    """The texts of a piece of a message; each row and line ends with a line break."""
    if isinstance(piece, list):
        for one in piece:
            yield from texts(one)
            if isinstance(one, list):
                yield "\n"
    elif isinstance(piece, dict):
        for name in ("caption", "title", "text", "rows", "elements"):
            found = piece.get(name, "")
            yield from [f"{found} "] if isinstance(found, str) else texts(found)
        if piece.get("type") in ("rich_text_section", "rich_text_quote", "context"):
            yield "\n"


def test_short_forms_are_short_in_slack(answering: Answering) -> None:
    """Before the buttons: a median of twelve lines, nine in ten within sixteen."""
    shown = [
        read_before_buttons(RENDERER.render_blocks(at_a_glance(view)).blocks)
        for view in (answering.ask(text, context=COMMAND) for text in QUESTIONS)
    ]
    lines = sorted(len(each) for each in shown)
    said = sorted(len(re.findall(r"\S*\w\S*", " ".join(each))) for each in shown)

    assert lines[0] >= 1
    assert lines[len(lines) // 2] <= SHORT_LINES
    assert lines[len(lines) * 9 // 10] <= MOST_LINES
    assert said[len(said) // 2] <= SHORT_WORDS


def amounts(found: object) -> Iterator[float]:
    """Every number of a piece of JSON."""
    if isinstance(found, dict):
        for value in found.values():
            yield from amounts(value)
    elif isinstance(found, list):
        for value in found:
            yield from amounts(value)
    elif isinstance(found, int | float) and not isinstance(found, bool):
        yield float(found)


@pytest.mark.parametrize("question", QUESTIONS)
def test_json_carries_every_dollar_of_the_verdict(
    answering: Answering, question: str
) -> None:
    """Programs get what people read: the same sums, in figures of their own."""
    found = answering.answered(question, COMMAND)
    given = figures(found)
    told = [*amounts({k: v for k, v in given.items() if k not in ("verdict", "query")})]
    shown = re.findall(r"\$([\d,]+(?:\.\d+)?)(?!\d*[kMB])", found.view.verdict)
    for text in shown:
        usd = float(text.replace(",", ""))
        half = 0.501 / 10 ** len(text.partition(".")[2])
        assert any(abs(abs(one) - usd) <= half for one in told), text
    if (table := found.view.table) is not None:
        rows = [[cell.value for cell in row] for row in table.rows]
        assert rows == [
            [None if isinstance(one, str) else one for one in row]
            for row in given["table"]["rows"]
        ]
        assert table.winner == given["table"]["winner"]


def test_there_is_no_golden_file_without_a_question() -> None:
    """A file that no question draws is deleted, not kept."""
    expected = {file_for(question) for question in QUESTIONS}

    assert expected == {*HERE.glob("*.txt")} - {HERE / "questions.txt"}

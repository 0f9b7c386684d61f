"""The front door tells the truth."""

import re
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from bot.asking import AskContext
from bot.cli import COMMANDS
from bot.composition import compose
from bot.language.parse import parse
from bot.settings import VARIABLES, Settings
from bot.terminal import draw
from core.reference.load import reference

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
SHOWN = re.compile(r"<!-- answer: (.+?) -->\n```\n(.*?)```", re.DOTALL)
ASKED_ON = datetime(2026, 11, 21, tzinfo=UTC)


def answer(question: str, home: Path) -> str:
    """What the terminal prints for a question, 80 columns wide, on a fixed day."""
    answering = compose(Settings(home=home), clock=lambda: ASKED_ON)
    view = answering.ask(question, context=AskContext(surface="terminal"))
    page = StringIO()
    draw(view, Console(file=page, width=80))
    lines = (line.rstrip() for line in page.getvalue().splitlines())
    return "\n".join(lines) + "\n"


def test_the_answers_shown_are_what_it_answers(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Every answer in the README is the one that the shipped prices give."""
    found = SHOWN.findall(README)
    assert found
    if request.config.getoption("--update-golden"):
        _write_answers(tmp_path)
        return
    for question, shown in found:
        assert answer(question, tmp_path) == shown


def _write_answers(home: Path) -> None:
    text = SHOWN.sub(
        lambda m: f"<!-- answer: {m[1]} -->\n```\n{answer(m[1], home)}```", README
    )
    (ROOT / "README.md").write_text(text, "utf-8")


@pytest.mark.parametrize("command", [name for name in COMMANDS if name])
def test_every_command_is_named(command: str) -> None:
    """A command that the README does not name does not exist for a reader."""
    assert f"`gpucost {command}" in README


@pytest.mark.parametrize("variable", VARIABLES.values())
def test_every_setting_is_named(variable: str) -> None:
    """So with settings."""
    assert f"`{variable}`" in README


def questions() -> list[str]:
    """Every question that the README tells people to ask."""
    table = README.split("## What to ask")[1].split("## ")[0]
    return re.findall(r"`([^`]+)`", table.split("In a channel")[0])


@pytest.mark.parametrize("question", questions())
def test_every_example_is_answered(question: str, tmp_path: Path) -> None:
    """An example that the README gives is read and answered."""
    assert parse(question, reference()).clarify is None
    view = compose(Settings(home=tmp_path)).ask(
        question, context=AskContext(surface="terminal")
    )

    assert view.kind in ("answer", "no")


@pytest.mark.parametrize("target", re.findall(r"`make ([\w-]+)", README))
def test_every_make_target_exists(target: str) -> None:
    """Each target that the README names is in the Makefile."""
    makefile = (ROOT / "Makefile").read_text()

    assert re.search(rf"^{target}:", makefile, re.MULTILINE)

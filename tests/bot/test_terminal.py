"""Answers in a terminal: 80 columns, no colour needed, nothing obeyed."""

import io
import re
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from bot.commands.cli import main
from bot.render.terminal import draw
from bot.render.views import AnswerView, Cell, Table
from tests.bot.samples import ANSWER, ERROR, EVERY_KIND, HINT, TABLE


def drawn(view: AnswerView, width: int = 80, color: bool = False) -> list[str]:
    """Draw a view as it would be piped, line by line."""
    out = io.StringIO()
    system = "truecolor" if color else None
    draw(
        view, Console(file=out, width=width, force_terminal=color, color_system=system)
    )
    return [line.rstrip() for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("view", EVERY_KIND, ids=lambda v: v.kind)
def test_nothing_is_wider_than_the_terminal(view: AnswerView) -> None:
    """Every line of every kind fits 80 columns."""
    assert [line for line in drawn(view) if cell_len(line) > 80] == []


def test_the_verdict_is_the_first_line() -> None:
    """What to do is read before why."""
    assert ANSWER.verdict == drawn(ANSWER)[0]


def test_every_part_is_drawn() -> None:
    """Nothing that the view holds is missing, beyond the rows behind "more"."""
    text = "\n".join(drawn(ANSWER, width=120))

    said = [
        *(ANSWER.why, *ANSWER.notes, TABLE.caption, TABLE.note, *ANSWER.small_print),
        *(cell.text for row in TABLE.rows[: TABLE.shown] for cell in row),
        *(lever.text for lever in ANSWER.levers),
        *(lever.difference for lever in ANSWER.levers),
        *(chip.value for chip in ANSWER.chips),
        *(chip.why for chip in ANSWER.chips),
        *("H100 $/GPU-hour", "11,232", "Answer k7f2q9"),
    ]
    assert [part for part in said if part not in text] == []


def test_the_winner_is_marked_without_colour() -> None:
    """Only the row that the verdict names bears the star."""
    marked = [line for line in drawn(ANSWER) if "★" in line]

    assert [line.startswith("★ RunPod") for line in marked] == [True]


def test_rows_beyond_the_shown_are_counted() -> None:
    """Seven of eight offers are drawn, and the eighth is counted."""
    text = "\n".join(drawn(ANSWER))

    assert "Azure" not in text
    assert "… 1 more. In all rows: Count: 4; Age: 2 d. 12 rejected" in text


def test_the_winner_is_drawn_wherever_it_stands() -> None:
    """A winner below the fold replaces the last row that is shown."""
    rows = tuple((Cell(text=f"offer {n}"),) for n in range(20))
    table = Table(caption="c", columns=("Offer",), rows=rows, winner=15, shown=3)

    lines = drawn(ANSWER.model_copy(update={"table": table}))

    assert [x for x in lines if "offer " in x] == ["offer 0", "offer 1", "★ offer 15"]


def test_figures_stay_whole_in_80_columns() -> None:
    """Names wrap, money does not."""
    text = "\n".join(drawn(ANSWER))

    assert [row[5].text for row in TABLE.rows[:7] if row[5].text not in text] == []


@pytest.mark.parametrize("text", ["\x1b[2Jgone", "[red]bracket[/red]", "a\x07\rb"])
def test_escapes_and_markup_are_only_shown(text: str) -> None:
    """A question cannot clear the screen, ring the bell or paint the answer."""
    view = HINT.model_copy(update={"verdict": text, "why": text, "examples": (text,)})

    lines = drawn(view)

    assert [line for line in lines if set(line) & set("\x1b\x07\r")] == []
    assert text != "[red]bracket[/red]" or text == lines[0]


def test_an_error_names_its_reference() -> None:
    """The reference can be quoted to whoever reads the log."""
    assert drawn(ERROR)[-1] == "Reference deadbeef"


def test_colour_adds_nothing_that_words_do_not_say() -> None:
    """The same words are drawn with colour and without."""
    colour = [re.sub("\x1b\\[[0-9;]*m", "", line) for line in drawn(ANSWER, color=True)]

    assert drawn(ANSWER) == [line.rstrip() for line in colour]


def test_a_price_of_ones_own_is_kept_used_listed_and_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is negotiated is written where the questions are asked."""
    monkeypatch.setenv("GPUCOST_HOME", str(tmp_path))

    def told(*words: str) -> tuple[int, str]:
        return main(words), " ".join(capsys.readouterr().out.split())

    kept = told("setprice", "lambda", "h100", "3.00", "reserved", "12m")
    price = told("price h100 lambda")
    listed = told("setprice", "list")
    gone = told("setprice", "remove", "1")
    empty = told("setprice")

    assert (0, True) == (kept[0], "Saved: Lambda H100 SXM at $3.00" in kept[1])
    assert "$3.00 1-year reserved (your price) (Lambda)" in price[1]
    assert "1 negotiated price" in listed[1]
    assert "Taken back" in gone[1]
    assert "price book of this workspace is empty" in empty[1]


def test_a_price_that_cannot_be_meant_is_a_usage_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The shell sees it, and the reader an example."""
    monkeypatch.setenv("GPUCOST_HOME", str(tmp_path))

    assert 2 == main(["setprice", "nowhere", "h100", "2"])
    assert "For example: /gpucost setprice" in capsys.readouterr().out

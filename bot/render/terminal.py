"""Draw any answer in a terminal: readable in 80 columns, and without colour."""

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from rich import box
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from bot.render.block_limits import Cuts, cut, without_repeats
from bot.render.plot import drawn, numeric
from bot.render.same import told_once
from bot.render.views import AnswerView, Cell, Chip, Lever, Table
from bot.render.words import say

# A terminal scrolls: the parts are cut for reading, not for a limit.
_TERMINAL = Cuts(cell=60, line=1000, note=1000, why=4000, verdict=2000, levers=20)
_INDENT = (0, 0, 0, 2)
_ADDRESS = 60
"""Characters of an address that is shown whole."""
_GAP = 2
"""Blanks that rich leaves between two columns."""
_FIRST = 18
"""Columns that the name of a row gets, however many figures stand beside it."""


def draw(view: AnswerView, console: Console) -> None:
    """Write the view to the console, the verdict first."""
    shown = cut(without_repeats(view), _TERMINAL)
    # Wider than this is hard to read, and the figures drift from their labels.
    width = min(console.width, 120)
    for part in _parts(shown, width):
        console.print(part, width=width, soft_wrap=False, highlight=False)


def _parts(view: AnswerView, width: int) -> Iterator[RenderableType]:
    yield Text(view.verdict, style="bold")
    if view.not_used:
        yield Text(say("render.not_used", said="; ".join(view.not_used)))
    if view.why:
        yield Text(view.why)
    for note in view.notes:
        yield Text(f"• {note}")
    if view.picks:
        yield Text("")
        yield _grid(view.picks, width)
    if view.table:
        yield from _table(view.table, width)
    for chart in view.charts:
        yield Text("\n" + drawn(chart, width - 2))
    if view.levers:
        yield from _section("Levers", _levers(view.levers))
    yield from _reading(view)
    if view.chips:
        yield from _section("Assumptions", _chips(view.chips))
    if view.examples:
        yield from _section("Try", Text(_examples(view)))
    yield from _small_print(view)


LONG = 60
"""Characters from which a question is not told again with each word to add."""


def _examples(view: AnswerView) -> str:
    """Questions to try; what they add alone, where they are long and say the rest."""
    said = view.question.rstrip(" ?.!")
    added = [text.removeprefix(said) for text in view.examples]
    repeated = len(said) > LONG and said not in added
    if not repeated or any(len(text) > LONG for text in added):
        return "\n".join(view.examples)
    return " · ".join(f"…{text}" for text in added)


def _reading(view: AnswerView) -> Iterator[RenderableType]:
    """What would save money, and what was read."""
    lines = [line for line in (view.save, view.read_as) if line]
    if lines:
        yield Text("\n" + "\n".join(lines))


def _section(title: str, body: RenderableType) -> Iterator[RenderableType]:
    yield Text(f"\n{title}", style="bold")
    yield Padding(body, _INDENT, expand=False)


def _table(table: Table, width: int) -> Iterator[RenderableType]:
    yield Text("")
    table = told_once(table, _visible(table))
    if table.rows:
        if len(table.rows) > table.shown or table.note:
            yield Text(table.caption, style="italic")
        yield _grid(table, width)
    hidden = len(table.rows) - table.shown
    notes = [f"… {hidden} more" if hidden > 0 else "", table.note]
    if said := ". ".join(filter(None, notes)):
        yield Text(said, style="dim")


def _grid(table: Table, width: int) -> Grid:
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    rows = [table.rows[index] for index in _visible(table)]
    columns = _columns(table, rows, width)
    for column in columns:
        grid.add_column(
            Text(column.heading),
            justify="right" if column.right else "left",
            no_wrap=column.right,
            min_width=column.width,
        )
    for index, row in zip(_visible(table), rows, strict=True):
        style = "bold green" if index == table.winner else ""
        grid.add_row(*(Text(c.text) for c in row[: len(columns)]), style=style)
    return grid


class _Column(NamedTuple):
    heading: str
    width: int
    right: bool


def _columns(table: Table, rows: Sequence[Sequence[Cell]], width: int) -> list[_Column]:
    """As many columns, from the left, as the width has room for with every figure."""
    columns: list[_Column] = []
    for place, right in enumerate(numeric(table)):
        widest = max(cell_len(row[place].text) for row in rows)
        name = table.columns[place]
        heading = _heading(name, widest) if right else name
        needed = (
            max(widest, *map(cell_len, heading.splitlines()))
            if right
            else min(widest, _FIRST)
        )
        columns.append(_Column(heading, needed, right))
    while len(columns) > 2 and sum(c.width + _GAP for c in columns) > width:
        columns.pop()
    return columns


def _heading(name: str, widest: int) -> str:
    """Break a heading between words where its figures are narrower than it is."""
    room = max(widest, *map(cell_len, name.split()), 1)
    return "\n".join(wrap(name, room))


def _visible(table: Table) -> list[int]:
    """Choose the first rows, and the winner wherever it stands."""
    first = list(range(min(table.shown, len(table.rows))))
    if table.winner is not None and table.winner not in first:
        first[-1] = table.winner
    return first


def _levers(levers: tuple[Lever, ...]) -> Grid:
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for lever in levers:
        note = f" ({lever.note})" if lever.note else ""
        grid.add_row(Text(lever.text), Text.assemble((lever.difference, "bold"), note))
    return grid


def _chips(chips: tuple[Chip, ...]) -> Grid:
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    for chip in chips:
        grid.add_row(Text(chip.label), Text(chip.value), Text(chip.why, style="dim"))
    return grid


def _small_print(view: AnswerView) -> Iterator[RenderableType]:
    yield Text("")
    lines = list(view.small_print)
    if view.id and not any(view.id in line for line in lines):
        named = f"{'Reference' if view.kind == 'error' else 'Answer'} {view.id}"
        lines = [" · ".join([*lines, named])] if len(lines) < 2 else [*lines, named]
    for line in lines:
        yield _linked(line)


def _linked(line: str) -> Text:
    """Small print in which a long address is a link under its host's name."""
    text = Text(style="dim")
    for word in re.split(r"(\s+)", line):
        if word.startswith("http") and len(word) > _ADDRESS:
            text.append(word.split("/")[2], style=f"link {word}")
        else:
            text.append(word)
    return text

"""Cut any answer to what Slack accepts: a shorter answer rather than a refused one.

Limits: docs.slack.dev/reference/block-kit/blocks. Where copies of those pages differ,
the smaller figure stands, so that every version of the platform accepts the message.
"""

import math
from collections.abc import Callable, Iterable
from functools import cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from bot.render.plot import STAR
from bot.render.same import told_once
from bot.render.sanitize import clean, clip, fitted, one_line
from bot.render.views import (
    Action,
    AnswerView,
    Cell,
    Chart,
    Chip,
    Credit,
    Lever,
    Series,
    Table,
)
from bot.render.words import say
from core.patterns import regex

BUTTON_TEXT: Final = 75
BUTTON_VALUE: Final = 2000
ACTION_ID: Final = 255
ACTIONS: Final = 25
TABLE_COLUMNS: Final = 20
CHART_TITLE: Final = 50
CHART_LABEL: Final = 20
CHART_SERIES: Final = 6
CHART_POINTS: Final = 20
_CHIP_LABEL: Final = 28
_CHIP_VALUE: Final = BUTTON_TEXT - _CHIP_LABEL - len(": ")
_NOTHING: Final = "–"
_PERSON: Final = regex(r"[UW][A-Z0-9]{1,30}")


class Cuts(Struct, frozen=True):
    """How much of each part is kept; lengths in characters, the rest in pieces."""

    verdict: int = 700
    why: int = 1200
    notes: int = 30
    note: int = 400
    rows: int = 100
    columns: int = TABLE_COLUMNS
    cell: int = 150
    charts: int = 2
    levers: int = 5
    chips: int = 40
    reason: int = 160
    examples: int = 8
    small_print: int = 10
    line: int = 300
    question: int = 300


LEVELS: Final = (
    Cuts(),
    Cuts(rows=50, cell=80),
    Cuts(rows=25, cell=60, reason=80, notes=20, note=300),
    Cuts(rows=10, cell=50, reason=0, charts=1, line=200, notes=12, note=300),
    Cuts(rows=7, cell=40, reason=0, charts=0, line=150, notes=8, note=200, chips=20),
    Cuts(
        verdict=300,
        why=300,
        notes=2,
        note=150,
        rows=3,
        columns=6,
        cell=24,
        charts=0,
        levers=3,
        chips=6,
        reason=0,
        examples=3,
        small_print=3,
        line=150,
        question=100,
    ),
)
"""From whole to bare; the first that fits a message is sent."""

WORDS_LEVELS: Final = (Cuts(rows=25), Cuts(rows=10), *LEVELS[3:])
"""The same for the text, which holds a third of what blocks do."""


UNUSED: Final = 60
"""Characters of one thing that was said and not used."""


def without_repeats(view: AnswerView) -> AnswerView:
    """What each row of a table says is told once: before the view is cut, once too."""
    tables = {"table": view.table, "picks": view.picks}
    once = {name: told_once(table) for name, table in tables.items() if table}
    return view.model_copy(update=once)


Draft = Callable[[Cuts], AnswerView]


def drafts(view: AnswerView) -> Draft:
    """Cut a view to any level, each once: most tables are whole at several."""
    tables = [table for table in (view.table, view.picks) if table]
    most = max((len(table.rows) for table in tables), default=0)
    draft = cache(lambda cuts: cut(view, cuts))
    return lambda cuts: draft(replace(cuts, rows=min(cuts.rows, most)))


def cut(view: AnswerView, cuts: Cuts) -> AnswerView:
    """Shorten every part; nothing comes back empty, ragged or unshowable."""
    return view.model_copy(
        update={
            "id": fitted(view.id, 64),
            "question": fitted(view.question, cuts.question),
            "verdict": clip(clean(view.verdict), cuts.verdict) or _NOTHING,
            "why": clip(clean(view.why), cuts.why),
            "table": view.table and cut_table(view.table, cuts),
            "charts": _charts(view.charts, cuts),
            "levers": tuple(
                _lever(lever, cuts) for lever in view.levers[: cuts.levers]
            ),
            "chips": tuple(_chip(x, cuts) for x in view.chips[: cuts.chips]),
            "notes": _texts(view.notes, cuts.notes, cuts.note),
            "not_used": _texts(view.not_used, cuts.notes, UNUSED),
            "examples": _examples(view.examples, cuts.examples),
            "credits": tuple(_credit(c, cuts) for c in view.credits[: cuts.notes]),
            "small_print": _texts(view.small_print, cuts.small_print, cuts.line),
            "picks": view.picks and cut_table(view.picks, cuts),
            "save": fitted(view.save, cuts.why),
            "read_as": clip(clean(view.read_as), cuts.why),
            "prices": fitted(view.prices, cuts.line),
            "variants": actions(view.variants),
            "actions": actions(view.actions),
        }
    )


def actions(wanted: Iterable[Action]) -> tuple[Action, ...]:
    """Make buttons acceptable: named apart, labelled, and none that lost its value."""
    usable = [a for a in wanted if len(a.value.encode("utf-16-le")) <= 2 * BUTTON_VALUE]
    ids = distinct((action.id for action in usable[:ACTIONS]), ACTION_ID)
    return tuple(
        _action(action, name, fitted(action.label, BUTTON_TEXT) or _NOTHING)
        for name, action in zip(ids, usable, strict=False)
    )


def _action(action: Action, name: str, label: str) -> Action:
    if action.id == name and action.label == label:
        return action
    return action.model_copy(update={"id": name, "label": label})


def distinct(names: Iterable[str], limit: int) -> list[str]:
    """Clip names so that no two are the same and none is empty."""
    taken: list[str] = []
    for name in names:
        base = candidate = fitted(name, limit) or _NOTHING
        count = 1
        while candidate in taken:
            count += 1
            candidate = clip(base, limit - len(f":{count}")) + f":{count}"
        taken.append(candidate)
    return taken


def _texts(lines: Iterable[str], count: int, length: int) -> tuple[str, ...]:
    shown = [text for text in (fitted(line, length) for line in lines) if text]
    return tuple(shown[:count])


def _examples(questions: Iterable[str], count: int) -> tuple[str, ...]:
    lines = [one_line(question) for question in questions]
    usable = [line for line in lines if line and len(line) <= BUTTON_VALUE // 2]
    return tuple(usable[:count])


def _lever(lever: Lever, cuts: Cuts) -> Lever:
    text = fitted(lever.text, cuts.note) or _NOTHING
    difference = fitted(lever.difference, cuts.note // 2)
    note = fitted(lever.note, cuts.note // 2)
    if (text, difference, note) == (lever.text, lever.difference, lever.note):
        return lever
    return Lever(text=text, difference=difference, note=note)


def _credit(credit: Credit, cuts: Cuts) -> Credit:
    known = _PERSON.fullmatch(credit.user_id)
    return Credit(
        text=fitted(credit.text, cuts.note) or _NOTHING,
        user_id=credit.user_id if known else "",
    )


def _chip(chip: Chip, cuts: Cuts) -> Chip:
    field = fitted(chip.field, ACTION_ID)
    label = fitted(chip.label, _CHIP_LABEL) or _NOTHING
    value = fitted(chip.value, _CHIP_VALUE) or _NOTHING
    why = fitted(chip.why, cuts.reason) if cuts.reason else ""
    if (field, label, value, why) == (chip.field, chip.label, chip.value, chip.why):
        return chip
    return Chip(field=field, label=label, value=value, why=why)


def cut_table(table: Table, cuts: Cuts) -> Table:
    """Shorten a table; its winner stays, and what is hidden is counted."""
    columns = table.columns[: cuts.columns]
    kept = _kept(table, cuts.rows) if columns else []
    hidden = len(table.rows) - len(kept)
    notes = [
        say("render.cut_table", hidden=hidden) if hidden else "",
        one_line(table.note),
    ]
    winner = kept.index(table.winner) if table.winner in kept else None
    rows = [
        _row(table.rows[i], len(columns), cuts.cell, i == table.winner) for i in kept
    ]
    return Table(
        caption=fitted(table.caption, cuts.line) or "Comparison",
        columns=tuple(fitted(c, cuts.cell) or _NOTHING for c in columns),
        rows=tuple(rows),
        winner=winner,
        shown=max(1, min(table.shown, len(kept), 100)),
        note=clip("; ".join(filter(None, notes)), cuts.note),
    )


def _kept(table: Table, count: int) -> list[int]:
    """Choose the first rows, and the winner wherever it stands."""
    first = list(range(min(count, len(table.rows))))
    winner = table.winner
    if winner is None or not 0 <= winner < len(table.rows) or winner in first:
        return first
    return [*first[:-1], winner]


def _row(
    row: tuple[Cell, ...], columns: int, length: int, wins: bool
) -> tuple[Cell, ...]:
    padded = [*row[:columns], *[Cell(text="") for _ in range(columns - len(row))]]
    cells = [_cell(cell, length) for cell in padded]
    if wins:
        star = clip(STAR + cells[0].text, length)
        cells[0] = cells[0].model_copy(update={"text": star})
    return tuple(cells)


def _cell(cell: Cell, length: int) -> Cell:
    text = fitted(cell.text, length) or _NOTHING
    number = cell.value is not None and math.isfinite(cell.value)
    value = cell.value if number else None
    # Most cells fit as they are, and a table has hundreds.
    same = text == cell.text and value == cell.value
    return cell if same else Cell(text=text, value=value)


def _charts(charts: Iterable[Chart], cuts: Cuts) -> tuple[Chart, ...]:
    shown = [chart for chart in map(_chart, charts) if chart is not None]
    return tuple(shown[: cuts.charts])


def _chart(chart: Chart) -> Chart | None:
    """Keep the points that every series has; None when there is nothing to draw."""
    series = chart.series[:CHART_SERIES]
    points = [
        i
        for i in range(min((len(s.values) for s in series), default=0))
        if i < len(chart.categories) and all(math.isfinite(s.values[i]) for s in series)
    ]
    # A line is read for where it ends, bars from the first.
    points = points[-CHART_POINTS:] if chart.kind == "line" else points[:CHART_POINTS]
    if not points:
        return None
    names = distinct((s.name for s in series), CHART_LABEL)
    return Chart(
        kind=chart.kind,
        title=fitted(chart.title, CHART_TITLE) or _NOTHING,
        categories=tuple(distinct((chart.categories[i] for i in points), CHART_LABEL)),
        series=tuple(
            Series(name=name, values=tuple(s.values[i] for i in points))
            for name, s in zip(names, series, strict=True)
        ),
        x_label=fitted(chart.x_label, CHART_TITLE),
        y_label=fitted(chart.y_label, CHART_TITLE),
    )

"""Tables and charts in monospaced characters, for where nothing better is drawn."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rich.cells import cell_len, set_cell_size

from bot.render.views import Chart, Table
from bot.render.words import say

PHONE = 40
"""Monospaced characters beside each other on a phone, in a message of Slack's."""
STACKED_ROWS = 10
"""Of three lines each, so many are two screens of a phone."""
TOLD_CHARACTERS: Final = 3000
"""Of a table of words, whose rows are one another's equals."""
STAR = "★ "
NOTHING = "–"
"""What stands in a cell that holds nothing."""
_SPARKS = "▁▂▃▄▅▆▇█"
_EIGHTHS = " ▏▎▍▌▋▊▉"
_GAP = _INDENT = "  "


def figure(value: float) -> str:
    """Write a chart's number with three significant digits, or whole above 100."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def sparkline(values: Sequence[float]) -> str:
    """Draw values as one row of eight-step bars between their own extremes."""
    low, high = min(values), max(values)
    if low == high:
        return _SPARKS[3] * len(values)
    top = len(_SPARKS) - 1
    # Halves first: the span of two huge values would overflow.
    span = high / 2 - low / 2
    return "".join(_SPARKS[round((v / 2 - low / 2) / span * top)] for v in values)


def bar(value: float, largest: float, width: int) -> str:
    """Draw one bar in eighths of a character, full at `largest`."""
    if largest <= 0 or value <= 0:
        return ""
    eighths = round(value / largest * width * 8)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def drawn(chart: Chart, width: int = PHONE) -> str:
    """Draw a chart: a sparkline for each line, a bar for each category's value."""
    lines = _lines(chart, width) if chart.kind == "line" else _bars(chart, width)
    return "\n".join([chart.title, *lines])


def spoken(chart: Chart) -> str:
    """Say a chart in words: each series with the value at every category."""
    series = (
        f"{series.name}: "
        + ", ".join(
            f"{category} {figure(value)}"
            for category, value in zip(chart.categories, series.values, strict=True)
        )
        for series in chart.series
    )
    return "\n".join([chart.title, *series])


def _lines(chart: Chart, width: int) -> list[str]:
    name = max(cell_len(series.name) for series in chart.series)
    first, last = chart.categories[0], chart.categories[-1]
    lines: list[str] = []
    for series in chart.series:
        spark = f"{set_cell_size(series.name, name)}  {sparkline(series.values)}"
        start, end = figure(series.values[0]), figure(series.values[-1])
        ends = f"{first} {start} → {last} {end}"
        whole = f"{spark}  {ends}"
        lines += [whole] if cell_len(whole) <= width else [spark, _INDENT + ends]
    return lines


def _bars(chart: Chart, width: int) -> list[str]:
    labels = _bar_labels(chart)
    rows = zip(*(series.values for series in chart.series), strict=True)
    values = [value for row in rows for value in row]
    figures = [figure(value) for value in values]
    label = max(cell_len(text) for text in labels)
    room = max(4, width - label - max(map(len, figures)) - 4)
    return [
        f"{set_cell_size(text, label)}  {bar(value, max(values), room)}  {written}"
        for text, value, written in zip(labels, values, figures, strict=True)
    ]


def _bar_labels(chart: Chart) -> list[str]:
    if len(chart.series) == 1:
        return list(chart.categories)
    return [
        f"{category} {series.name}"
        for category in chart.categories
        for series in chart.series
    ]


def numeric(table: Table) -> list[bool]:
    """Tell for each column whether every row holds a number there."""
    return [
        bool(table.rows) and all(row[column].value is not None for row in table.rows)
        for column in range(len(table.columns))
    ]


def grid(table: Table, width: int = PHONE) -> str:
    """Align a table's columns, numbers to the right.

    Where that is wider than a phone, where Slack would break lines anywhere, each row
    takes several: figures under their heads, of the table's first page; words behind
    theirs, of every row that a message has room for.
    """
    texts = [list(table.columns), *([c.text for c in row] for row in table.rows)]
    columns = zip(*texts, strict=True)
    widths = [max(cell_len(text) for text in column) for column in columns]
    right = numeric(table)
    if sum(widths) + len(_GAP) * (len(widths) - 1) <= width:
        lines = [_aligned(row, widths, right) for row in texts]
        return "\n".join([lines[0], "─" * max(map(cell_len, lines)), *lines[1:]])
    if 2 * sum(right[1:]) > len(right) - 1:
        rows = [texts[1 + number] for number in _shown(table)]
        parts = list(_stacked([texts[0], *rows], widths, right, width))
        hidden = len(table.rows) - len(rows)
    else:
        told = ("\n".join(_told(texts[0], row, right, width)) for row in texts[1:])
        parts = list(_fitting(told))
        hidden = len(table.rows) - len(parts)
    return "\n".join([*parts, *([say("render.grid", hidden=hidden)] if hidden else [])])


def _stacked(
    texts: Sequence[list[str]],
    widths: Sequence[int],
    right: Sequence[bool],
    width: int,
) -> Iterator[str]:
    """Set each row's name on a line of its own, its figures below, as under heads.

    Words that are alone on a line stay whole: broken, they are words still.
    """
    widths = [min(each, width - len(_INDENT)) for each in widths]
    breaks = _breaks(widths, width)
    for row in texts:
        yield row[0]
        for start, end in breaks:
            part = slice(start, end)
            line = _aligned(row[part], widths[part], right[part])
            yield _INDENT + (line if end - start > 1 else row[start].rjust(len(line)))
        if row is texts[0]:
            yield "─" * width


def _told(
    heads: Sequence[str], row: Sequence[str], right: Sequence[bool], width: int
) -> Iterator[str]:
    """Say a row by its name and, below, what it holds, each behind its head."""
    yield f"{heads[0]} {row[0]}" if right[0] else row[0]
    pairs = zip(heads[1:], row[1:], strict=True)
    line = ""
    for said in [f"{head}: {text}" for head, text in pairs if text != NOTHING]:
        longer = f"{line} · {said}" if line else said
        if line and cell_len(_INDENT + longer) > width:
            yield _INDENT + line
            longer = said
        line = longer
    if line:
        yield _INDENT + line


def _shown(table: Table) -> list[int]:
    """The rows of the first page, or some more, the winner among them."""
    first = list(range(min(max(table.shown, STACKED_ROWS), len(table.rows))))
    if table.winner is None or table.winner in first:
        return first
    return [*first[:-1], table.winner]


def _fitting(parts: Iterable[str]) -> Iterator[str]:
    """Give the first parts, as many as a message has room for."""
    taken = 0
    for part in parts:
        taken += len(part) + 1
        if taken > TOLD_CHARACTERS:
            return
        yield part


def _breaks(widths: Sequence[int], width: int) -> list[tuple[int, int]]:
    """Tell from which to which column each line below a row's name goes."""
    lines: list[tuple[int, int]] = []
    start, room = 1, width - len(_INDENT)
    for column in range(1, len(widths)):
        taken = widths[start : column + 1]
        if column > start and sum(taken) + len(_GAP) * (len(taken) - 1) > room:
            lines.append((start, column))
            start = column
    return [*lines, (start, len(widths))] if len(widths) > 1 else lines


def _aligned(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    cells = [
        " " * (width - cell_len(text)) + text
        if to_right and cell_len(text) <= width
        else set_cell_size(text, width)
        for text, width, to_right in zip(row, widths, right, strict=True)
    ]
    return _GAP.join(cells).rstrip()

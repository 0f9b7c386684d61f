"""Tables and charts in monospaced characters, for where nothing better is drawn."""

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size

from bot.views import Chart, Table

STAR = "★ "
_SPARKS = "▁▂▃▄▅▆▇█"
_EIGHTHS = " ▏▎▍▌▋▊▉"
_CELL_WIDTH = 40


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


def drawn(chart: Chart, width: int = 72) -> str:
    """Draw a chart: a sparkline for each line, a bar for each category's value."""
    lines = _lines(chart) if chart.kind == "line" else _bars(chart, width)
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


def _lines(chart: Chart) -> list[str]:
    name = max(cell_len(series.name) for series in chart.series)
    first, last = chart.categories[0], chart.categories[-1]
    return [
        f"{set_cell_size(series.name, name)}  {sparkline(series.values)}"
        f"  {first} {figure(series.values[0])} → {last} {figure(series.values[-1])}"
        for series in chart.series
    ]


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


def grid(table: Table, limit: int = 3000) -> str:
    """Align a table's columns, numbers to the right; as many rows as `limit` allows."""
    texts = [list(table.columns), *([c.text for c in row] for row in table.rows)]
    widths = [
        min(_CELL_WIDTH, max(cell_len(text) for text in column))
        for column in zip(*texts, strict=True)
    ]
    lines = [_aligned(row, widths, numeric(table)) for row in texts]
    kept = [lines[0], "─" * min(cell_len(lines[0]), sum(widths) + 2 * len(widths))]
    for line in lines[1:]:
        if sum(map(len, kept)) + len(kept) + len(line) > limit:
            kept.append(f"… {len(texts) + 1 - len(kept)} more")
            break
        kept.append(line)
    return "\n".join(kept)


def _aligned(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    cells = [
        " " * (width - cell_len(text)) + text
        if to_right and cell_len(text) <= width
        else set_cell_size(text, width)
        for text, width, to_right in zip(row, widths, right, strict=True)
    ]
    return "  ".join(cells).rstrip()

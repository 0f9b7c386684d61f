"""Columns that say the same in each row: told once below the table."""

from collections.abc import Sequence

from bot.render.views import Cell, Table
from bot.render.words import say

FEW = 3
"""Rows below which a repeated value is no burden."""
NEVER = ("$", "Cost")
"""How headings of money begin: an amount stands in each row."""


def told_once(table: Table, shown: Sequence[int] | None = None) -> Table:
    """The table without such columns, and what they say in its note.

    Looks at the rows that are shown, by default all. Fewer than three rows stay.
    """
    table, ends = _without_same_ends(table, shown)
    rows = [table.rows[n] for n in shown] if shown is not None else [*table.rows]
    same = [n for n in range(1, len(table.columns)) if _says_same(table, n, rows)]
    if len(rows) < FEW or len(same) + 2 > len(table.columns):
        same = []
    kept = [n for n in range(len(table.columns)) if n not in same]
    words = [f"{table.columns[n]}: {rows[0][n].text}" for n in same if rows[0][n].text]
    words += ends
    if not words and not same:
        return table
    note = _noted(words, table.note)
    return table.model_copy(
        update={
            "columns": tuple(table.columns[n] for n in kept),
            "rows": tuple(
                [tuple([row[n] for n in kept if n < len(row)]) for row in table.rows]
            ),
            "note": note,
        }
    )


def _noted(words: Sequence[str], note: str) -> str:
    """Put what all rows say before a note, which may begin with such words itself."""
    start = say("render.told_once", words="")
    told = note.removeprefix(start) if note.startswith(start) else ""
    untold = []
    for one in words:
        name = one.partition(": ")[0] + ": "
        if told.startswith(name) or f"; {name}" in told:
            told = told.replace(name, f"{one}, ", 1)  # its end is said there
        else:
            untold.append(one)
    if told:
        return say("render.told_once", words="; ".join((*untold, told)))
    said = say("render.told_once", words="; ".join(untold)) if untold else ""
    return ". ".join(filter(None, (said, note)))


def _without_same_ends(
    table: Table, shown: Sequence[int] | None
) -> tuple[Table, list[str]]:
    """Take off what each cell of a column ends with: "41 days, stale".

    Said of all rows, so all have it, those that are not shown among them.
    """
    rows, ends = [list(row) for row in table.rows], []
    if len(rows if shown is None else shown) < FEW:
        return table, []
    for n in range(1, min(len(table.columns), *map(len, rows))):
        if ", " not in rows[0][n].text or _says_same(table, n, rows):
            continue
        last = {row[n].text.rpartition(", ")[2] for row in rows}
        if len(last) != 1 or not all(", " in row[n].text for row in rows):
            continue
        ends.append(f"{table.columns[n]}: {(end := last.pop())}")
        for row in rows:
            text = row[n].text.removesuffix(f", {end}")
            row[n] = row[n].model_copy(update={"text": text})
    if not ends:
        return table, []
    return table.model_copy(update={"rows": tuple(map(tuple, rows))}), ends


def _says_same(table: Table, column: int, rows: Sequence[Sequence[Cell]]) -> bool:
    if table.columns[column].startswith(NEVER) or column >= min(
        map(len, rows), default=0
    ):
        return False
    return len({row[column].text for row in rows}) == 1

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
    rows = [table.rows[n] for n in shown] if shown is not None else [*table.rows]
    same = [n for n in range(1, len(table.columns)) if _says_same(table, n, rows)]
    if len(rows) < FEW or len(same) + 2 > len(table.columns):
        return table
    kept = [n for n in range(len(table.columns)) if n not in same]
    words = [f"{table.columns[n]}: {rows[0][n].text}" for n in same if rows[0][n].text]
    note = say("render.told_once", words=", ".join(words)) if words else ""
    return table.model_copy(
        update={
            "columns": tuple(table.columns[n] for n in kept),
            "rows": tuple(
                tuple(row[n] for n in kept if n < len(row)) for row in table.rows
            ),
            "note": ". ".join(filter(None, (note, table.note))),
        }
    )


def _says_same(table: Table, column: int, rows: Sequence[Sequence[Cell]]) -> bool:
    if table.columns[column].startswith(NEVER) or any(len(r) <= column for r in rows):
        return False
    return len({row[column].text for row in rows}) == 1

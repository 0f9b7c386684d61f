"""Tens of thousands of rows at once."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import Any

from prices.database.connection import Connection

AT_ONCE = 50
"""Rows of one statement: twenty values each, at most, stay within what SQLite binds."""

Row = Sequence[Any]


@contextmanager
def collector_paused() -> Iterator[None]:
    """Hold off the cyclic garbage collector while rows become objects.

    Prices hold no cycles, yet every few hundred of them would make the collector walk
    all that the process holds, which doubles the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def insert(
    connection: Connection,
    table: str,
    columns: Sequence[str],
    rows: Sequence[Row],
    **shared: Any,
) -> None:
    """Insert rows, many to a statement; `shared` columns are alike in all of them."""
    whole = len(rows) // AT_ONCE * AT_ONCE
    flat = chain.from_iterable(islice(rows, whole))
    size = AT_ONCE * len(columns)
    common = tuple(shared.values())
    batches = iter(lambda: tuple(islice(flat, size)), ())
    begin = f"{connection.dialect.insert} {table}"
    many = _statement(begin, tuple(shared), columns, AT_ONCE)
    connection.executemany(many, (common + batch for batch in batches))
    one = _statement(begin, tuple(shared), columns, 1)
    connection.executemany(one, [common + tuple(row) for row in rows[whole:]])


def _statement(
    begin: str, shared: Sequence[str], columns: Sequence[str], rows: int
) -> str:
    """Return an insertion whose first parameters stand in every row."""
    common = [f"?{number}" for number in range(1, len(shared) + 1)]
    width, first = len(columns), len(shared) + 1
    values = [
        [f"?{first + row * width + place}" for place in range(width)]
        for row in range(rows)
    ]
    written = ",".join(f"({','.join(common + each)})" for each in values)
    names = ",".join((*shared, *columns))
    # Names come from the program alone; values are bound.
    return f"{begin} ({names}) VALUES {written}"

"""What all rows of a table say is said once, in its note."""

import pytest

from bot.render.same import told_once
from bot.render.views import Cell, Table


def table(*ages: str, note: str = "") -> Table:
    """Offers with their prices and the ages of these."""
    rows = [
        (Cell(text=f"Offer {n}"), Cell(text=f"${n}"), Cell(text=age))
        for n, age in enumerate(ages)
    ]
    columns = ("Offer", "$/h", "Age")
    return Table(caption="Offers", columns=columns, rows=tuple(rows), note=note)


@pytest.mark.parametrize(
    ("ages", "kept", "note"),
    [
        (("2 d", "2 d", "2 d"), [], "In all rows: Age: 2 d"),
        (("2 d, old", "3 d, old", "4 d, old"), ["2 d", "3 d", "4 d"], "In all rows: "),
        (("2 d, old", "3 d", "4 d, old"), ["2 d, old", "3 d", "4 d, old"], ""),
        (("2 d, old", "3 d, old"), ["2 d, old", "3 d, old"], ""),
    ],
)
def test_a_cell_or_its_end_is_told_once(
    ages: tuple[str, ...], kept: list[str], note: str
) -> None:
    """A whole column, or what each cell of it ends with; two rows stay as they are."""
    told = told_once(table(*ages))

    assert kept == [row[2].text for row in told.rows if len(row) > 2]
    assert told.note.startswith(note)
    assert bool(note) == bool(told.note)


def test_what_is_shown_may_say_more_in_common() -> None:
    """Told twice, of all rows and of those shown, it is still one sentence."""
    ages = ("2 d, old", "2 d, old", "2 d, old", "9 d, old")
    told = told_once(told_once(table(*ages, note="See below")), [0, 1, 2])

    assert "In all rows: Age: 2 d, old. See below" == told.note
    assert ("Offer", "$/h") == told.columns

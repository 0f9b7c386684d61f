"""An answer's amounts in another currency, at a dated rate.

Prices and formulas are in dollars throughout; a currency is how a finished answer is
read. Every amount of a view comes from one formatter, so each is found by its sign.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal

from bot.render.views import AnswerView, Cell, Chart, Table
from bot.render.words import say
from core.money.currency import ExchangeRate, NoRate, rate_for
from core.money.exchange import exchange_rates
from core.patterns import regex
from core.wording import dollars, significant

SIGNS = {"EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "KRW": "₩"}

_AMOUNT = regex(r"\$(\d[\d,]*(?:\.\d+)?)([kMBT]?)(?![\w])")
_UNIT = regex(r"\$(?=/)")


def restated(view: AnswerView, currency: str, today: date) -> AnswerView:
    """The same answer in another currency; in dollars where no rate is known."""
    if currency == "USD":
        return view
    rate = rate_for(currency, exchange_rates(), today)
    if isinstance(rate, NoRate):
        return view.model_copy(update={"notes": (*view.notes, f"{rate.reason}.")})
    say = _teller(rate, _exact(view))
    return view.model_copy(
        update={
            "verdict": say(view.verdict),
            "why": say(view.why),
            "save": say(view.save),
            "notes": tuple(map(say, view.notes)),
            "picks": view.picks and _table(view.picks, rate, say),
            "table": view.table and _table(view.table, rate, say),
            "charts": tuple(_chart(chart, rate) for chart in view.charts),
            "levers": tuple(
                lever.model_copy(
                    update={
                        "text": say(lever.text),
                        "difference": say(lever.difference),
                        "note": say(lever.note),
                    }
                )
                for lever in view.levers
            ),
            "small_print": (*map(say, view.small_print), _rate_line(rate)),
        }
    )


def restated_table(table: Table, currency: str, today: date) -> Table:
    """The same table in another currency; in dollars where no rate is known."""
    rate = rate_for(currency, exchange_rates(), today)
    if currency == "USD" or isinstance(rate, NoRate):
        return table
    noted = _table(table, rate, _teller(rate, _amounts(table)))
    return noted.model_copy(update={"note": _rate_line(rate)})


def _rate_line(rate: ExchangeRate) -> str:
    return say("preferences.rate_line", shown=rate.shown)


def _exact(view: AnswerView) -> dict[str, Decimal]:
    """The amounts of a view as they were before they were rounded."""
    shown = (table for table in (view.picks, view.table) if table is not None)
    return {text: usd for table in shown for text, usd in _amounts(table).items()}


def _amounts(table: Table) -> dict[str, Decimal]:
    known: dict[str, Decimal] = {}
    for cell in (cell for row in table.rows for cell in row):
        if cell.value is not None and _AMOUNT.fullmatch(cell.text):
            known.setdefault(cell.text, Decimal(str(cell.value)))
    return known


def _teller(rate: ExchangeRate, exact: Mapping[str, Decimal]) -> Callable[[str], str]:
    """Restate amounts, those of the table from what they were before rounding."""
    sign = SIGNS.get(rate.currency, f"{rate.currency} ")

    def amount(found: re.Match[str]) -> str:
        stated = Decimal(found[1].replace(",", ""))
        value = rate.from_usd(exact.get(found[0], stated))
        if found[2]:
            return f"{sign}{significant(float(value))}{found[2]}"
        return dollars(value).replace("$", sign)

    def say(text: str) -> str:
        return _UNIT.sub(sign.strip(), _AMOUNT.sub(amount, text))

    return say


def _table(table: Table, rate: ExchangeRate, say: Callable[[str], str]) -> Table:
    rows = tuple(tuple(_cell(cell, rate, say) for cell in row) for row in table.rows)
    return table.model_copy(
        update={
            "caption": say(table.caption),
            "columns": tuple(map(say, table.columns)),
            "rows": rows,
            "note": say(table.note),
        }
    )


def _cell(cell: Cell, rate: ExchangeRate, say: Callable[[str], str]) -> Cell:
    if "$" not in cell.text:
        return cell
    value = cell.value if cell.value is None else cell.value * float(rate.per_usd)
    return Cell(text=say(cell.text), value=value)


def _chart(chart: Chart, rate: ExchangeRate) -> Chart:
    if "$" not in chart.y_label and "USD" not in chart.y_label:
        return chart
    times = float(rate.per_usd)
    return chart.model_copy(
        update={
            "series": tuple(
                series.model_copy(
                    update={"values": tuple(v * times for v in series.values)}
                )
                for series in chart.series
            ),
            "title": chart.title.replace("$", rate.currency),
            "y_label": re.sub(r"USD|\$", rate.currency, chart.y_label),
        }
    )

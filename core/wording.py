"""Whatever people read: messages of `templates/words`, numbers with a unit.

A message is text with its facts in braces, "{gpus} × {gpu}: {month:money}". Behind the
colon stands a filter, a format of Python's own, or what agrees with a number:
"{gpus} × {gpu} {gpus:costs|cost}". The program hands over the facts.
"""

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from string import Formatter
from typing import Any, Final

from core.reference.tables import read_table
from core.units import HOURS_PER_MONTH


def significant(value: float, digits: int = 3) -> str:
    """A number with thousands separators and at most `digits` significant digits."""
    if value == 0:
        return "0"
    places = digits - 1 - Decimal(str(value)).adjusted()
    rounded = round(value, max(places, 0))
    text = f"{rounded:,.{max(places, 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def count(value: float) -> str:
    """A large count in the units people say: 950, 12.5k, 3M, 15T."""
    for limit, unit in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= limit:
            scale = 1e3 if unit == "k" else limit
            return f"{significant(value / scale)}{unit}"
    return significant(value, 4)


def dollars(amount: Decimal) -> str:
    """Money: whole dollars from 100 up, cents from 1 up, else three digits."""
    sign, size = ("−", -amount) if amount < 0 else ("", amount)
    if size >= 100:
        return f"{sign}${_rounded(size, 0):,}"
    if size >= 1 or size == 0:
        return f"{sign}${_rounded(size, 2)}"
    exact = _rounded(size, 2 - size.adjusted())
    short = exact.normalize()
    return f"{sign}${_rounded(short, max(2, -_exponent(short)))}"


def unit_price(amount: Decimal, *times: Decimal) -> str:
    """A price with the digits that its products take: 32 × $6.155 × 336 is $66,179."""
    for places in range(2, 6):
        shown = _rounded(amount, places)
        if all(dollars(shown * n) == dollars(amount * n) for n in times):
            break
    return dollars(amount) if places == 2 else f"${shown}"


def _rounded(amount: Decimal, places: int) -> Decimal:
    return amount.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


def _exponent(amount: Decimal) -> int:
    exponent = amount.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def share(part: float) -> str:
    """A share of a whole in per cent; never 0 % of something, or 100 % of less."""
    if 0 < part < 0.01:
        return "under 1%"
    return "over 99%" if 0.995 <= part < 1 else f"{part:.0%}"


def duration(hours: float) -> str:
    """A stretch of time in the unit that reads best."""
    if hours < 1 / 60:
        return f"{significant(hours * 3600)} s"
    if hours < 1:
        return f"{significant(hours * 60)} min"
    if hours < 72:
        return f"{significant(hours)} h"
    if hours >= LONG and hours % HOURS_PER_MONTH == 0:
        return f"{hours / HOURS_PER_MONTH:.0f} months"
    return f"{significant(hours / 24)} days"


LONG = 6 * HOURS_PER_MONTH
"""Hours from which whole months are told in months: a year is 12, not 360 days."""


def durations(hours: tuple[float, float]) -> str:
    """A range of time in the unit of its middle: 2.34–4.14 days."""
    early, late = hours
    middle = (early * late) ** 0.5
    units = ((1 / 60, 1 / 3600, "s"), (1, 1 / 60, "min"), (72, 1, "h"))
    size, name = next((u[1:] for u in units if middle < u[0]), (24, "days"))
    return f"{significant(early / size)}–{significant(late / size)} {name}"


def rate(per_second: float) -> str:
    """Requests over time; where few come in a second, by the minute or hour as well."""
    noun = "request" if per_second == 1 else "requests"
    said = f"{significant(per_second)} {noun}/s"
    if per_second >= 1 or not per_second:
        return said
    seconds, unit = (60, "a minute") if per_second * 60 >= 1 else (3600, "an hour")
    return f"{said} ({significant(per_second * seconds, 2)} {unit})"


def age(hours: float) -> str:
    """How long ago something was, in a whole number of the largest unit."""
    units = (("day", 24.0), ("hour", 1.0), ("minute", 1 / 60), ("second", 1 / 3600))
    name, size = next((u for u in units if hours >= u[1]), units[-1])
    number = max(int(hours / size), 1)
    return f"{number} {name}{'' if number == 1 else 's'}"


def milliseconds(value: float) -> str:
    """A latency in ms, or s from one second up."""
    if value >= 1000:
        return f"{significant(value / 1000)} s"
    return f"{significant(value)} ms"


FILTERS: Final[dict[str, Callable[[Any], str]]] = {
    "money": dollars,
    "count": count,
    "duration": duration,
    "durations": durations,
    "age": age,
    "rate": rate,
    "milliseconds": milliseconds,
    "s": lambda number: "" if number == 1 else "s",
    "share": share,
    "significant": significant,
    "significant1": lambda value: significant(value, 1),
    "significant2": lambda value: significant(value, 2),
    "significant4": lambda value: significant(value, 4),
}


def say(message: str, /, **facts: object) -> str:
    """A message of the catalogue, "sizing.verdict", with its facts."""
    return "".join(
        [
            words if tell is None else words + tell(facts[fact])
            for words, fact, tell in _parts(message)
        ]
    )


@cache
def _parts(message: str) -> tuple[tuple[str, str, Callable[[Any], str] | None], ...]:
    """A message cut apart once: words, the fact behind them, and what tells it."""
    room, _, name = message.partition(".")
    cut = Formatter().parse(catalogue(room)[name])
    return tuple(
        (words, fact or "", None if fact is None else _teller(form or ""))
        for words, fact, form, _ in cut
    )


def _teller(form: str) -> Callable[[Any], str]:
    """What a filter, a format of Python's own or an agreement makes of a fact."""
    if form in FILTERS:
        return FILTERS[form]
    if "|" in form:
        one, many = form.split("|")
        return lambda number: one if number == 1 else many
    return lambda fact: format(fact, form)


@cache
def catalogue(room: str) -> dict[str, str]:
    """All messages of one room, as they stand in its file."""
    return read_table("templates", f"words/{room}.toml")

"""Numbers as people read them: two or three significant digits and a unit."""

from decimal import ROUND_HALF_UP, Decimal


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


def _rounded(amount: Decimal, places: int) -> Decimal:
    return amount.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


def _exponent(amount: Decimal) -> int:
    exponent = amount.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def duration(hours: float) -> str:
    """A stretch of time in the unit that reads best."""
    if hours < 1 / 60:
        return f"{significant(hours * 3600)} s"
    if hours < 1:
        return f"{significant(hours * 60)} min"
    if hours < 72:
        return f"{significant(hours)} h"
    return f"{significant(hours / 24)} days"


def age(hours: float) -> str:
    """How long ago something was, in a whole number of the largest unit."""
    units = (("day", 24.0), ("hour", 1.0), ("minute", 1 / 60), ("second", 1 / 3600))
    name, size = next((u for u in units if hours >= u[1]), units[-1])
    number = max(int(hours / size), 1)
    return f"{number} {name}{'' if number == 1 else 's'}"


def milliseconds(value: float) -> str:
    """A latency in ms, or s from ten seconds up."""
    if value >= 10_000:
        return f"{significant(value / 1000)} s"
    return f"{significant(value)} ms"

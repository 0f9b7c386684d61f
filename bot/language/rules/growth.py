"""How fast a load grows, where a question says so."""

import re

from bot.language.numbers import SCALES
from bot.language.reading import Reading
from bot.language.states import shape
from core.patterns import regex

_MONTHS = {"m": 1.0, "q": 3.0, "h": 6.0, "y": 12.0, "a": 12.0, "j": 12.0}
"""Of a span, by its first letter."""
_SPAN = regex(r"\b(?P<n>\d{1,3})\s*(?P<u>years?|yrs?|months?|mo)\b")
_SAID = [shape(f"growth_said_{n}") for n in range(1, 7)]
_TIMES = shape("growth_times")
_NTH = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "nine": 9}
_ONCE = shape("growth_once")
"""Once, by a time: "doubles by summer", "expected to be 5x in a year"."""
_NOW_AND_THEN = tuple(map(shape, ("growth_now_and_then_1", "growth_now_and_then_2")))
"""The load of today and that of a time: "5 rps now, 20 rps in a year"."""
_GROWING = shape("growth_growing")
_UP_TO = shape("growth_up_to")
"""Ahead of an amount without a unit: that of the load of today is meant."""
_LOADS = {"rps": "rps", "qps": "rps", "users": "users"}
"""What the unit counts, where the first of two amounts goes without one."""
_FACTORS = {"doubl": 2, "tripl": 3, "quadrupl": 4}
_FASTEST = 5.0
"""Times as much within a month: nobody plans GPUs for more."""


def growth(reading: Reading) -> None:
    """Read "growing 10% a month", "doubles every quarter": a share a month."""
    if reading.has("ALERT"):
        return
    if _once(reading) or _now_and_then(reading):
        _horizon(reading)
        return
    shapes = _SAID if "%" in reading.plain else ()
    found = [match for shape in shapes if (match := shape.search(reading.plain))]
    times = _TIMES.search(reading.plain)
    if found:
        match, each = found[0], 1.0
        factor = 1 + float(match["n"].replace(",", ".")) / 100
    elif times:
        match, factor, each = times, _FACTORS[times["f"]], _nth(times["n"] or "1")
    else:
        return
    monthly = factor ** (1 / (each * _MONTHS[match["u"][0]])) - 1
    if 0 < monthly < _FASTEST:
        reading.aside["growth_per_month"] = round(monthly, 9)
        reading.use_words(match)
        _span(reading)
        _horizon(reading)


def _once(reading: Reading) -> bool:
    """Read "5x in a year": the monthly share that gets there; "doubles by summer"."""
    match = _ONCE.search(reading.plain)
    if match is None or reading.has("TRAIN", "FINETUNE"):
        return False
    share = match["p"] or match["q"]
    factor = 1 + float(share) / 100 if share else float(match["x"] or 0)
    factor = _FACTORS.get(match["f"], factor)
    if factor <= 1:
        return False
    _note(reading, match, factor)
    reading.use_words(match)
    return True


def _now_and_then(reading: Reading) -> bool:
    """Read "5 rps now, 20 rps in a year": the load of today, and how it grows."""
    if reading.has("TRAIN", "FINETUNE") or not _GROWING.search(reading.plain):
        return False
    found = (shape.search(reading.plain) for shape in _NOW_AND_THEN)
    match = next((one for one in found if one), None)
    if match is None:
        return False
    near = reading.plain[max(0, match.start() - 20) : match.end("between")]
    first, last = _number(match["a"]), _number(match["b"])
    gpus = (match["au"] or "").rstrip("s")[-1:].isdigit()
    same = match["au"] in (None, match["bu"]) or (gpus and match["bu"] is None)
    if match["bu"] is None and _UP_TO.search(match["between"]):
        same = match["au"] is not None
    if not (same and 0 < first < last and _GROWING.search(near)):
        return False
    field = _LOADS.get(match["bu"])
    if match["au"] is None and field is None:
        return False
    _note(reading, match, last / first)
    today = any(  # else it would be the load of today, and no longer wanted
        one.kind == "today" and one.start <= match.start() < one.end
        for one in reading.stances
    )
    own = field is not None and (match["au"] is None or today)
    start, end = match.span() if own else match.span("then")
    for index in reading.inside(start, end):
        reading.use(index, index + 1)
    if own and field is not None:
        reading.fields[field] = first
        reading.stretch(field, match.start(), match.end("au" if match["au"] else "bu"))
    return True


def _number(said: str) -> float:
    scale = SCALES.get(said[-1], 1)
    return float(said.rstrip("km").replace(",", "")) * scale


def _note(reading: Reading, match: re.Match[str], factor: float) -> None:
    """Note the monthly share that gets there, or only how many times it becomes."""
    year = match["y"]
    if year or (match["u"] and "end of" not in match[0]):
        unit = _MONTHS[match["u"][0]] if match["u"] else 0
        months = 12 * _nth(year) if year else _nth(match["n"] or "1") * unit
        reading.aside["growth_per_month"] = round(factor ** (1 / months) - 1, 9)
        reading.aside["growth_months"] = round(months)
    else:
        _from_month(reading, match[0], factor)


def _from_month(reading: Reading, said: str, factor: float) -> None:
    """Note how many times it becomes, and from which month of a year on."""
    reading.aside["growth_times"] = factor
    word = said.split()[-1]
    month = 3 * int(word[1]) - 2 if word[0] == "q" else _MONTH.find(word[:3]) // 3 + 1
    if month := month + ("end of" in said) if month else 0:
        reading.aside["growth_from_month"] = month


_MONTH = "janfebmaraprmayjunjulaugsepoctnovdec"


def _nth(said: str) -> int:
    return _NTH.get(said) or int(said)


_HORIZON = shape("growth_horizon")
_UNTIL = shape("growth_until")
_SEASONS = {"spr": 3, "sum": 6, "aut": 9, "fal": 9}
_A_YEAR = 100
"""What a year counts in `growth_until`: 202712 is December 2027, 106 June next year."""


def _horizon(reading: Reading) -> None:
    """Read "a three-year budget", "by the end of 2027": how long it is looked at."""
    if "growth_per_month" not in reading.aside or "growth_months" in reading.aside:
        return
    if found := _HORIZON.search(reading.plain):
        reading.aside["growth_months"] = 12 * _nth(found["y"])
        reading.told("growth_months", found)
    elif found := _UNTIL.search(reading.plain):
        named = found["y"] or found["next"] or found["year"] or ""
        year = int(named) if named.isdigit() else int(named == "next year")
        said = (found["m"] or "year")[:3]
        month = _MONTH.find(said) // 3 + 1 or _SEASONS.get(said, 12)
        if found["year"] and named.isdigit() and found[0].startswith("by 20"):
            month = 1
        month = 3 * int(found["q"]) if found["q"] else month
        reading.aside["growth_until"] = _A_YEAR * year + month
        reading.told("growth_until", found)


def _span(reading: Reading) -> None:
    """Read "2 years" behind it: so long the load is looked at."""
    match = _SPAN.search(reading.plain)
    if match is not None and not reading.has("RESERVED", "LIFE", "TRAIN", "FINETUNE"):
        months = int(match["n"]) * _MONTHS[match["u"][0]]
        reading.aside["growth_months"] = int(months)
        reading.use_words(match)


RULES = (growth,)

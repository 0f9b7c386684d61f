"""A day's course: hours between two times, and rates that differ by them."""

import re
from collections.abc import Sequence

from bot.language.items import Item
from bot.language.reading import Match, Reading
from bot.language.rules.nights import is_off
from bot.language.rules.worded import WEEK
from bot.language.values.units import SECONDS

_FROM = re.compile(
    r"(?:\b(?:from|between|von|de)\s+)?(?P<a>\d{1,2})(?:[:h]00)?\s?(?P<x>am|pm)?"
    r"\s?(?:-|–|to|until|till|and|bis)\s?"
    r"(?P<b>\d{1,2})(?:[:h]00)?\s?(?P<y>am|pm|uhr)?(?!\d|[.:]\d|\s?%|[a-z])"
)
_COUNTED = frozenset(
    "REQ DOC TOK USER CONC GPU GPUWORD TIMES PCT NODE TIME GB PER SLASH CUR IN OUT "
    "MODEL MODELNAME PARAMS EPOCH SAMPLE IMAGE".split()
)
"""What makes "9 to 18" an amount of something, not hours of the day."""
_BEFORE = ("TIME", "DUR", "ON", "REQ", "RISEV", "WEEKDAYS")
"""What stands before hours of the day: a rate, "for", "from"."""
_REST = re.compile(
    r"\b(?:at night|nights?|by night|otherwise|else|rest of the (?:day|time)|outside|"
    r"off[- ]?peak|off[- ]?hours)\b"
)
_DAYTIME = re.compile(r"\b(?:during the day|daytime|by day|in the day|day time)\b")
_LEAST_USE = 2
"""Hours; between two times less apart requests are counted, nothing is in use."""
_DAY_HOURS = 12.0
"""Of a day against a night where no hours are named."""


def course(reading: Reading) -> None:
    """Read "40 rps 9 to 18, 5 rps at night": the average over the day and the peak.

    Where one rate stands alone, its hours are those of use: "10 rps 9am-6pm".
    """
    if reading.has("ALERT"):
        return
    rates, window = _rates(reading), _window(reading)
    day = _DAY_HOURS if _DAYTIME.search(reading.plain) else None
    busy = _hours(window) if window else day
    if window and busy and is_off(reading.plain, window.start(), window.end()):
        busy = 24 - busy
    if len(rates) == 2 and busy is not None and _REST.search(reading.plain):
        _put_course(reading, rates, busy)
    elif window is not None and busy is not None and busy > _LEAST_USE:
        start, end = _places(reading, window)
        reading.put("hours_per_day", busy, start, end)
        reading.use(start, end)


def _put_course(
    reading: Reading, rates: Sequence[tuple[float, Match]], busy: float
) -> None:
    high, low = max(rates[0][0], rates[1][0]), min(rates[0][0], rates[1][0])
    average = (high * busy + low * (24 - busy)) / 24
    place = rates[0][1].start(), rates[1][1].end()
    reading.put("rps", round(average, 6), *place)
    reading.put("peak_rps", high, *place)
    reading.use(*place)
    for index in reading.places("OFFLINE"):
        # "at night" tells when so much comes, not that nobody waits for it
        reading.become(index, "W", "")
    reading.seen = reading.heard.union(item.concept for item in reading.items)


def _rates(reading: Reading) -> list[tuple[float, Match]]:
    """Every request rate that is told per second, minute or hour."""
    found: list[tuple[float, Match]] = []
    for match in reading.find("<n>NUM [REQ DOC]+ PER <t>TIME"):
        seconds = SECONDS.get(reading.value(match, "t"), 0)
        if 0 < seconds <= 3600 and (not found or match.start() >= found[-1][1].end()):
            found.append((reading.value(match) / seconds, match))
    return found


def _window(reading: Reading) -> re.Match[str] | None:
    """The two times of a day that are named."""
    for found in _FROM.finditer(reading.plain):
        if _hours(found) is not None and _is_clock(reading, found):
            return found
    return None


def _hours(found: re.Match[str]) -> float | None:
    begin, end = int(found["a"]), int(found["b"])
    if max(begin, end) > 24:
        return None
    end += 12 if found["y"] == "pm" and end < 12 else 0
    begin += 12 if found["x"] == "pm" and begin < 12 else 0
    return float((end - begin) % 24) or None


def _is_clock(reading: Reading, found: re.Match[str]) -> bool:
    """Whether the two numbers are times: told so, or counting nothing."""
    start, end = _places(reading, found)
    inside = reading.items[start:end]
    if any(_no_time(item) for item in inside):
        return False
    if found["x"] or found["y"] or ":00" in found.group():
        return True
    before = reading.concept_at(start - 1) if start else ""
    if is_off(reading.plain, found.start(), found.end()) and start < end:
        return reading.concept_at(end) not in _COUNTED
    return before in _BEFORE and reading.concept_at(end) not in _COUNTED


def _no_time(item: Item) -> bool:
    return item.concept not in ("NUM", "CLOCK", "DASH", "AND") or item.suffix != ""


def _places(reading: Reading, found: re.Match[str]) -> tuple[int, int]:
    """The items that stand in a stretch of the text."""
    inside = [
        index
        for index, item in enumerate(reading.items)
        if item.start < found.end() and item.end > found.start()
    ]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def between_days(reading: Reading) -> None:
    """Read "fri 6pm till mon 6am": how long something runs, once."""
    pattern = (
        "<a>DAYNAME <c>CLOCK [W ON UNDER AND DASH DEADLINE]{0,2} <b>DAYNAME <d>CLOCK"
    )
    for match in reading.find(pattern):
        first, last = (
            24 * WEEK.index(reading.value(match, day))
            + _clock(reading.value(match, at))
            for day, at in ("ac", "bd")
        )
        if not reading.has("PER"):
            reading.take("duration_hours", (last - first) % (24 * 7), match)
            return


def _clock(time: str) -> float:
    return int(time[:2]) + int(time[3:]) / 60


RULES = (between_days, course)

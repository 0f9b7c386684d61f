"""A day's course: hours between two times, and rates that differ by them."""

import re
from collections.abc import Sequence
from functools import cache

from bot.language.days import JOINT, day, named, place
from bot.language.items import Item
from bot.language.reading import Match, Reading
from bot.language.rules.nights import is_off
from bot.language.values.units import SECONDS


def _time(name: str) -> str:
    """The pattern of a time of day: "8", "8:30", "6 p.m.", "20 uhr", "오후 6시"."""
    return (
        rf"(?P<{name}pm>(?:오후|下午|午後|晚上|夜|aksam|shaam|raat)\s?)?"
        r"(?:(?:오전|上午|午前|早上|朝|sabah|subah)\s?)?"
        rf"(?<![\d.,])(?P<{name}>\d{{1,2}})(?:[:h](?P<{name}min>[0-5]\d))?"
        rf"(?:\s?(?P<{name}said>[ap]\.?m\b\.?|uhr\b|uur\b|시|時|时|点|點)"
        rf"|\s?(?P<{name}unit>(?:h(?:rs|oras|ours|eures)?|ore|stunden)\b))?(?:'\w{{1,3}}\b|까지)?"
    )


_SPAN = _time("a") + JOINT + _time("b") + r"(?!\d|[.:]\d|\s?%|[a-z$€])"
_FROM = re.compile(
    r"(?:\b(?P<told>from|between|von|zwischen|de|das|desde|entre|dalle|van|tussen|od|с)"
    rf"\s+)?{_SPAN}"
)
_BY_CLOCK = re.compile(r"\d\S* (?:as|alle|a las) \d")
"""Between two times of day, and no other numbers."""
_AT = r"\s?,?\s?(?:(?:at|um|as|a las|alle|om|o|в) )?"
_COUNTED = frozenset(
    "REQ DOC TOK USER CONC GPU GPUWORD TIMES PCT NODE TIME GB PER SLASH CUR IN OUT "
    "MODEL MODELNAME PARAMS EPOCH SAMPLE IMAGE".split()
)
"""What makes "9 to 18" an amount of something, not hours of the day."""
_BEFORE = ("TIME", "DUR", "ON", "REQ", "RISEV", "WEEKDAYS", "OFFICEHOURS")
"""What stands before hours of the day: a rate, "for", "from"."""
_REST = re.compile(
    r"\b(?:at night|nights?|by night|otherwise|else|rest of the (?:day|time)|outside|"
    r"off[- ]?peak|off[- ]?hours)\b"
)
_OF_A_SPAN = frozenset("NUM CLOCK DASH AND W A ALL ON OR DEADLINE UNDER".split())
_DAYTIME = re.compile(r"\b(?:during the day|daytime|by day|in the day|day time)\b")
_IN_USE = re.compile(r"\b(?:work\w*|open|online|used?|running|active|up|busy|live)\s+$")
"""Before hours such as "9 to 6", which is no range of amounts."""
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
    for found in _FROM.finditer(_NAMED_TIME.sub(_in_figures, reading.plain)):
        if _hours(found) is not None and _is_clock(reading, found):
            return found
    return None


_NAMED_TIME = re.compile(r"\b(?:noon|midday|midnight)\b")


def _in_figures(found: re.Match[str]) -> str:
    """Write a time of day that has a name as one of figures, no longer than it was."""
    return ("24:00" if found[0] == "midnight" else "12pm").ljust(len(found[0]))


def _hours(found: re.Match[str]) -> float | None:
    begin, end = _clock(found, "a"), _clock(found, "b")
    if begin is None or end is None or max(begin, end) > 24:
        return None
    if 0 < begin <= _HALF and not _is_marked(found, "a"):
        if _HALVES.match(found["bsaid"] or ""):
            later = begin % _HALF + _HALF  # "4 to 9 pm", "10 to 6 am"
            begin = later if later < end or end < begin else begin
        elif (
            end <= begin
            and not _is_marked(found, "b")
            and not _AT_NIGHT.search(found.string)
        ):
            end += _HALF  # "9 to 6"
    return (end - begin) % 24 or None


_HALF = 12
_HALVES = re.compile(r"[ap]\.?m")
_AT_NIGHT = re.compile(r"\bnights?\b|\bnightly|overnight|nacht|nuit|noche|noite|notte")


def _is_marked(found: re.Match[str], name: str) -> bool:
    """Whether a time says which half of the day, or is of twenty-four hours."""
    told = (found[f"{name}said"] or "").replace(".", "")
    clear = any(found[f"{name}{part}"] for part in ("pm", "min", "unit"))
    return bool(told or clear) or int(found[name]) > _HALF


def _clock(found: re.Match[str], name: str) -> float | None:
    """The hours since midnight at a time of day."""
    hour, said = int(found[name]), (found[f"{name}said"] or "").replace(".", "")
    if (said == "pm" or found[f"{name}pm"]) and hour < 12:
        hour += 12
    elif said == "am" and hour == 12:
        hour = 0
    return hour + int(found[f"{name}min"] or 0) / 60 if hour <= 24 else None


def _is_clock(reading: Reading, found: re.Match[str]) -> bool:
    """Whether the two numbers are times: told so, or counting nothing."""
    start, end = _places(reading, found)
    inside = reading.items[start:end]
    if any(_no_time(item) for item in inside):
        return False
    marked = [found[f"{name}{part}"] for part in ("said", "min", "pm") for name in "ab"]
    if any(marked):
        return True
    days = reading.has("WEEKDAYS", "OFFICEHOURS", "HOURS")
    if found["bunit"]:
        return bool(found["told"] or days or _BY_CLOCK.search(found[0]))
    before = reading.concept_at(start - 1) if start else ""
    if reading.concept_at(end) in _COUNTED or found["aunit"]:
        return False
    wraps = 0 < int(found["b"]) <= int(found["a"]) <= _HALF
    in_use = found["told"] or _IN_USE.search(reading.plain, 0, found.start())
    if (found["told"] and (days or _BY_CLOCK.search(found[0]))) or (in_use and wraps):
        return True
    if is_off(reading.plain, found.start(), found.end()) and start < end:
        return True
    return before in _BEFORE or reading.concept_at(end) in _BEFORE[-2:]


def _no_time(item: Item) -> bool:
    hours = item.concept == "TIME" and item.value == "hour"
    return not (item.concept in _OF_A_SPAN or hours) or item.suffix != ""


def _places(reading: Reading, found: re.Match[str]) -> tuple[int, int]:
    """The items that stand in a stretch of the text."""
    inside = [
        index
        for index, item in enumerate(reading.items)
        if item.start < found.end() and item.end > found.start()
    ]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


@cache
def _across() -> re.Pattern[str]:
    """A time of one day until that of another: made when days are first named."""
    ends = (day(at) + _AT + _time(name) for at, name in ("da", "eb"))
    return re.compile(JOINT.join(ends))


def between_days(reading: Reading) -> None:
    """Read "fri 6pm till mon 6am": how long something runs, once."""
    if not (reading.has("NUM", "CLOCK") and named(reading.plain)):
        return
    for found in _across().finditer(reading.plain):
        begin, end = _clock(found, "a"), _clock(found, "b")
        if begin is not None and end is not None and not reading.has("PER", "ALERT"):
            begin, end = begin + 24 * place(found, "d"), end + 24 * place(found, "e")
            start, last = _places(reading, found)
            reading.put("duration_hours", (end - begin) % (24 * 7), start, last)
            reading.use(start, last)
            return


RULES = (between_days, course)

"""A day's course: hours between two times, and rates that differ by them."""

import re
from collections.abc import Sequence
from functools import cache

from bot.language import states
from bot.language.asked import NUMBERS
from bot.language.days import JOINT, day, named, place
from bot.language.items import Item
from bot.language.numbers import SCALES
from bot.language.peaks import TIMES, factor_of
from bot.language.reading import Match, Reading, needs
from bot.language.rules.nights import is_off
from bot.language.values.units import SECONDS
from core.patterns import compiled, regex

_NAMED_TIMES = dict.fromkeys(("noon", "midday", "mittag", "midi", "mediodia"), 12)
_NAMED_TIMES |= dict.fromkeys(("midnight", "mitternacht", "minuit", "medianoche"), 24)


_WORDS = r"\b(?:" + "|".join(n for n, hour in NUMBERS.items() if hour <= 12) + r")\b"
"""Hours that are written out: "nine to five"."""


def _time(name: str) -> str:
    """The pattern of a time of day: "8", "8:30", "6 p.m.", "20 uhr", "noon"."""
    return (
        rf"(?P<{name}pm>(?:오후|下午|午後|晚上|夜|aksam|shaam|raat)\s?)?"
        r"(?:(?:오전|上午|午前|早上|朝|sabah|subah)\s?)?"
        rf"(?:(?P<{name}named>\b(?:{'|'.join(_NAMED_TIMES)})\b)|"
        rf"(?<![\d.,])(?P<{name}>\d{{1,2}}|{_WORDS}){_behind(name)})"
        r"(?:'\w{1,3}\b|까지)?"
    )


def _behind(name: str) -> str:
    """The pattern of what follows the hour."""
    return (
        rf"(?:(?:[:h]|(?P<{name}dot>\.)(?=[0134][05]))(?P<{name}min>[0-5]\d))?"
        rf"(?:\s?(?P<{name}said>[ap]\.?m\b\.?|uhr\b|uur\b|시|時|时|点|點"
        rf"|(?:in the |at )?(?:morning|noon|afternoon|evening|night)s?\b)"
        rf"|\s?(?P<{name}unit>(?:h(?:rs|oras|ours|eures)?|ore|stunden)\b))?"
    )


_SPAN = _time("a") + JOINT + _time("b") + r"(?!\d|[.:]\d|\s?%|[a-z$€])"
_FROM = regex(
    r"(?=[\dasr]|\b[bdeflmnotvz]|[^\x00-\x7f])(?:\b(?P<told>from|between|outside|open|live|von|zwischen|de|das|desde|entre|dalle|van|tussen|od|с)"
    rf"\s+)?{_SPAN}"
)
_JOINED = regex(
    rf"\d{_behind('x')}(?:'\w{{1,3}}\b|까지)?{JOINT}(?:[\dnmasr]|[^\x00-\x7f])"
)
_NAMED = regex(f"{'|'.join(_NAMED_TIMES)}|{_WORDS}{JOINT}{_WORDS}")
"""Parts of two times of day that are soon looked for: without them there are none."""
_BY_CLOCK = regex(r"\d\S* (?:as|alle|a las) \d")
"""Between two times of day, and no other numbers."""
_AT = r"\s?,?\s?(?:(?:at|um|as|a las|alle|om|o|в) )?"
_COUNTED = frozenset(
    "REQ DOC TOK USER CONC GPU GPUWORD TIMES PCT NODE TIME GB PER SLASH CUR IN OUT "
    "MODEL MODELNAME PARAMS EPOCH SAMPLE IMAGE".split()
)
"""What makes "9 to 18" an amount of something, not hours of the day."""
_BEFORE = ("TIME", "DUR", "ON", "REQ", "RISEV", "WEEKDAYS", "OFFICEHOURS")
"""What stands before hours of the day: a rate, "for", "from"."""
_REST = regex(
    r"\b(?:and )?(?:(?:at|on|by) )?(?:nights?|overnight|after midnight|otherwise|else|"
    r"rest of the (?:day|time)|outside|off[- ]?peak|off[- ]?hours|week-?ends?)\b"
)
_NIGHT = regex(r"\b(?:nights?|overnight|after midnight|nachts|la nuit|noche)\b")
_OF_A_SPAN = frozenset(
    "NUM CLOCK DASH AND W A ALL ON OR DEADLINE UNDER IN PEAK GREET".split()
)
_DAYTIME = regex(r"\b(?:during the day|daytime|by day|in the day|day time)\b")
_PARTS = {"daytime": 12, "day": 12, "overnight": 12, "night": 12}
_PART_HOURS = 6
"""Of a morning, an afternoon or an evening, where no hours are named."""
_PART = (
    r"(?:the )?(?P<{}>day|daytime|overnight|(?:morning|afternoon|evening|night)s?)\b"
)
_ONLY_THEN = states.shape("day_only_then")
_IN_USE = regex(
    r"\b(?:work\w*|open|online|used?|running|runs?|active|up|on|busy|live|office|hours|"
    r"needed|only),?:?\s+$"
)
"""Before hours such as "9 to 6", which is no range of amounts."""
_COMES_IN = regex(
    r"\b(?:arriv\w+|com(?:e|es|ing) in|mostly|mainly|largely|meist(?:ens)?|"
    r"uberwiegend|surtout|principalement|sobre todo|mayormente|soprattutto),? $"
)
"""Before hours in which requests come: "mostly arriving 9 to 17h"."""
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
    if _grows(reading) or _in_a_part(reading):
        return
    window = _window(reading)
    busy = _hours(window) if window else _by_day(reading)
    if window and busy and _rests(reading.plain, window):
        busy = 24 - busy
    rests = busy is not None and _REST.search(reading.plain)
    peaks = window is not None and _BASE.search(reading.plain)
    rates = _rates(reading) if rests or peaks else ()
    if busy is not None and len(rates) == 2 and rests:
        _put_course(reading, rates, busy)
    elif window and busy and _is_of_the_peak(reading, rates, window):
        _put_course(reading, rates, busy)
        reading.stretch("peak_rps", *window.span())
    elif window and busy and _spikes(reading, window, busy):
        return
    elif window and busy and (busy > _LEAST_USE or window["asaid"] or window["bsaid"]):
        _put_hours(reading, window, busy)
        reading.note("~window", busy, *_places(reading, window))
        if zone := _ZONE.match(reading.plain, window.end()):
            reading.stretch("hours_per_day", *zone.span())
    elif (only := _ONLY_THEN.search(reading.plain)) and not reading.stated(
        "hours_per_day"
    ):
        part = (only["then"] or only["so"]).rstrip("s")
        _put_hours(reading, only, _PARTS.get(part, _PART_HOURS))


_BUSY_PART = states.shape("day_busy_part")
_PAST = 40
"""Letters beside the higher rate in which its part of the day is told."""


def _in_a_part(reading: Reading) -> bool:
    """Read "5 rps normally and 50 rps during the evening": which hours take more."""
    rates = _rates(reading) if _BUSY_PART.search(reading.plain) else []
    if len(rates) != 2 or rates[0][0] == rates[1][0] or _window(reading):
        return False
    first, last = rates[0][1], rates[1][1]
    cuts = 0, reading.item(last, "n").start, len(reading.plain)
    later = rates[1][0] > rates[0][0]
    start = reading.item(last if later else first, "n").start
    end = reading.items[(last if later else first).end() - 1].end
    part = _BUSY_PART.search(reading.plain, end, min(cuts[1 + later], end + _PAST))
    before = max(reading.items[first.end() - 1].end if later else 0, start - _PAST)
    if part := part or _BUSY_PART.search(reading.plain, before, start):
        _put_course(reading, rates, _hours_of_part(part))
        reading.told("peak_rps", part)
    return part is not None


def _hours_of_part(part: re.Match[str]) -> float:
    """The hours of a day in which it is, on average over the week."""
    if said := part["n"]:
        return float(NUMBERS.get(said) or said)
    hours = _SHORT if part["part"].startswith(("lunch", "noon", "mid")) else _LONG
    return hours / 7 if part["day"] else hours


_SHORT, _LONG = 2.0, 4.0
"""Hours of a noon, and of a morning or an evening, in which more is asked."""


def _by_day(reading: Reading) -> float | None:
    """The hours of the day, where its rate stands against that of the night."""
    if _DAYTIME.search(reading.plain):
        return _DAY_HOURS
    if len(reading.all("MODELNAME")) + len(reading.all("NUMB")) > 1:
        return None
    if reading.has("OFFICEHOURS"):
        return _OFFICE_HOURS
    if reading.has("WEEKDAYS") and _WEEKEND.search(reading.plain):
        return 24
    return _DAY_HOURS if _NIGHT.search(reading.plain) else None


_OFFICE_HOURS = 8.0
_OF_THE_USUAL = regex(
    r"(?:,? (?:that|this|it|as much|as many|more|plus|mas|das|of that|"
    r"the (?:usual|load|traffic|rate|average)|so viel|autant))*,? (?:on |at )?$"
)
_LED_BY = regex(
    r"\s*,?\s*(?:it'?s |we (?:get|see|have) |about |etwa |das |le |el |il )*$"
)
_WEEKEND = regex(
    r"\s?(?:that |this |as much |as many |more )?(?:(?:on|at|am|le|los|nel) )?(?:the )?"
    r"(?:week-?ends?|saturdays? and sundays?|wochenenden?|fines? de semana)\b"
)
_USUALLY = regex(
    r"\b(?:averag\w*|avg|mean|im schnitt|durchschnitt\w*|moyenne|media|promedio|"
    r"gemiddeld)\b"
)
_BASE = regex(
    r"\b(?:normal\w*|usual\w*|base\w*|typical\w*|averag\w*|avg|but|peak\w*|up to)\b"
)
_BEHIND = 30
"""Letters between the peak's rate and the hours in which it comes."""


_FACTORS = ("TIMES", "MULTIPLE", "DUPLEX", "XCOUNT", "FACTOR")


def _grows(reading: Reading) -> bool:
    """Read "10 rps, 4x that between 17:00 and 20:00", "twice that on weekends".

    The rate goes on all day; so many times of it come in the hours that are named.
    """
    rates = _rates(reading) if reading.has(*_FACTORS) else []
    if len(rates) != 1:
        return False
    base, told = rates[0]
    for times in TIMES.finditer(reading.plain):
        found, share = _time_of(reading.plain, times)
        if found is None or not 0 < share < 1 or factor_of(times) <= 1:
            continue
        high, first = base * factor_of(times), min(times.start(), found.start())
        open_for = _another_window(reading, found)
        even = open_for or _USUALLY.search(reading.plain)
        average = base if even else high * share + base * (1 - share)
        reading.put("rps", round(average, 6), told.start(), told.end())
        reading.use(told.start(), told.end())
        reading.fields["peak_rps"] = round(high, 6)
        reading.stretch("peak_rps", first, max(times.end(), found.end()))
        reading.use_words(times)
        reading.use_words(found)
        if open_for:
            _put_hours(reading, open_for, _hours(open_for) or 24)
        for index in () if open_for else reading.places("WEEKDAYS"):
            reading.become(index, "W", "")
        return True
    return False


def _another_window(reading: Reading, found: re.Match[str]) -> re.Match[str] | None:
    """The hours of the usual rate itself: "10 rps from 8 to 18, 3x from 12 to 14"."""
    return next(
        (
            one
            for one in _FROM.finditer(reading.plain)
            if one.end() <= found.start() and _hours(one) and _is_clock(reading, one)
        ),
        None,
    )


def _time_of(plain: str, times: re.Match[str]) -> tuple[re.Match[str] | None, float]:
    """When a factor of the usual holds, and the share of all time that this is."""
    if weekend := _WEEKEND.match(plain, times.end()):
        return weekend, 2 / 7
    leads: tuple[re.Match[str] | None, float] = (None, 0)
    for found in _FROM.finditer(plain):
        hours = _hours(found)
        if not hours or not (found["told"] or found["amin"] or found["asaid"]):
            continue
        if found.start() >= times.end():
            if _OF_THE_USUAL.match(plain[times.end() : found.start()] or " "):
                return found, hours / 24
        elif found.end() <= times.start() and _LED_BY.match(
            plain[found.end() : times.start()] or " "
        ):
            leads = found, hours / 24
    return leads


def _is_of_the_peak(
    reading: Reading, rates: Sequence[tuple[float, Match]], window: re.Match[str]
) -> bool:
    """Whether hours stand right behind the higher of two rates of one load."""
    if len(rates) != 2:
        return False
    (low, _), (high, told) = rates
    end = reading.items[told.end() - 1].end
    near = 0 <= window.start() - end <= _BEHIND
    between = reading.plain[end : window.start()] if near else ","
    one = len(reading.all("MODELNAME")) < 2 and len(reading.all("REGION")) < 2
    return low < high and one and "," not in between


_NOT_THEN = regex(r"\b(?:not|except|nicht|hors)\s+$")


_SPIKE = (
    r"(?:spik\w+|surges?|rush|busiest|peak(?:s|ing)?(?! of)|(?:last)?spitzen?|"
    r"stosszeit(?:en)?|pics?|pointes?|picos?|picchi|picco|piek(?:en)?|szczyt\w*|пик\w*)"
)
_SPIKE_BEFORE = states.shape("day_spike_before")
_SPIKE_BEHIND = regex(
    rf"\)?(?: (?:is|are|the|our|evening|morning|lunch|big|daily|every day|each day))*"
    rf" {_SPIKE}\b"
)
_SHARE = regex(r"(?<![\d.,])(?P<p>\d{1,2}(?:\.\d+)?) ?(?:%|percent|prozent)")
_OF_THE_DAY = states.shape("day_of_the_day")
_NEAR_SHARE = 60


def _spikes(reading: Reading, window: re.Match[str], busy: float) -> bool:
    """Read "a big spike 6-8pm", "30% of it between 6 and 8pm": the rest comes too.

    Where the share is not said, the peak is the usual one of such work.
    """
    plain, start = reading.plain, window.start()
    before = plain[max(0, start - _NEAR_SHARE) : start]
    shares = [
        found
        for found in _SHARE.finditer(plain, max(0, start - _NEAR_SHARE), start)
        if _OF_THE_DAY.fullmatch(plain, found.end(), start)
    ]
    told = _SPIKE_BEFORE.search(before)
    behind = _SPIKE_BEHIND.match(plain, window.end())
    if not (told or behind or shares) or reading.has("ALERT"):
        return False
    first = start - (len(before) - told.start()) if told else start
    if shares:
        first = min(first, shares[-1].start())
        reading.aside["peak_hour_share"] = float(shares[-1]["p"]) / 100 / busy
    field = "peak_hour_share" if shares else "latency_class"
    if not shares:
        reading.fields.setdefault("latency_class", "interactive")
    reading.stretch(field, first, (behind or window).end())
    for index in reading.inside(first, (behind or window).end()):
        reading.use(index, index + 1)
    return True


def _rests(plain: str, window: re.Match[str]) -> bool:
    """Whether nothing runs then: "off between 8 and 18", "outside 8 to 18"."""
    start, end = window.span()
    out = window["told"] == "outside" or _NOT_THEN.search(plain, 0, start)
    return bool(out or is_off(plain, start, end))


def _put_hours(reading: Reading, found: re.Match[str], hours: float) -> None:
    start, end = _places(reading, found)
    reading.put("hours_per_day", hours, start, end)
    reading.use(start, end)
    for index in range(start, end):
        if reading.concept_at(index) == "OFFLINE":
            reading.become(index, "W", "")
            reading.seen -= {"OFFLINE"}


def _put_course(
    reading: Reading, rates: Sequence[tuple[float, Match]], busy: float
) -> None:
    high, low = max(rates[0][0], rates[1][0]), min(rates[0][0], rates[1][0])
    days = [float(item.value or 5) for item in reading.all("WEEKDAYS")]
    days += [_DAYS_OF_WORK for _ in reading.all("OFFICEHOURS")]
    share = busy / 24 * (min(days) / 7 if days else 1)
    average = high * share + low * (1 - share)
    place = rates[0][1].start(), rates[1][1].end()
    reading.put("rps", round(average, 6), *place)
    reading.put("peak_rps", high, *place)
    reading.aside["quiet_rps"] = low
    for _, told in rates:
        reading.use(*told.span())
    for index in reading.places("WEEKDAYS", "OFFICEHOURS"):
        reading.use(index, index + 1)
    for night in _REST.finditer(reading.plain):
        reading.stretch("peak_rps", *night.span())
    for index in reading.places("OFFLINE"):
        # "at night" tells when so much comes, not that nobody waits for it
        reading.become(index, "W", "")


def _rates(reading: Reading) -> list[tuple[float, Match]]:
    """Every request rate that is told per second, minute or hour."""
    found: list[tuple[float, Match]] = []
    for match in reading.find("<n>NUM [REQ DOC]+ PER <t>TIME"):
        seconds = SECONDS.get(reading.value(match, "t"), 0)
        if 0 < seconds <= 3600 and (not found or match.start() >= found[-1][1].end()):
            found.append((reading.value(match) / seconds, match))
    for match in reading.find("<n>NUM [OFFLINE W]") if len(found) == 1 else ():
        at = reading.items[match.end() - 1].start
        if match.start() >= found[0][1].end() and _REST.match(reading.plain, at):
            # "25 rps, around 5 at night"
            each = SECONDS[reading.value(found[0][1], "t")]
            return [*found, (reading.value(match) / each, match)]
    return found


def _window(reading: Reading) -> re.Match[str] | None:
    """The two times of a day that are named."""
    plain = reading.plain
    if _JOINED.search(plain) is None and _NAMED.search(plain) is None:
        return None
    for found in _FROM.finditer(plain):
        if _OF_A_DATE.search(plain, 0, found.start()):
            continue
        if _hours(found) is not None and _is_clock(reading, found):
            return found
    return None


_OF_A_DATE = regex(r"\d[-/.]\Z")
"""Before the month of "2026-05-12", which is no hour."""


def _hours(found: re.Match[str]) -> float | None:
    """The hours between two times: the shortest stretch that their words allow."""
    begins, ends = _clock(found, "a"), _clock(found, "b")
    halves = {_half(found, name) for name in "ab"}
    if halves == {None} and not _by_twelve(found):
        begins, ends = begins[:1], ends[:1]
    apart = [(end - begin) % 24 for begin in begins for end in ends]
    return min((hours for hours in apart if hours), default=None)


def _by_twelve(found: re.Match[str]) -> bool:
    """Whether "9 to 6" ends after noon: the second time comes first on a clock."""
    first, last = (found[f"{name}"] for name in "ab")
    if first is None or last is None or found["asaid"] or found["bsaid"]:
        return False
    written = first[0] == "0" or last[0] == "0" or found["aunit"] or found["bunit"]
    return not written and 12 >= _hour(first) >= _hour(last) > 0


def _hour(said: str | None) -> int:
    """An hour in figures or written out; 0: none is said."""
    return int(said) if said and said.isdigit() else NUMBERS.get(said or "", 0)


def _past_noon(found: re.Match[str]) -> bool:
    """Whether "9-18" are hours of a day of twenty-four."""
    first, last = (_hour(found[name]) for name in "ab")
    return 0 < first <= 12 < last <= 24


_HALVES = {"am": 0, "morning": 0, "pm": 12, "afternoon": 12, "evening": 12, "noon": 12}


def _half(found: re.Match[str], name: str) -> int | str | None:
    """Which half of the day is told; None: neither."""
    said = (found[f"{name}said"] or "").replace(".", "").rstrip("s")
    if found[f"{name}pm"]:
        return 12
    if (word := said.rpartition(" ")[2]) == "night":
        return "night"
    return 0 if found[f"{name}named"] else _HALVES.get(word)


def _clock(found: re.Match[str], name: str) -> tuple[float, ...]:
    """The hours since midnight that a time of day may be; the first is as written."""
    if named := found[f"{name}named"]:
        return (float(_NAMED_TIMES[named]),)
    hour, half = _hour(found[name]), _half(found, name)
    minutes = int(found[f"{name}min"] or 0) / 60
    if hour + minutes > 24:
        return ()
    if half == "night":
        half = 0 if hour < 6 else 12
    if half is not None and hour <= 12:
        return (hour % 12 + int(half) + minutes,)
    if hour > 12 or hour == 0 or found[f"{name}said"]:
        return (hour + minutes,)
    return hour + minutes, hour % 12 + (12 if hour < 12 else 0) + minutes


def _is_clock(reading: Reading, found: re.Match[str]) -> bool:
    """Whether the two numbers are times: told so, or counting nothing."""
    start, end = _places(reading, found)
    inside = reading.items[start:end]
    if any(_no_time(item) for item in inside):
        return False
    parts = ("said", "min", "pm", "named")
    marked = [found[f"{name}{part}"] for part in parts for name in "ab"]
    dotted = found["adot"] or found["bdot"]  # "8.00 to 18.00", or a sum
    if (any(marked) and not dotted) or _ZONE.match(reading.plain, found.end()):
        return True
    days = reading.has("WEEKDAYS", "OFFICEHOURS", "HOURS")
    daily = _DAILY.match(reading.plain, found.end())
    in_use = found["told"] or daily or _IN_USE.search(reading.plain, 0, found.start())
    if found["bunit"]:
        told = in_use or days or _BY_CLOCK.search(found[0])
        return bool(told or _comes_in(reading, found))
    if any((found[name] or "")[:1] == "0" and len(found[name]) == 2 for name in "ab"):
        return reading.concept_at(end) not in _COUNTED or reading.crossed_at(end)
    before = reading.concept_at(start - 1) if start else ""
    counts = reading.concept_at(end) in _COUNTED and not reading.crossed_at(end)
    if (counts and not daily) or found["aunit"]:
        return False
    if found["told"] and (
        days or _BY_CLOCK.search(found[0]) or _a_days(reading, found)
    ):
        return True
    before_it = reading.plain[max(0, found.start() - 40) : found.start()]
    ends_later = _by_twelve(found) or _past_noon(found)
    if ((in_use or days) and ends_later) or _SPIKE_BEFORE.search(before_it):
        return start < end
    if is_off(reading.plain, found.start(), found.end()) and start < end:
        return True
    if before == "OFFLINE" or _NIGHTLY.search(reading.plain, 0, found.start()):
        return not reading.has("PCT")
    return before in _BEFORE or reading.concept_at(end) in _BEFORE[-2:]


_NIGHTLY = regex(
    r"\b(?:(?:(?:every|each|per|at|by) night|nightly|overnight|night-?time|nachts|"
    r"jede nacht|la nuit|de noche)\b[:,(]? ?|window:? ?(?:of |is )?|zeitfenster:? ?)$"
)
"""Before the hours in which a pile is worked through: "overnight, 22 to 6"."""


def _comes_in(reading: Reading, found: re.Match[str]) -> bool:
    """Whether what comes each day is said to come then."""
    if not _COMES_IN.search(reading.plain, 0, found.start()):
        return False
    return any(reading.value(m, "t") == "day" for m in reading.find("PER <t>TIME"))


def _a_days(reading: Reading, found: re.Match[str]) -> bool:
    """Whether "between 7 and 19" is of a day that is told of: "none otherwise"."""
    named = [_hour(found[name]) for name in "ab"]
    late = any(_NOON < hour <= _NOON * 2 for hour in named)
    return late and bool(
        _REST.search(reading.plain)
        or _DAYTIME.search(reading.plain)
        or _DAILY.match(reading.plain, found.end())
        or _ONLY.search(reading.plain, max(0, found.start() - 10), found.start())
    )


_NOON = 12
_DAILY = regex(r"\s+(?:only|every day|each day|daily|on (?:week|working )days?)\b")
_ONLY = regex(r"\b(?:only|just|solely|nur|seulement|solo)\s$")


_ZONE = states.shape("day_zone")


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
    return compiled(JOINT.join(ends))


@needs("NUM CLOCK")
def between_days(reading: Reading) -> None:
    """Read "fri 6pm till mon 6am": how long something runs, once."""
    if not (reading.has("NUM", "CLOCK") and named(reading.plain)):
        return
    for found in _across().finditer(reading.plain):
        begin, end = _clock(found, "a"), _clock(found, "b")
        if begin and end and not reading.has("PER", "ALERT"):
            first, until = 24 * place(found, "d"), 24 * place(found, "e")
            hours = until + end[0] - first - begin[0]
            start, last = _places(reading, found)
            reading.put("duration_hours", hours % (24 * 7), start, last)
            reading.use(start, last)
            return


_PEAK_HOUR = states.shape("day_peak_hour")


_BUSIEST = states.shape("day_busiest")


@needs("REQ USER TOK DOC IMAGE SPEND AUDIO")
def shape(reading: Reading) -> None:
    """Read "the peak hour has 12% of the day"."""
    flows = ("REQ", "USER", "TOK", "DOC", "IMAGE", "SPEND", "AUDIO")
    if not reading.has(*flows):
        return
    if found := _PEAK_HOUR.search(reading.plain):
        reading.aside["peak_hour_share"] = float(found["a"] or found["b"]) / 100
        reading.told("peak_hour_share", found)
    elif found := _BUSIEST.search(reading.plain):
        scale = SCALES.get(found["s"] or "", 1.0)
        reading.fields["peak_rps"] = float(found["n"].replace(",", "")) * scale / 3600
        reading.told("peak_rps", found)


_OF_AN_OFFICE = states.shape("day_of_an_office")


_EACH_WORKDAY = states.shape("day_each_workday")
_DAYS_OF_WORK = 5.0


def days_of_an_office(reading: Reading) -> None:
    """Read that the hours are those of a working day, or of an office.

    "14 hours per working day" states five days; an office is taken to have them.
    """
    named = reading.stated("hours_per_day") and not reading.stated("days_per_week")
    if named and (each := _EACH_WORKDAY.search(reading.plain)):
        reading.fields["days_per_week"] = _DAYS_OF_WORK
        reading.told("days_per_week", each)
    elif named and _OF_AN_OFFICE.search(reading.plain):
        reading.aside["working_days"] = True


RULES = (between_days, course, shape)
_MOSTLY = regex(
    r"\b(?:mostly|mainly|largely|primarily|most of (?:it|them|the \w+)|meist(?:ens)?|"
    r"surtout|mayormente|soprattutto),?(?: \w+){0,3} $"
)
_HALF_OFF = states.shape("day_half_off")


def quieter(reading: Reading) -> None:
    """ "Mostly 8 to 18, half of it off at night": something comes at other times."""
    hours, plain = reading.fields.get("hours_per_day"), reading.plain
    half, spans = _HALF_OFF.search(plain), reading.spans.get("hours_per_day", ())
    mostly = any(_MOSTLY.search(plain, 0, start) for start, _ in spans)
    if half and not hours and _REST.search(plain) and reading.has("OFFLINE", "REQ"):
        hours = _DAY_HOURS
    daily = reading.stated("requests_per_day", "requests_per_month", "users")
    if hours and hours < 24 and (half or (mostly and daily)):
        reading.aside["quiet_hours"] = 24 - hours
        if half:
            reading.stretch("quiet_hours", *half.span())


LATE_RULES = (days_of_an_office, quieter)

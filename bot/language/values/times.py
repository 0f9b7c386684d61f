"""Hours of use, terms, deadlines."""

from bot.language.grammar import compiled
from bot.language.reading import Match, Reading
from bot.language.subject import learns
from bot.language.values.conditions import piled, sounds
from bot.language.values.units import MONTH_HOURS, MONTHS, SECONDS, Fields
from core.patterns import regex
from core.units import HOURS_PER_MONTH

_WITHIN = frozenset("in em en in entro binnen entro within w в за".split())
"""Words before the time in which a job is to be done."""


_OLD = regex(r"[\s-]*(?:old|alte?[nrs]?)\b")
"""Behind the age of what there is."""


def hours_used(reading: Reading, match: Match) -> Fields:
    """ "8 hours a day", "5 days a week", "730 hours a month"."""
    value = reading.value(match)
    unit = reading.value(match, "t")
    if "OFFLINE" in reading.concepts(match):
        nightly = reading.word(match.start()) in ("nightly", "overnight")
        nightly = nightly and "(" not in reading.between(match.start("n"))
        return {"hours_per_day": value} if nightly and unit == "hour" else {}
    if "WEEKDAYS" in reading.concepts(match):
        items = reading.items[slice(*match.span())]
        days = next(float(i.value or 5) for i in items if i.concept == "WEEKDAYS")
        return {"hours_per_day": value, "days_per_week": days} if unit == "hour" else {}
    pair_ = unit, reading.value(match, "u")
    told = bool({"PER", "SLASH"} & reading.concepts(match))
    if pair_[1] == "month":
        return _used_of_a_month(reading, unit, value, told)
    if not told:
        return {}
    if pair_ == ("hour", "day"):
        return {"hours_per_day": value} if value <= 24 else {}
    if pair_ == ("day", "week"):
        return {"days_per_week": value} if value <= 7 else {}
    return {"hours_per_day": value / 7} if pair_ == ("hour", "week") else {}


def _used_of_a_month(reading: Reading, unit: str, value: float, told: bool) -> Fields:
    """ "730 hours a month"; days of one where hours of a day are told beside them."""
    if unit == "day" and 0 < value <= DAYS_OF_A_MONTH and _hours_of_a_day(reading):
        return {"days_per_week": value * 7 / DAYS_OF_A_MONTH}
    if unit != "hour" or value <= 0:
        return {}
    if MONTH_HOURS[0] <= value <= MONTH_HOURS[1]:
        return {"hours_per_month": value}
    if value > MONTH_HOURS[1] or not told:
        return {}
    return {"hours_per_day": value * 24 / HOURS_PER_MONTH}


DAYS_OF_A_MONTH = HOURS_PER_MONTH / 24


def _hours_of_a_day(reading: Reading) -> bool:
    """Whether hours of a day are told of: then days of a month are those of use."""
    times = (
        (reading.value(m, "t"), reading.value(m, "u")) for m in reading.find(_OF_A_DAY)
    )
    return not learns(reading) and ("hour", "day") in times


_OF_A_DAY = "NUM <t>TIME [PER SLASH] <u>TIME"


def busy_hours(reading: Reading, match: Match) -> Fields:
    """ "on 24/7, busy 4h": what is used of a day."""
    value, unit = reading.value(match), reading.value(match, "t")
    return {"hours_per_day": value} if unit == "hour" and value <= 24 else {}


def hours_and_days(reading: Reading, match: Match) -> Fields:
    """ "24 hours, 7 days": those of a day, and the days of a week."""
    hours, days = reading.value(match), reading.value(match, "m")
    units = reading.value(match, "t"), reading.value(match, "u")
    if units != ("hour", "day") or not 0 < hours <= 24 or not 0 < days <= 7:
        return {}
    return {"hours_per_day": hours, "days_per_week": days}


def hours_keyed(reading: Reading, match: Match) -> Fields:
    """ "hrs: 11 days: 5", "--hours 14/day": those of a day, and days of a week."""
    value, unit = reading.value(match), reading.value(match, "t")
    per = reading.value(match, "u") if match.groupdict().get("u") else None
    if unit == "hour" and value <= 24 and per in (None, "day"):
        return {"hours_per_day": value}
    if unit == "day" and value <= 7 and per in (None, "week"):
        return {"days_per_week": value}
    if unit in ("day", "week") and per is None:
        return {"duration_hours": value * (24 if unit == "day" else 168)}
    return {}


def months(reading: Reading, match: Match) -> Fields:
    """The term of a reservation."""
    item = reading.item(match, "n")
    if not match.groupdict().get("t"):
        short = item.suffix == "m" and item.base <= 60
        return {"term_months": item.base} if short else {}
    factor = MONTHS.get(reading.value(match, "t"))
    return {"term_months": item.value * factor} if factor else {}


def one_year(reading: Reading, match: Match) -> Fields:
    """ "reserved for a year"."""
    return {"term_months": 12.0} if reading.value(match, "t") == "year" else {}


def hours(reading: Reading, match: Match) -> Fields:
    """By when a job must be done."""
    seconds = SECONDS.get(reading.value(match, "t"), 0)
    if seconds < 60:
        return {}
    return {"": reading.value(match) * seconds / 3600}


def hours_of_one(reading: Reading, match: Match) -> Fields:
    """ "done in a week", "in a month's time": a unit of time that no number counts."""
    index = match.start("t")
    bounds = reading.concept_at(match.start()) in ("DEADLINE", "UNDER", "HAVE")
    said = reading.plain[reading.items[match.start()].start : reading.items[index].end]
    alone = bounds and said.split()[-2:][0] in _ONE_OF_IT
    spare = _S_TIME.match(reading.plain, reading.items[index].start)
    seconds = SECONDS.get(reading.value(match, "t"), 0)
    return {"": seconds / 3600} if (alone or spare) and seconds >= 3600 else {}


_S_TIME = regex(r"(?:an? |one )?(?:hour|day|week|month|year)'?s time\b")
_ONE_OF_IT = frozenset(
    "a an one 1 eine einem einer une un una uma een tenemos tengo".split()
)


def hours_within(reading: Reading, match: Match) -> Fields:
    """ "en 5 días", "w 4 dni", "90 days to pretrain": what a run or a pile may take."""
    within = _WITHIN.intersection(reading.between(match.start()).split()[-1:])
    ahead = reading.concept_at(match.end()) in _JOBS
    leads = ahead and reading.between(match.end()).split() == ["to"]
    if not (learns(reading) or piled(reading)) or not (within or leads):
        return {}
    long = reading.value(match, "t") in ("hour", "day", "week")
    return hours(reading, match) if long else {}


_JOBS = frozenset(("TRAIN", "FINETUNE", "WORK", "BATCH"))


def hours_of_a_pile(reading: Reading, match: Match) -> Fields:
    """Hours or days beside a word of an end, with no word between that bounds them."""
    long = reading.value(match, "t") in ("hour", "day") and not {
        reading.concept_at(match.end()), reading.concept_at(match.start() - 1)
    } & {"PER", "SLASH", "AUDIO", "GPU", "OFTHEM", "TIMES"}  # fmt: skip
    return hours(reading, match) if long else {}


def _told_by_the_day(reading: Reading) -> bool:
    """Whether the money of a day is asked for: "what is it a day, only 8 hours?"."""
    days = {reading.value(found, "t") for found in reading.find("PER <t>TIME")}
    daily = days == {"day"} or _DAILY.search(reading.plain)
    counted = reading.has("REQ", "DOC", "TOK", "USER", "AUDIO", "SAMPLE", "DEADLINE")
    return bool(daily) and not counted and not learns(reading)


_DAILY = regex(
    r"\bdaily (?:cost|bill|price|rate)|\b(?:cost|bill|price) (?:per|a) day\b"
)


_OBSERVED = regex(
    r"(?:\b(?:avg|averaged?|mean|median|max|util\w*|p\d\d)\b[^,;.!?\n]{0,24}\b(?:over|for|"
    r"during|in)(?: the)?(?: last| past)? |\[)$"
)
""" "GPU utilisation, average over 7d": how long it was watched."""


_ON_A_GPU = compiled("[ON W]? [A NUM DUPLEX XCOUNT]? TIMES? GPU")


def duration(reading: Reading, match: Match) -> Fields:
    """How long hardware is used, or a service is to live."""
    time = reading.value(match, "t")
    of_gpu = reading.concept_at(match.end()) == "GPU"
    start = match.start()
    bare = start == match.start("n")
    number = reading.item(match, "n")
    behind = reading.items[match.end() - 1].end
    watched = _OBSERVED.search(reading.plain, 0, number.start)
    if watched or _OLD.match(reading.plain, behind):
        return {}
    apart = reading.crossed_at(start)
    if bare and not apart and reading.concept_at(start - 1) in ("W", "LAT"):
        return {}
    if bare and of_gpu and reading.crossed_at(match.end()):
        return {}  # "backfill in 4 days, t4 on spot"
    within = _WITHIN.intersection(reading.between(start).split()[-1:])
    if bare and within and (learns(reading) or piled(reading)):
        seconds = SECONDS.get(time, 0)
        return {"deadline_hours": reading.value(match) * seconds / 3600}
    if reading.word(start) == "over" and sounds(reading) and time in ("hour", "day"):
        # "6k hours of calls over 3 days": by when they are to be heard
        return {"deadline_hours": reading.value(match) * SECONDS[time] / 3600}
    if reading.concept_at(start) == "LAT" and (
        time not in ("hour", "minute") or not (learns(reading) or piled(reading))
    ):
        return {}
    if reading.concept_at(match.end()) in ("DOC", "DATA", "AUDIO", "SAMPLE"):
        return {}
    if time in ("month", "year"):
        return {"term_months": reading.value(match) * MONTHS[time]}
    runs = time == "minute" and _ON_A_GPU.match(reading.whole, match.end()) is not None
    long = time in ("hour", "day", "week", "fortnight") or of_gpu
    long = long or (runs and learns(reading))  # "90 minutes on one l4"
    hours = reading.value(match) * SECONDS.get(time, 0) / 3600
    if not long or hours * 60 < 1:
        return {}
    share = time == "day" and "half the " in reading.plain[number.start : behind]
    daily = time == "hour" and hours <= 24 and _told_by_the_day(reading)
    daily = daily or share  # "busy half the day"
    return {"hours_per_day" if daily else "duration_hours": hours}

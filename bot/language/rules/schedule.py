"""Hours and days of use, deadlines, durations, terms."""

import re

from bot.language.reading import Match, Reading
from bot.language.rules.rates import SECONDS
from core.units import HOURS_PER_MONTH

MONTH_HOURS = 600, 744
"""Between these a number of hours is a whole month."""
_LOOKED_BACK = re.compile(
    r"\b(?:last|past|previous)\s+(?:\d+\s+)?(?:days?|weeks?|months?|years?)\b"
)
MONTHS = {"month": 1.0, "year": 12.0, "week": 12 / 52}


def hours(reading: Reading) -> None:
    """Read "24/7", "8 hours a day", "5 days a week", "weekdays", "9 to 5"."""
    for match in reading.find("HOURS"):
        reading.take("hours_per_day", float(reading.items[match.start()].value), match)
    _hours_per(reading)
    for match in reading.find("PER <u>TIME <n>NUM <t>TIME"):
        pair = reading.value(match, "t"), reading.value(match, "u")
        if pair == ("hour", "day"):
            reading.take("hours_per_day", reading.value(match), match)
        elif pair == ("hour", "month"):
            _hours_a_month(reading, match)
    for match in reading.find("<n>NUM <t>TIME [W A DASH]? <u>TIME"):
        pair = reading.value(match, "t"), reading.value(match, "u")
        if pair == ("hour", "month") and reading.value(match) >= MONTH_HOURS[0]:
            _hours_a_month(reading, match)
    for match in reading.find("WEEKDAYS"):
        reading.take("days_per_week", 5.0, match)
    for match in reading.find("OFFICEHOURS"):
        reading.take("hours_per_day", 8.0, match)


def _hours_per(reading: Reading) -> None:
    for match in reading.find(
        "<n>NUM <t>TIME PER <u>TIME", "<n>NUM <t>TIME SLASH <u>TIME"
    ):
        pair = reading.value(match, "t"), reading.value(match, "u")
        if pair == ("hour", "day"):
            reading.take("hours_per_day", reading.value(match), match)
        elif pair == ("day", "week"):
            reading.take("days_per_week", reading.value(match), match)
        elif pair == ("hour", "month"):
            _hours_a_month(reading, match)
        elif pair == ("hour", "week"):
            reading.take("hours_per_day", reading.value(match) / 7, match)


def _hours_a_month(reading: Reading, match: Match) -> None:
    """A whole month's hours say how long a month is; fewer, how much it is used."""
    hours_used = reading.value(match)
    if MONTH_HOURS[0] <= hours_used <= MONTH_HOURS[1]:
        reading.take("hours_per_month", hours_used, match)
    elif 0 < hours_used < MONTH_HOURS[0]:
        reading.take("hours_per_day", hours_used * 24 / HOURS_PER_MONTH, match)


def term(reading: Reading) -> None:
    """Read the term of a reservation: "1yr reserved", "reserve … for 6 months"."""
    if not reading.has("RESERVED"):
        return
    for match in reading.find("<n>NUM <t>TIME? [OR VS] <m>NUM <u>TIME"):
        if reading.value(match, "u") in MONTHS:
            reading.use(*match.span())  # which of the two is the question
            reading.wanted = "term"
            return
    for match in reading.find("<n>NUM <t>TIME"):
        if reading.value(match, "t") in MONTHS:
            months = reading.value(match) * MONTHS[reading.value(match, "t")]
            reading.take("term_months", months, match)
            return
    for match in reading.find(
        "RESERVED [W DUR]{0,2} PER <t>TIME", "PER <t>TIME RESERVED"
    ):
        if reading.value(match, "t") == "year":
            reading.take("term_months", 12.0, match)
            return
    for match in reading.find(
        "<n>NUM RESERVED", "RESERVED [W DUR]? <n>NUM (?!GPU|TIMES)"
    ):
        if (
            reading.item(match, "n").suffix == "m"
            and reading.item(match, "n").base <= 60
        ):
            reading.take("term_months", reading.item(match, "n").base, match)
            return


def deadline(reading: Reading) -> None:
    """Read by when a job must be done."""
    for match in reading.find("TOMORROW"):
        reading.take("deadline_hours", 24.0, match)
        return
    if not reading.has(
        "TRAIN",
        "FINETUNE",
        "METHOD",
        "SFT",
        "BATCH",
        "OFFLINE",
        "WORK",
        "DEADLINE",
        "EMBED",
        "AUDIO",
    ):
        return
    for match in reading.find(
        "[UNDER DEADLINE]+ [W UNDER DEADLINE IN DUR]{0,3} <n>NUM <t>TIME",
        "<n>NUM <t>TIME [W]? [UNDER DEADLINE]",
        "IN <n>NUM <t>TIME",
    ):
        if _put_hours(reading, match, "deadline_hours"):
            return


def duration(reading: Reading) -> None:
    """Read how long hardware is used: "for 3 days", "2 weeks of 8 h100"."""
    served = reading.has("TRAIN", "FINETUNE") and reading.has("SERVE")
    about = ("GPU", "INSTANCE", "GPUWORD", "LIFE", "COST", "BILL", "BREAKEVEN")
    if not (served or reading.has(*about)):
        return
    told = any(item.value == "history" for item in reading.all("PRICE"))
    if told or (reading.has("PRICE") and _LOOKED_BACK.search(reading.plain)):
        return  # how far back to look, not how long to rent
    for match in reading.find("DUR PER <t>TIME"):
        lived = served or reading.has("LIFE")
        if lived and reading.value(match, "t") in ("month", "year"):
            reading.take("term_months", MONTHS[reading.value(match, "t")], match)
            return
    for match in reading.find("[DUR UNDER OVER] <n>NUM <t>TIME", "<n>NUM <t>TIME"):
        time = reading.value(match, "t")
        if time in ("month", "year"):
            months = reading.value(match) * MONTHS[time]
            reading.take("term_months", months, match)
            return
        if time in ("hour", "day", "week", "fortnight") or _of_gpu(reading, match):
            _put_hours(reading, match, "duration_hours")
            return


def _of_gpu(reading: Reading, match: Match) -> bool:
    """Whether minutes are those of a GPU: "10 minutes of h100"."""
    return reading.concept_at(match.end()) == "GPU"


def _put_hours(reading: Reading, match: Match, field: str) -> bool:
    seconds = SECONDS.get(reading.value(match, "t"), 0)
    if seconds < 60:
        return False
    reading.take(field, reading.value(match) * seconds / 3600, match)
    return True


RULES = (hours, term)
LATE_RULES = (deadline, duration)

"""People who run the GPUs: hours of work a month, and what an hour costs."""

from collections.abc import Iterator

from bot.language.reading import Match, Reading, needs
from bot.language.states import shape
from core.patterns import regex

MONTHLY = {"day": 30.0, "week": 52 / 12, "month": 1.0, "year": 1 / 12}
FULL_TIME = 160.0
"""Hours of work in a month."""
_PERSON_HOURS = {"hour": 1.0, "day": 8.0, "week": 40.0, "month": FULL_TIME,
                 "fte": FULL_TIME}  # fmt: skip
"""Hours of work in a unit of a person's time."""
_PER = "(?:PER <p>TIME)?"
_PEOPLE = "[USER ENGINEER]"
_ONE = f"<e>{_PEOPLE}"
_MOST_STAFF = 50
"""People who look after one deployment; more of them use it."""
_NEAR = 60
"""Letters before a person in which it is said what they do."""
_LEAST_SALARY = 10_000
"""Dollars: a sum without a period above it is paid for a year, not an hour."""


@needs("ENGINEER USER")
def hours_of_work(reading: Reading) -> None:
    """Read "20 engineer hours a month", "1 engineer day a week", "engineer=20h"."""
    for match in reading.find(
        f"[ENGINEER USER] EQ <n>NUM <t>TIME {_PER}",
        f"<n>NUM <e>ENGINEER {_PER}",
        f"<n>NUM <t>TIME W? ENGINEER {_PER}",
        f"ENGINEER [W EQ]{{0,2}} <n>NUM <t>TIME {_PER}",
        f"<n>NUM <t>TIME PER <p>TIME <o>{_PEOPLE}",
    ):
        told = "t" if "t" in match.groupdict() else "e"
        unit = _PERSON_HOURS.get(reading.value(match, told) or "")
        if unit is not None and not _is_other(reading, match):
            hours = reading.value(match) * unit * per_month(reading, match)
            reading.beside["engineering_hours"] = hours
            reading.use(*match.span())
            return


def _is_other(reading: Reading, match: Match) -> bool:
    """Whether it is the lower half of "1/2 fte", or the hours of those who ask."""
    start = match.start("n")
    if match.groupdict().get("o"):
        return " of " not in reading.between(match.start("o"))
    return start > 0 and reading.items[start - 1].concept in ("SLASH", "HALF")


def per_month(reading: Reading, match: Match) -> float:
    """How often a month what is said per day, week, month or year comes."""
    if not match.groupdict().get("p"):
        return 1.0
    return MONTHLY.get(reading.value(match, "p"), 1.0)


_STAFF = regex(
    r"(?:[\w-]+ )*(?:engineers?|fte|ftes|sres?|devops|mlops|sysadmins?|admins?)"
)
_SINGLE = regex(
    r"\b(?:(?P<part>quarter|third|fifth|tenth) of )?"
    r"(?:an?|another|(?:full|part)-?\s?time|dedicated)\s+(?:[\w-]+\s+)?$"
)
_PARTS = {"quarter": 1 / 4, "third": 1 / 3, "fifth": 1 / 5, "tenth": 1 / 10}
_USED_BY = regex(
    r"\b(?:for|by|serving|serves?|among|across|our|chat(?:bot)?|copilot|assistant)\s+"
    r"(?:(?:an?|the|up to|about|some)\s+)?$"
)
_COUNTED = regex(
    r"(?:\+|&|\b(?:plus|incl\.?|including|include|includes|counting|hire|hiring|"
    r"pay|paying|adding|add|needs?|requires?|employ|employing))\s+(?:(?:for|an?|the)\s+)?$"
)
_AT_WORK = shape("people_at_work")


@needs("ENGINEER USER")
def staff(reading: Reading) -> None:
    """Read "half an engineer", "two engineers", "1/2 fte": hours of work a month."""
    if "engineering_hours" in reading.beside or not reading.has("ENGINEER", "USER"):
        return
    for match, people in _shares(reading):
        if not 0 < people <= _MOST_STAFF or not _at_work(reading, match, people):
            continue
        hours, end = _time_of_one(reading, match.end("e"))
        reading.beside["engineering_hours"] = people * hours
        reading.use(match.start(), end)
        return
    for index in reading.places("ENGINEER"):
        if reading.items[index].value == "person":
            reading.become(index, "USER", "")


def _shares(reading: Reading) -> Iterator[tuple[Match, float]]:
    """Every mention of people with how many of them, parts of one too."""
    for match in reading.find(f"<n>NUM SLASH <m>NUM W{{0,2}} {_ONE}"):
        whole = reading.value(match, "m")
        if whole > reading.value(match) > 0:
            yield match, reading.value(match) / whole
    for match in reading.find(f"<n>NUM PCT W{{0,2}} {_ONE}"):
        yield match, reading.value(match) / 100
    for match in reading.find(f"HALF W? {_ONE}"):
        yield match, float(reading.items[match.start()].value or 0.5)
    for match in reading.find(f"<n>[NUM DUPLEX] W{{0,2}} {_ONE}"):
        yield match, float(reading.value(match))
    for match in reading.find(_ONE):
        single = _SINGLE.search(_before(reading, reading.item(match, "e").start))
        if single is not None:
            yield match, _PARTS.get(single["part"] or "", 1.0)


def _before(reading: Reading, place: int) -> str:
    return reading.plain[max(0, place - _NEAR) : place]


def _at_work(reading: Reading, match: Match, people: float) -> bool:
    """Whether these people run the service, instead of using it."""
    word = reading.item(match, "e")
    if not _STAFF.fullmatch(reading.plain[word.start : word.end]):
        return False
    if people != int(people) or word.value == "fte":
        return True
    before = _before(reading, reading.items[match.start()].start)
    if _USED_BY.search(before):
        return False
    counted = _COUNTED.search(before) or _AT_WORK.match(reading.plain, word.end)
    return reading.has("TCO") or counted is not None


def _time_of_one(reading: Reading, end: int) -> tuple[float, int]:
    """The hours a month of one of them, and where what says so ends."""
    for match in reading.find("[W DUR HALF]? <n>NUM <t>TIME PER <p>TIME"):
        unit = _PERSON_HOURS.get(reading.value(match, "t"))
        if match.start() == end and unit is not None:
            hours = reading.value(match) * unit * per_month(reading, match)
            return hours, match.end()
    return FULL_TIME, end


def pay(reading: Reading) -> None:
    """Read "at $120/h", "on $180k a year each": dollars an hour of one of them."""
    if "engineering_hours" not in reading.beside:
        return
    for match in reading.find(
        "<c>CUR <n>NUM <g>GRAND? [PER SLASH] <t>TIME",
        "USED [W EACHTOK]? <c>CUR <n>NUM <g>GRAND? (?!PER|SLASH)",
        "USED [W EACHTOK]? (?P<c>)<n>NUM (?P<g>)(?!GPU|GPUWORD|REQ|USER|TIME|TOK|CUR)",
    ):
        if not match["c"] and reading.item(match, "n").suffix != "k":
            continue
        amount = reading.value(match) * (1000 if match["g"] else 1)
        hours = _paid_for(reading, match, amount)
        if hours is not None:
            reading.beside["engineering_usd_per_hour"] = amount / hours
            note_currency(reading, match)
            reading.use(match.start("c" if match["c"] else "n"), match.end())
            return


def note_currency(reading: Reading, match: Match) -> None:
    """Keep the currency of a sum beside the GPUs, where it is not the dollar."""
    for index in range(*match.span()):
        item = reading.items[index]
        if item.concept == "CUR" and item.value not in ("USD", "USc"):
            reading.aside["sums_currency"] = item.value


def _paid_for(reading: Reading, match: Match, amount: float) -> float | None:
    """The hours of work that a sum pays for; None: it is no pay."""
    if "t" not in match.groupdict():
        people = reading.concept_at(match.start()) in ("ENGINEER", "TIME", "USER")
        if not people:
            return None
        return 12 * FULL_TIME if amount >= _LEAST_SALARY else 1.0
    period = reading.value(match, "t")
    if period == "hour":
        return 1.0
    before = reading.items[max(0, match.start() - 5) : match.start()]
    after = reading.items[match.end() : match.end() + 2]
    near = [item for item in (*before, *after) if item.value not in ("hour", "day")]
    concepts = {item.concept for item in near}
    if "BUDGET" in concepts or not concepts & {"ENGINEER", "USER"}:
        return None
    return {"year": 12 * FULL_TIME, "month": FULL_TIME, "day": 8.0}.get(period)


_COUNTS = (
    r"(?:including|include|includes|incl\.?|counting|count|considering|adding|add|"
    r"factoring in|taking into account|plus|with|inkl\.?|inklusive|y compris|"
    r"incluyendo)"
)
_OF_PEOPLE = r"(?:time|costs?|salar(?:y|ies)|pay|wages?|hours|effort|work|labou?r)"
_UNTOLD = shape("people_untold")


def untold(reading: Reading) -> None:
    """Read "including an engineer's time": people to be counted, of no stated hours."""
    if reading.beside.keys() & {"engineering_hours"} or reading.has("TCO"):
        return
    if found := _UNTOLD.search(reading.plain):
        reading.beside["people"] = True
        reading.use_words(found)
        reading.stretch("people", *found.span())


RULES = (hours_of_work, staff, pay, untold)

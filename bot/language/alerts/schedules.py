"""Times of alerts as people write them: "weekly mon 8:30 berlin", "until tuesday"."""

import re
import unicodedata
from datetime import UTC, datetime, time, timedelta
from functools import cache
from typing import Literal
from zoneinfo import ZoneInfo, available_timezones

from msgspec import Struct

from core.alerts.cadence import DAYS, Cadence
from core.patterns import regex
from core.wording import say

CITIES = {
    "bangalore": "Asia/Kolkata",
    "beijing": "Asia/Shanghai",
    "boston": "America/New_York",
    "delhi": "Asia/Kolkata",
    "frankfurt": "Europe/Berlin",
    "india": "Asia/Kolkata",
    "mumbai": "Asia/Kolkata",
    "munich": "Europe/Berlin",
    "osaka": "Asia/Tokyo",
    "rio": "America/Sao_Paulo",
    "san francisco": "America/Los_Angeles",
    "seattle": "America/Los_Angeles",
    "sf": "America/Los_Angeles",
    "shenzhen": "Asia/Shanghai",
    "uk": "Europe/London",
    "washington": "America/New_York",
}
"""Cities that the zone database files under another one."""
_LETTERS = {
    "cet": "Europe/Berlin", "cest": "Europe/Berlin", "et": "America/New_York",
    "est": "America/New_York", "edt": "America/New_York", "ct": "America/Chicago",
    "pt": "America/Los_Angeles", "pst": "America/Los_Angeles",
    "pdt": "America/Los_Angeles", "gmt": "UTC", "utc": "UTC", "z": "UTC",
    "bst": "Europe/London", "jst": "Asia/Tokyo", "aest": "Australia/Sydney",
}  # fmt: skip
"""Letters as people use them: for the place's own time, summer time included. IST and
CST are not here: each means three places."""

_CLOCK = r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2}))?\s*(?P<half>am|pm)?"
_TIME = regex(rf"(?:^|\s)(?:at\s+)?{_CLOCK}(?=\s|$)")
_EVERY = regex(
    r"\b(?:(?P<day>daily|every\s+day)|(?P<week>weekly|every\s+week)"
    r"|(?P<weekday>weekdays|every\s+weekday|workdays))\b"
)
_DAY = regex(
    r"\b(?:every\s+|on\s+|next\s+)?(?P<name>mon|tue|wed|thu|fri|sat|sun)"
    r"(?:day|sday|nesday|rsday|urday|s|rs)?s?\b"
)
_SPAN = regex(
    r"(?:for\s+)?(?P<count>\d{1,4}|an?\s|one\s)\s*(?P<unit>h|hours?|d|days?|w|weeks?)"
)
_LETTERED = regex(r"\d(?:[:.h]\d{2})?\s*(?:am|pm|uhr)?\s?\(?([a-z]{2,4})\b")
""" "Daily at 07:45 CET: b200 prices": the letters right behind a time."""
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}


class UnreadableTimeError(ValueError):
    """A time that nobody can read; the argument says what can be."""


class Scheduled(Struct, frozen=True):
    """A cadence, and the words around it that were none of its own."""

    cadence: Cadence
    rest: str
    zone_said: bool


def read_cadence(text: str) -> Scheduled:
    """Read how often, on which day, at what time and where."""
    rest, every, weekday = text, "", 0
    if found := _EVERY.search(rest):
        every, rest = str(found.lastgroup), _without(rest, found)
    if found := _DAY.search(rest):
        every, weekday = "week", DAYS.index(found["name"])
        rest = _without(rest, found)
    at, rest = _clock(rest)
    zone, rest = _zone(rest)
    if not every and at is None:
        raise UnreadableTimeError(say("alert_questions.say_how_often"))
    cadence = Cadence(
        every=_kind(every),
        weekday=weekday,
        hour=at.hour if at else 9,
        minute=at.minute if at else 0,
        zone=zone or "UTC",
    )
    return Scheduled(cadence, rest, zone is not None)


def read_until(text: str, now: datetime) -> datetime:
    """Read until when: a span, a day, a date or a time, all after now."""
    words = re.sub(r"^(?:until|till|to)\s+", "", text.strip())
    if found := _SPAN.fullmatch(words):
        unit = _UNITS[found["unit"][0]]
        count = int(found["count"]) if found["count"].isdigit() else 1
        if not count:
            raise UnreadableTimeError(say("alert_questions.that_is_over"))
        return now + timedelta(**{unit: count})
    zone_name, words = _zone(words)
    local = now.astimezone(ZoneInfo(zone_name or "UTC"))
    until = _named_day(words, local) or _dated(words, local) or _o_clock(words, local)
    if until is None or until <= now:
        raise UnreadableTimeError(say("alert_questions.say_until_when"))
    return until.astimezone(UTC)


def refuse_times(text: str) -> None:
    """Refuse a sentence with a time that no clock shows: 25:00."""
    for hour, minute in re.findall(r"(?<!\d)(\d{1,2}):(\d{2})(?!\d)", text):
        if int(hour) > 23 or int(minute) > 59:
            raise UnreadableTimeError(
                say("alert_questions.is_no_time", hour=hour, minute=minute)
            )


def zone_within(text: str) -> str | None:
    """Find the place of a sentence: at its end, behind a time, "in", before "time"."""
    plain = text.strip().rstrip(".!?")
    for found in re.finditer(r"[a-z]+/[a-z]+(?:[_/][a-z]+)*", plain, re.IGNORECASE):
        if zone := zone_named(found[0]):
            return zone
    if zone := _zone(plain)[0]:
        return zone
    for found in _LETTERED.finditer(plain.lower()):
        if zone := _LETTERS.get(found[1]):
            return zone
    words = plain.lower().replace(",", " ").split()
    for at, word in enumerate(words):
        for length in (3, 2, 1):
            behind = " ".join(words[at + 1 : at + 1 + length])
            before = " ".join(words[max(at - length, 0) : at])
            named = behind if word == "in" else before if word == "time" else ""
            if named and (zone := zone_named(named)):
                return zone
    return None


def zone_named(words: str) -> str | None:
    """Return the IANA zone that a place or its letters mean."""
    plain = unicodedata.normalize("NFKD", words.strip().lower())
    word = "".join(letter for letter in plain if not unicodedata.combining(letter))
    key = word.replace(" ", "_")
    return CITIES.get(word) or _LETTERS.get(word) or _zones().get(key)


def _kind(every: str) -> Literal["day", "weekday", "week"]:
    if every == "week":
        return "week"
    return "weekday" if every == "weekday" else "day"


def _without(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}".strip()


def _clock(text: str) -> tuple[time | None, str]:
    for found in _TIME.finditer(text):
        if not (found["minute"] or found["half"] or "at " in found[0]):
            continue
        hour, half = int(found["hour"]), found["half"]
        if half:
            hour = hour % 12 + (12 if half == "pm" else 0)
        minute = int(found["minute"] or 0)
        if hour > 23 or minute > 59:
            raise UnreadableTimeError(
                say("alert_questions.bad_time_of_day", found=found[0].strip())
            )
        return time(hour, minute), _without(text, found)
    return None, text


def _zone(text: str) -> tuple[str | None, str]:
    """Take the zone from the end of the words: up to three of them name a place."""
    words = text.split()
    for length in (3, 2, 1):
        place = " ".join(words[-length:])
        if len(words) >= length and (zone := zone_named(place)):
            left = words[:-length]
            if left and left[-1] in ("in", "time"):
                left = left[:-1]
            return zone, " ".join(left)
        if words and words[-1] == "time":
            return _zone(" ".join(words[:-1]))
    return None, text


@cache
def _zones() -> dict[str, str]:
    """Every zone of the database, by its whole name and by its city."""
    names = sorted(available_timezones())
    cities = {name.rsplit("/", 1)[-1].lower(): name for name in names if "/" in name}
    return cities | {name.lower(): name for name in names}


def _named_day(words: str, local: datetime) -> datetime | None:
    at, rest = _clock(words)
    midnight = datetime.combine(local.date(), at or time(), local.tzinfo)
    if rest.strip() == "tomorrow":
        return midnight + timedelta(days=1)
    found = _DAY.fullmatch(rest.strip())
    if found is None:
        return None
    day = midnight + timedelta(days=(DAYS.index(found["name"]) - local.weekday()) % 7)
    return day if day > local else day + timedelta(days=7)


def _dated(words: str, local: datetime) -> datetime | None:
    try:
        found = datetime.fromisoformat(words.strip())
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=local.tzinfo)


def _o_clock(words: str, local: datetime) -> datetime | None:
    at, rest = _clock(words)
    if at is None or rest.strip():
        return None
    today = datetime.combine(local.date(), at, local.tzinfo)
    return today if today > local else today + timedelta(days=1)

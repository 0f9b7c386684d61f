"""How fast answers have to come, and how surely."""

from itertools import pairwise

from bot.language.items import TIMES_OF_ALL
from bot.language.reading import Match, Reading
from bot.language.values.units import SECONDS, Fields
from core.patterns import regex


def milliseconds(reading: Reading, match: Match) -> Fields:
    """A latency; without a unit, small numbers are seconds."""
    value = reading.value(match)
    unit = reading.value(match, "t") if "t" in match.groupdict() else None
    if unit is None:
        unit = "ms" if value >= 20 else "second"
        if reading.concept_at(match.end()) == "TIME":
            return {}
        if value < 20 and reading.concept_at(match.end()) in ("W", "OR", "REQ", "DOC"):
            return {}  # "a call takes seven exchanges"
    if unit not in ("ms", "second", "minute"):
        return {}
    if value * SECONDS[unit] > _LONGEST_WAIT:
        return {}
    return {"": value * SECONDS[unit] * 1000}


_LONGEST_WAIT = 900
"""Seconds; longer is a run."""


def one_unit(reading: Reading, match: Match) -> Fields:
    """ "under a second to first token"."""
    unit = reading.value(match, "t")
    if unit not in ("ms", "second", "minute"):
        return {}
    return {"": SECONDS[unit] * 1000}


def percentile(reading: Reading, match: Match) -> Fields:
    """ "95% of requests", where a time stands beside it."""
    if reading.value(match) not in (50, 90, 95, 99):
        return {}
    return {"": f"p{reading.value(match):g}"}


def percentile_of_the_time(reading: Reading, match: Match) -> Fields:
    """ "within 3 s, 95% of the time", "in 99 % der Fälle"."""
    return percentile(reading, match) if _is_of_all(reading, match) else {}


def percentile_of_a_limit(reading: Reading, match: Match) -> Fields:
    """ "After 1.5 seconds …, a hard limit for 95 out of 100 requests"."""
    item = reading.item(match, "w")
    counted = item.concept in ("REQ", "OUT", "OFTHEM") or _is_of_all(reading, match)
    start = max(reading.plain.rfind(stop, 0, item.start) for stop in (". ", "?", "\n"))
    timed = any(
        first.concept == "NUM"
        and unit.value in ("ms", "second")
        and first.start > start
        for first, unit in pairwise(reading.items[: match.start()])
    )
    return percentile(reading, match) if counted and timed else {}


def _is_of_all(reading: Reading, match: Match) -> bool:
    """Whether a share is one of all times: "of the time", "99 times out of 100"."""
    often = reading.value(match, "w") == TIMES_OF_ALL
    return often or reading.word(match.start("w")) in _TIMES


_TIMES = frozenset(
    "time cases falle fallen zeit temps cas tiempo veces casos tempo vezes volte casi "
    "gevallen tijd przypadkow czasu случаев времени".split()
)


def within(reading: Reading, match: Match) -> Fields:
    """ "95% of requests within 2 s" is the time of whole answers."""
    each = (
        "EACHTOK" in reading.concepts(match) and reading.value(match, "t") != "minute"
    )
    told = each or reading.has("PCT")
    if not told or reading.has("TTFT", "TPOT", "E2E", "LAT"):
        return {}
    return milliseconds(reading, match)


def in_total(reading: Reading, match: Match) -> Fields:
    """ "under 5 seconds total", "2 s total latency": of a whole answer."""
    whole = reading.value(match, "u") == "total"
    told = reading.is_service() or reading.has("LAT")
    return milliseconds(reading, match) if whole and told else {}


def bare_wait(reading: Reading, match: Match) -> Fields:
    """ "80 callers, <500ms": a wait of a live service, and no other is told."""
    if reading.value(match, "t") not in ("ms", "second") or not reading.is_service():
        return {}
    if reading.has("TTFT", "TPOT", "E2E", "LAT", "PCTL"):
        return {}
    return milliseconds(reading, match)


def service_level(reading: Reading, match: Match) -> Fields:
    """An SLA's percentage; without a sign it has to be one of nines."""
    value, told = reading.value(match), reading.concepts(match)
    if told & {"SLA", "AVAIL"}:
        least = 50 if "PCT" in told else 99
        if not least < value <= 100:
            return {}
        return {"sla": value if "SLA" in told or "PCT" not in told else True}
    if not 99 <= value < 100:
        return {}
    after = {reading.concept_at(match.end() + i) for i in range(3)}
    about = {"UTIL", "CACHE", "IN", "OUT", "REQ", "TOK", "TIME"}
    if _IN_WRITING.match(reading.plain, reading.items[match.end() - 1].end):
        return {"sla": value}
    signed = "PCT" in told or value != int(value) or match.end() == len(reading.items)
    return {"sla": value} if signed and not after & about else {}


_IN_WRITING = regex(
    r" ?%? (?:in writing|in (?:the|a) contract|contractually|schriftlich|vertraglich|"
    r"par ecrit|por escrito|per iscritto)\b"
)

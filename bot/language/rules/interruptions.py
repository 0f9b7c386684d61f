"""How often spot capacity is taken away, where a question says so."""

from bot.language.reading import Reading
from bot.language.values.units import SECONDS
from core.patterns import regex

_TIMES = {"once": 1.0, "twice": 2.0, "thrice": 3.0, "a": 1.0, "an": 1.0, "one": 1.0,
          "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0}  # fmt: skip
_UNITS = {"m": "minute", "h": "hour", "d": "day", "w": "week"}
_STOP = (
    r"(?:interrupt(?:ed|ions?|s)?|pre-?empt(?:ed|ions?|s)?|evict(?:ed|ions?)|"
    r"reclaim(?:ed|s)?|kill(?:ed|s)|taken (?:away|back)|spot loss(?:es)?|"
    r"los(?:e|es|ing|t) (?:an? |one )?(?:node|machine|vm|instance|gpu)s?)"
)
_MTBF = r"(?:mtbf|mean time between (?:failures|interruptions|preemptions))"
_PER = r"\b(?:every|each|per|an?|in)\s*|/\s*"
_NUMBER = r"\d+(?:\.\d+)?"
_COUNT = rf"{_NUMBER}|{'|'.join(_TIMES)}"
_UNIT = r"(?P<u>mins?|minutes?|h|hrs?|hours?|d|days?|wks?|weeks?|months?)\b"
_SAID = (
    regex(
        rf"\b(?P<k>{_COUNT})\s+(?:spot\s+)?{_STOP}\s*(?:{_PER})(?P<n>{_NUMBER})?\s*{_UNIT}"
    ),
    regex(
        rf"\b{_STOP}\b[\s,:]*(?:about\s+|roughly\s+|say\s+|maybe\s+|~\s*)?"
        rf"(?:(?P<k>{_COUNT})\s*(?:x|times)?\s*)?(?:{_PER})(?P<n>{_NUMBER})?\s*{_UNIT}"
    ),
    regex(rf"\b{_MTBF}\s*(?:of|is|=|:|about|~)*\s*(?P<n>{_NUMBER})\s*{_UNIT}"),
)
_OF_MACHINE = regex(
    r"\b(?:an?|each|every|one|per) (?:node|machine|vm|instance|box|host|gpu)\b"
)
_NEAR = 40
"""Letters before and behind in which it is said what is taken away."""


def interruptions(reading: Reading) -> None:
    """Read "interrupted every 10 hours", "preempted twice a day", "mtbf 12h"."""
    for match in filter(None, (shape.search(reading.plain) for shape in _SAID)):
        unit = "month" if match["u"].startswith("mo") else _UNITS[match["u"][0]]
        each = float(match["n"] or 1) * SECONDS[unit] / 3600
        times = match.groupdict().get("k")
        often = _TIMES.get(times, 0.0) or float(times) if times else 1.0
        if not (each > 0 and often > 0):
            continue
        around = reading.plain[max(0, match.start() - _NEAR) : match.end() + _NEAR]
        reading.aside["interrupted_hours"] = each / often
        if _OF_MACHINE.search(around):
            reading.aside["interrupted_machine"] = True
        reading.use_words(match)
        return


RULES = (interruptions,)

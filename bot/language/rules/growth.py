"""How fast a load grows, where a question says so."""

import re

from bot.language.reading import Reading

_PER = r"(?:a|per|every|each|/)?\s*"
_MONTHS = {"mo": 1.0, "qu": 3.0, "ye": 12.0, "yr": 12.0, "an": 12.0, "yo": 12.0}
_UNIT = (
    r"(?P<u>months?|mo|mom|monthly|quarters?|quarterly|years?|yr|yearly|annually|"
    r"annual|yoy)"
)
_SPAN = re.compile(r"\b(?P<n>\d{1,3})\s*(?P<u>years?|yrs?|months?|mo)\b")
_SAID = (
    re.compile(
        r"\b(?:gr[oe]w(?:s|n|ing|th)?|increas(?:es|ing)|rising|rises|up)\s+"
        rf"(?:by |of |at |about |~ ?)*(?P<n>\d+(?:\.\d+)?)\s?%\s*{_PER}{_UNIT}\b"
    ),
    re.compile(
        rf"(?<![\d.])(?P<n>\d{{1,4}}(?:\.\d{{1,2}})?)\s?%\s*{_PER}{_UNIT}\s+"
        r"(?:traffic |load |user )?growth\b"
    ),
    re.compile(
        r"\b(?P<u>monthly|quarterly|yearly|annual) growth (?:of )?(?P<n>\d+)\s?%"
    ),
)
_TIMES = re.compile(
    r"\b(?P<f>doubl|tripl|quadrupl)(?:e|es|ed|ing)\s+(?:\w+\s+){0,2}?(?:every|each|per|a)\s+"
    rf"(?:(?P<n>\d{{1,2}})\s*)?{_UNIT}\b"
)
_FACTORS = {"doubl": 2, "tripl": 3, "quadrupl": 4}
_FASTEST = 5.0
"""Times as much within a month: nobody plans GPUs for more."""


def growth(reading: Reading) -> None:
    """Read "growing 10% a month", "doubles every quarter": a share a month."""
    if reading.has("ALERT"):
        return
    found = [match for shape in _SAID if (match := shape.search(reading.plain))]
    times = _TIMES.search(reading.plain)
    if found:
        match, factor, each = found[0], 1 + float(found[0]["n"]) / 100, 1.0
    elif times:
        match, factor, each = times, _FACTORS[times["f"]], float(times["n"] or 1)
    else:
        return
    monthly = factor ** (1 / (each * _MONTHS[match["u"][:2]])) - 1
    if 0 < monthly < _FASTEST:
        reading.aside["growth_per_month"] = round(monthly, 9)
        reading.use_words(match)
        _span(reading)


def _span(reading: Reading) -> None:
    """Read "2 years" behind it: so long the load is looked at."""
    match = _SPAN.search(reading.plain)
    if match is not None and not reading.has("RESERVED", "LIFE", "TRAIN", "FINETUNE"):
        months = int(match["n"]) * _MONTHS[match["u"][:2]]
        reading.aside["growth_months"] = int(months)
        reading.use_words(match)


RULES = (growth,)

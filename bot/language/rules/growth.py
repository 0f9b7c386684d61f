"""How fast a load grows, where a question says so."""

import re

from bot.language.numbers import SCALES
from bot.language.reading import Reading
from core.patterns import regex

_PER = r"(?:a|per|every|each|/)?\s*"
_MONTHS = {"m": 1.0, "q": 3.0, "y": 12.0, "a": 12.0, "j": 12.0}
"""Of a span, by its first letter."""
_UNIT = (
    r"(?P<u>months?|mo|mom|monthly|quarters?|quarterly|years?|yr|yearly|annually|"
    r"annual|yoy)"
)
_SPAN = regex(r"\b(?P<n>\d{1,3})\s*(?P<u>years?|yrs?|months?|mo)\b")
_SAID = (
    regex(
        r"\b(?:gr[oe]w(?:s|n|ing|th)?|increas(?:es|ing)|rising|rises|up)\s+"
        rf"(?:by |of |at |about |~ ?)*(?P<n>\d+(?:\.\d+)?)\s?%\s*{_PER}{_UNIT}\b"
    ),
    regex(
        rf"(?<![\d.])(?P<n>\d{{1,4}}(?:\.\d{{1,2}})?)\s?%\s*{_PER}{_UNIT}\s+"
        r"(?:traffic |load |user )?growth\b"
    ),
    regex(
        rf"(?:\+|\bplus )\s?(?P<n>\d+(?:\.\d+)?)\s?%\s*{_PER}{_UNIT}\b"
        r"(?! (?:tax|fee|vat))"
    ),
    regex(
        r"(?:\b(?:wachst|wachsend|steigt|zunehmend|croit|augmente|crece|aumenta|cresce)"
        r"(?: (?:um|de|un|del|en|di))*(?: ca\.?| etwa| environ)?|\+)\s?"
        r"(?P<n>\d+(?:[.,]\d+)?)\s?%\s*"
        r"(?:im|pro|par|al|por|a|je|au|all')\s*(?P<u>monat|mois|mes|mese|jahr|an|ano|anno)\b"
    ),
    regex(r"\b(?P<u>monthly|quarterly|yearly|annual) growth (?:of )?(?P<n>\d+)\s?%"),
)
_TIMES = regex(
    r"\b(?P<f>doubl|tripl|quadrupl)(?:e|es|ed|ing)\s+(?:\w+\s+){0,2}?"
    r"(?:every|each|per|a)\s+"
    rf"(?:(?P<n>\d{{1,2}})\s*)?{_UNIT}\b"
)
_TO_TIMES = (
    r"(?:(?P<f>doubl|tripl|quadrupl)(?:e|es|ing)"
    r"|(?:(?:be|to|grow(?:s|ing)?(?: to)?|goes up)\s+(?:about |roughly |to )*)?"
    r"(?<![\d.])(?P<x>\d{1,3}(?:\.\d)?)\s?x"
    r"|grow(?:s|th)?(?: of| by)? (?P<p>\d{1,3}) ?%"
    r"|(?<![\d.])(?P<q>\d{1,3}) ?% (?:(?:traffic|load) )?(?:growth|more|increase))"
)
_BY = (
    r"(?:next |(?:by|until|before|within|in|over|after|from)\s+"
    r"(?:the |next |end of |a |an |one )*)"
)
_THEN = (
    r"year[- ]end|spring|summer|autumn|fall|winter|christmas|q[1-4]|(?:jan|febr)uary|"
    r"march|april|may|june?|july?|august|(?:sept|nov|dec)ember|october|jan|feb|mar|apr|aug|sept?|oct|nov|"
    r"dec"
)
_NTH = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "nine": 9}
_YEAR = rf"(?P<y>[1-5]|{'|'.join(_NTH)})"
_MANY = rf"(?P<n>\d{{1,2}}|{'|'.join(_NTH)})"
_WHEN = rf"{_BY}(?:year {_YEAR}|(?:{_MANY}\s*)?{_UNIT}(?![- ]end)|{_THEN})\b"
_ONCE = regex(
    rf"(?=[dtqbg\d])(?:\b|(?<=\s)){_TO_TIMES}\s+(?:the load |as much )?{_WHEN}"
)
"""Once, by a time: "doubles by summer", "expected to be 5x in a year"."""
_COUNT = r"(?<![\d.,])\d[\d,]*(?:\.\d+)?[km]?"
_OF = (
    r"(?:rps|qps|(?:concurrent |daily |active |monthly )*users|"
    r"(?:requests?|reqs?|queries|tokens|tok)"
    r"(?: ?/ ?(?:s|sec|day)| (?:per|a) (?:second|minute|hour|day|month))?|"
    r"[a-z]{1,3}\d{2,3}s?)"
)
_NOW_AND_THEN = (
    regex(
        rf"(?P<a>{_COUNT}) ?(?P<au>{_OF})?(?P<between>[^.;?!\d]{{0,40}}?)"
        rf"(?P<then>(?P<b>{_COUNT}) ?(?P<bu>{_OF})?(?: \w+){{0,2}}? {_WHEN})"
    ),
    regex(
        rf"(?P<a>{_COUNT}) ?(?P<au>{_OF})(?P<between>[^.;?!\d]{{0,40}}?)"
        rf"(?P<then>{_WHEN}[ ,:]+(?P<b>{_COUNT}) ?(?P<bu>{_OF}))"
    ),
)
"""The load of today and that of a time: "5 rps now, 20 rps in a year"."""
_GROWING = regex(
    r"\b(?:now|today|this (?:week|month|quarter|year)|current(?:ly)?|launch\w*|"
    r"start\w*|initial(?:ly)?|first|from|to|"
    r"grow\w*|expect\w*|rising|then|plan\w*|going|reach\w*|scal\w+|become\w*|could|"
    r"hop(?:e|es|ing)|aim\w*|want\w*|ramp\w*)\b"
)
_UP_TO = regex(
    r"\b(?:could|may|might|maybe|perhaps|becom\w+|to|expect\w*|reach\w*)"
    r"(?: \w+){0,2} ?$"
)
"""Ahead of an amount without a unit: that of the load of today is meant."""
_LOADS = {"rps": "rps", "qps": "rps", "users": "users"}
"""What the unit counts, where the first of two amounts goes without one."""
_FACTORS = {"doubl": 2, "tripl": 3, "quadrupl": 4}
_FASTEST = 5.0
"""Times as much within a month: nobody plans GPUs for more."""


def growth(reading: Reading) -> None:
    """Read "growing 10% a month", "doubles every quarter": a share a month."""
    if reading.has("ALERT") or "first_rps" in reading.aside:
        return
    if _once(reading) or _now_and_then(reading):
        _horizon(reading)
        return
    shapes = _SAID if "%" in reading.plain else ()
    found = [match for shape in shapes if (match := shape.search(reading.plain))]
    times = _TIMES.search(reading.plain)
    if found:
        match, each = found[0], 1.0
        factor = 1 + float(match["n"].replace(",", ".")) / 100
    elif times:
        match, factor, each = times, _FACTORS[times["f"]], float(times["n"] or 1)
    else:
        return
    monthly = factor ** (1 / (each * _MONTHS[match["u"][0]])) - 1
    if 0 < monthly < _FASTEST:
        reading.aside["growth_per_month"] = round(monthly, 9)
        reading.use_words(match)
        _span(reading)
        _horizon(reading)


def _once(reading: Reading) -> bool:
    """Read "5x in a year": the monthly share that gets there; "doubles by summer"."""
    match = _ONCE.search(reading.plain)
    if match is None or reading.has("TRAIN", "FINETUNE"):
        return False
    share = match["p"] or match["q"]
    factor = 1 + float(share) / 100 if share else float(match["x"] or 0)
    factor = _FACTORS.get(match["f"], factor)
    if factor <= 1:
        return False
    _note(reading, match, factor)
    reading.use_words(match)
    return True


def _now_and_then(reading: Reading) -> bool:
    """Read "5 rps now, 20 rps in a year": the load of today, and how it grows."""
    if reading.has("TRAIN", "FINETUNE") or not _GROWING.search(reading.plain):
        return False
    found = (shape.search(reading.plain) for shape in _NOW_AND_THEN)
    match = next((one for one in found if one), None)
    if match is None:
        return False
    near = reading.plain[max(0, match.start() - 20) : match.end("between")]
    first, last = _number(match["a"]), _number(match["b"])
    gpus = (match["au"] or "").rstrip("s")[-1:].isdigit()
    same = match["au"] in (None, match["bu"]) or (gpus and match["bu"] is None)
    if match["bu"] is None and _UP_TO.search(match["between"]):
        same = match["au"] is not None
    if not (same and 0 < first < last and _GROWING.search(near)):
        return False
    field = _LOADS.get(match["bu"])
    if match["au"] is None and field is None:
        return False
    _note(reading, match, last / first)
    today = any(  # else it would be the load of today, and no longer wanted
        one.kind == "today" and one.start <= match.start() < one.end
        for one in reading.stances
    )
    own = field is not None and (match["au"] is None or today)
    start, end = match.span() if own else match.span("then")
    for index in reading.inside(start, end):
        reading.use(index, index + 1)
    if own and field is not None:
        reading.fields[field] = first
        reading.stretch(field, match.start(), match.end("au" if match["au"] else "bu"))
    return True


def _number(said: str) -> float:
    scale = SCALES.get(said[-1], 1)
    return float(said.rstrip("km").replace(",", "")) * scale


def _note(reading: Reading, match: re.Match[str], factor: float) -> None:
    """Note the monthly share that gets there, or only how many times it becomes."""
    year = match["y"]
    if year or (match["u"] and "end of" not in match[0]):
        unit = _MONTHS[match["u"][0]] if match["u"] else 0
        months = 12 * _nth(year) if year else _nth(match["n"] or "1") * unit
        reading.aside["growth_per_month"] = round(factor ** (1 / months) - 1, 9)
        reading.aside["growth_months"] = round(months)
    else:
        _from_month(reading, match[0], factor)


def _from_month(reading: Reading, said: str, factor: float) -> None:
    """Note how many times it becomes, and from which month of a year on."""
    reading.aside["growth_times"] = factor
    word = said.split()[-1]
    month = 3 * int(word[1]) - 2 if word[0] == "q" else _MONTH.find(word[:3]) // 3 + 1
    if month := month + ("end of" in said) if month else 0:
        reading.aside["growth_from_month"] = month


_MONTH = "janfebmaraprmayjunjulaugsepoctnovdec"


def _nth(said: str) -> int:
    return _NTH.get(said) or int(said)


_HORIZON = regex(
    rf"(?:\b(?:\w+ ){{0,2}}?(?:wants?|needs?|asks? for|give me|make)(?: an?)? )?"
    rf"\b{_YEAR}[- ]years? (?:\w+ ){{0,2}}?(?:budget|plan|forecast|projection|horizon|"
    r"outlook|view)\b"
)


def _horizon(reading: Reading) -> None:
    """Read "a three-year budget": so long a load that grows is looked at."""
    found = _HORIZON.search(reading.plain)
    if found is None or "growth_per_month" not in reading.aside:
        return
    reading.aside.setdefault("growth_months", 12 * _nth(found["y"]))
    reading.told("growth_months", found)


def _span(reading: Reading) -> None:
    """Read "2 years" behind it: so long the load is looked at."""
    match = _SPAN.search(reading.plain)
    if match is not None and not reading.has("RESERVED", "LIFE", "TRAIN", "FINETUNE"):
        months = int(match["n"]) * _MONTHS[match["u"][0]]
        reading.aside["growth_months"] = int(months)
        reading.use_words(match)


_RATE = r"(?:rps|qps|req(?:uest)?s?(?: ?/ ?s(?:ec)?\b| per second| a second))"
_FIRST = (
    r"(?:pilot|beta|poc|proof of concept|trial|test phase|phase (?:one|1)|soft launch|"
    r"first (?:\w+ )?(?:days|weeks|months?|quarter|year)|year (?:one|1)|at first|"
    r"initially|at the start|in the beginning|to (?:begin|start)(?: with)?|"
    r"pilotphase|testphase|anfangs|phase pilote|au debut|piloto|al principio)\b"
)
_LATER = (
    r"\b(?:then|later|after(?:wards?)?|launch|go[- ]?live|(?:are|is|go|goes|going) live"
    r"|ga|general availability|full(?: public)? (?:release|roll[- ]?out|scale)|"
    r"roll[- ]?out|phase (?:two|2)|year (?:two|2)|from then on|in production|danach|"
    r"dann|spater|puis|ensuite|apres|despues|luego)\b"
)
_IN_TURN = regex(
    rf"(?:\b{_FIRST}(?:[^.;?!\d]{{0,25}}?)(?P<a>\d[\d.]*) ?{_RATE}\b|"
    rf"(?P<b>\d[\d.]*) ?{_RATE}\b[^.;?!\d]{{0,25}}?\b{_FIRST})"
    rf"(?P<gap>[^.;?!\d]{{0,50}}?)(?=\d[\d.]* ?{_RATE}\b(?P<behind>[^.;?!\d]{{0,25}}))"
)
_BOTH = regex(
    r"(?:please )?\b(?:size|price|cost|quote|plan|show|give (?:me|us)|for|what for) "
    r"(?:for )?(?:both|each)(?: (?:of (?:them|these|those)|phases?|stages?|loads?))?\b"
)


def in_turn(reading: Reading) -> None:
    """Read "3 rps in the pilot, 25 rps after launch": the later is sized, and both."""
    found = _IN_TURN.search(reading.plain)
    if found is None or reading.has("TRAIN", "FINETUNE", "PEAK", "LIFE"):
        return
    turn = re.search(_LATER, found["gap"] + "|" + found["behind"])
    first = float(found["a"] or found["b"])
    if turn is None or first <= 0:
        return
    reading.aside["first_rps"] = first
    reading.told("first_rps", found)
    if both := _BOTH.search(reading.plain):
        reading.stretch("first_rps", *both.span())


RULES = (in_turn, growth)

"""A peak that lasts for days: what runs always, and what comes on top for so long.

"From 5 to 45 rps for 4 days", "25 rps, four times that in Black Friday week".
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from bot.language.asked import NUMBERS
from bot.language.reading import Reading
from core.patterns import regex
from core.query import RATES, Query

A_MONTH = 720
_HOURS = {"h": 1, "d": 24, "w": 168}
_DAY, _WEEKEND, _WEEK, _FORTNIGHT = 24, 48, 168, 336
_SPELT = NUMBERS | dict.fromkeys("a an eine einen une un una uno".split(), 1)
_COUNT = rf"(\d{{1,2}}|{'|'.join(_SPELT)})"
_PER_S = (
    r"(?:rps|qps|(?:req(?:uests)?|calls|queries|anfragen|requetes|peticiones|richieste)"
    r" ?(?:/ ?s(?:ec)?|per second|a second|pro sekunde|par seconde|por segundo)|/s)"
)
_RISE = regex(
    rf"\b(?:from|of) (?P<a>\d+(?:\.\d+)?) ?(?:{_PER_S} )?(?:up )?to "
    rf"(?P<b>\d+(?:\.\d+)?) ?{_PER_S}[^.;?!\d]{{0,20}}? (?:for|during|over) "
    rf"{_COUNT} ?(hours?|days?|weeks?)\b"
)
RATE = regex(
    rf"(?<![\d.,])(?P<r>\d+(?:\.\d+)?) ?{_PER_S}(?!\w)|\b(?:goes|go|going|up|rises?|"
    r"jumps?|climbs?|spikes?|grows?|steigt|monte|sube|sale)(?: up)? (?:to|auf|a) "
    r"(?P<to>\d+(?:\.\d+)?)(?= ?(?:[,.;:?!)]|$))"
)
""" "60 rps"; "goes to 60", in the unit that was said before."""
TIMES = regex(
    r"(?<![\d.,])(?P<x>\d+(?:\.\d+)?) ?(?:x|×|times|fold|fach|fois|veces|volte)(?!\w)|"
    r"\b(?P<two>doubl\w+|twice(?! (?:a|per|every|each)\b)|twofold|"
    r"verdoppel\w*|doppelt\w*|duplica\w*|raddoppia\w*)|"
    r"\b(?P<three>tripl\w+|three times|threefold|verdreifach\w*|dreifache\w*)|"
    r"\b(?P<four>quadrupl\w+|four times|fourfold|vervierfach\w*|vierfache\w*|"
    r"cuadruplic\w*)|"
    r"\b(?P<five>quintupl\w+|five times|fivefold|verfunffach\w*|funffache\w*)|"
    r"\b(?P<ten>ten times|tenfold|verzehnfach\w*|zehnfache\w*)|"
    rf"\b(?P<said>{'|'.join(_SPELT)})(?: times| mal| fois| veces| volte|mal)\b"
)
_FACTORS = {"two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
_UNIT = (
    r"(days?|weekends?|weeks?|fortnights?|tagen?|tage?|wochenenden?|wochen?|"
    r"jours?|semaines?|week-ends?|dias?|semanas?|giorni?|giorno|settiman[ae])"
)
_LASTS = regex(
    rf"\b(?:for|during|lasting|lasts?|fur|wahrend|pendant|durante|por|per) "
    rf"(?:the |about |around |some )?{_COUNT} (?:full |whole )?{_UNIT}\b"
    r"(?! (?:a|per|each|every|in|pro|par|por) "
    r"(?:week|month|year|woche|monat|mois|mes))|"
    rf"\b{_COUNT} {_UNIT} (?:in|im|en|in) (?:january|february|march|april|may|june|"
    r"july|august|september|october|november|december|januar|februar|marz|mai|juni|"
    r"juli|oktober|dezember|decembre|diciembre|dicembre)\b"
)
""" "For two days", "three weeks in December"."""
_NO_EVENT = (
    r"(?!(?:per|an?|each|every|any|this|next|last|the|that|one|two|three|four|five|six|"
    r"seven|all|whole|full|same|of|by|to|in|on|at|for|from|until|within|mid|another|"
    r"first|second|third|days?|hours?|times|once|twice|work(?:ing)?|business|normal|"
    r"ordinary|quiet|usual|typical|average|regular|calm|slow|standard|most|other|some|"
    r"these|those|school|calendar|peak|busy|busiest|bad|big|hot|worst|best|heavy|max|"
    r"either|and|or|pro|je|jede[rsn]?|ganze[rsn]?|eine[rsn]?|der|die|das|diese[rsn]?|"
    r"pron?|tokens?|requests?|rps|day|week|half)\b)"
)
_EVENT = regex(
    r"(?<!\ba )(?<!\ban )(?<!\bany )(?<!\bevery )(?<!\beach )(?<!\bper )"
    rf"\b{_NO_EVENT}[a-z]{{3,}}(?: |-)(?P<u>day|week-?end|week|fortnight|tag|"
    r"wochenende|woche)\b(?!s)|"
    r"\b(?:the|our|in|during) (?:peak|busy|busiest|hot) "
    r"(?P<v>week-?end|week|fortnight)\b|"
    r"\b(?P<w>semaine|semana|settimana|woche|week|fortnight) (?:of|des|du|de la|de los|"
    r"de las|del|de|dei|der) [a-z]{4,}"
)
""" "Black Friday week", "launch weekend", "la semaine des soldes"."""
_CUT = regex(
    r"[;?!]|[.:](?=\s|$)|,(?!\d)|\s(?=(?:and|but|while|und|aber|et|mais|y|pero|e|ma)\s)"
)


@dataclass(frozen=True, slots=True)
class _Peak:
    """What comes for so many hours, how often the usual load, and where it is said."""

    factor: float
    hours: float
    start: int
    end: int


_SPANS = tuple(
    "day week fortnight tag woche jour semain dia seman giorn settiman hour".split()
)
"""Without any of these no span of time is told."""


def days_of_peak(reading: Reading, read: Callable[[str], Query]) -> tuple[Query, ...]:
    """What runs always, and what the peak adds for its days; nothing: there is none.

    `read` reads a text alone.
    """
    plain = reading.plain
    if not any(span in plain for span in _SPANS) or not reading.stated(*RATES):
        return ()
    if (rise := _RISE.search(plain)) is not None:
        return _loads(_of_a_rise(rise), f"{rise['a']} rps", plain, read)
    return _loads(_of_an_event(plain), "", plain, read)


def _loads(
    peak: _Peak | None, usual: str, plain: str, read: Callable[[str], Query]
) -> tuple[Query, ...]:
    """The usual load, read without the peak's words, and as much more as it takes."""
    if peak is None or peak.factor <= 1 or not 0 < peak.hours < A_MONTH:
        return ()
    base = read(f"{plain[: peak.start]} {usual} {plain[peak.end :]}")
    rates = {name: getattr(base, name) for name in RATES}
    stated = {name: rate for name, rate in rates.items() if rate is not None}
    named = base.model is not None or base.params_b is not None
    if not stated or not named or base.clarify is not None or base.peak_rps:
        return ()
    asked = "cost" if base.intent == "cost" else "size"
    base = base.model_copy(
        update={"intent": asked, "base_and_burst": None, "duration_hours": None}
    )
    more = {name: rate * (peak.factor - 1) for name, rate in stated.items()}
    return base, base.model_copy(update=more | {"hours_per_month": peak.hours})


def above_own(query: Query, loads: tuple[Query, ...]) -> Query | None:
    """One load whose peak is met beyond GPUs in hand; None: none are, or no peak is."""
    base, more = loads[0], loads[-1]
    lasts = more.hours_per_month
    if not (query.owned and query.count and lasts and base.rps and more.rps):
        return None
    peak = base.rps + more.rps
    told = {f"{peak:g}", f"{base.rps:g} rps"}
    update = {
        "intent": "size",
        "duration_hours": None,
        "rps": base.rps,
        "peak_rps": peak,
        "peak_hours": lasts,
        "not_used": tuple(one for one in query.not_used if one.text not in told),
    }
    return query.model_copy(update=update)


def _of_a_rise(rise: re.Match[str]) -> _Peak:
    many, unit = rise.groups()[-2:]
    hours = _number(many) * _HOURS[unit[0]]
    usual, most = float(rise["a"]), float(rise["b"])
    return _Peak(most / usual if usual else 0, hours, *rise.span())


def _of_an_event(plain: str) -> _Peak | None:
    """Where the clause of an event has a rate of its own, or so many times the usual.

    The usual rate is then told elsewhere, and alone.
    """
    rates = list(RATE.finditer(plain))
    cuts = [0, *(cut.end() for cut in _CUT.finditer(plain)), len(plain)]
    for start, end in pairwise(cuts):
        hours = _hours(plain, start, end)
        if hours is None:
            continue
        own = [one for one in rates if start <= one.start() < end]
        rest = [one for one in rates if one not in own]
        times = TIMES.search(plain, start, end)
        if len(own) == 1 and len(rest) == 1:
            usual = _rate(rest[0])
            factor = _rate(own[0]) / usual if usual else 0
            return _Peak(factor, hours, start, end)
        if times is not None and not own and len(rest) <= 1:
            return _Peak(factor_of(times), hours, start, end)
    return None


def _rate(said: re.Match[str]) -> float:
    return float(said["r"] or said["to"])


def _hours(plain: str, start: int, end: int) -> float | None:
    """How long what a clause tells of lasts; None: it does not say."""
    if lasts := _LASTS.search(plain, start, end):
        many, unit = filter(None, lasts.groups())
        return _number(many) * _unit(unit)
    if event := _EVENT.search(plain, start, end):
        return _unit(event["u"] or event["v"] or event["w"])
    return None


def _number(said: str) -> float:
    return _SPELT.get(said) or float(said)


def _unit(said: str) -> float:
    """Hours of a day, a weekend, a week, a fortnight, by what it is called."""
    if said.startswith(("week-end", "weekend", "wochenende")):
        return _WEEKEND
    if said.startswith("fortnight"):
        return _FORTNIGHT
    return _WEEK if said.startswith(("w", "s")) else _DAY


def factor_of(times: re.Match[str]) -> float:
    """How often the usual is told, in figures or in words."""
    if times["x"]:
        return float(times["x"])
    if times["said"]:
        return _number(times["said"])
    return next(_FACTORS[name] for name in _FACTORS if times[name])

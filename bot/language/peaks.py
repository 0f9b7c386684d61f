"""A peak that lasts for days: what runs always, and what comes on top for so long.

"From 5 to 45 rps for 4 days", "25 rps, four times that in Black Friday week".
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from bot.language.asked import NUMBERS
from bot.language.reading import Reading
from bot.language.states import shape
from core.query import RATES, Query

A_MONTH = 720
_HOURS = {"h": 1, "d": 24, "w": 168}
_DAY, _WEEKEND, _WEEK, _FORTNIGHT = 24, 48, 168, 336
_SPELT = NUMBERS | dict.fromkeys("a an eine einen une un una uno".split(), 1)
_RISE = shape("peaks_rise")
RATE = shape("peaks_rate")
""" "60 rps"; "goes to 60", in the unit that was said before."""
TIMES = shape("peaks_times")
_FACTORS = {"two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
_LASTS = shape("peaks_lasts")
""" "For two days", "three weeks in December"."""
_EVENT = shape("peaks_event")
""" "Black Friday week", "launch weekend", "la semaine des soldes"."""
_CUT = shape("peaks_cut")


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

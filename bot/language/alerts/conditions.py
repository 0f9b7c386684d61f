"""What an alert waits for: "< 0.90", "moves 8% in 7d", "costs below $5k a month"."""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

from core.alerts.conditions import (
    Condition,
    Direction,
    Move,
    NewLow,
    Presence,
    Threshold,
)
from core.alerts.selection import Measure
from core.alerts.workloads import CostLine
from core.money.exchange import exchange_rates
from core.offers import MICRO
from core.patterns import regex
from core.units import HOURS_PER_MONTH
from core.wording import say

SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}
WORDS = {"dollar": "USD", "euro": "EUR", "pound": "GBP", "rupee": "INR", "yen": "JPY"}
SIGN = f"[{''.join(SIGNS)}]"
CODE = r"(?:usd|dollars?|eur|euros?|gbp|pounds?|inr|rupees?|jpy|yen|chf|cad|aud|sek)\b"

_PER_MONTH = {
    name: Decimal(times)
    for names, times in (
        (("hour", "hr", "h"), HOURS_PER_MONTH),
        (("day",), 30),
        (("week",), Decimal(30) / 7),
        (("month", "mo"), 1),
        (("year", "yr"), Decimal(1) / 12),
    )
    for name in names
}
_THOUSANDS = {"k": 1_000, "m": 1_000_000}
_LINE = regex(
    r"\s+(?:(?:(?:would\s+)?(?:costs?|falls?|drops?|gets?|goes|is|rises?|climbs?)\s+"
    r"(?:to\s+)?(?:(?P<below>below|under|less\s+than|beneath)"
    r"|(?P<above>above|over|more\s+than)))|(?P<less><=?|≤)|(?P<more>>=?|≥))\s*"
    rf"(?P<sign>{SIGN})?\s*(?P<n>\d[\d,]*(?:\.\d+)?)\s*(?P<k>[km]\b)?\s*"
    rf"(?P<code>{SIGN}|{CODE})?\s*"
    r"(?:(?:/|per|an?)\s*(?P<per>hour|hr|h|day|week|month|mo|year|yr|run))?\s*$",
    re.IGNORECASE,
)


class UnreadableAmountError(ValueError):
    """An amount that cannot be watched; the argument says why."""


class InDollars(NamedTuple):
    """An amount in dollars, and by what rate it became that."""

    usd: Decimal
    note: str = ""


class Waited(NamedTuple):
    """A question with the cost that is waited for."""

    question: str
    line: CostLine
    notes: tuple[str, ...]


def in_dollars(amount: Decimal, currency: str) -> InDollars:
    """Turn an amount into dollars at the rate that ships, which is said."""
    code = currency_code(currency)
    if code == "USD":
        return InDollars(amount)
    rate = next((r for r in exchange_rates() if r.currency == code), None)
    if rate is None:
        raise UnreadableAmountError(say("alert_questions.know_no_rate", code=code))
    usd = rate.to_usd(amount).quantize(Decimal("0.01"))
    note = say(
        "alert_questions.limit_in_dollars",
        amount=amount,
        code=code,
        usd=usd,
        shown=rate.shown,
    )
    return InDollars(usd, note)


def currency_code(sign: str) -> str:
    """Return the code of a sign or a word; none said is dollars."""
    word = sign.strip().lower()
    if not word:
        return "USD"
    return SIGNS.get(word) or WORDS.get(word.removesuffix("s")) or word.upper()


def read_waited(text: str) -> Waited | None:
    """Read a question that ends on the cost to wait for; None: it does not."""
    found = _LINE.search(text)
    question = text[: found.start()].strip() if found else ""
    if found is None or not question:
        return None
    amount = Decimal(found["n"].replace(",", ""))
    amount *= _THOUSANDS.get((found["k"] or "").lower(), 1)
    usd, note = in_dollars(amount, found["sign"] or found["code"] or "")
    per = (found["per"] or "month").lower()
    if usd <= 0:
        raise UnreadableAmountError(say("alert_questions.cost_to_wait"))
    line = CostLine(
        side="below" if found["below"] or found["less"] else "above",
        usd=usd if per == "run" else usd * _PER_MONTH[per],
        unit="$/run" if per == "run" else "$/month",
    )
    return Waited(question, line, (note,) if note else ())


_NUMBER = (
    rf"(?P<cur>{SIGN}|{CODE})?\s*(?P<n>\d+(?:[.,]\d+)?|[.,]\d+)"
    rf"\s*(?P<unit>%|percent|pct|{SIGN}|{CODE}|cents?|¢)?"
)
_PER = r"(?:\s*(?:/|per|an|a)\s*(?:gpu)?[\s-]*(?:h|hr|hour)\b)?"
_WINDOW = (
    r"(?:\s+(?:in|within|over|during|per|a|this)\s+"
    r"(?:the\s+(?:last|past)\s+|a\s+|an\s+|one\s+)?"
    r"(?P<count>\d+)?\s*(?P<span>h|hours?|d|days?|w|weeks?|months?)\b)?"
)
_LESS = (
    r"(?:<=?|≤|(?:drops?|falls?|goes|gets|is|dips?)?"
    r"\s*(?:below|under|less\s+than|beneath))"
)
_MORE = (
    r"(?:>=?|≥|(?:rises?|goes|gets|is|climbs?)?\s*(?:above|over|more\s+than|beyond))"
)
_GAP = (
    r"(?:spot(?:\s*(?:/|-|vs\.?|to|and)\s*(?:on[\s-]?demand|od))?[\s-]+)?"
    r"(?:gap|discount)"
)
_FREE = r"(?:its\s+|the\s+)?(?:on[\s-]?demand|od)(?:\s+price)?"
_BY = r"(?:\s+(?:by|of|more\s+than|at\s+least|over))*"
_MOVES: dict[Direction, str] = {
    "any": r"(?:moves?|changes?|swings?|±|\+/-)",
    "down": r"(?:drops?|falls?|down|cheaper|decreases?|dips?|-(?=\s*\d))",
    "up": (
        r"(?:rises?|climbs?|up|dearer|pricier|costlier|increases?|jumps?|"
        r"\+(?=\s*\d))"
    ),
}
HOURS = {"h": 1, "d": 24, "w": 168, "m": 720}
_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}
DEAREST = 10_000
"""Dollars per GPU-hour beyond which a line is a slip."""
LONGEST = 365 * 24
"""Hours of the longest window."""


class Said(NamedTuple):
    """A condition, what it measures, and the words around it."""

    condition: Condition
    measure: Measure
    rest: str
    notes: tuple[str, ...] = ()
    """By what rate an amount became dollars."""


class UnreadableConditionError(ValueError):
    """A condition that nobody can read; the argument says why."""


_ONE = regex(r"\b(?:a|one)\s+(?=(?:dollar|euro|pound|cent)\b)", re.IGNORECASE)
Reader = Callable[[re.Match[str]], tuple[Condition, Measure]]


def read_condition(text: str) -> Said | None:
    """Find the condition in a watch; None where there is none."""
    text = _ONE.sub("1 ", text)
    for pattern, read in _READERS:
        found = pattern.search(text)
        if found is not None:
            condition, measure = read(found)
            rest = f"{text[: found.start()]} {text[found.end() :]}"
            notes = _rates(found) if "n" in found.groupdict() else ()
            return Said(condition, measure, " ".join(rest.split()), notes)
    return None


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.]){words}(?![\w%])", re.IGNORECASE)


def _gap(op: str) -> Reader:
    def read(found: re.Match[str]) -> tuple[Condition, Measure]:
        percent = _amount(found)
        if not 0 < percent < 100:
            raise UnreadableConditionError(say("alert_questions.gap_is_percentage"))
        side = "below" if op == "below" else "above"
        return Threshold(op=side, amount=int(percent * 10_000)), "spot_discount"

    return read


def _line(op: str) -> Reader:
    def read(found: re.Match[str]) -> tuple[Condition, Measure]:
        if _is_percent(found):
            raise UnreadableConditionError(say("alert_questions.line_is_price"))
        side = "below" if op == "below" else "above"
        return Threshold(op=side, amount=_micro(found)), "price"

    return read


def _move(direction: Direction) -> Reader:
    def read(found: re.Match[str]) -> tuple[Condition, Measure]:
        window = _hours(found)
        if _is_percent(found):
            percent = _amount(found)
            if not 0 < percent <= 1000:
                raise UnreadableConditionError(say("alert_questions.move_is_more"))
            move = Move(direction=direction, percent=percent, window_hours=window)
            return move, "price"
        if window is not None:
            raise UnreadableConditionError(say("alert_questions.move_within_time"))
        if not (found["cur"] or found["unit"]) and _amount(found) >= 1:
            size = found["n"]
            raise UnreadableConditionError(
                say("alert_questions.of_what_write", size=size)
            )
        return Move(direction=direction, micro_usd=_micro(found)), "price"

    return read


def _low(found: re.Match[str]) -> tuple[Condition, Measure]:
    count = found["count"] or ("1" if found["span"] else "30")
    days = int(count) * _DAYS[(found["span"] or "d")[0].lower()]
    if not 1 <= days <= 365:
        raise UnreadableConditionError(say("alert_questions.bad_span_of_a_low"))
    return NewLow(days=days), "price"


_READERS: tuple[tuple[re.Pattern[str], Reader], ...] = (
    (_pattern(rf"(?:is\s+)?within\s+{_NUMBER}\s+(?:of|from)\s+{_FREE}"), _gap("below")),
    (_pattern(rf"{_GAP}\s*(?:is\s+)?{_LESS}\s*{_NUMBER}"), _gap("below")),
    (_pattern(rf"{_GAP}\s*(?:is\s+)?{_MORE}\s*{_NUMBER}"), _gap("above")),
    (_pattern(rf"{_LESS}\s*{_NUMBER}{_PER}"), _line("below")),
    *(
        (_pattern(rf"{words}{_BY}\s*{_NUMBER}{_PER}{_WINDOW}"), _move(direction))
        for direction, words in _MOVES.items()
    ),
    (_pattern(rf"{_NUMBER}\s+(?:cheaper|lower|less){_WINDOW}"), _move("down")),
    (
        _pattern(
            rf"{_NUMBER}\s+(?:dearer|pricier|costlier|higher|more\s+expensive){_WINDOW}"
        ),
        _move("up"),
    ),
    (_pattern(rf"{_MORE}\s*{_NUMBER}{_PER}"), _line("above")),
    (
        _pattern(
            r"(?:new\s+)?(?P<count>\d+)[\s-]*(?P<span>d|day|w|week|month|year)s?[\s-]+low"
        ),
        _low,
    ),
    (
        _pattern(
            r"(?:new\s+)?low(?:est)?(?:\s+(?:in|over|for|of|this))?"
            r"(?:\s*(?:the\s+(?:last|past)\s+|an?\s+|one\s+)?"
            r"(?P<count>\d+)?\s*(?P<span>d|days?|w|weeks?|months?|years?)\b)?"
        ),
        _low,
    ),
    (
        _pattern(
            r"(?:vanish\w*|gone|delisted|sold\s+out|disappears?|unlisted|"
            r"(?:stops?|ceases?|quits?)\s+(?:to\s+)?(?:sell|offer|list|rent)\w*|"
            r"no\s+longer\s+(?:listed|sold|offered))"
        ),
        lambda _: (Presence(event="delisted"), "price"),
    ),
    (
        _pattern(
            r"(?:new\s+(?:offers?|providers?|sellers?|listings?)|listed|appears?|"
            r"(?:shows?|turns?)\s+up|"
            r"(?:starts?|begins?)\s+(?:to\s+)?(?:sell|offer|list|rent)\w*|"
            r"(?:becomes?\s+)?available|back\s+in\s+stock)"
        ),
        lambda _: (Presence(event="listed"), "price"),
    ),
)


def _amount(found: re.Match[str]) -> Decimal:
    return Decimal(found["n"].replace(",", "."))


def _is_percent(found: re.Match[str]) -> bool:
    return (found["unit"] or "").lower() in ("%", "percent", "pct")


def _rates(found: re.Match[str]) -> tuple[str, ...]:
    note = "" if _is_percent(found) or _cents(found) else _dollars(found).note
    return (note,) if note else ()


def _dollars(found: re.Match[str]) -> InDollars:
    return in_dollars(_amount(found), found["cur"] or found["unit"] or "")


def _cents(found: re.Match[str]) -> bool:
    return (found["unit"] or "").lower().startswith(("cent", "¢"))


def _micro(found: re.Match[str]) -> int:
    usd = _amount(found) / 100 if _cents(found) else _dollars(found).usd
    micro = int(usd * MICRO)
    if not 0 < micro <= DEAREST * MICRO:
        raise UnreadableConditionError(say("alert_questions.price_is_between"))
    return micro


def _hours(found: re.Match[str]) -> int | None:
    if not found["span"]:
        return None
    hours = int(found["count"] or 1) * HOURS[found["span"][0].lower()]
    if not 1 <= hours <= LONGEST:
        raise UnreadableConditionError(say("alert_questions.bad_window"))
    return hours

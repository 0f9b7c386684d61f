"""Amounts of money as they are typed: in dollars, or in a currency with a rate."""

import re
from decimal import Decimal
from typing import NamedTuple

from core.alerts.workloads import CostLine
from core.money.exchange import exchange_rates
from core.units import HOURS_PER_MONTH
from core.wording import dollars

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
_LINE = re.compile(
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
        raise UnreadableAmountError(f"I know no rate of {code}: write dollars.")
    usd = rate.to_usd(amount).quantize(Decimal("0.01"))
    note = f"{amount} {code} is {dollars(usd)}, which is the line: {rate.shown}."
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
        raise UnreadableAmountError("A cost to wait for is more than $0.")
    line = CostLine(
        side="below" if found["below"] or found["less"] else "above",
        usd=usd if per == "run" else usd * _PER_MONTH[per],
        unit="$/run" if per == "run" else "$/month",
    )
    return Waited(question, line, (note,) if note else ())

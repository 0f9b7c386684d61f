"""Money: what may be spent, and what an API costs already."""

import re

from bot.language.grammar import compiled
from bot.language.reading import Match, Reading

_PERIODS = {
    "hour": 1.0,
    "day": 1.0,
    "week": 1 / 7,
    "month": 1.0,
    "year": 1.0,
    "total": 1.0,
}
_THINGS = (
    "TOK|REQ|USER|GPU|TIMES|NODE|TIME|GPUWORD|SAMPLE|PCT|CONC|DUPLEX|DOC|MODEL|CTX|IN|"
    "OUT|PREC|DATA|EPOCH|IMAGE|COUNTER"
)


_PER_TOKENS = (
    "<c>CUR <n>NUM [PER SLASH] <m>[NUM NUMB] [OUT]? TOK?",
    "<n>NUM <c>CUR [PER SLASH] <m>[NUM NUMB] [OUT]? TOK?",
    "<c>CUR <n>NUM [PER SLASH] W [OUT]? TOK",
)
_MILLION = 1e6


def most_per_million(reading: Reading) -> None:
    """Read "under $1 per 1M tokens", "$0.50/M output tokens at most": a limit."""
    if reading.has("ALERT"):
        return
    # An earlier rule may have taken "1M output tokens" for a length.
    found = (m for p in _PER_TOKENS for m in compiled(p).finditer(reading.whole))
    for match in found:
        said = match.groupdict().get("m")
        if said and reading.value(match, "m") != _MILLION:
            continue
        if not _is_limit(reading, match):
            continue
        cents = 0.01 if reading.value(match, "c") == "USc" else 1
        reading.aside["most_per_million"] = reading.value(match) * cents
        currency = str(reading.value(match, "c")).replace("USc", "USD")
        reading.aside["most_per_million_currency"] = currency
        reading.use(*match.span())
        return


_LIMITS = ("UNDER", "BUDGET", "THAN")


def _is_limit(reading: Reading, match: Match) -> bool:
    """Whether a price of tokens may not be passed, and is nobody's own price."""
    near = [reading.concept_at(i) for i in (match.start() - 1, match.end()) if i >= 0]
    if near[0] in ("W", "EQ", "A") and match.start() > 1:
        near.append(reading.concept_at(match.start() - 2))
    return any(concept in _LIMITS for concept in near)


def per_token_price(reading: Reading) -> None:
    """ "$0.50 per million tokens" is a price, not a budget: cross it out."""
    for match in reading.find(
        "CUR <n>NUM [PER SLASH] [NUM NUMB]? TOK",
        "CUR <n>NUM [PER SLASH] [NUM NUMB]",
        "CUR <n>NUM <u>[PER SLASH USED] USED{1,2}",
        "<n>NUM CUR [PER SLASH] [NUM NUMB]? TOK",
    ):
        last = reading.concept_at(match.end() - 1)
        if last == "TOK" or "u" not in match.groupdict():
            reading.use(*match.span())


def amounts(reading: Reading) -> None:
    """Read every amount of money and say whether it is spent or may be."""
    for match in reading.find(
        "(?<![NUM NUMB]) CUR <n>[NUM NUMB] GRAND? CUR? [PER]? <t>TIME",
        "(?<![NUM NUMB]) CUR <n>[NUM NUMB] GRAND? CUR? PER? <t>TIME",
        "(?<![NUM NUMB]) CUR <n>[NUM NUMB] GRAND? CUR?",
        "<n>[NUM NUMB] GRAND? CUR PER? <t>TIME",
        "<n>[NUM NUMB] GRAND? CUR",
        "<n>NUM GRAND PER? <t>TIME",
        "<n>NUM GRAND",
        "A GRAND",
        "PER <t>TIME BUDGET [W UNDER EQ]{0,3} <n>NUM CUR?",
        "BUDGET [W UNDER EQ]{0,3} <n>NUM PER <t>TIME",
        f"BUDGET [W UNDER EQ]{{0,3}} <n>NUM (?!{_THINGS})",
        "<n>NUM PER <t>TIME BUDGET",
        "<n>NUM BUDGET",
    ):
        _put_money(reading, match)
        if "budget_amount" in reading.fields and not reading.has("APINAME", "API"):
            return


def money_at_hand(reading: Reading) -> None:
    """Read "have 5k" with nothing counted as money; "have 8 gpus" is none."""
    for match in reading.find(f"HAVE [W UNDER]? <n>NUM (?!{_THINGS})"):
        if reading.item(match, "n").suffix == "k":
            _put_money(reading, match)


def bare_monthly(reading: Reading) -> None:
    """Read "12k/mo", "5k a month" with nothing counted as money."""
    for match in reading.find("<n>NUM PER <t>TIME"):
        if (
            reading.value(match, "t") in ("month", "year")
            and reading.item(match, "n").suffix == "k"
        ):
            _put_money(reading, match)


def _put_money(reading: Reading, match: Match) -> None:
    concepts = [reading.items[index].concept for index in range(*match.span())]
    groups = match.groupdict()
    amount = reading.value(match) if groups.get("n") else 1.0
    amount *= 1000 if "GRAND" in concepts else 1
    amount *= 0.01 if _in_cents(reading, match) else 1
    period = reading.value(match, "t") if groups.get("t") else None
    spent = _is_api_spend(reading, match)
    name, amount_field = (
        ("api_spend", "api_spend_amount") if spent else ("budget", "budget_amount")
    )
    if amount_field in reading.fields:
        return
    if period is not None and period not in _PERIODS:
        return
    if period == "week":
        amount, period = amount / 7, "day"
    reading.put(amount_field, amount, *match.span())
    if period is not None:
        reading.put(f"{name}_period", period, *match.span())
    for index in range(*match.span()):
        if reading.items[index].concept != "CUR":
            continue
        currency = reading.items[index].value.replace("USc", "USD")
        if spent and currency != "USD":
            reading.aside["api_spend_currency"] = currency
        elif not spent:
            reading.put("budget_currency", currency, index, index + 1)
    reading.use(*match.span())


def _in_cents(reading: Reading, match: Match) -> bool:
    return any(reading.items[i].value == "USc" for i in range(*match.span()))


def _is_api_spend(reading: Reading, match: Match) -> bool:
    """Whether money already goes to an API, and is no limit."""
    if not reading.has("APINAME", "API"):
        return False
    before = [
        item.concept
        for item in reading.items[max(0, match.start() - 4) : match.start()]
    ]
    after = [item.concept for item in reading.items[match.end() : match.end() + 4]]
    if "BUDGET" in before or "UNDER" in before[-2:]:
        return False
    near = {*before, *after}
    return bool(near & {"SPEND", "BILL", "APINAME", "API", "COST"})


_SHARE = re.compile(
    r"(?<![\d.])(?P<n>\d{1,3}(?:\.\d{1,2})?)\s?(?:%|percent)\s+of\s+"
    r"(?:our |the |my |all )?[\w.\- ]{0,30}?(?:traffic|spend|spending|usage|requests|"
    r"volume|bill|calls|load)\b"
)


def share_of_spend(reading: Reading) -> None:
    """Read "move 30% of our gpt-4o traffic": what of the spend is to move."""
    if not reading.has("APINAME", "API"):
        return
    match = _SHARE.search(reading.plain)
    if match is None:
        return
    share = float(match["n"]) / 100
    if 0 < share < 1:
        reading.aside["api_share"] = share
        for index, item in enumerate(reading.items):
            if match.start() <= item.start <= match.start() + len(match["n"]) + 2:
                reading.use(index, index + 1)


def period_of_budget(reading: Reading) -> None:
    """Take a period that stands apart: "budget 150k total", "monthly budget 9k"."""
    if "budget_amount" not in reading.fields or "budget_period" in reading.fields:
        return
    for match in reading.find("PER <t>TIME"):
        if reading.value(match, "t") in ("total", "month", "year"):
            period = reading.value(match, "t")
            reading.take("budget_period", period, match)
            return


def currency_asked(reading: Reading) -> None:
    """ "in euros" without an amount asks for the answer in that currency."""
    for match in reading.find("IN CUR", "CUR"):
        value = reading.items[match.end() - 1].value
        if value != "USD":
            reading.take("budget_currency", value, match)
            return


RULES = (
    share_of_spend,
    most_per_million,
    per_token_price,
    amounts,
    money_at_hand,
    bare_monthly,
)
LATE_RULES = (period_of_budget, currency_asked)

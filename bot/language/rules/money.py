"""Money: what may be spent, and what an API costs already."""

from bot.language.days import MONTH
from bot.language.grammar import compiled
from bot.language.reading import Match, Reading, needs
from bot.language.states import shape
from bot.language.subject import PILES, learns
from core.patterns import regex

_PER_TOKENS = (
    "<c>CUR <n>NUM [PER SLASH] <m>[NUM NUMB] [OUT]? TOK?",
    "<n>NUM <c>CUR [PER SLASH] <m>[NUM NUMB] [OUT]? TOK?",
    "<c>CUR <n>NUM [PER SLASH] W [OUT]? TOK",
    "<c>CUR <n>NUM SLASH <w>W",
    "<n>NUM <c>CUR SLASH <w>W",
)
_MILLION = 1e6


@needs("CUR")
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


@needs("CUR")
def api_price(reading: Reading) -> None:
    """Read "break even against $0.30 per 1M tokens": what an API asks for them."""
    if reading.has("ALERT") or "most_per_million" in reading.aside:
        return
    found = (m for p in _PER_TOKENS for m in compiled(p).finditer(reading.whole))
    for match in found:
        said = match.groupdict().get("m")
        unlike = said and reading.value(match, "m") != _MILLION
        if match.groupdict().get("w"):
            unlike = reading.word(match.start("w")) != "m"
        if unlike or reading.value(match, "c") not in ("USD", "USc"):
            continue
        start, end = (
            reading.items[match.start()].start,
            reading.items[match.end() - 1].end,
        )
        if not (reading.has("BREAKEVEN") or _AGAINST.search(reading.plain[:start])):
            continue
        cents = 0.01 if reading.value(match, "c") == "USc" else 1
        reading.aside["api_usd_per_million"] = reading.value(match) * cents
        reading.use(*match.span())
        if both := _BOTH_WAYS.match(reading.plain, end):
            reading.told("api_usd_per_million", both)
        return


_AGAINST = regex(
    r"\b(?:against|vs\.?|versus|beats?|undercuts?|cheaper than|compared? (?:to|with)|"
    r"match(?:es)?)\s+(?:[a-z'-]+\s+){0,6}$"
)
_BOTH_WAYS = regex(
    r",?\s+(?:blended|(?:for )?(?:input|prompt) and (?:output|answer)(?: alike)?|"
    r"in and out(?: alike)?|both ways|all in)\b"
)


_LIMITS = ("UNDER", "BUDGET", "THAN")


def _is_limit(reading: Reading, match: Match) -> bool:
    """Whether a price of tokens may not be passed, and is nobody's own price."""
    near = [reading.concept_at(i) for i in (match.start() - 1, match.end()) if i >= 0]
    if near[0] in ("W", "EQ", "A") and match.start() > 1:
        near.append(reading.concept_at(match.start() - 2))
    return any(concept in _LIMITS for concept in near)


_SHARE = shape("money_share")


@needs("API APINAME")
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
    """Take a period that stands apart: "budget 150k total", "monthly 9k", "9k pm"."""
    if "budget_amount" not in reading.fields or "budget_period" in reading.fields:
        return
    for _, end in reading.spans.get("budget_amount", ()):
        if found := _PER_MONTH.match(reading.plain, end):
            reading.fields["budget_period"] = "month"
            reading.told("budget_period", found)
            return
        if found := _OF_A_QUARTER.match(reading.plain, end):
            months = 0 if learns(reading) else 6 if found["half"] else 3
            reading.fields["budget_period"] = "month" if months else "total"
            reading.fields["budget_amount"] /= months or 1
            reading.told("budget_period", found)
            return
    for match in reading.find("PER <t>TIME"):
        if reading.value(match, "t") in ("total", "month", "year"):
            period = reading.value(match, "t")
            reading.take("budget_period", period, match)
            return


_PER_MONTH = regex(r" ?p\.?m\b\.?")
""" "£6.4k pm", "$900 p.m."."""
_OF_A_QUARTER = shape("money_of_a_quarter")
""" "$25k for the quarter": of a service, a third of it a month; of a run, in all."""


def period_of_spend(reading: Reading) -> None:
    """ "the June invoice was $12,480", "every month …": what a bill is for."""
    if "api_spend_amount" not in reading.fields or reading.stated("api_spend_period"):
        return
    start, end = reading.spans["api_spend_amount"][0]
    cuts = [found.end() for found in _SENTENCE.finditer(reading.plain, 0, start)]
    sentence = reading.plain[cuts[-1] if cuts else 0 : end]
    said = [i for i in reading.all("TIME") if end - len(sentence) <= i.start <= end]
    periods = [i.value for i in said if i.value in ("month", "year")]
    paid_to = _PAID_TO.match(reading.plain, end)
    after = _FOR_A_TIME.match(reading.plain, paid_to.end() if paid_to else end)
    if after and not periods:
        periods = ["year"] if after["year"] else ["month"]
    if not periods and _IN_A_YEAR.search(sentence):
        periods = ["year"]
    if periods or MONTH.search(sentence):
        reading.put("api_spend_period", periods[-1] if periods else "month", 0, 1)
        reading.spans["api_spend_period"] = [(start, end)]


_PAID_TO = regex(
    r"\s(?:on|to|for|with|fur|an|pour|a|en|para|per)\s[\w.\- ]{2,30}?(?=\slast\b)"
)
_IN_A_YEAR = regex(r"\b(?:in|during|for|en|em|nel) 20\d\d\b")
_SENTENCE = regex(r"[.;!?\n](?=\s)")
_FOR_A_TIME = shape("money_for_a_time")
"""Behind a sum: "$6,340 for June", "$212k over the past year"."""


@needs("CUR")
def currency_asked(reading: Reading) -> None:
    """ "in euros" without an amount asks for the answer in that currency."""
    for match in reading.find("IN CUR", "CUR"):
        value = reading.items[match.end() - 1].value
        if value != "USD":
            reading.take("budget_currency", value, match)
            return


_CHEAPER = ("off", "discount", "cheaper", "less", "rabatt", "gunstiger", "moins")


@needs("BATCH", "API APINAME")
def batch_discount(reading: Reading) -> None:
    """Read "batch API with 50% off": what batches cost less than answers at once."""
    if not (reading.has("BATCH") and reading.has("API", "APINAME")):
        return
    for match in reading.find("<n>NUM PCT"):
        after = reading.plain[reading.items[match.end() - 1].end :].split()[:1]
        if after and after[0].strip(",.?") in _CHEAPER and reading.value(match) < 100:
            reading.aside["batch_discount"] = reading.value(match) / 100
            reading.use(*match.span())
            return


_PER_TOKEN = regex(
    r"\b(?:cost|price|cheaper|cheapest|[$]|usd|dollars?)s? (?:per|a) "
    r"(?:(?:1 ?)?m(?:illion)? )?tokens?\b"
)


_TOKENS_PER_DOLLAR = regex(r"\btokens? (?:per|a|for a) (?:dollar|[$]|usd|euro)\b")


_PER_MTOK = regex(
    r"(?:[$€]|\b(?:usd|eur|euros?|dollars?|cents?|costs?|prices?))"
    r" ?(?:/|per\b|a\b) ?(?:1 ?)?m[ -]?toks?\b"
)


_SUM = regex(r"(?:^|[\s(])[\d.,]+ ?$")


def price_unit(reading: Reading) -> None:
    """ "$ per 1M tokens", "what does 1M tokens cost": a unit, not an amount."""
    unit = None if reading.has("API", "APINAME") else _PER_MTOK.search(reading.plain)
    if unit and not _SUM.search(reading.plain[: unit.start()]):
        reading.wanted = "usd_per_million"
        reading.told("wanted", unit)
    if _PER_TOKEN.search(reading.plain) and not reading.has("BATCH", "OFFLINE"):
        for match in reading.find("PER [NUM NUMB]? [IN OUT]? TOK (?!IN|OUT)"):
            _unit(reading, match)
    if _TOKENS_PER_DOLLAR.search(reading.plain) and len(reading.places("GPU")) > 1:
        reading.wanted = "usd_per_million"
    for match in reading.find(
        "PER <n>[NUM NUMB] [IN OUT]? TOK (?!IN|OUT)",
        "CUR SLASH <n>NUM [IN OUT]? TOK",
    ):
        if reading.item(match, "n").base in (1, 1000):
            _unit(reading, match)
    asks = reading.has("COST", "PRICE", "HOWMUCH") or (
        reading.has("SPEND") and not reading.has("CUR")
    )
    if not asks or reading.has("BATCH", "OFFLINE") or learns(reading):
        return
    live = reading.first("NUM REQ PER TIME") is not None or reading.stated(*PILES)
    lone = "(?<![DOC SAMPLE REQ]) <n>NUM [IN OUT]? TOK (?!PER|IN|OUT|EACHTOK)"
    for match in reading.find(lone):
        item = reading.item(match, "n")
        if item.base == 1 and item.suffix in ("m" if live else "km"):
            _unit(reading, match)


def _unit(reading: Reading, match: Match) -> None:
    """Take what a price is for as read."""
    reading.use(*match.span())
    reading.span("~unit", *match.span())
    reading.wanted = "usd_per_million"


RULES = (batch_discount, share_of_spend, most_per_million, api_price, price_unit)
LATE_RULES = (period_of_budget, period_of_spend, currency_asked)

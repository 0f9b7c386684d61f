"""What may be spent, what is spent, and prices that are neither."""

import re

from bot.language.grammar import compiled
from bot.language.reading import Match, Reading
from bot.language.subject import learns
from bot.language.values.units import Fields
from core.patterns import regex

_DEAREST_HOUR = 60
"""Dollars: more an hour is the price of a machine, or a budget."""


_BILLION = 1e9
"""Without a currency that is the size of a model: "GPU budget: 70B class"."""
_PERIODS = ("hour", "day", "week", "month", "year", "total")


def money(reading: Reading, match: Match) -> Fields:
    """What may be spent, or what an API costs already."""
    parts = match.groupdict()
    period = reading.value(match, "t") if parts.get("t") else None
    if (other := _no_limit(reading, match, period)) is not None:
        return other
    currency = _currency(reading, match)
    if currency is None and (
        not _is_sum(reading, match, period) or reading.value(match) >= _BILLION
    ):
        return {}
    amount = reading.value(match) * (1000 if parts.get("g") else 1)
    amount *= 0.01 if currency == "USc" else 1
    if currency == "USc" and amount < 1 and period is None:
        return {"~price": amount}
    if period == "week":
        amount, period = amount / 7, "day"
    if period is None and "BILL" in reading.concepts(match):
        period = reading.last_period(match.end())
    spent = _is_api_spend(reading, match)
    name = "api_spend" if spent else "budget"
    found: Fields = {f"{name}_amount": amount}
    if period is not None:
        found[f"{name}_period"] = period
    currency = (currency or "").replace("USc", "USD")
    if spent and currency not in ("", "USD"):
        found["~api_spend_currency"] = currency
    elif currency and not spent:
        found["budget_currency"] = currency
    return found


def money_of_a_run(reading: Reading, match: Match) -> Fields:
    """ "…16x A100, max 9k" at the end of a run: thousands of no unit are money."""
    item = reading.item(match, "n")
    apart = reading.crossed_at(match.start())  # not "context max 4k"
    ends = apart and not reading.plain[item.end :].strip(" .!?")
    told = reading.has("GPU", "INSTANCE") and item.suffix == "k"
    return {"budget_amount": item.value} if ends and told else {}


def _no_limit(reading: Reading, match: Match, period: str | None) -> Fields | None:
    """What it is where nobody may spend it: a price, or money of something else."""
    priced = period is None and _of_a_unit(reading, match)
    priced = priced or _PUT_ON.search(_gap(reading, match)) is not None
    item = reading.item(match, "n")
    priced = priced or reading.plain[item.start : item.end] in _VAGUE
    priced = (
        priced
        or re.match(r"20[23]\d budget\b", reading.plain[item.start :]) is not None
    )
    if priced or (period is not None and period not in _PERIODS):
        return {}
    if _is_of_other_things(reading, match):
        return {"~muted": "money of something else"}
    if _is_offered(reading, match) or _is_hourly(reading, match, period):
        return {"~price": reading.value(match)}
    return None


_VAGUE = frozenset(("thousands", "hundreds", "millions", "hundreds of thousands"))
"""Amounts that nobody counted: "are we talking thousands of dollars?"."""
_PUT_ON = regex(r"\b(?:on|for|with|auf|mit|sur|avec|en|con|op|na)\b")
"""Between a sign of money and what is counted: "hours and $ on one L40S"."""


def _gap(reading: Reading, match: Match) -> str:
    """What stands between a sign of money and the number behind it."""
    index = match.start("n")
    led = index > match.start() and reading.concept_at(index - 1) == "CUR"
    return reading.between(index) if led else ""


_OFFERED = regex(
    r"\b(?:offer(?:s|ed)?|quot(?:e|es|ed)|invoiced?|po|purchase order|bought|purchased|"
    r"supplier|vendor|angebot|bietet|offre|proposa?e?|oferta|ofrece|offerta|preventivo|"
    r"offerte|oferuje|teklif)\b"
)
"""What says that a sum is the price of hardware on offer, or was."""
_BEFORE = 60
_DEAREST_GPU = 20
"""Dollars: so little beside a GPU, for no time, is what an hour of it costs."""
_BOUND = frozenset("BUDGET UNDER HAVE DUR SPEND BILL".split())


def _is_hourly(reading: Reading, match: Match, period: str | None) -> bool:
    """ "a bid for MI300X at $1.95", "L40S $0.86 or A100 $1.19": prices of an hour."""
    if period not in (None, "month") or "CUR" not in reading.concepts(match):
        return False
    if period is None and _lists_prices(reading, match):
        return True
    if period is None and _is_trifle(reading, match):
        return True
    first, last = match.start(), match.end()
    by_hour = reading.first("CUR NUM [PER SLASH] TIME [PER ON]? GPU") is not None
    if by_hour and period is None and reading.value(match) < _DEAREST_GPU:
        return True  # "$1.90/h per H100, or keep paying $2.60"
    said = reading.plain[reading.items[first].start : reading.items[last - 1].end]
    if re.search(r"[a-z]\s+\S+\s+[a-z]", said):
        return False  # "how many euros on one l40s"
    near = {reading.concept_at(first - i) for i in (1, 2, 3) if first >= i}
    near |= {reading.concept_at(last)}
    named = near & {"GPU", "GPUWORD"} and not reading.has("ALERT")
    bound = (near | reading.concepts(match)) & _BOUND
    return bool(reading.value(match) < _DEAREST_GPU and named and not bound)


_LEAST_TOTAL = 100
"""Of any currency; nobody runs a service for less in all."""


def _is_trifle(reading: Reading, match: Match) -> bool:
    """Whether it is too little for a service, and no word calls it a limit."""
    if reading.value(match) >= _LEAST_TOTAL or learns(reading):
        return False
    near = range(max(0, match.start() - 3), match.end() + 2)
    bound = _BOUND.intersection(map(reading.concept_at, near))
    return reading.is_service() and not bound


_SIDES = compiled("(?:CUR [NUM NUMB]|[NUM NUMB] CUR) DUR? [IN OUT]")
_DEAREST_MILLION = 200
"""Dollars: what an API asks for a million tokens is less."""


def _lists_prices(reading: Reading, match: Match) -> bool:
    """ "$2.50 in and $10 out per million": what an API asks for either side."""
    if reading.value(match) > _DEAREST_MILLION:
        return False
    sides = {reading.concept_at(m.end() - 1) for m in _SIDES.finditer(reading.whole)}
    return len(sides) == _BOTH


_BOTH = 2
_OTHER_MONEY = (
    r"revenue|turnover|arr|mrr|salar(?:y|ies)|wages?|penalty|penalties|valuation|umsatz|"
    r"gehalt|gehalter|chiffre d'affaires|salaires?|facturacion|ingresos|sueldos?|"
    r"fatturato|stipendi|faturamento|omzet|przychod\w*"
)
_OTHER_BEFORE = regex(
    rf"\b(?:{_OTHER_MONEY}|raised|raise|series \w|valued|sold for|ticket prices?|"
    r"(?:marketing|travel|ads?|hr|sales|event|salary)\s(?:team\s)?(?:budget|spend)|"
    r"(?:deal|contract|client|customer|order|account|project)\b[^.;!?]{0,40}\bworth|"
    r"engineers?\s(?:costs?|earns?|makes?))\b[^.;!?]{0,25}$"
)
_OTHER_BEHIND = regex(
    rf"\s(?:a (?:year|month) )?(?:of |in )?(?:{_OTHER_MONEY}|(?:seed|series \w|funding)"
    r"(?: round)?|last round)\b"
)
_TURN = regex(r"[.;!?\n]\s|,\s(?!\d)|\b(?:and|but|so)\b")


def _is_of_other_things(reading: Reading, match: Match) -> bool:
    """Whether it is what is earned, raised or paid to people, and buys no GPUs."""
    start, end = reading.items[match.start()].start, reading.items[match.end() - 1].end
    clause = _TURN.split(reading.plain[max(0, start - _BEFORE) : end])[-1]
    before = clause[: len(clause) - (end - start)]
    behind = _OTHER_BEHIND.match(reading.plain, end)
    return bool(behind or _OTHER_BEFORE.search(before))


def _is_offered(reading: Reading, match: Match) -> bool:
    """ "the supplier offers three DGX for 1.35 million": a price of theirs."""
    concepts = {reading.concept_at(i) for i in range(match.start() - 4, match.start())}
    after = {reading.concept_at(match.end() + i) for i in range(1, 5)}
    if "BUDGET" in reading.concepts(match) | concepts:
        return False
    start = reading.items[match.start()].start
    before = re.split(r"[.;!?\n]\s", reading.plain[max(0, start - _BEFORE) : start])[-1]
    if concepts & _HARDWARE:
        for_it = re.search(
            r"\b(?:for|at|fur|zu|pour|a|por|per|voor|za)\s+\S{0,2}$", before
        )
        return bool(for_it and _OFFERED.search(before))
    bought = reading.concept_at(match.end()) == "DUR" and after & _HARDWARE
    return bool(bought and (_OFFERED.search(before) or _WANTED_FOR.search(before)))


_HARDWARE = frozenset(("GPU", "GPUWORD", "NODE"))
_WANTED_FOR = regex(
    r"\b(?:(?:they|he|she) (?:want|ask)s?|wants|asks?|asking|charges?)\b"
)


def _currency(reading: Reading, match: Match) -> str | None:
    for index in range(*match.span()):
        if reading.items[index].concept == "CUR":
            return str(reading.items[index].value)
    return None


def _of_a_unit(reading: Reading, match: Match) -> bool:
    """Whether the sum is a price: "per 1M tokens", "per GPU-hour", "each"."""
    after = [reading.concept_at(match.end() + i) for i in range(2)]
    if after[0] in ("PER", "SLASH"):
        return after[1] in _PRICED
    return after[0] in ("TOK", "REQ", "USER", "SAMPLE", "DOC")


_PRICED = frozenset("TOK NUM NUMB GPU GPUWORD TOPIC W TIME IMAGE VIDEO".split())

_MADE = regex(
    r"\b(?:do|make|create|generate|produce|render|process|transcribe|handle|draw)\s+"
    r"(?:about |around |roughly |some |~ ?)?$"
)
_PAID = ("SPEND", "BILL")
_LEAST_BILL = 100
"""A month; a smaller number of no currency counts something else."""


def _is_sum(reading: Reading, match: Match, period: str | None) -> bool:
    """Whether a number without a currency is money all the same."""
    parts = match.groupdict()
    if period is None and reading.counts_something(match.end()):
        return False
    said = reading.item(match, "n")
    spelled = reading.plain[said.start : said.end].isalpha()
    if spelled or _MADE.search(reading.plain, 0, said.start):
        return False  # "a budget for two zones", "we'd make 200k a month"
    if parts.get("g"):
        return True
    thousands = reading.item(match, "n").suffix == "k"
    if parts.get("s"):  # "we spent 51k on gpt-4.1"
        return thousands and _is_api_spend(reading, match)
    if "BILL" in reading.concepts(match) or _is_capped(reading, match):
        return thousands or (period is not None and said.value >= _LEAST_BILL)
    if parts.get("b"):
        return bool(reading.value(match) >= 1 or reading.value(match) == 0)
    if reading.concept_at(match.start()) == "HAVE":
        return thousands
    if period in ("month", "year") and reading.value(match) >= _LEAST_BILL:
        near = reading.items[max(0, match.start() - 2) : match.start()]
        paid = [i.concept for i in near] == ["APINAME", "COST"]
        paid = paid or any(i.concept in _PAID for i in near)
        paid = paid or _is_paid_away(reading, match)
        if paid and _is_api_spend(reading, match):
            return True  # "elevenlabs costs us 1,900 a month"
    pays = said.value >= _LEAST_BILL and _PAYS.search(reading.plain, 0, said.start)
    monthly = period in ("month", "year") and not _counts_on(reading, match)
    return monthly and bool(thousands or pays)


_PAYS = regex(r"\b(?:with|for|under|below|on)\s+(?:about |around |roughly |~ ?)?$")
""" "With 1500 a month": whoever counts something else names it."""


def _is_capped(reading: Reading, match: Match) -> bool:
    """ "Currency francs, ceiling 18,000 a month": what it is in stands apart."""
    ahead = reading.concept_at(match.start() - 1)
    return "UNDER" in {ahead, *reading.concepts(match)} and reading.has("CUR")


_RUNS_UP = regex(
    r"\b(?:(?:run|runs|running|ran|rack|racks|racking|clock|clocks|clocking|chalk|"
    r"build|builds|pile|piles|piling|burn|burns|burning)\sup|"
    r"burn(?:s|ing)?(?: through)?|"
    r"blow(?:s|ing)?|drop(?:s|ping)?|shell(?:s|ing)? out|fork(?:s|ing)? (?:out|over)|"
    r"cough(?:s|ing)? up|hand(?:s|ing)? over|part(?:s|ing)? with|sink(?:s|ing)?|"
    r"pour(?:s|ing)?|eat(?:s|ing)?(?: up)?|swallow(?:s|ing)?|devour(?:s|ing)?|"
    r"chew(?:s|ing)? (?:up|through)|gobbl(?:es?|ing)(?: up)?|bleed(?:s|ing)?|owe|"
    r"throw(?:s|ing)?|(?:(?:run|set|cost)(?:s|ting|ning)?|charg(?:es?|ing)|"
    r"bill(?:s|ing)?|invoic(?:es?|ing)) (?:us|me|them)(?: back)?|"
    r"(?:comes?|adds? up|amounts?) to)"
    r"(?: (?:about|around|roughly|some|nearly|almost|over|close to|like|maybe))*\s?~?$"
)
_LEADS = regex(
    r"(?:^|[.;,!?\n]|\b(?:and|but|so|since))\s*"
    r"(?:(?:about|around|roughly|some|nearly|almost|over|currently|now|our|the)\s)*$"
)
_TO_AN_API = regex(
    r"(?:,? (?:now|currently|at the moment))? (?:(?:goes?|going|disappears?|"
    r"vanish(?:es)?|flows?|is going|are going|ends? up|leaves? us) )?"
    r"(?:on|to|into|towards?|with|for)\b"
)


def _is_paid_away(reading: Reading, match: Match) -> bool:
    """ "We run up 2,700 a month on gemini", "4,200 a month goes to openai"."""
    start, end = reading.items[match.start()].start, reading.items[match.end() - 1].end
    if _RUNS_UP.search(reading.plain, max(0, start - _BEFORE), start):
        return True
    leads = _LEADS.search(reading.plain, max(0, start - _BEFORE), start)
    behind = []
    for index in range(match.end(), min(match.end() + 3, len(reading.items))):
        if reading.crossed_at(index):
            break
        behind.append(reading.concept_at(index))
    hosted = not {"API", "APINAME"}.isdisjoint(behind) and "GPU" not in behind
    return bool(leads and hosted and _TO_AN_API.match(reading.plain, end))


def _counts_on(reading: Reading, match: Match) -> bool:
    """ "3M requests in January, normally 900k a month": of what was counted before."""
    near = {
        reading.concept_at(match.start() - i) for i in (1, 2, 3) if match.start() >= i
    }
    if near & _BOUND or reading.concept_at(match.end()) in _BOUND:
        return False
    return any(
        reading.concept_at(index + 1) != "PER"
        and "NUM" in map(reading.concept_at, range(index - 1, index + 4))
        for index in reading.places("REQ", "DOC")
        if match.start() - _CLOSE <= index < match.start()
    )


_CLOSE = 6
"""Words back to what was counted before."""


def _is_api_spend(reading: Reading, match: Match) -> bool:
    """Whether money already goes to an API, and is no limit."""
    if reading.first("DUR [NUM NUMB] [IN OUT]? TOK") and "BUDGET" not in (
        reading.concepts(match)
    ):
        # "$11k a month for 900M tokens", "$9k a month on gpt-4o for 600M tokens"
        paid = compiled("[W IN ON APINAME API]{0,4} DUR [NUM NUMB]")
        return paid.match(reading.whole, match.end()) is not None
    if not reading.has("APINAME", "API"):
        return False
    first = match.start() - 4
    while first > match.start() - 10 and first > 0 and not reading.crossed_at(first):
        first -= 1
    before = [i.concept for i in reading.items[max(0, first) : match.start()]]
    after = [i.concept for i in reading.items[match.end() : match.end() + 4]]
    if "BUDGET" in {*before, *reading.concepts(match)} or "UNDER" in before[-2:]:
        return False
    inside = reading.concepts(match) & {"SPEND", "APINAME", "API"}
    return bool(
        inside | {*before, *after} & {"SPEND", "BILL", "APINAME", "API", "COST"}
    )


def unit_price(reading: Reading, match: Match) -> Fields:
    """A price of tokens or of a GPU-hour: nobody's budget."""
    if match.groupdict().get("t"):
        hourly = reading.value(match, "t") == "hour"
        near = {reading.concept_at(match.start() - i) for i in (1, 2, 3)}
        near |= {reading.concept_at(match.end())}
        if not hourly or near & {"UNDER", "BUDGET"} or _for_several(reading, match):
            return {}
        if reading.value(match) > _DEAREST_HOUR or not reading.has("GPU", "GPUWORD"):
            return {}
    if not reading.concepts(match) & {"CUR", "GPU", "GPUWORD", "TOPIC", "HOWLONG"}:
        return {}
    if "CUR" not in reading.concepts(match):
        return {}
    return {"~price": reading.value(match)}


def _for_several(reading: Reading, match: Match) -> bool:
    """Whether a sum is what all of a number of GPUs may cost: "8x h100 for $20/h"."""
    index = match.start() - 1
    while reading.concept_at(index) in ("W", "DUR"):
        index -= 1
    if reading.concept_at(index) not in ("GPU", "GPUWORD"):
        return False
    said = reading.plain[reading.items[index].end : reading.items[match.start()].start]
    counted = {reading.concept_at(index - i) for i in (1, 2) if index >= i}
    return said.strip() == "for" and bool(counted & {"NUM", "XCOUNT"})

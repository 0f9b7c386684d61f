"""Which figure is asked for, where it is not the usual one."""

import re
from functools import cache
from typing import get_args

from bot.language.grammar import compiled
from bot.language.names import names
from bot.language.reading import Reading, needs
from bot.language.shape import OWN_CHAT
from bot.language.subject import (
    DATA,
    DEMANDS,
    LENGTHS,
    PILES,
    demanded,
    given,
    learns,
    named,
)
from bot.language.vocabulary import read_toml
from core.patterns import regex
from core.query import Use

_SHEET = tuple(
    (kind, regex(rf"\b(?:{words})\b"))
    for kind, words in (
        ("link", r"nvlink|interconnect|link speed"),
        ("mig", r"mig|multi[ -]instance gpu"),
        ("power", r"tdp|power(?: draw| consumption)?|watts?|wattage"),
        ("bandwidth", r"(?:memory )?bandwidth"),
        ("memory", r"v?ram|memory|hbm\d?e?"),
        ("compute", r"t?flops|pflops|compute"),
        ("all", r"specs?|specifications?|data ?sheet|spec sheet"),
    )
)
_HOW_MUCH_OF_IT = regex(
    r"\bhow much (?:v?ram|memory|hbm|power|bandwidth|compute|t?flops)\b"
)
_ASKED_OF_ONE = regex(r"questions?|quer(?:y|ies)|answers?|repl(?:y|ies)|responses?")
_ONE_COSTS = regex(
    r"\b(?:one|an?|each|every|a single) (?:question|query|answer|reply|request|call|"
    r"message) costs?\b"
)
_WHAT_PER = regex(r"\bwhat (?:is (?:it|that) )?per\b")
_HOURLY = regex(
    r"\bhourly (?:cost|costs|bill|price|rate|spend)\b|"
    r"(?:[$€£]|\b(?:dollars|usd|euros|eur|costs?|price|pay|how much))"
    r"(?: \w+){0,5} ?(?:per |an |/ ?)(?:hour|hr|h)\b"
)
_BY_THE_HOUR = regex(
    r"\b(?:per|an|each|by the|for an) (?:hour|hr)\b|/ ?(?:hour|hr|h)\b|\bhourly\b"
)
"""Of a machine or of counted GPUs, which do nothing by the hour but cost."""
_SUM = r"(?:budget|costs?|bill|spend(?:ing)?|pay|forecast|total|figure|number)"
_THE_YEAR = (
    r"(?:(?:(?:the |our )?(?:first|next|this|coming|whole|full|entire|fiscal|financial)"
    r"|(?<=for )the) year|20[23]\d|(?:the )?(?:(?:first|next|coming) )?"
    r"(?:12|twelve) months)\b"
    r"(?!'|-| (?:commit\w*|term|contract|reserv\w*))"
)
_NEXT_YEAR = (
    r"\bper annum\b|\bp\. ?a\.|"
    r"\b(?:(?:first|next|this|coming|whole|full|fiscal|a|the|one)[ -]year(?:'s)?|"
    r"(?:12|twelve)[- ]months?|20[23]\d(?:'s)?) "
    rf"(?:(?!contract|commit|term|reserv)\w+ ){{0,2}}?{_SUM}\b|"
    rf"\b{_SUM}(?: (?!(?:per|a|an|each)\b)\w+){{0,2}} (?:for |in |over )?{_THE_YEAR}|"
    r"\b(?:jahres(?:budget|kosten|preis)|"
    r"(?:jahrliche\w*|jaarlijkse|roczn\w+) (?:kosten|budget|koszt\w*)|"
    r"(?:budget|cout|coste|costo|custo|presupuesto|spesa|prix|precio|prezzo|kosten|"
    r"koszt\w*) (?:annuel|anual|annuale|annuo|pro jahr|par an|al ano|por ano|per jaar|"
    r"all'anno|roczn\w+))\b"
)
_YEARLY = regex(
    r"\b(?:yearly(?! (?:opex|contract|commit\w*|term))|annual(?:ly)?"
    r"(?! (?:opex|contract|reports?|statements?|filings?|reviews?|growth))|"
    r"(?:cost|total) (?:per|a) year|for a (?:full|whole) year)\b"
    rf"|{_NEXT_YEAR}"
)
_YEARS_SUM = regex(
    rf"{_NEXT_YEAR}|"
    r"\b(?:yearly|annual) (?:costs?|bill|spend(?:ing)?|figures?|totals?|prices?|sums?|"
    r"numbers?|run[ -]rate)\b|\bannuali[sz]ed\b|"
    r"\b(?:costs?|bill|spend|price|total|sum|budget) (?:per|a|each) year\b"
)
"""A sum of money by the year, where neither load nor count says that one is asked."""
_TOKEN_UNITS = (
    ("blended", regex(
        r"\bblended\b|"
        r"\b(?:input|in) (?:and|\+|plus) (?:output|out) (?:together|combined)"
    )),
    ("thousand", regex(r"(?:\bper|/) ?(?:1k|1,?000|thousand)(?: output)? tok")),
)  # fmt: skip
_NO_SHEET = "VS COMPARE IDLE ALERT BUYORRENT KWH FIT CUR WHY".split()
"""Words of questions that only mention a property; "memory" is one of FIT too."""
_USES = frozenset(get_args(Use))


@needs("FIT")
def memory(reading: Reading) -> None:
    """Gigabytes: "how much vram for …", "memory needed for …", no GPU in sight."""
    asked = any(item.value == "memory" for item in reading.all("FIT"))
    if not asked or not named(reading) or given(reading) or reading.has("GB", "WHY"):
        return
    reading.fields["intent"] = "fit"
    if not learns(reading):
        reading.wanted = "memory"


@needs("GPU INSTANCE", "MODEL", "FIT RUN CANI INFER")
def runs_on(reading: Reading) -> None:
    """Models that GPUs hold: "welches modell passt auf eine l40s", no load in sight."""
    held = reading.has("GPU", "INSTANCE") and reading.has("MODEL")
    asks = reading.has("FIT", "RUN", "CANI", "INFER")
    other = reading.has("COST", "PRICE", "HOWMUCH", "ALERT", "VS", "CHEAP")
    other = other or named(reading) or demanded(reading) or learns(reading)
    if held and asks and not other:
        reading.fields["intent"] = "capacity"
        reading.wanted = "runs_on"


@needs("FAST")
def latency(reading: Reading) -> None:
    """The quickest answer, whatever it costs: "fastest gpu for 8b"."""
    if reading.has("FAST") and named(reading) and not demanded(reading):
        # a comparison says already which of them is the quicker
        if reading.fields["intent"] == "compare":
            return
        reading.wanted = "latency"
        for index in reading.places("FAST"):
            reading.span("wanted", index, index + 1)


def per_head(reading: Reading) -> None:
    """Dollars a user or a request: "cost per user for 5000 users"."""
    asks = reading.has("COST", "PRICE", "HOWMUCH", "CUR")
    if not (asks or _WHAT_PER.search(reading.plain)):
        return
    for concepts, unit in (("USER", "user"), ("REQ IN OUT DOC", "request")):
        shape = compiled(f"(?<![NUM TOK IN OUT REQ W]) PER [{concepts}] (?!TOK)")
        for each in shape.finditer(reading.whole):
            last, ahead = reading.items[each.end() - 1], each.start() - 3
            if "TOK" in {reading.concept_at(at) for at in range(ahead, ahead + 3)}:
                continue  # "25 tokens/s per user"
            asked = last.concept in ("USER", "REQ") or _ASKED_OF_ONE.fullmatch(
                reading.plain, last.start, last.end
            )
            if asked:
                _ask(reading, unit, reading.items[each.start()].start, last.end)
                return
    if one := _ONE_COSTS.search(reading.plain):
        _ask(reading, "request", *one.span())


_ITEMS = {
    item: words
    for words, item in (
        ("pages?|seiten?|paginas?|pagine?|strona|strony", "pages"),
        ("doc(?:ument)?s?|dokument(?:e|en)?|documentos?|documenti?", "documents"),
        ("tickets?", "tickets"),
        ("tasks?", "tasks"),
        ("sessions?", "sessions"),
        ("e-?mails?|mails?|correos?", "emails"),
        ("images?|pictures?|photos?|bild(?:er)?|imagen(?:es)?|immagin[ei]", "images"),
        ("calls?|anrufe?|appels?|llamadas?|chiamat[ae]", "calls"),
        ("clips?|videos?", "clips"),
        ("articles?|artikel|articulos?|articol[oi]", "articles"),
        ("invoices?|rechnung(?:en)?|factures?|facturas?|fattur[ae]", "invoices"),
        ("conversations?|chats?|gesprache?|conversaciones?", "conversations"),
        ("messages?|nachricht(?:en)?|mensajes?|messaggi[oi]?", "messages"),
        ("reviews?", "reviews"),
        ("files?|dateien?|fichiers?|archivos?", "files"),
        ("records?", "records"),
        ("contracts?|vertr[a]ge?|contrats?|contratos?", "contracts"),
        ("transcripts?", "transcripts"),
        ("summar(?:y|ies)", "summaries"),
        ("translations?", "translations"),
        (
            "requests?|quer(?:y|ies)|predictions?|anfragen?|requetes?|peticiones?|"
            "richiest[ae]",
            "requests",
        ),
    )
}
_ITEM = "|".join(_ITEMS.values())
_MONEY = (
    r"(?:costs?|price\w*|cheap\w*|how much|expensive|pay|dear|kostet|kosten|preis\w*|"
    r"gunstig\w*|billig\w*|cout\w*|prix|cher|chere|cuesta\w*|coste|precio|barat\w*|"
    r"costa\w*|prezzo|economic\w*|goedkoop\w*|kosztuje|tani\w*)"
)
_OF_EACH = (
    r"(?<![\d.])(?:\b(?:per|pro|je|par|por|each|for each|for one)|/)\s?"
    r"(?:a |single |one |1,?000 |1k |(?:a |one )?thousand |tausend |1\.000 |mille |"
    r"mil )?"
    rf"(?P<{{0}}>{_ITEM})\b"
)
_A_PRICE_EACH = regex(
    rf"\b{_MONEY}\b[^.;?!]{{0,30}}?{_OF_EACH.replace('{0}', 'a')}|"
    rf"{_OF_EACH.replace('{0}', 'b')}[^.;?!\d]{{0,25}}\b{_MONEY}\b|"
    rf"\b(?:one|an?|each|every|a single|ein\w*|un\w*|1,?000|1k|(?:a |one )?thousand) "
    rf"(?P<c>{_ITEM}) (?:costs?|kostet|coute|cuesta|costa)\b"
)
_A_LENGTH = regex(
    r"\b(?:per|an?|one|each|every) (?P<unit>minute|second) of (?:\w+ ){0,2}?"
    r"(?:videos?|footage|film|clips?|audio|speech|sound|recordings?|calls?)\b"
)
_EACH_OF = regex(r"(?:\b(?:per|pro|je|par|por|each|for (?:each|one))|/)\s?(?:\S+ )?$")
_OF_WHAT = regex(
    r"(?:\d[\d.,]*k?|tokens?|tok|words?|seconds?|minutes?|pages?|images?|chunks?|requests?|"
    r"calls?|prompts?|steps?|[gmk]b|cents?|ct|dollars?|euros?|usd|eur|in|out|input|"
    r"output|answers?|frames?)\s*$"
)
"""Before "per page" where it is so much of something, or a stated price."""


@needs("COST PRICE CHEAP HOWMUCH SPEND")
def per_item(reading: Reading) -> None:
    """Dollars a page, a ticket: "which GPU is cheapest per page", "one call costs"."""
    asks = reading.has("COST", "PRICE", "CHEAP", "HOWMUCH", "SPEND")
    if not asks or reading.has("ALERT", "BUDGET", "TRAIN", "FINETUNE"):
        return
    lasts = reading.has("VIDEO", "AUDIO") and _A_LENGTH.search(reading.plain)
    if lasts:
        _ask(reading, lasts["unit"], *lasts.span())
        return
    found, name, told = _A_PRICE_EACH.search(reading.plain), "", ""
    while found is not None:
        name = str(found.lastgroup)
        before = reading.plain[: found.start(name)]
        start = _EACH_OF.search(before)
        told = before[: start.start() if start else found.start()]
        if name == "c" or not _OF_WHAT.search(told):
            break  # else so many calls each ticket: its price may be asked for behind
        found = _A_PRICE_EACH.search(reading.plain, found.end(name))
    if found is None:
        return
    item = next(i for i, w in _ITEMS.items() if regex(w).fullmatch(found[name]))
    _ask(reading, "request", len(told), found.end(name))
    if item != "requests":
        reading.aside["asked_item"] = item
    for index, one in enumerate(reading.items):
        if len(told) <= one.start < found.end(name):
            reading.use(index, index + 1)


def affordable(reading: Reading) -> None:
    """What a budget buys: one is stated, and no work that it is to pay for."""
    work = (*DEMANDS, *LENGTHS, *PILES, *DATA, "model", "params_b", "modality")
    if "budget_amount" in reading.fields and not reading.stated(*work):
        goods = ("GPU", "INSTANCE", "API", "APINAME", "ALERT")
        given = "count" in reading.fields or reading.has(*goods)
        if not (given or learns(reading)):
            reading.wanted = reading.wanted or "affordable"


def _ask(reading: Reading, unit: str, start: int, end: int) -> None:
    """Note the unit that dollars are to be told per, and where it is said."""
    reading.aside["asked_unit"] = unit
    reading.spans.setdefault("asked_unit", []).append((start, end))


@needs("TOK COST PRICE HOWMUCH")
def asked_unit(reading: Reading) -> None:
    """Prompts and answers together, or a thousand of them: "cost per 1k tokens"."""
    if not (named(reading) and reading.has("TOK", "COST", "PRICE", "HOWMUCH")):
        return
    if "api_usd_per_million" in reading.aside:
        return  # the unit is that of the API's price
    for unit, shape in _TOKEN_UNITS:
        if shape.search(reading.plain):
            reading.aside["asked_unit"] = unit
            for match in compiled("PER [NUM NUMB]? TOK").finditer(reading.whole):
                reading.span("asked_unit", *match.span())
            reading.wanted = reading.wanted or "usd_per_million"
            return


def per_year(reading: Reading) -> None:
    """Dollars a year: "yearly cost of 70b at 10 rps", "annual spend"."""
    if reading.aside.get("asked_unit") or reading.stated("budget_amount"):
        return
    served = demanded(reading) and not learns(reading)
    shape = _YEARLY if served or _billed(reading) else _YEARS_SUM
    if told := shape.search(reading.plain):
        _ask(reading, "year", *told.span())
    elif _billed_a_year(reading):
        reading.aside["asked_unit"] = "year"


_TIME_TO = regex(
    r"\b(?:time (?:to|for)|duration of|hours (?:to|for))\s+(?:(?:the|a|full)\s+)*$"
)


@needs("HOWLONG FINETUNE TRAIN")
def asks_time(reading: Reading) -> None:
    """Note that hours are asked for: "how long does it take to fine-tune 8b"."""
    timed = learns(reading) or reading.stated(*PILES)
    if not timed or reading.stated("duration_hours", "budget_amount"):
        return
    for index in reading.places("HOWLONG"):
        reading.aside["asks_time"] = True
        reading.span("asks_time", index, index + 1)
    for index in reading.places("FINETUNE", "TRAIN"):
        start, end = reading.items[index].start, reading.items[index].end
        if said := _TIME_TO.search(reading.plain, 0, start):
            reading.aside["asks_time"] = True
            reading.stretch("asks_time", said.start(), end)


def per_hour(reading: Reading) -> None:
    """Dollars an hour: "$ per hour for 70b at 3 rps", "what does a p5 cost an hour"."""
    if reading.aside.get("asked_unit") or reading.stated("budget_amount"):
        return
    served = named(reading) and demanded(reading) and not learns(reading)
    rented = _rented(reading) and "gpu_prices" not in reading.aside
    shape = _BY_THE_HOUR if rented else _HOURLY
    if (served or rented) and (told := shape.search(reading.plain)):
        _ask(reading, "hour", *told.span())


def _rented(reading: Reading) -> bool:
    """Whether counted GPUs or a machine are priced, without any work."""
    of_machine = "instance" in reading.fields or "count" in reading.fields
    return of_machine and reading.fields["intent"] in ("cost", "price")


def _billed(reading: Reading) -> bool:
    """Whether the bill of counted GPUs is asked for, without any work."""
    counted = "count" in reading.fields and not reading.stated("term_months")
    priced = reading.fields["intent"] in ("cost", "price")
    return counted and priced and not named(reading)


def _billed_a_year(reading: Reading) -> bool:
    """Read "8 h100 per year": a bill has no other use for a year."""
    years = any(item.value == "year" for item in reading.all("TIME"))
    return years and reading.first("PER TIME") is not None and _billed(reading)


@cache
def _figures() -> dict[str, re.Pattern[str]]:
    told = read_toml("wanted")["api_price"]
    return {name: regex("|".join(words)) for name, words in told.items()}


def api_price(reading: Reading) -> None:
    """What a model costs by the token, where nothing is served by it or held to it."""
    said = _asks_api_price(reading)
    if said is None:
        return
    reading.wanted, reading.fields["intent"] = "api_price", "price"
    reading.aside.pop("asked_unit", None)
    reading.told("wanted", said)
    for unit in _A_MILLION.finditer(reading.plain):
        reading.told("wanted", unit)
    for name in (*LENGTHS, "tokens_total"):
        if reading.fields.get(name) == _MILLION:
            del reading.fields[name]  # what the price is for, no prompt
            reading.spans.pop(name, None)
    reading.aside.pop("tokens_side", None)


_MILLION = 1e6
_A_MILLION = regex(
    r"(?:\b(?:per|pro|par|por|for|a|one|each|every|au)\s|/\s?)?"
    r"(?:\b1\s?m(?:io\.?|n|illion)?|\b(?:un |una )?mill?i[oó]n(?:en)?)\b"
    r"(?:\s(?:de |d')?(?:(?:input|prompt)(?:\s(?:and|und|et|y|/)\s))?"
    r"(?:(?:input|output|in|out)\s)?tok(?:en)?s?\b)?"
)
"""The million tokens that a price is for."""


def _asks_api_price(reading: Reading) -> re.Match[str] | None:
    """The words that ask what an API charges; None: something else is asked."""
    loads = demanded(reading) or reading.stated(*DATA, *_OF_MONEY)
    piled = any(reading.fields.get(one, _MILLION) != _MILLION for one in PILES)
    if loads or piled or learns(reading) or given(reading) or reading.has(*_NO_API):
        return None
    if reading.fields.keys() & {"modality"} or _OF_MONEY & reading.aside.keys():
        return None
    shapes = _figures()
    if shapes["other"].search(reading.plain):
        return None
    _name_in_full(reading, shapes["named"])
    sellers = _token_sellers(reading)
    if not (named(reading) or sellers):
        return None
    if told := shapes["told"].search(reading.plain):
        return told
    if not named(reading):
        return shapes["closed"].search(reading.plain)
    if reading.has("VS", "OR", "THAN", "COMPARE"):
        return None
    kinds = ["alone"]
    if sellers and not reading.has("TIME"):
        kinds += ["charged"] + ["asked"] * reading.has("APINAME", "TOK")
    found = (shapes[kind].search(reading.plain) for kind in kinds)
    return next((match for match in found if match), None)


_OF_MONEY = frozenset((
    "budget_amount", "api_spend_amount", "api_usd_per_million", "most_per_million",
))  # fmt: skip
_NO_API = (
    "GPU GPUWORD INSTANCE NODE SELFHOST ALERT SPEND BREAKEVEN BUYORRENT FIT CANI IDLE "
    "HOWMANY TCO KWH WHY"
).split()
"""Words of questions about machines, and about what is paid today."""


def _name_in_full(reading: Reading, shape: re.Pattern[str]) -> None:
    """ "gpt-5.2", "claude 3.5 sonnet": the version that no list of ours has."""
    told = {match.start(): match for match in shape.finditer(reading.plain)}
    said: list[str] = []
    for index, item in enumerate(reading.items):
        match = told.get(item.start) if item.concept in ("APINAME", "W") else None
        if match and any(letter.isdigit() for letter in match[0]):
            said.append(re.sub(r"(?<=gpt)(?=\d)", "-", match[0].replace(" ", "-")))
            if item.concept == "W":
                reading.become(index, "APINAME", said[-1])
            reading.told("compare_api", match)
        elif item.concept == "APINAME":
            said.append(str(item.value))
    if said:
        reading.fields["compare_api"] = tuple(dict.fromkeys(said))


def _token_sellers(reading: Reading) -> bool:
    """Whether an API, or a provider that sells tokens, is named."""
    sold = names().token_apis
    return reading.has("APINAME") or any(
        item.value in sold for item in reading.all("PROVIDER")
    )


_LASTS = regex(
    r"\b(?:how (?:long|far|many (?:months|weeks|days))|wie (?:lange?|viele monate)|"
    r"combien de (?:temps|mois)|cuanto tiempo|cuantos meses|per quanto tempo|"
    r"hoe ?lang|hoeveel maanden)\b[^.;?!]{0,60}?"
    r"\b(?:lasts?|cover\w*|pays?|takes? us|get us|gets us|reich(?:t|en)|dur\w+|"
    r"tien\w+|dura\w*|basta\w*|duurt|is that|would that be|does that buy)\b|"
    r"\bhow (?:long|many(?: [\w-]+){0,4}? hours)\b[^.;?!]{0,30}?"
    r" (?:run|keep|rent|use|get|buys?|have|afford)\b"
)


@needs("CUR NUM GRAND")
def how_long_it_lasts(reading: Reading) -> None:
    """Months that a sum in hand pays for: "$25k of credits, how long do they last"."""
    told = _LASTS.search(reading.plain)
    if not told or "budget_period" in reading.fields:
        return
    rented = reading.has("GPU", "INSTANCE")
    if learns(reading) or not (demanded(reading) or rented):
        return
    if found := [*_CREDITS.finditer(reading.plain)]:
        held = next((one for one in found if one.lastgroup), found[0])
        reading.use_words(held)
        _held(reading, held)
    if "budget_amount" in reading.fields:
        _ask(reading, "lasts", *told.span())
        if rented and not (demanded(reading) or named(reading)):
            reading.fields["intent"] = "price"


_CREDITS = regex(
    r"(?P<sum>\d[\d.,]*\s?k?)?(?:\s(?:in|of|worth of))?(?:\s[a-z.]+){0,2}?\s"
    r"(?:credits?|guthaben|credito|creditos|tegoed)\b"
    r"(?: (?:(?:are|is|of|total|worth|about|around) )+(?P<are>\d[\d.,]*k?)\b)?|"
    r"\b(?:for|with|on|from) (?P<for>\d[\d.,]*k)(?=[.,;?!]|$)"
)


def _held(reading: Reading, said: re.Match[str]) -> None:
    """Money that is said without a currency: "25k in credits"."""
    named = said.lastgroup
    if "budget_amount" in reading.fields or named is None:
        return
    for index, one in enumerate(reading.items):
        if one.start == said.start(named) and one.concept in ("NUM", "NUMB"):
            reading.fields["budget_amount"] = one.value
            reading.stretch("budget_amount", *said.span())
            reading.use(index, index + 1)
            reading.left = [left for left in reading.left if left[0] != one.start]


@needs("INFER WORK")
def use(reading: Reading) -> None:
    """What requests are for, by the first word that says it: "rag", "summarise" …"""
    named = (*reading.all("INFER"), *reading.all("WORK"))
    known = [item for item in named if item.value in _USES]
    if known:
        first = min(known, key=lambda item: item.start)
        reading.use_case = first.value
        reading.stretch("use", first.start, first.end)


@needs("INFER")
def own_chat(reading: Reading) -> None:
    """ "A private ChatGPT" is hosted by those who ask."""
    for item in reading.all("INFER"):
        if item.value == OWN_CHAT:
            reading.aside["self_hosted"] = True
            reading.stretch("self_hosted", item.start, item.end)


@needs("GPU")
def sheet(reading: Reading) -> None:
    """A figure of the datasheet: "tdp of b200", "how much memory has a mi325x"."""
    if not reading.has("GPU") or named(reading) or demanded(reading) or learns(reading):
        return
    sized = any(item.value == "memory" for item in reading.all("FIT"))
    if reading.has(*_NO_SHEET) and not sized:
        return
    kinds = [kind for kind, shape in _SHEET if shape.search(reading.plain)]
    if not kinds or _asks_price(reading):
        return
    several = reading.fields.get("count", 1) > 1
    if kinds[0] == "power" and (several or reading.has("TIME")):
        reading.wanted = "energy"
    elif not several:
        reading.wanted, reading.aside["sheet"] = "sheet", kinds[0]
        reading.fields["intent"] = "price"


def _asks_price(reading: Reading) -> bool:
    """Whether money is asked for; "how much vram" asks for none."""
    if reading.has("PRICE", "CHEAP", "COST", "BILL", "RESERVED"):
        return True
    return reading.has("HOWMUCH") and not _HOW_MUCH_OF_IT.search(reading.plain)


EARLY_RULES = (per_item,)
RULES = (
    affordable,
    memory,
    runs_on,
    latency,
    per_head,
    asked_unit,
    per_year,
    per_hour,
    asks_time,
    how_long_it_lasts,
    use,
    own_chat,
    sheet,
    api_price,
)

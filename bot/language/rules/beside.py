"""What is to be counted beside rented GPU-hours: egress, power, buying."""

import re

from bot.language.reading import Match, Reading, needs
from bot.language.rules import machines, people
from bot.language.rules.people import note_currency, per_month
from bot.language.subject import demanded
from core.patterns import regex

_PER = "(?:PER <p>TIME)?"
_VOLUMES = {"EGRESS": "egress_gb", "STORAGE": "storage_gb"}
_KEYED = (f"{{}} EQ <n>NUM <u>GB {_PER}",)
_SPOKEN = (
    f"<n>NUM <u>GB W{{{{0,2}}}} {{}} {_PER}",
    "<n>NUM <u>GB PER <p>TIME W{{0,2}} {}",
    f"{{}} W{{{{0,2}}}} <n>NUM <u>GB {_PER}",
)


@needs("EGRESS STORAGE")
def volumes(reading: Reading) -> None:
    """Read "5 TB egress a month", "storage=2tb": gigabytes."""
    if not reading.has(*_VOLUMES):
        return
    for ways in (_KEYED, _spoken(reading)):
        for concept, field in _VOLUMES.items():
            for match in reading.find(*(way.format(concept) for way in ways)):
                if field not in reading.beside:
                    reading.beside[field] = _gigabytes(reading, match, field)
                    reading.use(*match.span())


def _spoken(reading: Reading) -> tuple[str, ...]:
    """The ways to say it, the amount first unless a word leads: "storage 1TB, …"."""
    amount = reading.first("NUM GB")
    words = reading.places(*_VOLUMES)
    leads = amount is not None and bool(words) and words[0] < amount.start()
    return (_SPOKEN[-1], *_SPOKEN[:-1]) if leads else _SPOKEN


def _gigabytes(reading: Reading, match: Match, field: str) -> float:
    scale = 1000 if reading.value(match, "u") == "tb" else 1
    monthly = per_month(reading, match) if field == "egress_gb" else 1.0
    return float(reading.value(match) * scale * monthly)


_MOST_A_KWH = 2
"""Dollars; a bare number above it counts kilowatt-hours."""


@needs("KWH PUE")
def power(reading: Reading) -> None:
    """Read "$0.15/kWh", "12 cents per kWh", "pue 1.3"."""
    for match in reading.find(
        "<c>CUR <n>NUM [PER SLASH]? KWH",
        "<n>NUM <c>CUR [PER SLASH]? KWH",
        "KWH [W EQ]{0,2} <c>CUR <n>NUM",
        "KWH [W EQ]{0,2} <n>NUM <c>CUR",
        "KWH [W EQ]{0,2} <n>NUM (?!GPU|GPUWORD|COUNTER|TIMES|NODE)",
        "<n>NUM [PER SLASH]? KWH",
    ):
        if reading.value(match) > _MOST_A_KWH and not match.groupdict().get("c"):
            continue  # an amount of energy
        cents = "c" in match.groupdict() and match.groupdict()["c"] is not None
        cents = cents and reading.value(match, "c") == "USc"
        note_currency(reading, match)
        reading.beside["usd_per_kwh"] = reading.value(match) * (0.01 if cents else 1)
        reading.use(*match.span())
        break
    for match in reading.find("PUE [W EQ]{0,2} <n>NUM"):
        if 1 <= reading.value(match) <= 4:
            reading.beside["pue"] = reading.value(match)
            reading.use(*match.span())


_BUYING = (
    r"(?:buy|buying|purchase|purchasing|own|owning|capex|kaufen|anschaffen|acheter|"
    r"achat|comprar|comprare|acquistare|kopen|kupic)"
)
_RENTING = (
    r"(?:rent|renting|lease|leasing|mieten|anmieten|leasen|louer|location|alquilar|"
    r"alugar|noleggiare|affittare|huren|wynajac)"
)
_AGAINST = (
    r"(?:or|vs|versus|against|than|instead of|oder|statt|ou|plutot que|o|u|en vez de|"
    r"oppure|of|czy|lub)"
)
_BUYS = regex(
    rf"\b{_BUYING}\b.{{0,80}}?\b(?:{_AGAINST}|beats?|pays? off)\b.{{0,80}}?"
    rf"\b(?:{_RENTING}|cloud|aws|azure|gcp)\b"
)
_RENTS = regex(
    rf"\b{_RENTING}\b.{{0,80}}?\b{_AGAINST}\s+(?:to\s+|en\s+)?{_BUYING}\b"
    r"(?=\s*(?:$|[,.?!;]|it|one|some|them|these|those|the|an?|such|at|for|over|with|"
    r"outright|\d|un|uno|une))"
)
_OWNING = r"(?:buying|owning|purchasing|to (?:buy|own|purchase)|ownership)"
_SENSIBLE = (
    r"(?:sensible|worth(?:while)?|pays?(?: off)?|makes? (?:\w+ )?sense|cheaper|better|"
    r"justif\w+|reasonable|economical|a good idea)"
)
_OWN_PLACE = (
    r"(?:under (?:the|our|my|a) desks?|on[- ]?prem\w*|colo(?:cation)?|"
    r"(?:in )?our own (?:racks?|hardware|servers?|machines?|data ?cent\w+|basement))"
)
_CLOUD = (
    r"(?:rent(?:ing|al)?|leas(?:e|ing)|(?:the |in the |public )?cloud|aws|azure|gcp)"
)
_WORTH_IT = regex(
    rf"\b(?:{_OWNING}\b[^.?!;]{{0,80}}?\b{_SENSIBLE}|"
    rf"{_SENSIBLE} (?:for us )?{_OWNING})\b"
    rf"|\b{_OWN_PLACE}\b[^.?!;]{{0,40}}?\b(?:or|vs|versus|against|than)\s+"
    rf"(?:to )?{_CLOUD}\b"
    rf"|\b{_CLOUD}\b[^.?!;]{{0,40}}?\b(?:or|vs|versus|against)\s+{_OWN_PLACE}"
)
"""Whether owning pays, or where the machines would stand against renting them."""
_BUY_AT = regex(r"\b(?P<verb>buy|buying|purchase|purchasing)\s+(?:an?\s+|\d+\s*x?\s*)?")
_MACHINE = 1000
"""Dollars: the least that one GPU of a data centre is sold for."""


_EACH = "(?<!CUR) <n>NUM GRAND? EACHTOK"


@needs("GPU INSTANCE MODELNAME")
def buys(reading: Reading) -> None:
    """Read "buy 32 h100 … or rent": whatever stands between the two."""
    if reading.has("BUYORRENT") or not reading.has("GPU", "INSTANCE", "MODELNAME"):
        return
    found = _BUYS.search(reading.plain) or _RENTS.search(reading.plain)
    if found is None and not reading.has("API", "APINAME"):
        found = _WORTH_IT.search(reading.plain)
    start, end = found.span() if found else _bought(reading)
    for index, item in enumerate(reading.items):
        if start <= item.start < end and item.concept in _WEIGHING:
            reading.become(index, "BUYORRENT", "buy")
            reading.stretch("wanted", start, end)
            return


_WEIGHING = ("W", "VS", "OR", "THAN", "COMPARE", "BREAKEVEN")
"""What the words of buying, or those between it and renting, are read as."""


def _bought(reading: Reading) -> tuple[int, int]:
    """Where "buy 8 h100 at $30k each" says so; nowhere without a GPU's price."""
    gpus = {reading.items[index].start for index in reading.places("GPU")}
    for said in _BUY_AT.finditer(reading.plain):
        # "buy 4090s": the digits are a name, no count
        if gpus & {said.end(), said.end("verb") + 1} and _is_sold(reading):
            return said.span("verb")
    return 0, 0


def _is_sold(reading: Reading) -> bool:
    """Whether a sum stands there that a GPU is sold for, not rented."""
    sums = reading.find("CUR <n>NUM GRAND? (?!PER|SLASH|TIME)", _EACH)
    return any(
        reading.value(m) * (1000 if "GRAND" in reading.concepts(m) else 1) >= _MACHINE
        for m in sums
    )


_FOR = regex(r"\b(?:for|total of|costing|total)\W*$")


_OF_ALL = regex(r"\s*(?:of )?(?:capex|in total|total|altogether|all in|up ?front)\b")


def _shared(reading: Reading, match: Match) -> float:
    """Among how many GPUs a sum is: "8 h100 for $280k" is for all of them."""
    before = reading.plain[: reading.items[match.start()].start]
    behind = reading.plain[reading.items[match.end() - 1].end :]
    if _OF_ALL.match(behind):
        return _counted_gpus(reading)
    if reading.concepts(match) & {"PER", "SLASH", "EACHTOK"} or not _FOR.search(before):
        return 1.0
    return _counted_gpus(reading)


def _counted_gpus(reading: Reading) -> float:
    counted = reading.first("<n>NUM [TIMES W]{0,2} GPU")
    return float(reading.value(counted)) if counted else 1.0


@needs("BUYORRENT")
def purchase(reading: Reading) -> None:
    """Read "buy at $28k each": what one GPU costs, where buying is weighed."""
    if not reading.has("BUYORRENT") or machines.is_bought(reading):
        return
    _part_of_the_year(reading)
    if not reading.has("GPU", "INSTANCE"):
        return  # a sum for hardware that is still to be chosen is a budget
    for match in reading.find(
        "CUR <n>NUM GRAND? [PER SLASH] [GPU GPUWORD]",
        "CUR <n>NUM GRAND? [W EACHTOK]? EACHTOK",
        "CUR <n>NUM GRAND? (?!PER|SLASH|TIME)",
        _EACH,
    ):
        scale = 1000 if "GRAND" in reading.concepts(match) else 1
        note_currency(reading, match)
        reading.beside["purchase_usd"] = (
            reading.value(match) * scale / _shared(reading, match)
        )
        reading.use(*match.span())
        return


_OF_A_YEAR = {"day": 365, "week": 52, "month": 12}
_OF_WEEKS = regex(
    r"\s*(?:out )?of (?:the )?(?P<all>52|365|12)(?: (?:weeks|days|months))?\b"
)


def _part_of_the_year(reading: Reading) -> None:
    """Read "6 weeks per year", "8 weeks out of 52": how much of the time it is used."""
    for match in reading.find(
        "DUR? <n>NUM <t>TIME [W TRAIN FINETUNE RUN UTIL USED]{0,3} PER <u>TIME"
    ):
        whole = _OF_A_YEAR.get(reading.value(match, "t"), 0)
        if reading.value(match, "u") == "year" and reading.value(match) <= whole:
            reading.take("utilization", reading.value(match) / whole, match)
            return
    for match in reading.find("<n>NUM <t>TIME?"):
        end = reading.items[match.end() - 1].end
        told = _OF_WEEKS.match(reading.plain, end)
        if told and reading.value(match) <= float(told["all"]):
            share = reading.value(match) / float(told["all"])
            reading.take("utilization", share, match)
            reading.told("utilization", told)
            return


def _buying(reading: Reading) -> str | None:
    """What is asked of GPUs to buy that nobody named: their price, or buy or rent."""
    if _is_for_rooms(reading):
        return "purchase"
    if reading.stated("model", "params_b") and _buys(reading):
        return "purchase" if reading.beside.get("on_premises") else "buy_or_rent"
    return None


def wants(reading: Reading) -> None:
    """Choose the figure that these words ask for."""
    given = reading.has("GPU", "INSTANCE")
    if reading.has("BUYORRENT") and given and _weighs_newer(reading):
        reading.fields["intent"] = "compare"
    elif _weighs_buying(reading, given) and (
        given or reading.stated("model", "params_b")
    ):
        reading.wanted = "buy_or_rent"
        reading.fields["intent"] = "compare"
        _over_years(reading)
    elif not given and (way := _buying(reading)):
        reading.wanted = way
    elif given and machines.is_bought(reading):
        reading.wanted = "buy_or_rent"
        reading.fields["intent"] = "cost"
    elif given and (asked := _asks_price_to_buy(reading)):
        reading.wanted = "purchase"
        reading.fields["intent"] = "cost"
        reading.use_words(asked)
        reading.stretch("wanted", *asked.span())
    elif _weighs_term(reading) or "term_prices" in reading.aside:
        reading.wanted = "term"
    elif reading.has("TCO"):
        reading.wanted = "tco"
    elif given and reading.has("POWERCOST", "KWH", "PUE") and not reading.has("TRAIN"):
        _want_power(reading)


_DESKS = regex(
    r"\b(?:for|in|at|into) (?:the|our|my|an?) (?:\w+ )?(?:office|lab)\b(?! hours)|"
    r"\bunder (?:the|our|my|a) desks?\b|\b(?:a|one|our) workstation\b|"
    r"\b(?:furs|im|unser|unters|unter den) (?:buro|schreibtisch)\b|"
    r"\b(?:pour le|au|dans le) bureau\b|\b(?:para|en) la oficina\b"
)


def _is_for_desks(reading: Reading) -> bool:
    """Whether a workstation for the office is to be bought."""
    found, buys = _DESKS.search(reading.plain), _QUOTED.search(reading.plain)
    if not found or not buys:
        return False
    reading.beside["office"] = True
    for said in (found, buys):
        reading.use_words(said)
        reading.stretch("wanted", *said.span())
    return True


def _is_for_rooms(reading: Reading) -> bool:
    """Whether GPUs are bought for the office, or for where no cloud is reached."""
    if not reading.stated("model", "params_b"):
        return False
    if not _is_for_desks(reading) and _is_cut_off(reading):
        reading.beside["on_premises"] = True
    return not {"office", "on_premises"}.isdisjoint(reading.beside)


def _want_power(reading: Reading) -> None:
    """Ask for the bill of electricity, where it is all or comes with the rest."""
    reading.wanted = "energy"
    for found in _WITH_POWER.finditer(reading.plain):
        reading.stretch("wanted", *found.span())


_WITH_POWER = regex(
    r"\b(?:includ\w+|incl\.?|with|plus|and|count\w*|add\w*) (?:the )?"
    r"(?:electricity|power)(?: (?:bill|cost|costs))?\b|"
    r"\b(?:electricity|power) (?:and|&|\+|plus) cooling"
    r"(?: (?:for|of) (?:an?|the|our) (?:rack|server|cluster|cabinet|room)(?: of)?)?\b|"
    r"\b(?:electricity|power) (?:matters?|counts?|is (?:important|key))\b"
)
_WORTH_BUYING = regex(
    r"\bworth (?:it )?(?:for us )?(?:to )?(?:buy|buying|purchas\w+)\b|"
    r"\blohnt\b[^.?!;]{0,40}\b(?:kauf\w*|anschaff\w*)\b|"
    r"\bvaut[- ]il[^.?!;]{0,30}\bachet\w+|\bvale la pena[^.?!;]{0,30}\bcompr\w+|"
    r"\bconviene[^.?!;]{0,30}\b(?:compr\w+|acquist\w+)\b"
)


def _weighs_buying(reading: Reading, given: bool) -> bool:
    """Whether buying is held against renting, named or not."""
    if not given and _is_for_desks(reading):
        return False
    worth = given and _WORTH_BUYING.search(reading.plain)
    return reading.has("BUYORRENT") or bool(worth)


_PRICE_TO_BUY = regex(
    r"\b(?:purchase|purchasing|buying|acquisition) (?:price|costs?)\b|\bcapex\b|"
    r"\b(?:costs?|prices?|priced?|how much|what (?:does|do|would|is|are))\b"
    r"[^.?!;]{0,60}\b(?:to (?:buy|purchase|own outright)|"
    r"if (?:we|i) (?:buy|bought|purchased?)|for (?:purchase|buying))\b|"
    r"\b(?:costs?|prices?|how much|what (?:does|do|would|will))\b[^.?!;]{0,25}"
    r"\b(?:buying|purchasing)\b|\bwhere (?:can|do|could|should) (?:i|we|you) buy\b|"
    r"\b(?:kaufpreis|anschaffungs(?:preis|kosten)|prix d'achat|precio de compra|"
    r"prezzo d'acquisto|preco de compra|aanschafprijs|koopprijs)\b|"
    r"\b(?:was|wie ?viel) kost\w+\b[^.?!;]{0,60}\b(?:kaufen|anschaffung|kauf)\b|"
    r"\b(?:combien|que) (?:coute\w*)\b[^.?!;]{0,60}\b(?:l'achat|achat|acheter)\b|"
    r"\bcuanto (?:cuesta\w*|vale\w*)\b[^.?!;]{0,60}\b(?:comprar|compra)\b|"
    r"\bquanto cost\w+\b[^.?!;]{0,60}\b(?:comprare|acquistare|comprar)\b"
)
"""What it costs to own GPUs outright, with no word of renting them."""
_BY_TIME = regex(
    r"\b(?:spot|reserved|reservations?|on[- ]demand|hours?|hourly|per month|a month|"
    r"monthly|capacity|credits?|commitments?|rent\w*|leas\w+|miet\w+)\b"
)
"""Of GPUs whose time is sold: "buy spot hours"."""


def _asks_price_to_buy(reading: Reading) -> "re.Match[str] | None":
    """Where the price of a purchase is asked for, and nothing is weighed against it."""
    if reading.has("API", "APINAME", "ALERT", "BUDGET", "TRAIN", "FINETUNE", "TCO"):
        return None
    found = _PRICE_TO_BUY.search(reading.plain)
    return None if found is None or _BY_TIME.search(reading.plain) else found


_NO_PROVIDER = regex(
    r"\bon[- ]?prem(?:ises?)? only\b|\bonly on[- ]?prem(?:ises?)?\b|"
    r"\b(?:must|has to|have to|needs? to|shall|should) (?:all )?(?:run|stay|be|remain|"
    r"live|be hosted|be kept) (?:\w+ )?on[- ]?prem(?:ises?)?\b|"
    r"\bmuss (?:\w+ )?on[- ]?prem(?:ises?)?(?: laufen| bleiben| stehen)?|"
    r"\b(?:needs?|wants?|requires?|demands?|insists? on(?: having)?) (?:it|this|them|"
    r"everything|all of (?:it|this)|the (?:model|data)) (?:to (?:be|run|stay) )?"
    r"on[- ]?prem(?:ises?)?\b|"
    r"\b(?:no|not in the) (?:public )?cloud(?: (?:is )?(?:allowed|possible|permitted)|"
    r"(?=\s*(?:[,.;:!?)]|$)))|"
    r"(?<!community )(?<!secure )(?<!private )\bcloud (?:is |use is )?(?:"
    r"not (?:allowed|permitted|possible|an option)|forbidden|prohibited)(?: here)?\b|"
    r"\bkeine (?:public[- ])?cloud(?: (?:erlaubt|moglich|zulassig))?|\bpas de cloud\b|"
    r"\bsin (?:la )?nube\b|\b(?:niente|senza) cloud\b|\bsem nuvem\b|"
    r"\bin (?:our|their|its|his|the customer's|the client's) own "
    r"(?:data ?cent(?:er|re)|server ?room)s?\b(?: only)?|"
    r"\bim eigenen (?:rechenzentrum|serverraum)\b|"
    r"\bdans (?:notre|leur) propre (?:data ?cent(?:er|re)|centre de donnees)\b|"
    r"\ben (?:nuestro|su) propio (?:centro de datos|data ?center)\b|"
    r"\b(?:sur site|on[- ]?site) (?:uniquement|seulement|only)\b"
)
"""A place of one's own is a must: nothing can be rented."""
_CUT_OFF = regex(
    r"\bair[- ]?gap\w*|\b(?:isolated|disconnected|classified) (?:networks?|site|"
    r"environment)\b|\b(?:no|without|ohne|kein|sans|sin|senza) (?:acces |acceso a |"
    r"accesso a |connexion |conexion a )?internet\w*(?: (?:access|connection))?|"
    r"\b(?:fully|completely|entirely) (?:offline|disconnected)\b|"
    r"\babgeschottet\w*(?: netz\w*)?|\bisoliert\w* netz\w*|"
    r"\b(?:site|reseau|environnement) isole\w*|"
    r"\b(?:sistema|red|sitio|entorno) aislad[oa]|"
    r"\b(?:rete|sistema|ambiente) isolat[ao]"
)


def _is_cut_off(reading: Reading) -> bool:
    """Whether a load is to be served where no cloud is reached: GPUs are bought."""
    if not demanded(reading) or reading.has("API", "APINAME", "TRAIN", "FINETUNE"):
        return False
    found = list(_CUT_OFF.finditer(reading.plain))
    if not reading.has("PROVIDER", "VS", "OR", "SPOT"):
        found += _NO_PROVIDER.finditer(reading.plain)
        if not found and _TO_BUY.search(reading.plain):
            found += _NO_CLOUD.finditer(reading.plain)
    quoted = _QUOTED.search(reading.plain) if found else None
    for said in (*found, *([quoted] if quoted else ())):
        reading.use_words(said)
        reading.stretch("wanted", *said.span())
    return bool(found)


_QUOTED = regex(
    r"\b(?:put|goes?|write) in(?:to)? (?:the|our|an?) (?:quote|offer|tender|bid)\b"
    r"(?: for (?:the )?hardware)?|"
    r"\b(?:quote|offer|propose|tender|bid|buy|purchase|order)\b|"
    r"\b(?:anbieten|kaufen|beschaffen|acheter|compramos|comprar|comprare)\b"
)
"""What the hardware is for: it is sold on, or bought."""


_TO_BUY = regex(
    r"\bcapex\b|\bhardware (?:list|offer|quote|proposal)\b|\bon[- ]?prem\w* hardware\b|"
    r"\b(?:gpus?|servers?|cards?|hardware|many|what|which)\b[^.?!]{0,30}"
    r"\b(?:to|(?:should|do|would|must) (?:we|you)) (?:need to |have to )?"
    r"(?:buy|purchase)\b|\b(?:no|without|zero) opex(?: budget)?\b|\bcapex only\b|"
    r"\bkeine laufenden kosten\b|买(?:几|什么|哪|多少)|购买|采购"
    r"|\b(?:buy|buying|purchase|purchasing) (?:our |the |own |new )*"
    r"(?:gpus?|servers?|hardware|machines?|cards?)\b"
)


def _buys(reading: Reading) -> bool:
    """Whether what a load takes is bought; on premises where no cloud may be used."""
    cut_off = _is_cut_off(reading)
    if not (cut_off or _buys_for_load(reading)):
        return False
    if cut_off or _NO_CLOUD.search(reading.plain):
        reading.beside["on_premises"] = True
    return True


def _buys_for_load(reading: Reading) -> bool:
    """Whether the GPUs of a load are to be bought: "how many to purchase", "capex"."""
    found = _TO_BUY.search(reading.plain)
    rents = _IN_CLOUD.search(reading.plain)
    if found is None and not (rents or reading.has("VS", "OR", "PROVIDER", "SPOT")):
        found = _NO_CLOUD.search(reading.plain)
    trained = reading.has("TRAIN", "FINETUNE") and "budget_amount" not in reading.fields
    if found is None or trained or reading.has("API", "APINAME"):
        return False
    if _MONTHLY.match(reading.plain, found.end()):
        return False  # "what to buy per month" is rented
    for said in (found, *_NO_CLOUD.finditer(reading.plain)):
        reading.use_words(said)
        reading.stretch("wanted", *said.span())
    return True


_MONTHLY = regex(
    r"[^.?!,;]{0,12}\b(?:per|a|each|every) month\b|[^.?!,;]{0,12}monthly\b"
)
_IN_CLOUD = regex(
    r"(?<!not )\b(?:in|to|into) (?:the )?(?:public )?cloud\b|"
    r"\b(?:no|not|without|avoid) (?:\w+ )?on[- ]?prem"
)
_NO_CLOUD = regex(
    r"\bon[- ]?prem(?:ises?)?(?: only)?\b|\b(?:no|not in the) (?:public )?cloud"
    r"(?: allowed| possible)?\b|\b(?:no|zero) opex(?: budget)?\b|\bcapex only\b|"
    r"\bkeine laufenden kosten\b|本地部署"
)


def _over_years(reading: Reading) -> None:
    """Read "over 3 years", "36 months" of buying, where nothing else has."""
    months = {"year": 12, "month": 1}
    for match in reading.find("<n>NUM <t>TIME"):
        each = months.get(reading.value(match, "t"))
        if each is not None and not reading.stated("term_months"):
            reading.take("term_months", reading.value(match) * each, match)
            return
    if (said := _A_YEAR.search(reading.plain)) and not reading.stated("term_months"):
        reading.fields["term_months"] = 12.0
        reading.stretch("term_months", *said.span())


_A_YEAR = regex(
    r"\b(?:for|over|them|it) (?:a|one|the (?:next|coming)) (?:whole |full )?year\b"
)


def _weighs_newer(reading: Reading) -> bool:
    """Whether a fleet in hand, so much used, is held against other GPUs."""
    if "rented_gpus" in reading.aside and _BUY_AT.search(reading.plain):
        return False  # one of them would be bought, the other one rented
    return len(reading.fields.get("gpu", ())) > 1 and reading.stated("utilization")


def _weighs_term(reading: Reading) -> bool:
    """Whether a reservation of given GPUs is in question, not only its price."""
    ways = set(reading.fields.get("pricing", ()))
    asks = reading.has("WHEN", "BREAKEVEN", "OK", "CANI", "COMPARE")
    asks = asks or ways == {"on_demand", "reserved"}
    bare = not reading.stated("model", "params_b", "rps", "users", "budget_amount")
    return reading.has("RESERVED") and reading.has("GPU") and asks and bare


RULES = (volumes, *people.RULES, power, buys, *machines.RULES, purchase)
_HOUSED = regex(r"(?<!no )(?<!without )\b(?:a )?colo(?:cation)?\b(?! (?:or|vs)\b)")


def spent_once(reading: Reading) -> None:
    """A budget of a purchase is for the whole of it, where no time is said."""
    if reading.wanted == "purchase" and "budget_amount" in reading.fields:
        reading.fields.setdefault("budget_period", "total")


def housed(reading: Reading) -> None:
    """ "We'd need colocation": what is bought stands somewhere, which is counted."""
    if reading.wanted in ("buy_or_rent", "purchase") and (
        found := _HOUSED.search(reading.plain)
    ):
        reading.stretch("wanted", *found.span())


LATE_RULES = (wants, spent_once, housed)

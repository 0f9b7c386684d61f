"""What a GPU-hour costs those who ask: a price of theirs, no budget."""

from bot.language.reading import Match, Reading, needs
from bot.language.rules.people import note_currency
from core.patterns import regex

_AT = regex(
    r"\s*(?:gpus?\s+)?(?:that\s+)?(?:priced|rented|renting|leased)?\s*"
    r"(?:at|@|costing|costs?|=)\s*(?:about\s+|around\s+|~\s*)?"
)
_RENTED = regex(r"\b(?:rent|renting|rental|lease|leasing)\b[a-z ]{0,20}$")
_DEAREST = 60
"""Dollars: more an hour is the price of a machine, or a budget."""
_NEAR = 40
_SUM = "<c>CUR <n>NUM"
_EACH_HOUR = "CUR <n>NUM [PER SLASH] <g>GPU [PER SLASH DASH]{0,2} <t>TIME"
""" "$3.90 per H100 hour", "$2.50/H100/h"."""
_HOURLY = "[PER SLASH] [TIME TOPIC GPUWORD]"


@needs("GPU", "NUM")
def stated_rents(reading: Reading) -> None:
    """Read "h100 at $2.20/h": what one of them costs an hour."""
    if reading.has("ALERT", "BUDGET") or "seller_prices" in reading.aside:
        return
    found: dict[str, float] = {}
    for match in reading.find(
        f"<g>GPU W{{0,2}} {_SUM} {_HOURLY}", "<g>GPU <n>NUM PER <t>TIME"
    ):
        if _is_rent(reading, match):
            found[str(reading.value(match, "g"))] = reading.value(match)
            note_currency(reading, match)
            reading.use(
                match.start("c" if "c" in match.groupdict() else "n"), match.end()
            )
    for match in () if found else reading.find(_EACH_HOUR):
        if _hourly(reading, match):
            found[str(reading.value(match, "g"))] = reading.value(match)
            note_currency(reading, match)
            reading.span("gpu_prices", *match.span())
            reading.use(*match.span())
    if not found:
        found = _rented(reading)
    if found:
        reading.aside["gpu_prices"] = tuple(found.items())


def _is_rent(reading: Reading, match: Match) -> bool:
    """Whether the sum stands right behind "at", and is one of an hour."""
    gpu = reading.item(match, "g")
    first = reading.items[match.start("c" if "c" in match.groupdict() else "n")]
    joined = _AT.fullmatch(reading.plain[gpu.end : first.start])
    return joined is not None and _hourly(reading, match)


def _hourly(reading: Reading, match: Match) -> bool:
    return _is_of_an_hour(reading, match) and 0 < reading.value(match) <= _DEAREST


def _is_of_an_hour(reading: Reading, match: Match) -> bool:
    last = reading.items[match.end() - 1]
    words = reading.plain[last.start : last.end]
    return last.value == "hour" or words.startswith(("gpu-hour", "gpu hour"))


def _rented(reading: Reading) -> dict[str, float]:
    """Read "buy 16 h100 at $27k or rent at $2.20"."""
    gpus = {str(item.value) for item in reading.all("GPU")}
    if len(gpus) != 1:
        return {}
    for match in reading.find(f"{_SUM} {_HOURLY}", f"{_SUM} (?!GRAND|PER|SLASH|TIME)"):
        start = reading.item(match, "c").start
        before = reading.plain[max(0, start - _NEAR) : start]
        small = 0 < reading.value(match) <= _DEAREST
        if small and _RENTED.search(before):
            amount = reading.value(match)
            note_currency(reading, match)
            reading.use(*match.span())
            return {gpus.pop(): amount}
    return {}


_BY_THE_HOUR = regex(
    r"\bon[ -]?demand\b|\bhourly\b|\bby the hour\b|\bmonth[ -]to[ -]month\b|\bpayg\b|"
    r"\bpay(?:ing)?[ -]as[ -](?:you|we)[ -]go\b|\b(?:with)?out (?:a )?commit|"
    r"\b(?:we|currently|now|today|keep|still)(?:'re| are)? pay|\bflexible\b|\btoday\b"
)
"""What is said of the price without a term."""
_PRICE_OF_AN_HOUR = "(?!GRAND|NUM|TOK|KWH|GB|[PER SLASH] [NUM NUMB TOK KWH GB])"
_OF_A_TERM = 45
"""Letters between a single sum and the word of a term that it is the price of."""


@needs("RESERVED", "GPU INSTANCE")
def prices_of_terms(reading: Reading) -> None:
    """Read "3-year commit at $1.90/h or $2.60 on demand": a term's price, an hour's.

    Of two the lower one is the term's: nobody weighs a commitment that costs more.
    """
    if reading.has("ALERT", "SPOT", "TRAIN") or not reading.has("RESERVED"):
        return
    if "seller_prices" in reading.aside:
        return
    if not reading.has("GPU", "INSTANCE"):
        return
    found = _sums_of_an_hour(reading)
    amounts = sorted(float(reading.value(match)) for match in found)
    if len(found) == 2 and amounts[0] < amounts[1]:
        prices = {"on_demand": amounts[1], "reserved": amounts[0]}
    elif len(found) == 1 and _is_of_a_term(reading, found[0]):
        prices = {"reserved": amounts[0]}
    else:
        return
    reading.aside["term_prices"] = tuple(prices.items())
    for match in found:
        note_currency(reading, match)
        reading.use(*match.span())
        reading.span("term_prices", *match.span())


@needs("PCT")
def use_of_terms(reading: Reading) -> None:
    """Read "at 80%", "65% of the time" beside the prices of a term."""
    if "term_prices" not in reading.aside:
        if reading.has("RESERVED") and reading.has("GPU", "INSTANCE"):
            _average_use(reading)
        return
    for match in reading.find("<n>NUM PCT"):
        off = _OFF.match(reading.plain, reading.items[match.end() - 1].end)
        stated = off or reading.stated("utilization")
        if 0 < reading.value(match) <= 100 and not stated:
            reading.take("utilization", reading.value(match) / 100, match)


_OFF = regex(r"\s*(?:off|discount|rabatt|cheaper|less|below|saving|de remise)\b")
_AVERAGE_USE = regex(
    r"\b(?:average|avg|mean) (?:use|usage|utili[sz]ation|load)(?: of| is| at|:)? "
    r"(?:about |around |~ ?)?(?P<n>\d{1,2}) ?%"
)


def _average_use(reading: Reading) -> None:
    """Read "average use 55%" of what may be reserved."""
    found = _AVERAGE_USE.search(reading.plain)
    if found and not reading.stated("utilization"):
        reading.fields["utilization"] = float(found["n"]) / 100
        reading.told("utilization", found)


def _sums_of_an_hour(reading: Reading) -> list[Match]:
    """The sums that a GPU-hour can cost, in order; bare ones beside a marked one."""
    marked = f"<c>CUR <n>NUM {_PRICE_OF_AN_HOUR}(?:{_HOURLY})?"
    behind = f"<n>NUM <c>CUR {_PRICE_OF_AN_HOUR}(?:{_HOURLY})?"
    bare = "(?<!CUR) <n>NUM [PER SLASH] [GPU TOPIC GPUWORD]"
    plain = "<n>NUM (?!PCT|TIME|CUR|GPU|GPUWORD|TIMES|PER|SLASH|NODE|COUNTER|PARAMS)"
    found: dict[int, Match] = {}
    for number, pattern in enumerate((marked, behind, bare, plain)):
        if number == 3 and len(found) != 1:
            break
        for match in reading.find(pattern):
            text = reading.item(match, "n")
            decimal = "." in reading.plain[text.start : text.end]
            timed = reading.items[match.end() - 1]
            wrong = timed.concept == "TIME" and timed.value != "hour"
            sound = 0 < reading.value(match) <= _DEAREST and not wrong
            if sound and (number < 2 or decimal):
                found.setdefault(match.start("n"), match)
    return [found[at] for at in sorted(found)]


def _is_of_a_term(reading: Reading, match: Match) -> bool:
    """Whether a sum stands near a term, and nearer than to the price without one."""
    at = reading.item(match, "n").start

    def away(start: int, end: int) -> int:
        return max(start - at, at - end, 0)

    terms = [away(one.start, one.end) for one in reading.all("RESERVED")]
    hours = [away(*one.span()) for one in _BY_THE_HOUR.finditer(reading.plain)]
    return min(terms) <= min([_OF_A_TERM, *hours])


_PAYS = regex(
    r"\b(?:pay(?:ing|s)?|paid|charg\w+|invoice\w*|bill(?:ed|s)?|costs? us|costing us|"
    r"quot\w+|offered|spend(?:ing)?|(?:fleet|cluster|setup|gpus|servers) costs?)\b"
    r"[^.;:?!$€£]{0,40}$"
)
_A_MONTH = 720.0
_PERIODS = {"day": 24.0, "week": 168.0, "month": _A_MONTH, "year": 12 * _A_MONTH}
_LAST_BILL = regex(r"\b(?:last|per|a|this|monthly) ?month\b|\bmonthly\b")
_MONTHLY_SUMS = (
    "CUR <n>NUM GRAND? [PER SLASH]{0,2} <t>TIME",
    "<n>NUM GRAND? CUR [PER SLASH]{0,2} <t>TIME",
    "CUR <n>NUM GRAND?",
)
_COUNTED_GPUS = "<k>NUM TIMES? W? <g>GPU"


@needs("GPU", "CUR")
def paid(reading: Reading) -> None:
    """Read "we pay $38k a month for 16 H100s", "the price we pay is $1.86/h"."""
    gpus = {str(item.value) for item in reading.all("GPU")}
    out = ("ALERT", "BUDGET", "API", "APINAME", "TRAIN", "FINETUNE", "BUYORRENT")
    done = {"gpu_prices", "term_prices", "seller_prices"} & reading.aside.keys()
    if deal := None if reading.has("UNDER", "CHEAP") else _deal(reading):
        gpus = {deal}
    if len(gpus) != 1 or done or reading.has(*out):
        return
    for match in reading.find(f"CUR <n>NUM {_HOURLY}", f"<n>NUM CUR {_HOURLY}"):
        if (deal or _is_paid(reading, match)) and _hourly(reading, match):
            _put_price(reading, gpus.pop(), reading.value(match), match)
            return
    counted = list(reading.find(_COUNTED_GPUS))
    if len(counted) != 1 or reading.value(counted[0], "k") < 1:
        return
    for match in reading.find(*_MONTHLY_SUMS):
        if not _is_paid(reading, match):
            continue
        hours = _period(reading, match)
        scale = 1000 if "GRAND" in reading.concepts(match) else 1
        if hours is None:
            continue
        price = reading.value(match) * scale / reading.value(counted[0], "k") / hours
        if _CHEAPEST <= price <= _DEAREST:
            _put_price(reading, gpus.pop(), round(price, 4), match)
            return


def _deal(reading: Reading) -> str | None:
    """The GPU of "sign the H200 deal", "the deal for 64 H200"; None: no deal."""
    for gpu in reading.all("GPU"):
        before = reading.plain[max(0, gpu.start - _NEAR) : gpu.start]
        if _DEAL_BEHIND.match(reading.plain, gpu.end) or _DEAL_FOR.search(before):
            return str(gpu.value)
    return None


_DEAL_BEHIND = regex(
    r"s? (?:deal|offer|quote|contract|proposal|reservation|commit\w*)\b"
)
_DEAL_FOR = regex(
    r"\b(?:deal|offer|quote|contract|proposal)s? (?:for|on|of) (?:\w+ ){0,2}$"
)


_CHEAPEST = 0.05
"""Dollars: less an hour is no GPU's price."""


def _is_paid(reading: Reading, match: Match) -> bool:
    start = reading.items[match.start()].start
    return _PAYS.search(reading.plain[max(0, start - 70) : start]) is not None


def _period(reading: Reading, match: Match) -> float | None:
    """Hours for which a sum was paid; None: that is not said."""
    if "t" in match.groupdict():
        return _PERIODS.get(str(reading.value(match, "t")))
    start = reading.items[match.start()].start
    near = reading.plain[max(0, start - 40) : start]
    return _A_MONTH if _LAST_BILL.search(near) else None


def _put_price(reading: Reading, gpu: str, price: float, match: Match) -> None:
    reading.aside["gpu_prices"] = ((gpu, price),)
    start = reading.items[match.start()].start
    first = max(0, start - 70)
    if said := _PAYS.search(reading.plain[first:start]):
        reading.stretch("gpu_prices", first + said.start(), start)
    reading.span("gpu_prices", *match.span())
    note_currency(reading, match)
    reading.use(*match.span())


@needs("GPU")
def rented_instead(reading: Reading) -> None:
    """Read "we have 16 A100 ... or rent H100s": which of the GPUs would be rented."""
    if len(reading.all("GPU")) < 2:
        return
    for index in reading.places("GPU"):
        gpu = reading.items[index]
        said = _TO_RENT.search(reading.plain, max(0, gpu.start - _NEAR), gpu.start)
        if said is not None:
            reading.aside["rented_gpus"] = (str(gpu.value),)
            reading.stretch("rented_gpus", said.start(), gpu.end)


_TO_RENT = regex(
    r"\b(?:rent|leas|hir)(?:e|es|ed|ing|al)?\s+"
    r"(?:(?:an?|the|some|\d+ ?x?|dgx|hgx)\s+){0,3}$"
)


_OFFERS = regex(
    r"\b(?:quot\w+|offer(?:s|ed|ing)?|proposal|proposes?|bids?|asks?|wants?|charges?|"
    r"deals?|came back|counter\w*|angebot|bietet|devis|propose|oferta|ofrece|offre)\b"
)
_ONE_SELLER = 60
"""Letters at most between a seller and its price."""
_MACHINE = regex(r"\b(?:nodes?|machines?|box(?:es)?|servers?|instances?|nd|8x|8-gpu)\b")
_OF_A_MACHINE = 15.0
"""Dollars: more an hour is the price of a machine of eight."""
_GPUS_OF_ONE = 8


@needs("GPU", "PROVIDER", "NUM")
def quoted(reading: Reading) -> None:
    """Read "Azure quotes $98.32/h, CoreWeave offered $49.24": each seller's price.

    What is the price of a machine is shared among its eight GPUs.
    """
    gpus = {str(item.value) for item in reading.all("GPU")}
    out = ("ALERT", "BUDGET", "TRAIN", "BUYORRENT", "APINAME", "SPOT")
    if len(gpus) != 1 or not _OFFERS.search(reading.plain) or reading.has(*out):
        return
    sums = [
        match
        for match in reading.find(
            "CUR <n>NUM (?!GRAND|PER TIME|TOK)", f"CUR <n>NUM {_HOURLY}",
            f"<n>NUM CUR {_HOURLY}",
        )
        if 0 < reading.value(match) <= _GPUS_OF_ONE * _DEAREST
    ]  # fmt: skip
    found: dict[str, tuple[float, Match]] = {}
    for match in sorted(sums, key=lambda one: one.start()):
        start = reading.items[match.start()].start
        before = [one for one in reading.all("PROVIDER") if one.start < start]
        last = before[-1] if before else None
        if last and start - last.end <= _ONE_SELLER:
            found.setdefault(str(last.value), (reading.value(match), match))
    hourly = any(_is_of_an_hour(reading, match) for match in sums)
    if len(found) < 2 or not hourly:
        return
    each = _GPUS_OF_ONE if _of_machines(reading, found) else 1
    prices = {seller: round(usd / each, 6) for seller, (usd, _) in found.items()}
    reading.aside["seller_prices"] = tuple(prices.items())
    if each > 1 and "count" not in reading.fields:
        first = min(match.start() for _, match in found.values())
        reading.put("count", each, first, first + 1)
    for _, match in found.values():
        note_currency(reading, match)
        reading.use(*match.span())
        reading.span("seller_prices", *match.span())


def _of_machines(reading: Reading, found: dict[str, tuple[float, Match]]) -> bool:
    dear = min(usd for usd, _ in found.values()) > _OF_A_MACHINE
    return dear and bool(_MACHINE.search(reading.plain) or reading.has("INSTANCE"))


RULES = (quoted, prices_of_terms, use_of_terms, stated_rents, rented_instead, paid)

"""What the money of a question is, where it is no limit: a rent, an offer, a bill."""

from collections.abc import Iterator

from msgspec import Struct

from bot.language.asked import asks
from bot.language.days import MONTH
from bot.language.grammar import compiled
from bot.language.numbers import SCALES
from bot.language.reading import Match, Reading, needs
from bot.language.rules.people import note_currency
from bot.language.states import shape
from core.patterns import regex

_DEAREST = 60
"""Dollars: more an hour is the price of a machine, or a budget."""
_CHEAPEST = 0.05
"""Dollars: less an hour is no GPU's price."""
_NEAR, _FAR = 40, 70
_HARDWARE = frozenset(("GPU", "GPUWORD"))
_SUMS = (
    "CUR <n>AMT <g>GRAND? CUR?",
    "<n>AMT <g>GRAND? CUR",
    "[SPEND BILL] W{0,2} <n>NUM (?=PER TIME|W? TIME|[IN W]{0,2} DUR NUM? TIMES? GPU)",
    "(?<!CUR) <n>NUM (?=[PER SLASH] TIME [DUR ON]? [A NUM]? GPU|[PER SLASH] TOPIC)",
    "GPU <n>NUM (?=PER TIME)",
)
_UNIT = compiled(
    "(?:[PER SLASH EACHTOK TIME]"
    " [PER SLASH DASH EACHTOK USER GPU GPUWORD TOPIC TIME]{0,5})?"
)
_APART = regex(r"[,;.?!]")
_MONTHS = {"day": 30.0, "week": 52 / 12, "month": 1.0, "year": 1 / 12}
_A_MONTH = 720.0


class Sum(Struct, frozen=True):
    """A sum of money, with the time and the thing that it is paid for."""

    match: Match
    amount: float
    start: int
    """Of the plain text, as is the end of its unit."""
    end: int
    period: str
    """ "hour" … "year"; empty: none is said."""
    each: bool
    """For one seat or one GPU."""
    of_gpu: bool
    gpu: str
    """The GPU that its unit names: "$3.90 per H100 hour"; empty: none."""
    before: str
    """The text right before it."""

    @property
    def hourly(self) -> bool:
        """Whether it can be the price of a GPU-hour, or of one not said to be."""
        return self.period in ("hour", "") and 0 < self.amount <= _DEAREST


def _sums(reading: Reading) -> Iterator[Sum]:
    """Every sum that is still unread and is called no limit, in order."""
    found: dict[int, Match] = {}
    for match in reading.find(*_SUMS):
        found.setdefault(match.start("n"), match)
    for at, match in sorted(found.items()):
        unit = _UNIT.match(reading.line, match.end())
        end = next(
            (
                index
                for index in range(match.end(), unit.end() if unit else 0)
                if _APART.search(reading.between(index))
            ),
            unit.end() if unit else match.end(),
        )
        near = {reading.concept_at(i) for i in range(max(0, match.start() - 3), at)}
        near |= {reading.concept_at(end), reading.concept_at(end + 1)}
        led = reading.concept_at(match.start()) == "CUR"
        first = reading.items[match.start() if led else at]
        items = reading.items[match.end() : end]
        per = items and items[-1].concept in ("PER", "SLASH")
        other = reading.concept_at(end) in _OTHER_UNITS[not per]
        behind = {reading.concept_at(end + 1), reading.concept_at(end + 2)}
        if items and items[-1].concept in ("EACHTOK", "PER") and behind & _HARDWARE:
            other = False  # "per hour for each of 16 h100", "an hour per 8xH100 node"
        if other or near & {"BUDGET", "UNDER"}:
            continue
        bare = "CUR" not in reading.concepts(match) | near
        text = reading.plain[first.start : reading.items[at].end]
        times = [str(one.value) for one in items if one.concept == "TIME"]
        if any(one.concept == "TOPIC" for one in items):
            times = ["hour"]  # "per GPU-hour"
        if bare and times == ["hour"] and "." not in text:
            continue
        scale = 1000 if "GRAND" in reading.concepts(match) else 1
        named = [str(one.value) for one in items if one.concept == "GPU"]
        yield Sum(
            match,
            float(reading.value(match)) * scale,
            first.start,
            (items or reading.items[at : match.end()])[-1].end,
            times[-1] if times else "",
            any(one.concept in ("EACHTOK", "USER", *_HARDWARE) for one in items),
            any(one.concept in _HARDWARE for one in items),
            named[0] if named else "",
            reading.plain[max(0, first.start - _FAR) : first.start],
        )


_OTHER_UNITS = ({"NUM", "NUMB", "TOK", "KWH", "GB"}, {"TOK", "KWH", "GB"})


def _take(reading: Reading, one: Sum, field: str) -> None:
    """Note where a sum was read from, with the words that say what it is."""
    note_currency(reading, one.match)
    said = _PAYS.search(one.before)
    reading.stretch(field, one.start - (len(said[0]) if said else 0), one.end)
    for index, item in enumerate(reading.items):
        if one.start <= item.start < one.end and item.concept != "GPU":
            reading.use(index, index + 1)


_LEASED = regex(r"\b(?:leas(?:es?|ed|ing|en)|leasing\w*|arrendamiento|credit-bail)\b")
_LEAST_BILL = 100.0
"""A month: less is the price of an hour, of a seat, or of power."""


@needs("GPU INSTANCE", "TIME", "CUR")
def leased(reading: Reading) -> None:
    """Read "Dell leases us 8 H100 for $8k a month": what a lease of machines costs."""
    said = _LEASED.search(reading.plain)
    if said is None or reading.has("ALERT", "BUDGET", "TRAIN"):
        return
    for one in _sums(reading):
        if one.period in ("month", "year") and one.amount >= _LEAST_BILL:
            counted = reading.first(_COUNTED_GPUS) if one.each else None
            times = float(reading.value(counted, "k")) if counted else 1.0
            reading.beside["lease_usd"] = one.amount * times * _MONTHS[one.period]
            _take(reading, one, "lease_usd")
            reading.stretch("lease_usd", *said.span())
            return


_COUNTED_GPUS = "<k>NUM TIMES? W? <g>GPU"
_AT = regex(
    r"\s*(?:gpus?\s+)?(?:that\s+)?(?:priced|rented|renting|leased)?\s*"
    r"(?:at|@|costing|costs?|=)\s*(?:about\s+|around\s+|~\s*)?"
)
_RENTED = regex(r"\b(?:rent|renting|rental|lease|leasing)\b[a-z ]{0,20}$")


@needs("GPU", "NUM")
def stated_rents(reading: Reading) -> None:
    """Read "h100 at $2.20/h", "rent at $2.20": what one of them costs an hour."""
    if reading.has("ALERT", "BUDGET") or "seller_prices" in reading.aside:
        return
    rents = [one for one in _sums(reading) if one.hourly]
    hourly = [one for one in rents if one.period]
    gpus = reading.all("GPU")
    found: dict[str, Sum] = {}
    for one in hourly:
        ahead = [gpu for gpu in gpus if gpu.end <= one.start][-1:]
        if ahead and _AT.fullmatch(reading.plain, ahead[0].end, one.start):
            found[str(ahead[0].value)] = one
    found = found or {one.gpu: one for one in hourly if one.gpu}
    if not found and len({str(gpu.value) for gpu in gpus}) == 1:
        said = (one for one in rents if _RENTED.search(one.before))
        found = {str(gpus[0].value): one for one in [*said][:1]}
    for one in found.values():
        _take(reading, one, "gpu_prices")
    if found:
        prices = ((gpu, one.amount) for gpu, one in found.items())
        reading.aside["gpu_prices"] = tuple(prices)


_BY_THE_HOUR = shape("sums_by_the_hour")
"""What is said of the price without a term."""
_OF_A_TERM = 45
"""Letters between a single sum and the word of a term that it is the price of."""


@needs("GPU", "NUM")
def bound(reading: Reading) -> None:
    """Read "2.90 an hour on a contract from 2024, too much?": paid, not offered.

    The term is one that binds already, and no way of paying to choose.
    """
    hourly = [one for one in _sums(reading) if one.hourly]
    told = _CONTRACT.search(reading.plain)
    if len(hourly) != 1 or not asks(reading.plain, "fair_price"):
        return
    if not told and not (reading.has("RESERVED") and _PAID.search(hourly[0].before)):
        return
    if told:
        reading.stretch("bound", *told.span())
        reading.use_words(told)
    reading.aside["bound"] = True
    for index in reading.places("RESERVED"):
        reading.span("bound", index, index + 1)
        reading.become(index, "W", "")
    reading.seen -= {"RESERVED"}


_CONTRACT = shape("sums_contract")
_PAID = regex(r"\b(?:pay(?:s|ing)?|paid|charged|billed)\b[^.;:?!$€£]{0,40}$")


@needs("RESERVED", "GPU INSTANCE")
def prices_of_terms(reading: Reading) -> None:
    """Read "3-year commit at $1.90/h or $2.60 on demand": a term's price, an hour's.

    Of two the lower one is the term's: nobody weighs a commitment that costs more.
    """
    if reading.has("ALERT", "SPOT", "TRAIN") or not reading.has("RESERVED"):
        return
    if "seller_prices" in reading.aside or not reading.has("GPU", "INSTANCE"):
        return
    found = [one for one in _sums(reading) if one.hourly]
    if len(found) == 1:
        found = sorted((*found, *_bare(reading)), key=lambda one: one.start)
    amounts = sorted(one.amount for one in found)
    if len(found) == 2 and amounts[0] < amounts[1]:
        prices = {"on_demand": amounts[1], "reserved": amounts[0]}
    elif len(found) == 1 and _is_of_a_term(reading, found[0].start):
        prices = {"reserved": amounts[0]}
    else:
        return
    reading.aside["term_prices"] = tuple(prices.items())
    for one in found:
        _take(reading, one, "term_prices")


def _bare(reading: Reading) -> Iterator[Sum]:
    """Prices of no currency beside one that has its own: "$1.90 or 2.60"."""
    for match in reading.find(
        "(?<!CUR) <n>NUM (?!PCT|TIME|CUR|GPU|GPUWORD|TIMES|PER|SLASH|NODE|COUNTER)"
    ):
        item = reading.item(match, "n")
        decimal = "." in reading.plain[item.start : item.end]
        if decimal and 0 < reading.value(match) <= _DEAREST:
            amount = float(reading.value(match))
            yield Sum(match, amount, item.start, item.end, "", False, False, "", "")


@needs("PCT")
def use_of_terms(reading: Reading) -> None:
    """Read "at 80%", "65% of the time" beside the prices of a term."""
    if "term_prices" not in reading.aside:
        if reading.has("RESERVED") and reading.has("GPU", "INSTANCE"):
            _average_use(reading)
        return
    for match in reading.find("<n>NUM PCT"):
        off = _OFF.match(reading.plain, reading.items[match.end() - 1].end)
        moves = reading.concept_at(match.start() - 1) in ("DROPV", "RISEV")
        stated = off or moves or reading.stated("utilization")
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
        reading.stretch("utilization", *found.span())
        reading.use_words(found)


def _is_of_a_term(reading: Reading, at: int) -> bool:
    """Whether a sum stands near a term, and nearer than to the price without one."""

    def away(start: int, end: int) -> int:
        return max(start - at, at - end, 0)

    terms = [away(one.start, one.end) for one in reading.all("RESERVED")]
    hours = [away(*one.span()) for one in _BY_THE_HOUR.finditer(reading.plain)]
    return min(terms) <= min([_OF_A_TERM, *hours])


_PAYS = shape("sums_pays")
_SENTENCE = regex(r"[.;!?\n](?=\s)")
_LAST_BILL = regex(
    rf"\b(?:last|per|a|this|monthly) ?month\b|\bmonthly\b|{MONTH.pattern}"
)


@needs("CUR SPEND GPU")
def paid(reading: Reading) -> None:
    """Decide what the sums are that nobody may spend anew.

    "We pay $1.86/h" and "is $3.10/h too much for an A100?" are prices of a GPU-hour, as
    is "$38k a month for 16 H100s"; "40 seats at $19" and "AWS charged us $18,640" are
    what is paid today.
    """
    out = ("ALERT", "TRAIN", "FINETUNE", "BUYORRENT")
    done = {"gpu_prices", "term_prices", "seller_prices"} & reading.aside.keys()
    if done or reading.has(*out) or reading.beside:
        return
    found = list(_sums(reading))
    if _seats(reading, found) or _rent(reading, found) or _bill(reading, found):
        for said in _HELD_AGAINST.finditer(reading.plain):
            reading.stretch("paid_a_month", *said.span())


_HELD_AGAINST = regex(
    r"\b(?:and )?what (?:would|should) [^.;?!,]{1,40}\b(?:have (?:been|cost)|be|cost)\b"
)
""" "What should it be?": asks for what every such answer tells."""


_SUBSCRIBED = shape("sums_subscribed")
_ON_TOP = regex(
    r"\b(?:plus|overages?|on top|extra|zzgl|zuzuglich|en plus|mas|piu)\b[^.;?!]{0,30}$"
)
_DEAREST_SEAT = 1000
_SEATS = "<k>NUM [W DATA DOC IMAGE]{0,2} USER"


def _seats(reading: Reading, found: list[Sum]) -> bool:
    """Read "40 people on Cursor at $40 plus $3,100 of overage": seats, and the rest."""
    counts = {float(reading.value(m, "k")) for m in reading.find(_SEATS)}
    if len(counts) != 1 or not (seats := counts.pop()) > 1:
        return False
    for one in found:
        each = (one.each and not one.of_gpu) or _SUBSCRIBED.search(one.before)
        if not each or one.amount > _DEAREST_SEAT or one.period in ("hour", "day"):
            continue
        rest = [two for two in found if two is not one and _ON_TOP.search(two.before)]
        price = one.amount * _MONTHS[one.period or "month"]
        more = sum(two.amount * _MONTHS[two.period or "month"] for two in rest)
        reading.aside["paid_seats"] = (seats, price)
        reading.aside["paid_a_month"] = seats * price + more
        for each_one in (one, *rest):
            _take(reading, each_one, "paid_a_month")
        return True
    return False


def _rent(reading: Reading, found: list[Sum]) -> bool:
    """Read what an hour of one GPU costs, or so many of them a month."""
    gpus = {str(item.value) for item in reading.all("GPU")}
    deal = None if reading.has("UNDER", "CHEAP") else _deal(reading)
    gpus = {deal} if deal else gpus
    if len(gpus) != 1 or reading.has("BUDGET", "API", "APINAME"):
        return False
    counted = list(reading.find(_COUNTED_GPUS))
    for one in found:
        told, price = bool(_PAYS.search(one.before)), one.amount
        told = told or asks(reading.plain, "fair_price")
        if one.period == "hour":
            told = told or bool(deal)
        else:
            hours = _hours(reading, one)
            if hours is None or len(counted) != 1:
                continue
            many = max(reading.value(counted[0], "k"), 1)
            if not (one.each or _OF_ONE.search(reading.plain, one.start, one.end + 25)):
                reading.note("~of_all", price / hours, 0, 1)
            price = round(price / many / hours, 4)
        whole = one.period == "hour" and _of_a_machine(reading, price)
        if told and _CHEAPEST <= price <= _DEAREST * (_GPUS_OF_ONE if whole else 1):
            if month := None if one.period else MONTH.search(_sentence(reading, one)):
                reading.aside["hours_per_month"] = _hours_of(month[0])
            reading.aside["gpu_prices"] = ((gpus.pop(), price),)
            _take(reading, one, "gpu_prices")
            for said in _MACHINE.finditer(reading.plain) if whole else ():
                reading.use_words(said)
            return True
    return False


_OF_ONE = regex(r"(?:/|\b(?:per|each|an?|every)\b) ?(?:node|server|machine|box|host)\b")


def of_all(reading: Reading) -> None:
    """Share a sum among the GPUs of all machines that it pays for, one of its machine.

    "$48,300 for 2 8xH100 nodes" is paid for 16, "$26 an hour per 8xH100 node" for 8.
    """
    prices, count = reading.aside.get("gpu_prices", ()), reading.fields.get("count")
    if len(prices) != 1:
        return
    (gpu, price), sums = prices[0], reading.notes.get("~of_all", ())
    counted = list(compiled(_COUNTED_GPUS).finditer(reading.whole))
    if sums and count:
        price = sums[-1].value / count
    elif _of_a_machine(reading, price) and len(counted) < 2:
        usual = 4 if gpu.startswith("gb") else _GPUS_OF_ONE
        usual = min(count or usual, usual) if reading.has("INSTANCE") else usual
        many = reading.value(counted[0], "k") if counted else 1
        each = many if many > 1 else usual
        if many > 1 and count == many * usual:  # of machines: "$40/h for 2 h100 nodes"
            first = reading.item(counted[0], "k").start
            each = count if reading.plain[:first].endswith("for ") else usual
        price /= each
        if count in (None, 1):
            reading.fields["count"] = each
    reading.aside["gpu_prices"] = ((gpu, round(price, 4)),)


def _of_a_machine(reading: Reading, price: float) -> bool:
    """Whether an hour's price is a whole machine's, that is named."""
    named = reading.has("NODE", "INSTANCE") or _MACHINE.search(reading.plain)
    return price > _OF_A_MACHINE and bool(named)


def _hours(reading: Reading, one: Sum) -> float | None:
    """Hours for which a sum was paid; None: that is not said."""
    if one.period:
        return _A_MONTH / _MONTHS[one.period] if one.period in _MONTHS else None
    said = _sentence(reading, one)
    if (month := MONTH.search(said)) and reading.has("GPU"):
        return _hours_of(month[0])
    return _A_MONTH if _LAST_BILL.search(said) else None


def _sentence(reading: Reading, one: Sum) -> str:
    """The sentence in which a sum stands."""
    ends = [0, *(cut.end() for cut in _SENTENCE.finditer(reading.plain))]
    first = max(end for end in ends if end <= one.start)
    last = _SENTENCE.search(reading.plain, one.end)
    return reading.plain[first : last.start() if last else len(reading.plain)]


_FEBRUARY = regex(r"feb|fev|lut|subat|2(?:月|월)|феврал")
_OF_THIRTY = regex(
    r"ap|av|abr|kwi|nis|jun|juin|giu|cze|haz|sep|set|wrz|eyl|nov|lis|kas|(?:[469]|11)(?:月|월)|"
    r"апрел|июн|сентябр|ноябр"
)


def _hours_of(month: str) -> float:
    """Hours of a month that is named; February is taken as that of most years."""
    short = 28 if _FEBRUARY.match(month) else 30
    return 24.0 * (short if _FEBRUARY.match(month) or _OF_THIRTY.match(month) else 31)


def _bill(reading: Reading, found: list[Sum]) -> bool:
    """Read what is paid a month for what is to be judged or replaced; no API's bill."""
    if reading.has("API", "APINAME", "BUDGET") or not reading.has(*_SERVED):
        return False
    for one in found:
        told = _PAYS.search(one.before)
        hours = _hours(reading, one)
        if told and hours and one.amount >= _LEAST_BILL:
            part = hours if one.period else _A_MONTH  # the sum is that of a month
            reading.aside["paid_a_month"] = one.amount * _A_MONTH / part
            _take(reading, one, "paid_a_month")
            return True
    return False


_SERVED = ("GPU", "INSTANCE", "MODELNAME", "NUMB")


_SIDE = (
    r"(?P<{0}>cached?(?: (?:reads?|input|hits?|tokens?))?|input|in|prompts?|output|"
    r"out|completions?|eingabe|ausgabe|entree|sortie|entrada|salida)"
)
_PARTS = shape("sums_parts")


_OWN_INSTEAD = regex(
    r"\b(?:open|own)(?:[- ](?:source|weights?))* (?:model|llm|one)\b|\bself[- ]?host\w*"
)


@needs("APINAME", "NUM NUMB CACHE")
def parts_of_a_bill(reading: Reading) -> None:
    """Read "input 4.9B tokens, output 310M, cache reads 12B, total $22,953" of a month.

    What the cache gives is beside the input, as every API's invoice lists it.
    """
    sides: dict[str, float] = {}
    found = list(_PARTS.finditer(reading.plain))
    for said in found:
        name, text = (said["a"] or said["b"])[:2], said["n"] or said["m"]
        side = {"ca": "cached", "ou": "out", "co": "out", "au": "out"}.get(name, "in")
        side = {"so": "out", "sa": "out"}.get(name, side)
        amount = float(text.rstrip(".,").replace(",", ""))
        sides.setdefault(side, amount * SCALES[(said["u"] or said["v"])[0]])
    if not {"in", "out"} <= sides.keys() or not _LAST_BILL.search(reading.plain):
        return
    inside = [(said.start(), said.end()) for said in found]
    named = (
        item
        for item in reading.all("MODELNAME")
        if not any(start <= item.start < end for start, end in inside)
    )
    read = sides["in"] + sides.get("cached", 0)
    shares = {
        "tokens_per_month": read + sides["out"],
        "input_share": read / (read + sides["out"]),
    }
    if "cached" in sides:
        shares["cache_hit_rate"] = sides["cached"] / read
    for index, item in enumerate(reading.items):
        if any(said.start() <= item.start < said.end() for said in found):
            reading.become(index, "W", "")
            reading.use(index, index + 1)
    reading.unknown = [one for one in reading.unknown if one[0] != "model"]
    for field, value in shares.items():
        reading.put(field, value, 0, 1)
        reading.spans[field] = [said.span() for said in found]
    own = _OWN_INSTEAD.search(reading.plain) or any(True for _ in named)
    if reading.has("GPU", "GPUWORD", "SELFHOST") or own:
        return  # own GPUs are weighed against it
    reading.wanted = "api_bill"
    for one in _sums(reading):
        if one.amount >= _LEAST_BILL:
            reading.aside["paid_a_month"] = one.amount
            _take(reading, one, "paid_a_month")
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


@needs("GPU INSTANCE", "PROVIDER", "NUM")
def quoted(reading: Reading) -> None:
    """Read "Azure quotes $98.32/h, CoreWeave offered $49.24": each seller's offer.

    What is the price of a machine is shared among its eight GPUs. An offer may be a
    share off the list price: "56% off for 3 years".
    """
    gpus = {str(item.value) for item in reading.all("GPU")}
    out = ("ALERT", "BUDGET", "TRAIN", "BUYORRENT", "APINAME", "SPOT")
    if len(gpus) > 1 or not _OFFERS.search(reading.plain) or reading.has(*out):
        return
    dearest = _GPUS_OF_ONE * _DEAREST
    sums = [
        one
        for one in _sums(reading)
        if one.period in ("hour", "") and 0 < one.amount <= dearest
    ]
    offs = [
        match
        for match in reading.find("<n>NUM PCT")
        if _OFF.match(reading.plain, reading.items[match.end() - 1].end)
    ]
    found: dict[str, Sum] = {}
    for one in sums:
        if seller := _seller_of(reading, one.start):
            found.setdefault(seller, one)
    less = {
        seller: match
        for match in offs
        if (seller := _seller_of(reading, reading.item(match, "n").start))
        and seller not in found
    }
    if not less and (len(found) < 2 or all(one.period != "hour" for one in sums)):
        return
    if found:
        _put_prices(reading, found)
    if less:
        shares = ((one, reading.value(match) / 100) for one, match in less.items())
        reading.aside["seller_discounts"] = tuple(shares)
        for match in less.values():
            reading.use(*match.span())
            reading.span("seller_discounts", *match.span())
    _put_terms(reading, {*found, *less})


def _put_prices(reading: Reading, found: dict[str, Sum]) -> None:
    least = min(one.amount for one in found.values())
    each = _GPUS_OF_ONE if _of_a_machine(reading, least) else 1
    prices = ((seller, round(one.amount / each, 6)) for seller, one in found.items())
    reading.aside["seller_prices"] = tuple(prices)
    if each > 1 and "count" not in reading.fields:
        first = min(one.match.start() for one in found.values())
        reading.put("count", each, first, first + 1)
    for one in found.values():
        _take(reading, one, "seller_prices")


def _put_terms(reading: Reading, sellers: set[str]) -> None:
    """Read how long each offer binds, where they differ."""
    found: dict[str, tuple[float, Match]] = {}
    for match in reading.find("<n>NUM DASH? <t>TIME"):
        months = 12 if reading.value(match, "t") == "year" else 1
        seller = _seller_of(reading, reading.item(match, "n").start)
        if seller in sellers and reading.value(match, "t") in ("month", "year"):
            found.setdefault(seller, (reading.value(match) * months, match))
    alike = len({months for months, _ in found.values()}) < 2
    if not found or (alike and "seller_discounts" not in reading.aside):
        return
    terms = ((seller, months) for seller, (months, _) in found.items())
    reading.aside["seller_terms"] = tuple(terms)
    for _, match in found.values():
        reading.use(*match.span())
        reading.span("seller_terms", *match.span())


def _seller_of(reading: Reading, start: int) -> str | None:
    """The seller who is named last before a sum, in reach of it."""
    before = [one for one in reading.all("PROVIDER") if one.start < start]
    near = before and start - before[-1].end <= _ONE_SELLER
    return str(before[-1].value) if near else None


EARLY_RULES = (parts_of_a_bill, leased)
RULES = (
    bound,
    quoted,
    prices_of_terms,
    use_of_terms,
    stated_rents,
    rented_instead,
    paid,
)
LATE_RULES = (of_all,)

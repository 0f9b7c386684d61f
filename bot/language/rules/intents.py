"""What is wanted: the kind of answer, chosen by the first question that says yes."""

from itertools import pairwise

from bot.language.grammar import compiled
from bot.language.reading import Reading
from bot.language.rules.passing import both_stated
from bot.language.rules.scope import is_help, is_out_of_scope
from bot.language.rules.spot import weighs_spot
from bot.language.states import shape
from bot.language.subject import (
    DATA,
    PILES,
    demanded,
    distinct,
    given,
    learns,
    loaded,
    named,
    then_served,
)
from core.patterns import regex

_WATCHED = ("alert", "gpu", "provider", "provider_exclude", "pricing", "region")
"""What may say which alerts are to be listed, muted or removed."""
_ONLY_PRICE = frozenset(("PRICE", "CHEAP", "W", "NOT", "ALL", "EQ", "SLASH"))
_FIGURES = (
    "PRICE COST CHEAP HOWMUCH NUM HOWMANY NEED OK BUDGET COMPARE CAPACITY BILL "
    "BREAKEVEN UNDER IDLE RUN SPEND"
).split()
"""Words that ask for a figure, whatever "what is" stands before them."""


def intent(reading: Reading) -> None:
    """Choose the intent; some state nothing beside themselves."""
    told = reading.aims.get("intent")
    name = told or next(name for name, holds in INTENTS if holds(reading))
    if name == "price" and "asked_unit" in reading.aside and reading.has("MODELNAME"):
        name = "cost"  # "price per image with sdxl on h100"
    keeps: tuple[str, ...] | None = None
    if name in ("help", "out_of_scope") and not reading.threaded:
        keeps = ()
        reading.doubts.clear()
    elif name == "alert" and reading.fields["alert"]["action"] != "create":
        keeps = _WATCHED
    if keeps is not None:
        for field in reading.fields.keys() - set(keeps):
            del reading.fields[field]
            reading.spans.pop(field, None)
    reading.fields["intent"] = name


def is_alert(reading: Reading) -> bool:
    """An alert was asked for, or is to stop."""
    return "alert" in reading.fields


def is_explain(reading: Reading) -> bool:
    """A question about an idea or a figure, not about a workload."""
    if loaded(reading) or reading.stated(*DATA, "api_spend_amount"):
        return False
    if (
        reading.has("WHY") and reading.has("FIT") and given(reading) and named(reading)
    ) or reading.first("PER TOPIC"):
        return False
    if reading.has("WHY") or _weighs_commitments(reading):
        return True
    if reading.has("GPU") and _NOW.search(reading.plain):
        return False
    strong = any(item.value == "strong" for item in reading.all("EXPLAIN"))
    if strong and not reading.has("HOWMUCH", "CHEAP", "BUDGET", "CUR"):
        return not named(reading) or not reading.has("GPU")
    priced = reading.has("GPU", "INSTANCE") and reading.has("TIME")
    asks = reading.has(*_FIGURES) or priced
    return reading.has("EXPLAIN") and not named(reading) and not asks


_NOW = regex(
    r"\bwhat(?:'s| is|s)\s[^.;?]{1,30}\b"
    r"(?:now|today|these days|currently|at the moment)\b"
)
""" "What's an h100 now?": its price is asked for."""


def _weighs_commitments(reading: Reading) -> bool:
    """Whether to reserve, or to take spot, at all: no hardware, no model, no money."""
    about = (
        "GPU",
        "GPUWORD",
        "INSTANCE",
        "PROVIDER",
        "CUR",
        "HOWMUCH",
        "PRICE",
        "CHEAP",
    )
    if named(reading) or reading.has(*about):
        return False
    weighed = len(reading.all("PRICING")) + len(reading.all("RESERVED"))
    return weighed > 1 or (weighed > 0 and reading.has("WHEN", "OK", "CANI", "EXPLAIN"))


def is_lifecycle(reading: Reading) -> bool:
    """Train and then serve."""
    if "trained_for" in reading.life and (demanded(reading) or both_stated(reading)):
        return True
    if not (learns(reading) and demanded(reading)):
        return False
    again = reading.stated("cadence") and reading.stated("rps", "peak_rps")
    return then_served(reading) or reading.has("SERVE", "LIFE") or again


def is_breakeven(reading: Reading) -> bool:
    """Own GPUs or a hosted API."""
    if "api_spend_amount" in reading.fields or "api_usd_per_million" in reading.aside:
        return True
    hosted, own = (
        reading.has("API", "APINAME"),
        reading.has("SELFHOST", "GPU", "GPUWORD"),
    )
    if reading.has("BREAKEVEN") and "part_reserved" in reading.aside and not hosted:
        return False  # "ab wann lohnt sich eine Reservierung"
    if reading.has("BREAKEVEN"):
        return (
            hosted
            or reading.has("SELFHOST")
            or not distinct(reading, "GPU", "INSTANCE")
        )
    if reading.has("APINAME") and (named(reading) or own):
        return not _closed_weights(reading)
    weighs = reading.has("OR", "VS", "COMPARE", "CHEAP", "THAN")
    weighs = weighs or _BEYOND_AN_API.search(reading.plain) is not None
    return hosted and weighs and (own or named(reading))


_BEYOND_AN_API = regex(
    r"\b(?:premium|extra|surcharge|difference|instead of|on top of)\b"
    r"[^.;!?]{0,40}\bapis?\b"
)


def _closed_weights(reading: Reading) -> bool:
    """Whether the only model named is one that nobody can host."""
    weighs = reading.has("OR", "VS", "THAN", "SPEND", "COST")
    weighs = weighs or any(
        reading.word(i) != "instead" for i in reading.places("COMPARE")
    )
    put = reading.has("SELFHOST", "SERVE", "RUN")
    return not named(reading) and put and not weighs


def _asks_to_host(reading: Reading) -> bool:
    """Whether "can we run gpt-4o on our own servers" is asked."""
    asks = reading.has("APINAME") and reading.has("CANI", "FIT")
    return asks and _closed_weights(reading) and not demanded(reading)


def is_idle(reading: Reading) -> bool:
    """What unused hours cost."""
    if learns(reading) or reading.wanted == "usd_per_million":
        return False
    if reading.has("RESERVED") and reading.has("PRICING") and reading.has("OR", "VS"):
        return False  # "reserved or on demand, if we run them 55% of the time?"
    if "utilization" in reading.fields and given(reading):
        asks = (
            "COMPARE", "VS", "COST", "PRICE", "HOWMUCH", "HOWMANY", "BILL", "FIT", "OK",
            "NEED", "CAPACITY",
        )  # fmt: skip
        weighs = reading.has("VS") or distinct(reading, "GPU") > 1
        if not reading.has(*asks) and not demanded(reading) and not weighs:
            return True
        if _SAVES.search(reading.plain) and not (named(reading) or demanded(reading)):
            return True
    hardware = reading.has("GPU", "GPUWORD", "INSTANCE", "UTIL", "NODE")
    if named(reading) and reading.has("FIT", "CAPACITY", "HOWMANY", "OK"):
        return False  # "24 mi250 sitting there: is kimi k2 possible on those?"
    return reading.has("IDLE") and hardware and not reading.has("NOT")


_SAVES = regex(
    r"\b(?:sav(?:e|es|ing|ings)|spar\w+|economis\w+|ahorr\w+|risparmi\w+|bespar\w+|"
    r"oszczedz\w+|tasarruf)\b"
)


def is_fit(reading: Reading) -> bool:
    """Whether a model, or its training, goes into given memory."""
    if not given(reading) and not reading.has("GPUWORD", "GB"):
        return False
    if _asks_to_host(reading):
        return True
    if reading.has("SLICE") and named(reading):
        return True
    if distinct(reading, "GPU", "INSTANCE") > 1 or _asks_how_much(reading):
        return False
    if learns(reading):
        asks = reading.has("FIT", "CANI", "OK") and not reading.stated(*DATA)
        asks = asks or (reading.has("FIT") and "deadline_hours" not in reading.fields)
        return asks and not reading.has("HOWMUCH", "COST")
    return named(reading) and _asks_whether(reading)


def _changes_format(reading: Reading) -> bool:
    """Whether one precision is to be given up for another: "from fp8 to fp4"."""
    formats = reading.places("PREC")
    changed = any(
        _TO.fullmatch(reading.plain, reading.items[a].end, reading.items[b].start)
        for a, b in pairwise(formats)
        if reading.items[a].value != reading.items[b].value
    )
    return changed and given(reading) and named(reading) and not learns(reading)


_TO = regex(r"\s?(?:to|auf|zu|vers|a|naar|na|->|→)\s?(?:the |an? )?")
_FITS = regex(r"\bfits?\b")


def _asks_whether(reading: Reading) -> bool:
    """Whether the question about a model on a GPU wants a yes or a no."""
    if _FITS.search(reading.plain) and reading.stated("context"):
        return not reading.stated("rps", "requests_per_day")
    if reading.has("FIT"):
        return not reading.stated("rps", "users", "requests_per_day") and not (
            _tells_where(reading)
        )
    if demanded(reading):
        return False
    if reading.has("OK") or (
        reading.has("CANI") and not reading.has("COMPARE", "COST", "BILL", "HOWMUCH")
    ):
        return True
    counted = "count" in reading.fields or reading.first("A GPU") is not None
    return counted and _only_hardware(reading)


def _tells_where(reading: Reading) -> bool:
    """ "It runs on 2 h100. What is that a month?": no question whether it fits."""
    told = all(reading.word(i).startswith("run") for i in reading.places("FIT"))
    billed = {item.value for item in reading.all("TIME")} & {"month", "year"}
    return told and bool(billed) and not reading.has("OK", "CANI")


def _only_hardware(reading: Reading) -> bool:
    """Whether a model and counted GPUs are named, and nothing is asked of them."""
    asks = (
        "COST", "HOWMUCH", "PRICE", "BILL", "NEED", "COMPARE", "VS", "IDLE", "PROVIDER",
        "PRICING", "RESERVED", "UTIL", "HOURS", "TIME", "PER", "CHEAP", "SELFHOST",
    )  # fmt: skip
    return not (reading.has(*asks) or loaded(reading) or reading.stated(*PILES))


def _asks_how_much(reading: Reading) -> bool:
    """Whether a number is asked for, not a yes or no."""
    if reading.has("HOWMANY", "HOWLONG", "CAPACITY") or _HOLDS.search(reading.plain):
        return True
    return reading.first("UNDER [CTX BATCH USER REQ CONC TOK] (?!EQ|NUM)") is not None


_HOLDS = regex(
    r"\b(?:what|which|how (?:much|many|high))\b[^.?!\n]{0,30}"
    r"\b(?:rate|rps|qps|load|traffic|throughput|concurrency|requests|users)\b"
    r"[^.?!\n]{0,40}\b(?:holds?|sustains?|is sustainable)\b"
)
""" "What request rate holds on 2 H200": a load that they bear, no memory."""


def is_run_cost(reading: Reading) -> bool:
    """What one run of training, fine-tuning or an offline job takes."""
    if learns(reading):
        return not reading.has("MIXED") and not _weighs_gpus(reading)
    piled = reading.stated(*PILES) or "words_total" in reading.aside
    daily = reading.stated("rps", "requests_per_day") or _sizes_sound(reading)
    return piled and not daily


def _sizes_sound(reading: Reading) -> bool:
    """Whether GPUs are asked for, or weighed, for sound that comes every day."""
    asks = reading.has("HOWMANY", "GPUWORD") or _weighs_gpus(reading)
    daily = reading.stated("audio_hours") and _SOUND_A_DAY.search(reading.whole)
    return asks and bool(daily)


_SOUND_A_DAY = compiled("TIME [W MODELNAME REQ DOC AUDIO IMAGE VIDEO]{0,4} PER TIME")
""" "900 hours of recordings a day": a stream of sound that comes every day."""


def _weighs_gpus(reading: Reading) -> bool:
    """Whether GPUs are held against each other for a run of no stated size."""
    if distinct(reading, "GPU") < 2 or reading.stated(*DATA, "budget_amount"):
        return False
    return reading.has("VS", "OR", "COMPARE", "THAN", "CHEAP")


_DIFFERENCE = regex(
    r"\b(?:difference|gap|unterschied|differenz|ecart|diferencia|"
    r"differenza)\b|\bhow much (?:cheaper|less|more)\b"
)


_OR_SERVERLESS = regex(
    r"\bserverless (?:or|vs|versus|oder|ou|o) (?:\w+ )?(?:dedicated|always[- ]on)\b|"
    r"\b(?:dedicated|always[- ]on)\b[^.?!]{0,30} (?:or|vs|oder|ou) \w{0,3} ?serverless"
)


def is_compare(reading: Reading) -> bool:
    """One thing against another."""
    if _changes_format(reading) and not reading.has("HOWLONG"):
        return True
    formats = distinct(reading, "PREC") + distinct(reading, "QUANT")
    choices = distinct(reading, "GPU", "PROVIDER", "INSTANCE", "MODELNAME")
    apart = formats > 1 and _DIFFERENCE.search(reading.plain) is not None
    if apart or (formats > 1 and reading.has("OR", "VS", "THAN", "COMPARE")):
        choices = max(choices, formats)
    ways = {item.value for item in reading.all("PRICING")} | {
        "reserved" for _ in reading.all("RESERVED")
    }
    ways |= set(reading.fields.get("pricing", ()))
    if "part_reserved" in reading.aside and demanded(reading):
        ways = set()  # how many and when to reserve is told with the load's size
    choices = max(choices, len(ways), len(reading.aside.get("rivals", ())) + 1)
    if _OR_SERVERLESS.search(reading.plain):
        return True
    if choices < 2:
        return reading.has("VS") and reading.has("GPU") and not reading.has("HOWMANY")
    listed = "rivals" in reading.aside and not reading.has("OR")  # "7b/14b"
    if apart or listed or reading.has("VS", "COMPARE", "THAN") or weighs_spot(reading):
        return True
    if reading.has("OR") and not reading.has("NOT"):
        if _SIGNS.search(reading.plain):
            return True
        return choices > len(ways) or not demanded(reading)
    kinds = distinct(reading, "GPU")
    told = named(reading) or "utilization" in reading.fields
    return kinds > 1 and (told or reading.has("CHEAP", "EXPLAIN"))


_SIGNS = regex(
    r"\b(?:sign|take|accept)\s+(?:it|that|this|the\s+(?:offer|deal|quote))\b[^.;?!]{0,12}?\bor\s+"
    r"(?:keep|stay|stick|go\s+on|carry\s+on|remain|continue)\b"
)
""" "Sign it, or keep paying on demand?": an offer is weighed, whatever it carries."""


_OUTGROWN = shape("intents_outgrown")
""" "When do we outgrow two H100s": a load that grows, on GPUs that are counted."""


def is_capacity(reading: Reading) -> bool:
    """How much given hardware, or given money, serves."""
    paid = "budget_amount" in reading.fields
    if not (reading.has("GPU", "INSTANCE", "GPUWORD", "GB") or paid):
        return False
    sold = reading.has("PRICING", "PRICE", "CHEAP", "RESERVED") and not named(reading)
    if sold and not demanded(reading):
        return False
    if (
        reading.has("CAPACITY")
        or _HOLDS.search(reading.plain)
        or reading.first("UNDER [CTX BATCH USER REQ CONC TOK] (?!EQ|NUM)")
    ):
        return not (demanded(reading) and reading.has("HOWMANY"))
    if given(reading) and named(reading):
        grows = "growth_per_month" in reading.aside and "count" in reading.fields
        if grows and _OUTGROWN.search(reading.plain):
            return True
        if not demanded(reading) and any(s.kind == "claimed" for s in reading.stances):
            return True  # "is 62 tok/s normal for a 24b on a 4090?"
        chats = reading.stated("context") and _HOW_MANY_CHATS.search(reading.whole)
        if chats or reading.first("HOWMANY [W CONC]{0,2} USER"):
            return True
        if not demanded(reading) and reading.first(
            "HOWMANY [W CONC REQ USER USED]{1,4} CANI"
        ):
            return True  # "how many bank tellers can chat"
        if reading.first("(?<![USED NUM]) [TOK REQ] PER TIME"):
            return True
        return demanded(reading) and reading.has("OK", "FIT", "CANI")
    return False


_HOW_MANY_CHATS = compiled("HOWMANY CONC? NUM TOK? CONC? [DOC REQ USER]")


def is_price(reading: Reading) -> bool:
    """What a GPU costs an hour, no workload in sight."""
    if named(reading) or loaded(reading) or reading.has("SERVE", "INFER", "SELFHOST"):
        return False
    if not reading.has("GPU", "INSTANCE"):
        if "memory_gb" in reading.aside:
            return True  # the cheapest of a size of memory
        sold = reading.has("GPUWORD", "PROVIDER", "GB")
        if reading.has("PRICE") and reading.seen <= _ONLY_PRICE:
            return True
        return sold and reading.has("PRICE", "CHEAP")
    bill = reading.has("COST", "BILL")
    if reading.stated("duration_hours", "hours_per_day", "days_per_week"):
        return False
    if "count" not in reading.fields or reading.has("INSTANCE", "RESERVED"):
        return not bill or reading.has("PRICE")
    times = {item.value for item in reading.all("TIME")}
    if (
        times <= {"hour"}
        and (times or reading.has("PRICE"))
        and reading.fields["count"] == 1
    ):
        return True
    periods = times & {"day", "week", "month", "year"}
    return not bill and not periods and not reading.has("HOWMUCH")


def is_cost(reading: Reading) -> bool:
    """What given hardware, or serving a given model, costs."""
    if _bills_given(reading):
        return True
    needs = reading.has("NEED") and (demanded(reading) or "~tps" in reading.notes)
    if (
        reading.has("COST", "BILL")
        or (reading.has("HOWMUCH") and not needs)
        or (named(reading) and reading.first("PRICE (?!EQ)"))
    ):
        loads = demanded(reading) or _sizes_sound(reading)
        return not (reading.has("HOWMANY") and loads)
    if not named(reading) and {"count", "duration_hours"} <= (
        reading.fields.keys() - reading.weak.keys()
    ):
        return True  # "a hackathon, 48h, 40 people, 4x l4: total $?"
    bare = not (named(reading) or loaded(reading) or reading.has("APINAME"))
    return bare and reading.has("GPU", "INSTANCE")


def _bills_given(reading: Reading) -> bool:
    """Whether what runs on given GPUs is to be paid by the month, with no load."""
    if not (named(reading) and given(reading)) or demanded(reading):
        return False
    if _sizes_sound(reading):
        return False
    periods = {reading.value(m, "t") for m in reading.find("PER <t>TIME")}
    asks = (
        reading.has("SPEND")
        or _tells_where(reading)
        or periods & {"month", "year"}
        or (reading.has("HOURS") and reading.has("CHEAP", "NEED", "HOWMANY"))
    )
    return bool(asks) and (_tells_where(reading) or not reading.has("FIT"))


def is_size(_: Reading) -> bool:
    """What is needed for a load: what every other question is."""
    return True


INTENTS = (
    ("out_of_scope", is_out_of_scope), ("alert", is_alert), ("help", is_help),
    ("explain", is_explain), ("lifecycle", is_lifecycle), ("breakeven", is_breakeven),
    ("idle", is_idle), ("fit", is_fit), ("run_cost", is_run_cost),
    ("compare", is_compare), ("capacity", is_capacity), ("price", is_price),
    ("cost", is_cost), ("size", is_size),
)  # fmt: skip


RULES = (intent,)

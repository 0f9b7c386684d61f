"""GPUs, models and their sizes, shares and years."""

from bot.language.days import MONTH
from bot.language.grammar import compiled
from bot.language.reading import Match, Reading
from bot.language.subject import learns
from bot.language.values.piles import plural
from bot.language.values.units import Fields
from core.patterns import regex

_SYSTEM = 8
"""GPUs of a DGX or HGX."""


_IN_USE = regex(r"\s*(?:use|used|usage)\b(?!\s*[a-z])")


def _is_other(reading: Reading, index: int) -> bool:
    """Whether it is of watts, of "V3-0324", a ratio, or the answer of "700/90 l4"."""
    if _RATIO.match(reading.whole, max(0, index - 2)):
        return True
    if reading.is_watts(index) or reading.plain[reading.items[index].start] == "0":
        return True
    if index < 2 or reading.concept_at(index - 1) != "SLASH":
        return False
    first = reading.items[index - 2]
    return first.concept == "NUM" and float(first.value) >= _NO_COUNT


_NO_COUNT = 50
"""Of two numbers with a stroke between them, from which the first is of tokens."""


def gpus(reading: Reading, match: Match) -> Fields:
    """How many GPUs; each kind may have a number of its own."""
    after = match.end() + (reading.concept_at(match.end()) == "IN")
    servers = (reading.word(index) for index in reading.places("NODE"))
    if reading.concept_at(after) == "EACHTOK" and set(servers) - _COPIES:
        return {}  # of one of several servers
    value, item = float(reading.value(match)), reading.item(match, "n")
    if item.suffix or value != int(value) or not 0 < value <= 1e6:
        return {}
    if _is_apart(reading, match) or reading.stands_on(match):
        return {}
    each = _in_machines(reading, match)
    if (
        match.groupdict().get("w")
        and each is None
        and not reading.is_owned(match.start("w"))
    ):
        return {}
    if (
        item.concept == "NUM"
        and not match.groupdict().get("g")
        and (reading.concept_at(match.end()) in ("PER",))
    ):
        return {}
    if "DUR" in reading.concepts(match) and reading.counts_something(match.end()):
        return {}
    if match.groupdict().get("o") and not reading.has("GPU"):
        return {}
    counted = match.groupdict().get("g") or reading.has("GPU", "GPUWORD", "INSTANCE")
    if "COUNTER" in reading.concepts(match) and _of_others(reading, match, counted):
        return {}
    behind = reading.items[match.end() : match.end() + 1]
    hourly = match.groupdict().get("g") and behind and behind[0].value == "hour"
    if hourly and not reading.crossed_at(match.end()) and value > _MOST_COUNTED:
        return {}  # "1,500 a100 hours"
    about = f"{match.start('g')}" if match.groupdict().get("g") else ""
    return {f"count:{about}": int(value) * (each or 1)}


_IN_YEAR = regex(
    rf"(?:\b(?:in|may|since|early|mid|late|im|seit|en|depuis|desde|nel|w|q[1-4])\s|"
    rf"(?:{MONTH.pattern})\s(?:de\s)?)(?:19|20)[0-4]\d$"
)


def _is_dated(reading: Reading, match: Match) -> bool:
    item = reading.item(match, "n")
    near = max(0, item.start - _A_MONTH)
    four = item.end - item.start == len("2025")
    return four and _IN_YEAR.search(reading.plain, near, item.end) is not None


_A_MONTH = 16
"""Letters that the name of a month before a year takes at most."""


def _is_apart(reading: Reading, match: Match) -> bool:
    """ "In May 2025 H100 was", "11 rps (was 4), l40s": no number of what follows."""
    named = match.groupdict().get("g") is not None
    dated = _is_dated(reading, match)
    apart = named and ")" in reading.between(match.start("g"))
    return dated or apart or _is_other(reading, match.start("n"))


_COPIES = {"replica", "replicas"}


def _of_others(reading: Reading, match: Match, counted: object) -> bool:
    """Whether pieces are counted that are no GPUs: "6 Stück", "每条约40个token"."""
    pieces = reading.word(match.end() - 1)
    if reading.concept_at(match.end()) in ("TOK", "REQ", "DOC", "USER"):
        return True
    return not counted and (pieces.isascii() or pieces in _OF_ANYTHING)


_OF_ANYTHING = frozenset(("개", "个", "個"))
_RATIO = compiled("GPU EQ [NUM XCOUNT] TIMES? A? GPU")
""" "h100 = 3x a100": how much faster one is, and no count of either."""
_MOST_COUNTED = 64
"""GPUs before "hours": of more, it is their hours that are counted."""


def each_node(reading: Reading, match: Match) -> Fields:
    """ "we run 11 nodes … each node has 4 a10g": all of them."""
    each = reading.value(match)
    for other in reading.find("<n>[NUM DUPLEX] W? NODE"):
        apart = other.end() <= match.start() or other.start() >= match.end()
        nodes = float(reading.value(other))
        if apart and nodes == int(nodes) and 0 < each <= 1000:
            also = tuple(range(*other.span()))
            return {f"count:{match.start('g')}": int(nodes * each), "~also": also}
    return {}


def _in_machines(reading: Reading, match: Match) -> int | None:
    """GPUs of each machine that is counted: "2x dgx h100", "3 h100 nodes"."""
    if "g" not in match.groupdict() or match["g"] is None:
        return None
    first, last = sorted((match.start("n"), match.start("g")))
    between = reading.plain[reading.items[first].end : reading.items[last].start]
    if not {"dgx", "hgx"}.isdisjoint(between.split()):
        return _SYSTEM
    spots = (*range(first, last), last + 1)
    at = next((i for i in spots if reading.concept_at(i) == "NODE"), None)
    if at is None or "TIMES" in reading.concepts(match) or reading.has("EACHTOK"):
        return None
    known = reading.catalogue.known.gpu(str(reading.value(match, "g")))
    counted = float(reading.value(match)) == 1 or _SEVERAL.fullmatch(reading.word(at))
    if known is None or not counted or reading.word(at).startswith("repli"):
        return None  # "an 8 h100 node" is one of eight
    return known.linked if known.linked <= _SYSTEM else None


_SEVERAL = regex(r"\w+s|knoten|server|\w+(?:rn|ri|di|ly|low)|.*[^\x00-\x7f].*")
"""Machines, by the form of the word."""


def nodes_of(reading: Reading, match: Match) -> Fields:
    """Nodes times the GPUs of each."""
    nodes, each = float(reading.value(match, "m")), float(reading.value(match))
    whole_ = nodes == int(nodes) and each == int(each)
    if reading.concept_at(match.start() - 1) == "NOT":
        return {}  # "4 cards, not 4 nodes: 4x l40s"
    if match.groupdict().get("o") and (
        not reading.has("GPU") or reading.crossed_at(match.start("n"))
    ):
        return {}  # "two nodes, one of them idle"
    if not whole_ or not 0 < nodes <= 10_000 or not 0 < each <= 1000:
        return {}
    return {"count:": int(nodes * each)}


_THINGS = compiled("W{1,4} [DOC SAMPLE IMAGE VIDEO REQ]")


def _counts_things(reading: Reading, match: Match) -> bool:
    """ "1.2 billion short social posts": spelled out, and what is counted follows."""
    item = reading.item(match, "n")
    spelled = reading.plain[item.start : item.end].endswith(("illion", "illiard"))
    found = _THINGS.match(reading.whole, match.end()) if spelled else None
    return found is not None and reading.word(found.end() - 1).endswith("s")


def billions(reading: Reading, match: Match) -> Fields:
    """A model's size; several of them are held against each other."""
    item = reading.item(match, "n")
    told = "PARAMS" in reading.concepts(match)
    if reading.concept_at(match.start()) == "MODELNAME":
        return _beside_name(reading, match)
    if item.concept == "NUM" and item.suffix != "m" and not told:
        return {}
    if not told and _counts_more(reading, match.end()):
        return {}
    if not told and _counts_things(reading, match):
        return {}
    side, then = (reading.concept_at(match.end() + i) for i in range(2))
    if not told and side in ("IN", "OUT", "W") and then == "TOK":
        return {}  # "5B output tokens", "5 billion synthetic tokens"
    start = match.start()
    paid = reading.concept_at(start - 1) == "CUR" and not reading.between(start)
    if paid or reading.beside_media(match):
        return {}
    model = reading.concept_at(match.end()) == "MODEL"
    told = told or model
    if not told and learns(reading) and _second_size(reading, match.start("n")):
        return {}
    size = item.value / 1e9 if item.value >= 1e6 else item.value
    return {f"params_b:{match.start('n')}": size}


def _beside_name(reading: Reading, match: Match) -> Fields:
    """ "kokoro tts 82M": the size right behind a name that states none."""
    item, model = reading.item(match, "n"), reading.items[match.start()].value
    close = not reading.crossed_at(match.start("n"))
    if model.sized or not close or item.suffix not in ("m", "b"):
        return {}
    if _counts_more(reading, match.end()) or reading.concept_at(match.end()) == "CTX":
        return {}
    return {f"params_b:{match.start('n')}": item.value / 1e9}


def _counts_more(reading: Reading, index: int) -> bool:
    """Whether billions of tokens, requests or money are meant; not "70b rps=20"."""
    if index < len(reading.items) and reading.crossed_at(index):
        return False
    if reading.concept_at(index) in ("REQ", "DOC", "SAMPLE", "USER"):
        while reading.concept_at(index) in (
            "REQ",
            "DOC",
            "SAMPLE",
            "USER",
            "PER",
            "TIME",
        ):
            index += 1
        return reading.concept_at(index) not in ("EQ", "NUM")
    if reading.concept_at(index) in ("IMAGE", "VIDEO"):
        return plural(reading, index)
    if reading.concept_at(index) == "CUR":  # not "70b on $20k"
        return reading.concept_at(index + 1) not in ("NUM", "NUMB", "NUMT")
    return reading.concept_at(index) == "TOK"


def _second_size(reading: Reading, index: int) -> bool:
    """Whether a run's model is named before, and this size is its data."""
    before = [item.concept for item in reading.items[:index]]
    named = any(
        concept == "NUMB"
        and (reading.concept_at(at + 1) != "TOK" or reading.concept_at(at + 2) == "EQ")
        for at, concept in enumerate(before)
    ) or any(
        item.concept == "MODELNAME" and item.value.sized
        for item in reading.items[:index]
    )
    return named and before[-1] not in ("OR", "VS", "AND")


def billions_active(reading: Reading, match: Match) -> Fields:
    """ "32b active", "100 billion with 12 active"."""
    scale = 1 if reading.item(match, "n").concept == "NUM" else 1e9
    return {"active_params_b": reading.value(match) / scale}


def millions(reading: Reading, match: Match) -> Fields:
    """ "train 350M on 10B tokens": millions that count nothing are parameters.

    One thing is what has them: "pretrain a 650M protein LM", no "2M reviews".
    """
    item = reading.item(match, "n")
    if item.suffix != "m" or reading.has("MODELNAME", "EXPERTS"):
        return {}
    if reading.counts_something(match.end()):
        return {}
    if reading.concept_at(match.end()) == "W":
        learned = reading.concept_at(match.start() - 1) in ("TRAIN", "A")
        if not learned or reading.word(match.end()).endswith("s"):
            return {}
    return {f"params_b:{match.start('n')}": item.value / 1e9}


def small_model(reading: Reading, match: Match) -> Fields:
    """ "a 400M classifier", "the 300M embedder": one thing, so its parameters."""
    item = reading.item(match, "n")
    one = not reading.word(match.end() - 1).endswith("s")
    said = reading.plain[item.start : item.end].endswith("m")
    if item.suffix != "m" or not (one and said) or reading.has("MODELNAME"):
        return {}
    if reading.crossed_at(match.start("n") + 1):
        return {}
    return {f"params_b:{match.start('n')}": item.value / 1e9}


def copies(reading: Reading, match: Match) -> Fields:
    """How many models: "seven 7b int4 models", "7 x 7b"."""
    if reading.concept_at(match.end()) in ("REQ", "EQ"):
        return {}  # "fifteen LLM calls", "tp=4 model=glm-4.5"
    if not reading.word(match.start("n") + 1).isascii():
        return {}  # "30곳에서 쓰는 14B 모델"
    number = reading.item(match, "n")
    ok = number.suffix == "" and number.value == int(number.value)
    if not ok or not 2 <= number.value <= 1000 or learns(reading):
        return {}
    if "," in reading.between(match.start("n") + 1):
        return {}  # "down to 200, llama 8b" counts no models
    return {"model_count": int(number.value)}


def busy(reading: Reading, match: Match) -> Fields:
    """How busy the GPUs are, as a share of one."""
    parts = match.groupdict()
    value = reading.value(match)
    if parts.get("u"):
        # "at 60% use", not "3% use the assistant"
        end = reading.items[match.end() - 1].end
        if not _IN_USE.match(reading.plain, end):
            return {}
    part = value / 100 if value > 1 or "PCT" in reading.concepts(match) else value
    if parts.get("g") and not parts.get("k"):
        # "8 h100 at 40%": of GPUs in hand, unless a price is to fall by it
        first, last = (reading.items[match.start(part)] for part in "gn")
        told = _AT_WORK.search(reading.plain, first.end, last.start)
        cut = _CUT.match(reading.plain, reading.items[match.end() - 1].end)
        if not told or cut or reading.has("ALERT", "DROPV", "RISEV"):
            return {}
    if parts.get("i") and (part > 1 / 2 or not _IDLES_AT.search(reading.plain)):
        part = round(1 - part, 6)
    return {"utilization": part} if 0 <= part <= 1 else {}


_IDLES_AT = regex(r"\bidl(?:es?|ing) (?:at|around|near) \d")
""" "8 H100 idle at 10%": so little is used."""
_AT_WORK = regex(
    r"\b(?:at|averag\w*|avg|hover\w*|linger\w*|idl(?:es?|ing)|sit(?:s|ting)?|mean|median|"
    r"busy|load\w*|im schnitt|im mittel|durchschnittlich|en moyenne|de media|in media|"
    r"gemiddeld|srednio)\b"
)
"""Between GPUs and a share: "our six L40S average 22%", "hover around 30%"."""
_CUT = regex(
    r"\s?(?:off|cheaper|less|more|faster|slower|dearer|discount|of the (?:price|cost)|"
    r"accura\w*|rabatt|gunstiger)\b"
)


def year(reading: Reading, match: Match) -> Fields:
    """ "since 2025": no amount."""
    item = reading.item(match, "n")
    text = reading.plain[item.start : item.end]
    if not (len(text) == 4 and text.isdigit() and 1990 <= item.value <= 2040):
        return {}
    at = match.start()
    listed = "/" in reading.between(at) + reading.plain[item.end :][:2] and not any(
        item.value != other.value and 1990 <= float(other.base or 0) <= 2040
        for other in reading.items[max(at - 2, 0) : at + 3]
    )  # "13b / 2000 / 250", not "2025/2026"
    if not _is_dated(reading, match) and (
        listed or reading.counts_something(match.end())
    ):
        return {}
    return {"~year": item.value}

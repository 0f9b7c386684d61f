"""Tidy the row of meanings: join what belongs together, drop what carries nothing."""

from itertools import pairwise, zip_longest

from bot.language import days, decoys, nouns, phrasing
from bot.language.families import Named
from bot.language.items import TIMES_OF_ALL, Item
from bot.language.names import names
from bot.language.refusals import refused
from bot.language.replaced import replaced
from core.patterns import regex

_COUNTABLE = frozenset(("GPU", "GPUWORD", "NODE", "INSTANCE", "DUPLEX"))
_USUAL_SIZES = frozenset(
    (1, 3, 4, 7, 8, 9, 12, 13, 14, 20, 22, 24, 27, 30, 32, 34, 65, 70, 72, 90, 110, 120,
     123, 180, 235, 405, 671)
)  # fmt: skip
"""Billions of parameters of models that many people run."""
_BEFORE_SIZE = frozenset(
    ("", "SERVE", "RUN", "INFER", "TRAIN", "FINETUNE", "MODELNAME", "CANI", "METHOD",
     "NEED", "HOWMUCH", "COST", "W")
)  # fmt: skip
_BOUNDED = frozenset(
    "TRAIN FINETUNE METHOD SFT EPOCH BATCH WORK OFFLINE AUDIO IMAGE VIDEO EMBED".split()
)
"""What ends: the work of a run or of a pile."""
_ON = (["on"], ["auf"], ["sur"], ["en"], ["em"])


def shaped(
    items: list[Item], plain: str, heard: frozenset[str] = frozenset()
) -> list[Item]:
    """Return the items of a plain text as the rules expect them.

    `heard`: concepts that hold in its thread.
    """
    there = _concepts(items)
    if there & {"PRICE", "REGION"}:
        items = _parted_prices(items, plain)
    items = days.ranges(days.lists(items, plain), plain)
    row = _scaled_articles(_fractions(items, plain), plain)
    row = _postposed(row, plain) if "PER" in there else row
    decoys.set_aside(row, plain)
    row = replaced(row, plain)
    row = phrasing.busy_times(phrasing.busy_days(row, plain), plain)
    row = phrasing.parts_at_once(row, plain)
    phrasing.speakers(row, plain)
    phrasing.teams(row, plain)
    row = _stands_for(row, plain)
    phrasing.allowed_times(row, plain)
    row = _statistics(row, plain)
    _attributes(row, plain)
    nouns.named(row, plain)
    row = _kinds_of_tokens(_per_time(row), plain) if "TOK" in there else _per_time(row)
    if "APINAME" in there:
        _own_chats(row, plain)
        _makers(row, plain)
    _counted_runs(row, plain)
    _calls(row)
    _paid_providers(row, plain)
    row = [item for item in row if item.concept != "A" or item.value]
    row = refused(row, plain)
    there = _concepts(row)
    if "USER" in there:
        _keepers(row, plain)
    _rooms(row, plain)
    if "APINAME" in there:
        _likened(row, plain)
    if "NOT" in there:
        _denied_behind(row, plain)
    _left_out(row, plain)
    _ruled_out(row, plain)
    _one_of(row, plain, heard)
    if "HOWMUCH" in there:
        _how_many(row)
    if any(item.concept == "NOT" for item in row):
        _denied(row)
        row = _retired_hardware(row, plain)
    if "IN" in there:
        _within_sides(row, plain)
    if there & {"REQ", "DOC", "OUT"}:
        _given_answers(row, plain)
        _prompts(row, plain)
    _bare_sizes(row, plain)
    return _sized_models(row, plain)


def _concepts(items: list[Item]) -> set[str]:
    return {item.concept for item in items}


def _fractions(items: list[Item], plain: str) -> list[Item]:
    """Read "half a second", "a quarter of an hour", "two fifths", "nine out of ten"."""
    row: list[Item] = []
    for index, item in enumerate(items):
        if row and row[-1].concept == "NUM" and _is_parts(row[-1], item, plain):
            item.concept, item.value = "PCT", None
        after = items[index + 1].concept if index + 1 < len(items) else ""
        if item.concept == "HALF" and item.value == "more":
            if row and row[-1].concept in ("TIME", "MUL"):
                _add_half(row)
                continue
            item.value = None
        if item.concept == "DUPLEX" and after in ("TIME", "TOK"):
            # "na dwa lata", "a single token"
            item.concept, item.value = "NUM", float(item.value)
            item.base = item.value
        if item.concept == "HALF" and after in ("TIME", "PCT"):
            share = float(item.value or 0.5) * (100 if after == "PCT" else 1)
            item.concept, item.value, item.base = "NUM", share, share
        row.append(item)
        if item.concept == "NUM" and len(row) > 1:
            _join_ratio(row, after, plain)
    return row


def _join_ratio(row: list[Item], after: str, plain: str) -> None:
    """Make "nine out of ten", "1 in 20 of our 8,000" at the row's end a percentage."""
    of, whole = row[-2], row[-1]
    for at in range(len(row) - 2, max(len(row) - 5, -1), -1):
        if row[at].concept == "NUM" and _so_often(row[at], whole, plain):
            percent = Item("PCT", None, row[at].end, whole.start)
            row[at + 1 :] = percent, Item("W", TIMES_OF_ALL, whole.start, whole.end)
            return
    if after == "NUM" and not _OF_MANY.match(plain, whole.end):
        return
    if of.concept in ("OUT", "IN") and len(row) > 2 and row[-3].concept == "NUM":
        of = row[-3]
    share = of.concept == "NUM" and 0 < of.value < whole.value <= _WHOLE
    joint = _IN if after in _WHOLES or after == "NUM" else _OUT_OF
    worded = of.value == 1 and not plain[whole.start].isdecimal()
    if worded and whole.value > 2 and _SOME_OF.match(plain, whole.end):
        joint = _IN  # "one in fifty opens it"
    if share and whole.value in (10, 100) and of.value >= whole.value / 2:
        joint = _OF_A_ROUND if _OFTEN.match(plain, whole.end) else joint
    said = share and joint.fullmatch(plain, of.end, whole.start)
    if said and after not in _COUNTABLE:
        of.value *= 100 / whole.value
        whole.concept, whole.value = "PCT", None
        row[-2:-1] = [of] if row[-2] is of else []


def _so_often(of: Item, whole: Item, plain: str) -> bool:
    """Make the first of "99 times out of 100" a percentage; say whether it is one."""
    said = _SO_OFTEN.fullmatch(plain, of.end, whole.start)
    if said is None or not 0 < of.value < whole.value <= _WHOLE:
        return False
    of.value *= 100 / whole.value
    return True


_SO_OFTEN = regex(
    r"\s*(?:times|mal|fois|veces|vezes|volte|keer|razy|раз(?:а)?)\s+"
    r"(?:(?:out\s+)?of(?:\s+every)?|in|von|aus|sur|de(?:\s+cada)?|em(?:\s+cada)?|su|"
    r"(?:van|op)(?:\s+de)?|na|из)\s+"
)


def _is_parts(number: Item, unit: Item, plain: str) -> bool:
    """Make "nine tenths" ninety, of a hundred; say whether they were parts."""
    parts = _PARTS.get(plain[unit.start : unit.end], 0)
    if unit.concept not in ("W", "HALF") or not 0 < number.value < parts:
        return False
    number.value = number.base = 100 * number.value / parts
    return True


_PARTS = {
    name: parts
    for parts, said in {
        3: "third thirds drittel tiers tercio tercios terco tercos terzo terzi derde",
        4: "quarter quarters quater qarter quartr viertel quart quarts cuarto cuartos "
        "quarto quarti kwart",
        5: "fifth fifths funftel cinquieme cinquiemes quinto quintos quinti vijfde",
        6: "sixth sixths sechstel",
        8: "eighth eighths achtel achtste",
        10: "tenth tenths zehntel dixieme dixiemes decimo decimos decimi tiende",
    }.items()
    for name in said.split()
}


def _add_half(row: list[Item]) -> None:
    """ "an hour and a half", "2 años y medio", "un millón y medio"."""
    unit, counted = row[-1], row[-2] if len(row) > 1 else None
    if counted is not None and counted.concept == "NUM":
        counted.value += 0.5
    elif unit.concept == "TIME":
        row.insert(-1, Item("NUM", 1.5, unit.start, unit.start, base=1.5))
        if counted is not None and counted.concept in ("A", "PER"):
            row.remove(counted)
    else:
        unit.value = float(unit.value) * 1.5


_SOME_OF = regex(
    r"\s+(?!(?:out|back|tokens?|in|and|or|per|for|each|regions?|zones?|sites?|countries|"
    r"clouds?|places|rps|gpus?)\b)(?:will|would|may|might|can|does|has|is|[a-z]{3,}s)\b"
)
""" "One in fifty opens it": no prompt of one token."""
_WHOLES = frozenset(("OFTHEM", "TOK", "REQ", "USER", "DOC"))
_OF_MANY = regex(r" of (?:our |the |my |these |those |all )?(?=\d)")
""" "1 in 20 of our 8,000 subscribers"."""
_IN = regex(r"\s*(?:in|out of|von|de cada|su|sur|van de)(?: every)?\s*")
"""Before a whole that is named: "nine in ten of those tokens"."""
_OF_A_ROUND = regex(r"\s*(?:in|out of|of|von|de cada|su|sur|van de)(?: every| the)?\s*")
_OFTEN = regex(
    r"\s(?:requests?|cases|times|answers?|calls|queries|responses|replies|anfragen|"
    r"fallen|requetes|cas|peticiones|casos|richieste|casi)\b"
)
"""Behind "95 of 100": how often it holds."""
_OUT_OF = regex(r"\s*(?:out of(?: every)?|von|in every|de cada|su|sur|van de)\s*")


def _attributes(row: list[Item], plain: str) -> None:
    """ "60-page PDFs" says how long each is; "250k news articles" are no chat."""
    for place, (number, noun) in enumerate(pairwise(row)):
        if number.concept != "NUM":
            continue
        in_pages = _is_in_pages(number, noun, plain)
        if in_pages and place and row[place - 1].concept == "SPEND":
            row[place - 1].concept = "DOC"  # "invoices of 2 pages"
        apart = noun.concept == "DOC" and plain[number.end : noun.start] == "-"
        if apart or in_pages:
            number.concept, number.value = "W", None
        elif noun.concept == "CHITCHAT":
            noun.concept, noun.value = "W", None
    people = {plain[item.start : item.end] for item in row if item.concept == "USER"}
    for before, one in pairwise(row) if people else ():
        each = before.concept in _EACH and one.concept in ("W", "INFER")
        if each and f"{plain[one.start : one.end]}s" in people:
            one.concept, one.value = "USER", None  # "25 agents … per agent"


_PAGES_OF = regex(
    r"\b(?:(?:[a-z]+s|\w+en|pdf) (?:of|with|have|averag\w+|von|mit|de)|each(?: \w+)?"
    r"(?: (?:has|have|is|with|of))?)(?: (?:up to|about|around|some|bis zu))? $"
)
_PAGES_EACH = regex(
    r" (?:pages?|pp|seiten|paginas?|pagine)[ -](?:each|apiece|long|lang\w*|on average|"
    r"per (?:contract|report|file|pdf|book|manual|doc))\b"
)


def _is_in_pages(number: Item, noun: Item, plain: str) -> bool:
    """Whether a thing has so many pages: "books of 300 pages", "20 pages each"."""
    if not plain.startswith(("page", "seite", "pagin"), noun.start):
        return False
    before = plain[max(0, number.start - 40) : number.start]
    return bool(_PAGES_OF.search(before) or _PAGES_EACH.match(plain, number.end))


_MEANS = ("mean", "median", "mittel", "moyenne", "media")
_SIDES = frozenset(("IN", "OUT", "TOK"))
_SPLIT = regex(r"\b[td]p[- =]?\d+,? $")


def _statistics(items: list[Item], plain: str) -> list[Item]:
    """ "Mean 2,140 p95 6,900" counts by its mean; "18 rps avg, 46 p99" peaks at 46."""
    if _concepts(items).isdisjoint(("PCTL", "EXPLAIN", "XCOUNT")):
        return items
    row: list[Item] = []
    for index, item in enumerate(items):
        before, after = [one.concept for one in row[-2:]], items[index + 1 : index + 2]
        number = bool(after) and after[0].concept == "NUM"
        word = plain[item.start : item.end]
        if item.concept == "EXPLAIN" and word in _MEANS and number:
            continue
        spread = before[-1:] == ["NUM"] and item.concept == "PCTL"
        if spread and before[0] in _SIDES and number:
            after[0].concept, after[0].value = "W", None
            continue
        if spread and before[0] in ("TIME", "NUM") and not number:
            item.concept = "PEAK"
        if item.concept == "XCOUNT" and _SPLIT.search(plain, 0, item.start):
            continue  # "6x A100 (TP2 x3)": how those are divided
        row.append(item)
    return row


_WHOLE = 100
"""Of more than so many it is no share, but a number of some of them."""


_SAYS_I = regex(r"\b(?:se|que|quando|quanto|como|mas|porque|onde|hoje)\s+$")
"""Before the "eu" of Portuguese, which is no place."""


def _parted_prices(items: list[Item], plain: str) -> list[Item]:
    """ "5 $/h" is money by the hour, "rate=18/s" a load, "se eu …" no place."""
    row: list[Item] = []
    for index, item in enumerate(items):
        if item.concept not in ("PRICE", "REGION"):
            row.append(item)
            continue
        written = plain[item.start : item.end]
        keyed = index + 1 < len(items) and items[index + 1].concept == "EQ"
        counted = bool(row) and row[-1].concept == "NUM"
        if item.concept == "PRICE" and written.startswith("$/") and counted:
            row += (
                Item("CUR", "USD", item.start, item.start + 1),
                Item("PER", None, item.start + 1, item.start + 2),
                Item("TIME", "hour", item.start + 2, item.end),
            )
            continue
        said_i = _SAYS_I.search(plain, max(0, item.start - 12), item.start)
        if item.concept == "PRICE" and written == "rate" and keyed:
            item.concept = "REQ"
        elif item.concept == "REGION" and written == "eu" and said_i:
            item.concept, item.value = "W", None
        row.append(item)
    return row


def _scaled_articles(items: list[Item], plain: str) -> list[Item]:
    """Read "a million", "half a million"; mark the articles that count a GPU."""
    row: list[Item] = []
    for index, item in enumerate(items):
        after = items[index + 1] if index + 1 < len(items) else None
        if item.concept == "MUL":
            row.append(_bare_scale(item, row, plain))
        elif item.value == _THOUSAND and plain[item.start : item.end] == "mil":
            start, share = _share_before(item, row, plain)  # "half a mil", of English
            million = Item("NUM", 1e6 * share, start, item.end, "m", share)
            row.append(item if share == 1 else million)
        elif item.suffix in ("m", "b") and (part := _spelled_part(item, row, plain)):
            row[-2:] = [part]
        elif (
            item.concept == "DEADLINE"
            and after
            and (after.concept in _COUNTABLE or after.concept in ("TIME", "MODEL"))
            and plain[item.end : after.start] == " "
        ):
            two = plain[item.start : item.end] == "due"  # Italian
            row.append(
                Item("NUM", 2.0, item.start, item.end, base=2.0) if two else item
            )
        elif item.concept == "A" and after and _is_one(item, after, row, plain):
            row.append(Item("NUM", 1.0, item.start, item.end, base=1.0))
        elif item.concept == "A" and after and after.concept == "EPOCH":
            one = plain[item.start : item.end] not in ("a", "an")
            row += [Item("NUM", 1.0, item.start, item.end, base=1.0)] if one else []
        elif item.concept == "A":
            item.value = after is not None and after.concept in _COUNTABLE
            if after is None or after.concept != "MUL":
                row.append(item)
        else:
            row.append(item)
    return row


_BOUNDS = frozenset(("UNDER", "OVER"))
_DURING = regex(
    r"\b(?:fur|voor|pour|por|para|per|durante|pendant|durant|wahrend|na)\s+$"
)


def _is_one(item: Item, after: Item, row: list[Item], plain: str) -> bool:
    """Whether an article counts: "below a dollar", "für eine Woche"."""
    before = [one.concept for one in row[-2:]]
    if _is_coin(after, plain) and before[-1:] and before[-1] in _BOUNDS:
        return True
    if after.concept != "TIME" or plain[item.start : item.end] in ("a", "an"):
        return False
    ends = before[-1:] == ["DEADLINE"] or before == ["DEADLINE", "IN"]
    lasts = _DURING.search(plain, max(0, item.start - 10), item.start) is not None
    return ends or (lasts and before[-1:] != ["CUR"])


def _is_coin(item: Item, plain: str) -> bool:
    """Whether an article counts it: "below a dollar"."""
    written = plain[item.start : item.end]
    return item.concept == "CUR" and written in ("dollar", "buck", "euro", "pound")


def _bare_scale(item: Item, row: list[Item], plain: str) -> Item:
    """Read "million" without a number: one, or a part of one."""
    start, share = _share_before(item, row, plain)
    factor = float(item.value)
    suffix = {1e3: "k", 1e6: "m", 1e9: "b", 1e12: "t"}.get(factor, "")
    concept = {"b": "NUMB", "t": "NUMT"}.get(suffix, "NUM")
    return Item(concept, factor * share, start, item.end, suffix, share)


_THOUSAND = 1000
"""What "mil" is of Spanish and Portuguese."""


def _spelled_part(item: Item, row: list[Item], plain: str) -> Item | None:
    """ "3/4 million": a part of one; not "1/4k", which are a prompt and an answer."""
    over = [one.concept for one in row[-2:]] == ["NUM", "SLASH"]
    tight = over and plain[row[-2].end : item.start] == "/"
    if not tight or not 0 < row[-2].value < item.base <= 10:
        return None
    if "illi" not in plain[item.start : item.end]:
        return None
    share, start = row[-2].value / item.base, row[-2].start
    value = item.value / item.base * share
    return Item(item.concept, value, start, item.end, item.suffix, share)


_PART_OF = regex(
    r"[\s-]*(?:(?:of|de|d'|di|van)\s*)?(?:(?:a|an|one|un|uma|una|einer)\s+)?"
)
"""What may stand between "three quarters" and "million"."""


def _share_before(item: Item, row: list[Item], plain: str) -> tuple[int, float]:
    """Take "half a", "three quarters of a", "3/4", "2 and a quarter" off a row."""
    within = bool(row) and row[-1].end > item.start  # "полмиллиона"
    if not row or not (within or _PART_OF.fullmatch(plain, row[-1].end, item.start)):
        return item.start, 1.0
    concepts = [one.concept for one in row[-3:]]
    last = row[-1]
    said = plain[last.start : last.end].split()
    alone = said and said[0] in ("a", said[-1])  # not "every quarter"
    parts = _PARTS.get(said[-1], 0) if alone else 0
    if concepts == ["NUM", "SLASH", "NUM"] and 0 < row[-3].value < last.value <= 10:
        share, first = row[-3].value / last.value, -3
    elif concepts[-2:] == ["NUM", "PCT"]:
        share, first = row[-2].value / 100, -2
    elif last.concept == "HALF" or parts:
        share, first = 1 / parts if parts else float(last.value or 0.5), -1
        if concepts[:-1] == ["NUM", "AND"]:
            share, first = share + row[-3].value, -3
    else:
        return item.start, 1.0
    start = row[first].start
    del row[first:]
    return start, share


_BEHIND = frozenset(("あたり", "ごと", "当たり", "당", "마다", "basina", "basi"))
_HEADS = frozenset("W USER REQ DOC SAMPLE".split())


def _postposed(items: list[Item], plain: str) -> list[Item]:
    """Put a "per" before what it stands behind: "1席あたり", "샘플당"."""
    row: list[Item] = []
    for item in items:
        behind = item.concept == "PER" and plain[item.start : item.end] in _BEHIND
        if behind and row and row[-1].concept in _HEADS:
            head = row.pop()
            if row and row[-1].concept == "NUM" and row[-1].value == 1:
                row.pop()
            row += [item, head]
        else:
            row.append(item)
    return row


def _per_time(items: list[Item]) -> list[Item]:
    """Read "/" before a time, a request or a user as "per"."""
    for before, number, time in zip(items, items[1:], items[2:], strict=False):
        if before.concept == "ALL" and (number.concept, time.concept) == (
            "NUM",
            "TIME",
        ):
            before.concept = "PER"  # "alle 5 Sekunden"
    for before, after in pairwise(items):
        if after.concept in ("TIME", "USER", "REQ") and (
            before.concept == "SLASH"
            or (before.concept == "A" and after.concept == "TIME")
        ):
            before.concept = "PER"
    return items


def _kinds_of_tokens(items: list[Item], plain: str) -> list[Item]:
    """ "2.4k image+text tokens" are tokens of a prompt, and no pictures of a pile."""
    row: list[Item] = []
    for item in items:
        if item.concept == "TOK":
            if [one.concept for one in row[-2:]] == ["NUM", "COUNTER"]:
                row.pop()  # "40个token"
            at = len(row)
            while at and plain[row[at - 1].start : row[at - 1].end] in _TOKEN_KINDS:
                at -= 1
            kinds = [one for one in row[at:] if one.concept not in ("AND", "SLASH")]
            if at and len(kinds) > 1 and row[at - 1].concept == "NUM":
                del row[at:]
        row.append(item)
    return row


_TOKEN_KINDS = frozenset(
    "image images text vision visual audio video and & + / bild bilder und texte texto "
    "imagen et y e".split()
)


def _counted_runs(items: list[Item], plain: str) -> None:
    """ "3k runs a day, 20 calls per run": a run that is counted is no span of time."""
    counted = {
        plain[one.start : one.end].rstrip("s") for one in items if one.concept == "DOC"
    }
    for item in items if counted else ():
        run = item.concept == "TIME" and item.value == "total"
        if run and plain[item.start : item.end].rpartition(" ")[2] in counted:
            item.concept, item.value = "DOC", None


_LEARNING = frozenset(
    "TRAIN FINETUNE METHOD SFT EPOCH BATCHSIZE CHINCHILLA IMAGE VIDEO".split()
)


def _calls(items: list[Item]) -> None:
    """ "12 steps per task", "each task takes 12 steps": calls of a model."""
    concepts = {item.concept for item in items}
    if "STEP" not in concepts or concepts & _LEARNING:
        return
    drawn = any(
        item.concept == "MODELNAME" and item.value.family.modality for item in items
    )
    for step, joint in pairwise(items):
        if step.concept == "STEP" and joint.concept == "A":
            joint.concept = "PER"
    of_work = [
        number.concept in ("NUM", "W", "MODEL")
        and step.concept == "STEP"
        and (
            (joint.concept in _EACH and whole.concept in _WORK) or "EACHTOK" in concepts
        )
        for number, step, joint, whole in zip(
            items, items[1:], [*items[2:], _END], [*items[3:], _END, _END], strict=False
        )
    ]
    if drawn or not any(of_work):
        return
    for item in items:
        if item.concept == "STEP":
            item.concept, item.value = "REQ", None


_END = Item("W", None, 0, 0)
_EACH = frozenset(("PER", "SLASH", "A", "EACHTOK"))
_WORK = frozenset(("REQ", "DOC", "USER", "W", "RUN"))


def _rooms(items: list[Item], plain: str) -> None:
    """ "room B200", "hall a100" are places: no card is asked for by that name.

    "Room for 100k ctx" is memory, and asks whether it is enough.
    """
    for at, (label, name) in enumerate(pairwise(items)):
        if label.value == "place" and name.concept in ("GPU", "INSTANCE"):
            name.concept, name.value = "W", None
        elif name.concept == "DUR" and plain[label.start : label.end] in _SPACE:
            held = [item.concept for item in items[at + 2 : at + 5]]
            if held[:1] == ["NUM"] and "CTX" in held and "CONC" not in held:
                label.concept, label.value = "FIT", None


_SPACE = frozenset(
    "room headroom space platz spazio espacio espaco place ruimte".split()
)


_VERB_OF_ONE = regex(
    r"\b(?:rent|renting|lease|leasing|hire|hiring|buy|buying|purchase|purchasing)\s+"
    r"(?:just\s+)?$"
)
_STANDS_ALONE = regex(
    r"\s*(?:$|[,.;:?!)]|(?:for|over|per|at|in|from|on|instead|by|or|and|today|a)\b)"
)


def _stands_for(items: list[Item], plain: str) -> list[Item]:
    """ "Buy an 8x H200 server or rent one": it counts nothing, the server was named."""
    if not any(item.concept in _COUNTABLE for item in items):
        return items
    return [
        item
        for item in items
        if item.concept != "NUM"
        or plain[item.start : item.end] != "one"
        or not _VERB_OF_ONE.search(plain, max(0, item.start - 20), item.start)
        or not _STANDS_ALONE.match(plain, item.end)
    ]


def _one_of(items: list[Item], plain: str, heard: frozenset[str]) -> None:
    """ "in a week", "within a month" give a run one of them; "a day" else is a rate."""
    concepts = {item.concept for item in items} | heard
    _is_that_one(items, plain, concepts)
    if "PER" not in concepts or "TIME" not in concepts:
        return
    bounded = bool(concepts & _BOUNDED)
    ends = bounded and "REQ" not in concepts
    weighed = items if bounded and "OK" in concepts else []
    for per, time, ok in zip(weighed, weighed[1:], weighed[2:], strict=False):
        said = plain[per.start : per.end].startswith(("a ", "an "))
        row = per.concept, time.concept, ok.concept
        if said and row == ("PER", "TIME", "OK"):
            per.concept, per.value, per.base = "NUM", 1.0, 1.0  # "a week is fine"
    heads = {"IN", "UNDER", "DEADLINE"} if ends else set()
    heads |= {"DUR"} if concepts & _COUNTABLE else set()
    heads |= {"HAVE"} if ends else set()
    if not heads:
        return
    spans = {"day", "week", "fortnight"}
    spans |= {"month", "year"} if "RESERVED" in concepts else set()
    for before, per, time in zip(items, items[1:], items[2:], strict=False):
        if per.concept != "PER" or time.concept != "TIME":
            continue
        written = plain[per.start : per.end]
        said = written.startswith(("a ", "an ")) or (
            before.concept == "HAVE" and written in _ARTICLES
        )
        if not (said and before.concept in heads):
            continue
        if before.concept != "DUR" or time.value in spans:
            per.concept, per.value, per.base = "NUM", 1.0, 1.0


_ARTICLES = frozenset("einen eine ein un une una uno um uma een".split())


_IS_THAT = regex(r"\b(?:is|would|will) (?:that|this|it)(?: be| take)?(?: about)? ?$")


def _is_that_one(items: list[Item], plain: str, concepts: set[str]) -> None:
    """ "… on 10 billion tokens, is that a day on one 4090?": by when it is to end."""
    if not concepts & _BOUNDED or "REQ" in concepts:
        return
    for index, (per, time) in enumerate(pairwise(items)):
        said = plain[per.start : per.end].startswith(("a ", "an "))
        asked = said and _IS_THAT.search(plain, max(0, per.start - 24), per.start)
        if asked and (per.concept, time.concept) == ("PER", "TIME"):
            per.concept, per.value, per.base = "NUM", 1.0, 1.0
            items.insert(index, Item("DEADLINE", None, per.start, per.start))
            return


def _left_out(items: list[Item], plain: str) -> None:
    """ "ex aws" leaves one out; elsewhere "ex" is short for examples."""
    for ex, name in pairwise(items):
        if name.concept not in _LEFT_OUT:
            continue
        word = plain[ex.start : ex.end]
        out = word == "ex" and name.concept in _NAMED
        if out or (word in _RULE_OUT and name.concept in _REJECTED):
            ex.concept, ex.value = "NOT", None
            ex.end = max(ex.start, ex.end)


_REJECTED = frozenset(("PROVIDER", "GPU", "MODELNAME", "APINAME"))
_RULE_OUT = frozenset(
    "nixed nixes axed killed kills rejected rejects reject vetoed vetoes veto "
    "blacklisted blacklists forbids forbade blocked blocks disqualified lehnt "
    "verbietet refuse interdit prohibe vieta".split()
)
"""What somebody does with a seller that may not be used."""
_NAMED = frozenset("PREC GPU PRICING RESERVED PROVIDER REGION".split())
_LEFT_OUT = _NAMED | _REJECTED
_THEN = regex(r"\s*(?:[,;:.!]|-|$)")


_KEEP = regex(
    r"\s(?:on the team |here |full time )?(?:who |will |can )?(?:maintain|run|operate|"
    r"look after|manage|babysit|own|administer|take care of|keep)\b"
)


def _keepers(items: list[Item], plain: str) -> None:
    """ "3 of us maintain it": who runs a service is not who uses it."""
    for item in items:
        of_us = item.concept == "USER" and plain[item.start : item.end] == "of us"
        if of_us and _KEEP.match(plain, item.end):
            item.concept = "W"


_SHUT_OUT = frozenset(
    "no not neither nor without except excluding avoid skip ban banned forget "
    "besides minus kein keine keinen ohne pas sans ni sin sem nem senza geen "
    "zonder bez niente nessun nessuna nada".split()
)
_ANY_BUT = regex(
    r"(?:any|no)\w* (?:but|other than)|other than|apart from|ruled out|pas de|ni de|"
    r"nada de|geen enkele"
)
_ASKED = regex(r"\b(?:why|how about|what about|if|or)\W*$")
_SIZED = frozenset(("MODELNAME", "NUMB"))
_ENDS = regex(r"[;:?!\n]|\.(?=\s|$)")
_NO_APIS = regex(
    r"\b(?:no|without) (?:external|third[- ]party|3rd[- ]party|hosted|public|outside|"
    r"cloud|us|american) (?:\w+ )?apis?\b|"
    r"\b(?:forb[ai]ds?|forbade|bans?|banned|prohibit(?:s|ed)?|rule[sd]? out|vetoe[sd]|"
    r"disallow(?:s|ed)?)\b[^.;!?\n]{0,30}\bapis?\b|"
    r"\bapis? (?:is|are|were|was) (?:not (?:allowed|an option|possible|permitted)|"
    r"forbidden|banned|prohibited|vetoed|out\b|ruled out|off the table|off limits)"
)


def _ruled_out(items: list[Item], plain: str) -> None:
    """ "no Qwen and no DeepSeek", "no external APIs": neither is what is meant."""
    if not any(item.concept in ("MODELNAME", "APINAME") for item in items):
        return
    sized = [i for i in items if i.concept in _SIZED]
    if len(sized) == 1 and sized[0].concept == "MODELNAME":
        before = items[items.index(sized[0]) - 1] if items[0] is not sized[0] else None
        if sized[0].value.sized and before and plain[before.start : before.end] == "no":
            return  # "no qwen3-30b": Portuguese says on which it is
    closed = bool(sized) and "api" in plain and _NO_APIS.search(plain) is not None
    out = False
    for index, item in enumerate(items):
        before = items[index - 1] if index else None
        if item.concept in ("MODELNAME", "APINAME"):
            gap = plain[before.end : item.start] if before else ""
            last = not any(one.concept in _SIZED for one in items[index + 1 :])
            out = out and not (_ENDS.search(gap) or ("," in gap and last))
            out = out or (before is not None and _shuts_out(before, plain))
            if out or (closed and item.concept == "APINAME"):
                item.concept = "W"
        elif item.concept not in ("AND", "OR", "SLASH"):
            out = False


def _shuts_out(no: Item, plain: str) -> bool:
    """Whether a "not" rules out the model behind it; "won't llama fit" asks of it."""
    if no.concept != "NOT" or _ASKED.search(plain, 0, no.start):
        return False
    word = plain[no.start : no.end]
    listed = not word or word in _SHUT_OUT or word in _RULE_OUT
    return listed or _ANY_BUT.fullmatch(word) is not None


def _denied_behind(items: list[Item], plain: str) -> None:
    """ "int4 no, mejor bf16", "azure nein, gcp": "no" belongs to what it follows."""
    for at, (name, no) in enumerate(pairwise(items)):
        if name.concept not in _NAMED or no.concept != "NOT":
            continue
        first = at == 0 or items[at - 1].concept not in ("NOT", name.concept)
        others = any(i.concept == name.concept for i in items[at + 2 :])
        if first and others and _THEN.match(plain, no.end):
            items[at : at + 2] = Item("NOT", None, name.start, name.start), name


def _retired_hardware(items: list[Item], plain: str) -> list[Item]:
    """ "No more Llama 2 13B on T4s": what it ran on goes with it."""
    for at, (no, model, gpu) in enumerate(
        zip(items, items[1:], items[2:], strict=False)
    ):
        named = no.concept == "NOT" and isinstance(model.value, Named)
        on = plain[model.end : gpu.start].split() in _ON
        if named and model.concept == "W" and gpu.concept == "GPU" and on:
            place = Item("NOT", None, gpu.start, gpu.start)
            return [*items[: at + 2], place, *items[at + 2 :]]
    return items


def _outlived(items: list[Item], at: int) -> bool:
    """Whether a model that is ruled out stands before the one that is run."""
    rest = [item.concept for item in items[at:]]
    return rest[0] == "MODELNAME" and "MODELNAME" in rest[1:]


def _denied(items: list[Item]) -> None:
    """ "not real time" can wait; of "not 7b, 70b" only the second is meant."""
    for index, item in enumerate(items[:-1]):
        if item.concept != "NOT":
            continue
        after = next(
            (i for i in items[index + 1 :] if i.concept not in ("NEED", "W")), item
        )
        if after.concept == "REALTIME":
            item.concept = after.concept = "OFFLINE"
        if _outlived(items, index + 1):
            items[index + 1].concept = "W"
        sizes = [i for i in items if i.concept == "NUMB"]
        if items[index + 1].concept == "NUMB" and sizes[-1] is not items[index + 1]:
            items[index + 1].concept = "W"


def _how_many(items: list[Item]) -> None:
    """ "quantas H100", "ile kart": how much of what is counted is how many."""
    for before, after in pairwise(items):
        if before.concept == "HOWMUCH" and after.concept in _COUNTABLE:
            before.concept = "HOWMANY"


def _within_sides(items: list[Item], plain: str) -> None:
    """ "300 in output", "1.5k in the prompt": "in" beside the word that tells.

    "9,870 in January" is no prompt.
    """
    for item in items:
        if item.value == "in" and _A_MONTH.match(plain, item.end):
            item.concept, item.value = "W", None
    for before, after in pairwise(items):
        if before.concept != "IN" or before.value != "in":
            continue
        spelled = after.concept in ("IN", "OUT") and after.end - after.start > 3
        near = not plain[before.end : after.start].strip(" the")
        if spelled and near:
            before.concept = after.concept


def _given_answers(items: list[Item], plain: str) -> None:
    """ "30k discharge summaries @ 2,800 tok": documents that are read, not written."""
    fours = zip(items, items[1:], items[2:], items[3:], items[4:], strict=False)
    for number, kind, answers, length, unit in fours:
        row = [one.concept for one in (number, kind, answers, length, unit)]
        if row != ["NUM", "W", "OUT", "NUM", "TOK"] or number.value < _A_PILE:
            continue
        joined = _SO_LONG.fullmatch(plain, answers.end, length.start)
        if joined and not _WRITES.search(plain, 0, number.start):
            answers.concept, answers.value = "DOC", None


_A_PILE = 1000
_SO_LONG = regex(
    r"[\s,(]*(?:@|at|of|with|x|averaging|a|mit|zu|de|di|van|con|avec|com|po)?"
    r"(?:\s(?:about|around|roughly|up to|je|~))?\s?~?"
)
_WRITES = regex(
    r"\b(?:writ\w+|generat\w+|produc\w+|draft\w*|creat\w+|mak(?:e|es|ing)|schreib\w*|"
    r"erzeug\w*|redig\w*|gener\w*|escrib\w*|scriv\w*|schrijv\w*)\b"
)


_A_MONTH = regex(rf"\s(?:{days.MONTH.pattern})(?!\s\w)")


_LIKE = regex(
    r"[\s-]*(?:class|level|grade|quality|calib(?:re|er)|tier|like|niveau|qualitat)\b"
)


_PRODUCTS = ("chatgpt", "chat gpt", "claude", "gemini", "copilot")
_OWN_ONE = regex(
    r"\b(?:private|own|in-?house|internal|company|corporate|self[- ]hosted|"
    r"on[- ]prem\w*|local|sovereign|secure|eigenes?|privates|internes|lokales|"
    r"propio|privado|interno|"
    r"proprio|privato|eigen)\s+(?:version of |kind of |type of )?$"
)
_OF_ITS_KIND = regex(
    r"[\s-]*(?:like|style|clone|equivalent|lookalike|alternative)\b|"
    r"\s(?:prive|interne|maison|propio|privado|interno|proprio|privato)\b"
)
OWN_CHAT = "own chat"
"""What "a private ChatGPT" is: an assistant on GPUs of one's own, no bill of an API."""


def _own_chats(items: list[Item], plain: str) -> None:
    """ "Our own ChatGPT", "ChatGPT-like": an assistant of that kind, hosted oneself."""
    if any(item.concept in ("SPEND", "CUR") for item in items):
        return  # what is paid for it today is weighed
    for item in items:
        if item.concept != "APINAME" or plain[item.start : item.end] not in _PRODUCTS:
            continue
        before = _OWN_ONE.search(plain, max(0, item.start - 40), item.start)
        if before or _OF_ITS_KIND.match(plain, item.end):
            item.concept, item.value = "INFER", OWN_CHAT


def _likened(items: list[Item], plain: str) -> None:
    """ "gpt-4 class quality" says how good a model is to be, and compares no bill."""
    for item in items:
        if item.concept == "APINAME" and _LIKE.match(plain, item.end):
            item.concept, item.value = "W", None


def _prompts(items: list[Item], plain: str) -> None:
    """ "20 prompts a minute" are requests; "4k prompts, 250 out" are so long."""
    concepts = {item.concept for item in items}
    sized = bool(concepts & {"TTFT", "TPOT", "PCTL", "CTX", "OUT"})
    drawn_from = any(
        item.value in ("grpo", "ppo") for item in items if item.concept == "METHOD"
    )
    job = bool(concepts & {"BATCH", "OFFLINE", "WORK", "METHOD", "FINETUNE", "STEP"})
    for index, item in enumerate(items):
        if item.concept == "REQ":
            counted_in_tokens = index > 0 and items[index - 1].concept == "TOK"
            written = plain[item.start : item.end] in ("completions", "generations")
            if written and (
                counted_in_tokens or (drawn_from and plain[item.start] == "c")
            ):
                item.concept = "OUT"
        elif item.concept == "DOC" and item.value == "prompt":
            number = items[index - 1] if index else None
            near = (
                number is not None
                and number.concept == "NUM"
                and not set(",;|-/\n.()") & set(plain[number.end : item.start])
            )
            counted = near and [i.concept for i in items[index - 2 : index - 1]] != [
                "EQ"
            ]
            rated = [i.concept for i in items[index + 1 : index + 2]]
            apart = rated in (["PER"], ["EACHTOK"], ["CONC"], ["TIMES"])
            said = sized or (counted and _is_apart_rate(items, index, number))
            if near and number is not None and number.suffix == "k":
                said = said or bool(_WITH.search(plain, 0, number.start))
            long = (
                counted
                and said
                and not job
                and not apart
                and (number is not None and 100 <= number.value <= 200_000)
            )
            following = [one.concept for one in items[index + 1 : index + 5]]
            keyed = following == ["EQ", "NUM", "PER", "TIME"]  # "prompts=12/day"
            item.concept = "REQ" if keyed or (counted and not long) else "IN"
            if drawn_from and near:
                item.concept = "SAMPLE"  # what a policy is trained on


_WITH = regex(r"\b(?:with|at|mit|bei|avec|con|com) (?:about |around |~)?$")
""" "A 70b with 32k prompts": how long they are."""


def _is_apart_rate(items: list[Item], index: int, number: Item | None) -> bool:
    """Whether requests by the time are told of before "4k prompts"."""
    if number is None or number.value < 1000:
        return False
    before = [item.concept for item in items[:index]]
    return any(pair == ("REQ", "PER") for pair in pairwise(before))


def _paid_providers(items: list[Item], plain: str) -> None:
    """A provider that is paid for tokens is an API: "we pay together $6k a month"."""
    concepts = {item.concept for item in items}
    for index, item in enumerate(items):
        if item.concept == "PROVIDER" and item.value in names().token_apis:
            before = {other.concept for other in items[max(0, index - 5) : index]}
            after = {other.concept for other in items[index + 1 : index + 3]}
            if (
                not concepts & {"RESERVED", "PRICING"}
                and not before & {"GPU"}
                and (before & {"SPEND", "BILL"} or after & {"BILL", "API", "SPEND"})
            ):
                item.concept = "APINAME"
    _turning_volumes(items, plain)
    _listed_apis(items)
    _held_against_own(items, plain)
    _before_an_api(items)
    if "MODELNAME" in concepts:
        if "CUR" in concepts:
            _paid_makers(items)
            _billed_models(items, plain)
        _weighed_models(items)


_TURNS = regex(
    r"\b(?:(?:which|what|how (?:many|much)|wie ?vielen?|welche[mnr]?|quel\w*|combien|"
    r"cuant\w+|que|quant\w+|hoeveel)\s(?:\w+\s){0,3}?(?:volumes?n?|tokens?|requests?|"
    r"traffic|menge|anfragen|requetes|peticiones)|volume where|when do(?:es)?)\b"
    r"[^.;?!]{0,60}?\b(?P<turn>beats?|cheaper|undercuts?|wins?|pays? off|gunstiger|"
    r"billiger|bat|moins cher\w*|mas barat\w|batte|goedkoper)\b"
)


def _turning_volumes(items: list[Item], plain: str) -> None:
    """ "How many tokens a day before an H100 beats Fireworks' 70B?": a break-even."""
    concepts = {item.concept for item in items}
    sides = concepts & {"GPU", "SELFHOST"}, concepts & {"PROVIDER", "APINAME", "CUR"}
    if all(sides) and (said := _TURNS.search(plain)):
        for item in items:
            if item.start <= said.start("turn") < item.end:
                item.concept, item.value = "BREAKEVEN", None


_JOINS_APIS = frozenset("W OR AND SLASH ALL A APINAME PROVIDER".split())


def _listed_apis(items: list[Item]) -> None:
    """Sellers named behind an API, or against hosting a model oneself, are APIs.

    "An API like together or fireworks", "self-hosted vs nebius".
    """
    concepts = {item.concept for item in items}
    if not concepts & {"API", "SELFHOST"} and not concepts >= {"APINAME", "COMPARE"}:
        return
    led = ""
    for item, behind in zip_longest(items, items[1:]):
        if item.concept == "PROVIDER" and led and item.value in names().token_apis:
            if behind is None or behind.concept != "GPU":
                item.concept = "APINAME"
        elif item.concept == "API":
            led = "API"
        elif item.concept == "APINAME":
            led = led or "VS"
        elif item.concept in ("VS", "THAN", "COMPARE") and "SELFHOST" in concepts:
            led = "VS"
        elif item.concept not in _JOINS_APIS and (led, item.concept) != ("API", "ON"):
            led = ""


_PLACED = regex(r"\b(?:on|at|from|in|with|via) $")


def _held_against_own(items: list[Item], plain: str) -> None:
    """ "Is Novita or Together cheaper than hosting it ourselves?": both are APIs."""
    concepts = {item.concept for item in items}
    own = "SELFHOST" in concepts and concepts & {"VS", "OR", "THAN", "COMPARE"}
    if "MODELNAME" not in concepts or not (own or "BREAKEVEN" in concepts):
        return
    named = [item for item in items if item.concept == "PROVIDER"]
    sold = names().token_apis
    placed = any(_PLACED.search(plain[: item.start]) for item in named)
    if not placed and all(item.value in sold for item in named):
        for item in named:
            item.concept = "APINAME"


def _before_an_api(items: list[Item]) -> None:
    """ "Deepinfra or the novita api": the first is one as well."""
    for first, joined, second in zip(items, items[1:], items[2:], strict=False):
        pair = (joined.concept, second.concept) == ("OR", "APINAME")
        if pair and first.concept == "PROVIDER" and first.value in names().token_apis:
            first.concept = "APINAME"


def _paid_makers(items: list[Item]) -> None:
    """ "we pay mistral $7k a month": a maker of models, for the use of its API."""
    for before, item, after in zip(items, items[1:], items[2:], strict=False):
        paid = before.concept == "SPEND" and after.concept == "CUR"
        if not paid or item.concept != "MODELNAME":
            continue
        if not (item.value.version or item.value.parts):
            item.concept, item.value = "APINAME", item.value.slug


_NEAR_BILL = 8


_SPENT_ON = regex(r"\s(?:for|on)\s(?:their |the )?")


def _billed_models(items: list[Item], plain: str) -> None:
    """ "the api bill is $5k/mo for mistral medium, would a 70b …": whose API it is."""
    sized = sum(item.concept in ("MODELNAME", "NUMB") for item in items)
    for at, item in enumerate(items):
        if item.concept != "MODELNAME" or at == 0:
            continue
        last = items[at - 2 if items[at - 1].concept == "DUR" else at - 1]
        if _SPENT_ON.fullmatch(plain, last.end, item.start) is None:
            continue
        near = {one.concept for one in items[max(0, at - _NEAR_BILL) : at]}
        if near >= {"CUR", "TIME"} and near & {"API", "APINAME"}:
            own = any(one.concept == "NUMB" for one in items[at + 1 : at + 2])
            if sized > 1 + own:
                item.concept, item.value = "APINAME", item.value.slug
                _leave_maker(items, item.value)
            return


def _leave_maker(items: list[Item], slug: str) -> None:
    """Keep "mistral-medium" of "the mistral api bill … for mistral medium"."""
    for item in items:
        if item.concept not in ("APINAME", "MODELNAME"):
            continue
        named = item.value.slug if item.concept == "MODELNAME" else item.value
        if slug.startswith(f"{named}-"):
            item.concept, item.value = "API", None


def _makers(items: list[Item], plain: str) -> None:
    """ "Cohere Command A" is a model and who made it, not a bill to weigh."""
    for maker, model in pairwise(items):
        if maker.concept != "APINAME" or model.concept != "MODELNAME":
            continue
        beside = plain[maker.end : model.start] in (" ", "'s ", "/")
        if beside and str(maker.value).isalpha():
            maker.concept, maker.value = "W", None


def _weighed_models(items: list[Item]) -> None:
    """ "mistral-medium API against qwen3 8b on our own": a model whose API is named."""
    named = [item for item in items if item.concept == "MODELNAME"]
    if len(named) < 2:
        return
    for first, second in pairwise(items):
        if {first.concept, second.concept} == {"MODELNAME", "API"}:
            item = first if first.concept == "MODELNAME" else second
            item.concept, item.value = "APINAME", item.value.slug
            _leave_maker(items, item.value)
            return


def _bare_sizes(items: list[Item], plain: str) -> None:
    """ "serve 70 on h100", "does 70 fit on it": a size that lost its "b", no count."""
    for index, item in enumerate(items):
        if item.concept != "NUM" or item.suffix or item.value not in _USUAL_SIZES:
            continue
        before = items[index - 1].concept if index else ""
        after = items[index + 1 : index + 4]
        if before not in _BEFORE_SIZE or not after:
            continue
        if after[0].concept == "FIT" or _stands_on(item, after, plain):
            item.base, item.suffix, item.concept = item.value, "b", "NUMB"
            item.value *= 1e9


def _stands_on(size: Item, after: list[Item], plain: str) -> bool:
    """Whether hardware follows behind "on", counted or not."""
    concepts = [item.concept for item in after]
    if concepts[0] in ("NUM", "XCOUNT", "A", "DUPLEX"):
        concepts = [c for c in concepts[1:] if c != "TIMES"]
    joined = plain[size.end : after[0].start].split()
    return concepts[:1] in (["GPU"], ["INSTANCE"], ["GPUWORD"]) and joined[:1] in _ON


def _sized_models(items: list[Item], plain: str) -> list[Item]:
    """Give a model named without its size the one bare size of the question."""
    named = [item for item in items if item.concept == "MODELNAME"]
    sizes = [
        (index, item)
        for index, item in enumerate(items)
        if item.concept == "NUMB" and not _counts(items, index)
    ]
    if len(named) != 1 or len(sizes) != 1 or named[0].value.sized:
        return items
    index, size = sizes[0]
    model: Named = named[0].value
    billions = size.base if size.suffix == "b" else size.value / 1e9
    if not _possible(model, billions) or _apart(items, named[0], index, plain):
        return items
    model.params_b = billions
    model.parts.append(f"{billions:g}b")
    named[0].start = min(named[0].start, size.start)
    named[0].end = max(named[0].end, size.end)
    return items[:index] + items[index + 1 :]


_SENTENCE = regex(r"[.?](?=\s)")


def _apart(items: list[Item], named: Item, index: int, plain: str) -> bool:
    """Whether a size stands off a name: "flux + 8b", "the 70b is cut. We're on …"."""
    model: Named = named.value
    first, second = sorted((named, items[index]), key=lambda item: item.start)
    between = plain[first.end : second.start]
    if model.family.modality is None:
        return first is not named and _SENTENCE.search(between) is not None
    return "".join(between.split()).strip("-_:(") != ""


def _possible(model: Named, billions: float) -> bool:
    """Whether the family was released in this size, or in none that is listed."""
    listed = model.family.sizes(model.version)
    return bool(model.parts) or not listed or f"{billions:g}" in listed


def _counts(items: list[Item], index: int) -> bool:
    """Whether billions count tokens or requests here, not parameters."""
    after = items[index + 1].concept if index + 1 < len(items) else ""
    before = items[index - 1].concept if index else ""
    sided = after in ("IN", "OUT") and [i.concept for i in items[index + 2 :][:1]] == [
        "TOK"
    ]
    return (
        sided
        or after in ("TOK", "REQ", "DOC", "SAMPLE", "ACTIVE")
        or before
        in (
            "CUR",
            "ACTIVE",
        )
    )

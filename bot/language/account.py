"""Account for every meaningful word: where fields were read, and what none holds.

A clause that states nothing is listed in the writer's words where it means something
for the answer: it demands, forbids or limits, or speaks of numbers and of things of
the trade. Greetings, thanks and small talk are left out.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, pairwise

from bot.language.days import WEEKDAY
from bot.language.items import Item
from bot.language.normalise import Clean, struck
from bot.language.reading import Reading
from bot.language.rules.alerts import WATCHED
from bot.language.rules.seeming import SEARCHED
from bot.language.stance import WHY
from bot.language.vocabulary import Phrases, phrases
from core.needed import Text
from core.patterns import regex
from core.query import LeftOut, NotUsed

Span = tuple[int, int]
_CLAUSE = regex(
    r"[;|\n?!()\[\]]+|[.:](?=\s|$)|,(?!\d)|\s[-–—]+\s|—"
    r"|\s(?=(?:and|but|so|while|because|und|aber|et|mais|y|pero) "
    r"(?:tell|show|give|let|we|it|they|i|the|that|there|one|wir|es|nous|il|have|has|must|may|need|each|every)\b)"
)
_WORD = regex(r"[^\W_]+(?:['’.,-][^\W_]+)*%?")
_ACRONYM = regex(r"\b[A-Z][A-Z0-9]{1,5}s?\b")
_COMPOUND = regex(r"(?<![\w-])[a-z][a-z\d]{2,}-[a-z]{3,}(?:-[a-z]+)?(?![\w-])")
_AMOUNT = regex(r"\d[\d.,]*\s?(?:%|x\b|[kmgt]?w\b|[kmgt]i?b\b|°|[a-z]{2,})|[$€£]\s?\d")
_PROPER = regex(r"(?<=[a-z,] )[A-Z][a-z]+")
_DIGIT = regex(r"\d[\d.,:/-]*\d|\d")
_DOMAIN = frozenset(
    "GPU GPUWORD NODE MODEL MODELNAME DATA TOPIC API CACHE SLA AVAIL PREC SAMPLE GB "
    "CERT "
    "STORAGE EGRESS CUR TOK REQ REGION PROVIDER QUANT PRICING SELFHOST SPEC PCT TIMES "
    "MULTIPLE HALF KWH RESERVED BUDGET BATCH ADAPTER LAT TTFT TPOT CTX IN OUT "
    "DUPLEX IMAGE "
    "EXTERNAL INTERNAL NOINTERRUPT USER PEAK".split()
)
"""Concepts of the trade: a clause that names one is seldom small talk."""
_WITHIN = ("IN", "in")
"""The preposition, which may also count tokens."""
_TELLING = frozenset(
    "W NUM NUMB NUMT NOT UNDER OVER SELFHOST TOPIC CERT NOINTERRUPT MULTIPLE HALF "
    "TIMES DUPLEX AUDIO SPEC XCOUNT REGION PROVIDER".split()
)
"""Without one of these a clause only asks, or says what was understood."""
_AMOUNTS = frozenset(("NUM", "NUMB", "NUMT"))
_MET = frozenset(("SLA", "AVAIL"))
"""What a clause demands and was read: "with a real SLA" holds nothing else."""
_DEMANDS = frozenset("NOT UNDER OVER NEED DEADLINE".split())
_ASKS = frozenset(
    "HOWMANY HOWMUCH HOWLONG CAPACITY EXPLAIN WHY CANI FIT OK CHEAP COST BREAKEVEN "
    "BILL GPUWORD".split()
)
"""What the first word of a question, or of its short form, is about."""
_ASKED = regex(r"\s*[?？]")
_ASKING = regex(
    r"(?:and |so |or |but |ok )?"
    r"(?:please )?(?:(?:tell|show|give) (?:me|us) |let (?:me|us) know )?"
    r"(?:what|which|who|how|why|where|when|can|could|do|does|did|is|are|should|would|will|am|was|wer|wie|welche\w*|wo|warum|quel\w*|combien|"
    r"que|cuant\w*|cual|qual\w*|quant\w*|wat|welk\w*|hoe\w*|ile|jak\w*|co|kac|hangi|"
    r"wo|kya|kitn\w*)\b(?!['’])"
)
_SHOULD_WE = regex(
    r"\b(?:should|must|shall|do|would|will) "
    r"(?:we|i|one|they|you|finance|(?:the|our) \w+)\b"
    r"(?: (?:need|have|want) to\b)?"
)
"""What a question asks for by, and no demand."""
_PART_ASKS = regex(
    r"(?:and |so |or |but |ok |also |plus )*(?:(?:what|which|how|who|where)\b|"
    r"(?:the )?(?:monthly |total |yearly )?(?:costs?|price|bill|budget)\b)"
)
_ANSWERED = frozenset(
    "GPUWORD COST BILL BUDGET GPU PRICE TOPIC HOWMANY HOWMUCH SPEND".split()
)
"""What every answer tells: GPUs and money."""
_OTHERWISE = regex(
    r"\b(?:split|sav\w+|wast\w+|burn\w*|risk\w*|sane|worth|get back|far|instead|if|"
    r"without|penalt\w+|late\w*|break)\b"
)
_PERSONAL = regex(
    r"\b(?:i|i'\w+|i’\w+|im|me|my|mine|you|you'\w+|your|u|ich|mir|mich|mein\w*|du|dir|"
    r"je|j'\w+|moi|mon|vous|tu|yo|usted\w*|meu|minha|voce\w*|io|mio|mia|ik|mij|mijn|"
    r"jullie|mnie|bana|mujhe|mera)\b"
)
"""One person speaking of himself or to the bot: small talk more often than a demand."""
_LIGHT = frozenset(("modality", "audience"))
"""Fields read from a word that may as well belong to something else said of it."""
_PASSING = frozenset(
    "region provider precision compare_api sla interruptible budget_amount "
    "budget_period budget_currency".split()
)
"""Fields whose word may stand in a sentence about something else."""
_INSIDE = regex(
    r"\b(?:in|within|inside|from|to|at|on|im|en|dans|nel|na|under|below|than|over)\s"
)
"""Before a place, a seller, a sum: the sentence is about where, or how much."""
_SAID_NO = regex(
    r"(?:(?:and|but|because|since|as) )?(?:(?:our|my|the) )?[\w ]{2,30}? "
    r"(?:said|says|told us)(?: no| so| that| it)?(?: to)?"
)
""" "Legal said no": who forbids what is read from other words."""
_UNITS = frozenset("TOK REQ PCT TIME GB USER CONC SAMPLE DOC".split())
"""What a number counts or measures that would change an answer."""


def accounted(
    text: str, clean: Clean, reading: Reading
) -> tuple[dict[str, tuple[Span, ...]], tuple[NotUsed, ...]]:
    """Return the spans of every field, and what is not used, in the original text."""
    spans = {
        field: tuple(dict.fromkeys(_placed(clean, place) for place in places))
        for field, places in reading.spans.items()
    }
    spans |= {field: (place,) for field, place in reading.weak.items()}
    if reading.fields.get("intent") in ("help", "out_of_scope"):
        return spans, ()
    found = sorted(_left(text, clean, reading, spans), key=lambda one: one.start)
    return spans, tuple(x for x in found if not _SAID_NO.fullmatch(x.text.lower()))


def _placed(clean: Clean, place: Span) -> Span:
    return clean.place(place[0]), clean.place(place[1] - 1) + 1


def _left(
    text: str, clean: Clean, reading: Reading, spans: dict[str, tuple[Span, ...]]
) -> Iterator[NotUsed]:
    covered = bytearray(len(text))
    light, strong = bytearray(len(text)), bytearray(len(text))
    for name, places in spans.items():
        if name in _LIGHT or (
            name == "budget_currency" and "budget_amount" not in spans
        ):
            _mark(light, places)
        elif name not in ("alert", "intent", "kind"):
            _mark(covered, places)
            _mark(strong, (p for p in places if _is_subject(name, text, p[0])))
    # What the work makes says no more where it is named again.
    made = reading.all(str(reading.fields.get("modality")).upper())
    _mark(light, (_placed(clean, (one.start, one.end)) for one in made))
    if reading.fields.get("intent") == "breakeven":
        _mark(covered, (_placed(clean, place) for place in _hosting(reading)))
    for one in _understood(text, clean, reading):
        yield one
        _mark(covered, [(one.start, one.end)])
    alert = reading.fields.get("intent") == "alert"
    for where in _clauses(clean.plain):
        inside = (one for one in reading.items if where[0] <= one.start < where[1])
        if alert and any(one.concept in _WAITS for one in inside):
            continue
        for one in _of_clause(text, clean, where, reading, (covered, light, strong)):
            yield one
            _mark(covered, [(one.start, one.end)])
    yield from _days(text, clean, reading, covered)
    if alert:
        return
    yield from _other_currencies(text, clean, reading, covered)
    yield from _numbers(text, clean, reading, covered)
    yield from _spelled(text, clean, reading, covered)


def _days(
    text: str, clean: Clean, reading: Reading, covered: bytearray
) -> Iterator[NotUsed]:
    """ "every monday", "by friday": days of the calendar that nothing is said on."""
    if (reading.fields.get("alert") or {}).get("schedule"):
        return
    ends = reading.stated(*_ENDING) and not reading.stated("deadline_hours")
    for found in _BY_A_DATE.finditer(clean.text) if ends else ():
        start, end = _placed(clean, found.span())
        if not any(covered[start:end]):
            _mark(covered, [(start, end)])
            yield _note(text, start, end, "a day of the calendar", "clause")
    for index in reading.places("DAYNAME"):
        led = reading.concept_at(index - 1) in ("PER", "DEADLINE", "EACHTOK")
        if led and index not in reading.taken:
            first, last = reading.items[index - 1], reading.items[index]
            start, end = _placed(clean, (first.start, last.end))
            if not any(covered[start:end]):
                yield _note(text, start, end, "a day of the calendar", "clause")


_ENDING = (
    "requests_total", "tokens_total", "audio_hours", "dataset_samples",
    "dataset_tokens",
)  # fmt: skip
"""Of work that ends: a date is when."""
_BY_A_DATE = regex(
    r"\b(?:by|before|until|till|bis|vor|avant|d'ici|antes de|para|prima di|entro|"
    r"voor)\s+"
    r"(?:(?:the |das |zum |le |la |el |il )?(?:end|start|beginning|middle|ende|fin|"
    r"final|fine|eind)\s+(?:of |der |des |de la |de |della |van )?)?"
    r"(?:(?:the )?(?:next|coming|following|nachste[nr]?|kommende[nr]?|volgende)\s+"
    r"(?:week|month|quarter|year|weekend|woche|monat|quartal|jahr|maand)|"
    r"(?:la semaine|le mois) prochaine?|la proxima semana|el proximo mes|"
    r"(?:the |this |dem |le |el |il |het )?(?:weekend|week-end|wochenende|"
    r"fin de semana|fine settimana)|"
    r"(?:christmas|easter|new year(?:'s(?: eve)?)?|thanksgiving|weihnachten|ostern|"
    r"noel|paques|navidad|natale|kerst)|"
    rf"(?:(?:the |this |next |coming |el |la |le |den |nachsten )?{WEEKDAY}"
    r"(?:[\s-]+(?:morning|noon|afternoon|evening|night|close of business|eod|fruh|"
    r"mittag|abend|matin|midi|soir))?))\b"
)
UNHELD = "no field holds it"
"""Why words are left that nothing else explains: no past, no measurement, no quote."""


def _is_subject(name: str, text: str, start: int) -> bool:
    """Whether a clause is about the field that is read in it."""
    if name not in _PASSING:
        return True
    before = text[max(0, start - 12) : start + 4].lower()
    return _INSIDE.search(before) is not None


def _hosting(reading: Reading) -> Iterator[Span]:
    """Words for hosting a model oneself: what an API is held against."""
    for item in reading.all("SELFHOST"):
        if "host" in reading.plain[item.start : item.end]:
            yield item.start, item.end


def _understood(text: str, clean: Clean, reading: Reading) -> Iterator[NotUsed]:
    """What was read and is not wanted: crossed out, pasted, taken back, a price."""
    for start, end in struck(text):
        yield _note(text, start, end, "crossed out", "aside")
    for start, end, why in reading.pasted_unused:
        yield _note(text, start, end, why, "aside")
    for said in reading.stances:
        if said.kind in ("retracted", "outlived"):
            place = _placed(clean, (said.start, said.end))
            yield _note(text, *place, WHY[said.kind], "clause")
    for start, end, why in _explained(reading):
        kind: LeftOut = "aside" if why == SEARCHED else "number"
        yield _note(text, *_placed(clean, (start, end)), why, kind)


def _explained(reading: Reading) -> Iterator[tuple[int, int, str]]:
    """Numbers that were understood and state nothing that is wanted."""
    yield from reading.left
    for note in reading.notes.get("~muted", ()):
        items = reading.items
        yield items[note.start].start, items[note.end - 1].end, str(note.value)
    for name, why in (("~price", "a price; prices come from the feeds"),
                      ("~sampler_steps", "sampling steps have no field"),
                      ("~nodes", "nodes of no stated size")):  # fmt: skip
        for note in reading.notes.get(name, ()):
            if note.start not in reading.taken:
                continue
            first, last = reading.items[note.start], reading.items[note.end - 1]
            yield first.start, last.end, why


def _clauses(plain: str) -> Iterator[Span]:
    start = 0
    for found in _CLAUSE.finditer(plain):
        if plain[start : found.start()].strip():
            yield _trimmed(plain, start, found.start())
        start = found.end()
    if plain[start:].strip():
        yield _trimmed(plain, start, len(plain))


def _trimmed(plain: str, start: int, end: int) -> Span:
    part = plain[start:end]
    return start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())


_WAITS = {*WATCHED, "ALERT"} - {"COST", "BILL"}
"""A cost alone is that of something else: "blended cost per 1M tokens"."""


def _of_clause(
    text: str,
    clean: Clean,
    where: Span,
    reading: Reading,
    read: tuple[bytearray, bytearray, bytearray],
) -> Iterator[NotUsed]:
    """The clause itself where it states nothing, else what of it is not read."""
    covered, light, strong = read
    start, end = _placed(clean, where)
    part = Text(clean.text[where[0] : where[1]])
    own = start
    while own < end and start and covered[start - 1] and text[own].isalnum():
        own += 1  # what the clause before reaches over
    written = list(map(str.isalnum, text[own:end]))
    letters, used = sum(written), sum(compress(covered[own:end], written))
    first = bisect_left(reading.starts, where[0])
    items = reading.items[first : bisect_left(reading.starts, where[1])]
    if not letters or _is_key(text, start, end):
        return
    if used <= 0.15 * letters and not any(strong[own:end]):
        said = [
            item
            for item in items
            if clean.place(item.start) >= own
            and not light[clean.place(item.start)]
            and not (covered[clean.place(item.start)] and item.concept in _MET)
        ]
        if not any(item.concept in _TELLING for item in said) and not _states(part):
            return
        free = "".join(
            " " if covered[at] or light[at] else text[at] for at in range(start, end)
        )
        if means(text, (start, end), part, said, where[0], free):
            yield _note(text, start, end, UNHELD, "clause")
        return
    if _asks(text, end, part, items, where[0]):
        return
    telling = [clean.place(i.start) for i in items if i.concept in _TELLING]
    unknown = {clean.place(i.start) for i in items if i.concept == "W"}
    told_of = bytes(map(max, covered[start:end], light[start:end]))
    for one, leads in _rest(text, start, end, told_of):
        inside = range(one.start, one.end)
        new = any(at in inside for at in unknown)
        network = _OWN_NETWORK.fullmatch(one.text.lower())
        named = network is not None and "provider" in reading.fields
        told = any(at in inside for at in telling)
        if told and not named and _run_means(one.text, new, leads):
            yield one


_OWN_NETWORK = regex(
    r"(?:(?:with)?in|inside|from) (?:of )?(?:our|my|the|an?|their) (?:own |private )*"
    r"(?:vpc|vnet|accounts?|subscription|tenan(?:t|cy)|project|private network|network)"
)
"""Where a seller is named, machines stand in a network of one's own anyway."""
_KEY = regex(r"[\w. -]{0,10}?[\w.-]+")
_ASSIGNS = regex(r"\s?[:=](?=\S|\s+\S)")


def _is_key(text: str, start: int, end: int) -> bool:
    """Whether a stretch only names the value that follows: "- region: eu"."""
    return bool(_ASSIGNS.match(text, end) and _KEY.fullmatch(text, start, end))


def _states(part: str) -> bool:
    """Whether a clause tells of things in a sentence: "each customer brings their own".

    Small talk is of the writer and the reader, or is no sentence.
    """
    first = _phrases("subject").find(part)
    return bool(first) and first[0].start == 0 and len(_WORD.findall(part)) >= _SENTENCE


_SENTENCE = 4
"""Words of a sentence that tells something: a subject, a verb, and of what."""


def means(
    text: str, place: Span, part: str, items: Sequence[Item], at: int, free: str
) -> bool:
    """Whether a clause that states nothing means something for the answer.

    `at`: where the clause stands in the plain text; `free`: it, without what was read.
    """
    start, end = place
    written = text[start:end]
    concepts = {one.concept for one in items if (one.concept, one.value) != _WITHIN}
    counts = any(  # in words: "delivery is nine months"
        one.concept in _AMOUNTS and unit.concept not in ("W", *_AMOUNTS)
        for one, unit in pairwise(items)
    )
    score = (
        1.0 * bool(concepts & _DEMANDS or _phrases("constraint").find(part))
        + 1.0 * bool(concepts & _DOMAIN)
        + 1.0 * bool(_phrases("domain").find(part))
        + 1.0 * bool(_AMOUNT.search(part) or counts)
        + 0.7 * bool(_has_acronym(free) and not written.isupper())
        + 0.7 * bool(_COMPOUND.search(free.lower()))
        + 0.5 * bool(_PROPER.search(written))
        + 0.5 * (sum(item.concept == "W" for item in items) > 1)
        - 1.6 * len(_phrases("chatter").find(part))
        - 0.8 * bool(_PERSONAL.search(part))
        + 1.0 * _states(part)
        - 1.5 * _asks(text, end, part, items, at)
        - 1.5 * _only_asks(text, end, part, concepts)
    )
    return score >= (1.0 if len(_WORD.findall(part)) > 1 else 0.7)


def _asks(text: str, end: int, part: str, items: Sequence[Item], at: int) -> bool:
    """Whether a clause only asks: what is asked for is no condition of it."""
    first = items[0] if items and items[0].start == at else None
    short = first is not None and first.concept in _ASKS
    return short or bool(_ASKED.match(text, end) or _ASKING.match(part))


def _only_asks(text: str, end: int, part: str, concepts: set[str]) -> bool:
    """Whether it is the question itself: "what budget should I ask for?".

    A part of a longer question is one where it asks for GPUs or money and no more.
    """
    whole = _ASKED.match(text, end) and _ASKING.match(part)
    if not whole and _PART_ASKS.match(part) and concepts & _ANSWERED:
        return not _OTHERWISE.search(part) and not _DIGIT.search(part)
    less = _SHOULD_WE.sub("", part)
    demands = _DEMANDS - {"NEED"} if less != part else _DEMANDS
    told = concepts & demands or _phrases("constraint").find(less)
    return bool(whole) and not told and not _DIGIT.search(part)


def _phrases(key: str) -> Phrases:
    return phrases("account", key)


def _rest(
    text: str, start: int, end: int, read: bytes
) -> Iterator[tuple[NotUsed, bool]]:
    """The unread stretches of a clause, and whether what follows one was read.

    `read`: of each of its characters, whether it was read.
    """
    run: list[Span] = []
    for word in (*_WORD.finditer(text, start, end), None):
        if word is not None and not any(
            read[word.start() - start : word.end() - start]
        ):
            run.append(word.span())
            continue
        if run:
            bound = word is not None and text[word.start()].isdigit()
            joins = _JOINS | _BOUNDS if bound else _JOINS
            said = len(run)
            while run and text[slice(*run[-1])].lower() in joins:
                run.pop()
            if bound and len(run) < min(said, _SUBJECT + 1):
                run = []  # "streaming at no less than 40"
            if run and not _is_key(text, run[0][0], run[-1][1]):
                a, b = run[0][0], run[-1][1]
                left = _note(text, a, b, UNHELD, "clause")
                yield left, word is not None
            run = []


_JOINS = frozenset(
    "a an the of on for is are with in at to and or from by per as".split()
)
"""What only joins an unread stretch to the words behind it, which were read."""
_BOUNDS = frozenset(
    "no not less fewer more than least most minimum maximum min max under over below "
    "above up around about roughly".split()
)
"""Before a number that was read, which bound it was: "at no less than 40"."""
_SUBJECT = 2
"""Words before a bound that only say of what it is."""


_HEADS = frozenset(
    "region regions results answers requests prompts images samples traffic machine "
    "machines cluster clusters rack racks cage basement office".split()
)
"""Alone, the noun of something that was read: "London region"."""
_OF_A_BILL = regex(
    r"(?:(?:our|the|my) )?(?:\w+ )?(?:bill|invoice) (?:shows|says|lists)(?: \w+)?"
)
_OF_A_LOAD = regex(
    r"(?:(?:of|from) )?(?:(?:our|the|a|this|mobile|web|app|website|shop|site|live|"
    r"normal|usual|user|users?'|chat|chatbot|api|only|gets?|sees?|has) ){0,6}"
    r"(?:traffic|requests|calls|load)"
    r"(?: (?:between|from|on (?:black friday|cyber monday|launch day|sundays?)))?"
)
_TURNS = regex(r"\b(?:never|not|no|half|third|quarter|without|nor|except)\b")


def _run_means(written: str, unknown: bool, leads: bool) -> bool:
    """Whether unread words inside a clause mean something: "air-gapped", "ECC only".

    A demand that leads to what was read is met by that: "must stay in the EU".
    """
    part = Text(written.lower())
    if _phrases("chatter").find(part) or _PERSONAL.search(part):
        return False
    if part in _HEADS or _OF_A_BILL.fullmatch(part) or _OF_A_LOAD.fullmatch(part):
        return False
    if _COMPOUND.search(part) or _phrases("domain").find(part):
        return True
    if not unknown:
        return False
    free = not leads or _TURNS.search(part)
    bound = free and " " in part and _phrases("constraint").find(part)
    return bool(bound or _has_acronym(written))


def _has_acronym(written: str) -> bool:
    """Whether an acronym stands there that is none of everyday use: "GPUs", "IDE"."""
    usual = _phrases("acronym")
    return any(
        not usual.find(Text(found[0].lower())) for found in _ACRONYM.finditer(written)
    )


def _numbers(
    text: str, clean: Clean, reading: Reading, covered: bytearray
) -> Iterator[NotUsed]:
    """Every number that is neither used nor listed; told where it counts a load."""
    ends = {}
    for item, unit in pairwise(reading.items):
        timed = unit.concept == "PER" and unit.end - unit.start > 1  # "0.8/s"
        if item.concept in _AMOUNTS and (unit.concept in _UNITS or timed):
            start, end = _placed(clean, (item.start, unit.end))
            ends[start] = end
    why = "no amount of the workload"
    for found in _DIGIT.finditer(text):
        start, end = found.span()
        if all(covered[start:end]):
            continue
        if start in ends:
            yield _note(text, start, ends[start], why, "number")
        else:
            yield _note(text, start, end, why, "aside")


def _other_currencies(
    text: str, clean: Clean, reading: Reading, covered: bytearray
) -> Iterator[NotUsed]:
    """A currency that is named beside the one in which a sum is stated."""
    stated = reading.fields.get("budget_currency")
    for item in reading.all("CUR") if "budget_amount" in reading.fields else ():
        start, end = _placed(clean, (item.start, item.end))
        if item.value != stated and not any(covered[start:end]):
            yield _note(text, start, end, "the sum is in another currency", "clause")


def _spelled(
    text: str, clean: Clean, reading: Reading, covered: bytearray
) -> Iterator[NotUsed]:
    """Every number in words that counts something and is not used."""
    for index, item in enumerate(reading.items):
        if item.concept not in _AMOUNTS or not reading.counts_something(index + 1):
            continue
        start, end = _placed(clean, (item.start, item.end))
        if text[start:end].isalpha() and not any(covered[start:end]):
            yield _note(text, start, end, "no amount of the workload", "aside")


def _mark(covered: bytearray, places: Iterable[Span]) -> None:
    for start, end in places:
        covered[start:end] = b"\x01" * (min(end, len(covered)) - start)


def _note(text: str, start: int, end: int, why: str, kind: LeftOut) -> NotUsed:
    return NotUsed(start=start, end=end, text=text[start:end], why=why, kind=kind)

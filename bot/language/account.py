"""Account for every meaningful word: where fields were read, and what none holds.

A clause that states nothing is listed in the writer's words where it means something
for the answer: it demands, forbids or limits, or speaks of numbers and of things of
the trade. Greetings, thanks and small talk are left out.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from bot.language.normalise import Clean, struck
from bot.language.reading import Reading
from bot.language.vocabulary import Phrases, phrases
from core.query import LeftOut, NotUsed

Span = tuple[int, int]
_CLAUSE = re.compile(
    r"[;|\n?!()\[\]]+|[.:](?=\s|$)|,(?!\d)|\s[-–—]+\s|—"
    r"|\s(?=(?:and|but|so|while|because|und|aber|et|mais|y|pero) "
    r"(?:we|it|they|i|the|that|there|one|wir|es|nous|il|have|has|must|may|need|each|every)\b)"
)
_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*%?")
_ACRONYM = re.compile(r"\b[A-Z][A-Z0-9]{1,5}s?\b")
_COMPOUND = re.compile(r"(?<![\w-])[a-z]{3,}-[a-z]{3,}(?:-[a-z]+)?(?![\w-])")
_AMOUNT = re.compile(
    r"\d[\d.,]*\s?(?:%|x\b|[kmgt]?w\b|[kmgt]i?b\b|°|[a-z]{2,})|[$€£]\s?\d"
)
_DIGIT = re.compile(r"\d[\d.,:/-]*\d|\d")
_DOMAIN = frozenset(
    "GPU GPUWORD NODE MODEL MODELNAME DATA TOPIC API CACHE SLA AVAIL PREC SAMPLE GB "
    "CERT "
    "STORAGE EGRESS CUR TOK REQ REGION PROVIDER QUANT PRICING SELFHOST SPEC PCT TIMES "
    "MULTIPLE HALF KWH RESERVED BUDGET BATCH ADAPTER LAT TTFT TPOT CTX IN OUT "
    "DUPLEX IMAGE "
    "EXTERNAL INTERNAL NOINTERRUPT USER PEAK".split()
)
"""Concepts of the trade: a clause that names one is seldom small talk."""
_TELLING = frozenset(
    "W NUM NUMB NUMT NOT UNDER OVER SELFHOST TOPIC CERT NOINTERRUPT MULTIPLE HALF "
    "TIMES "
    "XCOUNT REGION PROVIDER".split()
)
"""Without one of these a clause only asks, or says what was understood."""
_AMOUNTS = frozenset(("NUM", "NUMB", "NUMT"))
_DEMANDS = frozenset("NOT UNDER OVER NEED DEADLINE".split())


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
    return spans, tuple(found)


def _placed(clean: Clean, place: Span) -> Span:
    return clean.place(place[0]), clean.place(place[1] - 1) + 1


def _left(
    text: str, clean: Clean, reading: Reading, spans: dict[str, tuple[Span, ...]]
) -> Iterator[NotUsed]:
    covered = bytearray(len(text))
    for name, places in spans.items():
        if name not in ("alert", "intent", "kind"):
            _mark(covered, places)
    if reading.fields.get("intent") == "breakeven":
        _mark(covered, (_placed(clean, place) for place in _hosting(reading)))
    for one in _understood(text, clean, reading):
        yield one
        _mark(covered, [(one.start, one.end)])
    if reading.fields.get("intent") == "alert":
        return
    for where in _clauses(clean.text):
        for one in _of_clause(text, clean, where, reading, covered):
            yield one
            _mark(covered, [(one.start, one.end)])
    yield from _numbers(text, covered)
    yield from _spelled(text, clean, reading, covered)


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
        if said.kind == "retracted":
            place = _placed(clean, (said.start, said.end))
            yield _note(text, *place, "taken back", "clause")
    for start, end, why in _explained(reading):
        yield _note(text, *_placed(clean, (start, end)), why, "number")


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


def _of_clause(
    text: str, clean: Clean, where: Span, reading: Reading, covered: bytearray
) -> Iterator[NotUsed]:
    """The clause itself where it states nothing, else what of it is not read."""
    start, end = _placed(clean, where)
    part = clean.text[where[0] : where[1]]
    letters = [i for i in range(start, end) if text[i].isalnum()]
    used = sum(covered[i] for i in letters)
    first = bisect_left(reading.starts, where[0])
    items = reading.items[first : bisect_left(reading.starts, where[1])]
    if not letters or _is_key(text, start, end):
        return
    concepts = {item.concept for item in items}
    if used <= 0.15 * len(letters):
        if concepts & _TELLING and means(text[start:end], part, concepts):
            yield _note(text, start, end, "no field holds it", "clause")
        return
    telling = [_placed(clean, (i.start, i.end)) for i in items if i.concept in _TELLING]
    for one in _rest(text, start, end, covered):
        if any(one.start <= a < one.end for a, _ in telling):
            yield one


_KEY = re.compile(r"[\w. -]{0,10}?[\w.-]+")
_ASSIGNS = re.compile(r"\s?[:=](?=\S|\s+\S)")


def _is_key(text: str, start: int, end: int) -> bool:
    """Whether a stretch only names the value that follows: "- region: eu"."""
    return bool(_KEY.fullmatch(text, start, end) and _ASSIGNS.match(text, end))


def means(written: str, part: str, concepts: Iterable[str]) -> bool:
    """Whether a clause that states nothing means something for the answer."""
    concepts = set(concepts)
    chatter = len(_phrases("chatter").find(part))
    words = max(len(_WORD.findall(part)), 1)
    score = (
        1.0 * bool(concepts & _DEMANDS or _phrases("constraint").find(part))
        + 1.0 * bool(concepts & _DOMAIN)
        + 1.0 * bool(_phrases("domain").find(part))
        + 1.0 * bool(_AMOUNT.search(part))
        + 0.7 * bool(_ACRONYM.search(written) and not written.isupper())
        + 0.7 * bool(_COMPOUND.search(part))
        - 1.6 * chatter
    )
    return score >= (1.0 if words > 1 else 0.7)


def _phrases(key: str) -> Phrases:
    return phrases("account", key)


def _rest(text: str, start: int, end: int, covered: bytearray) -> Iterator[NotUsed]:
    """The unread stretches of a clause that states something."""
    run: list[Span] = []
    for word in (*_WORD.finditer(text, start, end), None):
        if word is not None and not any(covered[word.start() : word.end()]):
            run.append(word.span())
            continue
        if run:
            a, b = run[0][0], run[-1][1]
            written = text[a:b]
            if not _is_key(text, a, b) and _run_means(written):
                yield _note(text, a, b, "no field holds it", "clause")
            run = []


def _run_means(written: str) -> bool:
    """Whether unread words inside a clause mean something: "air-gapped", "ECC only"."""
    part = written.lower()
    if _phrases("chatter").find(part):
        return False
    told = _COMPOUND.search(part) or _phrases("domain").find(part)
    return bool(told or (_phrases("constraint").find(part) and " " in part))


def _numbers(text: str, covered: bytearray) -> Iterator[NotUsed]:
    """Every number that is neither used nor listed yet."""
    for found in _DIGIT.finditer(text):
        if not all(covered[found.start() : found.end()]):
            yield _note(
                text, found.start(), found.end(), "no amount of the workload", "aside"
            )


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
    return NotUsed.model_construct(
        start=start, end=end, text=text[start:end], why=why, kind=kind
    )

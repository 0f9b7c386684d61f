"""A second reader: weighs by what was learned whether each number was read rightly.

The rules read a question first. Then this reader, which has learned from questions that
people labelled, and from what the rules of the day had made of them, weighs every
number: its words on both sides, its clause, and which field the rules gave it. Where it
is sure that a number tells of something else, or of another field, the question is read
once more with that known. So it does for what is asked and for the kind of work.

`second.toml` holds the weights; tests/bench/learn_second.py makes it.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from msgspec import Struct

from bot.language.normalise import Clean
from bot.language.reading import Reading
from core.patterns import regex
from core.query import Query
from core.reference.tables import read_table

NONE = "none"
AMOUNTS = frozenset("NUM NUMB NUMT XCOUNT DUPLEX HALF MULTIPLE FACTOR".split())
_ENDS = regex(r"[;|\n?!]|\.(?=\s|$)|\s-\s|—|--")
_WORDS = regex(r"[^\W\d_]+|\d+|[%$€£#@~^]")
_BRACKETS = frozenset("()[]")
_FROM_BEFORE, _FROM_BEHIND = 14, 14
"""Words of its clause on either side of a number that are looked at."""

SECONDS = {
    "ms": 0.001, "second": 1.0, "minute": 60.0, "hour": 3_600.0, "day": 86_400.0,
    "week": 604_800.0, "month": 2_592_000.0, "year": 31_536_000.0,
}  # fmt: skip
_PERIODS = {"budget_amount": "budget_period", "api_spend_amount": "api_spend_period"}
_PAID_BY = frozenset(("hour", "day", "month", "year"))
_RATES = frozenset(("rps", "peak_rps", "tokens_per_second"))
_WAITS = frozenset(("ttft_ms", "tpot_ms", "e2e_ms"))
_SPANS = frozenset(("deadline_hours", "duration_hours"))
_SHARES = frozenset(("utilization", "cache_hit_rate", "input_share"))
_PLAIN = frozenset(
    "users concurrency requests_per_user_per_day requests_per_day requests_per_month "
    "requests_total batch_size tokens_total tokens_per_day tokens_per_month "
    "input_tokens output_tokens total_tokens_per_request context tok_s_per_user count "
    "model_count epochs steps lora_rank dataset_tokens dataset_samples "
    "tokens_per_sample budget_amount api_spend_amount hours_per_day days_per_week "
    "params_b active_params_b".split()
)
_PER_TIME = tuple(
    1 / seconds for seconds in (1, 60, 3600, 86400, 604800, 2592000, 2628000)
)
_WAYS: dict[str, tuple[float, ...]] = {
    **dict.fromkeys(_PLAIN, (1.0,)),
    **dict.fromkeys(_RATES, _PER_TIME),
    **dict.fromkeys(_WAITS, (1.0, 1_000.0, 60_000.0)),
    **dict.fromkeys(_SPANS, (1.0, 24.0, 168.0, 1 / 60, 720.0, 730.0)),
    **dict.fromkeys(_SHARES, (0.01, 1.0)),
    "sla": (1.0,),
    "term_months": (1.0, 12.0),
    "params_b": (1.0, 1e-9, 0.001),
    "active_params_b": (1.0, 1e-9, 0.001),
    "requests_per_day": (1.0, 24.0, 1_440.0, 1 / 7, 1 / 30),
    "requests_per_user_per_day": (1.0, 24.0, 1 / 7, 0.2),
    "images_per_minute": (1.0, 60.0, 1 / 60, 1 / 1_440),
    "audio_hours": (1.0, 1 / 60),
    **dict.fromkeys(
        ("input_tokens", "output_tokens", "total_tokens_per_request", "context",
         "tokens_per_sample"),
        (1.0, 1.024, 4 / 3, 1.3),
    ),
}  # fmt: skip
"""By what a number is multiplied to be the value of a field."""
FIELDS = frozenset(_WAYS)
_KEPT = frozenset(("sla",))
"""Fields that are taken from no number: labels tell them in several ways."""


class Number(Struct):
    """A number of the text, and the field that the rules gave it."""

    index: int
    value: float
    suffix: str
    role: str = NONE
    near: str = NONE
    """A field in whose words it stands, and whose value is another."""


class Seen(Struct):
    """What is looked at: the row of meanings as the rules found it, and their query."""

    plain: str
    concepts: Sequence[str]
    places: Sequence[tuple[int, int]]
    numbers: list[Number]
    stated: Mapping[str, object]
    stances: Sequence[tuple[int, int, str]]


class Told(Struct, frozen=True):
    """What the second reader is sure of."""

    gone: tuple[int, ...] = ()
    """The numbers that state nothing that is wanted."""
    said: tuple[tuple[int, int, str, float], ...] = ()
    """From which item to which a field is told, and its value."""
    intent: str | None = None
    kind: str | None = None
    names: tuple[tuple[int, str], ...] = ()
    """The names that belong elsewhere, and where."""


def is_value(field: str, value: object, number: float, other: float | None) -> bool:
    """Whether a number, in some unit, is the value of a field."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    near = 2e-3 * max(1e-9, abs(value))
    return any(
        abs(one * way - value) <= near
        for one in ((number,) if other is None else (number, other))
        for way in _WAYS.get(field, ())
    )


# -- what is looked at -------------------------------------------------------------------


def clue_of(seen: Seen, place: int) -> Iterator[str]:
    """Everything that is looked at of one number."""
    number = seen.numbers[place]
    k, role = number.index, number.role
    plain, spots, concepts = seen.plain, seen.places, seen.concepts
    last = len(concepts)

    def concept(at: int) -> str:
        return concepts[at] if 0 <= at < last else ("^" if at < 0 else "$")

    def word(at: int) -> str:
        if not 0 <= at < last:
            return ""
        return "#" if concepts[at] in AMOUNTS else plain[spots[at][0] : spots[at][1]]

    def gap(at: int) -> str:
        if not 0 < at < last:
            return "E"
        written = plain[spots[at - 1][1] : spots[at][0]]
        if written in (" ", ""):
            return "_"
        if _ENDS.search(written):
            return "S"
        if not _BRACKETS.isdisjoint(written):
            return "B"
        return next((one for one in ",:/" if one in written), "_")

    size = _size(number.value)
    c = [concept(k + at) for at in range(-5, 6)]
    w = [word(k + at) for at in range(-4, 5)]
    before, behind, ahead = gap(k), gap(k + 1), gap(k + 2)
    yield f"c{concepts[k]}"
    yield f"m{size}"
    yield f"s{number.suffix}"
    for at in (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5):
        yield f"{at}{c[5 + at]}"
    for at in (-4, -3, -2, -1, 1, 2, 3, 4):
        yield f"{at}:{w[4 + at]}"
    yield f"-2-1{c[3]} {c[4]}"
    yield f"-1+1{c[4]} {c[6]}"
    yield f"+1+2{c[6]} {c[7]}"
    yield f"+2+3{c[7]} {c[8]}"
    yield f"+1+2:{w[5]} {w[6]}"
    yield f"-2-1:{w[2]} {w[3]}"
    yield f"+++{c[6]} {c[7]} {c[8]}"
    yield f"g+{behind}{c[6]}"
    yield f"g-{before}{c[4]}"
    yield f"g++{behind}{ahead}{c[6]}{c[7]}"
    yield f"g{before}{behind}"
    yield f"m+{size}{c[6]}"
    yield f"m-{size}{c[4]}"
    start, end = _clause(plain, spots[k])
    left = _WORDS.findall(plain, start, spots[k][0])[-_FROM_BEFORE:]
    right = _WORDS.findall(plain, spots[k][1], end)[:_FROM_BEHIND]
    own = role if role != NONE else f"~{number.near}"
    known = own != f"~{NONE}"
    for one in set(left):
        yield f"<{one}"
        if known:
            yield f"{own}<{one}"
    for one in set(right):
        yield f">{one}"
        if known:
            yield f"{own}>{one}"
    for one in left[-3:]:
        yield f"<<{one}"
    for one in right[:3]:
        yield f">>{one}"
    for one in [one for one in right[:5] if len(one) > 3][:2]:
        yield f">-{one[-3:]}"
        yield f">^{one[:4]}"
    yield f"e{plain[end : end + 1]}"
    first = left[:2]
    for one in first:
        yield f"f{one}"
        yield f"f{role}{one}"
    for one in set(concepts):
        yield f"C{one}"
    inside = {concepts[at] for at in range(last) if start <= spots[at][0] < end}
    for one in inside:
        yield f"I{one}"
        yield f"I{role}{one}"
    for a, b, stance in seen.stances:
        if a <= spots[k][0] < b:
            yield f"t{stance}"
            yield f"t{stance}{role}"
    yield f"r{role}"
    yield f"n{number.near}"
    if known:
        for at in (-2, -1, 1, 2):
            yield f"{own}{at}{c[5 + at]}"
            yield f"{own}{at}:{w[4 + at]}"
        yield f"{own}m{size}"
        yield f"{own}g{before}{behind}"
        yield f"{own}-+{c[4]}{c[6]}"
    for field in seen.stated:
        yield f"S{field}"
    yield f"i{seen.stated.get('intent')}"
    yield f"k{seen.stated.get('kind')}"
    others = seen.numbers
    led = others[place - 1].role if place else "^"
    next_role = others[place + 1].role if place + 1 < len(others) else "$"
    yield f"p{led}"
    yield f"q{next_role}"
    yield f"pq{led},{role},{next_role}"
    yield f"p{led},{role},{before}{c[4]}"
    yield f"q{next_role},{role},{behind}{c[6]}"
    told = sum(one.role == role for one in others)
    if told > 1 and role != NONE:
        yield f"twice{role}"
    yield f"N{min(len(others), 8)}"
    yield f"L{min(sum(one.role == NONE for one in others), 4)}"
    near = next((o for o in concepts[k + 1 : k + 7] if o not in _EMPTY), "$")
    far = next(
        (o for o in reversed(concepts[max(0, k - 6) : k]) if o not in _EMPTY), "^"
    )
    yield f"x{near}"
    yield f"y{far}"
    yield f"xy{near}{far}"
    yield f"{role}xy{near}{far}"


_EMPTY = frozenset(("W", "A"))


def _size(value: float) -> int:
    """How large a number is, in half powers of ten."""
    return math.floor(2 * math.log10(value)) if value > 0 else -9


def _clause(plain: str, spot: tuple[int, int]) -> tuple[int, int]:
    start = 0
    for found in _ENDS.finditer(plain):
        if found.end() <= spot[0]:
            start = found.end()
        elif found.start() >= spot[1]:
            return start, found.start()
    return start, len(plain)


def numbers_of(
    row: Sequence[tuple[str, Any, float | None]],
    starts: Sequence[int],
    stated: Mapping[str, object],
    spans: Mapping[str, Sequence[tuple[int, int]]],
) -> list[Number]:
    """The numbers of a row, each with the field in whose span it stands.

    `starts`: where each item begins in the original text, as the spans do.
    """
    told = [
        (field, stated.get(field), a, b)
        for field, places in spans.items()
        if field in FIELDS
        for a, b in places
    ]
    found = []
    for index, (concept, value, other) in enumerate(row):
        if concept not in AMOUNTS or not isinstance(value, int | float):
            continue
        role = near = NONE
        for field, meant, a, b in told:
            if a <= starts[index] < b:
                if is_value(field, meant, value, other):
                    role = field if role == NONE else role
                elif near == NONE:
                    near = field
        found.append(Number(index, float(value), "", role, near))
    return found


def clues_of_all(seen: Seen, own: str) -> Iterator[str]:
    """Everything that is looked at of a whole question, beside what was made of it."""
    concepts, plain = seen.concepts, seen.plain
    words = _WORDS.findall(plain)
    yield f"r{own}"
    for one in set(concepts):
        yield f"C{one}"
        yield f"{own}C{one}"
    for one in set(words):
        yield f"w{one}"
        yield f"{own}w{one}"
    for one, two in pairwise(words):
        yield f"ww{one} {two}"
    for one, two in pairwise(concepts):
        yield f"c{one} {two}"
    for one, two, three in zip(concepts, concepts[1:], concepts[2:], strict=False):
        yield f"cc{one} {two} {three}"
    for one in concepts[:2]:
        yield f"f{one}"
    for one in words[:3]:
        yield f"fw{one}"
    asked = [one for one in _SENTENCES.split(plain) if "?" in one]
    for one in asked[-1:]:
        inside = _WORDS.findall(one)
        for word in set(inside):
            yield f"?{word}"
        for word, after in pairwise(inside):
            yield f"??{word} {after}"
    yield f"n?{min(len(asked), 3)}"
    for field, value in seen.stated.items():
        yield f"S{field}"
        yield f"{own}S{field}"
        if type(value) is str:
            yield f"S{field}{value}"
            yield f"{own}S{field}{value}"


_SENTENCES = regex(r"(?<=[.?!])\s")


LISTS = {
    "GPU": ("gpu",),
    "PROVIDER": ("provider", "provider_exclude"),
    "APINAME": ("compare_api",),
}
"""The fields that a name may belong to."""


def _squeezed(name: object) -> str:
    return str(name).replace("-", "").replace(" ", "").lower()


def lists_of(stated: Mapping[str, Any], concept: str, name: object) -> Iterator[str]:
    """The fields that hold a name, or a longer or shorter form of it."""
    own = _squeezed(name)
    for field in LISTS[concept]:
        told = stated.get(field) or ()
        for one in map(_squeezed, told if isinstance(told, list | tuple) else (told,)):
            if one == own or (
                concept != "PROVIDER" and (one.startswith(own) or own.startswith(one))
            ):
                yield field
                break


def names_of(
    row: Sequence[tuple[str, Any, float | None]], stated: Mapping[str, Any]
) -> list[Number]:
    """The names of a row, each with the field that holds it."""
    return [
        Number(index, 1.0, "", next(lists_of(stated, concept, value), NONE))
        for index, (concept, value, _) in enumerate(row)
        if concept in LISTS and value
    ]


# -- what it is sure of ------------------------------------------------------------------


class _Model(Struct, frozen=True):
    """Weights of clues for every choice, and how sure a choice must be."""

    choices: tuple[str, ...]
    bias: tuple[float, ...]
    weights: Mapping[str, str]
    """Of each clue, pairs of characters: a choice, and its weight for it."""
    sure: float
    scale: float
    safe: frozenset[str]
    """Cases in which the rules are right, as far as was seen."""

    def best(self, clues: Iterator[str]) -> tuple[str, float]:
        """The likeliest choice, and how likely it is."""
        total = list(self.bias)
        scale, find = self.scale, self.weights.get
        for clue in clues:
            if coded := find(clue):
                for at in range(0, len(coded), 2):
                    total[ord(coded[at]) - _FIRST] += scale * (
                        ord(coded[at + 1]) - _MIDDLE
                    )
        top = max(total)
        share = 1 / sum(math.exp(one - top) for one in total)
        return self.choices[total.index(top)], share


_FIRST, _MIDDLE = 48, 80
"""The character of the first choice, and that of a weight of zero."""


@cache
def _model(name: str) -> _Model:
    table = read_table("bot.language", "second.toml")[name]
    return _Model(
        tuple(table["choices"]), tuple(table["bias"]), table["clues"], table["sure"],
        table["scale"], frozenset(table["safe"]),
    )  # fmt: skip


def case_of(seen: Seen, number: Number) -> str:
    """The least that is looked at of a number: mostly it is known to be right."""
    k, concepts = number.index, seen.concepts
    before = concepts[k - 1] if k else "^"
    behind = concepts[k + 1] if k + 1 < len(concepts) else "$"
    return f"{number.role} {before} {behind}"


def look(clean: Clean, reading: Reading, query: Query) -> Told | None:
    """What a second look at a question tells; None: it was read rightly."""
    row = reading.at_first
    if not row:
        return None
    stated = query.stated()
    starts = [clean.place(item.start) for item in reading.items]
    seen = Seen(
        reading.plain,
        [concept for concept, _, _ in row],
        [(item.start, item.end) for item in reading.items],
        numbers_of(row, starts, stated, query.spans),
        stated,
        [(one.start, one.end, one.kind) for one in reading.told],
    )
    model = _model("numbers")
    gone: list[int] = []
    moved: list[tuple[Number, str]] = []
    for place, number in enumerate(seen.numbers):
        if case_of(seen, number) in model.safe:
            continue
        number.suffix = reading.items[number.index].suffix
        choice, sure = model.best(clue_of(seen, place))
        if choice == number.role or sure < model.sure or number.role in _KEPT:
            continue
        if choice == NONE:
            gone.append(number.index)
        else:
            moved.append((number, choice))
    said = tuple(_said(seen, stated, moved, row))
    names = tuple(_renamed(seen, row))
    asked = {name: _meant(name, seen) for name in ("intent", "kind")}
    if not gone and not said and not names and not any(asked.values()):
        return None
    return Told(tuple(gone), said, names=names, **asked)


def _renamed(
    seen: Seen, row: Sequence[tuple[str, Any, float | None]]
) -> Iterator[tuple[int, str]]:
    """The names that are surely meant otherwise: shut out, or only told of."""
    named = names_of(row, seen.stated)
    if not named:
        return
    looked_at = Seen(
        seen.plain, seen.concepts, seen.places, named, seen.stated, seen.stances
    )
    model = _model("names")
    for place, name in enumerate(named):
        if case_of(looked_at, name) in model.safe:
            continue
        choice, sure = model.best(clue_of(looked_at, place))
        fits = choice == NONE or choice in LISTS[row[name.index][0]]
        if choice != name.role and sure >= model.sure and fits:
            yield name.index, choice


def _meant(name: str, seen: Seen) -> str | None:
    """What is asked, or the kind of work, where it is surely another."""
    own = str(seen.stated.get(name))
    model = _model(name)
    if outline_of(seen) in model.safe:
        return None
    choice, sure = model.best(clues_of_all(seen, own))
    other = choice not in (own, str(None), "alert")
    return choice if other and sure >= model.sure else None


def outline_of(seen: Seen) -> str:
    """The least that is looked at of a whole question."""
    stated = seen.stated
    loads = sum(name in stated for name in ("rps", "input_tokens", "output_tokens"))
    return f"{stated.get('intent')} {stated.get('kind')} {loads}"


def _said(
    seen: Seen,
    stated: Mapping[str, object],
    moved: list[tuple[Number, str]],
    row: Sequence[tuple[str, Any, float | None]],
) -> Iterator[tuple[int, int, str, float]]:
    """The fields of numbers, but of none that another number has."""
    left = {number.role for number, _ in moved}
    kept = {one.role for one in seen.numbers} - left | stated.keys() - left
    for number, field in moved:
        if field in kept:
            continue
        kept.add(field)
        if (valued := _value(field, number, seen, row)) is not None:
            yield number.index, valued[1], field, valued[0]


def _value(
    field: str, number: Number, seen: Seen, row: Sequence[tuple[str, Any, float | None]]
) -> tuple[float, int] | None:
    """The value of a field by a number and the unit of time behind it, and its end."""
    value, index = number.value, number.index
    end = index + 1
    seconds = None
    for at in range(index + 1, min(index + 6, len(row))):
        if row[at][0] in AMOUNTS:
            break
        if row[at][0] == "TIME" and row[at][1] in SECONDS:
            seconds, end = SECONDS[row[at][1]], at + 1
            break
    if field in _RATES:
        return (value / seconds, end) if seconds else (value, index + 1)
    if field in _WAITS:
        return (value * 1_000 * seconds, end) if seconds else None
    if field in _PERIODS or field.endswith(("_per_day", "_per_month")):
        return value, end
    if field in _SPANS:
        return (value * seconds / 3_600, end) if seconds else None
    if field in _SHARES:
        return (value / 100 if value > 1 else value), index + 1
    if field == "images_per_minute":
        return (value * 60 / seconds, end) if seconds else None
    if field == "term_months":
        return value * (12 if seconds == SECONDS["year"] else 1), index + 1
    if field in ("params_b", "active_params_b") and value > 1e6:
        return value / 1e9, index + 1
    return value, index + 1


def applied(told: Told, reading: Reading) -> None:
    """Note what a second look told, before any rule reads."""
    reading.meant = {"intent": told.intent, "kind": told.kind}
    reading.marked = dict(told.names)
    for index, field in told.names:
        if field == NONE:
            reading.leave(index, index + 1, "said of something else")
            reading.become(index, "W", "")
    for index in told.gone:
        reading.leave(index, index + 1, "said of something else")
        reading.use(index, index + 1)
    for start, end, field, value in told.said:
        reading.put(field, value, start, end)
        if period := _PERIODS.get(field):
            unit = next(
                (
                    reading.items[at].value
                    for at in range(start, end)
                    if reading.items[at].concept == "TIME"
                ),
                None,
            )
            if unit in _PAID_BY:
                reading.put(period, unit, start, end)
        reading.use(start, end)

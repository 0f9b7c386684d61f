"""A second reader: knows from examples which numbers the rules read wrongly.

The rules read a question first. Then this reader weighs every number: the words and
meanings on both sides, its clause, what else is stated, and the field that the rules
gave it. Where it is sure enough that a number tells of something else, or of another
field that nothing fills, the question is read once more with that known.

Its weights are in `second.toml`: for each family of clues, the clues and what each
counts for which fields. They were learned from the questions of
tests/bot/language/blind, from what rules that did not know those questions made of
them. tests/bench/learn_second.py learns them anew, and says what it needs for that.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from string import ascii_letters

from msgspec import Struct

from bot.language.normalise import Clean
from bot.language.reading import Reading
from core.patterns import regex
from core.query import Query
from core.reference.tables import read_table

NONE = "none"
AMOUNTS = frozenset("NUM NUMB NUMT XCOUNT DUPLEX HALF MULTIPLE FACTOR".split())
LONGEST = 1_500
"""Characters of a message that is looked at: longer ones are mostly told of others."""
_ENDS = regex(r"[;|\n?!]|\.(?=\s|$)|\s-\s|—|--")
_WORDS = regex(r"[^\W\d_]+|\d+|[%$€£#@~^]")
_REACH = 14
"""Words of its clause on either side of a number that are looked at."""
_EMPTY = frozenset(("W", "A"))
_FILLS, _MOVES, _DROPS = 0.35, 0.35, 0.4
"""How likely a field must be for a number that was not read, another field than that of
the rules, and that a number tells of something else."""
_DOUBTFUL = 3.0
"""By how much the field of the rules must lead by the first clues: else doubted."""
_WEIGHT = regex(r"([A-Za-z])(-?\d+)")

_SECONDS = {
    "ms": 0.001, "second": 1.0, "minute": 60.0, "hour": 3_600.0, "day": 86_400.0,
    "week": 604_800.0, "month": 2_592_000.0, "year": 31_536_000.0,
}  # fmt: skip
_PERIODS = {"budget_amount": "budget_period", "api_spend_amount": "api_spend_period"}
_EACH = {"_per_day": 86_400.0, "_per_month": 2_592_000.0, "tok_s_per_user": 1.0}
_PAID_BY = frozenset(("hour", "day", "month", "year"))
_RATES = frozenset(("rps", "peak_rps", "tokens_per_second"))
_WAITS = frozenset(("ttft_ms", "tpot_ms", "e2e_ms"))
_SPANS = frozenset(("deadline_hours", "duration_hours"))
_SHARES = frozenset(("utilization", "cache_hit_rate", "input_share"))
_SIZES = frozenset(("params_b", "active_params_b"))
_PER_TIME = tuple(
    1 / seconds for seconds in (1, 60, 3600, 86400, 604800, 2592000, 2628000)
)
_WAYS: dict[str, tuple[float, ...]] = {
    **dict.fromkeys(
        "users concurrency requests_per_month requests_total batch_size tokens_total "
        "tokens_per_day tokens_per_month tok_s_per_user count model_count epochs steps "
        "lora_rank dataset_tokens dataset_samples budget_amount api_spend_amount "
        "hours_per_day days_per_week sla".split(),
        (1.0,),
    ),
    **dict.fromkeys(_RATES, _PER_TIME),
    **dict.fromkeys(_WAITS, (1.0, 1_000.0, 60_000.0)),
    **dict.fromkeys(_SPANS, (1.0, 24.0, 168.0, 1 / 60, 720.0, 730.0)),
    **dict.fromkeys(_SHARES, (0.01, 1.0)),
    **dict.fromkeys(_SIZES, (1.0, 1e-9, 0.001)),
    **dict.fromkeys(
        "input_tokens output_tokens total_tokens_per_request context "
        "tokens_per_sample".split(),
        (1.0, 1.024, 4 / 3, 1.3),
    ),
    "term_months": (1.0, 12.0),
    "requests_per_day": (1.0, 24.0, 1_440.0, 1 / 7, 1 / 30),
    "requests_per_user_per_day": (1.0, 24.0, 1 / 7, 0.2),
    "images_per_minute": (1.0, 60.0, 1 / 60, 1 / 1_440),
    "audio_hours": (1.0, 1 / 60),
}
"""By what a number is multiplied to be the value of a field."""
FIELDS = frozenset(_WAYS)
_SIDES = frozenset(("IN", "OUT"))
_KEPT = frozenset(("sla",))
"""What labels tell in several ways: never taken from a number, nor given to one."""


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
    row: Sequence[str]
    """The concepts, behind three signs of the beginning and before three of the end."""
    places: Sequence[tuple[int, int]]
    numbers: Sequence[Number]
    stated: Mapping[str, object]


class Told(Struct, frozen=True):
    """What the second reader is sure of."""

    gone: tuple[int, ...] = ()
    """The numbers that state nothing that is wanted."""
    said: tuple[tuple[int, int, str, float], ...] = ()
    """From which item to which a field is told, and its value."""
    aims: Mapping[str, str | None] = {}
    """The intent and the kind of work, where the rules misread them."""


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


# -- what is looked at ------------------------------------------------------------


def clues_of(seen: Seen, place: int) -> Iterator[tuple[str, str]]:
    """Everything that is looked at of one number: families of clues, and the clues."""
    yield from _first_clues(seen, place)
    yield from _more_clues(seen, place)


def _first_clues(seen: Seen, place: int) -> Iterator[tuple[str, str]]:
    """What mostly tells that a number was read rightly."""
    number = seen.numbers[place]
    k, role, row = number.index, number.role, seen.row
    own = f"~{number.near}" if role == NONE else role
    behind = next((one for one in row[k + 4 : k + 10] if one not in _EMPTY), "$")
    before = row[max(0, k - 3) : k + 3]
    ahead = next((one for one in reversed(before) if one not in _EMPTY), "^")
    size = str(math.floor(2 * math.log10(number.value)) if number.value > 0 else -9)
    last, next_one = row[k + 2], row[k + 4]
    yield "role", role
    yield "own size", f"{own}_{size}"
    yield "own -1", f"{own}_{last}"
    yield "own +1", f"{own}_{next_one}"
    yield "own -1 +1", f"{own}_{last}_{next_one}"
    yield "own next", f"{own}_{behind}"
    yield "own last", f"{own}_{ahead}"
    yield "-1", last
    yield "+1", next_one
    yield "-1 +1", f"{last}_{next_one}"
    yield "+1 +2", f"{next_one}_{row[k + 5]}"
    yield "size", size
    yield "next", behind
    yield "last", ahead
    for one in seen.stated:
        yield "stated", one


def _more_clues(seen: Seen, place: int) -> Iterator[tuple[str, str]]:
    numbers, plain, row = seen.numbers, seen.plain, seen.row
    number = numbers[place]
    k, role = number.index, number.role
    start, end = seen.places[k]
    yield "suffix", number.suffix
    yield "near", number.near
    yield "concept", row[k + 3]
    yield "-3", row[k]
    yield "-2", row[k + 1]
    yield "+2", row[k + 5]
    yield "+3", row[k + 6]
    yield "gap -1", f"{_gap(seen, k)}{row[k + 2]}"
    yield "gap +1", f"{_gap(seen, k + 1)}{row[k + 4]}"
    for name, far in _WORD_AT:
        yield name, _word(seen, k + far)
    first, until = 0, len(plain)
    for found in _ENDS.finditer(plain):
        if found.start() >= end:
            until = found.start()
            break
        if found.end() <= start:
            first = found.end()
    for one in sorted(set(_WORDS.findall(plain, first, start)[-_REACH:])):
        yield "before", one
    for one in sorted(set(_WORDS.findall(plain, end, until)[:_REACH])):
        yield "behind", one
    yield "end", plain[until : until + 1].strip()
    yield "intent", str(seen.stated.get("intent"))
    yield "kind", str(seen.stated.get("kind"))
    yield "number before", numbers[place - 1].role if place else "^"
    yield "number behind", numbers[place + 1].role if numbers[place + 1 :] else "$"
    yield "numbers", str(min(len(numbers), 8))
    if role != NONE and sum(one.role == role for one in numbers) > 1:
        yield "twice", role


_WORD_AT = (("word -2", -2), ("word -1", -1), ("word +1", 1), ("word +2", 2))


def _word(seen: Seen, at: int) -> str:
    if not 0 <= at < len(seen.places):
        return ""
    if seen.row[at + 3] in AMOUNTS:
        return "#"
    start, end = seen.places[at]
    return "_".join(seen.plain[start:end].split())


def _gap(seen: Seen, at: int) -> str:
    """What stands before an item: nothing, an end, a bracket or another sign."""
    if not 0 < at < len(seen.places):
        return "E"
    written = seen.plain[seen.places[at - 1][1] : seen.places[at][0]]
    if written in (" ", ""):
        return "_"
    if _ENDS.search(written):
        return "S"
    return next((one for one in "(),:/" if one in written), "_")


def seen_of(
    clean: Clean,
    row: Sequence[tuple[str, int, int, object, float | None, str]],
    stated: Mapping[str, object],
    spans: Mapping[str, Sequence[tuple[int, int]]],
) -> Seen:
    """What is looked at of a question; every number has the field of its span.

    `row`: of each item the concept, the place, the value, the value in another
    locale and the suffix.
    """
    told = [
        (field, stated.get(field), a, b)
        for field, places in spans.items()
        if field in FIELDS
        for a, b in places
    ]
    found = []
    for index, (concept, start, _, value, other, suffix) in enumerate(row):
        if concept not in AMOUNTS or not isinstance(value, int | float):
            continue
        role = near = NONE
        spot = clean.place(start)
        for field, meant, a, b in told:
            if a <= spot < b:
                if is_value(field, meant, value, other):
                    role = field if role == NONE else role
                elif near == NONE:
                    near = field
        found.append(Number(index, float(value), suffix, role, near))
    return Seen(
        clean.plain,
        ["^", "^", "^", *(one[0] for one in row), "$", "$", "$"],
        [(one[1], one[2]) for one in row],
        found,
        stated,
    )


# -- what it is sure of -----------------------------------------------------------


class Weights(Struct, frozen=True):
    """What every clue counts for every choice."""

    choices: Sequence[str]
    bias: Sequence[float]
    counts: Mapping[tuple[str, str], Sequence[tuple[int, float]]]

    def add(self, total: list[float], clues: Iterator[tuple[str, str]]) -> None:
        """Add what clues count to what every choice has."""
        counts = self.counts
        for clue in clues:
            if clue in counts:
                for choice, weight in counts[clue]:
                    total[choice] += weight


def shares_of(totals: Sequence[float]) -> list[float]:
    """How likely choices are, by what each has."""
    top = max(totals)
    shares = [math.exp(one - top) for one in totals]
    whole = sum(shares)
    return [one / whole for one in shares]


def _likely(weights: Weights, seen: Seen, place: int) -> list[float] | None:
    """How likely every choice is for a number; None: it was surely read rightly."""
    total = list(weights.bias)
    weights.add(total, _first_clues(seen, place))
    role = seen.numbers[place].role
    if role not in weights.choices:
        return None
    place_of_own = weights.choices.index(role)
    own, total[place_of_own] = total[place_of_own], -math.inf
    if own - max(total) > _DOUBTFUL:
        return None
    total[place_of_own] = own
    weights.add(total, _more_clues(seen, place))
    return shares_of(total)


@cache
def weights_of(file: str) -> Weights:
    """Read what was learned."""
    table = read_table("bot.language", file)
    fields, step = table["fields"].split(), table["step"]
    place = {letter: at for at, letter in enumerate(ascii_letters[: len(fields)])}

    def counts(coded: str) -> tuple[tuple[int, float], ...]:
        return tuple(
            (place[letter], int(steps) * step)
            for letter, steps in _WEIGHT.findall(coded)
        )

    split = {family: told.split() for family, told in table["clues"].items()}
    weights = {
        (family, clue): counts(coded)
        for family, told in split.items()
        for clue, coded in zip(told[::2], told[1::2], strict=True)
    }
    return Weights(fields, table["bias"], weights)


def seen_of_reading(clean: Clean, reading: Reading, query: Query) -> Seen:
    """What is looked at of a question that the rules have read."""
    row = [
        (concept, one.start, one.end, value, one.other, one.suffix)
        for (concept, value), one in zip(reading.at_first, reading.items, strict=False)
    ]
    return seen_of(clean, row, query.stated(), query.spans)


def look(clean: Clean, reading: Reading, query: Query) -> Told | None:
    """What a second look at a question tells; None: it was read rightly."""
    seen = seen_of_reading(clean, reading, query)
    weights = weights_of("second.toml")
    gone: list[int] = []
    moved: list[tuple[Number, str]] = []
    held = {one.role for one in seen.numbers} | seen.stated.keys() | _KEPT
    for place, number in enumerate(seen.numbers):
        spot = clean.place(seen.places[number.index][0])
        if number.role in _KEPT or _is_whole(number, spot, query):
            continue
        likely = _likely(weights, seen, place)
        if likely is None:
            continue
        choices = [
            (sure, choice)
            for sure, choice in zip(likely, weights.choices, strict=True)
            if choice == number.role
            or (
                choice not in (held if number.role == NONE else _KEPT)
                and _agrees(choice, seen, number.index)
            )
        ]
        sure, choice = max(choices)
        if choice == number.role:
            continue
        if choice == NONE and sure >= _DROPS:
            gone.append(number.index)
        elif choice != NONE and sure >= (_FILLS if number.role == NONE else _MOVES):
            moved.append((number, choice))
    said = tuple(_said(seen, moved, reading))
    return Told(tuple(gone), said) if gone or said else None


def _agrees(field: str, seen: Seen, index: int) -> bool:
    """Whether a number with tokens behind it is given to a field of tokens."""
    behind = seen.row[index + 4 : index + 6]
    of_tokens = behind[0] == "TOK" or (behind[0] in _SIDES and behind[1] == "TOK")
    return not of_tokens or "tok" in field or field in (NONE, "context")


def _is_whole(number: Number, spot: int, query: Query) -> bool:
    """Whether a number was read with others as one phrase, or as no field of a load."""
    spans = query.spans
    if number.role != NONE:
        own = [one for one in spans.get(number.role, ()) if one[0] <= spot < one[1]]
        return any(
            one in own and name in FIELDS
            for name, places in spans.items()
            if name != number.role
            for one in places
        )
    return number.near != NONE or any(
        type(getattr(query, name, None)) in (int, float)
        for name, places in spans.items()
        if name not in FIELDS and any(a <= spot < b for a, b in places)
    )


def _said(
    seen: Seen, moved: list[tuple[Number, str]], reading: Reading
) -> Iterator[tuple[int, int, str, float]]:
    """The fields of numbers, but of none that another number has."""
    left = {number.role for number, _ in moved}
    kept = {one.role for one in seen.numbers} - left | seen.stated.keys() - left
    for number, field in moved:
        if field not in kept:
            kept.add(field)
            if (valued := _value(field, number, seen, reading)) is not None:
                yield number.index, valued[1], field, valued[0]


def _value(
    field: str, number: Number, seen: Seen, reading: Reading
) -> tuple[float, int] | None:
    """The value of a field by a number and the unit of time behind it, and its end."""
    value, end = number.value, number.index + 1
    seconds, behind = _time_behind(number.index, seen, reading)
    before = seen.row[number.index + 2] if number.index else ""
    if field == "utilization" and before in ("DROPV", "RISEV"):
        return None  # a price that falls by so much
    if field in _PERIODS:
        return value, behind
    if unit := next((one for one in _EACH if field.endswith(one)), None):
        return (value, behind) if seconds in (None, _EACH[unit]) else None
    if field in _RATES and not seconds:
        return value, end
    if scale := _SCALED.get(field):
        return (value * scale(seconds), behind) if seconds else None
    if field in _SHARES and value > 1:
        value /= 100
    elif field in _SIZES and value > 1e6:
        value /= 1e9
    elif field == "term_months" and seconds == _SECONDS["year"]:
        value *= 12
    return value, end


_SCALED: dict[str, Callable[[float], float]] = {
    **dict.fromkeys(_RATES, lambda seconds: 1 / seconds),
    **dict.fromkeys(_WAITS, lambda seconds: 1_000 * seconds),
    **dict.fromkeys(_SPANS, lambda seconds: seconds / 3_600),
    "images_per_minute": lambda seconds: 60 / seconds,
}


def _time_behind(index: int, seen: Seen, reading: Reading) -> tuple[float | None, int]:
    """The seconds of the unit of time behind a number, and where it ends."""
    for at in range(index + 1, min(index + 6, len(seen.places))):
        if seen.row[at + 3] in AMOUNTS:
            break
        unit = reading.items[at].value
        if seen.row[at + 3] == "TIME" and unit in _SECONDS:
            return _SECONDS[unit], at + 1
    return None, index + 1


def applied(told: Told, reading: Reading) -> None:
    """Note what a second look told, before any rule reads."""
    reading.aims = told.aims
    for index in told.gone:
        reading.leave(index, index + 1, "said of something else")
        reading.use(index, index + 1)
    for start, end, field, value in told.said:
        reading.put(field, value, start, end)
        if period := _PERIODS.get(field):
            units = [
                one.value
                for one in reading.items[start:end]
                if one.concept == "TIME" and one.value in _PAID_BY
            ]
            if units:
                reading.put(period, units[0], start, end)
        reading.use(start, end)

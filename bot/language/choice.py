"""Read the numbers of a message: patterns propose, and the best set is taken.

Every pattern of `fields.toml` sees the same row, in no order, and takes nothing away
from another. A set of candidates is good where it reads many numbers, each once and
each field once, crosses few boundaries between clauses, agrees with the units beside
the numbers and with what is usual for a field, and keeps one order of number and role.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.language import grammar
from bot.language.corrections import outdated
from bot.language.grammar import BITS, Index, anchors, compiled, concepts
from bot.language.reading import Match, Reading
from bot.language.values import convert
from bot.language.values.conditions import CONDITIONS
from core.reference.tables import read_table, worked_out

AMOUNTS = frozenset(("NUM", "NUMB", "NUMT", "XCOUNT", "DUPLEX", "HALF", "MULTIPLE"))
_SHARED = frozenset(
    "W UNDER OVER EQ ON AND OR SLASH NEED HAVE GPU GPUWORD INSTANCE MODELNAME PREC "
    "BATCH DEADLINE DUR PCTL REALTIME RESERVED PROVIDER REGION NOT DASH ARROW LAT "
    "METHOD TUNED PRICE COST INFER NODE EACHTOK UTIL WEEKDAYS TIMES LIFE SERVE "
    "AUDIO EMBED RERANK WORK FULL MODEL".split()
)
"""Words that two numbers may share; a unit or a role belongs to one."""
_KEPT = AMOUNTS | _SHARED
_FREE = frozenset(("~bits", "~memory", "~nodes"))
"""Explained, and left for the rules of hardware and precision to read."""
BEAM = 16
REACH = 250
"""Words from either end of a message in which numbers are read: between them stands
what nobody reads as a question, and its numbers are listed."""
Order = str
"""sure, number, role or bare: what speaks for a pattern."""


class Pattern(Struct, frozen=True, dict=True):
    """One line of `fields.toml`."""

    field: str
    convert: str
    when: str
    order: Order
    text: str
    needs: int
    """The concepts without which it cannot hold, as a set of bits."""
    one_of: tuple[int, ...]
    """Sets of them, of each of which it needs one."""

    @cached_property
    def shape(self) -> re.Pattern[str]:
        """Its regex, made when a message first has what it needs."""
        return compiled(self.text)

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The names of its parts."""
        return tuple(self.shape.groupindex)


class Candidate(Struct, frozen=True):
    """What a stretch of the row would state, and what speaks for it."""

    fields: Mapping[str, Any]
    start: int
    end: int
    numbers: int
    """The numbers that it reads, as a set of bits."""
    uses: int
    """The items that nothing else may use, as a set of bits."""
    order: Order
    score: float
    alone: frozenset[str]
    """Its fields of which there is one, unlike sizes, counts and explanations."""


@cache
def _data(name: str) -> dict[str, Any]:
    return read_table("bot.language", name)


@cache
def weights() -> dict[str, float]:
    """What speaks for a reading, by name."""
    return dict(_data("weights.toml")["weight"])


@cache
def _priors() -> dict[str, tuple[float, float, float]]:
    """The middle of a field, its spread, and how far off a value may count."""
    rows = _data("weights.toml")["prior"]
    return {k: (v[0], v[1], v[2] if v[2:] else _FARTHEST) for k, v in rows.items()}


_FARTHEST = 9.0
"""Squared deviations; what lies further off is only as unusual."""


@cache
def patterns() -> tuple[Pattern, ...]:
    """Every pattern of every field."""
    code = Path(grammar.__file__)
    rows = worked_out(_read, __file__, (code, code.with_name("fields.toml")))
    return tuple(Pattern(*row) for row in rows)


def _read() -> list[tuple[Any, ...]]:
    """The patterns of `fields.toml`, each with the concepts that it needs."""
    return [
        (row["field"], row.get("as", "plain"), row.get("when", ""), order, text,
         *anchors(text))
        for row in _data("fields.toml")["read"]
        for order in ("sure", "number", "role", "bare")
        for text in row.get(order, ())
    ]  # fmt: skip


def choose(reading: Reading) -> list[Candidate]:
    """Return the best set of readings of the message's numbers, in order."""
    found = list(candidates(reading))
    if not found:
        return []
    found += [*_elided(reading, found), *_said_again(found)]
    found = _corrected(reading, found)
    ordered = {"number", "role"} <= {one.order for one in found}
    styles = ("number", "role") if ordered else ("",)
    parts = _parts(found)
    best = max((_best(parts, style) for style in styles), key=lambda pair: pair[0])
    return sorted(best[1], key=lambda one: one.start)


# -- proposals -----------------------------------------------------------------------


def candidates(reading: Reading) -> Iterator[Candidate]:
    """Everything that a number of the message may mean."""
    if not any(item.concept in AMOUNTS for item in reading.items) and not reading.has(
        "TTFT", "LAT", "RESERVED"
    ):
        return
    holds: dict[str, bool] = {"": True}
    line = reading.line
    for pattern in _index().possible(reading.seen):
        when = pattern.when
        if when and when not in holds:
            wanted = not when.startswith("!")
            holds[when] = CONDITIONS[when.lstrip("!")](reading) is wanted
        if holds[when] and (match := pattern.shape.search(line)):
            yield from _proposed(reading, pattern, match)


def _elided(reading: Reading, found: list[Candidate]) -> list[Candidate]:
    """ "2,000-token prompts … turned out to be 640": the unit was said before."""
    more = []
    for index in reading.settled_numbers():
        before = [
            one for one in found
            if one.end <= index and len(one.fields) == len(one.alone) == 1
            and one.numbers.bit_count() == 1 and one.alone <= _ELIDED
        ]  # fmt: skip
        own = (
            one for one in found
            if one.numbers >> index & 1 and one.score > 0 and one.start >= index - 1
        )  # fmt: skip
        if not before or any(one.alone and one.alone <= _ELIDED for one in own):
            continue
        last = max(before, key=lambda one: (one.numbers, one.score))
        if not reading.counts_alike(last.numbers.bit_length() - 1, index):
            continue
        ((field, value),) = last.fields.items()
        said = reading.items[last.numbers.bit_length() - 1].value
        value = round(value * reading.items[index].value / said, 6)
        bit = 1 << index
        more.append(replace(
            last, fields={field: value}, start=index, end=index + 1, numbers=bit,
            uses=bit,
        ))  # fmt: skip
    return more


def _said_again(found: list[Candidate]) -> list[Candidate]:
    """What is said twice holds better, and once need not be read as something else."""
    said: dict[str, list[Candidate]] = {}
    for one in found:
        if one.alone and one.score > 0:
            said.setdefault(repr(one.fields), []).append(one)
    more = []
    for same in said.values():
        best = max(same, key=lambda one: one.score)
        again = [one for one in same if not one.numbers & best.numbers]
        if again:
            more.append(replace(best, score=best.score + weights()["silent"]))
            more += [_silent(one, "said before") for one in again]
    return more


def _corrected(reading: Reading, found: list[Candidate]) -> list[Candidate]:
    """Of two numbers for one field, the replaced one states nothing."""
    gone = outdated(reading, found)
    return [
        _silent(one, "taken back") if one.numbers & gone and one.alone else one
        for one in found
    ]


def _silent(one: Candidate, why: str) -> Candidate:
    """The same words, which state nothing."""
    score = one.score - weights()["silent"]
    return replace(one, fields={"~muted": why}, alone=frozenset(), score=score)


_ELIDED = frozenset(
    "rps peak_rps requests_per_day requests_per_month users concurrency input_tokens "
    "output_tokens ttft_ms tpot_ms e2e_ms tok_s_per_user tokens_per_second".split()
)
"""Fields of which a later figure may leave the unit out."""


@cache
def _index() -> Index[Pattern]:
    """Every pattern by the concepts that it needs."""
    return Index(
        [
            (one, [*(BITS[name] for name in concepts(one.needs)), *one.one_of])
            for one in patterns()
        ]
    )


def _proposed(reading: Reading, pattern: Pattern, first: Match) -> Iterator[Candidate]:
    match: Match | None = first
    line, search = reading.line, pattern.shape.search
    while match is not None:
        candidate = _candidate(reading, pattern, match)
        if candidate is not None:
            yield candidate
            if candidate.alone and (said := reading.passed(match)) is not None:
                yield _silent(candidate, said)
        at = match.start() + 1
        if REACH < at < len(line) - REACH:
            at = len(line) - REACH
        match = search(line, at)


def _candidate(reading: Reading, pattern: Pattern, match: Match) -> Candidate | None:
    fields, prior = _stated(reading, pattern, match)
    if not fields or (pattern.field in _ELIDED and _is_share(reading, match)):
        return None
    if _ends_in_a_key(reading, match):
        return None
    if (said := reading.muted(match, fields)) is not None:
        fields = {"~muted": said}
    numbers = uses = 0
    for place in map(match.start, pattern.groups):
        if place >= 0 and reading.items[place].concept in AMOUNTS:
            numbers |= 1 << place
    start, end = match.span()
    read: Iterable[int] = range(start, end)
    if also := fields.pop("~also", ()):  # items elsewhere that it was read from as well
        read = *read, *also
        numbers |= sum(1 << i for i in also if reading.items[i].concept in AMOUNTS)
    for index in read:
        if reading.items[index].concept not in _KEPT:
            uses |= 1 << index
    alone = [name for name in fields if name[0] != "~"]
    score = _score(reading, pattern, match, numbers, uses) - prior
    if not alone:
        score -= weights()["silent"]
    return Candidate(
        fields, start, end, numbers, uses | numbers, pattern.order, score,
        frozenset(name for name in alone if ":" not in name),
    )  # fmt: skip


def _ends_in_a_key(reading: Reading, match: Match) -> bool:
    """Whether the noun behind the number is the key of what follows: "8 gpu:l4"."""
    if "n" not in match.groupdict() or match.start("n") >= match.end() - 1:
        return False
    end = reading.items[match.end() - 1].end
    sign, value = reading.plain[end : end + 1], reading.plain[end + 1 : end + 2]
    return sign in (":", "=") and sign != "" and value.isalnum()


def _is_share(reading: Reading, match: Match) -> bool:
    """Whether a percent sign stands behind the number: "peak 71%" is no rate."""
    end = reading.item(match, "n").end if "n" in match.groupdict() else -1
    return end > 0 and reading.plain.startswith("%", end)


def _stated(
    reading: Reading, pattern: Pattern, match: Match
) -> tuple[dict[str, Any], float]:
    """The fields of a match and how unusual they are, in the locale that fits."""
    way = convert(pattern.convert, pattern.field, reading, match)
    best = way, _unusual(way) if way else 0.0
    if "n" in pattern.groups:
        item = reading.item(match, "n")
        if item.other is not None:
            kept, item.value = item.value, item.other
            way = convert(pattern.convert, pattern.field, reading, match)
            item.value = kept
            if way and (not best[0] or _unusual(way) < best[1]):
                best = way, _unusual(way)
    return best


def _unusual(fields: Mapping[str, Any]) -> float:
    """How far values lie from what is usual for their fields."""
    total, priors = 0.0, _priors()
    for field, value in fields.items():
        prior = priors.get(field if ":" not in field else field.partition(":")[0])
        if prior is not None and isinstance(value, int | float) and value > 0:
            off = (math.log10(value) - prior[0]) / prior[1]
            total += min(off * off, prior[2])
    return weights()["prior"] * total


def _score(
    reading: Reading, pattern: Pattern, match: Match, numbers: int, uses: int
) -> float:
    weight = weights()
    unknown = reading.line.count(_W, match.start(), match.end())
    if reading.described:
        unknown -= len(reading.described.intersection(range(*match.span())))
    return (
        (weight[pattern.order] + weight["explained"]) * max(1, numbers.bit_count())
        + weight["unit"] * uses.bit_count()
        - weight["unknown"] * unknown
        + weight["wanted"] * reading.is_wanted(match)
        - weight["robs"] * reading.robs(match)
        - weight["keyed"] * reading.ignores_key(match)
        - reading.crossed(match.start(), match.end(), weight)
    )


_W = compiled("W").pattern


# -- choice --------------------------------------------------------------------------

_Chain = tuple[Candidate, Any] | None
"""What was taken, the last first."""
_State = tuple[float, int, frozenset[str], _Chain]


def _best(parts: list[list[Candidate]], style: str) -> tuple[float, list[Candidate]]:
    """The best set under one order of number and role: of each part by itself."""
    total, taken = 0.0, []
    for part in parts:
        score, some = _best_of_part(part, style)
        total += score
        taken += some
    return total, taken


def _parts(found: list[Candidate]) -> list[list[Candidate]]:
    """Split candidates into those that may stand in each other's way."""
    owner: dict[int | str, int] = {}
    parts: dict[int, list[Candidate]] = {}
    for place, one in enumerate(found):
        claims: list[int | str] = [*one.alone, *_bits(one.uses)]
        met = {owner[claim] for claim in claims if claim in owner}
        home = min(met, default=place)
        parts.setdefault(home, []).append(one)
        for other in met - {home}:
            moved = parts.pop(other)
            parts[home] += moved
            for old in moved:
                owner |= dict.fromkeys((*old.alone, *_bits(old.uses)), home)
        owner |= dict.fromkeys(claims, home)
    return list(parts.values())


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length())
        mask ^= low
    return found


def _best_of_part(part: list[Candidate], style: str) -> tuple[float, list[Candidate]]:
    """The best set of one part, by a beam."""
    groups: dict[int, list[Candidate]] = {}
    for one in part:
        lowest = (one.numbers & -one.numbers).bit_length() or one.start
        groups.setdefault(lowest, []).append(one)
    states: list[_State] = [(0.0, 0, frozenset(), None)]
    for key in sorted(groups):
        states = _extended(states, groups[key], style)
    score, _, _, chain = states[0]
    taken: list[Candidate] = []
    while chain is not None:
        taken.append(chain[0])
        chain = chain[1]
    return score, taken


def _extended(
    states: list[_State], options: list[Candidate], style: str
) -> list[_State]:
    best: dict[tuple[int, frozenset[str]], _State] = {}
    gains = [(one, one.score + _agrees(one.order, style)) for one in options]
    gains = [(one, gain) for one, gain in gains if gain > 0]
    if not gains:
        return states
    for state in states:
        score, used, fields, taken = state
        known = best.get((used, fields))
        if known is None or known[0] < score:
            best[used, fields] = state
        for one, gain in gains:
            if one.uses & used or not fields.isdisjoint(one.alone):
                continue
            key = used | one.uses, fields | one.alone if one.alone else fields
            known = best.get(key)
            if known is None or known[0] < score + gain:
                best[key] = score + gain, *key, (one, taken)
    return sorted(best.values(), key=lambda state: -state[0])[:BEAM]


def _agrees(order: Order, style: str) -> float:
    if order not in ("number", "role") or not style:
        return 0.0
    return weights()["style"] if order == style else -weights()["style"]


def take(reading: Reading, chosen: list[Candidate]) -> None:
    """Note what was chosen as read, and cross it out of the row."""
    for one in chosen:
        for field, value in one.fields.items():
            reading.note(field, value, one.start, one.end)
        if not _FREE.issuperset(one.fields):
            for bit in _bits(one.uses):
                reading.use(bit - 1, bit)
                if not one.start < bit <= one.end:
                    reading.span(next(iter(one.fields)), bit - 1, bit)


def numbers(reading: Reading) -> None:
    """Read every number of the message."""
    chosen = choose(reading)
    take(reading, chosen)


RULES = (numbers,)

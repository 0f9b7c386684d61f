"""What a turn takes away, adds to and scales of the workload in force."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from bot.language.conversation.cues import (
    Delta,
    Factor,
    Thing,
    cues,
    delta_of,
    factor_of,
    fields_beside,
    says,
    settings,
    things,
    unset,
    way_of,
)
from bot.language.conversation.state import (
    CARRIED,
    LISTS,
    LOAD,
    NUMBERS,
    SHARES,
    State,
    force_of,
)
from bot.language.items import Item
from bot.language.normalise import Clean
from bot.language.parse import parse
from bot.language.reading import Reading
from core.patterns import regex
from core.query import Query

_DOWN_TO = regex(r"\s+(?:it\s+|down\s+|back\s+)*to\s+\S")
"""What goes down to a value is not taken away: "drop to 2 gpus"."""
_NAMES = frozenset(("MODELNAME", "GPU", "PROVIDER", "PREC", "INSTANCE", "CUR", "TIME"))
_IT = regex(
    r"\s+(?:it|that|this|them|those)(?: (?:again|then|too|all))?(?:\W*$|\s*[,;.:–—])"
)
_OPTIONAL = frozenset(
    "budget_amount budget_period budget_currency ttft_ms tpot_ms e2e_ms percentile "
    "tok_s_per_user region region_also provider provider_exclude pricing term_months "
    "precision quant_method gpu instance count context deadline_hours hours_per_day "
    "days_per_week sla peak_rps cache_hit_rate utilization batch_size".split()
)
"""What a workload can do without: "and without it?" takes what was said last."""
_AMOUNTS = ("NUM", "NUMB", "NUMT")
_OF_A_RUN = ("dataset_tokens", "dataset_samples", "count")
_BESIDE = 16
"""Characters between a factor and what it scales."""
_REACH = 28
"""Characters from "drop" or "any" to what is to go."""


class Edits(NamedTuple):
    """What a turn takes away and scales, and the rest of its words."""

    text: str
    gone: frozenset[str]
    scaled: dict[str, Any]
    left: dict[str, Any]


def taken_apart(state: State, clean: Clean, reading: Reading) -> Edits:
    """Take removals, replaced values and factors out of a turn's words."""
    turn = _Turn(state, clean, reading)
    for take in (_set, _exchanged, _contrasted, _removed, _counted, _scaled):
        take(turn)
    return Edits(turn.plain, frozenset(turn.gone), turn.scaled, turn.left)


class _Turn:
    """The words of a turn that are still unread, and what was taken out of them."""

    def __init__(self, state: State, clean: Clean, reading: Reading) -> None:
        self.state, self.reading = state, reading
        self.force, self.plain = force_of(state), clean.text
        self.named = things(self.plain)
        self.gone: set[str] = set()
        self.scaled: dict[str, Any] = {}
        self.left: dict[str, Any] = {}

    def blank(self, start: int, end: int) -> None:
        """Take a stretch out of the words; every place stays."""
        self.plain = blanked(self.plain, start, end)


def _set(turn: _Turn) -> None:
    """ "weekends too" sets a field, "anywhere" takes one away."""
    for field, value, start, end in settings(turn.plain):
        turn.scaled[field] = value
        turn.blank(start, end)
    for thing in unset(turn.plain):
        turn.gone |= set(thing.fields)
        turn.blank(thing.start, thing.end)


def _exchanged(turn: _Turn) -> None:
    """ "90, not 9", "from 20 to 45": a number that stands says where another goes."""
    numbers = [i for i in turn.reading.items if i.concept in _AMOUNTS]
    exchanges = ("negated", "replaced", "swapped", "moved")
    told = any(cues(turn.plain, cue) for cue in exchanges) or _was_wrong(
        turn.plain, numbers
    )
    if len(numbers) != 2 or not told:
        return
    pairs = [(a, b) for a, b in (numbers, numbers[::-1]) if _holders(turn, a)]
    if len(pairs) != 1:
        return
    (old, new), places = pairs[0], turn.reading.spans
    names = [name for name in _holders(turn, old) if name != "hours_per_day"]
    if not names:
        return
    own = [f for f in names if any(a <= new.start < b for a, b in places.get(f, ()))]
    field = (own or names)[0]
    value = new.other if new.other and not _holds(turn, field, old.value) else new.value
    share = field in SHARES and value > 1
    turn.scaled[field] = value / 100 if share else _like(turn.force, field, value)
    turn.blank(numbers[0].start, numbers[1].end)


_JUDGED = regex(
    r"^\W*(?:is|was|were|seems?|sounds?|war|ist|waren|etait|est|era|es|e|foi|fue|"
    r"bylo|byl|was te|idi)\b"
)


def _was_wrong(plain: str, numbers: list[Item]) -> bool:
    """ "60 was optimistic, say 35": the first number is judged, the second stands."""
    if len(numbers) != 2:
        return False
    first, second = sorted(numbers, key=lambda item: item.start)
    between = plain[first.end : second.start]
    return bool(_JUDGED.match(between)) and bool(re.search(r"[,;:–—-]", between))


def _like(force: Query, field: str, value: float) -> float | int:
    whole = isinstance(getattr(force, field), int) and value == int(value)
    return int(value) if whole else float(value)


def _holders(turn: _Turn, item: Item) -> list[str]:
    """The fields in force that hold a number of the turn; loads before the rest."""
    said = [value for value in (item.value, item.other) if value is not None]
    fields = (*NUMBERS, *SHARES)
    return [f for f in fields if any(_holds(turn, f, value) for value in said)]


def _holds(turn: _Turn, field: str, value: float) -> bool:
    return getattr(turn.force, field) in _worth(field, value)


def _worth(field: str, value: float) -> tuple[float, ...]:
    """What a field holds where a number is said of it: "30" of 0.3, "2" of 2,000 ms."""
    if field in SHARES:
        return value, value / 100
    return (value, value * 1000) if field.endswith("_ms") else (value,)


def _contrasted(turn: _Turn) -> None:
    """ "5 rps, not 25", "us instead of eu": the value that no longer holds."""
    for start, end in cues(turn.plain, "negated"):
        number = re.match(r"\s+\d+(?:[.,]\d+)?[kmb]?\b(?!\s?%)", turn.plain[end:])
        if number and re.search(r"\d", turn.plain[:start]):
            turn.blank(start, end + number.end())
        elif out := _name_replaced(turn.reading, end):
            turn.blank(start, out)
    for start, end in cues(turn.plain, "swapped"):
        turn.blank(start, end)
    for start, end in cues(turn.plain, "replaced"):
        if variant := _variant(turn, start, end):
            turn.left["model"], first, last = variant
            turn.blank(first, last)
        else:
            turn.blank(start, _words_after(turn.plain, end, 2))


def _variant(turn: _Turn, start: int, end: int) -> tuple[str, int, int] | None:
    """ "schnell instead of dev": another part of the name of the model in force."""
    new = re.search(r"([a-z][\w.]*)\s*$", turn.plain[:start])
    old = re.match(r"\s*(?:the )?([a-z][\w.]*)", turn.plain[end:])
    if not (new and old and turn.force.model):
        return None
    parts = turn.force.model.split("-")
    if old[1] not in parts:
        return None
    named = "-".join(new[1] if part == old[1] else part for part in parts)
    known = parse(named).model == named
    return (named, new.start(1), end + old.end()) if known else None


def _name_replaced(reading: Reading, end: int) -> int | None:
    """Where a name behind a "not" ends, when another of its kind stands beside it."""
    names = [item for item in reading.items if item.concept in _NAMES]
    out = next((item for item in names if 0 <= item.start - end <= 2), None)
    if out is None or not any(
        item.concept == out.concept and item.value != out.value for item in names
    ):
        return None
    return out.end


def _removed(turn: _Turn) -> None:
    """ "drop the budget", "remove the t4", "azure is out"."""
    for start, end in (*cues(turn.plain, "remove"), *cues(turn.plain, "barred")):
        if not turn.plain[start:end].strip() or _DOWN_TO.match(turn.plain, end):
            continue
        it = _IT.match(turn.plain, end)
        if it and turn.state.changed:
            turn.gone |= fields_beside(turn.state.changed) & _OPTIONAL
            turn.blank(start, it.end())
            continue
        if _barred(turn, start, end):
            continue
        if kept := _without_named(turn.force, turn.reading, start, end):
            field, values, last = kept
            turn.left[field] = values
            turn.blank(max(0, start - _REACH) if last == end else start, last)
            continue
        thing = thing_near(turn.named, turn.force, start, end)
        value = _value_near(turn, thing, start, end)
        if thing is not None:
            turn.gone |= set(thing.fields)
            turn.blank(min(start, thing.start), max(end, thing.end))
            if value is not None:
                turn.blank(value.start, value.end)
        elif value is not None:
            turn.gone |= fields_beside(tuple(_holders(turn, value)[:1])) & _OPTIONAL
            turn.blank(min(start, value.start), max(end, value.end))
        elif missing := _thing_missing(turn.named, end):
            turn.blank(start, missing.end)


def _barred(turn: _Turn, start: int, end: int) -> bool:
    """ "aws is out too", "runpod is blocked": a seller is barred beside the others."""
    wanted, barred = turn.force.provider or (), turn.force.provider_exclude or ()
    banned = (start, end) in cues(turn.plain, "barred")
    for item in turn.reading.all("PROVIDER"):
        near = 0 <= item.start - end <= 3 or 0 <= start - item.end <= 3
        if near and (banned or item.value not in wanted):
            out = (*barred, str(item.value))
            turn.left["provider_exclude"] = tuple(dict.fromkeys(out))
            if item.value in wanted:
                rest = tuple(one for one in wanted if one != item.value)
                turn.left["provider"] = rest or None
            turn.blank(min(start, item.start), max(end, item.end))
            return True
    return False


def _value_near(turn: _Turn, thing: Thing | None, start: int, end: int) -> Item | None:
    """The number in force that a removal names: "the 500 ms isn't a must"."""
    for item in turn.reading.items:
        if item.concept not in _AMOUNTS or not _holders(turn, item):
            continue
        if thing is not None and not 0 <= thing.start - item.end <= 3:
            continue
        if 0 <= item.start - end <= _REACH or 0 <= start - item.end <= _REACH:
            return item
    return None


def _counted(turn: _Turn) -> None:
    """ "4 more", "add 2 gpus", "5 rps more", "another 200 employees"."""
    _added(turn)
    if delta := delta_of(turn.plain) or _delta_said(turn):
        for name in _counted_fields(turn.force, turn.named, delta):
            total = max(1, getattr(turn.force, name) + delta.amount)
            turn.scaled[name] = int(total) if name == "count" else total
            turn.blank(delta.start, delta.end)


def _delta_said(turn: _Turn) -> Delta | None:
    """ "two fewer gpus": a number that nothing reads, in words too."""
    for item in turn.reading.items:
        told = item.concept in _AMOUNTS and turn.plain[item.start : item.end].strip()
        if "%" in turn.plain[item.end : item.end + 2]:
            continue
        if told and (way := way_of(turn.plain, item.start, item.end, item.end)):
            return Delta(way * item.value, item.start, item.end)
    return None


def _added(turn: _Turn) -> None:
    """Add a number to the field that it is read into, where a word says "more"."""
    amounts = [item for item in turn.reading.items if item.concept in _AMOUNTS]
    for name in NUMBERS:
        held = getattr(turn.force, name)
        for start, end in turn.reading.spans.get(name, ()) if held else ():
            said = next((i for i in amounts if start <= i.start < end), None)
            if said is None or not turn.plain[start:end].strip():
                continue
            way = way_of(turn.plain, said.start, said.end, end)
            if way and name in turn.reading.fields:
                total = held + way * turn.reading.fields[name]
                turn.scaled[name] = _like(turn.force, name, max(1, total))
                turn.blank(start, end)


def _scaled(turn: _Turn) -> None:
    """ "double the traffic", "half the original load"."""
    factor = factor_of(turn.plain)
    if factor is None or not _is_relative(turn.plain, factor, turn.named, turn.reading):
        return
    if _ALONE.fullmatch(turn.plain) and turn.force.count and _is_counted(turn):
        turn.scaled["count"] = max(1, round(factor.times))
        turn.blank(factor.start, factor.end)
        return
    original = says(turn.plain, "original") and turn.state.first
    base = turn.state.first if original and turn.state.first else turn.force
    fields = _scaled_fields(base, turn.named, turn.plain, factor)
    for name in fields:
        turn.scaled[name] = _times(getattr(base, name), factor.times)
    peak = any("peak_rps" in thing.fields for thing in turn.named)
    if fields == ["rps"] and peak and not base.peak_rps:
        turn.scaled["peak_rps"] = turn.scaled.pop("rps")
    if fields:
        turn.blank(factor.start, factor.end)
        for thing in turn.named:
            if set(thing.fields) & turn.scaled.keys():
                turn.blank(thing.start, thing.end)


_ALONE = regex(r"\W*(?:(?:and|with|or|what about|on)\s)*\d+\s?x\W*")
_TIMES_CARD = regex(r"(?<!\w)\d+\s?x\s?[a-z]|\bx\s?\d")


def _is_counted(turn: _Turn) -> bool:
    """Whether the cards were counted as "2x l40s": then "3x?" counts them again."""
    texts = [q.text for q in (turn.force, turn.state.first) if q is not None]
    return any(_TIMES_CARD.search(text.lower()) for text in texts)


def _counted_fields(force: Query, named: list[Thing], delta: Delta) -> list[str]:
    """What so many more are of: what is named beside them, or the cards."""
    beside = [f for t in named if abs(t.start - delta.end) <= 12 for f in t.fields]
    stated = force.stated()
    for name in beside or ("count", "users", "concurrency", "rps"):
        if name in stated and name in NUMBERS:
            return [name]
    return []


def blanked(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]


def _words_after(text: str, at: int, count: int) -> int:
    """Where so many words behind a place end, or the clause does."""
    found = re.match(rf"(?:\s*[^\s,;.?!]+){{0,{count}}}", text[at:])
    return at + (found.end() if found else 0)


def _without_named(
    force: Query, reading: Reading, start: int, end: int
) -> tuple[str, Any, int] | None:
    """A list in force without what a removal names: "remove the t4", "not on aws"."""
    for field in (*LISTS, "region"):
        inside = getattr(force, field)
        if not inside or (field == "region" and reading.aside.get("region_exclude")):
            continue
        values = (inside,) if isinstance(inside, str) else inside
        for item in reading.items:
            said = str(item.value).lower()
            out = [v for v in values if v == said or v.startswith(f"{said}-")]
            near = 0 <= item.start - end <= _REACH or 0 <= start - item.end <= 3
            near = near or start <= item.start < end  # "lass die h100 weg"
            if out and near:
                rest = tuple(v for v in values if v not in out)
                kept = rest or None
                last = max(item.end, end)
                return field, kept if not isinstance(inside, str) else None, last
    return None


def thing_near(
    named: Iterable[Thing], force: Query, start: int, end: int
) -> Thing | None:
    """What a removal is about: the nearest thing that is in force, behind it first."""
    stated = set(force.stated()) | {
        name for name in CARRIED if getattr(force, name) is not None
    }
    inside = [thing for thing in named if stated & set(thing.fields)]
    behind = [t for t in inside if 0 <= t.start - end <= _REACH]
    before = [t for t in inside if 0 <= start - t.end <= _REACH]
    return behind[0] if behind else before[-1] if before else None


def _thing_missing(named: Iterable[Thing], end: int) -> Thing | None:
    """What is to go though it does not hold: "remove the internal part"."""
    behind = [t for t in named if 0 <= t.start - end <= 6]
    free = [t for t in behind if not {*LISTS, "region"} & set(t.fields)]
    return free[0] if free else None


def _is_relative(
    plain: str, factor: Factor, named: list[Thing], reading: Reading
) -> bool:
    """Whether a factor scales what stands, and is no count of cards."""
    after = plain[factor.end :].strip()
    the = bool(_THE.match(plain, factor.end))
    following = [i for i in reading.items if i.start >= factor.end and i.concept != "A"]
    counted = following and not (the and following[0].concept == "TOK")
    if counted and following[0].concept in ("TIME", "MUL", "PER", "TOK", "CUR"):
        return False
    if (
        reading.concept_at(0) in ("GPU", "INSTANCE")
        and "x" in plain[factor.start : factor.end]
    ):
        return False
    near = any(0 <= t.start - factor.end <= _REACH for t in named)
    short = len(re.findall(r"\w+", plain)) <= 7
    return near or short or says(after, "scaled") or says(plain, "original")


_THE = regex(
    r"\s*(?:of |von |de |di |van |del |do |da )?"
    r"(?:the|der|den|die|des|les|los|las|le|gli|os|as|tokens|token)\b"
)


def _scaled_fields(
    base: Query, named: list[Thing], plain: str, factor: Factor
) -> list[str]:
    """The fields that a factor scales: what is named beside it, or the load."""
    stated = base.stated()
    for thing in sorted(named, key=lambda thing: abs(thing.start - factor.end)):
        apart = min(abs(thing.start - factor.end), abs(factor.start - thing.end))
        own = [f for f in thing.fields if f in stated and f in NUMBERS]
        if own and apart <= _BESIDE and "rps" not in thing.fields:
            return own[:1]
    load: list[str] = [name for name in LOAD if name in stated]
    runs: list[str] = [name for name in _OF_A_RUN if name in stated]
    return load or runs[:1]


def _times(value: float, factor: float) -> float | int:
    scaled = value * factor
    return max(1, round(scaled)) if isinstance(value, int) else float(f"{scaled:.9g}")

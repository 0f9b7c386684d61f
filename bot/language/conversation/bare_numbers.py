"""What a bare number, time or place changes of the workload in force."""

import math
import re
from typing import Any

from bot.language.catalogue import Catalogue, catalogue
from bot.language.conversation.cues import says, things
from bot.language.conversation.edits import Edits
from bot.language.conversation.state import (
    MONEY,
    NUMBERS,
    SHARES,
    State,
    force_of,
    own,
    read_turn,
)
from bot.language.grammar import CODES, compiled
from bot.language.items import Item
from bot.language.normalise import normalise
from bot.language.reading import Reading
from core.patterns import regex
from core.query import Query

_WITH_UNIT = frozenset(
    "term_months budget_amount api_spend_amount hours_per_day deadline_hours "
    "ttft_ms".split()
)
"""Fields of which nobody says a number without its unit, unless asked for it."""

_SUMS = ("budget_amount", "api_spend_amount")

_NEAR = 1.5
"""Powers of ten between a bare number and the value that it may replace."""

_CLOSE = 0.5
"""Powers of ten within which a number without its currency replaces a budget."""

HOURS = {
    "minute": 1 / 60,
    "hour": 1,
    "day": 24,
    "week": 168,
    "month": 730,
    "year": 8760,
}

_WAITS = {"ms": 1.0, "second": 1000.0}

_ONE_TIME = regex(r"\b(?:a|an|one|eine?|une?|una|um|een|1)\s+[^\W\d]+")

_TIMED = ("deadline_hours", "duration_hours", "term_months")

_US = regex(
    r"(?:\W|\b(?:no|nope|sorry|and|now|then|in|the|to|use|make|it|try|only)\b)*us\W*"
)

_COUNTS = regex(r"(?:\bon|\bauf|\bsur|\ben|\bsu|\bop|\bna|\bem)\s*$")
"""What stands before the number of cards."""

_ENDS = regex(
    r"\W*(?:instead|then|now|please|pls|maybe|rather|dann|stattdessen|lieber|bitte|"
    r"alors|plutot|entonces|mejor|invece|allora|dan|liever|entao|teraz)?\W*"
)
"""What may stand behind the number of cards."""

_SETS = regex(
    r"\b(?:leave|keep|set|put|deja\w*|pon\w*|laisse\w*|mets|lass\w*|bleib\w*|deixa\w*|"
    r"lascia\w*|metti\w*|laat|zet|zostaw\w*|ustaw\w*)\b"
)
"""Sets what was spoken of last: "leave it on 20" counts no cards."""
_RETURNS = regex(
    r"\b(?:back|zuruck|retour|reviens|vuelve|volver|volta|torna\w*|terug|wroc)\s+"
    r"(?:to|auf|zu|a|al|ao|naar|na|do)\s+(?P<n>[\d.,]+\s?k?)"
)
_EACH = "requests_per_user_per_day"
_TOKENS = ("dataset_tokens", "tokens_total", "tokens_per_month", "tokens_per_day")
_BILLIONS = regex(r"[\d.,]+\s?(?:b|bn|billion)")
_COUNTED = {
    "REQ": (
        "rps",
        _EACH,
        "requests_per_day",
        "requests_per_month",
        "requests_total",
    ),
    "USER": ("users", "concurrency"),
    "CONC": ("concurrency", "users"),
    "TOK": ("input_tokens", "output_tokens", "tokens_per_sample", "dataset_tokens"),
    "SAMPLE": ("dataset_samples",),
    "DOC": ("requests_total", "dataset_samples", "requests_per_day"),
    "IMAGE": ("images_per_minute", "requests_total"),
    "GPUWORD": ("count",),
}
"""What a number counts, by the word behind it, where it stands already."""
_ALONE = regex(r"[\d.,]+\s?k?")
_HOURS = regex(
    r"\b(?:from|between|von|zwischen|de|entre|das|dalle|van|tussen|od)\s+"
    r"(?P<a>\d{1,2})(?::00|h| uhr)?\s*(?:to|till|until|and|bis|und|a|et|y|as|e|"
    r"alle|tot|en|do|-|–)\s*(?P<b>\d{1,2})(?::00|h| uhr)?(?!\d|[.,]\d|\s?[%kmb])"
)
_HOURS_ALONE = regex(
    r"\W*(?<![\d.,])(?P<a>\d{1,2})\s*(?:to|till|until|bis|-|–)\s*(?P<b>\d{1,2})\W*"
)

_HOURS_JOINED = regex(
    r"(?P<pa>오전|오후|午前|午後|上午|下午|早上|晚上|夜)?\s?(?P<a>\d{1,2})\s?(?:時|时|点|시)"
    r"(?:から|到|至|부터|-|~)\s?(?P<pb>오전|오후|午前|午後|上午|下午|早上|晚上|夜)?\s?"
    r"(?P<b>\d{1,2})\s?(?:時|时|点|시)"
)
_LATE = ("오후", "午後", "下午", "晚上", "夜")
_OF_THEM = regex(
    r"\s*(?:of (?:them|those|these)|davon|d'entre eux|de ellas|di esse|stuks)\b"
)


_AVERAGE = regex(
    r"\b(?:avg|average|mean|normal\w*|usual\w*|durchschnitt\w*|im schnitt|moyenne|"
    r"promedio|media|medio|gemiddeld\w*|srednio)\b|平均|평균"
)
"""The rate beside a peak: "avg is 6 actually"."""
_MANY = 64
_DOES = regex(
    r"\b(?:(?:would|will|does|do|is|are)\s\d+\s(?:do|enough|work|suffice|fit)|\d+\s(?:do|"
    r"enough|suffice)|(?:reich\w*|genug|suffi\w*|bast\w*|genoeg|starcz\w*|yeter)\b)"
    r"|足り|够|충분"
)
"""Asks whether so many cards are enough."""


def place_alone(reading: Reading, plain: str, force: Query) -> None:
    """ "us" alone names the place in a thread that has one."""
    if force.region and "region" not in reading.fields and _US.fullmatch(plain):
        reading.fields["region"] = "us"


def numbers_left(reading: Reading, most: float = -math.inf) -> list[int]:
    """The numbers of a turn that fill no field."""
    codes = {CODES[name] for name in ("NUM", "NUMB", "NUMT")}
    read = [place for places in reading.spans.values() for place in places]
    return [
        index
        for index, code in enumerate(reading.whole)
        if code in codes
        and reading.items[index].value > most
        and not any(a <= reading.items[index].start < b for a, b in read)
    ]


def answer_unit(state: State, reading: Reading, text: str, known: Catalogue) -> None:
    """Read a unit that was asked for with the number that lacked it: "150" "tokens"."""
    force = force_of(state)
    if not state.asked or reading.stated(*state.asked):
        return
    lacking = re.search(
        r"(?<![\w.])(\d[\d.,]*\s?[km]?)\s?(tps|t/s)\b", force.text.lower()
    )
    if lacking is None:
        return
    unit = "tokens per second" if own(reading, "TOK") else "requests per second"
    if not own(reading, "TOK", "REQ", "DOC", "USER"):
        return
    said = f"{lacking[1]} {unit}"
    again = read_turn(said, normalise(said), known, force)
    for field in state.asked:
        if field in again.fields:
            reading.fields[field] = again.fields[field]


def bind(state: State, reading: Reading, edits: Edits) -> None:
    """Give the one number that nothing claimed to what it most likely changes."""
    force = force_of(state)
    fields = reading.fields
    if "users" in fields and force.concurrency is not None and force.users is None:
        fields["concurrency"] = fields.pop("users")
    if "rps" in fields and force.images_per_minute and not own(reading, "REQ"):
        fields["images_per_minute"] = fields.pop("rps") * 60
    _unread_bare(force, reading)
    _moved(force, reading)
    if not reading.stated("deadline_hours", "term_months", "ttft_ms"):
        _bind_one_time(state, reading)
    _bind_hours(state, reading)
    _bind_share(force, reading)
    _bind_nodes(state, reading)
    left = numbers_left(reading)
    if (
        len(left) != 1
        or edits.scaled
        or reading.concept_at(left[0] + 1) in ("CUR", "PCT")
    ):
        return
    if reading.concept_at(left[0] + 1) == "TIME":
        _bind_time(force, reading, left[0])
        return
    item = reading.items[left[0]]
    field = _meant(state, reading, left[0])
    if field is not None and field not in fields:
        value = item.value
        fields[field] = int(value) if field == "count" else value
        reading.span(field, left[0], left[0] + 1)


def _bind_share(force: Query, reading: Reading) -> None:
    """ "make it 55%": the one share that stands."""
    held = [f for f in SHARES if getattr(force, f) and f not in reading.fields]
    for index in numbers_left(reading):
        if reading.concept_at(index + 1) == "PCT" and len(held) == 1:
            reading.fields[held[0]] = reading.items[index].value / 100
            reading.span(held[0], index, index + 2)
            return


def _unread_bare(force: Query, reading: Reading) -> None:
    """Take back what was read from a number alone: in a thread it means what stands.

    So does the number behind "back to", whose "back" is no answer that comes back.
    """
    returns = _RETURNS.search(reading.plain)
    for name in [name for name in reading.fields if name in NUMBERS]:
        places = reading.spans.get(name, ())
        alone = all(_ALONE.fullmatch(reading.plain[slice(*at)]) for at in places)
        back = returns and all(
            returns.start() <= at[0] < returns.end() for at in places
        )
        if places and ((alone and getattr(force, name) is None) or back):
            del reading.fields[name], reading.spans[name]


def _moved(force: Query, reading: Reading) -> None:
    """Give a value to the field of its kind that stands: "24h is fine", "2B".

    A sum is a bill where an API is held against own GPUs, and requests are each
    person's where people stand.
    """
    fields, named = reading.fields, {f for t in things(reading.plain) for f in t.fields}
    if "duration_hours" in fields and force.audio_hours and not force.duration_hours:
        _move(reading, "duration_hours", "audio_hours")
    if "duration_hours" in fields and force.deadline_hours and not force.duration_hours:
        _move(reading, "duration_hours", "deadline_hours")
    each, daily = getattr(force, _EACH), fields.get("requests_per_day")
    near = each and daily and abs(math.log10(daily / each)) < 1
    alone = daily and not force.requests_per_day and daily < (force.users or 0)
    each = near and not own(reading, "REQ")
    if daily and force.users and (named & {_EACH} or each or alone):
        _move(reading, "requests_per_day", _EACH)
    people, share = fields.get("users"), getattr(force, _EACH)
    if people and share and named & {_EACH} and people / share < _FAR:
        _move(reading, "users", _EACH)
    lasting = force.duration_hours and not force.term_months
    if "term_months" in fields and lasting and not own(reading, "RESERVED"):
        _move(reading, "term_months", "duration_hours")
        fields["duration_hours"] = fields["duration_hours"] * 730
    bill = force.intent == "breakeven" and not force.budget_amount
    if "budget_amount" in fields and bill and not own(reading, "BUDGET", "UNDER"):
        _move(reading, "budget_amount", "api_spend_amount")
        _move(reading, "budget_period", "api_spend_period")
        fields.pop("budget_currency", None)
    size, places = fields.get("params_b"), reading.spans.get("params_b", ())
    if size and all(_BILLIONS.fullmatch(reading.plain[slice(*at)]) for at in places):
        off = {
            name: abs(math.log10(size * 1e9 / held))
            for name in _TOKENS
            if (held := getattr(force, name))
        }
        own_off = abs(math.log10(size / force.params_b)) if force.params_b else _NEAR
        best = min(off, key=lambda name: off[name], default=None)
        if best is not None and off[best] < own_off:
            _move(reading, "params_b", best)
            fields[best] = size * 1e9


def _move(reading: Reading, old: str, new: str) -> None:
    if old in reading.fields:
        reading.fields[new] = reading.fields.pop(old)
        reading.spans[new] = reading.spans.pop(old, [])


def _bind_hours(state: State, reading: Reading) -> None:
    """ "from 7 to 19": of a day, where people or a schedule stand."""
    force = force_of(state)
    people = force.users or force.hours_per_day or force.days_per_week
    people = people or reading.stated("days_per_week")
    hours = _HOURS.search(reading.plain) or _HOURS_JOINED.search(reading.plain)
    if hours is None and reading.stated("days_per_week"):
        hours = _HOURS_ALONE.search(reading.plain)
    elif hours is None and force.hours_per_day:
        hours = _HOURS_ALONE.fullmatch(reading.plain)
    if not people or hours is None or "hours_per_day" in reading.fields:
        return
    first, last = float(hours["a"]), float(hours["b"])
    if "pa" in hours.groupdict():
        first += 12 if hours["pa"] in _LATE and first < 12 else 0
        last += 12 if hours["pb"] in _LATE and last < 12 else 0
    last += 12 if last <= first and last <= 12 else 0
    if first < last <= 24:
        for name in [name for name in reading.fields if name in NUMBERS]:
            del reading.fields[name]
        reading.fields["hours_per_day"] = last - first
        reading.stretch("hours_per_day", *hours.span())


def _held_before(state: State, value: float) -> str | None:
    """The field that a value goes back to: it held this one before an edit."""
    force = force_of(state)
    for query in (state.before, state.first):
        for name in NUMBERS if query is not None else ():
            held = getattr(query, name)
            if held == value and held != getattr(force, name):
                return name
    return None


def changes_time(state: State, reading: Reading) -> bool:
    """Whether one of a time is said where a time was just changed, or is corrected."""
    force = force_of(state)
    units = {item.value for item in reading.all("TIME")}
    waits = ("ttft_ms",) if "second" in units else ()
    timed = {f for f in (*_TIMED, *waits) if getattr(force, f)}
    alone = len(reading.plain.split()) <= 2
    free = (
        alone
        or own(reading, "TTFT", "LAT", "E2E")
        or any(says(reading.plain, cue) for cue in ("correct", "allow"))
    )
    fresh = timed if free else timed & set(state.changed)
    said = _ONE_TIME.search(reading.plain)
    places = [place for spans in reading.spans.values() for place in spans]
    unread = said and not any(a <= said.end() - 1 < b for a, b in places)
    return bool(fresh and unread and reading.has("TIME"))


def restated(state: State, reading: Reading) -> dict[str, Any]:
    """ "sorry, per hour, not per minute", "it's dollars": a value in another unit."""
    money = [item.value for item in reading.all("CUR")]
    held = force_of(state)
    meant = any(says(reading.plain, cue) for cue in ("correct", "states", "negated"))
    if money and meant and held.budget_amount and "?" not in reading.plain:
        own_sum = reading.fields.get("budget_amount")
        return {} if own_sum else {"budget_currency": money[0]}
    times = list(dict.fromkeys(i.value for i in reading.all("TIME")))
    plain, force = reading.plain, held
    if not meant or "?" in plain or not reading.has("PER") or numbers_left(reading):
        return {}
    if force.images_per_minute or not 1 <= len(times) <= 2 or own(reading, *MONEY):
        return {}
    texts = [query.text for query in (force, state.first) if query is not None]
    rates = [r for text in texts for r in _rates(text)]
    old = times[1] if len(times) == 2 else next(iter(rates), None)
    new = times[0]
    if old == new or not {old, new} <= _SECONDS.keys():
        return {}
    amount = force.requests_per_day or force.requests_per_month
    amount = amount or (force.rps or 0) * _SECONDS[old or ""]
    if not amount:
        return {}
    if new in ("day", "month"):
        return {f"requests_per_{new}": amount}
    return {"rps": float(f"{amount / _SECONDS[new]:.9g}")}


def _rates(text: str) -> list[str]:
    clean = normalise(text)
    return read_turn(text, clean, catalogue(), Query()).rates


_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "month": 2628000}


def _bind_nodes(state: State, reading: Reading) -> None:
    """ "3 nodes": of as many GPUs as the nodes that stand."""
    turn = _NODES.search(reading.whole)
    force = force_of(state)
    if turn is None or not force.count or own(reading, "GPU", "GPUWORD"):
        return
    for query in (force, state.first):
        before = _NODES.search(_line(query.text)[0]) if query is not None else None
        if query is None or before is None or not query.count:
            continue
        number = _line(query.text)[1][before.start("n")].value
        size = query.count / (number or 1)
        if size > 1 and size == int(size):
            item = reading.items[turn.start("n")]
            asked = 1 if item.concept == "A" else item.value
            reading.fields["count"] = int(asked * size)
            reading.span("count", *turn.span())
            return


def _line(text: str) -> tuple[str, list[Item]]:
    reading = read_turn(text, normalise(text), catalogue(), Query())
    return reading.whole, reading.items


_NODES = compiled("<n>[NUM NUMB NUMT A] W? NODE")


def _bind_one_time(state: State, reading: Reading) -> None:
    """ "sorry, a week", "one second is fine": one of a time, where a time stands."""
    force, unit = force_of(state), next(
        (i.value for i in reading.items if i.concept == "TIME"), None)  # fmt: skip
    if not changes_time(state, reading) or numbers_left(reading, most=1):
        return
    if force.ttft_ms and unit == "second":
        reading.fields["ttft_ms"] = 1000.0
        return
    timed = [f for f in _TIMED if getattr(force, f)]
    if unit in HOURS and timed:
        field = timed[0]
        reading.fields[field] = round(
            HOURS[unit] / (730 if field == "term_months" else 1), 6
        )


def _bind_time(force: Query, reading: Reading, index: int) -> None:
    """ "48h is fine too": a time changes the one time that stands."""
    unit, value = reading.items[index + 1].value, reading.items[index].value
    if unit in _WAITS:
        waits = [
            name for name in ("ttft_ms", "e2e_ms", "tpot_ms") if getattr(force, name)
        ]
        if waits and not reading.stated(*waits):
            reading.fields[waits[0]] = _WAITS[unit] * value
            reading.span(waits[0], index, index + 2)
        return
    hours = HOURS.get(unit, 0) * value
    for field, unit in (
        ("deadline_hours", 1),
        ("duration_hours", 1),
        ("term_months", 730),
    ):
        if hours and getattr(force, field) and field not in reading.fields:
            reading.fields[field] = round(hours / unit, 6)
            reading.span(field, index, index + 2)
            return


def _meant(state: State, reading: Reading, index: int) -> str | None:
    """The field of a bare number: asked for, named, changed last, or nearest."""
    item, force = reading.items[index], force_of(state)
    if item.value <= 0 or reading.word(index) in ("one", "a", "an"):
        return None
    if field := _asked_for(state, item.value):
        return field
    if _RETURNS.search(reading.plain) and (back := _held_before(state, item.value)):
        return back
    if force.peak_rps and force.rps and _AVERAGE.search(reading.plain):
        return "rps"
    if _counts_cards(reading, index) and (force.gpu or force.count):
        return "count"
    return _named(force, reading, index) or _nearest(state, item.value)


def _counts_cards(reading: Reading, index: int) -> bool:
    """ "and on 2?", "4 of them"."""
    item = reading.items[index]
    after = reading.plain[item.end :]
    before = reading.plain[: item.start]
    ends = bool(_COUNTS.search(before) and _ENDS.fullmatch(after))
    ends = ends and not _SETS.search(before)
    word = reading.plain[item.start : item.end].isalpha() and not after.strip(" ?.!")
    fits = item.value <= _MANY and (word or _DOES.search(reading.plain))
    return bool(ends or fits or _OF_THEM.match(after)) and item.value == int(item.value)


def _named(force: Query, reading: Reading, index: int) -> str | None:
    """What a number counts by the word behind it, or what is named in the turn."""
    item, named = reading.items[index], things(reading.plain)
    counted = _COUNTED.get(reading.concept_at(index + 1) or "", ())
    told = [name for name in counted if getattr(force, name)]
    told.sort(key=lambda name: abs(math.log10(item.value / getattr(force, name))))
    for name in (*told, *(name for thing in named for name in thing.fields)):
        if name in NUMBERS and getattr(force, name):
            return name
    for thing in named:  # "3 passes", "peak of 200"
        apart = item.start - thing.end
        rises = "peak_rps" in thing.fields and 0 <= apart <= _RISES
        if 0 <= thing.start - item.end <= 2 or 0 <= apart <= 4 or rises:
            return next((name for name in thing.fields if name in NUMBERS), None)
    return None


_RISES = 20
"""Characters in which a peak "can go up to" its number."""


def _asked_for(state: State, value: float) -> str | None:
    """The field that the bot asked for, where the number may be its answer."""
    for field in state.asked:
        if field == "dataset_tokens":
            return field if value >= 1e6 else "dataset_samples"
        if field in NUMBERS:
            return field
        if field in ("model", "params_b") and value < 2000:
            return "params_b"
    return None


_FAR = 10
"""Times as much as each person does: so many are people, not what each does."""
_TERMS = (1, 2, 3, 6, 9, 12, 18, 24, 36, 48, 60)
"""Months for which hardware is rented."""


def _nearest(state: State, value: float) -> str | None:
    """What was changed last, else what is nearest in size; None: nothing is near."""
    held = {name: getattr(force_of(state), name) for name in NUMBERS}
    near = {
        name: abs(math.log10(value / amount))
        for name, amount in held.items()
        if amount and (name != "count" or value == int(value))
    }
    asks_cards = force_of(state).intent in ("fit", "capacity", "cost")
    cards = asks_cards and value <= _MANY and near.get("count", _NEAR) < _NEAR
    if cards and (not state.changed or "count" in state.changed):
        return "count"
    for name in state.changed:
        told = name != "term_months" or value in _TERMS
        if told and near.get(name, math.inf) <= _NEAR:
            return name
    close = min(near, key=lambda name: near[name], default=None)
    if close in _SUMS and near[close] <= _CLOSE:
        return close
    near = {name: off for name, off in near.items() if name not in _WITH_UNIT}
    best = min(near, key=lambda name: near[name], default=None)
    return best if best is not None and near[best] <= _NEAR else None

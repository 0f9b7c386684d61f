"""A conversation as one state machine: each turn edits what is in force, or asks of it.

The state holds the workload in force, the one that the thread began with, what the bot
asked back last, and what was changed last: a bare number belongs to one of these.
"""

import math
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from bot.language.catalogue import Catalogue, catalogue
from bot.language.grammar import CODES, compiled
from bot.language.normalise import Clean, normalise
from bot.language.parse import parse, query_of, read
from bot.language.reading import Reading
from bot.language.rules import clarify
from bot.language.turns import (
    Delta,
    Factor,
    Thing,
    asked_about,
    corrected,
    cues,
    defines,
    delta_of,
    factor_of,
    is_about,
    plain_of,
    says,
    settings,
    things,
    unset,
)
from core.frozen import Frozen
from core.query import ABOUT, Query
from core.reference.catalogue import Reference
from core.reference.load import reference as reference_data

_GROUPS: tuple[tuple[str, ...], ...] = (
    ("model", "params_b", "active_params_b"),
    ("precision", "quant_method"),
    ("gpu", "instance"),
    ("provider",),
    ("pricing", "term_months"),
    ("budget_amount", "budget_period", "budget_currency"),
    (
        "rps", "requests_per_day", "requests_per_month", "tokens_per_second",
        "tokens_per_day", "tokens_per_month",
    ),
    ("input_tokens", "output_tokens", "total_tokens_per_request"),
    ("dataset_tokens", "dataset_samples"),
    ("hours_per_day", "days_per_week"),
)  # fmt: skip
"""Fields of which a new one replaces all the old ones, except as told below."""
_TOGETHER = frozenset(
    "input_tokens output_tokens hours_per_day days_per_week budget_amount "
    "budget_period budget_currency".split()
)
"""Sides of a pair: a new prompt length leaves the answer's as it was."""
_LISTS = ("gpu", "provider", "precision", "pricing", "instance", "method")
_UNTOUCHED = frozenset(
    ("text", "clarify", "unknown", "spans", "intent", "kind", "alert")
)
_LAID_APART = frozenset(("beside", "life", "wanted", "use", "count_is_most"))
_CARRIED = tuple(
    name
    for name, about in ABOUT.items()
    if about.carried and not about.stated and name not in _LAID_APART
)
"""What no field holds and what holds on all the same."""
_WATCHED = ("gpu", "provider", "pricing", "region", "term_months")
_LOAD = (
    "rps", "peak_rps", "requests_per_day", "requests_per_month", "requests_total",
    "tokens_per_second", "tokens_per_day", "tokens_per_month", "tokens_total",
    "concurrency", "users", "images_per_minute", "audio_hours",
)  # fmt: skip
_DATA = ("dataset_tokens", "dataset_samples", "steps", "epochs", "tokens_per_sample")
_NAMED = ("model", "params_b", "modality")
_NUMBERS = (
    *_LOAD, "input_tokens", "output_tokens", "context", "count", *_DATA, "batch_size",
    "term_months", "budget_amount", "ttft_ms", "tok_s_per_user", "hours_per_day",
    "deadline_hours", "requests_per_user_per_day", "api_spend_amount",
)  # fmt: skip
"""Fields that a bare number may change."""
_WITH_UNIT = frozenset(
    "term_months budget_amount api_spend_amount hours_per_day deadline_hours ttft_ms".split()
)
"""Fields of which nobody says a number without its unit, unless asked for it."""
_KINDS = {
    "finetune": frozenset(("FINETUNE",)),
    "training": frozenset(("TRAIN",)),
    "batch": frozenset(("BATCH",)),
}
"""What a thread is about, as the concepts that its first question held."""
_SUBJECTLESS = ("alert", "help", "out_of_scope", "explain")
_ASKS = (
    "HOWLONG", "HOWMANY", "FIT", "CAPACITY", "OK", "COMPARE", "CHEAP", "NEED", "TRAIN",
    "FINETUNE", "OFFLINE", "BATCH", "REALTIME", "FAST", "RUN", "CANI",
)  # fmt: skip
"""What asks again for an answer to the workload in force."""
_MONEY = ("COST", "BILL", "HOWMUCH")
_NEAR = 1.5
"""Powers of ten between a bare number and the value that it may replace."""
_HOURS = {
    "minute": 1 / 60,
    "hour": 1,
    "day": 24,
    "week": 168,
    "month": 730,
    "year": 8760,
}
_ONE_TIME = re.compile(r"\b(?:a|an|one|eine?|une?|una|um|een|1)\s+[^\W\d]+")
_TIMED = ("deadline_hours", "duration_hours", "term_months")
_US = re.compile(
    r"(?:\W|\b(?:no|nope|sorry|and|now|then|in|the|to|use|make|it|try|only)\b)*us\W*"
)
_COUNTS = re.compile(r"(?:\bon|\bauf|\bsur|\ben|\bsu|\bop|\bna|\bem)\s*$")
"""What stands before the number of cards."""
_OF_THEM = re.compile(
    r"\s*(?:of (?:them|those|these)|davon|d'entre eux|de ellas|di esse|stuks)\b"
)
_REACH = 28
"""Characters from "drop" or "any" to what is to go."""


class State(Frozen):
    """What a conversation stands at; kept as JSON between turns."""

    query: Query | None = None
    """The workload in force."""
    first: Query | None = None
    """The workload as it was first asked, for "half the original load"."""
    asked: tuple[str, ...] = ()
    """The fields that the bot asked back for last and still lacks."""
    changed: tuple[str, ...] = ()
    """The fields that the last edit changed."""
    before: Query | None = None
    """The workload before the last edit, for "put it back"."""
    adding: bool = False
    """Whether the last edit united lists: "and a10g" then goes on adding."""
    answer_id: str | None = None
    """The answer that a question about it means."""


class Heard(NamedTuple):
    """A turn as it is meant."""

    query: Query
    """What is to be answered: the workload in force, or an aside's own question."""
    state: State
    about: str | None = None
    """What is asked of the answer in force; None: the turn asks or edits."""
    carried: tuple[str, ...] = ()
    """The fields that the conversation stated, not the turn itself."""


def hear(state: State, text: str, reference: Reference | None = None) -> Heard:
    """Read a turn beside what stands; any text gives a turn, none raises."""
    force = state.query
    if force is None or force.intent in (None, "help", "out_of_scope"):
        return _anew(text, reference)
    plain, known = plain_of(text), catalogue(reference)
    alone = _read(text, normalise(text), known, force)
    if _is_whole(state, plain, alone):
        return _anew(text, reference)
    if force.alert is not None:
        return _alert_edited(state, text, alone, reference)
    if about := _about(state, plain, alone):
        query = parse(text, reference) if about in ("aside", "watch") else force
        if about == "unit":
            query = _in_unit(force, alone)
        return Heard(query, state, about)
    edited = _edited(state, text, known)
    if edited is None:
        return Heard(parse(text, reference), state, "aside")
    return edited


def apply(
    previous: Query, text: str, reference: Reference | None = None
) -> Query | None:
    """Return the previous question with what a turn changes; None: a new question."""
    state = State(query=previous, first=previous, asked=_asked(previous))
    heard = hear(state, text, reference)
    same = heard.about is not None or heard.state.first is not previous
    return None if same else heard.query


def carried_over(query: Query) -> tuple[str, ...]:
    """The fields of a follow-up that its thread stated, not the message itself."""
    return tuple(
        field
        for field in query.stated()
        if field not in query.spans and field not in ("intent", "kind")
    )


def thread_line(row: dict[str, Any]) -> dict[str, Any]:
    """One line of `gpucost parse --threads`: `{"id", "turns"}` to specs and about."""
    state, specs, about = State(), [], []
    for text in row.get("turns", ()):
        heard = hear(state, str(text))
        state = heard.state
        stands = state.query or heard.query
        named = set(stands.stated())
        specs.append(stands.model_dump(mode="json", exclude_none=True, include=named))
        about.append(heard.about)
    return {"id": row.get("id"), "specs": specs, "about": about}


def _anew(text: str, reference: Reference | None) -> Heard:
    query = parse(text, reference)
    return Heard(query, State(query=query, first=query, asked=_asked(query)))


def _asked(query: Query) -> tuple[str, ...]:
    return query.clarify.about if query.clarify is not None else ()


def _read(text: str, clean: Clean, known: Catalogue, force: Query) -> Reading:
    """Read a turn where the thread's kind of work holds."""
    heard = set(_KINDS.get(force.kind or "", ()))
    heard |= {"RESERVED"} if "reserved" in (force.pricing or ()) else set()
    heard |= {"GPU"} if force.gpu else set()
    heard |= {"COST"} if force.intent == "cost" else set()
    return read(text, clean, known, kind=force.kind, heard=frozenset(heard))


def _own(reading: Reading, *concepts: str) -> bool:
    """Whether a turn itself speaks of something, whatever its thread is about."""
    return any(item.concept in concepts for item in reading.items)


# -- what kind of turn it is ---------------------------------------------------------


def _alert_edited(
    state: State, text: str, reading: Reading, reference: Reference | None
) -> Heard:
    """Change an alert that was just asked for: "make it 1.10", "on spot"."""
    force = force_of(state)
    plain, numbers = (
        plain_of(text),
        re.findall(r"(?<![\w.])\d+(?:[.,]\d+)?(?![\w%])", text),
    )
    new = {k: v for k, v in reading.fields.items() if k in _WATCHED}
    alert = force.alert
    if alert is not None and len(numbers) == 1 and not new.get("count"):
        new["alert"] = alert.model_copy(
            update={"value": float(numbers[0].replace(",", "."))}
        )
    if not new or asked_about(plain) == "thanks":
        about = "thanks" if asked_about(plain) == "thanks" else "aside"
        return Heard(parse(text, reference), state, about)
    query = force.model_copy(update={**new, "text": text})
    return Heard(query, state.model_copy(update={"query": query, "before": force}))


def _is_whole(state: State, plain: str, reading: Reading) -> bool:
    """Whether a turn is a question of its own, which replaces what stands."""
    force = state.query
    stated = set(reading.fields) - _UNTOUCHED
    if _is_alert(reading):
        return True
    if force is None or reading.fields["intent"] in _SUBJECTLESS:
        return False
    loaded = bool(stated & {*_LOAD, *_DATA})
    named = bool(stated & set(_NAMED))
    if says(plain, "new") and stated:
        return True
    if says(plain, "goes_on") or says(plain, "correct") or state.asked:
        return False
    if named:
        sized = loaded or {"input_tokens", "output_tokens"} <= stated
        other = not _same_model(force, reading)
        more = _own(reading, "FINETUNE", "TRAIN", "FIT") or "count" in stated
        return (sized or more) if other else sized and len(stated) >= 5
    asks_price = reading.fields["intent"] in ("cost", "breakeven") and _asks_money(
        reading
    )
    return asks_price and {"gpu", "count"} <= stated and force.gpu is None


def _is_alert(reading: Reading) -> bool:
    """Whether a turn asks for an alert that says itself what is watched."""
    alert = reading.fields.get("alert")
    return bool(
        alert
        and alert["action"] == "create"
        and reading.stated("gpu", "model", "params_b")
    )


def _same_model(force: Query, reading: Reading) -> bool:
    """Whether a turn names the model in force, or none."""
    model, size = reading.fields.get("model"), reading.fields.get("params_b")
    if model is not None and force.model is not None:
        return model == force.model or force.model.startswith(f"{model}-")
    return size is None or size == force.params_b


def _about(state: State, plain: str, reading: Reading) -> str | None:
    """What a turn asks of the answer in force, None where it edits."""
    stated = set(reading.fields) - _UNTOUCHED
    stated |= reading.aside.keys() & set(_CARRIED)
    edits = bool(stated & {*_LOAD, *_DATA, "model", "params_b", "input_tokens",
                           "output_tokens", "context", "budget_amount"})  # fmt: skip
    kind = asked_about(plain)
    if "alert" in reading.fields and not state.asked:
        if reading.fields["alert"]["action"] == "create":
            return "share" if kind == "share" else "watch"
        if reading.has("ALERT"):
            return "aside"
    if kind in ("share", "watch") and not edits:
        return kind
    if (
        defines(plain)
        and not edits
        and not _own(reading, "COST", "PRICE", "HOWMUCH", "BILL")
    ):
        return "aside"
    if _own(reading, "CHITCHAT", "INJECT") and not edits:
        return "aside"
    if is_about(plain, "aside") and _is_question(plain, reading):
        return "aside"
    if kind == "why_not" or (kind == "why" and _alternative(reading, force_of(state))):
        other = _alternative(reading, force_of(state))
        if other is not None:
            return f"why_not:{other}"
        kind = "why"
    if kind in ("how_sure", "price_age", "why") and not edits:
        return kind
    if kind == "cheaper" and not stated:
        return kind
    if kind == "thanks" and not stated and not _numbers(reading):
        return kind
    takes = any(
        _thing_near(things(plain), force_of(state), *cue)
        for cue in cues(plain, "remove")
    )
    takes = takes or bool(unset(plain))
    plainly = not stated - {"budget_currency"}
    unit = stated == {"budget_currency"} or _asks_unit(plain, reading)
    unit = unit and not _changes_time(state, reading)
    if plainly and unit and not takes and not state.asked:
        return "unit"
    return "aside" if _stands_apart(state, plain, reading, stated) else None


def force_of(state: State) -> Query:
    """The workload in force, empty where none is."""
    return state.query or Query()


def _is_question(plain: str, reading: Reading) -> bool:
    return "?" in plain or _own(
        reading, "EXPLAIN", "PRICE", "HOWMUCH", "WHY", "HOWMANY"
    )


def _alternative(reading: Reading, force: Query) -> str | None:
    """What else a turn names: a GPU, a provider, a model, a precision, a way to pay."""
    aside = reading.aside
    for field, out in (
        ("gpu", aside.get("gpu_exclude")),
        ("provider", reading.fields.get("provider_exclude")),
        ("precision", aside.get("precision_exclude")),
        ("pricing", aside.get("pricing_exclude")),
        ("instance", None),
        ("method", None),
        ("region", aside.get("region_exclude")),
    ):
        names = reading.fields.get(field) or out or ()
        names = (names,) if isinstance(names, str) else names
        inside = getattr(force, field) or ()
        other = [name for name in names if name not in inside]
        if other:
            return str(other[0])
    model = reading.fields.get("model")
    if model and model != force.model:
        return str(model)
    size = reading.fields.get("params_b")
    return f"{size:g}b" if size and size != force.params_b else None


def _asks_unit(plain: str, reading: Reading) -> bool:
    """Whether a turn asks for the figure per something else, or in other money."""
    month = any(i.value == "month" for i in reading.all("TIME"))
    if (
        month
        and _asks_money(reading)
        and not _own(reading, "USER", "TOK", "REQ", "GPU")
    ):
        return False  # money is told by the month anyway
    if compiled("[PER SLASH] [NUM NUMB]? [TOK REQ]").search(reading.whole):
        return True
    if _numbers(reading, most=1):
        return False
    if reading.wanted is not None or reading.aside.get("asked_unit"):
        return True
    if reading.first("[UNDER DEADLINE DUR] W? PER TIME"):
        return False
    per = reading.first(
        "[PER SLASH IN A] [TIME USER TOK REQ DOC GPU GPUWORD NODE IMAGE]"
    )
    money = reading.first("[IN ON W] W? CUR", "CUR") is not None
    return bool(per or money or _bare_period(plain, reading))


def _in_unit(force: Query, reading: Reading) -> Query:
    """The workload in force with the figure, or the money, that is asked for."""
    update: dict[str, Any] = {
        "wanted": reading.wanted or force.wanted,
        "asked_unit": reading.aside.get("asked_unit") or force.asked_unit,
        "budget_currency": reading.fields.get("budget_currency")
        or force.budget_currency,
    }
    return force.model_copy(update=update)


def _bare_period(plain: str, reading: Reading) -> bool:
    """ "and the year?", "yearly", "monthly instead": a period and next to nothing."""
    return reading.has("TIME") and len(plain.split()) <= 5 and not reading.has("DUR")


def _stands_apart(state: State, plain: str, reading: Reading, stated: set[str]) -> bool:
    """Whether a turn is a question beside the thread: a word, a price of its own."""
    intent = reading.fields["intent"]
    force = force_of(state)
    if not stated and intent in ("explain", "help"):
        return not _numbers(reading) and factor_of(plain) is None
    if intent == "explain" and not stated & set(_LISTS):
        return True
    priced = intent == "price" and force.intent not in ("price", "cost", "compare")
    if not priced or says(plain, "goes_on") or not _own(reading, "PRICE"):
        return False
    told = reading.concept_at(0) == "PRICE"
    return told or (_is_question(plain, reading) and len(plain.split()) > 3)


# -- edits ---------------------------------------------------------------------------


class _Edits(NamedTuple):
    """What a turn takes away and scales, and the rest of its words."""

    text: str
    gone: frozenset[str]
    scaled: dict[str, Any]
    left: dict[str, Any]


def _edited(state: State, text: str, known: Catalogue) -> Heard | None:
    """Apply a turn's edits; None where it holds none."""
    force = force_of(state)
    clean = normalise(text)
    slip = corrected(clean.text)
    clean = Clean(slip, clean.origin)
    if says(clean.text, "undo") and state.before is not None:
        return _restored(state, text, clean, known)
    edits = _taken_apart(
        state,
        clean,
        _read(_original(text, normalise(text), clean), clean, known, force),
    )
    rest = Clean(edits.text, clean.origin)
    reading = _read(_original(text, clean, rest), rest, known, force)
    _place(reading, edits.text, force)
    _answer_unit(state, reading, text, known)
    _bind(state, reading, edits)
    new = {k: v for k, v in reading.fields.items() if k not in _UNTOUCHED}
    said = force.stated()
    new = {k: v for k, v in new.items() if k not in edits.gone or v != said.get(k)}
    new |= {**edits.scaled, **edits.left}
    apart = reading.aside.keys() & set(_CARRIED) or reading.beside or reading.life
    goes = edits.gone & set(force.stated()) or edits.text != clean.text
    asks = _own(reading, *_MONEY, *_ASKS)
    if not new and not goes and not apart and not asks:
        return None
    adding = _adds(state, clean.text, reading)
    query = _merged(state, text, clean, reading, new, edits.gone, adding)
    changed = tuple(field for field in new if new[field] is not None)
    return Heard(
        query,
        State(
            query=query,
            first=state.first,
            asked=_asked(query),
            changed=changed or state.changed,
            before=force,
            adding=adding,
            answer_id=state.answer_id,
        ),
        carried=tuple(f for f in carried_over(query) if f not in new),
    )


def _restored(state: State, text: str, clean: Clean, known: Catalogue) -> Heard:
    """Go back to the workload before the last edit, and on from there."""
    before, after = state.before, force_of(state)
    if before is None:
        return Heard(after, state)
    fields = before.stated()
    back = tuple(f for f in fields if fields[f] != after.stated().get(f))
    state = State(query=before, first=state.first, changed=back, before=after,
                  answer_id=state.answer_id)  # fmt: skip
    rest = clean.text
    for start, end in cues(rest, "undo"):
        rest = _blanked(rest, start, end)
    if re.search(r"[^\W_]{2}|\d", rest):
        words = _original(text, clean, Clean(rest, clean.origin))
        if (heard := _edited(state, words, known)) is not None:
            return heard
    return Heard(before, state, carried=carried_over(before))


def _original(text: str, clean: Clean, rest: Clean) -> str:
    """The message with what was taken apart blanked, places kept."""
    characters = list(text)
    for at, (before, after) in enumerate(zip(clean.text, rest.text, strict=True)):
        if before != after:
            characters[clean.place(at)] = after
    return "".join(characters)


def _asks_money(reading: Reading) -> bool:
    return _own(reading, *_MONEY)


def _taken_apart(state: State, clean: Clean, reading: Reading) -> _Edits:
    """Take removals, replaced values and factors out of a turn's words."""
    force, plain = force_of(state), clean.text
    gone: set[str] = set()
    left: dict[str, Any] = {}
    named = things(plain)
    scaled: dict[str, Any] = {}
    for field, value, start, end in settings(plain):
        scaled[field] = value
        plain = _blanked(plain, start, end)
    for start, end in cues(plain, "negated"):
        number = re.match(r"\s+\d+(?:[.,]\d+)?[kmb]?\b(?!\s?%)", plain[end:])
        if number and _more(plain, start):
            plain = _blanked(plain, start, end + number.end())  # "5 rps, not 25"
    for thing in unset(plain):
        gone |= set(thing.fields)
        plain = _blanked(plain, thing.start, thing.end)
    for start, end in cues(plain, "replaced"):
        plain = _blanked(plain, start, _words_after(plain, end, 2))
    for start, end in cues(plain, "remove"):
        if not plain[start:end].strip():
            continue
        if kept := _without_named(force, reading, clean, start, end):
            field, values, last = kept
            left[field] = values
            first = max(0, start - _REACH) if last == end else start
            plain = _blanked(plain, first, last)
            continue
        thing = _thing_near(named, force, start, end)
        if thing is None and (other := _thing_missing(named, end)):
            plain = _blanked(plain, start, other.end)
        if thing is not None:
            gone |= set(thing.fields)
            plain = _blanked(plain, min(start, thing.start), max(end, thing.end))
    if delta := delta_of(plain):
        for name in _counted_fields(force, named, delta):
            scaled[name] = max(1, getattr(force, name) + delta.amount)
            scaled[name] = int(scaled[name]) if name == "count" else scaled[name]
            plain = _blanked(plain, delta.start, delta.end)
    factor = factor_of(plain)
    if factor is not None and _is_relative(plain, factor, named, reading):
        base = state.first if says(plain, "original") and state.first else force
        fields = _scaled_fields(base, named, plain, factor)
        scaled |= {name: _times(getattr(base, name), factor.times) for name in fields}
        if fields:
            plain = _blanked(plain, factor.start, factor.end)
            for thing in named:
                if set(thing.fields) & scaled.keys():
                    plain = _blanked(plain, thing.start, thing.end)
    return _Edits(plain, frozenset(gone), scaled, left)


def _counted_fields(force: Query, named: list[Thing], delta: Delta) -> list[str]:
    """What so many more are of: what is named beside them, or the cards."""
    beside = [f for t in named if abs(t.start - delta.end) <= 12 for f in t.fields]
    stated = force.stated()
    for name in (*beside, "count", "users", "concurrency", "rps"):
        if name in stated and name in _NUMBERS:
            return [name]
    return []


def _blanked(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]


def _words_after(text: str, at: int, count: int) -> int:
    """Where so many words behind a place end, or the clause does."""
    found = re.match(rf"(?:\s*[^\s,;.?!]+){{0,{count}}}", text[at:])
    return at + (found.end() if found else 0)


def _more(plain: str, start: int) -> bool:
    """Whether a number stands before: the one that holds."""
    return re.search(r"\d", plain[:start]) is not None


def _without_named(
    force: Query, reading: Reading, clean: Clean, start: int, end: int
) -> tuple[str, Any, int] | None:
    """A list in force without what a removal names: "remove the t4", "not on aws"."""
    for field in (
        "gpu",
        "provider",
        "precision",
        "pricing",
        "region",
        "instance",
        "method",
    ):
        inside = getattr(force, field)
        if not inside or (field == "region" and reading.aside.get("region_exclude")):
            continue
        values = (inside,) if isinstance(inside, str) else inside
        for item in reading.items:
            said = str(item.value).lower()
            out = [v for v in values if v == said or v.startswith(f"{said}-")]
            near = 0 <= item.start - end <= _REACH or 0 <= start - item.end <= 3
            if out and near:
                rest = tuple(v for v in values if v not in out)
                kept = rest or None
                last = max(item.end, end)
                return field, kept if not isinstance(inside, str) else None, last
    return None


def _thing_near(
    named: Iterable[Thing], force: Query, start: int, end: int
) -> Thing | None:
    """What a removal is about: the nearest thing that is in force, behind it first."""
    stated = set(force.stated()) | {
        name for name in _CARRIED if getattr(force, name) is not None
    }
    inside = [thing for thing in named if stated & set(thing.fields)]
    behind = [t for t in inside if 0 <= t.start - end <= _REACH]
    before = [t for t in inside if 0 <= start - t.end <= _REACH]
    return behind[0] if behind else before[-1] if before else None


def _thing_missing(named: Iterable[Thing], end: int) -> Thing | None:
    """What is to go though it does not hold: "remove the internal part"."""
    behind = [t for t in named if 0 <= t.start - end <= 6]
    free = [t for t in behind if not {*_LISTS, "region"} & set(t.fields)]
    return free[0] if free else None


def _is_relative(
    plain: str, factor: Factor, named: list[Thing], reading: Reading
) -> bool:
    """Whether a factor scales what stands, and is no count of cards."""
    after = plain[factor.end :].strip()
    following = [i for i in reading.items if i.start >= factor.end and i.concept != "A"]
    if following and following[0].concept in ("TIME", "MUL", "PER", "TOK", "CUR"):
        return False
    if (
        reading.concept_at(0) in ("GPU", "INSTANCE")
        and "x" in plain[factor.start : factor.end]
    ):
        return False
    near = any(0 <= t.start - factor.end <= _REACH for t in named)
    short = len(re.findall(r"\w+", plain)) <= 7
    return near or short or says(after, "scaled") or says(plain, "original")


def _scaled_fields(
    base: Query, named: list[Thing], plain: str, factor: Factor
) -> list[str]:
    """The fields that a factor scales: what is named beside it, or the load."""
    stated = base.stated()
    beside = sorted(named, key=lambda thing: abs(thing.start - factor.end))
    for thing in beside:
        own = [f for f in thing.fields if f in stated and f in _NUMBERS]
        if "rps" in thing.fields:
            own = []
        if (
            own
            and min(abs(thing.start - factor.end), abs(factor.start - thing.end)) <= 16
        ):
            return own[:1]
    load = [name for name in _LOAD if name in stated]
    if load:
        return load
    return [
        name
        for name in ("dataset_tokens", "dataset_samples", "count")
        if name in stated
    ][:1]


def _times(value: float, factor: float) -> float | int:
    scaled = value * factor
    return max(1, round(scaled)) if isinstance(value, int) else float(f"{scaled:.9g}")


def _place(reading: Reading, plain: str, force: Query) -> None:
    """ "us" alone names the place in a thread that has one."""
    if force.region and "region" not in reading.fields and _US.fullmatch(plain):
        reading.fields["region"] = "us"


# -- what a bare number or an answer means -------------------------------------------


def _numbers(reading: Reading, most: float = -math.inf) -> list[int]:
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


def _answer_unit(state: State, reading: Reading, text: str, known: Catalogue) -> None:
    """Read a unit that was asked for with the number that lacked it: "150" "tokens"."""
    force = force_of(state)
    if not state.asked or reading.stated(*state.asked):
        return
    lacking = re.search(
        r"(?<![\w.])(\d[\d.,]*\s?[km]?)\s?(tps|t/s)\b", force.text.lower()
    )
    if lacking is None:
        return
    unit = "tokens per second" if _own(reading, "TOK") else "requests per second"
    if not _own(reading, "TOK", "REQ", "DOC", "USER"):
        return
    said = f"{lacking[1]} {unit}"
    again = _read(said, normalise(said), known, force)
    for field in state.asked:
        if field in again.fields:
            reading.fields[field] = again.fields[field]


def _bind(state: State, reading: Reading, edits: _Edits) -> None:
    """Give the one number that nothing claimed to what it most likely changes."""
    force = force_of(state)
    fields = reading.fields
    if "users" in fields and force.concurrency is not None and force.users is None:
        fields["concurrency"] = fields.pop("users")
    if "rps" in fields and force.images_per_minute and not _own(reading, "REQ"):
        fields["images_per_minute"] = fields.pop("rps") * 60
    if not reading.stated("deadline_hours", "term_months", "ttft_ms"):
        _bind_one_time(state, reading)
    left = _numbers(reading)
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


def _changes_time(state: State, reading: Reading) -> bool:
    """Whether one of a time is said where a time was just changed, or is corrected."""
    force = force_of(state)
    timed = {f for f in (*_TIMED, "ttft_ms") if getattr(force, f)}
    fresh = timed & set(state.changed) or timed and says(reading.plain, "correct")
    return bool(fresh and _ONE_TIME.search(reading.plain) and reading.has("TIME"))


def _bind_one_time(state: State, reading: Reading) -> None:
    """ "sorry, a week", "one second is fine": one of a time, where a time stands."""
    force, unit = force_of(state), next(
        (i.value for i in reading.items if i.concept == "TIME"), None)  # fmt: skip
    if not _changes_time(state, reading) or _numbers(reading, most=1):
        return
    if force.ttft_ms and unit == "second":
        reading.fields["ttft_ms"] = 1000.0
        return
    timed = [f for f in _TIMED if getattr(force, f)]
    if unit in _HOURS and timed:
        field = timed[0]
        reading.fields[field] = round(
            _HOURS[unit] / (730 if field == "term_months" else 1), 6
        )


def _bind_time(force: Query, reading: Reading, index: int) -> None:
    """ "48h is fine too": a time changes the one time that stands."""
    hours = _HOURS.get(reading.items[index + 1].value, 0) * reading.items[index].value
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
    """The field of a bare number: asked for, changed last, or nearest in size."""
    force, value = force_of(state), reading.items[index].value
    if value <= 0:
        return None
    for field in state.asked:
        if field == "dataset_tokens":
            return field if value >= 1e6 else "dataset_samples"
        if field in _NUMBERS:
            return field
        if field in ("model", "params_b"):
            return "params_b" if value < 2000 else None
    item = reading.items[index]
    before, after = reading.plain[: item.start], reading.plain[item.end :]
    counted = (
        _COUNTS.search(before) and not after.strip(" ?.!") or _OF_THEM.match(after)
    )
    if counted and value == int(value) and (force.gpu or force.count):
        return "count"
    for thing in things(reading.plain):
        for name in thing.fields:
            if name in _NUMBERS and getattr(force, name):
                return name
    numbers = {name: getattr(force, name) for name in _NUMBERS}
    known = {name: held for name, held in numbers.items() if held}
    near = {
        name: abs(math.log10(value / held))
        for name, held in known.items()
        if (name != "count" or value == int(value))
    }
    changed = [name for name in state.changed if near.get(name, math.inf) <= _NEAR]
    if changed:
        return changed[0]
    near = {name: off for name, off in near.items() if name not in _WITH_UNIT}
    best = min(near, key=lambda name: near[name], default=None)
    return best if best is not None and near[best] <= _NEAR else None


# -- laying the new over the old -----------------------------------------------------


def _adds(state: State, plain: str, reading: Reading) -> bool:
    """Whether names are to stand beside those in force, not in their place."""
    if says(plain, "only") and not says(plain, "add"):
        return False
    if says(plain, "add") or reading.has("VS", "THAN"):
        return True
    several = any(
        len(getattr(force_of(state), f) or ()) > 1 for f in ("gpu", "provider")
    )
    goes_on = plain.strip().startswith(
        ("and", "und", "et", "y ", "e ", "en ", "a ", "ve ")
    )
    return goes_on and (
        state.adding or (several and force_of(state).intent == "compare")
    )


def _merged(
    state: State,
    text: str,
    clean: Clean,
    reading: Reading,
    new: dict[str, Any],
    gone: frozenset[str],
    adding: bool,
) -> Query:
    """Lay what is new over what was said, and doubt the whole afresh."""
    force = force_of(state)
    said = {k: v for k, v in force.stated().items() if k not in _UNTOUCHED}
    new = {**new, **_sized_family(force, new, reading)}
    if new.get("model") and not (force.model or force.params_b):
        gone |= {"compare_api"}
    if new.get("term_months") and "pricing" in said and "pricing" not in new:
        new["pricing"] = said["pricing"]
    if new.get("hours_per_day") == 24 and "days_per_week" not in new:
        new["days_per_week"] = 7 if "7" in clean.text else None
    kept = {k: v for k, v in said.items() if k not in _replaced(new, said) | gone}
    laid = {**kept, **new, **_joined(said, new, reading, adding)}
    both = {field: value for field, value in laid.items() if value is not None}
    reading.fields = {**both, **_purpose(force, reading, both, adding)}
    reading.wanted = reading.wanted or force.wanted
    reading.use_case = reading.use_case or force.use
    elsewhere = ("region_also", "region_exclude") if "region" in new else ()
    for name in _CARRIED:
        before = None if name in (*elsewhere, *gone) else getattr(force, name)
        if before is not None:
            reading.aside.setdefault(name, before)
    if force.count_is_most and "count" not in new:
        reading.aside["count_is_most"] = True
    _leave(reading)
    out = reading.aside.get("gpu_exclude", ())
    reading.aside |= {"gpu_exclude": _both(force.gpu_exclude, out)} if out else {}
    if force.beside is not None:
        stated: dict[str, float] = force.beside.model_dump(exclude_none=True)
        reading.beside = stated | reading.beside
    if force.life is not None:
        told: dict[str, Any] = force.life.model_dump(exclude_unset=True)
        reading.life = told | reading.life
    reading.doubts = [d for d in reading.doubts if set(d.about) & new.keys()]
    for rule in clarify.RULES:
        rule(reading)
    return query_of(text, clean, reading)


def _sized_family(
    force: Query, new: dict[str, Any], reading: Reading
) -> dict[str, Any]:
    """ "the 8b", "3.1 8b" of a family: llama-3.3-70b becomes llama-3.1-8b."""
    size = new.get("params_b")
    if new.get("model") or force.model is None:
        return {}
    version = re.search(
        r"(?<![\w.$])v?(\d{1,2}\.\d{1,2})(?=\s+(?:\d+b)?\b|\W*$)", reading.plain
    )
    model, changed = force.model, {}
    if version and re.search(r"-\d+\.\d+", model):
        swapped = re.sub(r"-\d+\.\d+", f"-{version[1]}", model, count=1)
        if _exists(swapped) or size:
            model = swapped
            changed = {name: None for name in new if new[name] == float(version[1])}
            changed = {name: getattr(force, name) for name in changed}
    if size is not None:
        model, count = re.subn(r"(?<=-)\d+(?:\.\d+)?b\b", f"{size:g}b", model, count=1)
        model = model if count else force.model
    return {**changed, "model": model} if model != force.model else {}


def _exists(model: str) -> bool:
    return reference_data().model(model) is not None


def _leave(reading: Reading) -> None:
    """Take a place that is ruled out from those of which any would do."""
    out = reading.aside.get("region_exclude", ())
    wanted = (reading.fields.get("region"), *(reading.aside.get("region_also") or ()))
    left = [place for place in wanted if place is not None and place not in out]
    if out and wanted[0] is not None:
        reading.fields["region"] = left[0] if left else None
        reading.aside["region_also"] = tuple(left[1:]) or None


def _both(before: tuple[str, ...] | None, now: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*(before or ()), *now)))


def _replaced(new: dict[str, Any], said: dict[str, Any]) -> set[str]:
    """The old fields that no longer hold."""
    gone: set[str] = set()
    for group in _GROUPS:
        if any(new.get(field) is not None for field in group):
            gone |= set(group) - _TOGETHER
    if "total_tokens_per_request" in new:
        gone |= {"input_tokens", "output_tokens"}
    if said.get("instance") and new.keys() & {"gpu", "instance"}:
        gone |= {"count", "provider"}
    return gone


def _joined(
    said: dict[str, Any], new: dict[str, Any], reading: Reading, adding: bool
) -> dict[str, Any]:
    """What is compared stands beside it; what is excluded leaves the wanted ones."""
    joined: dict[str, Any] = {}
    for field, out in (
        ("provider", new.get("provider_exclude", ())),
        ("gpu", reading.aside.get("gpu_exclude", ())),
        ("precision", reading.aside.get("precision_exclude", ())),
        ("pricing", reading.aside.get("pricing_exclude", ())),
    ):
        if out and field in said and field not in new:
            joined[field] = (
                tuple(name for name in said[field] if name not in out) or None
            )
    if not adding:
        return joined
    for field in _LISTS:
        if field in said and new.get(field):
            joined[field] = _both(said[field], new[field])
    return joined


def _purpose(
    force: Query, reading: Reading, both: dict[str, Any], adding: bool
) -> dict[str, Any]:
    """The intent and kind of the thread, unless the turn asks for another."""
    purpose: dict[str, Any] = {"intent": force.intent, "kind": force.kind}
    several = any(len(both.get(field) or ()) > 1 for field in ("gpu", "provider"))
    if several and (
        _own(reading, "VS", "COMPARE", "THAN") or force.intent == "compare"
    ):
        purpose["intent"] = "compare"
    elif force.intent == "compare" and not several:
        loaded = any(field in both for field in (*_LOAD, *_NAMED))
        purpose["intent"] = "size" if loaded else "cost"
    elif _asks_money(reading) and force.intent in ("size", "fit", "capacity"):
        purpose["intent"] = "cost"
    if _own(reading, "OFFLINE", "BATCH") and force.kind == "inference":
        purpose["kind"] = "batch"
    elif (
        _own(reading, "TRAIN")
        and not _own(reading, "FINETUNE")
        and force.kind == "finetune"
    ):
        purpose["kind"] = "training"
    elif _own(reading, "FINETUNE") and force.kind == "training":
        purpose["kind"] = "finetune"
    return {key: value for key, value in purpose.items() if value is not None}

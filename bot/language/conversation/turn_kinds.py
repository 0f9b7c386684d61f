"""What kind of turn it is: a whole question, a question about the answer, an edit."""

from typing import Any

from bot.language.conversation.bare_numbers import changes_time, numbers_left, restated
from bot.language.conversation.cues import (
    asked_about,
    cues,
    defines,
    factor_of,
    is_about,
    objects,
    says,
    settings,
    things,
    told_about,
    unset,
)
from bot.language.conversation.edits import thing_near
from bot.language.conversation.state import (
    CARRIED,
    DATA,
    LISTS,
    LOAD,
    MONEY,
    NAMED,
    UNTOUCHED,
    State,
    asks_money,
    force_of,
    own,
)
from bot.language.grammar import compiled
from bot.language.reading import Reading
from core.patterns import regex
from core.query import Query

_EDITING = frozenset(
    (*LOAD, *DATA, "model", "params_b", "input_tokens", "output_tokens", "context",
     "budget_amount")
)  # fmt: skip
"""What nobody states who only asks about the answer."""
_SUBJECTLESS = ("alert", "help", "out_of_scope", "explain")


def is_whole(state: State, plain: str, reading: Reading) -> bool:
    """Whether a turn is a question of its own, which replaces what stands."""
    force = state.query
    stated = set(reading.fields) - UNTOUCHED
    if _is_alert(reading):
        return True
    if force is None or reading.fields["intent"] in _SUBJECTLESS:
        return False
    loaded = bool(stated & {*LOAD, *DATA})
    named = bool(stated & set(NAMED))
    if says(plain, "new") and stated:
        return True
    if says(plain, "goes_on") or says(plain, "correct") or state.asked:
        return False
    if named:
        sized = loaded or {"input_tokens", "output_tokens"} <= stated
        other = not _same_model(force, reading)
        more = own(reading, "FINETUNE", "TRAIN", "FIT") or "count" in stated
        return (sized or more) if other else sized and len(stated) >= 5
    asks_price = reading.fields["intent"] in ("cost", "breakeven") and asks_money(
        reading
    )
    if not asks_price or not {"gpu", "count"} <= stated:
        return False
    same = set(force.gpu or ()) & set(reading.fields.get("gpu") or ())
    moved = stated & _BOUGHT and not same
    return force.gpu is None or bool(moved)


def states_alone(reading: Reading) -> bool:
    """Whether a turn states enough for an answer of its own."""
    stated = set(reading.fields) - UNTOUCHED
    return len(stated) >= 3 and bool(stated & {"gpu", "model", "params_b", "instance"})


_BOUGHT = frozenset(("provider", "pricing", "term_months", "duration_hours"))


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


def about_of(state: State, plain: str, reading: Reading) -> str | None:
    """What a turn asks of the answer in force, None where it edits."""
    stated = set(reading.fields) - UNTOUCHED | reading.aside.keys() & set(CARRIED)
    kind = asked_about(plain)
    if kind in (None, "aside"):
        kind = _sensed(state, plain, reading, stated)
        if kind == "aside":
            return kind
    if kind is None and "?" not in plain and _takes_away(state, plain):
        return None
    if alert := _of_alert(state, kind, reading):
        return alert
    if not stated & _EDITING:
        if kind in ("share", "watch"):
            return kind
        if _is_of_words(plain, reading):
            return "aside"
    if is_about(plain, "aside") and _is_question(plain, reading):
        return "aside"
    if kind in ("why", "why_not"):
        other = _alternative(reading, force_of(state))
        return f"why_not:{other}" if other else None if stated & _EDITING else "why"
    return (
        _plain_about(kind, stated, reading)
        or _unit(state, plain, reading, stated)
        or ("aside" if _stands_apart(state, plain, reading, stated) else None)
    )


def _of_alert(state: State, kind: str | None, reading: Reading) -> str | None:
    """What a turn that speaks of an alert asks: to watch the answer, or beside it."""
    if "alert" not in reading.fields or state.asked:
        return None
    create = reading.fields["alert"]["action"] == "create"
    if not create and not reading.has("ALERT"):
        return None
    told = "watch" if create else "aside"
    return kind if kind in ("share", "watch") else told


def _takes_away(state: State, plain: str) -> bool:
    """Whether a turn takes something away that stands: "drop the price limit"."""
    named, force = things(plain), force_of(state)
    return any(thing_near(named, force, *cue) for cue in cues(plain, "remove"))


def _sensed(state: State, plain: str, reading: Reading, stated: set[str]) -> str | None:
    """What is asked of the answer by the senses of a turn that states nothing new."""
    if state.asked:
        return None
    held = force_of(state).stated()
    new = {f for f in stated if reading.fields.get(f) != held.get(f)}
    silent = not new and (not numbers_left(reading) or not _DIGIT.search(plain))
    told = told_about(plain)
    if told == "watch" and not new & {*NAMED, "gpu", "rps"}:
        return told
    kind = told if new <= {"input_tokens", "count"} else None
    if kind == "aside" and not numbers_left(reading, most=12):
        return kind
    loud = kind in ("watch", "share") and not new
    if kind and (silent or loud or (kind == "why" and new <= {"count"})):
        return kind if kind != "aside" else None
    if own(reading, "COMPARE", "VS") or not objects(plain):
        return None
    return "why_not" if _alternative(reading, force_of(state)) else None


def _is_of_words(plain: str, reading: Reading) -> bool:
    """Whether a turn asks what a word means, or chats."""
    money = own(reading, "COST", "PRICE", "HOWMUCH", "BILL", "CUR")
    chats = own(reading, "CHITCHAT") and not numbers_left(reading)
    return chats or own(reading, "INJECT") or (defines(plain) and not money)


def _plain_about(kind: str | None, stated: set[str], reading: Reading) -> str | None:
    """What is asked in so many words, where nothing else is said that edits."""
    if kind in ("how_sure", "price_age"):
        return kind if not stated & _EDITING else None
    scales = factor_of(reading.plain) and "?" not in reading.plain
    if kind == "cheaper" and not stated and (not scales or own(reading, *MONEY)):
        return kind
    chats = kind == "thanks" and not stated and not _DIGIT.search(reading.plain)
    return "thanks" if chats else None


def _unit(state: State, plain: str, reading: Reading, stated: set[str]) -> str | None:
    """Whether the figure is asked for per something else, or in other money."""
    force = force_of(state)
    if _PER_UNIT.search(reading.whole):  # "per 1M tokens", "per 1k requests"
        stated = {f for f in stated if reading.fields.get(f) not in (1e3, 1e6)}
    stated = {f for f in stated if f != "modality" or not force.modality}
    if (
        stated - {"budget_currency", "asked_unit"}
        or state.asked
        or changes_time(state, reading)
        or restated(state, reading)
        or settings(plain)
    ):
        return None
    if unset(plain) or _takes_away(state, plain):
        return None
    return "unit" if stated or _asks_unit(plain, reading) else None


def _is_question(plain: str, reading: Reading) -> bool:
    return "?" in plain or own(reading, "EXPLAIN", "PRICE", "HOWMUCH", "WHY", "HOWMANY")


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
        named = (reading.fields.get(field) or (), out or ())
        names = [
            n for some in named for n in ((some,) if isinstance(some, str) else some)
        ]
        inside = getattr(force, field) or ()
        other = [name for name in names if not _stands(name, inside)]
        if other:
            return str(other[0])
    model = reading.fields.get("model")
    if model and model != force.model:
        return str(model)
    size = reading.fields.get("params_b")
    return f"{size:g}b" if size and size != force.params_b else None


def _stands(name: str, inside: Any) -> bool:
    """Whether a name is one in force, or short for one: "h100" of an h100-sxm."""
    held = (inside,) if isinstance(inside, str) else inside
    return any(one == name or one.startswith(f"{name}-") for one in held)


def _asks_unit(plain: str, reading: Reading) -> bool:
    """Whether a turn asks for the figure per something else, or in other money."""
    month = any(i.value == "month" for i in reading.all("TIME"))
    if month and asks_money(reading) and not own(reading, "USER", "TOK", "REQ", "GPU"):
        return False  # money is told by the month anyway
    counts = numbers_left(reading, most=1) and not _of_many(reading)
    if not counts and _PER_UNIT.search(reading.whole):
        return True
    thousands = compiled("PER <n>NUM").search(reading.whole)
    if thousands and reading.item(thousands, "n").value in (1e3, 1e6):
        return True  # "per million?"
    if counts:
        return False
    counted = own(reading, *_PER_WHAT) or reading.first("[A NUM EACHTOK] W? OUT")
    if own(reading, *_ASKS_MONEY) and counted:
        return True
    if reading.wanted is not None or reading.aside.get("asked_unit"):
        return True
    if reading.first("[UNDER DEADLINE DUR] W? PER TIME"):
        return False
    per = reading.first(
        "[PER SLASH IN A] [TIME USER TOK REQ DOC GPU GPUWORD NODE IMAGE TOPIC]"
    )
    money = reading.first("[IN ON W] W? CUR", "CUR") is not None
    return bool(per or money or _bare_period(plain, reading))


_PER_UNIT = compiled("[PER SLASH] [NUM NUMB]? [TOK REQ DOC IMAGE SAMPLE USER VIDEO]")
_ASKS_MONEY = ("COST", "HOWMUCH", "BILL", "PRICE", "SPEND")
_PER_WHAT = ("REQ", "TOK", "DOC", "USER", "IMAGE", "VIDEO", "AUDIO", "EMBED", "SAMPLE")


def _of_many(reading: Reading) -> bool:
    """Whether the one number is a thousand or a million: "a million tokens"."""
    left = numbers_left(reading, most=1)
    return len(left) == 1 and reading.items[left[0]].value in (1e3, 1e6)


def in_unit(force: Query, reading: Reading) -> Query:
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
    counted = _DIGIT_TIME.search(plain)
    short = len(plain.split()) <= 5
    return reading.has("TIME") and short and not counted and not reading.has("DUR")


_DIGIT = regex(r"\d")
_DIGIT_TIME = regex(r"\d\s?[^\W\d]")
"""A time that is counted is an amount: "1 s"."""


def _stands_apart(state: State, plain: str, reading: Reading, stated: set[str]) -> bool:
    """Whether a turn is a question beside the thread: a word, a price of its own."""
    intent = reading.fields["intent"]
    force = force_of(state)
    if not stated and intent in ("explain", "help"):
        return not numbers_left(reading) and factor_of(plain) is None
    if intent == "explain" and not stated & set(LISTS):
        return True
    priced = intent == "price" and force.intent not in ("price", "cost", "compare")
    if not priced or says(plain, "goes_on") or not own(reading, "PRICE"):
        return False
    told = reading.concept_at(0) == "PRICE"
    return told or (_is_question(plain, reading) and len(plain.split()) > 3)

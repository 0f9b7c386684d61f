"""What a message in a thread changes of the question before it."""

import re
from typing import Any

from bot.language.catalogue import catalogue
from bot.language.normalise import Clean, normalise
from bot.language.parse import query_of, read
from bot.language.reading import Reading
from bot.language.rules import clarify
from core.query import ABOUT, Query
from core.reference.catalogue import Reference

_CUE = re.compile(
    r"\W*(?:and|but|or|also|now|ok|okay|so|then|what about|how about|what if|what of|"
    r"same|instead|rather|with|without|on|in|at|using|for|not|only|no|make (?:it|that)|"
    r"try|use|switch|assume|say|let'?s|actually|und|aber|auf|mit|bei|ohne|et|mais|sur|"
    r"avec|chez|sans|y|pero|en|con|sin|e|mas|com|sem|no|na|aur|lekin|par|那|换成|改成|"
    r"用|如果|では|だと|なら)(?:\b|(?<=[^\x00-\x7f]))",
    re.IGNORECASE,
)
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
    ("input_tokens", "output_tokens", "hours_per_day", "days_per_week")
)
"""Sides of a pair: a new prompt length leaves the answer's as it was."""
_OTHER_SUBJECT = ("alert", "help", "out_of_scope", "explain", "idle", "lifecycle")
_ASKS_MONEY = ("COST", "BILL", "HOWMUCH")
_UNTOUCHED = frozenset(
    ("text", "clarify", "unknown", "spans", "intent", "kind", "alert")
)

_LAID_APART = ("beside", "life", "wanted", "use", "count_is_most")
_CARRIED = tuple(
    name
    for name, about in ABOUT.items()
    if about.carried and not about.stated and name not in _LAID_APART
)
"""What no field holds and what holds on all the same."""


def apply(
    previous: Query, text: str, reference: Reference | None = None
) -> Query | None:
    """Return the previous question with what a message changes; None: a new question.

    Spans stand only for what the message itself says: see `carried_over`.
    """
    clean = normalise(text)
    reading = read(text, clean, catalogue(reference), kind=previous.kind)
    if not _follows(previous, text, reading):
        return None
    return _merged(previous, text, clean, reading)


def carried_over(query: Query) -> tuple[str, ...]:
    """The fields of a follow-up that its thread stated, not the message itself."""
    return tuple(
        field
        for field in query.stated()
        if field not in query.spans and field not in ("intent", "kind")
    )


def _follows(previous: Query, text: str, reading: Reading) -> bool:
    """Whether a message goes on with the question before it."""
    if previous.intent in ("alert", "help", "out_of_scope", None):
        return False
    stated = reading.fields.keys() - _UNTOUCHED
    apart = reading.aside.keys() & set(_CARRIED)
    if not stated and not apart and not reading.has(*_ASKS_MONEY):
        return False
    if reading.fields["intent"] in _OTHER_SUBJECT and not _CUE.match(text):
        return False
    if _CUE.match(text):
        none = reading.fields["intent"] in ("alert", "help", "out_of_scope")
        return bool(apart) or not none
    named = reading.stated("model", "params_b")
    answers = previous.clarify is not None and bool(
        stated & set(previous.clarify.about)
    )
    return answers or not (named or reading.has("PRICE"))


def _merged(previous: Query, text: str, clean: Clean, reading: Reading) -> Query:
    """Lay what is new over what was said, and doubt the whole afresh."""
    said = {k: v for k, v in previous.stated().items() if k not in _UNTOUCHED}
    new = {k: v for k, v in reading.fields.items() if k not in _UNTOUCHED}
    kept = {k: v for k, v in said.items() if k not in _replaced(new, said)}
    laid = {**kept, **new, **_joined(said, new, reading)}
    both = {field: value for field, value in laid.items() if value is not None}
    reading.fields = {**both, **_purpose(previous, reading, both)}
    reading.wanted = reading.wanted or previous.wanted
    reading.use_case = reading.use_case or previous.use
    elsewhere = ("region_also", "region_exclude") if "region" in new else ()
    for name in _CARRIED:
        before = None if name in elsewhere else getattr(previous, name)
        if before is not None:
            reading.aside.setdefault(name, before)
    if previous.count_is_most and "count" not in new:
        reading.aside["count_is_most"] = True
    _leave(reading)
    out = reading.aside.get("gpu_exclude", ())
    reading.aside |= {"gpu_exclude": _both(previous.gpu_exclude, out)} if out else {}
    if previous.beside is not None:
        stated: dict[str, float] = previous.beside.model_dump(exclude_none=True)
        reading.beside = stated | reading.beside
    if previous.life is not None:
        told: dict[str, Any] = previous.life.model_dump(exclude_unset=True)
        reading.life = told | reading.life
    reading.doubts = [d for d in reading.doubts if set(d.about) & new.keys()]
    for rule in clarify.RULES:
        rule(reading)
    return query_of(text, clean, reading)


def _leave(reading: Reading) -> None:
    """Take a place that is ruled out from those of which any would do."""
    out = reading.aside.get("region_exclude", ())
    wanted = (reading.fields.get("region"), *reading.aside.get("region_also", ()))
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
        if new.keys() & set(group):
            gone |= set(group) - _TOGETHER
    if "total_tokens_per_request" in new:
        gone |= {"input_tokens", "output_tokens"}
    if said.get("instance") and new.keys() & {"gpu", "instance"}:
        gone |= {"count", "provider"}
    return gone


def _joined(
    said: dict[str, Any], new: dict[str, Any], reading: Reading
) -> dict[str, Any]:
    """What is compared stands beside it; what is excluded leaves the wanted ones."""
    out = new.get("provider_exclude", ())
    if out and "provider" in said and "provider" not in new:
        left = tuple(name for name in said["provider"] if name not in out)
        return {"provider": left or None}
    gone = reading.aside.get("gpu_exclude", ())
    if gone and "gpu" in said and "gpu" not in new:
        return {"gpu": tuple(name for name in said["gpu"] if name not in gone) or None}
    if not reading.has("VS", "COMPARE", "THAN"):
        return {}
    lists = ("gpu", "provider", "precision", "pricing")
    return {
        field: tuple(dict.fromkeys((*said[field], *new[field])))
        for field in lists
        if field in said and field in new
    }


def _purpose(previous: Query, reading: Reading, both: dict[str, Any]) -> dict[str, Any]:
    """The intent and kind of the thread, unless the message asks for another."""
    purpose: dict[str, Any] = {"intent": previous.intent, "kind": previous.kind}
    several = any(len(both.get(field) or ()) > 1 for field in ("gpu", "provider"))
    if several and reading.has("VS", "COMPARE", "THAN"):
        purpose["intent"] = "compare"
    elif reading.has(*_ASKS_MONEY) and previous.intent in ("size", "fit", "capacity"):
        purpose["intent"] = "cost"
    elif reading.has("OFFLINE") and previous.kind == "inference":
        purpose["kind"] = "batch"
    return {key: value for key, value in purpose.items() if value is not None}

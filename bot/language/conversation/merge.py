"""Lay what a turn says over the workload in force."""

import re
from typing import Any

from bot.language.conversation.cues import says
from bot.language.conversation.state import (
    CARRIED,
    LISTS,
    LOAD,
    NAMED,
    UNTOUCHED,
    State,
    asks_money,
    force_of,
    own,
)
from bot.language.normalise import Clean
from bot.language.parse import query_of
from bot.language.reading import Reading
from bot.language.rules import clarify
from core.patterns import regex
from core.query import RATES, Query, each_with
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


_OR = regex(
    r"\W*(?:(?:also|and|hmm|maybe|perhaps)\s)?(?:or|oder|ou|of|lub|veya|或者|或|か)\s"
)


def adds(state: State, plain: str, reading: Reading) -> bool:
    """Whether names are to stand beside those in force, not in their place."""
    if says(plain, "only") and not says(plain, "add"):
        return False
    if reading.has("VS") and any(
        len(reading.fields.get(field) or ()) > 1 for field in LISTS
    ):
        return False  # "h100 vs l40s" names both sides itself
    joined = plain.lstrip().startswith("+") or _OR.match(plain)
    if says(plain, "add") or reading.has("VS", "THAN") or joined:
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


def merged(
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
    said = {k: v for k, v in force.stated().items() if k not in UNTOUCHED}
    new = _place_beside(force, clean, reading, new, adding)
    new = {**new, **_sized_family(force, new, reading)}
    if new.get("model") and not (force.model or force.params_b):
        gone |= {"compare_api"}
    if new.get("term_months") and "pricing" in said and "pricing" not in new:
        new["pricing"] = said["pricing"]
    if new.get("hours_per_day") == 24 and "days_per_week" not in new:
        every = "7" in clean.text or said.get("days_per_week")
        new["days_per_week"] = 7 if every else None
    stands = {k: v for k, v in said.items() if k not in gone}
    kept = {k: v for k, v in stands.items() if k not in _replaced(new, said)}
    laid = {**kept, **new, **_joined(stands, new, reading, adding)}
    both = {field: value for field, value in laid.items() if value is not None}
    reading.fields = {**both, **_purpose(force, reading, both, adding)}
    reading.wanted = reading.wanted or force.wanted
    reading.use_case = reading.use_case or force.use
    elsewhere = _of_another_place(new, reading)
    own_aside = dict(reading.aside)
    for name in CARRIED:
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
        told: dict[str, Any] = force.life.model_dump(exclude_none=True)
        reading.life = told | reading.life
    reading.doubts = [d for d in reading.doubts if set(d.about) & new.keys()]
    for rule in clarify.RULES:
        rule(reading)
    query = query_of(text, clean, reading)
    return _loaded(query, force, dict.fromkeys(gone) | new | own_aside)


def _loaded(query: Query, force: Query, changed: dict[str, Any]) -> Query:
    """The same with the loads of the message before, as far as it had several."""
    if not force.loads:
        return query
    return query.model_copy(update={"loads": _each(force, changed)})


def _each(force: Query, changed: dict[str, Any]) -> tuple[Query, ...] | None:
    """The loads of a message with what a turn changes for all of them.

    Traffic that grows to a multiple does so in each.
    """
    times = [
        changed[name] / before
        for name in RATES
        if changed.get(name) and (before := getattr(force, name))
    ]
    plain = {name: value for name, value in changed.items() if name not in RATES}
    grown = [
        {
            name: value * times[0]
            for name in RATES
            if times and (value := getattr(load, name))
        }
        for load in force.loads or ()
    ]
    each = each_with(force.loads, plain) or ()
    return tuple(
        load.model_copy(update=more) for load, more in zip(each, grown, strict=True)
    )


def _place_beside(
    force: Query, clean: Clean, reading: Reading, new: dict[str, Any], adding: bool
) -> dict[str, Any]:
    """ "or paris", "uk is fine too": another place that will do as well."""
    place, also = new.get("region"), adding or _OR.match(clean.text)
    if not also or force.region is None or place in (None, force.region):
        return new
    reading.aside["region_also"] = _both(force.region_also, (str(place),))
    return {**new, "region": force.region}


def _of_another_place(new: dict[str, Any], reading: Reading) -> tuple[str, ...]:
    """What was said of the place in force, where a turn names its own."""
    if new.get("region") is None:
        return ()
    if "region_also" in reading.aside:
        return ("users_there",)
    return ("users_there", "region_also", "region_exclude")


def _sized_family(
    force: Query, new: dict[str, Any], reading: Reading
) -> dict[str, Any]:
    """ "the 8b", "3.1 8b" of a family: llama-3.3-70b becomes llama-3.1-8b."""
    size = new.get("params_b")
    if force.model is None:
        return {}
    if named := new.get("model"):
        sized = f"{named}-{force.params_b:g}b" if force.params_b and not size else ""
        family = f"{force.model.split('-')[0]}-{named}"
        if _exists(family) and not _exists(named):
            return {"model": family}
        known = _exists(sized) and not _exists(named)
        return {"model": sized, "params_b": force.params_b} if known else {}
    if release := _release(force.model, reading.plain):
        return {"model": release}
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


def _release(model: str, plain: str) -> str | None:
    """Another release of the family in force: "k2.5" of kimi-k2-thinking."""
    family = model.split("-")[0]
    for word in _RELEASE.findall(plain):
        named = f"{family}-{word}"
        if named != model and _exists(named):
            return named
    return None


_RELEASE = regex(r"(?<![\w.$-])[a-z]\d+(?:\.\d+)?(?![\w.-])")


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
    barred, back = said.get("provider_exclude") or (), new.get("provider") or ()
    if set(barred) & set(back):  # "runpod is ok after all"
        joined["provider_exclude"] = (
            tuple(name for name in barred if name not in back) or None
        )
        if own(reading, "OK") or says(reading.plain, "allow"):
            joined["provider"] = said.get("provider")
    elif barred and new.get("provider_exclude") and not says(reading.plain, "only"):
        joined["provider_exclude"] = _both(barred, new["provider_exclude"])
    if not adding:
        return joined
    for field in LISTS:
        if field in said and new.get(field):
            joined[field] = _both(said[field], new[field])
    return joined


def _purpose(
    force: Query, reading: Reading, both: dict[str, Any], adding: bool
) -> dict[str, Any]:
    """The intent and kind of the thread, unless the turn asks for another."""
    purpose: dict[str, Any] = {"intent": force.intent, "kind": force.kind}
    several = any(len(both.get(field) or ()) > 1 for field in ("gpu", "provider"))
    weighs = own(reading, "VS", "COMPARE", "THAN") or says(reading.plain, "both")
    weighs = weighs or _OR.match(reading.plain) is not None
    if several and (weighs or force.intent == "compare"):
        purpose["intent"] = "compare"
    elif force.intent == "compare" and not several:
        loaded = any(field in both for field in (*LOAD, *NAMED))
        purpose["intent"] = "size" if loaded else "cost"
    elif asks_money(reading) and force.intent in ("size", "fit", "capacity"):
        purpose["intent"] = "cost"
    if own(reading, "OFFLINE", "BATCH") and force.kind == "inference":
        purpose["kind"] = "batch"
    elif (
        own(reading, "TRAIN")
        and not own(reading, "FINETUNE")
        and force.kind == "finetune"
    ):
        purpose["kind"] = "training"
    elif own(reading, "FINETUNE") and force.kind == "training":
        purpose["kind"] = "finetune"
    return {key: value for key, value in purpose.items() if value is not None}

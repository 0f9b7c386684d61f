"""Two states of one thing, where a question asks what a change does.

"What changes if prompts go from 2k to 8k", "would a second card get us under 1 s": the
text is read twice, each time with one of the two values in the place of the change.
"""

from collections.abc import Callable, Iterator
from functools import cache
from re import Match
from typing import Any

from core.patterns import regex
from core.query import ABOUT, PLACES, RATES, UPTIME, Query
from core.reference.tables import read_table
from core.units import PRECISIONS

Read = Callable[[str], Query]
States = Iterator[tuple[Query, Query]]
_PAIRS = ("from", "hours", "formats", "places", "versus", "goes", "instead", "to")
_BACKWARDS = ("instead", "places", "formats")
_OUT = ("explain", "help", "out_of_scope", "alert")


@cache
def _told() -> dict[str, Any]:
    return read_table("bot.language", "states.toml")


@cache
def shape(name: str) -> Any:
    """A pattern of changes, by its name in `states.toml`."""
    return regex(_told()[name])


def two(plain: str, query: Query, read: Read) -> tuple[Query, Query] | None:
    """The state of today and that of the change; None: no change is asked about.

    A load that grows month by month, a term, a technique and GPUs of which it is asked
    what they carry have answers of their own.
    """
    pair = any(shape(name).search(plain) for name in ("versus", "hours", "goes"))
    asks = query.asks_difference or pair or shape("asks").search(plain)
    monthly = query.growth_per_month is not None and not query.count
    weighed = query.redundant or query.wanted == "standby"
    weighed = weighed or {"on_demand", "reserved"} <= set(query.pricing or ())
    named = query.model or query.params_b
    two_formats = not named if query.precision else shape("formats").search(plain)
    levers = query.techniques and not two_formats
    counted = query.count_before or query.count_today or levers
    told = monthly or weighed or counted or query.places_compared
    if shape("otherwise").search(plain):
        return None
    if pilot := _pilot(plain, query, read):
        return pilot
    if not asks or told:
        return None
    text, wait = _without_measured(plain)

    def state(words: str) -> Query:
        alone = shape("turns").sub(" ", shape("asks").sub(" ", words))
        measured = {"measured_wait_ms": wait, "asks_difference": None}
        return read(alone).model_copy(update=measured)

    every = (_changes, *((_of_demand,) if query.asks_difference else ()))
    found = (each for form in every for each in form(text, state))
    return next((each for each in found if _are_states(*each)), None)


def recast(query: Query) -> tuple[Query, Query] | None:
    """Weights in their format of today and in the one whose saving is asked about.

    Of counted GPUs it is told how much more they carry.
    """
    after = tuple(one for one in PRECISIONS if (one,) == query.techniques)
    if query.count or query.utilization or not (after and query.precision):
        return None
    today = query.model_copy(update={"techniques": None, "intent": "size"})
    states = today, today.model_copy(update={"precision": after})
    return states if _are_states(*states) else None


def _pilot(plain: str, query: Query, read: Read) -> tuple[Query, Query] | None:
    """The load of a pilot and the one after it: "3 rps at first, 25 after launch"."""
    found = shape("pilot").search(plain)
    later = found and f"{found['gap']}|{found['behind']}"
    if query.peak_rps or not (later and shape("launched").search(later)):
        return None
    rest = f"{plain[: found.start()]}{plain[found.end() :]}"
    after = read(shape("both").sub("", rest))
    first = float(found["a"] or found["b"])
    before = after.model_copy(update={"rps": first})
    return (before, after) if first and _are_states(before, after) else None


def _are_states(before: Query, after: Query) -> bool:
    """Whether both can be answered, and are not the same."""
    both, others = (before, after), before.gpu != after.gpu
    told, other = ([getattr(q, n) for n in ABOUT if n != "wanted"] for q in both)
    unread = any(q.clarify or q.unknown or q.loads or q.intent in _OUT for q in both)
    counted = bool(before.count and after.count)
    return told != other and (counted or not others) and not unread


def _without_measured(plain: str) -> tuple[str, float | None]:
    """A text without the wait that is measured today, and that wait."""
    found = shape("measured").search(plain)
    if found is None:
        return plain, None
    name = "tpot" if found["m"] in ("tpot", "itl") else "ttft"
    rest = plain[: found.start()] + plain[found.end() :]
    said = found["w"]
    wait = float(said.rstrip("secondm ")) * (1 if said.endswith("ms") else 1000)
    return shape("limit").sub(rf"{name} under ", rest), wait


def _changes(text: str, read: Read) -> States:
    """Both states, by each form of a change that the text has."""
    for name in _PAIRS:
        found = shape(name).search(text)
        ahead = text[: found.start()] if found else ""
        if found and (name != "to" or shape("changing").search(ahead)):
            first, then, end = _sides(
                found["a"], found["b"], (found["c"] or "").strip()
            )
            last = "c" if end else "a" if name in _BACKWARDS else "b"
            rest = text[found.end(last) :]
            yield read(f"{ahead}{first}{rest}"), read(f"{ahead}{then}{rest}")
    for name, form in _FORMS.items():
        if found := shape(name).search(text):
            what = found.groupdict().get("what") or ""
            rest = what if name == "off" else ""
            base = read(f"{text[: found.start()]}{rest}{text[found.end() :]}")
            for change in form(base, found):
                yield (
                    base.model_copy(update=change.pop("_", {})),
                    base.model_copy(update=change),
                )


def _sides(first: str, then: str, behind: str) -> tuple[str, str, bool]:
    """Both values with the unit that one of them has, and whether it stands behind."""
    unit = "" if behind in _told()["units_end"].split() else behind
    number, *own = first.split()
    bare = shape("bare").fullmatch(number)
    if own and not number[0].isdigit():
        return first, f"{then} {unit}".strip(), bool(unit)
    if own:
        return first, f"{then} {unit or ' '.join(own)}", bool(unit)
    if bare and unit:
        return f"{first} {unit}", f"{then} {unit}", True
    return first, then, False


def _number(said: str) -> float:
    scale = 1000 if said.endswith("k") else 1
    return float(said.rstrip("k").replace(",", "")) * scale


Change = Iterator[dict[str, Any]]


def _times(base: Query, found: Match[str]) -> Change:
    """A load, or a length, so many times as much."""
    said = {name: words for name, words in found.groupdict().items() if words}
    of = (said.get("s") or said.get("t") or said["u"]).split()[-1].rstrip("s")
    word, share = said.get("f") or said.get("fb"), said.get("p") or said.get("pc")
    many = said.get("x") or said.get("xc")
    factor = _told()["factors"][word] if word else float(many or 0)
    factor = 1 + float(share) / 100 if share else factor
    loads = {name: value for name in RATES if (value := getattr(base, name))}
    if factor <= 1:
        return
    if field := _told()["lengths"].get(of):
        yield {"lengthened": (field, factor)}
    elif "to" in said:
        many_then = _number(said["to"])
        yield {"users": many_then, "_": {"users": many_then / factor}}
    elif loads or base.utilization:
        loads = loads or {"utilization": base.utilization or 0}
        yield {name: value * factor for name, value in loads.items()}


def _later(base: Query, found: Match[str]) -> Change:
    """Another amount of what the load of today is told in."""
    rate = found.groupdict().get("u") in ("rps", "qps")
    field = "rps" if rate else "users"
    if getattr(base, field) is not None:
        yield {field: _number(found["b"])}


def _one_more(base: Query, found: Match[str]) -> Change:
    """One GPU more than today, or as many as "a third" makes."""
    nth = _told()["nth"].get(found["n"])
    today = base.count or (nth - 1 if nth else 1)
    named = base.gpu and (base.model or base.params_b)
    if named and (nth is None or nth == today + 1):
        free = {"owned": None, "intent": "capacity"}
        yield {"count": today + 1, **free, "_": {"count": today, **free}}


def _spare(base: Query, _: Match[str]) -> Change:
    """One GPU or one server that stands by."""
    yield {"count": base.count + 1} if base.count else {"spare_replicas": 1}


def _off(base: Query, found: Match[str]) -> Change:
    """Nothing runs at night, or at weekends; what is reserved is paid all the same.

    Hours of use that are told are those after the change: today it is always on.
    """
    days, hours = base.days_per_week, base.hours_per_day
    some = {"days_per_week": days or 5.0} if days or "week" in found["when"] else {}
    some |= {"hours_per_day": hours or 12.0} if "night" in found["when"] else {}
    rented = {"self_hosted": True}  # what is switched off is no API
    if "reserved" not in (base.pricing or ()):
        yield {**some, **rented, "_": dict.fromkeys(some) | rented}


_FORMS: dict[str, Callable[[Query, Match[str]], Change]] = {
    "times": _times,
    "becomes": _later,
    "soon": _later,
    "more": _one_more,
    "spare": _spare,
    "off": _off,
}


def _of_demand(text: str, read: Read) -> States:
    """Without and with what keeps a service up, or says where it stands."""
    asked = read(text)
    for demand in (UPTIME, PLACES):
        if any(getattr(asked, name) for name in demand):
            yield asked.model_copy(update=dict.fromkeys(demand)), asked

"""Alerts asked for in a sentence: what the question parser read, as a request."""

import re
from datetime import datetime
from decimal import Decimal
from typing import Literal

from bot.alerts.conditions import read_condition
from bot.alerts.grammar import EXAMPLES
from bot.alerts.requests import (
    Create,
    Mute,
    Problem,
    Remove,
    Request,
    Show,
    WatchQuestion,
    Which,
)
from bot.alerts.selections import refuse_unknown, selections_of
from bot.alerts.when import read_cadence, read_until
from core.alerts.conditions import Condition, Direction, Move, Threshold
from core.alerts.subscription import DigestWatch, PriceWatch
from core.offers import MICRO
from core.query import AlertRequest, Query
from core.reference.catalogue import Reference

_UNTIL = re.compile(r"\b(?:until|till|for)\s+(.+)$", re.IGNORECASE)
_ASKS = re.compile(
    r"^(?:(?:please|hey|can you|could you)\s+)*"
    r"(?:(?:tell|alert|notify|ping|warn|watch|let)\s+)?(?:me|us|here)?\s*(?:know\s+)?"
    r"(?:(?:when|if|once|whenever)\s+)?",
    re.IGNORECASE,
)
_SAYS = re.compile(
    r"\s+(?:gets?|becomes?|costs?|moves?|changes?|falls?|drops?|rises?|goes|is)\b"
    r"[^%]*(?:%|percent|cheaper|dearer|chang|winner).*$",
    re.IGNORECASE,
)
_DIRECTIONS: dict[str, Direction] = {"drop": "down", "rise": "up"}


def read_spoken(query: Query, reference: Reference, now: datetime) -> Request:
    """Turn a sentence about alerts into what the alerts can do."""
    wanted = query.alert
    if wanted is None:
        return Problem("I could not read an alert in that.", examples=EXAMPLES)
    if wanted.channel not in (None, "here"):
        return _elsewhere(str(wanted.channel))
    try:
        return _request(wanted, query, reference, now)
    except ValueError as fault:
        return Problem(str(fault), examples=EXAMPLES)


def _elsewhere(channel: str) -> Problem:
    return Problem(
        f"A channel's alerts are made in it: please say that in #{channel}.",
        "Whoever reads a channel sees then who switched them on, and can mute them.",
    )


def _request(
    wanted: AlertRequest, query: Query, reference: Reference, now: datetime
) -> Request:
    match wanted.action:
        case "list":
            return Show()
        case "remove_all":
            return Remove(Which())
        case "remove":
            return Remove(_which(query))
        case "mute":
            return _mute(query, now)
        case "create":
            return _create(wanted, query, reference)


def _which(query: Query) -> Which:
    found = re.search(r"(?:#|\bno\.?|\bnumber|\balert)\s*(\d{1,9})\b", query.text)
    if found:
        return Which((int(found[1]),))
    return Which(pattern=f"{query.gpu[0]}*") if query.gpu else Which()


def _mute(query: Query, now: datetime) -> Request:
    found = _UNTIL.search(query.text)
    if found is None:
        return Problem(
            "Until when should I be quiet?",
            examples=("mute b200 until tuesday", "mute all for 3 days"),
        )
    return Mute(_which(query), read_until(found[1].lower(), now))


def _create(wanted: AlertRequest, query: Query, reference: Reference) -> Request:
    if wanted.schedule is not None and wanted.op is None:
        found = read_cadence(wanted.schedule)
        note = "The time is UTC: name a place at the end to change that."
        return Create(
            DigestWatch(labels=query.gpu or (), cadence=found.cadence), (note,)
        )
    if _is_workload(query):
        return _workload(wanted, query)
    if not query.gpu:
        return Problem("Which GPU, or which workload?", examples=EXAMPLES)
    condition = _condition(wanted) or _typed_condition(query.text)
    if condition is None:
        return Problem("When should I speak? Say a price or a move.", examples=EXAMPLES)
    refuse_unknown(query.text, query, reference)
    found_offers = selections_of(query, reference)
    watch = PriceWatch(selections=found_offers.selections, condition=condition)
    return Create(watch, found_offers.notes)


def _is_workload(query: Query) -> bool:
    return query.model is not None or query.params_b is not None


def _workload(wanted: AlertRequest, query: Query) -> Request:
    question = query.model_copy(update={"alert": None, "intent": None})
    percent = wanted.value if wanted.unit == "percent" and wanted.value else 10
    direction: Literal["any", "down", "up"] = _DIRECTIONS.get(wanted.op or "", "any")
    return WatchQuestion(_plainly(query.text), percent, direction, question)


def _plainly(text: str) -> str:
    """Leave the question of a sentence: of "tell me when 8b 5rps gets 9% cheaper"."""
    question = _SAYS.sub("", _ASKS.sub("", text)).strip(" ,.;:!?")
    return question or text


def _condition(wanted: AlertRequest) -> Condition | None:
    if wanted.value is None or wanted.op is None or wanted.value <= 0:
        return None
    if wanted.unit == "percent":
        percent = Decimal(str(wanted.value))
        return Move(direction=_DIRECTIONS.get(wanted.op, "any"), percent=percent)
    amount = round(Decimal(str(wanted.value)) * MICRO)
    if wanted.op in ("below", "drop"):
        return Threshold(op="below", amount=amount)
    return Threshold(op="above", amount=amount)


def _typed_condition(text: str) -> Condition | None:
    said = read_condition(text)
    return said.condition if said and said.measure == "price" else None

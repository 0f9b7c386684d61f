"""Alerts asked for in a sentence: what the question parser read, as a request."""

import re
from datetime import datetime
from decimal import Decimal
from typing import Literal

from bot.language.alerts.commands import (
    EXAMPLES,
    TWO_CONDITIONS,
    not_watched,
    stale,
    without_winner,
)
from bot.language.alerts.conditions import read_condition, read_waited
from bot.language.alerts.requests import (
    Create,
    Mute,
    Problem,
    Remove,
    Request,
    Show,
    WatchQuestion,
    Which,
)
from bot.language.alerts.schedules import read_cadence, read_until, refuse_times
from bot.language.alerts.subjects import refuse_unknown, selections_of
from bot.render.field_words import question_of
from core.alerts.conditions import Condition, Direction, Move, Threshold
from core.alerts.subscription import DigestWatch, PriceWatch
from core.offers import MICRO
from core.patterns import regex
from core.query import AlertRequest, Query
from core.reference.catalogue import Reference
from core.wording import say

_UNTIL = regex(r"\b(?:until|till|for)\s+(.+)$", re.IGNORECASE)
_ASKS = regex(
    r"^(?:(?:please|hey|can you|could you)\s+)*"
    r"(?:(?:tell|alert|notify|ping|warn|watch|let)\s+)?(?:me|us|here)?\s*(?:know\s+)?"
    r"(?:(?:when|if|once|whenever)\s+)?",
    re.IGNORECASE,
)
_SAYS = regex(
    r"\s+(?:gets?|becomes?|costs?|moves?|changes?|falls?|drops?|rises?|goes|is)\b"
    r"[^%]*(?:%|percent|cheaper|dearer|expensive|chang|winner).*$",
    re.IGNORECASE,
)
_STALE = regex(
    r"\b(?:sources?|feeds?|prices?)\b.*\b(?:stale|silent|old|stops?|fails?|outdated|down)"
    r"\b(?:\s+(?P<after>(?:for|after)\s+.+))?",
    re.IGNORECASE,
)
_SOURCES = tuple(
    regex(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:source|feed)\s+([a-z][\w-]*)",
        r"\b([a-z][\w-]*?)(?:['’]s)?\s+(?:source|feed)\b",
    )
)
_WINNER_OF = regex(
    r"(?:the\s+|another\s+|a\s+new\s+)?(?:winner|best(?:\s+offer)?|recommendation)\s+"
    r"(?:for|of)\s+"
    r"(.+?)(?:\s+(?:changes?|flips?|wins?))?",
    re.IGNORECASE,
)
_DIRECTIONS: dict[str, Direction] = {"drop": "down", "rise": "up"}


def read_spoken(query: Query, reference: Reference, now: datetime) -> Request:
    """Turn a sentence about alerts into what the alerts can do."""
    wanted = query.alert
    if wanted is None:
        return Problem(say("alert_questions.could_not_read"), examples=EXAMPLES)
    if wanted.channel not in (None, "here"):
        return Problem(
            say("alert_questions.made_in_their_channel", channel=str(wanted.channel)),
            say("alert_questions.whoever_reads_channel"),
        )
    try:
        return _request(wanted, query, reference, now)
    except ValueError as fault:
        return Problem(str(fault), examples=EXAMPLES)


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
            return _create(wanted, query, reference, now)


def _which(query: Query) -> Which:
    found = re.search(r"(?:#|\bno\.?|\bnumber|\balert)\s*(\d{1,9})\b", query.text)
    if found:
        return Which((int(found[1]),))
    return Which(pattern=f"{query.gpu[0]}*") if query.gpu else Which()


def _mute(query: Query, now: datetime) -> Request:
    found = _UNTIL.search(query.text)
    if found is None:
        return Problem(
            say("alert_questions.until_when_should"),
            examples=("mute b200 until tuesday", "mute all for 3 days"),
        )
    return Mute(_which(query), read_until(found[1].lower(), now))


def _create(
    wanted: AlertRequest, query: Query, reference: Reference, now: datetime
) -> Request:
    if query.text.lower().startswith("why"):
        return Show()  # each stands there with what it waits for, and what it said last
    if wanted.schedule is not None and wanted.op is None:
        return _digest(wanted.schedule, query)
    if query.model is not None or query.params_b is not None:
        return _workload(wanted, query)
    if query.gpu:
        return _price(wanted, query, reference)
    if found := _STALE.search(query.text):
        names = [name for one in _SOURCES for name in one.findall(query.text)]
        return stale(f"{' '.join(names)} {found['after'] or ''}", reference, now)
    return Problem(say("alert_questions.which_gpu_or_workload"), examples=EXAMPLES)


def _price(wanted: AlertRequest, query: Query, reference: Reference) -> Request:
    said = read_condition(query.text)
    typed = said if said and said.measure == "price" else None
    if typed and read_condition(typed.rest):
        return TWO_CONDITIONS
    if said and (problem := not_watched(said, query.text, reference)):
        return problem
    if said and said.measure == "spot_discount":
        found = selections_of(query, reference, said.measure)
        return Create(PriceWatch(selections=found.selections, condition=said.condition))
    # The question parser reads amounts in dollars only.
    condition = None if typed and typed.notes else _condition(wanted)
    if condition is None and typed:
        condition = typed.condition
    if condition is None:
        return Problem(say("alert_questions.when_should_speak"), examples=EXAMPLES)
    refuse_unknown(query.text, query, reference)
    found = selections_of(query, reference)
    watch = PriceWatch(selections=found.selections, condition=condition)
    return Create(watch, found.notes + (typed.notes if typed else ()))


def _digest(schedule: str, query: Query) -> Create:
    """Read a digest: its time is that of the place which the sentence names."""
    refuse_times(query.text)
    found = read_cadence(schedule)
    note = say("alert_questions.the_time_is_utc")
    watch = DigestWatch(labels=query.gpu or (), cadence=found.cadence)
    return Create(watch, () if found.zone_said else (note,))


def _workload(wanted: AlertRequest, query: Query) -> Request:
    if query.compare_api:
        asked = query.model_copy(update={"alert": None, "intent": "breakeven"})
        return WatchQuestion(question_of(asked), query=asked)
    question = query.model_copy(update={"alert": None, "intent": None})
    plain = _ASKS.sub("", query.text).strip(" ,.;:!?")
    if waited := read_waited(f" {plain}"):
        text, line, notes = waited
        return WatchQuestion(text, query=question, line=line, notes=notes)
    words, winner = without_winner(plain)
    if found := _WINNER_OF.fullmatch(plain):
        words, winner = found[1], True
    sized = wanted.value if wanted.unit == "percent" else None
    if winner and not sized:
        return WatchQuestion(words, None, query=question)
    direction: Literal["any", "down", "up"] = _DIRECTIONS.get(wanted.op or "", "any")
    return WatchQuestion(_plainly(query.text), sized or 10, direction, question)


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

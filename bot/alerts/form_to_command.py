"""A filled form as the command that somebody might have typed."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from bot.alerts.form import CONDITIONS, WINNER, Kind
from bot.language.alerts.conditions import read_waited
from bot.render.form_submission import typed
from bot.render.words import say
from core.checked import Checked
from core.patterns import regex

Filled = Mapping[str, str]
"""What was typed or chosen, by field; several with commas."""

_SIZED = regex(r"[%$¢]|\b(?:percent|pct|usd|dollars?|cents?)\b", re.IGNORECASE)
_LEVELS = {
    "below": "< {}",
    "above": "> {}",
    "moves": "moves {}",
    "drops": "drops {}",
    "rises": "rises {}",
    "low": say("alerts.condition_new_low"),
    "gap above": say("alerts.spot_gap"),
    "gap below": say("alerts.condition_spot_gap_below"),
    "listed": "listed",
    "vanishes": "vanishes",
}
_WAYS = {"down": " cheaper", "up": " more expensive"}
AMOUNTLESS = ("listed", "vanishes", "low")
"""Conditions that need no amount; a low is of thirty days unless it says otherwise."""


class Command(Checked):
    """What a form says, or what is missing in it."""

    text: str = ""
    errors: Mapping[str, str] = {}


def command_of(kind: Kind, state: Mapping[str, Any]) -> Command:
    """Read the values of a view into a command of the alerts."""
    values = {name: ",".join(typed(block)) for name, block in state.items()}
    return _READERS[kind](values)


def _price(values: Filled) -> Command:
    when, amount = values.get("when", ""), values.get("amount", "")
    errors = {}
    if not values.get("gpu"):
        errors["gpu"] = say("alerts.which_gpu")
    if when not in _LEVELS:  # nor is a choice that an older form still offered
        errors["when"] = say("alerts.choose_what_should_make")
    elif problem := _amount_problem(when, amount):
        errors["amount"] = problem
    if errors:
        return Command(errors=errors)
    if when.startswith("gap") and "%" not in amount:
        amount += "%"
    places = values.get("region", "")
    parts = (
        "alert",
        values["gpu"].replace(",", " "),
        values.get("pricing", "").replace(",", " "),
        values.get("tier", ""),
        values.get("provider", "").replace(",", " "),
        say("alerts.price", places=places) if places else "",
        _LEVELS[when].format(amount).strip(),
    )
    return Command(text=" ".join(part for part in parts if part))


def _amount_problem(when: str, amount: str) -> str:
    if not amount:
        return (
            ""
            if when in AMOUNTLESS
            else say("alerts.how_much_for_condition", conditions=CONDITIONS[when])
        )
    if when in ("moves", "drops", "rises") and not _SIZED.search(amount):
        return say("alerts.of_what_for_instance", amount=amount)
    return ""


def _workload(values: Filled) -> Command:
    question = values.get("question", "")
    if not question:
        return Command(errors={"question": say("alerts.hint_question")})
    size = values.get("percent", "")
    try:
        waited = read_waited(f"{question} {size}")
    except ValueError as fault:
        return Command(errors={"percent": str(fault)})
    if waited:
        return Command(text=f"watch {question} {size}")
    if size.lower() == WINNER:
        return Command(text=f"watch {question} when {WINNER}")
    percent = size.rstrip("% ") or "10"
    if not re.fullmatch(r"\d+(?:[.,]\d+)?", percent):
        return Command(errors={"percent": say("alerts.write_a_move_or_cost")})
    way = _WAYS.get(values.get("direction", ""), "")
    return Command(text=f"watch {question} {percent}%{way}")


def _digest(values: Filled) -> Command:
    if not values.get("every"):
        return Command(errors={"every": say("alerts.choose_how_often")})
    at, zone = values.get("time", ""), values.get("zone", "")
    parts = (
        f"digest {values.get('gpu', '')}".strip(),
        values["every"],
        say("alerts.digest", at=at) if at else "",
        zone,
    )
    return Command(text=" ".join(part for part in parts if part))


def _stale(values: Filled) -> Command:
    hours = values.get("hours", "").strip()
    if hours and not re.search(r"\d|\b(?:an?|one|until)\b", hours):
        return Command(errors={"hours": say("alerts.stale")})
    bare = hours.replace(".", "", 1).isdigit()
    return Command(text=f"alert stale {hours}{' hours' if bare else ''}".strip())


_READERS: Mapping[Kind, Callable[[Filled], Command]] = {
    "price": _price,
    "workload": _workload,
    "digest": _digest,
    "stale": _stale,
}

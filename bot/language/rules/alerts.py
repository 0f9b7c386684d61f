"""Alerts: what to watch, when to speak, where, and how to stop."""

from typing import Any

from bot.language.reading import Reading

_PERIODS = {"day": "daily", "week": "weekly", "month": "monthly", "hour": "hourly"}
_MOVES = (
    ("DROPV", "drop"),
    ("CHEAP", "drop"),
    ("RISEV", "rise"),
    ("PEAK", "rise"),
    ("MOVEV", "change_pct"),
)


def wants_alert(reading: Reading) -> bool:
    """Whether the question is about alerts rather than an answer now."""
    if reading.has("ALERT"):
        return True
    if reading.has("CHANNEL") and reading.has("WHEN"):
        return True
    if reading.has("NUMB", "MODELNAME") or not reading.has("GPU", "PRICE"):
        return False
    crossed = reading.first("[UNDER OVER DROPV RISEV] [W CUR THAN]{0,2} NUM")
    return reading.has("STOPV", "MUTE") or bool(crossed and reading.has("WHEN"))


def alert(reading: Reading) -> None:
    """Read an alert request as a whole; its numbers belong to no other field."""
    if not wants_alert(reading):
        return
    action = _action(reading)
    spec: dict[str, Any] = {"action": action}
    if action == "create":
        spec |= _condition(reading)
    for match in reading.find("CHANNEL", "HERE"):
        item = reading.items[match.start()]
        spec["channel"] = item.value or "here"
        reading.use(*match.span())
        break
    if (schedule := _schedule(reading)) is not None and action == "create":
        spec["schedule"] = schedule
    reading.put("alert", spec, 0, len(reading.items))


def _action(reading: Reading) -> str:
    if reading.has("MUTE"):
        return "mute"
    if reading.has("STOPV"):
        return "remove_all" if reading.has("ALL") else "remove"
    lists = reading.first("LISTV [W ALL]{0,2} ALERT", "ALERT LISTV")
    if lists and not reading.has("WHEN", "GPU", "UNDER", "OVER"):
        return "list"
    return "create"


def _condition(reading: Reading) -> dict[str, Any]:
    """Read the threshold: a price per GPU-hour, or a percentage."""
    for match in reading.find("<n>NUM PCT"):
        value = reading.value(match)
        reading.use(*match.span())
        return {"op": _moves(reading), "value": value, "unit": "percent"}
    for match in reading.find(
        "<o>[UNDER OVER] W? CUR? <n>NUM CUR? (?:PER TIME)?",
        "<o>[DROPV RISEV CHEAP PEAK COMPARE] [UNDER OVER W THAN]? CUR? <n>NUM CUR?",
        "<o>CUR <n>NUM",
        "<n>NUM <o>CUR",
    ):
        concept = reading.item(match, "o").concept
        below = concept not in ("OVER", "RISEV", "PEAK")
        cents = any(reading.items[i].value == "USc" for i in range(*match.span()))
        value = reading.value(match) * (0.01 if cents else 1)
        reading.use(*match.span())
        return {
            "op": "below" if below else "above",
            "value": value,
            "unit": "usd_per_gpu_hour",
        }
    moves = reading.has("DROPV", "RISEV", "MOVEV", "CHEAP")
    return {"op": _moves(reading)} if moves else {}


def _moves(reading: Reading) -> str:
    for concept, op in _MOVES:
        if reading.has(concept):
            return op
    return "change_pct"


def _schedule(reading: Reading) -> str | None:
    """Read when a digest is wanted: "daily", "weekly mon 08:30"."""
    parts: list[str] = []
    for match in reading.find("PER <t>TIME"):
        name = _PERIODS.get(reading.value(match, "t"))
        if name is not None:
            parts.append(name)
            reading.use(*match.span())
            break
    for match in reading.find("DAYNAME"):
        parts = parts or ["weekly"]
        parts.append(reading.items[match.start()].value)
        reading.use(*match.span())
        break
    for match in reading.find("CLOCK"):
        parts = parts or ["daily"]
        parts.append(reading.items[match.start()].value)
        reading.use(*match.span())
        break
    return " ".join(parts) or None


RULES = (alert,)

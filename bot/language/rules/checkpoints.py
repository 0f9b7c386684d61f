"""How often a run saves its work, where a question says so."""

from bot.language.reading import Reading
from bot.language.subject import learns
from bot.language.values.units import SECONDS
from core.patterns import regex

_UNITS = {"m": "minute", "h": "hour", "d": "day"}
_SAVES = (
    r"(?:check-?\s?point(?:s|ed|ing)?|sav(?:e|es|ed|ing)(?: (?:the )?"
    r"(?:weights|state|work|a checkpoint|checkpoints|model))?)"
)
_SAID = (
    regex(
        rf"\b{_SAVES}(?: (?:is |are )?(?:written|taken|saved))?\s*(?:about\s*|~\s*)?"
        r"(?:every|each|per|once an?|an)\s*"
        r"(?P<n>\d+(?:\.\d+)?)?\s*(?P<u>mins?|minutes?|h|hrs?|hours?|days?)\b"
    ),
    regex(rf"\b(?P<u>hour|dai)ly {_SAVES}"),
)


_TAKES = regex(r"[\s,]*(?:which |that |and )?takes? \d+ ?(?:s|sec\w*|mins?|minutes?)\b")


def checkpoints(reading: Reading) -> None:
    """Read "checkpoints every 30 minutes", "hourly checkpoints": hours."""
    if not (learns(reading) or reading.has("SPOTOK") or "spot" in reading.plain):
        return
    for shape in _SAID:
        match = shape.search(reading.plain)
        if match is None:
            continue
        hours = SECONDS[_UNITS[match["u"][0]]] / 3600
        each = float(match.groupdict().get("n") or 1) * hours
        if each > 0:
            reading.aside["checkpoint_hours"] = each
            reading.use_words(match)
            if takes := _TAKES.match(reading.plain, match.end()):
                reading.leave_words(takes, "how long a checkpoint takes is assumed")
            return


RULES = (checkpoints,)

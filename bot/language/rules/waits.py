"""How long somebody is willing to wait for an answer: "each may take ten minutes"."""

from bot.language.reading import Reading, needs
from bot.language.states import shape
from bot.language.subject import learns
from bot.language.values.units import SECONDS
from core.patterns import regex

_LONGEST = 900
"""Seconds; who waits longer waits for a job."""
_REACH = 80
"""Letters before a time in which it is said that it may pass."""
_WILLING = shape("waits_willing")
_GERMAN = regex(r"\b(?:kann|konnen|darf|durfen)(?: \w+)?\s*(?:\S+ )?$")
_WAITED = regex(r"\s*(?:lang )?(?:warten|dauern|gewartet)\b")
_AT_MOST = regex(r"\s*(?:max(?:imum)?\b|at (?:the )?most|tops\b)")
_BEHIND = regex(r"\s*(?:wartezeit|warten|d'attente|de espera|di attesa|lang warten)\b")
_LEAVES = shape("waits_leaves")
"""Before the longest that anybody waits: "users leave after 1.5 seconds"."""
_PATIENCE = 60
"""Seconds; who leaves later had an answer."""
_CUES = regex(
    r"\b(?:wait|take|wart|dauer|attend|esper|aspett|leav|hang|giv|quit|bail|drop|bounc|"
    r"walk|abandon|los|clos|spring|leg|geb|raccroch|cuelg|riatt|must|should|need|want)"
)


@needs("TIME")
def waits(reading: Reading) -> None:
    """Read how long an answer of a service may take, by who is willing to wait."""
    told = reading.has("TIME") and _CUES.search(reading.plain)
    served = reading.is_service() or reading.has("IMAGE", "VIDEO")
    if not told or learns(reading) or not served:
        return
    for match in reading.find("<n>NUM <t>TIME", "PER <t>TIME"):
        start = reading.items[match.start()].start
        end = reading.items[match.end() - 1].end
        seconds = SECONDS.get(reading.value(match, "t"), 0)
        if match.groupdict().get("n"):
            seconds *= reading.value(match)
        if left := _LEAVES.search(reading.plain, max(0, start - _REACH), start):
            if seconds <= _PATIENCE and "n" in match.groupdict():
                field = "ttft_ms" if reading.has("TTFT") else "e2e_ms"
                reading.take(field, seconds * 1000.0, match)
                reading.stretch(field, left.start(), end)
                return
            continue
        willing = _WILLING.search(reading.plain, max(0, start - _REACH), start)
        if willing is None or not 1 <= seconds <= _LONGEST:
            continue
        if _GERMAN.search(willing[0]) and not _WAITED.match(reading.plain, end):
            continue
        behind = _BEHIND.match(reading.plain, end) or _WAITED.match(reading.plain, end)
        if willing["plain"] and not (behind := _AT_MOST.match(reading.plain, end)):
            continue
        reading.take("e2e_ms", seconds * 1000.0, match)
        reading.stretch("e2e_ms", willing.start(), behind.end() if behind else end)
        return


_NOT_PRESSING = shape("waits_not_pressing")
_LIMITS = ("e2e_ms", "ttft_ms", "tpot_ms")


def not_pressing(reading: Reading) -> None:
    """Read "latency not critical but under 5 s": the limit says how much it matters."""
    limit = next((name for name in _LIMITS if reading.stated(name)), None)
    if limit and (said := _NOT_PRESSING.search(reading.plain)):
        reading.told(limit, said)


RULES = (waits,)
LATE_RULES = (not_pressing,)

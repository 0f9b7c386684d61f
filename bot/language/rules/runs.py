"""Agents: so many runs an hour, each of so many model calls."""

from bot.language.reading import Reading
from bot.language.values.units import SECONDS
from core.patterns import regex

_RUN = r"(?:runs?|tasks?|sessions?|jobs?|workflows?|conversations?|tickets?|episodes?)"
_CALLS = (
    r"(?:llm |model |api |inference )?"
    r"(?:calls|requests|steps|turns|completions|prompts|invocations)\b"
)
_N = r"(?P<{}>\d[\d,]*(?:\.\d+)?)(?P<{}>k|m)?"
_HOW = r"(?:about |around |roughly |some |maybe |~ ?)?"
_RUNS = regex(
    rf"\b{_N.format('n', 's')} (?:(?:agent|agentic|concurrent|user|coding|support) )?"
    rf"{_RUN} (?:per|an?|each|every|/) ?"
    r"(?P<t>second|minute|hour|day|working day|workday)\b"
)
_EACH = regex(
    rf"\beach (?:\w+ )?(?:{_RUN} )?(?:(?:is|makes|does|takes|needs|has|with|of) )?"
    rf"{_HOW}(?P<k>\d{{1,4}}) {_CALLS}(?! (?:per|an?|each) (?:second|minute|hour|day))"
)


_DOCUMENTS = regex(
    rf"\b{_N.format('n', 's')} "
    r"(?P<what>document|page|ticket|email|record|task|file|order)s "
    r"(?:per|an?|each|every|/) ?(?P<t>second|minute|hour|day|working day|workday)\b"
)
_TIMES_EACH = regex(
    r"\b(?P<k>\d{1,4}) times (?:per|for each|for every|each|an?|every) (?P<what>\w+)\b"
)


def runs(reading: Reading) -> None:
    """Read "200 agent runs an hour, each run ~25 calls" as calls."""
    total = _RUNS.search(reading.plain)
    each = total and _EACH.search(reading.plain, total.end())
    if not each:
        total = _DOCUMENTS.search(reading.plain)
        each = total and _TIMES_EACH.search(reading.plain)
        if total and each and not each["what"].startswith(total["what"]):
            return
    if not total or not each or reading.has("TRAIN", "FINETUNE", "METHOD"):
        return
    scale = {"k": 1e3, "m": 1e6}.get(total["s"] or "", 1.0)
    calls = float(total["n"].replace(",", "")) * scale * int(each["k"])
    unit = "day" if total["t"].endswith("day") else total["t"]
    if unit == "day":
        field, amount = "requests_per_day", calls
    else:
        field, amount = "rps", calls / SECONDS[unit]
    if reading.stated("rps", "requests_per_day"):
        return
    reading.fields[field] = amount
    reading.stretch(field, *total.span())
    reading.stretch(field, *each.span())
    reading.use_words(total)
    reading.use_words(each)


RULES = (runs,)

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


_AGAIN = regex(
    r"\b(?:re-?run|repeat|re-?train|run|train|do) (?:it|this|that|them|the \w+) "
    r"(?:again )?(?:about |around |roughly |some |maybe |~ ?)?(?P<n>\d{1,3}) times\b|"
    r"\b(?P<m>\d{1,3}) (?:(?:training|tuning|hyperparameter|ablation|sweep) )?"
    r"(?:re-?runs|trials|ablations|attempts|restarts)\b"
)
_IS = r"(?:of |at |is |= ?|: ?|~ ?|about |around )*"
_MFU = regex(
    r"\b(?P<a>\d{1,2}(?:\.\d+)?) ?(?:%|percent) ?(?:of )?mfu\b|"
    rf"\bmfu {_IS}(?P<b>\d{{1,2}}(?:\.\d+)?) ?(?:%|percent)|"
    rf"\bmfu {_IS}(?P<c>0?\.\d+)\b|"
    r"\b(?P<d>0?\.\d+) mfu\b"
)
_PER_SIDE = regex(r"\b(?:per|each|a) side\b|\b(?:both|two) sides\b")


def trained(reading: Reading) -> None:
    """Read "rerun it 12 times", "at 40% MFU" and "1,800 tokens per side"."""
    if not reading.has("TRAIN", "FINETUNE", "METHOD", "SFT"):
        return
    if found := _AGAIN.search(reading.plain):
        reading.aside["runs"] = float(found["n"] or found["m"])
        reading.stretch("runs", *found.span())
        reading.use_words(found)
    if found := _MFU.search(reading.plain):
        percent = found["a"] or found["b"]
        share = float(percent) / 100 if percent else float(found["c"] or found["d"])
        reading.aside["mfu"] = share
        reading.stretch("mfu", *found.span())
        reading.use_words(found)
    if "dpo" in reading.plain and (found := _PER_SIDE.search(reading.plain)):
        reading.aside["answers_each"] = True
        reading.stretch("answers_each", *found.span())
        reading.use_words(found)


RULES = (runs, trained)

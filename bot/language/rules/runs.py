"""Agents: so many runs an hour, each of so many model calls."""

from itertools import product
from math import isclose
from re import Pattern

from bot.language.asked import NUMBERS
from bot.language.days import WEEK, WEEKDAY, weekday
from bot.language.items import Item
from bot.language.reading import Match, Reading, needs
from bot.language.subject import PILES, learns
from bot.language.values.units import SECONDS, Fields
from core.patterns import regex

_RUN = (
    r"(?:runs?|tasks?|sessions?|jobs?|workflows?|conversations?|tickets?|episodes?|"
    r"chats?|cases?|issues?|pull requests?|prs|trajector(?:y|ies)|investigations?|"
    r"threads?)"
)
_PERIOD = r"second|minute|hour|day|working day|workday"
_ADJECTIVES = (
    r"(?:(?!(?:per|an?|each|every|in|of|for|with|and|or|at) )[a-z][\w-]* ){0,6}?"
)
_IN_TIME = regex(
    rf"\s?{_ADJECTIVES}(?P<what>[a-z]{{3,}})"
    rf"(?:(?: (?:per|an?|each|every) |\s?/ ?)(?P<t>{_PERIOD})\b| daily\b)"
)
"""What comes by the time, whatever it is called and however it is described."""
_CALL = (
    r"(?:calls?|requests?|turns?|steps?|prompts?|completions?|invocations?|messages?|"
    r"round[- ]?trips?|inferences?)"
)
_OF_EACH = regex(
    rf"\s?(?:[a-z][\w-]* )?(?:{_CALL}|times)\b"
    rf"(?! (?:/|a |per |each |every |in )(?:{_PERIOD}|month))"
    r"(?P<each> (?:(?:per|an?|for each|for every|in each|each) "
    r"(?:[a-z]+ )??(?P<of>[a-z]{3,})\b|each\b))?"
)
_EACH_BEFORE = regex(
    rf"\beach (?:\w+ )?(?:{_RUN} )?(?:(?:is|makes|does|takes|needs|has|with|of) )?"
    r"(?:about |around |roughly |some |maybe |~ ?)?$"
)
_CALLS_EACH = regex(
    rf"\s?(?:[a-z][\w-]* ){{0,2}}?{_CALL}\b"
    rf"(?! (?:/|a |per |each |every |in )(?:day|month))"
    rf"(?: (?:per|an?|each|every|for each|in each) (?:[a-z]+ )?{_RUN}\b| each\b)?"
)
_RUNS_A_DAY = regex(
    rf"\s?(?:(?!(?:per|an?|each|every|in|of|for|with) )[a-z][\w-]* ){{0,2}}?"
    rf"(?:{_RUN}|agents?)\b[^.;!?\d]{{0,40}}?"
    rf"(?:(?:\b(?:per|an?|each|every|and) |/ ?)(?P<t>day|week|month)\b|\bdaily\b)"
)
_FURTHEST = 60
"""Letters between the runs of one person and the calls of one run."""


@needs("USER", "NUM")
def calls_of_runs(reading: Reading) -> None:
    """Read "80 developers, 40 agent runs a day each, ~25 model calls a run".

    What one person sends in a day is the runs times the calls of each.
    """
    numbers = reading.places("NUM")
    if len(numbers) < _LEAST_NUMBERS or not reading.has("USER"):
        return
    tasks = _counted(reading, _RUNS_A_DAY, numbers)
    calls = _counted(reading, _CALLS_EACH, numbers)
    people = [match.start("n") for match in reading.find("<n>NUM W{0,2} USER")]
    for task, told in tasks.items():
        near = {
            index: said
            for index, said in calls.items()
            if 0
            <= (max(told.start(), said.start()) - min(told.end(), said.end()))
            <= _FURTHEST
        }
        others = [index for index in people if index not in (task, *near)]
        if near and others and _is_each(reading, others[0], task, told):
            call, said = next(iter(near.items()))
            days = SECONDS[told["t"] or "day"] / SECONDS["day"]
            each = reading.items[task].value * reading.items[call].value / days
            _of_one(reading, others[0], each, ((task, told), (call, said)))
            return


_LEAST_NUMBERS = 3
_OF_ONE = regex(r"\b(?:each|every|per|apiece|je|jeder?)\b|[x×*]")
_NOT_OF_ONE = regex(
    rf"\b(?:each|every|per) (?:day|week|month|(?:[a-z]+ )?(?:{_CALL}|{_RUN}))\b"
)


def _is_each(reading: Reading, people: int, task: int, told: Match) -> bool:
    """Whether each of the people has so many runs a day, not all of them together."""
    each, all_of_them = reading.items[task].value, reading.items[people].value
    if each < all_of_them and each <= _FEW:
        return True
    start = reading.items[min(people, task)].start
    around = reading.plain[max(0, start - _BEFORE) : told.end() + _BEHIND]
    return each <= _MOST_OF_ONE and bool(_OF_ONE.search(_NOT_OF_ONE.sub("", around)))


_FEW, _MOST_OF_ONE = 50, 500
"""Runs a day of one person: unsaid, and where each of them is said to have so many."""
_BEFORE, _BEHIND = 12, 12
"""Letters around the people and their runs in which "each" may stand."""


def _counted(
    reading: Reading, shape: Pattern[str], numbers: list[int]
) -> dict[int, Match]:
    """The numbers that count what a shape names, with its words."""
    found = {i: shape.match(reading.plain, reading.items[i].end) for i in numbers}
    return {index: said for index, said in found.items() if said is not None}


def _of_one(
    reading: Reading, people: int, each: float, told: tuple[tuple[int, Match], ...]
) -> None:
    """Note how many people there are, and what one of them sends in a day."""
    field = "requests_per_user_per_day"
    reading.put("users", reading.items[people].value, people, people + 2)
    reading.use(people, people + 1)
    reading.fields[field] = each
    reading.note("~calls_of_a_task", each, people, people + 1)
    for index, said in told:
        reading.stretch(field, reading.items[index].start, said.end())
        reading.use(index, index + 1)
    reading.use_words(told[0][1])  # calls may have a length: "90 calls of 4k tokens"


def runs(reading: Reading) -> None:
    """Read "200 agent runs an hour, each run ~25 calls" as calls."""
    if reading.has("TRAIN", "FINETUNE", "METHOD") or reading.stated(
        "rps", "requests_per_day", "requests_per_user_per_day"
    ):
        return
    numbers = reading.places("NUM")
    for total, told in _counted(reading, _IN_TIME, numbers).items():
        for each, said in _counted(reading, _OF_EACH, numbers).items():
            number = reading.items[each]
            if each != total and _calls_of(reading, number, said, told["what"]):
                start = reading.items[total].start
                calls = reading.items[total].value * number.value
                places = ((start, told.end()), (number.start, said.end()))
                _all_calls(reading, calls, told["t"] or "day", places)
                return


def _calls_of(reading: Reading, number: Item, said: Match, what: str) -> bool:
    """Whether so many calls are those of each of what comes by the time."""
    if not 1 < number.value <= _MOST_CALLS:
        return False
    if said["of"]:
        of_run = _A_RUN.fullmatch(said["of"]) and _A_RUN.fullmatch(what)
        return bool(of_run) or said["of"].rstrip("s") == what.rstrip("s")
    before = _EACH_BEFORE.search(reading.plain[: number.start])
    return bool(_A_RUN.fullmatch(what) and (said["each"] or before))


_A_RUN = regex(_RUN)
_MOST_CALLS = 9999


def calls_of_each(reading: Reading, fields: Fields) -> float | None:
    """How many calls a thing takes, where the load is the calls of all such things."""
    numbers = {i: reading.items[i].value for i in reading.places("NUM")}
    paces = {"rps": "second", "requests_per_month": "month"} | dict.fromkeys(
        ("requests_per_day", "requests_per_user_per_day"), "day"
    )
    rates = [fields[name] / SECONDS[t] for name, t in paces.items() if name in fields]
    for index in _counted(reading, _CALLS_EACH, list(numbers)):
        each = float(numbers[index])
        others = {*numbers.values()} - {each}
        calls = (rate * time for rate, time in product(rates, SECONDS.values()))
        if any(isclose(one, each * other) for one, other in product(calls, others)):
            return each
    return None


def _all_calls(
    reading: Reading, calls: float, time: str, places: tuple[tuple[int, int], ...]
) -> None:
    """Note how many calls come by the time, all runs together."""
    daily = time.endswith("day")
    field = "requests_per_day" if daily else "rps"
    reading.fields[field] = calls if daily else calls / SECONDS[time]
    for start, end in places:
        reading.stretch(field, start, end)
        for index in reading.inside(start, end):
            reading.use(index, index + 1)


_AGAIN = regex(
    r"\b(?:re-?run|repeat|re-?train|run|train|do) (?:it|this|that|them|the \w+) "
    r"(?:again )?(?:about |around |roughly |some |maybe |~ ?)?(?P<n>\d{1,3}) times\b|"
    r"\b(?P<m>\d{1,3}) (?:(?:training|tuning|hyperparameter|ablation|sweep) )?"
    r"(?:re-?runs|trials|ablations|attempts|restarts|"
    r"(?:dpo|sft|grpo|q?lora|full|fine-?tuning) runs(?! (?:per|an?|each|every)\b))\b"
)
_IS = r"(?:of |at |is |= ?|: ?|~ ?|about |around )*"
_MFU = regex(
    r"\b(?P<a>\d{1,2}(?:\.\d+)?) ?(?:%|percent) ?(?:of )?mfu\b|"
    rf"\bmfu {_IS}(?P<b>\d{{1,2}}(?:\.\d+)?) ?(?:%|percent)|"
    rf"\bmfu {_IS}(?P<c>0?\.\d+)\b|"
    r"\b(?P<d>0?\.\d+) mfu\b"
)
_PER_SIDE = regex(
    r"\b(?:per|each|a) (?:side|answer|reply|response|completion)\b"
    r"(?!,? (?:plus|and|with|on|&|\+) )|"
    r"\b(?:both|two) sides\b"
)


@needs("TRAIN FINETUNE METHOD SFT UTIL")
def trained(reading: Reading) -> None:
    """Read "rerun it 12 times", "at 40% MFU" and "1,800 tokens per side"."""
    share = _MFU.search(reading.plain)
    if not share and not reading.has("TRAIN", "FINETUNE", "METHOD", "SFT"):
        return
    if found := _AGAIN.search(reading.plain):
        reading.aside["runs"] = float(found["n"] or found["m"])
        reading.told("runs", found)
    if share:
        percent = share["a"] or share["b"]
        part = float(percent) / 100 if percent else float(share["c"] or share["d"])
        reading.aside["mfu"] = part
        reading.told("mfu", share)
    if "dpo" in reading.plain and (found := _PER_SIDE.search(reading.plain)):
        reading.aside["answers_each"] = True
        reading.told("answers_each", found)


_SPAN = (
    r"(?P<{}>quarter|half[- ]?years?|q[1-4]|h[12]|quartal|halbjahr|trimestre|"
    r"semestre|semester)\b"
)
_SPAN_SAID = regex(r"\b[qh][1-4]\b|quart|half|halb|trimest|semest")
_ASKED_SPAN = regex(
    r"\b(?:(?:costs?|bill|spend\w*|price|total|sum|figure|number|forecast|budget|"
    r"what is (?:it|that)|how much|kosten|budget|cout|coste|costo)\b[^.;?!\d]{0,20}?"
    r"(?:per|an?|each|every|for|in|this|next|the|our|of|pro|im|par|por|al|fur das) )"
    rf"{_SPAN.format('a')}(?: (?:forecast|budget|plan\w*))?|"
    rf"\b(?:(?:costs?|number|figure|sum) for (?:the |our )?)?{_SPAN.format('b')} "
    r"(?:forecast|budget|plan\w*|costs?|bill|number|figure|sum)\b|"
    r"\bfor (?:this|the|next|the next|the coming) (?P<c>quarter|half[- ]?year)\b"
)


def asked_span(reading: Reading) -> None:
    """Read "a number for the Q2 forecast", "cost per quarter": whose sum is asked."""
    if reading.has("CUR", "ALERT") or not _SPAN_SAID.search(reading.plain):
        return
    if found := _ASKED_SPAN.search(reading.plain):
        named = found["a"] or found["b"] or found["c"]
        usual = "quarter" if named[0] in "qt" else "half-year"
        reading.aside["asked_unit"] = named if named == "semester" else usual
        reading.told("asked_unit", found)


_HOURS = {
    "tonight": 23,
    "morning": 9,
    "noon": 12,
    "afternoon": 15,
    "evening": 20,
    "night": 23,
}
_FIRST_HOUR, _LAST_HOUR = 8, 18
"""Of a working day: "before Monday" is before its first, "by Friday" by its last."""
_DUE = regex(
    r"\b(?P<lead>by|before|until|till|for|due|bis|vor|avant|pour|d'ici(?: a)?|antes de|"
    r"para|prima di|entro|voor|tegen) (?:(?:the|this|next|el|la|le|den|zum) ){0,2}"
    rf"(?:(?P<day>{WEEKDAY}|today|tonight|"
    r"(?P<next>tomorrow|morgen|demain|manana|domani))|"
    r"(?:end|close) of (?:the |this )?(?P<end>day|week|month)|eo(?P<eo>[dwm]))\b"
    r"(?:,?(?: at)? (?:(?P<part>morning|noon|afternoon|evening|night)|"
    r"(?P<hour>\d{1,2}) ?(?P<half>[ap])\.?m|(?P<clock>\d{1,2}):\d\d)\b)?"
)
_TO_BEGIN = ("before", "vor", "avant", "antes de", "prima di", "voor")


@needs("DEADLINE UNDER DAYNAME DUR TIME PER")
def due(reading: Reading) -> None:
    """Read "by friday", "until tomorrow 8 am": when work is to be done, by its day."""
    if reading.stated("deadline_hours") or not (
        learns(reading) or reading.stated(*PILES)
    ):
        return
    if found := _DUE.search(reading.plain):
        hour = _FIRST_HOUR if found["lead"] in _TO_BEGIN else _LAST_HOUR
        hour = _HOURS.get(found["part"] or found["day"] or "", hour)
        if found["hour"]:
            hour = int(found["hour"]) % 12 + 12 * (found["half"] == "p")
        span = (found["end"] or found["eo"] or " ")[0]
        day = weekday(found["day"] or ("fri" if span == "w" else ""))
        last = "month" if span == "m" else "tomorrow" if found["next"] else "today"
        named = last if day is None else WEEK[day]
        reading.aside["due"] = (named, int(found["clock"] or hour) % 24)
        reading.told("due", found)


_LOST = (
    r"(?:failed|aborted|crashed|wasted|botched|fehlgeschlagene[nr]?|abgebrochene[nr]?|"
    r"gescheiterte[nr]?|rates?|echoues?|fallid[ao]s?|fallit[ie]|mislukte)"
)
_TRY = (
    r"(?:experiments?|runs?|trials?|attempts?|tests?|experimente|versuche?n?|laufe?n?|"
    r"essais|pruebas|prove|intentos|tentativ[ei]s?|ejecuciones|pogingen)"
)
_MORE_RUNS = regex(
    r"\b(?:(?:plus|and|with|on top(?: of (?:it|that))?|additionally|also|dazu|"
    r"zuzuglich|und|et|y|mas)(?: about| around| roughly| some| another|,)? "
    r"(?P<n>\d{1,3}) "
    rf"(?:(?:{_LOST}|extra|more|additional|test|trial|other|exploratory|"
    rf"weitere|zusatzliche) ){{0,3}}{_TRY}\b(?! (?:of|on|with|x|at) \d)|"
    r"(?:(?:plus|and|with|incl(?:\.|uding)?|inklusive|inkl\.|mit|dont|con|y compris) )?"
    rf"(?P<w>\d{{1,2}}|{'|'.join(NUMBERS)}|a (?:couple(?: of)?|few)|ein paar|"
    rf"quelques|un par de|un paio di|een paar) (?:(?:{_LOST}) {_TRY}|"
    rf"{_TRY} (?:that (?:fail|crash|die)|{_LOST}))\b)"
    r"(?: of (?:the )?(?:same|equal|similar|that) (?:size|kind|length))?"
    r"(?: (?:per|an?|each|every|in a|pro|im|par|por|al) "
    r"(?P<t>week|month|quarter|half[- ]?year|year|monat|quartal|jahr|mois|mes|mese|"
    r"trimestre|an|ano|anno)\b)?"
)
_SOME = {"a few": 3, "quelques": 3}
"""What "a few" is taken for; a couple, in any language, is two."""
_SO_MANY = regex(
    r"\b(?P<n>\d{1,3}) (?:(?:training|tuning|lora|qlora|fine-?tun\w+) )?runs "
    r"(?:per|an?|each|every) (?P<t>week|month|quarter|year)\b"
)
_A_YEAR = {
    "w": 365 / 7, "mo": 12.0, "me": 12.0, "q": 4.0, "t": 4.0, "h": 2.0,
    "y": 1.0, "j": 1.0, "a": 1.0,
}  # fmt: skip
"""How often a span comes in a year, by how its name begins in any language."""


@needs("TRAIN FINETUNE METHOD SFT")
def more_runs(reading: Reading) -> None:
    """Read "plus 10 failed experiments of the same size per quarter".

    Of no span they come once, beside one run: "plus 3 trials of the same size".
    """
    if found := _MORE_RUNS.search(reading.plain):
        said, span = found["n"] or found["w"], found["t"]
        known = NUMBERS | _SOME
        count = float(said if said.isdigit() else known.get(said, 2))
        if reading.aside.get("runs") == count:
            del reading.aside["runs"]  # read as "3 trials" alone
        if span:
            often = next(n for name, n in _A_YEAR.items() if span.startswith(name))
            reading.aside["more_runs"] = count * often
        elif reading.aside.get("runs") or "CADENCE" in reading.seen:
            return
        else:
            reading.aside["runs"] = 1 + count
        field = "more_runs" if span else "runs"
        reading.told(field, found)
    elif (found := _SO_MANY.search(reading.plain)) and "runs" not in reading.aside:
        reading.aside["runs"] = float(found["n"])
        reading.fields["cadence"] = f"{found['t']}ly"
        reading.told("cadence", found)


RULES = (calls_of_runs, runs, trained, asked_span, more_runs)
LATE_RULES = (due,)

"""Several groups, bots or places that ask of one model: their requests add up."""

from re import Pattern

from bot.language.reading import Match, Reading
from bot.language.values.rates import spread
from bot.language.values.units import SECONDS
from core.patterns import regex

_GROUP = (
    "<n>NUM W{0,2} <u>USER <e>EACHTOK? [W HAVE WORK]{0,3} <m>NUM [REQ DOC]+ "
    "<f>EACHTOK? PER <t>TIME",
    "<n>NUM W{0,2} <u>W <e>EACHTOK [W HAVE WORK]{0,3} <m>NUM [REQ DOC]+ PER <t>TIME",
    "<n>NUM W{1,2} [W HAVE WORK USED]{0,2} <m>NUM [REQ DOC]+ PER <t>TIME <e>EACHTOK",
    "<n>NUM <u>USER [W HAVE WORK]{0,2} TIMES <m>NUM [REQ DOC]+ PER <t>TIME",
)


def groups(reading: Reading) -> None:
    """Read "30 people, 100 prompts a day. 900 people, 3 a day": all of them."""
    found: list[Match] = []
    for match in reading.find(*_GROUP):
        if all(match.start() >= o.end() or match.end() <= o.start() for o in found):
            found.append(match)
    times = {reading.value(match, "t") for match in found}
    if len(found) < 2 or len(times) != 1 or not times <= SECONDS.keys():
        return
    time = times.pop()
    total = sum(reading.value(match) * reading.value(match, "m") for match in found)
    stated = spread(total, time)
    if all(match.groupdict().get("u") for match in found):
        stated["users"] = sum(reading.value(match) for match in found)
    for field, value in stated.items():
        reading.put(field, value, *found[0].span())
        for match in found[1:]:
            reading.span(field, *match.span())
    for match in found:
        reading.use(*match.span())


def listed(reading: Reading) -> None:
    """Read "three bots … with 12, 5 and 9 requests a second": as many as are named."""
    for match in reading.find("NUM+ AND <n>NUM REQ+ PER <t>TIME"):
        rates = [
            reading.items[index].value
            for index in range(match.start(), match.start("n") + 1)
            if reading.items[index].concept == "NUM"
        ]
        for many in reading.find("<n>NUM [W USER INFER]{1,3}", end=match.start()):
            time = reading.value(match, "t")
            if reading.value(many) == len(rates) and time in SECONDS:
                for field, value in spread(sum(rates), time).items():
                    reading.put(field, value, *match.span())
                reading.use(*match.span())
                reading.use(*many.span())
                return


_EVERYWHERE = regex(
    r"\b(?:each|every|per|in (?:each|every|all)|respectively)\b[^.;!?]{0,12}"
    r"(?:regions?|sites?|countr(?:y|ies)|markets?|zones?|locations?|continents?)\b"
    r"|\brespectively\b"
)


def places(reading: Reading) -> None:
    """Read "60 / 40 / 25 requests per second in each region": all of them."""
    for match in reading.find("[NUM SLASH]+ AND? <n>NUM REQ+ PER <t>TIME <p>PEAK?"):
        numbers = [
            reading.items[index].value
            for index in range(match.start(), match.start("n") + 1)
            if reading.items[index].concept == "NUM"
        ]
        everywhere = _EVERYWHERE.search(reading.plain)
        named = len(reading.places("REGION")) == len(numbers)
        time = reading.value(match, "t")
        if len(numbers) < 2 or not (everywhere or named) or time not in SECONDS:
            continue
        total = spread(sum(numbers), time)
        if match["p"] and "rps" in total:
            total = {"peak_rps": total["rps"]}
        for field, value in total.items():
            reading.put(field, value, *match.span())
            if everywhere:
                reading.stretch(field, *everywhere.span())
        reading.use(*match.span())
        return


_CALL = (
    r"(?:calls?|requests?|turns?|steps?|prompts?|completions?|invocations?|messages?|"
    r"round[- ]?trips?|inferences?)"
)
_TASK = (
    r"(?:runs?|tasks?|sessions?|tickets?|conversations?|chats?|cases?|jobs?|workflows?|"
    r"issues?|pull requests?|prs|trajector(?:y|ies)|investigations?|threads?)"
)
_CALLS = regex(
    rf"\s?(?:[a-z][\w-]* ){{0,2}}?{_CALL}\b"
    rf"(?! (?:/|a |per |each |every |in )(?:day|month))"
    rf"(?: (?:per|an?|each|every|for each|in each) (?:[a-z]+ )?{_TASK}\b| each\b)?"
)
_TASKS = regex(
    rf"\s?(?:(?!(?:per|an?|each|every|in|of|for|with) )[a-z][\w-]* ){{0,2}}?"
    rf"(?:{_TASK}|agents?)\b[^.;!?\d]{{0,40}}?"
    rf"(?:(?:\b(?:per|an?|each|every|and) |/ ?)(?P<t>day|week|month)\b|\bdaily\b)"
)
_FURTHEST = 60
"""Letters between the runs of one person and the calls of one run."""


def calls_of_runs(reading: Reading) -> None:
    """Read "80 developers, 40 agent runs a day each, ~25 model calls a run".

    What one person sends in a day is the runs times the calls of each.
    """
    numbers = reading.places("NUM")
    if len(numbers) < _LEAST_NUMBERS or not reading.has("USER"):
        return
    tasks = _counted(reading, _TASKS, numbers)
    calls = _counted(reading, _CALLS, numbers)
    people = [match.start("n") for match in reading.find("<n>NUM W{0,2} USER")]
    for task, told in tasks.items():
        near = {
            index: said
            for index, said in calls.items()
            if 0 <= _apart(told, said) <= _FURTHEST
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
    rf"\b(?:each|every|per) (?:day|week|month|(?:[a-z]+ )?(?:{_CALL}|{_TASK}))\b"
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


def _apart(one: Match, other: Match) -> int:
    """Letters between two stretches; negative: they reach over each other."""
    return max(one.start(), other.start()) - min(one.end(), other.end())


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


RULES = (groups, listed, places, calls_of_runs)

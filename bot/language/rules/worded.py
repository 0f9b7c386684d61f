"""Fields that words state without a number: percentiles, 24/7, cadences, methods."""

from bot.language.grammar import compiled
from bot.language.reading import Match, Reading, needs
from bot.language.subject import learns
from bot.language.values.units import MONTHS
from core.patterns import regex

_NINES = regex(r"\b(two|three|four|five|[2-5])[ -]nines\b")
_UPTIME = regex(
    r"\b(?P<n>9\d(?:\.\d+)?)\s?% (?:\w+ )?(?:availability|uptime|available)\b|"
    r"\b(?:availability|uptime)(?: of| target| goal|:)? (?P<m>9\d(?:\.\d+)?)\s?%"
)
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5}
_PERIODS = {"day": "daily", "week": "weekly", "month": "monthly", "year": "yearly"}
_FLOW = regex(r"(?:an?|per)\s|/")
_BOUND = "TRAIN FINETUNE METHOD SFT BATCH OFFLINE WORK DEADLINE EMBED AUDIO".split()


@needs("PCTL")
def percentile(reading: Reading) -> None:
    """Read p50, p90, p95, p99."""
    for match in reading.find("PCTL (?!IN|OUT|CTX|TOK|DOC|REQ (?!LAT))"):
        if reading.is_told_of(match.start(), "percentile"):
            continue
        reading.put("percentile", reading.items[match.start()].value, *match.span())
        return


def service_level(reading: Reading) -> None:
    """Read "three nines", and an SLA or availability of no stated percentage."""
    if reading.fields.get("sla") is True and (up := _UPTIME.search(reading.plain)):
        reading.aside["uptime"] = float(up["n"] or up["m"])
        reading.stretch("uptime", *up.span())
    if "sla" in reading.fields:
        return
    if found := _NINES.search(reading.plain):
        count = _COUNTS.get(found[1]) or int(found[1])
        start = next(i for i, x in enumerate(reading.items) if x.end > found.start())
        reading.put("sla", float(f"99.{'9' * (count - 2)}"), start, start + 1)
        return
    for match in reading.find("(?<!NOT) AVAIL", "(?<!NOT) SLA"):
        reading.take("sla", True, match)
        return


@needs("HOURS WEEKDAYS OFFICEHOURS TOMORROW")
def hours(reading: Reading) -> None:
    """Read "24/7", "weekdays", "9 to 5", "by tomorrow"."""
    used = reading.has("IDLE") and reading.first("UTIL [W UNDER IN]{0,2} NUM TIME")
    for match in reading.find("HOURS") if not used else ():
        reading.take("hours_per_day", float(reading.items[match.start()].value), match)
    peaks = {m.end() - 1 for m in reading.find("PEAK [W NUM]{0,2} WEEKDAYS")}
    for match in reading.find("WEEKDAYS"):
        if match.start() in peaks:
            continue  # "peaks to 24 on weekdays": it runs on the others too
        days = float(reading.items[match.start()].value or 5)
        reading.take("days_per_week", days, match)
    for match in reading.find("OFFICEHOURS"):
        reading.take("hours_per_day", 8.0, match)
    for match in reading.find("TOMORROW"):
        if reading.has(*_BOUND) and not reading.first("NUM [REQ DOC] PER TIME"):
            said = reading.items[match.start()].value
            reading.take("deadline_hours", float(said or 24), match)


_SIDED = regex(
    r"\d\s?(?:[mbt]|bn|mn|mio|(?:m|b|tr)illion)\s(?:(?P<a>input|prompt)|"
    r"output|generated|completion|answer)[ -]tokens?\b|"
    r"\b(?:generat|writ)(?:e|es|ing)\s(?:\w+\s)?[\d.,]+\s?(?:[mbt]|bn|mn|(?:m|b|tr)illion)"
    r"\stokens\b|"
    r"\d\s?(?:[mbt]|bn|mn|(?:m|b|tr)illion)\s(?:synthetic\s)?tokens\s(?:are\s|to\sbe\s)?"
    r"(?:generated|written|produced)\b"
)
_FLOWS = ("tokens_total", "tokens_per_day", "tokens_per_month")


def side_of_tokens(reading: Reading) -> None:
    """ "2B output tokens" are of the answers alone; of both sides where both stand."""
    if not reading.stated(*_FLOWS) or "input_share" in reading.fields:
        return
    found = list(_SIDED.finditer(reading.plain))
    sides = {one["a"] is not None for one in found}
    if len(sides) == 1:
        reading.aside["tokens_side"] = "input" if sides.pop() else "output"
        reading.stretch(
            "tokens_side",
            reading.plain.rfind(" ", 0, found[0].start() + 1) + 1,
            found[0].end(),
        )


@needs("DUR", "TIME")
def terms(reading: Reading) -> None:
    """Read "for a year" of what is reserved, or lives so long."""
    served = reading.has("TRAIN", "FINETUNE") and reading.has("SERVE")
    if not (served or reading.has("LIFE")):
        return
    for match in reading.find("DUR PER <t>TIME"):
        if reading.value(match, "t") in ("month", "year"):
            reading.take("term_months", MONTHS[reading.value(match, "t")], match)
            return


@needs("RESERVED")
def which_term(reading: Reading) -> None:
    """Read "1 or 3 years reserved": which is the question; up to the longer one."""
    for match in reading.find(
        "<n>NUM <t>TIME? RESERVED? [W ON GPU NUM USED COMPARE]{0,6} [OR VS THAN] "
        "[W A]{0,2} <m>NUM <u>TIME"
    ):
        each = [MONTHS.get(reading.value(match, unit)) for unit in "tu" if match[unit]]
        if None in each or not reading.has("RESERVED"):
            continue
        first, last = reading.value(match), reading.value(match, "m")
        longer = max(first * each[0], last * each[-1])
        reading.put("term_months", longer, match.start(), match.end())
        reading.use(match.start(), match.start() + len(each))
        reading.use(match.end() - 2, match.end())
        reading.wanted = "term"
        return


def cadence(reading: Reading) -> None:
    """Read how often a model is trained again, or a pile is worked through again."""
    if not (learns(reading) or (reading.has(*_PILED) and not reading.has("PEAK"))):
        return
    for match in reading.find("CADENCE"):
        if not learns(reading) and _is_flow(reading, match.start()):
            continue  # "$70k a quarter", "they cut a quarter of that"
        name = str(reading.items[match.start()].value).replace("-", " ")
        reading.take("cadence", name, match)
        return
    if learns(reading) and not _done_again(reading):
        _of_a_run(reading)


_REDONE = regex(
    r"\b(?:redo(?:ne|ing)?|repeat(?:s|ed|ing)?|again|re-?(?:run|new|train|tun|do)\w*|"
    r"refresh(?:ed|ing)?|over|erneut|wiederhol\w*|[ad]e? nouveau|otra vez|de novo)\s"
    r"(?:(?:it|this|that|them|the \w+|all|again)\s)*(?:then\s)?$|"
    r"\b(?:refresh|update|renew|rebuild|redo)\w*\s(?:[\w-]+\s){1,4}$"
)
_REDOES = regex(
    r",?\s(?:we|i)\s(?:\w+\s)?(?:refresh|update|renew|rebuild|redo|re-?\w{0,2}tun)"
)
""" "Redo it monthly", "do that again every month"."""


def _done_again(reading: Reading) -> bool:
    """Whether a run is said to come again, and how often."""
    for match in reading.find("PER <t>TIME"):
        name, start = _PERIODS.get(reading.value(match, "t")), match.start()
        again = _REDONE.search(reading.plain, 0, reading.items[start].start)
        again = again or _REDOES.match(
            reading.plain, reading.items[match.end() - 1].end
        )
        if again and name and not _is_flow(reading, start):
            reading.take("cadence", name, match)
            return True
    return False


def _of_a_run(reading: Reading) -> None:
    for match in reading.find("<n>MULTIPLE PER <t>TIME", "<n>NUM TIMES PER <t>TIME"):
        often = (reading.value(match, "t"), float(reading.value(match)))
        if often in _TIMES:
            reading.take("cadence", _TIMES[often], match)
            return
    for match in reading.find(
        "PER [NUM TIME DUPLEX]? <t>TIME", "EACHTOK [NUM DUPLEX] <t>TIME"
    ):
        if name := _every_other(reading, match):
            reading.take("cadence", name, match)
            return
    for match in reading.find(
        "[TRAIN FINETUNE METHOD SFT] [W MODELNAME MODEL NUMB NUM NUMT USED FULL METHOD "
        "NEED PARAMS SAMPLE TOK DATA RANK EQ ADAPTER A ON DUR "
        "DOC INFER]{0,9} PER <t>TIME",
        "PER <t>TIME W{0,3} [TRAIN FINETUNE METHOD ADAPTER]",
        "ADAPTER W? PER <t>TIME",
        "[PER EACHTOK] <d>DAYNAME",
        *(("^[W AND]{0,3}PER <t>TIME[W]{0,2}$",) if reading.threaded else ()),
    ):
        if match.groupdict().get("d"):
            reading.put("cadence", "weekly", *match.span())
            reading.use(*match.span())
            return  # "every Sunday"
        name = _PERIODS.get(reading.value(match, "t"))
        start = match.start("t") - 1
        counted = reading.concepts(match) & {"SAMPLE", "TOK", "DOC"}
        if counted and _is_flow(reading, start):
            continue  # so much new data in that time
        if (
            reading.threaded
            and match.end() == len(reading.items)
            and _is_flow(reading, start)
        ):
            continue  # "per week" asks for the bill in another unit
        per, time = reading.items[start], reading.items[start + 1]
        if name is not None and per.start == time.start:
            _runs(reading, start)
            reading.put("cadence", name, start, start + 2)
            reading.use(start, start + 2)
            return


_TIMES = {
    ("year", 2.0): "every 6 months", ("year", 3.0): "every 4 months",
    ("year", 4.0): "quarterly", ("year", 6.0): "bimonthly", ("year", 12.0): "monthly",
    ("month", 2.0): "biweekly", ("month", 4.0): "weekly",
}  # fmt: skip
"""So many times in a span: "refreshed twice a year"."""


def _every_other(reading: Reading, match: Match) -> str | None:
    """ "every two weeks", "every second week", "every fortnight", "every 3 months"."""
    if _is_flow(reading, match.start()):
        return None
    time = reading.value(match, "t")
    if match.end() - match.start() == 2:
        return "biweekly" if time == "fortnight" else None
    said = reading.items[match.start() + 1].value
    named = _OTHERS.get((time, 2 if said == "second" else said))
    if named is None and isinstance(said, float) and said > 1 and time in _LONG_TIMES:
        return f"every {said:g} {time}s"
    return named


_OTHERS: dict[tuple[str, object], str] = {
    ("week", 2): "biweekly", ("day", 14): "biweekly", ("month", 3): "quarterly",
    ("month", 2): "bimonthly", ("month", 12): "yearly", ("day", 7): "weekly",
}  # fmt: skip
_LONG_TIMES = ("day", "week", "month", "year")
_PILED = ("EMBED", "BATCH", "WORK", "DOC")
_RUNS = compiled("<n>NUM TUNED? [METHOD FINETUNE ADAPTER TRAIN RUN W]{1,3} PER")


def _runs(reading: Reading, end: int) -> None:
    """Read "40 LoRAs a week": so many jobs of one kind each time."""
    for match in _RUNS.finditer(reading.line):
        value = reading.value(match)
        told = reading.concepts(match) & {"METHOD", "FINETUNE", "ADAPTER"}
        if match.end() == end + 1 and told and value >= 2:
            reading.put("runs", value, match.start(), match.end() - 1)
            reading.use(match.start("n"), match.start("n") + 1)
            return


def _is_flow(reading: Reading, index: int) -> bool:
    """Whether it is "a day", "per week", not "every week", "weekly"."""
    return _FLOW.match(reading.plain, reading.items[index].start) is not None


def methods(reading: Reading) -> None:
    """Read how the weights are tuned."""
    if not learns(reading):
        return
    places = [i for i in reading.places("METHOD") if not reading.ruled_out(i)]
    found = [reading.items[i].value for i in places]
    adapters = [i for i in reading.places("ADAPTER") if "lora" in reading.word(i)]
    if adapters and not found:
        places, found = adapters, ["lora"]
    whole = reading.has("FULL") and reading.has("FINETUNE", "SFT") and not found
    joined = "[VS OR AND SLASH]"
    if whole or reading.first(
        "FULL FINETUNE", "FINETUNE FULL", "FULL SFT",
        f"FULL {joined} METHOD", f"METHOD {joined} FULL", "FULL W{0,2} NOT METHOD",
    ):  # fmt: skip
        found.insert(0, "full")
        places += reading.places("FULL")
    if found:
        values = tuple(dict.fromkeys(found))
        reading.put("method", values, min(places), max(places) + 1)


_SEASON = regex(
    r"\b(?:over|during|in|through|throughout|by|before|until|till|after|across) the "
    r"(?:whole )?(?:(?:summer|winter|spring|autumn|easter|christmas|school|semester|"
    r"term|bank|public) )+(?:holidays?|breaks?|vacations?|recess)\b|"
    r"\b(?:uber|in|wahrend) (?:den|die|der) (?:sommer|winter|oster|weihnachts|herbst|"
    r"semester|schul)?ferien\b|"
    r"\b(?:pendant|durant) les vacances(?: (?:d'ete|d'hiver|scolaires|de noel))?|"
    r"\b(?:durante|en) las vacaciones(?: de (?:verano|invierno|navidad))?"
)


@needs("TRAIN FINETUNE METHOD SFT BATCH OFFLINE WORK DEADLINE EMBED AUDIO")
def seasons(reading: Reading) -> None:
    """List "over the summer holidays" of a pile: nobody says how long they are."""
    if reading.has(*_BOUND) and (said := _SEASON.search(reading.plain)):
        reading.leave_words(said, "how long that is was not said")


RULES = (which_term, percentile, cadence, seasons)
LATE_RULES = (hours, service_level, terms, methods, side_of_tokens)

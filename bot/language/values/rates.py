"""Requests and tokens over time."""

from collections.abc import Iterator

from bot.language.grammar import compiled
from bot.language.reading import Match, Reading
from bot.language.subject import learns
from bot.language.values.units import SECONDS, Fields
from bot.language.vocabulary import phrases, vocabulary
from core.patterns import regex


def spread(value: float, time: str) -> Fields:
    """Requests over a time in the field that holds them."""
    if time in ("day", "week", "fortnight"):
        days = SECONDS[time] / SECONDS["day"]
        return {"requests_per_day": value / days}
    if time in ("month", "year"):
        return {"requests_per_month": value / (12 if time == "year" else 1)}
    return {"rps": value / SECONDS[time]}


def rate(reading: Reading, match: Match) -> Fields:
    """Requests over time; "1M/day" of nothing else counts requests too."""
    time, number = reading.value(match, "t"), reading.item(match, "n")
    if time not in SECONDS or (number.suffix == "b" and SECONDS[time] < 86400):
        said = reading.plain[number.start : number.end].rstrip("s")
        counted = said.endswith(_SPELLED) and "REQ" in reading.concepts(match)
        if time not in SECONDS or not counted:
            return {}
    if match.groupdict().get("d"):  # "3 million summaries a month"
        word = reading.word(match.start("d"))
        many = len(word) >= 6 and word.endswith("s")
        return spread(number.value, time) if many else {}
    named = reading.concepts(match) & {"REQ", "DOC", "OFTHEM"}
    named |= {"SAMPLE"} if match.groupdict().get("s") else set()
    if not named and (not _counts_nothing(reading, match) or time in ("month", "year")):
        opened = reading.concepts(match) & {"W"} and time in ("month", "year")
        if not opened or not _counts_nothing(reading, match):
            return {}
    if any(other(reading, match, time) for other in _NO_RATES):
        return {}
    if not named and draws(reading) and SECONDS[time] < 86_400:
        return {"images_per_minute": number.value * 60 / SECONDS[time]}
    if not named and "W" in reading.concepts(match):
        word = reading.word(match.start("t") - 2)
        if learns(reading) or len(word) < 3 or word in vocabulary().ordinary:
            return {}
    return spread(number.value, time)


def _is_the_highest_of_all(reading: Reading, match: Match, time: str) -> bool:
    """Whether it is what requests never go above: a peak."""
    return SECONDS[time] < SECONDS["day"] and _is_the_highest(reading, match.start("n"))


_SPELLED = ("billion", "milliard", "milliarde", "miliardo", "miliard")
"""A scale that is written out counts; "70b" is a size."""


_ON = regex(r"\b(?:on|with|over|from|auf|mit|sur|avec|con|su|op|met|em|com|na)\s+$")
_EVERY = regex(r"(?:every|each|jed\w+|chaque|tous|cada|ogni|elke|co)\b|\w+ly\b")


def _of_one(reading: Reading, match: Match, time: str) -> bool:
    """Whether one of them sends so much, and nobody says how many there are at once."""
    each = reading.concept_at(match.end()) == "EACHTOK"
    each = each and not _goes_on(reading, match)
    return each and SECONDS[time] < 3600 and reading.has("USER")


def _taught(reading: Reading, match: Match, _: str) -> bool:
    """Whether it is data of a run that comes again: "on 20k tickets every month"."""
    if "DOC" not in reading.concepts(match) or not learns(reading):
        return False
    start, time = reading.items[match.start("n")].start, match.start("t") - 1
    again = _EVERY.match(reading.plain, reading.items[time].start)
    return bool(again and _ON.search(reading.plain, max(0, start - 8), start))


_NO_RATES = (_taught, _of_one, _is_the_highest_of_all)


def draws(reading: Reading) -> bool:
    """Whether the model draws: what it makes by the time are pictures."""
    models = reading.all("MODELNAME")
    return bool(models) and all(
        m.value.family.modality in ("image", "video") for m in models
    )


def _counts_nothing(reading: Reading, match: Match) -> bool:
    """Whether no money, price or training makes a bare rate one of something else."""
    return not reading.has("TRAIN", "FINETUNE", "METHOD", "ALERT", "PRICE") and not (
        {reading.concept_at(match.start() - 1), reading.concept_at(match.end())}
        & {"CUR", "KWH", "TOK"}
    )


def product_rate(reading: Reading, match: Match) -> Fields:
    """ "30 calls each x 2000 tasks/day": what one brings, times how many there are.

    A reranker's queries stay what is counted, with the documents that each ranks.
    """
    time = reading.value(match, "t")
    if time not in SECONDS or learns(reading):
        return {}
    first, second = reading.value(match), reading.value(match, "m")
    if "rerank" in reading.plain and SECONDS[time] < SECONDS["day"]:
        ahead = match.start("n") < match.start("t") < match.start("m")
        queries, ranked = (first, second) if ahead else (second, first)
        return {**spread(queries, time), "batch_size": ranked}
    if SECONDS[time] >= SECONDS["day"] and (people := _people_of(reading, match)):
        each = second if people == first else first
        days = SECONDS[time] / SECONDS["day"]
        return {"users": people, "requests_per_user_per_day": each / days}
    return spread(first * second, time)


def _people_of(reading: Reading, match: Match) -> float:
    """Which of the two numbers of a product counts people; 0: neither."""
    who = [i for i in range(*match.span()) if reading.concept_at(i) == "USER"]
    times = len(who) == 1 and "TIMES" in reading.concepts(match)
    counted = [g for g in "nm" if match.start(g) < who[0]] if times else []
    last = max(counted, key=match.start, default="")
    each = last and {"PER", "EACHTOK"} & {reading.concept_at(who[0] - 1)}
    return reading.value(match, last) if last and not each else 0.0


def interval(reading: Reading, match: Match) -> Fields:
    """ "1 call every 2 s", "cada cuarto de hora 1.800 mensajes"; of each user too."""
    seconds = reading.value(match, "m") * SECONDS.get(reading.value(match, "t"), 0)
    number = reading.value(match) if match.groupdict().get("n") else 1.0
    named = reading.concepts(match) & {"REQ", "DOC"}
    if seconds <= 0 or not named:
        return {}
    if reading.has("USER", "CONC") and (number == 1 or reading.has("EACHTOK")):
        return {"~each_rate": number / seconds}
    if seconds >= SECONDS["day"]:
        return {"requests_per_day": number * SECONDS["day"] / seconds}
    return {"": number / seconds}


_LONGEST_WINDOW = 7200
"""Seconds; what comes between two times further apart tells no rate."""


def between_times(reading: Reading, match: Match) -> Fields:
    """ "between 13:05 and 13:20 we counted 4,500 calls"."""
    clocks = [
        i.value for i in reading.items[slice(*match.span())] if i.concept == "CLOCK"
    ]
    first, last = (int(c[:2]) * 3600 + int(c[3:]) * 60 for c in clocks)
    seconds = (last - first) % SECONDS["day"]
    if not 0 < seconds <= _LONGEST_WINDOW:
        return {}
    field = "peak_rps" if reading.has("PEAK") else "rps"
    return {field: reading.value(match) / seconds}


def chain(reading: Reading, match: Match) -> Fields:
    """ "15 calls per ticket … 7,000 tickets a day": joined by the noun they share."""
    if "one" in match.groupdict() and reading.value(match, "one") != 1:
        return {}
    if reading.word(match.end() - 1) in _OF_A_FILE or any(
        reading.crossed_at(index) for index in range(match.start() + 1, match.end())
    ):
        return {}  # "each scan has 5 MB, each page 300 words"
    for other in _told_of(reading, match, "PER <t>TIME"):
        if (time := reading.value(other, "t")) in SECONDS:
            total = reading.value(match) * reading.value(other)
            return {**spread(total, time), "~also": tuple(range(*other.span()))}
    return {}


_OF_A_FILE = frozenset(
    "kb mb gb tb kib mib bytes byte words worter worte mots palabras parole slow "
    "characters chars zeichen lines zeilen".split()
)
"""How long a thing is; no calls."""


def crowd(reading: Reading, match: Match) -> Fields:
    """ "12 shops … 40 requests an hour per shop": what all of them send, or at once."""
    time = reading.value(match, "t") if "t" in match.groupdict() else None
    counted = "CONC" in reading.concepts(match) if time is None else time in SECONDS
    for other in _told_of(reading, match, "(?!PER|TIMES)") if counted else ():
        total = reading.value(match) * reading.value(other)
        found = spread(total, time) if time else {"": total}
        return {**found, "~also": tuple(range(*other.span()))}
    return {}


def _told_of(reading: Reading, match: Match, behind: str) -> Iterator[Match]:
    """Where else so many of a noun of a match are told of."""
    noun = reading.word(match.start("x"))
    for other in reading.find(
        f"<n>AMT W{{0,2}} <y>[DOC REQ W SAMPLE MODEL INFER] {behind}"
    ):
        apart = other.start("n") >= match.end() or other.end() <= match.start()
        if apart and _same(reading.word(other.start("y")), noun):
            yield other


def counted_elsewhere(reading: Reading, match: Match) -> bool:
    """Whether the noun of a match is counted in another place."""
    return any(True for _ in _told_of(reading, match, "(?!TOK)"))


_ENDING = 2
"""Letters by which one thing and several may differ: "hôpital", "hôpitaux"."""


def _same(one: str, other: str) -> bool:
    """Whether two words are one noun, but for its ending."""
    stem = max(len(one), len(other)) - _ENDING
    return one.rstrip("s") == other.rstrip("s") or (
        stem > 3 and one[:stem] == other[:stem]
    )


_MOST_TIMES = 100


def repeated(reading: Reading, match: Match) -> Fields:
    """ "900 contracts a day, read three times each": each of them so often."""
    times = float(reading.value(match))
    found = [
        other
        for other in reading.find("<n>AMT W{0,2} [DOC REQ SAMPLE] W{0,2} PER <t>TIME")
        if reading.value(other, "t") in SECONDS and other.end() <= match.start()
    ]
    if len(found) != 1 or not 1 < times <= _MOST_TIMES:
        return {}
    total = times * reading.value(found[0])
    also = tuple(range(*found[0].span()))
    return {**spread(total, reading.value(found[0], "t")), "~also": also}


def of_each(reading: Reading, match: Match) -> Fields:
    """ "3 centres with 120 seats each", "5 Standorte mit je 200 Anfragen am Tag"."""
    between = reading.between_numbers(match)
    told = match.groupdict()
    if ("s" in told and not _streams(reading, match)) or (
        "u" in told and _streams(reading, match, "u")
    ):
        return {}
    each = "EACHTOK" in reading.concepts(match) and (
        match.end() == len(reading.items) or reading.crossed_at(match.end())
    )
    if not each and not _EACH.intersection(between.split()[-1:]):
        return {}
    total = reading.value(match) * reading.value(match, "m")
    time = reading.value(match, "t") if match.groupdict().get("t") else None
    return (
        {"": total} if time is None else spread(total, time) if time in SECONDS else {}
    )


_GOES_ON = regex(
    r", (?:each|every) (?:\w+ ){1,2}?(?:must|should|has|have|needs?|gets?|sees?|"
    r"wants?|expects?|will|may|can|is|are|sends?|types?|writes?|uses?)\b(?! \d)"
)


def _goes_on(reading: Reading, match: Match) -> bool:
    """ "5 rps, each user must see …": the rate is that of all."""
    end = reading.item(match, "t").end if match.groupdict().get("t") else 0
    return _GOES_ON.match(reading.plain, end) is not None


_EACH = frozenset("je each jeweils".split())


def per_day(reading: Reading, match: Match) -> Fields:
    """Requests a day of one user; by the hour or minute, the rate while they work."""
    time = reading.value(match, "t") if match.groupdict().get("t") else "day"
    days = SECONDS.get(time, 0) / SECONDS["day"]
    if reading.concept_at(match.start("n") - 1) == "CUR":
        return {}  # "$49 a month each"
    if "IN" in reading.concepts(match) and reading.value(match) > _MOST_PROMPTS:
        return {}  # tokens
    if days < 1 and _goes_on(reading, match):
        return {}
    if days < 1:
        return {"~each_rate": reading.value(match) / SECONDS[time]} if days else {}
    return {"requests_per_user_per_day": reading.value(match) / days}


_MOST_PROMPTS = 100
"""Prompts of one person by the time; more than that are tokens."""


_ONE_PERSON = frozenset(
    "customer client user employee person member student kunde cliente usuario utente "
    "utilisateur klant klient".split()
)


_A_CROWD = 20_000
"""Beside unknown things of one kind of people: of more, it is the things."""
_THINGS = frozenset("DOC SAMPLE OUT REQ IMAGE VIDEO AUDIO W".split())


def of_people(reading: Reading, index: int) -> bool:
    """Whether people only tell whose things are counted: "40M employee records"."""
    thing = reading.concept_at(index + 1)
    if reading.word(index).endswith("s") or thing not in _THINGS:
        return False
    many = (
        reading.items[index - 1].value if reading.concept_at(index - 1) == "NUM" else 0
    )
    if thing == "W" and reading.has("EACHTOK") and many < _A_CROWD:
        return False  # "500 student accounts, 20 questions each"
    near = reading.between(index + 1) == " " and reading.concept_at(index) == "USER"
    return near and reading.word(index + 1).endswith("s")


def people(reading: Reading, match: Match) -> Fields:
    """So many people; not "order no. 55012, customer since 2019", "client 8812"."""
    number = match.start("n")
    who = next(i for i in range(*match.span()) if reading.concept_at(i) == "USER")
    one = reading.word(who) in _ONE_PERSON and "EQ" not in reading.concepts(match)
    apart = any(reading.crossed_at(i) for i in range(number + 1, who + 1))
    if number < who and of_people(reading, who):
        return {}
    first, last = sorted((number, who))
    told = reading.plain[reading.items[first].end : reading.items[last].start]
    sized = reading.item(match, "n").suffix == "b" and one
    if sized or (one and (apart or who < number)) or _TOLD.search(told):
        return {}
    return {"": reading.value(match)}


_TOLD = regex(
    r"\b(?:told|tells?|says?|said|asks?|asked|sends?|submits?|uploads?|writes?|promis(?:es|ed)|claims?|claimed|swears?|"
    r"swore|sent|sold|gave|gives|showed|shows|convinced|offered)\b"
)
"""Between a number and people: "one of the partners told our client that"."""


def people_each(reading: Reading, match: Match) -> Fields:
    """ "400 clinicians dictating 25 notes each per day": people, whatever they are."""
    days = SECONDS.get(reading.value(match, "t"), 0) / SECONDS["day"]
    if days < 1 or reading.value(match) < 2:
        return {}
    each = reading.value(match, "m") / days
    return {"users": reading.value(match), "requests_per_user_per_day": each}


def visitors(reading: Reading, match: Match) -> Fields:
    """ "3,000 use it per day with 10 questions each": people of a day, and of one."""
    days = SECONDS.get(reading.value(match, "t"), 0) / SECONDS["day"]
    if days != 1 or reading.value(match) < 2 or learns(reading):
        return {}
    if reading.concept_at(match.start() - 1) == "CUR":
        return {}  # "$900 a day, 12 seats each"
    return {
        "users": reading.value(match),
        "requests_per_user_per_day": reading.value(match, "m"),
    }


def of_daily_users(reading: Reading, match: Match) -> Fields:
    """ "2k DAU x 10 messages": of one day, as the people are."""
    daily = _DAILY.search(reading.word(match.start("u"))) is not None
    return {"": reading.value(match)} if daily else {}


_DAILY = regex(r"\bdau\b|daily")


def each_beat(reading: Reading, match: Match) -> Fields:
    """ "Summarising each call every minute": the rate of one that is on the line."""
    seconds = SECONDS.get(reading.value(match, "t"), 0)
    many = reading.value(match) if match.groupdict().get("n") else 1
    short = 0 < seconds * many <= SECONDS["hour"]
    return {"": 1 / (seconds * many)} if short else {}


def beats(reading: Reading, match: Match) -> Fields:
    """ "600 kiosks, one answer every 30 seconds each": what all of them ask for."""
    many = reading.value(match, "m") if match["m"] else 1
    seconds = many * SECONDS.get(reading.value(match, "t"), 0)
    if seconds <= 0 or reading.has("USER"):
        return {}
    once = reading.value(match, "o") if match.groupdict().get("o") else 1
    sources = reading.value(match)
    return {"users": sources, "rps": sources * once / seconds}


def each_once(reading: Reading, match: Match) -> Fields:
    """ "each sends a message once a minute": the rate of one of them."""
    said = reading.plain[: reading.items[match.start("t") - 1].start].rstrip()
    seconds = SECONDS.get(reading.value(match, "t"), 0)
    once = said.endswith(("once", "einmal", "une fois", "una vez"))
    return {"": 1 / seconds} if seconds and once else {}


def each_every(reading: Reading, match: Match) -> Fields:
    """ "each sends a request every 10 seconds": the rate of one of them."""
    seconds = reading.value(match) * SECONDS.get(reading.value(match, "t"), 0)
    many = reading.value(match, "m") if match.groupdict().get("m") else 1
    return {"": many / seconds} if seconds else {}


def of_the_usual(reading: Reading, match: Match) -> Fields:
    """ "In exam weeks eleven times that": the rate of some days, by that of all."""
    first, last = reading.items[match.start()].start, reading.items[match.end() - 1].end
    cuts = [found.end() for found in _CLAUSE_ENDS.finditer(reading.plain, 0, first)]
    stop = _CLAUSE_ENDS.search(reading.plain, last)
    clause = reading.plain[cuts[-1] if cuts else 0 : stop.start() if stop else None]
    usual = _THE_USUAL.match(reading.plain, last)
    held = usual and _SOME_DAYS.search(clause) and not _OTHER_TIMES.search(clause)
    return {"": float(reading.value(match))} if held else {}


_CLAUSE_ENDS = regex(
    r"[;:?!\n]|[.,](?=\s|$)|\s(?=(?:and|but|while|und|aber|mais|pero|ma)\s)"
)
_THE_USUAL = regex(
    r"\s?(?:that\b|as (?:much|many)\b|(?:of )?the (?:usual|normal|regular|"
    r"ordinary|average|"
    r"base|daily|typical)\b|(?:our|its) (?:usual|normal|average|base)\b|normal\b|"
    r"so viel\b|"
    r"davon\b|(?:plus|autant|de ca|cela)\b|(?:eso|mas|lo normal|lo habitual)\b|"
    r"(?:tanto|di piu|quello)\b)"
)
_SOME_DAYS = regex(
    r"\b(?:during|in|on|at|around|before|over|when|season|weeks?|weekends?|days?|hours?|"
    r"nights?|evenings?|exams?|sales?|christmas|easter|(?:im|in der|am|an|zu|wahrend)|"
    r"(?:pendant|en|durante|nel|nella|a))\b"
)
_OTHER_TIMES = regex(
    r"\b(?:costs?|price\w*|expensive|dear|pays?|api|next|later|grow\w*|expect\w*|"
    r"plan\w*|faster|slower|speed|memory|throughput|users?|people|cheaper|year|"
    r"nachstes|kostet|prochaine?|proximo|prossimo)\b"
)
"""What costs so much more, or is to come: no peak of this load."""


def per_second(reading: Reading, match: Match) -> Fields:
    """A rate by the second, whose unit may stand with another rate of the message.

    Tokens that each person uses by the day or longer are a part of what all use.
    """
    time = reading.value(match, "t") if match.groupdict().get("t") else None
    if "TOK" in reading.concepts(match):
        seconds = SECONDS.get(time or "", 0)
        if seconds >= SECONDS["day"] and reading.concepts(match) & {"EACHTOK", "USER"}:
            return {"~each_flow": reading.value(match) * SECONDS["day"] / seconds}
        return {"": reading.value(match) / seconds} if 0 < seconds <= 60 else {}
    if reading.beside_average(match.start("n")) or _is_apart(reading, match):
        return {}
    if not reading.concepts(match) & {"REQ", "DOC"} and (
        reading.concept_at(match.start() - 1) == "CUR"
        or reading.has("IMAGE", "VIDEO")
        or draws(reading)
    ):
        return {}  # "$3 per hour", "45 a minute" of pictures
    if time is None:
        if not reading.has("REQ", "DOC") and not _A_RATE.search(reading.whole):
            return {}
        time = reading.common_time()
    if time not in SECONDS:
        return {}
    return {"": reading.value(match) / SECONDS[time]}


_NEVER = regex(r"never\b|\w+ out at$|최대|最大|最多")


def highest(reading: Reading, match: Match) -> Fields:
    """ "3 rps, never above 9", "2 qps mean, 7 qps max": the higher of two rates.

    What it never goes above, or tops out at, is a peak where it stands alone too.
    """
    limit, told = match.start("u"), match.groupdict().get("t")
    if not told and not _follows_a_rate(reading, limit):
        return {}
    number = reading.value(match)
    if told and not _is_the_highest(reading, match.start("n")):
        lower = any(value < number for value in _other_rates(reading, match))
        if not lower:
            return {}
    if not told and reading.counts_something(match.end()):
        return {}
    time = reading.value(match, "t") if told else reading.common_time()
    seconds = SECONDS.get(time or "", SECONDS["day"])
    return {"": number / seconds} if seconds < SECONDS["day"] else {}


def _is_the_highest(reading: Reading, index: int) -> bool:
    """Whether a number is what something "never goes above", "tops out at"."""
    ahead = 2 * (reading.concept_at(index - 1) == "TIME")  # "최대 초당 12건"
    limited = reading.concept_at(index - 1 - ahead) == "UNDER"
    return limited and _NEVER.match(reading.word(index - 1 - ahead)) is not None


def _other_rates(reading: Reading, match: Match) -> Iterator[float]:
    """The other numbers of requests by the same time."""
    time = reading.value(match, "t")
    for other in compiled("<n>NUM [REQ DOC]* PER <t>TIME").finditer(reading.whole):
        if other.start("n") != match.start("n") and reading.value(other, "t") == time:
            yield reading.value(other)


def _follows_a_rate(reading: Reading, index: int) -> bool:
    """Whether the words of a limit go on from a rate: "avg 3 rps, tops out at 9"."""
    before = index - 1
    while reading.concept_at(before) in ("W", "EQ", "EXPLAIN"):
        before -= 1
    ended = reading.concept_at(before)
    if ended == "NUM":
        return reading.beside_average(before)
    return (
        ended == "TIME"
        and SECONDS.get(reading.items[before].value, 1e9) < SECONDS["day"]
        and _ENDS_IN_A_RATE.search(reading.whole[max(0, before - 3) : before + 1])
        is not None
    )


_A_RATE = compiled("NUM PER TIME")
_ENDS_IN_A_RATE = compiled("[REQ NUM] PER TIME$")


def rising(reading: Reading, match: Match) -> Fields:
    """ "2 -> 7 rps at noon": the usual rate, and that of the peak."""
    time = reading.value(match, "t")
    usual, most = reading.value(match), reading.value(match, "m")
    if time not in SECONDS or not 0 < usual < most:
        return {}
    return {"rps": usual / SECONDS[time], "peak_rps": most / SECONDS[time]}


def _is_apart(reading: Reading, match: Match) -> bool:
    """Whether another thing is counted: "in the busiest hour, 9 languages"."""
    if "i" in match.groupdict():
        after = match.start("i") + 1
        named = reading.between(after).strip() or "hour" in reading.word(after)
        named = named or reading.word(match.start("i")) != "in"
        return not named or any(map(reading.crossed_at, (after - 1, after)))
    first = match.start("n")
    return first > match.start() and "," in reading.between(first)


def average(reading: Reading, match: Match) -> Fields:
    """The lower of two rates, beside a word that calls it the average."""
    length = reading.concept_at(match.end()) in ("IN", "OUT", "TOK", "CTX")
    if length and not reading.crossed_at(match.end()):
        return {}  # "5k out on average"
    index = match.start("n")
    if not reading.beside_average(index) or _is_a_length(reading, index):
        return {}
    time = reading.common_time() if reading.rates else None
    if time is None:
        return {}
    return {"": spread(reading.value(match), time)}


def _is_a_length(reading: Reading, index: int) -> bool:
    """Whether a number is one of tokens: "answers average 280. 18 requests …"."""
    sided = reading.concept_at(index - 1) in ("IN", "OUT")
    return sided and not reading.crossed_at(index)


def elided(reading: Reading, match: Match) -> Fields:
    """ "11 rps last quarter, plan 28": the unit of a rate that is not wanted now."""
    index = match.start("n")
    time = reading.elided_time(index)
    if time is None or reading.counts_something(index + 1):
        return {}
    return spread(reading.value(match), time)


_JOINED = regex(
    r"\s*(?:or so\s|rps\s|qps\s)?(?:(?!average|most|usual)[a-z'-]+\s){1,5}$"
)
_LEADS_TO = regex(
    r",?:?\s(?:(?!at|um|from|by|until|after|las|will|\w+'ll)[a-z']+\s){0,4}~?$"
)
_MOST_ABOVE = 100
"""Times of the usual rate; more is another number."""


_KEYS = frozenset("CTX OUT USER CONC TTFT LAT CUR BUDGET EPOCH STEP RANK".split())
"""What a number right behind it is of."""


def at_times(reading: Reading, match: Match) -> Fields:
    """ "6 rps, 30 in the weeks before Christmas": the higher rate of some days."""
    item = reading.item(match, "n")
    seconds = SECONDS.get(reading.common_time() or "", 0)
    if len(reading.rates) > 1:
        return {}
    told = compiled("<n>NUM [REQ DOC]* PER TIME").finditer(reading.whole)
    usual = [reading.value(one) for one in told if one.start("n") != match.start("n")]
    if len(usual) != 1 or not 0 < seconds < SECONDS["day"]:
        return {}
    if (
        reading.concept_at(match.start() - 1) in _KEYS
        or not usual[0] < item.value <= usual[0] * _MOST_ABOVE
    ):
        return {}
    counts, plain = reading.counts_something(match.end()), reading.plain
    for said in phrases("account", "busy").find(plain):
        led = not counts and _LEADS_TO.fullmatch(plain, said.end, item.start)
        if led or _JOINED.fullmatch(plain, item.end, said.start):
            return {"": item.value / seconds}
    return {}


def elided_people(reading: Reading, match: Match) -> Fields:
    """ "250 users today, next year it'll be 900"."""
    index = match.start("n")
    if not reading.counts_planned_people(index) or reading.counts_something(index + 1):
        return {}
    return {"": reading.value(match)}


def burst(reading: Reading, match: Match) -> Fields:
    """ "5000 requests in 10 minutes", of the peak where one is named."""
    bulk = reading.has("OFFLINE") or reading.first(
        "(?<!UNDER) BATCH (?!EQ|NUM (?!REQ|DOC))"
    )
    piled = reading.has("WORK") and "DOC" in reading.concepts(match)
    if not reading.has("PEAK", "USER") and (bulk or piled):
        return {}
    seconds = reading.value(match, "m") * SECONDS.get(reading.value(match, "t"), 0)
    if not 0 < seconds <= 3600:
        return {}
    field = "peak_rps" if reading.has("PEAK") else "rps"
    return {field: reading.value(match) / seconds}


def streams(reading: Reading, match: Match) -> Fields:
    """ "100 users at 30 tok/s each": so many answers are written at once."""
    if (
        SECONDS.get(reading.value(match, "t") if match.groupdict().get("t") else "", 0)
        >= 60
    ):
        return {}
    if match.groupdict().get("s"):
        ok = _streams(reading, match)
        return {"concurrency": reading.value(match)} if ok else {}
    apart = " at " in reading.plain[reading.items[match.end() - 1].end :]
    late = reading.concept_at(match.end()) != "EACHTOK"
    return {"concurrency": reading.value(match)} if apart or not late else {}


def _streams(reading: Reading, match: Match, group: str = "s") -> bool:
    return reading.word(match.start(group)).startswith("stream")


def flow(reading: Reading, match: Match) -> Fields:
    """Tokens over time, all users together."""
    value = reading.value(match)
    time = reading.value(match, "t") if "t" in match.groupdict() else "second"
    if SECONDS.get(time, 0) >= SECONDS["day"] and _is_of_each(reading, match):
        return {}  # "30 developers, 3M tokens a day each"
    return flow_of(value, time)


def _is_of_each(reading: Reading, match: Match) -> bool:
    """Whether each of several people uses so much."""
    if not reading.has("USER"):
        return False
    start, end = match.span()
    each = next(
        (i for i in range(start - 1, start - 6, -1) if reading.crossed_at(i)), 0
    )
    before = {reading.concept_at(i) for i in range(max(each, start - 5), start)}
    return "EACHTOK" in before | {reading.concept_at(end)}


def flow_of(value: float, time: str) -> Fields:
    """Tokens over a time in the field that holds them."""
    if time not in SECONDS:
        return {}
    if time in ("day", "week"):
        return {"tokens_per_day": value / (7 if time == "week" else 1)}
    if time in ("month", "year"):
        return {"tokens_per_month": value / (12 if time == "year" else 1)}
    return {"tokens_per_second": value / SECONDS[time]}


def paid_for(reading: Reading, match: Match) -> Fields:
    """ "$11k a month for 900M tokens": what a sum of that time buys."""
    index = match.start() - 1
    before = {reading.concept_at(index - i) for i in range(1, 5) if index >= i}
    if reading.concept_at(index) != "TIME" or "CUR" not in before:
        return {}
    return flow_of(reading.value(match), reading.items[index].value)


def billed(reading: Reading, match: Match) -> Fields:
    """ "a bill of $4k a month with 500M tokens": what an API counted in that time."""
    bill = compiled("CUR? [NUM NUMB NUMT] CUR? PER <t>TIME").search(reading.whole)
    told = reading.value(match) >= _A_MILLION and reading.has("API", "APINAME")
    if bill is None or not told or not reading.has("CUR", "SPEND", "BILL"):
        return {}
    return flow_of(reading.value(match), reading.value(bill, "t"))


def paid_both_ways(reading: Reading, match: Match) -> Fields:
    """ "$45k a month, about 9B input and 600M output": tokens of the bill's period."""
    prompt, answer = reading.value(match), reading.value(match, "o")
    if min(prompt, answer) < _A_MILLION:
        return {}
    bill = compiled("CUR? [NUM NUMB NUMT] CUR? PER <t>TIME").search(reading.whole)
    if bill is None or not reading.has("CUR", "SPEND", "BILL"):
        return {}
    found = flow_of(prompt + answer, reading.value(bill, "t"))
    return found and {**found, "input_share": prompt / (prompt + answer)}


_A_MILLION = 1e6


def both_ways(reading: Reading, match: Match) -> Fields:
    """ "20M input + 2M output tokens per day": the sum, and input's share."""
    prompt, answer = reading.value(match), reading.value(match, "o")
    if prompt + answer <= 0:
        return {}
    found = flow_of(prompt + answer, reading.value(match, "t"))
    return found and {**found, "input_share": prompt / (prompt + answer)}


def share_of_users(reading: Reading, match: Match) -> Fields:
    """ "50k users, 5% active at a time": those who ask, or who ask at once."""
    total, part = reading.value(match), reading.value(match, "m") / 100
    if not 0 < part <= 1:
        return {}
    if reading.concepts(match) & {"CONC", "PEAK"}:
        return {"users": total, "concurrency": total * part}
    return {"users": total * part}


def some_of_all(reading: Reading, match: Match) -> Fields:
    """ "80 of the 900 employees chat at once", "20 staff at once out of 90"."""
    part, everybody = reading.value(match, "m"), reading.value(match)
    if not {"of", "von", "de", "di", "van"} & set(
        reading.between(match.start("n")).split()
    ):
        return {}
    return {"users": everybody, "concurrency": part} if 0 < part < everybody else {}


def share(reading: Reading, match: Match) -> Fields:
    """A share of one, from a percentage where it is above one."""
    value = reading.value(match)
    last = match.end() - 1
    if reading.items[last].value == "in" and reading.concept_at(last + 1) == "REGION":
        return {}  # "8 h100 at 30% in the eu"
    if reading.concept_at(last + 1) == "W" and reading.word(last + 1) in _SHARES:
        return {}  # "in 95 % der Fälle"
    bare = any(reading.items[i].value == "in" for i in range(*match.span()))
    if bare and not reading.has("TOK", "OUT"):
        return {}  # "utilisation in grafana averages 22 %"
    percent = value > 1 or "PCT" in reading.concepts(match)
    value = value / 100 if percent else value
    return {"": value} if 0 <= value <= 1 else {}


_SHARES = frozenset("cases falle fallen cas casos casi gevallen przypadkow".split())


def rest(reading: Reading, match: Match) -> Fields:
    """The share that is left: output's says what input's is."""
    if reading.concept_at(match.end()) in ("UNDER", "IN"):
        return {}  # "90% of answers within 3 s"
    if reading.word(match.end() - 1).split()[-1] == "back":
        return {}  # "20% come back every day"
    if "of" in reading.between(match.end() - 1).split():
        return {}  # "2% of the outputs are checked"
    return {"input_share": 1 - reading.value(match) / 100}


def of_the_time(reading: Reading, match: Match) -> Fields:
    """ "we use them only 35% of the time"."""
    item = reading.items[match.start("n") + 1]
    said = reading.plain[item.end : item.end + len(_OF_THE_TIME)]
    value = reading.value(match)
    fits = said == _OF_THE_TIME and reading.has("GPU", "INSTANCE") and 0 < value <= 100
    return {"": value / 100} if fits else {}


_OF_THE_TIME = " of the time"


def half(_: Reading, match: Match) -> Fields:
    """ "half of it cached"."""
    return {"": 0.5}


_TO = regex(r"\W{1,3}|\s(?:to|zu|pour|contre|a|naar|op|na|do|к)\s|\sparts?\b.*")
"""Between the two numbers of a ratio."""


def ratio(reading: Reading, match: Match) -> Fields:
    """95/5 or, beside "input" and "output", 3:1 as the share of input."""
    first, second = reading.value(match), reading.value(match, "o")
    parted = reading.item(match, "n").end, reading.item(match, "o").start
    if not _TO.fullmatch(reading.plain, *parted):
        return {}
    around = reading.items[max(0, match.start() - 3) : match.end() + 4]
    near = {item.concept for item in around}
    whole_ = first + second == 100 and bool(near & {"IN", "OUT"})
    small = 0 < first <= 20 and 0 < second <= 20 and near >= {"IN", "OUT"}
    counted = reading.concept_at(match.end()) == "TOK"
    if not (whole_ or small) or (counted and not whole_):
        return {}
    return {"input_share": first / (first + second)}

"""What a matched pattern is worth: the fields that it would state, and in which unit.

Every function takes the reading and a match, and returns the fields with their values
(the key "" is the field of the pattern), or nothing where the match means something
else. `fields.toml` names them.
"""

from collections.abc import Callable, Mapping
from typing import Any

from bot.language.reading import Match, Reading
from bot.language.subject import learns
from bot.language.vocabulary import vocabulary
from core.units import HOURS_PER_MONTH

Fields = dict[str, Any]
Converter = Callable[[Reading, Match], Fields]

SECONDS = {"ms": 0.001, "second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86400.0,
           "week": 604800.0, "fortnight": 1209600.0, "month": 2592000.0,
           "year": 31536000.0}  # fmt: skip
MONTHS = {"month": 1.0, "year": 12.0, "week": 12 / 52}
MONTH_HOURS = 600, 744
"""Between these a number of hours is a whole month."""
_CONTEXTS = (2, 4, 8, 16, 32, 64, 128, 256)
_LEAST_WINDOW = 2000
_LONGEST_SAMPLE = 200_000
_LONGEST_SUMMARY = 8000
_LONGEST_PASSAGE = 32_768
_LEAST_PILE = 1e5
"""Words; fewer are those of one text."""
_DEAREST_HOUR = 60
"""Dollars: more an hour is the price of a machine, or a budget."""


# -- requests over time --------------------------------------------------------------


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
        return {}
    named = reading.concepts(match) & {"REQ", "DOC", "OFTHEM"}
    if not named and (not _counts_nothing(reading, match) or time in ("month", "year")):
        opened = reading.concepts(match) & {"W"} and time in ("month", "year")
        if not opened or not _counts_nothing(reading, match):
            return {}
    if not named and "W" in reading.concepts(match):
        word = reading.word(match.start("t") - 2)
        if learns(reading) or len(word) < 3 or word in vocabulary().ordinary:
            return {}
    return spread(number.value, time)


def _counts_nothing(reading: Reading, match: Match) -> bool:
    """Whether no money, price or training makes a bare rate one of something else."""
    return not reading.has("TRAIN", "FINETUNE", "METHOD", "ALERT", "PRICE") and not (
        {reading.concept_at(match.start() - 1), reading.concept_at(match.end())}
        & {"CUR", "KWH", "TOK"}
    )


def product_rate(reading: Reading, match: Match) -> Fields:
    """ "30 calls each x 2000 tasks/day": what one brings, times how many there are."""
    time = reading.value(match, "t")
    if time not in SECONDS or learns(reading):
        return {}
    return spread(reading.value(match) * reading.value(match, "m"), time)


def chain(reading: Reading, match: Match) -> Fields:
    """ "15 calls per ticket … 7,000 tickets a day": joined by the noun they share."""
    noun = reading.word(match.start("x")).rstrip("s")
    for other in reading.find("<n>AMT W{0,2} <y>[DOC REQ W SAMPLE] PER <t>TIME"):
        apart = other.start("n") >= match.end() or other.end() <= match.start()
        time = reading.value(other, "t")
        if (
            apart
            and time in SECONDS
            and reading.word(other.start("y")).rstrip("s") == noun
        ):
            return {
                **spread(reading.value(match) * reading.value(other), time),
                "~also": tuple(range(*other.span())),
            }
    return {}


def per_day(reading: Reading, match: Match) -> Fields:
    """Requests a day of one user."""
    time = reading.value(match, "t") if match.groupdict().get("t") else "day"
    days = SECONDS.get(time, 0) / SECONDS["day"]
    if days < 1 / 24:
        return {}
    return {"requests_per_user_per_day": reading.value(match) / days}


def per_second(reading: Reading, match: Match) -> Fields:
    """A rate by the second, whose unit may stand with another rate of the message."""
    time = reading.value(match, "t") if match.groupdict().get("t") else None
    if "TOK" in reading.concepts(match):
        seconds = SECONDS.get(time or "", 0)
        return {"": reading.value(match) / seconds} if 0 < seconds <= 60 else {}
    if reading.beside_average(match.start("n")):
        return {}
    if time is None:
        if not reading.has("REQ", "DOC"):
            return {}
        time = reading.common_time()
    if time not in SECONDS:
        return {}
    return {"": reading.value(match) / SECONDS[time]}


def average(reading: Reading, match: Match) -> Fields:
    """The lower of two rates, beside a word that calls it the average."""
    index = match.start("n")
    time = reading.common_time()
    if time is None or not reading.beside_average(index):
        return {}
    return {"": spread(reading.value(match), time)}


def elided(reading: Reading, match: Match) -> Fields:
    """ "11 rps last quarter, plan 28": the unit of a rate that is not wanted now."""
    index = match.start("n")
    time = reading.elided_time(index)
    if time is None or reading.counts_something(index + 1):
        return {}
    return spread(reading.value(match), time)


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
    if match.groupdict().get("s"):
        word = reading.item(match, "s")
        ok = reading.plain[word.start : word.end].startswith("stream")
        return {"concurrency": reading.value(match)} if ok else {}
    apart = " at " in reading.plain[reading.items[match.end() - 1].end :]
    late = reading.concept_at(match.end()) != "EACHTOK"
    return {"concurrency": reading.value(match)} if apart or not late else {}


# -- lengths -------------------------------------------------------------------------


def side(reading: Reading, match: Match) -> Fields:
    """A prompt or an answer, unless "in" only says where or when."""
    if reading.value(match) >= 1e8:
        return {}
    if match.groupdict().get("s") and _is_preposition(reading, match):
        return {}
    return {"": reading.value(match)}


def _is_preposition(reading: Reading, match: Match) -> bool:
    """Whether "in" only says where or when: "10 rps in eu", "in 2026"."""
    if reading.item(match, "s").value != "in":
        return False
    concepts = reading.concepts(match)
    both = reading.has("OUT")
    if match.start("n") > match.start("s"):
        return not (concepts & {"TOK", "EQ"} or both)
    after = reading.concept_at(match.end())
    elsewhere = after in ("REGION", "TIME", "CHANNEL", "CUR", "PROVIDER")
    return "TOK" not in concepts and not both and (elsewhere or after == "W")


def condensed(reading: Reading, match: Match) -> Fields:
    """ "generate 300 tokens each", "summarise them to 200 tokens": the answer."""
    kind = reading.items[match.start()].value
    amount = reading.value(match)
    if kind == "out" and "TOK" in reading.concepts(match) and not learns(reading):
        return {"output_tokens": amount}
    to = {"to", "into"} & set(reading.between(match.start("n")).split())
    if kind == "summary" and to and 8 <= amount <= _LONGEST_SUMMARY:
        return {"output_tokens": amount}
    return {}


def pair(reading: Reading, match: Match) -> Fields:
    """ "1.5k/300", "1k→200": the prompt, then the answer."""
    prompt, answer = reading.value(match), reading.value(match, "o")
    if prompt >= 10 and answer >= 1 and max(prompt, answer) >= 64:
        return {"input_tokens": prompt, "output_tokens": answer}
    return {}


def both_sides(reading: Reading, match: Match) -> Fields:
    """ "700 tokens each way": the prompt is as long as the answer."""
    where = next(i for i in range(*match.span()) if reading.concept_at(i) == "IN")
    said = reading.plain[reading.items[where].start : reading.items[where].end]
    if not said.endswith(("way", "ways", "direction", "directions")):
        return {}
    value = reading.value(match)
    return {"input_tokens": value, "output_tokens": value}


def total_of(reading: Reading, match: Match) -> Fields:
    """ "1800 image tokens + 300 text tokens in": one prompt."""
    if "+" not in reading.between_numbers(match) and "AND" not in reading.concepts(
        match
    ):
        return {}
    return {"input_tokens": reading.value(match) + reading.value(match, "m")}


def product(reading: Reading, match: Match) -> Fields:
    """ "23 docs of 512 tokens per query": one prompt."""
    return {"input_tokens": reading.value(match) * reading.value(match, "m")}


def whole(reading: Reading, match: Match) -> Fields:
    """Tokens of a whole thing: documents are only read, samples are trained on."""
    timed = (
        reading.concept_at(match.end()) == "PER"
        and reading.concept_at(match.end() + 1) == "TIME"
    )
    if timed and reading.items[match.end() + 1].value in SECONDS:
        return {}
    if learns(reading):
        return {"tokens_per_sample": reading.value(match)}
    read = "DOC" in reading.concepts(match) or reading.has("DOC", "EMBED", "WORK")
    opened = reading.has("BATCH", "OFFLINE") or embeds(reading)
    field = "input_tokens" if read or opened else "total_tokens_per_request"
    return {field: reading.value(match)}


def round_thousands(reading: Reading, match: Match) -> Fields:
    """ "34b int8 32k": a round number of thousands that counts nothing."""
    item = reading.item(match, "n")
    counted = reading.concept_at(match.end()) in (
        "TOK IN OUT PER SLASH EQ STEP TIME REQ USER CONC SAMPLE DOC CUR GRAND IMAGE "
        "VIDEO GPUWORD GPU EPOCH"
    ).split() or reading.concept_at(match.start() - 1) in ("CUR", "SLASH", "HAVE")
    if counted or item.suffix != "k" or item.base not in _CONTEXTS or learns(reading):
        return {}
    return {"context": item.value}


def filled_context(reading: Reading, match: Match) -> Fields:
    """ "1 800 tokens of context, 300 back": no window is so odd, it is the prompt."""
    value = reading.value(match)
    odd = value < _LEAST_WINDOW or (value % 1000 and value % 1024)
    return {"input_tokens": value} if odd and reading.has("OUT") else {}


def embedded(reading: Reading, match: Match) -> Fields:
    """ "300 rps, bge-m3, 256 tokens": what is embedded is only read."""
    short = reading.value(match) <= _LONGEST_PASSAGE
    return {"input_tokens": reading.value(match)} if short else {}


def words_of_an_answer(reading: Reading, match: Match) -> Fields:
    """ "summarise in 200 words": millions are a pile, which is read elsewhere."""
    if reading.value(match) >= _LEAST_PILE:
        return {}
    return {"~answer_words": reading.value(match)}


def pile_of_words(reading: Reading, match: Match) -> Fields:
    """ "translate 40M words": a pile whose tokens are not counted yet."""
    if reading.value(match) < _LEAST_PILE:
        return {}
    return {"~words_total": reading.value(match)}


# -- tokens over time ----------------------------------------------------------------


def flow(reading: Reading, match: Match) -> Fields:
    """Tokens over time, all users together."""
    value = reading.value(match)
    time = reading.value(match, "t") if "t" in match.groupdict() else "second"
    return _flow(value, time)


def _flow(value: float, time: str) -> Fields:
    if time not in SECONDS:
        return {}
    if time in ("day", "week"):
        return {"tokens_per_day": value / (7 if time == "week" else 1)}
    if time in ("month", "year"):
        return {"tokens_per_month": value / (12 if time == "year" else 1)}
    return {"tokens_per_second": value / SECONDS[time]}


def both_ways(reading: Reading, match: Match) -> Fields:
    """ "20M input + 2M output tokens per day": the sum, and input's share."""
    prompt, answer = reading.value(match), reading.value(match, "o")
    if prompt + answer <= 0:
        return {}
    found = _flow(prompt + answer, reading.value(match, "t"))
    return found and {**found, "input_share": prompt / (prompt + answer)}


def share(reading: Reading, match: Match) -> Fields:
    """A share of one, from a percentage where it is above one."""
    value = reading.value(match)
    percent = value > 1 or "PCT" in reading.concepts(match)
    value = value / 100 if percent else value
    return {"": value} if 0 <= value <= 1 else {}


def rest(reading: Reading, match: Match) -> Fields:
    """The share that is left: output's says what input's is."""
    if reading.concept_at(match.end()) in ("UNDER", "IN"):
        return {}  # "90% of answers within 3 s"
    return {"input_share": 1 - reading.value(match) / 100}


def half(_: Reading, match: Match) -> Fields:
    """ "half of it cached"."""
    return {"": 0.5}


def ratio(reading: Reading, match: Match) -> Fields:
    """95/5 or, beside "input" and "output", 3:1 as the share of input."""
    first, second = reading.value(match), reading.value(match, "o")
    around = reading.items[max(0, match.start() - 3) : match.end() + 4]
    near = {item.concept for item in around}
    whole_ = first + second == 100 and bool(near & {"IN", "OUT"})
    small = 0 < first <= 20 and 0 < second <= 20 and near >= {"IN", "OUT"}
    counted = reading.concept_at(match.end()) == "TOK"
    if not (whole_ or small) or (counted and not whole_):
        return {}
    return {"input_share": first / (first + second)}


# -- latency -------------------------------------------------------------------------


def milliseconds(reading: Reading, match: Match) -> Fields:
    """A latency; without a unit, small numbers are seconds."""
    value = reading.value(match)
    unit = reading.value(match, "t") if "t" in match.groupdict() else None
    if unit is None:
        unit = "ms" if value >= 20 else "second"
        if reading.concept_at(match.end()) == "TIME":
            return {}
    if unit not in ("ms", "second", "minute"):
        return {}
    return {"": value * SECONDS[unit] * 1000}


def one_unit(reading: Reading, match: Match) -> Fields:
    """ "under a second to first token"."""
    unit = reading.value(match, "t")
    if unit not in ("ms", "second", "minute"):
        return {}
    return {"": SECONDS[unit] * 1000}


def percentile(reading: Reading, match: Match) -> Fields:
    """ "95% of requests", where a time stands beside it."""
    if reading.value(match) not in (50, 90, 95, 99):
        return {}
    return {"": f"p{reading.value(match):g}"}


def within(reading: Reading, match: Match) -> Fields:
    """ "95% of requests within 2 s" is the time of whole answers."""
    each = (
        "EACHTOK" in reading.concepts(match) and reading.value(match, "t") != "minute"
    )
    told = each or reading.has("PCT")
    if not told or reading.has("TTFT", "TPOT", "E2E", "LAT"):
        return {}
    return milliseconds(reading, match)


def service_level(reading: Reading, match: Match) -> Fields:
    """An SLA's percentage; without a sign it has to be one of nines."""
    value, told = reading.value(match), reading.concepts(match)
    if told & {"SLA", "AVAIL"}:
        least = 50 if "PCT" in told else 99
        if not least < value <= 100:
            return {}
        return {"sla": value if "SLA" in told or "PCT" not in told else True}
    after = {reading.concept_at(match.end() + i) for i in range(3)}
    about = {"UTIL", "CACHE", "IN", "OUT", "REQ", "TOK", "TIME"}
    return {"sla": value} if 99 <= value < 100 and not after & about else {}


# -- training ------------------------------------------------------------------------


def whole_number(reading: Reading, match: Match) -> Fields:
    """A number of which there are no parts."""
    value = reading.value(match)
    return {"": int(value)} if value == int(value) else {}


def steps(reading: Reading, match: Match) -> Fields:
    """Steps of training; "in two steps" are those of a plan."""
    return {"": reading.value(match)} if reading.value(match) >= 10 else {}


def small_batch(reading: Reading, match: Match) -> Fields:
    """ "batch 32" is a size; "batch of 5k docs" is a job."""
    after = reading.concept_at(match.end())
    counted = (
        after
        in (
            "TIME GPU TIMES GPUWORD NODE CUR PCT USER CONC REQ EPOCH STEP PARAMS "
            "ACTIVE PER MODEL GB COUNTER DUPLEX TOK DOC SAMPLE IMAGE"
        ).split()
    )
    ok = 2 <= reading.value(match) <= 4096 and not counted
    return {"batch_size": reading.value(match)} if ok else {}


def samples_of(reading: Reading, match: Match) -> Fields:
    """ "80k samples x 900 tok": how many, and how long one is."""
    return {
        "dataset_samples": reading.value(match),
        "tokens_per_sample": reading.value(match, "m"),
    }


def open_samples(reading: Reading, match: Match) -> Fields:
    """ "25 product photos": things to learn from that no word file knows."""
    enough = reading.value(match) >= 10 and reading.word(match.end() - 1).endswith("s")
    item = reading.item(match, "n")
    if not enough or item.concept != "NUM" or not reading.has("FINETUNE", "METHOD"):
        return {}
    return {"dataset_samples": reading.value(match)}


def sample_length(reading: Reading, match: Match) -> Fields:
    """Tokens of one sample."""
    short = reading.value(match) <= _LONGEST_SAMPLE
    return {"tokens_per_sample": reading.value(match)} if short else {}


def data_tokens(reading: Reading, match: Match) -> Fields:
    """The tokens of a training run: "200b tokens", "on 2T"; few are those of one."""
    value = reading.value(match)
    if "TOK" in reading.concepts(match):
        if [reading.concept_at(match.end() + i) for i in (0, 1)] == ["PER", "TIME"]:
            return {}  # a flow
        if online_rl(reading) and value <= 32768:
            return {}
        few = _LONGEST_SAMPLE if reading.has("SAMPLE") else 32768
        field = "tokens_per_sample" if value <= few else "dataset_tokens"
        return {field: value}
    if reading.counts_something(match.end()) or reading.concept_at(match.end()) == "W":
        return {}
    if reading.item(match, "n").concept == "NUMB":
        sizes = len(list(reading.find("NUMB")))
        if sizes < (1 if reading.has("MODELNAME") else 2):
            return {}
        last = max(m.start() for m in reading.find("NUMB"))
        if match.start() != last:
            return {}
    return {"dataset_tokens": value}


# -- piles and media -----------------------------------------------------------------


def per_minute(reading: Reading, match: Match) -> Fields:
    """Images over time; clips come one by one, as requests do."""
    time = reading.value(match, "t")
    if time not in SECONDS:
        return {}
    if "VIDEO" in reading.concepts(match) and time in ("day", "week", "month"):
        return spread(reading.value(match), time)
    return {"images_per_minute": reading.value(match) * 60 / SECONDS[time]}


def audio_hours(reading: Reading, match: Match) -> Fields:
    """Hours of audio, of one day or month where it is "per day"."""
    hours = SECONDS.get(reading.value(match, "t"), 0) / 3600
    if not 1 / 60 <= hours <= 1:
        return {}
    return {"audio_hours": reading.value(match) * hours}


def pile(reading: Reading, match: Match) -> Fields:
    """How many things an offline job has."""
    concepts = reading.concepts(match)
    value, after = reading.value(match), reading.concept_at(match.end())
    timed = reading.concept_at(match.start("n") + 1) == "TIME"
    if after in ("PER", "EACHTOK") or timed or _searched(reading):
        return {}
    job = piled(reading) or (value >= 10_000 and not reading.is_service())
    if not concepts & {"DOC", "IMAGE", "VIDEO", "SAMPLE"} and not job:
        return {}
    if concepts <= {"W", "NUM", "NUMB", "NUMT"} and (
        value < 1000 or not _plural(reading, match.end() - 1)
    ):
        return {}
    if concepts & {"REQ", "OUT"} and not concepts & {"DOC"} and not job:
        return {}
    if "OUT" in concepts and value < 1e5:
        return {}
    if reading.item(match, "n").concept == "NUMB" and not _plural(
        reading, match.end() - 1
    ):
        return {}
    return {"requests_total": value}


def _plural(reading: Reading, index: int) -> bool:
    return reading.word(index).endswith("s")


def pile_product(reading: Reading, match: Match) -> Fields:
    """ "2000 games x 40 docs": all of them."""
    if not piled(reading):
        return {}
    return {"requests_total": reading.value(match) * reading.value(match, "m")}


def pile_of(reading: Reading, match: Match) -> Fields:
    """ "2 million docs of 3k tokens": how many, and how long one is."""
    if not (piled(reading) or "DOC" in reading.concepts(match)) or _searched(reading):
        return {}
    return {
        "requests_total": reading.value(match),
        "input_tokens": reading.value(match, "m"),
    }


def rollouts_of(reading: Reading, match: Match) -> Fields:
    """ "16 rollouts of 4k tokens"."""
    return {
        "~rollouts": reading.value(match),
        "output_tokens": reading.value(match, "m"),
    }


def pile_of_tokens(reading: Reading, match: Match) -> Fields:
    """Tokens of a whole job."""
    many = reading.value(match) >= 1e6
    if not many or not piled(reading) or reading.has("REQ", "USER"):
        return {}
    if reading.concept_at(match.end()) in ("PER", "EACHTOK"):
        return {}
    return {"tokens_total": reading.value(match)}


# -- time ----------------------------------------------------------------------------


def from_to(reading: Reading, match: Match) -> Fields:
    """Two times of day beside the days: "weekdays 9-17", "9 to 5 on weekdays"."""
    item = reading.item(match, "n")
    if item.low is None or item.suffix or not 0 <= item.low < item.value <= 24:
        return {}
    return {"hours_per_day": item.value - item.low}


def hours_used(reading: Reading, match: Match) -> Fields:
    """ "8 hours a day", "5 days a week", "730 hours a month"."""
    value = reading.value(match)
    unit = reading.value(match, "t")
    if "OFFLINE" in reading.concepts(match):
        nightly = reading.word(match.start()) in ("nightly", "overnight")
        return {"hours_per_day": value} if nightly and unit == "hour" else {}
    if "WEEKDAYS" in reading.concepts(match):
        return {"hours_per_day": value, "days_per_week": 5.0} if unit == "hour" else {}
    pair_ = unit, reading.value(match, "u")
    if not {"PER", "SLASH"} & reading.concepts(match) and pair_ != ("hour", "month"):
        return {}
    if pair_ == ("hour", "day"):
        return {"hours_per_day": value} if value <= 24 else {}
    if pair_ == ("day", "week"):
        return {"days_per_week": value} if value <= 7 else {}
    if pair_ == ("hour", "week"):
        return {"hours_per_day": value / 7}
    if pair_ != ("hour", "month") or value <= 0:
        return {}
    if MONTH_HOURS[0] <= value <= MONTH_HOURS[1]:
        return {"hours_per_month": value}
    if value > MONTH_HOURS[1] or not {"PER", "SLASH"} & reading.concepts(match):
        return {}
    return {"hours_per_day": value * 24 / HOURS_PER_MONTH}


def months(reading: Reading, match: Match) -> Fields:
    """The term of a reservation."""
    item = reading.item(match, "n")
    if not match.groupdict().get("t"):
        short = item.suffix == "m" and item.base <= 60
        return {"term_months": item.base} if short else {}
    factor = MONTHS.get(reading.value(match, "t"))
    return {"term_months": item.value * factor} if factor else {}


def one_year(reading: Reading, match: Match) -> Fields:
    """ "reserved for a year"."""
    return {"term_months": 12.0} if reading.value(match, "t") == "year" else {}


def hours(reading: Reading, match: Match) -> Fields:
    """By when a job must be done."""
    seconds = SECONDS.get(reading.value(match, "t"), 0)
    if seconds < 60:
        return {}
    return {"": reading.value(match) * seconds / 3600}


def duration(reading: Reading, match: Match) -> Fields:
    """How long hardware is used, or a service is to live."""
    time = reading.value(match, "t")
    of_gpu = reading.concept_at(match.end()) == "GPU"
    start = match.start()
    bare = start == match.start("n")
    if bare and reading.concept_at(start - 1) in ("W", "LAT"):
        return {}
    if reading.concept_at(start) == "LAT" and (
        time != "hour" or not (learns(reading) or piled(reading))
    ):
        return {}
    if reading.concept_at(match.end()) in ("DOC", "DATA", "AUDIO", "SAMPLE"):
        return {}
    if time in ("month", "year"):
        return {"term_months": reading.value(match) * MONTHS[time]}
    if time in ("hour", "day", "week", "fortnight") or of_gpu:
        seconds = SECONDS.get(time, 0)
        if seconds >= 60:
            return {"duration_hours": reading.value(match) * seconds / 3600}
    return {}


# -- money ---------------------------------------------------------------------------

_PERIODS = ("hour", "day", "week", "month", "year", "total")


def money(reading: Reading, match: Match) -> Fields:
    """What may be spent, or what an API costs already."""
    parts = match.groupdict()
    period = reading.value(match, "t") if parts.get("t") else None
    priced = period is None and _of_a_unit(reading, match)
    if priced or (period is not None and period not in _PERIODS):
        return {}
    currency = _currency(reading, match)
    if currency is None and not _is_sum(reading, match, period):
        return {}
    amount = reading.value(match) * (1000 if parts.get("g") else 1)
    amount *= 0.01 if currency == "USc" else 1
    if period == "week":
        amount, period = amount / 7, "day"
    if period is None and "BILL" in reading.concepts(match):
        period = reading.last_period(match.end())
    spent = _is_api_spend(reading, match)
    name = "api_spend" if spent else "budget"
    found: Fields = {f"{name}_amount": amount}
    if period is not None:
        found[f"{name}_period"] = period
    currency = (currency or "").replace("USc", "USD")
    if spent and currency not in ("", "USD"):
        found["~api_spend_currency"] = currency
    elif currency and not spent:
        found["budget_currency"] = currency
    return found


def _currency(reading: Reading, match: Match) -> str | None:
    for index in range(*match.span()):
        if reading.items[index].concept == "CUR":
            return str(reading.items[index].value)
    return None


def _of_a_unit(reading: Reading, match: Match) -> bool:
    """Whether the sum is a price: "per 1M tokens", "per GPU-hour", "each"."""
    after = [reading.concept_at(match.end() + i) for i in range(2)]
    if after[0] in ("PER", "SLASH"):
        return after[1] in (
            "TOK",
            "NUM",
            "NUMB",
            "GPU",
            "GPUWORD",
            "TOPIC",
            "W",
            "TIME",
        )
    return after[0] in ("TOK", "REQ", "USER", "SAMPLE", "DOC")


def _is_sum(reading: Reading, match: Match, period: str | None) -> bool:
    """Whether a number without a currency is money all the same."""
    parts = match.groupdict()
    if period is None and reading.counts_something(match.end()):
        return False
    if parts.get("g"):
        return True
    thousands = reading.item(match, "n").suffix == "k"
    if "BILL" in reading.concepts(match):
        return thousands
    if parts.get("b"):
        return bool(reading.value(match) >= 1 or reading.value(match) == 0)
    if reading.concept_at(match.start()) == "HAVE":
        return thousands
    return thousands and period in ("month", "year")


def _is_api_spend(reading: Reading, match: Match) -> bool:
    """Whether money already goes to an API, and is no limit."""
    if not reading.has("APINAME", "API"):
        return False
    before = [
        i.concept for i in reading.items[max(0, match.start() - 4) : match.start()]
    ]
    after = [i.concept for i in reading.items[match.end() : match.end() + 4]]
    if "BUDGET" in {*before, *reading.concepts(match)} or "UNDER" in before[-2:]:
        return False
    return bool({*before, *after} & {"SPEND", "BILL", "APINAME", "API", "COST"})


def unit_price(reading: Reading, match: Match) -> Fields:
    """A price of tokens or of a GPU-hour: nobody's budget."""
    if match.groupdict().get("t"):
        hourly = reading.value(match, "t") == "hour"
        near = {reading.concept_at(match.start() - i) for i in (1, 2, 3)}
        if not hourly or near & {"UNDER", "BUDGET"} or _for_several(reading, match):
            return {}
        if reading.value(match) > _DEAREST_HOUR or not reading.has("GPU", "GPUWORD"):
            return {}
    if not reading.concepts(match) & {"CUR", "GPU", "GPUWORD", "TOPIC", "HOWLONG"}:
        return {}
    if "CUR" not in reading.concepts(match):
        return {}
    return {"~price": reading.value(match)}


def _for_several(reading: Reading, match: Match) -> bool:
    """Whether a sum is what all of a number of GPUs may cost: "8x h100 for $20/h"."""
    index = match.start() - 1
    while reading.concept_at(index) in ("W", "DUR"):
        index -= 1
    if reading.concept_at(index) not in ("GPU", "GPUWORD"):
        return False
    said = reading.plain[reading.items[index].end : reading.items[match.start()].start]
    counted = {reading.concept_at(index - i) for i in (1, 2) if index >= i}
    return said.strip() == "for" and bool(counted & {"NUM", "XCOUNT"})


# -- hardware and models -------------------------------------------------------------


def gpus(reading: Reading, match: Match) -> Fields:
    """How many GPUs; each kind may have a number of its own."""
    value, item = float(reading.value(match)), reading.item(match, "n")
    if item.suffix or value != int(value) or not 0 < value <= 1e6:
        return {}
    if reading.is_watts(match.start("n")) or reading.stands_on(match):
        return {}
    if match.groupdict().get("w") and not reading.is_owned(match.start("w")):
        return {}
    if (
        item.concept == "NUM"
        and not match.groupdict().get("g")
        and (reading.concept_at(match.end()) in ("PER",))
    ):
        return {}
    if "DUR" in reading.concepts(match) and reading.counts_something(match.end()):
        return {}
    if match.groupdict().get("o") and not reading.has("GPU"):
        return {}
    about = f"{match.start('g')}" if match.groupdict().get("g") else ""
    return {f"count:{about}": int(value)}


def nodes_of(reading: Reading, match: Match) -> Fields:
    """Nodes times the GPUs of each."""
    nodes, each = float(reading.value(match, "m")), float(reading.value(match))
    whole_ = nodes == int(nodes) and each == int(each)
    if not whole_ or not 0 < nodes <= 10_000 or not 0 < each <= 1000:
        return {}
    return {"count:": int(nodes * each)}


def billions(reading: Reading, match: Match) -> Fields:
    """A model's size; several of them are held against each other."""
    item = reading.item(match, "n")
    told = "PARAMS" in reading.concepts(match)
    if reading.concept_at(match.start()) == "MODELNAME":
        return _beside_name(reading, match)
    if item.concept == "NUM" and item.suffix != "m" and not told:
        return {}
    if not told and _counts_more(reading, match.end()):
        return {}
    start = match.start()
    paid = reading.concept_at(start - 1) == "CUR" and not reading.between(start)
    if paid or reading.beside_media(match):
        return {}
    if not told and learns(reading) and _second_size(reading, match.start("n")):
        return {}
    size = item.value / 1e9 if item.value >= 1e6 else item.value
    return {f"params_b:{match.start('n')}": size}


def _beside_name(reading: Reading, match: Match) -> Fields:
    """ "kokoro tts 82M": the size right behind a name that states none."""
    item, model = reading.item(match, "n"), reading.items[match.start()].value
    close = not reading.crossed_at(match.start("n"))
    if model.sized or not close or item.suffix not in ("m", "b"):
        return {}
    if _counts_more(reading, match.end()) or reading.concept_at(match.end()) == "CTX":
        return {}
    return {f"params_b:{match.start('n')}": item.value / 1e9}


def _counts_more(reading: Reading, index: int) -> bool:
    """Whether billions of tokens, requests or money are meant; not "70b rps=20"."""
    if index < len(reading.items) and reading.crossed_at(index):
        return False
    if reading.concept_at(index) in ("REQ", "DOC", "SAMPLE", "USER"):
        while reading.concept_at(index) in (
            "REQ",
            "DOC",
            "SAMPLE",
            "USER",
            "PER",
            "TIME",
        ):
            index += 1
        return reading.concept_at(index) not in ("EQ", "NUM")
    if reading.concept_at(index) in ("IMAGE", "VIDEO"):
        return _plural(reading, index)
    return reading.concept_at(index) in ("TOK", "CUR")


def _second_size(reading: Reading, index: int) -> bool:
    """Whether a run's model is named before, and this size is its data."""
    before = [item.concept for item in reading.items[:index]]
    named = "NUMB" in before or any(
        item.concept == "MODELNAME" and item.value.sized
        for item in reading.items[:index]
    )
    return named and before[-1] not in ("OR", "VS", "AND")


def billions_active(reading: Reading, match: Match) -> Fields:
    """ "32b active"."""
    return {"active_params_b": reading.value(match) / 1e9}


def millions(reading: Reading, match: Match) -> Fields:
    """ "train 350M on 10B tokens": millions that count nothing are parameters."""
    item = reading.item(match, "n")
    if item.suffix != "m" or reading.has("MODELNAME", "EXPERTS"):
        return {}
    if reading.counts_something(match.end()) or reading.concept_at(match.end()) == "W":
        return {}
    return {f"params_b:{match.start('n')}": item.value / 1e9}


def copies(reading: Reading, match: Match) -> Fields:
    """How many models: "seven 7b int4 models", "7 x 7b"."""
    if reading.concept_at(match.end()) == "REQ":
        return {}  # "fifteen LLM calls"
    number = reading.item(match, "n")
    ok = number.suffix == "" and number.value == int(number.value)
    if not ok or not 2 <= number.value <= 1000 or learns(reading):
        return {}
    if "," in reading.between(match.start("n") + 1):
        return {}  # "down to 200, llama 8b" counts no models
    return {"model_count": int(number.value)}


def busy(reading: Reading, match: Match) -> Fields:
    """How busy the GPUs are, as a share of one."""
    parts = match.groupdict()
    value = reading.value(match)
    part = value / 100 if value > 1 or "PCT" in reading.concepts(match) else value
    if parts.get("g"):
        # "8 h100 at 40%": of GPUs in hand, unless a price is to fall by it
        told = "at" in reading.between(match.start("n")).split()
        if not told or reading.has("ALERT", "DROPV", "RISEV"):
            return {}
    part = round(1 - part, 6) if parts.get("i") else part
    return {"utilization": part} if 0 <= part <= 1 else {}


def year(reading: Reading, match: Match) -> Fields:
    """ "since 2025": no amount."""
    item = reading.item(match, "n")
    text = reading.plain[item.start : item.end]
    plain = len(text) == 4 and text.isdigit() and 1990 <= item.value <= 2040
    if not plain or reading.counts_something(match.end()):
        return {}
    return {"~year": item.value}


def plain(reading: Reading, match: Match) -> Fields:
    """The number itself; words such as "double" say it as text."""
    return {"": float(reading.value(match))}


def convert(name: str, field: str, reading: Reading, match: Match) -> Fields:
    """Return what a match would state of a field."""
    found = CONVERTERS[name](reading, match)
    return {key or field: value for key, value in found.items()}


CONVERTERS: Mapping[str, Converter] = {
    "plain": plain, "rate": rate, "product_rate": product_rate, "per_day": per_day,
    "chain": chain, "elided": elided,
    "per_second": per_second, "average": average, "burst": burst, "streams": streams,
    "side": side, "condensed": condensed, "pair": pair, "both_sides": both_sides, "sum": total_of,
    "product": product, "whole": whole, "round_thousands": round_thousands,
    "embedded": embedded, "filled_context": filled_context, "words_of_an_answer": words_of_an_answer,
    "pile_of_words": pile_of_words, "flow": flow,
    "both_ways": both_ways, "both_flows": both_ways, "share": share, "rest": rest,
    "half": half, "ratio": ratio, "milliseconds": milliseconds, "one_unit": one_unit,
    "percentile": percentile, "within": within, "service_level": service_level,
    "whole_number": whole_number, "small_batch": small_batch, "steps": steps,
    "prompts_per_step": plain, "samples_of": samples_of,
    "sample_length": sample_length, "open_samples": open_samples,
    "data_tokens": data_tokens,
    "per_minute": per_minute, "audio_hours": audio_hours, "pile": pile,
    "pile_of": pile_of, "rollouts_of": rollouts_of,
    "pile_product": pile_product, "pile_of_tokens": pile_of_tokens,
    "from_to": from_to, "hours_used": hours_used, "months": months,
    "one_year": one_year, "hours": hours,
    "duration": duration, "money": money, "unit_price": unit_price, "gpus": gpus,
    "nodes_of": nodes_of, "billions": billions, "billions_active": billions_active,
    "millions": millions, "copies": copies, "busy": busy, "year": year, "bits": plain,
}  # fmt: skip


# -- conditions ----------------------------------------------------------------------

_JOB_WORDS = "BATCH OFFLINE WORK EMBED AUDIO DEADLINE TOMORROW SPOTOK HOWLONG".split()
"""Words of a job that ends, not of a service that runs."""


def piled(reading: Reading) -> bool:
    """Whether work is spoken of that ends."""
    return reading.has(*_JOB_WORDS)


def _searched(reading: Reading) -> bool:
    """Whether documents are searched for each request, not worked through."""
    rag = any(item.value == "rag" for item in reading.all("INFER"))
    return rag and reading.has("REQ", "USER", "CONC")


def sounds(reading: Reading) -> bool:
    """Whether the work is on audio."""
    named = reading.all("MODELNAME")
    heard = any(item.value.family.modality == "audio" for item in named)
    return heard or (
        reading.has("AUDIO") and not reading.has("REALTIME", "TTFT", "LAT")
    )


def embeds(reading: Reading) -> bool:
    """Whether text is only read, to be embedded."""
    named = reading.all("MODELNAME")
    return reading.has("EMBED") or any(
        item.value.family.modality == "embedding" for item in named
    )


def online_rl(reading: Reading) -> bool:
    """Whether what is learned from is generated first."""
    return bool({"grpo", "ppo"} & {item.value for item in reading.all("METHOD")})


def bounded(reading: Reading) -> bool:
    """Whether a job may have a deadline."""
    return reading.has(
        "TRAIN", "FINETUNE", "METHOD", "SFT", "BATCH", "OFFLINE", "WORK", "DEADLINE",
        "EMBED", "AUDIO",
    ) or not reading.is_service()  # fmt: skip


def lasting(reading: Reading) -> bool:
    """Whether hardware is used, or a service lives, for a time."""
    served = reading.has("TRAIN", "FINETUNE") and reading.has("SERVE")
    about = ("GPU", "INSTANCE", "GPUWORD", "LIFE", "COST", "BILL", "BREAKEVEN")
    if not (served or reading.has(*about)):
        return False
    told = any(item.value == "history" for item in reading.all("PRICE"))
    return not told and not (reading.has("PRICE") and reading.looks_back())


CONDITIONS: Mapping[str, Callable[[Reading], bool]] = {
    "learns": learns,
    "users": lambda reading: reading.has("USER"),
    "embeds": embeds,
    "sounds": sounds,
    "online_rl": online_rl,
    "bounded": bounded,
    "lasting": lasting,
    "reserved": lambda reading: reading.has("RESERVED"),
}

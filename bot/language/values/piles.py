"""Work that ends: documents, pictures, hours of sound."""

from bot.language.reading import Match, Reading
from bot.language.subject import learns
from bot.language.values.conditions import piled, searched
from bot.language.values.rates import of_people, spread
from bot.language.values.units import SECONDS, Fields
from bot.language.vocabulary import vocabulary
from core.patterns import regex


def per_minute(reading: Reading, match: Match) -> Fields:
    """Images over time; clips come one by one, as requests do."""
    time = reading.value(match, "t")
    if time not in SECONDS:
        return {}
    drawn = reading.all("MODELNAME")
    looked_at = drawn and all(one.value.family.modality is None for one in drawn)
    apart = "VIDEO" in reading.concepts(match) or time in ("day", "week", "month")
    if apart or looked_at:
        return spread(reading.value(match), time)
    return {"images_per_minute": reading.value(match) * 60 / SECONDS[time]}


def drawn_over_time(reading: Reading, match: Match) -> Fields:
    """ "what does an image cost? we'd make 200k a month"."""
    named = {one.value.family.modality for one in reading.all("MODELNAME")}
    drawn = named & {"image", "video"} or reading.has("IMAGE", "VIDEO")
    made = _MADE.search(reading.plain, 0, reading.item(match, "n").start) is not None
    if match.groupdict().get("x"):  # "1,500 per month", and what draws is named
        made = bool(named) and not reading.has("BUDGET")
    return per_minute(reading, match) if made and drawn else {}


_MADE = regex(
    r"\b(?:do|make|create|generate|produce|render|draw)\s+"
    r"(?:about |around |roughly |some |~ ?)?$"
)


def audio_hours(reading: Reading, match: Match) -> Fields:
    """Hours of audio, of one day or month where it is "per day"."""
    before = reading.plain[: reading.item(match, "n").start]
    told = "AUDIO" in reading.concepts(match) or before.endswith(" on ")
    if learns(reading) and not told and reading.value(match) < _NO_DEADLINE:
        return {}
    if match.groupdict().get("c"):  # "4,100 Vorlesungsstunden"
        told = reading.word(match.start("c")).endswith(_HOURS)
        return {"audio_hours": reading.value(match)} if told else {}
    hours = SECONDS.get(reading.value(match, "t"), 0) / 3600
    if not 1 / 60 <= hours <= 1:
        return {}
    if match.groupdict().get("w") and (hours < 1 or not _is_recorded(reading, match)):
        return {}
    return {"audio_hours": reading.value(match) * hours}


_NO_DEADLINE = 200
"""Hours of which nobody says when a run must end: he says days."""


def _is_recorded(reading: Reading, match: Match) -> bool:
    """Whether hours are those of what was said: "18,500 visit hours", no "5 more"."""
    word = reading.word(match.start("w"))
    many = reading.word(match.start("t")).endswith("s")
    return many and word not in _OF_WORK and word not in vocabulary().ordinary


_HOURS = ("stunden", "uren")
_OF_WORK = frozenset(
    "gpu office working business opening peak machine compute node core service work "
    "staff engineer person day night more extra further free idle busy off".split()
)
"""Hours of these are no recordings."""


def recordings(reading: Reading, match: Match) -> Fields:
    """ "2,000 episodes, 50 minutes each", "800 calls a day of 6 minutes"."""
    hours = SECONDS.get(reading.value(match, "t"), 0) / 3600
    between = reading.between(match.start("n")).split()
    said = reading.concepts(match) & {"EACHTOK", "AVG"}
    each = (
        said
        or _OF.intersection(between)
        or _MEAN.match(reading.plain, reading.items[match.end() - 1].end)
    )
    if not each or not 1 / 3600 <= hours <= 1 or learns(reading):
        return {}
    return {"audio_hours": reading.value(match, "m") * reading.value(match) * hours}


_MEAN = regex(
    r"\s*,?\s*(?:\(?(?:on )?(?:avg|average|mean)\b|long\b|im schnitt|en moyenne)"
)
_OF = frozenset("of a averaging avg average von zu de di da van po по da".split())


def pile(reading: Reading, match: Match) -> Fields:
    """How many things an offline job has."""
    concepts = reading.concepts(match)
    value, after = reading.value(match), reading.concept_at(match.end())
    if match.groupdict().get("u") and not of_people(reading, match.start("u")):
        return {}
    timed = reading.concept_at(match.start("n") + 1) == "TIME" or (
        reading.concept_at(match.end() + 1) == "PER"
        and after in ("W", "AND", "DOC", "IMAGE")
    )
    each = reading.concept_at(match.start("n") - 1) == "EACHTOK"
    if value < _LEAST_BESIDE_LIVE and _LIVE.intersection(reading.rates):
        return {}  # "14 tickets open", where requests come by the second
    if after in ("PER", "EACHTOK") or each or timed or searched(reading):
        return {}
    if value < _FEW and _SPELLED.match(reading.plain, reading.item(match, "n").start):
        return {}  # "three products, two models"
    job = piled(reading) or (value >= 10_000 and not reading.is_service())
    if not concepts & {"DOC", "IMAGE", "VIDEO", "SAMPLE"} and not job:
        return {}
    if concepts <= {"W", "NUM", "NUMB", "NUMT", "USER"} and (
        value < 1000 or not plural(reading, match.end() - 1)
    ):
        return {}
    if concepts & {"REQ", "OUT"} and not concepts & {"DOC"} and not job:
        return {}
    if "OUT" in concepts and value < 1e5:
        return {}
    if reading.item(match, "n").concept == "NUMB" and not plural(
        reading, match.end() - 1
    ):
        return {}
    return {"requests_total": value}


_LEAST_BESIDE_LIVE = 1000
_LIVE = frozenset(("second", "minute"))


_FEW = 13
_SPELLED = regex(r"[a-z]")
"""A small number in words, which no pile of work has."""


def plural(reading: Reading, index: int) -> bool:
    return reading.word(index).endswith("s")


def pile_product(reading: Reading, match: Match) -> Fields:
    """ "2000 games x 40 docs": all of them."""
    if not piled(reading):
        return {}
    return {"requests_total": reading.value(match) * reading.value(match, "m")}


def pile_of(reading: Reading, match: Match) -> Fields:
    """ "2 million docs of 3k tokens": how many, and how long one is."""
    if not (piled(reading) or "DOC" in reading.concepts(match)) or searched(reading):
        return {}
    sized = reading.item(match, "n").concept == "NUMB"
    if sized and reading.crossed_at(match.start("n") + 1):
        return {}  # "8b, documents of 5k tokens"
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


def rollouts_counted(reading: Reading, match: Match) -> Fields:
    """ "8 completions": the answers that are sampled for each prompt."""
    words = ("completion", "generation", "rollout", "response", "answer")
    told = reading.word(match.end() - 1).startswith(words)
    return {"": reading.value(match)} if told and reading.value(match) <= 512 else {}


def pile_of_tokens(reading: Reading, match: Match) -> Fields:
    """Tokens of a whole job."""
    many = reading.value(match) >= _A_MILLION
    counted = reading.has("USER") or reading.first("[NUM NUMB] REQ (?!TOK)")
    named = reading.has("BATCH") and reading.value(match) >= _LARGE
    written = ("synthetic", "generated", "produced")
    told = "OUT" in reading.concepts(match) or any(w in reading.plain for w in written)
    vast = reading.value(match) >= _LARGE and told
    if not many or not (piled(reading) or vast) or (counted and not named):
        return {}
    if reading.concept_at(match.end()) in ("PER", "EACHTOK"):
        return {}
    return {"tokens_total": reading.value(match)}


def pile_both_ways(reading: Reading, match: Match) -> Fields:
    """ "3B input and 200M output tokens": the sum of a job, and input's share."""
    prompt, answer = reading.value(match), reading.value(match, "o")
    if min(prompt, answer) < _A_MILLION or not piled(reading):
        return {}
    whole = prompt + answer
    return {"tokens_total": whole, "input_share": prompt / whole}


_A_MILLION = 1e6
_LARGE = 1e8
"""Tokens that no request has: those of a whole batch."""


def numbered(reading: Reading, match: Match) -> Fields:
    """ "invoice 2026/1183": the number of one document, no lengths of two sides."""
    one = not reading.word(match.start("d")).endswith("s")
    return {"~label": reading.value(match)} if one else {}

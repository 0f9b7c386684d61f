"""Which kind of work a question is about, once its intent is known."""

from bot.language.grammar import compiled
from bot.language.reading import Reading
from bot.language.subject import PILES, learns, loaded, named
from core.patterns import regex


def kind(reading: Reading) -> None:
    """Choose the kind of work that the words entail; none for prices and alerts."""
    chosen = reading.fields["intent"]
    if chosen in ("alert", "help", "out_of_scope", "price", "explain"):
        return
    told = reading.aims
    name = told["kind"] if "kind" in told else _kind(reading, chosen)
    if name is not None:
        reading.fields["kind"] = name
    if name == "batch":
        _of_the_night(reading)
    if name in ("finetune", "training") and "overnight" in reading.plain:
        _of_one_night(reading)


def _of_the_night(reading: Reading) -> None:
    """ "batch, window 1am to 5am": by when a pile must be done, each time."""
    piled = reading.stated(*PILES, "requests_per_day", "tokens_per_day")
    told = reading.fields.get("deadline_hours")
    open_for = reading.fields.get("hours_per_day")
    vague = told is None or (told == _OVERNIGHT and "overnight" in reading.plain)
    windowed = reading.has("CLOCK") or "~window" in reading.notes
    if piled and open_for and windowed and vague:
        reading.fields.pop("deadline_hours", None)
        reading.rename("hours_per_day", "deadline_hours")


def _of_one_night(reading: Reading) -> None:
    """ "Done overnight, say 10 hours": the hours are those in which a run must end."""
    vague = reading.fields.get("deadline_hours") in (None, _OVERNIGHT)
    if vague and "hours_per_day" in reading.fields:
        reading.fields.pop("deadline_hours", None)
        reading.rename("hours_per_day", "deadline_hours")


_OVERNIGHT = 12
"""Hours of a night, where no more is said."""


def _kind(reading: Reading, chosen: str) -> str | None:
    if chosen == "lifecycle" or _both_kinds(reading):
        return "mixed"
    if _day_and_night(reading):
        reading.aside["day_and_night"] = True
        return "mixed"
    if learns(reading):
        tunes = reading.has("FINETUNE", "METHOD", "SFT") or (
            "kind" in reading.hints and reading.stated("model")
        )
        trains = reading.has("TRAIN", "CHINCHILLA") or not reading.has("EPOCH", "STEP")
        return "training" if trains and not tunes else "finetune"
    bulk = reading.first("(?<!UNDER) BATCH (?![EQ NUM])") and not _at_once(reading)
    bulk = bulk or _nightly(reading)
    rests = chosen == "idle"
    if (
        bulk
        or (reading.has("OFFLINE") and not rests)
        or reading.stated(*PILES)
        or "words_total" in reading.aside
        or _done_each_day(reading)
    ):
        return "batch"
    if named(reading) or loaded(reading) or reading.has("INFER", "SERVE", "SELFHOST"):
        return "inference"
    return None


def _at_once(reading: Reading) -> bool:
    """ "Throughput at batch 64": so many are answered at once, and there is no pile."""
    size = reading.fields.get("batch_size")
    told = _SIZED.finditer(reading.whole)
    sizes = sum(reading.value(match) == size for match in told)
    return size is not None and sizes == len(reading.places("BATCH"))


_SIZED = compiled("BATCH W? <n>NUM")


def _done_each_day(reading: Reading) -> bool:
    """ "25,000 documents a day, done in 4 hours": a pile of each day, by an hour."""
    daily = reading.stated("requests_per_day", "tokens_per_day")
    hours = reading.fields.get("deadline_hours")
    waited = reading.stated("rps", "peak_rps", "concurrency", "users", "ttft_ms")
    told = daily and not waited and reading.has("DOC", "WORK", "EMBED", "OFFLINE")
    return bool(told) and hours is not None and hours <= _OVERNIGHT


def _both_kinds(reading: Reading) -> bool:
    """Whether work is mixed; "spot and on-demand mixed" is two ways to pay."""
    priced = compiled("PRICING [AND OR W SLASH]{0,2} PRICING W? MIXED")
    return reading.has("MIXED") and not priced.search(reading.whole)


_BY_DAY = regex(
    r"\b(?:by day|(?:during|in) (?:the )?day(?:time)?|daytime|days|"
    r"(?:in|during) (?:office|business|working) hours|tagsuber|le jour|de dia)\b"
)
_BY_NIGHT = regex(
    r"\b(?:(?:at|by) night|overnight|nightly|nights|during the night|after hours|"
    r"off[- ]hours|nachts|la nuit|de noche|a noite)\b"
)


def _day_and_night(reading: Reading) -> bool:
    """Whether somebody waits by day, and a pile is worked through at night."""
    night = _BY_NIGHT.search(reading.plain)
    if learns(reading) or night is None:
        return False
    piled = reading.has("BATCH", "WORK", "DOC", "EMBED", "OFFLINE")
    live = reading.has("INFER", "SERVE", "REALTIME", "REQ", "USER")
    return piled and live and _BY_DAY.search(reading.plain) is not None


def _nightly(reading: Reading) -> bool:
    """Whether documents are worked through at night: nobody waits for them then."""
    nights = any(item.value == "night" for item in reading.all("PER"))
    piled = reading.has("DOC", "WORK", "EMBED", "SAMPLE")
    return nights and (piled or reading.stated("tokens_per_day"))


RULES = (kind,)

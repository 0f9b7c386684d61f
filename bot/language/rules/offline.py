"""Offline jobs and media: piles of requests, tokens, images, hours of audio."""

from bot.language.reading import Match, Reading
from bot.language.rules.rates import SECONDS
from bot.language.rules.training import learns

_AMOUNT = "[NUM NUMB NUMT]"
_JOB_WORDS = "BATCH OFFLINE WORK EMBED AUDIO DEADLINE TOMORROW SPOTOK HOWLONG".split()
"""Words of a job that ends, not of a service that runs."""
_LEAST_PILE = 1e5
"""Words; fewer are those of one text."""
_PER_PIECE = 1e6
"""Fewer tokens than this, without "per what", may be those of one request."""


def images(reading: Reading) -> None:
    """Read images over time, per minute."""
    for match in reading.find(
        f"<n>{_AMOUNT} [W MODELNAME]{{0,2}} [IMAGE VIDEO] PER <t>TIME",
        f"PER <t>TIME <n>{_AMOUNT} [IMAGE VIDEO]",
    ):
        if seconds := SECONDS.get(reading.value(match, "t")):
            per_minute = reading.value(match) * 60 / seconds
            reading.take("images_per_minute", per_minute, match)
            return


def audio(reading: Reading) -> None:
    """Read hours of audio, of one day where it is "per day"."""
    if not sounds(reading):
        return
    for match in reading.find(
        f"<n>{_AMOUNT} <t>TIME (?:W{{0,2}} AUDIO)? (?:PER TIME)?",
        f"AUDIO W{{0,2}} <n>{_AMOUNT} <t>TIME (?:PER TIME)?",
    ):
        hours = SECONDS.get(reading.value(match, "t"), 0) / 3600
        if 1 / 60 <= hours <= 1:
            reading.take("audio_hours", reading.value(match) * hours, match)
            return


def sounds(reading: Reading) -> bool:
    """Whether the work is on audio."""
    named = reading.all("MODELNAME")
    heard = any(item.value.family.modality == "audio" for item in named)
    return heard or (
        reading.has("AUDIO") and not reading.has("REALTIME", "TTFT", "LAT")
    )


def pile(reading: Reading) -> None:
    """Read the size of an offline job: requests or tokens in total."""
    if learns(reading) or _searched(reading):
        return
    things = "DOC REQ IMAGE VIDEO" if reading.has(*_JOB_WORDS) else "DOC IMAGE VIDEO"
    for match in reading.find(
        f"<n>{_AMOUNT} (?:NUM TIME)? W? <o>[{things}] (?!PER|EACHTOK)",
        f"<n>{_AMOUNT} W? SAMPLE (?!PER|EACHTOK)",
    ):
        if _is_size(reading, match):
            continue
        reading.take("requests_total", reading.value(match), match)
        break
    for match in reading.find(f"<n>{_AMOUNT} W? TOK"):
        many = reading.value(match) >= _PER_PIECE
        if many and reading.has(*_JOB_WORDS) and not reading.has("REQ", "USER"):
            reading.take("tokens_total", reading.value(match), match)
            return


def piled_words(reading: Reading) -> None:
    """Read "translate 40M words": a pile whose tokens are not counted yet."""
    if learns(reading) or reading.stated("rps", "users", "requests_per_day"):
        return
    for match in reading.find(f"<n>{_AMOUNT} WORDS (?!PER|EACHTOK)"):
        if reading.value(match) >= _LEAST_PILE:
            reading.aside["words_total"] = reading.value(match)
            reading.use(*match.span())
            return


def _is_size(reading: Reading, match: Match) -> bool:
    """Whether "14b video" is a model of that size; "1b images" are so many."""
    if reading.item(match, "n").concept == "NUM" or not match.groupdict().get("o"):
        return False
    word = reading.item(match, "o")
    one = not reading.plain[word.start : word.end].endswith("s")
    return one and word.concept in ("IMAGE", "VIDEO")


def _searched(reading: Reading) -> bool:
    """Whether documents are searched for each request, not worked through."""
    rag = any(item.value == "rag" for item in reading.all("INFER"))
    return rag and reading.stated("rps", "users", "concurrency", "requests_per_day")


EARLY_RULES = (images, audio, piled_words)
RULES = (pile,)

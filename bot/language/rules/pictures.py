"""How large and how often media work is: sampling steps, pixels, clips, "a week"."""

import re

from bot.language.grammar import compiled
from bot.language.reading import Reading
from bot.language.states import shape
from core.patterns import regex

_STEPS = regex(
    r"\b(?P<n>\d{1,3})[- ](?:(?:sampling|denoising|inference|diffusion|sampler)[- ])?"
    r"steps?\b"
)
_SIZE = regex(r"\b(?P<w>\d{3,4})\s?(?:x|×|by)\s?(?P<h>\d{3,4})(?:\s?(?:px|pixels?))?")
_SQUARE = regex(r"\b(?P<n>256|512|640|768|1024|1536|2048)\s?(?:px|pixels?)\b")
_LINES = regex(r"\b(?P<n>480|540|720|1080|2160)p\b")
_WIDE = {480: 832, 540: 960, 720: 1280, 1080: 1920, 2160: 3840}
"""Columns of a picture of so many lines; at 480, those of video models."""
_SECONDS = shape("pictures_seconds")
""" "Clips of 5 seconds", "eight-second clips", "12 seconds each"."""
_CLIPS = regex(r"[- ]?(?:s|secs?|seconds?)(?=[- ](?:[\w-]+ ){0,2}(?:clips?|videos?)\b)")
_IN_TIME = shape("pictures_in_time")
"""Of how fast a clip is made, not of how long it is."""
_LONGEST_CLIP = 120
_OFTEN = frozenset(("day", "week", "month", "year"))
_PILES = ("requests_total", "audio_hours")
_NARROWEST, _WIDEST = 128, 8192


def _draws(reading: Reading) -> bool:
    """Whether a model that makes or hears media is named, and none is trained."""
    named = any(
        item.value.family.modality is not None for item in reading.all("MODELNAME")
    )
    media = named or reading.has("IMAGE", "VIDEO", "AUDIO")
    return media and not reading.has("FINETUNE", "TRAIN", "METHOD", "TUNED")


def pictures(reading: Reading) -> None:
    """Read what one item is made of."""
    if not _draws(reading):
        return
    if found := _STEPS.search(reading.plain):
        _keep(reading, found, "sampling_steps", int(found["n"]))
    if found := _SIZE.search(reading.plain):
        wide, high = int(found["w"]), int(found["h"])
        if min(wide, high) >= _NARROWEST and max(wide, high) <= _WIDEST:
            _keep(reading, found, "pixels", wide * high)
    elif found := _SQUARE.search(reading.plain):
        _keep(reading, found, "pixels", int(found["n"]) ** 2)
    elif found := _LINES.search(reading.plain):
        lines = int(found["n"])
        _describe(reading, *found.span(), "pixels", lines * _WIDE[lines])


_IN_EACH = shape("pictures_in_each")
_FEW = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4}


def in_each(reading: Reading) -> None:
    """Read "each page one image": how many pictures a request brings along."""
    found = _IN_EACH.search(reading.plain)
    if found and (found["n"] or not reading.has("USER")):
        said = found["n"] or found["m"]
        number = _FEW.get(said) or int(said)
        _describe(reading, found.start(), found.end(), "images_per_request", number)


def clips(reading: Reading) -> None:
    """Read how long a clip is: seconds of video within which nothing is due."""
    if not _draws(reading):
        return
    shape = _CLIPS if _hears(reading) else _SECONDS
    for index in reading.places("NUM", "NUMB"):
        item = reading.items[index]
        found = shape.match(reading.plain, item.end)
        before = reading.plain[max(0, item.start - _NEAR) : item.start]
        if found and item.value <= _LONGEST_CLIP and not _IN_TIME.search(before):
            _describe(reading, item.start, found.end(), "clip_seconds", item.value)
            return


def _hears(reading: Reading) -> bool:
    """Whether it is about sound, or about pictures that do not move."""
    kinds = {item.value.family.modality for item in reading.all("MODELNAME")}
    moves = reading.has("VIDEO") or "video" in kinds
    return "audio" in kinds or reading.has("AUDIO") or not moves


def again(reading: Reading) -> None:
    """Read how often a pile of clips or of audio comes back."""
    if not _draws(reading) or not reading.stated(*_PILES) or reading.has("BUDGET"):
        return
    field = next(name for name in _PILES if reading.stated(name))
    end = max(last for _, last in reading.spans[field])
    first = min(start for start, _ in reading.spans[field])
    for match in compiled("(?<!UNDER|DEADLINE) PER <t>TIME").finditer(reading.whole):
        start, time = reading.items[match.start()].start, reading.value(match, "t")
        if time not in _OFTEN or not first <= start <= end + _NEAR:
            continue
        reading.aside["comes_back"] = time
        reading.stretch("comes_back", start, reading.items[match.end() - 1].end)
        if soon := _TURNAROUND.search(reading.plain):
            reading.aside["turnaround_hours"] = 24.0 if soon["day"] else 12.0
            reading.stretch("turnaround_hours", *soon.span())
            reading.use_words(soon)
        return


_TURNAROUND = shape("pictures_turnaround")
_NEAR = 40
"""Letters between a pile and the word that says how often it comes."""


def _keep(reading: Reading, found: re.Match[str], field: str, value: float) -> None:
    reading.aside[field] = value
    for index, item in enumerate(reading.items):
        if item.start < found.end() and found.start() < item.end:
            reading.use(index, index + 1)


def _describe(reading: Reading, start: int, end: int, field: str, value: float) -> None:
    """Keep what a clip is like; what counts clips then stands before plain words."""
    reading.aside[field] = value
    reading.stretch(field, start, end)
    for index, item in enumerate(reading.items):
        if item.start < end and start < item.end:
            reading.become(index, "W", "")
            reading.described.add(index)


_TEXT = shape("pictures_text")
_TIMES = {
    "tag": "day", "jour": "day", "dia": "day", "giorno": "day", "woche": "week",
    "semaine": "week", "semana": "week", "monat": "month", "mois": "month",
    "mes": "month", "mese": "month",
}  # fmt: skip
CHARACTERS_PER_SECOND = 15
WORDS_PER_SECOND = 2.5
"""Of speech at an easy pace: 150 words a minute."""


def spoken(reading: Reading) -> None:
    """Read text that is to be spoken as its time: "200 characters", "2M words"."""
    if reading.fields.get("modality") != "audio" or "clip_seconds" in reading.aside:
        return
    if reading.stated("audio_hours"):
        return
    for index in reading.places("NUM"):
        item = reading.items[index]
        found = _TEXT.match(reading.plain, item.end)
        letters = found is not None and found["u"][0] in "czt"
        if found is None or not (letters or reading.aside.get("sound") == "tts"):
            continue
        pace = CHARACTERS_PER_SECOND if letters else WORDS_PER_SECOND
        seconds, place = item.value / pace, (item.start, found.end())
        if found["t"] or not reading.stated(*_RATES):
            for field in (*_RATES, "requests_total"):
                reading.fields.pop(field, None)
                reading.spans.pop(field, None)
            reading.fields["audio_hours"] = seconds / 3600
            reading.stretch("audio_hours", *place)
            if found["t"]:
                reading.aside["comes_back"] = _TIMES.get(found["t"], found["t"])
        else:
            reading.aside["clip_seconds"] = seconds
            reading.stretch("clip_seconds", *place)
        reading.use_words(found)
        reading.use(index, index + 1)
        return


_RATES = ("rps", "peak_rps", "requests_per_day", "requests_per_month")


RULES = (in_each, pictures, clips)
LATE_RULES = (again, spoken)

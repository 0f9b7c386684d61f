"""Nights in which a service has little to do are no offline work."""

import re

from bot.language.reading import Reading

_AT_NIGHT = re.compile(r"(?:at|by|during the) night")
_LIVE = "[REQ USER CONC TOK] PER <t>TIME"
_PILE = "[NUM NUMB] W? [REQ TOK] (?!PER|USER|CONC|IN|OUT)"
_PILED = ("BATCH", "WORK", "DOC", "EMBED", "AUDIO", "TRAIN", "FINETUNE", "SAMPLE")


def quiet_nights(reading: Reading) -> None:
    """ "100 rps, idle at night" is a service that rests; a pile at night is none."""
    if not reading.has("OFFLINE") or reading.has(*_PILED):
        return
    nights = [i for i in reading.places("OFFLINE") if _is_night(reading, i)]
    if not nights or not _live(reading) or reading.first(_PILE):
        return
    for index in nights:
        reading.become(index, "W", "")
    if not reading.places("OFFLINE"):
        reading.seen -= {"OFFLINE"}


def _is_night(reading: Reading, index: int) -> bool:
    item = reading.items[index]
    return _AT_NIGHT.fullmatch(reading.plain, item.start, item.end) is not None


def _live(reading: Reading) -> bool:
    """Whether requests come by the second, or people are there."""
    rates = (reading.value(match, "t") for match in reading.find(_LIVE))
    return "second" in rates or reading.has("CONC", "USER")


def ruled_out(reading: Reading) -> None:
    """ "it isn't training", "not qlora, not lora": what is denied is not meant."""
    for match in reading.find("NOT [W A ON]? [TRAIN FINETUNE METHOD SFT BATCH]"):
        if reading.crossed_at(match.end() - 1):
            continue
        reading.become(match.end() - 1, "W", "")
    named = len(reading.all("MODELNAME"))
    for match in reading.find("MODELNAME NOT", "BUYORRENT NOT"):
        apart = reading.crossed_at(match.end() - 1)
        if not apart and (
            named > 1 or reading.concept_at(match.start()) == "BUYORRENT"
        ):
            reading.become(match.start(), "W", "")
    reading.seen = reading.heard.union(item.concept for item in reading.items)


RULES = (quiet_nights, ruled_out)

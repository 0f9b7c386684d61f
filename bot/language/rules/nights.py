"""Nights in which a service has little to do are no offline work."""

from bot.language.reading import Reading, needs
from core.patterns import regex

_NEAR = 40
_TURN = regex(r"[;|\n?!,]|\.(?=\s|$)")
_NIGHT = regex(r"night|nacht|nuit|noche|noite|notte|noc|gece|夜|晚|밤")
_OFF = regex(
    r"\b(?:zero|down|off|stop\w*|shut\w*|clos(?:e[sd]?|ing)|idle|quiet|sleep\w*|nobody|"
    r"no[ -]?one|nothing|none|hardly any\w*|barely any\w*|almost no\w*|"
    r"lower|less|fewer|drops?|autoscal\w*|scale (?:down|in)|"
    r"paus\w*|empty|unused|dark|aus|abschalt\w*|abgeschaltet|"
    r"ausgeschaltet|niemand|eteint\w*|eteindre|personne|arret\w*|apag\w*|nadie|ninguem|"
    r"deslig\w*|spegn\w*|spent\w*|nessuno|uit\w*|wylacz\w*|nikt|kapat\w*)\b"
)
_OUT = regex(
    r"\s*(?:is|are|would be)?\s*(?:out(?: of the question)?(?=[\s,.;!?]*$|[,.;!?])|"
    r"not an option|no option|off the table|forbidden|not allowed|ruled out)|"
    r",? but (?:the |our )?\w+ (?:says?|said) no\b"
)
"""What is said of a way that is closed."""
_AT_NIGHT = regex(r"(?:at|by|during the) night|overnight|nightly")
_LIVE = "[REQ USER CONC TOK IMAGE] PER <t>TIME"
_PILE = "[NUM NUMB] W? [REQ TOK] (?!PER|USER|CONC|IN|OUT)"
_PILED = ("BATCH", "WORK", "DOC", "EMBED", "AUDIO", "TRAIN", "FINETUNE", "SAMPLE")


@needs("OFFLINE")
def quiet_nights(reading: Reading) -> None:
    """ "100 rps, idle at night" is a service that rests; a pile at night is none."""
    piled = reading.has(*_PILED) or reading.first(_PILE)
    rates = (reading.value(match, "t") for match in reading.find(_LIVE))
    rests = ("second" in rates or reading.has("CONC", "USER")) and not piled
    loaded = reading.has(*_PILED[1:]) or reading.first(_PILE)  # a batch alone only runs
    if (rests and not piled) or (reading.has("GPU", "INSTANCE") and not loaded):
        _hours_of_a_night(reading)
    for index in reading.places("OFFLINE"):
        if _is_off(reading, index) or (rests and _is_night(reading, index)):
            reading.become(index, "W", "")


def _hours_of_a_night(reading: Reading) -> None:
    """ "nightly 6 hours", "8 h overnight": what a service or hardware runs of a day."""
    for match in reading.find(
        "OFFLINE [W A BATCH]{0,3} <n>NUM <t>TIME", "<n>NUM <t>TIME OFFLINE"
    ):
        at = match.start() if match.start("n") > match.start() else match.end() - 1
        hours = reading.value(match) if reading.value(match, "t") == "hour" else 0
        if 0 < hours <= 24 and _is_night(reading, at):
            reading.take("hours_per_day", hours, match)
            reading.become(at, "W", "")


def _is_off(reading: Reading, index: int) -> bool:
    """Whether nothing runs at that time: "shut down overnight", "zero at night"."""
    item = reading.items[index]
    if not _NIGHT.search(reading.plain, item.start, item.end):
        return False
    return is_off(reading.plain, item.start, item.end)


_OTHERWISE = regex(
    r"(?:\s+\w+){0,2}?\s+(?:otherwise|else|outside|at other times|the rest|sonst|"
    r"sinon|resto|altrimenti|buiten|poza)\b"
)
""" "Practically none otherwise": what rests is the rest of the day."""
_ELSE_THEN = regex(
    r"\b(?:otherwise|else|outside|the rest|sonst|ausserhalb|sinon|resto|altrimenti)"
    r"(?:\s+\w+){0,4}?\s*$"
)


def is_off(plain: str, start: int, end: int) -> bool:
    """Whether it is said beside a stretch of the text that nothing runs."""
    before = _TURN.split(plain[max(0, start - _NEAR) : start])[-1]
    after = _TURN.split(plain[end : end + _NEAR], maxsplit=1)[0]
    for part, first in ((before, start - len(before)), (after, end)):
        if said := _OFF.search(part):
            led = _ELSE_THEN.search(part, 0, said.start())
            if not led and not _OTHERWISE.match(plain, first + said.end()):
                return True
    return False


def _is_night(reading: Reading, index: int) -> bool:
    item = reading.items[index]
    return _AT_NIGHT.fullmatch(reading.plain, item.start, item.end) is not None


def ruled_out(reading: Reading) -> None:
    """ "it isn't training", "not qlora, not lora": what is denied is not meant."""
    for match in reading.find(
        "NOT [W A ON DUR]{0,2} [TRAIN FINETUNE METHOD SFT BATCH]"
    ):
        if reading.crossed_at(match.end() - 1):
            continue
        reading.become(match.end() - 1, "W", "")
    for index in reading.places("API", "APINAME"):
        if _OUT.match(reading.plain, reading.items[index].end):
            reading.become(index, "W", "")
    named = len(reading.all("MODELNAME"))
    for match in reading.find("MODELNAME NOT", "BUYORRENT NOT"):
        apart = reading.crossed_at(match.end() - 1)
        if not apart and (
            named > 1 or reading.concept_at(match.start()) == "BUYORRENT"
        ):
            reading.become(match.start(), "W", "")


_TIMES = {
    "nights": regex(r"\b(?:at night|nights?|overnight|nachts|la nuit)\b"),
    "weekends": regex(r"\b(?:week-?ends?|saturdays?|sundays?|wochenenden?)\b"),
}
_BESIDE_IDLE = 60
"""Letters between a word of idleness and the time in which it is said."""


@needs("IDLE")
def idle_times(reading: Reading) -> None:
    """Read "unused at night and over weekends": when GPUs have nothing to do."""
    if not reading.has("IDLE"):
        return
    near = [
        (max(0, item.start - _BESIDE_IDLE), item.end + _BESIDE_IDLE)
        for item in reading.all("IDLE")
    ]
    found = {
        name: said
        for name, shape in _TIMES.items()
        for start, end in near
        if (said := shape.search(reading.plain, start, end))
    }
    if found:
        reading.aside["idle_times"] = tuple(found)
        for said in found.values():
            reading.stretch("idle_times", *said.span())


RULES = (quiet_nights, ruled_out, idle_times)

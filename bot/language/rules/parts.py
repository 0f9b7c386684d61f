"""Several models in one question that are no alternatives: each is sized apart."""

import re

from msgspec import Struct

from bot.language.grammar import compiled
from bot.language.items import Item
from bot.language.reading import Edit, Reading
from bot.language.subject import learns
from core.patterns import regex
from core.reference.media import media_reference
from core.wording import say

_SIZED = ("size", "cost", "capacity", "fit", "run_cost")
_WEIGHED = "VS OR THAN COMPARE SPEC METHOD ADAPTER SLICE".split()
"""Words of alternatives, and of models that are one service."""
_BARE = (
    "NUMB (?!TOK|REQ|DOC|SAMPLE|USER|CUR|PER|IMAGE|VIDEO|ACTIVE|PARAMS ACTIVE|"
    "[IN OUT W] TOK)"
)
_SPEECH = regex(r"(?:tts|stt|asr|(?:text|speech)[ -]to[ -](?:text|speech))")
_A = r"\s*(?:(?:an?|the|one|our)\s+)?$"
_JOINED = regex(rf"(?:\+|&|,|->|\b(?:and|plus|with|then|und|et|y)\b){_A}")
_JOINED_SIZE = regex(rf"(?:\+|&|->|\b(?:and|plus|then|und|et|y)\b){_A}")
_ROUTED = regex(r"\b(?:rout(?:e[sdr]?|ing)|cascad\w+|escalat\w+|triag\w+|tiered)\b")
"""What sends some requests to one model and the rest to another."""
JOINT = 24
"""Letters that "+ an", "and then the" and their like take at most."""
_WEIGHED_SIZES = regex(rf"(?:[,/]|\b(?:or|vs\.?|versus|oder|ou|o)\b){_A}")
_LOADS = frozenset("REQ USER CONC TOK IMAGE DOC".split())


class Part(Struct, frozen=True):
    """A model, a size or a kind of speech, where it stands in the plain text."""

    start: int
    end: int
    name: str


class Spoken(Struct, frozen=True):
    """What hears or speaks, where it stands in the plain text."""

    start: int
    end: int
    name: str
    """As it is written; empty: a kind of model, and none of that name."""
    speaks: bool


AGENT = regex(
    r"\b(?:voice[ -]?(?:agents?|bots?|assistants?)|ivr|speech[ -]to[ -]speech|"
    r"(?:phone|call(?:ing)?) ?(?:agents?|bots?))\b"
)
LLM = regex(r"\b(?:llms?|(?:language|chat) models?)\b")
_ROLE = regex(
    r"\b(?:(?P<speaks>tts|text[ -]to[ -](?:speech|voice)|speech synthesis)|stt|asr|"
    r"speech[ -]to[ -]text|speech recognition)\b(?: models?\b)?"
)
BOTH_WAYS = regex(
    r"\b(?:speech[ -]to[ -]speech|voice[ -]to[ -]voice|sprache[ -]zu[ -]sprache)\b"
)
""" "Speech to speech": what hears, what thinks and what speaks, none of them named."""
_LEADING = regex(
    r"(?:\b(?:an?|the|some|our|any|small|light\w*|tiny|fast|cheap|open|good|streaming)"
    r"\s+)+$"
)
_TRAILING = regex(r"[ -]\d{1,4}m\b(?! tok)")
""" "kokoro 82m": the size of what is no language model."""


def speech(reading: Reading) -> list[Spoken]:
    """What hears and what speaks in a message, the models and the words for them."""
    found = [
        (
            item.start,
            item.end,
            item.value.family.name not in media_reference().hearing,
            True,
        )
        for item in reading.all("MODELNAME")
        if item.value.family.modality == "audio"
    ]
    found += [
        (*match.span(), match["speaks"] is not None, False)
        for match in _ROLE.finditer(reading.plain)
        if not any(start <= match.start() < end for start, end, _, _ in found)
    ]
    spoken = [
        Spoken(*match.span(), "", speaks)
        for match in BOTH_WAYS.finditer(reading.plain)
        for speaks in (False, True)
    ]
    for start, end, speaks, named in sorted(found):
        name = reading.plain[start:end] if named else ""
        lead = _LEADING.search(reading.plain, max(start - JOINT, 0), start)
        trail = _TRAILING.match(reading.plain, end)
        first, last = lead.start() if lead else start, trail.end() if trail else end
        spoken.append(Spoken(first, last, name, speaks))
    return spoken


def parts(reading: Reading) -> None:
    """Ask which of "whisper + 8b + tts" is meant: they have no common answer."""
    if reading.fields["intent"] not in _SIZED or learns(reading):
        return
    if reading.has(*_WEIGHED):
        return
    routed = _ROUTED.search(reading.plain) is not None
    if _which_llm(reading):
        return
    found = _named(reading, routed=routed)
    if len({part.name for part in found}) < 2:
        return
    names = [f"“{part.name}”" for part in found]
    alone = _with_rate if routed else _alone
    reading.doubt(
        say("questions.and_are_services", names=", ".join(names[:-1]), last=names[-1]),
        "model",
        choices=tuple(alone(reading, found, at) for at in range(len(found))),
    )


def _which_llm(reading: Reading) -> bool:
    """Whether "stt + llm + tts" leaves open which language model it is: ask."""
    spoken, word = speech(reading), LLM.search(reading.plain)
    others = [one for one in mentions(reading) if not _is_sound(one)]
    if word is None or not spoken or others:
        return False
    if not (AGENT.search(reading.plain) or len({part.speaks for part in spoken}) > 1):
        return False
    end = word.end()
    choices = tuple((end, end, f" {size}") for size in ("8b", "32b", "70b"))
    reading.doubt(say("questions.which_model"), "model", choices=choices)
    return True


def _is_sound(item: Item) -> bool:
    named = item.concept == "MODELNAME"
    return item.concept == "AUDIO" or (named and item.value.family.modality == "audio")


def runs(reading: Reading) -> None:
    """Ask which of "train 7b or 13b" is meant: each is a run of its own."""
    if reading.fields["intent"] != "run_cost" or not learns(reading):
        return
    found: list[Part] = []
    for item in mentions(reading):
        part = Part(item.start, item.end, reading.plain[item.start : item.end])
        if not found or _WEIGHED_SIZES.search(
            reading.plain[found[-1].end : part.start]
        ):
            found.append(part)
    if len({part.name for part in found}) > 1:
        reading.doubt(
            say("questions.which_run", found=" and ".join(part.name for part in found)),
            "params_b",
            choices=tuple(_alone(reading, found, at) for at in range(len(found))),
        )


def _named(reading: Reading, *, routed: bool) -> list[Part]:
    """The models in order, each joined to the one before it, or all that are routed."""
    found: list[Part] = []
    heard = False
    """Whether the one before is what hears or speaks, and no model."""
    for item in mentions(reading):
        part = Part(item.start, item.end, reading.plain[item.start : item.end])
        spoken = heard or item.concept == "AUDIO"
        heard = item.concept == "AUDIO"
        shape = _JOINED_SIZE if item.concept == "NUMB" or spoken else _JOINED
        since = max(found[-1].end, part.start - JOINT) if found else 0
        joined = routed or shape.search(reading.plain[since : part.start])
        if found and _does(found[-1], item, reading.plain[since : part.start]):
            found[-1] = part
        elif not found or joined:
            found.append(part)
    return found


def _does(before: Part, item: Item, between: str) -> bool:
    """Whether a model does what was said before it: "text to speech … with kokoro"."""
    speaks = item.concept == "MODELNAME" and item.value.family.modality == "audio"
    by = re.search(r"\b(?:with|using|on|by)\s+$", between)
    return speaks and by is not None and _SPEECH.fullmatch(before.name) is not None


_RATE = compiled("NUM REQ+ PER TIME")


def _with_rate(reading: Reading, found: list[Part], at: int) -> Edit:
    """One of the models that share the traffic, with the rate behind its name."""
    part = found[at]
    rates = [match.span() for match in _RATE.finditer(reading.whole)]
    own = [span for span in rates if reading.items[span[0]].start >= part.end]
    start, end = next(iter(own or rates), (0, 0))
    rate = reading.plain[reading.items[start].start : reading.items[end - 1].end]
    told = f"{part.name} {rate}" if end else part.name
    return 0, len(reading.plain), told + _shared(reading, told)


_OF_ALL = frozenset("PROVIDER REGION PRICING RESERVED CERT".split())


def _shared(reading: Reading, told: str, since: Part | None = None) -> str:
    """Where all the parts run, as far as a choice about one of them lost it."""
    said = dict.fromkeys(
        _text(reading, item)
        for item in reading.items
        if item.concept in _OF_ALL and (since is None or item.start > since.start)
    )
    lost = [words for words in said if words not in told]
    return f" {' '.join(lost)}" if lost else ""


def mentions(reading: Reading) -> list[Item]:
    """Models, bare sizes and, beside them, what hears or speaks."""
    bare = [
        match.start()
        for match in compiled(_BARE).finditer(reading.whole)
        if not _is_flow(reading, match.start())
    ]
    models = [*reading.places("MODELNAME"), *bare]
    speech = [
        index
        for index in reading.places("AUDIO")
        if _SPEECH.fullmatch(_text(reading, reading.items[index]))
    ]
    places = sorted({*models, *(speech if models else ())})
    return [reading.items[index] for index in places]


def _is_flow(reading: Reading, index: int) -> bool:
    """Whether it counts tokens of one side: "9bn in + 1.5bn out"."""
    said = _text(reading, reading.items[index]).endswith(("bn", "billion"))
    return said and reading.concept_at(index + 1) in ("IN", "OUT")


def _text(reading: Reading, item: Item) -> str:
    return reading.plain[item.start : item.end]


def _alone(reading: Reading, found: list[Part], at: int) -> Edit:
    """The question about one part: with its own load, else with the last one's."""
    part, last = found[at], found[-1]
    end = found[at + 1].start if part is not last else len(reading.plain)
    own = reading.plain[part.end : end]
    own = _JOINED.sub("", own) if part is not last else own
    near = (item for item in reading.items if part.end <= item.start < end)
    if part is not last and not any(item.concept in _LOADS for item in near):
        own = reading.plain[last.end :]
    told = part.name + own.rstrip()
    return found[0].start, len(reading.plain), told + _shared(reading, told, found[0])

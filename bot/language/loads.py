"""Several loads in one message, each with traffic of its own.

"8B at 40 rps and 70B at 8 rps", "8 rps in the EU and 3 in the US": what sets them
apart is a model, else a place. A message is cut at its separators. What names one of
them, and what follows until the next, is its own; the rest holds for all of them. Each
load is then read as if it had been asked alone.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from bot.language.grammar import compiled
from bot.language.items import Item
from bot.language.peaks import days_of_peak
from bot.language.reading import Reading
from bot.language.rules.parts import AGENT, BOTH_WAYS, LLM, Spoken, mentions, speech
from core.patterns import regex
from core.query import RATES, NotUsed, Query, fields_in

MOST = 6
"""Loads that one answer holds."""
_CUT = regex(
    r"[;|\n?!()\[\]]|[.:](?=\s|$)|,(?!\d)|\s[-–—+&]\s|—|"
    r"\s(?=(?:and|plus|und|et|y|e|en|oraz|ve)\s)"
)
_RATE = compiled(
    "[NUM NUMB] [W TOK]{0,2} [REQ DOC IMAGE VIDEO TOK AUDIO EMBED]{1,4} PER TIME|"
    "[NUM NUMB] W{0,2} [USER CONC]"
)
_CHOICE = ("VS", "THAN", "OR")
_OTHERWISE = "BREAKEVEN METHOD TRAIN FINETUNE LIFE ALERT API APINAME".split()
"""Words of a choice, of a run and of an API: those have answers of their own."""
_FOR_ALL = regex(
    r"\b(?:both|each|all|every|either|whole|total|altogether|combined|together|sum|"
    r"beide\w*|jeweils|alle|insgesamt|les deux|chacun\w*|ambos|cada|tutti|entrambi)\b"
)
_SIDE_BY_SIDE = regex(
    r"\b(?:\d+|two|three|four|several|zwei|drei|deux|trois|dos|tres) (?:\w+ )?"
    r"(?:models?|modelle|modeles|modelos|regions?|regionen|loads?|services?|tiers?)\b|"
    r"\bside by side\b|\bmulti[- ]?(?:region|model)\w*"
)
"""How many there are: of each load alone it is not true."""
_NUMBERS = frozenset(("NUM", "NUMB", "NUMT"))
_SAID_ONCE = frozenset("IN OUT CTX TTFT TPOT LAT E2E SLA AVAIL".split())
_OF_ALL = frozenset("CUR BUDGET".split())


@dataclass(slots=True)
class _Unit:
    """What stands between two separators."""

    start: int
    end: int
    names: set[object] = field(default_factory=set)
    """What sets loads apart, as far as it is named here."""
    concepts: set[str] = field(default_factory=set)
    rates: int = 0
    for_all: bool = False
    owner: object = None
    """The load that it belongs to; None: all of them."""


def several(
    reading: Reading,
    query: Query,
    read: Callable[[str], Query],
) -> tuple[Query, ...]:
    """Read each load of a message apart; nothing where there is one, or a doubt."""
    if query.growth_times or query.growth_per_month:
        return ()
    if apart := _once_and_on(reading.plain, query) or _distilled(reading.plain, read):
        return apart
    if reading.has(*_CHOICE, *_OTHERWISE):
        weighed = _models_weighed(reading)
        return () if weighed else _conversation(reading, query, read)
    if apart := _hours_and_on(reading, query, read) or days_of_peak(reading, read):
        return apart
    rates = [match.start() for match in _RATE.finditer(reading.whole)]
    if len(rates) == 1 and (apart := _same_in_each(reading, query)):
        return apart
    if len(rates) <= 1 and (apart := _split_between(reading, query)):
        return apart
    if len(rates) <= 1 and (apart := _conversation(reading, query, read)):
        return apart
    if len(rates) <= 1 and (apart := _beside_another(reading, read)):
        return apart
    if not 2 <= len(rates) <= 2 * MOST:
        return _stack(reading, read) if len(rates) <= 1 else ()
    return _each_named(reading, rates, read)


def _each_named(
    reading: Reading, rates: list[int], read: Callable[[str], Query]
) -> tuple[Query, ...]:
    """The loads that a model or a place sets apart, each with a rate of its own."""
    for named in (mentions(reading), reading.all("REGION")):
        units = list(_units(reading, rates, named))
        names = _owned(units)
        if not names:
            continue
        found = [read(_text(reading.plain, units, name)) for name in names]
        if all(map(_is_load, found)) and _differ(found):
            return tuple(map(_alone, found))
    return ()


_ONCE = regex(
    r"\b(?:once|one[- ](?:time|off)|initial(?:ly)?|back(?:log|fill)|up[ -]front|"
    r"archive|einmal(?:ig)?|bestand|une fois|una vez|una volta)\b"
)
_ON = regex(
    r"\b(?:then|live|after(?:wards?| that)?|ongoing|continuous\w*|new|plus|danach|"
    r"dann|ensuite|puis|luego|despues|poi|dopo)\b"
)
_THEN = regex(
    r"[,;.]? ?(?:and )?\b(?:then|afterwards?|after that|from then on)\b[^.;?]{0,40}\d|"
    r"\b(?:plus|and|und|et|y|e|dann|zuzuglich) (?:about |around |etwa |environ )?"
    r"\d[\d.,]*(?: ?(?:k|m|mio|tsd)\.?| (?:thousand|million|mil|mille|tausend))? "
    r"(?:new|fresh|more|additional|neue|weitere|nouveaux|nouvelles|nuev[oa]s|nuov[ie])\b"
)
"""Between a pile and what comes in from then on."""
_PILES = ("requests_total", "tokens_total", "words_total")


def _once_and_on(plain: str, query: Query) -> tuple[Query, ...]:
    """A pile that is worked off once, and what comes in from then on."""
    piled = any(getattr(query, name) is not None for name in _PILES)
    flows = any(getattr(query, name) is not None for name in RATES)
    apart = _ONCE.search(plain) and _ON.search(plain)
    if not (piled and flows and (apart or _THEN.search(plain))):
        return ()
    live = {"kind": "inference"} if query.rps or query.concurrency else {}
    weighed = {"intent": "breakeven"} if query.intent == "breakeven" else {}
    once: dict[str, object] = {"kind": "batch", "intent": "run_cost", **weighed}
    once |= dict.fromkeys(RATES)
    once |= dict.fromkeys((*fields_in("limits"), "comes_back", "cadence"))
    once |= {name: getattr(query, name) for name in ("deadline_hours", "sla")}
    on = {"intent": "size", **dict.fromkeys(_PILES), **live, **weighed}
    return tuple(
        _alone(query).model_copy(update=update | {"not_used": ()})
        for update in (once, on)
    )


_SIZED = r"(?:[a-z][\w.-]*[ -]){0,2}\d+(?:\.\d+)?b(?:-[\w.-]+)?"
_AN = r"(?:(?:an?|the|our|ein\w*|une?|una?|from|of|von|de) )*"
_DISTILLED = regex(
    rf"\bdistil\w* {_AN}(?P<t>[\w.-]+(?: [\w.-]+){{0,3}}?) (?:down )?(?:in|into|to|"
    rf"onto|auf|vers) {_AN}(?P<s>{_SIZED})|"
    rf"(?P<t2>[\w.-]+(?: [\w.-]+)?) {_AN}(?:in|auf|en) {_AN}(?P<s2>{_SIZED})"
    r"(?: modell)? (?:zu )?dest[ie]lli?er\w+|"
    rf"\b(?:with |from |using )?{_AN}(?P<t3>{_SIZED}) teacher[ ,/&+→-]+(?:and |to |"
    rf"into )?{_AN}(?P<s3>{_SIZED}) student|"
    rf"\bteacher(?: is| model)?[ :=]+{_AN}(?P<t4>{_SIZED})[ ,;/&+→-]+(?:and )?{_AN}"
    rf"student(?: is| model)?[ :=]+{_AN}(?P<s4>{_SIZED})"
)
"""A teacher and the student that it is distilled into."""
_WRITES = regex(r"\b(?:generat|sampl|synth|writ|respon|answers)\w*")


def _distilled(plain: str, read: Callable[[str], Query]) -> tuple[Query, ...]:
    """The teacher's pass over the data, or what it writes, and the student's run."""
    told_of = any(word in plain for word in ("distil", "destil", "teacher"))
    found = _DISTILLED.search(plain) if told_of else None
    if found is None:
        return ()
    told = {name[0]: words for name, words in found.groupdict().items() if words}
    behind = plain[found.end() :].lstrip(" ,:;.")
    ahead = plain[: found.start()]
    rest = " ".join((ahead, "train", told["s"], "on", behind))
    student, teacher = read(rest), read(told["t"])
    tokens = student.dataset_tokens
    if tokens is None and student.dataset_samples and student.tokens_per_sample:
        tokens = student.dataset_samples * student.tokens_per_sample
    named = teacher.model or teacher.params_b
    if not (tokens and named and student.params_b) or student.clarify:
        return ()
    names = ("model", "params_b", "active_params_b")
    update = {name: getattr(teacher, name) for name in names}
    update |= {"kind": "batch", "tokens_total": tokens, "not_used": ()}
    update |= dict.fromkeys(fields_in("job"))
    writes = _WRITES.search(plain) is not None
    sides = {"tokens_side": "output" if writes else "input"}
    once = {} if writes else {"output_tokens": 1.0}
    run = {"intent": "run_cost", "loads": None}
    return (
        student.model_copy(update=update | sides | once | run),
        student.model_copy(update=run | {"not_used": ()}),
    )


def _hours_and_on(
    reading: Reading, query: Query, read: Callable[[str], Query]
) -> tuple[Query, ...]:
    """An archive of audio, and the hours that come in from then on."""
    turn = _FROM_THEN.search(reading.plain)
    if query.modality != "audio" or turn is None:
        return ()
    stop = _END.search(reading.plain, turn.end())
    end = stop.start() if stop else len(reading.plain)
    first, then = reading.plain[: turn.start()], reading.plain[turn.end() : end]
    rest = reading.plain[end:]
    names = " ".join(reading.plain[one.start : one.end] for one in mentions(reading))
    found = (read(f"{first}{rest}"), read(f"transcribe with {names}:{then}"))
    hours = [one.audio_hours for one in found]
    if not all(hours) or hours[0] == hours[1] or any(one.clarify for one in found):
        return ()
    said = {name: getattr(found[0], name) for name in _PLACES}
    once = _alone(found[0]).model_copy(update={"comes_back": None})
    return once, _alone(found[1]).model_copy(update=said)


_FROM_THEN = regex(r",? ?(?:and )?\b(?:then|afterwards?|after that|from then on),?\s")
_END = regex(r"[.;?!](?=\s|$)")
_PLACES = (
    "region", "region_also", "users_there", "region_exclude", "compliance",
    "owners",    "provider_exclude",
)  # fmt: skip


_HELPER = regex(r"\b(?:(?P<ranks>re-?rank\w*)|embed(?:ders?|dings?|s)?\b)")
_WITH = regex(r"\s(?=(?:with|using|via)\s)")
_BY_WHICH = regex(r"(?:with|using|via)\s")


_OF_A_FAMILY = regex(r"\b(qwen ?3)[- ](\d+(?:\.\d+)?b)[- ](embed|re-?rank)\w*")


def _helper_of_a_family(said: re.Match[str]) -> str:
    """ "Qwen3 8b embeddings": the family has models of that name."""
    does = "embedding" if said[3] == "embed" else "reranker"
    return f"{said[1]}-{does}-{said[2]}"


def _stack(reading: Reading, read: Callable[[str], Query]) -> tuple[Query, ...]:
    """ "An embedder, a reranker and a 70b, 5 rps": every request asks each of them.

    What embeds or ranks has no rate of its own: it takes the generator's. Texts that
    are searched were embedded once.
    """
    searched = _SEARCHED.search(reading.plain)
    whole = searched and _WHOLE.search(reading.plain)
    if _HELPER.search(reading.plain) is None and not whole:
        return ()
    helpers: dict[bool, str] = {}
    rest = []
    for start, end in pairwise(_bounds(reading, _CUT, _WITH)):
        words = _OF_A_FAMILY.sub(_helper_of_a_family, reading.plain[start:end])
        if found := _HELPER.search(words):
            ranks = bool(found["ranks"])
            helpers[ranks] = f"{helpers.get(ranks, '')} {words}".strip(" ,;+&")
        elif _BY_WHICH.match(words) and read(words).modality == "embedding":
            helpers[False] = f"{helpers.get(False, '')} {words}".strip(" ,;+&")
        else:
            rest.append(words)
    texts = searched["texts"] if searched else ""
    answers = " ".join(rest).replace(texts, "")
    helpers = helpers or ({False: "embeddings"} if whole else {})
    generator = read(answers if "rag" in answers.split() else f"{answers} rag")
    if not helpers or not _is_load(generator) or generator.modality:
        return ()
    market = {name: getattr(generator, name) for name in fields_in("market")}
    beside = []
    for ranks, words in helpers.items():
        one = read(_JOINT.sub("", words))
        sized = one.params_b and not one.model
        if one.modality != "embedding" or sized or any(_rates(one)):
            return ()
        does = {"kind": "inference", "use": "reranking" if ranks else None}
        beside.append(_alone(one).model_copy(update={**market, **does}))
    once = (f"embed {texts} once",) if texts else ()
    market["model"] = next((one.model for one in beside if not one.use), None)
    index = (_alone(read(words)).model_copy(update=market) for words in once)
    return (_alone(generator), *beside, *index)


_SEARCHED = regex(
    r"\brag\b[^.;?]*?\b(?:over|on|across|for|with|of)\s(?:about\s|around\s|our\s){0,2}"
    r"(?P<texts>\d[\d.,]*(?:\s?(?:k|m|mn|mio|thousand|million))?\s(?:\w+\s){0,2}?"
    r"(?:docs?|documents?|pages|pdfs?|files|articles|chunks|passages|papers))\b"
)
_WHOLE = regex(r"\b(?:whole|total|entire|everything|all[- ]in|overall|complete)\b")


_A = r"(?:(?:an?|the|our|one|some|small|separate|ein|une?|un[oa]?)\s){0,2}"
_JOINED = r"(?:\s?(?:\+|->|→)\s?|\s(?:plus|then)\s)"
_UNNAMED = (
    (
        regex(
            rf"(?:{_JOINED})?\b{_A}ocr[- ](?:models?|engine|step|stage|service|pass)\b|"
            rf"\b{_A}ocr(?={_JOINED})|{_JOINED}{_A}ocr\b"
        ),
        "qwen3-vl-8b ocr",
    ),
    (
        regex(
            rf"(?:{_JOINED})?\b{_A}(?:guard(?:rails?)?|safety|moderation)[- ]"
            r"(?:models?|classifiers?|llm|filter)\b"
        ),
        "llama-guard-3-8b classification",
    ),
)
"""What stands beside a language model though nobody names it, and what is taken."""


def _beside_another(
    reading: Reading, read: Callable[[str], Query]
) -> tuple[Query, ...]:
    """ "An OCR model plus an 8b, 20k pages a day": each request passes both."""
    for named, taken in _UNNAMED:
        found = named.search(reading.plain)
        if found is None or len(reading.all("MODELNAME")) > 1:
            continue
        rest = f"{reading.plain[: found.start()]}, {reading.plain[found.end() :]}"
        answers = read(_LEFT.sub(", ", rest).strip(" ,+&/;>-→"))
        if not _is_load(answers) or answers.modality or answers.loads:
            continue
        shared = {name: getattr(answers, name) for name in _OF_EACH_PART}
        shared |= {name: getattr(answers, name) for name in RATES}
        part = read(taken).model_copy(update={**shared, "kind": "inference"})
        loads = _alone(part), _alone(answers)
        return loads if part.sees else loads[::-1]
    return ()


def _conversation(
    reading: Reading, query: Query, read: Callable[[str], Query]
) -> tuple[Query, ...]:
    """ "Whisper, an 8b and a TTS, 150 calls at once": every turn passes all of them.

    A voice agent hears and speaks, though nobody names the model that does.
    """
    spoken = speech(reading)
    if not spoken:
        return ()
    rest = _without(reading.plain, spoken)
    if BOTH_WAYS.search(reading.plain) and not reading.has("MODELNAME", "NUMB"):
        rest += ", 8b"
    answers = read(rest)
    thinks = _is_load(answers)
    agent = thinks and AGENT.search(reading.plain) is not None
    parts = {part.speaks for part in spoken} | ({False, True} if agent else set())
    calls = answers.concurrency if thinks else query.concurrency
    unclear = not thinks and (answers.model or answers.params_b or LLM.search(rest))
    if len(parts) < len((False, True)) or calls is None or unclear:
        return ()
    wait, first = query.e2e_ms, query.ttft_ms
    if first and not _FIRST_TOKEN.search(query.text.lower()):
        wait, first = first, None
    shared = {name: getattr(query, name) for name in _OF_EACH_PART}
    shared |= {"use": "voice", "in_turns": True, "concurrency": calls}
    told = shared if thinks else shared | {"e2e_ms": wait}
    hears, speaks = (
        _part(read, spoken, speaks=speaks).model_copy(update=told)
        for speaks in (False, True)
    )
    if not thinks:
        return hears, speaks
    update = {**shared, "modality": None, "e2e_ms": wait, "ttft_ms": first}
    return hears, _alone(answers).model_copy(update=update), speaks


def _models_weighed(reading: Reading) -> bool:
    """Whether a choice is one of models, or of other ways than a place or a GPU."""
    sides = (at + side for at in reading.places(*_CHOICE) for side in (-1, 1))
    models = {reading.concept_at(at) for at in sides} & {"MODELNAME", "AUDIO", "NUMB"}
    return bool(models) or reading.has(*_OTHERWISE)


_OF_EACH_PART = (*fields_in("market"), *fields_in("use"), "gpu", "gpu_exclude")
_FIRST_TOKEN = regex(r"\b(?:ttft|first[ -]tokens?|time[ -]to[ -]first)\b")


def _part(
    read: Callable[[str], Query], spoken: Iterable[Spoken], *, speaks: bool
) -> Query:
    """What hears or speaks, where a model is named for it."""
    names = " ".join(part.name for part in spoken if part.speaks is speaks)
    one = read(names or ("tts" if speaks else "stt"))
    does = {"kind": "inference", "modality": "audio", "clarify": None}
    does["sound"] = "tts" if speaks else None
    return _alone(one).model_copy(update=does)


_LEFT = regex(
    r"\(\s*\)|(?:\s*(?:[+,;/&:|]|->|→|\b(?:and|plus|with|using|then|into)\b)\s*){2,}|"
    r"\s+(?:and|plus|with|using|then|into)\s+(?=[,.;]|for\b|$)"
)
"""Brackets and joints of which nothing is left to join."""


def _without(plain: str, parts: Iterable[Spoken]) -> str:
    """A message without what hears and speaks in it."""
    for part in parts:
        plain = plain[: part.start] + " " * (part.end - part.start) + plain[part.end :]
    return re.sub(r"\s+", " ", _LEFT.sub(", ", plain)).strip(" ,+&/")


_JOINT = regex(r"^(?:(?:and|plus|with|using|via|und|et|y|e)\s+)?(?:an?\s+)?")


def _rates(query: Query) -> Iterator[float]:
    yield from (rate for name in RATES if (rate := getattr(query, name)) is not None)


_IN_EACH = compiled("NUM [REQ DOC]{1,4} PER TIME [W IN]{0,2} (?:EACHTOK|PER W?)")
_EACH_PLACE = regex(
    r"\b(?:each|(?:per|in each|in every) (?:region|place|site|country))\b"
)


def _same_in_each(reading: Reading, query: Query) -> tuple[Query, ...]:
    """ "In us-east-1 and eu-west-1, 10 rps each": as much in every place."""
    places = (query.region, *(query.region_also or ()))
    rate = _IN_EACH.search(reading.whole)
    if query.region is None or not 2 <= len(places) <= MOST or rate is None:
        return ()
    if reading.has("USER") or _EACH_PLACE.search(reading.plain) is None:
        return ()
    return tuple(
        _alone(query).model_copy(update={"region": place, "region_also": None})
        for place in places
    )


_BOTH_PLACES = regex(
    r"\b(?:regions|sites|locations|data ?cent(?:er|re)s)\b|\bboth\b|\bacross\b|"
    r"\bsplit\b|\bplus\b|\bas well as\b"
)
_OF_EACH = regex(
    r"\beach\b(?! (?:other|user|person|request|call))|\b(?:per|every) region\b"
)
"""Then the load that is told is that of one place."""
_JOINS = regex(r"[,&+]|\b(?:and|plus|und|et|y|e|en)\b")
_SHARES = regex(r"\b\d{1,2}(?: ?/ ?\d{1,2}){1,5}\b(?! ?(?:in|tokens|tok)\b)")
_SHARED = ("rps", "peak_rps", "users", "concurrency", *RATES)


def _split_between(reading: Reading, query: Query) -> tuple[Query, ...]:
    """ "20 rps, us-east plus Frankfurt": each place carries its part of one load."""
    places = (query.region, *(query.region_also or ()))
    named = reading.all("REGION")
    if query.region is None or not 2 <= len(places) <= MOST or len(named) < 2:
        return ()
    between = reading.plain[named[0].end : named[-1].start]
    if not _JOINS.search(between) or not _BOTH_PLACES.search(reading.plain):
        return ()
    if not _is_load(query) or _OF_EACH.search(reading.plain):
        return ()
    parts = [1 / len(places)] * len(places)
    if shares := _shares(reading.plain, len(places)):
        parts = shares
    loads = []
    for place, part in zip(places, parts, strict=True):
        told = {name: getattr(query, name) for name in dict.fromkeys(_SHARED)}
        scaled = {n: value * part for n, value in told.items() if value is not None}
        if people := scaled.get("concurrency"):
            scaled["concurrency"] = float(math.ceil(people))  # none is halved
        update = {"region": place, "region_also": None, **scaled}
        loads.append(_alone(query).model_copy(update=update))
    return tuple(loads)


def _shares(text: str, places: int) -> list[float]:
    """ "50/30/20": the part of each of so many places; empty: none are told."""
    for found in _SHARES.finditer(text):
        shares = [int(one) / 100 for one in found[0].split("/")]
        if len(shares) == places and math.isclose(sum(shares), 1):
            return shares
    return []


def _units(reading: Reading, rates: list[int], named: list[Item]) -> Iterator[_Unit]:
    """The message cut at its separators, none of which stands inside of a meaning."""
    for start, end in pairwise(_bounds(reading, _CUT)):
        unit = _Unit(start, end)
        unit.for_all = _FOR_ALL.search(reading.plain, start, end) is not None
        for index, item in enumerate(reading.items):
            if not start <= item.start < end:
                continue
            unit.concepts.add(item.concept)
            unit.rates += index in rates
            if item in named:
                words = reading.plain[item.start : item.end]
                unit.names.add(re.sub(r"^(?:in|from|for) (?:the )?", "", words))
        embeds = _HELPER.search(reading.plain, start, end)
        if embeds and not unit.names and not reading.all("REGION"):
            unit.names.add(embeds[0])  # "embeddings 200 docs/s": no model is named
        yield unit


def _bounds(reading: Reading, *cuts: re.Pattern[str]) -> list[int]:
    """Where a message is cut, from its start to its end."""
    inside = {n for item in reading.items for n in range(item.start + 1, item.end)}
    found = (one for cut in cuts for one in cut.finditer(reading.plain))
    ends = sorted({one.end() for one in found if one.start() not in inside})
    return [0, *ends, len(reading.plain)]


def _owned(units: list[_Unit]) -> list[object]:
    """Give each unit to a load, and name the loads; nothing: they are no several."""
    names: list[object] = []
    rated: set[object] = set()
    waiting: list[_Unit] = []
    for unit in units:
        if len(unit.names) > 1:
            return []
        if unit.names:
            (name,) = unit.names
            if not (unit.rates or waiting or name in names or _follows(units, unit)):
                continue  # named in passing: "based on llama"
            names += [] if name in names else [name]
            for one in (*waiting, unit):
                one.owner = name
            rated |= {name} if unit.rates or waiting else set()
            waiting = []
        elif unit.rates and (not names or names[-1] in rated):
            waiting.append(unit)
        elif names and (unit.rates or _is_own(unit, units, names[-1])):
            unit.owner = names[-1]
            rated |= {names[-1]} if unit.rates else set()
    if waiting or not 2 <= len(names) <= MOST or rated != set(names):
        return []
    return names


def _follows(units: list[_Unit], unit: _Unit) -> bool:
    """Whether a rate stands behind a name, before the next one."""
    for later in units[units.index(unit) + 1 :]:
        if later.names:
            return False
        if later.rates:
            return True
    return False


def _is_own(unit: _Unit, units: list[_Unit], name: object) -> bool:
    """Whether numbers behind a load are its own, and not said once for all of them."""
    if not unit.concepts & _NUMBERS or unit.concepts & _OF_ALL or unit.for_all:
        return False
    at = units.index(unit)
    before = {one.owner for one in units[:at]}
    if any(later.names - before for later in units[at + 1 :]):
        return True
    said = unit.concepts & _SAID_ONCE
    others = (one for one in units[:at] if one.owner not in (None, name))
    return bool(said) and any(said & one.concepts for one in others)


def _text(plain: str, units: list[_Unit], name: object) -> str:
    """The message as it would stand for one load alone."""
    parts = []
    for unit in units:
        words = plain[unit.start : unit.end]
        if unit.owner == name:
            parts.append(words)
        elif unit.owner is None:
            words = _SIDE_BY_SIDE.sub(" ", words)
            parts.append(words)
    words = re.sub(r"\s+", " ", " ".join(parts)).strip()
    return re.sub(r"^(?:and|plus|und|et|y|e|en|oraz|ve)\s", "", words)


def _is_load(query: Query) -> bool:
    """Whether it can be answered alone: a model, its traffic, and nothing doubtful."""
    named = query.model is not None or query.params_b is not None
    named = named or query.modality == "embedding"
    rated = any(_rates(query))
    rated = rated or query.images_per_minute is not None
    return named and rated and query.clarify is None


def _differ(found: list[Query]) -> bool:
    """Whether what was read sets all of them apart."""
    places = {query.region for query in found} - {None}
    models = {(query.model, query.params_b, query.use) for query in found}
    return len(found) in (len(places), len(models))


def _alone(query: Query) -> Query:
    """A load without what was said of all of them together."""
    asked = "cost" if query.intent == "cost" else "size"
    update = {
        "intent": asked,
        "rivals": None,
        "model_count": None,
        "regions_count": None,
        "one_fleet": None,
        "budget_amount": None,
        "budget_period": None,
        "budget_currency": None,
    }
    return query.model_copy(update=update)


_FOR_ONE = regex(r"\b(?:one|single)\b")


def alone_on_its_fleet(query: Query) -> Query:
    """One load shares with nobody: "on one H100" is a count, the rest is said."""
    spans = dict(query.spans)
    unread = [
        NotUsed(start, end, query.text[start:end], "only one load is told")
        for start, end in spans.pop("one_fleet", ())
        if not _FOR_ONE.search(query.text[start:end].lower())
    ]
    left = tuple(sorted((*query.not_used, *unread), key=lambda one: one.start))
    update = {"one_fleet": None, "spans": spans, "not_used": left}
    return query.model_copy(update=update)


def on_one_card(query: Query, read: Callable[[str], Query]) -> tuple[Query, ...]:
    """ "Can one H100 run the 8b and the reranker": each at a usual load, on it."""
    parts = query.clarify.choices if query.clarify and query.gpu else ()
    asks = query.intent in ("fit", "capacity") and not query.unknown
    whole = len(parts) > 1 and query.model_count in (None, len(parts))
    if not (asks and whole and all(len(part) < len(query.text) for part in parts)):
        return ()
    told = map(read, parts)
    found = [one.model_copy(update=_LITTLE.get(one.modality, {})) for one in told]
    if any(one.clarify or not (one.model or one.params_b) for one in found):
        return ()
    return tuple(map(_alone, sorted(found, key=lambda one: one.modality is not None)))


_LITTLE: dict[str | None, dict[str, float]] = {
    "audio": {"concurrency": 5.0}, "image": {"images_per_minute": 1.0},
}  # fmt: skip
"""Of what hears or makes pictures, where no load is told."""


def on_one_fleet(query: Query, loads: tuple[Query, ...]) -> tuple[Query, ...]:
    """The loads that share GPUs: those named are for all of them, and so is a count."""
    both = {"gpu": query.gpu, "count": None}
    if len({one.kind for one in loads}) > 1:  # a pile that is worked off once
        loads = tuple(one for one in loads if one.kind != "batch")
    return tuple(
        one.model_copy(
            update={
                **both,
                "spans": {n: at for n, at in one.spans.items() if n != "one_fleet"},
            }
        )
        for one in loads
    )


def not_used_by_any(query: Query, loads: tuple[Query, ...]) -> tuple[NotUsed, ...]:
    """What of the whole message no load has read."""
    read = [load.text.casefold() for load in loads]
    left = [
        {one.text.casefold() for one in load.not_used if one.kind != "aside"}
        for load in loads
    ]
    kept = []
    for one in query.not_used:
        if _shares(one.text, len(loads)):
            continue
        words = one.text.casefold().strip()
        holders = [lost for text, lost in zip(read, left, strict=True) if words in text]
        if any(any(words in lost for lost in each) for each in holders):
            kept.append(one)
    return tuple(kept)

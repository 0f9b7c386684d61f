"""Which offers a watch means: GPUs, providers, pricing, region, resolved by name."""

import re
from collections.abc import Iterable
from typing import get_args

from msgspec import Struct, field

from bot.language.parse import parse
from core.alerts.selection import Measure, Selection
from core.offers import Pricing, Tier
from core.patterns import regex
from core.query import Query
from core.reference.catalogue import Reference
from core.resolve.constraints import resolve_constraints
from core.wording import say

MOST = 12
"""GPUs and ways to pay of one subscription; more is what a digest is for."""
DEFAULT_NOTE = say("alert_questions.on_demand_prices")

_FILLER = frozenset(
    "when if me us we the price prices of for on at by a an to is it its goes gets any"
    " gpu gpus gpu-hour hour per usd $ alert alerts than cheapest tell ping and or with"
    " anywhere from offers offer here this channel please once whenever costs cost"
    " only just more least cloud"
    .split()
)  # fmt: skip
_ALL = frozenset("all everything anything every".split())
_MAKERS = frozenset("nvidia amd intel".split())
_SELLER = regex(r"s?\s+(?:at|on|from|by|via)\s+([a-z][\w-]*)", re.IGNORECASE)
_NO_SELLER = frozenset("demand average least most once all every spot reserved".split())
_REGION = regex(
    r"\b(?:in|region)\s+(?:the\s+)?([a-z]{2,}(?:-[a-z0-9]+)*)", re.IGNORECASE
)
_TIERS: tuple[Tier, ...] = get_args(Tier)
_TERM = regex(
    r"(?<![\w.-])(?P<n>\d{1,3})[\s-]?(?:(?P<years>y|yrs?|years?)|m|mo|months?)\b"
)
_WORD = regex(r"[^\s,;+&/()?!]+")
_LISTED = regex(r"[,;+&/]")
_NAMED = ("gpu", "provider", "pricing", "region", "term_months", "instance")


class UnknownNameError(ValueError):
    """A word that names nothing; knows what was perhaps meant."""

    def __init__(self, word: str, nearest: tuple[str, ...]) -> None:
        meant = (
            say("alert_questions.did_you_mean", nearest=" or ".join(nearest))
            if nearest
            else ""
        )
        super().__init__(say("alert_questions.do_not_know", word=word, meant=meant))
        self.word, self.nearest = word, nearest

    def instead(self, text: str) -> tuple[str, ...]:
        """Return the text with each of the names that were perhaps meant."""
        pattern = re.compile(re.escape(self.word), re.IGNORECASE)
        return tuple(pattern.sub(name, text, count=1) for name in self.nearest)


class NoGpuError(ValueError):
    """A watch on prices that names no GPU."""

    def __init__(self) -> None:
        super().__init__(say("alert_questions.which_gpu_name"))


class TooManyError(ValueError):
    """A watch on more prices than anybody reads."""

    def __init__(self, count: int) -> None:
        super().__init__(say("alert_questions.that_is_prices", count=count, most=MOST))


class Found(Struct, frozen=True):
    """The selections of a watch, and what was taken for granted."""

    selections: tuple[Selection, ...]
    notes: tuple[str, ...] = ()


class _Said(Struct):
    gpus: list[str] = field(default_factory=list)
    providers: list[str] = field(default_factory=list)
    pricing: list[tuple[Pricing, int | None]] = field(default_factory=list)
    region: str | None = None
    tier: Tier | None = None


def read_selections(text: str, reference: Reference, measure: Measure) -> Found:
    """Read the words of a watch without its condition; every word must be known."""
    query = parse(text, reference)
    for unknown in query.unknown:
        raise UnknownNameError(unknown.text, unknown.nearest)
    _refuse_mended(text, query, reference)
    said = _said(query, reference)
    covered = [place for name in _NAMED for place in query.spans.get(name, ())]
    covered += _read_terms(text, said)
    covered += _read_region(text, said)
    for word in _WORD.finditer(text):
        if not any(a <= word.start() and word.end() <= b for a, b in covered):
            _read_word(word[0].lower().strip(".:-\"'“”"), said, reference)
    if not said.gpus:
        raise NoGpuError
    return _found(said, reference, measure)


def _refuse_mended(text: str, query: Query, reference: Reference) -> None:
    """Refuse a seller that was mended from a typo: a command asks instead."""
    for start, end in query.spans.get("provider", ()):
        for name in _LISTED.split(text[start:end]):
            if " " not in name.strip() and not reference.provider(name.strip()):
                raise _unknown(name, reference)


def _read_terms(text: str, said: _Said) -> list[tuple[int, int]]:
    """Read terms as what they commit to: 1y, 12m, 3-year; there may be several."""
    terms = [found for found in _TERM.finditer(text.lower()) if int(found["n"])]
    if terms:
        months = [int(t["n"]) * (12 if t["years"] else 1) for t in terms]
        others = [kind for kind in said.pricing if kind[0] != "reserved"]
        said.pricing = others + [("reserved", term) for term in months]
    return [found.span() for found in terms]


def _read_region(text: str, said: _Said) -> list[tuple[int, int]]:
    """Read "in mars" too: a region that only the offers know."""
    found = _REGION.search(text)
    if found is None:
        return []
    if said.region is None and found[1].lower() not in _FILLER | _ALL:
        said.region = found[1].lower()
    return [found.span()]


def _read_word(word: str, said: _Said, reference: Reference) -> None:
    """Read what the question parser has no word for; refuse what nobody knows."""
    if word in _TIERS:
        said.tier = next(tier for tier in _TIERS if tier == word)
    elif _ids(word, reference):
        said.gpus.append(word)
    elif word and word not in _FILLER | _ALL | _MAKERS:
        raise _unknown(word, reference)


def read_gpus(text: str, reference: Reference) -> tuple[str, ...]:
    """Read the GPUs of a digest, as they are called."""
    makers = [word for word in _WORD.findall(text.lower()) if word in _MAKERS]
    if len(makers) == len(_WORD.findall(text)) and makers:
        raise _unknown(makers[0], reference)
    if not _WORD.search(text):
        return ()
    try:
        found = read_selections(text, reference, "price")
    except NoGpuError:
        return ()
    return tuple(dict.fromkeys(one.label for one in found.selections))


def selections_named(labels: Iterable[str], reference: Reference) -> list[Selection]:
    """Return what a digest of some GPUs looks at: each on-demand and on spot."""
    kinds: tuple[Pricing, ...] = ("on_demand", "spot")
    return [
        Selection(label=label, gpus=_ids(label, reference), pricing=kind)
        for label in labels
        for kind in kinds
    ]


def _ids(label: str, reference: Reference) -> tuple[str, ...]:
    """Return the GPU that a name means, as a question of its price leads with it.

    A name that means none alone is all that it may be, or a generation: hopper, cdna3.
    """
    if alone := reference.gpu(label):
        return (alone.id,)
    named = reference.gpus_named(label) or tuple(
        gpu for gpu in reference.gpus.values() if gpu.architecture == label
    )
    return tuple(sorted(gpu.id for gpu in named))


def selections_of(
    query: Query, reference: Reference, measure: Measure = "price"
) -> Found:
    """Return what a question about prices looks at."""
    return _found(_said(query, reference), reference, measure)


def _said(query: Query, reference: Reference) -> _Said:
    """What a query names of a price, as the question parser read it."""
    limits = resolve_constraints(query, reference)
    term = limits.term_months if "reserved" in limits.pricing else None
    return _Said(
        gpus=list(query.gpu or ()),
        providers=list(limits.providers),
        pricing=[(p, term if p == "reserved" else None) for p in limits.pricing],
        region=query.region,
        tier="serverless" if limits.serverless else None,
    )


def _found(said: _Said, reference: Reference, measure: Measure) -> Found:
    notes: tuple[str, ...] = ()
    pricing = said.pricing
    if measure == "spot_discount":
        kinds: list[tuple[Pricing | None, int | None]] = [(None, None)]
    elif pricing:
        kinds = list(dict.fromkeys(pricing))
    else:
        kinds, notes = [("on_demand", None)], (DEFAULT_NOTE,)
    selections = tuple(
        Selection(
            label=label,
            gpus=_ids(label, reference),
            providers=tuple(sorted(set(said.providers))),
            pricing=kind,
            term_months=term,
            region=said.region,
            tier=said.tier,
            measure=measure,
        )
        for label in dict.fromkeys(said.gpus)
        for kind, term in kinds
    )
    if len(selections) > MOST:
        raise TooManyError(len(selections))
    return Found(selections, notes)


def refuse_unknown(text: str, query: Query, reference: Reference) -> None:
    """Refuse a sentence that names a seller behind its GPU whom nobody knows.

    The question parser passes over words that it does not know; an alert for every
    seller in place of one that was named would be more than was asked for.
    """
    at = query.spans.get("gpu")
    found = at and _SELLER.match(text, at[-1][1])
    if not found or found[1].lower() in _FILLER | _NO_SELLER:
        return
    start, end = found.span(1)
    read = (
        span for name, all_ in query.spans.items() if name != "alert" for span in all_
    )
    if not any(a <= start and end <= b for a, b in read):
        raise _unknown(found[1], reference)


def _unknown(word: str, reference: Reference) -> UnknownNameError:
    near = reference.nearest("gpu", word, 2) + reference.nearest("provider", word, 1)
    return UnknownNameError(word, near)

"""Which offers a watch means: GPUs, providers, pricing, region, resolved by name."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import get_args

from core.alerts.selection import Measure, Selection
from core.offers import Pricing, Tier
from core.query import Query
from core.reference.catalogue import Reference
from core.reference.places import located
from core.resolve.constraints import resolve_constraints

MOST = 12
"""GPUs and ways to pay of one subscription; more is what a digest is for."""
DEFAULT_NOTE = "On-demand prices, as no pricing was named."

_PRICING: dict[str, tuple[Pricing, int | None]] = {
    "spot": ("spot", None), "preemptible": ("spot", None),
    "interruptible": ("spot", None), "on-demand": ("on_demand", None),
    "ondemand": ("on_demand", None), "od": ("on_demand", None),
    "on demand": ("on_demand", None), "reserved": ("reserved", None),
    "committed": ("reserved", None),
}  # fmt: skip
_TERM = re.compile(r"(?P<n>\d{1,3})[\s-]?(?:(?P<years>y|yrs?|years?)|m|mo|months?)")
_TIERS: tuple[Tier, ...] = get_args(Tier)
_FILLER = frozenset(
    "when if me us we the price prices of for on at by a an to is it its goes gets any"
    " gpu gpus gpu-hour hour per usd $ alert alerts than cheapest tell ping and or with"
    " anywhere from offers offer here this channel please once whenever costs cost"
    " only just more least"
    .split()
)  # fmt: skip
_ALL = frozenset("all everything anything every".split())
_MAKERS = frozenset("nvidia amd intel".split())
_SELLER = re.compile(r"s?\s+(?:at|on|from|by|via)\s+([a-z][\w-]*)", re.IGNORECASE)
_NO_SELLER = frozenset("demand average least most once all every".split())
_PLACES = {"europe": "eu", "usa": "us", "america": "us", "britain": "uk",
           "england": "uk", "canada": "ca"}  # fmt: skip
_REGION = re.compile(r"[a-z]{2,}(?:-[a-z0-9]+)*")
_ZONE = re.compile(r"[a-z]{2,}-[a-z]{3,}[a-z0-9-]*\d")
"""A cloud's region, such as us-east-1 or europe-west4."""
_ALONE = ("eu", "uk", "asia", "ca")


class UnknownNameError(ValueError):
    """A word that names nothing; knows what was perhaps meant."""

    def __init__(self, word: str, nearest: tuple[str, ...]) -> None:
        meant = f" Did you mean {' or '.join(nearest)}?" if nearest else ""
        super().__init__(f"I do not know “{word}”.{meant}")
        self.word, self.nearest = word, nearest

    def instead(self, text: str) -> tuple[str, ...]:
        """Return the text with each of the names that were perhaps meant."""
        pattern = re.compile(re.escape(self.word), re.IGNORECASE)
        return tuple(pattern.sub(name, text, count=1) for name in self.nearest)


class NoGpuError(ValueError):
    """A watch on prices that names no GPU."""

    def __init__(self) -> None:
        super().__init__(
            "Which GPU? Name some, such as h100, a100-80gb or mi300x, or a generation, "
            "such as hopper."
        )


class TooManyError(ValueError):
    """A watch on more prices than anybody reads."""

    def __init__(self, count: int) -> None:
        super().__init__(
            f"That is {count} prices at once; one alert watches up to {MOST}. "
            "A digest covers more."
        )


@dataclass(frozen=True, slots=True)
class Found:
    """The selections of a watch, and what was taken for granted."""

    selections: tuple[Selection, ...]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Said:
    gpus: list[str] = field(default_factory=list)
    providers: list[str] = field(default_factory=list)
    pricing: list[tuple[Pricing, int | None]] = field(default_factory=list)
    region: str | None = None
    tier: Tier | None = None


def read_selections(text: str, reference: Reference, measure: Measure) -> Found:
    """Read the words of a watch without its condition; every word must be known."""
    said = _Said()
    words = re.sub(r"[,;+&/]", " ", text.lower()).split()
    while words:
        words = words[_take(words, said, reference) :]
    if not said.gpus:
        raise NoGpuError
    return _found(said, reference, measure)


def read_gpus(text: str, reference: Reference) -> tuple[str, ...]:
    """Read the GPUs of a digest, as they are called."""
    said = _Said()
    words = re.sub(r"[,;+&]", " ", text.lower()).split()
    while words:
        size = _gpu(words, said, reference)
        if not size and words[0] not in _FILLER | _ALL:
            raise _unknown(words[0], reference)
        words = words[max(size, 1) :]
    return tuple(dict.fromkeys(said.gpus))


def selections_named(labels: Iterable[str], reference: Reference) -> list[Selection]:
    """Return what a digest of some GPUs looks at: each on-demand and on spot."""
    kinds: tuple[Pricing, ...] = ("on_demand", "spot")
    return [
        Selection(label=label, gpus=_ids(label, reference), pricing=kind)
        for label in labels
        for kind in kinds
    ]


def _ids(label: str, reference: Reference) -> tuple[str, ...]:
    """Return the GPUs that a name may mean, or a whole generation: hopper, cdna3."""
    named = reference.gpus_named(label) or tuple(
        gpu for gpu in reference.gpus.values() if gpu.architecture == label
    )
    return tuple(sorted(gpu.id for gpu in named))


def selections_of(
    query: Query, reference: Reference, measure: Measure = "price"
) -> Found:
    """Return what a question about prices looks at."""
    limits = resolve_constraints(query, reference)
    term = limits.term_months if "reserved" in limits.pricing else None
    said = _Said(
        gpus=list(query.gpu or ()),
        providers=list(limits.providers),
        pricing=[(p, term if p == "reserved" else None) for p in limits.pricing],
        region=query.region,
        tier="serverless" if limits.serverless else None,
    )
    return _found(said, reference, measure)


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


def _take(words: list[str], said: _Said, reference: Reference) -> int:
    """Read the words that begin here; return how many they were."""
    for take in (_pricing, _region, _gpu, _provider):
        if size := take(words, said, reference):
            return size
    word = words[0].strip("()?!.:-")
    if word in _TIERS:
        said.tier = next(tier for tier in _TIERS if tier == word)
        return 2 if words[1:2] == ["cloud"] else 1
    if word and word not in _FILLER | _ALL | _MAKERS:
        raise _unknown(word, reference)
    return 1


def _pricing(words: list[str], said: _Said, reference: Reference) -> int:
    for name, size in _phrases(words, 2):
        if found := _PRICING.get(name) or _termed(name):
            kind, term = found
            others = [p for p in said.pricing if p[0] != kind]
            terms = {t: None for k, t in said.pricing if k == kind and t}
            terms |= {term: None} if term else {}
            said.pricing = others + [(kind, each) for each in terms or (None,)]
            return size
    return 0


def _termed(words: str) -> tuple[Pricing, int] | None:
    """Read a term as what it commits to: 1y, 12m, 3-year, 18 months."""
    found = _TERM.fullmatch(words)
    if found is None or not int(found["n"]):
        return None
    return "reserved", int(found["n"]) * (12 if found["years"] else 1)


def _region(words: list[str], said: _Said, reference: Reference) -> int:
    first, second = words[0], words[1] if len(words) > 1 else ""
    if first in ("in", "region") and _REGION.fullmatch(second):
        said.region = _PLACES.get(second, second)
        return 2
    # "us" alone, or a country's name, may be another word of the sentence.
    if first in _ALONE or (_ZONE.fullmatch(first) and located(first)):
        said.region = first
        return 1
    return 0


def _gpu(words: list[str], said: _Said, reference: Reference) -> int:
    for name, size in _phrases(words, 3):
        # A maker's name is part of a GPU's, and some makers rent GPUs out.
        sellers = (" ".join(words[place:size]) for place in range(1, size))
        if _ids(name, reference) and not any(map(reference.provider, sellers)):
            one = name.removesuffix("s")
            plural = _ids(one, reference) == _ids(name, reference)
            said.gpus.append((one if plural else name).replace(" ", "-"))
            return size
    return 0


def _provider(words: list[str], said: _Said, reference: Reference) -> int:
    for name, size in _phrases(words, 3):
        if known := reference.provider(name):
            said.providers.append(known.id)
            return size
    return 0


def _phrases(words: list[str], longest: int) -> Iterator[tuple[str, int]]:
    """Yield the words that begin here as phrases, the longest first."""
    for size in range(min(longest, len(words)), 0, -1):
        yield " ".join(words[:size]), size


def refuse_unknown(text: str, query: Query, reference: Reference) -> None:
    """Refuse a sentence that names a seller behind its GPU whom nobody knows.

    The question parser passes over words that it does not know; an alert for every
    seller in place of one that was named would be more than was asked for.
    """
    at = query.spans.get("gpu")
    found = at and _SELLER.match(text, at[-1][1])
    if not found or found[1].lower() in _FILLER | _PRICING.keys() | _NO_SELLER:
        return
    start, end = found.span(1)
    if not any(a <= start and end <= b for a, b in _read(query)):
        raise _unknown(found[1], reference)


def _read(query: Query) -> list[tuple[int, int]]:
    return [
        span for name, spans in query.spans.items() if name != "alert" for span in spans
    ]


def _unknown(word: str, reference: Reference) -> UnknownNameError:
    near = reference.nearest("gpu", word, 2) + reference.nearest("provider", word, 1)
    return UnknownNameError(word, near)

"""Where regions lie: the names of clouds and marketplaces, sorted into places."""

import re
from collections.abc import Iterable
from functools import cache

from msgspec import field

from core.frozen import Frozen
from core.reference.tables import read_table

WHOLE = 100
"""A name told outright says more than how a region's name begins."""


class Place(Frozen, frozen=True):
    """A country, a city or a wider region, and how regions in it are called."""

    id: str
    also: tuple[str, ...] = ()
    """What else it is asked for as."""
    name: str = ""
    """How a sentence names it: "the EU"."""
    within: str | None = field(default=None, name="in")
    walled: bool = False
    """Its users are served from inside: its law and its network ask for that."""
    joined: bool = False
    """Data may go anywhere within it, and all of it is served from any part."""
    code: str | None = None
    begins: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def named(self) -> str:
        """Its name in a sentence."""
        return self.name or self.id.replace("-", " ").title()

    def likeness(self, region: str) -> int:
        """How exactly a region's name says that it lies here; 0: it does not."""
        spaced = f" {re.sub(r'[^a-z0-9]+', ' ', region)} "
        if any(f" {word} " in spaced for word in self.words):
            return WHOLE
        starts = (*self.begins, *((self.code,) if self.code else ()))
        return max((len(s) for s in starts if _begins(region, s)), default=0)


@cache
def places() -> dict[str, Place]:
    """Return every known place by its id, read once."""
    rows = read_table("core.reference", "places.toml")["place"]
    return {id_: Place.model_validate({"id": id_, **row}) for id_, row in rows.items()}


@cache
def place(word: str) -> Place | None:
    """Return the place that a word asks for: its id, another name, a code."""
    asked = word.lower()
    if (found := places().get(asked)) is not None:
        return found
    rows = places().values()
    return next((p for p in rows if asked == p.code or asked in p.also), None)


@cache
def located(region: str) -> frozenset[str]:
    """Return the ids of all the places that a region lies in, wide ones too.

    London, which AWS calls eu-west-2, is where its narrowest name says.
    """
    said = region.lower()
    likeness = {p.id: p.likeness(said) for p in places().values()}
    best = max(likeness.values(), default=0)
    if not best:
        return frozenset()
    sure = {root_of(id_) for id_, how in likeness.items() if how == best}
    found = {id_ for id_, how in likeness.items() if how and root_of(id_) in sure}
    return frozenset(wide for id_ in found for wide in (id_, *around(id_)))


def around(id_: str) -> tuple[str, ...]:
    """Return the wider places that hold one, the narrowest first."""
    wider = places()[id_].within
    return () if wider is None else (wider, *around(wider))


def wider(wanted: str) -> tuple[str, ...]:
    """Return the places that hold what somebody asked for, the narrowest first."""
    asked = place(wanted)
    if asked is not None:
        return around(asked.id)
    return tuple(sorted(located(wanted), key=lambda id_: (-len(around(id_)), id_)))


def near(wanted: str) -> str:
    """Return the widest place from which those in one are served as well.

    Half a continent is a few dozen ms away, where data may cross it.
    """
    asked, wide = place(wanted), wider(wanted)
    walled = asked is not None and asked.walled
    if walled or not wide:
        return wanted
    return next((id_ for id_ in wide if places()[id_].joined), wide[-1])


def home(wanted: str) -> str:
    """Return the place of which people say that they are there: not "eu-west-1"."""
    return wanted if place(wanted) else next(iter(wider(wanted)), wanted)


def root_of(id_: str) -> str:
    """Return the widest place that holds one."""
    return (id_, *around(id_))[-1]


@cache
def lies_in(region: str, wanted: str) -> bool:
    """Whether a region, in its seller's words, lies in what somebody asked for."""
    asked = place(wanted)
    if asked is None:
        return _begins(region.lower(), wanted.lower())
    if (named := place(region)) is not None:
        return asked.id in (named.id, *around(named.id))
    return asked.id in located(region)


def sells_in(regions: Iterable[str], wanted: str) -> bool:
    """Whether a provider whose wide regions are known has what was asked for."""
    asked = place(wanted)
    return (asked.id if asked else wanted.lower()) in regions


def said(wanted: Iterable[str], joint: str = " or ") -> str:
    """Name places in a sentence: "the US or Germany", "us-east-1"."""
    found = [(place(word), word) for word in wanted]
    return joint.join(one.named if one else word for one, word in found)


def _begins(region: str, prefix: str) -> bool:
    """Tell whether a region's name is a name, or begins with it.

    A number that goes on is another: europe-west2 does not begin europe-west20.
    """
    if not region.startswith(prefix):
        return False
    rest = region[len(prefix) :]
    if not rest or rest[0] in "- ":
        return True
    return len(prefix) > 2 and not (prefix[-1].isdigit() and rest[0].isdigit())

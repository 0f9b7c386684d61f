"""What is on offer of some GPUs after a poll, and what the poll changed of it."""

import json
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from datetime import datetime

from core.alerts.price_series import Cause, Quote
from core.alerts.selection import Selection
from core.market.current import current, rank
from core.offers import Offer
from core.reference.load import reference
from prices.database.connection import Connection
from prices.history import catalogue
from prices.history.poll import ChangeSet, PriceChange
from prices.naming.gpu_names import could_be, known_ids

Key = tuple[str | int | bool, ...]


class News:
    """What one poll changed, by GPU name and provider."""

    def __init__(self, changes: ChangeSet) -> None:
        self.quotes: dict[str, dict[str, list[Quote]]] = {}
        self.keys: set[Key] = set()
        for quote in _quotes(changes):
            sellers = self.quotes.setdefault(quote.point.gpu, {})
            sellers.setdefault(quote.point.provider, []).append(quote)
            self.keys.add(quote.point.key)
        self._open = open_names(self.quotes)

    def pairs(self) -> list[tuple[str, str]]:
        """Return the touched ids with each of their providers, and with any."""
        found = {
            (gpu, provider)
            for name, sellers in self.quotes.items()
            for gpu in could_be(name)
            for provider in ("", *sellers)
        }
        return sorted(found)

    def of(self, selection: Selection) -> Iterator[Quote]:
        """Yield what is news to a selection."""
        known = reference()
        for name in names_of(selection, self.quotes, self._open):
            sellers = self.quotes[name]
            for provider in selection.providers or tuple(sellers):
                for quote in sellers.get(provider, ()):
                    if selection.takes(quote.point, known):
                        yield quote


class Market:
    """Standing offers by GPU name and provider: what can be ordered, then by price."""

    def __init__(self, offers: Iterable[Offer], news: News | None = None) -> None:
        self._sellers: dict[str, dict[str, list[Offer]]] = defaultdict(dict)
        for offer in offers:
            self._sellers[offer.gpu].setdefault(offer.provider, []).append(offer)
        self._open = open_names(self._sellers)
        self._untouched: dict[tuple[str, str], list[Offer]] = {}
        self._fresh: dict[Key, Offer] = {}
        if news is not None:
            for name, sellers in news.quotes.items():
                for provider in sellers:
                    self._part(name, provider, news.keys)

    def cheapest(
        self, selection: Selection, *, untouched: bool = False
    ) -> Offer | None:
        """Return the cheapest selected offer, of all or of those a poll left alone.

        What cannot be ordered as listed is it only where nothing else is selected.
        """
        known, found = reference(), []
        for name, provider in self._places(selection):
            offers = self._sellers[name][provider]
            if untouched:
                offers = self._untouched.get((name, provider), offers)
            first = (offer for offer in offers if selection.takes(offer, known))
            found += [offer for offer in (next(first, None),) if offer is not None]
        return min(found, key=rank, default=None)

    def selling(self, selection: Selection) -> frozenset[str]:
        """Return the providers with an offer that is selected."""
        known = reference()
        return frozenset(
            provider
            for name, provider in self._places(selection)
            if any(selection.takes(o, known) for o in self._sellers[name][provider])
        )

    def stands(self, quote: Quote) -> bool:
        """Tell whether a touched offer counts: no fresher source displaces it."""
        return quote.after is None or quote.point.key in self._fresh

    def orderable(
        self, untouched: Offer | None, quotes: list[Quote]
    ) -> tuple[Offer | None, list[Quote]]:
        """Leave out what cannot be ordered as listed, unless that is all there is."""
        doubted = [quote for quote in quotes if self._is_doubted(quote)]
        standing = sum(quote.after is not None for quote in quotes)
        if len(doubted) == standing and (untouched is None or untouched.doubt):
            return untouched, quotes
        if untouched is not None and untouched.doubt:
            untouched = None
        return untouched, [quote for quote in quotes if quote not in doubted]

    def _is_doubted(self, quote: Quote) -> bool:
        return quote.after is not None and bool(self._fresh[quote.point.key].doubt)

    def _places(self, selection: Selection) -> Iterator[tuple[str, str]]:
        for name in names_of(selection, self._sellers, self._open):
            sellers = self._sellers[name]
            for provider in selection.providers or tuple(sellers):
                if provider in sellers:
                    yield name, provider

    def _part(self, name: str, provider: str, touched: set[Key]) -> None:
        """Tell the touched offers of a seller from the untouched ones."""
        offers = self._sellers[name].get(provider, [])
        keyed = [(offer.key, offer) for offer in offers]
        self._fresh |= dict(keyed)
        left = [offer for key, offer in keyed if key not in touched]
        self._untouched[name, provider] = left


def open_names(names: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return, of some GPU names, the open ones with every id that each could be."""
    perhaps = {name: could_be(name) for name in names if name not in known_ids()}
    return {name: frozenset(ids) for name, ids in perhaps.items() if ids}


def names_of(
    selection: Selection, names: Container[str], perhaps: Mapping[str, frozenset[str]]
) -> Iterator[str]:
    """Yield the names that are selected; an open one is where all it could be is."""
    yield from (gpu for gpu in selection.gpus if gpu in names)
    ids = set(selection.gpus)
    yield from (name for name, could in perhaps.items() if could <= ids)


def read_market(
    connection: Connection,
    gpus: Iterable[str],
    at: datetime,
    news: News | None = None,
) -> Market:
    """Read what of some GPUs is on offer, less what is displaced or expired."""
    found = connection.execute(
        f"""
        SELECT * FROM standing WHERE gpu_id IN
            (SELECT id FROM words WHERE word IN {connection.dialect.words("?")})
        ORDER BY micro_usd
        """,  # noqa: S608 - made of constants
        (json.dumps(_names(connection, set(gpus))),),
    )
    offers = catalogue.freshest(catalogue.offers_of(connection, found))
    return Market(current(offers, at, reference()), news)


def _names(connection: Connection, gpus: set[str]) -> list[str]:
    """Return the GPUs, and the names on offer that could turn out to be one."""
    rows = connection.execute(
        "SELECT word FROM words WHERE id IN (SELECT DISTINCT gpu_id FROM offers)"
    )
    words = {word for (word,) in rows} - known_ids()
    return sorted(gpus | {word for word in words if gpus & set(could_be(word))})


def _quotes(changes: ChangeSet) -> Iterator[Quote]:
    for point in changes.listed:
        yield Quote(point, "listed", None, point.micro_usd_per_gpu_hour)
    for offer in changes.delisted:
        yield Quote(offer, "delisted", offer.micro_usd_per_gpu_hour, None)
    yield from _moved(changes.changed, "changed")
    yield from _moved(changes.revalued, "revalued")


def _moved(changes: Iterable[PriceChange], cause: Cause) -> Iterator[Quote]:
    for change in changes:
        before = change.before.micro_usd_per_gpu_hour
        yield Quote(change.after, cause, before, change.after.micro_usd_per_gpu_hour)

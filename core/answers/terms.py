"""Whether a commitment pays: every known term against renting by the hour."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from msgspec import Struct

from core.answers.answer import HOURS, OFFERS, SERVING, Answer, Money, Way
from core.hardware import GpuSpec
from core.market.board import billed_gpus
from core.market.hours import paid_hours
from core.market.named_gpus import offers_of
from core.money.costs import exact
from core.money.reserve import TermBreakEven, term_break_even
from core.offers import Catalog, Offer
from core.reference.catalogue import Reference
from core.workload import Constraints, Resolved


class Term(Struct, frozen=True):
    """One reserved price against the cheapest on-demand price."""

    offer: Offer
    compared: TermBreakEven
    at_home: TermBreakEven | None
    """Against the same provider's on-demand price; None: it has none."""

    @property
    def hour_at_home(self) -> Decimal | None:
        """Dollars of a GPU-hour on demand at the same provider; None: it has none."""
        home = self.at_home
        return None if home is None else self.offer.usd_per_gpu_hour / (1 - home.saving)


class TermsAnswer(Answer, frozen=True):
    """The terms of a GPU, the lowest price of each length first."""

    gpu: GpuSpec
    gpus: int
    on_demand: Offer
    terms: tuple[Term, ...]
    limits: Constraints
    busy: float = 1
    """The share of the rented hours in which the GPUs work."""
    spot: Offer | None = None
    """The lowest spot price, where spot was named beside the terms."""
    longer: tuple[Offer, ...] = ()
    """Where no term is as short as was asked: each seller's shortest, by commitment."""

    least: int | None = None
    """Of the GPUs, those that are always in use; None: not told."""

    applies: ClassVar = OFFERS | HOURS | {"utilization", "least_in_use"}
    subject: ClassVar = frozenset(("part_reserved", "pricing", "term_months"))

    @property
    def ways(self) -> tuple[Way, ...]:
        """The term and the hour, what costs less for the hours in use first."""
        hour = self.on_demand.usd_per_gpu_hour * self.gpus
        hourly = Way(
            self.on_demand, Money(hour, self.by_the_hour), self.on_demand, self.gpus
        )
        terms = [
            Way(
                term,
                Money(term.offer.usd_per_gpu_hour * self.gpus, self.on_term(term)),
                term.offer,
                self.gpus,
            )
            for term in self.terms
        ]
        best = next((way for way in terms if way.of is self.best), None)
        if best is None or not self.pays:
            return (hourly, *terms)
        return (best, hourly, *(way for way in terms if way is not best))

    def details(self) -> Mapping[str, object]:
        """Every term against the hour."""
        return {
            "recommendation": self.best,
            "alternatives": self.terms,
            "on_demand": self.on_demand,
            "usd_per_month_by_the_hour": self.by_the_hour,
            "longer_terms": self.longer,
            "spot": self.spot,
            "prices": [{"*": term.offer} for term in self.terms],
            "whole_terms": [
                {
                    "months": term.offer.term_months,
                    "usd_committed": self.committed(term.offer),
                    "usd_per_month": self.on_term(term),
                    "usd_by_the_hour": self.by_the_hour * exact(term.offer.term_months),
                }
                for term in self.terms
            ],
            "saved_usd_at_the_same_seller": [
                self.saved_at_home(term) for term in self.terms
            ],
            "usd_per_gpu_hour_at_the_same_seller": [
                term.hour_at_home for term in self.terms
            ],
        }

    @property
    def best(self) -> Term | None:
        """The term that pays from the least use on; None: none ever pays."""
        paying = [term for term in self.terms if term.compared.saving > 0]
        return max(paying, key=lambda term: term.compared.saving, default=None)

    @property
    def use(self) -> Decimal | None:
        """The share of a month's hours in use; None: the question states none."""
        share = self.hours / exact(self.limits.hours_per_month)
        return share if share < 1 else None

    @property
    def hours(self) -> Decimal:
        """Hours a month in which the GPUs work, and are paid for by the hour."""
        return self.limits.billed_hours_per_month * exact(self.busy)

    @property
    def pays(self) -> bool:
        """Whether the best term costs less than renting the hours in use."""
        best = self.best
        return best is not None and 1 - best.compared.saving < (self.use or 1)

    @property
    def by_the_hour(self) -> Decimal:
        """Dollars a month of the hours in use on demand."""
        return self.on_demand.usd_per_gpu_hour * self.gpus * self.hours

    def saved_at_home(self, term: Term) -> Decimal | None:
        """Dollars off over all of a term, at the seller who sells the hour too."""
        home = term.at_home
        if home is None or home.saving <= 0:
            return None
        hourly = home.commitment_usd / (1 - home.saving)
        return (hourly - home.commitment_usd) * self.gpus

    @property
    def whole_hours(self) -> Decimal:
        """Dollars by the hour over the months that were asked about."""
        return self.by_the_hour * exact(self.limits.term_months or 1)

    def committed(self, offer: Offer) -> Decimal:
        """Dollars of a whole term, used or not."""
        hours = paid_hours(offer, self.limits) * exact(offer.term_months)
        return offer.usd_per_gpu_hour * self.gpus * hours

    def on_term(self, term: Term) -> Decimal:
        """Dollars a month of a term, used or not."""
        hours = paid_hours(term.offer, self.limits)
        return term.offer.usd_per_gpu_hour * self.gpus * hours


class FleetTerms(TermsAnswer, frozen=True):
    """The terms of the GPUs that a load takes."""

    resolved: Resolved | None = None

    applies: ClassVar = TermsAnswer.applies | SERVING


def answer_terms(
    gpu: GpuSpec,
    limits: Constraints,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
    busy: float = 1,
    kind: type[TermsAnswer] = TermsAnswer,
) -> TermsAnswer | None:
    """Compare the terms of up to the stated length; None: no hourly price is known.

    The lowest price of each length stands first, then the second of each.
    """
    market = (catalog, reference, now)
    free = limits.model_copy(update={"pricing": (), "term_months": None})
    count = limits.count or 1

    def paid(offer: Offer) -> Decimal:
        return offer.usd_per_gpu_hour * billed_gpus(offer, count)

    hourly = [o for o in offers_of(gpu, free, *market) if o.pricing == "on_demand"]
    by_the_hour = sorted(hourly, key=paid)
    held = limits.model_copy(update={"pricing": ("reserved",)})
    reserved = sorted(offers_of(gpu, held, *market), key=paid)
    if not by_the_hour:
        return None
    cheapest = by_the_hour[0]
    at_home = {offer.provider: offer for offer in reversed(by_the_hour)}
    best: dict[tuple[str, int], Offer] = {}
    for offer in reserved:
        best.setdefault((offer.provider, offer.term_months), offer)
    lengths = [offer.term_months for offer in best.values()]
    rank = {key: lengths[:n].count(key[1]) for n, key in enumerate(best)}
    terms = tuple(
        Term(
            offer,
            _compared(cheapest, offer, limits),
            _compared(at_home[offer.provider], offer, limits)
            if offer.provider in at_home
            else None,
        )
        for _, offer in sorted(best.items(), key=lambda one: rank[one[0]])
    )
    longer: list[Offer] = []
    if not terms and limits.term_months:
        any_term = held.model_copy(update={"term_months": None})
        shortest: dict[str, Offer] = {}
        for offer in offers_of(gpu, any_term, *market):
            known = shortest.setdefault(offer.provider, offer)
            if offer.term_months < known.term_months:
                shortest[offer.provider] = offer
        longer = sorted(
            shortest.values(), key=lambda o: o.usd_per_gpu_hour * o.term_months
        )
    spot = None
    if "spot" in limits.pricing:
        taken = limits.model_copy(update={"pricing": ("spot",)})
        spot = next(iter(offers_of(gpu, taken, *market)), None)
    # what nobody rents singly is compared as the smallest machine
    sold = [billed_gpus(o, count) for o in (cheapest, *(t.offer for t in terms))]
    count = min(sold) if terms else count
    return kind(gpu, count, cheapest, terms, limits, busy, spot, tuple(longer))


def _compared(hourly: Offer, term: Offer, limits: Constraints) -> TermBreakEven:
    return term_break_even(
        hourly.usd_per_gpu_hour,
        term.usd_per_gpu_hour,
        max(term.term_months, 1),
        limits.hours_per_month,
    )

"""Prices alone: who sells a GPU for how much, and what so many cost a month."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from msgspec import Struct, field
from msgspec.structs import replace

from core.answers.answer import (
    HOURS,
    OFFERS,
    Answer,
    Money,
    Pick,
    Rejection,
    Role,
    Way,
)
from core.market.current import is_plain
from core.market.hours import paid_hours, paid_per_used, rental_hours
from core.market.market import Shelf, Use, contract_note, market_of, place_note
from core.market.spending import Ceiling, ceiling, converted
from core.market.uptime import uptime
from core.money.costs import HOURS_PER_YEAR, HourlyCost
from core.offers import Catalog, Offer
from core.reference.catalogue import Reference
from core.units import HOURS_PER_MONTH
from core.wording import say
from core.workload import Constraints

NODE_GPUS = 8
"""The largest box that providers rent at a per-GPU price without naming a size."""


class Bill(Struct, frozen=True):
    """So many GPUs of one offer for the billed hours of a month; dollars."""

    offer: Offer
    gpus: int
    usd_per_hour: Decimal
    usd_per_month: Decimal
    sla_percent: float | None = None
    """Monthly uptime of each machine; None: none published, or not asked for."""

    def way(self, of: object = None, name: str = "", used: float = 1.0) -> Way:
        """The bill as a way to have what `of` says; itself where that is left out."""
        hour, month = self.usd_per_hour, self.usd_per_month
        always = month == hour * HOURS_PER_MONTH
        year = hour * HOURS_PER_YEAR if always else None
        money = Money(hour, month, whole_year=year)
        return Way(of or self, money, self.offer, self.gpus, name=name, used=used)


class PriceBoard(Answer, frozen=True):
    """The best offer of each provider, GPU and pricing; cheapest first."""

    bills: tuple[Bill, ...]
    rejections: tuple[Rejection, ...]
    constraints: Constraints
    unsaid: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each name that leaves the form factor open, the GPU ids that it may be."""
    budget: Ceiling | None = None
    over_budget: bool = False
    """Whether everything costs more than the budget, and is shown all the same."""
    notes: tuple[str, ...] = ()
    """The rate of exchange of a budget in another currency, or that there is none."""

    rented_hours: Decimal | None = None
    """How long the GPUs are wanted on end; None: the question does not say."""
    loosened: str = ""
    """Which condition had to give for anything to be sold; empty: none."""
    by_rate: bool = False
    """Whether prices of an hour are asked for, and no bill of so many GPUs."""
    hourly: Bill | None = None
    """The same GPUs on demand, where a term or spot was asked for."""

    applies: ClassVar = OFFERS | HOURS | {"count_is_most", "duration_hours"}
    subject: ClassVar = frozenset(("continued",))
    budget_rule: ClassVar = "kept"

    @property
    def marked(self) -> Bill:
        """The bill that the verdict names: the GPU that is meant, rented plainly."""
        return headline(self.leading)

    @property
    def leading(self) -> list[Bill]:
        """The bills of the GPU that the question's word means alone: H100 is the SXM.

        Where nobody sells that one, all of them; where so many of it are sold in
        larger machines alone, the form that is sold in that number.
        """
        bills, limits = self.ranked, self.constraints
        count = limits.count or (None if self.by_rate else 1)
        forms = [
            found
            for gpu in self.constraints.gpus
            if (found := [bill for bill in bills if bill.offer.gpu == gpu])
        ]
        if count is not None:
            paid = limits.pricing or ("on_demand",)
            for found in forms:
                best = headline(found)
                if best.gpus == count and best.offer.pricing in paid:
                    return found
        return forms[0] if forms else bills

    @property
    def ranked(self) -> list[Bill]:
        """All bills, cheapest month first, or cheapest hour where that is asked."""
        if not self.by_rate:
            return list(self.bills)
        return sorted(
            self.bills,
            key=lambda bill: (bool(bill.offer.doubt), bill.offer.usd_per_gpu_hour),
        )

    def for_the_rental(self, bill: Bill) -> Decimal | None:
        """Dollars of the whole rental; None: it has no end."""
        if self.rented_hours is None:
            return None
        hours = rental_hours(bill.offer, self.constraints, self.rented_hours)
        return bill.usd_per_hour * hours

    @property
    def ways(self) -> tuple[Way, ...]:
        """What the verdict names, then the others, cheapest first."""
        if not self.bills:
            return ()
        best = self.marked
        return tuple(
            bill.way() for bill in (best, *(b for b in self.bills if b is not best))
        )

    @property
    def picks(self) -> tuple[Pick, ...]:
        """The bill of many GPUs at its best price, with an SLA, at a hyperscaler."""
        if self.by_rate or self.constraints.count is None:
            return ()
        plain = [b for b in self.leading if is_plain(b.offer)]
        once = [b for b in plain if b.offer.pricing == "on_demand"] or plain
        sound = [b for b in once if not b.offer.doubt]
        covered = [b for b in sound if b.sla_percent is not None]
        clouds = [b for b in sound if b.offer.seller_kind == "hyperscaler"]
        named = self.constraints.providers
        other = say("picks.other_sellers_named") if named else ""
        return (
            self._pick("best_price", sound, say("picks.nothing_can_be_ordered")),
            self._pick(
                "with_sla", covered, other or say("picks.no_seller_with_published")
            ),
            self._pick(
                "hyperscaler", clouds, other or say("picks.no_hyperscaler_meets_limits")
            ),
        )

    def _pick(self, role: Role, bills: Sequence[Bill], missing: str) -> Pick:
        """The cheapest, priced for the whole rental where that has an end."""
        best = min(bills, key=bill_order, default=None)
        if best is None:
            return Pick(role, missing)
        way, total = best.way(), self.for_the_rental(best)
        if total is not None and self.rented_hours is not None:
            span = say("picks.for_the_rental", hours=float(self.rented_hours))
            way = replace(way, money=replace(way.money, total=total, span=span))
        return Pick(role, REASONS[role], way)

    @property
    def status(self) -> str:
        """Whether anything is sold, and for the budget."""
        if self.loosened or not self.bills:
            return "unpriced"
        return "over_budget" if self.over_budget else "ok"

    def details(self) -> Mapping[str, object]:
        """Each bill with the whole rental, and the names that leave the form open."""
        rows = [self._row(bill) for bill in (way.of for way in self.ways)]
        return {
            "recommendation": rows[0] if rows else None,
            "alternatives": rows[1:],
            "nearest": self.loosened or None,
            "form_factor_not_stated": sorted(
                {b.offer.gpu for b in self.of_unsaid_form}
            ),
        }

    def _row(self, bill: object) -> Mapping[str, object]:
        if self.rented_hours is None or not isinstance(bill, Bill):
            return {"*": bill}
        return {"*": bill, "usd_for_the_rental": self.for_the_rental(bill)}

    @property
    def of_unsaid_form(self) -> tuple[Bill, ...]:
        """The bills of offers that do not say which form of the GPU they rent."""
        return tuple(bill for bill in self.bills if bill.offer.gpu in self.unsaid)


REASONS: dict[Role, str] = {
    "best_price": say("picks.the_lowest_price"),
    "with_sla": say("picks.lowest_price_with_sla"),
    "hyperscaler": say("picks.lowest_hyperscaler_price"),
}


def price_board(
    constraints: Constraints,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
    rented_hours: Decimal | None = None,
) -> PriceBoard:
    """Compare what the constraints leave of the catalogue, per month.

    An offer that may be of a GPU asked for stands beside those that are, by its own
    name. `rented_hours`: how long, where the question says so, for a total budget.
    """
    perhaps = perhaps_asked(constraints, catalog)
    unsaid = {offer.gpu: catalog.could_be(offer.gpu) for offer in perhaps}
    limits = constraints if constraints.pricing else _any_pricing(constraints)
    use = Use(
        limits,
        live=False,
        now=now,
        unsaid=frozenset(unsaid),
        listing=True,
        fleet=constraints.count is not None,
    )
    offers = (*asked_offers(constraints, catalog), *perhaps)
    market = market_of(catalog, use, reference, Shelf("board", offers))
    wanted = constraints.count or 1
    bills = cheapest_each(
        bill_for(offer, wanted, constraints, reference)
        for found in market.by_gpu.values()
        for offer in found
    )
    bills = [one for one in bills if _covered(one, constraints, reference)] or bills
    most = ceiling(constraints.budget, now)
    kept = [
        bill for bill in bills if _affordable(bill, most, constraints, rented_hours)
    ]
    over = _over(most, len(bills) - len(kept))
    shown = tuple(kept or bills)
    board = PriceBoard(
        bills=shown,
        rejections=(*over, *market.rejections()),
        constraints=constraints,
        unsaid=unsaid,
        budget=most,
        over_budget=bool(bills) and not kept,
        rented_hours=rented_hours,
    )
    return replace(board, notes=_notes(board, now, reference))


def _covered(bill: Bill, limits: Constraints, reference: Reference) -> bool:
    """Whether machines that stand anywhere keep the uptime that is asked for.

    Those of a bill serve nothing that is known to be spread over zones.
    """
    wanted = limits.sla
    if wanted is None or wanted is True:
        return True
    level = uptime(bill.offer, 1, reference).level
    return level is not None and (level.percent or 0) >= wanted


def headline(bills: Sequence[Bill]) -> Bill:
    """The cheapest on-demand price of a seller, else of any kind, else of a host."""
    plain = [bill for bill in bills if is_plain(bill.offer)]
    steady = (bill for bill in plain if bill.offer.pricing == "on_demand")
    return next(steady, plain[0] if plain else bills[0])


def _notes(board: PriceBoard, now: datetime, reference: Reference) -> tuple[str, ...]:
    """What no price says of many GPUs, of where they stand, and of other money."""
    limits, bills = board.constraints, board.bills
    return (
        *contract_note(limits.count or 1),
        *place_note(
            limits,
            replace(board, by_rate=not limits.count).marked.offer if bills else None,
            [bill.offer for bill in bills],
            reference,
        ),
        *converted(limits.budget, now),
    )


def _affordable(
    bill: Bill,
    most: Ceiling | None,
    limits: Constraints,
    rented_hours: Decimal | None,
) -> bool:
    """Whether a bill keeps within the budget; an hourly one alone is per GPU."""
    if most is None:
        return True
    if most.budget.period == "hour" and limits.count is None:
        return bill.offer.usd_per_gpu_hour <= most.usd
    paid = paid_per_used(bill.offer, limits)
    total = rented_hours and rental_hours(bill.offer, limits, rented_hours)
    return most.allows(bill.usd_per_hour, limits, total, paid)


def _over(most: Ceiling | None, costlier: int) -> list[Rejection]:
    if most is None or not costlier:
        return []
    why = say("picks.over_the_budget", words=most.words)
    subject = say("picks.offer", costlier=costlier)
    return [Rejection(subject, "budget", why, costlier)]


def perhaps_asked(constraints: Constraints, catalog: Catalog) -> tuple[Offer, ...]:
    """The offers that may be of a GPU asked for: their source leaves the form open."""
    out = set(constraints.gpus_excluded)
    found = {
        offer.key: offer
        for gpu in constraints.gpus
        for offer in catalog.perhaps_of_gpu(gpu)
        if out.isdisjoint(catalog.could_be(offer.gpu))
    }
    return tuple(found.values())


def asked_offers(constraints: Constraints, catalog: Catalog) -> Iterable[Offer]:
    """The offers of the GPUs that were asked for, or of all."""
    if not constraints.gpus:
        return catalog.offers
    return (offer for gpu in constraints.gpus for offer in catalog.of_gpu(gpu))


def _any_pricing(constraints: Constraints) -> Constraints:
    every = ("on_demand", "spot", "reserved")
    return constraints.model_copy(update={"pricing": every})


def billed_gpus(offer: Offer, needed: int) -> int:
    """GPUs that are paid for: whole instances of what the offer sells."""
    return -(-needed // offer.gpu_count) * offer.gpu_count


def bill_for(
    offer: Offer,
    needed: int,
    constraints: Constraints,
    reference: Reference | None = None,
) -> Bill:
    """What the needed GPUs cost at an offer, in whole instances.

    `reference`: the sellers, where the uptime of the machines is wanted too.
    """
    gpus = billed_gpus(offer, needed)
    cost = HourlyCost(offer.usd_per_gpu_hour, gpus)
    hours = paid_hours(offer, constraints)
    level = None if reference is None else uptime(offer, 1, reference).percent
    return Bill(offer, gpus, cost.per_hour, cost.per_month(hours), level)


def cheapest_each(bills: Iterable[Bill]) -> list[Bill]:
    """The cheapest bill per provider, GPU, pricing and term; cheapest first.

    A team's own price stands beside the list price that it was negotiated from.
    """
    best: dict[tuple[str, str, str, int, str, bool], Bill] = {}
    for bill in bills:
        offer = bill.offer
        key = (
            offer.provider, offer.gpu, offer.pricing, offer.term_months, offer.tier,
            offer.negotiated,
        )  # fmt: skip
        kept = best.get(key)
        if kept is None or bill_order(bill) < bill_order(kept):
            best[key] = bill
    return sorted(best.values(), key=bill_order)


def bill_order(bill: Bill) -> tuple[bool, Decimal, Decimal, float, str, str]:
    """What can be ordered first; then cheapest, the lower rate, fresher, by name."""
    offer = bill.offer
    return (
        bool(offer.doubt),
        bill.usd_per_month,
        offer.usd_per_gpu_hour,
        -offer.observed_at.timestamp(),
        offer.provider,
        offer.region,
    )

"""Owned GPUs: what their power costs, and whether to buy or to rent them."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from msgspec import Struct

from core.answers.answer import (
    HOURS,
    MONTHS_A_YEAR,
    OFFERS,
    SERVING,
    Answer,
    Money,
    Way,
)  # fmt: skip
from core.answers.tco import Ownings
from core.hardware import GpuSpec
from core.market.board import Bill, bill_for
from core.market.named_gpus import offers_of
from core.money.costs import exact
from core.money.owned import BuyOrRent, Purchase, buy_or_rent, energy_per_month
from core.offers import Catalog
from core.query import Beside, Query
from core.reference.catalogue import Reference
from core.reference.ownership import ownership
from core.wording import say
from core.workload import Assumption, Constraints, Resolved

TIE = Decimal("0.1")
"""Share of the bill within which no side wins: quotes of servers differ by more."""

GIVEN_BACK = Decimal(1) / 3
"""Share of the hours in use up to which rented GPUs are surely given back between."""


class Energy(Answer, frozen=True):
    """Electricity of so many GPUs in a month of use."""

    gpu: GpuSpec
    gpus: int
    kilowatts: Decimal
    """At the GPUs; cooling and distribution come on top."""
    pue: Decimal
    usd_per_kwh: Decimal
    hours: Decimal
    """Hours of use in a month."""
    usd_per_month: Decimal
    assumptions: tuple[Assumption, ...]
    others: "tuple[Energy, ...]" = ()
    """The other GPUs that are named: each has a bill of its own."""
    system: Decimal = Decimal(1)
    """Power of the whole server over that of its GPUs; 1: theirs alone is counted."""

    applies: ClassVar = HOURS | {"utilization", "sums_currency"}
    subject: ClassVar = frozenset(("region",))

    @property
    def sides(self) -> "tuple[Energy, ...]":
        """All that are named, in the order of the question."""
        return (self, *self.others)

    @property
    def ways(self) -> tuple[Way, ...]:
        """A month of electricity of each."""
        return tuple(
            Way(one, Money(month=one.usd_per_month), gpus=one.gpus, name="electricity")
            for one in self.sides
        )

    def details(self) -> Mapping[str, object]:
        """The multiplication, of each."""
        return {"recommendation": None, "energy": self}

    @property
    def kwh(self) -> Decimal:
        """Energy drawn from the grid in a month."""
        return self.kilowatts * self.pue * self.hours

    @property
    def usd_per_gpu_hour(self) -> Decimal:
        """Dollars of electricity per GPU-hour in use."""
        return self.usd_per_month / (self.gpus * self.hours)


class Hired(Struct, frozen=True):
    """Other GPUs, that would be rented in place of those bought."""

    gpu: GpuSpec
    gpus: int
    work: float | None = None
    """Of all of them over that of all those bought; None: both carry one load."""


class Owning(Answer, frozen=True):
    """GPUs bought, and the same or others rented."""

    gpu: GpuSpec
    gpus: int
    used_hours: Decimal
    """Hours of use in a month."""
    hours: Decimal
    """Hours in a month."""
    purchase: Purchase
    energy: Energy
    colocation_usd: Decimal
    """A month in somebody's data centre; 0: a desktop card stands in the office."""
    people_usd: Decimal
    """A month of whoever looks after it."""
    support_usd: Decimal
    """A month of the maker's support contract; 0 for a desktop card."""
    interest_usd: Decimal
    """What the money tied up costs a month, on the half that is outstanding."""
    rent: Bill
    reserved: Bill | None
    """The cheapest term within the time that is looked at; None: nobody sells one."""
    compared: BuyOrRent
    """With renting only the hours in use, on demand, for each GPU that is bought."""
    assumptions: tuple[Assumption, ...]
    in_hand: bool = False
    """They are bought: what they cost is asked, not whether to buy."""
    on_premises: bool = False
    """They have to stand in one's own rooms: rent is told for scale alone."""
    price_asked: bool = False
    """The price of the purchase is asked for; what renting costs stands beside it."""
    hired: Hired | None = None
    """What is rented; None: the same GPUs."""
    lease_usd: Decimal | None = None
    """A month of the machines, where they are leased and not bought."""
    office: bool = False
    """A workstation for people who are in during office hours."""

    applies: ClassVar = OFFERS | HOURS | {"utilization", "term_months"}
    budget_rule: ClassVar = "verdict"

    @property
    def ways(self) -> tuple[Way, ...]:
        """Bought and rented, the cheaper month first."""
        used = float(self.used)
        bought = Money(month=self.purchase.usd_per_month)
        if self.price_asked:
            span = say("to_buy.span")
            bought = Money(
                bought.hour, bought.month, total=self.purchase.usd, span=span
            )
        rented = Money(self.rent.usd_per_hour, self.rented_usd_per_month)
        ways = [
            Way(self.purchase, bought, gpus=self.gpus, name="bought", used=used),
            Way(self.rent, rented, self.rent.offer, self.rent.gpus, name="rented"),
        ]
        if self.same_work is not None:
            gpus, usd = self.same_work
            same, name = Money(month=usd), say("assumptions.rented_for_work")
            ways[1:1] = [Way(self.rent, same, self.rent.offer, gpus, name=name)]
        return tuple(ways if self.buy else reversed(ways))

    @property
    def opex_usd_per_year(self) -> Decimal:
        """What is paid each year beside the purchase; interest is the purchase's."""
        running = self.purchase.running_usd_per_month - self.interest_usd
        return MONTHS_A_YEAR * running

    @property
    def buy(self) -> bool:
        """Whether buying is what the answer advises."""
        return self.on_premises or self._buy

    @property
    def _buy(self) -> bool:
        if self.same_work is not None:
            return self.purchase.usd_per_month < self.same_work[1]
        return self.compared.buy

    @property
    def same_work(self) -> tuple[int, Decimal] | None:
        """How many of the rented GPUs do the work of those bought, and their month.

        None: as many as are rented.
        """
        hired = self.hired
        if hired is None or hired.work is None:
            return None
        gpus = max(1, round(hired.gpus / hired.work))
        usd = self.rented_usd_per_month / self.rent.gpus * gpus
        return None if gpus == hired.gpus else (gpus, usd)

    def details(self) -> Mapping[str, object]:
        """The purchase, the rent, and where they meet."""
        buy = self.buy
        month = self.purchase.usd_per_month if buy else self.rented_usd_per_month
        return {
            "recommendation": {"buy": buy, "tie": self.tie, "usd_per_month": month},
            "alternatives": [],
            "owned": {
                "*": self.purchase,
                "energy": self.energy,
                "colocation_usd_per_month": self.colocation_usd,
                "people_usd_per_month": self.people_usd,
                "support_usd_per_month": self.support_usd,
                "interest_usd_per_month": self.interest_usd,
            },
            "rented": {
                "usd_per_month_used": self.rented_usd_per_month,
                "bill": self.rent,
                "reserved": self.reserved,
            },
            "rented_for_the_same_work": self.same_work
            and {"count": self.same_work[0], "usd_per_month": self.same_work[1]},
            "compared": self.compared,
            "prices": [{"*": self.rent.offer}],
        }

    @property
    def rented_usd_per_month(self) -> Decimal:
        """On demand, the hours in use alone."""
        rate = self.rent.offer.usd_per_gpu_hour
        return rate * self.rent.gpus * self.used_hours

    @property
    def kept_on_usd_per_month(self) -> Decimal:
        """On demand, and never turned off."""
        return self.rent.offer.usd_per_gpu_hour * self.rent.gpus * self.hours

    @property
    def kept_on_own_usd_per_month(self) -> Decimal:
        """Owned, and in use at every hour: it draws more."""
        idle = self.hours - self.used_hours
        return self.purchase.usd_per_month + self.purchase.usd_per_used_hour * idle

    @property
    def pays_off_always_on(self) -> Decimal | None:
        """Months until the price is saved, in use at every hour; None: it never is."""
        purchase = self.purchase
        written_off = purchase.usd / purchase.amortise_months
        running = self.kept_on_own_usd_per_month - written_off
        saved = self.kept_on_usd_per_month - running
        return purchase.usd / saved if saved > 0 else None

    @property
    def rented(self) -> tuple[GpuSpec, int]:
        """What is rented, and how many of them are paid for."""
        return (self.hired.gpu if self.hired else self.gpu), self.rent.gpus

    @property
    def use_stated(self) -> bool:
        """Whether the question says how much they are in use."""
        return all(one.field != "utilization" for one in self.assumptions)

    @property
    def turns_on_idle(self) -> bool:
        """Whether renting is cheaper only where idle GPUs are given back."""
        own = self.purchase.usd_per_month
        rented = self.rented_usd_per_month
        best = self.cheapest_rent[0] is self.rent
        if self.used <= GIVEN_BACK or self.on_premises:
            return False  # "6 weeks a year": nobody keeps them for the rest
        return best and rented < own < self.kept_on_usd_per_month

    @property
    def use_open(self) -> bool:
        """Whether the use decides, and nobody states it."""
        return (
            not self.use_stated
            and self.hired is None
            and not (self.in_hand or self.on_premises)
        )

    @property
    def pays_above(self) -> Decimal | None:
        """Share of the hours in use above which buying pays; None: it never does."""
        hours = self.compared.used_hours_per_month
        return hours / self.hours if hours is not None else None

    @property
    def used(self) -> Decimal:
        """Share of the hours in use, 0–1."""
        return self.used_hours / self.hours

    @property
    def cheapest_rent(self) -> tuple[Bill, Decimal]:
        """The cheaper of the hours in use and of the term, with its month."""
        ways = [(self.rent, self.rented_usd_per_month)]
        if self.reserved is not None:
            ways.append((self.reserved, self.reserved.usd_per_month))
        return min(ways, key=lambda way: way[1])

    @property
    def tie(self) -> bool:
        """Whether the two differ by less than the prices of servers do."""
        own, rent = self.purchase.usd_per_month, self.cheapest_rent[1]
        near = abs(own - rent) <= TIE * max(own, rent)
        return near and not self.on_premises


class OwningFleet(Owning, frozen=True):
    """The GPUs that a load takes, bought and rented."""

    resolved: Resolved | None = None

    applies: ClassVar = Owning.applies | SERVING


def answer_energy(
    query: Query, gpu: GpuSpec, limits: Constraints, used: float, whole: bool = False
) -> Energy | None:
    """Electricity a month, or that of the whole servers; None: no TDP is known."""
    if gpu.tdp_w is None:
        return None
    notebook = Ownings(query.beside or Beside(), query.region)
    system = notebook.take("system_power") if whole else Decimal(1)
    return _energy(notebook, gpu, limits, used, system)


def _energy(
    notebook: Ownings,
    gpu: GpuSpec,
    limits: Constraints,
    used: float,
    system: Decimal = Decimal(1),
) -> Energy:
    """Electricity of the GPUs, or with `system` of the whole servers around them."""
    count = limits.count or 1
    hours = exact(limits.billed_hours_per_month)
    stated = _of_all(notebook.beside, "kw", gpu, count)
    watts, draw = exact(gpu.tdp_w or 0) * system, Decimal(1)
    if stated is not None:
        watts = stated * 1000 / count  # as it is drawn, busy or not
    else:
        hours *= exact(used)
        draw = notebook.take("draw")
    pue, price = notebook.take("pue"), notebook.take("usd_per_kwh")
    usd = energy_per_month(watts, count, price, pue, hours, draw)
    kilowatts = watts * count * draw / 1000
    found = tuple(notebook.assumptions)
    return Energy(gpu, count, kilowatts, pue, price, hours, usd, found, system=system)


def answer_owning(
    query: Query,
    gpu: GpuSpec,
    limits: Constraints,
    used: float,
    assumed: tuple[Assumption, ...],
    catalog: Catalog,
    reference: Reference,
    now: datetime,
    kind: type[Owning] = Owning,
    hired: Hired | None = None,
) -> Owning | None:
    """Buy against rent; None: no rent, no purchase price or no TDP is known."""
    notebook = Ownings(query.beside or Beside(), query.region)
    beside, count = notebook.beside, limits.count or 1
    price, kilowatts = (_of_all(beside, what, gpu, count) for what in ("usd", "kw"))
    months = int(query.term_months or notebook.take("amortise_months"))
    lease = None if beside.lease_usd is None else exact(beside.lease_usd)
    if lease is not None:
        price = lease * months
    if price is None and (each := _purchase_price(notebook, gpu)) is not None:
        price = each * count * (1 + notebook.take("host_share"))
    other, hire = gpu, limits
    if hired is not None:
        fleet = {"count": hired.gpus, "gpus": (hired.gpu.id,)}
        other, hire = hired.gpu, limits.model_copy(update=fleet)
    rented = _rented(other, hire, (), catalog, reference, now)
    drawn = gpu.tdp_w is not None or kilowatts is not None
    if price is None or rented is None or not drawn:
        return None
    desk = gpu.consumer or (gpu.workstation and bool(beside.office))
    whole = desk or kilowatts is not None
    system = Decimal(1) if whole else notebook.take("system_power")
    energy = _energy(notebook, gpu, limits, used, system)
    owed = price if lease is None else Decimal(0)
    interest = owed / 2 * notebook.take("interest_per_year") / 12 if owed else owed
    housed, cared, support = (
        (Decimal(0),) * 3 if desk else _upkeep(notebook, energy, owed)
    )
    upkeep = housed + cared + support + interest
    purchase = _purchase(price, count, months, energy, upkeep)
    hours = exact(limits.billed_hours_per_month)
    used_hours = hours * exact(used)
    held = hire.model_copy(update={"term_months": months})
    reserved = _rented(other, held, ("reserved",), catalog, reference, now)
    each = rented.offer.usd_per_gpu_hour
    each = rented.usd_per_hour / count if hired else each
    return kind(
        gpu=gpu,
        gpus=count,
        used_hours=used_hours,
        hours=hours,
        purchase=purchase,
        energy=energy,
        colocation_usd=housed,
        people_usd=cared,
        support_usd=support,
        interest_usd=interest,
        rent=rented,
        reserved=reserved,
        compared=buy_or_rent(purchase, each, used_hours, hours),
        assumptions=(*assumed, *notebook.assumptions),
        in_hand=query.intent == "cost"
        and _of_all(beside, "usd", gpu, count) is not None,
        on_premises=bool(beside.on_premises),
        price_asked=query.wanted == "purchase",
        hired=hired,
        lease_usd=lease,
        office=bool(beside.office),
    )


def _of_all(beside: Beside, what: str, gpu: GpuSpec, count: int) -> Decimal | None:
    """What is stated of all machines, or of each of them; None: nothing."""
    whole = getattr(beside, f"servers_{what}")
    one = getattr(beside, f"server_{what}")
    if whole is not None:
        return exact(whole)
    machines = -(-count // max(1, gpu.gpus_per_node))
    return None if one is None else exact(one) * machines


def _upkeep(
    notebook: Ownings, energy: Energy, price: Decimal
) -> tuple[Decimal, Decimal, Decimal]:
    """Colocation of the servers by their power, people to look after them, support."""
    stated = notebook.beside.engineering_hours
    hours = (
        energy.gpus * notebook.take("care_hours_per_gpu")
        if stated is None
        else exact(stated)
    )
    place = notebook.beside.colocation_usd
    if place is None and (notebook.beside.on_premises or notebook.beside.office):
        place = 0.0
    housed = (
        energy.kilowatts * notebook.take("colocation_usd_per_kw")
        if place is None
        else exact(place)
    )
    support = price * notebook.take("support_per_year") / 12 if price else price
    return housed, hours * notebook.take("engineering_usd_per_hour"), support


def _purchase(
    price: Decimal,
    count: int,
    months: int,
    energy: Energy,
    upkeep: Decimal,
) -> Purchase:
    """GPUs with their share of servers; power is paid for the hours in use."""
    return Purchase(
        usd=price,
        gpus=count,
        amortise_months=months,
        running_usd_per_month=energy.usd_per_month + upkeep,
        usd_per_used_hour=energy.usd_per_month / energy.hours,
    )


def _purchase_price(notebook: Ownings, gpu: GpuSpec) -> Decimal | None:
    if notebook.beside.purchase_usd is not None:
        return exact(notebook.beside.purchase_usd)
    known = ownership().purchase.get(gpu.id)
    if known is None:
        return None
    notebook.assumptions.append(
        Assumption(
            field="purchase_usd",
            label=say("assumptions.price_of_one"),
            value=f"${known.usd:,f}",
            why=say("assumptions.street_or_list_price", source=known.source),
        )
    )
    return known.usd


def _rented(
    gpu: GpuSpec,
    limits: Constraints,
    pricing: tuple[str, ...],
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Bill | None:
    wanted = limits.model_copy(update={"pricing": pricing})
    found = offers_of(gpu, wanted, catalog, reference, now)
    found = [offer for offer in found if pricing or offer.pricing == "on_demand"]
    bills = (bill_for(offer, limits.count or 1, limits) for offer in found)
    return min(bills, key=lambda bill: bill.usd_per_month, default=None)

"""What somebody pays for a GPU-hour, held against what others ask today."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import ClassVar, Literal

from msgspec import Struct

from core.answers.answer import HOURS, OFFERS, Answer, Money, Way
from core.hardware import GpuSpec
from core.market.board import perhaps_asked
from core.market.current import rank
from core.market.named_gpus import offers_of
from core.market.uptime import uptime
from core.offers import Catalog, Offer
from core.reference.catalogue import Reference
from core.workload import Constraints

Kind = Literal["hour", "term", "seller", "with_sla"]
FAIR = Decimal("0.1")
"""Share above the cheapest up to which a price is as good as any."""


class Rival(Struct, frozen=True):
    """The cheapest offer of one kind, beside the price that is paid."""

    kind: Kind
    offer: Offer


class FairPrice(Answer, frozen=True):
    """The price that is paid, and the cheapest of each kind that may be ordered."""

    gpu: GpuSpec
    gpus: int
    paid: Decimal
    """Dollars per GPU-hour."""
    rivals: tuple[Rival, ...]
    constraints: Constraints

    applies: ClassVar = OFFERS | HOURS | {"term_months", "paid_a_month"}
    subject: ClassVar = frozenset(("pricing", "term_months", "provider"))

    @property
    def ways(self) -> tuple[Way, ...]:
        """The cheapest comparable offer, then the others."""
        return tuple(
            Way(
                rival.offer,
                Money(rival.offer.usd_per_gpu_hour * self.gpus, self.month_at(rival)),
                rival.offer,
                self.gpus,
            )
            for rival in self.rivals
        )

    @property
    def best(self) -> Rival:
        """What is compared with: the same way to pay where it is sold."""
        return self.rivals[0]

    @property
    def home(self) -> Rival | None:
        """The list price of the seller who is paid; None: none is named, or known."""
        sellers = self.constraints.providers
        there = [one for one in self.rivals if one.offer.provider in sellers]
        return there[-1] if there else None

    def month_at(self, rival: Rival) -> Decimal:
        """What as many GPUs cost a month there."""
        hours = self.constraints.billed_hours_per_month
        return rival.offer.usd_per_gpu_hour * self.gpus * hours

    @property
    def above(self) -> Decimal:
        """By how much the price is above the one that it is compared with."""
        return self.paid / self.best.offer.usd_per_gpu_hour - 1

    @property
    def usd_per_month(self) -> Decimal:
        """What is paid a month."""
        return self.paid * self.gpus * self.constraints.billed_hours_per_month

    @property
    def saving(self) -> Decimal:
        """Dollars a month at the price that it is compared with; negative: more."""
        return self.usd_per_month * self.above / (1 + self.above)

    def details(self) -> Mapping[str, object]:
        """Both prices and what lies between them."""
        return {
            "paid_usd_per_gpu_hour": self.paid,
            "paid_usd_per_month": self.usd_per_month,
            "above_share": self.above,
            "saving_usd_per_month": self.saving,
        }


def answer_fair_price(
    gpu: GpuSpec,
    gpus: int,
    paid: Decimal,
    constraints: Constraints,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
    machine: str | None = None,
) -> FairPrice | None:
    """Hold a price against the market; None: nobody's price may be compared.

    `machine`: what is rented; its own list price is the seller's.
    """

    def cheapest(**limits: object) -> list[Offer]:
        free: dict[str, object] = {"pricing": (), "providers": (), "term_months": None}
        wanted = constraints.model_copy(update=free | limits)
        found = offers_of(gpu, wanted, catalog, reference, now)
        return [one for one in found if not one.doubt]

    hourly = cheapest(pricing=("on_demand",))
    term = constraints.term_months
    terms = (
        cheapest(pricing=("reserved",), term_months=term)
        if "reserved" in constraints.pricing
        else []
    )
    safe = [one for one in hourly if uptime(one, 1, reference).percent]
    own = (
        cheapest(providers=constraints.providers, pricing=constraints.pricing)
        if constraints.providers
        else []
    )
    own = [one for one in own if machine and one.instance == machine] or own
    perhaps = perhaps_asked(constraints.model_copy(update={"gpus": (gpu.id,)}), catalog)
    own = own or [  # a seller who says no form factor: its price is still its list
        one
        for one in sorted(perhaps, key=lambda one: one.usd_per_gpu_hour)
        if one.provider in constraints.providers and one.pricing == "on_demand"
    ]
    kinds: tuple[tuple[Kind, list[Offer]], ...] = (
        ("hour", hourly), ("term", terms), ("with_sla", safe), ("seller", own),
    )  # fmt: skip
    rivals = [Rival(kind, found[0]) for kind, found in kinds if found]
    rivals.sort(key=lambda one: (one.kind in ("seller", "with_sla"), rank(one.offer)))
    seen: dict[tuple[object, ...], Rival] = {}
    for one in rivals:
        seen.setdefault(one.offer.key, one)
    found = tuple(seen.values())
    return FairPrice(gpu, gpus, paid, found, constraints) if found else None

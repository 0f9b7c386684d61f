"""What every answer is, whatever was asked: ranked ways, money by unit, what applied.

A kind of answer inherits `Answer` and says in `ways` what it ranks. Budget, growth, the
unit asked for, extra costs, "what changed", alerts and JSON read this shape alone, so a
new kind gets all of them without writing any.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import ClassVar, Literal

from msgspec import Struct

from core.money.api import ApiPrice
from core.offers import Offer
from core.query import RATES, fields_in
from core.workload import Assumption, Resolved

MONTHS_A_YEAR = 12

LOADS = frozenset(RATES)
"""Query fields that say how much is served: each of them doubles with the load."""
PEAKS = frozenset((
    "requests_per_user_per_day", "utilization", "audience", "production", "model_count",
    "adapters",
))  # fmt: skip
"""What turns a stated load into the peak that is sized for, and how often."""
LENGTHS = frozenset((*fields_in("lengths"), "use"))
FREE = frozenset(("headroom", "least_replicas", "spare_replicas"))
"""What is kept free at the peak."""
LATENCY = frozenset(fields_in("limits")) - FREE - {
    "sla", "audience", "production", "deadline_hours",
}  # fmt: skip
FORMATS = frozenset(("precision", "quant_method", "precision_exclude"))
OFFERS = frozenset((
    *fields_in("market"), "sla", "gpu_exclude", "gpu_prices", "seller_prices",
    "seller_discounts", "seller_terms", "sums_currency",
)) - {"part_reserved", "sellers_beside", "users_there"}  # fmt: skip
"""Everything that decides which offers may be used."""
HOURS = frozenset(fields_in("use")) - {"duration_hours", "utilization"}
SERVING = LOADS | PEAKS | LENGTHS | LATENCY | FORMATS | OFFERS | HOURS | FREE
"""What a fleet sized for a load takes into account."""
PILES = frozenset(("requests_total", "tokens_total", "words_total"))
RUN = PILES | frozenset((
    *fields_in("job"), "deadline_hours", "precision", "input_tokens", "output_tokens",
)) - {"life"}  # fmt: skip
"""What a job that ends takes into account beside its offers."""
MODIFIERS = (SERVING | RUN | frozenset((
    "count_is_most", "machine_gpus", "duration_hours", "api_share", "batch_discount",
    "life", "part_reserved",
))) - PILES - frozenset((
    "use", "latency_class", "dataset_tokens", "dataset_samples", "steps", "method",
))  # fmt: skip
"""Fields that change an answer and are not what it is about: each that is stated is
taken into account, or said not to be."""

BudgetRule = Literal["kept", "verdict", "note"]
"""How an answer meets a stated budget: made within it; over it becomes a "no"; the
verdict is about something else than money, and a note compares."""


class Money(Struct, frozen=True):
    """Dollars of one way, by what they pay for; None: unknown, or meaningless here."""

    hour: Decimal | None = None
    """Of all billed GPUs."""
    month: Decimal | None = None
    """The paid hours of a month, at the load that was asked about."""
    run: Decimal | None = None
    """The whole job, once."""
    total: Decimal | None = None
    """All of what was asked about, over `span`."""
    span: str = ""
    """What `total` is for: " over 24 months"."""
    million_output: Decimal | None = None
    """1M output tokens, their prompts included."""
    million: Decimal | None = None
    """1M tokens, prompts and answers together ("blended")."""
    request: Decimal | None = None
    minute: Decimal | None = None
    """One of what is filmed or heard."""
    whole_year: Decimal | None = None
    """All hours of a year, where it is more than 12 of these months."""

    @property
    def thousand_requests(self) -> Decimal | None:
        """1,000 requests."""
        return None if self.request is None else 1000 * self.request

    @property
    def year(self) -> Decimal | None:
        """Twelve months, or all hours of a year."""
        if self.whole_year is not None:
            return self.whole_year
        return None if self.month is None else MONTHS_A_YEAR * self.month

    @property
    def headline(self) -> tuple[Decimal | None, str]:
        """The sum that the way is compared by, and what it is for: "/month", ""."""
        if self.total is not None:
            return self.total, self.span
        if self.month is not None:
            return self.month, "/month"
        return (self.run, "") if self.run is not None else (self.hour, "/h")


class Way(Struct, frozen=True):
    """One way to do what was asked, at one price."""

    of: object
    """The kind's own record of it: its figures in full, and what JSON shows."""
    money: Money
    offer: Offer | None = None
    """Where the GPUs are rented; None: no GPUs, or no price is known."""
    gpus: int = 0
    """GPUs that are billed; 0: none."""
    api: ApiPrice | None = None
    name: str = ""
    """What sets it apart, in words; empty: its seller and GPU say that."""
    used: float = 1.0
    """Share of the paid hours in which the GPUs work, 0–1."""
    evidence: object | None = None
    """The measurement or published run that its estimate is held against."""


def way_figures(way: Way) -> Mapping[str, object]:
    """A way among others of another kind: what it is, then its own figures."""
    serverless = way.offer is not None and way.offer.tier == "serverless"
    said = "serverless" if serverless else "own_gpus"
    return {"way": "api" if way.api is not None else said, "*": way}


Role = Literal["best_price", "with_sla", "hyperscaler"]


class Pick(Struct, frozen=True):
    """A way that is named for a reason of its own, or why there is none."""

    role: Role
    why: str
    way: Way | None = None
    cheapest: bool = True
    """Whether no way of its role costs less; false: it has fewer machines, or a better
    documented price."""


class Rejection(Struct, frozen=True):
    """Something that was considered and left out, by which rule, and why."""

    subject: str
    rule: str
    why: str
    count: int = 1
    """How many offers or fleets the line stands for."""


class Lever(Struct, frozen=True):
    """One change, and what it does to the monthly bill or the run."""

    rule: str
    text: str
    usd_difference: Decimal | None
    """Negative saves; None: no money figure can be given."""
    note: str = ""


class Answer(Struct, frozen=True):
    """What every kind of answer returns; the stages of the pipeline see nothing else.

    A kind keeps its workload in a field `resolved`, what it left out in `rejections`
    and what it assumed in `assumptions`; where it has none of these, there is nothing
    to override.
    """

    applies: ClassVar[frozenset[str]] = frozenset()
    """The Query fields that this kind takes into account where they are stated."""
    subject: ClassVar[frozenset[str]] = frozenset()
    """Modifiers that this kind of question is about: "reserved" where a term is."""
    budget_rule: ClassVar[BudgetRule] = "note"

    watched: ClassVar[Literal["money", "load", ""]] = ""
    """What a watch on the question compares: its bill, or the load at which it turns;
    empty: it cannot be watched."""

    @property
    def ways(self) -> tuple[Way, ...]:
        """What the answer ranks, what its verdict names first; empty: nothing."""
        return ()

    @property
    def advises(self) -> bool:
        """Whether the first way is one to take: what nobody can order is not."""
        first = self.ways[0].offer if self.ways else None
        return first is None or not first.doubt

    @property
    def picks(self) -> tuple[Pick, ...]:
        """The ways that are named for a reason of their own."""
        return ()

    @property
    def workload(self) -> Resolved | None:
        """The workload with every number known; None: it is about no workload."""
        found: Resolved | None = getattr(self, "resolved", None)
        return found

    @property
    def assumed(self) -> tuple[Assumption, ...]:
        """What nobody stated."""
        own: tuple[Assumption, ...] = getattr(self, "assumptions", ())
        return own or (self.workload.assumptions if self.workload else ())

    @property
    def left_out(self) -> tuple[Rejection, ...]:
        """What was considered and left out, and why."""
        found: tuple[Rejection, ...] = getattr(self, "rejections", ())
        return found

    @property
    def levers(self) -> tuple[Lever, ...]:
        """What would change the bill, best first."""
        return ()

    @property
    def status(self) -> str:
        """What stands in the way: over_budget, unpriced, nothing_fits …; or "ok"."""
        return "ok" if self.ways else "unpriced"

    @property
    def turns_at(self) -> Decimal | None:
        """Requests per second at which another way wins; None: no load decides."""
        return None

    def details(self) -> Mapping[str, object]:
        """Figures that only this kind has, by their JSON name; the serialiser draws
        every value, and what stands here replaces what it derives."""
        return {}


class NoPrice(Answer, frozen=True):
    """No bill can be computed: nobody sells it so, or a figure of it is not known."""

    applies: ClassVar = OFFERS | HOURS

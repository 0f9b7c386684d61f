"""What training a published model has cost, and what its GPU-hours would cost today."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from functools import cache
from tomllib import loads
from typing import ClassVar, TypeVar

from core.answers.answer import OFFERS, Answer, Money, Way
from core.frozen import Frozen
from core.hardware import GpuSpec
from core.market.named_gpus import cheapest_offer, named_gpus
from core.market.spending import ceiling
from core.money.costs import exact
from core.offers import Catalog, Offer
from core.query import Query
from core.reference.catalogue import Reference
from core.reference.names import compact
from core.reference.packaged import files
from core.reference.runs import PublishedRun, published_runs
from core.resolve.constraints import resolve_constraints

T = TypeVar("T")


class StatedCost(Frozen, frozen=True, kw_only=True):
    """A training cost that its maker or a study has published, in dollars."""

    names: tuple[str, ...]
    name: str
    usd: Decimal
    gpus: str
    gpu_hours: float | None = None
    basis: str
    beyond: str = ""
    modality: str = "text"
    source: str


class Rent(Frozen, frozen=True):
    """The cheapest of a GPU today; None: nobody is known to rent it out."""

    gpu: GpuSpec
    offer: Offer | None


class TrainingCost(Answer, frozen=True):
    """A stated cost, or disclosed GPU-hours at today's price, or both."""

    name: str
    stated: StatedCost | None
    run: PublishedRun | None
    rents: tuple[Rent, ...]
    """Of the GPUs that are asked about, else of the run's."""
    asked: bool
    """Whether the question names GPUs to price the same hours on."""

    applies: ClassVar = OFFERS | {"compare_api"}

    @property
    def gpu_hours(self) -> float | None:
        """As the stated cost counts them, else as the run disclosed them."""
        stated = self.stated.gpu_hours if self.stated else None
        return stated or (self.run.gpu_hours if self.run else None)

    def usd_on(self, offer: Offer) -> Decimal:
        """The same GPU-hours at a price."""
        return exact(self.gpu_hours or 0) * offer.usd_per_gpu_hour

    @property
    def usd_today(self) -> Decimal | None:
        """The disclosed GPU-hours at today's lowest on-demand price."""
        if self.gpu_hours is None:
            return None
        known = [self.usd_on(one.offer) for one in self.rents if one.offer]
        return min(known, default=None)

    @property
    def ways(self) -> tuple[Way, ...]:
        """The run, at the stated cost, else at today's price."""
        usd = self.stated.usd if self.stated else self.usd_today
        money = Money(run=usd)
        return (Way(self.stated or self.run, money, name=self.name),)

    def details(self) -> Mapping[str, object]:
        """The cost as it is published, and at today's price."""
        return {
            "recommendation": None,
            "usd_stated": self.stated.usd if self.stated else None,
            "usd_today": self.usd_today,
            "gpu_hours": self.gpu_hours,
            "usd_today_by_gpu": {
                one.gpu.id: self.usd_on(one.offer) if one.offer else None
                for one in self.rents
            },
        }


class ImageTraining(Answer, frozen=True):
    """What published image models took, at today's price of the same GPU."""

    offer: Offer
    runs: tuple[StatedCost, ...]
    budget_usd: Decimal | None

    applies: ClassVar = OFFERS

    def usd_today(self, run: StatedCost) -> Decimal:
        """The GPU-hours of a run at today's price."""
        return exact(run.gpu_hours or 0) * self.offer.usd_per_gpu_hour

    @property
    def ways(self) -> tuple[Way, ...]:
        """The runs, the cheapest first."""
        return tuple(
            Way(run, Money(run=self.usd_today(run)), self.offer, name=run.name)
            for run in self.runs
        )


IMAGE_RUNS_ON = "a100-80gb-sxm"
"""What the published image models were trained on."""


def image_training(
    query: Query, catalog: Catalog, reference: Reference, now: datetime
) -> ImageTraining | None:
    """What others took to train an image model; None: nobody rents such a GPU out."""
    limits = resolve_constraints(query, reference)
    gpu = reference.gpus[IMAGE_RUNS_ON]
    offer = cheapest_offer(gpu, limits, catalog, reference, now)
    if offer is None:
        return None
    runs = (run for run in stated_costs() if run.modality == "image")
    ordered = sorted(runs, key=lambda run: run.gpu_hours or 0)
    most = ceiling(limits.budget, now)
    return ImageTraining(offer, tuple(ordered), most.usd if most else None)


@cache
def stated_costs() -> tuple[StatedCost, ...]:
    """Return every published cost, read once."""
    text = (files("core.reference") / "training_costs.toml").read_text("utf-8")
    return tuple(StatedCost.model_validate(row) for row in loads(text)["run"])


def training_cost(
    query: Query, catalog: Catalog, reference: Reference, now: datetime
) -> TrainingCost | None:
    """The published run that a question names; None: none of its names is known."""
    asked = compact(query.text)
    names = [name for name in (query.model, *(query.compare_api or ())) if name]
    known = [model.id for name in names if (model := reference.model(name))]
    named = {compact(name) for name in (*names, *known)}
    stated = _longest(
        (name, one) for one in stated_costs() for name in one.names
        if compact(name) in asked
    )  # fmt: skip
    run = _longest(
        (one.id, one)
        for one in published_runs()
        if compact(one.id) in asked or compact(one.id) in named
    ) or _largest_of_family(named)
    if stated is None and run is None:
        return None
    named_gpu = named_gpus(query, reference)
    gpus = named_gpu or ((reference.gpus[run.gpu],) if run else ())
    limits = resolve_constraints(query, reference)
    rents = tuple(
        Rent(gpu, cheapest_offer(gpu, limits, catalog, reference, now)) for gpu in gpus
    )
    name = stated.name if stated else (run.id if run else "")
    shown = reference.model(name)
    title = shown.name if shown else name
    return TrainingCost(title, stated, run, rents, asked=bool(named_gpu))


def _largest_of_family(named: Iterable[str]) -> PublishedRun | None:
    """The longest run among those whose models a family's name begins: "llama 3"."""
    found = (
        run
        for run in published_runs()
        if any(compact(run.id).startswith(name) for name in named)
    )
    return max(found, key=lambda run: run.gpu_hours, default=None)


def _longest(found: Iterable[tuple[str, T]]) -> T | None:
    """The thing with the longest name among those that a text holds."""
    best = max(found, key=lambda each: len(each[0]), default=None)
    return best[1] if best else None

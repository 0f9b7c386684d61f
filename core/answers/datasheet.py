"""One property of a GPU, as its vendor publishes it, for every form it comes in."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import ClassVar, Literal

from msgspec import Struct

from core.answers.answer import OFFERS, Answer, Money, Way
from core.hardware import GpuSpec
from core.market.named_gpus import cheapest_offer
from core.offers import Catalog, Offer
from core.query import Query
from core.reference.catalogue import Reference
from core.workload import Constraints

Property = Literal["power", "memory", "bandwidth", "compute", "link", "mig", "all"]


class Form(Struct, frozen=True):
    """A GPU in one form factor, and its lowest price by the hour."""

    gpu: GpuSpec
    offer: Offer | None


class Sheet(Answer, frozen=True):
    """The forms of the GPUs that are named, the one a bare name means first."""

    asked: Property
    forms: tuple[Form, ...]

    applies: ClassVar = OFFERS

    @property
    def ways(self) -> tuple[Way, ...]:
        """Each form, at its lowest price by the hour."""
        return tuple(
            Way(form, Money(hour=form.offer.usd_per_gpu_hour), form.offer, 1)
            if form.offer
            else Way(form, Money(), gpus=1)
            for form in self.forms
        )

    def details(self) -> Mapping[str, object]:
        """What was asked for, of each form."""
        return {
            "asked": self.asked,
            "recommendation": None,
            "alternatives": self.forms,
            "prices": [{"*": form.offer} for form in self.forms if form.offer],
        }


def answer_sheet(
    query: Query,
    asked: Property,
    limits: Constraints,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Sheet | None:
    """Lay the datasheets of the named GPUs open; None: none of them is known."""
    named = [gpu for slug in query.gpu or () for gpu in reference.gpus_named(slug)]
    forms = [
        Form(gpu, cheapest_offer(gpu, limits, catalog, reference, now))
        for gpu in _distinct(named)
    ]
    return Sheet(asked, tuple(forms)) if forms else None


def _distinct(gpus: Sequence[GpuSpec]) -> list[GpuSpec]:
    return list({gpu.id: gpu for gpu in gpus}.values())

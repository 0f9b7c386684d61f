"""What a question compares: every combination of the alternatives that it names."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import TypeVar

from msgspec import Struct

from core.hardware import GpuSpec
from core.market.named_gpus import named_gpus, own_formats
from core.offers import Pricing
from core.query import Query
from core.reference.catalogue import Reference
from core.resolve.constraints import PRICINGS
from core.units import Precision
from core.workload import Constraints

T = TypeVar("T")
MOST = 12
"""Combinations looked at; more do not fit a phone."""


class Machine(Struct, frozen=True):
    """A cloud's machine type: so many GPUs of one kind."""

    gpu: str
    """As users name it: h100, a100-80gb."""
    count: int
    provider: str


class Contender(Struct, frozen=True):
    """One alternative; None: the question leaves this open."""

    gpu: GpuSpec | None = None
    precision: Precision | None = None
    provider: str | None = None
    pricing: Pricing | None = None
    instance: str | None = None
    gpus: int | None = None
    """How many, where the alternative says so: a machine's, or "4 a100"."""

    def narrowed(self, limits: Constraints) -> Constraints:
        """The question's constraints for this alternative alone."""
        changed: dict[str, object] = {}
        if self.gpu is not None:
            changed["gpus"] = (self.gpu.id,)
        if self.provider is not None:
            changed["providers"] = (self.provider,)
        if self.pricing is not None:
            changed["pricing"] = (self.pricing,)
        if self.gpus is not None:
            changed["count"] = self.gpus
        return limits.model_copy(update=changed)


def contenders(
    query: Query, reference: Reference, machines: Mapping[str, Machine]
) -> tuple[Contender, ...]:
    """Every combination of the GPUs, formats, providers and pricings that are named.

    A single named thing is no alternative, but it narrows every one; machine types
    stand for their own GPU, count and provider.
    """
    if len(query.instance or ()) > 1:
        return tuple(_instances(query, reference, machines))
    gpus: Sequence[GpuSpec | None] = named_gpus(query, reference) or (None,)
    named = (reference.provider(name) for name in query.provider or ())
    providers = [provider.id for provider in named if provider is not None]
    pricings = [pricing for pricing in PRICINGS if pricing in (query.pricing or ())]
    named_ids = (gpu.id if gpu else "" for gpu in gpus)
    counts = dict(zip(named_ids, query.gpu_counts or (), strict=False))
    own = own_formats(query, reference)
    combined = product(
        _at_sellers(gpus, providers, query, reference),
        (None,) if own else _several(query.precision),
        _several(pricings),
    )
    return tuple(
        Contender(
            gpu,
            own.get(gpu.id, precision) if gpu else precision,
            provider,
            pricing,
            gpus=counts.get(gpu.id) if gpu else None,
        )
        for (gpu, provider), precision, pricing in islice(combined, MOST)
    )


def _at_sellers(
    gpus: Sequence[GpuSpec | None],
    providers: Sequence[str],
    query: Query,
    reference: Reference,
) -> list[tuple[GpuSpec | None, str | None]]:
    """Each GPU at each seller; where one stands beside it, at that alone."""
    own = query.sold_by or ()
    if len(own) != len(gpus):
        return list(product(gpus, _several(providers)))
    sellers = (reference.provider(name) for name in own)
    ids = (seller.id if seller else None for seller in sellers)
    return list(zip(gpus, ids, strict=True))


def _several(values: Sequence[T] | None) -> Sequence[T | None]:
    """The alternatives, where there is more than one."""
    return values if values and len(values) > 1 else (None,)


def _instances(
    query: Query, reference: Reference, machines: Mapping[str, Machine]
) -> Iterator[Contender]:
    for name in query.instance or ():
        machine = machines.get(name)
        gpu = reference.gpu(machine.gpu) if machine else None
        yield Contender(
            gpu=gpu,
            provider=machine.provider if machine else None,
            instance=name,
            gpus=machine.count if machine else None,
        )

"""What a million tokens costs on GPUs of one's own, whatever the load will be."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from msgspec import Struct

from core.answers.answer import (
    FORMATS,
    LATENCY,
    LENGTHS,
    OFFERS,
    Answer,
    Money,
    Rejection,
    Way,
)
from core.estimate.capacity import HIGHEST_UTILISATION, ReplicaCapacity
from core.hardware import GpuSpec
from core.market.api_market import usable_apis
from core.market.market import Use, market_of
from core.money.api import ApiPrice
from core.money.costs import MILLION, exact, usd_per_million, usd_per_million_blended
from core.offers import Catalog, Offer
from core.reference.catalogue import Reference
from core.sizing.fleet import (
    AGED,
    SHAPES_BEYOND_FIT,
    best_precision,
    replica_capacity,
    usable_layouts,
)
from core.sizing.pay_by_use import ApiRange, api_range
from core.wording import say
from core.workload import InferenceSpec, Resolved

USUAL_USES = (1.0, 0.6, 0.3)
"""Shares of a full fleet that a price per token is told for: full, and the busy and
the idle end of what serving fleets see (S1-083)."""


class UnitPrice(Struct, frozen=True):
    """One replica at the price of one offer, per million tokens."""

    gpu: GpuSpec
    offer: Offer
    capacity: ReplicaCapacity
    input_per_output: float
    """Prompt tokens for every token of the answer."""
    output_tokens: float

    @property
    def usd_per_hour(self) -> Decimal:
        """What the replica costs; its share of a box that holds several."""
        return self.offer.usd_per_gpu_hour * self.capacity.gpus

    @property
    def tokens_per_second(self) -> float:
        """Output tokens of a busy replica, with room for queueing."""
        rate = self.capacity.requests_per_second.likely * HIGHEST_UTILISATION
        return rate * self.output_tokens

    def usd_per_million(self, used: float) -> Decimal:
        """Dollars per 1M output tokens, their prompts included."""
        return usd_per_million(self.usd_per_hour, self.tokens_per_second, used)

    def usd_per_million_blended(self, used: float) -> Decimal:
        """Dollars per 1M tokens read or written."""
        return usd_per_million_blended(
            self.usd_per_hour, self.tokens_per_second, self.input_per_output, used
        )


class UnitPriceAnswer(Answer, frozen=True):
    """The cheapest token of each GPU, the cheapest first."""

    resolved: Resolved
    spec: InferenceSpec
    prices: tuple[UnitPrice, ...]
    rejections: tuple[Rejection, ...]
    used: float
    """The average load that the verdict is about, 0–1."""
    api: ApiRange | None
    similar: bool = False
    """Whether the API serves a model of about the size, not this one."""

    applies: ClassVar = LENGTHS | LATENCY | FORMATS | OFFERS | {"utilization"}

    @property
    def ways(self) -> tuple[Way, ...]:
        """The cheapest token of each GPU, the cheapest first."""
        return tuple(
            Way(
                one,
                Money(
                    hour=one.usd_per_hour,
                    million_output=one.usd_per_million(self.used),
                    million=one.usd_per_million_blended(self.used),
                    request=one.usd_per_million(self.used)
                    * exact(one.output_tokens)
                    / MILLION,
                ),
                one.offer,
                one.capacity.gpus,
                used=self.used,
            )
            for one in self.prices
        )

    @property
    def status(self) -> str:
        """Whether anything that is sold serves the model."""
        return "ok" if self.prices else "nothing_serves"

    def details(self) -> Mapping[str, object]:
        """The price of a token at each share of use."""
        shares = sorted({*USUAL_USES, self.used}, reverse=True)
        rows = [
            {
                "*": one,
                "usd_per_million_output_tokens": {
                    f"{share:g}": one.usd_per_million(share) for share in shares
                },
                "usd_per_million_tokens_blended": {
                    f"{share:g}": one.usd_per_million_blended(share) for share in shares
                },
            }
            for one in self.prices
        ]
        return {"recommendation": rows[0] if rows else None, "alternatives": rows[1:]}

    @property
    def best(self) -> UnitPrice | None:
        """The cheapest; None: nothing that is sold serves the model in time."""
        return self.prices[0] if self.prices else None


def answer_unit_price(
    resolved: Resolved,
    spec: InferenceSpec,
    apis: Iterable[ApiPrice],
    similar: bool,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> UnitPriceAnswer:
    """Price a million tokens on the named GPUs, or on every GPU that is sold."""
    use = Use(spec.constraints, live=True, now=now)
    market = market_of(catalog, use, reference)
    prices: list[UnitPrice] = []
    rejections: list[Rejection] = []
    for gpu_id, offers in market.by_gpu.items():
        gpu = reference.gpus[gpu_id]
        best, why = _cheapest_shape(spec, gpu, offers)
        prices += [best] if best else []
        rejections += [why] if why else []
    prices.sort(key=_by_token)
    return UnitPriceAnswer(
        resolved=resolved,
        spec=spec,
        prices=tuple(prices),
        rejections=(*rejections, *market.rejections()),
        used=spec.load.average_share,
        api=api_range(spec, usable_apis(apis, spec, reference)),
        similar=similar,
    )


def _cheapest_shape(
    spec: InferenceSpec, gpu: GpuSpec, offers: Iterable[Offer]
) -> tuple[UnitPrice | None, Rejection | None]:
    """The replica shape whose token is cheapest at the cheapest offer that rents it."""
    weights = best_precision(spec, gpu)
    if weights is None:
        return None, Rejection(
            gpu.name, "fits", say("rejections.not_in_format", gpu_name=gpu.name)
        )
    if gpu.architecture in AGED and gpu.id not in spec.constraints.gpus:
        return None, Rejection(
            gpu.name, "aged-architecture", say("rejections.too_old", gpu_name=gpu.name)
        )
    cheapest = min(offers, key=lambda offer: offer.micro_usd_per_gpu_hour)
    found: list[UnitPrice] = []
    tried: ReplicaCapacity | None = None
    most = spec.constraints.count
    for layout in usable_layouts(spec, gpu):
        if most is not None and layout.gpus > most:
            break
        tried = replica_capacity(spec, gpu, layout, weights)
        if tried.met:
            ratio = spec.input_tokens / spec.output_tokens
            found.append(UnitPrice(gpu, cheapest, tried, ratio, spec.output_tokens))
        if len(found) > SHAPES_BEYOND_FIT:
            break
    if found:
        return min(found, key=_by_token), None
    rule = "latency" if tried is not None and tried.fits else "fits"
    why = (
        tried.why
        if tried is not None
        else say("rejections.no_replica_shape", gpu_name=gpu.name)
    )
    return None, Rejection(gpu.name, rule, why)


def _by_token(one: UnitPrice) -> tuple[Decimal, int, str]:
    return one.usd_per_million(1), one.capacity.gpus, one.gpu.id

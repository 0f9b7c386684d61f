"""A pile of requests on own GPUs, or through APIs at what they ask for batches."""

from dataclasses import dataclass
from decimal import Decimal

from core.answers.breakeven import ApiBook
from core.jobs.options import JobAnswer
from core.money.api import ApiPrice, TokenMix, api_usd_per_request
from core.money.costs import exact
from core.workload import BatchSpec


@dataclass(frozen=True, slots=True)
class ApiJob:
    """The pile at one API; dollars."""

    api: ApiPrice
    usd_live: Decimal
    usd: Decimal
    """At the batch rate, published or stated; else the same as live."""
    named: bool
    """Whether the question names it."""
    same_weights: bool
    """Whether it serves the model that own GPUs would."""
    discount_stated: bool = False

    @property
    def discount(self) -> Decimal | None:
        """What batching takes off this pile, 0–1; None: no batch rate is known."""
        cheaper = self.usd_live > 0 and self.usd < self.usd_live
        return 1 - self.usd / self.usd_live if cheaper else None


@dataclass(frozen=True, slots=True)
class BatchOrApi:
    """Own GPUs against APIs, the cheapest API first among its kind."""

    job: JobAnswer
    spec: BatchSpec
    apis: tuple[ApiJob, ...]

    @property
    def hurdle(self) -> ApiJob | None:
        """What own GPUs are held against: the named API, else the cheapest."""
        return next((one for one in self.apis if one.named), None) or next(
            iter(self.apis), None
        )

    @property
    def even_discount(self) -> Decimal | None:
        """Off the hurdle's list price, at which both cost the same; None: not less."""
        best, hurdle = self.job.best, self.hurdle
        if best is None or hurdle is None or best.usd >= hurdle.usd_live:
            return None
        return 1 - best.usd / hurdle.usd_live


def weigh_batch(
    job: JobAnswer, spec: BatchSpec, book: ApiBook, discount: float | None = None
) -> BatchOrApi:
    """Price the pile at every API; `discount` is stated and holds for all of them."""
    apis = dict.fromkeys((*book.named, *book.hosted))
    priced = [_priced(api, spec, book, discount) for api in apis]
    return BatchOrApi(job, spec, tuple(sorted(priced, key=_order)))


def _order(one: ApiJob) -> tuple[Decimal, str]:
    return one.usd, one.api.provider


def _priced(
    api: ApiPrice, spec: BatchSpec, book: ApiBook, discount: float | None
) -> ApiJob:
    mix = TokenMix.of(spec.input_tokens, max(spec.output_tokens, 1))
    requests = exact(spec.requests)
    live = api_usd_per_request(api, mix) * requests
    batch = api_usd_per_request(api, mix, batch=True) * requests
    if discount is not None:
        batch = live * (1 - exact(discount))
    return ApiJob(
        api=api,
        usd_live=live,
        usd=batch,
        named=api in book.named,
        same_weights=api in book.hosted and not book.similar,
        discount_stated=discount is not None,
    )

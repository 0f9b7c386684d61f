"""A pile of requests on own GPUs, or through APIs at what they ask for batches."""

from collections.abc import Mapping
from decimal import Decimal
from typing import ClassVar

from msgspec import Struct

from core.answers.answer import Answer, Money, Rejection, Way, way_figures
from core.jobs.options import JobAnswer, runs_per_month
from core.market.api_market import ApiBook
from core.money.api import ApiPrice, TokenMix, api_usd_per_request
from core.money.costs import MILLION, exact
from core.wording import say
from core.workload import BatchSpec, Resolved


class ApiJob(Struct, frozen=True):
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

    def way(self, spec: BatchSpec) -> Way:
        """The API as a way to do the pile."""
        name = f"{self.api.provider_name} {self.api.model.rsplit('/', 1)[-1]}"
        often = runs_per_month(spec)
        written = exact(spec.requests) * exact(max(spec.output_tokens, 1))
        money = Money(
            run=self.usd,
            month=self.usd * often if often else None,
            million_output=self.usd * MILLION / written,
            request=self.usd / exact(spec.requests),
        )
        return Way(self, money, api=self.api, name=name)

    @property
    def discount(self) -> Decimal | None:
        """What batching takes off this pile, 0–1; None: no batch rate is known."""
        cheaper = self.usd_live > 0 and self.usd < self.usd_live
        return 1 - self.usd / self.usd_live if cheaper else None


class BatchOrApi(Answer, frozen=True):
    """Own GPUs against APIs, the cheapest API first among its kind."""

    job: JobAnswer
    spec: BatchSpec
    apis: tuple[ApiJob, ...]

    applies: ClassVar = JobAnswer.applies | {"compare_api", "batch_discount"}
    watched: ClassVar = "money"
    budget_rule: ClassVar = "verdict"

    @property
    def ways(self) -> tuple[Way, ...]:
        """Own GPUs and the API that they are held against, the cheaper first."""
        best, hurdle = self.job.best, self.hurdle
        ways = [best.way(self.spec, say("assumptions.own_gpus"))] if best else []
        ways += [hurdle.way(self.spec)] if hurdle else []
        return tuple(sorted(ways, key=lambda way: way.money.run or 0))

    @property
    def workload(self) -> Resolved:
        """The pile."""
        return self.job.resolved

    @property
    def left_out(self) -> tuple[Rejection, ...]:
        """What of own GPUs was left out."""
        return self.job.rejections

    def details(self) -> Mapping[str, object]:
        """Both sides in full, the cheaper as the recommendation."""
        best = self.ways[0] if self.ways else None
        return {
            **self.job.details(),
            "recommendation": way_figures(best) if best else None,
            "alternatives": [way_figures(way) for way in self.ways[1:]],
            "own_gpus": self.job.options,
            "apis": self.apis,
            "api_even_at_discount": self.even_discount,
            "prices": [one.offer for one in self.job.options],
        }

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

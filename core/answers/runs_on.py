"""Which models given GPUs hold, each in the most bits that fit."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from core.answers.answer import FORMATS, OFFERS, Answer, Money, Way
from core.answers.fit import Fit, fit_on, layout_for
from core.answers.memory_need import formats_of
from core.estimate.formats import precisions_for
from core.llm import ModelSpec
from core.market.named_gpus import cards, cheapest_bill
from core.offers import Catalog
from core.query import Query
from core.reference.catalogue import Reference
from core.resolve.constraints import resolve_constraints
from core.units import BITS, Precision

USUAL_CONTEXT = 8000
"""Tokens of one request, where none are stated: a chat with some history."""
LEAST_REQUESTS = 4
"""Requests that are held at once, where nobody says how many."""
A_REQUEST_OF = 8
"""People in conversation for each request at once: one every 75 s, answered in 10."""
COUNTS = (1, 2, 4, 8)
"""Cards that are tried where nobody says how many there are."""

ALIVE = 3
"""APIs that still serve a model which a team would choose today."""


class Held(Struct, frozen=True):
    """A model in the format of most bits that fits with some requests beside it."""

    model: ModelSpec
    fit: Fit


class RunsOn(Answer, frozen=True):
    """What the first named GPU holds, the largest model first."""

    held: tuple[Held, ...]
    gpus: int
    context: float
    requests: int
    more: tuple["RunsOn", ...] = ()
    """What more cards hold, where nobody says how many there are."""

    applies: ClassVar = OFFERS | FORMATS | {
        "context", "count", "concurrency", "users", "owned", "audience",
    }  # fmt: skip

    @property
    def ways(self) -> tuple[Way, ...]:
        """Each model on the GPUs, at their cheapest offer."""
        return tuple(
            one.fit.bill.way(one, one.model.name)
            if one.fit.bill
            else Way(one, Money(), gpus=self.gpus, name=one.model.name)
            for one in self.held
        )

    @property
    def status(self) -> str:
        """Whether any known model fits."""
        held = self.held or any(one.held for one in self.more)
        return "ok" if held else "nothing_fits"

    def details(self) -> Mapping[str, object]:
        """The context and the requests that are held beside the weights."""
        return {"context": self.context, "requests_at_once": self.requests}

    def largest(self, bits: int) -> Held | None:
        """The largest model in a format of at least so many bits."""
        kept = (one for one in self.held if BITS[one.fit.weights] >= bits)
        return max(kept, key=lambda one: one.model.params_b, default=None)


def answer_runs_on(
    query: Query,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
    sellers: Callable[[ModelSpec], int] = lambda model: ALIVE,
) -> RunsOn | None:
    """The models that stand for a size, as far as the GPUs hold them.

    `sellers`: how many APIs serve a model today. What hardly anybody serves any more
    is left out, unless nothing else is held.
    """
    limits = resolve_constraints(query, reference)
    gpus = cards(query, limits, catalog, reference, now)
    if not gpus:
        return None
    if query.count is None:
        of_each = (query.model_copy(update={"count": count}) for count in COUNTS)
        each = (
            answer_runs_on(one, catalog, reference, now, sellers) for one in of_each
        )
        first, *more = (one for one in each if one is not None)
        return replace(first, more=tuple(more))
    gpu, count = gpus[0], query.count
    bill = None
    if not query.owned:
        bill = cheapest_bill(gpu, count, limits, catalog, reference, now)
    context = query.context or USUAL_CONTEXT
    people = max(LEAST_REQUESTS, round((query.users or 0) / A_REQUEST_OF))
    requests = max(round(query.concurrency or people), 1)
    found = []
    for model in reference.models.values():
        if not model.representative_of:
            continue
        layout = layout_for(model, gpu, count)
        served = {*precisions_for(gpu), "int8", "int4"}
        for weights in _formats(query, model):
            if weights not in served:
                continue
            fit = fit_on(model, gpu, layout, weights, context, bill=bill)
            if fit.sequences >= requests and context <= model.context:
                found.append(Held(model, fit))
                break
    found.sort(key=lambda one: -one.model.params_b)
    found = [one for one in found if sellers(one.model) >= ALIVE] or found
    return RunsOn(tuple(found), count, context, requests)


def _formats(query: Query, model: ModelSpec) -> tuple[Precision, ...]:
    return query.precision or formats_of(model)

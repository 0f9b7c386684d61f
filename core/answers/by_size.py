"""What a load costs with models of the usual sizes, where no model is named."""

import math
from datetime import datetime
from decimal import Decimal
from typing import Literal

from msgspec import Struct

from core.defaults import Defaults
from core.jobs.answer import unhurried_job
from core.jobs.options import JobOption
from core.jobs.recommend import Shop
from core.market.recommendation import Recommendation
from core.offers import Catalog
from core.query import RATES, Query
from core.reference.catalogue import Reference
from core.resolve import Unresolved, resolve
from core.sizing.serving import recommend_serving
from core.workload import FineTuneSpec, InferenceSpec, TrainingSpec, TuningMethod

USUAL: tuple[dict[str, object], ...] = (
    {"params_b": 8.0},
    {"params_b": 32.0},
    {"params_b": 70.0},
    {"model": "gpt-oss-120b"},
    {"model": "deepseek-v3.1"},
)
"""Dense models of the usual sizes, a mixture that teams commonly serve, and one of
those that stand nearest to closed models."""


def by_size(
    query: Query,
    catalog: Catalog,
    reference: Reference,
    defaults: Defaults,
    now: datetime,
) -> tuple[Recommendation, ...]:
    """Size the load with each usual model; empty: no use is named, or none is served.

    A model that nothing serves within the limits is left out.
    """
    if query.kind is None and not any(getattr(query, field) for field in RATES):
        return ()
    found = []
    for model in USUAL:
        bare = {"intent": "size", "kind": "inference", "wanted": None, "clarify": None}
        resolved = resolve(query.model_copy(update=bare | model), reference, defaults)
        if isinstance(resolved, Unresolved):
            return ()
        spec = resolved.spec
        if not isinstance(spec, InferenceSpec):
            return ()
        sized = recommend_serving(resolved, spec, catalog, reference, now)
        if sized.options:
            found.append(sized)
    return tuple(found)


TRAINED_B = (1.0, 3.0, 8.0, 32.0)
"""Sizes of models that are trained from scratch, in billions of parameters."""
TUNED_B = (8.0, 14.0, 32.0, 70.0, 123.0, 405.0)
"""Sizes of models that are fine-tuned."""
COMPUTE_OPTIMAL = 20
"""Tokens for each parameter (arXiv 2203.15556)."""


class TrainedSize(Struct, frozen=True):
    """One size of model, trained from scratch on so many tokens."""

    params_b: float
    tokens: float
    option: JobOption


def trained_by_size(
    query: Query, shop: Shop, defaults: Defaults
) -> tuple[TrainedSize, ...]:
    """Price training from scratch, or fine-tuning, at each usual size, budget apart.

    On the stated tokens, else from scratch on 20 for each parameter; a size that cannot
    be trained under the limits is left out.
    """
    money = ("budget_amount", "budget_currency", "budget_period")
    tuned = query.kind == "finetune"
    bare = {"intent": "run_cost", "wanted": None, "clarify": None}
    bare["kind"] = "finetune" if tuned else "training"
    free = query.model_copy(update=dict.fromkeys(money) | bare)
    found = []
    for size in TUNED_B if tuned else TRAINED_B:
        tokens = query.dataset_tokens or COMPUTE_OPTIMAL * size * 1e9
        sized = free.model_copy(update={"params_b": size, "dataset_tokens": tokens})
        if priced := _priced_run(sized, shop, defaults):
            found.append(TrainedSize(size, tokens, priced[1]))
    return tuple(found)


RunSpec = TrainingSpec | FineTuneSpec
TUNED: tuple[TuningMethod, ...] = ("full", "lora", "qlora")


def by_method(
    query: Query, shop: Shop, defaults: Defaults
) -> tuple[tuple[RunSpec, JobOption], ...]:
    """The named model's run on as much data as is usual, by each method it may be."""
    open_ = query.kind == "finetune" and not query.method
    bare = {"clarify": None, "wanted": None}
    ways = [{"method": (name,)} for name in TUNED] if open_ else [{}]
    asked = (query.model_copy(update=bare | way) for way in ways)
    found = (_priced_run(one, shop, defaults) for one in asked)
    return tuple(one for one in found if one)


def _priced_run(
    query: Query, shop: Shop, defaults: Defaults
) -> tuple[RunSpec, JobOption] | None:
    """A run and its best way; None: it is none, or nothing does it."""
    resolved = resolve(query, shop.reference, defaults)
    if isinstance(resolved, Unresolved) or not isinstance(resolved.spec, RunSpec):
        return None
    best = unhurried_job(resolved, resolved.spec, shop).best
    return (resolved.spec, best) if best is not None else None


def largest_for(found: tuple[TrainedSize, ...], usd: Decimal) -> float | None:
    """The size that a sum trains, between those that were priced; None: not the least.

    On tokens in proportion to its size a run costs as the size squared, on a stated
    number of them as the size.
    """
    paid = [one for one in found if one.option.usd <= usd]
    if not paid:
        return None
    best = paid[-1]
    power = 0.5 if best.tokens == COMPUTE_OPTIMAL * best.params_b * 1e9 else 1.0
    return best.params_b * float(math.pow(usd / best.option.usd, power))


FIRST_TRIED = 1e9
"""Tokens of the run by which a sum is turned into tokens; a run costs as its tokens."""
ROUNDS = 2


def tokens_for(
    query: Query,
    most: Decimal,
    shop: Shop,
    defaults: Defaults,
    of: Literal["usd", "hours"] = "usd",
) -> TrainedSize | None:
    """The tokens that a sum, or so many hours of all GPUs, trains the named model on.

    None: nothing trains it.
    """
    money = ("budget_amount", "budget_currency", "budget_period")
    free = query.model_copy(update=dict.fromkeys(money) | {"clarify": None})
    tokens, found = FIRST_TRIED, None
    for _ in range(ROUNDS):
        sized = free.model_copy(update={"dataset_tokens": tokens, "wanted": None})
        priced = _priced_run(sized, shop, defaults)
        if priced is None or not getattr(priced[1], of):
            return None
        spec, best = priced
        found = TrainedSize(spec.model.params_b, tokens, best)
        tokens *= float(most / getattr(best, of))
    return found

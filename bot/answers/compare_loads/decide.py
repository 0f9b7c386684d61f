"""X or Y under one load: GPUs, formats, sellers, ways to pay."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from bot.answers.capacity.decide import capacity
from bot.answers.compare_loads.view import explain_load, load_view
from bot.answers.served import serving
from bot.answers.shared.page import Page
from bot.answers.shared.workload import has_model, said_so, spec_of, with_model
from bot.question.question import Answered, Question
from core.answers.compare import LoadComparison, compare_under_load
from core.market.contenders import Contender
from core.market.recommendation import Option
from core.query import RATES, Query
from core.reference.catalogue import Reference
from core.sizing.serving import recommend_serving

USUAL = ("l40s", "a100-80gb-sxm", "h100-80gb-sxm", "h200-sxm", "b200", "mi300x")
"""What a single GPU is held against where nothing else is named."""


def under_load(question: Question, alternatives: Sequence[Contender]) -> Answered:
    query, reference = question.query, question.reference
    if query.count and not any(getattr(query, name) for name in RATES):
        return capacity(question)
    resolved = serving(with_model(question))
    if isinstance(resolved, Answered):
        return resolved
    resolved = resolved if has_model(query) else said_so(question, resolved)
    alone = alternatives[0] if len(alternatives) == 1 else None
    if alone is not None:
        alternatives = (alone, *usual_rivals([alone], reference))
    market = question.market
    spec = spec_of(resolved)
    promised = spec.constraints.sla
    if promised is not None and any(one.pricing == "spot" for one in alternatives):
        # nobody promises an uptime for spot: it is compared without
        limits = spec.constraints.model_copy(update={"sla": None})
        spec = spec.model_copy(update={"constraints": limits})
    if counted := _counted(query, alternatives):
        alternatives = counted
        free = spec.constraints.model_copy(update={"count": None})
        spec = spec.model_copy(update={"constraints": free})
    found = compare_under_load(alternatives, resolved, spec, *market)
    found = replace(found, alone=alone, elsewhere=_elsewhere(question, found))
    return Page(question).drawn(found, load_view, explain_load)


def _counted(query: Query, alternatives: Sequence[Contender]) -> tuple[Contender, ...]:
    """The count for the GPU that it stands at, as in "from 8 A100 to H100"; else none.

    The load says how many of the others it takes.
    """
    named = min(query.spans.get("gpu", ((0, 0),)))[0]
    at = query.spans.get("count", ())
    several = len({one.gpu.id for one in alternatives if one.gpu}) > 1
    if not several or len(at) != 1 or not at[0][0] < named < at[0][1]:
        return ()
    first = alternatives[0].gpu
    return tuple(
        replace(one, gpus=query.count) if one.gpu == first else one
        for one in alternatives
    )


def _elsewhere(question: Question, found: LoadComparison) -> Option | None:
    """The cheapest fleet for the load, where only hyperscalers are compared."""
    reference, named = question.reference, question.query.provider or ()
    sellers = [reference.provider(name) for name in named]
    if not found.priced or not sellers:
        return None
    if any(one is None or one.kind != "hyperscaler" for one in sellers):
        return None
    free = found.spec.constraints.model_copy(update={"providers": ()})
    spec = found.spec.model_copy(update={"constraints": free})
    market = question.market
    options = recommend_serving(found.resolved, spec, *market).options
    best = found.priced[0][1]
    cheaper = bool(options) and options[0].usd_per_month < best.usd_per_month
    return options[0] if cheaper else None


def usual_rivals(
    alternatives: Sequence[Contender], reference: Reference
) -> Iterable[Contender]:
    """What a single named GPU is held against: the usual serving GPUs."""
    named = {one.gpu.id for one in alternatives if one.gpu is not None}
    for gpu_id in USUAL:
        if gpu_id not in named and gpu_id in reference.gpus:
            yield Contender(gpu=reference.gpus[gpu_id])

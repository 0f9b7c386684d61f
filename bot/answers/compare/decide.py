"""Answers that decide: X or Y, self-host or API, what idles, what a word means."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.answers.compare.specs import explain_specs, specs_view
from bot.answers.compare.upgrade import explain_upgrade, upgrade_view
from bot.answers.compare.view import contender_name, explain_load, load_view
from bot.answers.glossary.view import glossary_view, unknown_word_view
from bot.answers.prices.decide import rented_hours
from bot.answers.prices.offers import explain_offers, offers_view
from bot.answers.shared.problems import unreadable_view, unresolved_view
from bot.answers.shared.serving import (
    capacity,
    fit,
    has_model,
    price_unknown,
    said_so,
    serving,
    spec_of,
    with_model,
)
from bot.answers.shared.spending import several_held_to_budget
from bot.language.names import names
from bot.question.question import Answered, Question
from core.answers.capacity import LOAD_FIELDS
from core.answers.compare import (
    LoadComparison,
    OfferComparison,
    compare_offers,
    compare_under_load,
)
from core.answers.glossary import glossary
from core.answers.specs import compare_specs
from core.answers.upgrade import answer_upgrade
from core.hardware import GpuSpec
from core.market.contenders import Contender, Machine, contenders
from core.market.named_gpus import named_gpus
from core.market.recommendation import Option
from core.money.costs import exact
from core.query import Query
from core.reference.catalogue import Reference
from core.resolve import Unresolved, resolve
from core.resolve.constraints import resolve_constraints
from core.sizing.serving import recommend_serving
from core.wording import dollars, duration
from core.workload import Resolved

YARDSTICKS = (32.0, 8.0)
"""Models that GPUs are measured with where none is named: one that fits a single card
of 80 GB in 8 bit, one for smaller cards."""
LARGE_GB = 79
USUAL = ("l40s", "a100-80gb-sxm", "h100-80gb-sxm", "h200-sxm", "b200", "mi300x")
"""What a single GPU is held against where nothing else is named."""


def compare(question: Question) -> Answered | None:
    """X or Y, by what the question gives: a fleet in hand, a load, a size, names.

    None: a workload without any alternatives, which is a question of size.
    """
    query, reference = question.query, question.reference
    problem = resolve(query, reference, question.defaults)
    if isinstance(problem, Unresolved) and problem.unknown:
        return Answered(unresolved_view(query, problem))
    gpus = named_gpus(query, reference)
    if query.utilization is not None and query.count is not None and len(gpus) > 1:
        return _upgrade(question, gpus)
    alternatives = contenders(query, reference, _machines(query))
    if has_model(query) and len(alternatives) < 2 and not gpus:
        return None
    if has_model(query) or len(query.precision or ()) > 1:
        return _under_load(question, alternatives)
    sized = query.count is not None or query.instance is not None
    sellers = len(query.provider or ()) > 1 or len(query.pricing or ()) > 1
    if len(alternatives) > 1 and (sized or sellers or len(gpus) < 2):
        return _at_size(question, alternatives)
    return _specs(question, gpus)


def _machines(query: Query) -> dict[str, Machine]:
    known = names().machines
    found = {name: known.get(name.lower()) for name in query.instance or ()}
    return {
        name: Machine(machine.gpu, machine.count, machine.provider)
        for name, machine in found.items()
        if machine is not None
    }


def _under_load(question: Question, alternatives: Sequence[Contender]) -> Answered:
    query, reference = question.query, question.reference
    if query.count and not any(getattr(query, name) for name in LOAD_FIELDS):
        return capacity(question)
    resolved = serving(with_model(question))
    if isinstance(resolved, Answered):
        return resolved
    resolved = resolved if has_model(query) else said_so(question, resolved)
    alone = alternatives[0] if len(alternatives) == 1 else None
    if alone is not None:
        alternatives = (alone, *_usual([alone], reference))
    market = (question.catalog, reference, question.now)
    spec = spec_of(resolved)
    found = compare_under_load(alternatives, resolved, spec, *market)
    found = replace(found, alone=alone, elsewhere=_elsewhere(question, found))
    place = (question.answer_id, query.text, reference, question.now)
    costs = [
        (contender_name(entry.contender, reference), option.usd_per_hour)
        for entry, option in found.priced
    ]
    view = load_view(found, *place)
    view = several_held_to_budget(view, spec.constraints, costs, question.now)
    return Answered(view, explain_load(found, *place), found)


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
    market = (question.catalog, reference, question.now)
    options = recommend_serving(found.resolved, spec, *market).options
    best = found.priced[0][1]
    cheaper = bool(options) and options[0].usd_per_month < best.usd_per_month
    return options[0] if cheaper else None


def _usual(
    alternatives: Sequence[Contender], reference: Reference
) -> Iterable[Contender]:
    """What a single named GPU is held against: the usual serving GPUs."""
    named = {one.gpu.id for one in alternatives if one.gpu is not None}
    for gpu_id in USUAL:
        if gpu_id not in named and gpu_id in reference.gpus:
            yield Contender(gpu=reference.gpus[gpu_id])


def _at_size(question: Question, alternatives: Sequence[Contender]) -> Answered:
    query, reference = question.query, question.reference
    limits = resolve_constraints(query, reference)
    market = (question.catalog, reference, question.now)
    found = compare_offers(alternatives, limits, *market)
    place = (question.answer_id, query.text, reference, question.now)
    costs = [
        (contender_name(entry.contender, reference), bill.usd_per_hour)
        for entry, bill in found.priced
    ]
    view = offers_view(found, *place)
    view = view.model_copy(
        update={"notes": (*_rented(query, found, reference), *view.notes)}
    )
    view = several_held_to_budget(view, limits, costs, question.now)
    return Answered(view, explain_offers(found, *place), found)


def _rented(
    query: Query, found: OfferComparison, reference: Reference
) -> tuple[str, ...]:
    """What each alternative costs for the days that are asked about."""
    hours = rented_hours(query)
    if hours is None:
        return ()
    each = (
        f"{contender_name(entry.contender, reference)} "
        f"{dollars(bill.usd_per_hour * exact(hours))}"
        for entry, bill in found.priced
    )
    return (f"For {duration(hours)}: {', '.join(each)}.",)


def _specs(question: Question, gpus: Sequence[GpuSpec]) -> Answered:
    query, reference = question.query, question.reference
    if not gpus:
        return Answered(unreadable_view(query))
    compared = list(gpus)
    if len(compared) < 2:
        usual = (one.gpu for one in _usual([Contender(gpu=gpus[0])], reference))
        compared += [gpu for gpu in usual if gpu and gpu.memory_gb >= LARGE_GB][:2]
    large = all(gpu.memory_gb >= LARGE_GB for gpu in compared)
    yardstick = Query(params_b=YARDSTICKS[0] if large else YARDSTICKS[1])
    resolved = serving(replace(question, query=yardstick))
    if isinstance(resolved, Answered):
        return resolved
    limits = resolve_constraints(query, reference)
    market = (question.catalog, reference, question.now)
    counts = query.gpu_counts or ()
    found = compare_specs(compared, spec_of(resolved), limits, *market, counts)
    place = (question.answer_id, query.text, reference, question.now)
    return Answered(specs_view(found, *place), explain_specs(found, *place), found)


def _upgrade(question: Question, gpus: tuple[GpuSpec, ...]) -> Answered:
    query, reference = question.query, question.reference
    resolved = resolve(query, reference, question.defaults)
    serves = isinstance(resolved, Resolved) and resolved.spec.kind == "inference"
    found = answer_upgrade(
        gpus,
        query.utilization or 1,
        resolve_constraints(query, reference),
        resolved if serves and isinstance(resolved, Resolved) else None,
        (),
        question.catalog,
        reference,
        question.now,
    )
    if found is None:
        return price_unknown(question, gpus[0])
    place = (question.answer_id, query.text, reference, question.now)
    return Answered(upgrade_view(found, *place), explain_upgrade(found, *place), found)


def explain(question: Question) -> Answered:
    """What a word means; a question about a workload is answered with its figures."""
    query, known = question.query, glossary()
    entries = known.find(query.text)
    if entries:
        view = glossary_view(entries, known, question.answer_id, query.text)
        return Answered(view, view, entries)
    if has_model(query):
        return fit(question)
    if len(query.gpu or ()) > 1 and (compared := compare(question)):
        return compared
    return Answered(unknown_word_view(known, query.text))

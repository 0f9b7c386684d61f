"""The question which model, with what the load costs at each of the usual sizes."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from bot.answers.breakeven.decide import spent_on
from bot.answers.jobs.phrases import hours_words, work_words
from bot.answers.shared.api_book import api_book
from bot.answers.shared.figures import (
    chips,
    gpu_name,
    money,
    price_sources,
    provider_name,
)
from bot.answers.shared.problems import clarify_view
from bot.answers.shared.workload import Lengths, model_words, usual_lengths
from bot.question.asks import asks
from bot.question.question import Answered, Question
from bot.render.views import Cell, Table
from bot.render.words import say
from core.answers.by_size import (
    by_method,
    by_size,
    largest_for,
    tokens_for,
    trained_by_size,
)
from core.jobs.options import JobOption
from core.market.api_market import usable_apis
from core.market.recommendation import Recommendation
from core.market.spending import Ceiling, ceiling
from core.money.api import ImpliedTokens
from core.money.costs import exact
from core.money.lifecycle import SPANS
from core.query import Query
from core.reference.catalogue import Reference
from core.resolve.constraints import places_meant, resolve_constraints
from core.resolve.serving import describe_load
from core.sizing.pay_by_use import ApiOption, api_range
from core.wording import count
from core.workload import Assumption, InferenceSpec

COLUMNS = ("Model", "Fleet", "$/month")
FEWEST = 2
"""Sizes without which there is nothing to choose from."""


def priced_by_size(question: Question) -> Answered | None:
    """Ask for the model beside what each size costs; None: something else is asked."""
    query = question.query
    asked = query.clarify
    if asked is None or query.unknown or query.wanted:
        return None
    if asked.about == ("dataset_tokens",):
        return _tokens(question) or _by_method(question)
    if asked.about != ("model",):
        return None
    if query.modality is not None:
        return None
    tuned = query.kind == "finetune" and query.dataset_tokens is not None
    if query.kind == "training" or tuned:
        return _trained(question)
    return _served(question) if query.kind in (None, "inference") else None


def _budget(question: Question) -> Ceiling | None:
    """The sum that is stated for a run; None: none is."""
    query = question.query
    once = query.model_copy(update={"budget_period": query.budget_period or "total"})
    limits = resolve_constraints(once, question.reference)
    return ceiling(limits.budget, question.now)


def _tokens(question: Question) -> Answered | None:
    """How many tokens a sum trains the named model on; None: no sum is stated."""
    query, most = question.query, _budget(question)
    if most is None:
        return None
    found = tokens_for(query, most.usd, question.shop, question.defaults)
    if found is None:
        return None
    option = found.option
    view = clarify_view(query)
    told = say(
        "by_size.tokens",
        budget=most.words,
        tokens=float(f"{found.tokens * float(most.usd / option.usd):.2g}"),
        gpus=option.gpus,
        gpu_name=gpu_name(option.plan.gpu),
        seller=provider_name(option.offer.provider, question.reference),
        hours=float(option.hours * most.usd / option.usd),
    )
    changes = {
        "verdict": f"{told}. {view.verdict}",
        "small_print": (price_sources([option.offer]),),
    }
    return Answered(view.model_copy(update=changes))


def _by_method(question: Question) -> Answered | None:
    """The GPUs that each method takes, whatever the data; None: nothing does it."""
    query = question.query
    found = by_method(query, question.shop, question.defaults)
    if not found or query.modality is not None:
        return None
    view = clarify_view(query)
    rows = tuple(
        (
            Cell(text=work_words(spec).partition(" of ")[0]),
            *_trained_row(option, spec.tokens, question.reference),
        )
        for spec, option in found
    )
    takes = [
        f"{row[0].text} {option.gpus} × {gpu_name(option.plan.gpu)}"
        + (say("by_size.lean") if option.plan.lean else "")
        for row, (_, option) in zip(rows, found, strict=True)
    ]
    named = ", ".join(takes)
    told = say("by_size.takes", takes=f"{named[0].upper()}{named[1:]}")
    why = say("by_size.usual_data")
    if query.kind != "finetune":
        spec, best = found[0]
        told = say(
            "by_size.trained_takes",
            takes=takes[0].removeprefix(f"{rows[0][0].text} "),
            tokens=spec.tokens,
            usd=best.usd,
            hours=float(best.hours),
        )
        why = say("by_size.optimal")
    changes = {
        "verdict": f"{told} {view.verdict}",
        "why": f"{why} {view.why}",
        "table": Table(
            caption=say("by_size.by_method"),
            columns=("Run", "Tokens", "Fleet", "$", "Time"),
            rows=rows,
            whole=True,
        ),
        "small_print": (price_sources(option.offer for _, option in found),),
    }
    return Answered(view.model_copy(update=changes))


def _trained(question: Question) -> Answered | None:
    """What training from scratch costs by size, and the size that a budget trains."""
    query, reference = question.query, question.reference
    found = trained_by_size(query, question.shop, question.defaults)
    if len(found) < FEWEST:
        return None
    view = clarify_view(query)
    verdict = view.verdict
    most = _budget(question)
    if most is not None:
        size = largest_for(found, most.usd)
        least = found[0].option.usd
        told = (
            say("by_size.trains_none", budget=most.words, usd=least)
            if size is None
            else say("by_size.trains", budget=most.words, size=size)
        )
        capped = query.dataset_tokens is not None or query.kind == "finetune"
        if capped and size is not None and size >= found[-1].params_b:
            told = say("by_size.trains_all", budget=most.words, size=found[-1].params_b)
        verdict = f"{told}. {verdict}"
    why = say("by_size.on_stated_tokens")
    if query.kind == "finetune":
        why = say("by_size.tuned_on_stated_tokens")
    elif query.dataset_tokens is None:
        why = say("by_size.optimal")
    table = Table(
        caption=say("by_size.trained_by_size"),
        columns=("Model", "Tokens", "Fleet", "$", "Time"),
        rows=tuple(
            (
                Cell(text=f"{one.params_b:g}B", value=one.params_b),
                *_trained_row(one.option, one.tokens, reference),
            )
            for one in found
        ),
        whole=True,
    )
    changes = {
        "verdict": verdict,
        "why": why,
        "table": table,
        "small_print": (price_sources(one.option.offer for one in found),),
    }
    return Answered(view.model_copy(update=changes))


def _trained_row(
    option: JobOption, tokens: float, reference: Reference
) -> tuple[Cell, ...]:
    seller = provider_name(option.offer.provider, reference)
    return (
        Cell(text=count(tokens), value=tokens),
        Cell(text=f"{option.gpus} × {gpu_name(option.plan.gpu)}, {seller}"),
        money(option.usd),
        Cell(text=hours_words(option.hours), value=float(option.hours)),
    )


def _served(question: Question) -> Answered | None:
    """What a load costs with a model of each usual size."""
    query = question.query
    if query.budget_amount is not None:
        from bot.answers.affordable.decide import what_it_buys

        return what_it_buys(question)
    known = (question.catalog, question.reference, question.defaults, question.now)
    found = by_size(query, *known)
    if len(found) < FEWEST:
        return None
    spent = spent_on(query, _model(found[0]), question.now)
    if spent is not None:  # the bill tells the load
        billed = _model(found[0])
        load = {
            "requests_per_month": float(spent[1].requests),
            "input_tokens": billed.input_tokens,
            "output_tokens": billed.output_tokens,
        }
        found = by_size(query.model_copy(update=load), *known)
    if len(found) < FEWEST:
        return None
    first, last = found[0], found[-1]
    middle = found[len(found) // 2]
    least, usual, most = (one.options[0] for one in (first, middle, last))
    view = clarify_view(query)
    times, unit = _asked_unit(query)
    verdict = say(
        "by_size.verdict",
        question=view.verdict,
        usual_usd=times * usual.usd_per_month,
        usual_name=_model(middle).model.name,
        usual_gpus=usual.gpus,
        usual_gpu=gpu_name(usual.plan.gpu),
        usual_seller=provider_name(usual.offer.provider, question.reference),
        usd=times * least.usd_per_month,
        name=_model(first).model.name,
        usd_2=times * most.usd_per_month,
        name_2=_model(last).model.name,
        unit=unit,
    )
    spec = _model(first)
    apis = [_by_api(question, _model(one)) for one in found]
    lengths = usual_lengths(map(_model, found))
    rows = [_row(one, lengths, question.reference) for one in found]
    columns: tuple[str, ...] = COLUMNS
    if any(apis):
        columns = (*COLUMNS, say("by_size.by_api"))
        dash = Cell(text="–")
        rows = [
            (*row, money(api.usd_per_month) if api else dash)
            for row, api in zip(rows, apis, strict=True)
        ]
    told = view.model_copy(
        update={
            "verdict": _against_spend(spent, found, query)
            or _self_or_api(question, found, apis) + verdict,
            "why": (_self_or_api(question, found, apis) if spent else "")
            + _there(query)
            + " ".join(
                (
                    say(
                        "by_size.the_load",
                        load=describe_load(spec.load),
                        input_tokens=lengths[0],
                        output_tokens=lengths[1],
                        peak=1 / spec.load.average_share,
                    ),
                    view.why,
                )
            ),
            "table": Table(
                caption=say("by_size.by_model"),
                columns=columns,
                rows=tuple(rows),
                whole=True,
            ),
            "chips": chips(_shared(found)),
            "small_print": (price_sources(one.options[0].offer for one in found),),
        }
    )
    return Answered(told)


def _by_api(question: Question, spec: InferenceSpec) -> ApiOption | None:
    """The going price of a size's load by the token; None: none, or ruled out."""
    query = question.query
    own = query.self_hosted and query.intent != "breakeven"
    if query.no_api or own or spec.constraints.providers or query.owned:
        return None
    book = api_book(query, spec.model, question.now)
    if book.similar:
        return None
    sold = api_range(spec, usable_apis(book.hosted, spec, question.reference))
    return sold.going if sold else None


def _self_or_api(
    question: Question,
    found: Sequence[Recommendation],
    apis: Sequence[ApiOption | None],
) -> str:
    """Which of the two costs less at these sizes, where that is asked."""
    pairs = zip(found, apis, strict=True)
    less = {
        _model(one).model.name: api.usd_per_month < one.options[0].usd_per_month
        for one, api in pairs
        if api is not None
    }
    asked = question.query.intent == "breakeven"
    if not less or not (asked or all(less.values())):
        return ""
    if all(less.values()):
        return say("by_size.api_costs_less")
    if not any(less.values()):
        return say("by_size.renting_costs_less")
    names = ", ".join(name for name, cheaper in less.items() if cheaper)
    return say("by_size.api_is_cheaper_for_some", names=names)


def _against_spend(
    spent: tuple[Decimal, ImpliedTokens] | None,
    found: Sequence[Recommendation],
    query: Query,
) -> str:
    """What is paid for an API, and what GPUs for as many requests save of it."""
    if spent is None:
        return ""
    paid, tokens = spent
    bills = [(one.options[0].usd_per_month, _model(one).model.name) for one in found]
    less = ", ".join(
        say("by_size.saves", name=name, usd=usd, saved=paid - usd)
        for usd, name in bills
        if usd < paid
    )
    told = say("by_size.hosting_saves", less=less) if less else ""
    yes = say("by_size.yes") if asks(query, "gain") and less else ""
    return yes + say(
        "by_size.against_spend",
        paid=paid,
        requests=float(tokens.requests),
        told=told or say("by_size.saves_nothing"),
    )


def _there(query: Query) -> str:
    """That every row stands where it was asked for; empty: anywhere will do."""
    places = [place.replace("-", " ") for place in places_meant(query)]
    named = [one.upper() if len(one) < 4 else one.title() for one in places]
    return say("by_size.all_there", places=" or ".join(named)) if named else ""


def _asked_unit(query: Query) -> tuple[Decimal, str]:
    """By what a month's bill is multiplied for the unit that is asked for."""
    if query.asked_unit == "user" and query.users:
        return 1 / exact(query.users), say("by_size.user_and_month")
    span = query.asked_unit if query.asked_unit in SPANS else "month"
    return exact(SPANS.get(span, 1)), span


def _shared(found: Sequence[Recommendation]) -> Iterator[Assumption]:
    """What is assumed of the load, the same with every model."""
    first, *others = (one.resolved.assumptions for one in found)
    told = [{(one.field, one.value) for one in each} for each in others]
    for one in first:
        if all((one.field, one.value) in each for each in told):
            yield one


def _model(found: Recommendation) -> InferenceSpec:
    spec = found.resolved.spec
    if not isinstance(spec, InferenceSpec):
        raise TypeError(spec)
    return spec


def _row(
    found: Recommendation, usual: Lengths, reference: Reference
) -> tuple[Cell, ...]:
    best = found.options[0]
    seller = provider_name(best.offer.provider, reference)
    return (
        Cell(text=model_words(_model(found), usual)),
        Cell(text=f"{best.gpus} × {gpu_name(best.plan.gpu)}, {seller}"),
        money(best.usd_per_month),
    )

"""Whether a reservation pays."""

from msgspec.structs import replace

from bot.answers.prices.history import price_chart
from bot.answers.prices.moves import lines_in_words
from bot.answers.served import fleets
from bot.answers.shared.figures import gpu_name
from bot.answers.shared.page import Page
from bot.answers.terms.view import explain_terms, terms_view
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.terms import FleetTerms, TermsAnswer, answer_terms
from core.market.named_gpus import named_gpus
from core.market.recommendation import Option
from core.resolve.constraints import resolve_constraints
from core.workload import Resolved
from prices.history.series import Wanted


def terms(question: Question) -> Answered | None:
    """Whether a reservation pays, for named GPUs or for those that a load takes.

    None: no GPU is named and no load is told, or no price is known.
    """
    query, reference = question.query, question.reference
    sized = _fleet(question)
    gpus = (sized[0].plan.gpu,) if sized else named_gpus(query, reference)
    if not gpus:
        return None
    limits = resolve_constraints(query, reference)
    if sized is not None:
        fleet = {"count": sized[0].gpus, "gpus": (gpus[0].id,)}
        limits = limits.model_copy(update=fleet)
    market = question.market
    kind = FleetTerms if sized else TermsAnswer
    busy = query.utilization or 1
    cards = gpus[:1] if sized else reference.gpus_named((query.gpu or ("",))[0])
    each = (answer_terms(card, limits, *market, busy, kind) for card in cards)
    known = [one for one in each if one is not None]
    found = next((one for one in known if one.terms), known[0] if known else None)
    if found is None:
        return None
    found = replace(found, least=query.least_in_use)
    page = Page(question)
    if sized is None or not isinstance(found, FleetTerms):
        return _with_trend(page.drawn(found, terms_view, explain_terms), found, page)
    option, resolved = sized
    told = page.drawn(replace(found, resolved=resolved), terms_view, explain_terms)
    return told.redrawn(verdict=f"{_sized_for(option)} {told.view.verdict}")


def _with_trend(told: Answered, found: TermsAnswer, page: Page) -> Answered:
    """How the hourly price moved before, where that is asked as well."""
    question = page.question
    if question.query.wanted != "price_history":
        return told
    hourly = Wanted(found.gpu.id, pricing="on_demand", until=question.now)
    series = question.store.series(hourly)
    known = question.reference, question.now
    moved = lines_in_words(price_chart(series, gpu_name(found.gpu), *known))
    return told.noted(say("terms.moved", moved=moved))


def _fleet(question: Question) -> tuple[Option, Resolved] | None:
    """The best fleet by the hour for a stated load; None: no load is stated."""
    free = {"pricing": None, "term_months": None, "wanted": None, "intent": "size"}
    query = question.query.model_copy(update=free)
    sized = None if query.count else fleets(question, query)
    return (sized.options[0], sized.resolved) if sized else None


def _sized_for(sized: Option) -> str:
    """Where the GPUs come from: the load, sized as any other."""
    plan = sized.plan
    return say(
        "terms.sized_for_model",
        gpus=sized.gpus,
        gpu_name=gpu_name(plan.gpu),
        model=plan.capacity.model_name,
        weights=plan.weights.upper(),
    )

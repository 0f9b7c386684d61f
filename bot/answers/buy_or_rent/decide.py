"""Buying against renting the same GPUs."""

from bot.answers.buy_or_rent.view import explain_owning, owning_view
from bot.answers.shared.figures import gpu_name
from bot.answers.shared.page import Page
from bot.answers.shared.problems import not_known
from bot.answers.shared.workload import usual_use
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.ownership import answer_owning
from core.market.named_gpus import named_gpus
from core.resolve.constraints import resolve_constraints


def buy_or_rent(question: Question) -> Answered | None:
    """Buying against renting the same GPUs; None: no GPU is named."""
    query, reference, page = question.query, question.reference, Page(question)
    gpus = named_gpus(query, reference)
    if not gpus:
        return None
    used, assumed = (
        usual_use(question) if not query.utilization else (query.utilization, ())
    )
    limits = resolve_constraints(query, reference)
    limits = limits.model_copy(update={"pricing": (), "term_months": None})
    market = (question.catalog, reference, question.now)
    found = answer_owning(query, gpus[0], limits, used, assumed, *market)
    if found is None:
        name = gpu_name(gpus[0])
        return not_known(
            page,
            say("buy_or_rent.no_purchase_price_rent", name=name),
            say("buy_or_rent.state_the_price_of"),
        )
    return page.drawn(found, owning_view, explain_owning)

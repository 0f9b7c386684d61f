"""What a budget serves at most, where no load is stated."""

from bot.answers.budget.view import budget_view, explain_budget
from bot.answers.shared.page import Page
from bot.answers.shared.workload import load_stated, spec_of
from bot.question.question import Answered, Question
from core.answers.budget import answer_budget, monthly_budget
from core.workload import Resolved


def most_for(question: Question, resolved: Resolved) -> Answered | None:
    """What a budget serves at most; None: a load is stated, or nothing fits in it.

    So many replicas are what is to be had for it: they are priced as they are.
    """
    query = question.query
    spec = spec_of(resolved)
    budget = spec.constraints.budget
    told = load_stated(query) or query.count is not None or query.least_replicas
    if budget is None or told:
        return None
    monthly = monthly_budget(budget, spec, question.now)
    if monthly is None:
        return None
    market = question.market
    usd, rate = monthly
    found = answer_budget(resolved, spec, usd, rate, *market)
    if not found.carried:
        return None
    return Page(question).drawn(found, budget_view, explain_budget)

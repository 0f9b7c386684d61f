"""Hosted APIs alone: a bill by the token, where nobody asked for GPUs."""

from bot.answers.api_bill.view import api_bill_view, explain_api_bill
from bot.answers.served import serving
from bot.answers.shared.api_book import api_book
from bot.answers.shared.page import Page
from bot.answers.shared.workload import load_stated, spec_of, with_model
from bot.question.question import Answered, Question
from core.answers.api_bill import api_bill

BILLED = ("cost", "size")
"""Intents that a bill answers where the weights are nobody's to host."""


def billed_by_token(question: Question) -> Answered | None:
    """The bill of a named API for a stated load; None: something else is asked.

    Which open model would stand in its place need not be known for it.
    """
    query = question.query
    hardware = query.gpu or query.instance or query.model or query.params_b
    if (
        not (query.compare_api and load_stated(query) and query.intent in BILLED)
        or hardware
    ):
        return None
    # The model that stands in gives the bill nothing but a shape for the load.
    resolved = serving(with_model(question))
    if isinstance(resolved, Answered):
        return None
    spec = spec_of(resolved)
    flow = query.tokens_per_day is not None or query.tokens_per_month is not None
    named = api_book(query, spec.model, question.now).named
    found = api_bill(resolved, spec, named, flow)
    if found is None:
        return None
    return Page(question).drawn(found, api_bill_view, explain_api_bill)

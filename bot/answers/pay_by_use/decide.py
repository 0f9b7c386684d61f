"""A small load by the token, by the second, and on a GPU of its own."""

from msgspec.structs import replace

from bot.answers.pay_by_use.view import explain_paybyuse, paybyuse_view
from bot.answers.served import serving
from bot.answers.shared.api_book import api_book
from bot.answers.shared.page import Page
from bot.answers.shared.problems import unreadable_view
from bot.answers.shared.workload import has_model, spec_of
from bot.question.question import Answered, Question
from bot.render.words import say
from core.market.recommendation import Recommendation
from core.sizing.pay_by_use import pay_by_use
from core.sizing.serving import recommend_serving


def small_load(question: Question) -> Answered:
    """A load by the token, by the second, and on a GPU of its own."""
    if not has_model(question.query):
        return Answered(unreadable_view(question.query))
    resolved = serving(question)
    if isinstance(resolved, Answered):
        return resolved
    free = spec_of(resolved)
    market = question.market
    sized, told = recommend_serving(resolved, free, *market), ""
    if not sized.options and free.constraints.pricing:
        # nobody sells it that way: the hour is what serverless is held against
        limits = free.constraints.model_copy(update={"pricing": ()})
        free = free.model_copy(update={"constraints": limits})
        sized = recommend_serving(resolved, free, *market)
        told = say("pay_by_use.not_sold_that_way")
    found = by_use(question, sized)
    if found is None:
        return Answered(unreadable_view(question.query))
    return found.noted(told) if told else found


def by_use(question: Question, sized: Recommendation) -> Answered | None:
    """The pay-by-use answer to a sized load; None: nobody sells it by use."""
    query = question.query
    spec = spec_of(sized.resolved)
    best = sized.options[0] if sized.status == "ok" else None
    book = api_book(query, spec.model, question.now)
    market, hosted = question.market, book.hosted
    if spec.constraints.serverless and book.similar:
        hosted = ()  # two ways to run this model: an API of another is none of them
    found = pay_by_use(sized.resolved, spec, best, hosted, book.similar, *market)
    if found.api is None and not found.serverless:
        return None
    own = () if found.pays else sized.levers
    cached = tuple(one for one in own if one.rule == "prefix-caching")
    found = replace(found, fleet_picks=sized.fleet_picks, levers=cached)
    return Page(question).drawn(found, paybyuse_view, explain_paybyuse)

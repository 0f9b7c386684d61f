"""The same hardware at several sellers, or several machines."""

from collections.abc import Sequence

from msgspec.structs import replace

from bot.answers.compare_sellers.view import explain_offers, offers_view
from bot.answers.shared.figures import provider_name
from bot.answers.shared.page import Page
from bot.answers.shared.workload import rented_hours
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.compare import compare_offers
from core.market.contenders import Contender
from core.resolve.constraints import resolve_constraints
from core.units import HOURS_PER_MONTH


def at_size(question: Question, alternatives: Sequence[Contender]) -> Answered:
    """The bill of each alternative at the stated size."""
    limits = resolve_constraints(question.query, question.reference)
    market = question.market
    query = question.query
    live = query.kind == "inference" and not query.interruptible
    found = compare_offers(alternatives, limits, *market, live=live)
    months = int((rented_hours(query) or 0) / HOURS_PER_MONTH)
    if months and not query.pricing:
        term = {"pricing": ("reserved",), "term_months": months}
        held = limits.model_copy(update=term)
        terms = compare_offers(alternatives, held, *market)
        found = replace(found, reserved=() if terms.any_pricing else terms.priced)
    if found.priced or not limits.sla:
        return Page(question).drawn(found, offers_view, explain_offers)
    freely = compare_offers(alternatives, replace(limits, sla=None), *market, live=live)
    drawn = Page(question).drawn(freely, offers_view, explain_offers)
    if not freely.priced:
        return drawn
    sellers = {bill.offer.provider: None for _, bill in freely.priced}
    names = " or ".join(provider_name(one, question.reference) for one in sellers)
    why = say("compare_sellers.none_promises", names=names, sla=limits.sla)
    return drawn.redrawn(why=f"{why} {drawn.view.why}".strip())

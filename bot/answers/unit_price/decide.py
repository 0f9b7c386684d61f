"""What a million tokens costs on each GPU, full and as used as GPUs are."""

from bot.answers.served import serving
from bot.answers.shared.api_book import api_book
from bot.answers.shared.page import Page
from bot.answers.shared.workload import spec_of
from bot.answers.unit_price.view import explain_unit_price, unit_price_view
from bot.question.question import Answered, Question
from core.answers.unit_price import UnitPriceAnswer, answer_unit_price
from core.patterns import regex
from core.query import Query
from core.workload import InferenceSpec


def unit_price(question: Question) -> Answered | None:
    """What a million tokens costs on each GPU; None: so few do not serve it in time."""
    resolved = serving(question)
    if isinstance(resolved, Answered):
        return resolved
    spec, query = _as_used(spec_of(resolved), question.query), question.query
    book = api_book(query, spec.model, question.now)

    def priced(spec: InferenceSpec) -> UnitPriceAnswer:
        return answer_unit_price(
            resolved, spec, book.hosted, book.similar, *question.market
        )

    found = priced(spec)
    if _names_one(query) and (one := priced(_on_one(spec))).best:
        found = one
    if query.count and found.best is None:
        return None
    return Page(question).drawn(found, unit_price_view, explain_unit_price)


def _as_used(spec: InferenceSpec, query: Query) -> InferenceSpec:
    """The share of the day in which it works, of GPUs that are paid all day."""
    if not query.hours_per_day or query.utilization is not None:
        return spec
    load = spec.load.model_copy(update={"average_share": query.hours_per_day / 24})
    return spec.model_copy(update={"load": load})


_ONE = regex(r"\b(?:an?|one|single|ein\w*|une?|una)\s(?:nvidia |amd )?$")


def _names_one(query: Query) -> bool:
    """Whether a single GPU is named: "on an L4"."""
    text, places = query.text.lower(), query.spans.get("gpu", ())
    return any(_ONE.search(text[:start]) for start, _ in places)


def _on_one(spec: InferenceSpec) -> InferenceSpec:
    limits = spec.constraints.model_copy(update={"count": 1})
    return spec.model_copy(update={"constraints": limits})

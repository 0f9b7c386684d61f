"""A pile of requests that an API would take in batches."""

from msgspec.structs import replace

from bot.answers.batch_or_api.view import batch_or_api_view
from bot.answers.jobs.why import explain_job
from bot.answers.shared.api_book import api_book
from bot.answers.shared.page import Page
from bot.answers.shared.problems import unreadable_view, unresolved_view
from bot.answers.shared.workload import has_model, said_so, with_model
from bot.question.question import Answered, Question
from bot.render.views import AnswerView
from core.answers.batch_or_api import BatchOrApi, weigh_batch
from core.jobs.answer import answer_job
from core.market.api_market import usable_apis
from core.resolve import Unresolved, resolve
from core.workload import BatchSpec


def batch_or_api(question: Question) -> Answered:
    """Own GPUs against the batches of APIs, for one pile."""
    query, reference = question.query, question.reference
    asked = with_model(
        replace(question, query=query.model_copy(update={"count": None}))
    )
    resolved = resolve(asked.query, reference, question.defaults)
    if isinstance(resolved, Unresolved):
        return Answered(unresolved_view(query, resolved))
    resolved = resolved if has_model(query) else said_so(question, resolved)
    spec = resolved.spec
    if not isinstance(spec, BatchSpec):
        return Answered(unreadable_view(query))
    job = answer_job(resolved, spec, question.shop)
    book = api_book(query, spec.model, question.now)
    book = replace(book, hosted=usable_apis(book.hosted, spec, reference))
    found = weigh_batch(job, spec, book, query.batch_discount)
    return Page(question).drawn(found, batch_or_api_view, _explained)


def _explained(found: BatchOrApi, page: Page) -> AnswerView:
    return explain_job(found.job, page)

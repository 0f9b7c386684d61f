"""Answers about a pile of requests that an API would take in batches."""

from dataclasses import replace

from bot.answers.batch_or_api.view import batch_or_api_view
from bot.answers.jobs.why import explain_job
from bot.answers.shared.api_book import api_book
from bot.answers.shared.problems import unreadable_view, unresolved_view
from bot.answers.shared.serving import has_model, said_so, with_model
from bot.question.question import Answered, Question
from core.answers.batch_or_api import weigh_batch
from core.jobs.answer import answer_job
from core.jobs.recommend import Shop
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
    job = answer_job(resolved, spec, Shop(question.catalog, reference, question.now))
    book = api_book(query, spec.model, question.now)
    sold = usable_apis(book.hosted, spec.constraints, reference)
    book = replace(book, hosted=sold)
    found = weigh_batch(job, spec, book, query.batch_discount)
    place = (question.answer_id, query.text, reference, question.now)
    view = batch_or_api_view(found, *place)
    return Answered(view, explain_job(job, spec, *place), job)

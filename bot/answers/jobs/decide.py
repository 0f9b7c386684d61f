"""Batches, fine-tunes and training runs: what a job costs, and on what."""

from bot.answers.jobs.unfit import job_no_view
from bot.answers.jobs.view import job_view
from bot.answers.jobs.why import explain_job
from bot.answers.shared.api_book import hosted_prices
from bot.answers.shared.page import Page
from bot.question.question import Answered, Question
from core.jobs.answer import answer_job
from core.workload import BatchSpec, JobSpec, Resolved


def job(question: Question, resolved: Resolved, spec: JobSpec) -> Answered:
    """What a job costs; an API that serves the same weights is among its levers."""
    by_token = isinstance(spec, BatchSpec) and not spec.constraints.gpus
    apis = hosted_prices(spec.model, question.now) if by_token else ()
    found = answer_job(resolved, spec, question.shop, apis)
    view = job_view if found.status == "ok" else job_no_view
    return Page(question).drawn(found, view, explain_job)

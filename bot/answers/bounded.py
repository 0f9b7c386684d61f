"""A resolved workload that is not live serving: a job that ends, or media."""

from bot.answers.jobs.decide import job
from bot.answers.media.decide import media
from bot.question.question import Answered, Question
from core.jobs.options import is_job
from core.workload import MediaSpec, Resolved


def bounded(question: Question, resolved: Resolved) -> Answered | None:
    """The answer to a resolved workload that is not live serving; None: it is."""
    spec = resolved.spec
    if isinstance(spec, MediaSpec):
        return media(question, resolved, spec)
    return job(question, resolved, spec) if is_job(spec) else None

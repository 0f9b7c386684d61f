"""Whether a run fits the named GPUs, with its memory as a sum."""

from msgspec.structs import replace

from bot.answers.jobs.why import explain_job
from bot.answers.run_fit.view import run_fit_view
from bot.answers.shared.page import Page
from bot.answers.shared.problems import unreadable_view, unresolved_view
from bot.question.question import Answered, Question
from core.jobs.answer import answer_job
from core.resolve import Unresolved, resolve
from core.resolve.mixed import training_part
from core.workload import BatchSpec, is_job


def run_fit(question: Question) -> Answered:
    """Whether a run fits the named GPUs, with its memory as a sum."""
    run = training_part(question.query)
    if run.kind == "finetune" and run.context and not run.tokens_per_sample:
        run = run.model_copy(update={"tokens_per_sample": run.context})
    resolved = resolve(run, question.reference, question.defaults)
    if isinstance(resolved, Unresolved):
        return Answered(unresolved_view(question.query, resolved))
    spec = resolved.spec
    if not is_job(spec) or isinstance(spec, BatchSpec):
        return Answered(unreadable_view(question.query))
    if spec.kind == "finetune" and run.batch_size and run.steps is None:
        held = max(round(run.batch_size), 1)
        spec = spec.model_copy(update={"micro_batch": held})
    found = answer_job(resolved, spec, question.shop)
    return Page(question).drawn(found, run_fit_view, explain_job)


def refused_outright(question: Question) -> Answered | None:
    """A run that cannot fit whatever is still unsaid; None: that has to be asked."""
    query = question.query
    if query.kind not in ("finetune", "training") or not (query.gpu and query.count):
        return None
    whole = replace(question, query=query.model_copy(update={"clarify": None}))
    answered = run_fit(whole)
    return answered if answered.view.kind == "no" else None

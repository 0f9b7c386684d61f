"""Whether a model, or several in slices of their own, fit the named GPUs."""

from bot.answers.fit.view import explain_fit, fit_view
from bot.answers.mig.view import explain_mig, mig_view
from bot.answers.served import serving
from bot.answers.shared.page import Page
from bot.answers.shared.workload import spec_of
from bot.question.question import Answered, Question
from core.answers.fit import answer_fit
from core.answers.mig import answer_mig


def fit(question: Question) -> Answered:
    """Whether a model fits; several are cut apart by MIG."""
    resolved = serving(question)
    if isinstance(resolved, Answered):
        return resolved
    query, spec, page = question.query, spec_of(resolved), Page(question)
    market = question.market
    if spec.model_count > 1:
        cut = answer_mig(query, resolved, spec, *market)
        return page.drawn(cut, mig_view, explain_mig)
    return page.drawn(answer_fit(query, resolved, spec, *market), fit_view, explain_fit)

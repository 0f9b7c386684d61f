"""Which kind of work a workload is: live, a job that ends, media, or two of them.

Whoever answers for a kind is loaded when a question first asks for it.
"""

from bot.answers.shared.problems import unreadable_view, unresolved_view
from bot.answers.shared.workload import has_model, load_stated, spec_of
from bot.question.question import Answered, Question
from core.market.recommendation import Recommendation
from core.query import Query
from core.resolve import Unresolved, resolve
from core.sizing.serving import recommend_serving
from core.workload import InferenceSpec, MediaSpec, Resolved, is_job


def serving(question: Question) -> Resolved | Answered:
    """The served workload of a question, or the answer that says why there is none."""
    query = question.query
    resolved = resolve(query, question.reference, question.defaults)
    if isinstance(resolved, Unresolved):
        return Answered(unresolved_view(query, resolved))
    if not isinstance(resolved.spec, InferenceSpec):
        return bounded(question, resolved) or Answered(unreadable_view(query))
    return resolved


def served(question: Question, query: Query) -> Resolved | None:
    """The served workload of a query; None: there is none, which is no answer yet."""
    if not has_model(query):
        return None
    found = resolve(query, question.reference, question.defaults)
    if isinstance(found, Unresolved) or not isinstance(found.spec, InferenceSpec):
        return None
    return found


def fleets(question: Question, query: Query) -> Recommendation | None:
    """The fleets for a stated load, best first; None: no load is stated, or none."""
    found = served(question, query) if load_stated(query) else None
    if found is None:
        return None
    market = question.market
    sized = recommend_serving(found, spec_of(found), *market)
    return sized if sized.options else None


def bounded(question: Question, resolved: Resolved) -> Answered | None:
    """The answer to a resolved workload that is not live serving; None: it is."""
    spec = resolved.spec
    if isinstance(spec, MediaSpec):
        from bot.answers.media.decide import media

        return media(question, resolved, spec)
    if not is_job(spec):
        return None
    from bot.answers.jobs.decide import job

    return job(question, resolved, spec)


def mixed(question: Question) -> Answered:
    """Two kinds of work: live and a pile at night, else a run and its service."""
    if question.query.day_and_night:
        from bot.answers.day_night.decide import day_night

        return day_night(question)
    from bot.answers.lifecycle.decide import lifecycle

    return lifecycle(question)

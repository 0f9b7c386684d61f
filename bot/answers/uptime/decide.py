"""Which uptime sellers commit to in writing."""

from bot.answers.shared.page import Page
from bot.answers.shared.workload import has_model, load_stated
from bot.answers.uptime.view import explain_promises, promises_view
from bot.question.question import Answered, Question
from core.answers.promised import answer_promises
from core.market.named_gpus import named_gpus


def promised(question: Question) -> Answered | None:
    """What each named seller's agreement says; None: a load is to be priced."""
    query, reference = question.query, question.reference
    if has_model(query) or load_stated(query) or query.unknown:
        return None
    said = (*(query.provider or ()), *(query.compare_api or ()))
    sellers = ((reference.provider(name), name) for name in said)
    named = tuple(dict.fromkeys(one.id if one else name for one, name in sellers))
    gpus = named_gpus(query, reference)
    least = query.sla if isinstance(query.sla, float) else None
    found = answer_promises(named, gpus[0] if gpus else None, least)
    return Page(question).drawn(found, promises_view, explain_promises)

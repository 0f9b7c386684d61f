"""Which uptime sellers commit to in writing, and what it takes to keep one."""

from msgspec.structs import replace

from bot.answers.shared.page import Page
from bot.answers.shared.workload import has_model, load_stated
from bot.answers.uptime.view import (
    explain_promises,
    promises_view,
    replica_view,
)
from bot.language.asked import NUMBERS
from bot.question.asks import asks
from bot.question.question import Answered, Question
from core.answers.promised import answer_promises
from core.market.named_gpus import named_gpus
from core.market.recommendation import Option
from core.patterns import regex
from core.query import UPTIME


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
    counted = _COPIES.search(query.text.lower())
    told = int(NUMBERS.get(counted[1], counted[1])) if counted else 1
    copies = query.least_replicas or told
    found = answer_promises(named, gpus[0] if gpus else None, least, copies)
    return Page(question).drawn(found, promises_view, explain_promises)


_COPIES = regex(
    r"\b(\d|two|three|four|five) (?:replicas|nodes|machines|servers|copies)\b"
)
SIZES = (8.0, 32.0, 70.0)
"""Billions of parameters of the models whose replica is priced."""
AT_ONCE = 10.0
"""Requests that the replica answers."""


def one_more_replica(question: Question) -> Answered | None:
    """What uptime adds to a service of which nothing is told; None: more is told."""
    query = question.query
    keeps_up = query.redundant or any(getattr(query, name) for name in UPTIME)
    adds = query.asks_difference or asks(query, "adds")
    named = query.gpu or query.count or query.provider or query.unknown
    served = has_model(query) or load_stated(query) or query.modality
    if not (keeps_up and adds) or named or served:
        return None
    from bot.answers.sizing.decide import size

    free = dict.fromkeys((*UPTIME, "redundant", "asks_difference", "wanted", "clarify"))
    alone = {
        "intent": "size",
        "kind": "inference",
        "self_hosted": True,
        "concurrency": AT_ONCE,
    }
    replicas = []
    for billions in SIZES:
        one = query.model_copy(update=free | alone | {"params_b": billions})
        found = size(replace(question, query=one)).figures
        best = found.ways[0].of if found and found.ways else None
        if isinstance(best, Option):
            replicas.append((billions, best))
    return Answered(replica_view(query, replicas, AT_ONCE, question.reference))

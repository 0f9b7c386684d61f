"""What the named GPUs carry within the latency limits."""

from collections.abc import Iterator

from msgspec.structs import replace

from bot.answers.capacity.view import capacity_view, explain_capacity
from bot.answers.served import serving
from bot.answers.shared.page import Page
from bot.answers.shared.workload import spec_of
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.capacity import CapacityAnswer, answer_capacity
from core.reference.model_classes import model_classes


def capacity(question: Question) -> Answered:
    """What the named GPUs carry within the latency limits."""
    resolved = serving(question)
    if isinstance(resolved, Answered):
        return resolved
    market = question.market
    found = answer_capacity(question.query, resolved, spec_of(resolved), *market)
    told = Page(question).drawn(found, capacity_view, explain_capacity)
    return told.noted(*_as_agents(question, found))


def _as_agents(question: Question, found: CapacityAnswer) -> Iterator[str]:
    """What the same carries where developers work with agents, if nobody says how."""
    query = question.query
    written = (query.use, query.input_tokens, query.output_tokens, query.context)
    if any(written) or found.spec.model.id not in model_classes().get("code", ()):
        return
    other = serving(replace(question, query=query.model_copy(update=AGENTS)))
    if isinstance(other, Answered) or not found.carried:
        return
    spec = spec_of(other)
    agents = answer_capacity(query, other, spec, *question.market)
    if (best := agents.best) is not None:
        yield say(
            "capacity.as_agents",
            people=max(round(best.in_flight.likely), 1),
            input_tokens=spec.input_tokens,
            cached=spec.cache_hit_rate,
        )


AGENTS = {"use": "code_agent"}

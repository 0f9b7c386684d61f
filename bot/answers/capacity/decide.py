"""What the named GPUs carry within the latency limits."""

from collections.abc import Iterator

from msgspec.structs import replace

from bot.answers.capacity.view import capacity_view, explain_capacity
from bot.answers.served import serving
from bot.answers.shared.figures import at_seller, gpu_name
from bot.answers.shared.page import Page
from bot.answers.shared.workload import spec_of
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.capacity import CapacityAnswer, answer_capacity
from core.reference.model_classes import model_classes
from core.sizing.serving import recommend_serving
from core.workload import Resolved


def capacity(question: Question) -> Answered:
    """What the named GPUs carry within the latency limits."""
    resolved = serving(question)
    if isinstance(resolved, Answered):
        return resolved
    market = question.market
    found = answer_capacity(question.query, resolved, spec_of(resolved), *market)
    told = Page(question).drawn(found, capacity_view, explain_capacity)
    told = told.noted(*_at_usual_speed(question, resolved, found))
    agents = _as_agents(question, found)
    if agents is None or agents.best is None:
        return told
    people, spec = max(round(agents.best.in_flight.likely), 1), agents.spec
    asked = question.query.concurrency
    if asked and people < asked and found.share_at_worst <= 1:
        more, plan, bill = "", agents.needed, agents.needed_bill
        if plan and bill:
            gpu, usd = gpu_name(plan.gpu), bill.usd_per_month
            more = say("capacity.agents_need", gpus=bill.gpus, gpu=gpu, usd=usd)
        verdict = say(
            "capacity.depends",
            people=people,
            asked=asked,
            more=more,
            verdict=told.view.verdict,
        )
        told = told.redrawn(verdict=verdict)
    return told.noted(
        say(
            "capacity.as_agents",
            people=people,
            input_tokens=spec.input_tokens,
            cached=spec.cache_hit_rate,
        )
    )


def _at_usual_speed(
    question: Question, resolved: Resolved, found: CapacityAnswer
) -> Iterator[str]:
    """What serves a load within the usual limits, where the named GPU does not."""
    if not (found.usual_fails and found.load_stated):
        return
    spec = spec_of(resolved)
    free = {"gpus": (), "count": None, "count_is_most": False}
    limits = spec.constraints.model_copy(update=free)
    spec = spec.model_copy(update={"constraints": limits})
    sized = recommend_serving(resolved, spec, *question.market)
    if sized.status == "ok":
        best = sized.options[0]
        yield say(
            "capacity.at_usual_speed",
            name=spec.model.name,
            gpus=best.gpus,
            gpu=gpu_name(best.plan.gpu),
            seller=at_seller(best.offer, question.reference),
            usd=best.usd_per_month,
        )


def _as_agents(question: Question, found: CapacityAnswer) -> CapacityAnswer | None:
    """What the same carries where developers work with agents, if nobody says how."""
    query = question.query
    written = (query.use, query.input_tokens, query.output_tokens, query.context)
    if any(written) or found.spec.model.id not in model_classes().get("code", ()):
        return None
    other = serving(replace(question, query=query.model_copy(update=AGENTS)))
    if isinstance(other, Answered) or not found.carried:
        return None
    return answer_capacity(query, other, spec_of(other), *question.market)


AGENTS = {"use": "code_agent"}

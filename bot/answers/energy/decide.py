"""What the power of owned GPUs costs."""

from bot.answers.energy.view import energy_view, explain_energy
from bot.answers.shared.figures import gpu_name
from bot.answers.shared.page import Page
from bot.answers.shared.problems import not_known
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.ownership import answer_energy
from core.market.named_gpus import named_gpus
from core.resolve.constraints import resolve_constraints


def energy(question: Question) -> Answered | None:
    """What the power of owned GPUs costs; None: no GPU is named."""
    query, page = question.query, Page(question)
    gpus = named_gpus(query, question.reference)
    if not gpus:
        return None
    limits = resolve_constraints(query, question.reference)
    used = query.utilization if query.utilization is not None else 1.0
    found = answer_energy(query, gpus[0], limits, used)
    if found is None:
        why = say("energy.power_draw_unknown", gpu_name=gpu_name(gpus[0]))
        return not_known(page, why, say("energy.state_price_and_watts"))
    return page.drawn(found, energy_view, explain_energy)

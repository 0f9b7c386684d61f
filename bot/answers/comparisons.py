"""X or Y: which comparison a question asks for, by what it gives."""

from msgspec.structs import replace

from bot.answers.compare_loads.decide import USUAL, under_load
from bot.answers.compare_models.decide import compare_models
from bot.answers.compare_sellers.decide import at_size
from bot.answers.compare_specs.decide import specs
from bot.answers.prices.decide import price
from bot.answers.shared.figures import gpu_name
from bot.answers.shared.problems import unresolved_view
from bot.answers.shared.workload import has_model
from bot.answers.training_comparison.decide import (
    weighed_for_training,
    weighs_for_training,
)
from bot.answers.upgrade.decide import upgrade
from bot.language.names import names
from bot.question.question import Answered, Question
from bot.render.words import say
from core.hardware import GpuSpec
from core.market.contenders import Machine, contenders
from core.market.named_gpus import named_gpus
from core.query import Query
from core.resolve import Unresolved, resolve


def compared(question: Question) -> Answered | None:
    """X or Y; None: nothing is named to choose from, which is a question of size."""
    if weighs_for_training(question.query):
        return weighed_for_training(question)
    return compare_models(question) or _compared(question)


def _compared(question: Question) -> Answered | None:
    """X or Y, by what the question gives: a fleet in hand, a load, a size, names.

    None: a workload without any alternatives, which is a question of size.
    """
    query, reference = question.query, question.reference
    problem = resolve(query, reference, question.defaults)
    if isinstance(problem, Unresolved) and problem.unknown:
        return Answered(unresolved_view(query, problem))
    gpus = named_gpus(query, reference)
    if query.utilization is not None and len(gpus) > 1:
        return _counted(question, gpus)
    alternatives = contenders(query, reference, _machines(query))
    if has_model(query) and len(alternatives) < 2 and not gpus:
        return None
    if has_model(query) or len(query.precision or ()) > 1:
        return under_load(question, alternatives)
    apart = query.asks_difference and len(gpus) > 1 and query.count is None
    if apart and not has_model(query) and query.instance is None:
        return price(question)
    sized = query.count is not None or query.instance is not None
    sellers = len(query.provider or ()) > 1 or len(query.pricing or ()) > 1
    if len(alternatives) > 1 and (sized or sellers or len(gpus) < 2):
        return at_size(question, alternatives)
    return specs(question, gpus)


def consolidated(question: Question) -> Answered | None:
    """What fewer, larger or smaller GPUs do of a fleet's work.

    None: no fleet at work is told.
    """
    query, reference = question.query, question.reference
    gpus = named_gpus(query, reference)
    if not gpus or query.utilization is None:
        return None
    sizes = SMALLER if query.wanted == "downsize" else USUAL
    known = [reference.gpus[name] for name in sizes if name in reference.gpus]
    if query.wanted == "downsize":
        if not has_model(query) and len(gpus) < 2:
            return None
        other = [gpu for gpu in known if gpu.id != gpus[0].id]
    else:
        other = [gpu for gpu in known if gpu.memory_gb > gpus[0].memory_gb]
    return _counted(question, gpus if len(gpus) > 1 else (gpus[0], *other))


_A_FLEET = 10
"""GPUs of a fleet whose number nobody tells: shares are easily read from ten."""


def _counted(question: Question, gpus: tuple[GpuSpec, ...]) -> Answered:
    """The fleet against the others; one of ten stands for one of any number."""
    query = question.query
    if query.count is not None or query.instance:
        return upgrade(question, gpus)
    fleet = query.model_copy(update={"count": _A_FLEET})
    found = upgrade(replace(question, query=fleet), gpus)
    gpu = gpu_name(gpus[0])
    return found.noted(say("upgrade.of_a_fleet", count=_A_FLEET, gpu_name=gpu))


SMALLER = (
    "l4", "a30", "rtx6000ada", "l40s", "a100-80gb-sxm", "h100-80gb-sxm", "gh200-96gb",
    "mi300x",
)  # fmt: skip
"""What a fleet with little work is held against."""


def _machines(query: Query) -> dict[str, Machine]:
    known = names().machines
    found = {name: known.get(name.lower()) for name in query.instance or ()}
    return {
        name: Machine(machine.gpu, machine.count, machine.provider)
        for name, machine in found.items()
        if machine is not None
    }

"""GPUs side by side, where no load and no size is told."""

from collections.abc import Sequence

from msgspec.structs import replace

from bot.answers.compare_loads.decide import usual_rivals
from bot.answers.compare_specs.view import explain_specs, specs_view
from bot.answers.served import serving
from bot.answers.shared.page import Page
from bot.answers.shared.problems import unreadable_view
from bot.answers.shared.workload import spec_of
from bot.question.question import Answered, Question
from core.answers.specs import compare_specs
from core.hardware import GpuSpec
from core.market.contenders import Contender
from core.query import Query
from core.resolve.constraints import resolve_constraints

YARDSTICKS = (32.0, 8.0)
"""Models that GPUs are measured with where none is named: one that fits a single card
of 80 GB in 8 bit, one for smaller cards."""
LARGE_GB = 79


def specs(question: Question, gpus: Sequence[GpuSpec]) -> Answered:
    query, reference = question.query, question.reference
    if not gpus:
        return Answered(unreadable_view(query))
    compared = list(gpus)
    if len(compared) < 2:
        usual = (one.gpu for one in usual_rivals([Contender(gpu=gpus[0])], reference))
        compared += [gpu for gpu in usual if gpu and gpu.memory_gb >= LARGE_GB][:2]
    large = all(gpu.memory_gb >= LARGE_GB for gpu in compared)
    yardstick = Query(params_b=YARDSTICKS[0] if large else YARDSTICKS[1])
    resolved = serving(replace(question, query=yardstick))
    if isinstance(resolved, Answered):
        return resolved
    limits = resolve_constraints(query, reference)
    market = question.market
    counts = query.gpu_counts or ()
    found = compare_specs(compared, spec_of(resolved), limits, *market, counts)
    return Page(question).drawn(found, specs_view, explain_specs)

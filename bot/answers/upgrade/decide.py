"""A fleet in hand against newer GPUs."""

from bot.answers.shared.page import Page
from bot.answers.shared.problems import price_unknown
from bot.answers.upgrade.view import explain_upgrade, upgrade_view
from bot.question.question import Answered, Question
from core.answers.upgrade import answer_upgrade
from core.hardware import GpuSpec
from core.resolve import resolve
from core.resolve.constraints import resolve_constraints
from core.workload import Resolved


def upgrade(question: Question, gpus: tuple[GpuSpec, ...]) -> Answered:
    query, reference = question.query, question.reference
    resolved = resolve(query, reference, question.defaults)
    serves = isinstance(resolved, Resolved) and resolved.spec.kind == "inference"
    found = answer_upgrade(
        gpus,
        query.utilization or 1,
        resolve_constraints(query, reference),
        resolved if serves and isinstance(resolved, Resolved) else None,
        (),
        question.catalog,
        reference,
        question.now,
        able=query.wanted == "downsize",
    )
    if found is None:
        return price_unknown(Page(question), gpus[0])
    return Page(question).drawn(found, upgrade_view, explain_upgrade)

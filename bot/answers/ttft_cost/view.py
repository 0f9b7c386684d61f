"""A month at each limit on TTFT, and what a millisecond between two of them costs."""

from bot.answers.served import serving
from bot.answers.shared.figures import chips, gpu_name, money, number, price_sources
from bot.answers.shared.page import Page
from bot.answers.shared.workload import spec_of
from bot.question.question import Answered, Question
from bot.render.views import AnswerView, Cell, Table
from core.answers.ttft_cost import TtftCost, answer_ttft_cost
from core.wording import dollars, milliseconds


def ttft_cost(question: Question) -> Answered:
    """What a millisecond of TTFT costs for a load."""
    resolved = serving(question)
    if isinstance(resolved, Answered):
        return resolved
    market = (question.catalog, question.reference, question.now)
    found = answer_ttft_cost(resolved, spec_of(resolved), *market)
    return Page(question).drawn(found, _view, _why)


def _view(found: TtftCost, page: Page) -> AnswerView:
    if not found.kept:
        return page.answer("No offer reaches any of these TTFT limits", kind="no")
    rows = tuple(
        (
            Cell(text=milliseconds(limit), value=limit),
            number(option.gpus),
            Cell(text=gpu_name(option.plan.gpu)),
            money(option.usd_per_month),
        )
        for limit, option in found.kept
    )
    limits = [limit for limit, _ in found.kept]
    return page.answer(
        verdict=_verdict(found),
        why=f"We sized your load at {len(found.limits)} limits around "
        f"{milliseconds(found.asked_ms)}. Estimate, not measured.",
        table=Table(
            caption="The cheapest offer at each TTFT limit",
            columns=("TTFT at most", "GPUs", "On", "$/month"),
            rows=rows,
            winner=limits.index(found.asked_ms) if found.asked_ms in limits else None,
        ),
        chips=chips(found.resolved.assumptions),
        notes=found.resolved.notes,
        small_print=(price_sources(option.offer for _, option in found.kept),),
    )


def _verdict(found: TtftCost) -> str:
    dearest = found.usd_per_ms
    if dearest is None:
        month = dollars(found.kept[0][1].usd_per_month)
        ends = [milliseconds(found.kept[place][0]) for place in (0, -1)]
        between = " and ".join(ends)
        return f"No extra cost between {between}: each limit costs {month}/month"
    tight, loose, usd = dearest
    return (
        f"Each ms of TTFT costs {dollars(usd)}/month, from {milliseconds(loose)} down "
        f"to {milliseconds(tight)}"
    )


def _why(found: TtftCost, page: Page) -> AnswerView:
    steps = [
        f"TTFT ≤ {milliseconds(limit)}: {option.gpus} × {gpu_name(option.plan.gpu)} × "
        f"{dollars(option.offer.usd_per_gpu_hour)}/h = "
        f"{dollars(option.usd_per_month)}/month."
        for limit, option in found.kept
    ]
    return page.explained(steps, found.resolved.assumptions, ("latency",))

"""A month at each limit on TTFT, and what a millisecond between two of them costs."""

from bot.answers.served import serving
from bot.answers.shared.figures import chips, gpu_name, money, number, price_sources
from bot.answers.shared.page import Page
from bot.answers.shared.workload import spec_of
from bot.question.question import Answered, Question
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.answers.ttft_cost import TtftCost, answer_ttft_cost
from core.wording import dollars, milliseconds


def ttft_cost(question: Question) -> Answered:
    """What a millisecond of TTFT costs for a load."""
    resolved = serving(question)
    if isinstance(resolved, Answered):
        return resolved
    market = question.market
    found = answer_ttft_cost(resolved, spec_of(resolved), *market)
    return Page(question).drawn(found, _view, _why)


def _view(found: TtftCost, page: Page) -> AnswerView:
    if not found.kept:
        return page.answer(say("ttft_cost.no_offer_reaches_any"), kind="no")
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
        why=say(
            "ttft_cost.we_sized_your_load",
            number_of_limits=len(found.limits),
            asked_ms=found.asked_ms,
        ),
        table=Table(
            caption=say("ttft_cost.each_limit"),
            columns=(say("ttft_cost.ttft_at_most"), "GPUs", "On", "$/month"),
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
        return say("ttft_cost.no_extra_cost_between", between=between, month=month)
    tight, loose, usd = dearest
    return say("ttft_cost.each_ms_of_ttft", usd=usd, loose=loose, tight=tight)


def _why(found: TtftCost, page: Page) -> AnswerView:
    steps = [
        say(
            "ttft_cost.why",
            limit=limit,
            gpus=option.gpus,
            gpu_name=gpu_name(option.plan.gpu),
            usd_per_gpu_hour=option.offer.usd_per_gpu_hour,
            usd_per_month=option.usd_per_month,
        )
        for limit, option in found.kept
    ]
    return page.explained(steps, found.resolved.assumptions, ("latency",))

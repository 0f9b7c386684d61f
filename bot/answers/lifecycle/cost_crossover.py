"""When serving has cost as much as training: one division, and the months around it."""

import math

from bot.answers.lifecycle.view import life_chart
from bot.answers.shared.figures import money, number
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Table
from bot.render.words import say
from core.answers.cost_crossover import DAYS_A_MONTH, CostCrossover
from core.wording import dollars

SHOWN_MONTHS = (1, 3, 6, 12, 24, 60, 120)


def cost_crossover_view(found: CostCrossover, page: Page) -> AnswerView:
    """The day first, its arithmetic, what has been spent by the end of months."""
    return page.answer(
        verdict=_verdict(found),
        why=_why(found),
        table=_table(found),
        charts=(life_chart(found.life),),
        notes=(
            *found.notes,
            say("lifecycle.counted_at_the_stated"),
        ),
        small_print=(
            say("lifecycle.id_and_month", id=page.id, days_a_month=DAYS_A_MONTH),
        ),
    )


def _verdict(found: CostCrossover) -> str:
    month = math.floor(found.days / DAYS_A_MONTH) + 1
    return say(
        "lifecycle.verdict",
        days=float(found.days),
        month=month,
        words=found.trained.words,
        usd_per_day=found.usd_per_day,
    )


def _why(found: CostCrossover) -> str:
    month = found.usd_per_day * DAYS_A_MONTH
    said = say("lifecycle.day_to_month", usd_per_day=found.usd_per_day, month=month)
    if found.tokens_per_day is None or found.usd_per_million is None:
        return said
    tokens = say("lifecycle.tokens_a_day", tokens_per_day=found.tokens_per_day)
    price = say("lifecycle.per_m", usd_per_million=found.usd_per_million)
    return f"{tokens} × {price} = {dollars(found.usd_per_day)}. {said}"


def _table(found: CostCrossover) -> Table:
    passes = math.floor(found.days / DAYS_A_MONTH) + 1
    last = len(found.life.months)
    months = sorted({m for m in (*SHOWN_MONTHS, passes) if m <= last})
    rows = tuple(found.life.months[month - 1] for month in months)
    return Table(
        caption=say("lifecycle.table"),
        columns=("Month", "Training", "Serving", "Both"),
        rows=tuple(
            (
                number(row.month),
                money(row.training),
                money(row.serving),
                money(row.total),
            )
            for row in rows
        ),
        winner=months.index(passes) if passes in months else None,
        shown=len(rows),
    )


def explain_cost_crossover(found: CostCrossover, page: Page) -> AnswerView:
    """The division with its numbers."""
    steps = [
        say("lifecycle.training_as_stated", words=found.trained.words),
        _why(found),
        say(
            "lifecycle.days",
            usd=found.trained.usd,
            usd_per_day=found.usd_per_day,
            days=float(found.days),
        ),
    ]
    return page.explained(steps, (), ("lifecycle",))

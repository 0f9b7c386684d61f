"""When serving has cost as much as training: one division, and the months around it."""

import math

from bot.answers.lifecycle.view import life_chart
from bot.answers.shared.figures import money, number
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Table
from core.answers.cost_crossover import DAYS_A_MONTH, CostCrossover
from core.wording import count, dollars, significant

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
            "Counted at the stated price and load alone: growth, retrainings and other "
            "tokens come on top and bring the day closer or put it off.",
        ),
        small_print=(f"Answer {page.id}. A month is {DAYS_A_MONTH} days.",),
    )


def _verdict(found: CostCrossover) -> str:
    month = math.floor(found.days / DAYS_A_MONTH) + 1
    return (
        f"Serving passes the training after {significant(float(found.days))} days, in "
        f"month {month:,}: {found.trained.words} ÷ {dollars(found.usd_per_day)} a day"
    )


def _why(found: CostCrossover) -> str:
    month = found.usd_per_day * DAYS_A_MONTH
    said = f"{dollars(found.usd_per_day)} a day is {dollars(month)} a month."
    if found.tokens_per_day is None or found.usd_per_million is None:
        return said
    tokens = f"{count(found.tokens_per_day)} tokens a day"
    price = f"{dollars(found.usd_per_million)} per 1M"
    return f"{tokens} × {price} = {dollars(found.usd_per_day)}. {said}"


def _table(found: CostCrossover) -> Table:
    passes = math.floor(found.days / DAYS_A_MONTH) + 1
    last = len(found.life.months)
    months = sorted({m for m in (*SHOWN_MONTHS, passes) if m <= last})
    rows = tuple(found.life.months[month - 1] for month in months)
    return Table(
        caption="Dollars spent by the end of a month",
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
        f"Training: {found.trained.words}, as stated.",
        _why(found),
        f"{dollars(found.trained.usd)} ÷ {dollars(found.usd_per_day)} = "
        f"{significant(float(found.days), 4)} days.",
    ]
    return page.explained(steps, (), ("lifecycle",))

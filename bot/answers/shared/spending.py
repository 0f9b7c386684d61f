"""What an answer names, held against a budget that it was not chosen by."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from bot.render.views import AnswerView
from core.market.spending import ceiling, converted
from core.wording import dollars
from core.workload import Constraints


def held_to_budget(
    view: AnswerView, limits: Constraints, usd_per_hour: Decimal | None, now: datetime
) -> AnswerView:
    """Say where the machines of the verdict cost more than may be spent."""
    most = ceiling(limits.budget, now)
    notes = (*view.notes, *converted(limits.budget, now))
    if most is None or usd_per_hour is None or most.allows(usd_per_hour, limits):
        return view.model_copy(update={"notes": notes})
    verdict = f"Not for {most.words}: {view.verdict}"
    return view.model_copy(update={"kind": "no", "verdict": verdict, "notes": notes})


def beside_budget(
    view: AnswerView, limits: Constraints, usd_per_hour: Decimal | None, now: datetime
) -> AnswerView:
    """The same as a note, for a verdict that is about something else than money."""
    most = ceiling(limits.budget, now)
    notes = converted(limits.budget, now)
    if most is not None and usd_per_hour is not None:
        within = most.allows(usd_per_hour, limits)
        usd = dollars(most.spent(usd_per_hour, limits))
        said = "within" if within else "over"
        notes = (f"It costs {usd}, {said} the budget of {most.words}.", *notes)
    return view.model_copy(update={"notes": (*view.notes, *notes)})


def several_held_to_budget(
    view: AnswerView,
    limits: Constraints,
    usd_per_hour: Sequence[tuple[str, Decimal]],
    now: datetime,
) -> AnswerView:
    """The same for alternatives, cheapest first: which of them cost too much."""
    most = ceiling(limits.budget, now)
    if most is None or not usd_per_hour:
        return held_to_budget(view, limits, None, now)
    over = [name for name, usd in usd_per_hour if not most.allows(usd, limits)]
    if not over or len(over) == len(usd_per_hour):
        return held_to_budget(view, limits, usd_per_hour[0][1], now)
    said = f"Over the budget of {most.words}: {', '.join(over)}."
    notes = (said, *view.notes, *converted(limits.budget, now))
    return view.model_copy(update={"notes": notes})

"""A lever as a line: what to do, and what that does to the month."""

from bot.render.views import Lever
from core.answers.answer import Lever as CostLever
from core.wording import dollars


def monthly(lever: CostLever) -> Lever:
    """A lever with what it does to the month; none of it where that is nothing."""
    amount = lever.usd_difference
    if amount is None:
        return Lever(text=lever.text, difference=lever.note)
    sign = "+" if amount > 0 else ""
    text = f"{sign}{dollars(amount)}/month" if amount else ""
    return Lever(text=lever.text, difference=text, note=lever.note)

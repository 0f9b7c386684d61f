"""Answers so large or so small that a slip of the pen is likelier than the question."""

from decimal import Decimal

from core.answers.answer import Answer
from core.query import Query
from core.wording import count, dollars, significant

USD_PER_MONTH = Decimal(1_000_000)
GPUS = 500
USERS = 1_000_000
USD_PER_JOB = Decimal(1)
SECONDS_PER_DAY = 86_400
JOBS = ("batch", "finetune", "training")


def doubted(query: Query, found: Answer) -> str:
    """What may have been meant instead, as a question; empty: nothing is odd."""
    way = found.ways[0] if found.ways else None
    if way is None or way.offer is None or query.count is not None:
        return ""
    money = way.money
    once = money.run is not None and money.month is None and query.kind in JOBS
    told = query.steps is not None  # an amount of work that nobody mistakes
    if once and not told and money.run is not None and money.run < USD_PER_JOB:
        return _too_little(query, money.run)
    large = money.month is not None and money.month > USD_PER_MONTH
    if not (large or way.gpus > GPUS or (query.users or 0) >= USERS):
        return ""
    return _too_much(query, way.gpus, money.month)


def _too_much(query: Query, gpus: int, month: Decimal | None) -> str:
    bill = f"{count(gpus)} GPUs" + (f", {dollars(month)}/month" if month else "")
    if query.users is not None and query.users >= USERS:
        return (
            f"Do you mean {count(query.users)} registered users? We counted all of "
            f"them as active: {bill}."
        )
    if query.rps is not None:
        slow = significant(query.rps / SECONDS_PER_DAY, 2)
        return (
            f"Do you mean {count(query.rps)} requests a day ({slow} a second)? We "
            f"counted them per second: {bill}."
        )
    if query.requests_per_day is not None:
        return (
            f"Do you mean {count(query.requests_per_day)} tokens a day, or a month? "
            f"We counted requests a day: {bill}."
        )
    if query.concurrency is not None:
        return (
            f"Do you mean {count(query.concurrency)} users in all? We counted that "
            f"many requests at once: {bill}."
        )
    return f"This is a lot: {bill}. Please check the load and the lengths."


def _too_little(query: Query, run: Decimal) -> str:
    said = (
        query.dataset_samples
        or query.requests_total
        or query.dataset_tokens
        or query.audio_hours
    )
    amount = f" of {count(said)} in all" if said else ""
    return (
        f"Do you mean more data? This job{amount} costs {dollars(run)}. "
        "Starting a machine costs more."
    )

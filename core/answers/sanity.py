"""Answers so large or so small that a slip of the pen is likelier than the question."""

from decimal import Decimal

from core.answers.answer import Answer
from core.query import Query
from core.wording import count, say, significant

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
    told = (
        query.steps is not None or query.adapters is not None
    )  # an amount of work that nobody mistakes
    if once and not told and money.run is not None and money.run < USD_PER_JOB:
        return _too_little(query, money.run)
    large = money.month is not None and money.month > USD_PER_MONTH
    if not (large or way.gpus > GPUS or (query.users or 0) >= USERS):
        return ""
    return _too_much(query, way.gpus, money.month)


def _too_much(query: Query, gpus: int, month: Decimal | None) -> str:
    bill = f"{count(gpus)} GPUs" + (
        say("advice.slice_month", month=month) if month else ""
    )
    if query.users is not None and query.users >= USERS:
        return say("advice.do_you_mean_registered", users=query.users, bill=bill)
    if query.rps is not None:
        slow = significant(query.rps / SECONDS_PER_DAY, 2)
        return say("advice.do_you_mean_requests", rps=query.rps, slow=slow, bill=bill)
    if query.requests_per_day is not None:
        return say(
            "advice.do_you_mean_tokens",
            requests_per_day=query.requests_per_day,
            bill=bill,
        )
    if query.concurrency is not None:
        return say("advice.do_you_mean_users", concurrency=query.concurrency, bill=bill)
    return say("advice.this_is_lot", bill=bill)


def _too_little(query: Query, run: Decimal) -> str:
    said = (
        query.dataset_samples
        or query.requests_total
        or query.dataset_tokens
        or query.audio_hours
    )
    amount = say("advice.of_in_all", said=said) if said else ""
    return say("advice.do_you_mean", amount=amount, run=run)

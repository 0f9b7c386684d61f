"""How many GPUs a sum keeps on, one for each person, and a bill nobody here sees."""

from decimal import Decimal

from msgspec.structs import replace

from bot.answers.prices.decide import bill
from bot.answers.shared.figures import provider_name, sold_gpu
from bot.answers.shared.workload import has_model
from bot.question.question import Answered, Question
from bot.render.views import AnswerView
from bot.render.words import say
from core.answers.budget import in_dollars
from core.market.board import Bill, PriceBoard
from core.money.costs import exact
from core.units import HOURS_PER_MONTH
from core.workload import Budget


def kept_on(question: Question) -> Answered | None:
    """How many GPUs a budget keeps on; None: no GPU is named, or a model is served."""
    query = question.query
    if not (query.gpu and query.budget_amount) or has_model(query) or query.count:
        return None
    budget = Budget(
        amount=exact(query.budget_amount),
        currency=query.budget_currency or "USD",
        period=query.budget_period or "month",
    )
    paid = in_dollars(budget, question.now)
    if paid is None:
        return None
    usd, months = paid[0], MONTHS.get(budget.period, 1)
    free = query.model_copy(update={**NO_LOAD, "intent": "cost", "count": 1})
    best = _most(replace(question, query=free), usd / months, 0)
    if best is None:
        return None
    gpus, one = best
    counted = replace(question, query=free.model_copy(update={"count": gpus}))
    counts = {1, gpus, gpus // BOARD * BOARD or 1}
    each = (free.model_copy(update={"count": count}) for count in counts)
    covered = [_most(replace(question, query=one), usd / months, 1) for one in each]
    sure = max((one for one in covered if one), key=lambda one: one[0], default=None)
    found = [each for each in (best, sure) if each]
    sums = [
        say(
            "kept_on.so_many", gpus=n, gpu=sold_gpu(each.offer.gpu, question.reference),
            seller=provider_name(each.offer.provider, question.reference),
            usd=each.usd_per_month / each.gpus * n * months,
        )
        for n, each in found
    ]  # fmt: skip
    span = say("kept_on.each_year") if months > 1 else say("kept_on.each_month")
    rate = one.offer.usd_per_gpu_hour
    told = bill(counted).redrawn(
        verdict=say("kept_on.verdict", best=sums[0], usd=usd, span=span),
        why=say(
            "kept_on.why", gpus=gpus, rate=rate, hours=HOURS_PER_MONTH * months,
            total=rate * gpus * HOURS_PER_MONTH * months, all=usd / rate,
        ),
    )  # fmt: skip
    return told.noted(say("kept_on.with_sla", other=sums[1])) if sums[1:] else told


def _most(question: Question, usd: Decimal, role: int) -> tuple[int, Bill] | None:
    """How many GPUs a month's sum rents at the pick of a role; None: not even one."""
    board = bill(question).figures
    pick = board.picks[role] if isinstance(board, PriceBoard) and board.picks else None
    one = pick.way.of if pick and pick.way else None
    if not isinstance(one, Bill):
        return None
    size = one.offer.gpu_count
    gpus = int(usd * one.gpus / one.usd_per_month / size) * size
    return (gpus, one) if gpus else None


BOARD = 8
MONTHS = {"year": 12}
NO_LOAD = dict.fromkeys((
    "budget_amount", "budget_currency", "budget_period", "kind", "wanted", "clarify",
    "users", "concurrency", "cadence",
))  # fmt: skip


def for_each_person(question: Question) -> Answered | None:
    """A machine for each of so many people; None: no card, or no people, are named."""
    query = question.query
    if not query.users or not (query.gpu or query.memory_gb) or has_model(query):
        return None
    free = NO_LOAD | {"count": int(query.users * (query.count or 1)), "intent": "cost"}
    told = bill(replace(question, query=query.model_copy(update=free)))
    return told.noted(say("kept_on.machine_a_person", people=query.users))


def spend_watched(question: Question) -> Answered | None:
    """That no bill is seen from here, and who watches it; None: GPUs are named."""
    query = question.query
    if query.gpu or has_model(query):
        return None
    usd = Decimal(str(query.budget_amount or 0))
    amount = say("kept_on.of_amount", usd=usd) if usd else ""
    return Answered(
        AnswerView(
            kind="hint",
            question=query.text,
            verdict=say("kept_on.spend_unseen", amount=amount),
            why=say("kept_on.what_is_watched"),
            examples=(say("kept_on.watch_price"), say("kept_on.watch_plan")),
        )
    )

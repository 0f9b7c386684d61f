"""What a price change means for the workloads that its channel watches."""

from collections.abc import Iterable

from bot.alerts.outcomes import Runner, outcome_of
from bot.question.asking import AskContext
from core.alerts.subscription import Subscription, WorkloadWatch
from core.alerts.workloads import Outcome, WorkloadTold
from core.wording import dollars, significant
from prices.alerts.subscriptions import SubscriptionBook

MOST = 2
"""Workloads that one message speaks of; each is answered anew for it."""


def workload_impact(
    found: Iterable[Subscription], book: SubscriptionBook, runner: Runner
) -> tuple[str, ...]:
    """Say for each watched workload what it costs now, against what was told."""
    watched = [s for s in found if isinstance(s.watch, WorkloadWatch) and not s.paused]
    lines = (_line(subscription, book, runner) for subscription in watched[:MOST])
    return tuple(filter(None, lines))


def context_of(subscription: Subscription) -> AskContext:
    """Return where a watched question is asked from."""
    return AskContext(
        surface="command",
        team_id=subscription.team_id,
        channel_id=subscription.channel_id,
        user_id=subscription.user_id,
    )


def _line(subscription: Subscription, book: SubscriptionBook, runner: Runner) -> str:
    watch, kept = subscription.watch, book.told(subscription.id)
    if not isinstance(watch, WorkloadWatch) or kept is None:
        return ""
    told = WorkloadTold.model_validate_json(kept).outcome
    now = outcome_of(runner.again(watch.query, context_of(subscription)))
    if now is None or now.amount is None or told.amount is None:
        return ""
    if now.unit == "requests/s":
        return f"{watch.question}: {now.words}"
    same = now.winner == told.winner
    winner = "the same winner" if same else f"now {now.words}"
    return f"Watched {watch.question}: {amount_words(now)}{_moved(told, now)}, {winner}"


def amount_words(outcome: Outcome) -> str:
    """Write what a workload costs."""
    if outcome.amount is None:
        return "no price"
    if outcome.unit == "requests/s":
        return f"{significant(float(outcome.amount))} requests/s"
    return f"{dollars(outcome.amount)}{outcome.unit.removeprefix('$')}"


def _moved(told: Outcome, now: Outcome) -> str:
    if not told.amount or now.amount is None or now.amount == told.amount:
        return " as before"
    percent = float((now.amount - told.amount) / told.amount * 100)
    sign = "+" if percent > 0 else "−"
    return f" ({sign}{significant(abs(percent))} % since told)"

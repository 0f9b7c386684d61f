"""What a subscription would post if it spoke now."""

from datetime import datetime

from bot.alerts.baseline import Baseline
from bot.alerts.current_state import trial_alerts
from bot.alerts.outcomes import context_of, outcome_of
from core.alerts.alert import Alert, StaleAlert, WorkloadAlert
from core.alerts.letters import Letter
from core.alerts.subscription import (
    DigestWatch,
    StaleWatch,
    Subscription,
    WorkloadWatch,
)
from core.alerts.workloads import WorkloadTold
from prices.alerts.subscriptions import SubscriptionBook


def trial_letter(
    subscription: Subscription,
    book: SubscriptionBook,
    baseline: Baseline,
    now: datetime,
) -> Letter | None:
    """Make the letter; None where there is nothing to say."""
    if isinstance(subscription.watch, DigestWatch):
        return Letter(kind="digest", subscription=subscription.id, due=now, at=now)
    alerts = _alerts(subscription, book, baseline, now)
    return Letter(kind="alerts", alerts=tuple(alerts), at=now) if alerts else None


def _alerts(
    subscription: Subscription,
    book: SubscriptionBook,
    baseline: Baseline,
    now: datetime,
) -> list[Alert]:
    match subscription.watch:
        case WorkloadWatch():
            return _workload(subscription, subscription.watch, book, baseline, now)
        case StaleWatch():
            seen = subscription.watch.among(baseline.store.last_successes())
            silent = tuple(sorted(seen.items()))
            return [
                StaleAlert(
                    subscription=subscription.id,
                    typed=subscription.typed,
                    user_id=subscription.user_id,
                    stale=silent,
                    at=now,
                )
            ]
    return list(trial_alerts(subscription, book.current_state(subscription.id), now))


def _workload(
    subscription: Subscription,
    watch: WorkloadWatch,
    book: SubscriptionBook,
    baseline: Baseline,
    now: datetime,
) -> list[Alert]:
    answered = baseline.runner.again(watch.query, context_of(subscription))
    outcome, kept = outcome_of(answered), book.told(subscription.id)
    if outcome is None or kept is None:
        return []
    told = WorkloadTold.model_validate_json(kept)
    return [
        WorkloadAlert(
            subscription=subscription.id,
            typed=subscription.typed,
            user_id=subscription.user_id,
            question=watch.question,
            what="cost",
            before=told.outcome.words,
            after=outcome.words,
            answer_id=answered.view.id,
            since=told.at,
            at=now,
        )
    ]

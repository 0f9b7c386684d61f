"""What a watched workload would have cost these thirty days: its answer, day by day."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.alerts.outcomes import Runner, context_of, outcome_of
from bot.alerts.series import labels
from bot.render.views import Chart, Series
from bot.render.words import say
from core.alerts.alert import Alert, WorkloadAlert
from core.alerts.subscription import Subscription, WorkloadWatch
from core.alerts.workloads import Outcome

LOOKS = 7
"""Days that are looked at; each is a whole answer from the prices of that day."""
APART = timedelta(hours=1)


def cost_chart(
    alerts: Sequence[Alert],
    channel: Sequence[Subscription],
    runner: Runner,
    span: timedelta,
    at: datetime,
) -> Chart | None:
    """Draw what one workload's best answer cost; None where that is known once."""
    alert = alerts[0]
    watched = [s for s in channel if s.id == alert.subscription]
    if len(alerts) != 1 or not isinstance(alert, WorkloadAlert) or not watched:
        return None
    grid = [at - span * i / (LOOKS - 1) for i in range(LOOKS)]
    apart = [date for date in grid if abs(date - alert.since) > APART]
    dates = sorted(date for date in (*apart, alert.since) if at - span <= date <= at)
    looked = [(date, _on(watched[0], runner, date)) for date in dates]
    known = [(d, o.unit, o.amount) for d, o in looked if o and o.amount is not None]
    if len(known) < 2:
        return None
    unit = known[-1][1]
    what = "Break-even" if unit == "requests/s" else say("alerts.cheapest_answer")
    return Chart(
        kind="line",
        title=say("alerts.days", what=what, unit=unit, days=span.days),
        categories=tuple(labels([date for date, _, _ in known])),
        series=(Series(name=unit, values=tuple(float(a) for _, _, a in known)),),
        y_label=unit,
    )


def _on(subscription: Subscription, runner: Runner, date: datetime) -> Outcome | None:
    watch = subscription.watch
    if not isinstance(watch, WorkloadWatch):
        return None
    return outcome_of(runner.again(watch.query, context_of(subscription), date))

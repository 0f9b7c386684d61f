"""What a watched price did over three months, and what was told of it."""

from datetime import datetime, timedelta

from bot.alerts.buttons import snooze_action, stop_action
from bot.alerts.messages import Composer
from bot.alerts.sentences import headline
from bot.alerts.series import cheapest_steps, line_chart, movement
from bot.alerts.wording import describe, instant_words, selection_words
from bot.answers.shared.figures import money, price_sources, provider_name
from bot.render.views import AnswerView, Cell, Chart, Table
from bot.render.words import say
from core.alerts.selection import Selection
from core.alerts.subscription import PriceWatch, Subscription
from core.reference.catalogue import Reference
from prices.history.series import Step
from prices.history.store import Store

SHOWN = timedelta(days=90)
COLUMNS = ("Price", "Now", "Low", "High", say("alerts.cheapest_at"))
TOLD = 5


def history_view(
    subscription: Subscription, composer: Composer, now: datetime
) -> AnswerView:
    """Draw the prices of a subscription, and list what it last told."""
    watch, known = subscription.watch, composer.reference
    since = now - SHOWN
    lines = {
        selection_words(selection, known): _steps(composer.store, selection, known, now)
        for selection in (watch.selections if isinstance(watch, PriceWatch) else ())
    }
    chart = line_chart(
        list(lines.items()), say("alerts.cheapest_per_gpu_hour"), since, now
    )
    return AnswerView(
        kind="answer",
        verdict=say(
            "alerts.alert", id=subscription.id, describe=describe(watch, known)
        ),
        why=_told(subscription, composer),
        table=_table(lines, known),
        charts=_some(chart),
        small_print=_sources(lines),
        actions=(
            snooze_action((subscription.id,), "1w"),
            stop_action((subscription.id,)),
        ),
    )


def _steps(
    store: Store, selection: Selection, reference: Reference, now: datetime
) -> list[Step]:
    price = selection.model_copy(update={"measure": "price"})
    return cheapest_steps(store, price, reference, now - SHOWN, now)


def _told(subscription: Subscription, composer: Composer) -> str:
    """Say what was told last, newest first."""
    letters = composer.book.outbox.last_sent(subscription.id, TOLD)
    lines = [
        f"{instant_words(alert.at)}: {headline(alert, composer.reference)}"
        for letter in letters
        for alert in letter.alerts
        if alert.subscription == subscription.id
    ]
    return "Told: " + "; ".join(lines) if lines else say("alerts.told")


def _table(lines: dict[str, list[Step]], reference: Reference) -> Table | None:
    rows = []
    for name, steps in lines.items():
        moved = movement(steps)
        if moved is not None:
            rows.append(
                (
                    Cell(text=name),
                    money(moved.last.usd_per_gpu_hour),
                    _extreme(moved.low),
                    _extreme(moved.high),
                    Cell(text=provider_name(moved.last.provider, reference)),
                )
            )
    if not rows:
        return None
    return Table(
        caption=say("alerts.cheapest_price_per_gpu_hour"),
        columns=COLUMNS,
        rows=tuple(rows),
    )


def _extreme(step: Step) -> Cell:
    if step.cheapest is None:
        return Cell(text="–")
    cell = money(step.cheapest.usd_per_gpu_hour)
    return Cell(text=f"{cell.text}, {step.at:%d %b}", value=cell.value)


def _sources(lines: dict[str, list[Step]]) -> tuple[str, ...]:
    offers = [steps[-1].cheapest for steps in lines.values() if steps]
    found = [offer for offer in offers if offer is not None]
    return (price_sources(found),) if found else ()


def _some(chart: Chart | None) -> tuple[Chart, ...]:
    return (chart,) if chart else ()

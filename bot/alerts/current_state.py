"""Where a watched price stands as a subscription begins, or is asked about."""

from collections.abc import Callable, Iterable
from datetime import datetime

from bot.alerts.wording import measured, offer_words, selection_words
from bot.answers.shared.figures import age
from bot.render.words import say
from core.alerts.alert import PriceAlert
from core.alerts.conditions import Condition, Move, NewLow, Presence, Threshold
from core.alerts.judging import tripwires
from core.alerts.selection import Selection
from core.alerts.subscription import PriceWatch, Subscription
from core.offers import Offer
from core.reference.catalogue import Reference
from prices.alerts.watches import CurrentState


def current_state_words(
    found: Iterable[CurrentState],
    condition: Condition,
    reference: Reference,
    standing: Callable[[Selection], Offer | None],
    now: datetime,
) -> str:
    """Say where every watched price stands, how old it is, and what would be news."""
    return " ".join(
        _line(one, condition, reference, _age(standing(one.selection), now))
        for one in found
    )


def _age(offer: Offer | None, now: datetime) -> str:
    return say("alerts.price_age", age=age(offer, now).text) if offer else ""


def _line(
    one: CurrentState, condition: Condition, reference: Reference, seen: str
) -> str:
    level, offer = one.track.level, one.track.cheapest
    if level is None or offer is None:
        return say(
            "alerts.nobody_sells_it_now",
            selection_words=selection_words(one.selection, reference),
        )
    now = say(
        "alerts.now_and_offer",
        measured=measured(level, one.selection.measure),
        offer_words=offer_words(offer, reference),
    )
    return f"{now}{seen}{_next(one, condition)}."


def _next(one: CurrentState, condition: Condition) -> str:
    """Say what has to happen where the condition holds already."""
    if not isinstance(condition, Threshold) or one.memory.armed:
        return ""
    wires = tripwires(condition, one.memory, one.selection.measure)
    back = wires.high if condition.op == "below" else wires.low
    line = measured(back or 0, one.selection.measure)
    return say("alerts.next", op=condition.op, line=line)


def trial_alerts(
    subscription: Subscription, found: Iterable[CurrentState], now: datetime
) -> list[PriceAlert]:
    """Make the alerts that a price subscription would post if it spoke now."""
    watch = subscription.watch
    if not isinstance(watch, PriceWatch):
        return []
    return [
        PriceAlert(
            subscription=subscription.id,
            typed=subscription.typed,
            user_id=subscription.user_id,
            what=_WHAT[type(watch.condition)],
            label=one.selection.label,
            measure=one.selection.measure,
            before=_before(one, watch.condition),
            after=one.track.level,
            since=one.memory.base_at,
            offer=one.track.cheapest,
            at=now,
        )
        for one in found
        if one.track.level is not None
    ]


_WHAT = {
    Threshold: "crossed",
    Move: "moved",
    NewLow: "crossed",
    Presence: "listed",
}


def _before(one: CurrentState, condition: Condition) -> int | None:
    """Return the price that a move is measured from, like for like."""
    base, track = one.memory.base, one.track
    if not isinstance(condition, Move) or base is None or track.level is None:
        return one.memory.told_level
    if condition.micro_usd is not None:
        return track.level - (track.drift - base)
    return round(track.level * base / track.index) if track.index else None

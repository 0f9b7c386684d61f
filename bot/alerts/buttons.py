"""The buttons of alerts: their names, their words, what they carry."""

from collections.abc import Sequence
from typing import Final

from bot.render.views import Action
from bot.render.words import say

SNOOZE: Final = "alert_snooze"
STOP: Final = "alert_stop"
ADJUST: Final = "alert_adjust"
NEW: Final = "alert_new"
HISTORY: Final = "alert_history"
RUN: Final = "alert_run"
"""The button that runs the command which it carries."""


def new_actions() -> tuple[Action, ...]:
    """The buttons that open the form of a new alert."""
    kinds = {
        "price": say("alerts.new_price_alert"),
        "workload": say("alerts.new_workload_alert"),
        "digest": say("alerts.new_digest"),
    }
    return tuple(
        Action(id=f"{NEW}:{kind}", label=label, value=kind)
        for kind, label in kinds.items()
    )


def adjust_action(number: int) -> Action:
    """The button that opens the form of an alert."""
    return Action(id=ADJUST, label="Adjust", value=str(number))


def stop_action(numbers: Sequence[int]) -> Action:
    """The button that stops what a message came from."""
    return Action(id=STOP, label="Stop", value=listed(numbers), style="danger")


def snooze_action(numbers: Sequence[int], span: str) -> Action:
    """The button that keeps quiet for a day or a week."""
    label = {"1d": say("alerts.snooze_day"), "1w": say("alerts.snooze_week")}[span]
    return Action(id=f"{SNOOZE}:{span}", label=label, value=f"{listed(numbers)} {span}")


def listed(numbers: Sequence[int]) -> str:
    """Write numbers as a command takes them."""
    return ",".join(map(str, numbers))

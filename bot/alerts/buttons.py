"""The buttons of alerts: their names, their words, what they carry."""

from collections.abc import Sequence
from typing import Final

from bot.render.views import Action

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
        "price": "New price alert",
        "workload": "New workload alert",
        "digest": "New digest",
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
    label = {"1d": "Snooze 1 day", "1w": "Snooze 1 week"}[span]
    return Action(id=f"{SNOOZE}:{span}", label=label, value=f"{listed(numbers)} {span}")


def listed(numbers: Sequence[int]) -> str:
    """Write numbers as a command takes them."""
    return ",".join(map(str, numbers))

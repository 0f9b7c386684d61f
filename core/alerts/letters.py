"""Alerts into messages: one a poll and channel, and not too many a day."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Literal

from pydantic import AwareDatetime

from core.alerts.alert import Alert
from core.checked import Checked

DAILY_CAP = 3
"""Messages to one channel in one UTC day; what is more waits for a summary."""
GATHERING = timedelta(minutes=15)
"""How long a message waits, at most, for a channel's workloads to be asked again."""
SUMMARY_ALERTS = 200
"""Alerts that a summary lists; beyond, it counts them."""


class Address(Checked):
    """Where a message goes."""

    team_id: str
    channel_id: str


class Letter(Checked):
    """What one message has to say."""

    kind: Literal["alerts", "summary", "details", "digest", "trouble"]
    """`details` of alerts follow in the thread of the message that told them."""
    thread: str = ""
    """Of details: the `ts` of that message."""
    alerts: tuple[Alert, ...] = ()
    more: int = 0
    """Alerts that a summary no longer lists."""
    subscription: int | None = None
    """Whose digest it is."""
    due: AwareDatetime | None = None
    text: str = ""
    """Of a trouble: what is wrong, and how to mend it."""
    link: str = ""
    """Where the trouble is."""
    at: AwareDatetime


Told = tuple[Address, Alert]


def grouped(told: Iterable[Told]) -> list[tuple[Address, tuple[Alert, ...]]]:
    """Gather what is told to one channel, in order of arrival."""
    groups: dict[Address, list[Alert]] = {}
    for address, alert in told:
        groups.setdefault(address, []).append(alert)
    return [(address, tuple(alerts)) for address, alerts in groups.items()]


def added(summary: Letter, alerts: tuple[Alert, ...]) -> Letter:
    """Add alerts to a message that is not yet sent."""
    room = max(SUMMARY_ALERTS - len(summary.alerts), 0)
    return summary.model_copy(
        update={
            "alerts": summary.alerts + alerts[:room],
            "more": summary.more + len(alerts[room:]),
        }
    )

"""Stop what Slack no longer takes, and tell the one who can mend it, once."""

from datetime import datetime
from typing import Final

from bot.render.words import say
from bot.slack.undelivered import reason
from core.alerts.letters import Address, Letter
from core.alerts.subscription import Subscription
from prices.alerts.subscriptions import SubscriptionBook

CHANNEL_FAULTS: Final = frozenset(
    "channel_not_found is_archived not_in_channel restricted_action "
    "restricted_action_read_only_channel restricted_action_thread_locked "
    "restricted_action_non_threadable_channel messages_tab_disabled "
    "user_not_in_channel cannot_dm_bot ekm_access_denied".split()
)
"""What Slack answers where one channel cannot be posted to: chat.postMessage."""
TEAM_FAULTS: Final = frozenset(
    "account_inactive token_revoked token_expired invalid_auth not_authed "
    "no_permission missing_scope org_login_required team_access_not_granted "
    "access_denied team_not_found".split()
)
"""What it answers where no channel of the workspace can."""


def pause_place(
    book: SubscriptionBook, address: Address, code: str, now: datetime
) -> list[Subscription]:
    """Pause a channel's alerts, or all of a workspace, with the reason."""
    whole = code in TEAM_FAULTS
    channel = None if whole else address.channel_id
    paused = book.pause(address.team_id, channel, code)
    if not whole:
        _tell_makers(book, paused, address, code, now)
    return paused


def _tell_makers(
    book: SubscriptionBook,
    paused: list[Subscription],
    address: Address,
    code: str,
    now: datetime,
) -> None:
    """Write to each maker in their own conversation; nobody else could act."""
    by_maker: dict[str, list[int]] = {}
    for subscription in paused:
        by_maker.setdefault(subscription.user_id, []).append(subscription.id)
    link = f"https://slack.com/app_redirect?channel={address.channel_id}"
    book.outbox.add(
        (
            Address(team_id=address.team_id, channel_id=user_id),
            Letter(kind="trouble", text=_words(numbers, code), link=link, at=now),
            f"paused {address.channel_id} {code} {user_id} {numbers[0]} {now}",
        )
        for user_id, numbers in by_maker.items()
    )


def _words(numbers: list[int], code: str) -> str:
    names = ", ".join(map(str, numbers))
    first = numbers[0]
    are = say("alerts.alerts_are") if len(numbers) > 1 else say("alerts.alert_is")
    return say(
        "alerts.paused_cannot_post",
        are=are.format(names),
        reason=reason(code),
        first=first,
        names=names,
    )

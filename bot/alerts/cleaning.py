"""Find what nobody can stop, or hear, any more."""

from datetime import datetime, timedelta

from msgspec import Struct

from bot.alerts.channel_access import SlackChannelAccess
from bot.alerts.pausing import pause_place
from bot.render.words import say
from core.alerts.letters import Address, Letter
from core.alerts.subscription import Subscription
from prices.alerts.subscriptions import SubscriptionBook, address_of
from prices.upkeep import retention

FOREVER = timedelta(days=36_500)


class Cleaning(Struct, frozen=True):
    """Looks after subscriptions whose channel or maker is gone."""

    book: SubscriptionBook
    channel_access: SlackChannelAccess
    limits: retention.Limits

    def clean(self, now: datetime) -> None:
        """Pause what cannot be posted, say whose maker left, drop what is over."""
        for address, found in self._by_channel().items():
            code = self.channel_access.is_archived(address)
            if code:
                pause_place(self.book, address, code, now)
            else:
                self._orphans(address, found, now)
        self.book.clean(now, now - (self.limits.outbox or FOREVER))
        retention.apply(self.book.engine, now, self.limits)

    def _by_channel(self) -> dict[Address, list[Subscription]]:
        found: dict[Address, list[Subscription]] = {}
        for subscription in self.book.every():
            if not subscription.paused:
                found.setdefault(address_of(subscription), []).append(subscription)
        return found

    def _orphans(
        self, address: Address, found: list[Subscription], now: datetime
    ) -> None:
        """Tell a channel, once, which of its alerts were made by somebody who left."""
        makers = {subscription.user_id for subscription in found}
        gone = {m for m in makers if self.channel_access.is_gone(address.team_id, m)}
        for maker in sorted(gone):
            numbers = [s.id for s in found if s.user_id == maker]
            letter = Letter(kind="trouble", text=_words(numbers), at=now)
            once = f"orphans {address.team_id} {address.channel_id} {maker}"
            self.book.outbox.add([(address, letter, once)])


def _words(numbers: list[int]) -> str:
    names = ", ".join(map(str, numbers))
    whose = (
        say("alerts.whose_alerts") if len(numbers) > 1 else say("alerts.whose_alert")
    )
    return say(
        "alerts.maker_left",
        whose=whose.format(names),
        numbers=numbers[0],
        names=names,
    )

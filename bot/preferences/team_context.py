"""A team's own settings and prices, as its answers use them."""

from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from bot.preferences.channel_settings import (
    ChannelSettings,
    apply,
    channel_settings_of,
    chips_of,
    defaults_for,
)
from bot.preferences.currency import restated
from bot.question.asking import AskContext
from bot.question.question import Answered, Question
from bot.render.views import AnswerView
from core.money.pricebook import NegotiatedPrice
from core.offers import Catalog
from prices.database.connection import Engine
from prices.records.preferences import Preferences
from prices.records.pricebook import PriceBook

OWN_PRICES = "book-"
"""What the version of a catalogue holds that has prices of the team's own."""


class TeamContext(Struct, frozen=True):
    """What teams set and negotiated; one team's never meets another's question."""

    preferences: Preferences
    book: PriceBook

    @classmethod
    def open(cls, database: Engine) -> "TeamContext":
        """Open both books in the database."""
        return cls(Preferences(database), PriceBook(database))

    def channel_settings(self, context: AskContext) -> ChannelSettings:
        """Read the settings that hold where a question was asked."""
        if not context.at_home:
            return ChannelSettings(price_book=False)
        return channel_settings_of(
            self.preferences.of(context.team_id, context.channel_id)
        )

    def catalog(
        self,
        found: Catalog,
        settings: ChannelSettings,
        context: AskContext,
        now: datetime,
    ) -> Catalog:
        """Put a team's negotiated prices beside the list prices."""
        if not (context.own_prices and settings.price_book):
            return found
        valid = self.book.valid_on(context.team_id, now)
        if not valid:
            return found
        mark = OWN_PRICES + "-".join(map(str, valid))
        own = (price.offer(_smallest(found, price)) for price in valid.values())
        return found.joined(own, mark)

    def prepared(
        self, question: Question, channel_settings: ChannelSettings
    ) -> Question:
        """Fill what a question leaves open with what holds where it was asked."""
        return replace(
            question,
            query=apply(question.query, channel_settings),
            defaults=defaults_for(question.defaults, channel_settings),
        )

    def finished(
        self, answered: Answered, channel_settings: ChannelSettings, now: datetime
    ) -> Answered:
        """Show what the settings filled, in the currency that is asked for."""
        query = answered.query
        if answered.explanation is None or query is None:
            return answered
        # An amount in another currency is compared in dollars, and both are said.
        named = query.budget_currency if query.budget_amount is None else None
        currency = named or channel_settings.currency
        if channel_settings.plain and currency == "USD":
            return answered
        chips = chips_of(query, channel_settings)

        def finish(view: AnswerView) -> AnswerView:
            told = view.model_copy(update={"chips": (*view.chips, *chips)})
            return restated(told, currency, now.date())

        explanation = restated(answered.explanation, currency, now.date())
        return replace(answered, view=finish(answered.view), explanation=explanation)


def _smallest(found: Catalog, price: NegotiatedPrice) -> int:
    """GPUs of the smallest machine that the seller's newest list has; else one."""
    listed = [o for o in found.of_gpu(price.gpu) if o.provider == price.provider]
    newest = max(listed, key=lambda offer: offer.observed_at, default=None)
    if newest is None:
        return 1
    return min(o.gpu_count for o in listed if o.source == newest.source)

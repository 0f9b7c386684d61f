"""The one place where the parts are put together."""

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from bot.config.settings import Settings
from prices.database.connection import Connection
from prices.history.poll import ChangeSet
from prices.history.store import Store
from prices.snapshot import ensure_snapshot

if TYPE_CHECKING:
    from bot.service.answering import Answering


def open_store(settings: Settings) -> Store:
    """Open the store; a fresh one is filled from the shipped snapshot."""
    settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    store = Store.open(settings.database, after_poll=_queue_alerts)
    ensure_snapshot(store)
    return store


def _queue_alerts(connection: Connection, changes: ChangeSet) -> None:
    """Evaluate alerts on what a poll changed; most runs poll nothing."""
    from prices.alerts.alerting import evaluate_safely

    evaluate_safely(connection, changes)


def compose(
    settings: Settings, clock: Callable[[], datetime] | None = None
) -> "Answering":
    """Everything that answers a question."""
    # What only a question needs: a worker that polls feeds opens the store alone.
    from bot.preferences.team_context import TeamContext
    from bot.service.answering import Answering, utc_now
    from bot.service.conversation import Conversation
    from core.reference.assumed import defaults
    from core.reference.load import reference
    from prices.records.answers import AnswerBook
    from prices.records.threads import Threads

    store = open_store(settings)
    if settings.api_prices == "update":
        from prices.sources.api_updates import (
            adopt,  # loads what only API questions need
        )

        adopt(settings.database)
    return Answering(
        reference=reference(),
        defaults=defaults(),
        store=store,
        book=AnswerBook(settings.database),
        team_context=TeamContext.open(settings.database),
        conversation=Conversation(Threads(settings.database)),
        clock=clock or utc_now,
    )

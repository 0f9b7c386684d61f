"""What the first questions of a day would wait for, done while the bot starts."""

import logging
from datetime import datetime
from threading import Thread

from bot.answers.dispatch import PLACES, loaded
from bot.question.asking import AskContext
from bot.service.answering import Answering
from core.query import Query

log = logging.getLogger("gpucost")
USUAL_MODEL = "llama-3.3-70b"


def warm_up(answering: Answering) -> Thread:
    """Warm up beside everything else; a bot that fails to is merely slow at first."""
    thread = Thread(target=_warm, args=(answering,), name="warm-up", daemon=True)
    thread.start()
    return thread


def _warm(answering: Answering) -> None:
    try:
        warm(answering, answering.clock())
    except Exception:
        log.exception("could not warm up")


def warm(answering: Answering, now: datetime) -> None:
    """Load words, every kind of answer, offers and API prices: a second together.

    A form is read before it is acknowledged, for which Slack gives three.
    """
    from bot.answers.shared.api_book import (
        api_book,  # with the tables: nobody else needs them yet
    )
    from bot.language.parse import parse

    parse("70b", answering.reference)
    for place in (*PLACES, "jobs.decide:job", "media.decide:media"):
        loaded(place)
    answering.catalog(AskContext(surface="home"))
    api_book(Query(), answering.reference.models[USUAL_MODEL], now)

"""What the first questions of a day would wait for, done while the bot starts."""

import gc
import logging
from datetime import datetime
from threading import Thread
from typing import Final

from bot.answers.dispatch import PLACES, loaded
from bot.question.asking import AskContext
from bot.question.question import Question
from bot.service import pipeline
from bot.service.answering import Answering

log = logging.getLogger("gpucost")
SELDOM: Final = (10_000, 20, 20)
"""New objects between two looks at them, and such looks between those at older ones."""
USUAL_QUESTION: Final = "llama 70b 10rps"


def warm_up(answering: Answering) -> Thread:
    """Warm up beside everything else; a bot that fails to is merely slow at first."""
    thread = Thread(target=stay_warm, args=(answering,), name="warm-up", daemon=True)
    thread.start()
    return thread


def stay_warm(answering: Answering) -> None:
    """Load what is needed now, at the start and whenever prices were looked for."""
    try:
        warm(answering, answering.clock())
        set_apart()
    except Exception:
        log.exception("could not warm up")


def set_apart() -> None:
    """Leave out of every later look for garbage what is loaded and needed now.

    One look at all of it takes 60 ms, for which some answer would wait. What was set
    apart before is looked at once more: prices of an earlier poll are in use no longer.
    An answer leaves next to no garbage that has to be looked for.
    """
    if gc.isenabled():
        gc.set_threshold(*SELDOM)
        gc.unfreeze()
        gc.collect()
        gc.freeze()


def warm(answering: Answering, now: datetime) -> None:
    """Load words, every kind of answer, offers and API prices, and answer once.

    Of new prices an answer makes what the next ones need of them. Together it takes
    half a second. A form is read before it is acknowledged, for which Slack gives
    three.
    """
    from bot.language.parse import parse  # with its tables: nobody needs them yet

    for place in (*PLACES, "jobs.decide:job", "media.decide:media"):
        loaded(place)
    pipeline.answered(
        Question(
            query=parse(USUAL_QUESTION, answering.reference),
            reference=answering.reference,
            defaults=answering.defaults,
            catalog=answering.catalog(AskContext(surface="home")),
            store=answering.store,
            now=now,
            answer_id="",
        )
    )

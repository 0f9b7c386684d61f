"""Answers in a terminal: drawn, as JSON, or as Block Kit."""

import json
import sys
from datetime import datetime

from rich.console import Console

from bot.config.settings import load_settings, stated
from bot.question.asking import AskContext
from bot.question.question import Answered
from bot.render.glance import at_a_glance
from bot.render.terminal import draw
from bot.render.views import AnswerView
from bot.run.composition import compose
from bot.run.freshen import freshened
from bot.service.answering import utc_now
from core.offers import Catalog
from core.reference.catalogue import Reference
from prices.sources.chosen import VARIABLE

TERMINAL = AskContext(surface="terminal")
EXIT_CODES = {"answer": 0, "help": 0, "clarify": 0, "no": 0, "hint": 2, "error": 1}
"""What the shell sees: a question that could not be read is a usage error."""


def answer_in_terminal(
    question: str,
    as_json: bool,
    as_blocks: bool,
    at: datetime | None,
    full: bool = False,
) -> int:
    """Answer a question on standard output."""
    settings = load_settings()
    with freshened(settings.database, stated() if at is None else OFF, utc_now()):
        answered = compose(settings).answered(question, TERMINAL, at)
        return _drawn(answered, as_json, as_blocks, full)


OFF = {VARIABLE: "off"}
"""What held on a past day is not renewed."""


def _drawn(answered: Answered, as_json: bool, as_blocks: bool, full: bool) -> int:
    view = answered.view
    if as_json:
        from bot.answers.shared.json import figures

        print(json.dumps(figures(answered), indent=2, ensure_ascii=False))
        return EXIT_CODES[view.kind]
    if as_blocks:
        from bot.render.rendering import Renderer

        drawn = Renderer().render_blocks(view if full else at_a_glance(view))
        print(json.dumps(drawn.blocks, ensure_ascii=False))
        return EXIT_CODES[view.kind]
    return show(view if full else at_a_glance(view))


def why_in_terminal(answer_id: str) -> int:
    """Print the arithmetic of an earlier answer."""
    return show(compose(load_settings()).why(answer_id, context=TERMINAL))


def setprice_in_terminal(words: str) -> int:
    """Note a negotiated price for the answers of this terminal, or show the book."""
    from bot.answers.shared.sellers import with_sellers
    from bot.slack.settings.setprice import PriceCommands
    from prices.records.pricebook import PriceBook

    settings = load_settings()
    answers, file = compose(settings), settings.database

    def market() -> Catalog:
        return answers.catalog(TERMINAL)

    def known() -> Reference:
        return with_sellers(answers.reference, market().providers)

    commands = PriceCommands(PriceBook(file), known, market, answers.clock)
    return show(commands.answer(words, TERMINAL))


def show(view: AnswerView) -> int:
    """Draw a view as wide as the terminal is."""
    draw(view, Console(file=sys.stdout))
    return EXIT_CODES[view.kind]

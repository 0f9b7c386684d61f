"""Which models given GPUs hold: the largest first, with the room beside each."""

from bot.answers.shared.api_book import hosted_prices
from bot.answers.shared.figures import gpu_name, number, price_sources
from bot.answers.shared.page import Page
from bot.question.question import Answered, Question
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.answers.runs_on import Held, RunsOn, answer_runs_on
from core.llm import ModelSpec

COLUMNS = (
    "Model",
    say("fit.served_as"),
    say("fit.requests_at_once"),
    say("fit.longest_context"),
)
EIGHT = 8


def runs_on(question: Question) -> Answered | None:
    """What fits on the named GPUs; None: none is named."""
    known = question.market

    def sellers(model: ModelSpec) -> int:
        return len({one.provider for one in hosted_prices(model, question.now)})

    found = answer_runs_on(question.query, *known, sellers)
    return None if found is None else Page(question).drawn(found, _view, _explained)


def _view(found: RunsOn, page: Page) -> AnswerView:
    bills = [one.fit.bill.offer for one in found.held[:1] if one.fit.bill]
    return page.answer(
        kind="answer" if found.held else "no",
        verdict=_verdict(found),
        why=_why(found),
        table=Table(
            caption=say("runs_on.largest_first"),
            columns=COLUMNS,
            rows=tuple(_row(one) for one in found.held),
        )
        if found.held
        else None,
        small_print=(price_sources(bills),) if bills else (),
    )


def _verdict(found: RunsOn) -> str:
    if not found.held:
        return say("runs_on.nothing", requests=found.requests, context=found.context)
    best = found.held[0]
    exact = found.largest(EIGHT)
    told = say("runs_on.up_to", where=_where(found), named=_named(best))
    if exact is None or exact is best:
        return told
    return say("runs_on.in_more_bits", told=told, named=_named(exact))


def _where(found: RunsOn) -> str:
    fit = found.held[0].fit
    price = say("fit.monthly", usd_per_month=fit.bill.usd_per_month) if fit.bill else ""
    return f"{found.gpus} × {gpu_name(fit.gpu)}{price.replace(': ', ', ')}"


def _named(one: Held) -> str:
    weights = one.fit.weights.upper()
    return say("fit.model_in_weights", name=one.model.name, weights=weights)


def _why(found: RunsOn) -> str:
    return say("runs_on.why", requests=found.requests, context=found.context)


def _explained(found: RunsOn, page: Page) -> AnswerView:
    return page.explained((_verdict(found), _why(found)), (), ("fits",))


def _row(one: Held) -> tuple[Cell, ...]:
    return (
        Cell(text=one.model.name),
        Cell(text=one.fit.weights.upper()),
        number(one.fit.sequences),
        number(one.fit.longest),
    )

"""What a one-off sum for hardware buys, and how many people that serves."""

from bot.answers.served import served
from bot.answers.shared.figures import chips, gpu_name, money, number
from bot.answers.shared.page import Page
from bot.answers.shared.workload import load_stated, spec_of
from bot.question.question import Answered, Question
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.answers.to_buy import Bought, ToBuy, to_buy
from core.query import Beside


def bought_for(question: Question) -> Answered | None:
    """The most that a sum buys; None: no sum and model are stated, or a load is."""
    query = question.query
    if query.budget_amount is None:
        return None
    if query.budget_period is None:
        query = query.model_copy(update={"budget_period": "total"})
    tunes = query.kind == "finetune"
    if tunes:
        query = query.model_copy(update={"kind": "inference"})
    if query.gpu or query.count or (load_stated(query) and query.users is None):
        return None
    resolved = served(question, query)
    if resolved is None:
        return None
    beside, known = query.beside or Beside(), question.reference
    found = to_buy(resolved, spec_of(resolved), beside, known, question.now)
    if found is None or not found.found:
        return None
    told = Page(question).drawn(found, _view, _explained)
    return told.noted(_tuned(found)) if tunes else told


def _tuned(found: ToBuy) -> str:
    """Whether what leads holds the model as it is tuned: an adapter, or all weights."""
    best, model = found.found[0], found.found[0].carried.capacity.model_name
    size = spec_of(found.resolved).model.params_b
    return say(
        "to_buy.tuned",
        model=model,
        adapter=2 * size,
        whole=16 * size,
        gpus=best.gpus,
        gpu_name=gpu_name(best.gpu),
        memory=best.gpus * best.gpu.memory_gb,
    )


def _view(found: ToBuy, page: Page) -> AnswerView:
    return page.answer(
        verdict=_verdict(found),
        why=say("to_buy.why", rate=found.found[0].carried.requests_per_second.likely),
        table=Table(
            caption=say("to_buy.table"),
            columns=("Buy", "GPUs", "$", say("budget.in_flight"), "Requests/s"),
            rows=tuple(_row(one) for one in found.found),
            winner=0,
        ),
        chips=chips(found.assumptions),
        notes=(say("to_buy.on_top"), *([f"{found.rate}."] if found.rate else [])),
    )


def _verdict(found: ToBuy) -> str:
    best = found.found[0]
    flight = best.carried.in_flight
    return say(
        "to_buy.verdict",
        gpus=best.gpus,
        gpu_name=gpu_name(best.gpu),
        usd=best.usd,
        likely=round(flight.likely),
        low=round(flight.low),
        high=round(flight.high),
        name=best.carried.capacity.model_name,
        weights=best.carried.weights.upper(),
    )


def _row(one: Bought) -> tuple[Cell, ...]:
    rate = one.carried.requests_per_second.likely
    return (
        Cell(text=f"{gpu_name(one.gpu)} {one.carried.weights.upper()}"),
        number(one.gpus),
        money(one.usd),
        number(round(one.carried.in_flight.likely)),
        number(round(rate, 1)),
    )


def _explained(found: ToBuy, page: Page) -> AnswerView:
    steps = [
        say(
            "to_buy.step",
            gpus=one.gpus,
            gpu_name=gpu_name(one.gpu),
            usd=one.usd,
            rate=one.carried.requests_per_second.likely,
        )
        for one in found.found
    ]
    return page.explained(steps, found.assumptions, ("budget", "latency"))

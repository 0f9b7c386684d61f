"""What so many GPUs train in so much time: sizes of models, and tokens for each."""

from bot.answers.jobs.phrases import hours_words
from bot.answers.shared.figures import gpu_name, number, price_sources, provider_name
from bot.answers.shared.page import Page
from bot.question.question import Answered, Question
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.answers.trainable import PER_PARAMETER, Trainable, Trained, answer_trainable
from core.wording import count

COLUMNS = (
    say("trainable.size"),
    "Tokens",
    say("trainable.per_parameter"),
    "MFU",
)


def trainable(question: Question) -> Answered | None:
    """The sizes and their tokens; None: no GPUs or no time are told."""
    found = answer_trainable(question.query, *question.market)
    return None if found is None else Page(question).drawn(found, _view, _explained)


def _view(found: Trainable, page: Page) -> AnswerView:
    rows = sorted(found.trained, key=lambda one: one.model.params_b)
    return page.answer(
        kind="answer" if rows else "no",
        verdict=_verdict(found),
        why=_why(found, page),
        table=Table(
            caption=say("trainable.caption"),
            columns=COLUMNS,
            rows=tuple(_row(one) for one in rows),
            whole=True,
        )
        if rows
        else None,
        notes=(say("trainable.restarts"),) if rows else (),
        small_print=(price_sources([found.bill.offer]),) if found.bill else (),
    )


def _verdict(found: Trainable) -> str:
    where = say(
        "trainable.where",
        gpus=found.gpus,
        gpu_name=gpu_name(found.gpu),
        hours=hours_words(found.hours),
    )
    if not found.trained:
        return say("trainable.nothing", where=where)
    size = found.optimal_b
    if size is None:
        largest = max(found.trained, key=lambda one: one.model.params_b)
        size, tokens = largest.model.params_b, largest.tokens
    else:
        tokens = size * 1e9 * PER_PARAMETER
    return say("trainable.verdict", where=where, size=size, tokens=tokens)


def _why(found: Trainable, page: Page) -> str:
    """How it is counted, and what renting the GPUs for the time costs."""
    told = say(
        "trainable.why", gpu_hours=found.gpus * found.hours, optimal=PER_PARAMETER
    )
    if found.bill is None:
        return told
    run = found.ways[0].money.run
    seller = provider_name(found.bill.offer.provider, page.reference)
    return told + say("trainable.rent", usd=run, seller=seller)


def _row(one: Trained) -> tuple[Cell, ...]:
    return (
        Cell(text=one.model.name),
        Cell(text=count(one.tokens), value=one.tokens),
        number(round(one.per_parameter, 1)),
        Cell(text=f"{one.mfu_pct:.0f}%", value=one.mfu_pct),
    )


def _explained(found: Trainable, page: Page) -> AnswerView:
    steps = [_verdict(found), _why(found, page)]
    steps += [
        say("trainable.step", name=one.model.name, tokens=one.tokens, mfu=one.mfu_pct)
        for one in found.trained
    ]
    return page.explained(steps, (), ("fits",))

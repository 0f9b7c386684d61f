"""How large a model given GPUs tune: the size first, then method by method."""

from bot.answers.shared.figures import gpu_name, price_sources
from bot.answers.shared.page import Page
from bot.question.question import Answered, Question
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.answers.tunable import Row, Tunable, answer_tunable
from core.workload import TuningMethod

METHOD: dict[TuningMethod, str] = {
    "full": say("tunable.full"),
    "lora": "LoRA",
    "qlora": "QLoRA",
}
BY_METHOD = (
    say("tunable.method"), say("tunable.largest"), say("tunable.such_as"),
    say("tunable.lean"),
)  # fmt: skip


def tunable(question: Question) -> Answered | None:
    """The largest sizes by method; None: no GPUs are told."""
    found = answer_tunable(question.query, *question.market)
    return None if found is None else Page(question).drawn(found, _view, _explained)


def _view(found: Tunable, page: Page) -> AnswerView:
    first = found.rows[0]
    known = len(found.rows) == 1
    counted = ("GPUs", *(METHOD[one] for one in found.methods))
    return page.answer(
        kind="answer" if found.status == "ok" else "no",
        verdict=_verdict(found),
        why=_why(found),
        table=Table(
            caption=say("tunable.caption"),
            columns=BY_METHOD if known else counted,
            rows=_by_method(found, first, page) if known else _by_number(found),
            whole=True,
        ),
        notes=(say("tunable.mixtures"),),
        small_print=(price_sources([found.bill.offer]),) if found.bill else (),
    )


def _verdict(found: Tunable) -> str:
    """What the stated cards tune; of no stated number, one card and the most."""
    rows = dict.fromkeys((found.rows[0], found.rows[-1]))
    told = ". ".join(
        say(
            "tunable.where",
            where=f"{row.gpus} × {gpu_name(found.gpu)}",
            sizes=_sizes(found, row),
        )
        for row in rows
    )
    if found.bill is None:
        return told
    return told + say("tunable.rent", usd=found.bill.usd_per_month)


def _sizes(found: Tunable, row: Row) -> str:
    each = zip(found.methods, row.sizes_b, row.lean_b, strict=True)
    return ", ".join(
        say("tunable.size", method=METHOD[one], size=_in_billions(size))
        + (say("tunable.or_lean", lean=lean) if lean > size and one == "full" else "")
        for one, size, lean in each
    )


def _in_billions(size: float) -> str:
    return say("tunable.billions", size=size) if size else say("tunable.none")


def _why(found: Tunable) -> str:
    whole = say("tunable.mixed_precision") if "full" in found.methods else ""
    return say("tunable.why", sequence=found.sequence, whole=whole)


def _by_number(found: Tunable) -> tuple[tuple[Cell, ...], ...]:
    return tuple(
        (Cell(text=str(row.gpus)), *(Cell(text=_in_billions(b)) for b in row.sizes_b))
        for row in found.rows
    )


def _by_method(found: Tunable, row: Row, page: Page) -> tuple[tuple[Cell, ...], ...]:
    """Each method with a published model of its size, and the leaner optimiser's."""
    dense = [
        model
        for model in page.reference.models.values()
        if model.representative_of and not model.is_moe
    ]

    def such_as(size: float) -> str:
        known = [model for model in dense if model.params_b <= size * NEARLY]
        named = max(known, key=lambda model: model.params_b, default=None)
        return named.name if named else "–"

    return tuple(
        (
            Cell(text=METHOD[one]),
            Cell(text=_in_billions(size), value=size),
            Cell(text=such_as(size)),
            Cell(text=_in_billions(lean), value=lean),
        )
        for one, size, lean in zip(found.methods, row.sizes_b, row.lean_b, strict=True)
    )


NEARLY = 1.04
"""A model of 32.8B is one of 32B."""


def _explained(found: Tunable, page: Page) -> AnswerView:
    return page.explained((_verdict(found), _why(found)), (), ("fits",))

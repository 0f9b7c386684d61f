"""A month with everything that was asked for beside the GPUs, part by part."""

from bot.answers.shared.figures import chips
from bot.render.views import AnswerView
from core.answers.tco import AllIn
from core.wording import dollars

NEVER = "Not counted: anything that was not named."


def with_all_in(view: AnswerView, found: AllIn) -> AnswerView:
    """The same answer with the whole bill in its verdict and its parts beside it."""
    total = found.total
    return view.model_copy(
        update={
            "verdict": f"{view.verdict} · {dollars(total.usd)}/month all in",
            "notes": (parts(found), *view.notes),
            "chips": (*view.chips, *chips(found.assumptions)),
        }
    )


def with_beside_alone(view: AnswerView, found: AllIn) -> AnswerView:
    """The same answer, saying what of a month its figures leave out."""
    note = f"Beside these figures, a month: {_extras(found)}."
    update = {
        "notes": (note, *view.notes),
        "chips": (*view.chips, *chips(found.assumptions)),
    }
    return view.model_copy(update=update)


def _extras(found: AllIn) -> str:
    return " + ".join(
        f"{line.name} {dollars(line.usd)} ({line.formula})"
        for line in found.total.lines[1:]
    )


def parts(found: AllIn) -> str:
    """The sum: "All in $17,077/month: GPUs $15,077 + egress $180 (2000 GB × $0.09)"."""
    gpus = found.total.lines[0]
    text = (
        f"All in {dollars(found.total.usd)}/month: {gpus.name} {dollars(gpus.usd)} + "
        f"{_extras(found)}."
    )
    idle = found.total.idle
    if idle:
        text += f" Of the GPUs {dollars(idle)} are idle hours."
    return text


def explained_all_in(why: AnswerView | None, found: AllIn) -> AnswerView | None:
    """The same arithmetic with the parts and what they rest on."""
    if why is None:
        return None
    assumed = (f"Assumed {a.label}: {a.value} ({a.why})." for a in found.assumptions)
    return why.model_copy(update={"notes": (*why.notes, parts(found), NEVER, *assumed)})

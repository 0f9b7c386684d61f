"""A KV cache's or the weights' size: the figure alone, then how it is made."""

from bot.answers.served import serving
from bot.answers.shared.figures import chips
from bot.answers.shared.page import Page
from bot.answers.shared.workload import as_served, spec_of
from bot.question.question import Answered, Question
from bot.render.views import AnswerView
from core.answers.kv_cache import SizeAnswer, answer_size
from core.wording import count, significant


def memory_size(question: Question) -> Answered:
    """How many gigabytes a cache or the weights take."""
    resolved = serving(as_served(question))
    if isinstance(resolved, Answered):
        return resolved
    found = answer_size(question.query, resolved, spec_of(resolved))
    return Page(question).drawn(found, _view, _explained)


def _view(found: SizeAnswer, page: Page) -> AnswerView:
    named = (one for one in found.assumed if one.field == "model")
    return page.answer(verdict=_verdict(found), why=_why(found), chips=chips(named))


def _explained(found: SizeAnswer, page: Page) -> AnswerView:
    named = [one for one in found.assumed if one.field == "model"]
    return page.explained([_why(found)], named, ("fits",))


def _verdict(found: SizeAnswer) -> str:
    sizes = ", ".join(
        f"{_amount(size.gb)} in {size.format.upper()}" for size in found.sizes
    )
    name = found.spec.model.name
    if found.part == "weights":
        return f"{sizes}: the weights of {name}"
    each = "a token" if found.context == 1 else f"{found.context:,.0f} tokens"
    of = each if found.sequences == 1 else f"{count(found.sequences)} × {each}"
    return f"{sizes}: the KV cache of {of} with {name}"


def _amount(gb: float) -> str:
    """Gigabytes, or kilobytes of what is less than a megabyte."""
    return f"{significant(gb)} GB" if gb >= 0.001 else f"{significant(gb * 1e6)} kB"


def _why(found: SizeAnswer) -> str:
    model = found.spec.model
    if found.part == "weights":
        return (
            f"{significant(model.params_b)}B parameters at 2 bytes each in 16 bit, 1 "
            "in 8 bit, 0.5 in 4 bit; embeddings stay in 16 bit. GB are 10⁹ bytes."
        )
    return (
        f"{significant(found.bytes_per_token / 1000)} kB for each token in 16 bit, "
        f"times {found.context:,.0f} tokens"
        + (f", times {count(found.sequences)}" if found.sequences > 1 else "")
        + ". Weights and the engine's own memory come on top. GB are 10⁹ bytes."
    )

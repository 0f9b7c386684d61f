"""A KV cache's or the weights' size: the figure alone, then how it is made."""

from msgspec.structs import replace

from bot.answers.served import serving
from bot.answers.shared.figures import chips, gpu_name
from bot.answers.shared.page import Page
from bot.answers.shared.workload import as_served, spec_of
from bot.question.question import Answered, Question
from bot.render.views import AnswerView
from bot.render.words import say
from core.answers.kv_cache import Holding, SizeAnswer, answer_size, fewest_of, held_on
from core.estimate.shape import shape_of
from core.units import BITS, GB
from core.wording import count


def memory_size(question: Question) -> Answered:
    """How many gigabytes a cache or the weights take."""
    resolved = serving(as_served(question))
    if isinstance(resolved, Answered):
        return resolved
    found = answer_size(question.query, resolved, spec_of(resolved))
    named = question.query, found, question.reference
    found = replace(found, held=held_on(*named), fewest=fewest_of(*named))
    return Page(question).drawn(found, _view, _explained)


def _view(found: SizeAnswer, page: Page) -> AnswerView:
    named = (one for one in found.assumed if one.field == "model")
    return page.answer(
        verdict=_verdict(found),
        why=_why(found),
        chips=chips(named),
        notes=tuple(filter(None, (_held(found), _fewest(found)))),
    )


def _held(found: SizeAnswer) -> str:
    """How many such requests the named GPUs hold; empty: none are named."""
    if not found.held:
        return ""
    first = found.held[0]
    rooms = ", ".join(
        say("memory_size.room", sequences=one.sequences, format=one.kv.upper())
        for one in found.held
    )
    return say(
        "memory_size.held",
        gpus=first.gpus,
        gpu_name=gpu_name(first.gpu),
        weights=first.weights.upper(),
        context=found.context,
        rooms=rooms,
    )


def _fewest(found: SizeAnswer) -> str:
    """How many of the named GPU hold the weights; empty: none is named."""
    if not found.fewest:
        return ""
    gpu = gpu_name(found.fewest[0].gpu)
    counts = ", ".join(_of(one, one.memory) for one in found.fewest)
    said = say("memory_size.fewest", gpu_name=gpu, counts=counts)
    if all(one.laid_out == one.memory for one in found.fewest):
        return said
    laid_out = ", ".join(_of(one, one.laid_out) for one in found.fewest)
    return f"{said} {say('memory_size.laid_out', counts=laid_out)}"


def _of(one: Holding, gpus: int | None) -> str:
    if gpus is None:
        return say("memory_size.not_laid_out", format=one.format.upper())
    return say("memory_size.gpus_in", gpus=gpus, format=one.format.upper())


def _explained(found: SizeAnswer, page: Page) -> AnswerView:
    named = [one for one in found.assumed if one.field == "model"]
    return page.explained([_why(found)], named, ("fits",))


def _verdict(found: SizeAnswer) -> str:
    sizes = ", ".join(
        say("memory_size.amount_in", amount=_amount(one.gb), format=one.format.upper())
        for one in found.sizes
    )
    name = found.spec.model.name
    if found.part == "weights":
        return say("memory_size.the_weights_of", sizes=sizes, name=name)
    each = say("memory_size.a_token")
    if found.context != 1:
        each = say("memory_size.context_tokens", context=found.context)
    of = each if found.sequences == 1 else f"{count(found.sequences)} × {each}"
    return say("memory_size.kv_cache", sizes=sizes, of=of, name=name)


def _amount(gb: float) -> str:
    """Gigabytes, or kilobytes of what is less than a megabyte."""
    if gb >= 0.001:
        return say("memory_size.gb", gb=gb)
    return say("memory_size.kb", kb=gb * 1e6)


def _why(found: SizeAnswer) -> str:
    model = found.spec.model
    if found.part == "weights":
        four = any(BITS[one.format] == 4 for one in found.sizes)
        if four and shape_of(model).experts_only:
            return say("memory_size.experts_in_four_bits", params_b=model.params_b)
        return say("memory_size.b_parameters_at_bytes", params_b=model.params_b)
    return (
        _each_token(found)
        + (
            say("memory_size.times_context", context=found.context)
            if found.context != 1
            else ""
        )
        + (
            say("memory_size.times", sequences=found.sequences)
            if found.sequences > 1
            else ""
        )
        + say("memory_size.weights_and_the_engine")
    )


def _each_token(found: SizeAnswer) -> str:
    """What one token takes, in the format of the first figure."""
    first = found.sizes[0]
    each = first.gb * GB / found.sequences / found.context / 1000
    bits = BITS[first.format]
    return say("memory_size.kb_for_each_token", bytes_per_token=each, bits=bits)

"""The smallest GPU that a model runs on, format by format."""

from collections.abc import Iterable, Iterator

from bot.answers.served import serving
from bot.answers.shared.figures import (
    chips,
    format_name,
    gpu_name,
    price_sources,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.answers.shared.workload import as_served, spec_of
from bot.question.asks import asks
from bot.question.question import Answered, Question
from bot.render.views import AnswerView
from bot.render.words import say
from core.answers.smallest import Smallest, SmallestAnswer, answer_smallest
from core.llm import ModelSpec
from core.reference.catalogue import Reference
from core.workload import Assumption


def smallest_gpu(question: Question) -> Answered:
    """Which single GPU is enough."""
    resolved = serving(as_served(question))
    if isinstance(resolved, Answered):
        return resolved
    market = question.market
    found = answer_smallest(question.query, resolved, spec_of(resolved), *market)
    return Page(question).drawn(found, _view, _explained)


def _view(found: SmallestAnswer, page: Page) -> AnswerView:
    name = found.spec.model.name
    if not found.found:
        return page.answer(
            kind="no", verdict=say("smallest_gpu.no_single_gpu_holds", name=name)
        )
    offers = [one.bill.offer for one in found.found if one.bill]
    return page.answer(
        verdict=_verdict(found, page),
        why=_why(
            found,
            (
                _line(one, found.spec.model, page.reference)
                for one in (found.found if found.least.gpus > 1 else found.found[1:])
                if one is not found.least
            ),
        ),
        notes=_smaller(found),
        chips=chips(_assumed(found)),
        small_print=(price_sources(offers),) if offers else (),
    )


def _smaller(found: SmallestAnswer) -> tuple[str, ...]:
    """A GPU that is smaller still, and has no price."""
    gpu = found.unsold
    if gpu is None:
        return ()
    name = say("smallest_gpu.gb", gpu_name=gpu_name(gpu), memory_gb=gpu.memory_gb)
    return (say("smallest_gpu.unsold", name=name),)


def _verdict(found: SmallestAnswer, page: Page) -> str:
    """The smallest and the cheapest, first the one that is asked for."""
    smallest = _least(found, page.reference)
    cheapest = tuple(_cheapest(found, page.reference))
    if not asks(page.question.query, "cheapest"):
        return ". ".join((smallest, *cheapest))
    alone = found.cheapest and not cheapest and found.least.gpus == 1
    none = (say("smallest_gpu.none_cheaper"),) if alone else ()
    return ". ".join((*cheapest, smallest, *none))


def _least(found: SmallestAnswer, reference: Reference) -> str:
    """The smallest of all, and the smallest of the most exact format."""
    name, exact, least = found.spec.model.name, found.found[0], found.least
    first = _line(least, found.spec.model, reference)
    if least.gpus > 1:
        return say("smallest_gpu.fewest", lines=first, name=name, gpus=least.gpus)
    return (
        say(
            "smallest_gpu.verdict_quantised",
            lines=first,
            name=name,
            weights=format_name(found.spec.model, exact.weights),
        )
        if least is exact
        else say(
            "smallest_gpu.verdict",
            lines=first,
            name=name,
            exact=_line(exact, found.spec.model, reference),
        )
    )


def _cheapest(found: SmallestAnswer, reference: Reference) -> Iterator[str]:
    """What holds the same for less, beside the smallest or the fewest GPUs."""
    fit, held = found.cheapest, found.least
    held = held if held.gpus == 1 else found.found[0]
    if fit is None or fit.bill is None:
        return
    if held.bill and held.bill.usd_per_month <= fit.bill.usd_per_month:
        return
    yield say(
        "smallest_gpu.cheapest",
        weights=format_name(found.spec.model, fit.weights),
        gpus=fit.gpus,
        gpu_name=gpu_name(fit.gpu),
        usd_per_month=fit.bill.usd_per_month,
        seller=provider_name(fit.bill.offer.provider, reference),
    )


def _explained(found: SmallestAnswer, page: Page) -> AnswerView:
    lines = [_line(one, found.spec.model, page.reference) for one in found.found]
    return page.explained([_why(found, lines)], _assumed(found), ("fits",))


def _why(found: SmallestAnswer, lines: Iterable[str]) -> str:
    said = [f"{line}." for line in lines]
    least = say("smallest_gpu.why", requests=found.at_once, context=found.context)
    return " ".join((*said, least))


def _assumed(found: SmallestAnswer) -> list[Assumption]:
    return [one for one in found.assumed if one.field in ASSUMED]


ASSUMED = ("model", "input_tokens", "output_tokens")


def _line(one: Smallest, model: ModelSpec, reference: Reference) -> str:
    held = say(
        "smallest_gpu.request_at_once",
        requests=one.requests,
        ending="" if one.requests == 1 else "s",
    )
    card = gpu_name(one.gpu)
    name = say(
        "smallest_gpu.gb",
        gpu_name=f"{one.gpus} × {card}",
        memory_gb=one.memory_gb,
    )
    said = say(
        "smallest_gpu.model_in_weights",
        name=name,
        weights=format_name(model, one.weights),
        gb=one.weights_gb,
        held=held,
    )
    if one.bill is None:
        return said
    seller = provider_name(one.bill.offer.provider, reference)
    return say(
        "smallest_gpu.month_at",
        said=said,
        usd_per_month=one.bill.usd_per_month,
        seller=seller,
    )

"""What training a published model has cost: the figure, how it was counted, today's."""

from collections.abc import Iterator
from functools import partial

from bot.answers.shared.figures import gpu_name, provider_name
from bot.answers.shared.page import Page
from bot.question.question import Answered, Question
from bot.render.views import AnswerView
from bot.render.words import say
from core.answers.training_cost import (
    ImageTraining,
    TrainingCost,
    image_training,
    training_cost,
)
from core.reference.catalogue import Reference
from core.reference.names import compact
from core.wording import count


def published_training(question: Question) -> Answered | None:
    """The cost of a run that is published; None: no known run is named."""
    market = question.market
    found = training_cost(question.query, *market)
    return None if found is None else Page(question).drawn(found, _view, _explained)


def trained_on_images(question: Question) -> Answered | None:
    """What published image models took, where one is to be trained from nothing."""
    found = image_training(question.query, *question.market)
    if found is None:
        return None
    page, named = Page(question), question.query.model
    return page.drawn(found, partial(_image_view, named=named), _images_explained)


def _image_view(found: ImageTraining, page: Page, named: str | None) -> AnswerView:
    budget = found.budget_usd
    within = [run for run in found.runs if budget and found.usd_today(run) <= budget]
    said = [
        say(
            "training_cost.an_image_run",
            name=run.name,
            usd=found.usd_today(run),
            hours=run.gpu_hours or 0,
        )
        for run in within or found.runs
    ]
    known = {compact(name) for run in found.runs for name in run.names}
    unknown = "" if named is None or compact(named) in known else named
    key = say("training_cost.images_within", budget=budget) if within else ""
    if budget and not within:
        key = say("training_cost.images_beyond", budget=budget)
    if unknown:
        key = say("training_cost.image_unknown", name=unknown) + key
    price = found.offer.usd_per_gpu_hour
    return page.answer(
        verdict=key + "; ".join(said),
        why=say(
            "training_cost.images_why",
            price=price,
            seller=provider_name(found.offer.provider, page.reference),
        ),
        notes=tuple(f"{run.name}: {run.gpus}, {run.basis}." for run in found.runs),
        small_print=tuple(
            dict.fromkeys(
                say("training_cost.source", source=run.source) for run in found.runs
            )
        ),
    )


def _images_explained(found: ImageTraining, page: Page) -> AnswerView:
    return page.explained(tuple(f"{run.name}: {run.gpus}." for run in found.runs))


def _view(found: TrainingCost, page: Page) -> AnswerView:
    return page.answer(
        verdict=_verdict(found),
        why=_why(found, page.reference),
        small_print=tuple(
            say("training_cost.source", source=one.source)
            for one in (found.stated, found.run)
            if one
        ),
    )


def _explained(found: TrainingCost, page: Page) -> AnswerView:
    return page.explained((_verdict(found), _why(found, page.reference)))


def _verdict(found: TrainingCost) -> str:
    return ". ".join((_published(found), *_today(found)))


def _today(found: TrainingCost) -> Iterator[str]:
    """The same hours on each GPU that is asked about."""
    if not found.asked or found.gpu_hours is None:
        return
    for one in sorted(found.rents, key=lambda rent: rent.offer is None):
        if one.offer is None:
            yield say("training_cost.no_price", name=gpu_name(one.gpu))
        else:
            yield say(
                "training_cost.the_same_hours",
                hours=_in_short(found.gpu_hours),
                name=gpu_name(one.gpu),
                usd="$" + _in_short(float(found.usd_on(one.offer))),
                usd_per_gpu_hour=one.offer.usd_per_gpu_hour,
            )


def _published(found: TrainingCost) -> str:
    if found.stated is not None:
        beyond = f" ({found.stated.beyond})" if found.stated.beyond else ""
        return say(
            "training_cost.training_cost_about",
            name=found.name,
            millions=_millions(found),
            beyond=beyond,
        )
    hours = count(found.gpu_hours or 0)
    if found.usd_today is None or found.asked:
        return say(
            "training_cost.training_took_gpu_hours", name=found.name, hours=hours
        )
    return say(
        "training_cost.training_would_cost_about",
        name=found.name,
        usd_today=found.usd_today,
        hours=hours,
    )


def _in_short(amount: float) -> str:
    """ "2.788M": as many digits as such runs are published with."""
    return f"{amount / 1e6:,.4g}M" if amount >= 1e6 else f"{amount:,.0f}"


def _millions(found: TrainingCost) -> str:
    usd = float(found.stated.usd) if found.stated else 0.0
    return f"${usd / 1e6:,.3g}M" if usd >= 1e6 else f"${usd:,.0f}"


def _why(found: TrainingCost, reference: Reference) -> str:
    said = []
    if found.stated is not None:
        said.append(f"{found.stated.gpus}: {found.stated.basis}.")
    for one in found.rents if found.gpu_hours else ():
        if one.offer is not None:
            said.append(
                say(
                    "training_cost.why",
                    gpu_hours=found.gpu_hours,
                    name=gpu_name(one.gpu),
                    usd_today=found.usd_on(one.offer),
                    usd_per_gpu_hour=one.offer.usd_per_gpu_hour,
                    seller=provider_name(one.offer.provider, reference),
                )
            )
    return " ".join(said)

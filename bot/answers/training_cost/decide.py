"""What training a published model has cost: the figure, how it was counted, today's."""

from bot.answers.shared.figures import provider_name
from bot.answers.shared.page import Page
from bot.question.question import Answered, Question
from bot.render.views import AnswerView
from bot.render.words import say
from core.answers.training_cost import TrainingCost, training_cost
from core.reference.catalogue import Reference
from core.wording import count


def published_training(question: Question) -> Answered | None:
    """The cost of a run that is published; None: no known run is named."""
    market = question.market
    found = training_cost(question.query, *market)
    return None if found is None else Page(question).drawn(found, _view, _explained)


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
    if found.stated is not None:
        beyond = f" ({found.stated.beyond})" if found.stated.beyond else ""
        return say(
            "training_cost.training_cost_about",
            name=found.name,
            millions=_millions(found),
            beyond=beyond,
        )
    hours = count(found.run.gpu_hours) if found.run else ""
    if found.usd_today is None:
        return say(
            "training_cost.training_took_gpu_hours", name=found.name, hours=hours
        )
    return say(
        "training_cost.training_would_cost_about",
        name=found.name,
        usd_today=found.usd_today,
        hours=hours,
    )


def _millions(found: TrainingCost) -> str:
    usd = float(found.stated.usd) if found.stated else 0.0
    return f"${usd / 1e6:,.3g}M" if usd >= 1e6 else f"${usd:,.0f}"


def _why(found: TrainingCost, reference: Reference) -> str:
    said = []
    if found.stated is not None:
        said.append(f"{found.stated.gpus}: {found.stated.basis}.")
    if found.run is not None and found.offer is not None and found.usd_today:
        gpu = reference.gpus[found.run.gpu]
        seller = provider_name(found.offer.provider, reference)
        said.append(
            say(
                "training_cost.why",
                gpu_hours=found.run.gpu_hours,
                name=gpu.name,
                usd_today=found.usd_today,
                usd_per_gpu_hour=found.offer.usd_per_gpu_hour,
                seller=seller,
            )
        )
    return " ".join(said)

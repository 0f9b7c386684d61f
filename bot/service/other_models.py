"""Other models of images, sound or video that are named: each priced for the work."""

from collections.abc import Iterator

from msgspec.structs import replace

from bot.answers.compare_models.decide import MOST, fields_of_rival
from bot.answers.dispatch import decide
from bot.answers.shared.figures import way_words
from bot.question.question import Answered, Question
from bot.render.words import say


def with_other_models(found: Answered, question: Question) -> Answered:
    """The same answer with what each other named model costs: "Kokoro or Orpheus"."""
    query, answer = question.query, found.figures
    if query.modality is None or not query.rivals or answer is None or not answer.ways:
        return found
    said = list(_each(question, query.rivals[: MOST - 1]))
    verdict = say(
        "service.beside_models",
        name=query.model or say("service.first_model"),
        verdict=found.view.verdict,
        others="; ".join(said),
    )
    told = found.redrawn(verdict=verdict)
    return replace(told, applied=told.applied | {"rivals"})


def _each(question: Question, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        free = {**fields_of_rival(name), "rivals": None, "intent": "run_cost"}
        asked = replace(question, query=question.query.model_copy(update=free))
        answer = decide(asked).figures
        if answer is None or not answer.ways or answer.status != "ok":
            yield say("service.no_price_of_model", name=name)
            continue
        way = answer.ways[0]
        usd, per = way.money.headline
        if usd is None:
            yield say("service.no_price_of_model", name=name)
            continue
        yield say(
            "service.other_model",
            name=name,
            way=way_words(way, question.reference),
            usd=usd,
            per=per,
        )

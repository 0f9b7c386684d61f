"""Answers that are not figures: what was unknown, what to ask, what cannot be."""

import re

from bot.answers.help import EXAMPLES
from bot.answers.shared.figures import gpu_name
from bot.answers.shared.page import Page
from bot.question.question import Answered
from bot.render.field_words import asker_words, words_of
from bot.render.views import AnswerView
from bot.render.words import say
from core.answers.answer import NoPrice
from core.hardware import GpuSpec
from core.query import Query
from core.resolve import Unresolved

KNOWN = ("llama-3.1-8b", "llama-3.3-70b")
"""Models that any question can be tried with."""


def clarify_view(query: Query) -> AnswerView:
    """The one question that has to be answered first."""
    asked = query.clarify
    return AnswerView(
        kind="clarify",
        question=query.text,
        verdict=asked.question if asked else say("shared.clarify_view"),
        why=understood(query),
        examples=asked.choices if asked else (),
    )


def searched_view(query: Query) -> AnswerView:
    """That a search among vectors takes memory, and seldom a GPU."""
    told = say("questions.searched_on_cpus")
    return AnswerView(kind="clarify", question=query.text, verdict=told)


def unresolved_view(query: Query, problem: Unresolved) -> AnswerView:
    """What was wrong, what was understood, and what to try."""
    tried = (
        _instead(query.text, unknown.text, name)
        for unknown in problem.unknown
        for name in unknown.nearest
    )
    nearest = [text for text in tried if text != query.text]
    names = [name for unknown in problem.unknown for name in unknown.nearest]
    meant = say("shared.unresolved_view", either=_either(names)) if names else ""
    return AnswerView(
        kind="hint",
        question=query.text,
        verdict=problem.reason + meant,
        why=understood(query),
        examples=tuple(nearest[:3]) or _without_names(query, problem),
    )


def _without_names(query: Query, problem: Unresolved) -> tuple[str, ...]:
    """What to try where no name comes near; nothing: a number has to change, or
    the work is on sound or pictures."""
    if problem.field or query.modality not in (None, "embedding"):
        return ()
    return _with_known_models(query) or EXAMPLES


def _with_known_models(query: Query) -> tuple[str, ...]:
    """The question's own load, limits and place with models that we know."""
    names = ("model", "params_b", "active_params_b", "modality")
    facts = words_of(query.model_copy(update=dict.fromkeys(names)))
    said = " ".join(fact for fact in facts if fact)
    if query.stated().keys() <= {*names, "intent", "kind"}:
        return ()
    return tuple(f"{model} {said}" for model in KNOWN)


def _instead(text: str, said: str, name: str) -> str:
    """The text with another name, however that was spaced: "rtx 4060" is rtx4060."""
    spaced = r"[\s-]?".join(map(re.escape, said))
    return re.sub(spaced, name, text, count=1, flags=re.IGNORECASE)


def out_of_scope_view(query: Query) -> AnswerView:
    """A polite refusal that says what can be asked."""
    return _hint(
        query.text,
        say("shared.i_answer_which_gpus"),
        say("shared.that_question_is_about"),
    )


def unreadable_view(query: Query) -> AnswerView:
    """A hint with three examples for a question with nothing in it to size."""
    return _hint(
        query.text,
        say("shared.i_could_not_find"),
        say("shared.what_to_name"),
    )


def unknown_answer_view(answer_id: str) -> AnswerView:
    """An id that names no answer of this team."""
    return _hint(
        f"why {answer_id}",
        say("shared.there_is_no_answer", answer_id=answer_id.strip()),
        say("shared.where_to_find_the_id"),
    )


def _hint(question: str, verdict: str, why: str) -> AnswerView:
    return AnswerView(
        kind="hint",
        question=question,
        verdict=verdict,
        why=why,
        examples=EXAMPLES,
    )


def understood(query: Query) -> str:
    """What was read out of the question, in a line."""
    read = (*words_of(query), *asker_words(query))
    words = ", ".join(read).replace("=", " ")
    return say("shared.understood", words=words) if words else ""


def _either(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]


def not_known(page: Page, verdict: str, why: str) -> Answered:
    """A figure without which nothing can be computed, and how to state it."""
    view = page.answer(verdict, why, kind="no", buttons=())
    return Answered(view, view, NoPrice())


def price_unknown(page: Page, gpu: GpuSpec) -> Answered:
    """Hardware in hand that nobody in the catalogue sells under the conditions."""
    verdict = say("shared.we_know_no_price", gpu_name=gpu_name(gpu))
    return not_known(page, verdict, say("shared.without_a_price_there"))

"""A submitted form: the question that it asks, or what cannot be read in it."""

from collections.abc import Mapping
from typing import Any

from bot.language.parse import parse
from bot.render.field_words import INTENTS
from bot.render.fields import FIELDS, MORE, Field
from bot.render.words import say
from core.checked import Checked
from core.reference.catalogue import Reference

SCAFFOLDS = ("{}", "70b {}", "batch 70b {}")
"""A length or an amount alone is no question; beside a model, the parser reads it."""

SINGLE = ("value", "selected_conversation")


class Submission(Checked):
    """What a form was filled with."""

    question: str
    errors: Mapping[str, str]
    """What to say under which input."""


def read_submission(state: Mapping[str, Any], reference: Reference) -> Submission:
    """Read the values of a view into one question."""
    values = {name: typed(block) for name, block in state.items()}
    words = {f.name: f.words(values.get(f.name, ())) for f in FIELDS}
    if words["ask"] == INTENTS["lifecycle"]:  # which says the workload too
        words["kind"] = ""
    words["budget"] = words.pop("budget")  # behind "budget $200" no samples stand
    question = " ".join(word for word in words.values() if word)
    whole = parse(question, reference).stated()
    errors = {
        field.name: _problem(field, words[field.name], reference)
        for field in FIELDS
        if words[field.name] and not _read(field, whole)
    }
    if not question.removeprefix(words["kind"]):
        errors["model"] = say("render.read_submission")
    told = {name: problem for name, problem in errors.items() if problem}
    return Submission(question=question, errors=told)


def _read(field: Field, stated: Mapping[str, object]) -> bool:
    """Whether the parser found in a question what an input holds; lists it knows."""
    listed = field.kind != "text" or field.name == MORE.name
    return listed or any(name in stated for name in field.holds)


def typed(block: Mapping[str, Any]) -> tuple[str, ...]:
    """The text or the choices of one input, whatever its kind."""
    found: list[str] = []
    for element in block.values():
        chosen = element.get("selected_options") or [element.get("selected_option")]
        found += [str(option["value"]) for option in chosen if option]
        found += [str(user) for user in element.get("selected_users") or ()]
        found += [str(element[key]) for key in SINGLE if element.get(key)]
    return tuple(text for text in (" ".join(f.split()) for f in found) if text)


def _problem(field: Field, words: str, reference: Reference) -> str:
    """Say what the parser does not read in an input, even by itself."""
    queries = [parse(form.format(words), reference) for form in SCAFFOLDS]
    if any(_read(field, query.stated()) for query in queries):
        return ""
    if unknown := queries[0].unknown:
        nearest = " or ".join(unknown[0].nearest[:3])
        meant = say("render.did_you_mean", nearest=nearest) if nearest else ""
        return say("render.i_don_t_know", text=unknown[0].text, meant=meant)
    return say("render.cannot_read", example=field.example)

"""A refined question: what the form did not show stands as it was said."""

from bot.language.parse import parse
from bot.render.field_words import question_of
from core.query import ABOUT, Query, each_with
from core.reference.catalogue import Reference

UNSEEN = tuple(name for name, about in ABOUT.items() if not about.form)
"""What a query may say that no input of the form holds."""


def refined(before: Query, now: Query, reference: Reference) -> Query:
    """Return a form's question with what its answer's question said unseen.

    The form writes words and reads them back: what that alone changes nobody changed.
    """
    untouched = parse(question_of(before), reference)
    stated, written = now.stated(), untouched.stated()
    changed = {
        field
        for field in stated.keys() | written.keys()
        if stated.get(field) != written.get(field)
    }
    kept = {
        name: getattr(before, name)
        for name in UNSEEN
        if getattr(now, name) in (None, ()) and not changed & {*ABOUT[name].follows}
    }
    update = {name: value for name, value in kept.items() if value not in (None, ())}
    if before.loads:
        all_of_them = {name: getattr(now, name) for name in changed}
        update["loads"] = each_with(before.loads, all_of_them)
    if not update:
        return now
    purpose = {} if changed & {"intent", "kind"} else _purpose(before)
    doubtless = {"clarify": None} if now.clarify == untouched.clarify else {}
    cleared = {} if before.clarify else doubtless
    return now.model_copy(update=update | purpose | cleared)


def _purpose(query: Query) -> dict[str, object]:
    return {"intent": query.intent, "kind": query.kind}

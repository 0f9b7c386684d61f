"""Hear one turn of a conversation: each edits what is in force, or asks of it."""

import re
from typing import Any

from bot.language.catalogue import Catalogue, catalogue
from bot.language.conversation.bare_numbers import (
    answer_unit,
    bind,
    place_alone,
    restated,
)
from bot.language.conversation.cues import (
    asked_about,
    cleaned,
    corrected,
    cues,
    plain_of,
    says,
)
from bot.language.conversation.edits import blanked, taken_apart
from bot.language.conversation.merge import adds, merged
from bot.language.conversation.state import (
    CARRIED,
    LISTS,
    MONEY,
    NUMBERS,
    UNTOUCHED,
    Heard,
    State,
    asked_of,
    force_of,
    own,
    read_turn,
)
from bot.language.conversation.turn_kinds import (
    about_of,
    in_unit,
    is_whole,
    states_alone,
)
from bot.language.normalise import Clean
from bot.language.parse import parse
from bot.language.reading import Reading
from core.patterns import regex
from core.query import NotUsed, Query
from core.reference.catalogue import Reference

_WATCHED = ("gpu", "provider", "pricing", "region", "term_months")

_ASKS = (
    "HOWLONG", "HOWMANY", "FIT", "CAPACITY", "OK", "COMPARE", "CHEAP", "NEED", "TRAIN",
    "FINETUNE", "OFFLINE", "BATCH", "REALTIME", "FAST", "RUN", "CANI",
)  # fmt: skip
"""What asks again for an answer to the workload in force."""


def hear(state: State, text: str, reference: Reference | None = None) -> Heard:
    """Read a turn beside what stands; any text gives a turn, none raises."""
    force = state.query
    if force is None or force.intent in (None, "help", "out_of_scope"):
        return _anew(text, reference)
    plain, known = plain_of(text), catalogue(reference)
    alone = read_turn(text, cleaned(text), known, force)
    commanded = text.lstrip().startswith("/gpucost") and states_alone(alone)
    if commanded or is_whole(state, plain, alone):
        return _anew(text, reference)
    if force.alert is not None:
        return alert_edited(state, text, alone, reference)
    if about := about_of(state, plain, alone):
        query = parse(text, reference) if about in ("aside", "watch") else force
        if about == "unit":
            query = in_unit(force, alone)
        return Heard(query, state, about)
    heard = edited(state, text, known)
    return heard or _unheard(state, text, plain, parse(text, reference))


_SHORT = 6
"""Words of a turn that may be an edit though none of them is understood."""


def _unheard(state: State, text: str, plain: str, alone: Query) -> Heard:
    """A turn that edits nothing: a question beside the thread, or words unread.

    What goes on in the thread is answered again, and said not to be taken into account.
    """
    goes_on = says(plain, "goes_on") or says(plain, "only") or says(plain, "add")
    beside = alone.intent in ("explain", "help", "price", "alert")
    chats = alone.intent == "out_of_scope" and not re.search(r"\d", plain)
    beside = beside or (chats and len(plain.split()) > _SHORT)
    if beside or "?" in plain or not goes_on:
        return Heard(alone, state, "aside")
    left = NotUsed(start=0, end=len(text), text=text, why="not understood")
    update = {"text": text, "spans": {}, "not_used": (left,)}
    return Heard(force_of(state).model_copy(update=update), state)


def apply(
    previous: Query, text: str, reference: Reference | None = None
) -> Query | None:
    """Return the previous question with what a turn changes; None: a new question."""
    state = State(query=previous, first=previous, asked=asked_of(previous))
    heard = hear(state, text, reference)
    same = heard.about is not None or heard.state.first is not previous
    return None if same else heard.query


def carried_over(query: Query) -> tuple[str, ...]:
    """The fields of a follow-up that its thread stated, not the message itself."""
    return tuple(
        field
        for field in query.stated()
        if field not in query.spans and field not in ("intent", "kind")
    )


def thread_line(row: dict[str, Any]) -> dict[str, Any]:
    """One line of `gpucost parse --threads`: `{"id", "turns"}` to specs and about."""
    state, specs, about = State(), [], []
    for text in row.get("turns", ()):
        heard = hear(state, str(text))
        state = heard.state
        stands = state.query or heard.query
        written = stands.model_dump(exclude_none=True)
        specs.append({name: written[name] for name in stands.stated()})
        about.append(heard.about)
    return {"id": row.get("id"), "specs": specs, "about": about}


def _anew(text: str, reference: Reference | None) -> Heard:
    query = parse(text, reference)
    return Heard(query, State(query=query, first=query, asked=asked_of(query)))


def alert_edited(
    state: State, text: str, reading: Reading, reference: Reference | None
) -> Heard:
    """Change an alert that was just asked for: "make it 1.10", "on spot"."""
    force = force_of(state)
    plain, numbers = (
        plain_of(text),
        re.findall(r"(?<![\w.])\d+(?:[.,]\d+)?(?![\w%])", text),
    )
    new = {k: v for k, v in reading.fields.items() if k in _WATCHED}
    alert = force.alert
    if alert is not None and len(numbers) == 1 and not new.get("count"):
        new["alert"] = alert.model_copy(
            update={"value": float(numbers[0].replace(",", "."))}
        )
    if not new or asked_about(plain) == "thanks":
        about = "thanks" if asked_about(plain) == "thanks" else "aside"
        return Heard(parse(text, reference), state, about)
    query = force.model_copy(update={**new, "text": text})
    return Heard(query, state.model_copy(update={"query": query, "before": force}))


def edited(state: State, text: str, known: Catalogue) -> Heard | None:
    """Apply a turn's edits; None where it holds none."""
    force = force_of(state)
    written = cleaned(text)
    held = {getattr(force, name) for name in NUMBERS}
    clean = Clean(corrected(written.text, held), written.origin)
    if state.first and (way := _way_back(clean.text)):
        state = state.model_copy(update={"before": state.settled or state.first})
        return restored(
            state, text, Clean(blanked(clean.text, *way), clean.origin), known
        )
    if says(clean.text, "undo") and says(clean.text, "original") and state.first:
        state = state.model_copy(update={"before": state.first})
    if says(clean.text, "undo") and state.before is not None:
        return restored(state, text, clean, known)
    edits = taken_apart(
        state,
        clean,
        read_turn(_original(text, written, clean), clean, known, force),
    )
    rest = Clean(edits.text, clean.origin)
    reading = read_turn(_original(text, clean, rest), rest, known, force)
    place_alone(reading, edits.text, force)
    answer_unit(state, reading, text, known)
    bind(state, reading, edits)
    reading.fields |= restated(state, reading)
    new = {k: v for k, v in reading.fields.items() if k not in UNTOUCHED}
    said = force.stated()
    new = {k: v for k, v in new.items() if k not in edits.gone or v != said.get(k)}
    left = {k: v for k, v in edits.left.items() if v is not None or k not in new}
    new |= edits.scaled | left
    apart = reading.aside.keys() & set(CARRIED) or reading.beside or reading.life
    goes = edits.gone & set(force.stated()) or edits.text != clean.text
    asks = own(reading, *MONEY, *_ASKS)
    new |= _both(state, clean.text) if not new else {}
    if not new and not goes and not apart and not asks:
        return None
    adding = adds(state, clean.text, reading) and not edits.left
    query = merged(state, text, clean, reading, new, edits.gone, adding)
    changed = tuple(field for field in new if new[field] is not None)
    return Heard(
        query,
        State(
            query=query,
            first=state.first,
            settled=query if state.asked else state.settled,
            asked=asked_of(query),
            changed=changed or state.changed,
            before=force,
            adding=adding,
            answer_id=state.answer_id,
        ),
        carried=tuple(f for f in carried_over(query) if f not in new),
    )


_BACK = regex(
    r"\b(?:back|zuruck|retour|revien\w*|reveni?r?\w*|vuelv\w*|volv\w*|volt\w*|torn\w*|"
    r"terug|wroc\w*|wraca\w*)\b[^,;.\d]*"
)
"""What goes back, to the end of its clause: a number in it is a value of its own."""


def _way_back(plain: str) -> tuple[int, int] | None:
    """ "back to what i had first": where it is said, in any words."""
    said = _BACK.search(plain)
    if said is None or not says(said.group(), "original"):
        return None
    ends = plain[said.end() : said.end() + 1]
    return None if ends.isdigit() else said.span()


def _both(state: State, plain: str) -> dict[str, Any]:
    """ "both": what a name was put in the place of stands beside it again."""
    before, force = state.before, force_of(state)
    if before is None or not says(plain, "both"):
        return {}
    said = {f: (getattr(before, f), getattr(force, f)) for f in LISTS}
    return {
        field: tuple(dict.fromkeys((*old, *now)))
        for field, (old, now) in said.items()
        if old and now and field in state.changed
    }


def restored(state: State, text: str, clean: Clean, known: Catalogue) -> Heard:
    """Go back to the workload before the last edit, and on from there."""
    before, after = state.before, force_of(state)
    if before is None:
        return Heard(after, state)
    fields = before.stated()
    back = tuple(f for f in fields if fields[f] != after.stated().get(f))
    state = State(query=before, first=state.first, settled=state.settled, changed=back,
                  before=after, answer_id=state.answer_id)  # fmt: skip
    rest = clean.text
    for start, end in cues(rest, "undo"):
        rest = blanked(rest, start, end)
    if re.search(r"[^\W_]{2}|\d", rest):
        words = _original(text, clean, Clean(rest, clean.origin))
        if (heard := edited(state, words, known)) is not None:
            return heard
    return Heard(before, state, carried=carried_over(before))


def _original(text: str, clean: Clean, rest: Clean) -> str:
    """The message with what was taken apart blanked, places kept."""
    characters = list(text)
    for at, (before, after) in enumerate(zip(clean.text, rest.text, strict=True)):
        if before != after:
            characters[clean.place(at)] = after
    return "".join(characters)

"""The form of a question: what a query states, ready to be changed."""

from collections.abc import Iterable, Mapping
from functools import cache

from pydantic import ValidationError

from bot.render.fields import (
    ASK_LABELS,
    FIELDS,
    KIND_LABELS,
    PRICING_LABELS,
    REGION_LABELS,
    Field,
    field_of,
)
from bot.render.form_views import FormField, FormView, Option
from bot.render.views import Chip
from bot.render.words import say
from core.checked import Checked
from core.query import Query
from core.reference.load import reference

CALLBACK = "ask_form"
PLACE = "place"


class Origin(Checked):
    """Where a form was opened, and so where its answer belongs."""

    channel_id: str = ""
    thread_ts: str = ""
    message_ts: str = ""
    """The answer that the form refines; empty: there is none yet."""
    answer_id: str = ""
    """What that answer is called."""
    private: bool = True
    response_url: str = ""
    since: int = 0
    """When that was handed out, in seconds since 1970."""
    uses: int = 0

    @classmethod
    def read(cls, metadata: str) -> "Origin":
        """Read a form's metadata; what is none of ours is nowhere."""
        try:
            return cls.model_validate_json(metadata)
        except ValidationError:
            return cls()


def question_form(
    query: Query, origin: Origin, chips: Iterable[Chip] = (), focus: str = ""
) -> FormView:
    """Show a query in the form; `focus` is the query field that a chip is about."""
    assumed = {field_of(chip.field): chip for chip in reversed(list(chips))}
    wanted = field_of(focus) if focus else ""
    fields = [
        _shown(field, query, assumed.get(field.name), field.name == wanted)
        for field in FIELDS
    ]
    if not (origin.channel_id or origin.response_url):
        fields.append(_place())
    return FormView(
        callback=CALLBACK,
        title=say("slack.question_form"),
        submit="Answer",
        fields=tuple(fields),
        metadata=origin.model_dump_json(),
    )


def _shown(field: Field, query: Query, assumed: Chip | None, focus: bool) -> FormField:
    initial = field.shows(query)
    note = (
        say(
            "slack.assumption_shown",
            label=assumed.label,
            value=assumed.value,
            why=assumed.why,
        )
        if assumed
        else ""
    )
    return FormField(
        name=field.name,
        label=field.label,
        kind=field.kind,
        initial=initial,
        options=_options(field.name, initial),
        placeholder=field.example,
        hint=note.removesuffix(" – "),
        focus=focus,
    )


def _place() -> FormField:
    """Ask where to answer when the form was opened nowhere in particular."""
    return FormField(
        name=PLACE,
        label=say("slack.answer_in"),
        kind="conversation",
        placeholder=say("slack.own_conversation"),
        hint=say("slack.only_you_will_see"),
    )


def _options(name: str, stated: tuple[str, ...]) -> tuple[Option, ...]:
    """The choices of a list, what was stated among them."""
    known = choices().get(name, {})
    more = {value: value for value in stated if value not in known}
    return tuple(
        Option(value=value, label=label) for value, label in {**more, **known}.items()
    )


@cache
def choices() -> Mapping[str, Mapping[str, str]]:
    """What each list offers: values with the names that people read."""
    known = reference()
    return {
        "ask": ASK_LABELS,
        "kind": KIND_LABELS,
        "gpu": {gpu.id: gpu.name for gpu in known.gpus.values()},
        "provider": {p.id: p.name for p in known.providers.values()},
        "pricing": PRICING_LABELS,
        "region": REGION_LABELS,
    }

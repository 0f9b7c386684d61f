"""What a form's template sees: frozen, formatted, nothing to compute."""

from typing import Literal

from core.checked import Checked


class Option(Checked):
    """One choice of a list."""

    value: str
    label: str


class FormField(Checked):
    """One input with what stands in it when the form opens."""

    name: str
    """The block's id, under which the submission holds the input."""
    label: str
    kind: Literal["text", "one", "many", "users", "conversation"] = "text"
    initial: tuple[str, ...] = ()
    """Text, or the values of what is chosen."""
    options: tuple[Option, ...] = ()
    placeholder: str = ""
    hint: str = ""
    focus: bool = False
    required: bool = False


class FormView(Checked):
    """A modal."""

    callback: str
    title: str
    submit: str
    fields: tuple[FormField, ...]
    intro: str = ""
    metadata: str = ""
    """What the submission has to know, in JSON; at most 3,000 characters."""

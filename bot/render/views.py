"""What the templates and the terminal see: frozen, formatted, nothing to compute.

Every string is ready to be shown; a template loops and branches on presence only.
An answer reads in five parts: verdict, why, table, levers, small print.
"""

from typing import Literal

from core.frozen import Frozen


class Cell(Frozen, frozen=True):
    """One table cell: what is read, and the number that sorts it where it is one."""

    text: str
    value: float | None = None


class Table(Frozen, frozen=True):
    """A comparison of at most a hundred rows; the first column heads each row."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    winner: int | None = None
    """Index of the row that the verdict names."""
    shown: int = 7
    """How many rows to show before "more"."""
    whole: bool = False
    """Whether its rows make up a sum: the short form keeps all of them."""
    told: tuple[int, ...] = ()
    """Indexes of the rows that the verdict speaks of: the short form keeps them."""
    note: str = ""
    """What was left out, and why: "12 rejected: 9 too small, 3 over budget"."""


class Series(Frozen, frozen=True):
    """One line or one set of bars; a value for each of the chart's categories."""

    name: str
    values: tuple[float, ...]


class Chart(Frozen, frozen=True):
    """At most 6 series over at most 20 categories."""

    kind: Literal["line", "bar"]
    title: str
    categories: tuple[str, ...]
    series: tuple[Series, ...]
    x_label: str = ""
    y_label: str = ""


class Chip(Frozen, frozen=True):
    """An assumption: press it to change it."""

    field: str
    label: str
    value: str
    why: str


class Lever(Frozen, frozen=True):
    """One change and what it does to the money."""

    text: str
    difference: str
    """ "−$2,310/mo", "no saving: throughput-bound" """
    note: str = ""
    """What to weigh before: "validate on your task"."""
    leaves: str = ""
    """The bill that is left, where it saves: "$17,280/month"; empty: none is known."""
    beside: bool = False
    """Whether it changes another bill than the one that the verdict leads with."""

    @property
    def effect(self) -> str:
        """The difference with its note, where neither can be set apart."""
        return f"{self.difference} ({self.note})" if self.note else self.difference


class Credit(Frozen, frozen=True):
    """What somebody did; Slack shows the name that belongs to the id."""

    text: str
    user_id: str


class Action(Frozen, frozen=True):
    """A button."""

    id: str
    label: str
    value: str
    style: Literal["primary", "danger"] | None = None


class AnswerView(Frozen, frozen=True, kw_only=True):
    """Any answer, on any surface."""

    kind: Literal["answer", "no", "clarify", "hint", "help", "error"]
    id: str = ""
    """Short id that `why` takes; for an error, the reference in the log."""
    question: str = ""
    verdict: str
    why: str = ""
    picks: Table | None = None
    """What each kind of team would choose, one row each; None: the table says it."""
    table: Table | None = None
    charts: tuple[Chart, ...] = ()
    levers: tuple[Lever, ...] = ()
    chips: tuple[Chip, ...] = ()
    notes: tuple[str, ...] = ()
    """Warnings and corrections that the reader must see before acting."""
    not_used: tuple[str, ...] = ()
    """What was read or written and changes nothing here, each in the asker's words."""
    save: str = ""
    """What takes money off, best first, in a line."""
    read_as: str = ""
    """What the question was taken to mean, in a line."""
    prices: str = ""
    """The day of the leading price and where to check it, in a line."""
    examples: tuple[str, ...] = ()
    """Questions to try, in a hint or in help."""
    credits: tuple[Credit, ...] = ()
    """Who changed what, newest first, in a view of settings."""
    small_print: tuple[str, ...] = ()
    """Price dates, sources and attributions, one line each."""
    variants: tuple[Action, ...] = ()
    """Follow-ups that one press asks, each in words that anybody may type."""
    actions: tuple[Action, ...] = ()

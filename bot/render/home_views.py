"""What the page's template sees: frozen, formatted, nothing to compute."""

from bot.render.views import Action, Table
from core.checked import Checked


class HomeRow(Checked):
    """One line of a section, what stands under it, and what can be done with it."""

    text: str
    channel_id: str = ""
    """The channel that it speaks in, named behind the text."""
    detail: str = ""
    actions: tuple[Action, ...] = ()


class HomeSection(Checked):
    """A part of the page; empty parts say so."""

    title: str
    rows: tuple[HomeRow, ...] = ()
    table: Table | None = None
    empty: str = ""
    actions: tuple[Action, ...] = ()
    """Turning pages, changing what is shown."""


class HomeView(Checked):
    """The whole page of one person."""

    intro: str
    actions: tuple[Action, ...]
    sections: tuple[HomeSection, ...]
    small_print: str = ""
    metadata: str = ""
    """What is shown, for whoever shows it anew."""

"""Draw what is no message: forms, and the page that each person has."""

import json
from collections.abc import Iterable
from typing import Any, Final

from bot.render.block_limits import ACTION_ID, BUTTON_TEXT, Cuts, actions, cut_table
from bot.render.form_views import FormField, FormView, Option
from bot.render.home_views import HomeRow, HomeSection, HomeView
from bot.render.plot import grid
from bot.render.rendering import block_templates
from bot.render.sanitize import clip, fitted, units
from core.patterns import regex

View = dict[str, Any]

TITLE: Final = 24
PLACEHOLDER: Final = 150
OPTIONS: Final = 100
OPTION_VALUE: Final = 150
TYPED: Final = 1000
HEADER: Final = 150
_LINE: Final = 300
_NOTHING: Final = "–"
_CHANNEL: Final = regex(r"[CG][A-Z0-9]{1,30}")
"""A person's own conversation with the bot has no name to show."""
_HOME_ROWS: Final = 60
"""Of at most 100 blocks on a page; a row takes up to three."""
_HOME_TABLE: Final = Cuts(rows=20, columns=8, cell=60)


class ViewRenderer:
    """Draw forms and pages with the templates; safe to share between threads."""

    def __init__(self) -> None:
        templates = block_templates()
        self._form = templates.get_template("slack/form.json.j2")
        self._home = templates.get_template("slack/home.json.j2")

    def render_form(self, form: FormView) -> View:
        """Draw a modal."""
        view: View = json.loads(self._form.render(form=_cut_form(form)))
        return view

    def render_home(self, home: HomeView, native: bool = True) -> View:
        """Draw a page; without native blocks, tables are set in characters."""
        cut = _cut_home(home)
        sections = [
            (section, grid(section.table) if section.table and not native else "")
            for section in cut.sections
        ]
        view: View = json.loads(
            self._home.render(home=cut, sections=sections, native=native)
        )
        return view


def _cut_form(form: FormView) -> FormView:
    return form.model_copy(
        update={
            "title": fitted(form.title, TITLE) or _NOTHING,
            "submit": fitted(form.submit, TITLE) or _NOTHING,
            "intro": fitted(form.intro, _LINE),
            "fields": tuple(_cut_field(field) for field in form.fields),
        }
    )


def _cut_field(field: FormField) -> FormField:
    options = _cut_options(field.options)
    initial = [fitted(text, TYPED) for text in field.initial]
    if field.kind in ("one", "many"):
        offered = {option.value for option in options}
        initial = [value for value in initial if value in offered]
    return field.model_copy(
        update={
            "name": clip(field.name, ACTION_ID),
            "label": fitted(field.label, _LINE) or _NOTHING,
            "initial": tuple(text for text in initial if text),
            "options": options,
            "placeholder": fitted(field.placeholder, PLACEHOLDER),
            "hint": fitted(field.hint, _LINE),
        }
    )


def _cut_options(options: Iterable[Option]) -> tuple[Option, ...]:
    """Keep what can be chosen: named, told apart, and not cut to something else."""
    usable = {
        option.value: Option(
            value=option.value,
            label=fitted(option.label, BUTTON_TEXT) or _NOTHING,
        )
        for option in options
        if option.value.strip() and units(option.value) <= OPTION_VALUE
    }
    return tuple(usable.values())[:OPTIONS]


def _cut_home(home: HomeView) -> HomeView:
    rows = max(1, _HOME_ROWS // (3 * max(1, len(home.sections))))
    return home.model_copy(
        update={
            "intro": fitted(home.intro, _LINE) or _NOTHING,
            "actions": actions(home.actions),
            "sections": tuple(_cut_section(s, rows) for s in home.sections),
            "small_print": fitted(home.small_print, _LINE),
        }
    )


def _cut_section(section: HomeSection, rows: int) -> HomeSection:
    table = section.table
    return section.model_copy(
        update={
            "title": fitted(section.title, HEADER) or _NOTHING,
            "rows": tuple(_cut_row(row) for row in section.rows[:rows]),
            "table": cut_table(table, _HOME_TABLE) if table and table.rows else None,
            "empty": fitted(section.empty, _LINE),
            "actions": actions(section.actions),
        }
    )


def _cut_row(row: HomeRow) -> HomeRow:
    return HomeRow(
        text=fitted(row.text, _LINE) or _NOTHING,
        channel_id=row.channel_id if _CHANNEL.fullmatch(row.channel_id) else "",
        detail=fitted(row.detail, _LINE),
        actions=actions(row.actions),
    )

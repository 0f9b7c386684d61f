"""`settings`: what holds here, who changed it, and how to change it."""

from collections.abc import Callable
from datetime import datetime

from msgspec import Struct

from bot.preferences.setting_values import KEYS, Key, SettingError, key_named
from bot.question.asking import AskContext
from bot.question.role import Role
from bot.render.views import Action, AnswerView, Cell, Credit, Table
from bot.render.words import say
from bot.slack.authority import lacking
from core.reference.catalogue import Reference
from prices.records.preferences import (
    LEARNT_BY,
    SHARED,
    WORKSPACE,
    Preferences,
    Setting,
)

EDIT = "settings"
"""The button that opens the form; its value is the channel, empty for the workspace."""
HELP = (
    say("slack.gpucost_settings_set_currency"),
    say("slack.gpucost_settings_unset_currency"),
)


class SettingsCommands(Struct, frozen=True):
    """Shows and changes the settings of channels and workspaces."""

    preferences: Preferences
    known: Callable[[], Reference]
    clock: Callable[[], datetime]

    @property
    def reference(self) -> Reference:
        """What is known now, the sellers of the day among it."""
        return self.known()

    def answer(self, words: str, context: AskContext) -> AnswerView:
        """Answer what stands behind `settings`."""
        if not context.at_home:
            return overheard_view(f"settings {words}")
        scope, verb, rest = _split(words)
        channel = WORKSPACE if scope == "workspace" else context.channel_id
        if verb == "":
            return self.shown(context, channel)
        if verb == "undo":
            return self._undone(context, channel)
        name, _, value = rest.partition(" ")
        key = key_named(name)
        if verb not in ("set", "unset") or key is None:
            names = ", ".join(known.name for known in KEYS)
            return _hint(
                f"settings {words}", say("slack.i_know_these_settings") + names + "."
            )
        if verb == "set" and not value.strip():
            return _hint(f"settings {words}", say("slack.which_value"), _example(key))
        try:
            wanted = value if verb == "set" else None
            self.change(context, channel, {key: wanted})
        except SettingError as error:
            return _hint(f"settings {words}", str(error), _example(key))
        return self.shown(context, channel)

    def change(
        self, context: AskContext, channel: str, wanted: dict[Key, str | None]
    ) -> None:
        """Set or take back; what cannot be set, or by this person, is refused whole."""
        for key in wanted:
            self.check_allowed(context, key, channel)
        read = {
            key: None if value is None else key.read(value, self.reference)
            for key, value in wanted.items()
        }
        for key, value in read.items():
            self.preferences.set(
                context.team_id,
                Setting(
                    key=key.name,
                    value=value,
                    channel_id=WORKSPACE if key.workspace_only else channel,
                    set_by=context.user_id,
                    set_at=self.clock(),
                ),
                context.place,
            )

    def check_allowed(self, context: AskContext, key: Key, channel: str) -> None:
        """Refuse a change by somebody who may not make it."""
        needed = Role.MEMBER
        if key.workspace_only or channel == WORKSPACE:
            needed = Role.DELEGATE
        if key.name == "admins":
            needed = Role.ADMIN
        if refused := lacking(context.role, needed):
            raise SettingError(refused)

    def _undone(self, context: AskContext, channel: str) -> AnswerView:
        """Put the value back that stood before the last change."""
        name, value = self.preferences.before_last(context.team_id, channel)
        key = key_named(name)
        if key is None:
            return _hint("settings undo", say("slack.undone"))
        try:
            self.change(context, channel, {key: value})
        except SettingError as error:
            return _hint("settings undo", str(error))
        return self.shown(context, channel)

    def shown(self, context: AskContext, channel: str) -> AnswerView:
        """Every setting with what holds, and the last changes with their makers."""
        held = self.preferences.of(context.team_id, channel)
        changes = self.preferences.changes(context.team_id, channel)
        rows = tuple(_row(key, held.get(key.name)) for key in KEYS)
        place = say("slack.this_channel") if channel else say("slack.this_workspace")
        return AnswerView(
            kind="help",
            question="settings",
            verdict=say("slack.settings_of", place=place),
            table=Table(
                caption=say("slack.settings_that_apply_in", place=place),
                columns=("Setting", "Value", say("slack.set_for")),
                rows=rows,
                shown=len(rows),
            ),
            notes=HELP,
            credits=tuple(_credit(change) for change in changes),
            actions=(
                Action(
                    id=f"{EDIT}:channel",
                    label=say("slack.change_settings"),
                    value=channel,
                ),
                Action(
                    id=f"{EDIT}:all",
                    label=say("slack.change_workspace_settings"),
                    value="",
                ),
            )
            if channel
            else (
                Action(id=f"{EDIT}:all", label=say("slack.change_settings"), value=""),
            ),
        )


def _split(words: str) -> tuple[str, str, str]:
    """Cut `workspace set currency EUR` into its scope, verb and the rest."""
    scope, _, rest = words.strip().partition(" ")
    if scope.lower() not in ("workspace", "channel"):
        scope, rest = "", words.strip()
    verb, _, more = rest.strip().partition(" ")
    return scope.lower(), verb.lower(), more.strip()


def _example(key: Key) -> str:
    return say("slack.example", name=key.name, example=key.example)


def _row(key: Key, held: Setting | None) -> tuple[Cell, ...]:
    place = (
        ""
        if held is None
        else (say("slack.this_channel") if held.channel_id else "workspace")
    )
    value = held.value if held else None
    return (
        Cell(text=f"{key.label} ({key.name})"),
        Cell(text=_value(key, value)),
        Cell(text=place or "default"),
    )


def _value(key: Key, value: str | None) -> str:
    if key.name == "admins" and value is not None:
        return say("slack.named_below", number_of_split=len(value.split(",")))
    return key.shown(value)


def _credit(change: Setting) -> Credit:
    done = (
        f"set to {change.value}"
        if change.value is not None
        else say("slack.row_taken_back")
    )
    if change.key == "admins" and change.value is not None:
        done = "set"
    place = (
        say("slack.this_channel") if change.channel_id else say("slack.the_workspace")
    )
    when = say("slack.utc", set_at=change.set_at)
    said = say("slack.change_row", key_=change.key, done=done, place=place, when=when)
    if change.key == SHARED:
        return Credit(
            text=say("slack.read_by_another_organisation", when=when), user_id=""
        )
    if change.set_by == LEARNT_BY:
        return Credit(
            text=say("slack.slack_accepted_nothing_richer", said=said), user_id=""
        )
    return Credit(text=say("slack.change_by", said=said), user_id=change.set_by)


def overheard_view(words: str) -> AnswerView:
    """Say why something of the organisation is not shown, and where it is."""
    return _hint(
        words,
        say("slack.this_is_not_shown"),
        say("slack.type_it_instead"),
    )


def _hint(question: str, verdict: str, why: str = "") -> AnswerView:
    return AnswerView(kind="hint", question=question, verdict=verdict, why=why)

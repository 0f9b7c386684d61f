"""The settings as a form, and a submitted form as changes."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from bot.preferences.setting_values import KEYS, Key
from bot.render.form_submission import typed
from bot.render.form_views import FormField, FormView, Option
from bot.render.words import say
from core.checked import Checked
from core.money.exchange import exchange_rates
from core.reference.catalogue import Reference
from core.units import PRECISIONS
from prices.records.preferences import Setting

CALLBACK = "settings_form"
REGIONS = {
    "us": say("slack.united_states"),
    "eu": "Europe",
    "uk": say("slack.united_kingdom"),
    "ca": "Canada",
    "asia": "Asia",
}
BLOCKS = {
    "full": say("slack.as_slack_draws_them"),
    "tables": say("slack.without_feedback"),
    "classic": say("slack.in_slacks_older_tables"),
    "plain": say("slack.in_plain_characters"),
}
MANY = ("providers", "gpus")


class SettingsPlace(Checked):
    """Which settings a form shows: a channel's, or its workspace's."""

    channel_id: str = ""

    @classmethod
    def read(cls, metadata: str) -> "SettingsPlace | None":
        """Read a form's metadata; None: it is none of ours."""
        try:
            return cls.model_validate_json(metadata)
        except ValidationError:
            return None


def settings_form(
    held: Mapping[str, Setting], place: SettingsPlace, reference: Reference
) -> FormView:
    """Show what holds; a workspace's own settings stand in its own form only."""
    shown = [key for key in KEYS if not (place.channel_id and key.workspace_only)]
    return FormView(
        callback=CALLBACK,
        title=say("slack.channel_settings")
        if place.channel_id
        else say("slack.workspace_settings"),
        submit="Save",
        intro=say("slack.we_use_these_where"),
        fields=tuple(_field(key, held.get(key.name), reference) for key in shown),
        metadata=place.model_dump_json(),
    )


def changes_in(
    state: Mapping[str, Any], held: Mapping[str, Setting], place: SettingsPlace
) -> dict[Key, str | None]:
    """What a submitted form sets or takes back: only what differs from what holds."""
    found: dict[Key, str | None] = {}
    for key in KEYS:
        if key.name not in state:
            continue
        setting = held.get(key.name)
        before = setting.value if setting else None
        now = ",".join(typed(state[key.name])) or None
        own = setting is not None and setting.channel_id == place.channel_id
        if now != before and (now is not None or own):
            found[key] = now
    return found


def _field(key: Key, held: Setting | None, reference: Reference) -> FormField:
    value = held.value if held else None
    options = _options(key, value, reference)
    kind = "many" if key.name in MANY else "one" if options else "text"
    inherited = held is not None and not held.channel_id and not key.workspace_only
    return FormField(
        name=key.name,
        label=key.label,
        kind="users" if key.name == "admins" else kind,
        initial=_initial(key, value, kind),
        options=tuple(Option(value=v, label=name) for v, name in options.items()),
        placeholder=_unset(key),
        hint=say("slack.set_for_workspace") if inherited else "",
    )


def _unset(key: Key) -> str:
    """Say what holds where nothing is set."""
    if key.name == "gpus":
        return key.default.upper()
    if key.name == "blocks":
        return BLOCKS[key.default]
    return key.default[:1].upper() + key.default[1:]


def _initial(key: Key, value: str | None, kind: str) -> tuple[str, ...]:
    if value is None:
        return ()
    listed = kind == "many" or key.name == "admins"
    return tuple(value.split(",")) if listed else (value,)


def _options(key: Key, value: str | None, reference: Reference) -> dict[str, str]:
    """The choices of a list, what holds among them; none: it is typed."""
    rates = sorted(rate.currency for rate in exchange_rates())
    known: dict[str, dict[str, str]] = {
        "providers": {p.id: p.name for p in reference.providers.values()},
        "region": REGIONS,
        "currency": {code: code for code in ("USD", *rates)},
        "precision": {name: name.upper() for name in PRECISIONS},
        "pricebook": {"on": "On", "off": "Off"},
        "gpus": {gpu.id: gpu.name for gpu in reference.gpus.values()},
        "blocks": BLOCKS,
    }
    options = known.get(key.name, {})
    more = [value] if value and key.name == "region" and value not in options else []
    return {**{name: name for name in more}, **options}

"""The form of settings."""

from slack_bolt import Args

from bot.preferences.setting_values import Key, SettingError
from bot.question.asking import AskContext
from bot.slack.home.page import Pages
from bot.slack.listeners.context import (
    ListenerContext,
    asker,
    carried,
    hand_on,
    tell,
)
from bot.slack.listeners.forms import show_form
from bot.slack.listeners.home import publish
from bot.slack.listeners.words import gone_view, saved_view
from bot.slack.settings.form import SettingsPlace, changes_in, settings_form


def open_settings(services: ListenerContext, args: Args) -> None:
    """Open the settings of the channel that the button names, or of the workspace."""
    channel = str((args.action or {}).get("value") or "")
    place = SettingsPlace(channel_id=channel)
    context = asker(args, "form")
    held = services.settings.preferences.of(context.team_id, channel)
    form = settings_form(held, place, services.settings.reference)
    show_form(services, args, form, channel)


def submit_settings(services: ListenerContext, args: Args) -> None:
    """Point at what cannot be set, else close the form and set it."""
    view = args.view or {}
    place = SettingsPlace.read(carried(services, args) or "")
    if place is None:
        args.ack()
        tell(services, args, gone_view())
        return
    context = asker(args, "form", place.channel_id)
    held = services.settings.preferences.of(context.team_id, place.channel_id)
    wanted = changes_in((view.get("state") or {}).get("values") or {}, held, place)
    if errors := _errors(services, context, place.channel_id, wanted):
        args.ack(response_action="errors", errors=errors)
        return
    args.ack()

    def change(services: ListenerContext, args: Args) -> None:
        services.settings.change(context, place.channel_id, wanted)
        if place.channel_id:
            tell(services, args, saved_view(len(wanted)), context)
        else:
            publish(services, args, Pages())

    hand_on(services, change, args)


def _errors(
    services: ListenerContext,
    context: AskContext,
    channel: str,
    wanted: dict[Key, str | None],
) -> dict[str, str]:
    """What to say under which input; one by one, so that each is told its own."""
    found: dict[str, str] = {}
    for key, value in wanted.items():
        try:
            services.settings.check_allowed(context, key, channel)
            if value is not None:
                key.read(value, services.settings.reference)
        except SettingError as error:
            found[key.name] = str(error)
    return found

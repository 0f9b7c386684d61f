"""The form of settings."""

from slack_bolt import Args

from bot.preferences.setting_values import Key, SettingError
from bot.question.asking import AskContext
from bot.slack.home.page import Pages
from bot.slack.listeners.context import Desk, asker, hand_on, tell
from bot.slack.listeners.forms import show_form
from bot.slack.listeners.home import publish
from bot.slack.listeners.words import gone_view, saved_view
from bot.slack.settings.form import SettingsPlace, changes_in, settings_form


def open_settings(desk: Desk, args: Args) -> None:
    """Open the settings of the channel that the button names, or of the workspace."""
    channel = str((args.action or {}).get("value") or "")
    place = SettingsPlace(channel_id=channel)
    context = asker(args, "form")
    held = desk.settings.preferences.of(context.team_id, channel)
    form = settings_form(held, place, desk.settings.reference)
    show_form(desk, args, form, channel)


def submit_settings(desk: Desk, args: Args) -> None:
    """Point at what cannot be set, else close the form and set it."""
    view = args.view or {}
    place = SettingsPlace.read(str(view.get("private_metadata") or "{}"))
    if place is None:
        args.ack()
        tell(desk, args, gone_view())
        return
    context = asker(args, "form", place.channel_id)
    held = desk.settings.preferences.of(context.team_id, place.channel_id)
    wanted = changes_in((view.get("state") or {}).get("values") or {}, held, place)
    if errors := _errors(desk, context, place.channel_id, wanted):
        args.ack(response_action="errors", errors=errors)
        return
    args.ack()

    def change(desk: Desk, args: Args) -> None:
        desk.settings.change(context, place.channel_id, wanted)
        if place.channel_id:
            tell(desk, args, saved_view(len(wanted)), context)
        else:
            publish(desk, args, Pages())

    hand_on(desk, change, args)


def _errors(
    desk: Desk, context: AskContext, channel: str, wanted: dict[Key, str | None]
) -> dict[str, str]:
    """What to say under which input; one by one, so that each is told its own."""
    found: dict[str, str] = {}
    for key, value in wanted.items():
        try:
            desk.settings.check_allowed(context, key, channel)
            if value is not None:
                key.read(value, desk.settings.reference)
        except SettingError as error:
            found[key.name] = str(error)
    return found

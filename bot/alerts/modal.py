"""The form of an alert: opened for a new one or to adjust one, and read when sent."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, get_args

from slack_bolt import Args

from bot.alerts.buttons import ADJUST, NEW
from bot.alerts.commands import AlertCommands
from bot.alerts.form import CALLBACK, AlertPlace, Kind, alert_form
from bot.alerts.form_to_command import Command, command_of
from bot.alerts.views import adjust_view, missing_view
from bot.language.alerts.commands import read_request
from bot.language.alerts.requests import Problem, WatchQuestion, Which
from bot.render.form_submission import typed
from bot.render.views import AnswerView
from bot.render.words import say
from bot.slack.home.page import Pages
from bot.slack.listeners.context import (
    Handler,
    ListenerContext,
    asker,
    carried,
    hand_on,
    send,
    tell,
)
from bot.slack.listeners.forms import open_view, show_form
from bot.slack.listeners.home import is_home, publish
from bot.slack.messenger import Place
from bot.slack.modals.form import PLACE

Clock = Callable[[], datetime]
MAIN_FIELDS: dict[Kind, str] = {
    "price": "amount",
    "workload": "question",
    "digest": "time",
    "stale": "hours",
}
"""Under which input a complaint stands that names none of the words."""


def openers(commands: AlertCommands) -> dict[str, Handler]:
    """Give the buttons that open the form."""

    def open_new(slack: ListenerContext, args: Args) -> None:
        """Open an empty form of the kind that the button names."""
        value = str((args.action or {}).get("value") or "")
        kind = next((k for k in get_args(Kind) if k == value), "price")
        channel = args.context.channel_id or ""
        place = AlertPlace(kind=kind, channel_id=channel, at_home=is_home(args))
        form = alert_form(place, None, commands.composer.reference)
        show_form(slack, args, form, value, NEW)

    def open_adjust(slack: ListenerContext, args: Args) -> None:
        """Open the form with what an alert watches, else say how to type it anew."""
        value = str((args.action or {}).get("value") or "")
        number = int(value) if value.isdigit() else 0
        found = commands.matching(Which((number,)), asker(args, "button"))
        if not found:
            send(slack, args, missing_view(value), Place())
            return
        held, known = found[0], commands.composer.reference
        place = AlertPlace(
            kind=held.watch.kind,
            channel_id=held.channel_id,
            number=held.id,
            at_home=is_home(args),
        )
        if not open_view(slack, args, alert_form(place, held.watch, known)).taken:
            send(slack, args, adjust_view(held, known), Place())

    return {NEW: open_new, ADJUST: open_adjust}


def forms(commands: AlertCommands, clock: Clock) -> dict[str, Handler]:
    """Give what reads a form that was sent."""

    def submit(slack: ListenerContext, args: Args) -> None:
        """Point at what cannot be read, else close the form and watch."""
        view = args.view or {}
        place = AlertPlace.read(carried(slack, args) or "")
        state = (view.get("state") or {}).get("values") or {}
        command = _checked(commands, place, state, args, clock())
        channel = place.channel_id or "".join(typed(state.get(PLACE) or {}))
        errors = dict(command.errors)
        if not channel:
            errors[PLACE] = say("alerts.submit")
        if errors:
            args.ack(response_action="errors", errors=errors)
            return
        args.ack()
        context = asker(args, "form", channel)

        def watch(slack: ListenerContext, args: Args) -> None:
            said = commands.adjusted(place.number, command.text, context, clock())
            tell(slack, args, said, context)
            if place.at_home:
                publish(slack, args, Pages())

        hand_on(slack, watch, args)

    return {CALLBACK: submit}


def _checked(
    commands: AlertCommands,
    place: AlertPlace,
    state: Mapping[str, Any],
    args: Args,
    now: datetime,
) -> Command:
    """Read a form, and complain where its command would not be understood."""
    kind, known = place.kind, commands.composer.reference
    command = command_of(kind, state)
    if command.errors:
        return command
    request = read_request(command.text, known, now)
    if isinstance(request, Problem):
        return Command(errors={_field(kind, state, request): _complaint(request)})
    if isinstance(request, WatchQuestion):
        begun = commands.baseline.question(request, asker(args, "form"))
        if isinstance(begun, AnswerView):
            complaint = f"{begun.verdict} {' '.join(begun.notes)}".strip()
            return Command(errors={MAIN_FIELDS[kind]: complaint})
    return command


def _field(kind: Kind, state: Mapping[str, Any], problem: Problem) -> str:
    """Find the input that holds the word which names nothing."""
    word = problem.unknown.lower()
    held = (n for n, block in state.items() if word in " ".join(typed(block)).lower())
    return next(held, MAIN_FIELDS[kind]) if word else MAIN_FIELDS[kind]


def _complaint(problem: Problem) -> str:
    return f"{problem.reason} {problem.why}".strip()

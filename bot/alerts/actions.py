"""The buttons of alerts: each a command that somebody might have typed."""

from collections.abc import Callable, Mapping
from datetime import datetime

from slack_bolt import Args

from bot.alerts.buttons import (
    HISTORY,
    RUN,
    SNOOZE,
    STOP,
    adjust_action,
    snooze_action,
    stop_action,
)
from bot.alerts.commands import AlertCommands
from bot.alerts.history import history_view
from bot.alerts.messages import Composer
from bot.alerts.views import missing_view
from bot.alerts.wording import describe, state_words
from bot.language.alerts.requests import Problem, Which
from bot.question.asking import AskContext
from bot.render.home_views import HomeRow
from bot.render.views import AnswerView
from bot.render.words import say
from bot.slack.listeners.context import Handler, ListenerContext, Verb, asker, send
from bot.slack.listeners.home import refresh
from bot.slack.messenger import Place
from core.alerts.subscription import Subscription

Clock = Callable[[], datetime]
Press = Callable[[AlertCommands, str, AskContext, datetime], AnswerView]

VERBS = (
    "alert", "alerts", "watch", "digest", "mute", "snooze", "unmute", "list",
    "remove", "unsubscribe", "test", "resume", "adopt",
)  # fmt: skip
"""First words of a command that the alerts answer."""
SHY = frozenset({"list", "remove", "unsubscribe", "test", "resume", "adopt"})
"""Of these, first words that a question may begin with as well."""


def snooze(
    commands: AlertCommands, value: str, context: AskContext, now: datetime
) -> AnswerView:
    """Keep the alerts of a message quiet for a day or a week."""
    numbers, _, span = value.partition(" ")
    return commands.answer(f"mute {numbers} for {span}", context, now)


def stop(
    commands: AlertCommands, value: str, context: AskContext, now: datetime
) -> AnswerView:
    """Stop the alerts of a message; its maker, or an admin, may."""
    return commands.answer(f"alert remove {value}", context, now)


def run(
    commands: AlertCommands, value: str, context: AskContext, now: datetime
) -> AnswerView:
    """Run the command that a button carries."""
    return commands.answer(value, context, now)


def history(
    commands: AlertCommands, value: str, context: AskContext, now: datetime
) -> AnswerView:
    """Show what a watched price did, and what was told of it."""
    number = int(value) if value.isdigit() else 0
    found = commands.matching(Which((number,)), context)
    if not found:
        return missing_view(value)
    return history_view(found[0], commands.composer, now)


PRESSES: Mapping[str, Press] = {
    SNOOZE: snooze,
    STOP: stop,
    RUN: run,
    HISTORY: history,
}


def verbs(
    commands: AlertCommands, ask: Callable[[str, AskContext], AnswerView], clock: Clock
) -> dict[str, Verb]:
    """Give every verb its answer; what turns out to be a question is asked as one."""

    def verb(name: str) -> Verb:
        def answer(rest: str, context: AskContext) -> AnswerView:
            text, now = f"{name} {rest}".strip(), clock()
            if name in SHY and isinstance(commands.request(text, now), Problem):
                return ask(text, context)
            return commands.answer(text, context, now)

        return answer

    return {name: verb(name) for name in VERBS}


def buttons(clock: Clock, commands: AlertCommands) -> dict[str, Handler]:
    """Give every button its handler: the answer goes to whoever pressed it."""

    def handler(press: Press) -> Handler:
        def pressed(slack: ListenerContext, args: Args) -> None:
            value = str((args.action or {}).get("value") or "")
            view = press(commands, value, asker(args, "button"), clock())
            send(slack, args, view, Place())
            refresh(slack, args)

        return pressed

    return {name: handler(press) for name, press in PRESSES.items()}


def watches(
    commands: AlertCommands, clock: Clock
) -> Callable[[AskContext], list[HomeRow]]:
    """Give what one person has watched, in any channel, for their own page."""

    def rows(context: AskContext) -> list[HomeRow]:
        found = commands.book.of_user(context.team_id, context.user_id)
        return [
            _row(subscription, commands.composer, clock()) for subscription in found
        ]

    return rows


def _row(subscription: Subscription, composer: Composer, now: datetime) -> HomeRow:
    return HomeRow(
        text=describe(subscription.watch, composer.reference),
        channel_id=subscription.channel_id,
        detail=(
            say(
                "alerts.list_row",
                id=subscription.id,
                typed=subscription.typed,
                state_words=state_words(subscription, now),
            )
        ),
        actions=(
            adjust_action(subscription.id),
            snooze_action((subscription.id,), "1w"),
            stop_action((subscription.id,)),
        ),
    )

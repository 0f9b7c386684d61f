"""What every listener needs, and the wrapper that lets nothing escape from one."""

import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from slack_bolt import Args

from bot.asking import Answers, AskContext
from bot.fitting import BUTTON_VALUE
from bot.help import error_view
from bot.messenger import Messenger, Place
from bot.rendering import SHARE
from bot.views import AnswerView

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Desk:
    """Where listeners take questions and hand out answers."""

    answers: Answers
    messenger: Messenger


Handler = Callable[[Desk, Args], None]


def guarded(desk: Desk, handler: Handler) -> Callable[[Args], None]:
    """Acknowledge, then handle; a fault becomes a reference, here and in the log.

    An exception that escapes a listener makes Bolt erase the acknowledgement.
    """

    def listener(args: Args) -> None:
        try:
            args.ack()
            handler(desk, args)
        except Exception:  # noqa: BLE001 - nothing may escape; it is logged with traceback
            _apologise(desk, args)

    listener.__name__ = handler.__name__
    return listener


def _apologise(desk: Desk, args: Args) -> None:
    reference = secrets.token_hex(4)
    logger.exception("fault %s", reference)
    try:
        send(desk, args, error_view(reference))
    except Exception:
        logger.exception("fault %s could not be told", reference)


def send(desk: Desk, args: Args, view: AnswerView, place: Place | None = None) -> None:
    """Answer where Slack says: through the response_url, else in the thread."""
    team_id = args.context.team_id or ""
    if url := args.context.response_url:
        desk.messenger.reply(url, team_id, view, place or Place())
    elif args.event:
        # say() would post at the channel's root: the thread is always named.
        thread = args.event.get("thread_ts") or args.event.get("ts")
        where = {"channel": args.context.channel_id, "thread_ts": thread}
        desk.messenger.post(args.client, team_id, view, where)


def private(view: AnswerView) -> AnswerView:
    """Let Share carry the question too, to ask it again should the answer be gone."""
    carried = f"{view.id} {view.question}"
    if len(carried) > BUTTON_VALUE // 2:
        return view
    return view.model_copy(
        update={
            "actions": tuple(
                a.model_copy(update={"value": carried}) if a.id == SHARE else a
                for a in view.actions
            )
        }
    )


def public(view: AnswerView) -> AnswerView:
    """Leave out the button that shows the channel what it sees already."""
    kept = tuple(action for action in view.actions if action.id != SHARE)
    return view.model_copy(update={"actions": kept})


def asker(args: Args, surface: str) -> AskContext:
    """Say who asks, and from where."""
    context = args.context
    return AskContext.model_validate(
        {
            "surface": surface,
            "team_id": context.team_id or "",
            "enterprise_id": context.enterprise_id or "",
            "channel_id": context.channel_id or "",
            "user_id": context.user_id or "",
            "thread_ts": context.thread_ts or "",
        }
    )

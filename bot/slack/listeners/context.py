"""What every listener needs, and the wrapper that lets nothing escape from one."""

import logging
import secrets
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from slack_bolt import Args

from bot.answers.help import fault_view
from bot.install.departures import Departures
from bot.question.asking import Answers, AskContext
from bot.question.limits import QuestionLimits, TooManyError
from bot.render.view_rendering import ViewRenderer
from bot.render.views import AnswerView
from bot.slack.home.page import Home
from bot.slack.listeners.deliveries import delivery_keys
from bot.slack.listeners.places import reply_url, tenant, thread_of
from bot.slack.listeners.status import clear_status
from bot.slack.listeners.threads import Threads
from bot.slack.messenger import Messenger, Place, UnconfirmedError, UndeliveredError
from bot.slack.settings.settings import SettingsDesk
from bot.slack.undelivered import redirected, unconfirmed_view
from prices.records.delivery_dedup import Deliveries
from prices.records.feedback import Feedback
from prices.records.recent import RecentQuestions

logger = logging.getLogger(__name__)

Verb = Callable[[str, AskContext], AnswerView]
"""Answers a command's words behind its verb: `settings`, `setprice`, `alert` …"""


@dataclass(frozen=True)
class Desk:
    """Where listeners take questions and hand out answers."""

    answers: Answers
    messenger: Messenger
    threads: Threads
    deliveries: Deliveries
    recent: RecentQuestions
    feedback: Feedback
    settings: SettingsDesk
    home: Home
    views: ViewRenderer
    verbs: Mapping[str, Verb]
    buttons: "Mapping[str, Handler]"
    """What other parts of the program put under their own messages."""
    forms: "Mapping[str, Handler]"
    """What they read when a form of theirs is sent; each acknowledges by itself."""
    departures: Departures
    clock: Callable[[], datetime]
    limits: QuestionLimits


Handler = Callable[[Desk, Args], None]


def guarded(desk: Desk, handler: Handler) -> Callable[[Args], None]:
    """Acknowledge, then hand the work on; a fault becomes a reference, told and logged.

    An exception that escapes a listener makes Bolt erase the acknowledgement.
    """

    def listener(args: Args) -> None:
        try:
            args.ack()
            desk.threads.hand_on(work_once, desk, handler, args)
        except Exception:  # noqa: BLE001 - nothing may escape; it is logged with traceback
            _apologise(desk, args)

    listener.__name__ = handler.__name__
    return listener


def acknowledging(desk: Desk, handler: Handler) -> Callable[[Args], None]:
    """Let a form's handler acknowledge: it may have to say what cannot be read."""

    def listener(args: Args) -> None:
        try:
            handler(desk, args)
        except Exception:  # noqa: BLE001 - nothing may escape; it is logged with traceback
            args.ack()
            _apologise(desk, args)

    listener.__name__ = handler.__name__
    return listener


def work_once(desk: Desk, handler: Handler, args: Args) -> None:
    """Handle what Slack delivered, unless it delivered the same before."""
    try:
        reply_url(args)  # its thirty minutes run from now
        team_id, keys = tenant(args), delivery_keys(args)
        if not desk.deliveries.claim(team_id, keys, desk.clock()):
            return
        try:
            handler(desk, args)
        except TooManyError as refused:
            _refuse(desk, args, refused)
        finally:
            desk.deliveries.finish(team_id, keys, desk.clock())
    except Exception:  # noqa: BLE001 - nothing may escape; it is logged with traceback
        _apologise(desk, args)


def _refuse(desk: Desk, args: Args, refused: TooManyError) -> None:
    """Tell whoever asks too often, alone; in a conversation once, not each time."""
    if reply_url(args):
        send(desk, args, refused.view)
    elif not refused.told:
        tell(desk, args, refused.view)


def _apologise(desk: Desk, args: Args) -> None:
    reference = secrets.token_hex(4)
    logger.exception("fault %s", reference)
    try:
        send(desk, args, fault_view(sys.exception(), reference))
    except Exception:
        logger.exception("fault %s could not be told", reference)


def send(desk: Desk, args: Args, view: AnswerView, place: Place | None = None) -> None:
    """Answer where Slack says; where that fails, the same person in another way."""
    try:
        _send_there(desk, args, view, place or Place())
    except UnconfirmedError:
        clear_status(args)
        tell(desk, args, unconfirmed_view(view))
    except UndeliveredError as fault:
        clear_status(args)
        tell(desk, args, redirected(view, str(fault)))


def _send_there(desk: Desk, args: Args, view: AnswerView, place: Place) -> None:
    """Use the response_url where there is one, else the thread of the event."""
    team_id, channel = tenant(args), args.context.channel_id
    if url := reply_url(args):
        # The line that work goes on makes room for its outcome; for a command Slack
        # still posts below it (github.com/slackapi/bolt-python/issues/1268).
        shown = place.model_copy(update={"replace": place.replace or url.waiting})
        url.waiting = False
        desk.messenger.reply(url, team_id, view, shown)
    elif thread := thread_of(args):
        # say() would post at the channel's root: the thread is always named.
        where = {"channel": channel, "thread_ts": thread}
        desk.messenger.post(args.client, team_id, view, where)
    else:
        tell(desk, args, view)


def tell(
    desk: Desk, args: Args, view: AnswerView, context: AskContext | None = None
) -> None:
    """Show one person a message: where they are, else in their own conversation."""
    place = context or asker(args, "message")
    where = {"channel": place.channel_id, "user": place.user_id}
    # Slack shows a whisper in a thread only where there is a thread already.
    if place.thread_ts and place.thread_ts != (args.event or {}).get("ts"):
        where["thread_ts"] = place.thread_ts
    try:
        if not place.channel_id:
            raise UndeliveredError("no channel")
        desk.messenger.whisper(args.client, place.team_id, view, where)
    except UndeliveredError as fault:
        seen = isinstance(fault, UnconfirmedError)
        own, rest = {"channel": place.user_id}, unconfirmed_view(view) if seen else view
        desk.messenger.post(args.client, place.team_id, rest, own)


def asker(args: Args, surface: str) -> AskContext:
    """Say who asks, and from where."""
    return AskContext.model_validate(
        {
            "surface": surface,
            "team_id": tenant(args),
            "enterprise_id": args.context.enterprise_id or "",
            "channel_id": args.context.channel_id or "",
            "user_id": args.context.user_id or "",
            "thread_ts": thread_of(args),
        }
    )

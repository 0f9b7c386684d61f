"""What every listener needs, and the wrapper that lets nothing escape from one."""

import logging
import secrets
import sys
from collections.abc import Callable, Mapping
from datetime import datetime

from msgspec import Struct
from slack_bolt import Args

from bot.answers.help import fault_view
from bot.install.departures import Departures
from bot.question.asking import Answers, AskContext
from bot.question.limits import QuestionLimits, TooManyError
from bot.question.role import Role
from bot.render.form_views import FormView
from bot.render.view_rendering import ViewRenderer
from bot.render.views import AnswerView
from bot.slack.authority import ACKNOWLEDGED_BY, Authority, refused_view
from bot.slack.home.page import Home
from bot.slack.listeners.claims import INSTEAD, Claims
from bot.slack.listeners.deliveries import is_asked
from bot.slack.listeners.places import reply_url, tenant, thread_of
from bot.slack.listeners.status import clear_status
from bot.slack.listeners.threads import Threads
from bot.slack.listeners.words import unreadable_form_view
from bot.slack.messenger import Messenger, Place, UnconfirmedError, UndeliveredError
from bot.slack.outcome import of_api
from bot.slack.seals import Seals
from bot.slack.settings.settings import SettingsCommands
from bot.slack.undelivered import redirected, unconfirmed_view
from prices.records.delivery_dedup import Deliveries
from prices.records.feedback import Feedback
from prices.records.recent import RecentQuestions

logger = logging.getLogger(__name__)

Verb = Callable[[str, AskContext], AnswerView]
"""Answers a command's words behind its verb: `settings`, `setprice`, `alert` …"""


class ListenerContext(Struct, frozen=True):
    """Where listeners take questions and hand out answers."""

    answers: Answers
    messenger: Messenger
    threads: Threads
    deliveries: Deliveries
    claims: Claims
    recent: RecentQuestions
    feedback: Feedback
    settings: SettingsCommands
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
    authority: Authority
    seals: Seals


Handler = Callable[[ListenerContext, Args], None]


def guarded(
    services: ListenerContext, handler: Handler, needed: Role
) -> Callable[[Args], None]:
    """Acknowledge, then hand the work on; a fault becomes a reference, told and logged.

    An exception that escapes a listener makes Bolt erase the acknowledgement.
    """
    allowed = permitted(handler, needed)

    def listener(args: Args) -> None:
        try:
            args.ack()
            hand_on(services, allowed, args)
        except Exception:  # noqa: BLE001 - nothing may escape; it is logged with traceback
            _apologise(services, args)

    listener.__name__ = handler.__name__
    return listener


def acknowledging(
    services: ListenerContext, handler: Handler, needed: Role
) -> Callable[[Args], None]:
    """Let a form's handler acknowledge: it may have to say what cannot be read."""
    allowed = permitted(handler, needed, acknowledge=True)

    def listener(args: Args) -> None:
        try:
            if INSTEAD in args.context:
                args.ack()
                hand_on(services, allowed, args)
            else:
                allowed(services, args)
        except Exception:  # noqa: BLE001 - nothing may escape; it is logged with traceback
            args.ack()
            _apologise(services, args)
        if not args.context.get("handed_on"):
            services.claims.finish(args.context)

    listener.__name__ = handler.__name__
    return listener


def permitted(handler: Handler, needed: Role, *, acknowledge: bool = False) -> Handler:
    """Let those through who may; the others are told why not, in words."""

    def checked(services: ListenerContext, args: Args) -> None:
        args.context["authority"] = services.authority
        role = services.authority.role(args)
        args.context["role"] = role
        if role >= needed and acknowledge and carried(services, args) is None:
            args.ack()
            send(services, args, unreadable_form_view())
            return
        if role >= needed:
            handler(services, args)
            return
        if acknowledge:
            args.ack()
        if role > Role.APP:
            send(services, args, refused_view(needed))

    return checked


def carrying(services: ListenerContext, args: Args, form: FormView) -> FormView:
    """Seal what a form carries, for whoever opens it."""
    bound = (form.callback, tenant(args), args.context.user_id or "")
    return form.model_copy(
        update={"metadata": services.seals.seal(form.metadata, *bound)}
    )


def carried(services: ListenerContext, args: Args) -> str | None:
    """Return what a form was given when it was opened; None: that cannot be told."""
    view = args.view or {}
    bound = (str(view.get("callback_id")), tenant(args), args.context.user_id or "")
    return services.seals.opened(str(view.get("private_metadata") or ""), *bound)


def hand_on(services: ListenerContext, handler: Handler, args: Args) -> None:
    """Do what takes longer on a thread of its own."""
    args.context["handed_on"] = True
    args.context.pop(ACKNOWLEDGED_BY, None)  # it is, by now
    services.threads.hand_on(work, services, handler, args)


def work(services: ListenerContext, handler: Handler, args: Args) -> None:
    """Handle what Slack delivered, and note that it is done."""
    try:
        reply_url(args)  # its thirty minutes run from now
        if INSTEAD not in args.context:
            handler(services, args)
        elif is_asked(args):
            send(services, args, args.context[INSTEAD])
    except TooManyError as refused:
        _refuse(services, args, refused)
    except Exception:  # noqa: BLE001 - nothing may escape; it is logged with traceback
        _apologise(services, args)
    finally:
        services.claims.finish(args.context)


def _refuse(services: ListenerContext, args: Args, refused: TooManyError) -> None:
    """Tell whoever asks too often, alone; in a conversation once, not each time."""
    if reply_url(args):
        send(services, args, refused.view)
    elif not refused.told:
        tell(services, args, refused.view)


def _apologise(services: ListenerContext, args: Args) -> None:
    """Tell a fault, in plain words where even drawing a message fails."""
    reference = secrets.token_hex(4)
    logger.exception("fault %s", reference)
    view = fault_view(sys.exception(), reference)
    try:
        send(services, args, view)
    except UndeliveredError:
        logger.exception("fault %s could not be told", reference)
    except Exception:
        logger.exception("fault %s could not be drawn", reference)
        _say_plainly(args, f"{view.verdict} {view.why} ({reference})", reference)


def _say_plainly(args: Args, text: str, reference: str) -> None:
    """Say something without a template, a database or a form of blocks."""
    if (url := reply_url(args)) and url.send({"text": text}).taken:
        return
    thread = thread_of(args) if args.context.channel_id else ""
    channel = (args.context.channel_id if thread else args.context.user_id) or ""
    outcome = of_api(
        lambda: args.client.chat_postMessage(
            channel=channel, thread_ts=thread or None, text=text
        )
    )
    if not outcome.taken:
        logger.error("fault %s could not be told: %s", reference, outcome.code)


def send(
    services: ListenerContext, args: Args, view: AnswerView, place: Place | None = None
) -> None:
    """Answer where Slack says; where that fails, the same person in another way."""
    try:
        _send_there(services, args, view, place or Place())
    except UnconfirmedError:
        clear_status(args)
        tell(services, args, unconfirmed_view(view))
    except UndeliveredError as fault:
        clear_status(args)
        tell(services, args, redirected(view, str(fault)))


def _send_there(
    services: ListenerContext, args: Args, view: AnswerView, place: Place
) -> None:
    """Use the response_url where there is one, else the thread of the event."""
    team_id, channel = tenant(args), args.context.channel_id
    if url := reply_url(args):
        # The line that work goes on makes room for its outcome; for a command Slack
        # still posts below it (github.com/slackapi/bolt-python/issues/1268).
        shown = place.model_copy(update={"replace": place.replace or url.waiting})
        url.waiting = False
        services.messenger.reply(url, team_id, view, shown)
    elif thread := thread_of(args):
        # say() would post at the channel's root: the thread is always named.
        where = {"channel": channel, "thread_ts": thread}
        services.messenger.post(args.client, team_id, view, where)
    else:
        tell(services, args, view)


def tell(
    services: ListenerContext,
    args: Args,
    view: AnswerView,
    context: AskContext | None = None,
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
        services.messenger.whisper(args.client, place.team_id, view, where)
    except UndeliveredError as fault:
        seen = isinstance(fault, UnconfirmedError)
        own, rest = {"channel": place.user_id}, unconfirmed_view(view) if seen else view
        services.messenger.post(args.client, place.team_id, rest, own)


def asker(
    args: Args, surface: str, channel: str | None = None, *, public: bool = False
) -> AskContext:
    """Say who asks, from where, and what of their organisation may be used for it.

    `channel`: where the answer goes, if not where the request came from; `public`:
    whether all of that channel will read it. Unless the wrapper ranked the sender,
    they are of nowhere.
    """
    role: Role = args.context.get("role", Role.OUTSIDE)
    place = args.context.channel_id or "" if channel is None else channel
    authority: Authority | None = args.context.get("authority")
    shared = authority.shared(args, place) if authority else None
    # What nobody knows is not shared for settings, which are harmless, but for prices.
    own = role >= Role.MEMBER and not shared and (shared is False or not public)
    return AskContext.model_validate(
        {
            "surface": surface,
            "team_id": tenant(args),
            "enterprise_id": args.context.enterprise_id or "",
            "channel_id": place,
            "user_id": args.context.user_id or "",
            "thread_ts": thread_of(args),
            "role": role,
            "own_prices": own,
            "overheard": public and bool(shared),
        }
    )

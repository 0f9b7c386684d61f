"""The form of a question: opened from anywhere, answered where it was opened."""

import logging

from slack_bolt import Args
from slack_sdk import WebClient

from bot.question.asking import AskContext
from bot.render.form_submission import read_submission
from bot.render.form_views import FormView
from bot.render.rendering import FORM
from bot.render.views import AnswerView
from bot.slack.listeners.context import (
    ListenerContext,
    asker,
    carried,
    carrying,
    hand_on,
    send,
    tell,
)
from bot.slack.listeners.places import reply_url, tenant, thread_of
from bot.slack.listeners.questions import answered, offered, private
from bot.slack.messenger import Place, UnconfirmedError, UndeliveredError
from bot.slack.modals.form import Origin, question_form
from bot.slack.outcome import Outcome, ReplyUrl, of_api, tls
from bot.slack.undelivered import redirected, unconfirmed_view, unopened_view
from core.query import Query
from core.reference.load import reference

logger = logging.getLogger(__name__)


def open_form(services: ListenerContext, args: Args) -> None:
    """Open the form, empty or with what an answer was computed from."""
    value = str((args.action or {}).get("value") or "")
    answer_id, _, focus = value.partition(" ")
    context = asker(args, "form")
    query = services.answers.query_of(answer_id, context=context) if answer_id else None
    view = services.answers.recall(answer_id, context=context) if answer_id else None
    chips = view.chips if view else ()
    place = origin(args, query)
    if query is not None:
        place = place.model_copy(update={"answer_id": answer_id})
    form = question_form(query or Query(), place, chips, focus)
    show_form(services, args, form, value)


def show_form(
    services: ListenerContext,
    args: Args,
    form: FormView,
    value: str,
    button: str = FORM,
) -> None:
    """Open a modal, or offer the button again where Slack would not."""
    outcome = open_view(services, args, form)
    if not outcome.taken:
        send(services, args, unopened_view(outcome.code, value, button))


def open_view(services: ListenerContext, args: Args, form: FormView) -> Outcome:
    """Open a modal over what somebody pressed.

    A trigger holds for three seconds: who waits as a 429 says has lost it.
    """
    drawn = services.views.render_form(carrying(services, args, form))
    trigger = str(args.body.get("trigger_id") or "")
    client = WebClient(
        token=args.client.token,
        base_url=args.client.base_url,
        timeout=args.client.timeout,
        ssl=tls(),
        retry_handlers=[],
    )
    outcome = of_api(lambda: client.views_open(trigger_id=trigger, view=drawn))
    if not outcome.taken:
        logger.warning("form not opened for %s: %s", tenant(args), outcome.code)
    return outcome


def origin(args: Args, refined: Query | None = None) -> Origin:
    """Note where a form was opened; an answer that it refines will be replaced."""
    container = args.body.get("container") or {}
    replaced = container.get("message_ts") if refined is not None else ""
    url = reply_url(args)
    return Origin(
        channel_id=args.context.channel_id or "",
        thread_ts=thread_of(args),
        message_ts=str(replaced or ""),
        private=bool(container.get("is_ephemeral", True)),
        response_url=url.url if url else "",
        since=int(url.since) if url else 0,
        uses=url.uses if url else 0,
    )


def submit_form(services: ListenerContext, args: Args) -> None:
    """Point at what cannot be read, else close the form and answer."""
    view = args.view or {}
    read = read_submission((view.get("state") or {}).get("values") or {}, reference())
    if read.errors:
        args.ack(response_action="errors", errors=dict(read.errors))
        return
    args.ack()

    def answer(services: ListenerContext, args: Args) -> None:
        answer_form(services, args, read.question)

    hand_on(services, answer, args)


def answer_form(services: ListenerContext, args: Args, question: str) -> None:
    """Answer a form's question in place of the answer that it refined."""
    place = Origin.read(carried(services, args) or "")
    alone = place.private and (place.response_url or args.context.response_url)
    context = asker(
        args, "form", place.channel_id, public=bool(place.channel_id and not alone)
    ).model_copy(update={"thread_ts": place.thread_ts, "refines": place.answer_id})
    view = answered(services, args, question, context)
    shown = private(services, view) if alone else offered(services, view)
    try:
        _deliver(services, args, shown, place)
    except UnconfirmedError:
        tell(services, args, unconfirmed_view(shown), context)
    except UndeliveredError as fault:
        _deliver_otherwise(services, args, shown, place, context, str(fault))


def _deliver(
    services: ListenerContext, args: Args, view: AnswerView, place: Origin
) -> None:
    if place.response_url:
        where = Place(
            public=not place.private,
            replace=bool(place.message_ts),
            thread_ts="" if place.message_ts else place.thread_ts,
        )
        url = ReplyUrl(place.response_url, place.since, place.uses)
        services.messenger.reply(url, tenant(args), view, where)
    else:
        send(services, args, view)


def _deliver_otherwise(
    services: ListenerContext,
    args: Args,
    view: AnswerView,
    place: Origin,
    context: AskContext,
    code: str,
) -> None:
    """Replace the message itself, or show the answer beside it."""
    team_id = tenant(args)
    if place.message_ts and not place.private:
        where = {"channel": place.channel_id, "ts": place.message_ts}
        try:
            services.messenger.update(args.client, team_id, view, where)
        except UndeliveredError:
            logger.info("message %s of %s is not to be changed", where["ts"], team_id)
        else:
            return
    tell(services, args, redirected(view, code), context)

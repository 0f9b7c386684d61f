"""The buttons of an answer."""

from slack_bolt import Args

from bot.question.role import Role
from bot.render.views import AnswerView
from bot.slack.home.page import Pages
from bot.slack.listeners.context import ListenerContext, asker, send
from bot.slack.listeners.home import is_home, publish
from bot.slack.listeners.places import tenant
from bot.slack.listeners.questions import ALERTS, answered, computed, offered, private
from bot.slack.listeners.words import gone_view, noted_view, shared_view
from bot.slack.messenger import Place
from prices.records.feedback import Opinion


def ask_again(services: ListenerContext, args: Args) -> None:
    """Ask the button's question, in place of its message or on the page."""
    place = _place(args, own=_in_dm(args))
    context = asker(args, "button", public=place.public)
    view = answered(services, args, _value(args), context)
    if is_home(args):
        publish(services, args, Pages(), _at_home(services, view))
        return
    shown = offered(services, view) if place.public else private(services, view)
    send(services, args, shown, place)


def _at_home(services: ListenerContext, view: AnswerView) -> AnswerView:
    """The short form for a page of one's own, where there is nobody to share with."""
    shown = offered(services, view)
    return shown.model_copy(update={"variants": ()})


def share(services: ListenerContext, args: Args) -> None:
    """Show the channel a private answer once, and take the button away."""
    carried, _, question = _value(args).partition(" ")
    answer_id, _, thread = carried.partition("@")
    # Whoever shares means to; the price book alone stays within the organisation.
    public = asker(args, "button", public=True)
    context = public.model_copy(update={"overheard": False})
    view = services.answers.recall(answer_id, context=context)
    if view is None and question:
        view = computed(
            services, args, lambda: services.answers.ask(question, context=context)
        )
    if view is None:
        send(services, args, gone_view())
        return
    if not _first_press(services, args, "share"):
        send(services, args, shared_view())
        return
    shown = Place(
        public=True, thread_ts=_thread(args) or thread, sharer=context.user_id
    )
    send(services, args, offered(services, view), shown)
    send(services, args, offered(services, view), Place(replace=True))


def _first_press(services: ListenerContext, args: Args, action: str) -> bool:
    """Tell the first of two quick presses of one button of one message."""
    container = args.body.get("container") or {}
    if not container.get("message_ts"):
        return True
    key = f"{action}:{container.get('channel_id')}:{container['message_ts']}"
    return services.deliveries.claim(tenant(args), [key], services.clock())


def show(services: ListenerContext, args: Args) -> None:
    """Show an answer once more, to whoever asks."""
    view = services.answers.recall(_value(args), context=asker(args, "button"))
    shown = private(services, view) if view else gone_view()
    send(services, args, shown, Place(replace=_alone(args)))


def details(services: ListenerContext, args: Args) -> None:
    """Show all of an answer to whoever asks: every offer, lever and assumption."""
    view = services.answers.recall(_value(args), context=asker(args, "button"))
    shown = view.model_copy(update={"actions": (), "variants": ()}) if view else None
    send(services, args, shown or gone_view(), Place(thread_ts=_thread(args)))


def vary(services: ListenerContext, args: Args) -> None:
    """Answer a follow-up in the place of the answer under which it was pressed."""
    answer_id, _, words = _value(args).partition(" ")
    place = _place(args, own=True)  # an outsider opens no other
    context = asker(args, "button", public=place.public)
    if services.answers.query_of(answer_id, context=context) is None:
        send(services, args, gone_view(), Place(thread_ts=_thread(args)))
        return
    varied = context.model_copy(update={"varies": answer_id})
    view = answered(services, args, words, varied)
    shown = offered(services, view) if place.public else private(services, view)
    send(services, args, shown, place)


def explain(services: ListenerContext, args: Args) -> None:
    """Say how an answer came about, to whoever asks."""
    view = services.answers.why(_value(args), context=asker(args, "button"))
    send(services, args, view, Place(thread_ts=_thread(args)))


def watch(services: ListenerContext, args: Args) -> None:
    """Watch what an answer is about: its question, for this channel."""
    context = asker(args, "button")
    view = services.answers.recall(_value(args), context=context)
    alerts = services.verbs.get(ALERTS)
    if view is None or alerts is None:
        send(services, args, gone_view(), Place(thread_ts=_thread(args)))
        return
    told = computed(services, args, lambda: alerts(view.question, context))
    send(services, args, told, Place(thread_ts=_thread(args)))


def note_feedback(services: ListenerContext, args: Args) -> None:
    """Write down what a reader thinks of an answer."""
    answer_id, _, verdict = _value(args).partition(" ")
    context = asker(args, "button")
    found = services.answers.recall(answer_id, context=context)
    if verdict not in ("good", "bad") or found is None:
        send(services, args, gone_view(), Place(thread_ts=_thread(args)))
        return
    opinion = Opinion(
        answer_id=answer_id,
        user_id=context.user_id,
        verdict="good" if verdict == "good" else "bad",
        given_at=services.clock(),
    )
    services.feedback.give(context.team_id, opinion)
    send(services, args, noted_view(opinion.verdict), Place(thread_ts=_thread(args)))


def apologise_for_old_button(services: ListenerContext, args: Args) -> None:
    """Answer a button that this version no longer knows."""
    send(services, args, gone_view(), Place(thread_ts=_thread(args)))


def _place(args: Args, *, own: bool) -> Place:
    """Where the answer to a press goes: an outsider replaces only what is theirs."""
    alone = _alone(args)
    outside = args.context.get("role", Role.OUTSIDE) < Role.UNRANKED
    replace = alone or own or not outside
    return Place(public=replace and not alone, replace=replace, thread_ts=_thread(args))


def _in_dm(args: Args) -> bool:
    return (args.context.channel_id or "").startswith("D")


def _value(args: Args) -> str:
    return str((args.action or {}).get("value") or "")


def _alone(args: Args) -> bool:
    return bool((args.body.get("container") or {}).get("is_ephemeral"))


def _thread(args: Args) -> str:
    return str((args.body.get("container") or {}).get("thread_ts") or "")

"""The buttons of an answer."""

from slack_bolt import Args

from bot.listeners.desk import Desk, answer, asker, send, with_buttons, without
from bot.messenger import Place
from bot.rendering import SHARE
from bot.views import AnswerView


def ask_again(desk: Desk, args: Args) -> None:
    """Ask the question that the button carries, in place of its message."""
    surface = "command" if _private(args) else "button"
    view = answer(desk, _value(args), asker(args, surface))
    place = Place(
        public=not _private(args), replace=True, thread_ts=_container(args, "thread_ts")
    )
    send(desk, args, view, place)


def share(desk: Desk, args: Args) -> None:
    """Show the channel a private answer, and take the button away."""
    answer_id, _, question = _value(args).partition(" ")
    context = asker(args, "button")
    view = desk.answers.recall(answer_id, context=context)
    if view is None and question:
        view = desk.answers.ask(question, context=context)
    if view is None:
        send(desk, args, _gone())
        return
    thread = _container(args, "thread_ts")
    public = Place(public=True, thread_ts=thread, sharer=context.user_id)
    send(desk, args, without(view, SHARE), public)
    send(desk, args, without(with_buttons(view), SHARE), Place(replace=True))


def explain(desk: Desk, args: Args) -> None:
    """Say how an answer came about, to whoever asks."""
    view = desk.answers.why(_value(args), context=asker(args, "button"))
    send(desk, args, view, Place(thread_ts=_container(args, "thread_ts")))


def explain_assumption(desk: Desk, args: Args) -> None:
    """Say why something was assumed, and how to change it."""
    answer_id, _, field = _value(args).partition(" ")
    view = desk.answers.recall(answer_id, context=asker(args, "button"))
    chips = [chip for chip in view.chips if chip.field == field] if view else []
    told = _assumed(chips[0].label, chips[0].value, chips[0].why) if chips else _gone()
    send(desk, args, told, Place(thread_ts=_container(args, "thread_ts")))


def apologise_for_old_button(desk: Desk, args: Args) -> None:
    """Answer a button that this version no longer knows."""
    send(desk, args, _gone(), Place(thread_ts=_container(args, "thread_ts")))


def _assumed(label: str, value: str, why: str) -> AnswerView:
    return AnswerView(
        kind="hint",
        id="",
        question="",
        verdict=f"{label}: {value}",
        why=why,
        notes=("To change it, ask again and say another value in the question.",),
    )


def _gone() -> AnswerView:
    return AnswerView(
        kind="hint",
        id="",
        question="",
        verdict="That answer is no longer at hand: please ask again.",
    )


def _value(args: Args) -> str:
    return str((args.action or {}).get("value") or "")


def _private(args: Args) -> bool:
    return bool((args.body.get("container") or {}).get("is_ephemeral"))


def _container(args: Args, key: str) -> str:
    return str((args.body.get("container") or {}).get(key) or "")

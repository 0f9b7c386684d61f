"""The buttons of an answer."""

from slack_bolt import Args

from bot.listeners.desk import Desk, asker, private, public, send
from bot.messenger import Place
from bot.views import AnswerView


def ask_again(desk: Desk, args: Args) -> None:
    """Ask the question that the button carries, in place of its message."""
    view = desk.answers.ask(_value(args), context=asker(args, "button"))
    alone = bool((args.body.get("container") or {}).get("is_ephemeral"))
    place = Place(public=not alone, replace=True, thread_ts=_thread(args))
    send(desk, args, private(view) if alone else public(view), place)


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
    shown = Place(public=True, thread_ts=_thread(args), sharer=context.user_id)
    send(desk, args, public(view), shown)
    send(desk, args, public(view), Place(replace=True))


def explain(desk: Desk, args: Args) -> None:
    """Say how an answer came about, to whoever asks."""
    view = desk.answers.why(_value(args), context=asker(args, "button"))
    send(desk, args, view, Place(thread_ts=_thread(args)))


def explain_assumption(desk: Desk, args: Args) -> None:
    """Say why something was assumed, and how to change it."""
    answer_id, _, field = _value(args).partition(" ")
    view = desk.answers.recall(answer_id, context=asker(args, "button"))
    chips = [chip for chip in view.chips if chip.field == field] if view else []
    told = _assumed(chips[0].label, chips[0].value, chips[0].why) if chips else _gone()
    send(desk, args, told, Place(thread_ts=_thread(args)))


def apologise_for_old_button(desk: Desk, args: Args) -> None:
    """Answer a button that this version no longer knows."""
    send(desk, args, _gone(), Place(thread_ts=_thread(args)))


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


def _thread(args: Args) -> str:
    return str((args.body.get("container") or {}).get("thread_ts") or "")

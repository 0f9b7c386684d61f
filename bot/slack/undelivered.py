"""What to say when Slack did not take a message, and why."""

from typing import Final

from bot.render.rendering import FORM, SHOW
from bot.render.views import Action, AnswerView

REASONS: Final = {
    "expired_url": "Slack's link for that reply had expired: it holds for 30 minutes.",
    "used_url": "Slack allows five replies to one press, and they are used up.",
    "not_in_channel": (
        "I am not a member of that channel: /invite @gpucost lets me answer there."
    ),
    "channel_not_found": (
        "I cannot see that channel: /invite @gpucost lets me answer there."
    ),
    "is_archived": "That channel is archived.",
    "restricted_action": "This workspace does not let apps post there.",
    "user_not_in_channel": "You are not a member of that channel.",
    "token_revoked": "gpucost was removed from this workspace.",
    "account_inactive": "gpucost was removed from this workspace.",
    "ratelimited": "Slack takes no more messages there for the moment.",
    "message_not_found": "The message that this belongs to is gone.",
    "cant_update_message": "That message can no longer be changed.",
}


def reason(code: str) -> str:
    """Say why Slack did not take a message, in words where the code is known."""
    return REASONS.get(code, f"Slack did not take the reply there ({code}).")


def redirected(view: AnswerView, code: str) -> AnswerView:
    """The same answer, with why it comes another way."""
    return view.model_copy(update={"notes": (reason(code), *view.notes)})


def unconfirmed_view(view: AnswerView) -> AnswerView:
    """A message that may have arrived: nobody should see it twice."""
    shown = Action(id=SHOW, label="Show the answer", value=view.id)
    return AnswerView(
        kind="hint",
        id="",
        question=view.question,
        verdict="Slack did not confirm that my answer arrived.",
        why="If you do not see it, press the button to show it here."
        if view.id
        else "If it is not there, please ask again.",
        actions=(shown,) if view.id else (),
    )


def unopened_view(code: str, value: str, button: str = FORM) -> AnswerView:
    """A form that Slack would not open, and the button that opened it."""
    late = code in ("trigger_expired", "expired_trigger_id", "exchanged_trigger_id")
    return AnswerView(
        kind="hint",
        id="",
        question="",
        verdict="The form could not be opened.",
        why="Slack allows three seconds after a press, and it took longer."
        if late
        else reason(code),
        actions=(Action(id=button, label="Open the form", value=value),),
    )

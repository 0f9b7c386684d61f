"""What to say when Slack did not take a message, and why."""

from typing import Final

from bot.render.rendering import FORM, SHOW
from bot.render.views import Action, AnswerView
from bot.render.words import say

REASONS: Final = {
    "expired_url": say("slack.reply_link_expired"),
    "used_url": say("slack.slack_allows_five_replies"),
    "not_in_channel": (say("slack.bot_not_a_member")),
    "channel_not_found": (say("slack.channel_unseen")),
    "is_archived": say("slack.that_channel_is_archived"),
    "restricted_action": say("slack.apps_not_allowed"),
    "user_not_in_channel": say("slack.asker_not_a_member"),
    "token_revoked": say("slack.gpucost_was_removed"),
    "account_inactive": say("slack.gpucost_was_removed"),
    "ratelimited": say("slack.slack_takes_no_more"),
    "message_not_found": say("slack.message_gone"),
    "cant_update_message": say("slack.message_unchangeable"),
}


def reason(code: str) -> str:
    """Say why Slack did not take a message, in words where the code is known."""
    return REASONS.get(code, say("slack.reason", code=code))


def redirected(view: AnswerView, code: str) -> AnswerView:
    """The same answer, with why it comes another way."""
    return view.model_copy(update={"notes": (reason(code), *view.notes)})


def unconfirmed_view(view: AnswerView) -> AnswerView:
    """A message that may have arrived: nobody should see it twice."""
    shown = Action(id=SHOW, label=say("slack.show_the_answer"), value=view.id)
    return AnswerView(
        kind="hint",
        question=view.question,
        verdict=say("slack.slack_did_not_confirm"),
        why=say("slack.show_it_here") if view.id else say("slack.if_not_there"),
        actions=(shown,) if view.id else (),
    )


def unopened_view(code: str, value: str, button: str = FORM) -> AnswerView:
    """A form that Slack would not open, and the button that opened it."""
    late = code in ("trigger_expired", "expired_trigger_id", "exchanged_trigger_id")
    return AnswerView(
        kind="hint",
        verdict=say("slack.form_not_opened"),
        why=say("slack.slack_allows_three_seconds") if late else reason(code),
        actions=(Action(id=button, label=say("slack.open_the_form"), value=value),),
    )

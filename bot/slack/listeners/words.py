"""The few things that buttons say by themselves."""

from bot.render.views import AnswerView
from bot.render.words import say
from prices.records.feedback import Verdict


def gone_view() -> AnswerView:
    """An answer that nobody has any more."""
    return _hint(say("slack.gone_view"))


def noted_view(verdict: Verdict) -> AnswerView:
    """That an opinion was written down, and what helps at once."""
    if verdict == "good":
        return _hint(say("slack.thank_you_for_telling"))
    return _hint(
        say("slack.thank_you_for_telling"),
        say("slack.press_change_to_correct"),
    )


def saved_view(count: int) -> AnswerView:
    """How many settings a form changed."""
    changed = say(
        "slack.setting_changed", count=count, ending="s" if count != 1 else ""
    )
    return _hint(changed, say("slack.gpucost_settings_shows_all"))


def shared_view() -> AnswerView:
    """A second press of the button that shared an answer."""
    return _hint(say("slack.shared_already"))


def wrong_clock_view() -> AnswerView:
    """Why nothing is done of what Slack signs: by our clock it was not just now."""
    return _error(say("slack.my_clock_is_wrong"))


def given_up_view() -> AnswerView:
    """What somebody is told whose question ended the process more than once."""
    return _error(say("slack.restarted"), say("slack.please_ask_again"))


def unreadable_form_view() -> AnswerView:
    """A form that was not opened here, or by somebody else."""
    return _hint(say("slack.form_not_ours"), say("slack.open_it_again"))


def _error(verdict: str, why: str = "") -> AnswerView:
    return AnswerView(kind="error", id="", question="", verdict=verdict, why=why)


def _hint(verdict: str, why: str = "") -> AnswerView:
    return AnswerView(kind="hint", verdict=verdict, why=why)

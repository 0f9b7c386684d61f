"""What the bot says when asked for help, or when it failed."""

from bot.render.views import AnswerView
from bot.render.words import say
from prices.database.connection import DatabaseError, StoreError, mend, reason

EXAMPLES = (
    "70b inference 50rps",
    "llama-3.1-8b 1M requests/day 500in/150out",
    "mixtral-8x7b chat 20rps ttft 300ms on h100",
)


def help_view() -> AnswerView:
    """Say what can be asked, with questions to press."""
    return AnswerView(
        kind="help",
        id="",
        question="help",
        verdict=say("answers.ask_which_gpus_a"),
        why=(say("answers.name_the_model_or")),
        notes=(
            say("answers.gpucost_question_answers_only"),
            say("answers.gpucost_opens_a_form"),
            say("answers.gpucost_why_id_explains"),
            say("answers.gpucost_watch_b_rps"),
            say("answers.gpucost_alert_and_gpucost"),
            say("answers.gpucost_settings_sets_region"),
            say("answers.gpucost_setprice_saves_your"),
            say("answers.mention_the_bot_in"),
        ),
        examples=EXAMPLES,
    )


def error_view(reference: str) -> AnswerView:
    """Say that the fault is ours, and what to quote when reporting it."""
    return AnswerView(
        kind="error",
        id=reference,
        question="",
        verdict=say("answers.something_went_wrong_on"),
        why=say("answers.please_try_again_if"),
    )


def fault_view(fault: BaseException | None, reference: str) -> AnswerView:
    """Say what failed where that helps somebody: the file, the disk, the lock."""
    if not isinstance(fault, StoreError | DatabaseError):
        return error_view(reference)
    told = reason(fault)
    who = say("answers.the_person_who_runs")
    return error_view(reference).model_copy(
        update={
            "verdict": say("answers.that_did_not_work", told=told),
            "why": " ".join(part for part in (mend(fault), who) if part),
        }
    )


def unkept_view(view: AnswerView, told: str) -> AnswerView:
    """Say with an answer that it could not be written down, and what that costs."""
    note = say("answers.unkept_view", told=told)
    return view.model_copy(update={"notes": (note, *view.notes)})


def no_channel_view(read: str) -> AnswerView:
    """Say where alerts are kept, and what was read, to who asks outside Slack."""
    return AnswerView(
        kind="hint",
        id="",
        question="",
        verdict=say("answers.alerts_belong_to_a"),
        why=" ".join(filter(None, (read, say("answers.example_gpucost_alert_a")))),
    )


def quoted_view(text: str) -> AnswerView:
    """What somebody else's message gets that wants more than an answer."""
    return AnswerView(
        kind="hint",
        id="",
        question=text,
        verdict=say("answers.quoted_view"),
        why=say("answers.quoted_why"),
    )


def too_long_view(longest: int) -> AnswerView:
    """What a text gets that is too long to be read."""
    return AnswerView(
        kind="hint",
        id="",
        question="",
        verdict=say("answers.too_long_view", longest=f"{longest:,}"),
        why=say("answers.too_long_why"),
    )


def nod_view(text: str) -> AnswerView:
    """Take thanks without a lecture."""
    return AnswerView(
        kind="hint",
        id="",
        question=text,
        verdict=say("answers.nod_view"),
    )

"""What the bot says when asked for help, or when it failed."""

from decimal import Decimal

from bot.render.views import AnswerView
from bot.render.words import say
from core.query import Query
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
        question="help",
        verdict=say("answers.what_to_ask"),
        why=(say("answers.what_to_name")),
        notes=(
            say("answers.gpucost_question_answers_only"),
            say("answers.gpucost_opens_a_form"),
            say("answers.gpucost_why_id_explains"),
            say("answers.gpucost_watch_b_rps"),
            say("answers.gpucost_alert_and_gpucost"),
            say("answers.gpucost_settings_sets_region"),
            say("answers.setprice_help"),
            say("answers.how_to_mention"),
        ),
        examples=EXAMPLES,
    )


def error_view(reference: str) -> AnswerView:
    """Say that the fault is ours, and what to quote when reporting it."""
    return AnswerView(
        kind="error",
        id=reference,
        verdict=say("answers.fault"),
        why=say("answers.try_again"),
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


def no_channel_view(read: str, query: Query) -> AnswerView:
    """Say where alerts are kept, and the command for what was read."""
    alert, gpus, usual = query.alert, query.gpu or (), say("answers.alert_example")
    sign = {"below": "<", "above": ">"}.get(alert.op or "") if alert else None
    if alert and sign and alert.value and gpus:
        where = (query.region,) if query.region else ()
        said = (*(query.provider or ()), gpus[0], *(query.pricing or ()), *where)
        what, usd = " ".join(said).replace("_", "-"), Decimal(str(alert.value))
        usual = say("answers.alert_command", what=what, op=sign, usd=usd)
    elif alert and alert.schedule and not alert.value:
        usual = say("answers.digest_example", gpus=",".join(gpus) or "l40s,h200")
        usual = usual if gpus else say("answers.digest_alone", usual=usual)
    return AnswerView(
        kind="hint",
        verdict=say("answers.alerts_need_a_channel"),
        why=" ".join(filter(None, (read, usual))),
    )


def quoted_view(text: str) -> AnswerView:
    """What somebody else's message gets that wants more than an answer."""
    return AnswerView(
        kind="hint",
        question=text,
        verdict=say("answers.quoted_view"),
        why=say("answers.quoted_why"),
    )


def too_long_view(longest: int) -> AnswerView:
    """What a text gets that is too long to be read."""
    return AnswerView(
        kind="hint",
        verdict=say("answers.too_long_view", longest=f"{longest:,}"),
        why=say("answers.too_long_why"),
    )


def nod_view(text: str) -> AnswerView:
    """Take thanks without a lecture."""
    return AnswerView(
        kind="hint",
        question=text,
        verdict=say("answers.nod_view"),
    )

"""What the bot says when asked for help, or when it failed."""

import sqlite3

from bot.render.views import AnswerView
from prices.database.connection import StoreError, mend, reason

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
        verdict="Ask which GPUs a workload needs, and what they cost.",
        why=(
            "Name the model or its size, what it does and how much: everything"
            " left out is assumed, and the answer lists what was."
        ),
        notes=(
            "/gpucost QUESTION answers you alone; Share shows everybody.",
            "/gpucost alone opens a form; Change opens it on an answer.",
            "/gpucost why ID explains an answer; its ID stands in the small print.",
            "/gpucost watch 70b 50rps 10% tells a channel when an answer moves; "
            "/gpucost alert and /gpucost digest tell it of prices.",
            "/gpucost settings keeps providers, region, currency and more for a "
            "channel; /gpucost setprice keeps your own prices.",
            "In a thread, mention the bot; in its own conversation, just write.",
        ),
        examples=EXAMPLES,
    )


def error_view(reference: str) -> AnswerView:
    """Say that the fault is ours, and what to quote when reporting it."""
    return AnswerView(
        kind="error",
        id=reference,
        question="",
        verdict="Something went wrong here; it is not your question.",
        why="It is written in the log under the reference below. Try once more, "
        "and give whoever runs this bot the reference if it happens again.",
    )


def fault_view(fault: BaseException | None, reference: str) -> AnswerView:
    """Say what failed where that helps somebody: the file, the disk, the lock."""
    if not isinstance(fault, StoreError | sqlite3.Error):
        return error_view(reference)
    told = reason(fault) if isinstance(fault, sqlite3.Error) else str(fault)
    who = "Whoever runs this bot finds more in its log under the reference below."
    return error_view(reference).model_copy(
        update={
            "verdict": f"That did not work: {told}. It is nothing you did.",
            "why": " ".join(part for part in (mend(fault), who) if part),
        }
    )


def unkept_view(view: AnswerView, told: str) -> AnswerView:
    """Say with an answer that it could not be written down, and what that costs."""
    note = f"Not kept, as {told}: ask again rather than for answer {view.id}."
    return view.model_copy(update={"notes": (*view.notes, note)})


def no_channel_view() -> AnswerView:
    """Say where alerts are kept, to whoever asks for one outside Slack."""
    return AnswerView(
        kind="hint",
        id="",
        question="",
        verdict="Alerts belong to a Slack channel: ask for them there.",
        why="For instance /gpucost alert a100-80gb spot < 0.90; "
        "gpucost alerts list shows those of every channel.",
    )

"""What the bot says when asked for help, or when it failed."""

from bot.render.views import AnswerView
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
        verdict="Ask which GPUs a workload needs, and what they cost.",
        why=(
            "Name the model or its size, what it does and how much. We assume the"
            " rest, and each answer lists what we assumed."
        ),
        notes=(
            "/gpucost QUESTION answers only you. Share posts the answer.",
            "/gpucost opens a form. Change opens the form on an answer.",
            "/gpucost why ID explains an answer. The ID is its last line.",
            "/gpucost watch 70b 50rps 10% tells the channel when a cost moves.",
            "/gpucost alert and /gpucost digest tell the channel about prices.",
            "/gpucost settings sets region, currency and more for a channel.",
            "/gpucost setprice saves your own prices.",
            "Mention the bot in a thread, or write to it directly.",
        ),
        examples=EXAMPLES,
    )


def error_view(reference: str) -> AnswerView:
    """Say that the fault is ours, and what to quote when reporting it."""
    return AnswerView(
        kind="error",
        id=reference,
        question="",
        verdict="Something went wrong on our side. Your question is fine.",
        why="Please try again. If it fails again, send the reference below to the "
        "person who runs this bot.",
    )


def fault_view(fault: BaseException | None, reference: str) -> AnswerView:
    """Say what failed where that helps somebody: the file, the disk, the lock."""
    if not isinstance(fault, StoreError | DatabaseError):
        return error_view(reference)
    told = reason(fault)
    who = "The person who runs this bot finds more in the log under the reference."
    return error_view(reference).model_copy(
        update={
            "verdict": f"That did not work: {told}. Your question is fine.",
            "why": " ".join(part for part in (mend(fault), who) if part),
        }
    )


def unkept_view(view: AnswerView, told: str) -> AnswerView:
    """Say with an answer that it could not be written down, and what that costs."""
    note = f"We could not save this answer ({told}). Ask again instead of its id."
    return view.model_copy(update={"notes": (note, *view.notes)})


def no_channel_view() -> AnswerView:
    """Say where alerts are kept, to whoever asks for one outside Slack."""
    return AnswerView(
        kind="hint",
        id="",
        question="",
        verdict="Alerts belong to a Slack channel. Please set them there.",
        why="Example: /gpucost alert a100-80gb spot < 0.90. The command gpucost alerts "
        "list shows the alerts of all channels.",
    )

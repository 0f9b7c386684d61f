"""What the alerts answer to commands."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bot.alerts.buttons import (
    RUN,
    adjust_action,
    listed,
    new_actions,
    snooze_action,
    stop_action,
)
from bot.alerts.wording import describe, instant_words, state_words
from bot.language.alerts.commands import CONFIRM, EXAMPLES, MANAGING
from bot.language.alerts.requests import Problem
from bot.render.views import Action, AnswerView, Cell, Credit, Table
from bot.slack.undelivered import reason
from core.alerts.subscription import Subscription
from core.reference.catalogue import Reference

LIST_COLUMNS: Final = ("No.", "Watches", "As typed", "State", "Since")


def created_view(
    subscription: Subscription,
    reference: Reference,
    notes: Sequence[str],
    current_state: str,
) -> AnswerView:
    """What is watched from now on, and where it stands."""
    number = subscription.id
    return AnswerView(
        kind="answer",
        id="",
        question=subscription.typed,
        verdict=f"Alert {number} is on: {describe(subscription.watch, reference)}",
        why=current_state,
        notes=tuple(notes),
        small_print=(
            "It speaks in this channel; anybody here may mute it: "
            f"/gpucost alert mute {number} until tuesday",
        ),
        actions=(
            Action(id=RUN, label="What would it post?", value=f"test {number}"),
            adjust_action(number),
            stop_action((number,)),
        ),
    )


def notice_view(subscription: Subscription, reference: Reference) -> AnswerView:
    """What the channel is told when somebody has it watched."""
    return AnswerView(
        kind="hint",
        id="",
        question="",
        verdict=(
            f"Alert {subscription.id} watches for this channel: "
            f"{describe(subscription.watch, reference)}"
        ),
        credits=(
            Credit(
                text=f"Typed as “{subscription.typed}” by",
                user_id=subscription.user_id,
            ),
        ),
        small_print=("/gpucost alerts lists what this channel watches.",),
        actions=(snooze_action((subscription.id,), "1w"),),
    )


def known_view(subscription: Subscription, reference: Reference) -> AnswerView:
    """That the channel watches the same already."""
    return AnswerView(
        kind="hint",
        id="",
        question="",
        verdict=(
            f"Alert {subscription.id} watches that already: "
            f"{describe(subscription.watch, reference)}"
        ),
        credits=(Credit(text="It was made by", user_id=subscription.user_id),),
    )


def unpostable_view(code: str, typed: str) -> AnswerView:
    """Why no alert could be posted here, and how to mend it."""
    return AnswerView(
        kind="no",
        id="",
        question=typed,
        verdict="I cannot post in this channel, so nothing is watched.",
        why=reason(code),
        notes=("Then type it again. Nothing was saved.",),
        examples=(typed,),
    )


def list_view(
    found: Sequence[Subscription], reference: Reference, now: datetime
) -> AnswerView:
    """What a channel watches, each as it was typed and by whom."""
    if not found:
        return AnswerView(
            kind="hint",
            id="",
            question="alerts",
            verdict="This channel watches nothing yet.",
            examples=EXAMPLES,
            actions=new_actions(),
        )
    rows = tuple(_row(one, reference, now) for one in found)
    count = f"{len(found)} alert{'s' if len(found) > 1 else ''}"
    return AnswerView(
        kind="help",
        id="",
        question="alerts",
        verdict=f"This channel has {count}.",
        table=Table(
            caption="What this channel watches",
            columns=LIST_COLUMNS,
            rows=rows,
            shown=min(len(rows), 10),
        ),
        credits=_makers(found),
        small_print=(
            "/gpucost alert remove 3 or remove h100* stops; mute b200 until tuesday "
            "keeps quiet; test 3 shows what would be posted.",
        ),
        actions=new_actions(),
    )


def _row(one: Subscription, reference: Reference, now: datetime) -> tuple[Cell, ...]:
    return (
        Cell(text=str(one.id), value=one.id),
        Cell(text=describe(one.watch, reference)),
        Cell(text=one.typed),
        Cell(text=state_words(one, now)),
        Cell(text=f"{one.created_at:%Y-%m-%d}"),
    )


def removed_view(
    gone: Sequence[Subscription], left: Sequence[Subscription], reference: Reference
) -> AnswerView:
    """What is no longer watched, and what somebody else would have to stop."""
    names = "; ".join(f"{s.id} ({describe(s.watch, reference)})" for s in gone)
    notes: tuple[str, ...] = ()
    if left:
        notes = (
            f"Still on, made by others: {', '.join(str(s.id) for s in left)}. "
            "Their makers or an admin may remove them; anybody may mute them.",
        )
    return AnswerView(
        kind="hint" if gone else "no",
        id="",
        question="",
        verdict=f"No longer watched: {names}." if gone else "Nothing was removed.",
        notes=notes,
        credits=_makers(left),
    )


def confirm_view(
    others: Sequence[Subscription], command: str, reference: Reference
) -> AnswerView:
    """Ask an admin before other people's alerts are removed."""
    return AnswerView(
        kind="clarify",
        id="",
        question=command,
        verdict=f"Remove {len(others)} that others made?",
        notes=tuple(f"{s.id}: {describe(s.watch, reference)}" for s in others[:10]),
        credits=_makers(others),
        actions=(
            Action(
                id=RUN,
                label="Remove them",
                value=f"{command} {CONFIRM}",
                style="danger",
            ),
        ),
    )


def muted_view(
    found: Sequence[Subscription], until: datetime | None, reference: Reference
) -> AnswerView:
    """What keeps quiet, and until when."""
    names = "; ".join(f"{s.id} ({describe(s.watch, reference)})" for s in found)
    if until is None:
        return AnswerView(
            kind="hint", id="", question="", verdict=f"These speak again: {names}."
        )
    numbers = tuple(s.id for s in found)
    return AnswerView(
        kind="hint",
        id="",
        question="",
        verdict=f"Quiet until {instant_words(until)}: {names}.",
        why="If it still holds then, I will tell you.",
        actions=(
            Action(id=RUN, label="Speak again", value=f"unmute {listed(numbers)}"),
        ),
    )


def full_view(most: int) -> AnswerView:
    """That a channel watches as much as anybody reads."""
    return AnswerView(
        kind="no",
        id="",
        question="",
        verdict=f"This channel has {most} alerts already, which is the maximum.",
        why="alerts lists them; remove h100* stops several at once.",
    )


def adopted_view(subscription: Subscription, reference: Reference) -> AnswerView:
    """Whose an alert is from now on."""
    what = describe(subscription.watch, reference)
    return AnswerView(
        kind="hint",
        id="",
        question="",
        verdict=f"Alert {subscription.id} is yours now: {what}",
    )


def looked_after_view(subscription: Subscription) -> AnswerView:
    """That an alert's maker is still here."""
    return AnswerView(
        kind="no",
        id="",
        question="",
        verdict=f"Alert {subscription.id} is looked after.",
        credits=(Credit(text="It belongs to", user_id=subscription.user_id),),
    )


def trial_view(number: int, view: AnswerView | None) -> AnswerView:
    """What a subscription would post now, marked as a trial."""
    if view is None:
        return AnswerView(
            kind="hint",
            id="",
            question="",
            verdict=f"Alert {number} has nothing to post now: there is no offer.",
        )
    note = f"A test: this is what alert {number} would post now."
    return view.model_copy(update={"notes": (note, *view.notes)})


def missing_view(what: str) -> AnswerView:
    """That nothing here goes by that number or name, or that there is nothing."""
    return AnswerView(
        kind="hint",
        id="",
        question="",
        verdict=f"This channel has no alert {what}."
        if what
        else "This channel watches nothing yet.",
        examples=MANAGING[:1],
    )


def replaced_note(number: int, gone: bool) -> str:
    """Say what became of the alert that was adjusted."""
    if gone:
        return f"It replaces alert {number}."
    return f"Alert {number} goes on too: its maker or an admin may remove it."


def adjust_view(subscription: Subscription, reference: Reference) -> AnswerView:
    """What an alert watches, to be typed again where its form could not be opened."""
    number = subscription.id
    return AnswerView(
        kind="hint",
        id="",
        question="",
        verdict=f"Alert {number} watches {describe(subscription.watch, reference)}.",
        why="Send it again as you want it, then remove the old one.",
        examples=(subscription.typed, f"alert remove {number}"),
    )


def problem_view(problem: Problem, typed: str) -> AnswerView:
    """What could not be read, and what would do."""
    return AnswerView(
        kind="hint",
        id="",
        question=typed,
        verdict=problem.reason,
        why=problem.why,
        examples=problem.examples,
        actions=new_actions(),
    )


def _makers(found: Sequence[Subscription]) -> tuple[Credit, ...]:
    """Say who made which, one line a person."""
    by_user: dict[str, list[int]] = {}
    for subscription in found:
        by_user.setdefault(subscription.user_id, []).append(subscription.id)
    return tuple(
        Credit(text=f"{_ranges(numbers)} by", user_id=user)
        for user, numbers in by_user.items()
    )


def _ranges(numbers: Sequence[int]) -> str:
    """Write 1, 2, 3 and 7 as 1–3, 7."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(
        f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(map(str, run))
        for run in runs
    )

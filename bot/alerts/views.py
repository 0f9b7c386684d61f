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
from bot.render.words import say
from bot.slack.undelivered import reason
from core.alerts.subscription import Subscription
from core.reference.catalogue import Reference

LIST_COLUMNS: Final = ("No.", "Watches", say("alerts.as_typed"), "State", "Since")


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
        question=subscription.typed,
        verdict=say(
            "alerts.alert_is_on",
            number=number,
            describe=describe(subscription.watch, reference),
        ),
        why=current_state,
        notes=tuple(notes),
        small_print=(say("alerts.speaks_here", number=number),),
        actions=(
            Action(
                id=RUN, label=say("alerts.what_would_it_post"), value=f"test {number}"
            ),
            adjust_action(number),
            stop_action((number,)),
        ),
    )


def notice_view(subscription: Subscription, reference: Reference) -> AnswerView:
    """What the channel is told when somebody has it watched."""
    return AnswerView(
        kind="hint",
        verdict=(
            say(
                "alerts.new_in_channel",
                id=subscription.id,
                describe=describe(subscription.watch, reference),
            )
        ),
        credits=(
            Credit(
                text=say("alerts.typed_as_by", typed=subscription.typed),
                user_id=subscription.user_id,
            ),
        ),
        small_print=(say("alerts.gpucost_alerts_lists_what"),),
        actions=(snooze_action((subscription.id,), "1w"),),
    )


def known_view(subscription: Subscription, reference: Reference) -> AnswerView:
    """That the channel watches the same already."""
    return AnswerView(
        kind="hint",
        verdict=(
            say(
                "alerts.alert_watches_that_already",
                id=subscription.id,
                describe=describe(subscription.watch, reference),
            )
        ),
        credits=(
            Credit(text=say("alerts.it_was_made_by"), user_id=subscription.user_id),
        ),
    )


def unpostable_view(code: str, typed: str) -> AnswerView:
    """Why no alert could be posted here, and how to mend it."""
    return AnswerView(
        kind="no",
        question=typed,
        verdict=say("alerts.cannot_post_here"),
        why=reason(code),
        notes=(say("alerts.then_type_it_again"),),
        examples=(typed,),
    )


def list_view(
    found: Sequence[Subscription], reference: Reference, now: datetime
) -> AnswerView:
    """What a channel watches, each as it was typed and by whom."""
    if not found:
        return AnswerView(
            kind="hint",
            question="alerts",
            verdict=say("alerts.this_channel_watches_nothing"),
            examples=EXAMPLES,
            actions=new_actions(),
        )
    rows = tuple(_row(one, reference, now) for one in found)
    count = say(
        "alerts.alert_count",
        number_of_found=len(found),
        ending="s" if len(found) > 1 else "",
    )
    return AnswerView(
        kind="help",
        question="alerts",
        verdict=say("alerts.this_channel_has", count=count),
        table=Table(
            caption=say("alerts.what_this_channel_watches"),
            columns=LIST_COLUMNS,
            rows=rows,
            shown=min(len(rows), 10),
        ),
        credits=_makers(found),
        small_print=(say("alerts.hint_commands"),),
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
            say("alerts.left_on_of_others", id=", ".join(str(s.id) for s in left)),
        )
    return AnswerView(
        kind="hint" if gone else "no",
        verdict=say("alerts.no_longer_watched", names=names)
        if gone
        else say("alerts.nothing_was_removed"),
        notes=notes,
        credits=_makers(left),
    )


def confirm_view(
    others: Sequence[Subscription], command: str, reference: Reference
) -> AnswerView:
    """Ask an admin before other people's alerts are removed."""
    return AnswerView(
        kind="clarify",
        question=command,
        verdict=say("alerts.remove_that_others_made", number_of_others=len(others)),
        notes=tuple(f"{s.id}: {describe(s.watch, reference)}" for s in others[:10]),
        credits=_makers(others),
        actions=(
            Action(
                id=RUN,
                label=say("alerts.remove_them"),
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
            kind="hint",
            verdict=say("alerts.these_speak_again", names=names),
        )
    numbers = tuple(s.id for s in found)
    return AnswerView(
        kind="hint",
        verdict=say(
            "alerts.quiet_until", instant_words=instant_words(until), names=names
        ),
        why=say("alerts.if_it_still_holds"),
        actions=(
            Action(
                id=RUN,
                label=say("alerts.speak_again"),
                value=f"unmute {listed(numbers)}",
            ),
        ),
    )


def full_view(most: int) -> AnswerView:
    """That a channel watches as much as anybody reads."""
    return AnswerView(
        kind="no",
        verdict=say("alerts.this_channel_has_alerts", most=most),
        why=say("alerts.alerts_lists_them_remove"),
    )


def adopted_view(subscription: Subscription, reference: Reference) -> AnswerView:
    """Whose an alert is from now on."""
    what = describe(subscription.watch, reference)
    return AnswerView(
        kind="hint",
        verdict=say("alerts.adopted_view", id=subscription.id, what=what),
    )


def looked_after_view(subscription: Subscription) -> AnswerView:
    """That an alert's maker is still here."""
    return AnswerView(
        kind="no",
        verdict=say("alerts.alert_is_looked_after", id=subscription.id),
        credits=(
            Credit(text=say("alerts.it_belongs_to"), user_id=subscription.user_id),
        ),
    )


def trial_view(number: int, view: AnswerView | None) -> AnswerView:
    """What a subscription would post now, marked as a trial."""
    if view is None:
        return AnswerView(
            kind="hint",
            verdict=say("alerts.nothing_to_post", number=number),
        )
    note = say("alerts.test_post", number=number)
    return view.model_copy(update={"notes": (note, *view.notes)})


def missing_view(what: str) -> AnswerView:
    """That nothing here goes by that number or name, or that there is nothing."""
    return AnswerView(
        kind="hint",
        verdict=say("alerts.no_such_alert", what=what)
        if what
        else say("alerts.this_channel_watches_nothing"),
        examples=MANAGING[:1],
    )


def replaced_note(number: int, gone: bool) -> str:
    """Say what became of the alert that was adjusted."""
    if gone:
        return say("alerts.it_replaces_alert", number=number)
    return say("alerts.alert_goes_on_too", number=number)


def adjust_view(subscription: Subscription, reference: Reference) -> AnswerView:
    """What an alert watches, to be typed again where its form could not be opened."""
    number = subscription.id
    return AnswerView(
        kind="hint",
        verdict=say(
            "alerts.alert_watches",
            number=number,
            describe=describe(subscription.watch, reference),
        ),
        why=say("alerts.send_again"),
        examples=(subscription.typed, f"alert remove {number}"),
    )


def problem_view(problem: Problem, typed: str) -> AnswerView:
    """What could not be read, and what would do."""
    return AnswerView(
        kind="hint",
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
        Credit(text=say("alerts.makers", ranges=_ranges(numbers)), user_id=user)
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

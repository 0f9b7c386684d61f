"""What people ask of the alerts, and what they are told."""

from datetime import timedelta
from pathlib import Path

import pytest

from bot.alerts.actions import history
from bot.alerts.buttons import ADJUST, HISTORY, RUN, SNOOZE, STOP
from bot.alerts.commands import MOST_OF_CHANNEL
from bot.config.settings import Settings
from bot.question.asking import AskContext
from bot.render.rendering import Renderer
from bot.render.views import AnswerView
from bot.run.composition import open_store
from core.alerts.subscription import PriceWatch, WorkloadWatch
from prices.history.poll import Poll
from tests.bot.alerts import (
    ADA,
    ANN,
    BOB,
    DAY,
    HOUR,
    AlertHarness,
    point,
)
from tests.bot.blocks import check_message


def whole(view: AnswerView) -> str:
    """Return everything that a view says, having checked that Slack takes it."""
    drawn = Renderer().render_blocks(view)
    check_message(drawn.blocks, drawn.text)
    return view.model_dump_json()


def test_an_alert_begins_with_where_the_price_stands(harness: AlertHarness) -> None:
    """The answer says what is watched and the price now; the channel hears of it."""
    view = harness.say("alert h100 lambda < 2.40")
    (notice,) = harness.door.notices

    assert "Alert 1 is on: H100 SXM on-demand at Lambda below $2.40" in view.verdict
    assert "$2.50" in view.why
    assert ANN == notice.credits[0].user_id
    assert "alert h100 lambda < 2.40" in whole(notice)
    whole(view)


def test_what_is_true_already_is_said_and_not_told_again(harness: AlertHarness) -> None:
    """A line that the price is beyond waits for it to come back first."""
    view = harness.say("alert h100 lambda < 3")
    harness.now += HOUR
    harness.poll(point("2.45"), point("2.80", provider="aws"))

    assert "back at $3.06" in view.why
    assert [] == harness.waiting()


def test_the_same_watch_is_not_made_twice(harness: AlertHarness) -> None:
    """Whoever asks for what the channel watches learns the number and the maker."""
    harness.say("alert h100 lambda < 2.40")
    view = harness.say("alert H100 Lambda below $2.40", BOB)

    assert view.verdict.startswith("Alert 1 watches that already")
    assert ANN == view.credits[0].user_id
    assert "Alert 2" in harness.say("alert h100 lambda < 2.40", channel="C2").verdict


@pytest.mark.parametrize("code", ["not_in_channel", "channel_not_found"])
def test_a_channel_that_cannot_be_posted_to_watches_nothing(
    harness: AlertHarness, code: str
) -> None:
    """It is said at once, with how to mend it and the command to repeat."""
    harness.door.closed = code
    view = harness.say("alert h100 < 2")

    assert "no" == view.kind
    assert "/invite" in view.why
    assert ("alert h100 < 2",) == view.examples
    assert [] == harness.book.every()


def test_a_channel_has_an_end_of_alerts(harness: AlertHarness) -> None:
    """A hundred is the most; the answer says how to make room."""
    for number in range(MOST_OF_CHANNEL):
        harness.say(f"alert h100 lambda < {number / 100 + 0.5:.2f}")

    assert "the maximum" in harness.say("alert h100 lambda < 9").verdict
    assert MOST_OF_CHANNEL == len(harness.book.every())


def test_a_long_list_names_its_makers_shortly(harness: AlertHarness) -> None:
    """Alerts that one person made in a row are a row."""
    for number, user in enumerate((ANN, ANN, ANN, BOB, ANN, BOB, BOB)):
        harness.say(f"alert h100 < 1.{number}0", user)

    said = harness.say("alert list")

    assert ["1–3, 5 by", "4, 6, 7 by"] == [each.text for each in said.credits]


def test_a_list_says_what_was_typed_by_whom_and_its_state(
    harness: AlertHarness,
) -> None:
    """A channel sees its own subscriptions, and no other channel's."""
    harness.say("alert h100 lambda < 2.40")
    harness.say("watch 70b inference 50rps 10%", BOB)
    harness.say("digest h100 daily 9:00 london", BOB)
    harness.say("mute 2 until tuesday", ADA)
    harness.say("alert mi300x moves 8%", channel="C2")
    view = harness.say("alerts")

    assert view.table is not None
    assert ["1", "2", "3"] == [row[0].text for row in view.table.rows]
    assert "alert h100 lambda < 2.40" == view.table.rows[0][2].text
    assert "quiet until Tue 24 Nov 2026 00:00 UTC" == view.table.rows[1][3].text
    assert [("1 by", ANN), ("2, 3 by", BOB)] == [
        (credit.text, credit.user_id) for credit in view.credits
    ]
    whole(view)


def test_one_removes_ones_own_and_an_admin_others(harness: AlertHarness) -> None:
    """Others' alerts stay, unless an admin confirms that they go."""
    harness.say("alert h100 lambda < 2.40", ANN)
    harness.say("alert h100 moves 8%", BOB)
    harness.say("alert mi300x moves 8%", BOB)

    mine = harness.say("remove h100*", ANN)
    left = [s.id for s in harness.book.every()]
    asked = harness.say("remove all", ADA)
    still = [s.id for s in harness.book.every()]
    (button,) = asked.actions
    harness.say(button.value, ADA)

    assert "No longer watched: 1" in mine.verdict
    assert BOB == mine.credits[0].user_id
    assert [2, 3] == left == still
    assert ("clarify", RUN) == (asked.kind, button.id)
    assert [] == harness.book.every()


def test_only_what_an_admin_saw_is_removed(harness: AlertHarness) -> None:
    """What is added between question and confirmation stays."""
    harness.say("alert h100 moves 8%", BOB)
    (button,) = harness.say("remove all", ADA).actions
    harness.say("alert mi300x moves 8%", BOB)
    harness.say(button.value, ADA)

    assert [2] == [s.id for s in harness.book.every()]


def test_nobody_removes_from_another_channel(harness: AlertHarness) -> None:
    """A number of another channel is no number here."""
    harness.say("alert h100 moves 8%", ANN, "C1")

    view = harness.say("remove 1", ANN, "C2")

    assert "This channel has no alert 1" in view.verdict
    assert 1 == len(harness.book.every())


def test_anybody_mutes_and_unmutes(harness: AlertHarness) -> None:
    """A mute keeps news back; taking it back tells what is still so."""
    harness.say("alert h100 lambda < 2.40", ANN)
    view = harness.say("mute h100 until tuesday", BOB)
    harness.now += HOUR
    harness.poll(point("2.00"), point("2.80", provider="aws"))
    during = len(harness.waiting())
    harness.say(view.actions[0].value, BOB)
    harness.later(timedelta(minutes=1))

    assert "Quiet until Tue 24 Nov" in view.verdict
    assert (0, 1) == (during, len(harness.waiting()))


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ("alert h100 lambda < 2.40", "Lambda H100 SXM on-demand: $2.50"),
        ("alert h100 lambda moves 8%", "Lambda H100 SXM on-demand"),
        ("alert h100 gap > 60%", "H100: spot is 40 % under on-demand"),
        ("alert stale 24h", "feed silent"),
        ("watch 70b inference 50rps", "70b inference 50rps"),
        ("digest h100 daily", "H100"),
    ],
)
def test_a_trial_posts_what_would_be_posted(
    harness: AlertHarness, made: str, said: str
) -> None:
    """`test N` shows the message to whoever asks, marked as a trial."""
    harness.say(made)
    view = harness.say("test 1", BOB)

    assert any("A test" in note for note in view.notes)
    assert said in whole(view)
    assert [] == harness.waiting()


def test_a_paused_alert_resumes_where_it_can_post(harness: AlertHarness) -> None:
    """The door is tried first; then it watches from where prices stand."""
    harness.say("alert h100 lambda moves 8%")
    harness.book.pause("T1", "C1", "is_archived")
    harness.door.closed = "is_archived"
    refused = harness.say("alert resume 1")
    harness.door.closed = ""
    harness.say("alert resume 1")

    assert "no" == refused.kind
    assert "" == harness.book.every()[0].paused


def test_an_orphan_can_be_adopted(harness: AlertHarness) -> None:
    """While its maker is here an alert is theirs; then it is whoever asks."""
    harness.say("alert h100 moves 8%", ANN)
    refused = harness.say("alert adopt 1", BOB)
    harness.door.gone = {ANN}
    harness.say("alert adopt 1", BOB)

    assert ANN == refused.credits[0].user_id
    assert BOB == harness.book.every()[0].user_id


def test_a_watched_answer_is_compared_with_itself(harness: AlertHarness) -> None:
    """Watch this keeps the query and the answer that stands."""
    view = harness.say("watch 70b inference 50rps 10% cheaper")
    (made,) = harness.book.every()

    assert isinstance(made.watch, WorkloadWatch)
    assert ("70b inference 50rps", 10, "down") == (
        made.watch.question,
        made.watch.percent,
        made.watch.direction,
    )
    assert "/month" in view.notes[0]


def test_a_watched_price_question_is_a_price_watch(harness: AlertHarness) -> None:
    """Watch this under a price follows that price."""
    harness.say("watch price h100 spot runpod")
    (made,) = harness.book.every()

    assert isinstance(made.watch, PriceWatch)
    assert ("spot", ("runpod",)) == (
        made.watch.selections[0].pricing,
        made.watch.selections[0].providers,
    )


@pytest.mark.parametrize("question", ["what is tensor parallelism", "hello there"])
def test_what_has_no_figure_is_not_watched(
    harness: AlertHarness, question: str
) -> None:
    """An answer without a cost says that it cannot be watched."""
    view = harness.say(f"watch {question}")

    assert (
        any("can be watched" in note for note in view.notes) or view.kind == "clarify"
    )
    assert [] == harness.book.every()


def test_a_sentence_reaches_the_alerts(harness: AlertHarness) -> None:
    """Asked in words, the same subscription is made."""
    view = harness.say("tell me when h100 spot drops below 1.20")

    assert "Alert 1 is on: H100 SXM spot below $1.20" in view.verdict
    assert "drops below 1.20" in harness.say("show my alerts").model_dump_json()


def test_a_question_that_begins_like_a_command_is_a_question(
    harness: AlertHarness,
) -> None:
    """ "list h100 prices" is about prices."""
    view = harness.say("list h100 prices")

    assert view.table is not None
    assert "provider" in view.table.caption


def test_outside_of_slack_alerts_are_pointed_to(harness: AlertHarness) -> None:
    """The terminal says where alerts are made."""
    terminal = AskContext(surface="terminal")
    view = harness.answering.ask("alert me when h100 drops below $2", context=terminal)

    assert "Slack channel" in view.verdict


def test_a_persons_page_lists_what_they_watch(harness: AlertHarness) -> None:
    """Own alerts of every channel, newest first, each with its buttons."""
    harness.say("alert h100 moves 8%", ANN, "C1")
    harness.say("alert mi300x moves 8%", ANN, "C2")
    harness.say("alert l40s moves 8%", BOB, "C2")
    slack = harness.service.for_slack()
    at_home = AskContext(surface="home", team_id="T1", user_id=ANN)

    rows = slack.watches(at_home)
    stop = harness.service.commands.answer("alert remove 1", at_home, harness.now)

    assert ["Alert 2", "Alert 1"] == [row.detail.partition(",")[0] for row in rows]
    assert [ADJUST, f"{SNOOZE}:1w", STOP] == [action.id for action in rows[0].actions]
    assert "No longer watched: 1" in stop.verdict


def test_history_shows_the_price_and_what_was_told(harness: AlertHarness) -> None:
    """Three months of the price, its low and high, and the last alerts."""
    harness.say("alert h100 lambda moves 8%")
    for price in ("2.00", "2.60"):
        harness.now += DAY
        harness.poll(point(price), point("2.80", provider="aws"))
    with harness.settings.database.writing() as connection:
        connection.execute("UPDATE outbox SET sent_at = at")
    context = AskContext(surface="button", team_id="T1", channel_id="C1", user_id=BOB)
    view = history(harness.service.commands, "1", context, harness.now)

    assert HISTORY == "alert_history"
    assert view.table is not None
    assert "$2.00" in view.table.rows[0][2].text
    assert "from $2.00 to $2.60" in view.why
    assert view.charts
    whole(view)


def test_the_programs_own_store_queues_alerts(tmp_path: Path) -> None:
    """Whoever records a poll through it evaluates alerts, with no word of theirs."""
    settings = Settings(home=tmp_path)
    harness = AlertHarness(tmp_path)
    harness.poll(point("2.50"))
    harness.say("alert h100 lambda < 2.40")
    later = harness.now + HOUR
    cheaper = point("2.00", observed_at=later)

    open_store(settings).record(Poll("feed", later, [cheaper]))
    (message,) = harness.waiting()

    assert ["crossed"] == [alert.what for alert in message.letter.alerts]

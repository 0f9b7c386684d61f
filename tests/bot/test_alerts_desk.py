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
from prices.database.connection import writing
from prices.history.poll import Poll
from tests.bot.alerts import (
    ADA,
    ANN,
    BOB,
    DAY,
    HOUR,
    AlertHouse,
    make_home,
    point,
)
from tests.bot.blocks import check_message


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fill a home once: an H100 at Lambda and at AWS, spot at RunPod."""
    home = tmp_path_factory.mktemp("template") / "home"
    house = AlertHouse(home)
    house.poll(
        point("2.50"),
        point("2.80", provider="aws"),
        point("1.50", provider="runpod", pricing="spot"),
        point("2.20", "mi300x"),
    )
    return home


@pytest.fixture
def house(template: Path, tmp_path: Path) -> AlertHouse:
    """Give a house where nobody watches anything yet."""
    return AlertHouse(make_home(template, tmp_path / "home"))


def whole(view: AnswerView) -> str:
    """Return everything that a view says, having checked that Slack takes it."""
    drawn = Renderer().render_blocks(view)
    check_message(drawn.blocks, drawn.text)
    return view.model_dump_json()


def test_an_alert_begins_with_where_the_price_stands(house: AlertHouse) -> None:
    """The answer says what is watched and the price now; the channel hears of it."""
    view = house.say("alert h100 lambda < 2.40")
    (notice,) = house.door.notices

    assert "Alert 1 is on: H100 SXM on-demand at Lambda below $2.40" in view.verdict
    assert "$2.50" in view.why
    assert ANN == notice.credits[0].user_id
    assert "alert h100 lambda < 2.40" in whole(notice)
    whole(view)


def test_what_is_true_already_is_said_and_not_told_again(house: AlertHouse) -> None:
    """A line that the price is beyond waits for it to come back first."""
    view = house.say("alert h100 lambda < 3")
    house.now += HOUR
    house.poll(point("2.45"), point("2.80", provider="aws"))

    assert "back at $3.06" in view.why
    assert [] == house.waiting()


def test_the_same_watch_is_not_made_twice(house: AlertHouse) -> None:
    """Whoever asks for what the channel watches learns the number and the maker."""
    house.say("alert h100 lambda < 2.40")
    view = house.say("alert H100 Lambda below $2.40", BOB)

    assert view.verdict.startswith("Alert 1 watches that already")
    assert ANN == view.credits[0].user_id
    assert "Alert 2" in house.say("alert h100 lambda < 2.40", channel="C2").verdict


@pytest.mark.parametrize("code", ["not_in_channel", "channel_not_found"])
def test_a_channel_that_cannot_be_posted_to_watches_nothing(
    house: AlertHouse, code: str
) -> None:
    """It is said at once, with how to mend it and the command to repeat."""
    house.door.closed = code
    view = house.say("alert h100 < 2")

    assert "no" == view.kind
    assert "/invite" in view.why
    assert ("alert h100 < 2",) == view.examples
    assert [] == house.book.every()


def test_a_channel_has_an_end_of_alerts(house: AlertHouse) -> None:
    """A hundred is the most; the answer says how to make room."""
    for number in range(MOST_OF_CHANNEL):
        house.say(f"alert h100 lambda < {number / 100 + 0.5:.2f}")

    assert "the maximum" in house.say("alert h100 lambda < 9").verdict
    assert MOST_OF_CHANNEL == len(house.book.every())


def test_a_long_list_names_its_makers_shortly(house: AlertHouse) -> None:
    """Alerts that one person made in a row are a row."""
    for number, user in enumerate((ANN, ANN, ANN, BOB, ANN, BOB, BOB)):
        house.say(f"alert h100 < 1.{number}0", user)

    said = house.say("alert list")

    assert ["1–3, 5 by", "4, 6, 7 by"] == [each.text for each in said.credits]


def test_a_list_says_what_was_typed_by_whom_and_its_state(house: AlertHouse) -> None:
    """A channel sees its own subscriptions, and no other channel's."""
    house.say("alert h100 lambda < 2.40")
    house.say("watch 70b inference 50rps 10%", BOB)
    house.say("digest h100 daily 9:00 london", BOB)
    house.say("mute 2 until tuesday", ADA)
    house.say("alert mi300x moves 8%", channel="C2")
    view = house.say("alerts")

    assert view.table is not None
    assert ["1", "2", "3"] == [row[0].text for row in view.table.rows]
    assert "alert h100 lambda < 2.40" == view.table.rows[0][2].text
    assert "quiet until Tue 24 Nov 2026 00:00 UTC" == view.table.rows[1][3].text
    assert [("1 by", ANN), ("2, 3 by", BOB)] == [
        (credit.text, credit.user_id) for credit in view.credits
    ]
    whole(view)


def test_one_removes_ones_own_and_an_admin_others(house: AlertHouse) -> None:
    """Others' alerts stay, unless an admin confirms that they go."""
    house.say("alert h100 lambda < 2.40", ANN)
    house.say("alert h100 moves 8%", BOB)
    house.say("alert mi300x moves 8%", BOB)

    mine = house.say("remove h100*", ANN)
    left = [s.id for s in house.book.every()]
    asked = house.say("remove all", ADA)
    still = [s.id for s in house.book.every()]
    (button,) = asked.actions
    house.say(button.value, ADA)

    assert "No longer watched: 1" in mine.verdict
    assert BOB == mine.credits[0].user_id
    assert [2, 3] == left == still
    assert ("clarify", RUN) == (asked.kind, button.id)
    assert [] == house.book.every()


def test_only_what_an_admin_saw_is_removed(house: AlertHouse) -> None:
    """What is added between question and confirmation stays."""
    house.say("alert h100 moves 8%", BOB)
    (button,) = house.say("remove all", ADA).actions
    house.say("alert mi300x moves 8%", BOB)
    house.say(button.value, ADA)

    assert [2] == [s.id for s in house.book.every()]


def test_nobody_removes_from_another_channel(house: AlertHouse) -> None:
    """A number of another channel is no number here."""
    house.say("alert h100 moves 8%", ANN, "C1")

    view = house.say("remove 1", ANN, "C2")

    assert "This channel has no alert 1" in view.verdict
    assert 1 == len(house.book.every())


def test_anybody_mutes_and_unmutes(house: AlertHouse) -> None:
    """A mute keeps news back; taking it back tells what is still so."""
    house.say("alert h100 lambda < 2.40", ANN)
    view = house.say("mute h100 until tuesday", BOB)
    house.now += HOUR
    house.poll(point("2.00"), point("2.80", provider="aws"))
    during = len(house.waiting())
    house.say(view.actions[0].value, BOB)
    house.later(timedelta(minutes=1))

    assert "Quiet until Tue 24 Nov" in view.verdict
    assert (0, 1) == (during, len(house.waiting()))


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
    house: AlertHouse, made: str, said: str
) -> None:
    """`test N` shows the message to whoever asks, marked as a trial."""
    house.say(made)
    view = house.say("test 1", BOB)

    assert any("A test" in note for note in view.notes)
    assert said in whole(view)
    assert [] == house.waiting()


def test_a_paused_alert_resumes_where_it_can_post(house: AlertHouse) -> None:
    """The door is tried first; then it watches from where prices stand."""
    house.say("alert h100 lambda moves 8%")
    house.book.pause("T1", "C1", "is_archived")
    house.door.closed = "is_archived"
    refused = house.say("alert resume 1")
    house.door.closed = ""
    house.say("alert resume 1")

    assert "no" == refused.kind
    assert "" == house.book.every()[0].paused


def test_an_orphan_can_be_adopted(house: AlertHouse) -> None:
    """While its maker is here an alert is theirs; then it is whoever asks."""
    house.say("alert h100 moves 8%", ANN)
    refused = house.say("alert adopt 1", BOB)
    house.door.gone = {ANN}
    house.say("alert adopt 1", BOB)

    assert ANN == refused.credits[0].user_id
    assert BOB == house.book.every()[0].user_id


def test_a_watched_answer_is_compared_with_itself(house: AlertHouse) -> None:
    """Watch this keeps the query and the answer that stands."""
    view = house.say("watch 70b inference 50rps 10% cheaper")
    (made,) = house.book.every()

    assert isinstance(made.watch, WorkloadWatch)
    assert ("70b inference 50rps", 10, "down") == (
        made.watch.question,
        made.watch.percent,
        made.watch.direction,
    )
    assert "/month" in view.notes[0]


def test_a_watched_price_question_is_a_price_watch(house: AlertHouse) -> None:
    """Watch this under a price follows that price."""
    house.say("watch price h100 spot runpod")
    (made,) = house.book.every()

    assert isinstance(made.watch, PriceWatch)
    assert ("spot", ("runpod",)) == (
        made.watch.selections[0].pricing,
        made.watch.selections[0].providers,
    )


@pytest.mark.parametrize("question", ["what is tensor parallelism", "hello there"])
def test_what_has_no_figure_is_not_watched(house: AlertHouse, question: str) -> None:
    """An answer without a cost says that it cannot be watched."""
    view = house.say(f"watch {question}")

    assert (
        any("can be watched" in note for note in view.notes) or view.kind == "clarify"
    )
    assert [] == house.book.every()


def test_a_sentence_reaches_the_alerts(house: AlertHouse) -> None:
    """Asked in words, the same subscription is made."""
    view = house.say("tell me when h100 spot drops below 1.20")

    assert "Alert 1 is on: H100 SXM spot below $1.20" in view.verdict
    assert "drops below 1.20" in house.say("show my alerts").model_dump_json()


def test_a_question_that_begins_like_a_command_is_a_question(
    house: AlertHouse,
) -> None:
    """ "list h100 prices" is about prices."""
    view = house.say("list h100 prices")

    assert view.table is not None
    assert "provider" in view.table.caption


def test_outside_of_slack_alerts_are_pointed_to(house: AlertHouse) -> None:
    """The terminal says where alerts are made."""
    terminal = AskContext(surface="terminal")
    view = house.answering.ask("alert me when h100 drops below $2", context=terminal)

    assert "Slack channel" in view.verdict


def test_a_persons_page_lists_what_they_watch(house: AlertHouse) -> None:
    """Own alerts of every channel, newest first, each with its buttons."""
    house.say("alert h100 moves 8%", ANN, "C1")
    house.say("alert mi300x moves 8%", ANN, "C2")
    house.say("alert l40s moves 8%", BOB, "C2")
    slack = house.service.for_slack()
    at_home = AskContext(surface="home", team_id="T1", user_id=ANN)

    rows = slack.watches(at_home)
    stop = house.service.desk.answer("alert remove 1", at_home, house.now)

    assert ["Alert 2", "Alert 1"] == [row.detail.partition(",")[0] for row in rows]
    assert [ADJUST, f"{SNOOZE}:1w", STOP] == [action.id for action in rows[0].actions]
    assert "No longer watched: 1" in stop.verdict


def test_history_shows_the_price_and_what_was_told(house: AlertHouse) -> None:
    """Three months of the price, its low and high, and the last alerts."""
    house.say("alert h100 lambda moves 8%")
    for price in ("2.00", "2.60"):
        house.now += DAY
        house.poll(point(price), point("2.80", provider="aws"))
    with writing(house.settings.database) as connection:
        connection.execute("UPDATE outbox SET sent_at = at")
    context = AskContext(surface="button", team_id="T1", channel_id="C1", user_id=BOB)
    view = history(house.service.desk, "1", context, house.now)

    assert HISTORY == "alert_history"
    assert view.table is not None
    assert "$2.00" in view.table.rows[0][2].text
    assert "$2.00 → $2.60" in view.why
    assert view.charts
    whole(view)


def test_the_programs_own_store_queues_alerts(tmp_path: Path) -> None:
    """Whoever records a poll through it evaluates alerts, with no word of theirs."""
    settings = Settings(home=tmp_path)
    house = AlertHouse(tmp_path)
    house.poll(point("2.50"))
    house.say("alert h100 lambda < 2.40")
    later = house.now + HOUR
    cheaper = point("2.00", observed_at=later)

    open_store(settings).record(Poll("feed", later, [cheaper]))
    (message,) = house.waiting()

    assert ["crossed"] == [alert.what for alert in message.letter.alerts]

"""Alerts as people phrase them: read as they were meant, or refused with what would do.

What is read as something else would speak for the wrong reason, or never.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.alerts.form import WINNER, Values, shown
from bot.alerts.form_to_command import command_of
from bot.language.alerts.commands import read_request
from bot.language.alerts.requests import Create, Problem, Show, WatchQuestion
from bot.language.alerts.sentences import read_spoken
from bot.language.parse import parse
from core.alerts.conditions import Condition, Move, NewLow, Threshold
from core.alerts.subscription import PriceWatch, StaleWatch, WorkloadWatch
from core.alerts.workloads import Outcome, compare
from core.query import Query
from core.reference.load import reference
from tests.bot.alerts import AlertHarness, checked, offers, point

FRIDAY = datetime(2026, 11, 20, 12, tzinfo=UTC)


def filled(values: Values) -> dict[str, Any]:
    """A form's fields as Slack sends them."""
    return {name: {"typed": {"value": said[0]}} for name, said in values.items()}


@pytest.fixture
def harness(tmp_path: Path) -> AlertHarness:
    """A harness in which two feeds were polled."""
    harness = AlertHarness(tmp_path)
    harness.poll(*offers("2.50"))
    harness.poll(point("0.4", "rtx-4090", provider="vast"), source="vast")
    return harness


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mi300x goes up more than 10% this week",
         Move(direction="up", percent=10, window_hours=168)),
        ("h100 spot drops 5% in the last month",
         Move(direction="down", percent=5, window_hours=720)),
        ("l40s lowest in a month", NewLow(days=30)),
        ("l40s new low this year", NewLow(days=365)),
        ("l40s 3-month low", NewLow(days=90)),
        ("l40s new low", NewLow(days=30)),
        ("h100 spot within 20% of on demand", Threshold(op="below", amount=200_000)),
        ("h100 spot is within 5% of the on-demand price",
         Threshold(op="below", amount=50_000)),
        ("b200 drops by a dollar", Move(direction="down", micro_usd=1_000_000)),
        ("h100 spot < 1.5/hr at runpod secure cloud",
         Threshold(op="below", amount=1_500_000)),
    ],
)  # fmt: skip
def test_a_condition_is_read_as_it_was_meant(text: str, expected: Condition) -> None:
    """With its window, its month and its dollar."""
    request = read_request(f"alert {text}", reference(), FRIDAY)

    assert isinstance(request, Create), request
    assert isinstance(request.watch, PriceWatch)
    assert expected == request.watch.condition


def test_a_sentence_can_watch_how_near_spot_is() -> None:
    """Not a move of so many per cent: a gap below them."""
    text = "tell me when h100 spot is within 20% of the on-demand price"
    request = read_spoken(parse(text, reference()), reference(), FRIDAY)

    assert isinstance(request, Create)
    assert isinstance(request.watch, PriceWatch)
    assert {"spot_discount"} == {s.measure for s in request.watch.selections}
    assert Threshold(op="below", amount=200_000) == request.watch.condition


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("alert 8x h100 < 16/hour", "one GPU"),
        ("alert h200 new offer cheaper than lambda", "undercut"),
        ("alert h100 < 0", "between $0"),
        ("watch 70b 50rps < 0", "more than $0"),
        ("alert all gpus moves 10%", "Which GPU?"),
        ("alert nvidia drops 10%", "Which GPU?"),
        ("digest nvidia daily 9:00 london", "nvidia"),
        ("digest h100 daily 25:00", "no time of day"),
        ("send a digest of h100 every day at 8:75", "no time of day"),
    ],
)
def test_what_no_alert_waits_for_is_said(
    harness: AlertHarness, text: str, said: str
) -> None:
    """Nothing is watched in its place."""
    view = checked(harness.say(text))

    assert said in f"{view.verdict} {view.why}"
    assert [] == harness.book.of_channel("T1", "C1")


def test_a_machine_is_told_by_its_part() -> None:
    """The command that would do has the price of one GPU."""
    request = read_request("alert 8x h100 spot < $20/h", reference(), FRIDAY)

    assert isinstance(request, Problem)
    assert ("alert h100 spot < 2.500",) == request.examples
    again = read_request(request.examples[0], reference(), FRIDAY)
    assert isinstance(again, Create)


@pytest.mark.parametrize(
    "text",
    [
        "alert watch 70b 50rps when its winner changes",
        "watch 70b 50rps on another winner",
        "tell me when the winner for 70b 50rps changes",
        "let me know when 70b 50rps has a new winner",
    ],
)
def test_a_winner_alone_can_be_watched(harness: AlertHarness, text: str) -> None:
    """Then no move of its cost is news."""
    harness.say(text)
    (made,) = harness.book.of_channel("T1", "C1")

    assert isinstance(made.watch, WorkloadWatch)
    assert made.watch.percent is None
    assert "70b 50rps" in made.watch.question


def test_a_winner_named_beside_a_move_changes_nothing() -> None:
    """Another winner is news anyway."""
    plain = read_request("watch 70b 50rps 5%", reference(), FRIDAY)
    both = read_request("watch 70b 50rps 5% or its winner changes", reference(), FRIDAY)

    assert plain == both
    assert isinstance(plain, WatchQuestion)


def test_only_another_winner_is_news_where_no_move_was_named() -> None:
    """Half the price is silent; another provider at it is not."""

    def outcome(amount: int, winner: str) -> Outcome:
        bills = {"a": 200, "b": 100}
        return Outcome.model_validate(
            {"unit": "$/month", "amount": amount, "winner": winner, "words": ""}
            | {"bills": bills}
        )

    assert compare(outcome(200, "a"), outcome(100, "a"), None) is None
    news = compare(outcome(200, "a"), outcome(100, "b"), None)
    assert news is not None
    assert "winner" == news.what


def test_a_winner_can_be_adjusted_in_the_form() -> None:
    """What the form shows reads back as the same watch."""
    query = Query(text="70b 50rps")
    watch = WorkloadWatch(question="70b 50rps", query=query, percent=None)
    values = shown(watch)

    assert (WINNER,) == values["percent"]
    command = command_of("workload", filled(values))
    request = read_request(command.text, reference(), FRIDAY)
    assert WatchQuestion("70b 50rps", None) == request


def test_a_form_says_what_is_no_amount() -> None:
    """Below nothing is no cost."""
    values = {"question": ("70b",), "percent": ("< $0",)}
    command = command_of("workload", filled(values))

    assert {"percent"} == set(command.errors)


@pytest.mark.parametrize(
    "text",
    [
        "alert stale vast",
        "alert source vast stale",
        "tell me when the vast feed goes silent",
    ],
)
def test_one_source_can_be_watched(harness: AlertHarness, text: str) -> None:
    """The silence of the others is not told."""
    harness.say(text)
    (made,) = harness.book.of_channel("T1", "C1")
    assert StaleWatch(sources=("vast",)) == made.watch

    harness.now += timedelta(hours=20)
    harness.poll(*offers("2.50"))
    harness.later(timedelta(hours=6))
    (post,) = harness.posts()
    assert "vast" in post.verdict
    assert "feed" not in post.verdict


def test_a_source_that_nobody_polls_is_not_watched(harness: AlertHarness) -> None:
    """The ones there are are named."""
    view = checked(harness.say("alert stale runpod 6h"))

    assert "No source of prices is called “runpod”." == view.verdict
    assert "feed, vast" in view.why
    assert [] == harness.book.of_channel("T1", "C1")


def test_quiet_for_no_time_is_refused(harness: AlertHarness) -> None:
    """It would be over as it begins."""
    harness.say("alert h100 < 2")

    assert "over already" in harness.say("mute 1 for 0 days").verdict


def test_why_an_alert_spoke_is_seen_in_the_list() -> None:
    """A question about an alert makes none."""
    request = read_spoken(
        parse("why did alert 3 fire", reference()), reference(), FRIDAY
    )

    assert isinstance(request, Show)


def test_a_digest_of_everything_is_of_what_is_watched() -> None:
    """Everything is no name of a GPU."""
    one = read_request("digest everything daily 7:30 berlin", reference(), FRIDAY)
    other = read_request("digest daily 7:30 berlin", reference(), FRIDAY)

    assert one == other

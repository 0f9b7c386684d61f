"""Alerts asked for in words: they mean what a command would, and drop no word."""

from datetime import UTC, datetime

import pytest

from bot.language.alerts.commands import read_request
from bot.language.alerts.requests import (
    Create,
    Mute,
    Problem,
    Remove,
    Request,
    Show,
    WatchQuestion,
    Which,
)
from bot.language.alerts.sentences import read_spoken
from bot.language.parse import parse
from core.alerts.subscription import PriceWatch, Watch, WorkloadWatch
from core.reference.load import reference
from tests.bot.alerts import AlertHarness

FRIDAY = datetime(2026, 11, 20, 12, tzinfo=UTC)
TUESDAY = datetime(2026, 11, 24, tzinfo=UTC)


def watched(text: str) -> PriceWatch:
    """Read a command that has to be a watch on prices."""
    request = read_request(text, reference(), FRIDAY)
    assert isinstance(request, Create), request
    assert isinstance(request.watch, PriceWatch)
    return request.watch


def spoken(text: str) -> Request:
    """Read a sentence through the question parser."""
    return read_spoken(parse(text, reference()), reference(), FRIDAY)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("alert me when h100 spot drops below 2 dollars", "alert h100 spot < 2"),
        ("notify me if runpod h100 on-demand gets 15% cheaper",
         "alert h100 runpod on-demand drops 15%"),
        ("tell me if b200 on-demand moves more than 10%",
         "alert b200 on-demand moves 10%"),
    ],
)  # fmt: skip
def test_a_sentence_means_the_same_as_its_command(text: str, same: str) -> None:
    """What is said to the bot in words becomes the watch that a command would."""
    request = spoken(text)

    assert isinstance(request, Create)
    assert watched(same) == request.watch


def test_a_sentence_can_watch_a_workload() -> None:
    """A model and a load are watched as a question, without the words around it."""
    request = spoken("tell me when 70b at 50 rps gets 10% cheaper")

    assert isinstance(request, WatchQuestion)
    assert (10, "down") == (request.percent, request.direction)
    assert request.query is not None
    assert (None, 70, 50) == (
        request.query.alert,
        request.query.params_b,
        request.query.rps,
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("show my alerts", Show()),
        ("stop all price alerts here", Remove(Which())),
        ("remove my h100 alerts", Remove(Which(pattern="h100*"))),
        ("mute b200 alerts until tuesday",
         Mute(Which(pattern="b200*"), TUESDAY)),
    ],
)  # fmt: skip
def test_a_sentence_can_manage(text: str, expected: Request) -> None:
    """Listing, stopping and muting in words."""
    assert expected == spoken(text)


def test_another_channel_is_asked_for_in_it() -> None:
    """Nobody switches alerts on in a channel that does not see it."""
    found = spoken("ping #ml-infra if b200 on-demand moves more than 10%")

    assert isinstance(found, Problem)
    assert "#ml-infra" in found.reason


def made(harness: AlertHarness, text: str) -> Watch:
    """Say something that has to become a subscription."""
    view = harness.say(text)
    found = harness.book.of_channel("T1", "C1")
    assert len(found) == 1, view.verdict
    assert text == found[0].typed
    return found[0].watch


@pytest.mark.parametrize(
    ("text", "question", "percent", "direction"),
    [
        ("alert watch 70b 50rps 10%", "70b 50rps", 10, "any"),
        ("alert 70b 50rps 10%", "70b 50rps", 10, "any"),
        ("alert me when 70b @ 50 rps gets 10% cheaper", "70b @ 50 rps", 10, "down"),
        (
            "tell me when 70b @ 50 rps gets 10 % cheaper, or its winner changes",
            "70b @ 50 rps",
            10,
            "down",
        ),
        (
            "please let us know when llama 70b at 20rps becomes 5% cheaper",
            "llama 70b at 20rps",
            5,
            "down",
        ),
    ],
)
def test_a_workload_is_watched_by_its_own_words(
    harness: AlertHarness, text: str, question: str, percent: float, direction: str
) -> None:
    """However it is asked for, what is watched is the question alone."""
    watch = made(harness, text)

    assert isinstance(watch, WorkloadWatch)
    assert (question, percent, direction) == (
        watch.question,
        watch.percent,
        watch.direction,
    )


@pytest.mark.parametrize(
    "text",
    [
        "alert h100 at acme < 1.50",
        "let me know if h100 at acme drops below 1.50",
        "tell me when h100s from acme fall under 2",
    ],
)
def test_a_seller_whom_nobody_knows_is_not_left_out(
    harness: AlertHarness, text: str
) -> None:
    """To watch every seller in place of an unknown one would be more than was typed."""
    view = harness.say(text)

    assert "I do not know “acme”" in view.verdict
    assert [] == harness.book.every()


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("alert hopper spot < 1.5", "hopper"),
        ("alert blackwell on-demand drops 10% in 7d", "blackwell"),
        ("alert cdna3 < 2", "cdna3"),
    ],
)
def test_a_generation_can_be_watched(
    harness: AlertHarness, text: str, label: str
) -> None:
    """A whole generation is every GPU of that architecture."""
    watch = made(harness, text)
    assert isinstance(watch, PriceWatch)

    (selection,) = watch.selections
    same = {g.id for g in reference().gpus.values() if g.architecture == label}
    assert (label, same) == (selection.label, set(selection.gpus))


def test_a_plural_is_the_same_watch() -> None:
    """H100s are H100s; an L40S is no plural."""
    assert watched("alert h100 < 2") == watched("alert h100s < 2")
    assert watched("alert l40 < 2") != watched("alert l40s < 2")


def test_a_gap_may_name_both_its_ends() -> None:
    """People write spot/on-demand gap, spot gap or just gap."""
    gaps = [
        watched(f"alert h100 {words} > 40%")
        for words in ("gap", "spot gap", "spot/on-demand gap", "spot vs on-demand gap")
    ]

    assert gaps == [gaps[0]] * 4


def test_quiet_where_nothing_is_watched_says_so(harness: AlertHarness) -> None:
    """Nothing to mute is told as such."""
    view = harness.say("alert mute all until tomorrow")

    assert "This channel watches nothing yet." == view.verdict

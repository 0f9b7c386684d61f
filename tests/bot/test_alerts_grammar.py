"""Commands about alerts: what the words mean, and what is said where they mean none."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.language.alerts.commands import EXAMPLES, MANAGING, VERBS, read_request
from bot.language.alerts.requests import (
    Adopt,
    Create,
    Mute,
    Problem,
    Remove,
    Request,
    Resume,
    Show,
    Try,
    WatchQuestion,
    Which,
)
from bot.language.alerts.schedules import UnreadableTimeError, read_cadence, read_until
from core.alerts.cadence import Cadence
from core.alerts.conditions import (
    Condition,
    Direction,
    Move,
    NewLow,
    Presence,
    Threshold,
)
from core.alerts.selection import Selection
from core.alerts.subscription import DigestWatch, PriceWatch, StaleWatch
from core.reference.load import reference
from tests.each import each

FRIDAY = datetime(2026, 11, 20, 12, tzinfo=UTC)
TUESDAY = datetime(2026, 11, 24, tzinfo=UTC)


def read(text: str) -> Request:
    """Read a command on Friday noon."""
    return read_request(text, reference(), FRIDAY)


def watched(text: str) -> PriceWatch:
    """Read a command that has to be a watch on prices."""
    request = read(text)
    assert isinstance(request, Create), request
    assert isinstance(request.watch, PriceWatch)
    return request.watch


def problem(text: str) -> Problem:
    """Read a command that has to be a problem."""
    request = read(text)
    assert isinstance(request, Problem), request
    return request


def move(percent: str, direction: Direction, hours: int | None = None) -> Move:
    """Make a one-way move."""
    size = Decimal(percent)
    return Move(percent=size, direction=direction, window_hours=hours)


def at(
    every: str, hour: int, minute: int = 0, zone: str = "UTC", day: int = 0
) -> Cadence:
    """Make a rhythm."""
    stated = {"every": every, "hour": hour, "minute": minute, "zone": zone}
    return Cadence.model_validate(stated | {"weekday": day})


@each([
        ("< 0.90", Threshold(op="below", amount=900_000)),
        ("&lt; 0.90", Threshold(op="below", amount=900_000)),
        ("<.9", Threshold(op="below", amount=900_000)),
        ("below $2.10/h", Threshold(op="below", amount=2_100_000)),
        ("under 90 cents", Threshold(op="below", amount=900_000)),
        ("drops below 2 dollars per hour", Threshold(op="below", amount=2_000_000)),
        ("≤ 2,5", Threshold(op="below", amount=2_500_000)),
        ("> 3", Threshold(op="above", amount=3_000_000)),
        ("rises above $3 per gpu-hour", Threshold(op="above", amount=3_000_000)),
        ("moves 8%", Move(percent=Decimal(8))),
        ("moves by 8 percent", Move(percent=Decimal(8))),
        ("moves more than 8%", Move(percent=Decimal(8))),
        ("changes $0.20", Move(micro_usd=200_000)),
        ("drops 10% in 7d", move("10", "down", 168)),
        ("falls 2.5% within a day", move("2.5", "down", 24)),
        ("rises 5% over 2 weeks", move("5", "up", 336)),
        ("15% cheaper", move("15", "down")),
        ("-10%", move("10", "down")),
        ("new low 30d", NewLow(days=30)),
        ("new low", NewLow(days=30)),
        ("90-day low", NewLow(days=90)),
        ("lowest in 2 weeks", NewLow(days=14)),
        ("new offer", Presence(event="listed")),
        ("listed", Presence(event="listed")),
        ("vanishes", Presence(event="delisted")),
        ("sold out", Presence(event="delisted")),
    ])  # fmt: skip
def test_a_condition_reads_as_people_write_it(words: str, condition: Condition) -> None:
    """Lines, moves, windows, lows, arrivals and departures, in many spellings."""
    assert condition == watched(f"alert h100 spot {words}").condition
    assert condition == watched(f"alert {words} h100 spot").condition


@each(
    [
        ("a100-80gb spot", {"label": "a100-80gb", "pricing": "spot"}),
        ("A100 80GB Spot", {"label": "a100-80gb", "pricing": "spot"}),
        ("mi300x on-demand", {"label": "mi300x", "pricing": "on_demand"}),
        ("mi300x on demand", {"label": "mi300x", "pricing": "on_demand"}),
        ("rtx 4090", {"label": "rtx4090", "gpus": ("rtx4090",)}),
        ("h200 reserved 1y", {"pricing": "reserved", "term_months": 12}),
        ("h200 3y", {"pricing": "reserved", "term_months": 36}),
        ("h100 on runpod", {"providers": ("runpod",)}),
        ("h100 at lambda, runpod", {"providers": ("lambda", "runpod")}),
        ("h100 google cloud", {"providers": ("gcp",)}),
        ("h100 in eu", {"region": "eu"}),
        ("h100 aws us-east-1", {"region": "us-east-1", "providers": ("aws",)}),
        ("h100 community", {"tier": "community"}),
        ("h100-pcie", {"gpus": ("h100-80gb-pcie",)}),
        ("“h100” spot", {"pricing": "spot"}),
        ("me when the h100 spot price", {"label": "h100", "pricing": "spot"}),
    ]
)
def test_a_selection_is_exactly_what_was_named(
    words: str, expected: dict[str, object]
) -> None:
    """GPU, pricing, provider, region and tier, and nothing that was not said."""
    (selection,) = watched(f"alert {words} < 2").selections
    open_fields = Selection(label="", gpus=()).model_dump()

    assert expected == {name: getattr(selection, name) for name in expected}
    for name in {"providers", "region", "tier", "term_months"} - expected.keys():
        assert open_fields[name] == getattr(selection, name)


def test_a_name_watches_the_gpu_that_an_answer_leads_with() -> None:
    """ "h100" is the SXM, as in a question; each GPU of a list is watched by itself."""
    first, second = watched("alert h100,l40s spot moves 8%").selections

    assert ("h100-80gb-sxm",) == first.gpus
    assert ("l40s",) == second.gpus


def test_unsaid_pricing_is_on_demand_and_said_so() -> None:
    """What was taken for granted is told with the answer."""
    request = read("alert h100 < 2")

    assert isinstance(request, Create)
    assert "on_demand" == watched("alert h100 < 2").selections[0].pricing
    assert ("On-demand prices, as no pricing was named.",) == request.notes


def test_a_gap_is_measured_over_both_pricings() -> None:
    """The discount of spot is a percentage, above or below a line."""
    watch = watched("alert h100 spot gap > 60%")

    assert Threshold(op="above", amount=600_000) == watch.condition
    assert ("spot_discount", None) == (
        watch.selections[0].measure,
        watch.selections[0].pricing,
    )


@each(
    [
        ("alert h1000 spot < 2", "“h1000”", "alert h100 spot < 2"),
        ("alert h100 runpood < 2", "“runpood”", "alert h100 runpod < 2"),
        ("alert h100 spot", "When should I speak?", EXAMPLES[0]),
        ("alert spot < 2", "Which GPU?", EXAMPLES[0]),
        ("alert h100 below 30%", "moves 8%", EXAMPLES[0]),
        ("alert h100 < 0", "between $0 and $10,000", EXAMPLES[0]),
        ("alert h100 < 99999999999999999999", "between $0", EXAMPLES[0]),
        ("alert h100 moves 8% in 9999d", "a year long", EXAMPLES[0]),
        ("alert h100 moves $1 in 7d", "in per cent", EXAMPLES[0]),
        ("alert h100 new low 0d", "1 to 365 days", EXAMPLES[0]),
        ("alert h100 gap > 120%", "between 0 and 100", EXAMPLES[0]),
        ("digest h100", "how often", EXAMPLES[0]),
        ("digest h1000 daily", "“h1000”", "digest h100 daily"),
        ("digest h100 daily 25:00", "no time of day", EXAMPLES[0]),
        ("mute b200 until whenever", "until when", EXAMPLES[0]),
        ("mute b200 until 2020-01-01", "until when", EXAMPLES[0]),
        ("remove", "Which ones?", "alert remove 3"),
        ("test h100", "Which one?", None),
        ("watch", "What should I watch?", EXAMPLES[2]),
    ]
)
def test_what_cannot_be_read_says_what_would_do(
    text: str, said: str, instead: str | None
) -> None:
    """A problem names the word, and gives a command that works."""
    found = problem(text)

    assert said in found.reason
    if instead is not None:
        assert instead in found.examples


@each([*EXAMPLES, *MANAGING])
def test_every_example_reads(text: str) -> None:
    """What a problem proposes is no problem itself."""
    assert not isinstance(read(text), Problem)


@each([
        ("alert", Show()),
        ("alerts", Show()),
        ("alert list", Show()),
        ("list alerts", Show()),
        ("remove 3", Remove(Which((3,)))),
        ("alert remove #3, 4", Remove(Which((3, 4)))),
        ("alert remove h100*", Remove(Which(pattern="h100*"))),
        ("remove all", Remove(Which())),
        ("remove all confirm", Remove(Which(), confirmed=True)),
        ("unmute 3", Mute(Which((3,)), None)),
        ("mute all for 2h", Mute(Which(), FRIDAY + timedelta(hours=2))),
        ("snooze 3 1w", Mute(Which((3,)), FRIDAY + timedelta(weeks=1))),
        ("mute b200 until tuesday", Mute(Which(pattern="b200"), TUESDAY)),
        ("mute until tomorrow", Mute(Which(), datetime(2026, 11, 21, tzinfo=UTC))),
        ("test 4", Try(4)),
        ("alert resume 4", Resume(4)),
        ("adopt 4", Adopt(4)),
        ("watch 70b 50rps 10%", WatchQuestion("70b 50rps", 10)),
        ("watch 70b 50rps", WatchQuestion("70b 50rps")),
        ("watch 70b 50rps 10% cheaper", WatchQuestion("70b 50rps", 10, "down")),
        ("watch 70b 50rps drops 7,5%", WatchQuestion("70b 50rps", 7.5, "down")),
        ("alert watch 8b 5rps rises 5%", WatchQuestion("8b 5rps", 5, "up")),
        ("alert stale", Create(StaleWatch())),
        ("alert sources stale 6h", Create(StaleWatch(hours=6))),
    ])  # fmt: skip
def test_the_other_commands_read(text: str, expected: Request) -> None:
    """Listing, stopping, muting, trying, resuming, adopting and watching."""
    assert expected == read(text)


@each(
    [
        (
            "l40s,h200 weekly mon 8:30 berlin",
            ("l40s", "h200"),
            at("week", 8, 30, "Europe/Berlin"),
        ),
        ("daily", (), at("day", 9)),
        ("h100 daily 9am new york", ("h100",), at("day", 9, 0, "America/New_York")),
        ("weekdays at 17 são paulo", (), at("weekday", 17, 0, "America/Sao_Paulo")),
        ("every friday 5pm mumbai", (), at("week", 17, 0, "Asia/Kolkata", day=4)),
        ("h200 mondays 8:30", ("h200",), at("week", 8, 30)),
        (
            "rtx 4090 weekly sydney time",
            ("rtx4090",),
            at("week", 9, 0, "Australia/Sydney"),
        ),
        ("b200 12am utc daily", ("b200",), at("day", 0)),
        ("b200 daily 8:00 asia/tokyo", ("b200",), at("day", 8, 0, "Asia/Tokyo")),
    ]
)
def test_a_digest_reads_its_rhythm_in_any_order(
    text: str, labels: tuple[str, ...], cadence: Cadence
) -> None:
    """GPUs, day, time and city, each where people put it."""
    request = read(f"digest {text}")

    assert isinstance(request, Create)
    assert DigestWatch(labels=labels, cadence=cadence) == request.watch


@each(
    [
        ("until tuesday", "2026-11-24T00:00+00:00"),
        ("friday", "2026-11-27T00:00+00:00"),
        ("until friday 18:00", "2026-11-20T18:00+00:00"),
        ("until fri 9am london", "2026-11-27T09:00+00:00"),
        ("until 18:00 berlin", "2026-11-20T17:00+00:00"),
        ("until 11:00", "2026-11-21T11:00+00:00"),
        ("until 2026-12-01", "2026-12-01T00:00+00:00"),
        ("until 2026-12-01T08:00:00+02:00", "2026-12-01T06:00+00:00"),
        ("3 days", "2026-11-23T12:00+00:00"),
    ]
)
def test_an_end_is_after_now(text: str, expected: str) -> None:
    """Days, dates, clock times and spans, in a place where one is named."""
    assert datetime.fromisoformat(expected) == read_until(text, FRIDAY)


@each(["", "soon", "yesterday", "until 24:61", "2020-01-01"])
def test_an_end_that_is_none_is_refused(text: str) -> None:
    """No mute without an end, and none that is over."""
    with pytest.raises(UnreadableTimeError):
        read_until(text, FRIDAY)


def test_a_rhythm_needs_a_word_for_it() -> None:
    """A digest of nothing but GPUs has no rhythm."""
    with pytest.raises(UnreadableTimeError):
        read_cadence("h100 h200")


@given(st.sampled_from(sorted(VERBS)), st.text(max_size=60))
def test_no_words_break_the_grammar(verb: str, rest: str) -> None:
    """Whatever follows a verb is a request or a problem, never an exception."""
    read(f"{verb} {rest}")


WORDS = st.sampled_from(
    "h100 a100-80gb spot < > 2 0.9 8% in eu 7d moves drops below new low 30d gap "
    "listed reserved 3y runpod until tuesday weekly mon 8:30 berlin all * for 1w "
    "9999999999 % $ , — “ 70b 50rps at am confirm".split()
)


@given(st.sampled_from(sorted(VERBS)), st.lists(WORDS, max_size=9))
def test_no_order_of_known_words_breaks_the_grammar(
    verb: str, words: list[str]
) -> None:
    """The grammar's own words, in any order, are a request or a problem."""
    read(" ".join([verb, *words]))

"""Amounts of alerts: costs to wait for, other currencies, one condition at a time."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from bot.alerts.form import shown
from bot.alerts.form_to_command import command_of
from bot.language.alerts.commands import read_request
from bot.language.alerts.conditions import (
    UnreadableAmountError,
    in_dollars,
    read_waited,
)
from bot.language.alerts.requests import Create, Problem, WatchQuestion
from bot.language.parse import parse
from core.alerts.conditions import Threshold
from core.alerts.subscription import (
    DigestWatch,
    PriceWatch,
    StaleWatch,
    WorkloadWatch,
)
from core.alerts.workloads import CostLine
from core.money.exchange import exchange_rates
from core.query import Query
from core.reference.load import reference
from tests.bot.alerts import DAY, AlertHarness, checked, offers

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def line(usd: str, side: str = "below", unit: str = "$/month") -> CostLine:
    """A cost to wait for."""
    return CostLine.model_validate({"side": side, "usd": usd, "unit": unit})


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        ("70b 50rps < $5000/month", "70b 50rps", line("5000")),
        ("70b 50rps < 5k", "70b 50rps", line("5000")),
        ("70b 50rps costs less than $5,000 a month", "70b 50rps", line("5000")),
        ("70b 50rps falls below $60000/year", "70b 50rps", line("5000")),
        ("70b 50rps is over $10/hour", "70b 50rps", line("7200", "above")),
        ("lora 8b on 20M tokens < $50 per run", "lora 8b on 20M tokens",
         line("50", unit="$/run")),
        ("8b 5rps ≥ 2k/mo", "8b 5rps", line("2000", "above")),
    ],
)  # fmt: skip
def test_a_watched_question_may_wait_for_a_cost(
    text: str, question: str, expected: CostLine
) -> None:
    """With its period, by the hour or by the run; a month is 720 hours."""
    request = read_request(f"watch {text}", reference(), NOW)

    assert isinstance(request, WatchQuestion)
    assert (question, expected.side, expected.unit) == (
        request.question,
        request.line and request.line.side,
        request.line and request.line.unit,
    )
    assert request.line is not None
    assert float(expected.usd) == pytest.approx(float(request.line.usd))


@pytest.mark.parametrize("text", ["70b 20rps under $12k/mo", "70b 20rps 10%", "70b"])
def test_a_budget_is_no_cost_to_wait_for(text: str) -> None:
    """It belongs to the question that is asked again."""
    assert read_waited(text) is None


def test_the_form_holds_a_cost_too() -> None:
    """It comes back as it was."""
    watch = WorkloadWatch(question="70b 50rps", query=Query(), line=line("5000"))
    state = {name: {"value": {"value": v[0]}} for name, v in shown(watch).items()}

    request = read_request(command_of("workload", state).text, reference(), NOW)

    assert isinstance(request, WatchQuestion)
    assert watch.line == request.line


def test_a_cost_is_told_when_it_crosses(tmp_path: Path) -> None:
    """Once; again only after it was back above the line by two in a hundred."""
    harness = AlertHarness(tmp_path / "home")
    harness.poll(*offers("2.50"))
    said = harness.say(
        "tell me when 70b 50rps on h100 at lambda costs less than $25k/mo"
    )
    told = []
    for price in ("2.40", "1.80", "1.75", "2.50", "1.70"):
        harness.now += DAY
        harness.poll(*offers(price))
        harness.later(MINUTE)
        told.append([checked(view) for view in harness.posts()])

    assert "its cost falls below $25,000/month" in said.verdict
    assert [0, 1, 1, 1, 2] == [len(posts) for posts in told]
    assert "the cost is below $25,000/month (−28 %)" in told[1][0].verdict


def test_what_is_so_already_waits_for_the_next_time(tmp_path: Path) -> None:
    """It is said, and not told again."""
    harness = AlertHarness(tmp_path / "home")
    harness.poll(*offers("2.50"))
    said = harness.say("watch 70b 50rps on h100 at lambda < $90k/month")
    harness.now += DAY
    harness.poll(*offers("2.40"))
    harness.later(MINUTE)

    assert any("It is below that already" in note for note in said.notes)
    assert [] == harness.waiting()


def test_a_line_in_another_unit_is_refused(tmp_path: Path) -> None:
    """A service that never ends costs nothing a run."""
    harness = AlertHarness(tmp_path / "home")
    harness.poll(*offers("2.50"))
    said = harness.say("watch 70b 50rps on h100 at lambda < $50 per run")

    assert "name the line in $/month" in said.notes[0]
    assert [] == harness.book.of_channel("T1", "C1")


@pytest.mark.parametrize(
    "text",
    ["h100 < €2", "h100 < 2 eur", "h100 < 2€", "h100 below eur 2 per hour"],
)
def test_a_line_in_euros_becomes_dollars(text: str) -> None:
    """At the rate that ships, which is said."""
    request = read_request(f"alert {text}", reference(), NOW)
    rate = next(r for r in exchange_rates() if r.currency == "EUR")
    usd = (Decimal(2) / rate.per_usd).quantize(Decimal("0.01"))

    assert isinstance(request, Create)
    assert isinstance(request.watch, PriceWatch)
    assert Threshold(op="below", amount=int(usd * 1_000_000)) == request.watch.condition
    assert any(str(rate.as_of) in note for note in request.notes)


def test_a_sentence_in_pounds_is_not_read_as_dollars(tmp_path: Path) -> None:
    """What people say in words is turned the same way."""
    harness = AlertHarness(tmp_path / "home")
    harness.poll(*offers("2.50"))
    said = harness.say("tell me when h100 on-demand drops below £1")

    (held,) = harness.book.of_channel("T1", "C1")
    assert isinstance(held.watch, PriceWatch)
    assert isinstance(held.watch.condition, Threshold)
    assert held.watch.condition.amount > 1_200_000
    assert any("GBP" in note for note in said.notes)


def test_a_currency_without_a_rate_is_said() -> None:
    """Dollars are asked for."""
    with pytest.raises(UnreadableAmountError, match="no rate of XAF"):
        in_dollars(Decimal(2), "XAF")


@pytest.mark.parametrize(
    "text",
    ["alert h100 < 2 > 4", "tell me when h100 is below 2 dollars or above 4 dollars"],
)
def test_two_conditions_are_two_alerts(tmp_path: Path, text: str) -> None:
    """Half of what was typed is never dropped in silence."""
    harness = AlertHarness(tmp_path / "home")
    harness.poll(*offers("2.50"))
    said = harness.say(text)

    assert "two conditions" in said.verdict
    assert [] == harness.book.of_channel("T1", "C1")


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("weekly digest of h100 and b200 on mondays at 9 in london", "Europe/London"),
        ("send a daily digest at 8am new york time", "America/New_York"),
        ("daily digest of h100 in berlin at 8:30", "Europe/Berlin"),
    ],
)
def test_a_digest_keeps_the_time_of_its_place(
    tmp_path: Path, text: str, zone: str
) -> None:
    """Wherever in the sentence that is named."""
    harness = AlertHarness(tmp_path / "home")
    harness.say(text)

    (held,) = harness.book.of_channel("T1", "C1")
    assert isinstance(held.watch, DigestWatch)
    assert zone == held.watch.cadence.zone


def test_sources_can_be_watched_in_words(tmp_path: Path) -> None:
    """As the command does."""
    harness = AlertHarness(tmp_path / "home")
    harness.say("tell me if a price source goes stale for 36 hours")

    (held,) = harness.book.of_channel("T1", "C1")
    assert StaleWatch(hours=36) == held.watch


@pytest.mark.parametrize(
    "text",
    [
        "let us know if a b200 shows up at lambda",
        "ping me when runpod stops selling a100",
        "tell us when aws starts offering b300",
    ],
)
def test_coming_and_going_has_many_words(tmp_path: Path, text: str) -> None:
    """Each is a watch on what is sold."""
    harness = AlertHarness(tmp_path / "home")
    harness.say(text)

    (held,) = harness.book.of_channel("T1", "C1")
    assert isinstance(held.watch, PriceWatch)
    assert "presence" == held.watch.condition.kind


def test_an_api_against_ones_own_is_a_break_even(tmp_path: Path) -> None:
    """Not a question whose name is half of the sentence."""
    harness = AlertHarness(tmp_path / "home")
    harness.poll(*offers("2.50"))
    harness.say("tell us if gpt-4o api gets cheaper than self hosting 70b")

    (held,) = harness.book.of_channel("T1", "C1")
    assert isinstance(held.watch, WorkloadWatch)
    assert "breakeven" == held.watch.query.intent
    again = parse(held.watch.question, reference())
    assert ("breakeven", ("gpt-4o",)) == (again.intent, again.compare_api)


def test_a_bare_move_is_asked_for_its_unit(tmp_path: Path) -> None:
    """Five per cent is no five dollars."""
    said = AlertHarness(tmp_path / "home").say("alert h100 moves 5")

    assert "5 of what? Write moves 5% or moves $5." == said.verdict


def test_a_continent_has_two_names(tmp_path: Path) -> None:
    """Europe is where the EU's offers are."""
    for name in ("eu", "europe"):
        request = read_request(f"alert h100 < 2 in {name}", reference(), NOW)
        assert isinstance(request, Create)
        assert isinstance(request.watch, PriceWatch)
        assert "eu" == request.watch.selections[0].region


def test_a_span_of_one_needs_no_figure() -> None:
    """Snooze 3 for a week."""
    found = read_request("snooze 3 for a week", reference(), NOW)

    assert not isinstance(found, Problem)
    assert NOW + timedelta(weeks=1) == getattr(found, "until", None)

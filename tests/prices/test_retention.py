"""What is forgotten, and when; prices never are."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.config.retention_period import LimitError, limits_of, span_of
from bot.config.settings import load_settings
from core.alerts.letters import Address, Letter
from core.offers import PricePoint
from prices.alerts import outbox
from prices.alerts.subscriptions import SubscriptionBook
from prices.database.connection import Engine
from prices.history.poll import Poll
from prices.history.store import Store
from prices.records.answers import AnswerBook, KeptAnswer
from prices.records.feedback import Feedback, Opinion
from prices.records.preferences import Preferences, Setting
from prices.records.recent import RecentQuestion, RecentQuestions
from prices.upkeep import retention, schema
from prices.upkeep.retention import Limits
from tests.bot.alerts import AlertHarness
from tests.engines import engine_of

pytestmark = pytest.mark.both_engines

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
AGES = (1, 40, 800)
MakePoint = Callable[..., PricePoint]


@pytest.fixture
def file(tmp_path: Path, point: MakePoint) -> Path:
    """A database in which everything happened 1, 40 and 800 days ago."""
    path = tmp_path / "gpucost.sqlite3"
    store, preferences = Store.open(engine_of(path)), Preferences(engine_of(path))
    answers, feedback, recent = (
        AnswerBook(engine_of(path)),
        Feedback(engine_of(path)),
        RecentQuestions(engine_of(path)),
    )
    book, place = (
        SubscriptionBook(engine_of(path)),
        Address(team_id="T", channel_id="C"),
    )
    for days in sorted(AGES, reverse=True):
        at = NOW - timedelta(days=days)
        name = f"{days:06}"
        store.record(Poll("feed", at, [point(str(days + 1), observed_at=at)]))
        answers.keep(KeptAnswer(name, "T", at, "q", "{}", "v", "f", "w", "e"))
        feedback.give("T", Opinion(name, "U", "good", at))
        recent.note("T", "U", RecentQuestion(name, name, "v", at))
        preferences.set("T", Setting("currency", name, "", "U", at))
        with book.engine.writing() as connection:
            letter = Letter(kind="trouble", text=name, at=at)
            outbox.queue(connection, place, letter, once=name)
            outbox.queue(connection, place, letter, once=f"{name} waiting")
            connection.execute("UPDATE outbox SET sent_at = 1 WHERE once = ?", (name,))
    return path


def counts(place: Path | Engine) -> dict[str, int]:
    """Count the rows of every table."""
    with engine_of(place).reading() as connection:
        return schema.counts(connection)


def test_by_itself_nothing_that_matters_goes(file: Path) -> None:
    """Only messages posted long ago do."""
    before = counts(file)

    went = retention.apply(engine_of(file), NOW, Limits())

    assert {"outbox": 1} == {name: rows for name, rows in went.items() if rows}
    assert before | {"outbox": before["outbox"] - 1} == counts(file)


def test_limits_are_obeyed_and_prices_stay(file: Path) -> None:
    """Each kind by its own; what waits to be posted is never forgotten."""
    before = counts(file)
    limits = Limits(
        answers=timedelta(days=30),
        feedback=timedelta(days=365),
        outbox=timedelta(days=7),
        audit=timedelta(days=365),
    )

    went = retention.apply(engine_of(file), NOW, limits)

    assert {"answers": 2, "recent": 2, "feedback": 1, "outbox": 2, "audit": 1} == {
        name: rows for name, rows in went.items() if rows
    }
    after = counts(file)
    for table in ("offers", "history", "polls", "coverage", "preferences"):
        assert before[table] == after[table] > 0
    assert AnswerBook(engine_of(file)).find("000001", "T") is not None
    assert AnswerBook(engine_of(file)).find("000040", "T") is None
    assert 4 == after["outbox"]


def test_much_goes_in_small_steps(file: Path) -> None:
    """Nobody waits for the write lock until thousands of rows are gone."""
    with engine_of(file).writing() as connection:
        connection.executemany(
            "INSERT INTO feedback VALUES ('T', ?, 'U', 'bad', 1)",
            ((f"old{n}",) for n in range(3 * retention.BATCH + 1)),
        )

    went = retention.apply(engine_of(file), NOW, Limits(feedback=timedelta(days=3650)))

    assert 3 * retention.BATCH + 1 == went["feedback"]


@pytest.mark.sqlite_alone
def test_a_file_without_those_tables_is_left_alone(tmp_path: Path) -> None:
    """Whoever never used Slack has no threads to forget."""
    path = tmp_path / "gpucost.sqlite3"
    Store.open(engine_of(path))

    assert {} == retention.apply(engine_of(path), NOW, Limits())


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("90d", timedelta(days=90)),
        (" 12H ", timedelta(hours=12)),
        ("52w", timedelta(weeks=52)),
        ("forever", None),
    ],
)
def test_limits_are_read(text: str, span: timedelta | None) -> None:
    """Hours, days, weeks, or for ever."""
    assert span == span_of(text)


@pytest.mark.parametrize("text", ["0d", "90", "-1d", "1y", "a while", "999999d", "d"])
def test_nothing_is_deleted_on_a_guess(text: str) -> None:
    """What cannot be read is refused."""
    with pytest.raises(LimitError, match="90d, 12h, 52w, forever"):
        span_of(text)


def test_the_operator_sets_limits_in_the_environment() -> None:
    """What is not set stays as the product has it."""
    settings = load_settings(
        {"GPUCOST_KEEP_ANSWERS": "90d", "GPUCOST_KEEP_OUTBOX": "forever"}
    )

    assert Limits(answers=timedelta(days=90), outbox=None) == limits_of(settings)


def test_the_bot_clears_up_by_itself(tmp_path: Path) -> None:
    """What the operator limited goes with the daily chore, and nothing else does."""
    harness = AlertHarness(tmp_path)
    said = harness.settings.model_copy(update={"keep_answers": "30d"})
    cleaning = replace(harness.service.cleaning, limits=limits_of(said))
    old = harness.now - timedelta(days=31)
    for name, at in (("old", old), ("new", harness.now)):
        harness.answering.book.keep(
            KeptAnswer(name, "T", at, "q", "{}", "v", "f", "w", "e")
        )
        Feedback(harness.settings.database).give("T", Opinion(name, "U", "good", at))

    cleaning.clean(harness.now)

    assert harness.answering.book.find("old", "T") is None
    assert harness.answering.book.find("new", "T") is not None
    assert 2 == counts(harness.settings.database)["feedback"]

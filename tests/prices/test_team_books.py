"""What teams leave in the database: deliveries, questions, settings, prices, opinions.

Each book is held to a plain model of itself, and each keeps teams apart.
"""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import count
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.money.pricebook import NegotiatedPrice
from prices.database.connection import DatabaseError, OutdatedError, RuleError
from prices.database.tables import prepare
from prices.history.store import Store
from prices.records.answers import AnswerBook, KeptAnswer
from prices.records.delivery_dedup import (
    FORGOTTEN_AFTER,
    HELD_S,
    TAKEN_OVER_AFTER,
    Abandoned,
    Claim,
    Deliveries,
)
from prices.records.feedback import Feedback, Opinion
from prices.records.preferences import Preferences, Setting
from prices.records.pricebook import PriceBook
from prices.records.question_rates import QuestionRates
from prices.records.recent import KEPT_PER_PERSON, RecentQuestion, RecentQuestions
from prices.upkeep.migrating import upgrade
from tests.engines import engine_of

pytestmark = pytest.mark.both_engines

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
BOOKS = (Deliveries, Feedback, Preferences, PriceBook, RecentQuestions)
TEAMS = st.sampled_from(["T1", "T2"])
EXAMPLES = count()
"""Numbers the teams of each example: all of a test share one database."""
SHARED = [HealthCheck.function_scoped_fixture]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database that nobody has opened yet."""
    return tmp_path / "deep/er/gpucost.sqlite3"


@pytest.mark.sqlite_alone
def test_every_book_shares_one_database(file: Path) -> None:
    """They make their tables beside the prices, in any order, and only once."""
    for _ in range(2):
        for book in BOOKS:
            book(engine_of(file))
        Store.open(engine_of(file))
        AnswerBook(engine_of(file))

    with engine_of(file).reading() as connection:
        applied = connection.execute(
            "SELECT count(*) FROM _sqlite_migrations GROUP BY migration_set, name"
        ).fetchall()
    assert {count for (count,) in applied} == {1}


@pytest.mark.sqlite_alone
def test_a_later_version_of_a_book_brings_its_tables_along(file: Path) -> None:
    """Scripts that were not there yet run once; what was there stays."""
    first = {"m001": "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (7);"}
    prepare(engine_of(file), "book", first)
    later = first | {"m002": "ALTER TABLE a ADD COLUMN y INTEGER;"}
    with pytest.raises(OutdatedError):
        prepare(engine_of(file), "book", later)
    upgrade(file, also={"book": later})
    prepare(engine_of(file), "book", later)

    with engine_of(file).reading() as connection:
        assert connection.execute("SELECT * FROM a").fetchall() == [(7, None)]


@pytest.mark.sqlite_alone
def test_a_failing_script_leaves_nothing_behind(file: Path) -> None:
    """The next start tries it again, whole."""
    with pytest.raises(DatabaseError):
        prepare(
            engine_of(file),
            "book",
            {"m001": "CREATE TABLE a (x INTEGER); SELECT nonsense;"},
        )
    prepare(engine_of(file), "book", {"m001": "CREATE TABLE a (x INTEGER);"})


def test_of_many_who_claim_one_does_the_work(file: Path) -> None:
    """Twenty threads bring the same delivery: one takes it on."""
    deliveries, won = Deliveries(engine_of(file)), []
    threads = [
        Thread(
            target=lambda: won.append(deliveries.claim("T1", ["event:1", "m:1"], NOW))
        )
        for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert won.count(True) == 1


def test_any_known_key_is_enough(file: Path) -> None:
    """A message under another event id is known, and makes that id known."""
    deliveries = Deliveries(engine_of(file))

    found = [
        deliveries.claim(team, keys, NOW)
        for team, keys in (
            ("T1", ["event:1", "message:1"]),
            ("T1", ["event:2", "message:1"]),
            ("T1", ["event:2"]),
            ("T2", ["event:1", "message:1"]),
            ("T1", []),
        )
    ]

    expected = [True, False, False, True, True]
    assert expected == found


@pytest.mark.parametrize(
    ("later", "done", "expected"),
    [
        (TAKEN_OVER_AFTER - timedelta(seconds=1), False, False),
        (TAKEN_OVER_AFTER, False, True),
        (TAKEN_OVER_AFTER, True, False),
        (timedelta(days=1), True, False),
    ],
)
def test_only_unfinished_work_is_taken_over(
    file: Path, later: timedelta, done: bool, expected: bool
) -> None:
    """What was begun and never finished is free again; what is done never is."""
    deliveries = Deliveries(engine_of(file))
    deliveries.claim("T1", ["event:1"], NOW)
    if done:
        deliveries.finish("T1", ["event:1"], NOW)

    assert expected == deliveries.claim("T1", ["event:1"], NOW + later)


def test_old_deliveries_are_forgotten(file: Path) -> None:
    """The table does not grow for ever."""
    deliveries = Deliveries(engine_of(file))
    for day in range(30):
        at = NOW + timedelta(days=day)
        deliveries.claim("T1", [f"event:{day}"], at)
        deliveries.finish("T1", [f"event:{day}"], at)

    with engine_of(file).reading() as connection:
        (count,) = connection.execute("SELECT count(*) FROM deliveries").fetchone()
    assert count == FORGOTTEN_AFTER.days + 1


@settings(max_examples=30, deadline=None, suppress_health_check=SHARED)
@given(
    asked=st.lists(
        st.tuples(TEAMS, st.sampled_from(["U1", "U2"]), st.sampled_from("abcdef")),
        max_size=30,
    )
)
def test_recent_questions_are_a_model_of_themselves(
    file: Path,
    asked: list[tuple[str, str, str]],
) -> None:
    """Newest first, each once, for each person of each team."""
    model: dict[tuple[str, str], list[str]] = {}
    recent, example = RecentQuestions(engine_of(file)), next(EXAMPLES)
    for n, (name, user, question) in enumerate(asked):
        team, at = f"{name}-{example}", NOW + timedelta(minutes=n)
        recent.note(team, user, RecentQuestion(question, "id", "v", at))
        mine = model.setdefault((team, user), [])
        model[team, user] = [question, *(q for q in mine if q != question)]
    for (team, user), expected in model.items():
        found = recent.of(team, user, 3, 0) + recent.of(team, user, 100, 3)
        assert expected == [question.question for question in found]


def test_only_so_many_questions_are_kept(file: Path) -> None:
    """The oldest go; another person's stay."""
    recent = RecentQuestions(engine_of(file))
    recent.note("T1", "U2", RecentQuestion("old", "id", "v", NOW - timedelta(9)))
    for n in range(KEPT_PER_PERSON + 20):
        at = NOW + timedelta(minutes=n)
        recent.note("T1", "U1", RecentQuestion(f"q{n}", "id", "v", at))

    found = recent.of("T1", "U1", 1000)

    assert len(found) == KEPT_PER_PERSON
    assert found[-1].question == "q20"
    assert len(recent.of("T1", "U2", 1000)) == 1


@settings(max_examples=40, deadline=None, suppress_health_check=SHARED)
@given(
    changes=st.lists(
        st.tuples(
            TEAMS,
            st.sampled_from(["", "C1", "C2"]),
            st.sampled_from(["region", "currency"]),
            st.one_of(st.none(), st.sampled_from(["eu", "us"])),
        ),
        max_size=25,
    )
)
def test_settings_are_a_model_of_themselves(
    file: Path,
    changes: list[tuple[str, str, str, str | None]],
) -> None:
    """The last word of a channel holds, else its workspace's; a None says nothing."""
    last: dict[tuple[str, str, str], str | None] = {}
    book, example = Preferences(engine_of(file)), next(EXAMPLES)
    for name, channel, key, value in changes:
        book.set(f"{name}-{example}", Setting(key, value, channel, "U1", NOW))
        last[name, channel, key] = value
    for name in ("T1", "T2"):
        team = f"{name}-{example}"
        for channel in ("", "C1", "C3"):
            found = {k: s.value for k, s in book.of(team, channel).items()}
            assert expected_settings(last, name, channel) == found
        assert len(book.changes(team, "C1", 99)) == sum(
            1 for t, c, _, _ in changes if t == name and c in ("", "C1")
        )


def expected_settings(
    last: dict[tuple[str, str, str], str | None], team: str, channel: str
) -> dict[str, str]:
    """What the model says holds in a channel."""
    found = {}
    for key in ("region", "currency"):
        own = last.get((team, channel, key))
        value = own if own is not None else last.get((team, "", key))
        if value is not None:
            found[key] = value
    return found


@pytest.mark.parametrize(
    "statement",
    ["UPDATE preferences SET value = 'x'", "UPDATE price_book SET micro_usd = 1"],
)
def test_logs_are_appended_to_and_never_changed(file: Path, statement: str) -> None:
    """What somebody once set can always be shown."""
    Preferences(engine_of(file)).set("T1", Setting("region", "eu", "", "U1", NOW))
    PriceBook(engine_of(file)).set("T1", price())

    with (
        pytest.raises(RuleError, match="appended"),
        engine_of(file).writing() as connection,
    ):
        connection.execute(statement)


def price(
    usd: str = "1.85", gpu: str = "h100-80gb-sxm", until: date | None = None
) -> NegotiatedPrice:
    """A negotiated price."""
    return NegotiatedPrice(
        provider="lambda",
        gpu=gpu,
        usd_per_gpu_hour=Decimal(usd),
        until=until,
        set_by="U1",
        set_at=NOW,
    )


@given(
    micro=st.integers(1, 100_000_000),
    until=st.one_of(st.none(), st.dates(date(2026, 11, 21), date(2030, 1, 1))),
)
@settings(max_examples=25, deadline=None, suppress_health_check=SHARED)
def test_a_price_comes_back_as_it_was_set(
    file: Path, micro: int, until: date | None
) -> None:
    """To the millionth of a dollar, with its terms and its maker."""
    wanted = price(str(Decimal(micro) / 10**6), until=until)
    book, example = PriceBook(engine_of(file)), next(EXAMPLES)
    book.set(f"T1-{example}", wanted)

    assert [wanted] == list(book.valid_on(f"T1-{example}", NOW).values())
    assert book.valid_on(f"T2-{example}", NOW) == {}


def test_a_price_ends_with_its_last_day(file: Path) -> None:
    """Until the end of that day in UTC it holds, and not a second longer."""
    book = PriceBook(engine_of(file))
    book.set("T1", price(until=date(2026, 11, 30)))

    at = datetime(2026, 11, 30, 23, 59, 59, tzinfo=UTC)
    assert len(book.valid_on("T1", at)) == 1
    assert book.valid_on("T1", at + timedelta(seconds=1)) == {}


def test_a_day_is_asked_with_the_prices_that_held_then(file: Path) -> None:
    """A price set or taken back later changes no answer of an earlier day."""
    book, day = PriceBook(engine_of(file)), timedelta(days=1)
    book.set("T1", price())
    book.set("T1", price("1.70").model_copy(update={"set_at": NOW + 2 * day}))
    book.remove("T1", price(), "U2", NOW + 4 * day)

    def held(days: int) -> list[str]:
        found = book.valid_on("T1", NOW + days * day).values()
        return [str(each.usd_per_gpu_hour) for each in found]

    assert [[], ["1.85"], ["1.7"], []] == [held(days) for days in (-1, 1, 3, 5)]


def test_a_price_taken_back_can_be_set_again(file: Path) -> None:
    """Removal is a line of the log like any other."""
    book = PriceBook(engine_of(file))
    book.set("T1", price())
    book.set("T1", price(gpu="l4"))
    book.remove("T1", price(), "U2", NOW)
    assert [p.gpu for p in book.valid_on("T1", NOW).values()] == ["l4"]

    book.set("T1", price("1.70"))

    assert len(book.valid_on("T1", NOW)) == 2


def test_an_opinion_can_change(file: Path) -> None:
    """One person has one opinion of one answer; another team's stays its own."""
    feedback = Feedback(engine_of(file))
    feedback.give("T1", Opinion("a1", "U1", "good", NOW))
    feedback.give("T1", Opinion("a1", "U1", "bad", NOW))
    feedback.give("T2", Opinion("a1", "U1", "good", NOW))

    assert [Opinion("a1", "U1", "bad", NOW)] == feedback.on("T1", "a1")


ASKED = {"command": "/gpucost", "text": "70b 50rps"}


@pytest.mark.parametrize(
    ("later", "dead", "expected"),
    [(0, False, 0), (HELD_S + 1, False, 1), (0, True, 1)],
)
def test_what_a_dead_process_had_acknowledged_is_handed_to_one(
    file: Path, later: int, dead: bool, expected: int
) -> None:
    """Once its holder died, or says nothing any more; with what was delivered."""
    first, one, two = (Deliveries(engine_of(file), name) for name in ("a", "b", "c"))
    first.claim_all([Claim("T1", ["event:1", "message:1"], ASKED)], NOW)
    at = NOW + timedelta(seconds=later)

    found = [*one.abandoned(at, lambda _: dead), *two.abandoned(at, lambda h: h == "a")]

    assert found[:expected] == [Abandoned(ASKED, 1)][:expected]
    assert len(found) == max(expected, 1)  # the second taker knows that "a" is dead


def test_who_holds_a_claim_keeps_it(file: Path) -> None:
    """A word now and then is enough; what is answered is wiped, and nobody's."""
    first, other = Deliveries(engine_of(file), "a"), Deliveries(engine_of(file), "b")
    first.claim_all([Claim("T1", ["event:1"], ASKED)], NOW)
    later = NOW + timedelta(seconds=HELD_S)
    first.hold(later)
    assert [*other.abandoned(later + timedelta(seconds=1), lambda _: False)] == []

    first.finish("T1", ["event:1"], later)

    assert [*other.abandoned(later + timedelta(days=1), lambda _: True)] == []
    with engine_of(file).reading() as connection:
        assert connection.execute("SELECT payload FROM deliveries").fetchall() == [
            (None,)
        ]


def kept(name: str, query: str) -> KeptAnswer:
    """An answer whose view names it."""
    view = f'{{"id": "{name}"}}'
    return KeptAnswer(name, "T1", NOW, "q", query, "v", "f", view, view)


def test_two_contents_never_share_an_id(file: Path) -> None:
    """The same content is the same answer; another gets an id of its own."""
    book, name = AnswerBook(engine_of(file)), "abcdefghijklm"
    assert book.keep(kept(name, "one")) == name
    assert book.keep(kept(name, "one")) == name
    other = book.keep(kept(name, "two"))

    assert len(other) == 13
    assert other != name
    first, second = book.find(name, "T1"), book.find(other, "T1")
    assert first is not None
    assert second is not None
    assert (first.query, first.times, second.query) == ("one", 2, "two")
    assert second.view == f'{{"id": "{other}"}}'


def test_an_id_of_before_still_resolves(file: Path) -> None:
    """Six characters, as they were printed under every answer."""
    book = AnswerBook(engine_of(file))
    book.keep(kept("k7f2q9", "old"))

    assert book.find("k7f2q9", "T1") == kept("k7f2q9", "old")


def test_no_draw_of_several_from_one_limit_is_lost(tmp_path: Path) -> None:
    """A workspace's bucket and its people's, each drawn from by several at once."""
    book = QuestionRates(engine_of(tmp_path / "gpucost.sqlite3"))

    def draw(user: str) -> None:
        for _ in range(5):
            with book.held([("T1", ""), ("T1", user)], [100.0, 10.0]) as buckets:
                for bucket in buckets:
                    bucket.level -= 1

    people = [Thread(target=draw, args=(f"U{number % 2}",)) for number in range(4)]
    for person in people:
        person.start()
    for person in people:
        person.join()

    keys = [("T1", ""), ("T1", "U0"), ("T1", "U1"), ("T2", "")]
    with book.held(keys, [100.0, 10.0, 10.0, 50.0]) as buckets:
        assert [80.0, 0.0, 0.0, 50.0] == [bucket.level for bucket in buckets]

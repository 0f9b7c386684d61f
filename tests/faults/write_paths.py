"""Everything that writes to the tables, and how its losses would show."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import count
from pathlib import Path

from core.alerts.letters import Address, Letter
from core.alerts.subscription import StaleWatch, Wanted
from core.money.currency import ExchangeRate
from core.money.pricebook import NegotiatedPrice
from core.offers import PricePoint
from prices.alerts import outbox
from prices.alerts.subscriptions import SubscriptionBook
from prices.guard.quarantine import BY_HAND, Quarantine, Suspect
from prices.history.poll import Poll
from prices.history.store import Store
from prices.records.answers import AnswerBook, KeptAnswer
from prices.records.audit import AuditTrail
from prices.records.delivery_dedup import Claim, Deliveries
from prices.records.feedback import Feedback, Opinion
from prices.records.installations import Installations, Site
from prices.records.preferences import Preferences, Setting
from prices.records.pricebook import PriceBook
from prices.records.recent import RecentQuestion, RecentQuestions
from prices.records.threads import Threads
from prices.sources.fetch import Kept
from prices.sources.http_cache import HttpCache
from prices.sources.rates import RateBook
from prices.upkeep import retention
from tests.engines import engine_of
from tests.faults.files import made_at, rows

Work = Callable[[Path, int], Iterator[int]]
"""Write for ever; yield each number once what it names was written."""
START = datetime(2026, 1, 1, tzinfo=UTC)
POINTS = 40


@dataclass(frozen=True)
class WritePath:
    """One way in which the database is written to."""

    name: str
    work: Work
    lost: Callable[[Path, list[int]], int]
    """How many acknowledged writes are not there, or are there by half."""
    begin: Callable[[Path], object] = lambda home: made_at(file_of(home))


def file_of(home: Path) -> Path:
    """Name the database of a home."""
    return home / "gpucost.sqlite3"


def missing(home: Path, numbers: list[int], sql: str) -> int:
    """Count the acknowledged numbers that a query does not find."""
    found = {int(str(number)) for (number,) in rows(file_of(home), sql)}
    return len(set(numbers) - found)


def at(number: int) -> datetime:
    """Return an instant of one's own for each number."""
    return START + timedelta(seconds=number)


def _answers(home: Path, first: int) -> Iterator[int]:
    book = AnswerBook(engine_of(file_of(home)))
    for n in count(first):
        book.keep(KeptAnswer(str(n), "T", at(n), "q", "{}", "v", "f", "x" * 6_000, "e"))
        yield n


def _settings(home: Path, first: int) -> Iterator[int]:
    book = Preferences(engine_of(file_of(home)))
    for n in count(first):
        book.set("T", Setting("currency", str(n), "", "U", at(n)))
        yield n


def _settings_lost(home: Path, numbers: list[int]) -> int:
    """A setting and its entry in the audit trail are there together, or neither is."""
    told = "SELECT after FROM audit WHERE action = 'setting set' ORDER BY id"
    kept = "SELECT value FROM preferences ORDER BY id"
    half = rows(file_of(home), told) != rows(file_of(home), kept)
    return half + missing(home, numbers, kept)


def _price(n: int) -> NegotiatedPrice:
    return NegotiatedPrice(
        provider="lambda",
        gpu="h100-80gb-sxm",
        pricing="on_demand",
        term_months=0,
        usd_per_gpu_hour=Decimal(n),
        set_by="U",
        set_at=at(n),
    )


def _price_book(home: Path, first: int) -> Iterator[int]:
    book = PriceBook(engine_of(file_of(home)))
    for n in count(first):
        book.set("T", _price(n))
        yield n


def _price_book_lost(home: Path, numbers: list[int]) -> int:
    kept = "SELECT micro_usd / 1000000 FROM price_book"
    (half,) = rows(
        file_of(home),
        "SELECT (SELECT count(*) FROM price_book) <>"
        " (SELECT count(*) FROM audit WHERE action = 'price set')",
    )
    return int(bool(half[0])) + missing(home, numbers, kept)


def _wanted(n: int) -> Wanted:
    return Wanted(
        team_id="T", channel_id="C", user_id="U", typed=str(n), watch=StaleWatch()
    )


def _subscriptions(home: Path, first: int) -> Iterator[int]:
    book = SubscriptionBook(engine_of(file_of(home)))
    for n in count(first):
        made = book.add(_wanted(n), at(n)).id
        yield n
        book.mute([made], at(n), "U")
        if n % 2:
            book.remove([made], "U")
            yield -n


def _subscriptions_lost(home: Path, numbers: list[int]) -> int:
    """What was acknowledged as removed is gone; all else is there, and told of."""
    removed = {-n for n in numbers if n < 0}
    file, typed = file_of(home), "SELECT typed FROM subscriptions"
    there = {int(str(n)) for (n,) in rows(file, typed)}
    trail = "SELECT count(*) FROM audit WHERE action = 'alert {}'"
    ((made,),) = rows(file, trail.format("made"))
    ((gone,),) = rows(file, trail.format("removed"))
    untold = made != len(there) + int(str(gone))
    even = {n for n in numbers if n > 0 and n % 2 == 0}
    return len(removed & there) + len(even - there) + untold


def _outbox(home: Path, first: int) -> Iterator[int]:
    """Queue letters, and post each a little later."""
    book, place = (
        SubscriptionBook(engine_of(file_of(home))),
        Address(team_id="T", channel_id="C"),
    )
    for n in count(first):
        with book.engine.writing() as connection:
            letter = Letter(kind="trouble", text=str(n), at=START)
            outbox.queue(connection, place, letter, once=str(n))
        yield n
        with book.engine.writing() as connection:
            taken = outbox.take(connection, "me", at(n).timestamp(), 0.5)
        assert taken is not None
        with book.engine.writing() as connection:
            outbox.sent(connection, taken, "1.0", at(n).timestamp())
        yield -taken.id


def _outbox_lost(home: Path, numbers: list[int]) -> int:
    queued = [n for n in numbers if n > 0]
    posted = [-n for n in numbers if n < 0]
    sent = "SELECT id FROM outbox WHERE sent_at IS NOT NULL"
    return missing(home, queued, "SELECT once FROM outbox") + missing(
        home, posted, sent
    )


def _poll(n: int) -> Poll:
    """Make a poll whose every price names its number."""
    points = [
        PricePoint(
            provider="p",
            gpu=f"g{number}",
            gpu_count=1,
            pricing="spot",
            observed_at=at(n),
            raw_total=Decimal(n),
            micro_usd_per_gpu_hour=n * 1_000_000,
            source="feed",
            source_url="https://example.com",
        )
        for number in range(POINTS)
    ]
    return Poll("feed", at(n), points)


def _ingest(home: Path, first: int) -> Iterator[int]:
    store = Store.open(engine_of(file_of(home)))
    for n in count(first):
        store.record(_poll(n))
        yield n


def _ingest_lost(home: Path, numbers: list[int]) -> int:
    """A poll is there whole, or not at all; the last one stands."""
    file, start = file_of(home), int(START.timestamp())
    polls = missing(home, numbers, f"SELECT at - {start} FROM polls")  # noqa: S608
    standing = rows(file, "SELECT micro_usd / 1000000, count(*) FROM offers GROUP BY 1")
    last = rows(file, f"SELECT max(at) - {start} FROM polls")[0][0]  # noqa: S608
    whole = standing == ([] if last is None else [(last, POINTS)])
    past = rows(file, "SELECT count(*) FROM history GROUP BY first_seen")
    return polls + (not whole) + sum(times != (POINTS,) for times in past)


def _rate(n: int) -> ExchangeRate:
    day = date.fromordinal(n)
    return ExchangeRate(currency="EUR", per_usd=Decimal(n), as_of=day, source="ECB")


def _small_books(home: Path, first: int) -> Iterator[int]:
    """Write to every small table in turn."""
    file = file_of(home)
    feedback, recent, threads = (
        Feedback(engine_of(file)),
        RecentQuestions(engine_of(file)),
        Threads(engine_of(file)),
    )
    deliveries, held = Deliveries(engine_of(file)), Quarantine(engine_of(file))
    installed, bodies, rates = (
        Installations(engine_of(file), "app"),
        HttpCache(engine_of(file)),
        RateBook(engine_of(file)),
    )
    for n in count(first):
        feedback.give("T", Opinion(str(n), "U", "good", at(n)))
        recent.note("T", str(n), RecentQuestion("q", str(n), "v", at(n)))
        threads.remember("T", str(n), "{}", START)
        deliveries.claim("T", [str(n)], START)
        deliveries.finish("T", [str(n)], START)
        held.note(str(n), [Suspect("bounds", "s", "r")], START)
        held.release([held.entries(source=str(n))[0].id], BY_HAND, START)
        installed.keep(Site("", str(n)), "sealed", START)
        installed.note_workspace(Site("E", str(n)))
        bodies.keep(str(n), {"url": Kept(b"body", "etag", "")}, START)
        rates.pin(date.fromordinal(n), [_rate(n)])
        yield n


def _small_books_lost(home: Path, numbers: list[int]) -> int:
    queries = (
        "SELECT answer_id FROM feedback",
        "SELECT user_id FROM recent",
        "SELECT place FROM threads",
        "SELECT key FROM deliveries WHERE done_at IS NOT NULL",
        "SELECT source FROM quarantine WHERE state = 'released'",
        "SELECT team_id FROM installations",
        "SELECT team_id FROM workspaces",
        "SELECT source FROM feed_state",
        "SELECT per_usd FROM exchange_rates",
        "SELECT team_id FROM audit WHERE action = 'installed'",
    )
    return sum(missing(home, numbers, query) for query in queries)


def _audit(home: Path, first: int) -> Iterator[int]:
    """Forget old entries of the trail, and old answers, while new ones come."""
    file = file_of(home)
    book, answers, trail = (
        Preferences(engine_of(file)),
        AnswerBook(engine_of(file)),
        AuditTrail(engine_of(file)),
    )
    limits = retention.Limits(
        audit=timedelta(seconds=20), answers=timedelta(seconds=20)
    )
    for n in count(first):
        book.set("T", Setting("region", str(n), "", "U", at(n)))
        answers.keep(KeptAnswer(str(n), "T", at(n), "q", "{}", "v", "f", "w", "e"))
        yield n
        retention.apply(trail.engine, at(n), limits)


def _audit_lost(home: Path, numbers: list[int]) -> int:
    young = [n for n in numbers if n > max(numbers) - 20]
    told = "SELECT after FROM audit WHERE action = 'setting set'"
    return missing(home, young, told) + missing(home, young, "SELECT id FROM answers")


def _many_at_once(home: Path, first: int) -> Iterator[int]:
    """Change a price, a setting and an alert in one transaction of one's own."""
    file = file_of(home)
    for n in count(first):
        with engine_of(file).writing() as connection:
            connection.execute(
                "INSERT INTO threads VALUES ('M', ?, '0', ?)", (str(n), n)
            )
            connection.execute(
                "INSERT INTO deliveries (team_id, key, claimed_at) VALUES ('M', ?, ?)",
                (str(n), n),
            )
        yield n


def _many_lost(home: Path, numbers: list[int]) -> int:
    threads = rows(file_of(home), "SELECT place FROM threads ORDER BY 1")
    deliveries = rows(file_of(home), "SELECT key FROM deliveries ORDER BY 1")
    lost = missing(home, numbers, "SELECT place FROM threads")
    return (threads != deliveries) + lost


def _claims(home: Path, first: int) -> Iterator[int]:
    """Take on deliveries many at a time, and answer every other one."""
    deliveries = Deliveries(engine_of(file_of(home)), f"kills:{first}:a")
    for n in count(first):
        claim = Claim("D", [f"{n}"], {"text": f"question {n}"})
        assert deliveries.claim_all([claim], START) == [True]
        if n % 2:
            deliveries.finish("D", [f"{n}"], START)
        yield n


def _claims_lost(home: Path, numbers: list[int]) -> int:
    """What is not answered still says what was asked."""
    open_ones = [n for n in numbers if n % 2 == 0]
    kept = "SELECT key FROM deliveries WHERE team_id = 'D'"
    asked = f"{kept} AND payload = '{{\"text\": \"question ' || key || '\"}}'"
    return missing(home, numbers, kept) + missing(home, open_ones, asked)


PATHS = (
    WritePath("claims", _claims, _claims_lost),
    WritePath(
        "answers",
        _answers,
        lambda home, numbers: missing(home, numbers, "SELECT id FROM answers"),
    ),
    WritePath("settings", _settings, _settings_lost),
    WritePath("price book", _price_book, _price_book_lost),
    WritePath("subscriptions", _subscriptions, _subscriptions_lost),
    WritePath("outbox", _outbox, _outbox_lost),
    WritePath("ingest", _ingest, _ingest_lost),
    WritePath("small books", _small_books, _small_books_lost),
    WritePath("audit and retention", _audit, _audit_lost),
    WritePath("transactions", _many_at_once, _many_lost),
)
"""Every way into the tables."""

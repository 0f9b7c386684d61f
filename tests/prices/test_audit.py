"""Who changed what: every change is told of, and the trail cannot be rewritten."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from bot.commands.cli import main
from core.alerts.subscription import StaleWatch, Wanted
from core.money.pricebook import NegotiatedPrice
from prices.alerts.subscriptions import SubscriptionBook
from prices.database.connection import RuleError
from prices.guard.quarantine import BY_HAND, Quarantine, Suspect
from prices.records import audit
from prices.records.audit import AuditTrail, Entry
from prices.records.installations import Installations, Site
from prices.records.preferences import Preferences, Setting
from prices.records.pricebook import PriceBook
from tests.engines import engine_of

pytestmark = pytest.mark.both_engines

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
PRICE = NegotiatedPrice(
    provider="lambda",
    gpu="h100-80gb-sxm",
    pricing="on_demand",
    term_months=0,
    usd_per_gpu_hour=Decimal("1.89"),
    set_by="U1",
    set_at=NOW,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database that nobody has opened yet."""
    return tmp_path / "gpucost.sqlite3"


def told(file: Path, team: str | None = None) -> list[tuple[object, ...]]:
    """Return who did what to what, from what to what."""
    return [
        (e.user_id, e.action, e.subject, e.before, e.after)
        for e in AuditTrail(engine_of(file)).entries(team)
    ]


def test_settings_are_told_with_what_they_were(file: Path) -> None:
    """Set, changed and taken back, for a workspace and for a channel."""
    preferences = Preferences(engine_of(file))
    for value, channel, user in (
        ("EUR", "", "U1"), ("GBP", "", "U2"), (None, "", "U1"), ("JPY", "C1", "U1"),
    ):  # fmt: skip
        preferences.set("T1", Setting("currency", value, channel, user, NOW))

    assert told(file) == [
        ("U1", "setting set", "currency", None, "EUR"),
        ("U2", "setting set", "currency", "EUR", "GBP"),
        ("U1", "setting removed", "currency", "GBP", None),
        ("U1", "setting set", "currency in C1", None, "JPY"),
    ]


def test_negotiated_prices_are_told(file: Path) -> None:
    """Dollars per GPU-hour before and after, and who took a price back."""
    book = PriceBook(engine_of(file))
    book.set("T1", PRICE)
    cheaper = PRICE.model_copy(update={"usd_per_gpu_hour": Decimal("1.5")})
    book.set("T1", cheaper)
    book.remove("T1", cheaper, "U2", NOW)

    offer = "lambda h100-80gb-sxm on_demand"
    assert told(file) == [
        ("U1", "price set", offer, None, "$1.89/GPU-h"),
        ("U1", "price set", offer, "$1.89/GPU-h", "$1.5/GPU-h"),
        ("U2", "price removed", offer, "$1.5/GPU-h", None),
    ]


def test_alerts_are_told_by_who_did_it(file: Path) -> None:
    """Made, muted, paused by Slack's refusal, resumed, adopted and removed."""
    book = SubscriptionBook(engine_of(file))
    wanted = Wanted(
        team_id="T1", channel_id="C1", user_id="U1", typed="stale", watch=StaleWatch()
    )
    number = book.add(wanted, NOW, place="command in C1").id
    book.mute([number], NOW + timedelta(days=1), "U2", "button in C1")
    book.mute([number], None, "U3", "home")
    book.pause("T1", "C1", "is_archived")
    book.resume([number], NOW, "U4", "command in C2")
    book.hand_over(number, "U5", "mention in C1")
    book.remove([number], "U6", "message in D1")

    what = "alert 1 in C1"
    assert told(file) == [
        ("U1", "alert made", what, None, "stale"),
        ("U2", "alert muted", what, None, "2026-11-22 12:00:00"),
        ("U3", "alert unmuted", what, "2026-11-22 12:00:00", None),
        ("gpucost", "alert paused", what, None, "is_archived"),
        ("U4", "alert resumed", what, "is_archived", None),
        ("U5", "alert adopted", what, "U1", "U5"),
        ("U6", "alert removed", what, "stale", None),
    ]
    assert [
        "command in C1",
        "button in C1",
        "home",
        "",
        "command in C2",
        "mention in C1",
        "message in D1",
    ] == [entry.place for entry in AuditTrail(engine_of(file)).entries()]


def test_held_prices_that_go_are_told(file: Path) -> None:
    """With the reason for which they were held, and once only."""
    held = Quarantine(engine_of(file))
    held.note("feed", [Suspect("bounds", "b200 at x", "far too cheap")], NOW)
    (entry,) = held.entries()

    for _ in range(2):
        held.release([entry.id], BY_HAND, NOW, "terminal:ann")

    assert told(file) == [
        ("terminal:ann", "price released", "feed 1: b200 at x", "far too cheap", None)
    ]


def test_installations_are_told_without_their_tokens(file: Path) -> None:
    """Who installed the bot where, and that it left."""
    installations = Installations(engine_of(file), "app")
    installations.keep(Site("", "T1"), "a sealed token", NOW, "U1")
    installations.forget(Site("", "T1"), NOW)
    installations.forget(Site("", "T1"), NOW)

    assert told(file) == [
        ("U1", "installed", "app app", None, None),
        ("Slack", "uninstalled", "app app", None, None),
    ]


@pytest.mark.sqlite_alone
def test_a_change_and_its_entry_stand_or_fall_together(file: Path) -> None:
    """Where one cannot be written, neither is."""
    preferences = Preferences(engine_of(file))
    with engine_of(file).writing() as connection:
        connection.execute(
            "CREATE TRIGGER broken BEFORE INSERT ON preferences"
            " BEGIN SELECT RAISE(ABORT, 'no'); END"
        )

    with pytest.raises(RuleError):
        preferences.set("T1", Setting("currency", "EUR", "", "U1", NOW))

    assert [] == told(file)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE audit SET user_id = 'U9'",
        "DELETE FROM audit",
        "DELETE FROM audit_horizon",
        "UPDATE audit_horizon SET forget_before = 0",
    ],
)
def test_the_trail_cannot_be_rewritten(file: Path, sql: str) -> None:
    """The database itself refuses."""
    Preferences(engine_of(file)).set("T1", Setting("currency", "EUR", "", "U1", NOW))
    with engine_of(file).writing() as connection:
        connection.execute("INSERT INTO audit_horizon VALUES (0, 0)")

    with (
        pytest.raises(RuleError, match="append-only"),
        engine_of(file).writing() as connection,
    ):
        connection.execute(sql)

    assert 1 == len(told(file))


@pytest.mark.sqlite_alone
def test_an_entry_is_never_replaced(file: Path) -> None:
    """SQLite's own way to write over a row is refused too."""
    replacing = (
        "INSERT OR REPLACE INTO audit SELECT id, at, team_id, 'U9', action, subject,"
        " before, after, place FROM audit"
    )
    test_the_trail_cannot_be_rewritten(file, replacing)


@pytest.mark.sqlite_alone
def test_only_what_is_too_old_may_go(file: Path) -> None:
    """Retention says up to when the trail was cut; younger entries stay."""
    trail = AuditTrail(engine_of(file))
    for days in (400, 10):
        entry = Entry(NOW - timedelta(days=days), "T1", "U1", "setting set", str(days))
        with engine_of(file).writing() as connection:
            audit.note(connection, entry)

    with engine_of(file).writing() as connection:
        assert 1 == audit.forget(connection, NOW - timedelta(days=90), NOW)

    assert ["10"] == [entry.subject for entry in trail.entries()]
    with closing(sqlite3.connect(file)) as connection:
        cut = connection.execute("SELECT forget_before FROM audit_horizon").fetchall()
    assert [(int((NOW - timedelta(days=90)).timestamp()),)] == cut


@pytest.mark.sqlite_alone
def test_the_terminal_shows_one_team_or_all(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lines to read, or an object a line for programs; hostile text cannot draw."""
    monkeypatch.setenv("GPUCOST_HOME", str(file.parent))
    preferences = Preferences(engine_of(file))
    preferences.set("T1", Setting("region", "eu\x1b[31m", "C1", "U1", NOW))
    preferences.set("T2", Setting("region", "us", "C1", "U2", NOW))

    assert 0 == main(["audit", "--team", "T1"])
    said = capsys.readouterr().out
    assert "2026-11-21 12:00:00  T1" in said
    assert "setting set: region in C1 = eu?[31m" in said
    assert "T2" not in said
    assert 0 == main(["audit", "--json", "--since", "2026-11-21"])
    assert 2 == len(capsys.readouterr().out.splitlines())
    assert 0 == main(["audit", "--since", "2026-11-22"])
    assert "" == capsys.readouterr().out


def test_the_list_is_short_and_whole(file: Path) -> None:
    """Nothing is told twice, however often the books are opened."""
    for _ in range(3):
        Preferences(engine_of(file))
        AuditTrail(engine_of(file))

    assert [] == told(file)

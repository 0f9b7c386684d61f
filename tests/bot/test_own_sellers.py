"""Sellers of the owner's own file can be named wherever a known one can."""

from pathlib import Path

import pytest

from bot.commands.prices import prices_command
from bot.language.interface import parse_line
from bot.question.asking import AskContext
from core.alerts.subscription import PriceWatch
from prices.records.pricebook import PriceBook
from prices.refresh.run import refresh
from prices.sources.own import source
from tests.bot.alerts import ANN, AlertHarness, make_home, point
from tests.bot.conftest import NOW, Install
from tests.engines import engine_of

LIST = """provider,gpu,price,gpu_count,instance
acme-dc,H100 SXM,14.40,8,acme-8h100
Nordic Colo,H100 SXM,1.70,1,
Lambda Labs,H100 SXM,2.10,1,
"""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Load a price list with two sellers that no table knows, and one that one does."""
    home = tmp_path_factory.mktemp("template") / "home"
    harness = AlertHarness(home)
    file = home / "list.csv"
    file.write_text(LIST, "utf-8")
    (result,) = refresh(
        harness.answering.store, harness.now, [source(str(file), "mine")]
    )
    assert result.ok, result.error
    return home


@pytest.fixture
def harness(template: Path, tmp_path: Path) -> AlertHarness:
    """Give a harness of its own to each test."""
    return AlertHarness(make_home(template, tmp_path / "home"))


@pytest.mark.parametrize(
    ("question", "said", "unsaid"),
    [
        ("h100 at acme-dc", "(acme-dc, ", "Lambda"),
        ("price h100 acme dc", "(acme-dc, ", "Lambda"),
        ("price h100 nordic colo", "(Nordic Colo)", "acme-dc"),
        ("price h100 not nordic colo", "(acme-dc, ", "Nordic"),
        ("price h100 not acme-dc, not nordic colo", "(Lambda)", "acme-dc"),
        ("price h100 lambda", "$2.10 on-demand (Lambda)", "acme-dc"),
        ("70b inference 5rps on acme-dc", "at acme-dc: ", "Nordic"),
        ("h100 at acme-dc vs lambda", "acme-dc on-demand", "Nordic"),
    ],
)
def test_a_question_may_name_them(
    harness: AlertHarness, question: str, said: str, unsaid: str
) -> None:
    """The answer is theirs alone, or everybody else's where they are ruled out."""
    view = harness.say(question)

    assert view.kind == "answer"
    assert said in view.verdict
    assert unsaid not in view.verdict


def test_a_seller_whom_nobody_prices_is_asked_about(harness: AlertHarness) -> None:
    """What nobody sells is unknown, and the nearest is named."""
    view = harness.say("h100 at nordicocloud")

    assert view.kind != "answer"
    assert "nordicocloud" in view.model_dump_json()


@pytest.mark.parametrize(
    "command",
    [
        "alert h100 acme-dc < 1.60",
        "alert me when h100 at acme-dc falls below 1.60",
        "tell me when an h100 on acme-dc is under $1.60",
    ],
)
def test_an_alert_may_wait_for_them(harness: AlertHarness, command: str) -> None:
    """The watch is on their price, typed or said."""
    view = harness.say(command)

    (made,) = harness.book.of_channel("T1", "C1")
    assert isinstance(made.watch, PriceWatch)
    assert {("acme-dc",)} == {one.providers for one in made.watch.selections}
    assert "acme-dc" in view.model_dump_json()


def test_a_thread_goes_on_with_them(harness: AlertHarness) -> None:
    """A follow-up that names one keeps what was asked before."""
    answering = harness.service.answering
    here = AskContext(surface="message", team_id="T1", channel_id="D1", user_id=ANN)
    answering.ask("70b inference 5rps on lambda", context=here)

    view = answering.ask("and on acme-dc?", context=here)

    assert "at acme-dc: " in view.verdict


def test_a_seller_is_known_with_the_first_price(harness: AlertHarness) -> None:
    """Names come with prices: the question after a poll may use them."""
    assert "Outpost" not in harness.say("h100 at outpost").verdict

    harness.poll(point("1.20", provider="Outpost"))

    assert "$1.20 on-demand (Outpost)" in harness.say("h100 at outpost").verdict


def test_a_negotiated_price_may_be_theirs(
    template: Path, tmp_path: Path, install: Install
) -> None:
    """The price book takes them, and the answer ranks what was agreed."""
    harness = AlertHarness(make_home(template, tmp_path / "home"))
    workspace = install(harness.service.answering)

    workspace.person.command("setprice acme-dc h100 1.10")

    assert "acme-dc" in workspace.slack.wait()[0]["text"]
    book = PriceBook(engine_of(workspace.home / "gpucost.sqlite3")).valid_on("T1", NOW)
    assert ["acme-dc"] == [price.provider for price in book.values()]


def test_the_terminal_draws_their_history(
    harness: AlertHarness,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The last words name the seller, be they one or two."""
    monkeypatch.setenv("GPUCOST_HOME", str(harness.settings.home))

    for words in (["acme-dc"], ["nordic", "colo"]):
        assert prices_command(["history", "h100", *words, "3650d"]) == 0

    out = capsys.readouterr().out
    assert "h100 at acme-dc" in out
    assert "h100 at Nordic Colo" in out


def test_reading_alone_asks_no_store(
    harness: AlertHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`gpucost parse` reads the same words the same way on every machine."""
    monkeypatch.setenv("GPUCOST_HOME", str(harness.settings.home))

    line = parse_line({"id": "a", "text": "h100 at acme-dc"})

    assert {"intent": "price", "gpu": ["h100"]} == line["spec"]

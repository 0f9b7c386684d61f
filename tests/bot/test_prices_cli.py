"""`gpucost prices`: the operator's commands, on a real store and without a network."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.commands import prices as prices_cli
from bot.commands.prices import prices_command
from prices.history.store import Store
from prices.refresh.run import refresh
from prices.sources.own import source
from tests.engines import engine_of
from tests.prices.feeds import offline, recorded

Run = Callable[..., tuple[int, str]]
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
LIST = "provider,gpu,price,gpu_count,region\nlambda,h100-80gb-sxm,{},8,us-west-1\n"
MORE = "lambda,l40s,1.10,1,us-west-1\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a harness of its own, where no feed reaches the network."""
    monkeypatch.setenv("GPUCOST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("GPUCOST_PRICE_FILES", raising=False)
    monkeypatch.delenv("GPUCOST_FEEDS", raising=False)
    monkeypatch.setattr("prices.refresh.run.Fetcher", offline)
    monkeypatch.setattr(prices_cli, "_now", lambda: NOW)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(home: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command and return its exit code and what it wrote."""

    def command(*words: str) -> tuple[int, str]:
        code = prices_command(words)
        said = capsys.readouterr()
        return code, said.out + said.err

    return command


def store_in(home: Path) -> Store:
    """Open the store of a harness."""
    return Store.open(engine_of(home / "home" / "gpucost.sqlite3"))


def write(home: Path, price: str) -> Path:
    """Write a price list."""
    file = home / "list.csv"
    file.write_text(LIST.format(price) + MORE, "utf-8")
    return file


def test_refresh_says_how_each_feed_ended(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line a feed, a sum, and an exit code that says whether anything came in."""
    monkeypatch.setenv("GPUCOST_PRICE_FILES", str(write(home, "23.92")))

    code, said = run("refresh", "--source", "own list", "--source", "runpod")

    assert 0 == code
    assert "ok   own list           2 offers · 2 listed" in said
    assert "bad  runpod             api.runpod.io cannot be resolved" in said
    assert "1 of 2 feeds polled" in said


def test_refresh_without_any_success_fails(run: Run) -> None:
    """Nothing polled is a failure for the shell."""
    assert 1 == run("refresh", "--source", "lium")[0]


def test_an_unknown_feed_is_named_with_those_there_are(run: Run) -> None:
    """A misspelt feed is not silently nothing."""
    code, said = run("refresh", "--source", "runpots")

    assert (2, True) == (code, "no feed runpots; feeds: gpuhunt, runpod" in said)


def test_settings_of_a_file_count(run: Run, home: Path) -> None:
    """Keys and files may be named in `.env` beside the process."""
    (home / ".env").write_text(f"GPUCOST_PRICE_FILES={write(home, '23.92')}\n", "utf-8")

    assert 0 == run("refresh", "--source", "own list")[0]


def test_a_list_is_loaded_under_a_name_and_a_day(run: Run, home: Path) -> None:
    """Prices enter with the day on which they held."""
    file = str(write(home, "23.92"))

    code, said = run("load", file, "--source", "contract", "--at", "2026-11-01")

    assert (0, True) == (code, "ok   contract           2 offers" in said)
    offers = [o for o in store_in(home).latest("h100-80gb-sxm") if o.region]
    (offer,) = [offer for offer in offers if offer.source == "contract"]
    assert ("2.99", "2026-11-01") == (
        str(offer.usd_per_gpu_hour),
        f"{offer.observed_at:%Y-%m-%d}",
    )


def test_an_older_list_is_refused(run: Run, home: Path) -> None:
    """Prices that are older than what is known are not put over it."""
    file = str(write(home, "23.92"))
    run("load", file, "--source", "contract", "--at", "2026-11-10")

    code, said = run("load", file, "--source", "contract", "--at", "2026-11-01")

    assert (1, True) == (code, "has prices of 2026-11-01 or later" in said)


def test_a_list_of_a_day_to_come_is_refused(
    run: Run, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing was seen then, and it would stand before all that is seen till then."""
    file = str(write(home, "23.92"))

    code, said = run("load", file, "--source", "contract", "--at", "2027-11-01")

    assert (2, True) == (code, "2027-11-01 is still to come" in said)
    assert "contract" not in store_in(home).last_successes()
    with pytest.raises(SystemExit):
        run("load", file, "--source", "contract", "--at", "yesterday")
    assert "“yesterday” is no ISO date or time" in capsys.readouterr().err


def test_a_list_that_cannot_be_read_says_why(run: Run, home: Path) -> None:
    """A missing file, or a column that no field is called, is told."""
    (home / "odd.csv").write_text("provider,gpu,price,regoin\na,l4,1,x\n", "utf-8")

    assert "No such file" in run("load", "none.csv", "--source", "x")[1]
    code, said = run("load", "odd.csv", "--source", "x")
    assert (1, True) == (code, "unknown field 'regoin'" in said)


def test_what_is_kept_back_is_listed_and_released(run: Run, home: Path) -> None:
    """A suspect price shows with its reason, and enters when a person lets it."""
    run("load", str(write(home, "23.92")), "--source", "mine", "--at", "2026-11-20")
    run("load", str(write(home, "80.00")), "--source", "mine", "--at", "2026-11-21")

    code, said = run("quarantine")
    assert (0, True) == (code, "1 kept back: not shown, not alerted" in said)
    assert "jump: +234% at once, $2.99 before" in said

    code, said = run("quarantine", "release", "1")
    assert (0, "Released 1: it stands from now on.\n") == (code, said)
    assert "Nothing is kept back." in run("quarantine")[1]
    prices = [
        str(offer.usd_per_gpu_hour)
        for offer in store_in(home).latest("h100-80gb-sxm")
        if offer.source == "mine"
    ]
    assert ["10"] == prices


def test_a_release_needs_something_held(run: Run) -> None:
    """An id that nothing is held under, or none, is told."""
    assert (1, True) == _has(run("quarantine", "release", "9"), "nothing is kept back")
    assert (2, True) == _has(run("quarantine", "release"), "which one?")


def _has(ran: tuple[int, str], words: str) -> tuple[int, bool]:
    return ran[0], words in ran[1]


def test_sources_tell_age_and_error(run: Run, home: Path) -> None:
    """Last success, age, offers and error stand in a line; keys unset are named."""
    run("load", str(write(home, "23.92")), "--source", "mine", "--at", "2026-11-19")
    run("refresh", "--source", "lium")

    code, said = run("sources")

    assert 0 == code
    lines = {line.split("  ")[0]: line for line in said.splitlines()}
    assert "2026-11-19 00:00" in lines["mine"]
    assert "2 d" in lines["mine"]
    assert "lium.io cannot be resolved" in lines["lium"]
    assert "never" in lines["runpod"]
    assert "LAMBDA_API_KEY" in said
    assert "CC BY 4.0" in said


def test_history_draws_what_moved(run: Run, home: Path) -> None:
    """A chart in the terminal, and the latest steps with their source."""
    for days, price in ((40, "23.92"), (20, "27.92"), (2, "31.92")):
        at = (NOW - timedelta(days=days)).isoformat()
        file = str(write(home, price))
        run("load", file, "--source", "mine", "--at", at)

    code, said = run("history", "h100", "lambda", "--days", "60")

    assert 0 == code
    assert "▁" in said
    assert "$3.99" in said
    assert "2026-11-19" in said
    assert "now" in said


def test_history_of_nothing_says_so(run: Run) -> None:
    """A GPU that nobody sold in that time, and one that nobody knows."""
    code, said = run("history", "gaudi2")
    assert (0, True) == _has((code, said), "No price of gaudi2 was ever recorded")
    assert (2, True) == _has(run("history", "h1000"), "nearest: h100")


def test_show_answers_as_a_question_does(run: Run, home: Path) -> None:
    """The same answer as to "price h100 spot", at a past day too."""
    code, said = run("show", "h100", "--spot", "--at", "2026-08-23")

    assert 0 == code
    assert "spot" in said.splitlines()[0]


def test_every_command_helps(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command says what it does."""
    for command in ("refresh", "show", "history", "load", "quarantine", "sources"):
        with pytest.raises(SystemExit) as ended:
            prices_command([command, "--help"])
        assert 0 == ended.value.code
        assert command in capsys.readouterr().out


def test_the_recorded_owner_files_load(run: Run, home: Path) -> None:
    """The example of the schema, in both forms, loads as it stands."""
    for name in ("own.csv", "own.json"):
        (home / name).write_bytes(recorded(name))
        assert 0 == run("load", name, "--source", name, "--at", "2026-11-20")[0]


def test_two_files_of_one_name_are_two_feeds(home: Path) -> None:
    """Feeds are named after their files, and told apart."""
    from prices.sources.own import sources

    names = [spec.name for spec in sources("a/list.csv b/list.csv https://x.example/")]
    assert ["own list", "own list 2", "own"] == names
    store = (
        store_in(home)
        if (home / "home").exists()
        else Store.open(engine_of(home / "s.db"))
    )
    file = home / "x.json"
    file.write_text(json.dumps([{"provider": "a", "gpu": "l4", "price": 0.5}]), "utf-8")
    (result,) = refresh(store, NOW, [source(str(file), "own x")], offline())
    assert (True, 1) == (result.ok, result.offers)


def test_feeds_that_are_off_are_not_polled(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing to poll is said, and is a failure for the shell."""
    monkeypatch.setenv("GPUCOST_FEEDS", "off")

    assert (
        1,
        "gpucost prices: no feed to poll: GPUCOST_FEEDS is off, or names none\n",
    ) == run("refresh")
    assert "No feed is polled" in run("health")[1]


def test_health_tells_success_lag_and_error(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How often each feed answered in a week, how late it is, and why it failed."""
    file = write(home, "23.92")
    monkeypatch.setenv("GPUCOST_PRICE_FILES", f"{file} {home / 'gone.csv'}")
    monkeypatch.setenv("GPUCOST_FEEDS", "own list,own gone,nobody")
    kept = type(store_in(home).engine)
    for hours in (0, 1, 2, 4):
        at = NOW + timedelta(hours=hours)
        monkeypatch.setattr(prices_cli, "_now", lambda at=at: at)
        monkeypatch.setattr(kept, "now", lambda _, at=at: at)  # a server's own
        if hours == 4:
            file.unlink()
        run("refresh")

    code, said = run("health")
    lines = {line.split("  ")[0]: line for line in said.splitlines()}
    assert (0, True) == (code, "0 of 2 feeds on time" in said)
    assert "3 of 4" in lines["own list"]
    assert " 1 h " in lines["own list"]
    assert str(file)[:30] in lines["own list"]
    assert ("0 of 4" in lines["own gone"], "never" in lines["own gone"]) == (True, True)
    assert "GPUCOST_FEEDS names no feed: nobody" in said


def test_history_reads_days_as_people_write_them(run: Run, home: Path) -> None:
    """The last word may be how far back."""
    store = store_in(home)
    for days, price in ((300, "16"), (30, "24")):
        spec = source(str(write(home, price)), "mine")
        refresh(store, NOW - timedelta(days=days), [spec], offline())

    assert "$2.00" in run("history", "h100", "lambda", "400d")[1]
    assert "$2.00" in run("history", "h100", "lambda", "--days", "400")[1]
    assert "$2.00" not in run("history", "h100", "lambda", "20d")[1]


@pytest.mark.parametrize("place", ["/dev/zero", "large.csv"])
def test_a_list_without_end_is_not_read_to_it(place: str, run: Run, home: Path) -> None:
    """Neither a device, which tells no size, nor a file that is another's export."""
    with (home / "large.csv").open("wb") as file:
        file.truncate(17_000_000)

    code, said = run("load", place, "--source", "mine")

    assert 0 != code
    assert f"{place} has more than 16 MB" in said

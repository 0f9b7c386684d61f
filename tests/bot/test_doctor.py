"""The doctor says what is wrong and how to mend it."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.commands.doctor import examine, findings
from bot.config.secret import SecretStr
from bot.config.settings import Settings
from bot.run.composition import open_store
from prices.refresh.run import refresh
from prices.sources.own import source


def said(settings: Settings) -> str:
    """Everything that the doctor says of an installation."""
    return "\n".join(f"{f.good} {f.what} {f.mend}" for f in findings(settings))


def test_a_fresh_machine_can_answer(tmp_path: Path) -> None:
    """Nothing fatal stands in the way; tokens and old prices are named."""
    found = list(findings(Settings(home=tmp_path)))

    assert not [f for f in found if f.fatal and not f.good]
    report = said(Settings(home=tmp_path))
    assert "SLACK_BOT_TOKEN" in report
    assert "newest price" in report
    assert "h100-80gb" in report


def test_sellers_that_no_table_knows_are_named(tmp_path: Path) -> None:
    """They are kept as they are, and may be a slip in a list of the owner's."""
    file = tmp_path / "list.csv"
    file.write_text("provider,gpu,price\nacme-dc,H100 SXM,2\nlambda,L4,1\n", "utf-8")
    store = open_store(Settings(home=tmp_path))
    refresh(store, datetime.now(UTC), [source(str(file), "mine")])

    report = said(Settings(home=tmp_path))

    assert "no table knows, kept as they are named: acme-dc Questions" in report
    assert "newest price" in report
    assert "(mine), 0 days old" in report


def test_tokens_that_are_set_are_not_asked_for(tmp_path: Path) -> None:
    """Socket Mode needs a bot token and an app token."""
    report = said(
        Settings(
            home=tmp_path,
            slack_bot_token=SecretStr("xoxb-1"),
            slack_app_token=SecretStr("xapp-1"),
        )
    )

    assert "Slack tokens set for Socket Mode" in report
    assert "xoxb" not in report


@pytest.mark.sqlite_alone
def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    """The file is named, and it is fatal."""
    (tmp_path / "gpucost.sqlite3").write_text("this is not SQLite" * 100)
    found = list(findings(Settings(home=tmp_path)))

    (bad,) = [f for f in found if f.fatal and not f.good]
    assert "gpucost.sqlite3" in bad.what
    assert "GPUCOST_HOME" in bad.mend


def test_the_exit_code_says_whether_questions_can_be_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Zero on a fresh machine, with a line for each finding."""
    monkeypatch.setenv("GPUCOST_HOME", str(tmp_path))

    assert examine() == 0
    assert "offers of" in capsys.readouterr().out

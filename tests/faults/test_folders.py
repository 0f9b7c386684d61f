"""Folders: one made for the database is private, and one misnamed is said to be."""

import stat
from pathlib import Path

import pytest

from bot.commands.cli import main
from prices.history.store import Store
from prices.records.answers import AnswerBook
from tests.engines import engine_of
from tests.faults.files import current

pytestmark = pytest.mark.sqlite_alone


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of an installation."""
    file = current(tmp_path)
    monkeypatch.setenv("GPUCOST_HOME", str(file.parent))
    return file.parent


@pytest.mark.parametrize("book", [Store.open, AnswerBook])
def test_a_home_that_we_make_is_its_owners_alone(
    book: type[AnswerBook], tmp_path: Path
) -> None:
    """What a workspace asked and negotiated is not for the machine's other people."""
    book(engine_of(tmp_path / "made" / "gpucost.sqlite3"))

    assert 0o700 == stat.S_IMODE((tmp_path / "made").stat().st_mode)


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_backup_into_a_folder_is_refused_in_words(
    force: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It asks for a file, whatever may be replaced."""
    assert 0 != main(["backup", str(tmp_path), *force])

    said = f"gpucost: {tmp_path} is a folder: name a file in it\n"
    assert said == capsys.readouterr().err


@pytest.mark.usefixtures("home")
def test_a_backup_into_no_folder_names_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It speaks of the folder that is missing, not of a file of our own beside it."""
    assert 0 != main(["backup", str(tmp_path / "none" / "copy.sqlite3")])

    said = f"gpucost: there is no folder {tmp_path / 'none'}\n"
    assert said == capsys.readouterr().err

"""Who else can read the bot's database, and the command that ends it."""

import grp
import os
import pwd
import shlex
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bot.commands.doctor import findings
from bot.config.check_result import CheckResult
from bot.config.settings import Settings
from bot.operate.privacy import private, secret

OWNER = pwd.getpwuid(os.getuid()).pw_name


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that everybody may enter: pytest's own are closed."""
    with TemporaryDirectory() as folder:
        if not all(
            above.stat().st_mode & stat.S_IXOTH for above in Path(folder).parents
        ):
            pytest.skip(f"others cannot come near {folder}: nothing in it is open")
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def file(public: Path) -> Path:
    """A database in a home whose name a shell would take apart."""
    made = public / "the home" / "gpucost.sqlite3"
    made.parent.mkdir()
    made.write_bytes(b"")
    return made


def look(file: Path, folder: int, mode: int) -> CheckResult:
    """What is said of a database with such modes."""
    file.chmod(mode)
    file.parent.chmod(folder)
    (found,) = private(file)
    return found


@pytest.mark.parametrize(
    ("folder", "mode"), [(0o700, 0o644), (0o755, 0o600), (0o711, 0o600), (0o700, 0o666)]
)
def test_a_closed_door_is_enough(file: Path, folder: int, mode: int) -> None:
    """Either the folder or the file keeps others out."""
    assert look(file, folder, mode).good


@pytest.mark.parametrize(
    ("folder", "mode", "able"),
    [
        (0o755, 0o644, "can read "),
        (0o711, 0o604, "can read "),
        (0o777, 0o600, "can read and replace "),
    ],
)
def test_an_open_database_is_named_with_what_closes_it(
    file: Path, folder: int, mode: int, able: str
) -> None:
    """The command that is said, typed as it stands, mends it; answers go on."""
    found = look(file, folder, mode)

    assert not found.good
    assert not found.fatal
    assert able in found.what
    assert f"mode {mode:04o}, in a folder of {folder:04o}" in found.what
    subprocess.run(shlex.split(found.mend.split("`")[1]), check=True)
    assert next(private(file)).good


def test_a_closed_folder_above_is_enough(file: Path, public: Path) -> None:
    """Most people's home folder is their own, and what is in it with it."""
    public.chmod(0o700)

    assert look(file, 0o755, 0o644).good


def test_a_file_of_tokens_is_looked_at_too(public: Path) -> None:
    """The command closes it; one that is closed is not worth a line."""
    file = public / ".env"
    file.write_text("SLACK_BOT_TOKEN=xoxb-1")
    file.chmod(0o644)

    (found,) = secret(file)

    assert not found.good
    assert "xoxb" not in found.what
    subprocess.run(shlex.split(found.mend.split("`")[1]), check=True)
    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    assert [] == [*secret(file)]
    assert [] == [*secret(public / "none")]


def test_what_waits_in_the_log_is_looked_at_too(file: Path) -> None:
    """The newest rows stand there alone until they are folded in."""
    Path(f"{file}-wal").write_bytes(b"")
    Path(f"{file}-wal").chmod(0o644)

    assert not look(file, 0o755, 0o600).good


@pytest.mark.parametrize(
    ("members", "good"), [([], True), ([OWNER], True), ([OWNER, "bob"], False)]
)
def test_a_group_counts_where_somebody_else_is_in_it(
    file: Path, monkeypatch: pytest.MonkeyPatch, members: list[str], good: bool
) -> None:
    """On many machines everybody has a group of their own."""
    made = grp.struct_group(("ops", "x", file.stat().st_gid, members))
    monkeypatch.setattr(grp, "getgrgid", lambda number: made)

    assert good is look(file, 0o750, 0o640).good


@pytest.mark.sqlite_alone
def test_the_doctor_says_so(public: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home that was made by hand is as open as the machine's habits."""
    monkeypatch.chdir(public)
    (public / ".env").write_text("")
    (public / ".env").chmod(0o644)
    home = public / "home"
    home.mkdir()
    home.chmod(0o755)
    list(findings(Settings(home=home)))  # makes the database
    (home / "gpucost.sqlite3").chmod(0o644)

    said = [f"{f.what} {f.mend}" for f in findings(Settings(home=home)) if not f.good]

    assert f"`chmod 700 {home}`" in "\n".join(said)
    assert f"`chmod 600 {public / '.env'}`" in "\n".join(said)


def test_where_there_is_no_database_nothing_is_said(tmp_path: Path) -> None:
    """There is nothing to read yet."""
    assert [] == [*private(tmp_path / "gpucost.sqlite3")]

"""Backups are whole while others write, and come back whatever the file is like."""

import sqlite3
import stat
import subprocess
import sys
import threading
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.commands.cli import main
from prices.database.connection import StoreError
from prices.history.store import Store
from prices.records.preferences import Preferences, Setting
from prices.upkeep import locks
from prices.upkeep.checking import check
from prices.upkeep.copying import back_up, damage_of
from prices.upkeep.restoring import restore
from tests.engines import engine_of
from tests.faults.files import beside, digest, dump, made_at, released, rows

pytestmark = pytest.mark.sqlite_alone

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of an installation in which somebody set a currency."""
    folder = tmp_path / "home"
    monkeypatch.setenv("GPUCOST_HOME", str(folder))
    set_currency(made_at(file_of(folder)), "EUR")
    return folder


def file_of(home: Path) -> Path:
    """Name the database of a home."""
    return home / "gpucost.sqlite3"


def set_currency(path: Path, value: str) -> None:
    """Change something that a backup then has, or has not."""
    Preferences(engine_of(path)).set("T1", Setting("currency", value, "", "U1", NOON))


def currency(path: Path) -> str | None:
    """Read it again."""
    held = Preferences(engine_of(path)).of("T1").get("currency")
    return held.value if held else None


def test_a_backup_comes_back(home: Path, tmp_path: Path) -> None:
    """What was changed since is undone, and kept aside."""
    backup = str(tmp_path / "backup")
    assert 0 == main(["backup", backup])
    set_currency(file_of(home), "GBP")

    assert 0 == main(["restore", backup])

    assert "EUR" == currency(file_of(home))
    (kept,) = [name for name in beside(file_of(home)) if "before-restore" in name]
    assert "GBP" == currency(home / kept)


def test_a_backup_is_one_private_file(home: Path, tmp_path: Path) -> None:
    """Only its owner reads it, and nothing has to lie beside it."""
    main(["backup", str(tmp_path / "backup")])

    made = tmp_path / "backup"
    assert 0o600 == stat.S_IMODE(made.stat().st_mode)
    assert ["backup", "home"] == sorted(file.name for file in tmp_path.iterdir())
    with closing(sqlite3.connect(f"file:{made}?immutable=1", uri=True)) as connection:
        assert ("delete",) == connection.execute("PRAGMA journal_mode").fetchone()
        assert [("EUR",)] == connection.execute(
            "SELECT value FROM preferences"
        ).fetchall()


def test_nothing_is_overwritten_unasked(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that is there stays, byte for byte, until --force."""
    there = tmp_path / "there"
    there.write_text("somebody's thesis")

    assert 2 == main(["backup", str(there)])

    assert "somebody's thesis" == there.read_text()
    assert "--force" in capsys.readouterr().err
    assert 0 == main(["backup", str(there), "--force"])
    assert [] == damage_of(there)


def test_a_backup_goes_down_a_pipe(home: Path, tmp_path: Path) -> None:
    """`-` writes the whole file to standard output, and nothing else."""
    program = [sys.executable, "-m", "bot.commands.cli", "backup", "-"]
    piped = tmp_path / "piped"
    with piped.open("wb") as target:
        subprocess.run(program, stdout=target, check=True)

    assert [] == damage_of(piped)
    assert "EUR" == currency(piped)


def test_a_backup_is_of_one_instant(home: Path, tmp_path: Path) -> None:
    """While others write, two tables that change together are equal in each copy."""
    path, stop = file_of(home), threading.Event()
    with engine_of(path).writing() as connection:
        connection.execute("CREATE TABLE a (n INTEGER, filling TEXT)")
        connection.execute("CREATE TABLE b (n INTEGER, filling TEXT)")

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            with engine_of(path).writing() as connection:
                for table in ("a", "b"):
                    connection.execute(
                        f"INSERT INTO {table} VALUES (?, ?)",  # noqa: S608
                        (number, "x" * 9_000),
                    )

    writer = threading.Thread(target=write)
    writer.start()
    try:
        copies = [tmp_path / f"copy{n}" for n in range(8)]
        for copy in copies:
            before = rows(path, "SELECT count(*) FROM a")
            back_up(path, copy, progress=None)
            while rows(path, "SELECT count(*) FROM a") == before:
                time.sleep(0.001)
    finally:
        stop.set()
        writer.join()

    numbers = [rows(copy, "SELECT count(*), max(n) FROM a") for copy in copies]
    assert numbers == [rows(copy, "SELECT count(*), max(n) FROM b") for copy in copies]
    assert numbers[-1] > numbers[0]


def test_progress_is_told(home: Path, tmp_path: Path) -> None:
    """Bytes done grow to the whole."""
    told: list[tuple[int, int]] = []
    with engine_of(file_of(home)).writing() as connection:
        connection.execute("CREATE TABLE big (filling TEXT)")
        connection.execute("INSERT INTO big VALUES (zeroblob(20000000))")

    back_up(file_of(home), tmp_path / "b", progress=lambda *s: told.append(s))

    done = [copied for copied, _ in told]
    assert sorted(done) == done
    assert len(done) > 2
    assert told[-1][0] == told[-1][1] > 20_000_000


def test_a_damaged_database_makes_no_backup(home: Path, tmp_path: Path) -> None:
    """The copy is read back: a backup that is broken never gets a name."""
    break_pages(file_of(home))

    with pytest.raises(StoreError, match="damaged"):
        back_up(file_of(home), tmp_path / "backup", progress=None)

    assert ["home"] == [file.name for file in tmp_path.iterdir()]


def break_pages(path: Path) -> None:
    """Flip bytes in every page but the first."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    for start in range(4096, len(content), 4096):
        content[start : start + 40] = bytes(
            b ^ 0x5A for b in content[start : start + 40]
        )
    path.write_bytes(content)


@pytest.mark.parametrize("how", ["pages", "header", "gone", "empty"])
def test_a_backup_mends_any_damage(how: str, home: Path, tmp_path: Path) -> None:
    """The broken file is kept aside as it was, with its logs."""
    path, backup = file_of(home), tmp_path / "backup"
    back_up(path, backup, progress=None)
    if how == "pages":
        break_pages(path)
    elif how == "header":
        path.write_bytes(b"not a database at all" * 400)
    elif how == "gone":
        path.unlink()
    else:
        path.write_bytes(b"")
    broken = digest(path) if path.exists() else ""

    done = restore(path, backup)

    assert () == check(path).damage
    assert "EUR" == currency(path)
    assert (done.kept is None) == (how == "gone")
    if done.kept and how != "empty":
        assert broken == digest(done.kept)


def test_without_a_database_there_is_nothing_to_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is said, and no file is made, neither here nor there."""
    monkeypatch.setenv("GPUCOST_HOME", str(tmp_path / "none"))

    for words in (["backup", str(tmp_path / "b")], ["db", "check"], ["audit"]):
        assert 1 == main(words)
        assert "there is no database at" in capsys.readouterr().err
    assert 0 == main(["migrate"])

    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("nothing", "there is no file"),
        ("text", "is damaged"),
        ("cut", "is damaged"),
        ("other", "not a backup of gpucost"),
        ("newer", "newer version of gpucost"),
        ("itself", "is the database itself"),
    ],
)
def test_what_is_no_backup_is_refused_first(
    what: str, said: str, home: Path, tmp_path: Path
) -> None:
    """The reason is told, and the database is as it was."""
    path, backup = file_of(home), tmp_path / "backup"
    if what == "text":
        backup.write_text("this is no database" * 100)
    elif what == "cut":
        back_up(path, backup, progress=None)
        backup.write_bytes(backup.read_bytes()[: 4096 * 7])
    elif what in ("other", "newer"):
        with closing(sqlite3.connect(backup)) as connection, connection:
            connection.execute("CREATE TABLE words (word TEXT)")
    if what == "newer":
        backup.unlink()
        back_up(path, backup, progress=None)
        with closing(sqlite3.connect(backup)) as connection, connection:
            connection.execute(
                "UPDATE _sqlite_migrations SET name = 'm900'"
                " WHERE migration_set = 'feeds'"
            )
    before = dump(path)

    with pytest.raises(StoreError, match=said):
        restore(path, path if what == "itself" else backup)

    assert before == dump(path)
    assert [] == beside(path)


def test_an_older_backup_is_brought_forward(home: Path, tmp_path: Path) -> None:
    """It is migrated before it is put in place."""
    (tmp_path / "old").mkdir()
    backup = released("06.sql", tmp_path / "old")

    done = restore(file_of(home), backup)

    assert "answers: m002_by_age" in done.steps
    assert () == check(file_of(home)).pending
    assert 2 == len(Store.open(engine_of(file_of(home))).catalog(NOON).gpus)


def test_a_served_database_is_not_replaced(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unless it is forced; and while it is replaced, no bot starts."""
    path, backup = file_of(home), str(tmp_path / "backup")
    main(["backup", backup])
    set_currency(path, "GBP")

    with locks.serving(path):
        assert check(path).served
        assert 1 == main(["restore", backup])
        assert "stop it first" in capsys.readouterr().err
        assert "GBP" == currency(path)
        with locks.serving(path):  # a second one, while the first one ends
            assert 0 == main(["restore", backup, "--force"])
    assert "EUR" == currency(path)
    with (
        locks.alone(path),
        pytest.raises(locks.InUseError, match="start again soon"),
        locks.serving(path),
    ):
        pass


def test_a_killed_bot_holds_nothing(home: Path) -> None:
    """The lock of a process that is killed goes with it."""
    code = (
        "import sys, time; from pathlib import Path; from prices.upkeep import locks\n"
        "with locks.serving(Path(sys.argv[1])):\n"
        "    print('serving', flush=True); time.sleep(60)"
    )
    bot = subprocess.Popen(
        [sys.executable, "-c", code, str(file_of(home))], stdout=subprocess.PIPE
    )
    assert bot.stdout is not None
    bot.stdout.readline()
    assert locks.is_served(file_of(home))

    bot.kill()
    bot.communicate()

    assert not locks.is_served(file_of(home))


def test_who_reads_meanwhile_sees_old_or_new(home: Path, tmp_path: Path) -> None:
    """A restore is one transaction: a reader that began before goes on undisturbed."""
    path, backup = file_of(home), tmp_path / "backup"
    back_up(path, backup, progress=None)
    set_currency(path, "GBP")
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        last = "SELECT value FROM preferences ORDER BY id DESC LIMIT 1"
        assert ("GBP",) == reader.execute(last).fetchone()

        restore(path, backup, forced=True)

        assert ("GBP",) == reader.execute(last).fetchone()
        reader.execute("COMMIT")
        assert ("EUR",) == reader.execute(last).fetchone()


def test_the_trail_tells_of_backups(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The check says when the last one was made."""
    assert check(file_of(home)).last_backup is None

    main(["backup", str(tmp_path / "backup")])

    made = check(file_of(home)).last_backup
    assert made is not None
    assert datetime.now(UTC) - made < timedelta(minutes=1)
    capsys.readouterr()
    main(["audit", "--action", "backed"])
    assert "database backed up" in capsys.readouterr().out

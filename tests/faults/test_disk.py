"""A full disk, a read-only one, a locked file, a broken page: errors are answers."""

import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.commands.cli import main
from bot.commands.doctor import findings
from bot.config.settings import Settings
from bot.question.asking import AskContext
from bot.run.composition import compose
from bot.run.schedule import Chore, Timekeeper, every
from bot.service.answering import Answering
from prices.alerts.tables import prepare_alerts
from prices.database import sqlite
from prices.database.connection import DatabaseError, StoreError, reason
from prices.history.store import Store
from prices.records.preferences import Preferences, Setting
from prices.snapshot import datasets, read_poll
from prices.upkeep import schema
from prices.upkeep.checking import check
from prices.upkeep.copying import back_up
from prices.upkeep.migrating import upgrade
from prices.upkeep.restoring import restore
from tests.engines import engine_of
from tests.faults.disks import fill, freeze, small_disk
from tests.faults.files import beside, dump, hurry

pytestmark = pytest.mark.sqlite_alone

CONTEXT = AskContext(surface="message", team_id="T1", channel_id="C1", user_id="U1")
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of six megabytes."""
    with small_disk(tmp_path / "disk", 6) as folder:
        yield folder


def asked(answering: Answering, question: str) -> tuple[str, str]:
    """Ask, and return the kind of the answer and all its notes."""
    view = answering.ask(question, context=CONTEXT)
    return view.kind, " ".join((view.verdict, view.why, *view.notes))


def test_an_answer_survives_a_full_disk(disk: Path) -> None:
    """It is given and says that it is not kept; with space again all is kept."""
    answering = compose(Settings(home=disk))
    assert "could not save" not in asked(answering, "70b inference 50rps")[1]
    filling = fill(disk)

    kind, told = asked(answering, "8b chat 20rps")

    assert "answer" == kind
    assert "We could not save this answer (the disk is full" in told
    filling.unlink()
    kind, told = asked(answering, "8b chat 30rps")
    assert ("answer", False) == (kind, "could not save" in told)
    assert () == check(disk / "gpucost.sqlite3").damage


LIMITED = """
import resource, sys
from pathlib import Path
from bot.question.asking import AskContext
from bot.run.composition import compose
from bot.config.settings import Settings
context = AskContext(surface="terminal")
answering = compose(Settings(home=Path(sys.argv[1])))
answering.ask("70b inference 50rps", context=context)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
view = answering.ask("8b chat 20rps", context=context)
print(view.kind, *view.notes)
"""


def test_an_answer_survives_files_that_may_not_grow(tmp_path: Path) -> None:
    """The same where no small disk can be mounted: the kernel refuses every write."""
    program = [sys.executable, "-c", LIMITED, str(tmp_path)]

    done = subprocess.run(program, check=True, capture_output=True, text=True)

    assert done.stdout.startswith("answer ")
    assert "We could not save this answer (the disk is full" in done.stdout
    assert () == check(tmp_path / "gpucost.sqlite3").damage


def test_a_poll_on_a_full_disk_changes_nothing(disk: Path) -> None:
    """The prices of before stand; the same poll is recorded once there is space."""
    path = disk / "gpucost.sqlite3"
    store = Store.open(engine_of(path))
    first, *_, last = (read_poll(dataset) for dataset in datasets())
    store.record(first)
    offers = store.catalog(NOON).offers
    filling = fill(disk)

    with pytest.raises(DatabaseError) as refused:
        store.record(last)

    assert "the disk is full" == reason(refused.value)
    assert offers == store.catalog(NOON).offers
    assert [first.source] == [source.name for source in store.sources()]
    filling.unlink()
    assert store.record(last).listed
    assert () == check(path).damage


def test_a_setting_that_cannot_be_kept_is_not_half_kept(disk: Path) -> None:
    """Neither the setting nor its entry in the audit trail is there."""
    path = disk / "gpucost.sqlite3"
    preferences = Preferences(engine_of(path))
    preferences.set("T1", Setting("currency", "EUR", "", "U1", NOON))
    fill(disk)

    with pytest.raises(DatabaseError) as refused:
        preferences.set("T1", Setting("currency", "x" * 99_999, "", "U1", NOON))

    assert "the disk is full" == reason(refused.value)
    with engine_of(path).reading() as connection:
        counted = (
            "SELECT (SELECT count(*) FROM preferences), (SELECT count(*) FROM audit)"
        )
        kept, told = connection.execute(counted).fetchone()
    assert (1, 1) == (kept, told)


def test_chores_outlive_a_full_disk(
    disk: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What no lease can be kept for is put off, said, and done once there is space."""
    path = disk / "gpucost.sqlite3"
    prepare_alerts(engine_of(path))
    done: list[datetime] = []
    often = every(timedelta(seconds=0.05))
    chore = Chore("look", often, done.append, at_once=True)
    made = Timekeeper(engine_of(path), [chore], lambda: datetime.now(UTC), "me")
    made.start()
    try:
        until(lambda: bool(done))
        filling = fill(disk)
        until(lambda: "a lease of look not kept: the disk is full" in caplog.text)
        filling.unlink()
        before = len(done)
        until(lambda: len(done) > before)
    finally:
        made.shutdown()


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    ends = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.01)


def test_a_backup_to_a_full_disk_leaves_nothing(disk: Path, tmp_path: Path) -> None:
    """The reason is told; no half a backup lies there under its name or another."""
    path = tmp_path / "home" / "gpucost.sqlite3"
    compose(Settings(home=path.parent))
    fill(disk).with_name("room").write_bytes(b"")

    with pytest.raises(StoreError, match="the disk is full"):
        back_up(path, disk / "backup", progress=None)

    assert ["filling", "room"] == sorted(file.name for file in disk.iterdir())


def test_a_restore_to_a_full_disk_leaves_the_old(disk: Path, tmp_path: Path) -> None:
    """What was there is there."""
    path, backup = disk / "gpucost.sqlite3", tmp_path / "backup"
    Store.open(engine_of(path))
    back_up(path, backup, progress=None)
    Preferences(engine_of(path))
    before = dump(path)
    fill(disk)

    with pytest.raises((StoreError, OSError)):
        restore(path, backup)

    (disk / "filling").unlink()
    assert before == dump(path)
    assert [] == beside(path)


def test_a_migration_that_fills_the_disk_changes_nothing(
    disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There seemed to be space for it, and then there was none."""
    path = disk / "gpucost.sqlite3"
    compose(Settings(home=disk))
    before = dump(path)
    plenty = type("Usage", (), {"free": 10**12})
    monkeypatch.setattr("shutil.disk_usage", lambda _: plenty)
    big = "CREATE TABLE big (filling); INSERT INTO big VALUES (zeroblob(9000000));"

    with pytest.raises(StoreError, match="nothing was changed: the disk is full"):
        upgrade(path, also={"answers": {**schema.SETS["answers"], "m999_big": big}})

    assert before == dump(path)
    assert [] == beside(path)


def test_the_terminal_names_the_full_disk(disk: Path) -> None:
    """Without a database to begin with it says why, and what to do; no traceback."""
    fill(disk)
    program = [sys.executable, "-m", "bot.commands.cli", "70b 50rps"]
    environment = {"GPUCOST_HOME": str(disk), "PATH": "/usr/bin:/bin"}

    done = subprocess.run(
        program, env=environment, check=False, capture_output=True, text=True
    )

    assert 1 == done.returncode
    assert "Free some space" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_read_only_disk_still_answers(disk: Path) -> None:
    """From what it has; neither prices nor answers can be written, and that is said."""
    compose(Settings(home=disk)).ask("70b inference 50rps", context=CONTEXT)
    freeze(disk)

    kind, told = asked(compose(Settings(home=disk)), "8b chat 20rps")

    assert "answer" == kind
    assert "We could not save this answer (the database cannot be" in told
    assert () == check(disk / "gpucost.sqlite3").damage


def test_the_doctor_names_a_read_only_disk(disk: Path) -> None:
    """Answers are still given there, but no bot would start."""
    settings = Settings(home=disk)
    compose(settings)
    assert not [f for f in findings(settings) if not f.good and f.fatal]
    freeze(disk)

    (found,) = (f for f in findings(settings) if not f.good and f.fatal)

    assert "cannot be written" in found.what


def test_a_backup_is_made_of_a_read_only_disk(disk: Path, tmp_path: Path) -> None:
    """That is when one is wanted most."""
    compose(Settings(home=disk))
    freeze(disk)

    back_up(disk / "gpucost.sqlite3", tmp_path / "backup", progress=None)

    assert () == check(tmp_path / "backup").damage


def test_a_locked_database_still_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody holds the write lock for longer than an answer waits."""
    hurry(monkeypatch)
    answering = compose(Settings(home=tmp_path))
    with closing(sqlite3.connect(tmp_path / "gpucost.sqlite3")) as other:
        other.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        kind, told = asked(answering, "8b chat 20rps")
        waited = time.monotonic() - began

    assert "answer" == kind
    assert "this answer (another process has locked the database" in told
    assert waited < 5


def test_a_file_that_is_locked_for_readers_too_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then there is no answer; people hear within seconds who is at fault."""
    assert sqlite.READER_PATIENCE_S <= 5
    monkeypatch.setattr(sqlite, "READER_PATIENCE_S", 0.1)
    answering = compose(Settings(home=tmp_path))
    with closing(sqlite3.connect(tmp_path / "gpucost.sqlite3")) as other:
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        kind, told = asked(answering, "8b chat 20rps")

    assert "error" == kind
    assert "another process has locked the database" in told


def test_a_lock_that_goes_away_is_waited_for(tmp_path: Path) -> None:
    """A poll that is being written keeps no answer from being kept."""
    answering = compose(Settings(home=tmp_path))
    locked = threading.Event()

    def hold() -> None:
        with closing(sqlite3.connect(tmp_path / "gpucost.sqlite3")) as other:
            other.execute("BEGIN IMMEDIATE")
            locked.set()
            time.sleep(0.5)

    holder = threading.Thread(target=hold)
    holder.start()
    locked.wait()
    kind, told = asked(answering, "8b chat 20rps")
    holder.join()

    assert ("answer", False) == (kind, "could not save" in told)


def break_table(path: Path, table: str) -> None:
    """Flip bytes in the pages of one table."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        pages = connection.execute(
            "SELECT pageno FROM dbstat JOIN sqlite_master USING (name)"
            " WHERE tbl_name = ?",
            (table,),
        ).fetchall()
    content = bytearray(path.read_bytes())
    for (page,) in pages:
        start = (page - 1) * 4096
        content[start : start + 64] = bytes(64)
    path.write_bytes(content)


def test_a_broken_page_is_named_and_mended(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The answer says how, the check finds it, and a backup brings all back."""
    home = tmp_path / "home"
    monkeypatch.setenv("GPUCOST_HOME", str(home))
    answering = compose(Settings(home=home))
    backup = str(tmp_path / "backup")
    main(["backup", backup])
    break_table(home / "gpucost.sqlite3", "offers")

    kind, told = asked(answering, "8b chat 20rps")
    assert "error" == kind
    assert "the database is damaged" in told
    assert "gpucost restore FILE" in told
    assert 1 == main(["db", "check"])
    assert "bad " in capsys.readouterr().out
    assert 1 == main(["8b chat 20rps"])
    assert "gpucost restore FILE" in "".join(capsys.readouterr())

    assert 0 == main(["restore", backup])

    assert 0 == main(["db", "check"])
    assert "answer" == asked(answering, "8b chat 20rps")[0]

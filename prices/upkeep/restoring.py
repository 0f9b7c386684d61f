"""Put a backup in the place of a database, whose old content is kept aside."""

from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from core.wording import say
from prices.database import files
from prices.database.connection import DatabaseError, StoreError, reason
from prices.database.sqlite import Sqlite
from prices.database.tables import newer
from prices.records.audit import OPERATOR, Entry, note, prepare_audit
from prices.upkeep import copying, locks, schema
from prices.upkeep.migrating import aside

LOGS = ("-wal", "-shm", "-journal")


class Restored(Struct, frozen=True):
    """What was put in place."""

    size_bytes: int
    steps: tuple[str, ...]
    """How the backup was brought forward on the way."""
    kept: Path | None
    """Where the old content went; None where there was none."""


def restore(
    path: Path, backup: Path, *, by: str = "gpucost", forced: bool = False
) -> Restored:
    """Restore a backup; what is wrong with it is found before anything is touched.

    `forced`: even while a bot serves, which then sees the new content at once.
    """
    _refuse_unfit(path, backup)
    path.parent.mkdir(parents=True, exist_ok=True)
    with locks.alone(path, forced=forced), copying.staged(path) as part:
        copying.copy(backup, part)
        steps = _brought_forward(part, backup)
        kept = _put(part, path)
    _tell(path, backup, kept, by)
    return Restored(path.stat().st_size, steps, kept)


def _refuse_unfit(path: Path, backup: Path) -> None:
    if not backup.is_file():
        raise StoreError(say("database.no_file", backup=backup))
    if path.exists() and backup.samefile(path):
        raise StoreError(say("database.backup_is_itself", backup=backup))
    if faults := copying.damage_of(backup):
        raise StoreError(
            say("database.backup_damaged", backup=backup, faults=faults[0])
        )
    with Sqlite(backup).reading() as connection:
        held = {state.owner for state in schema.states(connection)}
        unknown = schema.unknown(connection)
    if "prices" not in held:
        raise StoreError(say("database.backup_without_prices", backup=backup))
    if unknown:
        raise StoreError(newer(backup, unknown))


def _brought_forward(part: Path, backup: Path) -> tuple[str, ...]:
    with Sqlite(part).reading() as connection:
        steps = schema.pending(connection)
    if not steps:
        return steps
    try:
        with Sqlite(part).writing() as connection:
            schema.apply_all(connection)
    except DatabaseError as fault:
        said = say("database.backup_not_migrated", backup=backup)
        raise StoreError(f"{said}: {reason(fault)}") from fault
    return steps


def _put(part: Path, path: Path) -> Path | None:
    """Put a file's content in place; a database too broken to write to is moved."""
    if not path.exists():
        files.settle(part)
        part.replace(path)
        return None
    try:
        kept = aside(path, "before-restore")
        files.overwrite(path, part)
    except (StoreError, DatabaseError):
        if copying.damage_of(path) == []:
            raise  # whole, but locked or without space: it stays
        kept = _moved(path)
        files.settle(part)
        part.replace(path)
    return kept


def _moved(path: Path) -> Path:
    """Move a broken database aside with the logs that belong to it."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    kept = Path(f"{path}.before-restore-{stamp}")
    for log in LOGS:
        if Path(f"{path}{log}").exists():
            Path(f"{path}{log}").rename(f"{kept}{log}")
    return path.rename(kept)


def _tell(path: Path, backup: Path, kept: Path | None, by: str) -> None:
    prepare_audit(Sqlite(path))
    was = f"before it: {kept.name}" if kept else say("database.nothing_before")
    entry = Entry(
        at=datetime.now(UTC),
        team_id=OPERATOR,
        user_id=by,
        action="database restored",
        subject=str(backup),
        after=was,
    )
    with Sqlite(path).writing() as connection:
        note(connection, entry)

"""Bring a file forward: on a copy first, then in one transaction."""

import shutil
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from msgspec import Struct

from core.wording import say
from prices.database.connection import (
    Connection,
    DatabaseError,
    Engine,
    RuleError,
    StoreError,
    reason,
)
from prices.database.sqlite import Sqlite
from prices.database.tables import newer
from prices.records.audit import OPERATOR, Entry, note
from prices.upkeep import copying, locks, schema

COPIES = 2
"""One is kept aside, one is migrated first."""
SLACK_BYTES = 16_000_000
"""For the log of the transaction and what else the machine writes meanwhile."""


class Plan(Struct, frozen=True):
    """What migrating a file would do."""

    path: Path
    steps: tuple[str, ...]
    unknown: tuple[str, ...]
    size_bytes: int
    needed_bytes: int
    free_bytes: int
    sets: schema.Sets
    """Every step that this program knows."""


class Upgraded(Struct, frozen=True):
    """What migrating a file did."""

    steps: tuple[str, ...]
    kept: Path
    """The file as it was."""
    seconds: float


def plan(path: Path, also: schema.Sets | None = None) -> Plan:
    """Say what would be done to a file, and which space that takes.

    `also` names sets of tables beside those that the product has.
    """
    sets = {**schema.SETS, **(also or {})}
    try:
        with Sqlite(path).reading() as connection:
            steps = schema.pending(connection, sets)
            unknown = tuple(schema.unknown(connection, sets))
    except DatabaseError as fault:
        raise StoreError(
            say("database.unreadable", place=path, reason=reason(fault))
        ) from fault
    parts = (path, Path(f"{path}-wal"))
    size = sum(part.stat().st_size for part in parts if part.exists())
    needed = (COPIES + 1) * size + SLACK_BYTES if steps else 0
    free = shutil.disk_usage(path.absolute().parent).free
    return Plan(path, steps, unknown, size, needed, free, sets)


def rehearse(planned: Plan) -> float:
    """Migrate a copy that nobody keeps, and return how many seconds that took."""
    _refuse_unfit(planned)
    with copying.staged(Path(f"{planned.path}.rehearsal")) as part:
        copying.copy(planned.path, part)
        return _migrated(part, planned.sets)


def upgrade(
    path: Path, *, by: str = "gpucost", also: schema.Sets | None = None
) -> Upgraded | None:
    """Migrate a file; None where nothing is missing.

    A migration that fails on the copy has not touched the file. One that fails on the
    file itself, or is killed there, is rolled back by SQLite: it is one transaction.
    """
    with locks.upgrading(path):
        planned = plan(path, also)
        _refuse_newer(planned)
        if not planned.steps:
            return None
        began = monotonic()
        kept = aside(path, "before-migration")
        try:
            rehearse(planned)
            _apply(planned, kept, by)
        except BaseException:
            kept.unlink(missing_ok=True)  # nothing has changed: the file itself is old
            raise
        return Upgraded(planned.steps, kept, monotonic() - began)


def upgrade_server(
    engine: Engine, *, by: str = "gpucost", dry: bool = False
) -> tuple[str, ...]:
    """Bring tables on a server forward in one transaction; return the steps.

    One process does it, the others wait. Steps only add, so that processes of the
    version before go on meanwhile. `dry`: everything is done, and then taken back.
    """
    steps: tuple[str, ...] = ()
    try:
        with engine.writing() as connection:
            if unknown := schema.unknown(connection):
                raise StoreError(newer(engine, unknown))
            if steps := schema.pending(connection):
                _advance(connection, schema.SETS)
                _note(connection, steps, "", by)
            if dry:
                raise _TakenBackError
    except _TakenBackError:
        pass
    except DatabaseError as fault:
        raise StoreError(_failed(fault)) from fault
    return steps


class _TakenBackError(Exception):
    """What was done for a look alone."""


def aside(path: Path, why_kept: str) -> Path:
    """Keep a checked copy of a file beside it, under the instant at which it was."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    kept = Path(f"{path}.{why_kept}-{stamp}")
    return copying.back_up(path, kept, progress=None).path


def _refuse_newer(planned: Plan) -> None:
    if planned.unknown:
        raise StoreError(newer(planned.path, list(planned.unknown)))


def _refuse_unfit(planned: Plan) -> None:
    _refuse_newer(planned)
    if planned.free_bytes < planned.needed_bytes:
        raise StoreError(
            say(
                "database.migration_needs_space",
                place=planned.path,
                needed_mb=planned.needed_bytes / 1e6,
                free_mb=planned.free_bytes / 1e6,
            )
        )


def _migrated(path: Path, sets: schema.Sets) -> float:
    """Migrate a copy and look whether all of it is still there."""
    began = monotonic()
    try:
        with Sqlite(path).writing() as connection:
            _advance(connection, sets)
        faults = copying.damage_of(path)
    except (DatabaseError, ArithmeticError, LookupError, ValueError) as fault:
        raise StoreError(_failed(fault)) from fault
    if faults:
        raise StoreError(say("database.migration_damaged", faults=faults))
    return monotonic() - began


def _apply(planned: Plan, kept: Path, by: str) -> None:
    try:
        with Sqlite(planned.path).writing() as connection:
            if not schema.pending(connection, planned.sets):
                return
            _advance(connection, planned.sets)
            _tell(connection, planned, kept, by)
    except DatabaseError as fault:
        raise StoreError(_failed(fault)) from fault


def _advance(connection: Connection, sets: schema.Sets) -> None:
    """Apply every step; a table that loses rows by it is a fault."""
    before = schema.counts(connection)
    schema.apply_all(connection, sets)
    after = schema.counts(connection)
    lost = [name for name, rows in before.items() if after.get(name, rows) < rows]
    if lost:
        raise RuleError(say("database.would_lose_rows", tables=", ".join(lost)))


def _tell(connection: Connection, planned: Plan, kept: Path, by: str) -> None:
    _note(connection, planned.steps, kept.name, by)


def _note(connection: Connection, steps: tuple[str, ...], kept: str, by: str) -> None:
    if "audit" not in {state.owner for state in schema.states(connection)}:
        return
    said = "; ".join(steps)
    entry = Entry(
        datetime.now(UTC), OPERATOR, by, "database migrated", kept, None, said
    )
    note(connection, entry)


def _failed(fault: Exception) -> str:
    return say("database.migration_failed", reason=reason(fault))

"""Looking after the database: `backup`, `restore`, `db check`, `migrate`, `audit`."""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.commands.os_user import os_user
from bot.config.settings import load_settings
from prices.database import files
from prices.database.connection import StoreError, dispensable
from prices.database.sqlite import Sqlite
from prices.database.tables import newer
from prices.records import audit
from prices.upkeep import copying, migrating, restoring
from prices.upkeep.checking import BACKED_UP, Check, check

DAMAGED, MISUSED, BEHIND = 1, 2, 3


def backup_command(words: Sequence[str]) -> int:
    """Copy the database to a file, whole and checked, while the bot goes on."""
    parser = argparse.ArgumentParser(
        prog="gpucost backup", description=backup_command.__doc__
    )
    parser.add_argument("file", help="where to; - writes it to standard output")
    parser.add_argument(
        "--force", action="store_true", help="replace a file that is there already"
    )
    options = parser.parse_args(words)
    source = load_settings().database.file
    if options.file == "-":
        return _to_standard_output(source)
    try:
        copied = copying.back_up(
            source, Path(options.file), replace=options.force, progress=_progress()
        )
    except FileExistsError as fault:
        return _complain(f"{fault}: --force replaces it", MISUSED)
    _note_backup(source, str(copied.path.absolute()), copied.size_bytes)
    size, seconds = _megabytes(copied.size_bytes), copied.seconds
    _note(f"{copied.path}: {size}, whole, in {seconds:.1f} s")
    return 0


def restore_command(words: Sequence[str]) -> int:
    """Put a backup in the place of the database; the old content is kept aside."""
    parser = argparse.ArgumentParser(
        prog="gpucost restore", description=restore_command.__doc__
    )
    parser.add_argument("file", type=Path, help="what `gpucost backup` wrote")
    parser.add_argument(
        "--force", action="store_true", help="even while a bot serves from it"
    )
    options = parser.parse_args(words)
    path = load_settings().database.file
    done = restoring.restore(path, options.file, by=os_user(), forced=options.force)
    _note(f"{path}: {_megabytes(done.size_bytes)} restored from {options.file}")
    if done.steps:
        _note(f"brought forward: {', '.join(done.steps)}")
    if done.kept:
        _note(f"what was there before is kept as {done.kept}")
    return 0


def migrate_command(words: Sequence[str]) -> int:
    """Bring the database forward to this version: on a copy first."""
    parser = argparse.ArgumentParser(
        prog="gpucost migrate", description=migrate_command.__doc__
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="migrate a copy only, and say how it was"
    )
    options = parser.parse_args(words)
    path = load_settings().database.file
    if not path.exists():
        return _complain(f"there is no database at {path}: nothing to do", 0)
    planned = migrating.plan(path)
    if planned.unknown:
        raise StoreError(newer(path, list(planned.unknown)))
    if not planned.steps:
        _say(f"{path} is up to date.")
        return 0
    _say_plan(planned)
    if options.dry_run:
        seconds = migrating.rehearse(planned)
        _say(f"On a copy it took {seconds:.1f} s; nothing was changed.")
        return 0
    from prices.upkeep import locks

    with locks.alone(path):
        done = migrating.upgrade(path, by=os_user())
    if done:
        _say(f"Migrated in {done.seconds:.1f} s; as it was: {done.kept}")
    return 0


def db_command(words: Sequence[str]) -> int:
    """Check the database: is it whole, how large, how far has its schema come."""
    parser = argparse.ArgumentParser(prog="gpucost db", description=db_command.__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    checking = commands.add_parser(
        "check",
        help="read every page and every reference",
        epilog="exit codes: 0 whole, 1 damaged or unreadable, 3 of another version",
    )
    checking.add_argument("--json", action="store_true", help="for programs")
    options = parser.parse_args(words)
    found = check(load_settings().database.file)
    if options.json:
        _say(json.dumps(_figures(found), indent=2, default=str))
    else:
        _say_check(found)
    if found.damage:
        return DAMAGED
    return BEHIND if found.pending or found.unknown else 0


def _to_standard_output(source: Path) -> int:
    if sys.stdout.isatty():
        return _complain("a database is not for a terminal: name a file", MISUSED)
    with tempfile.TemporaryDirectory() as folder:
        made = copying.back_up(source, Path(folder) / "copy", progress=_progress())
        with made.path.open("rb") as content:
            shutil.copyfileobj(content, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    _note_backup(source, "standard output", made.size_bytes)
    return 0


def _note_backup(source: Path, target: str, size: int) -> None:
    """Write the backup into the trail; one that cannot be is a backup all the same."""
    entry = audit.Entry(
        at=datetime.now(UTC),
        team_id=audit.OPERATOR,
        user_id=os_user(),
        action=BACKED_UP,
        subject=target,
        after=f"{size} bytes",
    )
    try:
        with dispensable("the note of this backup"):
            engine = Sqlite(source)
            audit.prepare_audit(engine)
            with engine.writing() as connection:
                audit.note(connection, entry)
    except StoreError as fault:
        _note(f"not in the audit trail: {fault}")


def _say_plan(planned: migrating.Plan) -> None:
    _say(f"{planned.path}: {_megabytes(planned.size_bytes)}")
    for step in planned.steps:
        _say(f"  {step}")
    needed, free = map(_megabytes, (planned.needed_bytes, planned.free_bytes))
    _say(f"It takes {needed} beside it for a while ({free} are free).")


def _say_check(found: Check) -> None:
    for line in found.damage:
        _say(f"bad   {line}")
    if found.damage:
        _say(f"      Keep {found.path}, and restore a backup: gpucost restore FILE.")
        _say("      Without one, delete it: prices refill from the snapshot; what")
        _say("      teams set, asked and watch is lost.")
    else:
        _say("ok    every page and every reference")
    _say(
        f"      {found.path}: {_megabytes(found.size_bytes)} in {found.pages:,} pages "
        f"of {found.page_bytes} bytes, {found.free_pages:,} of them free; "
        f"log {_megabytes(found.wal_bytes)} ({found.journal_mode})"
    )
    _say_schema(found)
    backup = found.last_backup
    _say(f"      last backup: {backup:%Y-%m-%d %H:%M} UTC" if backup else
         "note  no backup noted: gpucost backup FILE")  # fmt: skip
    _say(f"      {_megabytes(found.free_disk_bytes)} free on its disk")
    _say(f"      {'a bot serves from it' if found.served else 'no bot serves from it'}")
    for table in sorted(found.tables, key=lambda t: -(t.size_bytes or 0)):
        size = "" if table.size_bytes is None else _megabytes(table.size_bytes)
        _say(f"      {table.name:20} {table.rows:12,} rows {size:>12}")


def _say_schema(found: Check) -> None:
    mark = "bad " if found.unknown else "note" if found.pending else "ok  "
    _say(f"{mark}  schema {found.schema_version} of prices, {len(found.sets)} sets")
    for step in found.pending:
        _say(f"      to do: {step} (gpucost migrate)")
    for step in found.unknown:
        _say(f"      of a newer version of gpucost: {step}")


def _figures(found: Check) -> dict[str, Any]:
    return asdict(found) | {"pending": found.pending, "unknown": found.unknown}


def _progress() -> files.Progress | None:
    """Show how far a copy is, where somebody looks on."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, total: int) -> None:
        sys.stderr.write(f"\r{_megabytes(done)} of {_megabytes(total)}")
        sys.stderr.write("\n" if done == total else "")
        sys.stderr.flush()

    return show


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _note(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def _complain(line: str, code: int) -> int:
    _note(line)
    return code

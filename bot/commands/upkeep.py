"""Looking after the database: `backup`, `restore`, `db check`, `migrate`, `audit`."""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from bot.commands.os_user import os_user
from bot.config.settings import load_settings
from bot.render.words import say
from prices.database import files
from prices.database.connection import Engine, StoreError, dispensable
from prices.database.opening import engine_named
from prices.database.sqlite import Sqlite
from prices.database.tables import newer
from prices.records import audit
from prices.upkeep import copying, migrating, restoring, schema
from prices.upkeep.checking import BACKED_UP, Check, check

DAMAGED, MISUSED, BEHIND = 1, 2, 3


def backup_command(words: Sequence[str]) -> int:
    """Copy the database to a file, whole and checked, while the bot goes on."""
    parser = argparse.ArgumentParser(
        prog=say("commands.gpucost_backup"), description=backup_command.__doc__
    )
    parser.add_argument("file", help=say("commands.write_where"))
    parser.add_argument(
        "--force", action="store_true", help=say("commands.replace_file")
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
        return _complain(say("commands.force_replaces_it", fault=fault), MISUSED)
    _note_backup(source, str(copied.path.absolute()), copied.size_bytes)
    size, seconds = _megabytes(copied.size_bytes), copied.seconds
    _note(say("commands.whole_in_s", path=copied.path, size=size, seconds=seconds))
    return 0


def restore_command(words: Sequence[str]) -> int:
    """Put a backup in the place of the database; the old content is kept aside."""
    parser = argparse.ArgumentParser(
        prog=say("commands.gpucost_restore"), description=restore_command.__doc__
    )
    parser.add_argument(
        "file", type=Path, help=say("commands.what_gpucost_backup_wrote")
    )
    parser.add_argument(
        "--force", action="store_true", help=say("commands.even_while_a_bot")
    )
    options = parser.parse_args(words)
    path = load_settings().database.file
    done = restoring.restore(path, options.file, by=os_user(), forced=options.force)
    _note(
        say(
            "commands.restored_from",
            path=path,
            megabytes=_megabytes(done.size_bytes),
            file=options.file,
        )
    )
    if done.steps:
        _note(say("commands.brought_forward", steps=", ".join(done.steps)))
    if done.kept:
        _note(say("commands.what_was_there_before", kept=done.kept))
    return 0


def migrate_command(words: Sequence[str]) -> int:
    """Bring the database forward to this version: on a copy first."""
    parser = argparse.ArgumentParser(
        prog=say("commands.gpucost_migrate"), description=migrate_command.__doc__
    )
    parser.add_argument(
        "--dry-run", action="store_true", help=say("commands.migrate_a_copy_only")
    )
    options = parser.parse_args(words)
    engine = load_settings().database
    if not engine.is_file:
        return _migrate_server(engine, dry=options.dry_run)
    path = engine.file
    if not path.exists():
        return _complain(say("commands.no_database", path=path), 0)
    planned = migrating.plan(path)
    if planned.unknown:
        raise StoreError(newer(path, list(planned.unknown)))
    if not planned.steps:
        _say(say("commands.is_up_to_date", path=path))
        return 0
    _say_plan(planned)
    if options.dry_run:
        seconds = migrating.rehearse(planned)
        _say(say("commands.tried_on_a_copy", seconds=seconds))
        return 0
    from prices.upkeep import locks

    with locks.alone(path):
        done = migrating.upgrade(path, by=os_user())
    if done:
        _say(say("commands.migrated", seconds=done.seconds, kept=done.kept))
    return 0


def db_command(words: Sequence[str]) -> int:
    """Check the database: is it whole, how large, how far has its schema come."""
    parser = argparse.ArgumentParser(
        prog=say("commands.gpucost_db"), description=db_command.__doc__
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    checking = commands.add_parser(
        "check",
        help=say("commands.read_every_page"),
        epilog=say("commands.exit_codes_whole_damaged"),
    )
    checking.add_argument(
        "--json", action="store_true", help=say("commands.for_programs")
    )
    checking.set_defaults(run=_check)
    copied = commands.add_parser("copy", help=say("commands.copy_database"))
    copied.add_argument("--to", required=True, help=say("commands.an_address_or_file"))
    copied.set_defaults(run=_copy)
    options = parser.parse_args(words)
    done: int = options.run(options)
    return done


def _copy(options: argparse.Namespace) -> int:
    """Copy everything to a server, or back to a file."""
    from prices.upkeep.moving import move

    settings = load_settings()
    source, target = settings.database, engine_named(options.to, settings.home)

    def show(table: str, rows: int) -> None:
        if sys.stderr.isatty():
            _note(say("commands.rows_copied", table=table, rows=rows))

    moved = move(source, target, by=os_user(), progress=show)
    if moved.replaced:
        _note(say("commands.nul_replaced", rows=moved.replaced))
    _note(
        say(
            "commands.copied",
            rows=sum(moved.rows.values()),
            tables=len(moved.rows),
            source=source,
            target=target,
            seconds=moved.seconds,
        )
    )
    return 0


def _check(options: argparse.Namespace) -> int:
    engine = load_settings().database
    if not engine.is_file:
        return _check_server(engine)
    found = check(engine.file)
    if options.json:
        _say(json.dumps(_figures(found), indent=2, default=str))
    else:
        _say_check(found)
    if found.damage:
        return DAMAGED
    return BEHIND if found.pending or found.unknown else 0


def _check_server(engine: Engine) -> int:
    """Say what a server tells of its database; its pages are the server's affair."""
    if not engine.exists():
        raise StoreError(say("commands.no_database_to_move", engine=engine))
    with engine.reading() as connection:
        pending, unknown = schema.pending(connection), schema.unknown(connection)
        rows, kind = schema.counts(connection), connection.log_kind()
    _say(
        say(
            "commands.server_and_size",
            kind=kind,
            engine=engine,
            megabytes=_megabytes(engine.size_bytes()),
        )
    )
    for step in pending:
        _say(say("commands.to_do_gpucost_migrate", step=step))
    for step in unknown:
        _say(say("commands.of_a_newer_version", step=step))
    for name, count in sorted(rows.items(), key=lambda pair: -pair[1]):
        _say(say("commands.rows", name=name, rows=count, size=""))
    return BEHIND if pending or unknown else 0


def _migrate_server(engine: Engine, *, dry: bool) -> int:
    """Bring tables on a server forward: in one transaction, taken back where dry."""
    steps = migrating.upgrade_server(engine, by=os_user(), dry=dry)
    for step in steps:
        _say(f"  {step}")
    if not steps:
        _say(say("commands.is_up_to_date", path=engine))
    return 0


def _to_standard_output(source: Path) -> int:
    if sys.stdout.isatty():
        return _complain(say("commands.not_to_a_terminal"), MISUSED)
    with tempfile.TemporaryDirectory() as folder:
        made = copying.back_up(source, Path(folder) / "copy", progress=_progress())
        with made.path.open("rb") as content:
            shutil.copyfileobj(content, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    _note_backup(source, say("commands.standard_output"), made.size_bytes)
    return 0


def _note_backup(source: Path, target: str, size: int) -> None:
    """Write the backup into the trail; one that cannot be is a backup all the same."""
    entry = audit.Entry(
        at=datetime.now(UTC),
        team_id=audit.OPERATOR,
        user_id=os_user(),
        action=BACKED_UP,
        subject=target,
        after=say("commands.bytes", size=size),
    )
    try:
        with dispensable(say("commands.backup_note")):
            audit.AuditTrail(Sqlite(source)).add(entry)
    except StoreError as fault:
        _note(say("commands.not_in_the_audit", fault=fault))


def _say_plan(planned: migrating.Plan) -> None:
    _say(f"{planned.path}: {_megabytes(planned.size_bytes)}")
    for step in planned.steps:
        _say(f"  {step}")
    needed, free = map(_megabytes, (planned.needed_bytes, planned.free_bytes))
    _say(say("commands.say_plan", needed=needed, free=free))


def _say_check(found: Check) -> None:
    for line in found.damage:
        _say(say("commands.bad", line=line))
    if found.damage:
        _say(say("commands.keep_and_restore", path=found.path))
        _say(say("commands.without_a_backup"))
        _say(say("commands.team_data_lost"))
    else:
        _say(say("commands.database_sound"))
    _say(
        say(
            "commands.in_pages_of_bytes",
            path=found.path,
            megabytes=_megabytes(found.size_bytes),
            pages=found.pages,
            page_bytes=found.page_bytes,
            free_pages=found.free_pages,
            megabytes_2=_megabytes(found.wal_bytes),
            journal_mode=found.journal_mode,
        )
    )
    _say_schema(found)
    backup = found.last_backup
    _say(
        say("commands.last_backup_utc", backup=backup)
        if backup
        else say("commands.note_no_backup_noted")
    )
    _say(say("commands.free_on_its_disk", megabytes=_megabytes(found.free_disk_bytes)))
    _say(f"      {'a bot serves from it' if found.served else 'no bot serves from it'}")
    for table in sorted(found.tables, key=lambda t: -(t.size_bytes or 0)):
        size = "" if table.size_bytes is None else _megabytes(table.size_bytes)
        _say(say("commands.rows", name=table.name, rows=table.rows, size=size))


def _say_schema(found: Check) -> None:
    mark = "bad " if found.unknown else "note" if found.pending else "ok  "
    _say(
        say(
            "commands.schema_of_prices_sets",
            mark=mark,
            schema_version=found.schema_version,
            number_of_sets=len(found.sets),
        )
    )
    for step in found.pending:
        _say(say("commands.to_do_gpucost_migrate", step=step))
    for step in found.unknown:
        _say(say("commands.of_a_newer_version", step=step))


def _figures(found: Check) -> dict[str, Any]:
    parts = {
        "sets": [asdict(one) for one in found.sets],
        "tables": [asdict(one) for one in found.tables],
        "pending": found.pending,
        "unknown": found.unknown,
    }
    return asdict(found) | parts


def _progress() -> files.Progress | None:
    """Show how far a copy is, where somebody looks on."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, total: int) -> None:
        sys.stderr.write(
            say(
                "commands.show",
                megabytes=_megabytes(done),
                megabytes_2=_megabytes(total),
            )
        )
        sys.stderr.write("\n" if done == total else "")
        sys.stderr.flush()

    return show


def _megabytes(size: int) -> str:
    return say("commands.megabytes", size=size / 1000000.0)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _note(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def _complain(line: str, code: int) -> int:
    _note(line)
    return code

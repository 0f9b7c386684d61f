"""Where a test keeps its database: a file, or a schema of its own on a server."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from prices.database.connection import Connection, Engine
from prices.database.sqlite import Sqlite
from prices.history.store import Store
from prices.upkeep.schema import SETS

SERVER = "GPUCOST_TEST_DATABASE"
"""Puts every file that a test names into a schema of its own on this server."""
ENGINE = "GPUCOST_TEST_ENGINE"
"""Which engine keeps every home of a run: sqlite or postgresql."""


def kinds() -> list[str]:
    """Name the engines that a test of both runs on: one where one keeps everything."""
    whole = os.environ.get(ENGINE)
    return [whole] if whole else ["sqlite", "postgresql"]


def engine_of(place: Path | str | Engine) -> Engine:
    """Return the database that is meant by a file's name."""
    if isinstance(place, Engine):
        return place
    server = os.environ.get(SERVER)
    return _on_server(server, Path(place)) if server else Sqlite(Path(place))


def _on_server(server: str, file: Path) -> Engine:
    """Return the schema that stands for a file; made with its first use."""
    import psycopg

    from prices.database.postgres import Postgres

    if file not in _MADE:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {_schema(file)}".encode())
        schema = f"options=-csearch_path%3D{_schema(file)}"
        _MADE[file] = Postgres(f"{server}&{schema}", file.parent)
    return _MADE[file]


def _schema(file: Path) -> str:
    return f"t{hashlib.sha256(str(file).encode()).hexdigest()[:20]}"


@cache
def server() -> str:
    """Start a server for this run, or skip the test and say why there is none.

    `stop` ends it.
    """
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    pytest.importorskip("psycopg_pool", reason="psycopg_pool is not installed")
    homes = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = shutil.which("initdb", path=os.pathsep.join(map(str, homes)))
    if found is None:
        pytest.skip("Debian's postgresql is not installed")
    folder = Path(tempfile.mkdtemp(prefix="gpucost-pg-"))
    _run(found, "-D", f"{folder}/data", "-A", "trust", "-U", "postgres", folder=folder)
    _run(
        str(Path(found).with_name("pg_ctl")), "-D", f"{folder}/data", "-w", "-l",
        f"{folder}/log", "-o",
        f"-k {folder} -c listen_addresses='' -c fsync=off -c max_connections=300",
        "start", folder=folder,
    )  # fmt: skip
    _STARTED.append((found, folder))
    return f"postgresql:///postgres?host={folder}&user=postgres"


def dumped(engine: Engine, file: Path) -> None:
    """Dump a database as its operator would."""
    _client("pg_dump", f"--file={file}", "--format=custom", _whole(engine))


def as_text(place: Path) -> bytes:
    """What a server keeps in place of a file, as text; of a file nothing."""
    engine = engine_of(place)
    if engine.is_file:
        return b""
    told = ("--format=plain", f"--schema={_schema(place)}", f"--file={place}.sql")
    _client("pg_dump", *told, _whole(engine))
    return Path(f"{place}.sql").read_bytes()


def restored(engine: Engine, file: Path, home: Path) -> Engine:
    """Restore a dump into a new database of the same server."""
    import psycopg

    from prices.database.postgres import Postgres

    address, name = _whole(engine), f"restored{len(_MADE)}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name}".encode())
        connection.execute(f"CREATE DATABASE {name}".encode())
    other = address.replace("///postgres", f"///{name}")
    _client("pg_restore", f"--dbname={other}", "--no-owner", str(file))
    made = Postgres(_url(engine).replace("///postgres", f"///{name}"), home)
    _MADE[home / name] = made
    return made


def _url(engine: Engine) -> str:
    return str(getattr(engine, "url"))  # noqa: B009 - of one kind


def _whole(engine: Engine) -> str:
    return _url(engine).partition("&options")[0]


def _client(name: str, *words: str) -> None:
    ((found, _),) = _STARTED
    subprocess.run([str(Path(found).with_name(name)), *words], check=True)


def restart() -> None:
    """Let the server fall over, as on a failing machine, and start it anew."""
    ((found, folder),) = _STARTED
    server = str(Path(found).with_name("pg_ctl"))
    _run(server, "-D", f"{folder}/data", "-m", "immediate", "-w", "-l",
         f"{folder}/log", "restart", folder=folder)  # fmt: skip


_STARTED: list[tuple[str, Path]] = []


def begun_anew() -> None:
    """Leave the connections that a forked process has of its parent's alone."""
    _INHERITED.append(dict(_MADE))
    _MADE.clear()


def told(home: Path) -> dict[str, str]:
    """Tell a program of a test where its home is, and what keeps its database."""
    place = engine_of(home / "gpucost.sqlite3")
    at = {} if place.is_file else {"GPUCOST_DATABASE": _url(place)}
    return {"GPUCOST_HOME": str(home), **at}


_INHERITED: list[object] = []
_MADE: dict[Path, Any] = {}
"""The engine of each file that stands for a schema."""


def stop() -> None:
    """End the server that this run started."""
    while _STARTED:
        found, folder = _STARTED.pop()
        stopper = str(Path(found).with_name("pg_ctl"))
        _run(stopper, "-D", f"{folder}/data", "-m", "immediate", "stop", folder=folder)
        shutil.rmtree(folder, ignore_errors=True)


def _run(*command: str, folder: Path) -> None:
    """Run a program of the server's, which refuses to be root."""
    user: dict[str, Any] = {}
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
        user = {"user": "postgres", "group": "postgres", "extra_groups": []}
    subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, **user)


@contextmanager
def kept_by(kind: str) -> Iterator[None]:
    """Let files that a test names be kept by an engine, until the block ends."""
    if kind == "sqlite" or SERVER in os.environ:
        yield
        return
    os.environ[SERVER] = server()
    try:
        yield
    finally:
        _drop(os.environ.pop(SERVER), list(_MADE))


@contextmanager
def everything_kept_by(kind: str) -> Iterator[None]:
    """Let every home that this process opens be kept by an engine."""
    from bot.config import settings

    engine_at = settings.engine_at

    def named(place: str, home: Path) -> Engine:
        return engine_at(place, home) if place else engine_of(home / "gpucost.sqlite3")

    with kept_by(kind):
        settings.engine_at = named
        yield
        settings.engine_at = engine_at


def copied(source: Engine, target: Engine) -> Engine:
    """Give a new database what one holds to which nobody writes now."""
    if isinstance(source, Sqlite):
        shutil.copy(source.file, target.file)
        if (log := Path(f"{source.file}-wal")).exists():
            shutil.copy(log, f"{target.file}-wal")
        return target
    with source.reading() as connection:
        owners = sorted({owner for owner, _ in connection.steps()})
        tables = sorted(connection.tables() - {"migrations"})
        schema, numbers = _schema_of(connection), connection.last_numbers()
    with target.writing() as connection:
        for owner in owners:
            connection.migrate(owner, SETS[owner])
        for table in tables:
            held = f"SELECT * FROM {schema}.{table}"  # noqa: S608 - of our own tables
            connection.execute(f"INSERT INTO {table} {held}")
        for table, number in numbers.items():
            connection.go_on_from(table, number)
    return target


def _schema_of(connection: Connection) -> str:
    return str(connection.execute("SELECT current_schema()::text").fetchone()[0])


@contextmanager
def homes_copied(prepared: Path) -> Iterator[None]:
    """Let a new home begin as a copy of one that was composed for real."""
    from bot.config.settings import Settings
    from bot.run import composition

    @cache
    def made() -> Engine:
        with pytest.MonkeyPatch.context() as real:
            real.setattr(composition, "Store", Store)
            answering = composition.compose(Settings(home=prepared))
        return answering.store.engine

    class Copied(Store):
        @classmethod
        def open(cls, place: Engine, **words: Any) -> Store:
            if place.home != prepared and not place.exists():
                copied(made(), place)
            return Store.open(place, **words)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(composition, "Store", Copied)
        yield


@contextmanager
def forgotten() -> Iterator[None]:
    """Give back, after a test, what it opened; drop what stood for files now gone."""
    before = set(_MADE)
    yield
    for file in _MADE.keys() - before:
        _MADE[file].close()
    if server := os.environ.get(SERVER):
        _drop(server, [file for file in _MADE if not file.parent.exists()])


def _drop(server: str, files: Iterable[Path]) -> None:
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        for file in files:
            _MADE.pop(file).close()
            dropped = f"DROP SCHEMA IF EXISTS {_schema(file)} CASCADE"
            connection.execute(dropped.encode())

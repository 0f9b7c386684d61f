"""Where a test keeps its database: a file, or a schema of its own on a server."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from prices.database.connection import Engine
from prices.database.sqlite import Sqlite
from prices.history.store import Store

SERVER = "GPUCOST_TEST_DATABASE"
"""Puts every file that a test names into a schema of its own on this server."""
KINDS = ("sqlite", "postgresql")


def engine_of(place: Path | str | Engine) -> Engine:
    """Return the database that is meant by a file's name."""
    if isinstance(place, Engine):
        return place
    server = os.environ.get(SERVER)
    return _on_server(server, Path(place)) if server else Sqlite(Path(place))


@cache
def _on_server(server: str, file: Path) -> Engine:
    """Return the schema that stands for a file; made with its first use."""
    import psycopg

    from prices.database.postgres import Postgres

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {_schema(file)}".encode())
    schema = f"options=-csearch_path%3D{_schema(file)}"
    _MADE.append(Postgres(f"{server}&{schema}", file.parent))
    return _MADE[-1]


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
    _MADE.append(Postgres(_url(engine).replace("///postgres", f"///{name}"), home))
    return _MADE[-1]


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
_MADE: list[Any] = []


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
        address = os.environ.pop(SERVER)
        _drop_all(address)


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


@contextmanager
def homes_copied(prepared: Path) -> Iterator[None]:
    """Let a new home in a file begin as a copy of one that was composed for real."""
    from bot.config.settings import Settings
    from bot.run import composition

    @cache
    def made() -> Path:
        with pytest.MonkeyPatch.context() as real:
            real.setattr(composition, "Store", Store)
            answering = composition.compose(Settings(home=prepared))
        return answering.store.engine.file

    class Copied(Store):
        @classmethod
        def open(cls, place: Any, **words: Any) -> Store:
            if isinstance(place, Sqlite) and not place.file.exists():
                shutil.copy(made(), place.file)
            return Store.open(place, **words)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(composition, "Store", Copied)
        yield


@contextmanager
def forgotten() -> Iterator[None]:
    """Give back, after a test, the connections of what it opened."""
    before = len(_MADE)
    yield
    for engine in _MADE[before:]:
        engine.close()


def _drop_all(address: str) -> None:
    import psycopg

    while _MADE:
        _MADE.pop().close()
    _on_server.cache_clear()
    with psycopg.connect(address, autocommit=True) as connection:
        names = connection.execute(
            "SELECT nspname FROM pg_namespace WHERE nspname ~ '^t[0-9a-f]{20}$'"
        ).fetchall()
        for (name,) in names:
            connection.execute(f"DROP SCHEMA {name} CASCADE".encode())

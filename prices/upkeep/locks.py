"""Who has a database to themselves, and who shares it.

A serving bot shares the lock for as long as it lives; restoring and migrating want it
alone. The kernel gives a lock back when its holder dies, however that happens, so no
stale lock is ever left and no clock is asked.
"""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from core.wording import say
from prices.database.connection import Engine
from prices.database.connection import InUseError as InUseError

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows: nobody is told to stop the bot
    fcntl = None  # type: ignore[assignment]

USE, UPGRADE = ".lock", ".upgrade-lock"


def served_from(engine: Engine) -> AbstractContextManager[None]:
    """Share what either engine keeps for as long as a bot serves from it."""
    return serving(engine.file) if engine.is_file else engine.served()


def alone_with(engine: Engine) -> AbstractContextManager[None]:
    """Have what either engine keeps while no bot serves from it."""
    return alone(engine.file) if engine.is_file else engine.alone()


@contextmanager
def serving(path: Path) -> Iterator[None]:
    """Share a database for as long as a bot serves from it."""
    with _held(_beside(path, USE), exclusive=False, wait=False) as free:
        if not free:
            raise InUseError(say("database.being_restored", place=path))
        yield


@contextmanager
def alone(path: Path, *, forced: bool = False) -> Iterator[None]:
    """Have a database while no bot serves from it; `forced`: even if one does."""
    with _held(_beside(path, USE), exclusive=True, wait=False) as free:
        if not free and not forced:
            raise InUseError(say("database.bot_is_serving", place=path))
        yield


@contextmanager
def upgrading(path: Path) -> Iterator[None]:
    """Let one process after another bring a database up to date."""
    with _held(_beside(path, UPGRADE), exclusive=True, wait=True):
        yield


def is_served(path: Path) -> bool:
    """Tell whether a bot serves from a database."""
    if not _beside(path, USE).exists():
        return False
    with _held(_beside(path, USE), exclusive=True, wait=False) as free:
        return not free


@contextmanager
def writing_file(path: Path) -> Iterator[bool]:
    """Have a file of one's own, empty and readable by nobody else; False: taken."""
    with _held(path, exclusive=True, wait=False) as free:
        if free:
            path.chmod(0o600)
            os.truncate(path, 0)
        yield free


def _beside(path: Path, suffix: str) -> Path:
    return Path(f"{path}{suffix}")


@contextmanager
def _held(file: Path, *, exclusive: bool, wait: bool) -> Iterator[bool]:
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield _lock(descriptor, exclusive, wait)
    finally:
        os.close(descriptor)


def _lock(descriptor: int, exclusive: bool, wait: bool) -> bool:
    if fcntl is None:
        return True
    kind = fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH
    try:
        fcntl.flock(descriptor, kind | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True

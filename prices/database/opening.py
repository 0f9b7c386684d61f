"""Which engine keeps what this process is told and asked."""

from functools import cache
from pathlib import Path

from core.wording import say
from prices.database.connection import Engine, StoreError
from prices.database.sqlite import Sqlite

SERVERS = ("postgresql://", "postgres://")


def engine_at(place: str, home: Path) -> Engine:
    """Return the engine of an address; "" is the file in a home."""
    if not place:
        return Sqlite(home / "gpucost.sqlite3")
    if not place.startswith(SERVERS):
        raise StoreError(say("database.bad_address"))
    return _server(place, home)


def engine_named(place: str, home: Path) -> Engine:
    """Return the engine of an address, or of a file."""
    return engine_at(place, home) if "://" in place else Sqlite(Path(place))


@cache
def _server(url: str, home: Path) -> Engine:
    """Return one engine an address: its pool is shared by the whole process."""
    try:
        from prices.database.postgres import Postgres
    except ImportError as fault:
        raise StoreError(say("database.no_driver")) from fault
    return Postgres(url, home)

"""Where a test keeps its database."""

from pathlib import Path

from prices.database.connection import Engine
from prices.database.sqlite import Sqlite


def engine_of(place: Path | str | Engine) -> Engine:
    """Return the database that is meant by a file's name."""
    return place if isinstance(place, Engine) else Sqlite(Path(place))

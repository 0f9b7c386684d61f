"""Whether a database can be written and read, found out by doing so."""

from core.wording import say
from prices.database.connection import BusyError, DatabaseError, Engine, reason


def unwritable(engine: Engine, patience_s: float) -> str:
    """Write something and read it back; say what is wrong, "" where nothing is.

    Somebody else who writes just now is no reason.
    """
    if engine.is_forbidden():
        return say("database.not_writable")
    try:
        with engine.writing(patience_s, alone=False) as connection:
            version = connection.schema_version()
            # The same number once more: a page is written, and nothing changes.
            connection.set_schema_version(version)
    except BusyError:
        return ""
    except DatabaseError as fault:
        return reason(fault)
    with engine.reading() as connection:
        found = connection.schema_version()
    return "" if found == version else say("database.not_read_back")


def damaged(engine: Engine) -> str:
    """Read every page; say what is wrong, "" where the database is whole."""
    try:
        with engine.reading() as connection:
            return say("database.damaged") if connection.damage(1) else ""
    except (DatabaseError, OSError) as fault:
        return reason(fault)

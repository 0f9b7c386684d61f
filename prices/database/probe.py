"""Whether a database can be written and read, found out by doing so."""

import os
from pathlib import Path

from prices.database.connection import reading, writing
from prices.database.log_index import log_index, open_log


def unwritable(path: Path, patience_s: float) -> str:
    """Write something and read it back; say what is wrong, "" where nothing is."""
    with writing(path, patience_s) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        # The same number once more: a page is written, and nothing changes.
        connection.execute(f"PRAGMA user_version = {int(version)}")
    with reading(path) as connection:
        (found,) = connection.execute("PRAGMA user_version").fetchone()
    return "" if found == version else "what was written cannot be read back"


def damaged(path: Path) -> str:
    """Read every page; say what is wrong, "" where the file is whole."""
    with reading(path) as connection:
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    return "" if found == "ok" else "the database is damaged"


def broken_log(path: Path) -> str:
    """Say what is wrong with the log beside an open file, "" where nothing is.

    Only a restart, which reads the log anew, helps.
    """
    try:
        index, log = log_index(path), open_log(path)
    except FileNotFoundError as gone:
        return f"{Path(gone.filename).name} is gone"
    try:
        sound = index.holds(log)
    finally:
        os.close(log)
    return "" if sound else "the log of the database was cut or written over"

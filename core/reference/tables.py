"""TOML tables that ship with the program, through Python's own cache of bytecode.

Reading them all as text takes longer than an answer. A table is kept as Python keeps a
module: compiled, in `__pycache__` beside the file, by the same rules: made anew when
the file changes, written by whoever may write there, trusted as much as the program.
What takes long to work out from several tables is kept in the same place and way.
"""

import datetime
import marshal
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import blake2b
from importlib.machinery import SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source
from math import inf, nan
from pathlib import Path
from typing import Any

from core.reference.packaged import files

_SUFFIX = ".pyc"


def read_table(package: str, name: str) -> dict[str, Any]:
    """Return a table of a package as a dictionary of its own."""
    file = files(package).joinpath(name)
    code = _TableLoader(name, str(file)).get_code(name)
    found: dict[str, Any] = {"datetime": datetime, "inf": inf, "nan": nan}
    exec(code or "", found)  # noqa: S102 - compiled below, as a module is # nosec B102
    table: dict[str, Any] = found["TABLE"]
    return table


def worked_out(make: Callable[[], Any], beside: str, sources: Iterable[Any]) -> Any:
    """Return what a function makes of files: plain values, made once of each state.

    `beside`: the module that makes it; `sources`: whatever else it is made from. Told
    by a checksum: who installs another version may leave times as they were.
    """
    read = (Path(beside), *sources)
    name = f"{Path(beside).stem}.{make.__name__.strip('_')}{_SUFFIX}"
    kept = Path(cache_from_source(beside)).with_name(name)
    try:
        state = [MAGIC_NUMBER, *(blake2b(one.read_bytes()).digest() for one in read)]
    except (OSError, AttributeError):  # inside an archive, where nothing is kept
        return make()
    with suppress(OSError, ValueError, EOFError, TypeError):
        # As trusted as a module is.
        before, made = marshal.loads(kept.read_bytes())  # noqa: S302 # nosec B302
        if before == state:
            return made
    made = make()
    if not sys.dont_write_bytecode:
        loader = SourceFileLoader(beside, beside)
        loader.set_data(str(kept), marshal.dumps((state, made)))
    return made


def _parsed(text: str) -> dict[str, Any]:
    import tomllib  # needed only where a table was not compiled yet

    return tomllib.loads(text)


class _TableLoader(SourceFileLoader):
    """Compiles a table as if it were a module."""

    def source_to_code(self, data: Any, path: Any, **options: Any) -> Any:  # type: ignore[override]
        """Write the table as one constant; with dates as a display."""
        parsed = _parsed(bytes(data).decode("utf-8"))
        try:
            kept = f"import marshal\nTABLE = marshal.loads({marshal.dumps(parsed)!r})"
        except ValueError:
            kept = f"TABLE = {parsed!r}"
        return super().source_to_code(kept.encode(), path, **options)

    def get_data(self, path: str) -> bytes:
        """Read a file; the bytecode under a name that no module has."""
        return super().get_data(_apart(path))

    def set_data(self, path: str, data: Any, **options: Any) -> None:
        """Write the bytecode under that name."""
        super().set_data(_apart(path), data, **options)


def _apart(path: str) -> str:
    """Tell the bytecode of serving.toml from that of serving.py."""
    return (
        f"{path.removesuffix(_SUFFIX)}-toml{_SUFFIX}"
        if path.endswith(_SUFFIX)
        else path
    )

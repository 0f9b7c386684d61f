"""Where a package's own files lie.

`importlib.resources` reads packages out of archives too, and takes 10 ms to load for
it; this program is always installed as files.
"""

from importlib import import_module
from pathlib import Path


def files(package: str) -> Path:
    """Return the folder of a package."""
    return Path(import_module(package).__path__[0])

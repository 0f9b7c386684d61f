"""The write-ahead log beside an open database, and what its index says of it.

The index lies in shared memory: how much of the log is in use, and how much of that is
in the file already. Every connection believes it, and none looks whether the log is
still what was written: https://www.sqlite.org/walformat.html
"""

from os import O_RDONLY, SEEK_END, lseek, open, pread
from pathlib import Path
from struct import unpack_from

from msgspec import Struct

MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""How every log begins."""
HEADER, FRAME_HEADER = 32, 24
LARGEST_PAGE = 65536
USED = 100
"""Bytes of the index up to the count of frames that are copied."""


class LogIndex(Struct, frozen=True):
    """What connections take the log for."""

    page: int
    frames: int
    copied: int
    """How many frames are in the file too; nobody reads these from the log."""

    def holds(self, log: int) -> bool:
        """Whether an open log is what it has to be."""
        size = HEADER + self.frames * (FRAME_HEADER + self.page)
        whole = pread(log, 4, 0) in MAGIC and lseek(log, 0, SEEK_END) >= size
        return whole or self.frames <= self.copied


def log_index(path: Path) -> LogIndex:
    """Read the index of an open database; a file that is gone is an `OSError`."""
    index = pread(_never_closed(f"{path}-shm"), USED, 0)
    if len(index) < USED:  # whoever opens the database next makes it anew
        return LogIndex(LARGEST_PAGE, 0, 0)
    page, frames = unpack_from("=HI", index, 14)
    (copied,) = unpack_from("=I", index, 96)
    return LogIndex(page if page > 1 else LARGEST_PAGE, frames, copied)


_OPEN: dict[tuple[int, int], int] = {}


def _never_closed(name: str) -> int:
    """Open an index once for as long as the process lives.

    Closing any descriptor of a file gives up every POSIX lock of the process on it,
    SQLite's too. Another process would take the index for nobody's and cut it, and this
    one die of SIGBUS:
    https://www.sqlite.org/howtocorrupt.html (2.2).
    """
    found = Path(name).stat()
    place = found.st_dev, found.st_ino
    if place not in _OPEN:
        _OPEN[place] = open(name, O_RDONLY)
    return _OPEN[place]


def open_log(path: Path) -> int:
    """Open the log of a database; its end is the caller's."""
    return open(f"{path}-wal", 0)

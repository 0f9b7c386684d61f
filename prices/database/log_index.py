"""The write-ahead log beside an open database, and what its index says of it.

The index lies in shared memory: how much of the log is in use, and how much of that is
in the file already. Every connection believes it, and none looks whether the log is
still what was written: https://www.sqlite.org/walformat.html
"""

from dataclasses import dataclass
from os import SEEK_END, lseek, open, pread
from pathlib import Path
from struct import unpack_from

MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""How every log begins."""
HEADER, FRAME_HEADER = 32, 24
LARGEST_PAGE = 65536


@dataclass(frozen=True, slots=True)
class LogIndex:
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
    index = Path(f"{path}-shm").read_bytes()
    page, frames = unpack_from("=HI", index, 14)
    (copied,) = unpack_from("=I", index, 96)
    return LogIndex(page if page > 1 else LARGEST_PAGE, frames, copied)


def open_log(path: Path) -> int:
    """Open the log of a database; its end is the caller's."""
    return open(f"{path}-wal", 0)

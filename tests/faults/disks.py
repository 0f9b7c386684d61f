"""Small disks that fill up, and disks that turn read-only: real ones, of memory."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """Mount a disk of its own; where nobody may, the test skips and says so."""
    folder.mkdir()
    made = _run("mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder)
    if made.returncode:
        pytest.skip(f"no disk can be mounted here: {made.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        _run("umount", "--lazy", folder)


@contextmanager
def failing_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """Mount a disk that turns read-only on its first error, whoever writes to it."""
    folder.mkdir()
    image = folder.with_suffix(".img")
    with image.open("wb") as made:
        made.truncate(megabytes << 20)
    for words in (
        ("mkfs.ext4", "-q", "-F", image),
        ("mount", "-o", "loop,errors=remount-ro", image, folder),
    ):
        done = _run(*words)
        if done.returncode:
            pytest.skip(f"no such disk here: {done.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        _run("umount", "--lazy", folder)


def fail(disk: Path) -> None:
    """Let such a disk meet an error, files open for writing or not."""
    assert _run("mount", "-o", "remount,abort", disk).returncode == 0


def freeze(disk: Path) -> None:
    """Let nothing be written to a disk any more."""
    frozen = _run("mount", "-o", "remount,ro", disk)
    if frozen.returncode:
        pytest.skip(f"the disk stays writable: {frozen.stderr.decode().strip()}")


def fill(disk: Path) -> Path:
    """Fill a disk to the last byte; the file that does it can be deleted."""
    filling = disk / "filling"
    with filling.open("ab", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    return filling


def _run(*words: str | Path) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run([*map(str, words)], check=False, capture_output=True)
    except FileNotFoundError:
        return subprocess.CompletedProcess(words, 1, b"", b"no mount program")

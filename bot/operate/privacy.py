"""Who else on this machine can read, or change, what the bot keeps and is told."""

import os
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bot.config.check_result import CheckResult
from core.wording import say

ENDINGS: Final = ("", "-wal")
"""What stands in a database stands in its log of changes too."""
_REACH: Final = (stat.S_IXOTH, stat.S_IXGRP)
_READ: Final = (stat.S_IROTH, stat.S_IRGRP)
_WRITE: Final = (stat.S_IWOTH, stat.S_IWGRP)


def private(database: Path) -> Iterator[CheckResult]:
    """Say whether others may read a database that exists; nothing where none does."""
    if os.name != "posix" or not database.exists():
        return
    home = database.resolve().parent
    files = [Path(f"{database}{ending}") for ending in ENDINGS]
    read = [file for file in files if file.exists() and _open(file, _READ)]
    written = _open(home, _WRITE) and _may(home, _REACH)
    if not read and not written:
        yield CheckResult(
            True, say("operate.only_owner_reads", database=database), fatal=False
        )
        return
    able = say("operate.read_and_replace") if written else "read"
    yield CheckResult(
        False,
        say(
            "operate.database_open_to_others",
            able=able,
            database=database,
            mode=_mode(database),
            folder_mode=_mode(home),
        ),
        say("operate.close_folder", folder=shlex.quote(str(home))),
        fatal=False,
    )


def secret(file: Path) -> Iterator[CheckResult]:
    """Say whether others may read a file of secrets; nothing where it is well kept."""
    if os.name != "posix" or not file.is_file() or not _open(file, _READ):
        return
    path = file.resolve()
    yield CheckResult(
        False,
        say("operate.secrets_open_to_others", path=path, mode=_mode(path)),
        say("operate.close_file", path=shlex.quote(str(path))),
        fatal=False,
    )


def _open(path: Path, bits: tuple[int, int]) -> bool:
    """Whether others may do that to a file, and get as far as it."""
    folders = path.resolve().parents
    return _may(path, bits) and all(_may(folder, _REACH) for folder in folders)


def _may(path: Path, bits: tuple[int, int]) -> bool:
    """Whether everybody may, or a group that has somebody else in it."""
    found = path.stat()
    everybody, group = bits
    if found.st_mode & everybody:
        return True
    return bool(found.st_mode & group) and _shared(found.st_gid, found.st_uid)


def _shared(group: int, owner: int) -> bool:
    """Whether somebody else is in a group: many people have one of their own."""
    import grp
    import pwd

    try:
        members = set(grp.getgrgid(group).gr_mem)
        members -= {pwd.getpwuid(owner).pw_name}
    except KeyError:
        return False  # a number without a name, as in most containers
    return bool(members)


def _mode(path: Path) -> str:
    return f"{stat.S_IMODE(path.stat().st_mode):04o}"

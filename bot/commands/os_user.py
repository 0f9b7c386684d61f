"""Who sits at the terminal, for the audit trail."""

import getpass
import os


def os_user() -> str:
    """Name the person at the terminal, by number where the machine has no name."""
    try:
        return f"terminal:{getpass.getuser()}"
    except (OSError, KeyError):  # a container's user often stands in no list
        return f"terminal:{os.getuid()}"

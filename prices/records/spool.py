"""Deliveries that a database would not take in time, each in a file of its own.

A locked database must not leave what Slack was told is taken on in memory alone. The
files stand in the home folder; one goes as soon as its delivery is answered, or is
handed to whoever starts after a kill.
"""

import json
import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from prices.records.delivery_dedup import TAKEN_OVER_AFTER, Claim

logger = logging.getLogger(__name__)

FOLDER = "deliveries.waiting"
_OLD_S = TAKEN_OVER_AFTER.total_seconds()


class Spool:
    """A folder of deliveries, and who took them on."""

    def __init__(self, home: Path, holder: str) -> None:
        self._folder = home / FOLDER
        self._holder = holder

    def keep(self, claim: Claim) -> Path | None:
        """Write a delivery to the disk; None where the disk takes nothing either."""
        said = {
            "holder": self._holder,
            "team_id": claim.team_id,
            "keys": list(claim.keys),
            "payload": claim.payload,
        }
        file = self._folder / f"{token_hex(8)}.json"
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            being_written = file.with_suffix(".part")
            with os.fdopen(
                os.open(being_written, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "w"
            ) as out:
                json.dump(said, out)
                out.flush()
                os.fsync(out.fileno())
            being_written.rename(file)
        except OSError as fault:
            logger.warning(
                "a delivery is worked on and written down nowhere: %s", fault.strerror
            )
            return None
        return file

    def left(self, is_dead: Callable[[str], bool]) -> Iterator[tuple[Path, Claim]]:
        """Yield what processes that ended had written and not answered.

        Of one on another machine, as of a container that went, nobody can tell: its
        file has to be older than any answer takes.
        """
        for file in sorted(self._folder.glob("*.json")):
            try:
                said = json.loads(file.read_text("utf-8"))
                claim = Claim(said["team_id"], said["keys"], said["payload"])
                old = time.time() - file.stat().st_mtime > _OLD_S
                dead = said["holder"] != self._holder and (
                    is_dead(said["holder"]) or old
                )
            except (OSError, ValueError, KeyError, TypeError) as fault:
                logger.warning("%s cannot be read: %s", file.name, fault)
                continue
            if dead:
                yield file, claim


def let_go(file: Path | None) -> None:
    """Remove the file of a delivery that is answered, or stands in the database."""
    if file is not None:
        with suppress(OSError):
            file.unlink()

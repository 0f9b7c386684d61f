"""Deliveries on the disk: handed on once their process is gone, and not before."""

import os
import time
from pathlib import Path

from prices.records.delivery_dedup import TAKEN_OVER_AFTER, Claim
from prices.records.spool import Spool, let_go


def test_what_is_left_is_of_others_that_are_gone(tmp_path: Path) -> None:
    """Known to be dead, or silent for longer than any answer takes; torn files stay."""
    claim = Claim("T1", ["key"], {"text": "70b 5rps"})
    file = Spool(tmp_path, "gone:1").keep(claim)
    assert file is not None
    (file.parent / "torn.json").write_text("{")
    mine, taker = Spool(tmp_path, "gone:1"), Spool(tmp_path, "here:2")

    assert [] == list(taker.left(lambda _: False))
    assert [] == list(mine.left(lambda _: True))
    assert [(file, claim)] == list(taker.left(lambda holder: holder == "gone:1"))

    then = time.time() - TAKEN_OVER_AFTER.total_seconds() - 1
    os.utime(file, (then, then))
    assert [(file, claim)] == list(taker.left(lambda _: False))
    let_go(file)
    assert [] == list(taker.left(lambda _: True))


def test_a_disk_that_takes_nothing_is_no_error(tmp_path: Path) -> None:
    """Whoever asked is answered all the same."""
    (tmp_path / "home").write_text("a file")
    assert Spool(tmp_path / "home", "a:1").keep(Claim("T1", ["key"], {})) is None

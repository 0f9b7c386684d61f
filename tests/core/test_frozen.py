"""Values that cross a room's wall: read in many threads from the first moment on."""

import subprocess
import sys

FIRST_READ_BY_TWO = """
import time
from threading import Thread

from core.frozen import Frozen


def slow(kind):
    time.sleep(0.3)  # lets the other thread in while the fields are worked out
    return kind


class Inner(Frozen, frozen=True):
    count: "slow(int)"


class Outer(Frozen, frozen=True):
    inner: Inner
    name: str


def read():
    seen.append(READ)


seen = []
threads = [Thread(target=read) for _ in range(4)]
for thread in threads:
    thread.start()
    time.sleep(0.05)
for thread in threads:
    thread.join()
assert [each.inner.count for each in seen] == [3] * 4, seen
"""


def read_by_two(expression: str) -> subprocess.CompletedProcess[str]:
    """Run it apart: where it fails it takes its process along."""
    program = FIRST_READ_BY_TWO.replace("READ", expression)
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )


def test_a_type_may_be_read_first_by_two_threads_at_once() -> None:
    """A segmentation fault of msgspec's would end the bot at its first two messages."""
    values = "Outer.model_validate({'inner': {'count': 3}, 'name': 'a'})"
    assert (done := read_by_two(values)).returncode == 0, done
    text = """Outer.model_validate_json('{"inner": {"count": 3}, "name": "a"}')"""
    assert (done := read_by_two(text)).returncode == 0, done

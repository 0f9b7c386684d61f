"""Tens of thousands of rows at once."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Hold off the cyclic garbage collector while rows become objects.

    Prices hold no cycles, yet every few hundred of them would make the collector walk
    all that the process holds, which doubles the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()

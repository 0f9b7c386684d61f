"""Which request the program is at work on, in whatever thread."""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import partial
from secrets import token_hex
from typing import Final, ParamSpec, TypeVar

from core.patterns import regex

P = ParamSpec("P")
T = TypeVar("T")

_CURRENT: ContextVar[str] = ContextVar("request_id", default="")
_SAFE: Final = regex(r"[\w.:-]{1,64}", re.ASCII)


def request_id() -> str:
    """Return the id of the request at hand, "" outside any."""
    return _CURRENT.get()


@contextmanager
def handling(known_as: str = "") -> Iterator[str]:
    """Work on a request, under the sender's own id where it has a harmless one."""
    given = known_as if _SAFE.fullmatch(known_as) else token_hex(6)
    token = _CURRENT.set(given)
    try:
        yield given
    finally:
        _CURRENT.reset(token)


class Carrying(ThreadPoolExecutor):
    """Threads that work on the request of whoever hands them the work."""

    def submit(
        self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> "Future[T]":
        """Run something later, as part of the request at hand."""
        return super().submit(copy_context().run, partial(fn, *args, **kwargs))

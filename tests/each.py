"""One test of many values: pytest itself takes longer over one than a small check."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any


def each(
    values: Iterable[Any],
) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Check every value, a row of several as arguments; tell each that failed."""
    held = list(values)

    def decorated(check: Callable[..., None]) -> Callable[[], None]:
        several = check.__code__.co_argcount > 1

        @wraps(check)
        def checked() -> None:
            assert held, "nothing to check"
            failed = []
            for value in held:
                try:
                    check(*value) if several else check(value)
                except Exception as fault:  # noqa: BLE001 - the others are checked too
                    fault.add_note(f"for {value!r:.200}")
                    failed.append(fault)
            if failed:
                raise ExceptionGroup(f"{len(failed)} of {len(held)} fail", failed)

        del checked.__wrapped__  # it takes no fixture
        return checked

    return decorated

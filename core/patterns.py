"""Regexes that cost nothing until a text asks for them."""

import re
from typing import Any, cast

_USES = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split")


class _Regex:
    """A regex compiled at its first use; from then on it has the methods of that."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self.flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = re.compile(self.pattern, self.flags)
        vars(self).update((use, getattr(made, use)) for use in _USES)
        return getattr(made, name)


def regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled when it is first used: most texts need few."""
    return cast(re.Pattern[str], _Regex(pattern, flags))

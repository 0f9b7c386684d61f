"""The base of every value that crosses a room's wall."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """An immutable value that refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Source(Frozen):
    """Where a fact was read, and the ISO date on which it was checked."""

    url: str
    checked: str
    note: str = ""

"""The base of every value that crosses a room's wall."""

from collections.abc import Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict

_set = object.__setattr__


class Frozen(BaseModel):
    """An immutable value that refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    def model_copy(
        self, *, update: Mapping[str, Any] | None = None, deep: bool = False
    ) -> Self:
        """Return a copy with other values, as pydantic does in a third of the time.

        Nothing is private to these models, and which fields are set never changes:
        copies share that set.
        """
        if deep:
            return super().model_copy(update=update, deep=True)
        made = self.__new__(type(self))
        stated = self.__pydantic_fields_set__
        changes = update or {}
        _set(made, "__dict__", {**self.__dict__, **changes})
        same = changes.keys() <= stated
        _set(
            made, "__pydantic_fields_set__", stated if same else stated | changes.keys()
        )
        _set(made, "__pydantic_extra__", None)
        _set(made, "__pydantic_private__", None)
        return made


class Source(Frozen):
    """Where a fact was read, and the ISO date on which it was checked."""

    url: str
    checked: str
    note: str = ""

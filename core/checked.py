"""The base of what somebody outside states: every value is checked where it is made."""

from pydantic import BaseModel, ConfigDict


class Checked(BaseModel):
    """An immutable value that refuses fields it does not know, and wrong ones."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

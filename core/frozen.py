"""The base of every value that crosses a room's wall."""

from collections.abc import Mapping
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, Self

from msgspec import Struct, convert
from msgspec.json import Decoder, decode, encode
from msgspec.structs import asdict, replace

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

_LEARNING: Final = RLock()
_LEARNT: Final[set[type]] = set()


def learn(cls: type) -> None:
    """Have msgspec work out the fields of a type, in one thread at a time.

    It puts them on the type before it has filled them in: another thread that reads
    the type at that moment follows a null pointer, and the program is gone (msgspec
    0.22.0). Whoever reads a type outside of `Frozen` calls this first.
    """
    if cls not in _LEARNT:
        with _LEARNING:
            Decoder(cls)
            _LEARNT.add(cls)


class Frozen(Struct, frozen=True, forbid_unknown_fields=True):
    """An immutable value that refuses fields it does not know.

    Made by name it holds what it is given; out of a table, a form or a database it is
    read by `model_validate`, which checks every value and makes it of its type.
    """

    @classmethod
    def model_validate(cls, values: object) -> Self:
        """Read plain values; a text may stand for a number."""
        learn(cls)
        return convert(values, cls, strict=False)

    @classmethod
    def model_validate_json(cls, text: str | bytes) -> Self:
        """Read JSON."""
        learn(cls)
        return decode(text, type=cls)

    def model_copy(self, *, update: Mapping[str, Any]) -> Self:
        """Return a copy with other values."""
        return replace(self, **update)

    def model_dump(self, *, exclude_none: bool = False) -> dict[str, Any]:
        """Write plain values, as JSON has them."""
        if not exclude_none:
            return dict(decode(encode(self)))
        stated = {n: value for n, value in asdict(self).items() if value is not None}
        return dict(_without_none(decode(encode(stated))))

    def model_dump_json(self, *, exclude_none: bool = False) -> str:
        """Write JSON."""
        return encode(
            self.model_dump(exclude_none=True) if exclude_none else self
        ).decode()

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: object
    ) -> "CoreSchema":
        """Let a value that pydantic checks hold one of these."""
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(
            cls.model_validate,
            serialization=core_schema.plain_serializer_function_ser_schema(
                cls.model_dump
            ),
        )


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_none(v) for k, v in value.items() if v is not None}
    if isinstance(value, list):
        return [_without_none(one) for one in value]
    return value


class Source(Frozen, frozen=True):
    """Where a fact was read, and the ISO date on which it was checked."""

    url: str
    checked: str
    note: str = ""

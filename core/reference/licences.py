"""Licences of open weights that limit what a business may do, as data."""

from functools import cache

from core.frozen import Frozen
from core.reference.names import compact
from core.reference.tables import read_table


class Licence(Frozen, frozen=True, kw_only=True):
    """What some weights may not be used for without asking."""

    models: tuple[str, ...]
    """Beginnings of names, compared without signs."""
    but: tuple[str, ...] = ()
    """Beginnings of names that are free all the same."""
    name: str
    limit: str
    source: str

    def covers(self, model: str) -> bool:
        """Whether a model's weights come under it."""
        asked = compact(model)
        held = any(asked.startswith(compact(one)) for one in self.models)
        return held and not any(asked.startswith(compact(one)) for one in self.but)


@cache
def licences() -> tuple[Licence, ...]:
    """Read them, once."""
    table = read_table("core.reference", "licences.toml")
    return tuple(Licence.model_validate(row) for row in table["licence"])


def licence_of(model: str) -> Licence | None:
    """The licence that limits a model; None: none that is known."""
    return next((one for one in licences() if one.covers(model)), None)

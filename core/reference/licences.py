"""Licences of open weights that limit what a business may do, as data."""

import re
import tomllib
from functools import cache
from importlib.resources import files

from core.frozen import Frozen


class Licence(Frozen):
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
        asked = _plain(model)
        held = any(asked.startswith(_plain(one)) for one in self.models)
        return held and not any(asked.startswith(_plain(one)) for one in self.but)


@cache
def licences() -> tuple[Licence, ...]:
    """Read them, once."""
    text = files("core.reference").joinpath("licences.toml").read_text("utf-8")
    return tuple(Licence(**row) for row in tomllib.loads(text)["licence"])


def licence_of(model: str) -> Licence | None:
    """The licence that limits a model; None: none that is known."""
    return next((one for one in licences() if one.covers(model)), None)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())

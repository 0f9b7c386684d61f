"""The frame itself."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_every_room_is_shipped() -> None:
    """The wheel holds exactly the four packages of the project."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())

    wheel = config["tool"]["hatch"]["build"]["targets"]["wheel"]

    assert ["bot", "core", "prices", "templates"] == wheel["packages"]

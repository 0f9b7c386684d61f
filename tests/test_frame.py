"""The frame itself."""

import ast
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_every_room_is_shipped() -> None:
    """The wheel holds exactly the four packages of the project."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())

    wheel = config["tool"]["hatch"]["build"]["targets"]["wheel"]

    assert ["bot", "core", "prices", "templates"] == wheel["packages"]


def test_every_name_of_a_module_is_given_once() -> None:
    """A second one would take the place of the first without a word."""
    twice = {}
    for room in ("bot", "core", "prices"):
        for file in (ROOT / room).rglob("*.py"):
            named = Counter(
                target.id
                for node in ast.parse(file.read_text()).body
                if isinstance(node, ast.Assign)
                for target in node.targets
                if isinstance(target, ast.Name)
            )
            again = [name for name, times in named.items() if times > 1]
            if again:
                twice[str(file.relative_to(ROOT))] = again
    assert not twice

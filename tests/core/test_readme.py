"""How it computes, as core/README.md tells it, is how it computes."""

import doctest
import re
from importlib import import_module
from pathlib import Path

from tests.each import each

README = Path(__file__).parents[2] / "core" / "README.md"
NAMED = sorted(set(re.findall(r"`(core\.[\w.]+)`", README.read_text("utf-8"))))


def test_every_worked_example_is_computed() -> None:
    """What the page says that a formula gives, the formula gives."""
    found = doctest.testfile(str(README), module_relative=False)

    assert found.attempted > 15
    assert found.failed == 0


@each(NAMED)
def test_every_formula_is_where_the_page_says(name: str) -> None:
    """The module and the function or class exist, and say what they do."""
    parts = name.split(".")
    module = import_module(".".join(parts[:3]))
    found = module
    for part in parts[3:]:
        found = getattr(found, part)

    assert found.__doc__


def test_every_room_of_formulas_is_on_the_page() -> None:
    """No file of money is without a line, nor memory, steps, latency and training."""
    told = {name.split(".")[2] for name in NAMED}

    assert {"memory", "steps", "replica", "queueing", "capacity"} <= told
    assert {"costs", "reserve", "spot", "breakeven", "owned", "tco"} <= told
    assert {"training", "training_step", "training_memory", "finetune", "jobs"} <= told

"""Labelled questions and how far a parser agrees with them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bot.language.interface import parse_line

OWN = Path(__file__).with_name("questions.jsonl")
BLIND = Path(__file__).with_name("blind")
"""Questions labelled by people who had not seen the code; retired once scored."""
SHARED = Path(__file__).parents[4] / "shared" / "questions" / "dev.jsonl"


@dataclass
class Agreement:
    """How the fields, the specs and the asking back of a set of questions agree."""

    stated: int = 0
    found: int = 0
    invented: int = 0
    exact: int = 0
    agreed: int = 0
    questions: int = 0
    wrong: tuple[str, ...] = ()

    @property
    def stated_found(self) -> float:
        """The share of stated fields that were read rightly."""
        return self.found / self.stated


def read_labels(path: Path) -> list[dict[str, Any]]:
    """Read one labelled question a line."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@cache
def read(text: str) -> dict[str, Any]:
    """How a text is read, once for all tests; nobody writes into it."""
    return parse_line({"id": "", "text": text})


def agreement(labels: list[dict[str, Any]]) -> Agreement:
    """Parse every question and compare it with its label."""
    total = Agreement()
    for label in labels:
        got = read(label["text"])
        wrong = list(_compare(label, got["spec"], total))
        asks = {
            label.get("clarify", False),
            *label.get("accept", {}).get("clarify", []),
        }
        total.questions += 1
        total.exact += not wrong
        total.agreed += got["clarify"] in asks
        if wrong:
            total.wrong += (f"{label['id']} {label['text']}: {'; '.join(wrong)}",)
    return total


def _compare(
    label: dict[str, Any], got: dict[str, Any], total: Agreement
) -> Iterator[str]:
    """Yield what differs; a model's size that its name implies is not invented."""
    for field in sorted(set(label["spec"]) | set(got)):
        want = label["spec"].get(field)
        good = [want, *label.get("accept", {}).get(field, [])]
        implied = (
            want is None and label["spec"].get("model") and field.endswith("params_b")
        )
        right = bool(implied) or any(same(got.get(field), value) for value in good)
        total.stated += want is not None
        total.found += want is not None and right
        total.invented += want is None and not right
        if not right:
            yield f"{field} {got.get(field)!r} instead of {want!r}"


def same(left: Any, right: Any) -> bool:
    """Whether two values of a field agree."""
    left, right = _plain(left), _plain(right)
    if isinstance(left, float) and isinstance(right, float):
        return abs(left - right) <= 1e-3 * max(1, abs(left))
    return bool(left == right)


def _plain(value: Any) -> Any:
    """Bring a value to the form in which two are compared."""
    if isinstance(value, str):
        return value.lower()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, list):
        return sorted(map(_plain, value), key=str)
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items() if part is not None}
    return value

"""The formula version names what the formulas give: another figure, another version."""

import tomllib
from pathlib import Path
from typing import Any

import april
import pytest

from core.answers import FORMULA_VERSION
from core.wording import significant

RECORDED = Path(__file__).parent / "figures_by_version.toml"
SERVED: dict[str, dict[str, Any]] = {
    "70b 50rps": {"params_b": 70, "rps": 50},
    "70b 50rps bf16": {"params_b": 70, "rps": 50, "precision": ("bf16",)},
    "8b 1M requests a day": {"params_b": 8, "requests_per_day": 1e6},
    "13b, 40 people": {"params_b": 13, "users": 40},
    "32b, 10,000 people": {"params_b": 32, "users": 10_000},
    "mixtral 20rps": {"model": "mixtral-8x7b", "rps": 20},
    "deepseek r1 2rps": {"model": "deepseek-r1", "rps": 2},
    "70b 128k 1rps": {"params_b": 70, "rps": 1, "context": 131_072},
}
DONE: dict[str, dict[str, Any]] = {
    "70b batch": {"kind": "batch", "params_b": 70, "requests_total": 1e6},
    "qlora 8b": {"kind": "finetune", "params_b": 8, "method": ("qlora",)},
    "full 13b": {"kind": "finetune", "params_b": 13, "method": ("full",)},
    "pretrain 3b": {"kind": "training", "params_b": 3, "dataset_tokens": 60e9},
}


def figures() -> dict[str, str]:
    """Count, GPU, dollars and first token of each question, at the articles' prices."""
    found = {}
    for name, stated in SERVED.items():
        best = april.served_by(*april.SPHERON, **stated)
        first = significant(best.plan.capacity.ttft_ms)
        money = significant(float(best.usd_per_month), 4)
        found[name] = f"{best.gpus} × {best.plan.gpu.id}, ${money}, {first} ms"
    for name, stated in DONE.items():
        way = april.done_by(*april.SPHERON, **stated)
        hours = significant(float(way.hours))
        money = significant(float(way.usd), 4)
        found[name] = f"{way.gpus} × {way.plan.gpu.id}, ${money}, {hours} h"
    return found


def test_every_figure_is_the_one_of_its_version(
    request: pytest.FixtureRequest,
) -> None:
    """Where this fails, raise FORMULA_VERSION: `pytest --update-golden` records it.

    Asking a question again says which formula version each of two answers came from.
    """
    versions = tomllib.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    now = figures()
    if FORMULA_VERSION not in versions and request.config.getoption("--update-golden"):
        rows = "\n".join(f'"{name}" = "{text}"' for name, text in now.items())
        with RECORDED.open("a") as file:
            file.write(f'["{FORMULA_VERSION}"]\n{rows}\n')
        versions[FORMULA_VERSION] = now

    assert versions[FORMULA_VERSION] == now
    assert FORMULA_VERSION == list(versions)[-1]

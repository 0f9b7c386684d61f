"""Write the measurements of training that ship with the program.

`python -m tests.bench.build_training_measurements` reads the published measurements
beside the repository and writes core/reference/training_measurements.csv: one row per
speed, the run as a request line states it, with its source and date.
"""

import csv
import re
import sys
from pathlib import Path

from tests.bench.measured import FOLDER, Row, rows

TARGET = Path(__file__).parents[2] / "core/reference/training_measurements.csv"
FILES = ("training", "training-2")
REQUEST = (
    "task", "model", "method", "gpu", "num_gpus", "params_b", "active_params_b",
    "precision", "seq_len", "gbs", "mbs", "activation_checkpointing", "parallelism",
    "tokens", "lora_rank", "framework",
)  # fmt: skip
GITHUB = "https://github.com/"
# How a source begins: its short name, its page, the software, its date.
SOURCES = {
    "NVIDIA Megatron-Bridge": (
        "Megatron-Bridge", f"{GITHUB}NVIDIA-NeMo/Megatron-Bridge", "2026-08"),
    "NVIDIA NeMo": ("NeMo", f"{GITHUB}NVIDIA/NeMo", "2024-09"),
    "MosaicML llm-foundry": (
        "llm-foundry", f"{GITHUB}mosaicml/llm-foundry", "2023-10"),
    "MLPerf Training v5.1": (
        "MLPerf Training", f"{GITHUB}mlcommons/training_results_v5.1", "2025-11"),
    "MLPerf Training v5.0": (
        "MLPerf Training", f"{GITHUB}mlcommons/training_results_v5.0", "2025-06"),
    "Nanotron": (
        "Nanotron", "https://huggingface.co/spaces/nanotron/ultrascale-playbook",
        "2025-02"),
    "IBM fms-acceleration": (
        "fms-acceleration", f"{GITHUB}foundation-model-stack/fms-acceleration",
        "2024-11"),
    "pytorch/torchtitan": ("torchtitan", f"{GITHUB}pytorch/torchtitan", "2025-06"),
    "pytorch/torchtune": ("torchtune", f"{GITHUB}pytorch/torchtune", "2025-01"),
    "QwenLM/Qwen": ("Qwen", f"{GITHUB}QwenLM/Qwen", "2023-11"),
    "Google tpu-recipes": (
        "tpu-recipes", f"{GITHUB}AI-Hypercomputer/tpu-recipes", "2026-08"),
    "MaxText": ("MaxText", f"{GITHUB}AI-Hypercomputer/maxtext", "2025-09"),
}  # fmt: skip
_CONTAINER = re.compile(r"mbridge-(\d\d)\.(\d\d)")
"""NVIDIA numbers its containers by year and month."""


def main() -> None:
    """Write the table, or say that there is nothing to write it from."""
    found = [row for name in FILES for row in rows(name)]
    if not found:
        sys.exit(f"no measurements in {FOLDER}: the table stays as it is")
    timed = [row for row in found if row.measured.get("tokens_per_second")]
    with TARGET.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("id", *REQUEST, "tokens_per_second", "source", "url", "date"))
        writer.writerows(sorted(_cells(row) for row in timed))


def _cells(row: Row) -> list[str]:
    name, url, date = _source(row)
    container = _CONTAINER.match(row.request["id"])
    if container:
        date = f"20{container[1]}-{container[2]}"
    stated = [_text(row.request.get(field)) for field in REQUEST]
    speed = _text(row.measured["tokens_per_second"])
    return [row_id(row), *stated, speed, name, url, date]


def publisher(row: Row) -> str:
    """Return the short name of who published a measurement."""
    return _source(row)[0]


def _source(row: Row) -> tuple[str, str, str]:
    known = SOURCES.items()
    found = (entry for start, entry in known if row.source.startswith(start))
    return next(found, (row.source, "", ""))


def row_id(row: Row) -> str:
    """Return the measurement's id as the table spells it."""
    return str(row.request["id"]).replace(" NeMo Container", "").replace(" ", "_")


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.7g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()

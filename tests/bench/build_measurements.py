"""Write core/reference/measurements.csv: published figures, and how far the physics is.

    python -m tests.bench.build_measurements           facts from the data folder
    python -m tests.bench.build_measurements --again   the shipped facts, estimated anew

Run the second after every change of the physics or its constants; a test compares. One
line is one configuration at one pair of lengths, its points the loads it was run at.
"""

import csv
import gzip
import json
import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from core.estimate.evidence import FIELDS, Point, Series, shipped, written
from core.estimate.interface import read_request, test_run
from core.estimate.serving import ServingRequest, unanchored, unanchored_state
from core.reference.load import reference
from core.reference.serving import ServingConstants
from tests.bench.measured import FOLDER

TARGET = Path(__file__).parents[2] / "core" / "reference" / "measurements.csv"
SOURCES = {
    "InferenceX": "inferencex",
    "gap-analysis": "nvidia-gap-analysis",
    "DLI NIM": "nvidia-nim",
    "NIM LLM": "nvidia-nim-docs",
    "DLI TensorRT": "nvidia-dli",
    "perf docs": "tensorrt-llm-static",
    "perf-overview": "tensorrt-llm",
    "IOG": "iog",
    "disaggregation": "dstack-disaggregation",
    "dstack": "dstack",
    "Argonne": "argonne",
    "ROCm": "rocm",
    "Gaudi": "gaudi",
    "optimum": "optimum-habana",
    "CloudRift": "cloudrift",
    "Vultr": "vultr",
}
"""A word of the data's source to the key in measurement_sources.toml."""
PUBLISHED = {
    "trtllm-0.8.0": ("0.8.0", "2024-03"),
    "trtllm-0.9.0": ("0.9.0", "2024-04"),
    "trtllm-0.10.0": ("0.10.0", "2024-06"),
    "trtllm-0.11.0": ("0.11.0", "2024-08"),
    "trtllm-0.14": ("0.14", "2024-11"),
    "trtllm-0.17": ("0.17", "2025-02"),
    "trtllm-0.20": ("0.20", "2025-06"),
    "trtllm-1.0": ("1.0", "2025-09"),
    "trtllm-1.1": ("1.1", "2026-01"),
    "trtllm-online": ("0.14", "2024-11"),
    "trt090": ("0.9.0", "2024-04"),
    "argonne": ("", "2024-11"),
    "dstack-thr": ("0.6.3", "2024-11"),
    "amd-lat-vLLM_0.10.1": ("0.10.1", "2025-09"),
    "amd-lat-vLLM_0.10.2": ("0.10.2", "2025-10"),
    "dstack-pd": ("", "2025-09"),
    "silicon": ("", "2026-04"),
    "nim-": ("", "2024"),
    "gaudi": ("", "2024-10"),
}
"""Version and month of publication by how a row's id begins, where the data states no
month of measurement."""
ONE_REPLICA = "dstack-thr-8xMi300x_2FP8"
"""Begins the rows of two replicas on eight GPUs that give the figures of one, to the
digit those of four GPUs."""
MLPERF = {
    "H200 SXM 141GB": ("h200-sxm", "fp8"),
    "B200 SXM 180GB": ("b200", "fp4"),
    "B300 SXM 270GB": ("b300", "fp4"),
    "GB200 (NVL72)": ("gb200", "fp4"),
    "GB300 (NVL72)": ("gb300", "fp4"),
    "RTX PRO 6000 Blackwell SE 96GB": ("rtxpro6000-server", "fp4"),
    "MI300X 192GB": ("mi300x", "fp8"),
    "MI325X 256GB": ("mi325x", "fp8"),
    "MI355X 288GB": ("mi355x", "fp4"),
}
"""GPUs of MLPerf that hold Llama 2 70B alone, so that each is a replica: how others cut
the model, results do not say. And the format that they run it in."""
MLPERF_PROMPT = 294
"""Mean tokens of a question in MLPerf's OpenOrca sample; of answers, results say it."""
_DAY = re.compile(r"(20\d\d)[_-](\d\d)[_-](\d\d)")


def main() -> None:
    """Write the file."""
    found = shipped() if "--again" in sys.argv else list(_read())
    lines = sorted(written(estimated(series)) for series in found)
    with TARGET.open("w", encoding="utf-8") as file:
        file.write("\n".join([",".join(FIELDS), *lines]) + "\n")


def _read() -> Iterator[Series]:
    """Group the rows of the data folder by configuration and lengths."""
    dated = _dated()
    known = reference()
    grouped: dict[tuple[object, ...], list[Point]] = defaultdict(list)
    for name in ("serving", "serving-2"):
        with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt") as lines:
            for line in map(json.loads, lines):
                request = read_request(line["request"], known)
                if line["request"]["id"].startswith(ONE_REPLICA):
                    request = replace(request, gpus=request.tp or request.gpus)
                key = _key(line, request, dated)
                grouped[key].append(_point(line["measured"], request))
    for key, points in grouped.items():
        ordered = tuple(sorted(points, key=lambda point: point.load))
        yield Series(*key, ordered)  # type: ignore[arg-type]
    yield from _mlperf()


def _mlperf() -> Iterator[Series]:
    """Yield the submission at the median by GPU and round.

    MLPerf Inference, closed division, Llama 2 70B offline: every request is there at
    the start. Many submit the same server, so that one of them stands for all.
    """
    with gzip.open(FOLDER / "inference.csv.gz", "rt") as lines:
        rows = {row["row_id"]: row for row in csv.DictReader(lines)}
    submitted: dict[tuple[str, ...], list[dict[str, str]]] = defaultdict(list)
    for row in rows.values():
        offline = row["scenario"], row["model"], row["quality"]
        if (
            row["source"].startswith("MLPerf Inference")
            and offline == ("offline", "Llama-2-70B", "A")
            and MLPERF.get(row["gpu"], ("", ""))[1] == row["weights_precision"]
        ):
            submitted[row["gpu"], row["source"].split(" v")[1]].append(row)
    for (name, version), found in submitted.items():
        found.sort(key=lambda row: float(row["tokens_per_s_per_gpu"]))
        middle = found[(len(found) - 1) // 2]
        gpus, (gpu, weights) = int(middle["num_gpus"]), MLPERF[name]
        engine = "vLLM" if name.startswith("MI") else "TensorRT-LLM"
        yield Series(
            "llama-2-70b", gpu, weights, "", engine, "", gpus, 1, 0, 0, 0,
            "saturated", MLPERF_PROMPT, float(middle["osl"]), f"mlperf-{version}",
            _month(middle["date"]),
            (Point(0.0, float(middle["tokens_per_s_total"]), None, None, None, None),),
        )  # fmt: skip


def _key(
    line: dict[str, object], asked: ServingRequest, dated: dict[str, tuple[str, str]]
) -> tuple[object, ...]:
    row = line["request"]
    assert isinstance(row, dict)
    source = next(key for word, key in SOURCES.items() if word in str(line["source"]))
    version, date = dated.get(row["id"]) or _from_id(row["id"])
    return (
        asked.model.id, asked.gpu.id, asked.weights, asked.kv or "",
        asked.framework or "", version, asked.gpus, asked.tp or 0, asked.pp or 0,
        asked.dp or 0, asked.ep or 0, asked.regime, asked.input_tokens,
        asked.output_tokens, source, date,
    )  # fmt: skip


def _point(measured: dict[str, float], asked: ServingRequest) -> Point:
    load = asked.concurrency or asked.rps or 0.0
    return Point(
        0.0 if load == math.inf else load,
        measured.get("tokens_per_second"),
        measured.get("ttft_ms"),
        measured.get("tpot_ms"),
        None,
        None,
    )


def _dated() -> dict[str, tuple[str, str]]:
    """Return version and month of the rows that the full table has."""
    with gzip.open(FOLDER / "inference.csv.gz", "rt") as lines:
        return {
            row["row_id"]: (_version(row["framework_version"]), _month(row["date"]))
            for row in csv.DictReader(lines)
            if _month(row["date"])
        }


def _version(text: str) -> str:
    found = re.search(r"\d+\.\d+(\.\d+)?", text)
    return found.group(0) if found else ""


def _month(text: str) -> str:
    found = re.match(r"(20\d\d)-?(\d\d)?", text)
    return "-".join(filter(None, found.groups())) if found else ""


def _from_id(row: str) -> tuple[str, str]:
    day = _DAY.search(row)
    if day:
        return "", f"{day.group(1)}-{day.group(2)}"
    found = (known for begins, known in PUBLISHED.items() if row.startswith(begins))
    known = next(found, None)
    if known is None:
        raise SystemExit(f"when was {row} published?")
    return known


def estimated(series: Series, constants: ServingConstants | None = None) -> Series:
    """Return a series with the logarithms of measured over estimated filled in."""
    again = tuple(_residuals(series, point, constants) for point in series.points)
    return replace(series, points=again)


def _residuals(
    series: Series, point: Point, constants: ServingConstants | None
) -> Point:
    if series.regime == "open_loop" and point.tpot_ms and point.ttft_ms:
        return _at_rate(series, point, (point.ttft_ms, point.tpot_ms), constants)
    found = unanchored(request_of(series, point), constants)
    ttft = _ratio(point.ttft_ms, found.ttft_ms)
    tpot = _ratio(point.tpot_ms, found.tpot_ms)
    rate = _ratio(point.tokens_per_second, found.tokens_per_second.likely)
    if tpot is None or series.regime == "saturated":
        # Only the rate was published: the whole answer took so much longer.
        tpot = None if rate is None else -rate
        ttft = tpot if ttft is None and series.regime != "saturated" else ttft
    return point._replace(ttft=ttft, tpot=tpot)


def _at_rate(
    series: Series,
    point: Point,
    times: tuple[float, float],
    constants: ServingConstants | None,
) -> Point:
    """Compare at the requests that were in flight, not at the rate.

    Near the limit a little of either moves both a long way.
    """
    ttft_ms, tpot_ms = times
    each_s = (ttft_ms + tpot_ms * (series.output_tokens - 1)) / 1e3
    in_flight = max(point.load * each_s, 0.1)
    state = unanchored_state(request_of(series, point), in_flight, constants)
    # A queue that grows without end is as long as the test was: it says nothing.
    waited = None if state.queued else _ratio(ttft_ms, state.ttft_s * 1e3)
    return point._replace(
        ttft=waited,
        tpot=_ratio(tpot_ms, state.tpot_s * 1e3),
    )


def request_of(series: Series, point: Point) -> ServingRequest:
    """Return the request whose answer a point was measured for."""
    known, regime = reference(), series.regime
    at_rate = regime == "open_loop"
    return ServingRequest(
        model=known.models[series.model],
        gpu=known.gpus[series.gpu],
        gpus=series.gpus,
        weights=series.weights,  # type: ignore[arg-type]
        kv=series.kv or None,  # type: ignore[arg-type]
        input_tokens=series.input_tokens,
        output_tokens=series.output_tokens,
        tp=series.tp or None,
        pp=series.pp or None,
        dp=series.dp or None,
        ep=series.ep or None,
        concurrency=None if at_rate or regime == "saturated" else point.load,
        rps=point.load if at_rate else None,
        scenario="static" if regime == "static" else None,
        framework=series.engine or None,
        tail=test_run() if at_rate else None,
    )


def _ratio(measured: float | None, estimated: float) -> float | None:
    return math.log(measured / estimated) if measured and estimated > 0 else None


if __name__ == "__main__":
    main()

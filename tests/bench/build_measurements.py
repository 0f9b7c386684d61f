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
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

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
COPIES = ("dstack-thr-8xMi300x_2FP8",)
"""Begins the rows of two replicas on eight GPUs that give the figures of one, to the
digit those of four GPUs, which stand beside them."""
COPIED_ATTENTION = ("cfg707", "cfg727", "cfg827")
"""Ends the rows of InferenceX with data-parallel attention under vLLM. Its export gives
all runs with experts whole on their GPUs as many copies as GPUs; its configurations
have `dp-attn` for MiniMax-M2.5 at `tp: 2, ep: 2` with the most clients alone, and
NVIDIA prints one of the others, of Kimi-K2.5, as `dp1`."""
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
DRAFTED = {
    ("deepseek-r1", "TensorRT-LLM"): (
        ("1.2.0rc6.post3", "", "", ""),
        ("1.1.0rc2.post2", "2026-01", "", ""),
    ),
    ("deepseek-r1", "SGLang"): (("0.5.9", "2026-03", "fp8", "tp8_0_ep1"),),
    ("qwen3.5-397b-a17b", "SGLang"): (
        ("0.5.9", "2026-03-20", "fp8", "tp4_0_ep1"),
        ("0.5.9", "2026-04-03", "fp8", "tp4_0_ep1"),
    ),
}
"""Runs of InferenceX that drafted tokens (multi-token prediction), which their rows do
not say: version, day, format and layout in the id. Its history of configurations does:
pull request 392 ran TensorRT-LLM 1.1.0rc2.post2 again in January 2026 with drafts only,
632 and 642 moved those runs to 1.2.0rc6.post3; SGLang drafts R1 with TP8 (626), and
Qwen3.5 with TP4 without expert parallelism (898). They are no evidence of what a server
carries that does not draft: four clients got tokens 1.3 to 1.7 times as fast.
"""
UNREADY = {
    ("deepseek-r1", "SGLang"): (
        ("0.5.10.post1", "2026-04", "", "b300"),
        ("", "2025-11-10", "fp4", "b200"),
    ),
}
"""Runs of InferenceX before what they ran was ready, likewise. R1 came to the B300 with
the B200's recipe "as-is until B300-specific tuning is available" (pull requests 1049
and 1050): prompts of 8,192 tokens took it 4 to 6 times as long as the B200 a version
before, and a quarter as long a month later (1321; 16 clients 1,375 instead of 644
tokens/s). And tests of 2025 began on cold servers (480 warms them up): R1 in FP4 gave
most first tokens after 5 to 9 seconds whatever the load and the prompt, 0.2 to 2.6 s
once warm.
"""
OTHER_LOAD = (
    "silicon-nvidia_deepseek_r1_nvfp4_nvidia",
    "silicon-openai_gpt_oss_120b_openai",
)
"""Begins eleven rows of one job of the gap analysis whose load is not what they state:
in five of five pairs twice the clients on the same GPUs get the same TPOT to 2 % and a
shorter TTFT; eight B200 take 85 ms a token of R1 for 40 clients, InferenceX's 10."""
SAME = 2e-3
"""Within this share of each other, every figure of two publishers' rows of one
configuration is one run that both print: 107 rows of NVIDIA's gap analysis InferenceX
ran, and the static batches of the documentation are those of NVIDIA's course, cut to
whole tokens. No second publisher has measured them, and twice the same row is not twice
the evidence. The source that stands first in SOURCES keeps it.
"""
WAITS = 2.0
"""ln of measured over estimated time to the first token beyond which one of the two
waits for a place in a full batch, or for a server that is not up, and the other does
not: that says nothing of prompts, and brought nearby loads a seventh of their time."""
_DAY = re.compile(r"(20\d\d)[_-](\d\d)[_-](\d\d)")
Row = tuple[dict[str, Any], ServingRequest]


def main() -> None:
    """Write the file."""
    found = shipped() if "--again" in sys.argv else list(_read())
    lines = sorted(written(estimated(series)) for series in found)
    with TARGET.open("w", encoding="utf-8") as file:
        file.write("\n".join([",".join(FIELDS), *lines]) + "\n")


def _read() -> Iterator[Series]:
    """Group the rows of the data folder by configuration and lengths."""
    dated = _dated()
    grouped: dict[tuple[object, ...], list[Point]] = defaultdict(list)
    for row, request in _originals(_rows()):
        if no_evidence(row["request"]["id"], request):
            continue
        key = _key(row, request, dated)
        grouped[key].append(_point(row["measured"], request))
    for key, points in grouped.items():
        ordered = tuple(sorted(points, key=lambda point: point.load))
        yield Series(*key, ordered)  # type: ignore[arg-type]
    yield from _mlperf()


def _rows() -> Iterator[Row]:
    """Yield the rows of the data folder with their requests."""
    known = reference()
    for name in ("serving", "serving-2"):
        with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt") as lines:
            for row in map(json.loads, lines):
                yield row, _laid_out(row, read_request(row["request"], known))


def _laid_out(row: dict[str, Any], asked: ServingRequest) -> ServingRequest:
    """Return a request with the layout that the run had: see COPIED_ATTENTION."""
    gpus = asked.gpus
    if (asked.ep or 1) <= gpus or asked.tp != gpus:
        return asked
    copied = row["request"]["id"].endswith(COPIED_ATTENTION)
    return replace(asked, tp=1 if copied else gpus, dp=gpus if copied else 1, ep=gpus)


def _originals(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows without those that print another publisher's run again."""
    order, dated = list(SOURCES.values()), _dated()
    printed: dict[tuple[object, ...], list[Row]] = defaultdict(list)
    for row, asked in sorted(rows, key=lambda one: order.index(_source(one[0]))):
        alike = printed[
            asked.model.id, asked.gpu.id, asked.gpus, asked.weights, asked.regime,
            asked.input_tokens, asked.output_tokens, asked.concurrency or asked.rps,
        ]  # fmt: skip
        if not any(_copied(row, other, dated) for other, _ in alike):
            alike.append((row, asked))
            yield row, asked


def _copied(
    row: dict[str, Any], other: dict[str, Any], dated: dict[str, tuple[str, str]]
) -> bool:
    """Return whether two rows of one configuration are one run, printed twice."""
    one, two = row["measured"], other["measured"]
    shared = one.keys() & two.keys() & {"tokens_per_second", "ttft_ms", "tpot_ms"}
    versions = {_when(each, dated)[0] for each in (row, other)} - {""}
    return (
        _source(row) != _source(other)
        and len(versions) < 2
        and bool(shared)
        and all(abs(math.log(one[name] / two[name])) <= SAME for name in shared)
    )


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
    row: dict[str, Any], asked: ServingRequest, dated: dict[str, tuple[str, str]]
) -> tuple[object, ...]:
    version, date = _when(row, dated)
    return (
        asked.model.id, asked.gpu.id, asked.weights, asked.kv or "",
        asked.framework or "", version, asked.gpus, asked.tp or 0, asked.pp or 0,
        asked.dp or 0, asked.ep or 0, asked.regime, asked.input_tokens,
        asked.output_tokens, _source(row), date,
    )  # fmt: skip


def _source(row: dict[str, Any]) -> str:
    return next(key for word, key in SOURCES.items() if word in row["source"])


def _when(row: dict[str, Any], dated: dict[str, tuple[str, str]]) -> tuple[str, str]:
    """Return version and month of a row."""
    return dated.get(row["request"]["id"]) or _from_id(row["request"]["id"])


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


def no_evidence(row: str, request: ServingRequest) -> bool:
    """Return whether a row is not what it says: see DRAFTED, UNREADY and the others."""
    if row.startswith((*OTHER_LOAD, *COPIES)):
        return True
    version, date = _stated().get(row, ("", ""))
    ran = request.model.id, request.framework or ""
    return any(
        version == stated
        and date.startswith(day)
        and weights in ("", request.weights)
        and named in row
        for runs in (DRAFTED, UNREADY)
        for stated, day, weights, named in runs.get(ran, ())
    )


@cache
def _stated() -> dict[str, tuple[str, str]]:
    """Return version and day of every row as the full table states them."""
    with gzip.open(FOLDER / "inference.csv.gz", "rt") as lines:
        return {
            row["row_id"]: (row["framework_version"], row["date"])
            for row in csv.DictReader(lines)
        }


def _dated() -> dict[str, tuple[str, str]]:
    """Return version and month of the rows that the full table has."""
    return {
        row: (_version(version), _month(date))
        for row, (version, date) in _stated().items()
        if _month(date)
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
    return point._replace(ttft=_of_prompts(ttft), tpot=tpot)


def _of_prompts(ttft: float | None) -> float | None:
    return ttft if ttft is not None and abs(ttft) <= WAITS else None


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
        ttft=_of_prompts(waited),
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

"""Numeric formats: what a weight occupies, and at which rate it is multiplied."""

from core.hardware import GpuSpec
from core.units import Precision

BYTES: dict[str, float] = {
    "fp32": 4.0,
    "bf16": 2.0,
    "fp16": 2.0,
    "fp8": 1.0,
    "int8": 1.0,
    "fp4": 4.5 / 8,
    "int4": 4.25 / 8,
}
"""Bytes per stored weight, with the scales of the quantised formats: NVFP4 has one
FP8 scale for 16 weights (arXiv 2509.25149), AWQ one FP16 scale and zero for 128."""

SIXTEEN_BIT = 2.0
WEIGHT_ONLY = "weight_only"
_SIXTEEN: tuple[Precision, ...] = ("bf16", "fp16")


def sixteen_bit_tflops(gpu: GpuSpec) -> float:
    """Return the dense rate in TFLOPS at which 16-bit weights are multiplied.

    FP16 where BF16 is missing (T4, V100), FP32 where both are (P40, whose DP4A makes
    INT8 four times as fast).
    """
    for precision in _SIXTEEN:
        if precision in gpu.tflops:
            return gpu.tflops[precision]
    return gpu.tflops.get("fp32") or gpu.tflops["int8"] / 4


def compute_rate(gpu: GpuSpec, weights: Precision) -> tuple[float, str]:
    """Return the matrix rate in TFLOPS and the efficiency class it falls in.

    A format that the matrix units lack is unpacked to 16 bit first: it saves memory
    and bandwidth, not compute. INT4 is weight-only everywhere.
    """
    if weights in ("fp32", *_SIXTEEN):
        return sixteen_bit_tflops(gpu), "bf16"
    native = gpu.tflops.get(weights)
    if native is None or weights == "int4":
        return sixteen_bit_tflops(gpu), WEIGHT_ONLY
    # B300 and GB300 keep INT8 for compatibility, far below their 16-bit rate.
    if native < sixteen_bit_tflops(gpu):
        return sixteen_bit_tflops(gpu), WEIGHT_ONLY
    return native, "fp8" if weights == "int8" else weights


def precisions_for(gpu: GpuSpec) -> tuple[Precision, ...]:
    """Return the weight formats worth serving on a GPU, the most exact first.

    FP8 where the hardware multiplies it, INT8 where it does not, FP4 on Blackwell and
    MI355X only, INT4 anywhere.
    """
    sixteen: Precision = "bf16" if "bf16" in gpu.tflops else "fp16"
    found: list[Precision] = [sixteen]
    if gpu.runs_natively("fp8"):
        found.append("fp8")
    elif compute_rate(gpu, "int8")[1] == "fp8":
        found.append("int8")
    if gpu.runs_natively("fp4"):
        found.append("fp4")
    found.append("int4")
    return tuple(found)


def usual_kv(gpu: GpuSpec, weights: Precision) -> Precision:
    """Return the KV cache format that goes with a weight format: FP8 beside FP8."""
    if weights in ("fp8", "fp4") and gpu.runs_natively("fp8"):
        return "fp8"
    return "fp16" if "bf16" not in gpu.tflops else "bf16"

"""Units and the numeric formats of weights; the unit is always in the name."""

from typing import Literal, get_args

Precision = Literal["fp32", "bf16", "fp16", "fp8", "int8", "fp4", "int4"]
PRECISIONS: tuple[Precision, ...] = get_args(Precision)
BITS: dict[Precision, int] = {
    "fp32": 32, "bf16": 16, "fp16": 16, "fp8": 8, "int8": 8, "fp4": 4, "int4": 4,
}  # fmt: skip

GB = 10**9
GIB = 2**30

HOURS_PER_MONTH = 720
"""30 days of continuous use: the sources' month; 730 is offered on request."""

TOKENS_PER_WORD = 4 / 3
"""One constant for English text; the sources print 1.25, 1.33 and 1.35."""

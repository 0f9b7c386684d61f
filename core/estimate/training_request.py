"""One training run as it is asked for, and how a JSON line states it."""

from collections.abc import Mapping
from functools import lru_cache
from math import log
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct, ValidationError, convert

from core.estimate.errors import UnreadableRequestError
from core.estimate.training_layout import Stack
from core.estimate.training_memory import Tuning
from core.estimate.training_shape import generic_decoder
from core.frozen import learn
from core.hardware import GpuSpec
from core.llm import ModelSpec
from core.patterns import regex
from core.reference.catalogue import Reference
from core.units import Precision
from core.workload import Measured, Rollouts, TuningMethod

Task = Literal["train", "finetune"]
Name = TypeVar("Name", bound=str)

SAME_MODEL = 0.25
"""A stated size further than this from the published one, in ln, is believed."""
ONE_NODE = 8
USUAL_SEQUENCE: dict[Task, float] = {"train": 4096, "finetune": 2048}

_FORMATS: tuple[tuple[str, Precision], ...] = (
    ("fp4", "fp4"),
    ("fp8", "fp8"),
    ("float8", "fp8"),
    ("int8", "int8"),
    ("bf16", "bf16"),
    ("fp16", "fp16"),
    ("fp32", "fp32"),
    ("tf32", "fp32"),
)
_METHODS: tuple[tuple[str, TuningMethod], ...] = (
    ("qlora", "qlora"),
    ("lora", "lora"),
    ("dpo", "dpo"),
    ("grpo", "grpo"),
    ("full", "full"),
    ("sft", "full"),
    ("train", "full"),
)
_SIZE = regex(r"(?<![\d.])(\d+(?:\.\d+)?)([bm])(?:[-_ ]?a(\d+(?:\.\d+)?)b)?(?![a-z])")


class TrainingRequest(Struct, frozen=True):
    """One run on one kind of GPU; None: not stated, taken as is usual."""

    model: ModelSpec
    gpu: GpuSpec
    gpus: int
    method: TuningMethod = "full"
    adapters: Literal["lora", "qlora"] | None = None
    """What DPO or GRPO trains instead of all weights; None: as the method says."""
    precision: Precision = "bf16"
    sequence: float = 4096
    """Tokens per sequence."""
    global_batch: float | None = None
    """Sequences per optimiser step, all GPUs."""
    micro_batch: int | None = None
    checkpointing: bool | None = None
    tokens: float | None = None
    """Tokens of the whole run; then the speed includes evaluation and checkpoints."""
    lora_rank: int = 16
    task: Task = "train"
    parallelism: str = ""
    framework: str = ""
    lean: bool = True
    """Whether all-bf16, 8-bit and paged optimisers may make it fit."""
    mfu: float | None = None
    """As stated, of the dense 16-bit peak; None: estimated."""
    measured: Measured | None = None
    """How long the run takes today; the hours of a plan follow it."""
    rollouts: Rollouts | None = None
    """What GRPO writes; then the speed is that of the training alone."""

    @property
    def tuning(self) -> Tuning:
        """What is trained: everything, or adapters on frozen weights."""
        if self.method == "lora" or self.method == "qlora":
            return self.method
        return self.adapters or "full"


def usual_stack(request: TrainingRequest) -> Stack:
    """The software that such a run is made with where nothing is stated."""
    if request.gpu.vendor == "google":
        return "xla"
    # Only the tuned stacks train in FP8 or FP4 without being told how.
    if request.precision in ("fp8", "fp4"):
        return "tuned"
    one_node = request.gpus <= ONE_NODE
    if request.task == "train":
        return "fsdp" if one_node else "tuned"
    return "eager" if one_node else "fsdp"


Above0 = Annotated[float, Meta(gt=0)]
Count = Annotated[int, Meta(ge=1)]


class _Line(Struct, frozen=True, kw_only=True):
    """A request line; fields that it does not know are somebody else's."""

    task: Task
    model: str = ""
    gpu: str
    num_gpus: Count = 1
    params_b: Above0 | None = None
    active_params_b: Above0 | None = None
    method: str | None = None
    precision: str | None = None
    seq_len: Above0 | None = None
    gbs: Above0 | None = None
    mbs: Count | None = None
    activation_checkpointing: bool | None = None
    parallelism: str | None = None
    tokens: Above0 | None = None
    lora_rank: Count | None = None
    framework: str | None = None


def read_request(line: Mapping[str, Any], reference: Reference) -> TrainingRequest:
    """Read a request object; the error raised says what is wrong with it."""
    learn(_Line)
    try:
        stated = convert(dict(line), _Line, strict=False)
    except ValidationError as error:
        raise UnreadableRequestError(str(error)) from None
    gpu = reference.gpu(stated.gpu)
    if gpu is None:
        raise UnreadableRequestError(_unknown("gpu", stated.gpu, reference))
    return TrainingRequest(
        model=_model(stated, reference),
        gpu=gpu,
        gpus=stated.num_gpus,
        method=_named(_METHODS, "method", stated.method or "full"),
        precision=_named(_FORMATS, "precision", stated.precision or "bf16"),
        sequence=stated.seq_len or USUAL_SEQUENCE[stated.task],
        global_batch=stated.gbs,
        micro_batch=stated.mbs,
        checkpointing=stated.activation_checkpointing,
        tokens=stated.tokens,
        lora_rank=stated.lora_rank or 16,
        task=stated.task,
        parallelism=stated.parallelism or "",
        framework=stated.framework or "",
    )


def _named(known: tuple[tuple[str, Name], ...], field: str, text: str) -> Name:
    """Return what a published spelling means: "MXFP8" is fp8, "amp_bf16" is bf16."""
    for part, name in known:
        if part in text.lower():
            return name
    raise UnreadableRequestError(f"unknown {field} {text!r}")


def _model(line: _Line, reference: Reference) -> ModelSpec:
    named = reference.model(line.model) if line.model else None
    total, active = line.params_b, line.active_params_b
    if named is not None and not (total and _differs(named.params_b, total)):
        return named
    if total is None:
        total, active = _size_in(line.model)
    if total is None:
        raise UnreadableRequestError(_unknown("model", line.model, reference))
    return _of_size(total, active, reference)


def _differs(published: float, stated: float) -> bool:
    return abs(log(published / stated)) > SAME_MODEL


def _size_in(name: str) -> tuple[float | None, float | None]:
    """Read total and active billions from a name: "GPT3-20B", "Qwen3-30B-A3B"."""
    found = _SIZE.search(name.lower())
    if found is None:
        return None, None
    size = float(found[1]) * (1 if found[2] == "b" else 1e-3)
    return size, float(found[3]) if found[3] else None


def _of_size(total: float, active: float | None, reference: Reference) -> ModelSpec:
    if active is not None and active < 0.98 * total:
        return reference.representative(total, active)
    return _decoder(total)


@lru_cache(maxsize=2048)
def _decoder(params_b: float) -> ModelSpec:
    return generic_decoder(params_b)


def _unknown(kind: Literal["gpu", "model"], name: str, reference: Reference) -> str:
    near = ", ".join(reference.nearest(kind, name)) if name else ""
    return f"unknown {kind} {name!r}" + (f"; near: {near}" if near else "")

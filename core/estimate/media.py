"""Images, video, audio, 3D and embeddings: work per GPU-hour, in its own unit."""

import math
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from core.estimate.results import Range
from core.estimate.training_memory import usable_bytes
from core.estimate.training_step import peak
from core.hardware import GpuSpec
from core.reference.catalogue import Reference
from core.reference.media import (
    MediaFigure,
    MediaReference,
    Modality,
    media_reference,
)
from core.reference.names import compact
from core.reference.training import training_constants
from core.units import GB
from core.wording import say

UNITS: dict[Modality, str] = {
    "image": "images",
    "video": say("estimates.seconds_of_video"),
    "audio": say("estimates.hours_of_audio"),
    "embedding": say("estimates.unit_million_tokens"),
    "3d": "scenes",
}


class MediaCapacity(Struct, frozen=True):
    """What one GPU does in an hour."""

    modality: Modality
    gpu: GpuSpec
    unit: str
    per_hour: Range
    measured: bool
    """Published for this very GPU; otherwise carried over, or computed."""
    fits: bool
    memory_gb: float
    """What the job needs on the card."""
    why: str
    source: str
    checked: str
    timed: str = "batch"
    """How it was timed: in "batch", "alone", or as "live" streams."""
    at_once: int = 1
    """Items that are made side by side."""
    together: int = 1
    """GPUs that work on one item; an hour of each is a share of theirs."""
    ran: str = ""
    """The model and the settings that were timed; empty: computed."""
    ported: bool = False
    """Carried over from a card of another maker, whose kernels it does not run."""


class Drawn(Struct, frozen=True):
    """How a picture is made, where that is stated."""

    steps: float | None = None
    pixels: float | None = None
    seconds: float | None = None


class MediaUnknown(Struct, frozen=True):
    """No figure is published: said, with what the sources advise."""

    modality: Modality
    gpu: GpuSpec
    why: str
    advised_gpus: tuple[str, ...]
    source: str


def media_capacity(
    modality: Modality,
    gpu: GpuSpec,
    reference: Reference,
    model: str | None = None,
    params_b: float | None = None,
    work: str = "run",
    drawn: Drawn | None = None,
    own: tuple[str, float] | None = None,
) -> MediaCapacity | MediaUnknown:
    """Return the work per GPU-hour, or that it is not known.

    `own`: what the asker's GPU does in an hour, in place of what is published.

    The published figure of the GPU; else that of the GPU nearest in matrix rate,
    carried over by that rate; embeddings of a known size are computed.
    """
    known = media_reference()
    of_work = [f for f in known.figures if (f.modality, f.work) == (modality, work)]
    figures = _as_drawn(_closest(of_work, model), model, drawn or Drawn(), known)
    if modality == "embedding" and model is None and own is None:
        figures = []
    if own is not None:
        figures = [_of_the_asker(modality, model, own, figures)]
        if own[0] == gpu.id:
            why = say("estimates.measured_on_that_gpu", gpu_name=gpu.name)
            return replace(_measured(figures[0], gpu, known), why=why)
    for figure in figures:
        if figure.gpu == gpu.id:
            return _measured(figure, gpu, known)
    if modality == "embedding" and own is None:
        size = params_b or _embedding_size(model, known)
        if size is not None:
            return _encoded(size, gpu, known)
    carried = _carried(figures, gpu, reference, known)
    return carried or _unknown(modality, gpu, model, known)


def _of_the_asker(
    modality: Modality,
    model: str | None,
    own: tuple[str, float],
    known: list[MediaFigure],
) -> MediaFigure:
    """The asker's measurement; what it takes in memory is known where any figure is."""
    gpu, rate = own
    return MediaFigure(
        modality=modality,
        models=(model or say("estimates.your_model"),),
        gpu=gpu,
        per_hour=rate,
        low=rate,
        high=rate,
        memory_gb=min((figure.memory_gb for figure in known), default=0),
        note=say("estimates.as_you_measured"),
        source=say("estimates.as_you_measured"),
    )


def _as_drawn(
    figures: list[MediaFigure], model: str | None, drawn: Drawn, known: MediaReference
) -> list[MediaFigure]:
    """The figures at the steps and the size that are asked for.

    Of a distilled model in its own steps; a figure that names none says so, and
    yields to those that do.
    """
    steps = drawn.steps or _few_steps(model, known)
    if steps is not None and any(figure.steps for figure in figures):
        figures = [figure for figure in figures if figure.steps]
    return [_redrawn(figure, steps, drawn, known) for figure in figures]


def _few_steps(model: str | None, known: MediaReference) -> float | None:
    """The steps of a distilled model; None: it is none."""
    for few in known.few_steps:
        if is_called(few.models, model):
            return few.steps
    return None


def _redrawn(
    figure: MediaFigure,
    steps: float | None,
    drawn: Drawn,
    known: MediaReference,
) -> MediaFigure:
    """One figure at other steps, another size and length: the time goes with all."""
    factor, said = 1.0, []
    pixels, power = drawn.pixels, known.constants["video_pixel_power"]
    if steps and figure.steps and steps != figure.steps:
        fixed = known.constants["fixed_steps"]
        factor *= (steps + fixed) / (figure.steps + fixed)
        said.append(say("estimates.counted_at_steps", steps=steps))
    elif steps and not figure.steps:
        said.append(say("estimates.no_steps_named"))
    if pixels and figure.pixels and pixels != figure.pixels:
        grows = power if figure.modality == "video" else 1.0
        factor *= (pixels / figure.pixels) ** grows
        said.append(say("estimates.counted_at_pixels", times=pixels / figure.pixels))
    elif pixels and not figure.pixels:
        said.append(say("estimates.no_size_named"))
    longer = (drawn.seconds or 0) / (figure.seconds or 1)
    if figure.seconds and longer and not 1 / AS_LONG <= longer <= AS_LONG:
        factor *= longer ** (power - 1)  # of each second
        takes = longer**power
        said.append(say("estimates.counted_at_seconds", times=longer, takes=takes))
    changed = {
        name: value / factor
        for name in ("per_hour", "low", "high")
        if (value := getattr(figure, name)) is not None
    }
    if figure.pflop is not None:
        changed["pflop"] = figure.pflop * factor
    note = "; ".join((figure.note, *said))
    return figure.model_copy(update={**changed, "note": note})


AS_LONG = 1.15
"""A clip of up to so many times the length counts as one of the length timed."""


def trained_media(modality: Modality | None, model: str | None) -> bool:
    """Whether the training of a model is published."""
    known = media_reference().figures
    timed = [f for f in known if f.modality == modality and f.work != "run"]
    return model is not None and bool(_closest(timed, model))


def gpu_hours_needed(capacity: MediaCapacity, units: float) -> Range:
    """GPU-hours of a pile of work."""
    rate = capacity.per_hour
    return Range(units / rate.high, units / rate.likely, units / rate.low)


def _closest(figures: list[MediaFigure], model: str | None) -> list[MediaFigure]:
    """The figures of the model named, or of any where none is.

    "f5-tts" has its own: the bound of any "tts" is not used for it.
    """
    if model is None:
        return [figure for figure in figures if not figure.named_only]
    named = [(max(_closeness(name, model) for name in f.models), f) for f in figures]
    most = max((close for close, _ in named), default=(0, False))
    return [figure for close, figure in named if close == most and most[0]]


def is_called(names: Iterable[str], asked: str | None) -> bool:
    """Whether a model that is asked about goes by one of these names."""
    return asked is not None and any(compact(name) in compact(asked) for name in names)


def _alike(name: str, asked: str) -> bool:
    """Whether one spelling holds the other: "flux.1-dev" and "FLUX.1 dev fp8"."""
    return _in_common(name, asked) > 0


def _closeness(name: str, asked: str) -> tuple[int, bool]:
    return _in_common(name, asked), compact(name) == compact(asked)


def _in_common(name: str, asked: str) -> int:
    """Letters of the shorter spelling, where the other holds it."""
    known, said = sorted((compact(name), compact(asked)), key=len)
    return len(known) if known in said else 0


def _measured(
    figure: MediaFigure, gpu: GpuSpec, known: MediaReference
) -> MediaCapacity:
    spread = known.constants["spread"]
    low = figure.low or figure.per_hour / spread
    high = figure.high or figure.per_hour * spread
    return MediaCapacity(
        modality=figure.modality,
        gpu=gpu,
        unit=figure.unit or UNITS[figure.modality],
        per_hour=Range(low, figure.per_hour, high),
        measured=True,
        fits=_holds(gpu, figure.memory_gb),
        memory_gb=figure.memory_gb,
        ran=f"{figure.models[0]}, {figure.note.partition(';')[0]}",
        why=say(
            "estimates.published_for_on",
            models=figure.models[0],
            gpu_name=gpu.name,
            note=figure.note,
        ),
        source=figure.source,
        checked=known.checked,
        timed=figure.timed,
        at_once=figure.at_once,
    )


def _carried(
    figures: list[MediaFigure],
    gpu: GpuSpec,
    reference: Reference,
    known: MediaReference,
) -> MediaCapacity | None:
    """The figure of the GPU nearest in matrix rate, times the ratio of the two.

    Of matrix rates or of memory bandwidths, whichever promises less.
    """
    rated = [(f, reference.gpus[f.gpu]) for f in figures if f.gpu in reference.gpus]
    if not rated:
        return None
    figure, measured_on = min(
        rated, key=lambda pair: abs(math.log(_matrix_rate(gpu) / _matrix_rate(pair[1])))
    )
    ratio = min(
        _matrix_rate(gpu) / _matrix_rate(measured_on),
        gpu.bandwidth_gb_s / measured_on.bandwidth_gb_s,
    )
    if gpu.architecture != measured_on.architecture:
        ratio *= known.constants["carried_share"]
    likely = min(figure.per_hour * ratio, _most_per_hour(figure, gpu, known))
    ratio = likely / figure.per_hour
    return MediaCapacity(
        modality=figure.modality,
        gpu=gpu,
        unit=figure.unit or UNITS[figure.modality],
        per_hour=_at_the_ends(figure, likely, known),
        measured=False,
        fits=_holds(gpu, figure.memory_gb),
        memory_gb=figure.memory_gb,
        ran=f"{figure.models[0]}, {figure.note.partition(';')[0]}",
        why=(
            say(
                "estimates.scaled_estimate",
                models=figure.models[0],
                measured_on_name=measured_on.name,
                ratio=ratio,
                note=figure.note,
            )
        ),
        source=figure.source,
        checked=known.checked,
        timed=figure.timed,
        at_once=figure.at_once,
        ported=gpu.vendor != measured_on.vendor,
    )


def _most_per_hour(figure: MediaFigure, gpu: GpuSpec, known: MediaReference) -> float:
    """Units that the card can multiply in an hour, where their work is known."""
    if figure.pflop is None:
        return math.inf
    fastest = peak(gpu, "fp8" if "fp8" in gpu.tflops else "bf16")
    return fastest * known.constants["peak_share"] / (figure.pflop * 1e15) * 3600


def _encoded(params_b: float, gpu: GpuSpec, known: MediaReference) -> MediaCapacity:
    """Embeddings: 2 FLOPs per parameter and token at a share of the matrix rate."""
    share = known.constants["embedding_share"]
    likely = share * _matrix_rate(gpu) / (2e9 * params_b) * 3600 / 1e6
    memory = 2 * params_b + known.constants["embedding_overhead_gb"]
    return MediaCapacity(
        modality="embedding",
        gpu=gpu,
        unit=UNITS["embedding"],
        per_hour=_carried_range(likely, known),
        measured=False,
        fits=_holds(gpu, memory),
        memory_gb=memory,
        why=(say("estimates.estimate_from_parameters", params_b=params_b, share=share)),
        source=known.advice["embedding"].source,
        checked=known.checked,
    )


def _at_the_ends(figure: MediaFigure, likely: float, known: MediaReference) -> Range:
    """The range of a figure that is carried over: its own, where that is wider."""
    spread, ratio = _carried_range(likely, known), likely / figure.per_hour
    low = min(spread.low, (figure.low or math.inf) * ratio)
    return Range(low, likely, max(spread.high, (figure.high or 0) * ratio))


def _carried_range(likely: float, known: MediaReference) -> Range:
    spread = known.constants["carried_spread"]
    return Range(likely / spread, likely, likely * spread)


def _embedding_size(model: str | None, known: MediaReference) -> float | None:
    if model is None:
        model = known.usual["embeds"]
    matches = [
        (len(name), size)
        for name, size in known.embedding_params_b.items()
        if _alike(name, model)
    ]
    return max(matches)[1] if matches else None


def _unknown(
    modality: Modality, gpu: GpuSpec, model: str | None, known: MediaReference
) -> MediaUnknown:
    advice = known.advice[modality]
    what = (
        say("estimates.model_on_gpu", model=model, gpu_name=gpu.name)
        if model
        else say("estimates.units_on_gpu", units=UNITS[modality], gpu_name=gpu.name)
    )
    return MediaUnknown(
        modality=modality,
        gpu=gpu,
        why=say("estimates.no_throughput_of", what=what, text=advice.text),
        advised_gpus=advice.gpus,
        source=advice.source,
    )


def _matrix_rate(gpu: GpuSpec) -> float:
    """FLOP/s in 16 bits that one large product reaches."""
    return peak(gpu, "bf16") * training_constants().best_matmul(gpu, "bf16")


def _holds(gpu: GpuSpec, memory_gb: float) -> bool:
    return memory_gb * GB <= usable_bytes(gpu)

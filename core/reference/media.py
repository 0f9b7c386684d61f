"""Published throughput of media work, as the packaged file states it."""

from decimal import Decimal
from functools import cache
from typing import Annotated, Literal

from msgspec import Meta

from core.frozen import Frozen
from core.reference.tables import read_table

Modality = Literal["image", "video", "audio", "embedding", "3d"]


class MediaFigure(Frozen, frozen=True, kw_only=True):
    """What one GPU does of one kind of work in an hour."""

    modality: Modality
    models: tuple[str, ...]
    gpu: str
    """A `GpuSpec.id`."""
    unit: str = ""
    """Where it is not the modality's own."""
    per_hour: Annotated[float, Meta(gt=0)]
    low: float | None = None
    high: float | None = None
    memory_gb: float
    work: Literal["run", "lora", "tune"] = "run"
    """What is done: the model's own work, or its training on pictures or on speech."""
    pflop: float | None = None
    """10¹⁵ operations of one unit, where known: they bound what a card does."""
    steps: float | None = None
    """Sampling steps of the figure, where it names them."""
    pixels: float | None = None
    """Of the image, or of a frame."""
    seconds: float | None = None
    """Of the clip, where the figure names its length."""
    at_once: int = 1
    """Items that it makes side by side: one alone takes so many times as long."""
    timed: Literal["batch", "alone", "live"] = "batch"
    """In large batches, one item at a time, or as streams that are live at once."""
    named_only: bool = False
    """A small model stands for no other of its modality."""
    note: str
    source: str


class FewSteps(Frozen, frozen=True):
    """A distilled model: it draws in fewer steps than the one that it comes from."""

    models: tuple[str, ...]
    steps: float
    source: str


class MediaMemory(Frozen, frozen=True):
    """What a model takes on a card, where its speed is not published; in GB."""

    models: tuple[str, ...]
    gb: float
    gb_8bit: float
    source: str


class MediaApi(Frozen, frozen=True, kw_only=True):
    """What an API charges for such work, as its list price was read."""

    modality: Modality
    work: str = ""
    """What is done with sound: "tts" or "stt"."""
    seller: str
    product: str
    names: tuple[str, ...]
    """What is asked about calls the seller, or the model, so."""
    usd: Decimal
    """Per unit of the modality."""
    quoted: str
    live: bool = False
    """While it is spoken; the others take whole files."""
    source: str


class MediaAdvice(Frozen, frozen=True):
    """Which GPUs the sources take for a modality, and why."""

    modality: Modality
    gpus: tuple[str, ...]
    text: str
    source: str


class MediaReference(Frozen, frozen=True):
    """All of it, with the date on which it was read."""

    checked: str
    figures: tuple[MediaFigure, ...]
    few_steps: tuple[FewSteps, ...]
    split: dict[int, float]
    """How many times as fast so many GPUs make one clip together."""
    memory: tuple[MediaMemory, ...]
    apis: tuple[MediaApi, ...]
    advice: dict[Modality, MediaAdvice]
    embedding_params_b: dict[str, float]
    hearing: tuple[str, ...]
    """Models that write down what is said."""
    speaking: tuple[str, ...]
    """Models that make speech of text."""
    usual: dict[str, str]
    """Models taken where none is named: what hears, writes, speaks, embeds, ranks."""
    constants: dict[str, float]


@cache
def media_reference() -> MediaReference:
    """Read the figures, once."""
    table = read_table("core.reference", "media.toml")
    urls = table["sources"]
    sourced = "figure few_steps advice memory".split()
    for row in (row for kind in sourced for row in table[kind]):
        row["source"] = urls[row["source"]]
    return MediaReference.model_validate(
        {
            "checked": table["checked"],
            "figures": table["figure"],
            "few_steps": table["few_steps"],
            "split": {int(n): t for n, t in table["split"]["times"].items()},
            "memory": table["memory"],
            "apis": [row | {"usd": str(row["usd"])} for row in table["api"]],
            "advice": {row["modality"]: row for row in table["advice"]},
            "embedding_params_b": table["embedding_params_b"],
            "hearing": table["hearing"],
            "speaking": table["speaking"],
            "usual": table["usual"],
            "constants": {
                name: row["value"] for name, row in table["constant"].items()
            },
        }
    )

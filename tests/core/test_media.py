"""Media work per GPU-hour: published, carried over, computed, or said to be unknown."""

from typing import Any

import pytest

from core.estimate.media import (
    MediaCapacity,
    MediaUnknown,
    media_capacity,
)
from core.query import Query
from core.reference.assumed import defaults
from core.reference.load import reference
from core.reference.media import Modality, media_reference
from core.resolve import Unresolved, resolve
from core.workload import MediaSpec

KNOWN = reference()


def capacity(
    modality: Modality,
    card: str,
    model: str | None = None,
    params_b: float | None = None,
) -> MediaCapacity:
    """Return a capacity that must be known."""
    found = media_capacity(modality, KNOWN.gpus[card], KNOWN, model, params_b)
    assert isinstance(found, MediaCapacity), found.why
    return found


@pytest.mark.parametrize(
    ("modality", "card", "name", "per_hour", "unit"),
    [
        ("image", "rtx5090", "Flux.1", 960, "images"),
        ("image", "h100-80gb-sxm", "SDXL", 2448, "images"),
        ("video", "h100-80gb-sxm", "HunyuanVideo", 10.2, "seconds of video"),
        ("audio", "l4", "Whisper large-v3", 130, "hours of audio"),
        ("embedding", "v100-sxm2-16gb", "all-MiniLM-L6-v2", 51.12e6, "sentences"),
    ],
)
def test_published_figures_are_quoted_with_their_source(
    modality: Modality, card: str, name: str, per_hour: float, unit: str
) -> None:
    """What a source measured on this GPU is given as it stands, and says so."""
    found = capacity(modality, card, name)
    assert (per_hour, unit, True) == (found.per_hour.likely, found.unit, found.measured)
    assert found.source.startswith("https://")
    assert "published" in found.why


def test_a_second_clip_on_h200_does_not_halve_the_price() -> None:
    """Twice the clips at 1.8 times the price is the source's 9 %, and is said."""
    h100, h200 = (
        capacity("video", card, "hunyuanvideo")
        for card in ("h100-80gb-sxm", "h200-sxm")
    )
    per_clip = (4.54 / h200.per_hour.likely) / (2.50 / h100.per_hour.likely)
    assert pytest.approx(0.91, abs=0.01) == per_clip
    assert "9 %" in h200.why


def test_the_optimistic_video_figure_carries_its_caveat() -> None:
    """The model's own table of 1,904 s stands beside the source's 60–90 s."""
    assert "1,904 s" in capacity("video", "h100-80gb-sxm", "hunyuanvideo").why


def test_other_gpus_get_a_figure_carried_over_and_a_wider_range() -> None:
    """A card without a figure is scaled by its matrix rate and marked an estimate."""
    measured, carried, other = (
        capacity("image", card, "flux")
        for card in ("h100-80gb-sxm", "h200-sxm", "b200")
    )
    assert not carried.measured
    assert "estimate: " in carried.why
    assert pytest.approx(measured.per_hour.likely, rel=0.05) == carried.per_hour.likely
    assert 1 < other.per_hour.likely / measured.per_hour.likely < 2
    span = carried.per_hour.high / carried.per_hour.low
    assert span > measured.per_hour.high / measured.per_hour.low


def test_no_card_multiplies_faster_than_it_can() -> None:
    """2.9 PFLOP an image: an L4 of 242 TFLOP/s takes over 12 s, whatever is carried."""
    found = capacity("image", "l4", "flux")
    assert 3600 / found.per_hour.likely > 2900 / 242


def test_the_steps_of_an_adapter_are_published() -> None:
    """700 steps of a Flux adapter in 41 minutes on an RTX 4090."""
    card = KNOWN.gpus["rtx4090"]
    found = media_capacity("image", card, KNOWN, "flux.1-dev", work="lora")
    assert isinstance(found, MediaCapacity)
    assert (1024, "training steps") == (found.per_hour.likely, found.unit)


def test_memory_decides_what_runs() -> None:
    """A 60 GB video model does not run on a 24 GB card, whatever its speed."""
    assert not capacity("video", "rtx4090", "hunyuanvideo").fits
    assert capacity("video", "h100-80gb-sxm", "hunyuanvideo").fits


@pytest.mark.parametrize(
    ("modality", "name"),
    [("video", "Wan 2.5"), ("audio", "ACE-Step"), ("3d", None), ("image", "no such")],
)
def test_what_is_not_published_is_said_to_be_unknown(
    modality: Modality, name: str | None
) -> None:
    """No number is made up; the sources' advice on GPUs is given instead."""
    found = media_capacity(modality, KNOWN.gpus["h100-80gb-sxm"], KNOWN, name)
    assert isinstance(found, MediaUnknown)
    assert "no throughput" in found.why
    assert found.advised_gpus


def test_embeddings_are_computed_from_their_size() -> None:
    """Ten times the parameters are a tenth of the tokens; a named model has a size."""
    small, large = (
        capacity("embedding", "l4", params_b=size).per_hour.likely
        for size in (0.4, 4.0)
    )
    assert pytest.approx(10) == small / large
    named = capacity("embedding", "l4", "BAAI/bge-large-en-v1.5")
    assert "0.335B" in named.why
    assert "1M tokens" == named.unit


def test_an_unnamed_embedding_model_is_a_usual_one() -> None:
    """Without name or size the estimate says which size it took."""
    assert "0.335B" in capacity("embedding", "l40s").why


def test_every_figure_is_of_a_known_gpu_with_a_dated_source() -> None:
    """GPU ids resolve, ranges stand in order, URLs are URLs."""
    known = media_reference()
    assert known.checked.startswith("2026")
    for figure in known.figures:
        assert figure.gpu in KNOWN.gpus
        assert (figure.low or 0) <= figure.per_hour <= (figure.high or 1e12)
        assert figure.source.startswith("https://")
    for advice in known.advice.values():
        assert set(advice.gpus) <= KNOWN.gpus.keys()


@pytest.mark.parametrize(
    ("stated", "tokens"),
    [
        ({"batch_size": 50.0, "input_tokens": 300.0}, 50 * 300),
        ({"use": "reranking"}, 100 * 512),
    ],
)
def test_a_query_ranks_its_candidates(stated: dict[str, Any], tokens: float) -> None:
    """As many as are stated; else the usual hundred."""
    asked = {"modality": "embedding", "model": "bge-reranker-base", "rps": 10.0}
    query = Query(**asked | {"use": "reranking"} | stated)
    found = resolve(query, KNOWN, defaults())

    assert not isinstance(found, Unresolved)
    assert isinstance(found.spec, MediaSpec)
    assert tokens == found.spec.item_size

"""What one picture or clip is made of, and how often a pile of them comes."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (
            "2,000 flux.1-dev images a day at 768x1344, 20 steps",
            {"sampling_steps": 20, "pixels": 768 * 1344},
        ),
        ("80 hunyuanvideo clips of 8 seconds per week",
         {"clip_seconds": 8, "comes_back": "week"}),
        ("wan 2.2 14b: 400 3-second clips at 480p", {"clip_seconds": 3}),
        ("transcribe 900 hours of audio every day with whisper large-v3",
         {"audio_hours": 900, "comes_back": "day"}),
        ("sdxl, 40 images per minute, 25 sampling steps", {"sampling_steps": 25}),
    ],
)  # fmt: skip
def test_it_is_read_and_nothing_is_left(text: str, stated: dict[str, object]) -> None:
    query = parse(text)
    assert {name: getattr(query, name) for name in stated} == stated
    assert not query.not_used


@pytest.mark.parametrize(
    "text", ["lora for flux.1-dev, 2000 steps", "fine-tune 8b for 300 steps at 512x"]
)
def test_steps_of_a_training_are_no_sampling_steps(text: str) -> None:
    query = parse(text)
    assert query.sampling_steps is None
    assert query.steps

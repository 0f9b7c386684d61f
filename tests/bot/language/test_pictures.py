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
        ("hunyuanvideo at 10 seconds 720p, 200 clips a day",
         {"clip_seconds": 10, "pixels": 921600, "requests_per_day": 200}),
        ("wan 2.2 14b: 7 Sekunden lange Clips in 720p, 90 am Tag", {"clip_seconds": 7}),
        ("wan 2.2 14b, 90 clips au jour, 6 secondes chacun", {"clip_seconds": 6}),
        ("wan 2.2 14b 8 second clips, 1,500 per month",
         {"clip_seconds": 8, "requests_per_month": 1500}),
        ("hunyuanvideo at 6 seconds, our users make ~260 a day",
         {"clip_seconds": 6, "requests_per_day": 260, "users": None}),
        ("wan 2.2 14b, 200 clips a day, wait at most 90 seconds",
         {"clip_seconds": None, "e2e_ms": 90_000}),
        ("sdxl, 3,000 images a day, people wait max 12 seconds",
         {"clip_seconds": None, "e2e_ms": 12_000}),
        ("flux.1-dev, budget 400 per month, 2 images per second",
         {"images_per_minute": 120, "requests_per_month": None}),
        ("transcribe 2,000 hours of calls within a week", {"comes_back": None}),
        ("transcribe 900 hours of audio every night", {"comes_back": "day"}),
        ("whisper, 4.000 Stunden Interviews pro Woche", {"comes_back": "week"}),
        ("dubbing, 300 hours of video a week",
         {"modality": "audio", "audio_hours": 300, "comes_back": "week"}),
        ("kokoro tts, 3,600 books a year, 8 hours of audio each",
         {"audio_hours": 28_800, "comes_back": "year"}),
        ("orpheus 3b tts, 4,000 books a year, 9h of audio each",
         {"audio_hours": 36_000, "comes_back": "year"}),
        ("qwen3-vl-8b, 5 rps, 1 image each", {"images_per_request": 1}),
        ("sdxl, 300 designers, 40 images a day each, nobody waits longer than 20 s",
         {"e2e_ms": 20_000, "clip_seconds": None}),
        ("captions for 60 parallel livestreams on L40S", {"modality": "audio"}),
        ("Sous-titrage en direct de 120 réunions simultanées", {"modality": "audio"}),
        ("captions for 2M product photos with qwen2.5-vl 7b", {"modality": "image"}),
        ("finetune whisper large on 400 h of dutch speech",
         {"audio_hours": 400, "deadline_hours": None}),
        ("tune whisper small, 2000 hours, finish in 2 days",
         {"audio_hours": 2000, "deadline_hours": 48}),
        ("finetune whisper on 8 h100 in 20 hours, 300 hours of audio",
         {"audio_hours": 300, "deadline_hours": 20}),
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

"""Audio that is spoken and audio that is heard."""

import pytest

from bot.language.parse import parse
from core.estimate.media import MediaUnknown, media_capacity
from core.reference.assumed import defaults
from core.reference.load import reference
from core.resolve import Unresolved, resolve
from core.workload import MediaSpec


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("tts for 500 hours of audio a day", "kokoro"),
        ("text-to-speech 500 hours of audio a day", "kokoro"),
        ("transcribe 500 hours of audio a day", "whisper-large-v3"),
        ("speech to text 500 hours of audio a day", "whisper-large-v3"),
        ("kokoro tts 500 hours of audio a day", "kokoro"),
    ],
)
def test_text_to_speech_is_no_transcription(text: str, model: str) -> None:
    """What is published for one is not taken for the other."""
    found = resolve(parse(text), reference(), defaults())

    assert not isinstance(found, Unresolved)
    assert isinstance(found.spec, MediaSpec)
    assert model == found.spec.model


@pytest.mark.parametrize(
    ("text", "sound"),
    [
        ("voice cloning 1000 hours", "voice cloning"),
        ("clone voices for 1000 hours of audio", "voice cloning"),
        ("speaker diarization of 1000 hours of audio", "speaker diarization"),
        ("music generation 100 hours a day", "music"),
    ],
)
def test_what_nobody_published_is_unknown(text: str, sound: str) -> None:
    """No figure of transcription or of speech stands in for other work on sound."""
    found = resolve(parse(text), reference(), defaults())

    assert not isinstance(found, Unresolved)
    assert isinstance(found.spec, MediaSpec)
    assert sound == found.spec.model
    gpu = reference().gpus["a100-80gb-sxm"]
    known = media_capacity("audio", gpu, reference(), found.spec.model)
    assert isinstance(known, MediaUnknown)


@pytest.mark.parametrize(
    ("text", "rate", "total"),
    [
        ("tts 10 rps", 10 * 60 * 10 / 3600, None),
        ("tts 10 rps 300 characters", 10 * 60 * 20 / 3600, None),
        ("tts 5 rps of 50 words", 5 * 60 * 20 / 3600, None),
        ("whisper 5 rps, 30 second clips", 5 * 60 * 30 / 3600, None),
        ("tts 2.7M characters a day", None, 50),
        ("tts of 50k words", None, 50_000 / 2.5 / 3600),
        ("transcribe 6000 files", None, 500),
        ("transcribe 500 hours of audio", None, 500),
        ("tts for 30 concurrent calls", 0.5, None),
    ],
)
def test_a_request_is_no_hour_of_audio(
    text: str, rate: float | None, total: float | None
) -> None:
    """It is as long as its text or its clip; where nobody says, a sentence or two."""
    found = resolve(parse(text), reference(), defaults())
    assert not isinstance(found, Unresolved)
    assert isinstance(found.spec, MediaSpec)

    assert found.spec.units_per_minute == (rate and pytest.approx(rate))
    assert found.spec.units_total == (total and pytest.approx(total))

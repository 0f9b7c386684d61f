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
        ("tts for 500 hours of audio a day", "tts"),
        ("text-to-speech 500 hours of audio a day", "tts"),
        ("transcribe 500 hours of audio a day", None),
        ("speech to text 500 hours of audio a day", None),
        ("kokoro tts 500 hours of audio a day", "kokoro"),
    ],
)
def test_text_to_speech_is_no_transcription(text: str, model: str | None) -> None:
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

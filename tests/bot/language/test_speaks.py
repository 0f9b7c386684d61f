"""Audio that is spoken and audio that is heard."""

import pytest

from bot.language.parse import parse
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

"""Several models in one question: each is a service of its own."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        (
            "whisper + 8b + tts voice bot 100 concurrent calls",
            (
                "whisper voice bot 100 concurrent calls",
                "8b voice bot 100 concurrent calls",
                "tts voice bot 100 concurrent calls",
            ),
        ),
        (
            "rag with bge-m3 and llama 70b 20 rps",
            ("rag with bge-m3 20 rps", "rag with llama 70b 20 rps"),
        ),
        ("70b at 10 rps and 8b at 50 rps", ("70b at 10 rps", "8b at 50 rps")),
        ("whisper+8b 20 concurrent", ("whisper 20 concurrent", "8b 20 concurrent")),
        (
            "llama 70b, qwen 32b and mistral 7b 10 rps",
            ("llama 70b 10 rps", "qwen 32b 10 rps", "mistral 7b 10 rps"),
        ),
        (
            "route simple requests to an 8b and hard ones to a 70b at 50 rps",
            ("8b 50 rps", "70b 50 rps"),
        ),
        (
            "8b 20 rps, hard questions escalate to llama 70b 3 rps",
            ("8b 20 rps", "llama 70b 3 rps"),
        ),
    ],
)
def test_each_part_is_asked_for_apart(text: str, choices: tuple[str, ...]) -> None:
    """No model is made of two, and each choice is a question that is understood."""
    asked = parse(text).clarify

    assert asked is not None
    assert choices == asked.choices
    assert [None] * len(choices) == [parse(choice).clarify for choice in choices]


@pytest.mark.parametrize(
    "text",
    [
        "llama 70b + draft 8b speculative decoding 20 rps",
        "llama 70b vs qwen 32b at 10 rps",
        "route 70b traffic to h100, 20 rps",
        "mixtral 8x7b, 47b total and 13b active, 10 rps",
        "deepseek v3 671b and 37b active 5 rps",
        "generate 10k 5s videos with wan 2.2  14b",
        "voice assistant 8b, first token under 300ms, 25 concurrent calls",
        "qwen3 235b a22b and 4k prompts, 10 rps",
    ],
)
def test_one_service_is_not_taken_apart(text: str) -> None:
    """Alternatives, drafts and the two sizes of a mixture are one question."""
    asked = parse(text).clarify

    assert asked is None or "services of their own" not in asked.question


def test_a_size_apart_is_none_of_a_model_of_sound() -> None:
    """There is no whisper-8b."""
    query = parse("whisper + 8b + tts voice bot 100 concurrent calls")

    assert ("whisper", None) == (query.model, query.params_b)


@pytest.mark.parametrize(
    ("text", "params_b", "total"),
    [
        ("14b video model 10 clips/hour", 14, None),
        ("caption 1B images with qwen2.5-vl-7b", 7, 1e9),
        ("embed 1b docs with bge-m3", None, 1e9),
    ],
)
def test_billions_before_one_thing_are_a_size(
    text: str, params_b: float | None, total: float | None
) -> None:
    """ "14b video" is a model; "1b images" are a pile."""
    query = parse(text)

    assert (params_b, total) == (query.params_b, query.requests_total)

"""GPUs that the asker owns: time, and no rent."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("how long to train a 1B on 26B tokens on our own 8x A100 40GB?", True),
        ("we have 8x H100 in our rack, qlora 70b on 30k samples", True),
        ("finetune 8b on 20k samples with my rtx 4090", True),
        ("we own a box with 4 RTX 4090s, lora 8b on 5k samples", True),
        ("lora 8b on 5k samples on 8x H100", False),
        ("we have 20k samples and want lora 8b on H100", False),
        ("our model is 8b, qlora on 5k samples with an L40S", False),
    ],
)
def test_the_words_before_a_gpu_say_whose_it_is(text: str, ours: bool) -> None:
    """What is owned stands right before the GPU, not anywhere in the question."""
    assert ours is bool(parse(text).owned)

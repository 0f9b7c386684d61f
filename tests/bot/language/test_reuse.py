"""Hardware for training that is to serve is hardware, and no run."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("can i reuse our 64 h100 training cluster to serve llama 8b at 5 rps", None),
        ("use our training gpus (8 h100) to serve 70b 10 rps", None),
        ("host 8b 5 rps on the idle fine-tuning node with 8 a100", None),
        ("serve 70b 10 rps on our existing pretraining fleet of 64 h100", None),
        ("train 8b on 20B tokens on our training cluster, then serve 5 rps", "mixed"),
        ("training cluster of 64 h100 for 8b on 100B tokens", "training"),
        ("fine-tune 8b on 20k samples monthly on our training gpus, serve 5 rps",
         "mixed"),
    ],
)  # fmt: skip
def test_a_training_cluster_that_serves_trains_nothing(
    text: str, kind: str | None
) -> None:
    """Only where a run of its own is named is anything trained."""
    assert (kind or "inference") == parse(text).kind

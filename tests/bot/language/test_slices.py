"""Models side by side, and GPUs that can be cut for them."""

import pytest

from bot.answers.datasheet.view import PROPERTIES
from bot.language.parse import parse
from core.reference.load import reference


@pytest.mark.parametrize(
    ("text", "count", "size"),
    [
        ("multi-tenant 7 x 7b int4 on one h100 with MIG", 7, 7),
        ("7x7b int4 on one h100 with mig", 7, 7),
        ("7x 7b on h100", 7, 7),
        ("2 x 70b 10 rps", 2, 70),
        ("3 x llama 8b, 5 rps", 3, 8),
        ("train 7b on 2 x 100B tokens", None, 7),
        ("mixtral 8x7b 5 rps", None, None),
        ("8x22b 5 rps", None, None),
        ("2 x 8 h100 70b", None, 70),
    ],
)
def test_models_may_be_multiplied(
    text: str, count: int | None, size: float | None
) -> None:
    """So many times a size are so many models; experts and tokens are none."""
    query = parse(text)

    assert count == query.model_count
    assert size == query.params_b


@pytest.mark.parametrize(
    ("text", "gpu", "said"),
    [
        ("mig on l40s for 4 tenants", "l40s", "has no MIG: no isolated slices"),
        ("how many mig slices on a h100", "h100", "up to 7 MIG slices of 10 GB"),
        ("does an l4 do mig", "l4", "has no MIG: no isolated slices"),
    ],
)
def test_whether_a_gpu_can_be_cut_is_of_its_datasheet(
    text: str, gpu: str, said: str
) -> None:
    """MIG without a model asks what the GPU can, not what it costs."""
    query = parse(text)

    assert ("sheet", "mig") == (query.wanted, query.sheet)
    assert said == PROPERTIES["mig"](reference().gpus_named(gpu)[0])

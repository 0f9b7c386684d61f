"""Questions of the datasheet, of power, and of GPUs that only their memory names."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("tdp of b200", "power"),
        ("how much power does a b200 draw", "power"),
        ("power limit 700w h100 cluster", "power"),
        ("how much vram does an l40s have", "memory"),
        ("what is the vram of the rtx 4090", "memory"),
        ("memory bandwidth of the a100", "bandwidth"),
        ("nvlink speed h200", "link"),
        ("does the l40s have nvlink", "link"),
        ("h100 fp8 tflops", "compute"),
        ("spec of mi300x", "all"),
    ],
)
def test_a_figure_of_the_datasheet_is_asked_for(text: str, asked: str) -> None:
    """A GPU and one of its properties, and nothing is asked back."""
    query = parse(text)

    assert ("sheet", asked) == (query.wanted, query.sheet)
    assert query.clarify is None


@pytest.mark.parametrize(
    "text",
    [
        "how much memory do I need for 70b",
        "compare h100 and h200 bandwidth",
        "is h200 bandwidth worth it over h100",
        "h100 memory price",
        "cheapest h100 with nvlink",
        "does 70b fit in h100 memory",
        "train a 7b on 1B tokens on h100: compute and memory",
        "how much is an h100 with nvlink",
        "power of 8 h100 a month",
    ],
)
def test_a_property_that_is_only_mentioned_asks_for_no_datasheet(text: str) -> None:
    """Beside a model, a comparison or a price it is a detail."""
    assert parse(text).wanted != "sheet"


@pytest.mark.parametrize(
    ("text", "each"),
    [
        ("power of 8 h100 a month", None),
        ("electricity of one h100 a month", None),
        ("power cost of 8 h100 at 0.15 kwh", 0.15),
        ("power cost of 8 h100, kwh at $0.2", 0.2),
        ("electricity costs of 4 h200, 0.12/kwh", 0.12),
    ],
)
def test_power_of_several_or_over_time_is_energy(text: str, each: float | None) -> None:
    """Its price is what stands beside kWh, never a count of GPUs."""
    query = parse(text)

    assert query.wanted == "energy"
    assert each == (query.beside.usd_per_kwh if query.beside else None)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("700w h100 cluster", None),
        ("8 h100 at 700 watts each", 8),
        ("8 w/ h100", 8),
        ("8 h100", 8),
    ],
)
def test_watts_count_no_gpus(text: str, count: int | None) -> None:
    """A number with W behind it is none of GPUs."""
    assert count == parse(text).count


@pytest.mark.parametrize(
    ("text", "gigabytes", "bound"),
    [
        ("70b on 24gb cards", 24, "exact"),
        ("80gb gpu price", 80, "exact"),
        ("24gb card price", 24, "exact"),
        ("how much is a gpu with 48 GB", 48, None),
        ("cheapest gpu with at least 80 GB", 80, None),
        ("a 40gb card or more for 8b", 40, None),
        ("cheapest 8x gpu box with 640 gb", 80, None),
        ("gpu with 2 tb memory", 2000, None),
        ("8b 5 rps on cards with more than 24 GB", 24, "over"),
        ("8b 5 rps on gpus larger than 24gb", 24, "over"),
        ("gpus with no more than 24gb for 8b 2 rps", 24, "most"),
        ("gpus up to 48 GB for 8b 5 rps", 48, "most"),
        ("a 40gb card or smaller for 8b", 40, "most"),
        ("gpus with no less than 24 GB for 8b 2 rps", 24, None),
        ("gpus under 48 gb memory for 8b 5 rps", 48, "under"),
        ("8b 2 rps, gpus with less than 24 GB", 24, "under"),
        ("gpu unter 24 gb, 8b 2 rps", 24, "under"),
        ("80gb a100 price", None, None),
        ("how much memory do I need for 70b", None, None),
        ("70b 20 rps with 500 GB egress", None, None),
    ],
)
def test_memory_names_a_gpu_that_has_no_name(
    text: str, gigabytes: float | None, bound: str | None
) -> None:
    """ "24gb cards" are of one size, "with 24 GB" have at least so much."""
    query = parse(text)

    assert (gigabytes, bound) == (query.memory_gb, query.memory_bound)

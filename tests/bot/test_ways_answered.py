"""What is asked leads: the extra cost of a must, a format, the hour, one's own."""

import pytest

from bot.answers.shared.json import figures
from bot.service.answering import Answering
from core.reference.load import reference
from core.reference.model_classes import model_classes
from tests.conftest import COMMAND


def _verdict(answering: Answering, text: str) -> str:
    return answering.answered(text, COMMAND).view.verdict


@pytest.mark.parametrize("tokens", [40, 200])
def test_a_must_is_told_by_what_it_costs_beyond_the_api(
    answering: Answering, tokens: int
) -> None:
    """The difference first; the API that is ruled out is not advised."""
    found = figures(
        answering.answered(
            f"no data to third parties, what does self-hosted deepseek v3.2 cost over "
            f"the deepseek api at {tokens}M tokens a day?",
            COMMAND,
        )
    )
    fleet = found["own_fleet"]["usd_per_month"]
    more = fleet - found["apis_named"][0]["usd_per_month"]

    assert found["verdict"].startswith(f"Self-hosting costs ${more:,.0f}/month more: ")
    assert "Stay" not in found["verdict"]
    assert found["recommendation"]["usd_per_month"] == pytest.approx(fleet)


def test_a_difference_leads_where_it_is_asked_for(answering: Answering) -> None:
    """The advice follows."""
    said = _verdict(
        answering,
        "how much more does self-hosting llama 3.3 70b cost than the groq api at 40M "
        "tokens a day",
    )

    assert said.startswith("Self-hosting costs $")
    assert "/month more. Use an API" in said


@pytest.mark.parametrize(("now", "then"), [("bf16", "fp8"), ("fp16", "int8")])
def test_what_a_format_saves_leads(answering: Answering, now: str, then: str) -> None:
    """Against the format that runs."""
    text = f"how much do we save going from {now} to {then} on a 70b at 10 rps"

    view = answering.answered(text, COMMAND).view
    said = view.model_dump_json()

    assert view.verdict.startswith("It saves 2 GPUs and $")
    assert said.index(f"Before ({now.upper()}") < said.index(f"After ({then.upper()}")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{}7b vision model, 4 million pages to OCR", "Qwen2.5-VL 7B"),
        ("{}caption 2M photos with an 8b vlm", "Qwen3-VL 8B"),
        ("{}7b coder model for 100 devs", "Qwen2.5 Coder 7B"),
        ("{}32b code model, 10 rps", "Qwen2.5 Coder 32B"),
        ("{}8b instruct model, 10 rps", "Llama 3.1 8B"),
    ],
)
def test_the_kind_of_a_bare_size_picks_its_model(
    answering: Answering, text: str, name: str
) -> None:
    """And no other of that size."""
    found = answering.answered(text.format("which gpu for a "), COMMAND)

    assert name in f"{found.view.verdict} {found.view.why}"


def test_every_model_of_a_kind_is_known() -> None:
    """A name that is none would stand for nothing."""
    named = {name for ids in model_classes().values() for name in ids}

    assert named <= reference().models.keys()


@pytest.mark.parametrize(("models", "card"), [(7, "L4"), (5, "A10G")])
def test_whole_gpus_are_priced_beside_slices(
    answering: Answering, models: int, card: str
) -> None:
    """The other named GPUs, with one model on each, and which costs less."""
    text = (
        f"{models} 3b models on one H100 with MIG instead of {models} {card}, cheaper?"
    )
    found = figures(answering.answered(text, COMMAND))

    assert f"{models} × {card} with one model each cost $" in found["verdict"]
    assert found["verdict"].endswith((" more", " less"))


def test_an_hour_leads_where_it_is_asked_for(answering: Answering) -> None:
    """The month stands behind it."""
    said = _verdict(answering, "what's a p5en.48xlarge per hour")

    assert said.index(" an hour") < said.index("/month")


def test_weeks_of_a_year_are_rented(answering: Answering) -> None:
    """Nobody keeps GPUs for the rest of the year."""
    said = _verdict(
        answering, "we train 6 weeks per year on 64 B200, is buying sensible?"
    )

    assert said.startswith("Rent: ")

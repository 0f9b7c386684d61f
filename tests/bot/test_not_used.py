"""What was said and changes nothing: met as it is, without effect, or not looked at."""

import pytest

from bot.render.views import AnswerView
from bot.service.answering import Answering
from tests.conftest import TERMINAL


def asked(answering: Answering, text: str) -> AnswerView:
    return answering.ask(text, context=TERMINAL)


@pytest.mark.parametrize(
    "text",
    [
        "llama 3.3 70b awq int4 on one l40s, 10 concurrent users, does it fit?",
        "pretrain a 7b on 1.5T tokens on h100, bf16, in 3 weeks",
        "classify 50M reviews of 120 tokens with qwen2.5 7b, spot is fine",
        "llama 3.1 70b on spot h100s, 10 rps, interruptions are fine",
        "buy or rent 8x h100 for 3 years? It would be 70% busy.",
    ],
)
def test_what_the_answer_follows_is_not_called_ignored(
    answering: Answering, text: str
) -> None:
    """Where it says what holds anyway, it is used all the same."""
    view = asked(answering, text)

    assert view.not_used == ()
    assert not [note for note in view.notes if note.startswith("Makes no difference")]


def test_a_limit_that_holds_anyway_is_said_to_be_met(answering: Answering) -> None:
    """And never that it makes no difference."""
    notes = asked(answering, "70b inference 20 rps, 24/7").notes

    assert "Already in this price: 24/7." in notes


def test_what_is_not_looked_at_is_listed_and_not_read_as(answering: Answering) -> None:
    """One line does not contradict the other."""
    text = "bge-m3, 500 docs per second of 512 tokens, latency under 50 ms"
    view = asked(answering, text)
    taken = "50 ms" not in " ".join(view.not_used)

    assert ("50 ms" in view.read_as) == taken


def test_health_data_asks_for_a_contract(answering: Answering) -> None:
    """The rest of the sentence stays on the list."""
    view = asked(answering, "HIPAA; llama 3.1 70b, 5 rps, we need a BAA")

    assert any("BAA" in note for note in view.notes)
    assert view.not_used == ("we need a BAA",)


def test_a_language_that_is_not_read_is_named(answering: Answering) -> None:
    """Whoever asked checks what was understood."""
    text = "Vad kostar det att köra Llama 3.3 70B med 10 rps?"

    assert any("Swedish" in note for note in asked(answering, text).notes)


def test_tries_of_a_refusal_keep_the_question(answering: Answering) -> None:
    """Its load and its place, with models that are known."""
    text = "fine-tune bge-m3 on 40k samples, on azure"
    examples = asked(answering, text).examples

    assert examples
    assert all("azure" in one and "40k" in one for one in examples)


def test_tries_of_two_services_keep_where_both_run(answering: Answering) -> None:
    """The place stands behind both."""
    text = "llama 3.1 8b 30 rps + qwen 2.5 72b 5 rps, both on GCP europe-west4"
    examples = asked(answering, text).examples

    assert all("gcp europe-west4" in one for one in examples)

"""A message in a thread changes the question before it, and nothing else."""

import re

import pytest

from bot.language.conversation import apply, carried_over, cues
from bot.language.parse import parse
from tests.bot.language.labelled import OWN, read_labels

QUESTION = parse("70b fp8 inference 50rps on lambda h100 1k in 200 out")


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("and on nebius?", {"provider": ("nebius",)}),
        ("what about int8?", {"precision": ("int8",)}),
        ("at 100 rps", {"rps": 100}),
        ("on spot", {"pricing": ("spot",)}),
        ("h200?", {"gpu": ("h200",)}),
        ("with 500 output tokens", {"output_tokens": 500}),
        ("what about 1yr reserved", {"pricing": ("reserved",), "term_months": 12}),
        ("8 h200", {"gpu": ("h200",), "count": 8}),
        ("budget $5k/mo", {"budget_amount": 5000}),
        ("und auf Spot?", {"pricing": ("spot",)}),
        ("那 int4 呢", {"precision": ("int4",)}),
    ],
)
def test_a_difference_is_applied(text: str, changes: dict[str, object]) -> None:
    """What a message states replaces the old; the rest carries over."""
    query = apply(QUESTION, text)
    assert query is not None
    stated = query.stated()
    for field, value in changes.items():
        assert stated[field] == value
    for field, value in QUESTION.stated().items():
        if field not in changes:
            assert stated[field] == value, field


def test_another_load_replaces_the_load() -> None:
    """A load per day does not stand beside one per second."""
    query = apply(QUESTION, "and with 1M requests per day?")
    assert query is not None
    assert query.requests_per_day == 1_000_000
    assert query.rps is None


def test_another_model_replaces_all_of_the_model() -> None:
    """A new model brings its own size and leaves none of the old."""
    query = apply(parse("qwen3-235b-a22b at 5 rps"), "and with llama 3.1 8b?")
    assert query is not None
    assert (query.model, query.params_b) == ("llama-3.1-8b", 8)
    assert query.active_params_b is None
    assert query.rps == 5


def test_excluding_keeps_the_other_providers() -> None:
    """ "not on lambda" leaves the providers that were not excluded."""
    question = parse("70b 10 rps on lambda or nebius")
    query = apply(question, "not on lambda")
    assert query is not None
    assert query.provider == ("nebius",)


def test_comparing_adds_to_what_is_compared() -> None:
    """ "vs mi300x" compares the old GPU with the new one."""
    query = apply(QUESTION, "vs mi300x")
    assert query is not None
    assert query.intent == "compare"
    assert query.gpu == ("h100", "mi300x")


def test_asking_for_money_asks_for_the_cost() -> None:
    """ "how much per month?" asks what the same workload costs."""
    query = apply(QUESTION, "how much per month?")
    assert query is not None
    assert query.intent == "cost"
    assert query.rps == 50


def test_an_answer_to_what_was_asked_back() -> None:
    """A bare answer to the bot's question completes the question before it."""
    asked = parse("finetune llama 8b price")
    assert asked.clarify is not None
    query = apply(asked, "10k samples of 500 tokens")
    assert query is not None
    assert query.clarify is None
    assert (query.dataset_samples, query.tokens_per_sample) == (10_000, 500)
    assert query.kind == "finetune"


def test_a_contradiction_that_a_follow_up_makes_is_asked_back() -> None:
    """Spot after an SLA contradicts it, whichever message said which."""
    query = apply(parse("70b 10 rps, need an SLA"), "on spot")
    assert query is not None
    assert query.clarify is not None


@pytest.mark.parametrize(
    "text",
    [
        "qwen 32b 10 rps", "price of l40s", "thanks", "", "help", "tell me a joke",
        "alert me when h100 < 2", "finetune 8b on 10k samples",
    ],
)  # fmt: skip
def test_a_new_question_is_no_follow_up(text: str) -> None:
    """A whole question of its own, or none at all, changes nothing."""
    assert apply(QUESTION, text) is None


def test_what_carried_over_is_told() -> None:
    """The fields that the thread stated are named; the message's own have spans."""
    query = apply(QUESTION, "and on nebius?")
    assert query is not None
    assert set(carried_over(query)) == {
        "params_b", "precision", "rps", "gpu", "input_tokens", "output_tokens",
    }  # fmt: skip
    ((start, end),) = query.spans["provider"]
    assert query.text[start:end] == "nebius"


@pytest.mark.parametrize("kind", [*cues._section("about")])
def test_a_phrase_is_sought_only_where_its_letters_stand(kind: str) -> None:
    """Phrases are found by their letters first, and none is missed by it."""
    whole = cues._section("about")[kind]
    phrases = [phrase for _, phrase in cues._anchored("about")[kind]]
    labels = [one["text"] for one in read_labels(OWN)]
    said = [*labels, *(re.sub(r"[()^$|*]+", " ", one) for one in phrases)]
    for text in map(cues.plain_of, said):
        assert cues.is_about(text, kind) is (whole.search(text) is not None), text

"""A model's life: retrainings with data of their own, training that is paid already."""

import pytest

from bot.language.conversation import apply
from bot.language.parse import parse
from core.query import Life


@pytest.mark.parametrize(
    ("text", "first", "again"),
    [
        (
            "fine-tune 70b on 100M tokens, retrain monthly on 20B tokens, serve 50 rps "
            "for 12 months",
            1e8,
            Life(retrain_tokens=2e10),
        ),
        (
            "train 7b on 2T tokens, retraining each quarter takes 50B tokens, serve 20 "
            "rps for 2 years",
            2e12,
            Life(retrain_tokens=5e10),
        ),
        (
            "train 7b on 1T tokens, retrain monthly on 5% of the data, serve 20 rps",
            1e12,
            Life(retrain_share=0.05),
        ),
        ("retrain 8b monthly on 20B tokens, serve 10 rps", 2e10, None),
        ("fine-tune 8b weekly on 2B tokens and serve 10 rps", 2e9, None),
    ],
)
def test_a_retraining_has_its_own_data(
    text: str, first: float, again: Life | None
) -> None:
    """Beside data of the first run, what "retrain" stands by is the retraining's."""
    query = parse(text)

    assert "lifecycle" == query.intent
    assert first == query.dataset_tokens
    assert again == query.life
    assert query.clarify is None


def test_samples_of_a_retraining_are_its_own() -> None:
    """50k samples at first, 5k each week."""
    query = parse("fine-tune 8b on 50k samples, retrain weekly on 5k samples, 10 rps")

    assert (50_000, Life(retrain_samples=5000)) == (query.dataset_samples, query.life)


@pytest.mark.parametrize(
    ("text", "paid", "currency"),
    [
        (
            "the $2M training of our 70b, when does serving at 50 rps pass it?",
            2e6,
            "USD",
        ),
        ("training our 70b cost us $500k, when does 50 rps cost more", 5e5, "USD"),
        ("we spent 2M dollars on training a 70b, serving at 50 rps", 2e6, "USD"),
        ("we trained our 70b for $2M, serve it at 50 rps for 2 years", 2e6, "USD"),
        ("pretraining was €1.5M; serving 70b at 50rps for 3 years", 1.5e6, "EUR"),
        ("serve 70b 50 rps, $300k already sunk into fine-tuning", 3e5, "USD"),
    ],
)
def test_what_training_cost_is_no_budget(text: str, paid: float, currency: str) -> None:
    """A sum that is spent already stands for the run in the life of the model."""
    query = parse(text)

    assert Life(trained_for=paid, trained_currency=currency) == query.life
    assert query.budget_amount is None
    assert "lifecycle" == query.intent


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("$2M training budget for 70b, serve 10 rps", 2e6),
        ("train a 7b for under $50k on 100B tokens", 5e4),
        ("training cost under $500k for 7b on 1T tokens", 5e5),
        ("what does training 7b on 1T tokens cost, $2M?", 2e6),
        ("fine-tune 8b for $500 on 20k samples", 500),
    ],
)
def test_what_training_may_cost_stays_a_budget(text: str, budget: float) -> None:
    """Nothing says that it is spent."""
    query = parse(text)

    assert budget == query.budget_amount
    assert query.life is None


def test_a_follow_up_keeps_what_training_cost() -> None:
    """ "and at 100 rps?" still weighs the same training."""
    first = parse("training our 70b cost us $500k, when does 50 rps cost more")
    second = apply(first, "and at 100 rps?")

    assert second is not None
    assert (100, first.life) == (second.rps, second.life)


@pytest.mark.parametrize(
    ("text", "cadence", "months"),
    [
        ("fine-tune llama 8b on 50k samples every week and serve 3 rps for a year",
         "weekly", 12),
        ("lora 8b on 10k samples weekly then serve 2 rps for a month", "weekly", 1),
        ("fine-tune 8b on 20k samples a day and serve 5 rps", None, None),
        ("fine-tune 8b on 20k samples and serve 5 rps for 2 years", None, 24),
    ],
)  # fmt: skip
def test_data_stands_between_a_training_and_how_often_it_is(
    text: str, cadence: str | None, months: float | None
) -> None:
    """So many samples a day are data; every week it is trained again."""
    query = parse(text)

    assert (cadence, months) == (query.cadence, query.term_months)
    assert query.dataset_samples is not None

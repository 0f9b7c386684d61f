"""The whole way from text to figures, with the prices that ship."""

import logging
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from bot.answers.shared.json import figures
from bot.question.asking import AskContext
from bot.service import pipeline
from bot.service.answering import Answering
from core.market.board import PriceBoard
from tests.conftest import COMMAND

OTHER = AskContext(surface="command", team_id="T2")


def test_the_sources_table_is_reproduced_from_its_own_prices(
    answering: Answering,
) -> None:
    """4 × H100 × 720 h at 2.49, 1.99, 2.99 and 3.00 (S0-038 … S0-041).

    Not AWS at 3.90 (S0-042): AWS's own price list stands before an article.
    """
    april = datetime(2026, 4, 30, tzinfo=UTC)
    answered = answering.answered("monthly bill for 4x h100 sxm", COMMAND, april)
    assert isinstance(answered.figures, PriceBoard)
    months = {
        (bill.offer.provider, bill.offer.pricing): bill.usd_per_month
        for bill in answered.figures.bills
        if bill.offer.source.startswith("ozmarx")
    }

    assert {
        ("lambda", "on_demand"): Decimal("7171.20"),
        ("lambda", "reserved"): Decimal("5731.20"),
        ("coreweave", "on_demand"): Decimal("8611.20"),
        ("gcp", "on_demand"): Decimal("8640.00"),
    } == months


def test_the_flagship_answer_is_whole(answering: Answering) -> None:
    """Verdict, five offers or more, assumptions, levers, idle cost, sources."""
    view = answering.ask("70b inference 50rps", context=COMMAND)

    assert "answer" == view.kind
    assert view.table is not None
    assert 5 <= len(view.table.rows)
    assert {"input_tokens", "output_tokens", "precision", "utilization"} <= {
        chip.field for chip in view.chips
    }
    assert view.levers
    assert any("pays for idle time" in line for line in view.small_print)
    assert any("Prices: " in line for line in view.small_print)


def test_the_figures_are_the_ones_that_are_shown(answering: Answering) -> None:
    """JSON and view agree, and every offer carries its date and source."""
    answered = answering.answered("70b inference 50rps", COMMAND)
    found = figures(answered)
    best = found["recommendation"]

    assert f"${best['usd_per_month']:,.0f}/month" in answered.view.verdict
    assert best["usd_per_hour"] * 720 == pytest.approx(best["usd_per_month"])
    for option in [best, *found["alternatives"]]:
        assert {"provider", "gpu", "count", "pricing", "usd_per_gpu_hour",
                "usd_per_hour", "usd_per_month", "usd_per_million_output_tokens",
                "price_observed_at", "source"} <= option.keys()  # fmt: skip
    assert all(entry["reason"] for entry in found["rejections"])
    assert {"query", "spec", "assumptions", "prices"} <= found.keys()


def test_an_answer_can_be_explained_and_shown_again(answering: Answering) -> None:
    """The id of an answer leads to its arithmetic, and to the answer itself."""
    view = answering.ask("llama-3.1-8b 5rps", context=COMMAND)

    assert view == answering.recall(view.id, context=COMMAND)
    why = answering.why(view.id, context=COMMAND)
    assert any("720 h" in line for line in why.notes)
    assert why == answering.ask(f"why {view.id}", context=COMMAND)


def test_another_team_sees_no_answer_of_this_one(answering: Answering) -> None:
    """Ids mean nothing across teams."""
    view = answering.ask("llama-3.1-8b 7rps", context=COMMAND)

    assert answering.recall(view.id, context=OTHER) is None
    assert "hint" == answering.why(view.id, context=OTHER).kind


def test_the_same_question_gets_the_same_id_until_prices_change(
    answering: Answering,
) -> None:
    """An id freezes the query, the catalogue and the formulas."""
    again = [answering.ask("llama-3.1-8b 9rps", context=COMMAND).id for _ in range(2)]
    past = answering.answered(
        "llama-3.1-8b 9rps", COMMAND, datetime(2026, 8, 1, tzinfo=UTC)
    )

    assert again[0] == again[1]
    assert past.view.id != again[0]


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("", "help", "GPU"),
        ("help", "help", "GPU"),
        ("0 rps 70b", "hint", "must be above 0"),
        ("70b 50rps on h1000", "clarify", "h1000"),
        ("what is the capital of france", "hint", "which GPUs"),
        ("why zzzzzz", "hint", "no answer zzzzzz"),
        ("70b 50rps on one l4", "no", "Not with 1 × L4"),
    ],
)
def test_bad_input_is_an_answer(
    answering: Answering, text: str, kind: str, said: str
) -> None:
    """What was wrong is said, and what to try."""
    view = answering.ask(text, context=COMMAND)

    assert kind == view.kind
    assert said in view.verdict


def test_a_fault_is_a_reference_and_the_log_has_the_rest(
    answering: Answering,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """No traceback reaches a user; its reference leads to it."""

    def broken(*_: object) -> None:
        raise RuntimeError("the floor gave way")

    monkeypatch.setattr(pipeline, "decide", broken)
    with caplog.at_level(logging.ERROR):
        view = answering.ask("70b 50rps", context=COMMAND)

    assert "error" == view.kind
    assert "floor" not in view.model_dump_json()
    assert view.id in caplog.text
    assert "the floor gave way" in caplog.text

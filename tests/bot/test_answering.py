"""The whole way from text to figures, with the prices that ship."""

import logging
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from bot.answers.shared.json import figures
from bot.config.settings import Settings
from bot.question.asking import AskContext
from bot.run.composition import compose
from bot.service import pipeline
from bot.service.answering import Answering
from core.market.board import PriceBoard

ONE = AskContext(surface="command", team_id="T1")
OTHER = AskContext(surface="command", team_id="T2")
NOW = datetime(2026, 9, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Answering:
    """A desk that opens on the shipped prices, on one fixed day."""
    home: Path = tmp_path_factory.mktemp("home")
    return compose(Settings(home=home), clock=lambda: NOW)


def test_the_sources_table_is_reproduced_from_its_own_prices(desk: Answering) -> None:
    """4 × H100 × 720 h at 2.49, 1.99, 2.99 and 3.00 (S0-038 … S0-041).

    Not AWS at 3.90 (S0-042): AWS's own price list stands before an article.
    """
    april = datetime(2026, 4, 30, tzinfo=UTC)
    answered = desk.answered("monthly bill for 4x h100 sxm", ONE, april)
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


def test_the_flagship_answer_is_whole(desk: Answering) -> None:
    """Verdict, five offers or more, assumptions, levers, idle cost, sources."""
    view = desk.ask("70b inference 50rps", context=ONE)

    assert "answer" == view.kind
    assert view.table is not None
    assert 5 <= len(view.table.rows)
    assert {"input_tokens", "output_tokens", "precision", "utilization"} <= {
        chip.field for chip in view.chips
    }
    assert view.levers
    assert any("pays for idle time" in line for line in view.small_print)
    assert any("Prices: " in line for line in view.small_print)


def test_the_figures_are_the_ones_that_are_shown(desk: Answering) -> None:
    """JSON and view agree, and every offer carries its date and source."""
    answered = desk.answered("70b inference 50rps", ONE)
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


def test_an_answer_can_be_explained_and_shown_again(desk: Answering) -> None:
    """The id of an answer leads to its arithmetic, and to the answer itself."""
    view = desk.ask("llama-3.1-8b 5rps", context=ONE)

    assert view == desk.recall(view.id, context=ONE)
    why = desk.why(view.id, context=ONE)
    assert any("720 h" in line for line in why.notes)
    assert why == desk.ask(f"why {view.id}", context=ONE)


def test_another_team_sees_no_answer_of_this_one(desk: Answering) -> None:
    """Ids mean nothing across teams."""
    view = desk.ask("llama-3.1-8b 7rps", context=ONE)

    assert desk.recall(view.id, context=OTHER) is None
    assert "hint" == desk.why(view.id, context=OTHER).kind


def test_the_same_question_gets_the_same_id_until_prices_change(
    desk: Answering,
) -> None:
    """An id freezes the query, the catalogue and the formulas."""
    again = [desk.ask("llama-3.1-8b 9rps", context=ONE).id for _ in range(2)]
    past = desk.answered("llama-3.1-8b 9rps", ONE, datetime(2026, 8, 1, tzinfo=UTC))

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
        ("70b 50rps on one l4", "no", "Nothing meets your limits"),
    ],
)
def test_bad_input_is_an_answer(
    desk: Answering, text: str, kind: str, said: str
) -> None:
    """What was wrong is said, and what to try."""
    view = desk.ask(text, context=ONE)

    assert kind == view.kind
    assert said in view.verdict


def test_a_fault_is_a_reference_and_the_log_has_the_rest(
    desk: Answering, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """No traceback reaches a user; its reference leads to it."""

    def broken(*_: object) -> None:
        raise RuntimeError("the floor gave way")

    monkeypatch.setattr(pipeline, "decide", broken)
    with caplog.at_level(logging.ERROR):
        view = desk.ask("70b 50rps", context=ONE)

    assert "error" == view.kind
    assert "floor" not in view.model_dump_json()
    assert view.id in caplog.text
    assert "the floor gave way" in caplog.text

"""A team's settings and negotiated prices in its answers, and in nobody else's."""

from decimal import Decimal
from pathlib import Path

import pytest

from bot.config.settings import Settings
from bot.preferences.currency import restated
from bot.question.asking import AskContext
from bot.render.views import AnswerView
from bot.run.composition import compose
from bot.service.answering import Answering
from core.money.pricebook import NegotiatedPrice
from prices.records.preferences import WORKSPACE, Setting
from tests.bot.conftest import NOW
from tests.bot.samples import ANSWER

QUESTION = "70b 20rps"
HERE = AskContext(surface="command", team_id="T1", channel_id="C1", user_id="U1")
ELSEWHERE = HERE.model_copy(update={"channel_id": "C2"})
OTHERS = HERE.model_copy(update={"team_id": "T2"})


@pytest.fixture
def answering(tmp_path: Path) -> Answering:
    """The whole program on the shipped prices."""
    return compose(Settings(home=tmp_path), lambda: NOW)


def set_here(answering: Answering, key: str, value: str, channel: str = "C1") -> None:
    """Set something for a channel of T1."""
    answering.team_context.preferences.set(
        "T1", Setting(key, value, channel, "U1", NOW)
    )


def shown(view: AnswerView) -> str:
    """Everything that a reader of a view sees of its table and chips."""
    rows = view.table.rows if view.table else ()
    cells = [cell.text for row in rows for cell in row]
    return "\n".join(
        [view.verdict, *cells, *(f"{c.label} {c.value}" for c in view.chips)]
    )


def test_providers_hold_where_they_were_set(answering: Answering) -> None:
    """Only the channel's providers are offered, and the answer says by what."""
    set_here(answering, "providers", "lambda,coreweave")

    here = answering.ask(QUESTION, context=HERE)
    elsewhere = answering.ask(QUESTION, context=ELSEWHERE)

    assert here.table
    names = {row[0].text.removeprefix("★ ").split()[0] for row in here.table.rows}
    assert names <= {"Lambda", "CoreWeave"}
    chip = next(chip for chip in here.chips if chip.field == "provider")
    assert chip.value == "lambda, coreweave"
    assert "this channel" in chip.why
    assert here.id != elsewhere.id
    assert "provider" not in {chip.field for chip in elsewhere.chips}


def test_what_is_stated_wins_over_what_is_set(answering: Answering) -> None:
    """A question that names a provider and a precision is asked as it stands."""
    set_here(answering, "providers", "lambda")
    set_here(answering, "precision", "fp8")

    view = answering.ask("70b bf16 20rps on coreweave", context=HERE)

    assert "CoreWeave" in view.verdict
    assert not {"provider", "precision"} & {chip.field for chip in view.chips}


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("utilisation", "70%", "70% average load"),
        ("hours", "730", "A month is 730 h"),
        ("region", "eu", "region eu"),
        ("precision", "int8", "precision int8"),
    ],
)
def test_a_setting_fills_what_a_question_leaves_open(
    answering: Answering, key: str, value: str, said: str
) -> None:
    """The answer is made with it, and shows it."""
    set_here(answering, key, value, WORKSPACE)

    view = answering.ask(QUESTION, context=HERE)

    assert said in "\n".join([shown(view), *view.small_print])


def test_a_kept_answer_is_kept_with_its_settings(answering: Answering) -> None:
    """The same words under other settings are another answer with another id."""
    before = answering.ask(QUESTION, context=HERE)
    set_here(answering, "utilisation", "80%")
    after = answering.ask(QUESTION, context=HERE)

    assert before.id != after.id
    assert before == answering.recall(before.id, context=HERE)
    assert after == answering.recall(after.id, context=HERE)
    query = answering.query_of(after.id, context=HERE)
    assert query is not None
    assert query.utilization is None


def test_amounts_are_restated_at_a_dated_rate(answering: Answering) -> None:
    """Every amount is in the channel's currency; values sort as they read."""
    dollars = answering.ask(QUESTION, context=HERE)
    set_here(answering, "currency", "EUR")

    euros = answering.ask(QUESTION, context=HERE)

    assert "$" not in shown(euros)
    assert "€" in euros.verdict
    assert any("1 USD = " in line and "EUR" in line for line in euros.small_print)
    pairs = zip(dollars.table.rows, euros.table.rows, strict=True)  # type: ignore[union-attr]
    before, after = next(pairs)
    ratio = after[4].value / before[4].value  # type: ignore[operator]
    assert 0.7 < ratio < 1
    assert ratio == pytest.approx(after[2].value / before[2].value)  # type: ignore[operator]
    assert "$" in answering.ask(QUESTION, context=ELSEWHERE).verdict


def test_a_currency_changes_numbers_and_nothing_else() -> None:
    """Questions, names and counts stay; signs, units and amounts change together."""
    view = ANSWER.model_copy(
        update={
            "question": "under $5k",
            "verdict": "$5,731/month, $0.21, $12.5k, 4 GPUs",
        }
    )

    euros = restated(view, "EUR", NOW.date())

    assert euros.question == "under $5k"
    assert euros.verdict.startswith("€")
    assert euros.verdict.endswith("4 GPUs")
    assert "$" not in euros.verdict
    assert euros.table
    assert euros.table.columns[4:6] == ("€/GPU-h", "€/month")
    assert euros.chips == ANSWER.chips


def negotiated(usd: str = "0.50", pricing: str = "on_demand") -> NegotiatedPrice:
    """A price far below every list price."""
    return NegotiatedPrice.model_validate(
        {
            "provider": "lambda",
            "gpu": "h100-80gb-sxm",
            "usd_per_gpu_hour": usd,
            "pricing": pricing,
            "term_months": 12 if pricing == "reserved" else 0,
            "set_by": "U1",
            "set_at": NOW,
        }
    )


@pytest.mark.parametrize("pricing", ["on_demand", "reserved"])
def test_a_negotiated_price_ranks_and_is_marked(
    answering: Answering, pricing: str
) -> None:
    """The team's own offer wins by its value; another team never sees it."""
    answering.team_context.book.set("T1", negotiated(pricing=pricing))

    ours = answering.ask(QUESTION, context=HERE)
    theirs = answering.ask(QUESTION, context=OTHERS)

    assert "Lambda" in ours.verdict
    assert "your price" in ours.verdict
    assert "your price" not in shown(theirs)
    assert ours.id != theirs.id


def test_the_price_book_can_be_switched_off(answering: Answering) -> None:
    """A channel that shows its answers to others may leave its own prices out."""
    answering.team_context.book.set("T1", negotiated())
    set_here(answering, "pricebook", "off")

    assert "your price" not in shown(answering.ask(QUESTION, context=HERE))
    assert "your price" in shown(answering.ask(QUESTION, context=ELSEWHERE))


def test_the_price_board_knows_the_teams_prices(answering: Answering) -> None:
    """What stands for a team stands on its page too."""
    answering.team_context.book.set("T1", negotiated())

    ours = answering.catalog(HERE).of_gpu("h100-80gb-sxm")
    theirs = answering.catalog(OTHERS).of_gpu("h100-80gb-sxm")

    assert len(ours) == len(theirs) + 1
    assert ours[-1].negotiated


def test_an_own_price_stands_beside_the_list_price_on_machines_of_its_seller(
    answering: Answering,
) -> None:
    """CoreWeave rents H100s by eights, whatever one costs; its list price stays."""
    price = NegotiatedPrice(
        provider="coreweave",
        gpu="h100-80gb-sxm",
        usd_per_gpu_hour=Decimal("2.10"),
        set_by="U1",
        set_at=NOW,
    )
    answering.team_context.book.set("T1", price)

    board = answering.ask("price h100 coreweave", context=HERE)
    sized = answering.ask("8b 1rps on h100 at coreweave", context=HERE)

    assert "the smallest machine (8 GPUs) costs $12,096 a month" in board.why
    for view in (board, sized):
        assert view.table
        own, listed = [[cell.text for cell in row] for row in view.table.rows][:2]
        assert ("your price" in own[0], "your price" in listed[0]) == (True, False)
        assert "$2.10" in own
        assert "CoreWeave" in listed[0]
    assert "8 × H100 SXM" in sized.verdict

"""The same question again: silent where nothing changed, else what did and why."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from time import process_time

import pytest

from bot.preferences.channel_settings import ChannelSettings
from bot.preferences.team_context import TeamContext
from bot.question.asking import AskContext
from bot.render.views import AnswerView
from bot.service import repeat_comparison
from bot.service.answering import Answering
from bot.service.conversation import Conversation
from bot.service.repeat_comparison import RepeatComparison, asked_as
from core.answers.answer_diff import AnswerSummary, why_changed
from core.offers import MICRO, PricePoint
from core.query import Query
from core.reference.assumed import defaults
from core.reference.load import reference
from prices.history.poll import Poll
from prices.history.store import Store
from prices.records.answers import AnswerBook
from prices.records.preferences import Setting
from prices.records.threads import Threads
from tests.engines import engine_of

MONDAY = datetime(2026, 11, 16, 9, tzinfo=UTC)
FRIDAY = MONDAY + timedelta(days=4)
HERE = AskContext(surface="command", team_id="T1", channel_id="C1", user_id="U1")
QUESTION = "llama-3.3-70b 20rps on h100 sxm"


class Office:
    """The bot on an empty store, with a clock and prices that a test sets."""

    def __init__(self, file: Path) -> None:
        self.now = MONDAY
        self.file = file
        self.answering = Answering(
            reference=reference(),
            defaults=defaults(),
            store=Store.open(engine_of(file)),
            book=AnswerBook(engine_of(file)),
            team_context=TeamContext.open(engine_of(file)),
            conversation=Conversation(Threads(engine_of(file))),
            clock=lambda: self.now,
        )

    def poll(self, **usd: str) -> None:
        """Record what each provider asks for an H100 SXM, and nothing else."""
        points = [_point(name, price, self.now) for name, price in usd.items()]
        self.answering.store.record(Poll("feed", self.now, points))

    def ask(self, text: str = QUESTION, team: str = "T1") -> AnswerView:
        """Ask as somebody of a team."""
        return self.answering.ask(text, context=_of(team))

    def why(self, answer: AnswerView) -> AnswerView:
        """Ask how an answer came about."""
        return self.answering.why(answer.id, context=HERE)


def _point(provider: str, usd: str, at: datetime) -> PricePoint:
    price = Decimal(usd)
    return PricePoint(
        provider=provider, gpu="h100-80gb-sxm", gpu_count=1, pricing="on_demand",
        raw_total=price, micro_usd_per_gpu_hour=int(price * MICRO), observed_at=at,
        source="feed", source_url="https://example.com/prices",
    )  # fmt: skip


def _of(team: str) -> AskContext:
    return HERE.model_copy(update={"team_id": team})


def changed(view: AnswerView) -> str:
    """What an answer says of the one before; empty: it is silent."""
    return "".join(note for note in view.notes if note.startswith("Changed: "))


@pytest.fixture
def office(tmp_path: Path) -> Office:
    """Monday's prices: Lambda before CoreWeave."""
    office = Office(tmp_path / "gpucost.sqlite3")
    office.poll(**{"lambda": "2.49", "coreweave": "2.99"})
    return office


def test_nothing_changed_is_silence_in_the_answer(office: Office) -> None:
    """Same prices, same formulas: the same answer and id; why says so."""
    first = office.ask()
    office.now = FRIDAY
    again = office.ask()

    assert first.id == again.id
    assert "" == changed(again)
    assert any(
        "Given 2 times, last on 2026-11-20" in n for n in office.why(again).notes
    )


def test_a_price_that_moved_is_named_with_both_values(office: Office) -> None:
    """The same winner at another price: from and to, the old answer's id and day."""
    first = office.ask()
    office.now = FRIDAY
    office.poll(**{"lambda": "2.79", "coreweave": "2.99"})
    again = office.ask()

    said = changed(again)
    assert f"on 2026-11-16 (answer {first.id})" in said
    assert "Lambda H100 SXM on-demand went from $2.49 to $2.79 per GPU-hour." in said
    assert "about $14,342/month" in first.verdict
    assert "$14,342/month" in said
    assert said in office.why(again).notes


def test_an_offer_that_vanished_is_the_reason(office: Office) -> None:
    """The former winner has no price any more: that is why another one won."""
    office.ask()
    office.now = FRIDAY
    office.poll(coreweave="2.99")

    said = changed(office.ask())

    assert "Lambda H100 SXM on-demand has no current price that may be used" in said


def test_a_rival_that_became_cheaper_is_the_reason(office: Office) -> None:
    """The former winner stands where it stood; the new one fell below it."""
    office.ask()
    office.now = FRIDAY
    office.poll(**{"lambda": "2.49", "coreweave": "1.99"})

    said = changed(office.ask())

    assert "CoreWeave H100 SXM on-demand went from $2.99 to $1.99" in said
    assert "Lambda" not in said.split("Since then")[1]


def test_a_newcomer_is_called_one(office: Office) -> None:
    """A seller that was not there on Monday."""
    office.ask()
    office.now = FRIDAY
    office.poll(**{"lambda": "2.49", "coreweave": "2.99", "runpod": "1.50"})

    said = changed(office.ask())

    assert "Runpod H100 SXM on-demand is new among the offers, at $1.50" in said


def test_a_price_far_from_the_winner_changes_nothing(office: Office) -> None:
    """The catalogue is another one, the answer is not: silence, and why says so."""
    first = office.ask()
    office.now = FRIDAY
    office.poll(**{"lambda": "2.49", "coreweave": "2.95"})
    again = office.ask()

    assert first.id != again.id
    assert "" == changed(again)
    notes = office.why(again).notes
    assert f"Asked before, on 2026-11-16 (answer {first.id}): the same answer." in notes


def test_other_words_are_the_same_question(office: Office) -> None:
    """What is stated counts, not how."""
    office.ask()
    office.now = FRIDAY
    office.poll(**{"lambda": "2.79", "coreweave": "2.99"})

    said = changed(office.ask("Llama 3.3 70B, 20 requests/s, on H100 SXM"))

    assert "went from $2.49 to $2.79" in said


@pytest.mark.parametrize(
    ("text", "team"),
    [(QUESTION, "T2"), ("llama-3.3-70b 21rps on h100 sxm", "T1")],
)
def test_another_team_or_question_is_not_compared(
    office: Office, text: str, team: str
) -> None:
    """A first question has nothing before it."""
    office.ask()
    office.now = FRIDAY
    office.poll(**{"lambda": "2.79", "coreweave": "2.99"})

    assert "" == changed(office.ask(text, team))


def test_a_setting_is_the_reason(office: Office) -> None:
    """The prices stand; the workspace asks for another provider now."""
    office.ask()
    office.now = FRIDAY
    preferences = office.answering.team_context.preferences
    preferences.set("T1", Setting("providers", "coreweave", "C1", "U1", FRIDAY))

    said = changed(office.ask())

    assert "the setting providers is coreweave here, not none" in said


def test_a_default_is_the_reason(office: Office) -> None:
    """An assumed number that the workspace set is named with both values."""
    office.ask()
    office.now = FRIDAY
    preferences = office.answering.team_context.preferences
    preferences.set("T1", Setting("utilisation", "20%", "C1", "U1", FRIDAY))
    office.poll(**{"lambda": "2.79", "coreweave": "2.99"})

    said = changed(office.ask())

    assert "average load is assumed as 20%, not 50%" in said


def test_another_formula_version_is_the_reason(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prices alike, figures not: the formulas are named, with both versions."""
    monkeypatch.setattr(repeat_comparison, "FORMULA_VERSION", "0")
    monkeypatch.setattr("bot.service.answering.FORMULA_VERSION", "0")
    office.ask()
    monkeypatch.undo()
    office.now = FRIDAY
    office.poll(**{"lambda": "2.79", "coreweave": "2.99"})

    assert "the formulas changed (version 0 to " in changed(office.ask())


def test_an_old_answer_still_prints_its_own_arithmetic(office: Office) -> None:
    """The why of Monday's id is Monday's price, after two more polls and answers."""
    first = office.ask()
    before = office.why(first)
    for price in ("2.79", "3.10"):
        office.now += timedelta(days=1)
        office.poll(**{"lambda": price, "coreweave": "2.99"})
        office.ask()

    assert before == office.why(first)
    assert any("$2.49 (Lambda)" in note for note in before.notes)


def test_prices_of_another_day_are_no_answer_to_compare_with(office: Office) -> None:
    """A look at the past (`--at`) is not what was answered last."""
    office.now = FRIDAY
    office.poll(**{"lambda": "2.79", "coreweave": "2.99"})
    office.answering.answered(QUESTION, HERE, MONDAY)

    assert "" == changed(office.ask())


def test_what_the_prices_do_not_explain_is_the_programs_doing() -> None:
    """Another verdict from the same prices and formula version; or from others."""
    then = AnswerSummary(formula="2", catalog="7", verdict="Buy")
    same = AnswerSummary(formula="2", catalog="7", verdict="Rent")
    later = same.model_copy(update={"catalog": "8"})

    assert "the program changed, and its prices did not" == why_changed(then, same)
    assert "the prices behind it changed" == why_changed(then, later)


def test_two_words_are_two_questions(office: Office) -> None:
    """What a term means is asked in words: nothing else of them is stated."""
    answers = [office.ask(text) for text in ("what is kv cache", "what is mfu")]

    assert ["", ""] == [changed(answer) for answer in answers]


@pytest.mark.parametrize(
    "question",
    ["price h100 sxm", "monthly bill for 4x h100 sxm", "lambda vs coreweave 8x h100",
     "how many users can 4x h100 sxm serve with 70b", "70b fp8 on 2x h100 sxm fits?",
     "qlora 8b on 5k samples"],
)  # fmt: skip
def test_every_kind_of_answer_with_a_bill_says_what_changed(
    office: Office, question: str
) -> None:
    """Prices, bills, comparisons, capacity, fits and runs alike."""
    office.ask(question)
    office.now = FRIDAY
    office.poll(**{"lambda": "2.29", "coreweave": "2.99"})

    assert "went from $2.49 to $2.29" in changed(office.ask(question))


def test_the_look_back_costs_less_than_a_millisecond(office: Office) -> None:
    """The median of 200 looks at a book with an answer in it."""
    office.ask()
    answered = office.answering.again(Query(text="x", params_b=70, rps=20), HERE)
    looking = RepeatComparison(office.answering.book, reference())
    key = asked_as(Query(params_b=70, rps=20))
    none_set = ChannelSettings()
    times = sorted(
        _timed(lambda: looking.compared(answered, key, "T1", none_set))
        for _ in range(200)
    )

    assert times[100] < 1e-3


def _timed(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start

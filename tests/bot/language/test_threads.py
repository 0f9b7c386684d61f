"""Whole conversations, and what a single turn changes of a workload."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.language.conversation import State, hear, thread_line

THREADS = (
    Path(__file__).with_name("threads.jsonl"),
    Path(__file__).with_name("blind") / "threads-2.jsonl",
    Path(__file__).with_name("blind") / "threads-3.jsonl",
    Path(__file__).with_name("blind") / "threads-4.jsonl",
    Path(__file__).with_name("blind") / "threads-5.jsonl",
    Path(__file__).with_name("blind") / "threads-6.jsonl",
    Path(__file__).with_name("blind") / "threads-7.jsonl",
    Path(__file__).with_name("blind") / "threads-8.jsonl",
)
"""Labelled by people who had not seen the code, scored once, then kept: 53, 63, 65,
63, 80, 62 and 88 % of the later turns were right then."""
SERVE = (
    "llama 3.3 70b fp8, 20 rps, 1k in 300 out, on h100 at nebius, "
    "ttft under 500ms p95, budget $30k/month, eu"
)
TUNE = "full fine-tune of llama 3.1 8b, 50k samples of 1k tokens, 3 epochs, on 8 h100"
RENT = "what do 16 h200 cost per month on coreweave reserved 1 year"
WEIGH = "compare h100 vs h200 for mixtral 8x7b 30 rps 2k/200"

EDITS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (SERVE, "without fp8", {"precision": None}),
    (SERVE, "fp8 no, mejor int4", {"precision": ("int4",)}),
    (
        SERVE,
        "not on spot, reserved for a year",
        {"pricing": ("reserved",), "term_months": 12},
    ),
    (SERVE, "+ b200", {"gpu": ("h100", "b200")}),
    (SERVE, "and b200 too", {"gpu": ("h100", "b200")}),
    (SERVE, "what about b200?", {"gpu": ("b200",)}),
    (SERVE, "any gpu", {"gpu": None}),
    (SERVE, "hmm 20 was optimistic, say 35", {"rps": 35}),
    (SERVE, "20 war zu viel, eher 12", {"rps": 12}),
    (SERVE, "a quarter of the traffic", {"rps": 5}),
    (SERVE, "ein viertel der last", {"rps": 5}),
    (SERVE, "peak can go up to 50", {"peak_rps": 50}),
    (
        SERVE,
        "any cloud is fine, except aws",
        {"provider": None, "provider_exclude": ("aws",)},
    ),
    (
        SERVE,
        "laisse tomber le budget",
        {"budget_amount": None, "budget_period": None, "budget_currency": None},
    ),
    (SERVE, "on 6 instead", {"count": 6}),
    (TUNE, "a third of the samples please", {"dataset_samples": 16666.6667}),
    (SERVE, "no latency limit", {"ttft_ms": None, "percentile": None}),
    (
        SERVE,
        "money is no object",
        {"budget_amount": None, "budget_period": None, "budget_currency": None},
    ),
    (SERVE, "us instead of eu", {"region": "us"}),
    (SERVE, "anywhere", {"region": None}),
    (SERVE, "halve the answer length", {"output_tokens": 150}),
    (SERVE, "traffic grows 50%", {"rps": 30}),
    (SERVE, "30% less load", {"rps": 14}),
    (SERVE, "3x that", {"rps": 60}),
    (SERVE, "40", {"rps": 40}),
    (SERVE, "on 8", {"count": 8}),
    (SERVE, "no not 1k, 10k in", {"input_tokens": 10_000}),
    (SERVE, "4 h200, no wait, 3", {"gpu": ("h200",), "count": 3}),
    (SERVE, "make it $45k", {"budget_amount": 45_000, "budget_period": "month"}),
    (SERVE, "3.1 8b", {"model": "llama-3.1-8b", "params_b": 8}),
    (SERVE, "weekdays 8-18", {"hours_per_day": 10, "days_per_week": 5}),
    (SERVE, "mon to sat", {"days_per_week": 6}),
    (SERVE, "doppelt so viel Last", {"rps": 40}),
    (SERVE, "sans limite de latence", {"ttft_ms": None, "percentile": None}),
    (SERVE, "mitad del tráfico", {"rps": 10}),
    (SERVE, "流量翻倍", {"rps": 40}),
    (SERVE, "h200에서는?", {"gpu": ("h200",)}),
    (SERVE, "25 not 20", {"rps": 25}),
    (SERVE, "400 au lieu de 300", {"output_tokens": 400}),
    (SERVE, "5 rps more", {"rps": 25}),
    (SERVE, "sorry, per minute, not per second", {"rps": 0.333333333}),
    (SERVE, "sorry, that's in euros", {"budget_currency": "EUR"}),
    (SERVE, "the 500 ms isn't a must", {"ttft_ms": None, "percentile": None}),
    (SERVE, "doulbe the traffic", {"rps": 40}),
    (SERVE, "llama 3.1 instead", {"model": "llama-3.1-70b"}),
    (SERVE, "try lambda... no, crusoe", {"provider": ("crusoe",)}),
    (TUNE, "every week", {"cadence": "weekly"}),
    (TUNE, "two fewer gpus", {"count": 6}),
    (TUNE, "half the gpus", {"count": 4}),
    (TUNE, "8 more", {"count": 16}),
    (TUNE, "one more epoch", {"epochs": 4}),
    (TUNE, "drop to 2 gpus", {"count": 2}),
    (SERVE, "swap nebius for lambda", {"provider": ("lambda",)}),
    (SERVE, "double check: 20 rps", {}),
    (TUNE, "twice the data", {"dataset_samples": 100_000}),
    (TUNE, "within a week", {"deadline_hours": 168}),
    (TUNE, "with qlora instead of full", {"method": ("qlora",)}),
    (TUNE, "and the 70b?", {"model": "llama-3.1-70b", "params_b": 70}),
    (RENT, "3 years?", {"term_months": 36}),
    (RENT, "without the reservation", {"pricing": None, "term_months": None}),
    (RENT, "8 of them", {"count": 8}),
    (WEIGH, "and b200", {"gpu": ("h100", "h200", "b200")}),
    (WEIGH, "remove h100", {"gpu": ("h200",), "intent": "size"}),
)
ABOUT = (
    ("why h100?", "why"),
    ("why not mi300x?", "why_not:mi300x"),
    ("what's wrong with l40s", "why_not:l40s"),
    ("how reliable is this", "how_sure"),
    ("when was that updated?", "price_age"),
    ("too expensive", "cheaper"),
    ("cost per 1M tokens?", "unit"),
    ("in euros?", "unit"),
    ("ping me when this gets below $20k", "watch"),
    ("post this in #ml", "share"),
    ("perfect, thank you", "thanks"),
    ("what's ttft?", "aside"),
    ("is fp8 the same as int8?", "aside"),
    ("warum so teuer?", "why"),
    ("pourquoi pas b200 ?", "why_not:b200"),
    ("¿qué tan fiable es?", "how_sure"),
    ("quanto sono vecchi i prezzi?", "price_age"),
    ("daha ucuz olur mu?", "cheaper"),
    ("谢谢", "thanks"),
    ("is that rock solid or a guess?", "how_sure"),
    ("von heute die Preise?", "price_age"),
    ("can we pay less for the same thing somehow?", "cheaper"),
    ("what speaks against l40s?", "why_not:l40s"),
    ("what does a million tokens cost?", "unit"),
    ("avísame cuando baje", "watch"),
    ("mándaselo a finanzas", "share"),
    ("let me ask the team", "aside"),
)


@pytest.mark.parametrize("path", THREADS, ids=lambda path: path.stem)
def test_conversations_of_others_are_followed(path: Path) -> None:
    """At least nine turns of ten are read as their author meant them."""
    wrong, turns = [], 0
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        got = thread_line(row)
        for at, said in enumerate(row["turns"]):
            turns += 1
            accept = row.get("accept") or [{}] * len(row["turns"])
            if not _same(row["specs"][at], got["specs"][at], accept[at] or {}) or (
                row["about"][at] != got["about"][at]
            ):
                wrong.append((row["id"], said))
    assert turns > 30
    most = 0.1 if path == THREADS[-1] else 0.05  # the newest is kept as it was found
    assert len(wrong) <= most * turns, wrong


@pytest.mark.parametrize(("first", "turn", "changes"), EDITS)
def test_an_edit_changes_what_it_names_alone(
    first: str, turn: str, changes: dict[str, Any]
) -> None:
    state = hear(State(), first).state
    heard = hear(state, turn)
    before = state.query.stated() if state.query else {}
    after = heard.query.stated()
    assert heard.about is None
    assert {name: after.get(name) for name in changes} == changes
    rest = before.keys() - changes.keys()
    assert {name: after.get(name) for name in rest} == {n: before[n] for n in rest}


@pytest.mark.parametrize(("turn", "about"), ABOUT)
def test_a_question_about_the_answer_changes_nothing(turn: str, about: str) -> None:
    state = hear(State(), SERVE).state
    heard = hear(state, turn)
    assert heard.about == about
    assert heard.state == state


def test_what_was_taken_away_can_be_put_back() -> None:
    state = hear(State(), SERVE).state
    gone = hear(state, "drop the budget").state
    back = hear(gone, "put it back, but 45k").query
    assert (45_000, "month", 1000) == (
        back.budget_amount,
        back.budget_period,
        back.input_tokens,
    )


def test_half_of_the_original_counts_from_the_first_question() -> None:
    state = hear(State(), SERVE).state
    doubled = hear(state, "double the traffic").state
    assert hear(doubled, "half the original load").query.rps == 10


def test_an_answer_is_bound_to_what_was_asked() -> None:
    state = hear(State(), "fine-tune mistral 7b").state
    assert state.asked == ("dataset_tokens",)
    query = hear(state, "10k").query
    assert (query.model, query.dataset_samples) == ("mistral-7b", 10_000)


def _same(want: dict[str, Any], got: dict[str, Any], accept: dict[str, Any]) -> bool:
    for key in {*want, *got}:
        good = [want.get(key), *accept.get(key, [])]
        if got.get(key) not in good and not (key == "params_b" and want.get("model")):
            return False
    return True

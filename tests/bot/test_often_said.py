"""What is often quoted for a question stands in its answer, with why ours differs."""

from typing import Any

import pytest

from bot.service.answering import Answering
from core.answers.often_said import often_said
from core.query import Query
from core.reference.tables import read_table
from tests.conftest import TERMINAL

ROWS: list[dict[str, Any]] = read_table("core.reference", "often_said.toml")["claim"]
QUOTED = (
    ("can a single H100 hold llama 3.3 70b in fp8", "X-003"),
    ("would INT8 halve the cost of llama 70b at 12 rps", "X-004"),
    ("llama 3.1 70b in bf16 on two H100, does it fit", "X-005"),
    ("how much do I save with H100 spot", "X-009"),
    ("tokens per second of 2 H100 with llama 3.3 70b", "X-013"),
    ("H100 or A100 for llama 3.1 8b at 30 rps", "X-015"),
    ("$ per million tokens for llama 8b on an L40S", "X-024"),
    ("L40S or H100 for mistral 7b at 1 rps", "X-030"),
    ("qwen 34b in int4 on an L40S, 1 rps", "X-032"),
    ("fp16 llama 70b on a single H200", "X-035"),
    ("how large is the kv cache of llama 70b at 16k", "X-036"),
    ("would speculative decoding help 70b at 8 rps", "X-039"),
    ("is the first token of 70b sooner on H200 or H100 at 4 rps", "X-040"),
    ("full fine-tuning llama 70b on a single H100, 5M tokens", "X-042"),
    ("what does a lora of a 7b on 20M tokens cost", "X-043"),
    ("B200 vs H200 for 70b at 15 rps", "X-046"),
    ("does batching help for llama 70b at 9 rps", "X-055"),
)
PLAIN = (
    "llama 3.3 70b, 20 rps",
    "8b chat for 300 people, internal",
    "price of an A100",
    "qwen3 32b on H200, 5 rps",
    "fine-tune a 32b with qlora on 10M tokens",
)


@pytest.mark.parametrize(("text", "claim"), QUOTED)
def test_a_quoted_figure_stands_beside_ours(
    answering: Answering, text: str, claim: str
) -> None:
    view = answering.answered(text, TERMINAL).view
    notes = (*view.notes, *view.small_print)

    assert [note for note in notes if note.endswith(f"(explain {claim})")]


@pytest.mark.parametrize("text", PLAIN)
def test_nothing_is_quoted_where_nothing_is_often_said(
    answering: Answering, text: str
) -> None:
    view = answering.answered(text, TERMINAL).view
    notes = (*view.notes, *view.small_print)

    assert not [note for note in notes if note.startswith("Often said")]


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_every_row_names_fields_and_says_what_holds(row: dict[str, Any]) -> None:
    """A row that no question can fit, or without words, would never be missed."""
    keys = row.keys() - {"id", "both", "words"}
    stated: dict[str, Any] = {"text": " ".join(row.get("words", ())[:1])}
    for key in keys:
        wanted = row[key]
        kinds = str(Query.__annotations__[key])
        if wanted is True:
            stated[key] = 1.0
        elif isinstance(wanted[0], str):
            stated[key] = tuple(wanted[:1]) if "tuple" in kinds else wanted[0]
        else:
            stated[key] = wanted[0]
    if "both" in row:
        stated["gpu"] = tuple(row["both"])
    found = often_said(Query.model_validate(stated))

    assert found is not None
    assert found.claim.said
    assert found.claim.holds

"""A provider that is ruled out is nowhere in an answer: no row, lever or reason."""

import re

import pytest

from bot.language.parse import parse
from bot.render.field_words import question_of
from bot.render.views import AnswerView
from bot.service.answering import Answering
from tests.conftest import TERMINAL

NAMES = {
    "lambda": "Lambda",
    "prime intellect": "Prime Intellect",
    "runpod": "Runpod",
    "coreweave": "CoreWeave",
    "gcp": "Google Cloud",
    "aws": "Amazon Web Services",
}
ASKED = (
    "70b inference 50rps",
    "8b chat 1M requests/day",
    "70b 2rps",
    "8b hobby bot 50 calls a day",
    "price h100",
    "monthly bill for 8x h100",
    "h100 vs b200 for 70b 20rps",
    "how many users can 4x h100 serve with 70b",
    "70b fp8 on one h100 fits?",
    "what can i serve with 70b for $10k a month",
    "qlora 8b on 5k samples",
    "pretrain a 3b model on 60B tokens",
    "summarise 1M documents of 2k tokens with a 32b overnight",
    "200 sdxl images per minute",
    "self-host llama 70b vs api at 2M tokens/day",
    "fine-tune 8b monthly on 20k samples then serve 5 rps for a year",
    "4x h100 at 30% utilisation, what is idle costing us",
)


def texts(view: AnswerView) -> list[str]:
    """Everything of a view that a reader sees, but the question itself."""
    rows = view.table.rows if view.table else ()
    cells = [cell.text for row in rows for cell in row]
    levers = [part for one in view.levers for part in (one.text, one.effect)]
    note = [view.table.note] if view.table else []
    return [view.verdict, view.why, *cells, *note, *levers, *view.notes,
            *view.small_print]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("question", ASKED)
def test_a_provider_that_is_ruled_out_is_nowhere(
    answering: Answering, question: str, name: str
) -> None:
    """Verdict, table, levers, notes and the arithmetic behind them."""
    answered = answering.answered(f"{question}, not on {name}", TERMINAL)
    assert answered.query is not None
    assert answered.query.provider_exclude

    seen = texts(answered.view)
    if answered.explanation is not None:
        seen += [t for t in texts(answered.explanation) if question not in t]
    assert [] == [text for text in seen if NAMES[name] in text]


GPUS = {"h100": "H100", "b200": "B200", "l40s": "L40S", "amd": "MI3"}
WITHOUT_GPUS = (
    "70b inference 50rps",
    "8b chat 1M requests/day",
    "cheapest gpu with 80gb",
    "what can i serve with 70b for $10k a month",
    "qlora 70b on 5k samples",
    "pretrain a 3b model on 60B tokens",
    "200 sdxl images per minute",
    "self-host llama 70b vs api at 2M tokens/day",
    "reserved base with on-demand peak for 70b 50rps",
)


@pytest.mark.parametrize("name", GPUS)
@pytest.mark.parametrize("question", WITHOUT_GPUS)
def test_a_gpu_that_is_ruled_out_is_nowhere(
    answering: Answering, question: str, name: str
) -> None:
    """In all its forms; a GB200 is no B200."""
    answered = answering.answered(f"{question}, no {name}", TERMINAL)
    assert answered.query is not None
    assert (name,) == answered.query.gpu_exclude

    banned = re.compile(rf"\b{GPUS[name]}")
    assert [] == [text for text in texts(answered.view) if banned.search(text)]


@pytest.mark.parametrize(
    ("question", "banned"),
    [
        ("train 7b on 1T tokens no spot", r"\bspot\b"),
        ("qlora 70b on 50k samples without spot", r"\bspot\b"),
        ("summarise 1M documents of 2k tokens with a 32b overnight, no spot", "spot"),
        ("70b 20rps no on-demand", "on-demand"),
        ("70b 20rps not fp8, no int4, no fp4", r"\b(?:FP8|INT4|FP4) instead\b"),
    ],
)
def test_what_is_ruled_out_is_not_recommended(
    answering: Answering, question: str, banned: str
) -> None:
    """No offer and no lever is of it; that offers were left out for it may be said."""
    view = answering.ask(question, context=TERMINAL)
    rows = view.table.rows if view.table else ()
    offered = [view.verdict, *(cell.text for row in rows for cell in row)]
    offered += [lever.text for lever in view.levers]

    assert "answer" == view.kind
    assert [] == [text for text in offered if re.search(banned, text)]


def test_without_fp8_it_is_16_bits(answering: Answering) -> None:
    """And that is said."""
    view = answering.ask("70b 20rps not fp8", context=TERMINAL)

    assert "BF16" in view.why
    assert "ruled out FP8" in view.model_dump_json()


@pytest.mark.parametrize(
    "text",
    [
        "fine-tune 8b on 10k samples no community hosts",
        "qlora 8b, 10k samples, datacenter only, no marketplaces",
        "fine-tune 8b on 10k samples, secure cloud only",
        "price rtx 4090, no community",
        "8b 5 rps internal, not on marketplaces",
    ],
)
def test_hosts_of_strangers_are_ruled_out(answering: Answering, text: str) -> None:
    """No row is a community host, nor a marketplace's that is not called secure."""
    answered = answering.answered(text, TERMINAL)
    assert answered.query is not None
    assert ("community",) == answered.query.tier_exclude
    seen = texts(answered.view)
    assert [] == [t for t in seen if "community" in t or "Vast.ai" in t]
    again = parse(question_of(answered.query))
    assert ("community",) == again.tier_exclude


def test_no_serverless_is_offered_where_it_is_ruled_out(answering: Answering) -> None:
    """Neither as a row nor as a lever."""
    text = "llama 70b 20 rps cheaper on api or own gpus"
    free = texts(answering.answered(text, TERMINAL).view)
    assert [t for t in free if "Serverless" in t]
    held = texts(answering.answered(f"{text}, no serverless", TERMINAL).view)
    assert [] == [t for t in held if "erverless" in t]


def test_serverless_that_is_asked_for_is_in_the_verdict(answering: Answering) -> None:
    """Even where it is the dearest way."""
    text = "serverless llama 8b 2000 requests a day"
    assert "Serverless GPUs (" in answering.answered(text, TERMINAL).view.verdict

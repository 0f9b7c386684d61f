"""Several loads in one message: each as if asked alone, then all of them together."""

import itertools

import pytest

from bot.answers.shared.json import figures
from bot.language.conversation.hearing import hear
from bot.language.conversation.state import State
from bot.language.parse import parse
from bot.render.glance import at_a_glance
from bot.service.answering import Answering
from core.query import Query
from tests.conftest import COMMAND

SMALL = ("llama 3.1 8b", "40 rps", "500 in 20 out")
LARGE = ("llama 3.3 70b", "8 requests/s", "2500 in 400 out")
JOINTS = (" and ", "; ", ", ", " plus ", "\n")
ORDERS = (
    "{model} at {rate}, {lengths}",
    "{model} ({rate}, {lengths})",
    "{rate} on {model}, {lengths}",
    "{model}: {rate}, {lengths}",
)


@pytest.mark.parametrize(
    ("joint", "order", "turned"),
    list(itertools.product(JOINTS, ORDERS, (False, True))),
)
def test_each_load_keeps_its_own_numbers(joint: str, order: str, turned: bool) -> None:
    """Whatever joins them, whichever comes first, however each is written."""
    parts = [
        order.format(model=model, rate=rate, lengths=lengths)
        for model, rate, lengths in (SMALL, LARGE)
    ]
    query = parse(joint.join(reversed(parts) if turned else parts))
    found = {
        load.params_b: (load.rps, load.input_tokens, load.output_tokens)
        for load in query.loads or ()
    }

    assert {8: (40, 500, 20), 70: (8, 2500, 400)} == found


@pytest.mark.parametrize(
    "text",
    [
        "llama 8b 20 rps and llama 70b 3 rps, both 1k in 200 out",
        "1k in 200 out: llama 8b 20 rps, llama 70b 3 rps",
    ],
)
def test_what_is_said_of_all_holds_for_each(text: str) -> None:
    """Lengths that are said once."""
    loads = parse(text).loads or ()

    assert [(1000, 200)] * 2 == [(one.input_tokens, one.output_tokens) for one in loads]


def test_places_set_loads_apart() -> None:
    """One model, two regions, each with a rate and machines to spare."""
    loads = parse(
        "qwen3 14b, 8 rps in the EU and 5 rps in the US, 1.5k/300 tokens, n+1 each"
    ).loads

    assert loads is not None
    assert [("eu", 8, 1), ("us", 5, 1)] == [
        (one.region, one.rps, one.spare_replicas) for one in loads
    ]


@pytest.mark.parametrize(
    "text",
    [
        "llama 70b 10 rps on average and 40 rps peak",
        "8b or 70b at 10 rps?",
        "llama 8b 10 rps vs llama 70b 10 rps",
        "llama 70b 20 rps by day, 3 rps at night",
        "llama 70b, 12 rps in all, of which 4 rps are summaries",
        "move from llama 8b to llama 70b, 10 rps",
    ],
)
def test_one_load_stays_one(text: str) -> None:
    """A peak, a choice, a course of the day, a part of the whole."""
    assert parse(text).loads is None


@pytest.mark.parametrize(
    ("text", "pile", "flow"),
    [
        ("embed 5M documents of 800 tokens once with bge-m3, then 20k new ones a day",
         ("requests_total", 5e6), ("requests_per_day", 2e4)),
        ("backlog of 3M tickets to classify with llama 8b (600 in, 20 out), after that "
         "40k a day", ("requests_total", 3e6), ("requests_per_day", 4e4)),
        ("embed 200M chunks of 400 tokens with bge-m3, one time, then ~50 queries/s "
         "live", ("requests_total", 2e8), ("rps", 50)),
    ],
)  # fmt: skip
def test_a_pile_once_and_what_comes_after(
    text: str, pile: tuple[str, float], flow: tuple[str, float]
) -> None:
    """The pile has no rate, the flow has no pile."""
    once, then = parse(text).loads or (None, None)

    assert once is not None
    assert then is not None
    assert pile[1] == getattr(once, pile[0])
    assert getattr(once, flow[0]) is None
    assert flow[1] == getattr(then, flow[0])
    assert getattr(then, pile[0]) is None


def test_the_sum_is_that_of_the_single_answers(answering: Answering) -> None:
    """To the cent; programs get each part."""
    single = [
        figures(answering.answered(text, COMMAND))["recommendation"]["usd_per_month"]
        for text in (
            "llama 8b 20 rps 1k in 200 out",
            "llama 70b 3 rps 1k in 200 out",
        )
    ]
    found = figures(
        answering.answered(
            "llama 8b 20 rps and llama 70b 3 rps, both 1k in 200 out", COMMAND
        )
    )

    assert found["recommendation"]["usd_per_month"] == pytest.approx(sum(single))
    assert [part["recommendation"]["usd_per_month"] for part in found["parts"]] == (
        pytest.approx(single)
    )


def test_a_budget_is_held_against_the_sum(answering: Answering) -> None:
    """Each of them alone would be within it."""
    text = "llama 8b 20 rps and llama 70b 3 rps, both 1k in 200 out, {} a month"
    sum_of_both = figures(answering.answered(text.format(""), COMMAND))[
        "recommendation"
    ]["usd_per_month"]
    short = answering.answered(
        text.format(f"budget ${sum_of_both - 100:.0f}"), COMMAND
    ).view
    enough = answering.answered(
        text.format(f"budget ${sum_of_both + 100:.0f}"), COMMAND
    ).view

    assert ("no", "answer") == (short.kind, enough.kind)


def test_a_follow_up_changes_all_of_them() -> None:
    """A format holds for each; twice the traffic is twice each."""
    state = State()
    for text in ("llama 8b 20 rps and llama 70b 3 rps, 1k in 200 out", "in fp8",
                 "double the traffic"):  # fmt: skip
        heard = hear(state, text)
        state = heard.state.model_copy(update={"query": heard.query})
    loads = heard.query.loads or ()

    assert [(("fp8",), 40), (("fp8",), 6)] == [
        (one.precision, one.rps) for one in loads
    ]


def test_days_of_a_peak_cost_what_runs_beside_the_base(answering: Answering) -> None:
    """40 requests a second more, for 96 hours."""
    base, peak = (
        parse(
            "llama 70b, 2k in 250 out, goes from 5 rps to 45 rps for 4 days, then back"
        ).loads
        or ()
    )

    assert (5, None) == (base.rps, base.hours_per_month)
    assert (40, 96) == (peak.rps, peak.hours_per_month)


def test_an_archive_of_audio_and_the_hours_of_each_day() -> None:
    """The archive has the end, the flow comes back."""
    once, daily = (
        parse(
            "transcribe a backlog of 180,000 hours with whisper large-v3, then 1,200 "
            "new hours every day. Nothing may leave the UK. The backlog in 30 days."
        ).loads
        or ()
    )

    assert (180_000, 720, None) == (
        once.audio_hours, once.deadline_hours, once.comes_back
    )  # fmt: skip
    assert (1200, "day") == (daily.audio_hours, daily.comes_back)
    assert {"uk"} == {once.region, daily.region}


def test_the_short_form_keeps_every_load_and_the_sum(answering: Answering) -> None:
    """Three loads are four rows."""
    view = at_a_glance(
        answering.ask(
            "llama 8b at 20 rps, llama 70b at 3 rps and qwen 32b at 5 rps, all 1k in "
            "200 out",
            context=COMMAND,
        )
    )

    assert view.table is not None
    assert len(view.table.rows) == 4
    assert view.table.rows[-1][0].text == "Together"


def test_two_regions_share_a_load() -> None:
    """Half each, or as the shares say; alternatives are no parts."""
    text = "llama 8b, 40 rps, 1k in 200 out, {}"
    halves = parse(text.format("us-east plus frankfurt")).loads or ()
    shares = parse(text.format("regions us-east, eu and tokyo, 50/30/20 split")).loads

    assert [("us-east", 20), ("frankfurt", 20)] == [(q.region, q.rps) for q in halves]
    assert [20, 12, 8] == [round(query.rps or 0) for query in shares or ()]
    assert not parse(text.format("in the EU or the UK")).loads


@pytest.mark.parametrize(
    "text",
    [
        "embedding model + reranker + 8b generator at 10 queries per second",
        "rag for 2000 users: llama 3.1 8b with bge-m3 embeddings and a reranker",
    ],
)
def test_what_embeds_and_ranks_is_asked_as_often_as_the_generator(
    answering: Answering, text: str
) -> None:
    """One question, three services, one sum; only the generator has a rate."""
    loads = parse(text).loads or ()
    found = answering.answered(text, COMMAND)

    assert [None, "embedding", "embedding"] == [one.modality for one in loads]
    assert [True, False, False] == [bool(one.rps or one.users) for one in loads]
    assert ["rag", None, "reranking"] == [one.use for one in loads]
    assert 3 == len(figures(found)["parts"])
    assert "Each request asks every part once" in found.view.why


def test_loads_on_the_same_gpus_add_up(answering: Answering) -> None:
    """Twice the load keeps the same GPUs twice as busy, or takes more of them."""
    asked = "8b at {} rps and bge-m3 embeddings at {} rps on one l40s"
    work = []
    for rate in (1, 2):
        told = answering.answered(asked.format(rate, 10 * rate), COMMAND)
        fleet = figures(told)["one_fleet"]
        work.append(fleet["count"] * fleet["busy"])
        assert told.view.verdict.startswith("Yes: 1 × L40S")
    crowded = answering.answered(asked.format(40, 400), COMMAND)

    assert work[1] == pytest.approx(2 * work[0], rel=0.01)
    assert crowded.view.verdict.startswith("No: 1 × L40S")


def test_one_load_shares_with_nobody() -> None:
    """ "On one H100" is a count; with one load "the same GPUs" is said to be unused."""
    alone = parse("70b fp8 5 rps on one h100")
    same = parse("70b 5 rps on the same gpus")

    assert (None, ()) == (alone.one_fleet, alone.not_used)
    assert ["on the same gpus"] == [one.text for one in same.not_used]


WHOLE = ("whisper-turbo", "llama-3.1-8b", "kokoro")


@pytest.mark.parametrize(
    ("text", "models", "calls", "waits"),
    [
        ("Voice bot for a call center: whisper turbo plus llama 3.1 8b plus a small "
         "TTS, 150 calls at the same time, must answer within 900 ms. What do we "
         "need?", (*WHOLE[:2], None), 150, (900, None)),
        ("voice agent with parakeet + qwen3 8b, 40 concurrent calls",
         ("parakeet", "qwen3-8b", None), 40, (None, None)),
        ("stt + llama 3.1 8b + tts for 500 calls at once",
         (None, "llama-3.1-8b", None), 500, (None, None)),
        ("STT: whisper turbo, LLM: llama 3.1 8b, TTS: kokoro, 60 parallel calls, "
         "latency under 500 ms", WHOLE, 60, (500, None)),
        ("whisper turbo -> llama 3.1 8b -> f5-tts, 25 calls at once",
         (*WHOLE[:2], "f5-tts"), 25, (None, None)),
        ("ivr, stt (whisper turbo), llm (llama 3.1 8b), tts (kokoro), 80 calls",
         WHOLE, 80, (None, None)),
        ("voice assistant, whisper/llama 3.1 8b/kokoro, 30 live calls, first token "
         "under 250 ms", ("whisper", *WHOLE[1:]), 30, (None, 250)),
        ("Sprachbot: whisper turbo, llama 3.1 8b und kokoro, 40 gleichzeitige Anrufe",
         WHOLE, 40, (None, None)),
        ("speech to speech, 40 simultaneous calls, whole answer under 900 ms",
         (None, None, None), 40, (900, None)),
        ("Sprache-zu-Sprache für 25 gleichzeitige Anrufe", (None,) * 3, 25,
         (None, None)),
        ("600 restaurants, max 2 cars speaking at once each, speech to speech",
         (None,) * 3, 1200, (None, None)),
        ("parakeet + llama 3.1 8b + kokoro, 200 calls at once, L40S or H100?",
         ("parakeet", *WHOLE[1:]), 200, (None, None)),
        ("whisper turbo + llama 3.1 8b + kokoro, 60 calls at once. Edge or central?",
         WHOLE, 60, (None, None)),
        ("parakeet, llama 3.1 8b und kokoro, 30 gleichzeitige Anrufe, L4 oder L40S",
         ("parakeet", *WHOLE[1:]), 30, (None, None)),
    ],
)  # fmt: skip
def test_a_voice_agent_hears_thinks_and_speaks(
    text: str,
    models: tuple[str | None, ...],
    calls: float,
    waits: tuple[float | None, ...],
) -> None:
    """Each part serves every call; a wait is one part's only if it says so."""
    loads = parse(text).loads or ()

    assert models == tuple(one.model for one in loads)
    assert [(calls, True)] * 3 == [(one.concurrency, one.in_turns) for one in loads]
    assert ["audio", None, "audio"] == [one.modality for one in loads]
    assert [None, None, "tts"] == [one.sound for one in loads]
    assert waits == (loads[1].e2e_ms, loads[1].ttft_ms)


@pytest.mark.parametrize(
    "text",
    [
        "whisper turbo for 150 calls at the same time",
        "llama 3.1 8b voice chat, 150 concurrent calls",
        "voice bot with llama 3.1 8b, 150 calls",
        "whisper + llama 8b, 20 requests at once",
        "stt + llm + tts for 500 calls at once",
        "whisper or parakeet for 150 calls at the same time",
        "llama 3.1 8b or qwen3 8b for a voice bot, 40 concurrent calls",
        "compare elevenlabs with kokoro tts, 20 streams",
    ],
)
def test_one_part_of_a_conversation_stays_one(text: str) -> None:
    """Nor is a language model made up where only the word for one is said."""
    assert parse(text).loads is None


def test_speech_is_counted_while_it_is_spoken(answering: Answering) -> None:
    """The whole wait is nobody's own, and what was taken unasked is said."""
    text = "voice bot: parakeet + llama 3.1 8b, 150 calls at once, reply within {} ms"
    found = answering.answered(text.format(900), COMMAND)
    hears, _, speaks = (one.found for one in found.figures.parts)
    rates = [one.spec.units_per_minute * 60 for one in (hears, speaks)]
    hasty = answering.answered(text.format(400), COMMAND).view

    assert rates == pytest.approx([150 * 2.2 / 6] * 2)
    assert "text to speech is named: we take kokoro" in found.view.why
    assert "within 300 ms; 600 ms are left" in found.view.notes[0]
    assert "within 200 ms; 200 ms are left" in hasty.notes[0]
    assert "per minute of call with 75 of 150 lines" in found.view.verdict
    assert not found.view.not_used


@pytest.mark.parametrize(
    ("text", "models"),
    [
        ("OCR model plus 8b for 20k pages a day", ["qwen3-vl-8b", None]),
        ("ocr model and an 8b llm, 20 rps", ["qwen3-vl-8b", None]),
        ("ocr -> llama 70b, 5 rps", ["qwen3-vl-8b", "llama-70b"]),
        ("70b with a guard model, 10 rps", [None, "llama-guard-3-8b"]),
        ("safety classifier plus 70b 10 rps", [None, "llama-guard-3-8b"]),
        ("8b for ocr 20k pages a day", []),
        ("qwen2.5-vl 7b ocr 5 rps", []),
        ("llama 70b 10 rps, ocr", []),
        ("llama 8b safety classification 50 rps", []),
    ],
)
def test_what_stands_beside_a_model_unnamed_is_a_load_of_its_own(
    answering: Answering, text: str, models: list[str | None]
) -> None:
    """What reads the pages, or watches over the answers; which is taken is said."""
    query = parse(text)

    assert models == [load.model for load in query.loads or ()]
    if models:
        view = answering.ask(text, context=COMMAND)
        assert any(note.startswith("No model ") for note in view.notes)


@pytest.mark.parametrize(
    ("text", "teacher", "student", "side"),
    [
        (
            "Distill a 70B into a 3B: need logits from 15B tokens, then train the "
            "student on them. GPU hours total on H100?",
            70, 3, "input",
        ),
        ("distill llama 70b into 3b on 15B tokens", 70, 3, "input"),
        (
            "knowledge distillation with a 32B teacher and a 1.5B student, 8B tokens, "
            "on H200",
            32, 1.5, "input",
        ),
        (
            "teacher qwen 72b, student 7b: 200k samples of 1,500 tokens generated by "
            "the teacher, then full SFT of the student. cost?",
            72, 7, "output",
        ),
        (
            "Wir wollen Llama 405B in ein 8B destillieren, 20B Tokens Logits. Kosten "
            "auf H100?",
            405, 8, "input",
        ),
        ("distiller un 70B vers un 8B avec 10 milliards de tokens, coût ?",
         70, 8, "input"),
    ],
)  # fmt: skip
def test_a_distillation_is_the_teachers_pass_and_the_students_run(
    text: str, teacher: float, student: float, side: str
) -> None:
    first, then = parse(text).loads or (Query(), Query())

    assert (first.kind, first.params_b, first.tokens_side) == ("batch", teacher, side)
    assert then.kind in ("training", "finetune")
    assert then.params_b == student


@pytest.mark.parametrize(
    "text",
    [
        "would distillation help for 70b at 10 rps?",
        "deepseek-r1-distill-llama-70b 5 rps",
        "train a 3b on 15B tokens on h100",
        "distilled 8b model at 20 rps",
        "10k new documents a day with an 8b",
        "8b, 3M requests a month, 100k a day",
        "gpt-4o-mini vs llama 8b for 2M requests a day",
    ],
)
def test_one_load_is_not_taken_apart(text: str) -> None:
    assert parse(text).loads is None


@pytest.mark.parametrize(
    "text",
    [
        "cohere embed v4 vs self-hosted e5-large for 90M chunks plus 500k new ones a "
        "day",
        "backlog of 4M tickets to classify with an 8b once, then 30k a day. Own GPUs "
        "or gpt-4o-mini?",
        "Wir haben 20 Mio Dokumente einzubetten mit bge-m3 und 100k neue pro Tag",
        "2M contracts to summarise with qwen3 14b plus 5k new ones a day",
        "nous devons indexer 30M de passages avec bge-m3 et 200k nouveaux par jour",
        "embed 90M chunks with e5-large, then 500k a day",
    ],
)
def test_a_backlog_is_paid_once_and_the_rest_each_day(text: str) -> None:
    once, daily = parse(text).loads or (Query(), Query())

    assert once.requests_total
    assert not once.requests_per_day
    assert daily.requests_per_day
    assert not daily.requests_total


def test_gpu_hours_of_all_steps_are_told(answering: Answering) -> None:
    text = (
        "Distill a 70B into a 3B: need logits from 15B tokens, then train the student "
        "on them. GPU hours total on H100?"
    )
    assert "GPU-hours (" in answering.answered(text, COMMAND).view.verdict


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("rag over 2M docs with reranker and llama 70b, 300 users, whole bill?", 2e6),
        ("rag over 300k wiki pages, embeddings and a 32b model, 8 qps", 3e5),
        ("whole rag bill over 500k documents, llama 70b, 2000 questions a day", 5e5),
        ("rag with a reranker and llama 70b, 300 users, whole bill?", None),
        ("rag over 2M docs, llama 70b, 5 rps", None),
    ],
)
def test_what_a_rag_searches_was_embedded_once(text: str, texts: float | None) -> None:
    """The index is a part of the whole bill, and no load of every day."""
    loads = parse(text).loads or ()

    assert [texts] * bool(texts) == [
        one.requests_total for one in loads if one.kind == "batch"
    ]

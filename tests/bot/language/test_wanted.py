"""Which figure a question is about, where it is not the usual one."""

import pytest

from bot.language.parse import parse
from bot.service.answering import Answering
from core.answers.trainable import Trainable
from tests.conftest import COMMAND


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("how much vram does llama 70b need", "memory"),
        ("memory footprint of mixtral 8x7b fp8", "memory"),
        ("how many gb for 405b int4 with 8k context", "memory"),
        ("will 70b int4 fit in 48gb vram", None),
        ("does 70b fit on one h100", None),
        ("cost per 1M tokens llama 70b on h100", "usd_per_million"),
        ("what does 1M output tokens cost with 8b on l40s", "usd_per_million"),
        ("what would 1M tokens of llama 70b cost us self hosted", "usd_per_million"),
        ("cost of 2m output tokens per day on 8b", None),
        ("8b 500in/150out at 20 rps", None),
        ("lowest latency for 8b", "latency"),
        ("what's the fastest gpu for 70b", "latency"),
        ("8b chat 20rps tpot 20ms", None),
    ],
)
def test_the_figure_asked_for_is_known(text: str, wanted: str | None) -> None:
    """Gigabytes, dollars a million tokens, or time; none where a fleet is asked for."""
    assert wanted == parse(text).wanted


@pytest.mark.parametrize("gpu", ["l40s", "2x h100", "24 GB rtx 4090", "8x mi300x"])
@pytest.mark.parametrize(
    "asked",
    [
        "what fits on {}", "what runs on {}?", "which model can we serve on {}",
        "welches modell passt auf {}", "welche modelle laufen auf {}?",
        "quel modèle peut tourner sur {}", "que modelos puedo correr en {}",
        "jaki model zmieści się na {}", "какие модели можно запустить на {}",
        "哪些模型可以在 {} 上运行",
    ],
)  # fmt: skip
def test_what_a_gpu_holds(asked: str, gpu: str) -> None:
    """Which models fit is one question in every language; a price is another."""
    assert parse(asked.format(gpu)).wanted == "runs_on"
    assert parse(f"price of {gpu}").wanted != "runs_on"


def test_what_is_wanted_states_nothing() -> None:
    """The figure asked for is no fact about the workload."""
    assert "wanted" not in parse("fastest gpu for 70b").stated()


@pytest.mark.parametrize(
    ("text", "use"),
    [
        ("rag with a 13b for 200 users", "rag"),
        ("agentic coding assistant, qwen3 coder 480b, 30 devs", "code_agent"),
        ("code completion 7b 100 rps", "completion"),
        ("summarise 1M docs with 8b overnight", "summary"),
        ("70b inference 50rps", None),
    ],
)
def test_what_requests_are_for_is_known(text: str, use: str | None) -> None:
    """The use decides the usual lengths; it is no stated field."""
    query = parse(text)

    assert use == query.use
    assert "use" not in query.stated()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("summarise 2 million support tickets overnight with a 8b", "ticket"),
        ("classify 15M short reviews with qwen3 4b", "review"),
        ("2 Mio E-Mails mit einem 8B klassifizieren", "email"),
        ("Zusammenfassung von 40k Verträgen mit einem 30b", "contract"),
        ("traducir 500k correos con un 8b", "email"),
        ("summarize call transcripts, 40k a day, 14b", "call"),
        ("3 million articles to translate with a 27b", "article"),
        ("chatbot about contracts, 70b, 10 rps", None),
        ("price per call of an 8b at 10 rps", None),
        ("budget review on friday, 8b 10 rps", None),
        ("8b 10 rps, each call 2k tokens", None),
        ("we run 8 h100 and report monthly, cost?", None),
    ],
)
def test_what_is_read_one_by_one_is_known(text: str, kind: str | None) -> None:
    """Counted or worked through; a word in passing is no pile of texts."""
    assert kind == parse(text).document


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("what is the yearly cost of 70b at 10 rps", "year"),
        ("annual spend for 8b at 20 rps", "year"),
        ("how much are 100 h100 per year", "year"),
        ("annual bill of 16 b200 at coreweave", "year"),
        ("what do 8 h100 cost a month", None),
        ("8 h100 reserved for 1 year cost", None),
        ("8b 20 rps, annual budget $50000", None),
        ("8b 20 rps reserved for 1 year", None),
        ("yearly price of an h100", "year"),
        ("h100 yearly reserved", None),
    ],
)
def test_a_year_is_asked_for(text: str, unit: str | None) -> None:
    """Of a served load; a budget or a term of a year asks for none."""
    assert unit == parse(text).asked_unit


@pytest.mark.parametrize(
    ("text", "field", "meant"),
    [
        ("70b 10 rps, in production", "production", True),
        ("70b 10 rps, not in production yet", "production", None),
        ("8b 5 rps, we do classification", "use", "classification"),
        ("8b 5 rps, we don't do classification", "use", None),
        ("why not use batching for 8b 5 rps", "techniques", ("batching",)),
        ("batching runs nightly. 8b 5 rps", "techniques", None),
    ],
)
def test_a_phrase_that_is_unsaid_fills_nothing(
    text: str, field: str, meant: object
) -> None:
    """A negated fact is none; what is asked stays asked where it is negated."""
    assert meant == (getattr(parse(text), field) or None)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("what tok/s should I expect single stream, llama 3.1 405b fp8 on 8xH200",
         "one_stream"),
        ("how fast is one request with qwen3 32b on a single H100?", "one_stream"),
        ("tok/s for one user llama 70b on 2xh100", "one_stream"),
        ("Wie schnell ist ein einzelner Stream mit Llama 3.3 70B auf 2 H200?",
         "one_stream"),
        ("vitesse pour un seul utilisateur avec mistral small 24b sur un L40S ?",
         "one_stream"),
        ("single-stream decode speed of deepseek r1 on 8xB200", "one_stream"),
        ("single H100 for 8b at 20 rps fast enough?", None),
        ("which is faster for a single user, 4090 or l4, 7b?", "latency"),
        ("70b one request per second, fast", None),
        ("how many concurrent streams of 50 tok/s on 4xh100, 70b", None),
        ("what can I train on 48 h100 for 21 days", "runs_on"),
        ("48 H100s for 21 days. What's the largest model we can sensibly train?",
         "runs_on"),
        ("16 A100 for two weeks: the biggest model we could pretrain?", "runs_on"),
        ("Was können wir mit 64 H100 in 3 Wochen trainieren?", "runs_on"),
        ("Que peut-on entraîner avec 32 H100 pendant 10 jours ?", "runs_on"),
        ("¿Qué podemos entrenar con 64 H100 durante 20 días?", "runs_on"),
        ("train a 7b on 48 h100 for 21 days", None),
    ],
)  # fmt: skip
def test_speed_of_one_stream_and_what_can_be_trained(
    text: str, wanted: str | None
) -> None:
    assert parse(text).wanted == wanted


def test_trained_sizes_follow_the_gpu_hours(answering: Answering) -> None:
    """Twice the GPUs or twice the days train about as much."""
    sizes = []
    for text in ("16 h100 for 20 days", "32 h100 for 10 days"):
        found = answering.answered(f"what can we train on {text}?", COMMAND).figures
        assert isinstance(found, Trainable)
        sizes.append(found.optimal_b or 0)
    assert sizes[0] == pytest.approx(sizes[1], rel=0.1)
    assert 5 < sizes[0] < 15

"""So many streams of so many tokens a second are there at once."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "at_once", "users"),
    [
        ("llama 70b 100 users at 30 tokens per second each", 100, None),
        ("8b, 40 people, each 20 tok/s", 40, None),
        ("100 tokens/sec/user on 8b, 20 users", None, 20),
        ("70b 300 users, 20 tok/s per user", None, 300),
        ("70b 300 users with 10 requests a day each, 20 tok/s per user", None, 300),
        ("200 concurrent users, each wants 25 tok/s, 70b", 200, None),
    ],
)
def test_a_pace_of_each_is_of_streams(
    text: str, at_once: float | None, users: float | None
) -> None:
    """A pace per user is how fast they read; so much each is what flows at once."""
    query = parse(text)

    assert (at_once, users) == (query.concurrency, query.users)
    assert query.tok_s_per_user is not None


@pytest.mark.parametrize(
    ("text", "at_once"),
    [
        ("45 hotels with 3 simultaneous guest calls each, 8b voice agent", 135),
        ("whisper for 70 wards, 2 audio streams at once per ward", 140),
        ("live captions for 30 classrooms, one stream each, whisper", 30),
        ("80 branches, 4 concurrent users per branch, llama 8b", 320),
        ("20 Kliniken mit je 5 gleichzeitigen Diktaten, whisper large-v3", 100),
        ("15 tiendas con 4 usuarios simultáneos cada una, llama 8b", 60),
        ("3 shops, 40 concurrent users, 8b", 40),
        ("8b on 4 L40S, 32 concurrent requests each", 32),
        ("3 replicas, 20 concurrent requests each, 8b", 20),
        ("voice agent for 25 agents, 60 simultaneous calls, 8b", 60),
        ("whisper, 12 languages, 40 parallel streams", 40),
        ("25 autonomous agents on kimi k2, how many gpus", 25),
        ("10 research agents with 60k context on glm-4.6", 10),
        ("200 ai agents, 50 requests a day each, qwen3 32b", None),
        ("300 insurance agents use a chatbot on a 70b", None),
    ],
)
def test_so_many_at_once_in_each_place_add_up(text: str, at_once: float | None) -> None:
    """ "Each" of sites multiplies; of GPUs and replicas it does not."""
    assert at_once == parse(text).concurrency


@pytest.mark.parametrize(
    ("text", "use"),
    [
        ("ocr of 2m pages with qwen2.5-vl 7b", "ocr"),
        ("olmocr 7b, 1 million pages", "ocr"),
        ("read 40k scanned invoices a day with qwen3-vl-8b", "ocr"),
        ("Texterkennung von 3 Mio. Seiten mit qwen2.5-vl 7b", "ocr"),
        ("900k pages scannées par mois avec qwen2.5-vl 7b", "ocr"),
        ("2m páginas escaneadas con qwen3-vl-8b", "ocr"),
        ("image captioning of 2m photos with qwen2.5-vl 7b", "vision"),
        ("invoice extraction, 8b, 20k a day", "extraction"),
        ("summarise 10k documents with a 32b", "summary"),
        ("a vlm of 7b, 5 rps", "vision"),
        (
            "route tickets with a 3b, 60 req/s, the output is a single word",
            "classification",
        ),
        ("8b that returns yes or no for each message, 40 rps", "classification"),
        ("picks one of 12 categories per product, 7b, 25 rps", "classification"),
        ("flag fraudulent transactions with a 7b, 80 rps", "classification"),
        ("8b tags incoming support requests, 20 rps", "classification"),
        ("in one word: which gpu for an 8b at 10 rps", None),
        ("llama 70b behind openrouter, we route requests to our gpus, 20 rps", None),
        ("tag and summarise 2m tickets with an 8b", "summary"),
        ("name, date and amount extracted from 3m invoices with an 8b", None),
        ("extract name, date and amount from 3m invoices with an 8b", "extraction"),
        ("pull the parties out of 60k contracts with a 32b", "extraction"),
        ("extract fields from scanned invoices with a 7b vision model", "extraction"),
        ("caption 2M photos with an 8b vision-language model", "vision"),
        ("mistral small 24b, 2.2k tokens of ocr text in, 300 out, 5 rps", None),
    ],
)
def test_pages_that_are_read_are_no_other_pictures(text: str, use: str | None) -> None:
    """A page has far more text than a photo has to tell."""
    query = parse(text)
    assert use == (query.use or query.model_class)

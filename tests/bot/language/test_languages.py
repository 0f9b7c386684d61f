"""Languages with a word file are read; the others are named."""

from typing import Any

import pytest

from bot.language.languages import language_of
from bot.language.parse import parse

READ: tuple[tuple[str, dict[str, Any]], ...] = (
    ("quanto costa servire un 8B con 40 richieste al secondo?",
     {"params_b": 8, "rps": 40, "kind": "inference"}),
    ("quante h100 per un 70B con 200 utenti contemporanei, 2.000 token in ingresso",
     {"gpu": ("h100",), "concurrency": 200, "input_tokens": 2000}),
    ("3 milioni di richieste al mese con qwen3 14b, spot",
     {"requests_per_month": 3e6, "model": "qwen3-14b", "pricing": ("spot",)}),
    ("welke gpu voor een 32B model, 25 verzoeken per seconde, 300 tokens uit?",
     {"params_b": 32, "rps": 25, "output_tokens": 300}),
    ("hoeveel kost 8x H200 per maand bij lambda, alleen op werkdagen",
     {"gpu": ("h200",), "count": 8, "provider": ("lambda",), "days_per_week": 5}),
    ("2 miljoen aanvragen per dag op een 8b", {"requests_per_day": 2e6, "params_b": 8}),
    ("ile kosztuje 70B, 30 zapytań na sekundę",
     {"params_b": 70, "rps": 30}),
    ("120 użytkowników jednocześnie, model 14B, kontekst 16 tys.",
     {"concurrency": 120, "params_b": 14, "context": 16000}),
    ("jaka karta na 8B, budżet 500 euro miesięcznie",
     {"params_b": 8, "budget_amount": 500, "budget_currency": "EUR"}),
    ("saniyede 40 istek için 70B model kaç H100 gerekir?",
     {"rps": 40, "params_b": 70, "gpu": ("h100",)}),
    ("ayda 2 milyon istek, 8B model, fiyatı ne kadar?",
     {"requests_per_month": 2e6, "params_b": 8}),
    ("günde 300 bin istek, qwen3 14b", {"requests_per_day": 3e5, "model": "qwen3-14b"}),
    ("초당 30건 요청, 70B 모델, H100 몇 장 필요해?",
     {"rps": 30, "params_b": 70, "gpu": ("h100",)}),
    ("동시 사용자 200명, 32B, 컨텍스트 8k",
     {"concurrency": 200, "params_b": 32, "context": 8000}),
    ("нужно 30 запросов в секунду, модель 70B, 1000 токенов на входе и 250 на выходе",
     {"rps": 30, "params_b": 70, "input_tokens": 1000, "output_tokens": 250}),
    ("дообучить 12b на 18 тыс. диалогов по 1500 токенов, три эпохи, две 4090",
     {"dataset_samples": 18000, "tokens_per_sample": 1500, "epochs": 3, "count": 2}),
    ("월 300만 건 요청, qwen3 8b, 스팟",
     {"requests_per_month": 3e6, "model": "qwen3-8b", "pricing": ("spot",)}),
)  # fmt: skip

NAMED = (
    ("hur många H100 behöver vi för 70b med 20 förfrågningar per sekund?", "Swedish"),
    ("скільки коштує 8 h100 на місяць", "Ukrainian"),
    ("kuinka monta gpu tarvitaan 70b mallille", "Finnish"),
    ("berapa biaya h100 per bulan untuk 70b", "Indonesian"),
    ("cần bao nhiêu h100 cho 70b 20 yêu cầu mỗi giây", "Vietnamese"),
    ("mennyibe kerül egy h100 havonta", "Hungarian"),
    ("كم تكلفة h100", "Arabic"),
    ("70b inference 50rps", None),
    ("wie viele H100 brauchen wir für 70b", None),
    ("ile kosztuje h100 na godzinę", None),
    ("每秒50次请求 70b", None),
)


@pytest.mark.parametrize(("text", "stated"), READ)
def test_a_language_with_a_word_file_is_read(text: str, stated: dict[str, Any]) -> None:
    query = parse(text)
    assert {name: getattr(query, name) for name in stated} == stated


@pytest.mark.parametrize(("text", "language"), NAMED)
def test_a_language_without_one_is_named(text: str, language: str | None) -> None:
    assert language_of(text) == language

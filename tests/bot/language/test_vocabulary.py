"""The vocabulary is data: every entry is sound, and a new word is one line."""

from collections import defaultdict

import pytest

from bot.language.grammar import CODES, compiled
from bot.language.lexer import tokens_of, value_of
from bot.language.normalise import normalise
from bot.language.parse import parse
from bot.language.vocabulary import entries, read_toml, senses_of, vocabulary


def test_no_phrase_means_two_things() -> None:
    """A phrase of one language never means something else in another."""
    meanings = defaultdict(set)
    for _, phrase, key in entries():
        words = tuple(token.text for token in tokens_of(normalise(phrase).text))
        meanings[words].add(senses_of(key))
    assert {words for words, senses in meanings.items() if len(senses) > 1} == set()


def test_every_phrase_is_found() -> None:
    """Each phrase, alone, is found whole with its meaning."""
    for _, phrase, key in entries():
        tokens, senses = tokens_of(normalise(phrase).text), senses_of(key)
        assert vocabulary().longest(tokens, 0) == (len(tokens), senses), phrase


def test_words_to_mend_into_are_known() -> None:
    """A typo is only mended into a word that the vocabulary has."""
    for word in read_toml("numbers")["mendable"]["words"].split():
        node = vocabulary().node(word)
        assert node is not None, word
        assert node.senses is not None, word


def test_concepts_have_one_code() -> None:
    """Each concept is one character of the row that patterns match."""
    assert len(set(CODES.values())) == len(CODES)
    assert compiled("<n>NUM REQ").match(CODES["NUM"] + CODES["REQ"]) is not None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,500", 1500), ("1.000.000", 1e6), ("1,5", 1.5), ("1.5", 1.5), ("1e3", 1000),
        ("12,500", 12500), ("1,234.5", 1234.5), ("1.234,5", 1234.5), ("12_000", 12000),
        ("1 000 000", 1e6), (".3", 0.3), ("0,500", 0.5), ("10.000", 10000),
    ],
)  # fmt: skip
def test_numbers(text: str, value: float) -> None:
    """Decimal and grouping signs are told apart."""
    assert value_of(text) == value


@pytest.mark.parametrize(
    ("text", "rps"),
    [
        ("1krps 70b", 1000), ("1e3 rps 70b", 1000), ("0.5k rps 70b", 500),
        ("zwölf Anfragen pro Sekunde 70b", 12), ("每秒3万次请求 70B", 30000),
        ("twenty-five rps 70b", 25), ("half a million requests per hour 70b", 138.8889),
        ("2 lakh requests per hour 70b", 55.5556),
        ("cien peticiones por segundo 70b", 100),
        ("600 req/min 70b", 10), ("36k requests/hr 70b", 10),
    ],
)  # fmt: skip
def test_amounts(text: str, rps: float) -> None:
    """Amounts in words, scales and scripts come out in requests per second."""
    assert parse(text).rps == pytest.approx(rps, rel=1e-4)


def test_spans_point_at_the_words() -> None:
    """A span shows the words in the original text, markup and all."""
    text = "<@U1> “70Ｂ” at 50 rps &lt; $2/h on <https://vast.ai|vast.ai>"
    query = parse(text)
    shown = {
        field: text[spans[0][0] : spans[0][1]] for field, spans in query.spans.items()
    }
    assert shown["params_b"] == "70Ｂ"
    assert shown["rps"] == "50 rps"
    assert shown["provider"] == "vast.ai"


def test_the_same_words_give_the_same_query() -> None:
    """Parsing has no state: the second time is as the first."""
    text = "8b chat 300 ppl, l4 ok?"
    assert parse(text) == parse(text)

"""No text, of any length or script, raises, hangs or leaves the page.

`make fuzz` tries a million more.
"""

import time
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.language.conversation import apply
from bot.language.parse import parse
from tests.bench.ratios import loop, timed
from tests.bot.language.labelled import OWN, read_labels

LONG = {
    "a question again and again": "70b 50 rps 500 in 150 out 8xh100 on aws ",
    "chinese": "每秒50个请求",
    "japanese": "70Bモデル 同時接続30人 L40S ",
    "numbers": "1 ",
    "sizes": "70b ",
    "unknown words": "blurb zorgle ",
    "misspelt words": "inferense requsts ",
    "signs": "<>/=-",
    "digits": "9",
    "families": "llama ",
    "hyphens": "a-b-",
    "joined numbers": "1,2.3,",
    "markup": "<@U1><#C1|x>&lt;",
    "periods": "per day ",
    "full width": "７０ｂ　",
    "accents": "e\u0301",
    "number words": "twenty five hundred ",
    "emoji": "🦙",
    "right to left": "שלום ",
    "currencies": "$5 ",
    "flags": "--rps 5 ",
    "experts": "8x7b ",
    "instances": "p5.48xlarge ",
}
SHORT = (
    "", " ", "\x00", "\ud800", "?", "—", "$", "per", "1e999", "0 rps", "-5 rps 70b",
    "∞ rps", "70b 0 gpus", "1e308 tokens per day", "٣ rps", "½ rps 70b", "nan rps",
    "²b", "x x x x8 8x", "8x 8x 8x h100", "h100 x99999999999999999999",
    "per per per second 5", "5 5 5 5 rps", "r=9999999999999999999999 lora",
)  # fmt: skip
WORDS = sorted({word for q in read_labels(OWN) for word in q["text"].split()})


def checked(text: str) -> None:
    """Parse a text; every span lies within it."""
    query = parse(text)
    for field, spans in query.spans.items():
        assert all(0 <= start < end <= len(text) for start, end in spans), (field, text)
    for left in query.not_used:
        assert text[left.start : left.end] == left.text != "", text
    assert query.intent is not None


@pytest.mark.parametrize("text", SHORT)
def test_odd_texts(text: str) -> None:
    """Empty, absurd and broken texts give a query like any other."""
    checked(text)


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=120))
def test_any_text(text: str) -> None:
    """Text of any script gives a query whose spans lie within it."""
    checked(text)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
def test_any_order_of_known_words(text: str) -> None:
    """Words of real questions in any order give a query."""
    checked(text)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), st.data())
def test_any_follow_up(text: str, data: st.DataObject) -> None:
    """Any message after any question gives a query or none, and never raises."""
    words = data.draw(st.lists(st.sampled_from(WORDS), max_size=6))
    followed = apply(parse(text), " ".join(words))
    assert followed is None or followed.intent is not None


@pytest.mark.parametrize("piece", LONG.values(), ids=LONG)
def test_twelve_thousand_characters(piece: str) -> None:
    """A long message takes 10 to 32 loops of plain Python: a tenth of a second.

    A quadratic pattern takes a thousand. The bound leaves room for a busy neighbour,
    which slows a long work more than a short loop.
    """
    text = (piece * 12_000)[:12_000]
    parse(text)
    assert timed(lambda: parse(text), 20, enough=70) <= 70


def test_a_question_behind_a_long_message_is_read() -> None:
    """However long the text before it is, as Slack lets nobody write more."""
    text = "and so on " * 1500 + "70b 50 rps on 8 h100"
    query = parse(text)
    assert (query.rps, query.gpu, query.count) == (50, ("h100",), 8)


def test_median_time() -> None:
    """The median question is read within a loop of plain Python: 3 ms on a quiet core.

    A busy machine makes both slower.
    """
    texts = [question["text"] for question in read_labels(OWN)][::4]
    spent, loops = [], []
    for text in texts:
        parse(text)
        start = time.process_time()
        parse(text)
        spent.append(time.process_time() - start)
        loops.append(loop())
    assert median(spent) <= median(loops)

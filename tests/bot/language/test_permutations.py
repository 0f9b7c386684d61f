"""The order, the separator and the form of clauses change nothing that they state."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.language.parse import parse

FORMS: dict[str, tuple[tuple[str, ...], dict[str, float | str]]] = {
    "rate": (
        ("20 rps", "20 req/s", "20 requests per second", "rps=20", "20qps", "rps 20"),
        {"rps": 20},
    ),
    "peak": (("20 rps at peak", "peak 20 rps", "peak: 20 rps"), {"peak_rps": 20}),
    "in": (
        ("1k in", "1000 tokens in", "1000 input tokens", "input 1000", "prompt 1000",
         "prompts of 1000 tokens", "in=1000", "1,000 in"),
        {"input_tokens": 1000},
    ),
    "out": (
        ("300 out", "300 tokens out", "300 output tokens", "output 300", "out=300",
         "answers of 300 tokens", "completion 300"),
        {"output_tokens": 300},
    ),
    "model": (("llama 3.3 70b", "70b", "qwen2.5-72b", "model=llama-3.3-70b"), {}),
    "context": (
        ("32k context", "context 32k", "ctx=32k", "context window of 32k"),
        {"context": 32000},
    ),
    "wait": (("ttft 500ms", "ttft under 500 ms", "500ms ttft"), {"ttft_ms": 500}),
    "budget": (
        ("$9k/month", "budget 9k/month", "max $9,000 a month"),
        {"budget_amount": 9000, "budget_period": "month"},
    ),
    "cards": (("4x l40s", "4 x l40s"), {"count": 4}),
    "precision": (("fp8", "int4"), {}),
}  # fmt: skip
SEPARATORS = (", ", " ", "; ", " | ", " - ", " / ", "\n", ",", " — ", ". ", " · ")
READ = (
    "rps peak_rps input_tokens output_tokens total_tokens_per_request context ttft_ms "
    "e2e_ms budget_amount budget_period count users concurrency model_count "
    "requests_total requests_per_day"
).split()


def written(dice: random.Random) -> tuple[str, dict[str, float | str]]:
    """A question of four to six clauses, and what it states."""
    extra = ("context", "wait", "budget", "cards", "precision")
    rate = dice.choice(("rate", "rate", "peak"))
    kinds = ["model", rate, "in", "out", *dice.sample(extra, dice.randint(0, 2))]
    dice.shuffle(kinds)
    clauses = [dice.choice(FORMS[kind][0]) for kind in kinds]
    want: dict[str, float | str] = {}
    for kind in kinds:
        want |= FORMS[kind][1]
    return dice.choice(SEPARATORS).join(clauses), want


def test_permutations_state_the_same() -> None:
    """Of 2,000 permutations 99.5 % are read exactly."""
    dice = random.Random(20)  # noqa: S311
    wrong = []
    for _ in range(2000):
        text, want = written(dice)
        read = parse(text).model_dump(exclude_none=True)
        got = {name: value for name, value in read.items() if name in READ}
        if got != want:
            wrong.append((text, got))
    assert len(wrong) <= 10, wrong


AMOUNTS = st.integers(min_value=2, max_value=99_999)
UNITS = st.sampled_from(
    ("rps", "tokens in", "out", "users", "x h100", "ms ttft", "epochs", "%", "gb", "$",
     "",      "widgets", "reviews a day", "kW", "steps", "b", "k", "hours")
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(AMOUNTS, UNITS), min_size=1, max_size=8),
    st.sampled_from(SEPARATORS),
)
def test_every_number_is_accounted_for(
    parts: list[tuple[int, str]], separator: str
) -> None:
    """A number fills a field, or it is listed as not used."""
    text = "llama 70b " + separator.join(f"{amount} {unit}" for amount, unit in parts)
    query = parse(text)
    if query.intent in ("help", "out_of_scope", "alert"):
        return
    told = [span for spans in query.spans.values() for span in spans]
    told += [(left.start, left.end) for left in query.not_used]
    for at, letter in enumerate(text):
        if letter.isdigit():
            assert any(start <= at < end for start, end in told), (text, at)

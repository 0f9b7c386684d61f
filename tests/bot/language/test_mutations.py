"""Writing a question differently changes nothing that it states."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice, permutations

import pytest

from bot.language.interface import parse_line
from tests.bot.language.labelled import OWN, read_labels

Mutation = Callable[[str], str]
QUESTIONS = [question["text"] for question in read_labels(OWN)]


def replacing(pattern: str, by: str) -> Mutation:
    """Return a mutation that writes one spelling for another."""
    shape = re.compile(pattern, re.IGNORECASE)
    return lambda text: shape.sub(by, text)


def spelled_out(text: str) -> str:
    """Write "70b" as "70 billion parameters" where it is the one size of one model."""
    size = re.compile(r"(?<![\w.-])(7|8|13|32|70)b\b(?! (?:tok|req|base|model|param))")
    one = len(re.findall(r"\d[bB]\b", text)) == 1 and " vs " not in text
    return size.sub(r"\1 billion parameters", text) if one else text


CASE: dict[str, Mutation] = {
    "upper": str.upper,
    "lower": str.lower,
    "title": str.title,
    "swapped": str.swapcase,
}
SPACING: dict[str, Mutation] = {
    "doubled": replacing(r" ", "  "),
    "tabs": replacing(r" ", "\t"),
    "lines": replacing(r" ", "\n"),
    "padded": lambda text: f"   {text}   ",
    "no-break": replacing(r" ", "\u00a0"),
    "units apart": replacing(r"(?<![\w.])(\d+)(rps|qps|ms|ctx)\b", r"\1 \2"),
    "units joined": replacing(r"(?<![\w.])(\d+) (rps|qps|ms)\b", r"\1\2"),
    "invisible": replacing(r" ", " \u200b"),
}
UNITS: dict[str, Mutation] = {
    "req/s": replacing(r"\b(\d+)\s?rps\b", r"\1 req/s"),
    "requests per second": replacing(r"\b(\d+)\s?rps\b", r"\1 requests per second"),
    "qps": replacing(r"\b(\d+)\s?rps\b", r"\1qps"),
    "rps": replacing(r"\b(\d+) req/s\b", r"\1rps"),
    "a month": replacing(r"/mo(nth)?\b", " per month"),
    "a day": replacing(r"/day\b", " per day"),
    "toks": replacing(r"\btokens\b", "toks"),
    "milliseconds": replacing(r"(\d)\s?ms\b", r"\1 milliseconds"),
    "hrs": replacing(r"\b(\d+) hours\b", r"\1 hrs"),
    "percent": replacing(r"(\d)%", r"\1 percent"),
    "billion parameters": lambda text: spelled_out(text),
    "dollars": replacing(r"\$(\d+)(?![\d,.km])", r"\1 dollars"),
    "concurrently": replacing(r"\bconcurrent\b", "simultaneous"),
}
PUNCTUATION: dict[str, Mutation] = {
    "question mark": lambda text: text.rstrip(" ?!.") + "?",
    "exclamation": lambda text: text.rstrip(" ?!.") + "!!!",
    "dots": lambda text: text.rstrip(" ?!.") + "…",
    "quoted": lambda text: f"“{text}”",
    "ticked": lambda text: f"`{text}`",
    "bold": lambda text: f"*{text}*",
    "brackets": lambda text: f"({text})",
    "no commas": replacing(r", ", " "),
    "semicolons": replacing(r", ", "; "),
    "line a clause": replacing(r", ", ",\n"),
    "escaped": replacing(r"<(?=\s?[$\d])", "&lt;"),
}
FILLER: dict[str, Mutation] = {
    "please": lambda text: f"{text} please",
    "thanks": lambda text: f"{text}, thanks!",
    "hey": lambda text: f"hey, {text}",
    "quick question": lambda text: f"quick question: {text}",
    "team": lambda text: f"hi team, {text}",
    "mention": lambda text: f"<@U0GPUCOST> {text}",
    "roughly": replacing(r"(?<![\w.,$/-])(\d+) (rps|users|tokens)\b", r"roughly \1 \2"),
    "i guess": lambda text: f"{text} i guess",
    "asap": lambda text: f"{text} asap",
}


@cache
def stated(text: str) -> dict[str, object]:
    """The fields of a question, instances lower-case: they are kept as written."""
    line = parse_line({"id": "", "text": text})
    spec: dict[str, object] = line["spec"]
    if "instance" in spec:
        spec["instance"] = str(spec["instance"]).lower()
    return {**spec, "clarify": line["clarify"]}


def changed(mutations: dict[str, Mutation]) -> tuple[int, list[str]]:
    """Count the mutants of all questions; list those that state something else.

    Each question meets every second way to write it, its neighbour the others.
    """
    seen, wrong = 0, []
    for number, text in enumerate(QUESTIONS):
        want = stated(text)
        for name, mutate in islice(mutations.items(), number % 2, None, 2):
            mutant = mutate(text)
            if mutant == text or text == "/gpucost":
                continue
            seen += 1
            got = stated(mutant)
            if got != want:
                fields = {f for f in want | got if want.get(f) != got.get(f)}
                wrong.append(f"{name}: {mutant!r} {sorted(fields)}")
    return seen, wrong


@pytest.mark.parametrize(
    ("mutations", "least"),
    [(CASE, 500), (SPACING, 900), (UNITS, 170), (PUNCTUATION, 1250), (FILLER, 1400)],
    ids=["case", "spacing", "units", "punctuation", "filler"],
)
def test_spelling_changes_no_field(mutations: dict[str, Mutation], least: int) -> None:
    """Of 500 changes of case, spacing, units and filler one changes a field."""
    seen, wrong = changed(mutations)
    assert seen >= least
    assert len(wrong) <= seen / 500, wrong


def reordered() -> Iterator[tuple[str, str]]:
    """Questions of independent clauses, their clauses in other orders."""
    clause = re.compile(
        r"(?:\d+[bB]|[a-z0-9.-]*\d+b|\d+ ?(?:rps|qps|req/s)|fp8|int8|int4|spot|"
        r"h100|h200|l40s|a100|mi300x|\d+ concurrent(?: users)?|\d+ users|\d+k ctx|"
        r"ttft \d+ms|itl < \d+ ms|\d+k? in \d+ out|batch size \d+|on (?:aws|gcp))"
    )
    for text in QUESTIONS:
        parts = [part.strip() for part in text.removeprefix("/gpucost ").split(",")]
        if len(parts) < 2:
            parts = text.removeprefix("/gpucost ").split()
        if 2 <= len(parts) <= 5 and all(clause.fullmatch(part) for part in parts):
            for order in permutations(parts):
                yield text, ", ".join(order)
    pool = ("70b", "50 rps", "fp8", "h100", "on aws", "spot", "8k ctx", "1k in 200 out")
    for order in permutations(pool, 4):
        if "70b" in order:
            yield ", ".join(sorted(order)), ", ".join(order)


def test_order_changes_no_field() -> None:
    """Clauses that do not refer to each other may stand in any order."""
    pairs = list(reordered())
    wrong = [
        (mutant, stated(mutant))
        for text, mutant in pairs
        if _unordered(stated(mutant)) != _unordered(stated(text))
    ]
    assert len(pairs) >= 800
    assert wrong == []


def _unordered(spec: dict[str, object]) -> dict[str, object]:
    return {k: sorted(v) if isinstance(v, list) else v for k, v in spec.items()}

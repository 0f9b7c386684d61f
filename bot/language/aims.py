"""A second look at what is wanted: knows from examples which intents are misread.

The rules choose an intent and a kind of work. Then this reader weighs what they chose,
which fields are stated, the meanings of the question and its words, in whatever order
they stand. Where another intent or kind is likely enough, the question is read once
more with that known.

Its weights are in `aims.toml`, learned as those of `second.toml` are, from the same
parses by rules that did not know a question; tests/bench/learn_aims.py learns them.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from bot.language.normalise import Clean
from bot.language.reading import Reading
from bot.language.second import Told, shares_of, weights_of
from core.patterns import regex
from core.query import Query

OWN = "own"
"""How the families of clues begin that tell what the rules chose."""
FIELDS = ("intent", "kind")
_SURE = {"intent": 0.4, "kind": 0.45}
"""How likely another intent or kind must be to be taken."""
_MOST = 12
"""Fields stated, at most: what states more is a form's, and says its intent itself."""
_EMPTY = frozenset(("W", "A"))
_WORDS = regex(r"[^\W\d_]+|\d+|[%$€£]")
_SAID = {
    "breakeven": ("BREAKEVEN", "COMPARE"), "capacity": ("CAPACITY",),
    "compare": ("COMPARE",), "price": ("PRICE",), "lifecycle": ("LIFE",),
}  # fmt: skip
"""Words that name an intent outright: where the rules chose it, it stays."""
_UNTOLD = ("alert",)
"""Intents that need more than a word: an alert has a figure that it watches."""
_NO_KIND = ("alert", "help", "out_of_scope", "price", "explain")


def clues_of(
    stated: Mapping[str, object], row: Sequence[str], plain: str
) -> Iterator[tuple[str, str]]:
    """Everything that is looked at: families of clues, and the clues."""
    intent = str(stated.get("intent"))
    kind = str(stated.get("kind"))
    yield OWN, intent
    yield f"{OWN} both", f"{intent}_{kind}"
    yield f"{OWN} kind", kind
    gpus = stated.get("gpu")
    yield "gpus", str(min(3, len(gpus)) if isinstance(gpus, list) else 0)
    for field in sorted(stated.keys() - FIELDS):  # sums keep their order
        yield "stated", field
        yield f"{OWN} stated", f"{intent}_{field}"
    for one in sorted(set(row) - _EMPTY):
        yield "concept", one
        yield f"{OWN} concept", f"{intent}_{one}"
    for one in sorted({"#" if w.isdigit() else w for w in _WORDS.findall(plain)}):
        yield "word", one


def look(clean: Clean, reading: Reading, query: Query, told: Told) -> Told | None:
    """Add to what is told the intent and kind that are likelier than those read."""
    stated = query.stated()
    intent = stated.get("intent")
    if len(stated) > _MOST or intent in _UNTOLD:
        return None
    if query.rivals or query.asks_difference or query.memory_gb:
        return None
    row = [concept for concept, _ in reading.at_first]
    if intent == "capacity" and query.count and "OK" in row:
        return None  # so many GPUs are judged
    weights = weights_of("aims.toml")
    total = list(weights.bias)
    weights.add(total, clues_of(stated, row, clean.plain))
    aims: dict[str, str | None] = {}
    for field, sure in _SURE.items():
        if field == "intent" and any(one in row for one in _SAID.get(str(intent), ())):
            continue
        if field == "kind" and aims.get("intent", intent) in _NO_KIND:
            break
        choices = enumerate(weights.choices)
        places = [at for at, one in choices if one.startswith(f"{field}_")]
        shares = shares_of([total[at] for at in places])
        most, at = max(zip(shares, places, strict=True))
        name = weights.choices[at].removeprefix(f"{field}_")
        if most >= sure and name not in (str(stated.get(field)), *_UNTOLD):
            aims[field] = None if name == "None" else name
    return replace(told, aims=aims) if aims else None

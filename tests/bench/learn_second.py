"""Fit bot/language/second.toml to labelled questions, as the rules first read them.

usage: PYTHONPATH=. python tests/bench/learn_second.py SETS PARSED OUT.toml [--below N]

Rules that were mended by a set read it rightly, so nothing can be learned from that:
PARSED is a folder of what older commits made of sets that they did not know, one file
a commit, lines of `gpucost parse --jsonl` whose ids are "set:id" (see `COMMITS`), and
`now.jsonl`, what the rules of today make of all of them. SETS is the folder of
blind-*.jsonl. With --below only sets before the N-th are learned from, so that the rest
can judge. Needs scikit-learn, which nothing else does.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from bot.language import second
from bot.language.catalogue import catalogue
from bot.language.normalise import normalise
from bot.language.parse import _closed, _ends
from bot.language.reader import items_of
from bot.language.segments import split
from bot.language.shape import shaped
from bot.language.stance import heard

COMMITS = {
    "fe82c3cc": 7, "6de09be3": 11, "a3588a81": 15, "9c0c490f": 18, "3c3cf5ab": 20,
    "30df0fd2": 21, "d7c3b359": 28,
}  # fmt: skip
"""The first set that each commit did not know."""
NEWEST = 3
"""Of the commits that did not know a set, so many are learned from."""
OLDER = 0.5
"""What a parse counts by an older commit, or by rules that know the set."""
MODELS = {"intent": (1.0, 6_000, 0.5, 15), "kind": (1.0, 3_000, 0.5, 15),
          "names": (2.0, 4_000, 0.6, 10), "numbers": (3.0, 25_000, 0.4, 10)}  # fmt: skip
"""The strength of fit, the weights kept, how sure a choice must be, and how often a case
must have been right to be passed over."""
FEWEST = 3
Row = tuple[list[str], str, str, str, float]
"""Clues, the right choice, that of the rules, the case, and the weight."""


def same(one: object, other: object) -> bool:
    """Whether two values are as good as equal."""
    return str(one).lower() == str(other).lower()


def right(label: dict[str, Any], number: second.Number, other: float | None) -> str:
    """The field that a number tells, by its label."""
    fits = {
        field
        for field in second.FIELDS
        for value in (label["spec"].get(field), *label.get("accept", {}).get(field, ()))
        if second.is_value(field, value, number.value, other)
    }
    told = sorted(fits & label["spec"].keys())
    return number.role if number.role in fits else (told or [second.NONE])[0]


def rows(
    label: dict[str, Any], parses: Sequence[tuple[float, Any]]
) -> Iterator[tuple[str, Row]]:
    """What is to be learned of one question, by the model."""
    text, known = label["text"], catalogue(None)
    clean = _closed(normalise(_ends(split(text).only("prose"))))
    items = shaped(items_of(clean, text, known), clean.plain, frozenset())
    shape = [(one.concept, one.value, one.other) for one in items]
    spots = [(one.start, one.end) for one in items]
    stances = [(one.start, one.end, one.kind) for one in heard(clean.plain).stances]
    accepts = label.get("accept", {})
    for weight, parsed in parses if items else ():
        spec = parsed["spec"]
        starts = [clean.place(one.start) for one in items]
        numbers = second.numbers_of(shape, starts, spec, parsed["spans"])
        for one in numbers:
            one.suffix = items[one.index].suffix
        concepts = [one.concept for one in items]
        seen = second.Seen(clean.plain, concepts, spots, numbers, spec, stances)
        for place, one in enumerate(numbers):
            best = right(label, one, shape[one.index][2])
            case = second.case_of(seen, one)
            yield (
                "numbers",
                ([*second.clue_of(seen, place)], best, one.role, case, weight),
            )
        for name in ("intent", "kind"):
            own, best = str(spec.get(name)), str(label["spec"].get(name))
            best = own if any(same(own, one) for one in accepts.get(name, ())) else best
            clues = [*second.clues_of_all(seen, own)]
            yield name, (clues, best, own, second.outline_of(seen), weight)
        named = second.names_of(shape, spec)
        beside = second.Seen(clean.plain, concepts, spots, named, spec, stances)
        also = {k: [x for v in vs for x in (v if isinstance(v, list) else [v])]
                for k, vs in accepts.items()}  # fmt: skip
        for place, one in enumerate(named):
            concept, value, _ = shape[one.index]
            told = [*second.lists_of(label["spec"], concept, value)]
            fits = {*told, *second.lists_of(also, concept, value)}
            kept = one.role in fits or (one.role == second.NONE and not told)
            best = one.role if kept else (told or [second.NONE])[0]
            case = second.case_of(beside, one)
            yield (
                "names",
                ([*second.clue_of(beside, place)], best, one.role, case, weight),
            )


def table(name: str, found: list[Row]) -> str:
    """One model as a table of second.toml."""
    strength, kept, sure, often = MODELS[name]
    count = Counter(clue for row in found for clue in set(row[0]))
    place = {clue: at for at, clue in enumerate(c for c in count if count[c] >= FEWEST)}
    told = [sorted({place[c] for c in row[0] if c in place}) for row in found]
    ends = np.cumsum([0, *map(len, told)])
    data = csr_matrix(
        (np.ones(ends[-1], np.float32), [at for row in told for at in row], ends),
        shape=(len(found), len(place)),
    )
    fit = LogisticRegression(C=strength, max_iter=70)
    fit.fit(data, [row[1] for row in found], sample_weight=[row[4] for row in found])
    weights = fit.coef_ - np.median(fit.coef_, 0, keepdims=True)
    seen = np.sqrt(np.minimum([count[clue] for clue in place], 200))
    matters = np.abs(weights) * seen[None, :]
    least = np.partition(matters.ravel(), -kept)[-kept]
    scale = round(float(np.percentile(np.abs(weights[matters >= least]), 99.7)) / 40, 4)
    steps = np.clip(np.round(weights / scale), -40, 40).astype(int) * (matters >= least)
    once = [row for row in found if row[4] == 1]
    cases = Counter(row[3] for row in once)
    wrong = Counter(row[3] for row in once if row[1] != row[2])
    safe = [case for case in sorted(cases) if cases[case] >= often and not wrong[case]]
    lines = [
        f"[{name}]", f"sure = {sure}", f"scale = {scale}",
        f"choices = {json.dumps([*map(str, fit.classes_)])}",
        f"bias = {[round(float(one), 2) for one in fit.intercept_]}",
        f"safe = {json.dumps(safe, indent=2)}", "", f"[{name}.clues]",
    ]  # fmt: skip
    for clue, at in sorted(place.items()):
        code = "".join(
            chr(48 + k) + chr(80 + steps[k, at]) for k in np.nonzero(steps[:, at])[0]
        )
        if code:
            lines.append(f"{json.dumps(clue, ensure_ascii=False)} = '{code}'")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Learn from every set, or from those before one."""
    parser = argparse.ArgumentParser()
    for name in ("sets", "parsed", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--below", type=int, default=1_000)
    options = parser.parse_args()
    made = {
        file.stem: {(one := json.loads(line))["id"]: one for line in file.open()}
        for file in options.parsed.glob("*.jsonl")
    }
    found: dict[str, list[Row]] = {name: [] for name in MODELS}
    for file in sorted(options.sets.glob("blind-*.jsonl")):
        number = int(file.stem.partition("-")[2])
        fresh = [one for one, first in COMMITS.items() if first <= number][-NEWEST:]
        for label in map(json.loads, file.open() if number < options.below else ()):
            key = f"{number}:{label['id']}"
            parses = [
                (OLDER**age, made[one][key]) for age, one in enumerate(reversed(fresh))
            ]
            parses += [(OLDER, made["now"][key])] if key in made["now"] else []
            for name, row in rows(label, parses):
                found[name].append(row)
    head = "# What the second reader (second.py) weighs. Made by tests/bench/learn_second.py.\n"
    options.out.write_text("\n".join([head, *(table(*one) for one in found.items())]))


if __name__ == "__main__":
    main()

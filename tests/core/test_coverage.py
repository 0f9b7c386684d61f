"""Every line of the articles is somewhere, or nowhere with a reason."""

import csv
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from msgspec import ValidationError

from bot.commands.sources import sources_command
from core.query import Query
from core.reference.assumed import defaults
from core.reference.coverage import Statement, coverage
from core.reference.rules import rules
from tests.each import each

ROOT = Path(__file__).parents[2]
SEED_RULES = ROOT.parent / "shared" / "reference" / "seed-rules.md"
STATEMENTS = tuple(coverage().statements.values())
PLACES = tuple(dict.fromkeys(place for line in STATEMENTS for place in line.places))
ID = re.compile(r"(S[0-4]|X)-\d{3}")


def named(kind: str) -> list[str]:
    """Every name of a kind of place, once."""
    return [p.partition(":")[2] for p in PLACES if p.startswith(f"{kind}:")]


@each(named("rule"))
def test_a_rule_that_is_named_exists(rule: str) -> None:
    """Rules are named by their id."""
    assert rule in rules()


@each(named("formula"))
def test_a_formula_that_is_named_can_be_imported_and_is_used(name: str) -> None:
    """A function or constant of the program, which something else refers to."""
    module, *attributes = split_module(name)
    found = import_module(module)
    for attribute in attributes:
        found = getattr(found, attribute)

    assert used()[attributes[-1]] > 1


def split_module(name: str) -> list[str]:
    """A dotted name as its module and what is looked up in it."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        if (ROOT / "/".join(parts[:end])).with_suffix(".py").exists():
            return [".".join(parts[:end]), *parts[end:]]
    raise AssertionError(f"no module of {name}")


@cache
def used() -> Counter[str]:
    """How often each name stands in a module of the program."""
    rooms = ("bot", "core", "prices")
    files = (path for room in rooms for path in (ROOT / room).rglob("*.py"))
    return Counter(
        name for path in files for name in re.findall(r"\w+", path.read_text())
    )


@each(named("default"))
def test_a_default_that_is_named_exists(name: str) -> None:
    """Defaults are named as in their file."""
    assert name in set(defaults())


@each(named("field"))
def test_a_field_that_is_named_can_be_asked(name: str) -> None:
    """Fields are those of a question."""
    assert name in Query.__struct_fields__


@each(named("reference"))
def test_a_fact_that_is_named_is_in_its_file(name: str) -> None:
    """A file of the reference data, and an entry in it."""
    file, _, entry = name.partition("#")

    assert entry in entries(file)


@cache
def entries(file: str) -> set[str]:
    """What a reference file has entries for: ids, modalities, names of tables."""
    text = (ROOT / "core" / "reference" / file).read_text("utf-8")
    if file.endswith(".csv"):
        return {row["id"] for row in csv.DictReader(StringIO(text))}
    return set(keys(tomllib.loads(text)))


def keys(table: Any) -> Iterator[str]:
    """Ids and modalities of rows, and the names of tables, however deep."""
    if isinstance(table, list):
        for row in table:
            yield from keys(row)
    elif isinstance(table, dict):
        yield from table
        for name, value in table.items():
            if name in ("id", "modality"):
                yield value
            yield from keys(value)


@each(named("prices"))
def test_prices_that_are_named_ship(name: str) -> None:
    """A dataset of the snapshot."""
    assert (ROOT / "prices" / "snapshot" / name).is_file()


@each(named("test"))
def test_a_test_that_is_named_exists(name: str) -> None:
    """A file of the tests, and a test in it."""
    file, _, test = name.partition("::")

    assert re.search(rf"^def {test}\(", (ROOT / "tests" / file).read_text(), re.M)


def test_every_line_of_the_articles_is_listed() -> None:
    """No line is forgotten and none is made up."""
    if not SEED_RULES.exists():
        pytest.skip("the list of the sources' lines is not beside the repository")
    known = re.findall(r"^- ([SX]\d?-\d{3})", SEED_RULES.read_text(), re.M)

    assert known == [line.id for line in STATEMENTS]


def test_ids_are_in_order_and_without_gaps() -> None:
    """Each article's lines are numbered from one."""
    numbers: dict[str, list[int]] = {}
    for line in STATEMENTS:
        assert ID.fullmatch(line.id)
        numbers.setdefault(line.article, []).append(int(line.id[-3:]))

    assert list(coverage().articles) == list(numbers)
    for found in numbers.values():
        assert list(range(1, len(found) + 1)) == found


def test_every_contradiction_says_what_is_done_about_it() -> None:
    """An X line without a decision would leave the reader with two figures."""
    silent = [line.id for line in STATEMENTS if line.article == "X" and not line.says]

    assert [] == silent


def test_every_line_that_a_rule_or_a_correction_names_exists() -> None:
    """Rules, corrections and this list speak of the same lines."""
    cited = {source for rule in rules().values() for source in rule.sources}
    cited |= {entry for entry in entries("glossary.toml") if ID.fullmatch(entry)}

    assert set() == {c for c in cited if not c.startswith("https://")} - set(
        coverage().statements
    )


def test_points_are_short_and_no_quotations() -> None:
    """A line's point in our own words fits a screen's line."""
    for line in STATEMENTS:
        assert 0 < len(line.what) <= 100, line.id
        assert len(line.says) <= 200, line.id
        assert len(line.reason) <= 200, line.id


@each(
    [
        {"what": "neither"},
        {"what": "both", "in": ["rule:fits"], "not": "a reason"},
        {"what": "a place of no kind", "in": ["rules:fits"]},
        {"what": "a word nobody knows", "in": ["rule:fits"], "where": "here"},
    ]
)
def test_a_line_is_either_somewhere_or_nowhere(entry: dict[str, Any]) -> None:
    """A line with neither place nor reason, or with both, does not load."""
    with pytest.raises(ValidationError):
        Statement.model_validate({"id": "S0-001", **entry})


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str]]:
    """What the command prints, line by line, on a wide terminal."""
    code = sources_command(words)
    return code, capsys.readouterr().out.splitlines()


def shown(lines: list[str]) -> list[str]:
    """The ids of the lines that were printed."""
    return [line.split()[0] for line in lines if ID.match(line)]


def test_a_line_is_shown_with_what_is_done_about_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One id: its article, its point, the decision, the rule by its title."""
    code, lines = printed(capsys, "X-035")

    assert 0 == code
    text = "\n".join(lines)
    assert "X-035    70B in FP16 on one H200" in lines
    assert "→ Refused: 141.1 GB of weights" in text
    assert "rule fits: Weights, KV cache and runtime must fit" in text
    assert "1 line: 1 in the program, 0 not." == lines[-1]


def test_lines_are_found_by_words_and_articles(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every word narrows; an article's letters name all its lines."""
    _, both = printed(capsys, "S1", "speculative")
    _, article = printed(capsys, "s2")

    assert ["S1-066"] == shown(both)
    assert 28 == len(shown(article))
    assert "28 lines: 26 in the program, 2 not." == article[-1]


def test_what_is_missing_is_listed_with_its_reason(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every line that is nowhere, and nothing else."""
    _, lines = printed(capsys, "--missing")
    nowhere = [line.id for line in STATEMENTS if not line.covered]

    assert nowhere == shown(lines)
    assert len(nowhere) == sum("not in it: " in line for line in lines)


def test_a_word_of_no_line_is_said_to_be_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nothing found is an exit code of one, and a hint."""
    code, lines = printed(capsys, "zeppelin")

    assert 1 == code
    assert "S1-037" in lines[0]


def test_nothing_is_wider_than_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 60 columns all but a test's own name is folded."""
    monkeypatch.setenv("COLUMNS", "60")
    _, lines = printed(capsys)

    wide = [line for line in lines if len(line) > 60]
    assert all(len(line.split()) == 1 for line in wide), wide[:3]

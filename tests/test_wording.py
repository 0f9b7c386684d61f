"""The house style: plain words, short sentences, nothing told in each row."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

ROOT = Path(__file__).parents[1]
MOST_WORDS = 20
"""Of one sentence. Twenty are the aim; names, amounts and units take the rest."""
BANNED = re.compile(
    r"\bbinds\b|\bflips\b|\bdearer\b|\bat no load\b|\bstrangers\b|\bpile\b"
    r"|\bcannot be meant\b|\bwhat is asked for\b|\bat the least\b|\bfleet of 1\b"
    r"|ends of the estimate|\bin twelve\b|\bby use it is\b|\bstands? in\b"
    r"|\bis no price of\b|\bcarries the load\b|\bcarry the load\b|\bwas asked for\b"
    r"|\bthat may be used here\b|\bnever taken for either\b|\bis the cheaper\b"
    r"|\bat hand\b|\bhangs on\b|\bnobody's word\b|\bone's own\b|\banchored on\b"
    r"|\brests? encrypted\b|\bits own affair\b|\bin so many days\b|\bwhat is more\b"
    r"|\ba reason of their\b|\bto be undercut\b",
    re.IGNORECASE,
)
"""Private words and old-fashioned turns; the house style says them otherwise."""
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n|\s·\s|;\s|:\s")
UNGROUPED = re.compile(
    r"(?<![\d.,])\d{4,} (?:tokens|offers|GPUs|requests|hours|samples|steps|images)"
)
"""A number of four digits or more that is written without its commas."""
RULE = re.compile(r"^[─━]+$")
SHORT_LINES, SHORT_WORDS = 12, 110
"""Of the median short form; nine in ten have at most `MOST_LINES`."""
MOST_LINES = 16

GOLDEN = sorted((ROOT / "tests/golden").glob("[0-9]*.txt"))
CODE = sorted(
    path
    for room in ("bot/answers", "bot/alerts", "bot/service", "bot/slack", "core")
    for path in (ROOT / room).rglob("*.py")
)
FACTS = sorted((ROOT / "core/reference").glob("defaults.toml"))
MESSAGES = sorted((ROOT / "templates/words").glob("*.toml"))
ROOMS = (
    "core", "bot/answers", "bot/service", "bot/alerts", "bot/commands", "bot/slack",
    "bot/preferences", "bot/install", "bot/language", "bot/question", "bot/render",
    "bot/run", "bot/playground", "bot/operate", "bot/config",
)  # fmt: skip
WORDED = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
"""Modules in which no sentence stands: their words are in `templates/words`."""
SPEAKING = [path for room in ("bot", "core") for path in (ROOT / room).rglob("*.py")]
PAGES = [*ROOT.glob("*/README.md"), *ROOT.glob("deploy/*.md"), ROOT / "README.md"]
TEMPLATES = sorted((ROOT / "templates").rglob("*.j2"))

ASKED = frozenset({"help.py", "examples.py", "json.py", "query.py"})
"""Questions that people may ask, JSON's fields, and what declares a question's."""

INTERNAL = {
    "bot/answers/shared/json.py": "names the fields of JSON",
    "core/query.py": "names fields of the question, for the form and the parser",
    "core/estimate/anchors.py": "no text of it is shown",
}
"""Files whose texts no reader of an answer sees."""


def said_in(path: Path) -> Iterator[str]:
    """The texts with a blank in a module, without docstrings and patterns."""
    tree = ast.parse(path.read_text("utf-8"))
    nodes = [*ast.walk(tree)]
    silent = {id(n.value) for n in nodes if isinstance(n, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            silent |= {id(part) for part in ast.walk(node) if part is not node}
        if isinstance(node, ast.Attribute) and node.attr == "split":
            silent.add(id(node.value))  # a list of names, not a sentence
    for node in nodes:
        if id(node) in silent:
            continue
        if isinstance(node, ast.JoinedStr):
            parts = (
                str(part.value) if isinstance(part, ast.Constant) else "X"
                for part in node.values
            )
            yield "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


NO_MESSAGE = frozenset(
    "compile match search sub split startswith endswith removeprefix removesuffix "
    "partition replace debug info warning error exception count Literal TypeError "
    "ValueError RuntimeError KeyError AssertionError Field say positive "
    "dispensable".split()
)
"""Calls whose texts are patterns, log lines or faults of the program."""

NAMELESS = re.compile(
    r".*_\d|row|at|by|in|of|to|on|and|now|then|that|month|shown|value|field|named|said"
)
"""What a key is called that says nothing of its message."""

SAID_BACK = frozenset(
    {
        "reserved for 1 year",
        "reserved for a year",
        "price book, far from the market",
        "Traceback (most recent call last):\n",
    }
)
"""Follow-ups that the parser reads, the name of a source, and Python's own line."""


def spoken_in(path: Path) -> Iterator[str]:
    """Sentences that a module writes itself: four words, not all of them names.

    The parser says to itself why a word has no field: those have no capital.
    """
    first = "[A-Z]" if "language" in path.parts else "[A-Za-z“]"
    tree = ast.parse(path.read_text("utf-8"))
    silent = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            silent |= {id(part) for part in ast.walk(node) if part is not node}
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in NO_MESSAGE:
                silent |= {id(part) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in silent or not isinstance(node, ast.JoinedStr | ast.Constant):
            continue
        pieces = node.values if isinstance(node, ast.JoinedStr) else [node]
        text = "".join(str(p.value) for p in pieces if isinstance(p, ast.Constant))
        if not re.match(rf"{first}[^_]* [a-z]{{2,}} [^_]*$", text) or words(text) < 4:
            continue
        if is_prose(text) and text not in SAID_BACK:
            yield text


def messages(path: Path) -> dict[str, str]:
    """The messages of a file of the catalogue."""
    return tomllib.loads(path.read_text("utf-8"))


def placed(text: str) -> set[str]:
    """The names of the facts that a message shows."""
    return {
        re.split(r"[.\[]", name)[0] for _, name, _, _ in Formatter().parse(text) if name
    }


def sentences(text: str) -> Iterator[str]:
    """The sentences and clauses of a text."""
    yield from (part.strip() for part in SENTENCE.split(text) if part.strip())


def words(text: str) -> int:
    """Words and figures; signs such as × and · are none."""
    return sum(1 for word in text.split() if re.search(r"\w", word))


def is_prose(text: str) -> bool:
    """Whether people read a text: it has blanks, and no sign of a pattern."""
    return " " in text.strip() and not re.search(r"[\\{}]|\(\?|%s|SELECT ", text)


def short_form(path: Path) -> list[str]:
    """The lines of the short form that are not blank."""
    _, _, drawn = path.read_text("utf-8").partition("\n\n")
    short = re.split(r"(?m)^─{80}$", drawn)[0]
    return [line for line in short.splitlines() if line.strip()]


def verdicts(path: Path) -> str:
    """A golden file without its question, with its lines joined to paragraphs."""
    _, _, drawn = path.read_text("utf-8").partition("\n\n")
    return drawn


@pytest.mark.parametrize("path", CODE, ids=lambda path: str(path.relative_to(ROOT)))
def test_texts_of_the_program_keep_the_house_style(path: Path) -> None:
    """No banned word, and no sentence that is too long to be read once."""
    if str(path.relative_to(ROOT)) in INTERNAL:
        return
    told = [text for text in said_in(path) if is_prose(text)]

    assert not [text for text in told if BANNED.search(text)]
    assert not [
        one for text in told for one in sentences(text) if words(one) > MOST_WORDS
    ]


@pytest.mark.parametrize(
    "path",
    [*TEMPLATES, *FACTS, *PAGES],
    ids=lambda path: f"{path.parent.name}-{path.name}",
)
def test_templates_assumptions_and_pages_use_no_banned_word(path: Path) -> None:
    """The words around the figures are in house style as well, and the pages are."""
    assert not BANNED.search(path.read_text("utf-8"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem[:24])
def test_answers_keep_the_house_style(path: Path) -> None:
    """No banned word and no "$0", in short and in full."""
    drawn = verdicts(path)

    assert not BANNED.search(drawn)
    assert not re.search(r"\$0(?:\.0+)?(?![\d.])", drawn)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem[:24])
def test_a_short_form_is_read_without_stumbling(path: Path) -> None:
    """No colon behind a colon, nothing cut, no large number without its comma."""
    lines = short_form(path)
    first = re.split(r"(?<=[.!?]) ", lines[0])

    assert not [one for one in first if one.count(": ") > 1]
    assert not [line for line in lines if re.search(r"\w…", line)]
    assert not [line for line in lines if UNGROUPED.search(line)]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem[:24])
def test_no_table_says_the_same_in_each_row(path: Path) -> None:
    """What all rows share stands once below them: money apart."""
    lines = verdicts(path).splitlines()
    for number, line in enumerate(lines):
        if RULE.match(line.strip()) and len(line.strip()) < 80 and number:
            rows = [row for row in _until_blank(lines[number + 1 :]) if row]
            if len(rows) > 2:
                last = {re.split(r"\s{2,}", row.strip())[-1] for row in rows}
                assert len(last) > 1 or "$" in last.pop(), line


@pytest.mark.parametrize("path", WORDED, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_sentence_stands_in_a_module(path: Path) -> None:
    """A copy editor finds all words in the catalogue."""
    assert [] == [text for text in spoken_in(path) if path.name not in ASKED]


@pytest.mark.parametrize("path", MESSAGES, ids=lambda path: path.name)
def test_messages_keep_the_house_style(path: Path) -> None:
    """No banned word, and no sentence that is too long to be read once."""
    told = {k: re.sub(r"\{\w+", "{X", text) for k, text in messages(path).items()}

    assert {} == {key: text for key, text in told.items() if BANNED.search(text)}
    assert [] == [
        one
        for text in told.values()
        for one in sentences(text)
        if words(one) > MOST_WORDS
    ]


@pytest.mark.parametrize("path", MESSAGES, ids=lambda path: path.name)
def test_a_message_has_a_name_that_tells_it_apart(path: Path) -> None:
    """A copy editor finds a message by its name: no number, no small word alone."""
    assert [] == [key for key in messages(path) if NAMELESS.fullmatch(key)]


def test_every_message_is_said_with_the_facts_that_it_shows() -> None:
    """No message is missing, none is left over, none shows what nobody hands over."""
    known = {
        f"{p.stem}.{key}": text for p in MESSAGES for key, text in messages(p).items()
    }
    said = set()
    for path in SPEAKING:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say":
                (key,) = node.args
                if not isinstance(key, ast.Constant):
                    continue  # a function of its own, of that name
                handed = {word.arg for word in node.keywords}
                assert placed(known[key.value]) <= handed, key.value
                said.add(key.value)

    assert known.keys() == said


def _until_blank(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if not line.strip() or line.startswith(("…", "In all rows")):
            return
        yield line


def test_short_forms_are_short() -> None:
    """A median of twelve lines, and nine in ten within sixteen."""
    forms = [short_form(path) for path in GOLDEN]
    lines = sorted(len(form) for form in forms)
    said = sorted(words(" ".join(form)) for form in forms)

    assert lines[len(lines) // 2] <= SHORT_LINES
    assert lines[len(lines) * 9 // 10] <= MOST_LINES
    assert said[len(said) // 2] <= SHORT_WORDS

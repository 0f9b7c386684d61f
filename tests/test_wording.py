"""The house style: plain words, short sentences, nothing told in each row."""

import ast
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from string import Formatter

from tests.each import each

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
    "bot/run", "bot/playground", "bot/operate", "bot/config", "prices",
)  # fmt: skip
WORDED = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
"""Modules in which no sentence stands: their words are in `templates/words`."""
SPEAKING = [
    path for room in ("bot", "core", "prices") for path in (ROOT / room).rglob("*.py")
]
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
    "dispensable SourceSpec".split()
)
"""Calls whose texts are patterns, log lines, faults of the program, or a licence.

`ValueError` is none of these in `prices/sources`: it says why a row is left out.
"""
SQL = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|ALTER|CREATE|WHERE)\b|_id\b")
"""A statement, or the names of its columns."""

NAMELESS = re.compile(
    r".*_\d|row|at|by|in|of|to|on|and|now|then|that|month|shown|value|field|named|said"
)
"""What a key is called that says nothing of its message."""

HANGING = frozenset(
    "a an the of or and to is are was has have that per you which if no not its this "
    "these such than but be because can may do so we i it with at on in for from by as "
    "each while my your".split()
)
"""A name that ends with one of these was cut from the beginning of its message."""

SAID_BACK = frozenset(
    {
        "reserved for 1 year",
        "reserved for a year",
        "price book, far from the market",
        "European Central Bank, through https://frankfurter.dev",
        "genai-prices, its published data",
        "bare metal gpu standard - x7",
        "virtual machine gpu standard - x7",
        "serviceName eq 'Virtual Machines' and armSkuName eq 'X'",
        "gpucost/X (price feeds; polls hourly)",
        "mute X for X",
        "watch X when X",
        "X with Xb active",
        "X per 1M tokens",
        "X blocks, at most X",
        "Traceback (most recent call last):\n",
    }
)
"""What the parser reads again, names of sources and of what they sell, what feeds are
asked, and Slack's and Python's own lines."""


def spoken_in(path: Path) -> Iterator[str]:
    """Sentences that a module writes itself: four words, not all of them names.

    A fact counts as a word. The parser says to itself why a word has no field: those
    have no capital.
    """
    first = "[A-Z]" if "language" in path.parts else "[A-Za-z“]"
    skipped = NO_MESSAGE - {"ValueError"} if "sources" in path.parts else NO_MESSAGE
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    silent = {id(n.value) for n in nodes if isinstance(n, ast.Expr)}
    found = [
        (node, text)
        for node in nodes
        if isinstance(node, ast.JoinedStr | ast.Constant) and id(node) not in silent
        if re.match(rf"{first}[^_]* [a-z]{{2,}} [^_]*$", text := _written(node))
        if words(text) >= 4 and is_prose(text) and not SQL.search(text)
    ]
    for node in nodes if found else ():
        named = node.func if isinstance(node, ast.Call) else None
        name = getattr(named, "attr", getattr(named, "id", ""))
        if isinstance(node, ast.JoinedStr) or name in skipped:
            inside = {id(part) for part in ast.walk(node)}
            silent |= inside - {id(node)}
    yield from (
        text for node, text in found if id(node) not in silent and text not in SAID_BACK
    )


def _written(node: ast.JoinedStr | ast.Constant) -> str:
    pieces = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(str(p.value) if isinstance(p, ast.Constant) else "X" for p in pieces)


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


FIGURE = re.compile(r"\{\w+:(?:count|significant\d?|,?(?:\.\d)?[fg]|,)\}")
"""A fact that is shown as a number alone; money, ages and the like bring their unit."""
BEFORE = re.compile(r"(?:[$=/]|× |\(\{\w+:\w+\}–)$")
AFTER = re.compile(r" ?\(?(?:%|×|÷|[A-Za-z]|/|\{)|[–]\{")
"""A unit before a number, or the number that a range begins with; a unit behind it."""
UNITLESS = frozenset(
    {"guard.other_currency", "interface.out_of_reach", "lifecycle.verdict"}
    | {"upgrade.price_and_work_ratio", "assumptions.at_least"}
)
"""A feed's own sum, a field's bounds, the number of a month, a ratio."""
SHOUTED = re.compile(r"[\U0001F300-\U0001FAFF\u2600-\u2604\u2607-\u27BF]|[A-Za-z]!|!!")
NOTHING = re.compile(r"\$0(?:\.0+)?(?![\d.])")


def banned(text: str) -> list[str]:
    """Private words and old-fashioned turns."""
    return BANNED.findall(text)


def too_long(text: str) -> list[str]:
    """Sentences that are too long to be read once."""
    return [one for one in sentences(text) if words(one) > MOST_WORDS]


def chained(text: str) -> list[str]:
    """Sentences with a chain of semicolons."""
    return [one for one in re.split(r"(?<=[.!?])\s+|\n", text) if one.count("; ") > 1]


def shouted(text: str) -> list[str]:
    """Exclamations and emoji."""
    return SHOUTED.findall(text)


def without_unit(text: str) -> list[str]:
    """Facts of a message that are shown as a number without a unit."""
    return [
        found[0]
        for found in FIGURE.finditer(text)
        if not BEFORE.search(text[: found.start()])
        if not AFTER.match(text[found.end() :])
    ]


def stumbled(lines: Sequence[str]) -> list[str]:
    """A colon behind a colon, words that are cut, large numbers without commas, $0."""
    heads = re.split(r"(?<=[.!?]) ", lines[0])
    cut = [line for line in lines if re.search(r"\w…", line)]
    bare = [line for line in lines if UNGROUPED.search(line) or NOTHING.search(line)]
    return [*(one for one in heads if one.count(": ") > 1), *cut, *bare]


def repeated(lines: Sequence[str]) -> list[str]:
    """Tables whose last column says the same in each row: money apart."""
    found = []
    for number, line in enumerate(lines):
        if RULE.match(line.strip()) and len(line.strip()) < 80 and number:
            rows = [row for row in _until_blank(lines[number + 1 :]) if row]
            last = {re.split(r"\s{2,}", row.strip())[-1] for row in rows}
            if len(rows) > 2 and len(last) == 1 and "$" not in min(last):
                found.append(line)
    return found


PLANTED = {
    "this fleet is the cheapest at no load": banned,
    "We rent this from strangers.": banned,
    "One sentence " + "that goes on " * 6 + "and on": too_long,
    "Rent these; stop those; test the third": chained,
    "Saved! Great!": shouted,
    "It works \N{ROCKET}": shouted,
    "{gpus} GPUs do the work of {work:.3g}.": without_unit,
    "now {rps:significant2}": without_unit,
    "up to {low:count}, {high:count}": without_unit,
    "Read: this: that": stumbled,
    "Made by a seller with a long na…": stumbled,
    "1200 requests": stumbled,
    "Autoscale saves $0 a month": stumbled,
    "Offer  SLA\n──────────\nA  none\nB  none\nC  none\n\n": repeated,
}
"""What each rule of the house style must catch."""


def short_form(path: Path) -> list[str]:
    """The lines of the short form that are not blank."""
    _, _, drawn = path.read_text("utf-8").partition("\n\n")
    short = re.split(r"(?m)^─{80}$", drawn)[0]
    return [line for line in short.splitlines() if line.strip()]


def verdicts(path: Path) -> str:
    """A golden file without its question, with its lines joined to paragraphs."""
    _, _, drawn = path.read_text("utf-8").partition("\n\n")
    return drawn


@each(CODE)
def test_texts_of_the_program_keep_the_house_style(path: Path) -> None:
    """No banned word, and no sentence that is too long to be read once."""
    if str(path.relative_to(ROOT)) in INTERNAL:
        return
    told = [text for text in said_in(path) if is_prose(text)]

    assert not [fault for text in told for fault in (*banned(text), *too_long(text))]


@each([*TEMPLATES, *FACTS, *PAGES])
def test_templates_assumptions_and_pages_use_no_banned_word(path: Path) -> None:
    """The words around the figures are in house style as well, and the pages are."""
    assert not BANNED.search(path.read_text("utf-8"))


@each(GOLDEN)
def test_answers_keep_the_house_style(path: Path) -> None:
    """No banned word and no "$0", in short and in full."""
    drawn = verdicts(path)

    assert not banned(drawn)
    assert not NOTHING.search(drawn)
    assert not shouted(drawn)


@each(GOLDEN)
def test_a_short_form_is_read_without_stumbling(path: Path) -> None:
    """No colon behind a colon, nothing cut, no large number without its comma."""
    assert not stumbled(short_form(path))


@each(GOLDEN)
def test_no_table_says_the_same_in_each_row(path: Path) -> None:
    """What all rows share stands once below them: money apart."""
    assert not repeated(verdicts(path).splitlines())


@each(WORDED)
def test_no_sentence_stands_in_a_module(path: Path) -> None:
    """A copy editor finds all words in the catalogue."""
    assert [] == [text for text in spoken_in(path) if path.name not in ASKED]


@each(MESSAGES)
def test_messages_keep_the_house_style(path: Path) -> None:
    """No banned word, no long or chained sentence, a unit on each number, no shout."""
    faults = {
        f"{path.stem}.{key}": [
            *banned(re.sub(r"\{\w+", "{X", text)),
            *too_long(re.sub(r"\{\w+", "{X", text)),
            *chained(text),
            *shouted(text),
            *(without_unit(text) if f"{path.stem}.{key}" not in UNITLESS else ()),
        ]
        for key, text in messages(path).items()
    }

    assert {} == {key: found for key, found in faults.items() if found}


@each(PLANTED)
def test_each_rule_catches_what_breaks_it(text: str) -> None:
    """A rule that nothing breaks would hold nothing."""
    rule: Callable[..., list[str]] = PLANTED[text]

    assert rule(text.splitlines() if rule in (stumbled, repeated) else text)


@each(MESSAGES)
def test_a_message_has_a_name_that_tells_it_apart(path: Path) -> None:
    """A copy editor finds a message by a name that says what it is for."""
    assert [] == [
        key
        for key, text in messages(path).items()
        if NAMELESS.fullmatch(key) or is_cut(key, text)
    ]


def is_cut(key: str, text: str) -> bool:
    """Whether a name stops where its message goes on: "spot_costs_and_may"."""
    last = key.split("_")[-1]
    said = re.findall(r"[a-z0-9]+", re.sub(r"\{[^}]*\}", "", text).lower())
    return last in HANGING and said[-1:] != [last]


def test_every_message_is_said_with_the_facts_that_it_shows() -> None:
    """No message is missing, none is left over, none shows what nobody hands over."""
    known = {
        f"{p.stem}.{key}": text for p in MESSAGES for key, text in messages(p).items()
    }
    said = set()
    texts = [path.read_text("utf-8") for path in SPEAKING]
    for text in (text for text in texts if "say(" in text):
        for node in ast.walk(ast.parse(text)):
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

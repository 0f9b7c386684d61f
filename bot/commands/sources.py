"""`gpucost sources`: what the articles say, and what the program does with it."""

import argparse
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from functools import reduce

from bot.render.words import say
from core.reference.coverage import Article, Coverage, Statement, coverage
from core.reference.rules import rules

INDENT = " " * 9
WIDEST = 100
NONE = say("commands.no_such_line")
WORDS = {
    "rule": "rule",
    "formula": say("commands.computed_by"),
    "default": say("commands.assumed_as"),
    "reference": say("commands.data_in"),
    "prices": say("commands.prices_in"),
    "field": say("commands.asked_as"),
    "test": say("commands.tested_by"),
}
"""How each kind of place is introduced."""


def sources_command(words: Sequence[str]) -> int:
    """Print the articles' lines that the words name; 1 where there is none."""
    options = _parser().parse_args(words)
    known = coverage()
    lines = chosen(known, options.words, options.missing)
    if not lines:
        sys.stdout.write(f"{NONE}\n")
        return 1
    width = min(shutil.get_terminal_size().columns, WIDEST)
    for text in printed(known, lines):
        sys.stdout.write("\n".join(_wrapped(text, width)) + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=say("commands.gpucost_sources"), description=sources_command.__doc__
    )
    parser.add_argument(
        "words",
        nargs="*",
        help=say("commands.ids_or_their_beginning"),
    )
    parser.add_argument(
        "--missing", action="store_true", help=say("commands.only_missing")
    )
    return parser


def chosen(
    known: Coverage, words: Sequence[str], missing: bool
) -> tuple[Statement, ...]:
    """The lines that every word finds, in the articles' order; all without a word."""
    every = tuple(known.statements.values())
    kept = reduce(lambda lines, word: _both(lines, known.found(word)), words, every)
    return tuple(line for line in kept if not (missing and line.covered))


def _both(
    one: Sequence[Statement], other: Sequence[Statement]
) -> tuple[Statement, ...]:
    ids = {line.id for line in other}
    return tuple(line for line in one if line.id in ids)


def printed(known: Coverage, lines: Sequence[Statement]) -> Iterator[str]:
    """Each article's head, its lines, and the count."""
    article = ""
    for line in lines:
        if line.article != article:
            article = line.article
            yield _head(known.articles[article])
        yield from _line(line)
    inside = sum(line.covered for line in lines)
    named = (
        "1 line"
        if len(lines) == 1
        else say("commands.lines", number_of_lines=len(lines))
    )
    yield say(
        "commands.in_the_program_not",
        named=named,
        inside=inside,
        number_of_lines=len(lines) - inside,
    )


def _head(article: Article) -> str:
    place = f", {article.url}" if article.url else ""
    return f"\n{article.id}  {article.title} ({article.by}, {article.said}{place})"


def _line(line: Statement) -> Iterator[str]:
    yield f"{line.id:<8} {line.what}"
    if line.says:
        yield f"{INDENT}→ {line.says}"
    if line.reason:
        yield say("commands.line", indent=INDENT, reason=line.reason)
    for place in dict.fromkeys((*_citing(line), *line.places)):
        yield f"{INDENT}{_place(place)}"


def _citing(line: Statement) -> Iterator[str]:
    """The rules that name the line as their source."""
    return (f"rule:{rule.id}" for rule in rules().values() if line.id in rule.sources)


def _place(place: str) -> str:
    kind, _, name = place.partition(":")
    rule = rules().get(name) if kind == "rule" else None
    return f"{WORDS[kind]} {name}" + (f": {rule.title}" if rule else "")


def _wrapped(text: str, width: int) -> list[str]:
    """A line within the terminal, its rest indented under its beginning."""
    lead, body = _leading(text)
    folded = textwrap.wrap(
        body, width, initial_indent=lead, subsequent_indent=INDENT + "  ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return ["", *folded] if text.startswith("\n") else folded


def _leading(text: str) -> tuple[str, str]:
    body = text.strip()
    return text[: len(text) - len(text.lstrip(" "))], body

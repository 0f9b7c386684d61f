"""JSON lines in, JSON lines out: the estimator and the parser for programs."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TextIO

from bot.render.words import say
from core.reference.load import reference

Line = dict[str, Any]


def estimate_lines(words: Sequence[str]) -> int:
    """Estimate each request of a JSONL stream."""
    parser = argparse.ArgumentParser(
        prog=say("commands.estimate_lines"),
        description=say("commands.estimate_one_json_request"),
    )
    parser.add_argument(
        "--jsonl", action="store_true", help=say("commands.lines_in_lines_out")
    )
    parser.add_argument("file", nargs="?", help=say("commands.default_standard_input"))
    options = parser.parse_args(words)
    from core.estimate.interface import estimate_line

    known = reference()
    return _each_line(options.file, lambda line: estimate_line(line, known))


def parse_lines(words: Sequence[str]) -> int:
    """Read each question of a JSONL stream, or one question given as words."""
    parser = argparse.ArgumentParser(
        prog=say("commands.parse_lines"),
        description=say("commands.show_what_a_question"),
    )
    parser.add_argument("--jsonl", action="store_true", help=say("commands.lines_of"))
    parser.add_argument(
        "--threads", action="store_true", help=say("commands.lines_of_conversations")
    )
    parser.add_argument("text", nargs="*", help=say("commands.question_or_file"))
    options, more = parser.parse_known_args(words)
    lines = options.text[0] if options.text else None
    if options.threads:
        from bot.language.conversation import thread_line

        return _each_line(lines, thread_line)
    if options.jsonl:
        from bot.language.interface import parse_line

        return _each_line(lines, parse_line)
    return _show_query(" ".join([*options.text, *more]))


def _show_query(text: str) -> int:
    from bot.language.parse import parse

    query = parse(text, reference())
    for field, value in query.stated().items():
        words = " … ".join(text[a:b] for a, b in query.spans.get(field, ()))
        shown = value.model_dump() if hasattr(value, "model_dump") else value
        print(f"{field:28} {shown!s:40} “{words}”")
    for left in query.not_used:
        print(f"{'not used':28} {left.why:40} “{left.text}”")
    if query.clarify is not None:
        print(f"{'ask back':28} {query.clarify.question}")
    for unknown in query.unknown:
        nearest = ", ".join(unknown.nearest) or say("commands.show_query")
        print(f"{'unknown ' + unknown.kind:28} {unknown.text} → {nearest}")
    return 0


def _each_line(path: str | None, work: Callable[[Line], Line]) -> int:
    if path is None or path == "-":
        _stream(sys.stdin, work)
        return 0
    with open(path, encoding="utf-8") as lines:  # noqa: PTH123 - "-" is no path
        _stream(lines, work)
    return 0


def _stream(lines: Iterable[str], work: Callable[[Line], Line]) -> None:
    out: TextIO = sys.stdout
    for line in lines:
        if line.strip():
            out.write(json.dumps(_answer(line, work), ensure_ascii=False) + "\n")
    out.flush()


def _answer(line: str, work: Callable[[Line], Line]) -> Line:
    """One line's result; a line that cannot be read gets its error."""
    try:
        request = json.loads(line)
    except ValueError as error:
        return {"id": None, "error": say("commands.not_json", error=error)}
    if not isinstance(request, dict):
        return {"id": None, "error": say("commands.line_is_json")}
    return work(request)

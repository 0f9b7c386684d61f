"""Split a message into what its author says and what was pasted, quoted or signed.

Every part keeps its place in the original text. Only a paste that some dialect knows is
taken out of the prose: an unknown block of code may be the question itself.
"""

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from bot.language.dialects import (
    PROGRAMS,
    engine_signs,
    normal_key,
    specific_keys,
    switch_keys,
    table_keys,
)
from bot.language.families import families
from core.patterns import regex

Kind = Literal["prose", "quote", "signature", "command", "config", "log", "table"]

_MAYBE = regex(r"[-=—–](?:(?<=\w=)|(?<!=)(?<![^\s`'\"].)(?:(?<=-)-)?[A-Za-z])")
"""Without a flag or an assignment there is no command."""
_PLAIN = regex(r"[-\n`=—–](?:(?<=[\n`=])|(?<!\S.)(?:(?<=-)-)?[A-Za-z])")
"""Without any of these a message is prose."""
_FENCE = regex(r"```(?:[a-z]{1,12}(?=\n))?(.*?)(?:```|\Z)", re.DOTALL)
_LINE = regex(r"[^\n]*\n?")
_QUOTE = regex(r"\s{0,3}(?:>|&gt;)\s?(?=.*[^\W\d_])")
_SIGNATURE = regex(
    r"\s*(?:--\s*$|sent from (?:my|outlook|mail)|get outlook for"
    r"|von meinem \w+ gesendet|gesendet von|envoy[ée] de(?:puis)? mon"
    r"|enviado (?:desde|do|de) |inviato da"
    r"|verzonden vanaf|wysłane z|iphone['’]umdan)",
    re.IGNORECASE,
)
_CLOSING = regex(
    r"\s*(?:(?:best|kind|warm|many)\s+)?(?:regards|cheers|thanks|thank you|best|br|vg|"
    r"gru(?:ß|ss|esse)|viele gr[üu](?:ß|ss)e|cordialement|saludos|saluti|groeten|"
    r"pozdrawiam)[,.!]?\s*$",
    re.IGNORECASE,
)
REPORTS = r"(?:RESULTS?|SUMMARY|FIRING|RESOLVED|PENDING|BENCH\w*)\b"
"""The heading of a line of figures: "RESULT in=1024", "FIRING: idle"."""
_LOG = regex(
    r"""\s*(?:
      \(?[\w@.-]*(?:\s+pid=\d+)?\)?\s*\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|CRITICAL|FATAL)\b[\]:\s]
    | [\[(]?(?:\d{4}[-/])?\d{1,2}[-/]\d{1,2}[T\s,]+\d{1,2}:\d{2}
    | [\[(]?\d{1,2}:\d{2}:\d{2}[\]).,\s]
    | [IWEF]\d{4}\s\d\d:\d\d
    | Traceback\b | File\s"
    | [A-Za-z_][\w.]*(?:Error|Exception):\s
    | .{0,40}?\d+%\|
    | \{?'?(?:train_)?(?:loss|grad_norm)'?\s*[:=]
    | .{0,40}?\b(?:step|iter|iteration|global_step)\b\s*[:=]?\s*\d.*\b(?:loss|lr|tok)
    | .*\bAvg\s(?:prompt|generation)\sthroughput
    | Throughput:\s+[\d.,]+\s+requests/s,\s+[\d.,]+\s
    | \[?{REPORTS}(?!.*(?:\?|\b(?:need|want|must|should)))(?=[\s:\]].*\d)
    | [\w:]+\{\w+="[^\n}]*\}\s+[\d.e+]+\s*$
    )""".replace("{REPORTS}", REPORTS),
    re.VERBOSE,
)
_TABLE = regex(
    r"\s*(?:[=+_-]{6,}|[=-]{3,}.*[=-]{3,}\s*$|\|.*\||[A-Z][\w\s%/().@#-]{2,44}:\s{2,}[\d.,]+\s*\w*%?\s*$"
    r"|(?:\S++(?:\s\S++)?(?:\s{2,}|\t)){2,}\S*\d|GPU\s\d+:\s"
    r"|[\w./-]+(?:,[^\s,=;]+){2,}\s*$"
    r"|(?:\d{1,3},\s)?(?:NVIDIA|AMD|Tesla)\s[^,\n]{2,40}(?:,[^,\n]{1,40})+$"
    r"|[a-z_.]{2,30}(?:\s\[[^]\n]{1,9}\])?(?:,\s[a-z_.]{2,30}(?:\s\[[^]\n]{1,9}\])?)+\s*$"
    r"|[A-Z][\w\s%/.@#-]{2,44}\([\w/ ]{1,20}\):\s*[\d.,]+\s*$)"
)
_CONFIG = regex(
    r"""\s*(?:
      \#\s?(?:SBATCH|PBS)\b | \#!/
    | (?:[-+]\s+)?["']?[A-Za-z_][\w./-]*["']?\s*:(?:\s|$)
    | -\s+\S
    | (?:\+\s*)?[{}\[\]],?\s*$ | \{.*["']\s*:
    | \w+\s\{[^{}=]{1,40}=[^{}]{1,80}\}\s*$
    | (?:\+\s*)?\w+(?:\s"\w+"){1,2}\s\{\s*$ | \[[\w.]+\]\s*$
    | (?:export\s+|ENV\s+|\+\s+)?[A-Za-z_][\w.]*[ \t]*=[ \t]*\S+\s*$
    | ---\s*$
    )""",
    re.VERBOSE,
)
_PAIR_KEY = regex(
    r"""(?:^|[\s{,"'])(?:--?|[—–])?([A-Za-z_][\w./-]*)["']?[ \t]{0,24}"""
    r"""[:=](?=\s|["'\d\w/{\[]|$)""",
    re.MULTILINE,
)
_FLAG = regex(r"(--?|[—–])([A-Za-z][\w.-]*)(=\S*)?$")
_ASSIGNED = regex(r"\+?([A-Za-z_][\w.]*)=\S*$")
_WORDS = regex(r"\S+")
_VALUE = regex(r".*[\d/._:=].*|true|false|auto|half|float\w*|bfloat\w*|awq|gptq")
_FILE = regex(r"\.(?:ya?ml|json|py|sh|gguf)$")
_CONTINUED = regex(r"\\[ \t]*\n|\n(?=[ \t]*(?:--?|—)[A-Za-z])")
_LEAST_KEYS = 3
"""Keys of what stands in braces and is a configuration, whatever they are."""
_HEAD = 300
"""Characters of a line that tell what it is."""
_MOST_APART = 2
"""Words between two flags of one command: `torchrun --nnodes 4 train.py --bf16`."""


class Segment(Struct, frozen=True):
    """A stretch of the message, by its characters in the original text."""

    kind: Kind
    start: int
    end: int


class Message(Struct, frozen=True):
    """A text and what it is made of; the segments cover it in order."""

    text: str
    segments: tuple[Segment, ...]

    @property
    def pasted(self) -> bool:
        """Whether there is anything but prose."""
        return any(segment.kind != "prose" for segment in self.segments)

    def only(self, kind: Kind) -> str:
        """The text of one kind, everything else blanked: places stay as they are."""
        if kind == "prose" and not self.pasted:
            return self.text
        parts = []
        for segment in self.segments:
            part = self.text[segment.start : segment.end]
            blank = "".join("\n" if sign == "\n" else " " for sign in part)
            kept = part.replace("```", "   ") if segment.kind == kind else blank
            parts.append(kept)
        return "".join(parts)


def split(text: str) -> Message:
    """Split a message; anything that nothing recognises is prose."""
    if _PLAIN.search(text) is None:
        return Message(text, (Segment("prose", 0, len(text)),))
    kinds: list[Kind] = ["prose"] * len(text)
    for start, end, fenced in _stretches(text):
        for kind, a, b in _marked(text, start, end, fenced):
            kinds[a:b] = [kind] * (b - a)
    if not any(k == "prose" and c.isalnum() for k, c in zip(kinds, text, strict=True)):
        kinds = ["prose" if kind == "quote" else kind for kind in kinds]
    return Message(text, tuple(_runs(kinds)))


def _runs(kinds: list[Kind]) -> Iterator[Segment]:
    start = 0
    for place in range(1, len(kinds) + 1):
        if place == len(kinds) or kinds[place] != kinds[start]:
            yield Segment(kinds[start], start, place)
            start = place


def _stretches(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield what stands between the fences of code, and what stands in them."""
    at = 0
    for fence in _FENCE.finditer(text):
        if fence.start() > at:
            yield at, fence.start(), False
        yield fence.start(1), fence.end(1), True
        at = fence.end()
    if at < len(text):
        yield at, len(text), False


def _marked(
    text: str, start: int, end: int, fenced: bool
) -> Iterator[tuple[Kind, int, int]]:
    """Yield the parts of a stretch that are no prose; a later one wins."""
    lines = [
        (start + found.start(), start + found.end())
        for found in _LINE.finditer(text[start:end])
        if found.end() > found.start()
    ]
    kinds = _kinds_of([text[a:b] for a, b in lines])
    for first, last in _blocks(kinds):
        a, b = lines[first][0], lines[last - 1][1]
        kind = kinds[first]
        if kind == "config" and not _is_config(text[a:b], fenced):
            continue
        if kind == "table" and last - first < 2:
            continue
        if kind == "config" and text[a:b].lstrip().startswith("{"):
            b = a + text[a:b].rfind("}") + 1 or b  # the question goes on behind it
        if kind is not None:
            yield kind, a, b
    for first, last in _blocks(["log" if k == "log" else "prose" for k in kinds]):
        if kinds[first] != "log":
            yield from _commands(text, lines[first][0], lines[last - 1][1])
    if not fenced:
        yield from _signed(text, lines)


def _kind_of(line: str) -> Kind | None:
    line = line[:_HEAD]
    if not line.strip():
        return None
    if _QUOTE.match(line):
        return "quote"
    if _LOG.match(line):
        return "log"
    if _CONFIG.match(line) and not _TABLE.match(line):
        return "config"
    return "table" if _TABLE.match(line) else None


_COLUMNS = regex(r"\||(?<=\S)(?:\s{2,}|\t)(?=\S)")
_LEAST_PARTED = 2


def _kinds_of(lines: list[str]) -> list[Kind | None]:
    """The kinds of lines; a head of words with rows of its columns is a table."""
    kinds = [_kind_of(line) for line in lines]
    for at, line in enumerate(lines[1:], 1):
        if kinds[at - 1] == "log" and line.startswith(("  ", "\t")):
            kinds[at] = "log"  # set in below what it goes on with
    columns = [len(_COLUMNS.findall(line[:_HEAD].strip())) for line in lines]
    for head, width in enumerate(columns[:-1]):
        parted = kinds[head] is None and width >= _LEAST_PARTED
        if not parted or any(map(str.isdigit, lines[head])):
            continue
        last = head + 1
        while last < len(lines) and kinds[last] is None and columns[last] == width:
            last += 1
        if last > head + 1 or kinds[last] == "table":
            kinds[head:last] = ["table"] * (last - head)
    return kinds


def _blocks(kinds: list[Kind | None]) -> Iterator[tuple[int, int]]:
    """Yield runs of lines of one kind; in a configuration any other line may stand."""
    at = 0
    while at < len(kinds):
        end = at + 1
        while end < len(kinds) and kinds[end] == kinds[at]:
            end += 1
        if kinds[at] is not None:
            yield at, end
        at = end


def _is_config(block: str, fenced: bool) -> bool:
    """Whether some dialect knows the keys: by one key of its own, or several others."""
    keys = {normal_key(found[1]) for found in _PAIR_KEY.finditer(block)}
    keys |= {key.rpartition(".")[2] for key in keys}
    keys |= {normal_key(name) for name in re.findall(r"--([\w-]+)", block)}
    if block.startswith("#!") or re.search(
        r"^#\s?(?:SBATCH|PBS)\b", block, re.MULTILINE
    ):
        return True
    if block.lstrip().startswith("{") and len(keys) >= _LEAST_KEYS:
        return True
    if fenced and any(sign in block.lower() for sign in engine_signs()):
        return True
    known = keys & table_keys()
    return bool(keys & specific_keys()) or len(known) >= (1 if fenced else 3)


def _commands(
    text: str, start: int, end: int
) -> Iterator[tuple[Literal["command"], int, int]]:
    """Yield command lines, which may stand in a sentence and go over several lines."""
    joined = _CONTINUED.sub(lambda found: " " * len(found[0]), text[start:end])
    for line in _LINE.finditer(joined):
        if _MAYBE.search(line[0]) is None:
            continue
        words = list(_WORDS.finditer(line[0]))
        offset, at = start + line.start(), 0
        while at < len(words):
            last, known = _command_end(words, at)
            if known:
                start_at, end_at = words[at].start(), words[last - 1].end()
                yield "command", offset + start_at, offset + end_at
                at = last
                continue
            # what no dialect knows is not walked again from each of its flags
            within = range(at + 1, last)
            programs = (i for i in within if _is_program(words[i][0]))
            at = next(programs, max(last, at + 1))


_LONGEST_COMMAND = 100
"""Words; a longer run of flags is no command that anybody typed."""


def _command_end(words: list[re.Match[str]], at: int) -> tuple[int, bool]:
    """Behind which word a run of flags ends that begins here, and is it a command?"""
    named = at > 0 and words[at - 1][0].lower() in families().starts  # "mistral nemo"
    program = _is_program(words[at][0]) and not named
    if not program and _key_of(words[at][0]) not in table_keys():
        return at, False
    end, apart, place, own = at, 0, at + program, program
    settings = 0
    limit = 4 if program else _MOST_APART
    most = min(len(words), at + _LONGEST_COMMAND)
    while place < most and apart <= limit:
        word = words[place][0].strip("`'\"")
        flag = _FLAG.match(word)
        if flag or _ASSIGNED.match(word):
            own = own or _key_of(word) in specific_keys()
            known = _ASSIGNED.match(word)  # a shell's variable: MAX_LEN=40960
            settings += bool(
                known and known[1].isupper() and _key_of(word) in table_keys()
            )
            place = end = place + 1 + _takes_value(flag, words, place + 1)
            apart, limit = 0, _MOST_APART
            continue
        if _FILE.search(word) and end == place:
            end, apart = place + 1, -1
        elif word in ("\\", "|", "&&"):
            apart -= 1
        elif word in "—–-" or word.endswith(("?", "!")):
            break
        place, apart = place + 1, apart + 1
    return end, (own or settings >= _LEAST_KEYS) and end > at + program


def _is_program(word: str) -> bool:
    return word.strip("`$'\"").rpartition("/")[2].lower() in PROGRAMS


def _key_of(word: str) -> str:
    """The key of a flag or of an assignment, nothing for another word."""
    plain = word.strip("`'\"")
    if flag := _FLAG.match(plain):
        short = flag[1] == "-" and len(flag[2]) <= 3
        return f"-{flag[2]}" if short else normal_key(flag[2])
    found = _ASSIGNED.match(plain)
    return normal_key(found[1]) if found else ""


def _takes_value(
    flag: re.Match[str] | None, words: list[re.Match[str]], at: int
) -> int:
    """Whether the word behind a flag is its value: 1 or 0."""
    if flag is None or flag[3] or at >= len(words):
        return 0
    word = words[at][0].strip("`'\"")
    if _FLAG.match(word) or not word.strip("—–-\\"):
        return 0
    if _key_of(flag[0]) in switch_keys():
        return int(word.lower() in ("true", "false"))
    known = _key_of(flag[0]) in table_keys()
    return int(known or bool(_VALUE.fullmatch(word.lower())))


def _signed(
    text: str, lines: list[tuple[int, int]]
) -> Iterator[tuple[Literal["signature"], int, int]]:
    """Yield a signature: from its mark to the end of the stretch."""
    for place, (start, end) in enumerate(lines):
        if place == 0:
            continue
        line = text[start:end]
        closing = _CLOSING.match(line) and len(lines) - place <= 4
        if _SIGNATURE.match(line) or closing:
            yield "signature", start, lines[-1][1]
            return

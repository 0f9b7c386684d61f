"""Bring a Slack message to plain lower-case text that remembers where it came from."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from core.needed import Text
from core.patterns import regex

LIMIT = 40_000
"""Characters read of a message; Slack itself cuts messages at this length."""

_MARKUP = regex(
    r"<[@!][^<>\n]{0,80}>|<\#\w{1,20}\|(?P<channel>[^<>\n]{0,80})>"
    r"|<(?P<url>(?:https?://|mailto:)[^<>|\s]{1,400})(?:\|(?P<label>[^<>\n]{0,400}))?>"
    r"|&(?P<entity>lt|gt|amp);"
)
_EMPHASIS = regex(
    r"(?<![\w*])\*(?=[^\s*])[^*\n]{0,200}?(?<=[^\s*])\*(?![\w*])"
    r"|(?<![\w_])_(?=[^\s_])[^_\n]{0,200}?(?<=[^\s_])_(?![\w_])"
)
_STRUCK = regex(r"(?<![\w~])~(?=[^\s~])[^~\n]{0,200}?(?<=[^\s~])~(?![\w~])")
"""What Slack shows in bold, in italics or crossed out."""
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&"}
_HUB = regex(r"https?://(?:www\.)?(?:huggingface\.co|hf\.co)/", re.IGNORECASE)
_QUOTES = dict.fromkeys("“”„«»‟″＂", '"') | dict.fromkeys("‘’‚‛′´`ʼ＇", "'")
_DASHES = dict.fromkeys("‐‑‒–−﹣－", "-") | {"―": "—"}
_SYMBOLS = {
    "×": "x", "✕": "x", "✖": "x", "½": ".5", "¼": ".25", "¾": ".75",
    "≤": "<", "≥": ">", "、": ",", "。": " . ", "・": ",", "…": " ",
    "\u00a0": "\u00a0", "\u202f": "\u00a0", "\u2009": "\u00a0",
}  # fmt: skip
_LETTERS = {"ı": "i", "ł": "l", "Ł": "l", "ø": "o", "Ø": "o", "đ": "d", "Đ": "d",
            "ß": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe"}  # fmt: skip
"""Letters that Unicode does not part into a plain one and an accent."""
_PLAIN = {**_QUOTES, **_DASHES, **_SYMBOLS, **_LETTERS}
_KANA_MARKS = "\u3099\u309a"


class Clean(Struct, frozen=True, dict=True):
    """Lower-case text and, for each of its characters, its place in the original."""

    text: str
    origin: tuple[int, ...] | None
    """None: every character stands where it stood."""

    @cached_property
    def plain(self) -> Text:
        """The same text, which knows its words."""
        return Text(self.text)

    def place(self, index: int) -> int:
        """Return the original position of a character, or of the end."""
        return index if self.origin is None else self.origin[index]


def normalise(text: str) -> Clean:
    """Undo markup, typography, width and accents; Slack's own limit is the only one."""
    text = _unstyled(text[:LIMIT])
    lowered = text.lower()
    if text.isascii() and "<" not in text and "&" not in text:
        return Clean(lowered, None)
    characters: list[str] = []
    origin: list[int] = []
    for part, places in _unmarked(text):
        for run in _RUN.finditer(part):
            here = places[run.start() : run.end()]
            if run[0].isascii():
                characters.extend(run[0].lower())
                origin.extend(here)
                continue
            for plain in _folded(run[0], characters):
                characters.append(plain)
                origin.append(here[0])
    origin.append(len(text))
    return Clean("".join(characters), tuple(origin))


def struck(text: str) -> list[tuple[int, int]]:
    """Where a message is crossed out."""
    return [found.span() for found in _STRUCK.finditer(text)] if "~" in text else []


def _unstyled(text: str) -> str:
    """Blank what is crossed out, and the signs of bold, italics and code."""
    for start, end in struck(text):
        text = text[:start] + " " * (end - start) + text[end:]
    if "*" in text or "_" in text:
        text = _EMPHASIS.sub(lambda found: f" {found[0][1:-1]} ", text)
    text = text.replace("\t", " ")
    if not text.isascii():
        text = _WHITE.sub(" ", text)
    if text.count("\n") > text.count(" "):
        text = text.replace("\n", " ")  # a word on each line: the lines part nothing
    return text.replace("`", " ")


_WHITE = regex(r"(?<!\d)[\u00a0\u202f\u2009]|[\u00a0\u202f\u2009](?!\d)")
"""Blanks of another width, but for those that group the digits of a number."""
_RUN = regex(r"[\x00-\x7f]+|[^\x00-\x7f]")
"""Plain characters, which are taken as they are, or another one."""


def _unmarked(text: str) -> Iterator[tuple[str, range]]:
    """Yield the parts that a reader of the message sees, with their places."""
    end = 0
    for match in _MARKUP.finditer(text):
        yield text[end : match.start()], range(end, match.start())
        shown, place = _shown(match)
        yield shown, range(place, place + len(shown))
        end = match.end()
    yield text[end:], range(end, len(text))


def _shown(match: re.Match[str]) -> tuple[str, int]:
    """Return what Slack shows for a piece of markup, and where that text stands."""
    if entity := match["entity"]:
        return _ENTITIES[entity], match.start()
    if (channel := match["channel"]) is not None:
        return "#" + channel, match.start("channel") - 1
    if url := match["url"]:
        if _HUB.match(url) or not match["label"]:
            return url, match.start("url")
        return match["label"], match.start("label")
    return " ", match.start()


def _decomposed(character: str) -> str:
    """Part Latin letters from their accents; leave kana with their marks."""
    if character < "\u0370":
        return unicodedata.normalize("NFKD", character)
    return unicodedata.normalize("NFKC", character)


def _folded(character: str, before: list[str]) -> str:
    """Return a character without case, width or accent."""
    if character < "\x80":
        return character.lower()
    if "\u3400" <= character <= "\u9fff" or "\u3041" <= character <= "\u3096":
        return character
    if character == "，":
        return ", "  # it parts clauses, and no digits
    if (plain := _PLAIN.get(character)) is not None:
        word = plain == "x" and before and before[-1].isalpha()
        return f" {plain} " if word else plain  # "rows×400tok"
    folded = _decomposed(character).lower()
    if folded in _KANA_MARKS and before:
        before[-1] = unicodedata.normalize("NFC", before[-1] + folded)[:1]
        return ""
    return "".join(
        _PLAIN.get(part, part)
        for part in folded
        if unicodedata.category(part) not in ("Mn", "Cf", "Cc", "Cs", "Co")
    )

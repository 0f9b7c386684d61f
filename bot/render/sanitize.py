"""Text that is safe to show anywhere: no control characters, never too long."""

from functools import lru_cache

from core.patterns import regex

# C0 and C1 controls carry terminal escapes; bidirectional overrides reorder a line.
_UNSHOWABLE = regex("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
ELLIPSIS = "…"


def clean(text: str) -> str:
    """Drop what a reader cannot see but a terminal or a client would obey."""
    return _UNSHOWABLE.sub(" ", text.replace("\r\n", "\n")).strip()


def one_line(text: str) -> str:
    """Clean the text and set it on a single line."""
    if text.isprintable() and "  " not in text:
        return text.strip()  # nothing to clean: no control character, no other blank
    return " ".join(clean(text).split())


@lru_cache(maxsize=2048)
def fitted(text: str, limit: int) -> str:
    """The text on one line of at most `limit` units; most recur, level by level."""
    return clip(one_line(text), limit)


def units(text: str) -> int:
    """Count UTF-16 code units: the strictest reading of "characters" in a limit."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def clip(text: str, limit: int) -> str:
    """Cut the text to at most `limit` UTF-16 units, an ellipsis for the rest."""
    if 2 * len(text) <= limit or units(text) <= limit:
        return text
    kept = text[: limit - 1]
    while units(kept) > limit - 1:
        kept = kept[: len(kept) - max(1, (units(kept) - limit + 1) // 2)]
    return kept + ELLIPSIS

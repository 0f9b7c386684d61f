"""Cut plain text into words, numbers, instance names and signs."""

import re
from typing import Literal, NamedTuple

from core.patterns import regex

TokenKind = Literal[
    "word", "number", "instance", "experts", "gguf", "sign", "date", "arrow"
]

_TOKEN = regex(
    r"""
    \s*+(?:
    (?P<plain>\b[a-z]+(?=[ ,?!\n]|$))
  | (?P<hub>https?://(?:www\.)?(?:huggingface\.co|hf\.co)/(?:models/)?)
  | (?P<url>https?://\S+)
  | (?P<date>\b(?:\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{1,2}[/.]\d{1,2}[/.](?:19|20)\d\d)\b)
  | (?P<version>\bv?\d{1,3}\.\d{1,2}\.\d{1,3}
        (?:\.\d+|-?(?:rc|post|dev|b)\d+)?(?![\d,.]{0,9}\d)
      |\b(?:[1-9]\d*)(?:st|nd|rd|th)\b)
  | (?P<instance>
        \b(?:[a-z]{1,4}\d{1,2}[a-z]{0,3}(?:-[a-z0-9]{1,9})?\.(?:\d{0,3}xlarge|metal|large)\b
      | standard_n[a-z]{0,2}\d\w{0,40}
      | (?:bm|vm)\.gpu[\w.-]{1,30}
      | (?:[acgn]\d[a-z]?|ct\d\w{0,3})-(?:[a-z]{0,5}gpu|standard|[a-z]{0,4}tpu)
            [\w-]*-\d{1,3}[tg]?\b
      | gpu_\d{1,2}x_\w{1,30}
      | (?:p3dn|p4de?|p5en?|p6-b[23]00|g4dn|g6e|trn[12]|a2-(?:high|ultra)gpu
        |a3-(?:high|mega|ultra)(?:gpu)?|a4-highgpu|(?:(?<=(?:aws|ec2)\s)|(?<=vs\s))[pg][356]
        |[pg][356](?=\s(?:instance|node|machine|server|famil|box|vs\b)))(?![\w.-])))
  | (?P<gguf>\b(?:i?q[2-8](?:_[0-9a-z]{1,3}){1,2}|i?q[2-8])(?![a-z0-9_]))
  | (?P<experts>(?<![a-z0-9.])\d{1,4}x\d{1,5}(?:\.\d{1,3})?b(?![a-z0-9]))
  | (?P<arrow>-{1,2}>|=>|→|⇒)
  | (?P<split>(?<![\w.,])\d{1,3}[km]\d(?![\w.]))
  | (?P<times>(?<=\d)[x*](?=\s{0,2}(?:\d|[a-z]{1,6}\d)))
  | (?P<number>\d{1,3}(?:\s\d{3}){0,2}(?:\s{1,2}000)+(?![\d.,])
      |\d+(?=,\d{4})|\d{4,}(?=,\d{3}(?!\d))
      |\d{1,3}(?:\u00a0\d{3})+(?![\da-z])
      | \d+(?:[.,]\d+|['_]\d{3}(?!\d)){0,9}(?:e\+?\d{1,2}(?![a-z0-9]))?|\.\d+)
  | (?P<word>[a-z][a-z0-9]*(?:(?<=[0-9])\.[0-9]+[a-z0-9]*)?(?:'(?:s|t|re|ll|ve|d|m)\b)?
      | [\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7a3]
      | [^\W\d_a-z]+)
  | (?P<sign>\S) | (?P<end>\Z))
    """,
    re.VERBOSE,
)
_KINDS: dict[str, TokenKind] = {
    "instance": "instance",
    "gguf": "gguf",
    "experts": "experts",
    "number": "number",
    "word": "word",
    "plain": "word",
    "date": "date",
    "version": "date",
    "arrow": "arrow",
}

_SILENT = frozenset(("hub", "url", "end"))

MOST_TOKENS = 12_000
"""Words read of a message; Slack cuts longer ones."""


class Token(NamedTuple):
    """One word, number or sign; `glued`: nothing stands between it and the last."""

    kind: TokenKind
    text: str
    start: int
    end: int
    glued: bool


_TIGHT = regex(r"[a-z],[a-z\d]")
_PARTED = regex(
    r"(?:(?<=[=:])|(?<=[a-z] ))\d+,(?=\d{3}(?!\d))|(?<![\d.,])\d+,(?=\d{1,2}(?!\d))"
)
"""A comma between digits that is none of thousands where commas part clauses."""


def tokens_of(text: str) -> list[Token]:
    """Cut text into tokens; blanks and addresses of other sites are left out."""
    if "," in text and _TIGHT.search(text):
        # "70b,rps=20,300 out": the comma parts, it groups no thousands
        text = _PARTED.sub(lambda found: found[0][:-1] + ";", text)
    found: list[Token] = []
    last = -1
    for match in _TOKEN.finditer(text):
        group = match.lastgroup
        if group is None or group in _SILENT:
            continue
        start, end = match.span(group)
        token = text[start:end]
        if group == "split":  # "3k5" is 3.5k
            whole, scale, tenth = token[:-2], token[-2], token[-1]
            found.append(
                Token("number", f"{whole}.{tenth}", start, end - 1, start == last)
            )
            found.append(Token("word", scale, end - 1, end, True))
            last = end
            continue
        if "'" in token and group == "word":
            token = re.sub(r"^we'd$|'", _joined, token)
        kind = _KINDS.get(group, "sign")
        found.append(Token(kind, token, start, end, start == last))
        if len(found) == MOST_TOKENS:
            break
        last = end
    return found


def _joined(found: re.Match[str]) -> str:
    """Write "it's" as one word; "we'd" is no Wednesday."""
    return "we" if len(found[0]) > 1 else ""


def value_of(text: str, thousands: bool = False) -> float:
    """Read a number: 1,500 · 1.000.000 · 1,5 · 1e3 · 1 000 000.

    `thousands`: a lone dot before three digits groups them ("1.500 usuarios").
    """
    if text.isascii() and text.isdigit():
        return float(text)
    digits = "".join(text.split()).replace("'", "")
    digits = digits.replace("_", "")
    mantissa, _, exponent = digits.partition("e")
    number = float(_decimal(mantissa, thousands))
    return number * 10.0 ** int(exponent) if exponent else number


def _decimal(digits: str, thousands: bool) -> str:
    """Return the digits with a dot for the decimal sign and no grouping."""
    if "," in digits and "." in digits:
        decimal = "," if digits.rfind(",") > digits.rfind(".") else "."
        grouping = "." if decimal == "," else ","
        whole, _, fraction = digits.replace(grouping, "").rpartition(decimal)
        return f"{whole.replace(decimal, '') or '0'}.{fraction}"
    sign = "," if "," in digits else "."
    groups = digits.split(sign)
    if len(groups) > 2:
        return "".join(groups)
    if len(groups) == 2 and _groups(groups, sign, thousands):
        return "".join(groups)
    return digits.replace(",", ".")


def _groups(groups: list[str], sign: str, thousands: bool) -> bool:
    """Whether one sign before three digits groups thousands."""
    whole, fraction = groups
    if len(fraction) != 3 or len(whole) > 3 or whole in ("", "0"):
        return False
    return sign == "," or thousands or fraction == "000"

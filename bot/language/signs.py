"""Read signs: channels, dashes, flags, times of day."""

from bot.language.row import Row
from core.patterns import regex

_CLOCK = regex(r"(\d{1,2})(?::([0-5]\d))?(?:\s?(am|pm)|(?![\d:]|\.\d))(?![a-z])")
_SIGNS = {"/": "SLASH", "=": "EQ", ":": "EQ", "%": "PCT", "x": "TIMES", "*": "TIMES"}


def read_sign(row: Row, at: int) -> int:
    """Read the sign at a token; return where reading goes on."""
    sign = row.text(at)
    if sign == "#":
        return _channel(row, at)
    end, senses = row.words.longest(row.tokens, at)
    if senses:
        return row.mean(senses, at, end)
    if sign in "-—":
        return _dash(row, at)
    if sign == "!" and not row.tokens[at].glued and _leads(row, at):
        return row.add("NOT", None, at, at + 1)  # "!runpod"
    if sign == "/" and row.text(at + 1) == "gpucost":
        return at + 2
    if sign == "/" and row.parting_slashes and not row.tokens[at].glued:
        return at + 1
    if sign in _SIGNS and not (sign == "*" and not _multiplies(row, at)):
        row.add(_SIGNS[sign], None, at, at + 1)
    return at + 1


def _leads(row: Row, at: int) -> bool:
    """Whether a word stands right behind a sign."""
    after = row.tokens[at + 1 : at + 2]
    return bool(after) and after[0].glued and after[0].kind == "word"


def _channel(row: Row, at: int) -> int:
    """Read #ml-infra."""
    end = at + 1
    while end < len(row.tokens) and row.tokens[end].glued:
        if row.tokens[end].kind == "sign" and row.text(end) not in "-_":
            break
        end += 1
    name = "".join(token.text for token in row.tokens[at + 1 : end])
    return row.add("CHANNEL", name, at, end) if name else at + 1


def _dash(row: Row, at: int) -> int:
    """Read a dash between numbers, or the one or two that begin a flag."""
    around = row.around(at)
    parts = row.numbers.dashes > 1 and not row.tokens[at].glued
    if len(around) == 3 and around[0].kind == around[2].kind == "number" and not parts:
        return row.add("DASH", None, at, at + 1)
    after = at + 2 if row.text(at + 1) == "-" else at + 1
    if after < len(row.tokens) and not row.tokens[at].glued:
        row.flagged = _leads(row, after - 1)
    return after


def end_flag(row: Row, end: int) -> None:
    """Put the "=" behind a flag that was written with a blank."""
    if row.text(end) == "-" and row.tokens[end].glued:
        return  # "--tok/s-per-user 30", "--input-tokens 30": the key goes on
    row.flagged = False
    if end < len(row.tokens) and row.text(end) not in ("=", ":"):
        row.add("EQ", None, end - 1, end)


def _multiplies(row: Row, at: int) -> bool:
    """Whether "*" multiplies a number: "2*l40s", "l40s*2"."""
    around = row.around(at)
    if len(around) != 3:
        return False
    counted = row.last in ("GPU", "INSTANCE") and around[2].kind == "number"
    return around[0].kind == "number" or counted


def read_clock(row: Row, at: int) -> int:
    """Read a time of day: "9am", "8:30"; return `at` where there is none."""
    found = _CLOCK.match(row.clean.text, row.tokens[at].start)
    if found is None or int(found[1]) > 23 or not (found[2] or found[3]):
        return at
    end = at + 1
    while end < len(row.tokens) and row.tokens[end].end <= found.end():
        end += 1
    if found[3] == "am" and not found[2] and row.means(end, "TIME"):
        return at  # "8 am Tag"
    hour = int(found[1])
    if found[3]:
        hour = hour % 12 + 12 * (found[3] == "pm")
    return row.add("CLOCK", f"{hour:02}:{found[2] or '00'}", at, end)

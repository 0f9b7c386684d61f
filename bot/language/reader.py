"""Turn the tokens of a question into the row of meanings that the rules read."""

from bot.language.catalogue import Catalogue
from bot.language.families import Named
from bot.language.items import Item
from bot.language.lexer import Token
from bot.language.names import names
from bot.language.normalise import Clean
from bot.language.numbers import SCALES
from bot.language.row import Row
from bot.language.signs import end_flag, read_clock, read_sign
from bot.language.strangers import read_stranger
from bot.language.vocabulary import Sense

_LONGEST_SHORTHAND = 4
"""Letters of what only shortens a key: prompt_len, avg_in_tok."""
_KEY_LETTERS = "pgr"
"""p=800 g=150 r=16: keys only before a sign of equality."""
_KEYS = {
    "i": "IN", "o": "OUT", "n": "COUNTKEY", "b": "BATCHSIZE", "c": "CONC", "u": "USER",
    "tp": "COUNTKEY",
}  # fmt: skip
"""i=450 o=60 -n 6: words of their own anywhere else."""
_UNIT_LETTERS = "shdyu"
_UNITS_AFTER_BARE = frozenset(
    "REQ TOK USER TIME PCT SAMPLE DOC CONC EPOCH STEP CUR MUL PER".split()
)
_PRECISION_BITS = {2: "int4", 3: "int4", 4: "int4", 8: "int8"}


def items_of(clean: Clean, text: str, catalogue: Catalogue) -> list[Item]:
    """Return every meaning of a question, in order."""
    row = Row(clean, text, catalogue)
    row.spell_out()
    row.group_thousands()
    row.count_stressed()
    row.share_out()
    at = 0
    while at < len(row.tokens):
        at = _step(row, at)
    for item in row.items if "$" in text else ():
        article = item.concept == "CUR" and clean.plain[item.start : item.end] == "a $"
        if article:  # "a $2500 cap" is of no other country's dollars
            item.value, item.start = "USD", item.end - 1
    return row.items


def _step(row: Row, at: int) -> int:
    """Read one token or more; return where reading goes on."""
    token = row.tokens[at]
    match token.kind:
        case "arrow":
            return row.add("ARROW", None, at, at + 1)
        case "date":
            end, senses = row.words.longest(row.tokens, at)
            return (
                row.mean(senses, at, end) if senses else row.add("W", None, at, at + 1)
            )
        case "instance":
            machine = names().families.get(token.text, row.written(at))
            return row.add("INSTANCE", machine, at, at + 1)
        case "gguf":
            return _gguf(row, at)
        case "sign":
            return read_sign(row, at)
        case "number" | "experts":
            return _number(row, at)
        case _:
            return _spoken(row, at)


def _spoken(row: Row, at: int) -> int:
    """Read a word, or the identifier that begins with it."""
    text = row.tokens[at].text
    elided = row.text(at + 1) == "'" and at + 2 < len(row.tokens)
    behind = row.tokens[at + 2] if elided else None
    if len(text) == 1 and behind and behind.glued and behind.kind == "word":
        return at + 1  # "une quinzaine d'utilisateurs"
    if text in _CASES and _ends_a_name(row, at):
        return at + 1
    if country := row.country(at):
        return row.add("REGION", country, at, at + 1)
    flagged = row.flagged
    end = _identifier(row, at) or _word(row, at)
    if flagged and end > at:
        end_flag(row, end)
    return end


def _identifier(row: Row, at: int) -> int:
    """Where "scaledown_window" ends, of which a part is no word of ours; else 0."""
    if row.text(at + 1) != "_":
        return 0
    end = at + 1
    while row.text(end) == "_" and row.tokens[end].glued and end + 1 < len(row.tokens):
        end += 2
    if end == at + 1:
        return 0
    known = (
        row.words.longest(row.tokens, at)[0],
        row.catalogue.longest(row.tokens, at)[0],
    )
    if max(known) > at + 1 or row.models.read(at) is not None:
        return 0
    parts = [place for place in range(at, end, 2) if row.tokens[place].kind == "word"]
    named = any(row.names.longest(row.tokens, place)[1] for place in parts)
    strange = not named and any(
        len(row.text(place)) > _LONGEST_SHORTHAND
        and row.text(place) not in row.words.phrases
        and row.text(place) not in row.models.known.starts
        for place in parts
    )
    return row.add("W", None, at, end) if strange else 0


def _gguf(row: Row, at: int) -> int:
    """Read q4_K_M: four bits, and the name of the scheme where it is whole."""
    text = row.text(at)
    bits = int(text.lstrip("iq")[0])
    if "_" not in text and (bits < 4 or _is_quarter(row, at)):
        return row.add("W", None, at, at + 1)
    if bits in _PRECISION_BITS:
        row.add("PREC", _PRECISION_BITS[bits], at, at + 1)
    if "_" in text:
        row.add("QUANT", f"gguf-{text}", at, at + 1)
    return at + 1


def _is_quarter(row: Row, at: int) -> bool:
    """Whether "q4" is one of the year: "q4 2026", "since q4", "our q4 bill"."""
    after, before = row.text(at + 1), row.text(at - 1) if at else ""
    year = len(after) == 4 and after.startswith("20")
    return (
        year
        or after in _QUARTERLY
        or before
        in (
            "since",
            "last",
            "next",
            "until",
            "by",
            "end",
            "our",
            "this",
        )
    )


_QUARTERLY = frozenset(
    "plan planning budget roadmap review goals okr okrs forecast report target targets "
    "launch release".split()
)
""" "Q4 plan": a quarter's."""


def _number(row: Row, at: int) -> int:
    """Read a number: part of a phrase, of a name, or an amount."""
    end, senses = row.words.longest(row.tokens, at)
    named_end, name = row.names.longest(row.tokens, at)
    if name and named_end > end and not _counts_instead(row, at, named_end):
        return row.add(*name, at, named_end)
    listed_end, listed = row.catalogue.longest(row.tokens, at)
    if listed and listed_end > max(end, at + 1):
        return row.listed(listed, at, listed_end)
    if senses:
        return row.mean(senses, at, end)
    if row.tokens[at].kind == "experts":
        return row.add("EXPERTS", row.text(at), at, at + 1)
    return _amount(row, at)


def _counts_instead(row: Row, at: int, end: int) -> bool:
    """Whether "4090" counts what follows it instead of naming a card."""
    if row.text(at) not in row.names.bare or end >= len(row.tokens):
        return False
    if row.last == "CUR":
        return True
    _, senses = row.words.longest(row.tokens, end)
    if senses is None or senses[0][0] not in _UNITS_AFTER_BARE:
        return False
    return senses[0][0] not in _RENTED_BY or not _is_sold(row, at)


_RENTED_BY = frozenset(("PER", "TIME"))
_SOLD = frozenset(("A", "PRICE", "CHEAP", "HOWMUCH", "COST", "XCOUNT", "DUPLEX"))


def _is_sold(row: Row, at: int) -> bool:
    """Whether a price is asked of a card: "a 5090 per hour", "4090 hourly price"."""
    before = row.text(at - 1) if at else ""
    if row.last in _SOLD or before in _ARTICLES:
        return True
    read = {item.concept for item in row.items}
    if "GPU" in read and row.last in ("VS", "OR", "AND", "SLASH"):
        return True
    if read & _LOADED:
        return False
    counted = row.last in ("NUM", "TIMES")
    return counted or not row.items


_LOADED = frozenset("NUMB MODELNAME REQ".split())
_ARTICLES = frozenset("the one la le die der das de het il this".split())


def _amount(row: Row, at: int) -> int:
    if (end := read_clock(row, at)) > at:
        return end
    found = row.numbers.read(at)
    if found is None:
        return row.add("W", None, at, at + 1)
    item, end = found
    if _is_count_in_brackets(row, at, end):
        item.concept = "XCOUNT"
    row.items.append(item)
    if end < len(row.tokens):
        _split_tail(row, item, end)
    return end


_MOST_IN_BRACKETS = 64
_MEMORIES = frozenset((16, 24, 32, 40, 48, 64))
"""What a bare number in brackets behind a card may tell in gigabytes."""


def _is_count_in_brackets(row: Row, at: int, end: int) -> bool:
    """Whether a whole number alone in brackets tells how many: "b200 (2)"."""
    held = at > 0 and row.text(at - 1) + row.text(end) in ("()", "[]")
    if not held or row.last != "GPU" or end > at + 1:
        return False
    value = row.items[-1].end, row.text(at)
    near = row.tokens[at - 1].start <= value[0] + 1 and value[1].isdecimal()
    return (
        near
        and 0 < int(value[1]) < _MOST_IN_BRACKETS
        and (int(value[1]) not in _MEMORIES)
    )


def _split_tail(row: Row, item: Item, at: int) -> None:
    """Split "krps" behind a number into the scale and the unit."""
    tail = row.tokens[at]
    if not tail.glued or tail.kind != "word" or len(tail.text) < 3:
        return
    scale, unit = SCALES.get(tail.text[0]), tail.text[1:]
    known = row.words.phrases
    if scale and tail.text not in known and unit in known and not item.suffix:
        item.value *= scale
        item.suffix = tail.text[0]
        row.tokens[at] = tail._replace(text=unit)


def _word(row: Row, at: int) -> int:
    """Read the longest of what may begin here: a phrase, a name, a model."""
    text = row.text(at)
    if text in _KEYS and (row.flagged or row.text(at + 1) == "="):
        return row.add(_KEYS[text], None, at, at + 1)
    end, senses = row.words.longest(row.tokens, at)
    if not text.isascii():
        return _foreign(row, at, end, senses)
    if _names_nothing(row, text):
        return _ordinary(row, at, end, senses)
    named_end, name = row.names.longest(row.tokens, at)
    model = row.models.read(at)
    listed_end, listed = row.catalogue.longest(row.tokens, at)
    longest = max(end, named_end, model.end if model else 0)
    exact = model is not None and model.shortened and listed_end == longest
    if listed and (listed_end > longest or exact):
        return row.listed(listed, at, listed_end)
    if model and end == model.end and senses and _stands_for_more(row, at, model):
        return _ordinary(row, at, end, senses)
    if model and model.end >= max(end, named_end):
        return row.add("MODELNAME", model, at, model.end)
    if name and named_end >= end:
        sized = _memory_behind(row, name, named_end)
        return row.add(*(sized or name), at, named_end + 2 * bool(sized))
    if text in row.words.numbers:
        amount = row.numbers.read(at)
        if amount is not None and amount[1] > end:
            return _amount(row, at)  # "dwa tysiące": no pair of anything
    return _ordinary(row, at, end, senses)


def _stands_for_more(row: Row, at: int, model: Named) -> bool:
    """Whether a bare name is an abbreviation: "PHI never leaves", health data."""
    bare = model.end == at + 1 and not model.version and not model.parts
    return bare and row.written(at).isupper() and not row.original.isupper()


def _names_nothing(row: Row, text: str) -> bool:
    """Whether no name, no model and no number begins with a word: most words."""
    return (
        text.isalpha()
        and not row.names.begins(text)
        and text not in row.models.known.starts
        and text not in row.words.numbers
        and not row.catalogue.begins(text)
    )


def _ordinary(row: Row, at: int, end: int, senses: tuple[Sense, ...] | None) -> int:
    """Read a word that is no name: what it means, a number in words, a stranger."""
    if senses and (end > at + 1 or _plausible(row, row.tokens[at], at)):
        return row.mean(senses, at, end)
    if row.numbers.said(at) is not None:
        return _amount(row, at)
    return read_stranger(row, at)


_CASES = frozenset(
    "i u yi yu a e ya ye da de ta te dan den tan ten in un nin nun la le lar ler lari "
    "leri lara lere".split()
)
"""Endings of Turkish cases, behind the apostrophe of a name."""


def _ends_a_name(row: Row, at: int) -> bool:
    """Whether a case ends a name: "8 B200'ü 2 hafta"."""
    joined = at > 1 and row.text(at - 1) in ("'", "’") and row.tokens[at].glued
    return joined and row.last in ("GPU", "MODELNAME", "INSTANCE")


_OF = frozenset("de da di mit met z with of".split())


def _memory_behind(row: Row, name: Sense, end: int) -> Sense | None:
    """ "una A100 de 80", "eine A100 mit 80": the card of so much memory."""
    size = row.text(end + 1)
    if row.text(end) not in _OF or not size.isdecimal() or name[0] != "GPU":
        return None
    if end + 2 < len(row.tokens):
        _, senses = row.words.longest(row.tokens, end + 2)
        counted = _UNITS_AFTER_BARE - _RENTED_BY | {"GB"}
        counts = senses is not None and senses[0][0] in counted
        if counts or row.numbers.read(end + 2) is not None:
            return None
    return row.names.senses.get(f"{name[1]}{size}gb")


def _foreign(row: Row, at: int, end: int, senses: tuple[Sense, ...] | None) -> int:
    """Read a word in another script: a phrase, a number, a family such as 千问."""
    model = row.models.read(at)
    if model and model.end > end:
        return row.add("MODELNAME", model, at, model.end)
    written = row.numbers.written(at)
    if senses and (written is None or end > written[1]):
        return row.mean(senses, at, end)
    if written or row.numbers.said(at) is not None:
        return _amount(row, at)
    return row.add("W", None, at, at + 1)


def _may_have_rank(row: Row) -> bool:
    """Whether what was read last may be followed by the rank of an adapter."""
    if row.last in ("METHOD", "ADAPTER"):
        return True
    tuned = any(item.concept == "METHOD" for item in row.items)
    return tuned and row.last in ("MODELNAME", "NUMB", "PARAMS")


def _plausible(row: Row, token: Token, at: int) -> bool:
    """Whether a lone letter is meant as the unit or key that it may be."""
    if token.text == "go":
        return row.last == "NUM"  # a gigabyte of French, else a verb
    if len(token.text) > 1 or not token.text.isascii():
        return True
    if token.text == "r" and _may_have_rank(row):
        return row.text(at + 1).isdecimal() or row.text(at + 1) in ("=", ":")
    if token.text in _KEY_LETTERS:
        return row.text(at + 1) in ("=", ":")
    if token.text in _UNIT_LETTERS:
        behind_number = at > 0 and row.tokens[at - 1].kind == "number" and token.glued
        return behind_number or row.last in ("NUM", "SLASH", "PER")
    return True

"""Read words that are no phrase and no name as they stand."""

from bot.language.families import Family, Named, families
from bot.language.items import Item
from bot.language.lexer import value_of
from bot.language.names import looks_like_gpu, squeeze
from bot.language.row import Row
from bot.language.vocabulary import vocabulary
from core.patterns import regex

_TIMES = regex(r"x(\d{1,5})")
_ACTIVE = regex(r"a(\d{1,3}(?:\.\d{1,2})?)b")
_RANKED = regex(r"r(\d{1,4})")
_COUNTED_GPU = regex(r"([a-z]+\d+[a-z]*?)x(\d{1,5})")
_BEFORE_WEAK = frozenset(
    "! ex neither nor on at from via vs or and in with , / = : bei sur en em chez auf "
    "exclu interdit banni excluido prohibido excluiu escluso banned blacklisted vetoed "
    "na no not und oder et ou y o e ve и или у beat beats than als bat "
    "undercuts".split()
)
_BEFORE_LISTED = frozenset("like as g eg by".split())
"""Before the first of several sellers of an API: "such as", "e.g."."""
_BEFORE_PAIR = frozenset(("both", "either", "neither", "sowohl"))
_BESIDE_WEAK = frozenset("PROVIDER GPU PRICE PRICING CHEAP COST SPEND".split())
_LONGEST_NAMED = 6
"""Letters of a name in "-ing"; longer words of that ending are verbs: "quantizing"."""
_ALSO_NAMED = ("llm", "lm", "vl", "coder", "embed", "rerank", "tts", "asr")
"""Words between a name and its size."""
_LONGEST_NAME = 12
"""Tokens of a name that ends in a size; longer chains of hyphens are no name."""
_BEFORE_PROVIDER = frozenset("neither nor on at from via vs bei chez not".split())
_PROVIDERISH = regex(
    r"(?!multi|single|any|public|private|hybrid|our|my|the|bare)"
    r"[a-z]{3,}(?:cloud|compute|gpus?|hosting)"
)
"""Names that providers give themselves."""
_CARD_MAKES = frozenset("rtx gtx geforce radeon instinct rx".split())


def read_stranger(row: Row, at: int) -> int:
    """Read a word by its shape; a mended one is left at its place to be read again."""
    text = row.text(at)
    if (seller := _weak(row, text)) and _named_as_provider(row, at):
        return row.add("PROVIDER", seller, at, at + 1)
    if row.catalogue.strong and (end := _misspelt_seller(row, at)) > at:
        return end
    if not text.isalpha():  # both have digits in them
        if (end := _count(row, text, at)) > at:
            return end
        if looks_like_gpu(text):
            return _unknown_gpu(row, text.rstrip("s"), at, at + 1)
    if text in _CARD_MAKES and row.text(at + 1).isdecimal():
        return _unknown_gpu(row, text + row.text(at + 1), at, at + 2)
    if (end := _unknown_model(row, at)) > at:
        return end
    return _mend(row, at)


def _weak(row: Row, text: str) -> str | None:
    """Return the provider of which an ordinary word may be the name."""
    return row.names.weak.get(text) or row.catalogue.weak.get(text)


def _named_as_provider(row: Row, at: int) -> bool:
    """Whether a word such as "together" stands where a provider would."""
    before = row.text(at - 1) if at else ""
    ends = row.text(at + 1) in ("?", "!", ".", "")
    apart = row.last in ("GPU", "INSTANCE") and before not in _BEFORE_WEAK
    if row.text(at) == "together" and ends and apart:
        return False  # "do both live on one h200 together?"
    if before == "." and at > 1:
        before = row.text(at - 2)  # of "e.g."
    listed = row.last == "API" and before in _BEFORE_LISTED
    paired = before in _BEFORE_PAIR and row.text(at + 1) in ("and", "or", "&", "als")
    paired = paired or (before == "auch" and row.last == "AND")
    return (
        listed
        or paired
        or _heads(row, at)
        or _joined_to_a_seller(row, at)
        or before in _BEFORE_WEAK
        or row.last in _BESIDE_WEAK
        or row.text(at + 1) in _CHARGES | _OFFERS
        or before in _CHARGES
        or (at == 0 and row.text(1) in ("vs", "versus"))
    )


_JOINTS = frozenset("and or & vs versus / , und oder et ou y o e".split())


def _joined_to_a_seller(row: Row, at: int) -> bool:
    """Whether another seller is named right behind it: "together and fireworks"."""
    if row.text(at + 1) not in _JOINTS or at + 2 >= len(row.tokens):
        return False
    if _weak(row, row.text(at + 2)):
        return True
    sense = row.names.longest(row.tokens, at + 2)[1]
    return sense is not None and sense[0] in ("PROVIDER", "APINAME")


_CHARGES = frozenset("charge charges verlangt berechnet facture cobra".split())
"""What a seller does: "what does together charge for llama 70b"."""
_OFFERS = frozenset("offers offered quotes quoted".split())


def _heads(row: Row, at: int) -> bool:
    """Whether a message begins with it, and hardware follows: "vast, 2 x 5090"."""
    if row.items or at > 2 * row.text(0).startswith("/"):
        return False
    behind = at + 1 + (row.text(at + 1) in (",", ":"))
    if behind >= len(row.tokens):
        return False
    counted = row.tokens[behind].kind == "number"
    return counted or row.names.longest(row.tokens, behind)[1] is not None


def _misspelt_seller(row: Row, at: int) -> int:
    """Read "amce-dc" where a seller would stand and acme-dc sells."""
    if not at or row.text(at - 1) not in _BEFORE_PROVIDER:
        return at
    end, written = at + 1, row.text(at)
    while _joined(row, end) and end < at + _LONGEST_NAME:
        written += row.text(end + 1)
        end += 2
    seller = row.catalogue.meant(squeeze(written))
    return row.add("PROVIDER", seller, at, end) if seller else at


def _count(row: Row, text: str, at: int) -> int:
    """Read "x8", "r16", "h100x4"."""
    if (found := _TIMES.fullmatch(text)) is not None:
        return row.add("XCOUNT", float(found[1]), at, at + 1)
    if (found := _ACTIVE.fullmatch(text)) is not None and row.last == "NUMB":
        token, billions = row.tokens[at], float(found[1])
        row.items.append(
            Item("NUMB", billions * 1e9, token.start, token.end, "b", billions)
        )
        return row.add("ACTIVE", None, at, at + 1)
    if (found := _RANKED.fullmatch(text)) is not None:
        row.add("RANK", None, at, at + 1)
        return row.add("NUM", float(found[1]), at, at + 1)
    found = _COUNTED_GPU.fullmatch(text)
    if found is not None and (sense := row.names.senses.get(found[1])):
        row.add("XCOUNT", float(found[2]), at, at + 1)
        return row.add(*sense, at, at + 1)
    return at


def _unknown_gpu(row: Row, name: str, at: int, end: int) -> int:
    """Keep what was said, and that nobody knows such a card."""
    row.add("UNKNOWN", ("gpu", name), at, end)
    return row.add("GPU", name, at, end)


def _unknown_model(row: Row, at: int) -> int:
    """Read "foobar-13b": hyphened words that end in a size, but no known model."""
    end = at + 1
    while _joined(row, end) and row.tokens[end + 1].kind == "word":
        end += 2
        if end > at + _LONGEST_NAME:
            return at
    if not (_joined(row, end) and row.tokens[end + 1].kind == "number"):
        return at
    size, unit = row.tokens[end + 1], row.tokens[end + 2 : end + 3]
    if not (unit and unit[0].glued and unit[0].text == "b"):
        return at
    name = row.clean.text[row.tokens[at].start : unit[0].end]
    row.add("UNKNOWN", ("model", name), at, end + 3)
    billions = value_of(size.text)
    if billions < 1e9:
        row.items.append(
            Item("NUMB", billions * 1e9, size.start, unit[0].end, "b", billions)
        )
    return end + 3


def _joined(row: Row, at: int) -> bool:
    """Whether a hyphen stands at a token and joins it to the next."""
    pair = row.tokens[at : at + 2]
    return len(pair) == 2 and pair[0].text == "-" and all(part.glued for part in pair)


def _like_a_provider(row: Row, at: int) -> bool:
    """Tell a name such as "foocloud" where a provider would stand."""
    before = row.text(at - 1) if at else ""
    placed = before in _BEFORE_PROVIDER or row.last in _BESIDE_WEAK
    return placed and _PROVIDERISH.fullmatch(row.text(at)) is not None


def _open_model(row: Row, at: int) -> int:
    """Read "teuken 7b", "gpt-nl 26b": a word of no other meaning before a size."""
    end = at + 1
    while _joined(row, end) and end < at + _LONGEST_NAME:
        end += 2
    end += row.text(end) in _ALSO_NAMED
    size, unit = row.tokens[end : end + 1], row.tokens[end + 1 : end + 2]
    experts = bool(size) and size[0].kind == "experts"
    sized = size and unit and size[0].kind == "number" and unit[0].glued
    if not experts and (not sized or unit[0].text != "b"):
        return at
    if size[0].start != row.tokens[end - 1].end + 1 or row.means(end + 2, "TOK"):
        return at
    name = row.clean.text[row.tokens[at].start : row.tokens[end - 1].end]
    name = name.replace(" ", "-")
    letters = "".join(filter(str.isalpha, row.text(at)))
    if row.typos.meant(letters, sized=True) is not None:
        return at  # a misspelt family is no other model
    if (
        _follows_stranger(row, at)
        or len(name) < 4
        or not name[0].isascii()
        or _describes(name)
    ):
        return at
    named = Named(Family(name, "-", False, None, {}), end=end + 1, open=True)
    if experts:
        named.parts = [size[0].text]
        return row.add("MODELNAME", named, at, end + 1)
    billions = value_of(size[0].text)
    named.parts, named.params_b = [f"{billions:g}b"], billions
    return row.add("MODELNAME", named, at, end + 2)


def _follows_stranger(row: Row, at: int) -> bool:
    """Whether another unknown word stands right before: "the deck says 70b"."""
    if (
        not row.original.isascii()
        or row.last != "W"
        or row.items[-1].end - row.items[-1].start < 3
    ):
        return False
    gap = row.clean.text[row.items[-1].end : row.tokens[at].start]
    return gap.isspace()


def _describes(word: str) -> bool:
    """Whether a word says what a model is like, or is done to it: no name of one."""
    done = word.endswith("ing") and len(word) > _LONGEST_NAMED
    return done or word in vocabulary().ordinary or word in families().describing


def _labelled(row: Row, at: int) -> int:
    """Read "jira-4821", "iso-27001": a number joined to an unknown word."""
    if not _joined(row, at + 1) or row.tokens[at + 2].kind != "number" or row.flagged:
        return at
    return row.add("W", None, at, at + 3)


def _mend(row: Row, at: int) -> int:
    """Replace a misspelt word by the one that was meant, or note it as unknown."""
    follows = row.tokens[at + 1 + _joined(row, at + 1) :][:1]
    sized = bool(follows) and follows[0].kind in ("number", "experts")
    meant = row.typos.meant(row.text(at), sized=sized)
    if meant is None and (end := _open_model(row, at)) > at:
        return end
    if meant is None and (end := _labelled(row, at)) > at:
        return end
    if meant is None and _like_a_provider(row, at):
        return row.add("UNKNOWN", ("provider", row.text(at)), at, at + 1)
    if meant is None:
        return row.add("W", None, at, at + 1)
    row.tokens[at] = row.tokens[at]._replace(text=meant)
    return at

"""Text that stands in front of every prompt: "a fixed 700 token policy prompt"."""

from bot.language.reading import Reading, needs
from bot.language.subject import learns
from core.patterns import regex

_SAME = (
    r"(?:fixed|identical|static|constant|same|shared|common|standard|unchanging|"
    r"unchanged|canned|recurring|repeated|feste[rsmn]?|gleiche[rsmn]?|"
    r"identische[rsmn]?|gemeinsame[rsmn]?|fixe|identiques?|commune?|fij[oa]|mism[oa]|"
    r"comun|fiss[oa]|stess[oa]|comune)"
)
_TEXT = (
    r"(?:(?:system|meta)[\s-]?)?(?:prompts?|instructions?|preambles?|prefix(?:es)?|"
    r"schemas?|polic(?:y|ies)|few-?\s?shots?|examples|headers?|templates?|rubrics?|"
    r"guidelines?|glossar(?:y|ies)|context|manuals?|rule ?books?|taxonom(?:y|ies)|"
    r"codebook|"
    r"anweisung\w*|vorspann|consignes?|instrucciones|istruzioni)"
)
_WORDS = r"(?:[a-z][\w-]*\s+)"
_BEFORE = regex(rf"\b{_SAME}\s+(?:{_WORDS}|few-?\s?shot\s+){{0,3}}$")
_NAMED_BEFORE = regex(rf"\b{_TEXT}\s*(?:of|with|at|is|=|:|von|de|di|\()?\s*$")
_NAMED_AFTER = regex(rf"\s*-?(?:tokens?)?[\s-]*(?:of\s+)?{_WORDS}{{0,2}}?{_TEXT}\b")
_FOR_ALL_AFTER = regex(
    rf"\s*-?(?:tokens?)?[\s-]*(?:of\s+)?{_WORDS}{{0,5}}?[\w-]*[(,\s]*"
    rf"(?:(?:which|that)\s+)?(?:is\s+|are\s+|stays?\s+)?(?:the\s+)?{_SAME}\s+"
    rf"{_WORDS}{{0,2}}?(?:for|in|across|on|with|to|by)\s+(?:every|each|all|any)\w*"
)
_SAME_AFTER = regex(
    rf"\s*-?(?:tokens?)?[\s-]*(?:(?:of|de|di)\s+)?(?:(?:it|them|which)\s+)?"
    rf"(?:(?:is|are)\s+)?(?:an?\s+)?(?:{_SAME}[\s-]+{_WORDS}{{0,2}}?{_TEXT}|"
    rf"{_TEXT}\s+(?:systeme\s+|de sistema\s+)?{_SAME})\b"
)
""" "2k shared system prompt", "9k of it a fixed rulebook"."""
_AS_BEFORE = regex(r"\b(?:same|gleiche\w*)\s+$")
_PROMPTS = regex(r"\s*-?(?:tokens?)?[\s-]*prompts\b")
"""Of "same 900 token prompts": as they were, each with words of its own."""
_CLAUSE = regex(r"[,;.:()?!+\n]")
_NEAR = 60
_FURTHEST = 160
"""Letters in which it is said what a part of a prompt is."""
_LEAST = 20
"""Tokens below which nothing stands in front of a prompt."""


@needs("TOK IN OUT SAMPLE", "NUM")
def fixed_prompts(reading: Reading) -> None:
    """Keep the tokens that all requests begin with apart from their own."""
    if learns(reading) or not reading.has("TOK", "IN", "OUT", "SAMPLE"):
        return
    for index in reading.places("NUM"):
        item = reading.items[index]
        if reading.line[index] != reading.whole[index] or item.value < _LEAST:
            continue
        if reading.concept_at(index + 1) != "TOK" and item.suffix != "k":
            continue
        before = _CLAUSE.split(reading.plain[max(0, item.start - _NEAR) : item.start])
        told = _told(before[-1], reading.plain[item.end : item.end + _NEAR])
        if told is None:
            continue
        end = index + 1
        while end < len(reading.items) and reading.items[end].start < item.end + told:
            end += 1
        reading.note("~cached", item.value, index, end)
        reading.use(index, end)


def _told(before: str, after: str) -> int | None:
    """How far the words reach that say what the tokens are; None: nothing fixed."""
    if held := _FOR_ALL_AFTER.match(after) or _SAME_AFTER.match(after):
        return held.end()
    if _BEFORE.search(before) is None:
        return None
    if _AS_BEFORE.search(before) and _PROMPTS.match(after):
        return None
    if named := _NAMED_AFTER.match(after):
        return named.end()
    return len(" tokens") if _NAMED_BEFORE.search(before) else None


_OF_ALL = r"(?:(?:our|the|each|every|all|an?|my|their|these|those|typical|whole)\s+)"
_PROMPT = (
    r"(?:prompts?|inputs?|context|(?:input\s+|prompt\s+)?tokens?|it|them|which|that)"
)
_PART_OF = regex(
    rf"[\s-]*(?:tokens?\s+)?(?:of\s+)?{_OF_ALL}{{0,2}}"
    rf"(?:(?P<whole>\d[\d.,]*\s?k?)[\s-]*(?:tokens?[\s-]*)?(?:long\s+)?)?{_PROMPT}?"
    r"(?:\s*\((?P<later>\d[\d.,]*\s?k?)\s*(?:tokens?)?\))?\s*,?\s*"
    r"(?:(?:is|are|was|were|stays?|remains?)\s+"
    r"(?:(?:always|all|exactly|the|an?|completely)\s+)*"
    rf"(?:{_SAME}|cached|cacheable|reusable|boilerplate)\b"
    rf"(?:\s+{_WORDS}{{0,1}}?{_TEXT}\b)?|"
    r"(?:never|do(?:es)?n't|do(?:es)? not) changes?\b|"
    r"repeats?\b|(?P<other>(?:differs?|changes?|var(?:y|ies)|(?:is|are) unique)\b))"
)
"""What stands behind a part of a prompt: "90% of our 10k token prompt is the same"."""


@needs("TOK IN REQ CTX", "NUM HALF")
def shared_parts(reading: Reading) -> None:
    """Read the part of a prompt that is the same each time, and the whole's length.

    A share counts in percent or parts ("three quarters"), else in tokens of the whole.
    """
    if learns(reading) or not reading.has("TOK", "IN", "REQ", "CTX"):
        return
    for index in reading.places("NUM", "HALF"):
        item, half = reading.items[index], reading.concept_at(index) == "HALF"
        counted = not half and reading.concept_at(index + 1) == "PCT"
        end = max(item.end, reading.items[index + counted].end)
        told = _PART_OF.match(reading.plain, end, end + _FURTHEST)
        if told is None:
            continue
        whole = _number_at(reading, told.start("whole"), told.start("later"))
        of_all = 100 if counted else whole and reading.items[whole].value
        part = 0.5 if half else item.value / of_all if of_all else None
        if told["other"]:
            part = part and 1 - part
        if part is None and item.value >= _LEAST and not told["other"]:
            reading.note("~cached", item.value, index, index + 1)  # "of which 8k is …"
        elif part and part <= 1:
            reading.put("cache_hit_rate", part, index, index + 1 + counted)
        else:
            continue
        reading.stretch("cache_hit_rate", item.start, told.end())
        reading.use(index, index + 1 + counted)
        if whole is not None:
            reading.put("input_tokens", reading.items[whole].value, whole, whole + 1)
            reading.use(whole, whole + 1)
        return


def _number_at(reading: Reading, *places: int) -> int | None:
    """The number that begins at one of these places of the plain text."""
    found = (i for i in reading.places("NUM") if reading.items[i].start in places)
    return next(found, None)


_CACHE = r"(?:(?:prefix|prompt|context|input)[\s-]?)?cach(?:e|ing)(?: hits?)?\b"
_NO_CACHE = regex(
    rf"(?:(?<!with or )(?<!with and )(?<!with/)\b(?:no|without|w/o|ohne|sans|sin|senza|"
    rf"zonder|bez)\s(?:any |the |a )?{_CACHE}(?! (?:hit )?(?:rate|ratio|quanti\w*))|"
    rf"(?<!kv )(?<!kv-)\b{_CACHE}(?:\s(?:is|are|was))?\s(?:off|disabled|unavailable|"
    r"(?:turned|switched) off|not (?:used|possible|allowed|available|an option|enabled|"
    r"supported|in use)|out of the question)\b|"
    r"\b(?:can(?:'t|not| not)|(?:do|does|may|must|will|should) not|don't|doesn't|won't|"
    r"mustn't|never|not allowed to)\s(?:(?:use|have|do|get|count on|rely on|assume)\s"
    rf"(?:any |the )?{_CACHE}|cache\s(?:the |any |our )?(?:prompts?|prefix\w*|inputs?|"
    r"context|requests?|anything)\b)|"
    r"\b(?:prompts?|inputs?|requests?|prefixes|contexts?)\s(?:is|are|gets?|get)\s"
    r"(?:not|never)\s(?:cached|shared|repeated|reused)\b|"
    r"\bnothing\s(?:is |gets |can be )?(?:cached|shared|repeated|reused)\b)"
    r"(?!\s(?:yet|today|now|currently|so far|at the moment|right now|for now)\b)"
)
"""That nothing is kept, and not only so far."""


def uncached(reading: Reading) -> None:
    """Read that no prompt is kept: "no prefix caching", "caching is off"."""
    said = _NO_CACHE.search(reading.plain)
    if said and not learns(reading) and "cache_hit_rate" not in reading.fields:
        reading.fields["cache_hit_rate"] = 0.0
        reading.stretch("cache_hit_rate", *said.span())


_TOKENS = r"\d[\d.,]*\s?k?[\s-]*(?:tokens?|toks?)?[\s-]*(?:of\s+)?(?:the\s+)?"
_IS = r"\s*(?:prompts?|messages?)?\s*(?:is|are|of|with|ha[sv]e?|=|:|at|about|~|\s)*"
_FIXED = r"(?:sys(?:tem)?(?:[\s-]prompts?)?|instructions?|template|few-?\s?shots?)"
_GIVEN = (
    r"(?:history|(?:rag |retrieved )?(?:context|chunks?|doc(?:ument)?s?|passages?))"
)
_OWN = r"(?:user|questions?|quer(?:y|ies)|messages?|chat|tickets?|mails?|reviews?)\b"
_ADDED = tuple(
    regex(rf"(?<![\w.,])(?:{shape})(?! (?:an?|per|each|every|a day)\b|/)")
    for shape in (
        rf"(?P<a>{_TOKENS})(?:(?P<fixed>{_FIXED})|{_GIVEN})\s*(?:\+|plus|and|with|&|,)"
        rf"\s*(?:about |around |another |~ ?)?(?P<b>{_TOKENS}){_OWN}",
        rf"(?P<b>{_TOKENS}){_OWN}[^.;?!\d]{{1,40}}(?P<a>{_TOKENS})(?P<fixed>{_FIXED})",
        rf"(?P<fixed>{_FIXED}){_IS}(?P<a>{_TOKENS})[^.;?!\d]{{1,30}}?"
        rf"(?:(?P<b>{_TOKENS}){_OWN}|{_OWN}{_IS}(?P<c>{_TOKENS}))",
    )
)


@needs("NUM")
def added_parts(reading: Reading) -> None:
    """Read "3,400 token system prompt + 150 user", of which caching keeps the first."""
    shapes = () if learns(reading) else _ADDED
    found = next((m for one in shapes if (m := one.search(reading.plain))), None)
    if found is None:
        return
    told = found.groupdict()
    own = "c" if told.get("c") else "b"
    parts = [_number_at(reading, found.start(name)) for name in ("a", own)]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return
    whole = sum(reading.items[part].value for part in known)
    first, last = min(known), max(known)
    reading.put("input_tokens", whole, first, last + 1)
    reading.stretch("input_tokens", *found.span())
    if told.get("fixed") and "cach" in reading.plain:
        share = reading.items[known[0]].value / whole
        reading.put("cache_hit_rate", share, known[0], known[0] + 1)
    reading.use(first, last + 1)
    for index in range(first, last + 1):
        if reading.concept_at(index) == "USER":
            reading.become(index, "W", "")


RULES = (added_parts, shared_parts, fixed_prompts, uncached)

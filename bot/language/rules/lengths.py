"""Tokens of one request: the prompt, the answer, both, the context."""

from bot.language.reading import Match, Reading
from bot.language.rules.training import learns

_SIDES = {"IN": "input_tokens", "OUT": "output_tokens"}
_COUNTED = (
    "TIME|REQ|USER|CONC|GPUWORD|TIMES|PCT|NODE|EPOCH|SAMPLE|DOC|CUR|MUL|GB|STEP|"
    "INSTANCE|COUNTER|MODEL|PROVIDER|IMAGE|VIDEO|GRAND"
)
_CONTEXTS = (2, 4, 8, 16, 32, 64, 128, 256)
_LONGEST_SUMMARY = 8000
_LONGEST_PASSAGE = 32_768
_WHOLE = ("input_tokens", "total_tokens_per_request", "context")
_OTHERS = f"(?!GPU|{_COUNTED})"


def context(reading: Reading) -> None:
    """Read the context length; tokens of context per request are its prompt."""
    for match in reading.find("<n>NUM TOK CTX [PER EACHTOK] REQ"):
        reading.take("input_tokens", reading.value(match), match)
    for match in reading.find(
        "<n>NUM TOK? CTX",
        f"CTX [W EQ UNDER OVER]{{0,3}} <n>NUM {_OTHERS} TOK?",
        "SEQLEN [W EQ UNDER]{0,2} <n>NUM TOK?",
        "<n>NUM TOK? SEQLEN",
    ):
        reading.take("context", reading.value(match), match)
        return


def pair(reading: Reading) -> None:
    """Read "1.5k/300", "in/out 1000/200": the prompt, then the answer."""
    for match in reading.find(
        "[IN OUT] SLASH [IN OUT] EQ? <n>NUM [SLASH AND]? <o>NUM TOK?",
        "<n>NUM SLASH <o>NUM TOK? IN SLASH? OUT",
        f"<n>NUM SLASH <o>NUM (?!{_COUNTED}) TOK?",
    ):
        prompt, answer = reading.value(match), reading.value(match, "o")
        if prompt >= 10 and answer >= 1 and max(prompt, answer) >= 64:
            reading.put("input_tokens", prompt, *match.span())
            reading.put("output_tokens", answer, *match.span())
            reading.use(*match.span())
            return


def sides(reading: Reading) -> None:
    """Read prompt and answer lengths, whichever stands first: number or word."""
    keyed = reading.first(f"[IN OUT] EQ <n>NUM {_OTHERS}")
    ahead = reading.first("<n>NUM TOK? [IN OUT]")
    behind = reading.first(
        f"[IN OUT] TOK? [W EQ UNDER OVER LAT]{{0,3}} <n>NUM {_OTHERS}"
    )
    number_first = ahead and not keyed
    if number_first and ahead and behind:
        number_first = ahead.start() <= behind.start()
    orders = (_number_first, _word_first)
    for order in orders if number_first else reversed(orders):
        order(reading)


def _number_first(reading: Reading) -> None:
    """Read "500 in", "300 output tokens", "200 token answers"."""
    for match in reading.find(
        "<n>NUM TOK? <s>[IN OUT] TOK? [PER EACHTOK]? [REQ OUT IN]?"
    ):
        if not _is_preposition(reading, match):
            _put_side(reading, match)


def _word_first(reading: Reading) -> None:
    """Read "in=500", "answers of 250 tokens"."""
    for match in reading.find(
        f"<s>[IN OUT] TOK? [W EQ UNDER OVER LAT IN OUT]{{0,3}} <n>NUM {_OTHERS} <k>TOK?"
    ):
        if not _is_preposition(reading, match):
            _put_side(reading, match)


def _is_preposition(reading: Reading, match: Match) -> bool:
    """Whether "in" only says where or when: "10 rps in eu", "in 2026"."""
    if reading.item(match, "s").value != "in":
        return False
    concepts = reading.concepts(match)
    both = reading.has("OUT")
    if match.start("n") > match.start("s"):
        return not (concepts & {"TOK", "EQ"} or both)
    after = reading.concept_at(match.end())
    return (
        after in ("REGION", "TIME", "W", "CHANNEL", "CUR")
        and "TOK" not in concepts
        and not both
    )


def _put_side(reading: Reading, match: Match) -> None:
    side = _SIDES[reading.item(match, "s").concept]
    if side not in reading.fields and reading.value(match) < 1e8:
        reading.take(side, reading.value(match), match)


def written(reading: Reading) -> None:
    """Read "generate 300 tokens each" as the answer."""
    for match in reading.find("<w>WORK [W IN]{0,2} <n>NUM TOK"):
        if reading.value(match, "w") == "out" and not learns(reading):
            reading.take("output_tokens", reading.value(match), match)
            return


def condensed(reading: Reading) -> None:
    """Read "summarise them to 200 tokens" as the answer."""
    if not any(item.value == "summary" for item in reading.all("WORK")):
        return
    for match in reading.find(f"<n>NUM {_OTHERS} TOK?"):
        between = reading.between(match.start("n"))
        short = 8 <= reading.value(match) <= _LONGEST_SUMMARY
        if short and {"to", "into"} & set(between.split()):
            reading.take("output_tokens", reading.value(match), match)
            return


def words(reading: Reading) -> None:
    """Read "300 word answers", "answers of 300 words": words, not tokens."""
    for match in reading.find(
        "<n>NUM WORDS W{0,2} [OUT WORK]", "[OUT WORK] [W IN EQ]{0,2} <n>NUM WORDS"
    ):
        reading.aside["answer_words"] = reading.value(match)
        reading.use(match.start("n"), match.start("n") + 2)
        return


def per_request(reading: Reading) -> None:
    """Read tokens of a whole request: "2k tokens per request", "800 tokens each"."""
    for match in reading.find(
        "<n>NUM TOK W? [PER EACHTOK] W? [REQ DOC SAMPLE]?",
        "<n>NUM TOK [REQ DOC SAMPLE]",
        "[REQ DOC SAMPLE] [W TIMES]{0,2} <n>NUM TOK",
        "EACHTOK W? <n>NUM TOK",
    ):
        field = _whole_request(reading, match)
        if field not in reading.fields:
            start = match.start("n")
            reading.put(field, reading.value(match), start, match.end())
            reading.use(start, match.end())
            return


def _whole_request(reading: Reading, match: Match) -> str:
    """The field of a length that is said of a whole thing: documents are only read."""
    if learns(reading):
        return "tokens_per_sample"
    read = "DOC" in reading.concepts(match) or reading.has("DOC", "EMBED")
    return "input_tokens" if read else "total_tokens_per_request"


def bare_context(reading: Reading) -> None:
    """Read "34b int8 32k": a round number of thousands that counts nothing."""
    for match in reading.find(f"<n>NUM (?!{_COUNTED}|TOK|IN|OUT|PER|SLASH|EQ|STEP)"):
        item = reading.item(match, "n")
        if item.suffix == "k" and item.base in _CONTEXTS and not learns(reading):
            reading.take("context", item.value, match)
            return


def embedded(reading: Reading) -> None:
    """Read "300 rps, bge-m3, 256 tokens": what is embedded is only read."""
    named = reading.all("MODELNAME")
    embeds = any(item.value.family.modality == "embedding" for item in named)
    if not (embeds or reading.has("EMBED")) or reading.stated(*_WHOLE):
        return
    for match in reading.find("<n>NUM TOK (?!PER|SLASH)"):
        if reading.value(match) <= _LONGEST_PASSAGE:
            reading.take("input_tokens", reading.value(match), match)
            return


RULES = (words, context, pair, sides, written, condensed)
LATE_RULES = (per_request, embedded, bare_context)

"""How long a prompt, an answer or a window is."""

from bot.language.reading import Match, Reading
from bot.language.subject import learns
from bot.language.values.conditions import embeds
from bot.language.values.rates import counted_elsewhere, flow_of
from bot.language.values.units import SECONDS, Fields
from bot.language.vocabulary import phrases
from core.patterns import regex

_CONTEXTS = (2, 4, 8, 16, 32, 64, 128, 256)
_LEAST_WINDOW = 2000
_LONGEST_SUMMARY = 8000
_LONGEST_PASSAGE = 32_768
_PLUS = frozenset("plus más mas mais più piu oraz dazu zzgl artı плюс".split())
_LEAST_PILE = 1e5
"""Words; fewer are those of one text."""


def side(reading: Reading, match: Match) -> Fields:
    """A prompt or an answer, unless "in" only says where or when."""
    if reading.value(match) >= 1e8 or "out of" in reading.between(match.start("n")):
        return {}  # "25 at once out of 100"
    if reading.value(match) % 1 > 0 and reading.value(match) < _LEAST_PROMPT:
        return {}  # "came back at 3.40", "TOP_P=0.9"
    if match.groupdict().get("s") and _is_preposition(reading, match):
        return {}
    number = match.start("n")
    if reading.concept_at(number - 1) == "CUR" and not reading.between(number).strip():
        return {}  # "$10 out per million"
    if _counts_them(reading, match):
        return {}
    last = match.end() - 1
    ahead = reading.concept_at(last) == "OUT" and reading.crossed_at(last)
    if ahead and _is_worded(reading, last):
        return {}
    return {"": reading.value(match)}


def _counts_them(reading: Reading, match: Match) -> bool:
    """Whether so few are prompts or answers: "12 replies", "1 question a minute"."""
    if reading.concepts(match) & {"TOK", "EQ"}:
        return False
    number, value = match.start("n"), reading.value(match)
    if reading.concept_at(number + 1) == "OFTHEM":
        return True  # "answers 30 of them an hour"
    named = number + 1 < match.end() and reading.word(number + 1)
    if match.groupdict().get("s"):
        return value < _LEAST_PROMPT and named != "in"
    return value < _LEAST_REPLY and named in _REPLIES


_LEAST_PROMPT = 8
_LEAST_REPLY = 50
_REPLIES = frozenset(
    "replies answers responses completions outputs summaries antworten reponses "
    "respuestas risposte respostas antwoorden odpowiedzi ответов".split()
)
_WORDED = regex(
    r"[\s:=]{1,3}(?:(?:is|are|will be|being|ist|sind|est|es|e|a|an|one|single|mere|"
    r"simple|basically|just|only|simply|merely|nur|lediglich|bloss|solo|seulement|juste)\s+){1,4}"
    r"(?:\w+\s+){0,2}?(?:yes|no|true|false|labels?|class(?:es)?|category|categories|"
    r"scores?|numbers?|flags?|words?|verdicts?|tags?|bool(?:ean)?s?|ja|nein|oui|non|si|"
    r"etikett|kategorie|note|ratings?|\w+\s?(?:/|\s(?:or|oder|ou|o)\s)\s?\w+)\b"
)
""" "The output is basically yes or no", "returns a number": no length is told."""


def _is_worded(reading: Reading, index: int) -> bool:
    """Whether it is told in words what an answer is, and not how long."""
    return _WORDED.match(reading.plain, reading.items[index].end) is not None


_ALL_IN = regex(r"\s(?:in total|altogether|all in|overall|total|insgesamt|en tout)\b")


def requests_of(reading: Reading, match: Match) -> Fields:
    """ "480 requests/s of 128 tokens", "1,200 qps × 64 tok"."""
    before = reading.between(match.start("n")).split()[-1:]
    times = reading.concept_at(match.start()) == "TIMES"
    return side(reading, match) if before == ["of"] or times else {}


def system_prompt(reading: Reading, match: Match) -> Fields:
    """ "a 4k system prompt", which all share; not "6k with the system prompt"."""
    between = reading.between(match.end() - 1).split()
    counted_in = {"with", "including", "incl", "mit", "avec", "con", "inklusive"}
    return {} if counted_in.intersection(between) else {"": reading.value(match)}


def _is_preposition(reading: Reading, match: Match) -> bool:
    """Whether "in" only says where or when: "10 rps in eu", "in 2026"."""
    if reading.item(match, "s").value != "in":
        return False
    concepts = reading.concepts(match)
    both = reading.has("OUT")
    if match.start("n") > match.start("s"):
        return not (concepts & {"TOK", "EQ"} or both)
    after = reading.concept_at(match.end())
    elsewhere = after in ("REGION", "TIME", "CHANNEL", "CUR", "PROVIDER")
    behind = reading.plain[reading.items[match.end() - 1].end :]
    named = behind[:5] == " the " or _A_YEAR.match(behind) is not None
    return "TOK" not in concepts and (
        named or (not both and (elsewhere or after == "W"))
    )


_A_YEAR = regex(r" (?:19|20)\d\d\b(?! ?(?:out|tok|in\b))")


def condensed(reading: Reading, match: Match) -> Fields:
    """ "generate 300 tokens each", "summarise them to 200 tokens": the answer."""
    kind = reading.items[match.start()].value
    amount = reading.value(match)
    if kind == "out" and "TOK" in reading.concepts(match) and not learns(reading):
        return {"output_tokens": amount}
    if (
        kind == "summary"
        and match.start("n") == match.start() + 1
        and not learns(reading)
    ):
        return (
            {"output_tokens": amount}
            if reading.concept_at(match.start() - 1) != "NUM"
            else {}
        )
    to = {"to", "into"} & set(reading.between(match.start("n")).split())
    told = "TOK" in reading.concepts(match)
    bare = kind == "summary" and reading.concept_at(match.end()) not in ("W", "DOC")
    if (
        (told or bare)
        and to
        and 8 <= amount <= _LONGEST_SUMMARY
        and not learns(reading)
    ):
        return {"output_tokens": amount}
    return {}


def longest(reading: Reading, match: Match) -> Fields:
    """ "contracts up to 120k tokens": the longest must fit, and is what is read.

    The noun is one of documents, or one that is counted elsewhere.
    """
    noun = reading.concept_at(match.start("x"))
    if noun == "W" and not counted_elsewhere(reading, match):
        return {}
    if noun == "EACHTOK" and reading.value(match) < _LEAST_WINDOW:
        return {}  # of an answer
    return {"": reading.value(match)}


def brought_to(reading: Reading, match: Match) -> Fields:
    """ "summarise 50k reports of 4k tokens into 300 tokens": what work ends in."""
    first = match.start("n")
    into = {"to", "into"} & set(reading.between(first).split())
    prompts = reading.concept_at(first - 1) in ("IN", "CTX", "CACHED")
    if not into or prompts or not reading.has("WORK") or learns(reading):
        return {}
    return {"": reading.value(match)}


def made(reading: Reading, match: Match) -> Fields:
    """ "80 token captions", "a 5 token label", "annotation 140", "700 écrits".

    A number of no unit is one only beside the length of what is read.
    """
    word = reading.word(match.start("x"))
    lines = word in ("line", "lines") and _SPOKEN.search(reading.plain)
    if not lines and not phrases("account", "made").find(word):
        return {}
    counted = reading.counts_something(match.end()) or reading.crossed_at(
        match.end() - 1
    )
    if "TOK" not in reading.concepts(match) and (
        counted or not reading.has("TOK", "IN")
    ):
        return {}
    short = reading.value(match) <= _LONGEST_PASSAGE and not learns(reading)
    return {"": reading.value(match)} if short else {}


_SPOKEN = regex(
    r"\b(?:npcs?|dialog(?:ue)?s?|characters?|speaks?|speaking|says?|saying|barks?|"
    r"scripts?|voice ?lines?|one-?liners?|subject)\b"
)
"""Before whom a line is what is said, none of a log."""


def other_side(reading: Reading, match: Match) -> Fields:
    """ "a contract is 14,000 tokens and the answer 600": what is no answer is read."""
    told = reading.has("OUT") or phrases("account", "made").find(reading.plain)
    spelled = any(item.value != "in" for item in reading.all("IN"))
    many = reading.value(match) > _LONGEST_PASSAGE * 4
    searched = reading.has("SHAREDPREFIX", "CACHE", "SEQLEN")
    searched = searched and "~cached" not in reading.notes
    if not told or spelled or searched or many or not _answered(reading, match):
        return {}
    return {"": reading.value(match)}


_ANSWERED = ("OUT TOK? [W EQ UNDER OVER DOC]{0,3} NUM", "NUM TOK? W{0,2} OUT")


def _answered(reading: Reading, match: Match) -> bool:
    """Whether another number is the length of the answer."""
    found = (m for pattern in _ANSWERED for m in reading.find(pattern))
    apart = any(m.end() <= match.start() or m.start() >= match.end() for m in found)
    return apart or bool(phrases("account", "made").find(reading.plain))


def pair(reading: Reading, match: Match) -> Fields:
    """ "1.5k/300", "1k→200": the prompt, then the answer."""
    prompt, answer = reading.value(match), reading.value(match, "o")
    if prompt >= 10 and answer >= 1 and max(prompt, answer) >= 64:
        return {"input_tokens": prompt, "output_tokens": answer}
    return {}


def plus(reading: Reading, match: Match) -> Fields:
    """ "1100+160", "1k 300": the prompt, then the answer."""
    first, second = reading.item(match, "n"), reading.item(match, "o")
    sign = reading.plain[first.end : second.start].strip()
    beside = {reading.concept_at(match.start() - 1), reading.concept_at(match.end())}
    alone = not sign and not beside & {"NUM", "NUMB", "EQ", "TIMES"}
    listed = sign == "/" and "NUM" not in {
        reading.concept_at(match.start() - 1),
        reading.concept_at(match.end()),
    }  # "13b / 6 rps / 1k / 150"
    return pair(reading, match) if sign == "+" or alone or listed else {}


def with_colon(reading: Reading, match: Match) -> Fields:
    """ "2.2k:280": the prompt, then the answer, written as one."""
    first, second = reading.item(match, "n"), reading.item(match, "o")
    glued = reading.plain[first.end : second.start] == ":"
    clock = second.value < 60 and second.end - second.start == 2
    return pair(reading, match) if glued and not clock else {}


def prompts_of(reading: Reading, match: Match) -> Fields:
    """ "400 employees, 4k prompts": how long they are, where a load is told beside."""
    item = reading.item(match, "n")
    told = reading.has("USER") or reading.first("NUM REQ+ PER TIME", "CONC") is not None
    long = item.suffix == "k" and 500 <= reading.value(match) <= _LONGEST_PROMPT
    if not (told and long) or not reading.word(match.end() - 1).startswith("prompt"):
        return {}
    return {"": reading.value(match)}


_LONGEST_PROMPT = 200_000


def both_sides(reading: Reading, match: Match) -> Fields:
    """ "700 tokens each way": the prompt is as long as the answer."""
    where = next(i for i in range(*match.span()) if reading.concept_at(i) == "IN")
    said = reading.plain[reading.items[where].start : reading.items[where].end]
    if not said.endswith(("way", "ways", "direction", "directions")):
        return {}
    value = reading.value(match)
    return {"input_tokens": value, "output_tokens": value}


def total_of(reading: Reading, match: Match) -> Fields:
    """ "1800 image tokens + 300 text tokens in", "question 90 plus 2,400 of text"."""
    between = reading.between_numbers(match)
    joined = "AND" in reading.concepts(match) and not match.groupdict().get("s")
    if not joined and "+" not in between and not _PLUS.intersection(between.split()):
        return {}
    return {"input_tokens": reading.value(match) + reading.value(match, "m")}


def product(reading: Reading, match: Match) -> Fields:
    """ "23 docs of 512 tokens per query": one prompt."""
    return {"input_tokens": reading.value(match) * reading.value(match, "m")}


def passages(reading: Reading, match: Match) -> Fields:
    """ "12 chunks of 400 tokens each + 200 question": one prompt of a search."""
    own = reading.value(match, "k") if match.groupdict().get("k") else 0
    return {"input_tokens": reading.value(match) * reading.value(match, "m") + own}


def whole(reading: Reading, match: Match) -> Fields:
    """Tokens of a whole thing: documents are only read, samples are trained on."""
    end = match.end() + (reading.concept_at(match.end()) == "PER")
    timed = reading.concept_at(end - 1) == "PER" and reading.concept_at(end) == "TIME"
    if timed and reading.items[end].value in SECONDS:
        return {}
    if match.end() - match.start() == 2 and not _lone(reading, match):
        return {}
    if learns(reading):
        return {"tokens_per_sample": reading.value(match)}
    read = bool({"DOC", "IMAGE", "VIDEO"} & reading.concepts(match))
    read = read or reading.has("DOC", "EMBED", "WORK", "IMAGE")
    opened = reading.has("BATCH", "OFFLINE") or embeds(reading)
    if not _ALL_IN.match(reading.plain, reading.items[match.end() - 1].end):
        outs = reading.places("OUT")
        opened = opened or any(_is_worded(reading, index) for index in outs)
    field = "input_tokens" if read or opened else "total_tokens_per_request"
    return {field: reading.value(match)}


def _lone(reading: Reading, match: Match) -> bool:
    """Whether tokens of which nothing is said can only be those of a request."""
    timed = any(reading.value(m, "t") in SECONDS for m in reading.find("PER <t>TIME"))
    sided = reading.has("IN", "OUT", "CTX", "SHAREDPREFIX", "CACHE", "METHOD")
    short = 8 <= reading.value(match) <= _LONGEST_PASSAGE
    return short and timed and not sided and not learns(reading)


def length_of_sequences(reading: Reading, match: Match) -> Fields:
    """ "20k pairs, sequences around 2k": how long the samples are, not the longest."""
    told = reading.has("SAMPLE") and reading.word(match.start()).startswith("sequences")
    return {"": reading.value(match)} if told else {}


def trained_length(reading: Reading, match: Match) -> Fields:
    """ "8k sequence", "4k seq": how long the sequences of a run are."""
    said = reading.word(match.start("w"))
    long = said in ("sequence", "sequences", "seq", "seqs") and (
        reading.item(match, "n").suffix == "k" or reading.value(match) >= 512
    )
    return {"": reading.value(match)} if long else {}


_COUNTED_BY_THOUSANDS = frozenset(
    "TOK IN OUT PER SLASH EQ STEP TIME REQ USER CONC SAMPLE DOC CUR GRAND IMAGE VIDEO "
    "GPUWORD GPU EPOCH SECRET".split()
)


def round_thousands(reading: Reading, match: Match) -> Fields:
    """ "34b int8 32k": a round number of thousands that counts nothing."""
    item = reading.item(match, "n")
    if item.suffix != "k" or item.base not in _CONTEXTS:
        return {}
    counted = reading.concept_at(match.end()) in _COUNTED_BY_THOUSANDS or (
        reading.concept_at(match.start() - 1) in ("CUR", "SLASH", "HAVE")
    )
    if counted or not reading.word(match.start("n")).endswith("k") or learns(reading):
        return {}
    return {"context": item.value}


def fitted_thousands(reading: Reading, match: Match) -> Fields:
    """ "4 b300, fits 160k?": the window that the memory must hold."""
    item = reading.item(match, "n")
    counted = reading.counts_something(match.end()) or item.suffix != "k"
    return {} if counted or learns(reading) else {"context": item.value}


def sized_sessions(reading: Reading, match: Match) -> Fields:
    """ "how many 32k sessions", "100k-token chats": the window that each of them fills.

    Where it is not asked right before the number, a word for conversations tells it.
    """
    item, cue = reading.item(match, "n"), match.start()
    if item.suffix != "k" and "TOK" not in reading.concepts(match):
        return {}
    cue -= reading.concept_at(cue - 1) == "CONC"
    cue -= reading.concept_at(cue - 1) in ("HOWMANY", "CAPACITY")
    asked = reading.concept_at(cue) == "HOWMANY" or (
        reading.concept_at(cue) == "CAPACITY"
        and reading.word(cue).split()[:2] == ["how", "many"]
    )
    if asked or reading.concept_at(match.start()) == "UNDER":
        return {"context": item.value} if item.suffix == "k" else {}
    chats = match.groupdict().get("x") and reading.word(match.start("x")) in _CHATS
    held = reading.has("CAPACITY") or (
        reading.has("HOWMANY") and reading.has("FIT", "CONC")
    )
    fits = chats and held and item.value >= _LEAST_WINDOW and not reading.has("OUT")
    return {"context": item.value} if fits else {}


def filled_context(reading: Reading, match: Match) -> Fields:
    """ "1 800 tokens of context, 300 back": no window is so odd, it is the prompt."""
    value = reading.value(match)
    odd = value < _LEAST_WINDOW or (value % 1000 and value % 1024)
    return {"input_tokens": value} if odd and reading.has("OUT") else {}


def embedded(reading: Reading, match: Match) -> Fields:
    """ "300 rps, bge-m3, 256 tokens": what is embedded is only read."""
    short = reading.value(match) <= _LONGEST_PASSAGE
    return {"input_tokens": reading.value(match)} if short else {}


def words_of_an_answer(reading: Reading, match: Match) -> Fields:
    """ "summarise in 200 words": millions are a pile, which is read elsewhere."""
    if reading.value(match) >= _LEAST_PILE:
        return {}
    return {"~answer_words": reading.value(match)}


def words_of_a_prompt(reading: Reading, match: Match) -> Fields:
    """ "1,000 words in and 200 out": no "1,000 words in 5 minutes"."""
    short = reading.value(match) < _LEAST_PILE
    sided = reading.has("OUT") or reading.word(match.end() - 1) != "in"
    return {"~prompt_words": reading.value(match)} if short and sided else {}


def sequences(reading: Reading, match: Match) -> Fields:
    """ "64 sequences of 8k tokens", "16 sessions of 32k": so many, each so long."""
    joint = reading.between(match.start("m")).split()
    if "USER" in reading.concepts(match) and joint not in (["of"], ["at"], ["x"]):
        return {}
    return {
        "concurrency": reading.value(match),
        "context": reading.value(match, "m"),
    }


_PER_WORD = ("<n>NUM TOK [PER A EACHTOK]? <w>[WORDS DOC]",)
_WORD = frozenset(
    "word words wort worter wortern mot mots palabra palabras palavra palavras parola "
    "parole woord woorden slowo slow слово слов".split()
)
_MOST_PER_WORD = 10
_BOTH_WAYS = frozenset(("way", "ways", "direction", "directions"))


def words_over_time(reading: Reading, match: Match) -> Fields:
    """ "18 million words a day, 1.4 tokens per word": tokens of that time.

    A translation is as long as what it translates: as many are written.
    """
    if reading.word(match.start("t") - 2) not in _WORD:
        return {}
    for each in reading.find(*_PER_WORD):
        ratio = reading.value(each)
        if reading.word(each.start("w")) not in _WORD or ratio > _MOST_PER_WORD:
            continue
        used, end = set(range(*each.span())), each.end()
        while (
            reading.concept_at(end) in ("IN", "SLASH", "OUT")
            and reading.word(end).split()[-1] in _BOTH_WAYS
        ):
            used.add(end)
            end += 1
        twice = end > each.end() or bool(_TRANSLATES.search(reading.plain))
        tokens = reading.value(match) * ratio * (2 if twice else 1)
        found = flow_of(tokens, reading.value(match, "t"))
        if not found:
            return {}
        side = {"input_share": 0.5} if twice else {"~tokens_side": "input"}
        return {**found, **side, "~also": tuple(used)}
    return {}


_TRANSLATES = regex(r"\b(?:translat|ubersetz|uebersetz|tradu|vertaal|vertal|tlumacz)")


def pile_of_words(reading: Reading, match: Match) -> Fields:
    """ "translate 40M words": a pile whose tokens are not counted yet."""
    if reading.value(match) < _LEAST_PILE:
        return {}
    return {"~words_total": reading.value(match)}


def token_long(reading: Reading, match: Match) -> Fields:
    """ "100k token filings": how long each of some things is, whatever they are."""
    unit, thing = reading.word(match.start("w") - 1), reading.word(match.start("w"))
    long = unit.endswith("token") and thing.endswith("s") and thing not in _NO_THINGS
    return {"": reading.value(match)} if long else {}


_CHATS = frozenset(
    "chats conversations sessions contexts sequences threads dialogues dialogs "
    "requests unterhaltungen gesprache sitzungen kontexte anfragen conversaciones "
    "sesiones contextos conversas conversazioni sessioni contesti gesprekken "
    "sessies rozmow sesji sohbet oturum диалогов чатов сессий".split()
)
_NO_THINGS = frozenset("prices costs rates bills is was as us limits budgets".split())


def retrieved(reading: Reading, match: Match) -> Fields:
    """ "6k tokens of retrieved context", "5k retrieved tokens per question"."""
    if not reading.word(match.start("r")).startswith("retriev"):
        return {}
    question = reading.value(match, "m") if match.groupdict().get("m") else 0
    return {"": reading.value(match) + question}

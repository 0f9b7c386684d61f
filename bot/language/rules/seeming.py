"""Words that look like a figure or a condition and state none.

"A long context one", "do we need more than one GPU", "roughly zero otherwise", "our
Llama 8B fine-tune", "in term time", "must hold ISO 27001", "half India, half US".
"""

from bot.language.reading import Reading, needs
from core.patterns import regex

_HOW_FAR = regex(
    r"how (?:far|much) (?:are we |is (?:that|this|it) )?(?:above|over|below|off|from) "
    r"(?:the )?(?:current |going )?(?:market|list|average)\b"
)
_REST_OF_TIME = regex(
    r"\s*(?:rps|qps|requests?|traffic|load)?\s*(?:otherwise|else|outside|the rest|"
    r"off[- ]?hours|at all other times|at weekends?|on weekends?|in between)\b"
)
_TERM = regex(r"\b(?:term[- ]?time|semester|exam)\b")
_SERVED = ("REQ", "USER", "CONC", "TTFT", "TPOT", "PER")
_TAUGHT = (
    "SAMPLE", "EPOCH", "METHOD", "SFT", "STEP", "DATA", "LIFE", "CADENCE", "HOWLONG",
)  # fmt: skip
_LANGUAGE = ("OUT", "TTFT", "TPOT", "TOK")


@needs("CAPACITY")
def distances(reading: Reading) -> None:
    """ "How far above the market is that" asks for a price, not how much is carried."""
    for index in reading.places("CAPACITY"):
        item = reading.items[index]
        if _HOW_FAR.match(reading.plain, item.start):
            reading.become(index, "W", "")
            reading.seen -= {"CAPACITY"}


@needs("NUM")
def nothing_else(reading: Reading) -> None:
    """ "3 rps by day, zero otherwise": the hours tell that already."""
    for index in reading.places("NUM"):
        item = reading.items[index]
        if item.value == 0 and _REST_OF_TIME.match(reading.plain, item.end):
            reading.use(index, index + 1)


@needs("MODELNAME", "FINETUNE")
def served_tunes(reading: Reading) -> None:
    """ "Llama 8B fine-tune, 8,000 students at once": it was tuned, and is served."""
    if not reading.has(*_SERVED) or reading.has(*_TAUGHT):
        return
    for match in reading.find("MODELNAME FINETUNE"):
        if not reading.crossed_at(match.end() - 1):
            reading.become(match.end() - 1, "TUNED", "")


@needs("RESERVED")
def terms(reading: Reading) -> None:
    """ "In term time" and "exam term" are no commitment."""
    for index in reading.places("RESERVED"):
        item = reading.items[index]
        near = reading.plain[max(0, item.start - 10) : item.end + 6]
        if _TERM.search(near) and reading.word(index).startswith("term"):
            reading.become(index, "W", "")


@needs("HALF", "REGION")
def halves(reading: Reading) -> None:
    """ "Half India, half US" tells where people are; the GPUs may stand anywhere."""
    found = list(
        reading.find("HALF [W IN]{0,2} REGION [AND W]{0,2} HALF [W IN]{0,2} REGION")
    )
    for match in found:
        reading.leave(match.start(), match.end(), "where people are, not the GPUs")
        for index in range(*match.span()):
            reading.become(index, "W", "")


def tenants_of_adapters(reading: Reading) -> None:
    """ "40 customer-specific adapters" counts adapters, and nobody who asks."""
    for match in reading.find("<n>NUM <u>USER W{0,2} ADAPTER"):
        reading.become(match.start("u"), "W", "")


_N = r"(?P<{}>\d[\d,]*(?:\.\d+)?)(?P<{}>k)?"
_IMAGE_TOKENS = regex(
    rf"\b{_N.format('n', 's')} (?:image|vision|visual) tokens?"
    r"(?: (?:an?|per|each|for each) \w+)?"
    rf"(?:(?:,| plus| and| \+) ?{_N.format('m', 't')} (?:text|prompt)(?: tokens?)?\b)?"
)


def other_meanings(reading: Reading) -> None:
    """ "Batch 8" of a memory question, "full precision" of a tune, a difference."""
    if reading.has("FIT", "TOPIC") and not reading.has("OFFLINE", "WORK", "DOC"):
        for match in reading.find("BATCH <n>NUM"):
            if 1 <= reading.value(match) <= 1024:
                reading.become(match.start(), "BATCHSIZE", "")
    if reading.has("SFT", "FINETUNE") and not reading.has("METHOD", "ADAPTER"):
        for index in reading.places("PREC"):
            if reading.word(index) == "full precision":
                reading.become(index, "FULL", "full")
    if reading.has("REQ", "USER", "CONC"):
        for index in reading.places("EXPLAIN"):
            if reading.word(index).startswith("difference between"):
                reading.become(index, "COMPARE", "")


_SAVED = regex(r"\b(?:sav(?:e|es|ed|ing|ings)|cheaper|discount)\b")
_REPLACED = regex(r"\b(?:instead of|rather than) (?:the |an? )?$")


@needs("NOT", "RESERVED", "PRICING")
def weighed_ways(reading: Reading) -> None:
    """ "What do we save with a term instead of on-demand" rules out neither."""
    if not _SAVED.search(reading.plain):
        return
    for match in reading.find("<n>NOT [W A IN]{0,2} [PRICING RESERVED]"):
        if _REPLACED.search(reading.plain[: reading.items[match.end() - 1].start]):
            reading.become(match.start("n"), "COMPARE", "")


@needs("EMBED")
def counted_embeddings(reading: Reading) -> None:
    """ "2M embeddings a day" are texts that are embedded."""
    for match in reading.find("NUM <e>EMBED PER TIME"):
        reading.become(match.start("e"), "DOC", "")


@needs("OUT")
def image_tokens(reading: Reading) -> None:
    """ "256 image tokens plus 200 text" are one prompt."""
    found = _IMAGE_TOKENS.search(reading.plain)
    if found is None or not reading.has("OUT"):
        return
    tokens = sum(
        float((found[name] or "0").replace(",", "")) * (1000 if found[scale] else 1)
        for name, scale in (("n", "s"), ("m", "t"))
    )
    reading.fields["input_tokens"] = tokens
    reading.told("input_tokens", found)


_FAST = r"(?:high[- ]speed|high[- ]bandwidth|fast|low[- ]latency)"
_FABRIC = regex(
    r"(?<!\bno )(?<!without )(?<!without any )\b(?:(?:with|needs?|requires?|must have|"
    r"have to have|has to have|over|on|plus|and|mit|avec|con) )?(?:an? |full |"
    r"non-blocking |real |proper )*"
    r"(?:(?P<ib>infiniband|(?<=[a-z] )ib(?= (?:network|fabric|interconnect)))|"
    r"(?<=[a-z] )(?:rdma|efa|roce|nvswitch)|"
    rf"(?<=[a-z] ){_FAST}(?= (?:network|fabric|interconnect)))"
    r"(?: (?:networking|network|fabric|interconnects?|links?)){0,2}"
    r"(?: between (?:all |the |our )*(?:nodes|machines|servers))?"
    r"(?: (?:is )?(?:required|needed|mandatory|a must|essential))?\b"
)
_ASKED = regex(
    r"\b(?:what(?: is|'s)|why|how (?:do(?:es)?|is)|explain|is|are|do|does)"
    r"(?: \w+){0,4} $"
)
_NO_FABRIC = regex(
    r"\b(?:no|without(?: any)?|(?:do not|don't) need(?: any)?) infiniband"
    r"(?: (?:is )?(?:needed|required|necessary))?\b"
)


def fabrics(reading: Reading) -> None:
    """ "With InfiniBand": only sellers who say that they join machines by it."""
    if free := _NO_FABRIC.search(reading.plain):
        reading.use_words(free)
    found = _FABRIC.search(reading.plain)
    if found is None or _ASKED.search(reading.plain[: found.start()]):
        return
    if reading.has("GPU", "MODELNAME", "PARAMS", "TRAIN", "FINETUNE"):
        reading.aside["fabric"] = "infiniband" if found["ib"] else "any"
        reading.told("fabric", found)


@needs("IMAGE", "MODELNAME", "REQ USER CONC")
def seen_images(reading: Reading) -> None:
    """A language model that looks at photos and answers in tokens makes no images."""
    named = reading.all("MODELNAME")
    texts = [one for one in named if one.value.family.modality is None]
    writes = reading.has("REQ", "USER", "CONC") and reading.has(*_LANGUAGE)
    if not texts or len(texts) < len(named) or not writes or not reading.has("IMAGE"):
        return
    if reading.has("BATCH", "DOC", "FINETUNE", "TRAIN"):
        return
    for index in reading.places("IMAGE"):
        if reading.concept_at(index - 1) in ("NUM", "A"):
            reading.become(index - 1, "W", "")
        reading.become(index, "W", "")
    reading.seen -= {"IMAGE"}


@needs("OFFLINE")
def short_waits(reading: Reading) -> None:
    """ "Doctors can wait up to 20 seconds" is a limit: somebody waits."""
    for match in reading.find("<w>OFFLINE [UNDER W]{0,2} NUM <t>TIME"):
        unit = reading.value(match, "t")
        if unit in ("second", "ms", "millisecond"):
            reading.become(match.start("w"), "W", "")


def labels(reading: Reading) -> None:
    """ "Budget code 7740", "rack 7B, row 4", "our team (11 people)"."""
    for found in _LABELS.finditer(reading.plain):
        reading.use_words(found)
        for index, item in enumerate(reading.items):
            inside = found.start() <= item.start < found.end()
            if inside and item.concept in _LABELLED:
                reading.become(index, "W", "")
                reading.use(index, index + 1)


_LABELLED = frozenset("BUDGET NUM NUMB USER CTX TOPIC SAMPLE LABEL MODELNAME".split())
_LABELS = regex(
    r"\b(?:racks?|row|aisle|bay|cage|cabinet|room|hall|floor|wing|"
    r"(?<!'re )(?<!are )(?<!is )building) (?:no\.? ?)?#?\d{1,4}[a-z]?\b"
    r"(?=[,:;.)]| (?:has|have|holds?|there|is|are|in|on|we|sits?|stands?)\b)|"
    r"\bbudget (?:code|line|number|cent(?:er|re)|id|item) #?\d+\b|"
    r"\b(?:our|my|the|a) team \(\d{1,3} (?:people|persons|engineers|of us)\b|"
    r"^context:(?= \d{1,3} [a-z]{4,})(?! \d+ tok)"
)

_LIKENESS = regex(
    r"[- ](?:style|styled|like|class|grade|level|inspired|flavou?red|esque)\b"
)


@needs("MODELNAME APINAME")
def likenesses(reading: Reading) -> None:
    """ "DeepSeek R1 style reasoning with a 32B": it is the other size that runs."""
    for index in reading.places("MODELNAME", "APINAME"):
        item = reading.items[index]
        inside = _LIKENESS.search(reading.plain, item.start, item.end)
        found = inside or _LIKENESS.match(reading.plain, item.end)
        sized = reading.places("NUMB", "MODELNAME")
        if found is None or not (inside or set(sized) - {index}):
            continue
        name = item.value if item.concept == "MODELNAME" else None
        if inside and (name is None or not name.params_b):
            continue  # a name of which "like" is a part
        if inside and name:
            reading.put("params_b", name.params_b, index, index + 1)
        reading.left.append((item.start, found.end(), "what it is like, no model"))
        reading.become(index, "W", "")


@needs("BATCH BATCHSIZE", "NUM", "TOK", "CHEAP COST PRICE HOWMUCH COMPARE")
def batches_weighed(reading: Reading) -> None:
    """ "At batch 8, how much cheaper per token at batch 64": so many at once, then."""
    found = list(reading.find("<b>[BATCH BATCHSIZE] EQ? <n>NUM"))
    if len(found) != 2 or not reading.has("TOK") or reading.has(*_TAUGHT):
        return
    if not reading.has("CHEAP", "COST", "PRICE", "HOWMUCH", "COMPARE"):
        return
    now, then = sorted(found, key=lambda match: match.start())
    reading.take("concurrency", reading.value(then), then)
    reading.leave(now.start(), now.end(), "ask the same with this batch to compare")
    reading.use(*now.span())
    weighed = [i for i in range(now.end(), then.start()) if i in reading.places("VS")]
    for index in (now.start("b"), then.start("b"), *weighed):
        reading.become(index, "W", "")
    reading.seen -= {"BATCH", "BATCHSIZE", *(("VS",) if weighed else ())}
    reading.wanted = "usd_per_million"


_WRITER = regex(
    r"\b(?:generator|generation|llm|answering|"
    r"(?:for|writes?|gives?|generates?) (?:the )?answers?)\b"
)
_RANKED = regex(
    r"\b(?:top[- ]?)?\d+ (?:passages?|chunks?|documents?|docs|candidates?|results?) "
    r"(?:are )?re-?ranked(?: (?:per|for each|for every|a|each) \w+)?|"
    r"\bre-?rank(?:s|ing|ed)?(?: of)?(?: the)?(?: top)? \d+(?: [a-z]+)?"
    r"(?: (?:per|for each|for every|a|each) \w+)?"
)
_BESIDE = regex(
    r"(?:\b(?:and|plus|with|beside|besides|alongside)|[,+&]) (?:an? |the |its |"
    r"our |some )?"
    r"(?:small )?(?:embedding (?:model|service|server)|embedder|embeddings (?:for|"
    r"next|on|in))\b"
)
""" "Mistral Small and an embedding model": the one that writes is sized."""
_OWN_QUESTION = "a model of its own: ask for it apart"


@needs("EMBED FIT")
def generators(reading: Reading) -> None:
    """ "RAG with embeddings, a reranker and a 14B generator": the 14B is sized."""
    if not reading.has("EMBED", "FIT") or reading.has(*_TAUGHT, "VS"):
        return
    media = {
        index: item.value.family.modality
        for index in reading.places("MODELNAME")
        for item in (reading.items[index],)
        if "embed" not in item.value.slug or item.value.family.modality
    }
    texts = [index for index, made in media.items() if made is None]
    asked = reading.has("REQ", "USER", "CONC")
    writes = asked and _WRITER.search(reading.plain) and (texts or reading.has("NUMB"))
    beside = (
        (asked or reading.has("FIT", "CANI", "GPUWORD"))
        and texts
        and ("embedding" in media.values() or _BESIDE.search(reading.plain) is not None)
    )
    if not (writes or beside):
        return
    helpers = [index for index, made in media.items() if made == "embedding"]
    for index in sorted((*helpers, *reading.places("EMBED"))):
        last = index + (reading.concept_at(index + 1) == "MODEL")
        reading.leave(index, last + 1, _OWN_QUESTION)
        reading.use(index, last + 1)
        reading.become(index, "W", "")
    reading.seen -= {"EMBED"}
    for found in _RANKED.finditer(reading.plain):
        reading.leave_words(found, _OWN_QUESTION)


_READ_BY = regex(
    r" (?:window )?(?:to|for|into) (?:the |each |our )?(?:llm|generator|model)\b"
)


@needs("CTX")
def read_contexts(reading: Reading) -> None:
    """ "4k context to the LLM" is what the model reads, and no limit of it."""
    for match in reading.find("[NUM NUMT] TOK? <c>CTX"):
        if _READ_BY.match(reading.plain, reading.item(match, "c").end):
            reading.become(match.start("c"), "IN", "")


SEARCHED = "what is searched is no load"
_SEARCHED = regex(
    r"\b(?:rag|retrieval|(?:semantic |document |enterprise )?search(?:es|ing)?|q ?& ?a|"
    r"qa|chat(?:bots?|s)?|(?:assistants?|copilots?|bots?)|questions?|lookups?)"
    r"(?: (?:system|bot|service|app|tool|pipeline|assistant|chatbot))?"
    r" (?:over|across|on top of|through|against|about|on|in) "
    r"(?:about |around |roughly |some |a |an |the |our |its |corpus of |~ ?)*"
    r"\d[\d.,]*(?: ?(?:k|m|mio|thousand|million|billion))?\b (?:[a-z-]+ ){0,3}?"
    r"(?:pages|documents|docs|pdfs|e?-?mails|tickets|records|files|manuals|articles|"
    r"contracts|reports|papers|books|chunks|vectors|passages|policies|cases|rulings|"
    r"invoices|posts|messages|transcripts|products|items|entries)\b"
    r"(?! ?(?:/|per\b|an?\b|each\b|every\b|daily|monthly|at once|today))"
    r"(?: (?:for|of) (?:our|the|its|their)(?= [a-z]))?"
)


@needs("REQ USER CONC")
def searched(reading: Reading) -> None:
    """ "RAG over 2 million pages": how much is searched, beside how often."""
    if reading.has("EMBED", "RERANK", "WORK", "BATCH", *_TAUGHT[:3]):
        return
    if reading.has("REQ", "USER", "CONC") and (
        found := _SEARCHED.search(reading.plain)
    ):
        start = found.start()
        for index, item in enumerate(reading.items):
            if start < item.start < found.end():
                reading.become(index, "W", "")
                reading.use(index, index + 1)
        reading.left.append((*found.span(), SEARCHED))


_FINISHED = (
    r"(?:results?|answers?|labels?|verdicts?|outputs?|scores?|responses?|each|"
    r"every one|they|it|one|ticket|document|message|request)"
)
_SOON = regex(
    rf"(?<!% of )\b(?:each |every )?{_FINISHED} "
    r"(?:(?:is|are|must|should|has|have|to|be|needed|wanted|required|due|ready|back|done|available|there|come|comes|returned|expected|labell?ed|tagged|"
    r"processed|finished|completed?) )*(?:within|in|inside|under|in under|in less than)"
    r" (?:an?|one|\d{1,3}) (?:seconds?|minutes?|min)\b|"
    r"\b(?:within|in under|in less than) (?:an?|one|\d{1,3}) (?:seconds?|minutes?|min)"
    r" (?:of (?:arriv\w+|receipt|being \w+)|each|apiece|after (?:it|they) arrives?)\b"
)


@needs("PER", "TIME")
def soon_after(reading: Reading) -> None:
    """ "6 million tickets a month, results within a minute": a limit of each one."""
    streams = reading.find("[REQ DOC OUT W] PER <t>TIME")
    if not any(reading.value(match, "t") != "second" for match in streams):
        return
    if reading.has("HOWLONG", *_TAUGHT):
        return
    found = _SOON.search(reading.plain)
    if found is None:
        return
    for match in reading.find("UNDER? IN? <n>[NUM A PER] <t>TIME", "<t>TIME"):
        start = reading.items[match.start()].start
        if not found.start() <= start < found.end():
            continue
        number = match.groupdict().get("n") and reading.value(match)
        each = {"minute": 60_000.0, "second": 1_000.0}.get(reading.value(match, "t"))
        if each is not None:
            reading.put("e2e_ms", float(number or 1) * each, match.start(), match.end())
            reading.told("e2e_ms", found)
            return


RULES = (
    searched, soon_after, likenesses, batches_weighed, generators, read_contexts,
    distances, short_waits, labels,
    nothing_else, served_tunes, terms, halves,
    tenants_of_adapters,
    fabrics, other_meanings, weighed_ways, counted_embeddings, image_tokens,
    seen_images,
)  # fmt: skip

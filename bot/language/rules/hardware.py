"""GPUs, how many, machines of the clouds, nodes."""

import re
from functools import cache
from itertools import chain

from bot.language.grammar import compiled
from bot.language.names import names
from bot.language.reading import Match, Reading, needs
from bot.language.subject import demanded, learns
from core.patterns import regex
from core.reference.names import compact
from core.reference.tables import read_table

_SIZED = {
    ("a100", 40): "a100-40gb", ("a100", 80): "a100-80gb", ("h100", 94): "h100-nvl",
    ("h100", 80): "h100", ("v100", 16): "v100-16gb", ("v100", 32): "v100-32gb",
    ("h200", 141): "h200", ("gh200", 96): "gh200", ("gh200", 144): "gh200-144gb",
}  # fmt: skip
_SIBLINGS = {
    "a100-40gb": "a100",
    "a100-80gb": "a100",
    "v100-16gb": "v100",
    "v100-32gb": "v100",
}
_ROUNDED = 0.08
"""How far a seller's round figure may be from the datasheet's."""
_ONE_CARD = regex(r"\ban?\s+\d+\s?(?:gb|gig)\s+(?:card|gpu|graphics card)\b")
_ARTICLE = regex(r"\b(?:an?|one|ein|eine|einer|une?|een|una?|uma?)\s+$")
_MOST = regex(
    r"\b(?:max(?:imum)?(?: of)?|at (?:the )?most|up to|(?:no|not) more than)\s*$"
)


_OR_ANY = regex(
    r",? or (?:whatever|something|anything|similar|the like|equivalents?|"
    r"(?:any(?:thing)? |some(?:thing)? )?(?:else|other|bigger|better|larger|smaller))\b"
    r"(?: (?:is|you|we|it|gpu|card|else|like that|bigger|better|smaller|larger)\b)?"
)


@needs("GPU")
def examples(reading: Reading) -> None:
    """ "L4s or whatever": the named GPU is a guess, any other will do."""
    places = [] if reading.stated("count") else reading.places("GPU")
    for index in places:
        if found := _OR_ANY.match(reading.plain, reading.items[index].end):
            reading.aside["gpu_is_example"] = True
            reading.told("gpu_is_example", found)
            return


@needs("GPU")
def memory_variants(reading: Reading) -> None:
    """Read "80gb a100", "a100 (80 GB)", "a100 40 or 80"."""
    for match in reading.find("<g>GPU <n>NUM GB", "<n>NUM GB <g>GPU"):
        slug = _SIZED.get((reading.value(match, "g"), int(reading.value(match))))
        if slug is not None:
            reading.item(match, "g").value = slug
    for match in reading.find("<g>GPU <n>NUM (?!TIME|REQ|TOK|USER|CONC|PCT)"):
        if str(reading.value(match, "g")).startswith("tpu"):
            reading.put("count", int(reading.value(match)), *match.span())
            reading.use(match.start("n"), match.start("n") + 1)
    for match in reading.find("<g>GPU [OR VS AND SLASH] <f>FORM"):
        _add_form(reading, match)
    for match in reading.find("<g>GPU [OR VS AND] <n>NUM GB?"):
        family = _SIBLINGS.get(reading.value(match, "g"))
        slug = _SIZED.get((family or "", int(reading.value(match))))
        if slug is not None:
            reading.become(match.start("n"), "GPU", slug)


@needs("GB", "GPU")
def own_memory(reading: Reading) -> None:
    """Read "a single 24 GB L4", "b200 with 180gb": the size tells what the card is."""
    if not reading.has("GB"):
        return
    for shape in ("<n>NUM GB [A FILL GPUWORD W]{0,2} <g>GPU",
                  "<g>GPU [A FILL GPUWORD ON W]{0,2} <n>NUM GB"):  # fmt: skip
        for match in compiled(shape).finditer(reading.whole):
            size, start = float(reading.value(match)), match.start("n")
            sizes = _memory(str(reading.value(match, "g")))
            if any(abs(own / size - 1) <= _ROUNDED for own in sizes):
                reading.span("gpu", start, start + 2)
                reading.use(start, start + 2)


@cache
def _memory(slug: str) -> tuple[float, ...]:
    """Gigabytes of a GPU, or of each of a family, as their datasheets say."""
    key = compact(slug)
    return tuple(
        row["memory_gb"]
        for row in read_table("core.reference", "gpus.toml")["gpu"]
        if key in map(compact, (row["id"], row["family"], *row.get("aliases", ())))
        or row["id"].startswith(f"{slug}-")
    )


def _add_form(reading: Reading, match: Match) -> None:
    """Read "h100 sxm vs pcie" as two GPUs."""
    family = str(reading.value(match, "g")).split("-")[0]
    slug = f"{family}-{reading.value(match, 'f')}"
    reading.become(match.start("f"), "GPU", slug)


@needs("INSTANCE")
def machines(reading: Reading) -> None:
    """Read machine types of the clouds: their GPUs, count and provider."""
    found = reading.places("INSTANCE")
    if not found:
        return
    start, end = found[0], found[-1] + 1
    written = tuple(dict.fromkeys(reading.items[index].value for index in found))
    reading.put("instance", written, start, end)
    known = [names().machines.get(name.lower()) for name in written]
    held = [machine for machine in known if machine is not None]
    if len(held) < len(known):
        return
    reading.put("gpu", tuple(dict.fromkeys(m.gpu for m in held)), start, end)
    counts = {machine.count for machine in held}
    multiple = reading.first(
        "<n>[NUM DUPLEX] [TIMES NODE GPUWORD]? W? INSTANCE", "INSTANCE <n>XCOUNT"
    )
    if multiple and "on" in reading.between(multiple.end() - 1).split():
        multiple = None  # "8 on p5.48xlarge": GPUs, not machines
    if len(counts) == 1 and (multiple or not reading.first("NUM GPU")):
        count = counts.pop() * (int(reading.value(multiple)) if multiple else 1)
        reading.put("count", count, start, end)
    providers = tuple(dict.fromkeys(machine.provider for machine in held))
    reading.put("provider", providers, start, end)


@needs("FIT OK CAPACITY CANI API APINAME FINETUNE TRAIN METHOD")
def one_gpu(reading: Reading) -> None:
    """ "on a 4090" is one card, where the question is what it can hold."""
    asks = reading.has("FIT", "OK", "CAPACITY", "CANI", "API", "APINAME")
    if "count" in reading.fields or not (asks or learns(reading)):
        return
    if _ONE_CARD.search(reading.plain) and not reading.has("GPU"):
        places = reading.places("GB")[:1]
        reading.put("count", 1, places[0], places[0] + 1)
        return
    for match in compiled("NUM GB GPU").finditer(reading.whole):
        start = reading.items[match.start()].start
        if _ARTICLE.search(reading.plain, 0, start) and len(reading.all("GPU")) == 1:
            reading.put("count", 1, match.end() - 1, match.end())
            return
    for match in reading.find("A GPU (?!PER)", "A GPUWORD (?!PER)"):
        if len(reading.all("GPU")) <= 1:
            reading.put("count", 1, *match.span())
            return


@needs("GPU")
def gpus(reading: Reading) -> None:
    """Read the GPUs that are named, in order, each once."""
    places = [i for i in reading.places("GPU") if not reading.is_told_of(i)]
    if not places:
        return
    slugs = dict.fromkeys(str(reading.items[i].value) for i in places)
    if not reading.has("VS", "OR", "COMPARE", "THAN"):
        # "8 A100 80GB …, how many more A100s": the same ones
        slugs = {
            s: None for s in slugs if not any(o.startswith(f"{s}-") for o in slugs)
        }
    reading.put("gpu", tuple(slugs), places[0], places[-1] + 1)


_RACK = regex(
    r"\bnvl[- ]?72\b(?P<noun>[- ](?:racks?|systems?|cabinets?|rack-?scale systems?))?"
)
_RACK_OF = regex(
    r"(?P<noun>racks?|systems?|armarios?|baies?|schranke?) (?:of |de |di |mit )?"
    r"(?:an? )?(?:nvidia )?(?:g?b[23]00 )?nvl[- ]?72\b"
)
_GPUS_OF_A_RACK = 72
_TRAY = 4
"""GPUs of one tray: so many, or several trays of them, are counted by the GPU."""
_RACK_KINDS = ("gb200", "gb300")


def racks(reading: Reading) -> None:
    """ "Two GB200 NVL72 racks" are 144 GPUs; an NVL72 alone may be of either kind."""
    kinds = reading.fields.get("gpu", ())
    of_racks = kinds and set(kinds) <= set(_RACK_KINDS)
    found = _RACK.search(reading.plain) if of_racks else None
    if found is None:
        return
    if not re.search(r"gb[23]00", reading.plain):
        reading.fields["gpu"] = _RACK_KINDS
    elif len(kinds) > 1:
        return
    said = reading.fields.get("count")
    ahead = _RACK_OF.search(reading.plain)
    named = found["noun"] or ahead
    counted = _GPUS_BEHIND.match(reading.plain, found.end())
    if said is None:
        start = ahead.start() if ahead else found.start()
        kind = _KIND.search(reading.plain, 0, start)
        one = _ARTICLE.search(reading.plain, 0, kind.start() if kind else start)
        loaded = demanded(reading) and not named
        said = 1 if (named or one) and not loaded else None
        for match in reading.find("<n>[NUM DUPLEX] [W TOPIC] GPU") if ahead else ():
            said = int(reading.value(match))
            reading.use(match.start(), match.end() - 1)
            break
    elif counted or (not named and said % _TRAY == 0):
        return
    if said is None:
        return
    reading.fields["count"] = said * _GPUS_OF_A_RACK
    whole = ahead or found
    reading.told("count", whole)


_GPUS_BEHIND = regex(r"\s*(?:gpus?|cards?|chips?|superchips?)\b")
_KIND = regex(r"(?:nvidia\s+)?(?:g?b[23]00[\s-]+)?$")


_BOXES = (
    r"(?:nodes|servers|boxes|machines|hosts|systems|instances|knoten|servern|maschinen|"
    r"rechnern|serveurs|noeuds|servidores|nodos|maquinas|nodi|serwerach|serwery|wezlach)"
)
_BOXES_OF = regex(
    r"(?<![\d.,])(?P<n>\d{1,4})\s?(?:x|×|\*|-?\s?gpus?\b)[\s-]*"
    r"(?:(?:nvidia|amd|instinct|geforce|rtx|sxm\d?|pcie|gpus?|[a-z]{1,3}\d\w*|\d+\s?gb)"
    rf"[\s-]+){{0,4}}{_BOXES}\b|"
    rf"\b{_BOXES}\s+(?:(?:with|of|having|mit|de|con|a|di|z)\s+)?"
    r"(?:(?:je|each|cada|chacun)\s+)?(?P<m>\d+)\s?(?:x|×|gpus?\b|(?=[a-z]{1,3}\d))"
)
_SO_MANY_BOXES = regex(
    r"(?:\d|\b(?:an?|one|two|three|four|five|six|eight|zwei|drei|vier|deux|trois|"
    r"quatre|dos|tres|cuatro|due|tre|quattro|twee|drie|both|single|these|those|our|my))"
    r"\s*(?:x|×)?\s*$"
)


@needs("GPU GPUWORD")
def machine_size(reading: Reading) -> None:
    """ "A load on 8xH200 nodes": how large each is, not how many GPUs there are."""
    if not (reading.has("GPU", "GPUWORD") and demanded(reading)):
        return
    found = _BOXES_OF.search(reading.plain)
    if found is None:
        return
    size = int(found["n"] or found["m"])
    if size < 1 or _SO_MANY_BOXES.search(reading.plain, 0, found.start()):
        return
    if reading.fields.get("count", size) == size:
        reading.fields.pop("count", None)
        reading.spans.pop("count", None)
        reading.aside["machine_gpus"] = size
        reading.stretch("machine_gpus", *found.span())


def most(reading: Reading) -> None:
    """Read "max 4 gpus", "at most 8 h100": fewer will do."""
    if "count" not in reading.fields:
        return
    start = reading.spans["count"][0][0]
    if said := _MOST.search(reading.plain[:start]):
        reading.aside["count_is_most"] = True
        reading.stretch("count_is_most", *said.span())


_REPLACES = regex(
    r"\b(?:replac\w+|instead of|in place of|tak(?:e|es|ing) over|swap\w*|"
    r"retir\w+|substitut\w+|our|current|existing|today|"
    r"we(?: already| now|'ve)? (?:run|have|use))\b"
)
_ADDS = regex(r"\b(?:in addition|additional|more|extra|on top|besides?|next to)\b")
_ASKED_GPU = compiled("HOWMANY W{0,2} <g>GPU")
_COUNTED = ("<n>[NUM DUPLEX] [TIMES W]{0,2} <g>GPU",)


@needs("GPU", "REQ USER CONC")
def replaced(reading: Reading) -> None:
    """ "How many L40S would replace our 4x A100 at 6 rps": the A100 are no answer."""
    asked = _ASKED_GPU.search(reading.whole)
    if asked is None or not reading.has("REQ", "USER", "CONC"):
        return
    if not _REPLACES.search(reading.plain) or _ADDS.search(reading.plain):
        return
    name = reading.value(asked, "g")
    for match in reading.find(*_COUNTED):
        count = float(reading.value(match))  # "b200 = 2.5x h200" counts none
        if reading.value(match, "g") == name or count != int(count):
            continue
        reading.leave(match.start(), match.end(), "the GPUs that are replaced")
        reading.use(*match.span())
        for index in range(*match.span()):
            reading.become(index, "W", "")


EARLY_RULES = (memory_variants, machines, replaced)


@needs("GB", "OK")
def enough_memory(reading: Reading) -> None:
    """ "Is 48 GB enough for a 70B": a card of that size is meant."""
    if reading.stated("gpu", "count") or "memory_gb" in reading.aside:
        return
    for match in reading.find("<n>NUM GB [FIT W IN]{0,3} OK"):
        if reading.stated("model", "params_b") or reading.has("MODELNAME", "NUMB"):
            reading.aside |= {
                "memory_gb": reading.value(match),
                "memory_bound": "exact",
            }
            reading.span("memory_gb", match.start(), match.start() + 2)
            reading.use(match.start(), match.end() - 1)
            reading.become(match.end() - 1, "FIT", "")
            return


_FEWER = regex(
    r"\b(?:from|drop\w*|reduc\w+|shrink\w*|cut\w*|down(?:siz\w+)?|replac\w+|go|"
    r"get (?:away|by)|halv\w+|consolidat\w+|scale down|instead of|von|de|da|"
    r"reduzier\w+|redui\w+|reduc\w+)\b[^.;?!]{0,40}$"
)
_DOWN_TO = regex(
    r"[^.;?!,\d]{0,30}?\b(?:to|with|by|onto?|auf|a|para|naar)(?: just| only)? "
)
_TWO_COUNTS = (
    "<n>NUM TIMES? [GPU GPUWORD] [W PREC ON]{0,3} <m>[NUM DUPLEX]",
    "<n>NUM [W ON]? <m>[NUM DUPLEX] TIMES? [GPU GPUWORD]",
)


@needs("GPU GPUWORD", "NUM")
def fewer(reading: Reading) -> None:
    """ "Does INT4 let us drop from 4 A100s to 2": two would do where four are."""
    gpus = reading.fields.get("gpu", ())
    if len(gpus) != 1:
        return
    shapes = map(compiled, _TWO_COUNTS)
    for match in chain.from_iterable(one.finditer(reading.whole) for one in shapes):
        first, last = reading.item(match, "n"), reading.item(match, "m")
        ahead = reading.plain[: first.start]
        between = _DOWN_TO.search(reading.plain, first.end, last.start)
        many, few = float(first.value), float(last.value)
        if many % 1 or few % 1 or not 0 < few < many:
            continue
        behind = match.start("m") + 1
        named = reading.concept_at(behind) in ("GPU", "GPUWORD", "TIMES")
        apart = behind < len(reading.items) and reading.between(behind).strip()
        if not (named or apart) and reading.counts_something(behind):
            continue
        if between is None or not _FEWER.search(ahead):
            continue
        if reading.fields.get("input_tokens") == few:  # "with 2 in awq"
            del reading.fields["input_tokens"], reading.spans["input_tokens"]
        reading.fields["count"] = int(few)
        reading.aside["count_before"] = int(many)
        reading.span("count", *match.span())
        reading.span("count_before", *match.span())
        reading.use(*match.span())
        return


_OF_A_CARD = regex(
    r"\s*(?:gb|gib|g|gig)?\s*(?:each|cards?|gpus?|ones?|versions?|variants?|"
    r"editions?|per (?:card|gpu)|apiece|a piece)\b"
)
_TIMES = regex(r"\d\s?x\s$|\dx\s?$")


@needs("GB")
def which_memory(reading: Reading) -> None:
    """ "8x A100 on GCP, the 40 GB ones", "DGX A100 (8x 80GB each)": which card."""
    gpus = reading.fields.get("gpu", ())
    if len(gpus) != 1 or gpus[0] not in _SIBLINGS.values():
        return
    for match in compiled("<n>NUM GB").finditer(reading.whole):
        number, unit = reading.items[match.start()], reading.items[match.end() - 1]
        slug = _SIZED.get((gpus[0], int(number.value)))
        behind = _OF_A_CARD.match(reading.plain, unit.end)
        counted = _TIMES.search(reading.plain, 0, number.start)
        if slug is None or not (behind or counted):
            continue
        reading.fields["gpu"] = (slug,)
        reading.span("gpu", *match.span())
        reading.use(*match.span())
        if reading.aside.get("memory_gb") == number.value:
            for name in ("memory_gb", "memory_bound"):
                reading.aside.pop(name, None)
                reading.spans.pop(name, None)
        return


_MOVES = regex(
    r"\b(?:mov|migrat|switch|swap|replac|chang|go|shift|upgrad|downgrad)\w*\b"
    r"[^.;?!]{0,60}?\b(?:to|with|for|by|onto)\b|\bfrom\b[^.;?!]{0,60}?\bto\b|"
    r"\b(?:instead of|rather than|in place of)\b|"
    r"\b(?:von|de|da|van)\b[^.;?!]{0,60}?\b(?:zu|nach|auf|a|vers|naar)\b"
)


@needs("GPU", "PROVIDER")
def sellers_of_each(reading: Reading) -> None:
    """ "H200 on CoreWeave or MI300X on Azure", "from A10G on AWS to L4 on GCP"."""
    order = reading.places("GPU", "PROVIDER")
    kinds = [reading.items[index].concept for index in order]
    pairs = list(zip(order[::2], order[1::2], strict=False))
    alternate = kinds == ["GPU", "PROVIDER"] * len(pairs)
    if len(pairs) < 2 or not alternate:
        return
    if not (reading.has("OR", "VS", "THAN") or _MOVES.search(reading.plain)):
        return
    values = [[str(reading.items[i].value) for i in pair] for pair in pairs]
    gpus, sellers = zip(*values, strict=True)
    if len(set(gpus)) == len(gpus) and len(set(sellers)) == len(sellers):
        reading.aside["sold_by"] = sellers


@needs("GPU", "PREC")
def formats_of_each(reading: Reading) -> None:
    """ "Int4 on an L40S or fp8 on an H100": each GPU with a format of its own."""
    order = reading.places("GPU", "PREC")
    kinds = [reading.items[index].concept for index in order]
    pairs = len(order) // 2
    if pairs < 2 or kinds not in (["PREC", "GPU"] * pairs, ["GPU", "PREC"] * pairs):
        return
    values = [str(reading.items[index].value) for index in order]
    gpus, formats = values[::2], values[1::2]
    if kinds[0] == "PREC":
        gpus, formats = formats, gpus
    read = set(reading.fields.get("precision", ())) == set(formats)
    named = tuple(gpus) == reading.fields.get("gpu")
    if named and read and len(set(formats)) > 1:
        reading.aside["gpu_precisions"] = tuple(formats)


_OFFERED = regex(
    r"\b(?:quot(?:e|es|ed|ation)|offer(?:s|ed|ing)?|proposal|proposes?|sales rep|"
    r"angebot\w*|angeboten|devis|propose|oferta|ofrecen?|preventivo|offerta|offerte)\b"
)
_TAKEN = regex(
    r"\b(?:we|i|wir|ich|nous|on)(?:'d| would| will|'ll)?\s(?:(?:only|just|really|nur|"
    r"n'avons besoin que de)\s)?(?:need|want|take|use|brauchen?|nehmen?|prendrions)\s"
    r"(?:(?:only|just|nur)\s)?(?P<n>\d{1,4}|two|three|four|five|six|eight|ten)"
    r"(?=\s*(?:[.,;!?)]|$)|\s(?:of (?:them|those|these)|cards|gpus|for|at most|max)\b)"
)
_SAID = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "eight": 8, "ten": 10}


def fewer_than_offered(reading: Reading) -> None:
    """ "A quote for 16x H200, we only need 4": what somebody offers is not wanted."""
    if not reading.stated("count") or not _OFFERED.search(reading.plain):
        return
    if (taken := _TAKEN.search(reading.plain)) is not None:
        said = taken["n"]
        reading.fields["count"] = _SAID.get(said) or int(said)
        reading.stretch("count", *taken.span("n"))
        reading.use_words(taken)


RULES = (
    machine_size,
    most,
    one_gpu,
    gpus,
    racks,
    own_memory,
    examples,
    enough_memory,
    sellers_of_each,
)
LATE_RULES = (which_memory, formats_of_each, fewer_than_offered, fewer)

"""GPUs, how many, machines of the clouds, nodes."""

import re

from bot.language.names import names
from bot.language.reading import Match, Reading

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
_KINDS_OF_GPU = frozenset("owned own used new existing dedicated our idle".split())
_ONE_CARD = re.compile(r"\ban?\s+\d+\s?(?:gb|gig)\s+(?:card|gpu|graphics card)\b")
_WATTS = re.compile(r"\s?k?w(?:atts?)?\b(?!/)")
_MOST = re.compile(
    r"\b(?:max(?:imum)?(?: of)?|at (?:the )?most|up to|(?:no|not) more than)\s*$"
)
_FORMS = {"sxm": "sxm", "sxm4": "sxm", "sxm5": "sxm", "pcie": "pcie", "nvl": "nvl"}


def memory_variants(reading: Reading) -> None:
    """Read "80gb a100", "a100 (80 GB)", "a100 40 or 80"."""
    for match in reading.find("<g>GPU <n>NUM GB", "<n>NUM GB <g>GPU"):
        slug = _SIZED.get((reading.value(match, "g"), int(reading.value(match))))
        if slug is not None:
            reading.item(match, "g").value = slug
            reading.use(match.start("n"), match.start("n") + 2)
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


def _add_form(reading: Reading, match: Match) -> None:
    """Read "h100 sxm vs pcie" as two GPUs."""
    family = str(reading.value(match, "g")).split("-")[0]
    slug = f"{family}-{reading.value(match, 'f')}"
    reading.become(match.start("f"), "GPU", slug)


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
    multiple = reading.first("<n>NUM TIMES? INSTANCE", "INSTANCE <n>XCOUNT")
    if len(counts) == 1:
        count = counts.pop() * (int(reading.value(multiple)) if multiple else 1)
        reading.put("count", count, start, end)
    providers = tuple(dict.fromkeys(machine.provider for machine in held))
    reading.put("provider", providers, start, end)


def counts(reading: Reading) -> None:
    """Read how many GPUs: "8xh100", "h100 x2", "two l4", "4 gpus"."""
    found: list[int] = []
    for match in reading.find(
        "GPUWORD EQ <g>GPU <n>XCOUNT",
        "<n>[NUM XCOUNT] TIMES? [PREC MODELNAME]? NOT? <g>GPU",
        "<n>NUM <w>W GPU",
        "<g>GPU W? <n>XCOUNT",
        "<g>GPU <n>NUM TIMES (?!GPU)",
        "<g>GPU [PRICE PER TIME COST]{0,4} DUR <n>NUM "
        "(?!TIME|TOK|REQ|USER|GPU|NUM|MODELNAME|CONC|IMAGE|VIDEO|AUDIO|DOC)",
        "<g>GPU TIMES <n>NUM",
        "<g>GPU <n>NUM [COUNTER GPUWORD]",
        "<n>NUM COUNTER <g>GPU",
        "<n>NUM COUNTER? TIMES? GPUWORD",
        "<n>NUM COUNTER",
        "GPUWORD [EQ TIMES] <n>NUM",
        "<n>DUPLEX W? <g>[GPU GPUWORD INSTANCE]",
        "<n>[NUM DUPLEX XCOUNT] TIMES? NUM GB <g>GPUWORD",
        "<n>XCOUNT",
        "<g>GPU <n>DUPLEX",
    ):
        if _counts_gpus(reading, match):
            found.append(int(float(reading.value(match))))
            reading.put("count", found[-1], *match.span())
            reading.use(match.start("n"), match.start("n") + 1)
    per_node = _nodes(reading)
    if len(set(found)) > 1:
        reading.fields.pop("count", None)
        reading.spans.pop("count", None)
        _put_each(reading, found)
    elif per_node and found:
        reading.fields["count"] = found[0] * per_node


def _put_each(reading: Reading, found: list[int]) -> None:
    """Keep the counts of "4 a100 vs 2 h100", one for each GPU in order."""
    named = dict.fromkeys(item.value for item in reading.all("GPU"))
    if len(named) == len(found) and not reading.has("INSTANCE"):
        reading.aside["gpu_counts"] = tuple(found)


def _counts_gpus(reading: Reading, match: Match) -> bool:
    value = float(reading.value(match))
    if reading.item(match, "n").suffix or _is_watts(reading, match):
        return False
    if "count" in reading.fields and reading.has("INSTANCE"):
        return False
    if "w" in match.groupdict() and not _is_described(reading, match):
        return False
    if _stands_on_it(reading, match):
        return False
    return value == int(value) and 0 < value <= 1e6


def _stands_on_it(reading: Reading, match: Match) -> bool:
    """Whether the number runs on the GPU: "serve 50 on h100" counts none of them."""
    if not match.groupdict().get("g") or match.start("g") < match.start("n"):
        return False
    return "on" in reading.between(match.start("g")).split()


def _is_described(reading: Reading, match: Match) -> bool:
    """Whether the word between count and GPU says what they are: "16 owned h200"."""
    word = reading.item(match, "w")
    return reading.plain[word.start : word.end] in _KINDS_OF_GPU


def _is_watts(reading: Reading, match: Match) -> bool:
    """Whether the number is one of watts: "700w h100", not "8 w/ h100"."""
    return _WATTS.match(reading.plain, reading.item(match, "n").end) is not None


def _nodes(reading: Reading) -> int:
    """Read "2 nodes of 8xh100"; in "16 h100 across 2 nodes" sixteen is the total."""
    for match in reading.find(
        "<n>NUM TIMES? NODE (?=[USED A W PER TIMES EQ]{0,3} [GPU GPUWORD])",
        "TIMES <n>NUM NODE",
        "PER NODE [W USED]{0,2} <n>NUM NODE",
    ):
        number = reading.value(match)
        if 0 < number <= 10000 and number == int(number):
            reading.use(match.start("n"), match.start("n") + 1)
            return int(number)
    return 0


def one_gpu(reading: Reading) -> None:
    """ "on a 4090" is one card, where the question is what it can hold."""
    if "count" in reading.fields or not reading.has("FIT", "OK", "CAPACITY", "CANI"):
        return
    if _ONE_CARD.search(reading.plain) and not reading.has("GPU"):
        places = reading.places("GB")[:1]
        reading.put("count", 1, places[0], places[0] + 1)
        return
    for match in reading.find("A GPU", "A GPUWORD"):
        if len(reading.all("GPU")) <= 1:
            reading.put("count", 1, *match.span())
            return


def gpus(reading: Reading) -> None:
    """Read the GPUs that are named, in order, each once."""
    places = reading.places("GPU")
    if not places:
        return
    slugs = dict.fromkeys(reading.items[i].value for i in places)
    reading.put("gpu", tuple(slugs), places[0], places[-1] + 1)


def most(reading: Reading) -> None:
    """Read "max 4 gpus", "at most 8 h100": fewer will do."""
    if "count" not in reading.fields:
        return
    start = reading.spans["count"][0]
    if _MOST.search(reading.plain[:start]):
        reading.aside["count_is_most"] = True


RULES = (memory_variants, machines, counts, most, one_gpu, gpus)

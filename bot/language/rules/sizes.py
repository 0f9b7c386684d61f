"""Which model, how large, how many."""

from bot.language.families import Named
from bot.language.grammar import compiled
from bot.language.reading import Reading, needs
from bot.language.subject import learns
from core.patterns import regex

_TENANTS = ("tenants", "customers", "clients")
"""People who share a card, but no slice of it."""
_NOT_PARAMS = "TOK|REQ|DOC|SAMPLE|USER|CUR|PER"


@needs("MODELNAME")
def model(reading: Reading) -> None:
    """Read the named model and the sizes that its name states."""
    places = reading.places("MODELNAME")
    if not places:
        return
    index = _in_full(reading, places)
    named: Named = reading.items[index].value
    others = [reading.items[place].value.slug for place in places[1:]]
    rivals = tuple(dict.fromkeys(slug for slug in others if slug != named.slug))
    if rivals and reading.has("VS", "OR", "COMPARE", "THAN"):
        reading.aside["rivals"] = rivals
        for place in places[1:]:
            reading.span("rivals", place, place + 1)
    reading.put("model", named.slug, index, index + 1)
    if named.params_b is not None:
        reading.put("params_b", named.params_b, index, index + 1)
    if named.active_b is not None:
        reading.put("active_params_b", named.active_b, index, index + 1)
    if named.family.modality is not None:
        reading.put("modality", named.family.modality, index, index + 1)


def _in_full(reading: Reading, places: list[int]) -> int:
    """The first name, or the later one that says which of its family it is."""
    first: Named = reading.items[places[0]].value
    if first.params_b is not None or first.version or first.parts:
        return places[0]
    return next(
        (
            place
            for place in places[1:]
            if reading.items[place].value.family.name == first.family.name
            and reading.items[place].value.params_b is not None
        ),
        places[0],
    )


@needs("UNKNOWN")
def unknown_model(reading: Reading) -> None:
    """Keep the name of a model that is stated and unknown."""
    for index in reading.places("UNKNOWN"):
        kind, name = reading.items[index].value
        if kind == "model":
            reading.put("model", name, index, index + 1)


_BARE_SIZE = f"NUMB (?!{_NOT_PARAMS}|IMAGE|VIDEO|ACTIVE|PARAMS ACTIVE)"


def alternatives(reading: Reading) -> None:
    """Read "8b vs 70b", "7b, 13b or 70b": sizes that are held against each other."""
    if "params_b" not in reading.fields or learns(reading) or reading.has("SPEC"):
        return
    rivals = list(reading.aside.get("rivals", ()))
    listed: list[str] = []
    waiting: list[int] = []
    for match in compiled(_BARE_SIZE).finditer(reading.whole):
        at = match.start()
        billions = reading.items[at].value / 1e9
        if billions == reading.fields["params_b"]:
            continue
        joint = _joint(reading, at)
        if joint == "":
            continue
        rivals += [*listed, f"{billions:g}b"] if joint == "weighed" else []
        for place in (*waiting, at) if joint == "weighed" else ():
            reading.span("rivals", place, place + 1)
        waiting = [*waiting, at] if joint == "listed" else []
        listed = [*listed, f"{billions:g}b"] if joint == "listed" else []
    if rivals:
        reading.aside["rivals"] = tuple(dict.fromkeys(rivals))


def _joint(reading: Reading, at: int) -> str:
    """How a size follows the size or model before it: weighed, listed or neither."""
    weighed = {"VS", "OR", "THAN", *(("AND",) if reading.has("COMPARE") else ())}
    before = at - 1
    while before >= 0 and reading.items[before].concept not in ("MODELNAME", "NUMB"):
        before -= 1
    if before < 0:
        return ""
    between = {item.concept for item in reading.items[before + 1 : at]}
    ends, starts = reading.items[before].end, reading.items[at].start
    joined = reading.plain[ends:starts].strip()
    if between & weighed or joined == "/":
        return "weighed"
    return "listed" if joined == "," else ""


@needs("EXPERTS")
def experts(reading: Reading) -> None:
    """Name a bare "16x22B" by what was written; its size is for the catalogue."""
    for match in reading.find("EXPERTS"):
        name = str(reading.items[match.start()].value)
        if reading.has("SLICE") and (copies := _COPIES.fullmatch(name)):
            reading.put("model_count", int(copies[1]), *match.span())
            reading.take("params_b", float(copies[2]), match)
        else:
            reading.take("model", name, match)


_COPIES = regex(r"(\d{1,3})x(\d+(?:\.\d+)?)b")
"""In slices of a GPU "7x7b" are seven models, and no experts."""


@needs("SLICE", "USER")
def tenants(reading: Reading) -> None:
    """ "4 tenants … with MIG", "mig, each 7b": a model of its own for each."""
    if "model_count" in reading.fields or not reading.has("SLICE"):
        return
    for match in reading.find("<n>NUM USER"):
        value = reading.value(match)
        word = reading.items[match.end() - 1]
        tells = reading.plain[word.start : word.end] in _TENANTS
        apart = tells or reading.has("EACHTOK")
        if apart and value == int(value) and 2 <= value <= 100:
            reading.take("model_count", int(value), match)
            return


_HELPERS = regex(
    r"(?P<n>\d{1,2}|two|three|four|five|six|seven) (?:(?:small|tiny|little|different|"
    r"separate|isolated|independent|kleine|petits|pequenos) ){0,2}"
    r"(?:re-?rankers?|embedders?|embedding models?|cross-?encoders?|classifiers?|"
    r"guard models?)\b(?! (?:of|with|at) \d)"
)
_SPELLED = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_HELPER_B = 0.6
"""Of a reranker: huggingface.co/BAAI/bge-reranker-v2-m3 has 0.57B."""


@needs("SLICE")
def helpers(reading: Reading) -> None:
    """ "Does MIG make sense for 7 small rerankers": each in a slice of its own."""
    found = _HELPERS.search(reading.plain)
    sized = reading.has("MODELNAME", "NUMB", "PARAMS")
    if found is None or sized or reading.has("REQ", "USER"):
        return
    reading.fields["model_count"] = int(_SPELLED.get(found["n"]) or found["n"])
    reading.fields["params_b"] = _HELPER_B
    for field in ("model_count", "params_b"):
        reading.stretch(field, *found.span())
    for index in reading.inside(*found.span()):
        reading.use(index, index + 1)
        reading.become(index, "W", "")
    reading.seen -= {"EMBED", "RERANK"}


_MOST_OF_ONE = 300
"""GB; more is what all GPUs of a machine have together."""


@needs("GB", "GPUWORD HOWMANY CHEAP PRICE")
def card_memory(reading: Reading) -> None:
    """Read "with at least 80 GB", "a 24gb card": what a GPU that has no name has."""
    about_cards = reading.has("GPUWORD", "HOWMANY", "CHEAP", "PRICE")
    if reading.has("GPU", "INSTANCE") or not about_cards:
        return
    for match in reading.find("<n>NUM <u>GB"):
        scale = 1000 if reading.value(match, "u") == "tb" else 1
        gigabytes = reading.value(match) * scale
        count = reading.fields.get("count", 1)
        whole = gigabytes > _MOST_OF_ONE and count > 1
        reading.aside["memory_gb"] = gigabytes / count if whole else gigabytes
        told = _bound(reading, match.start(), match.end() - 1)
        if told is not None:
            reading.aside["memory_bound"], place = told
            reading.stretch("memory_gb", *place)
        elif reading.first("OVER W{0,2} NUM GB", "NUM GB W? GPUWORD? OVER"):
            pass
        elif reading.first("NUM GB W? [GPUWORD PRICE]"):
            reading.aside["memory_bound"] = "exact"
        reading.use(*match.span())
        return


_SIDES = tuple(
    (side, regex(rf"(?:{before})\s*(?:than |to |of |a |about |~)*$"), regex(after))
    for side, before, after in (
        ("most", r"\b(?:(?:no|not|never) (?:more|larger|bigger|over|above|greater)|"
         r"at most|up|max(?:imum)?|hochstens|maximal|bis zu|au plus|jusqu'a)\b|<=|≤",
         r"\s*(?:\w+\s)?(?:or (?:less|smaller|below|under)|and (?:below|under|smaller)|"
         r"at most|max(?:imum)?)\b"),
        (None, r"\b(?:(?:no|not|never) (?:less|smaller|under|below|fewer)|at least)\b|"
         r">=|≥", r"(?!)"),
        ("over", r"\b(?:more|over|above|larger|bigger|greater|beyond|exceeding|"
         r"mehr als|uber|plus de|mas de|piu di|meer dan)\b|>", r"(?!)"),
        ("under", r"\b(?:less|under|below|smaller|fewer|unter|weniger als|moins de|"
         r"menos de|meno di|minder dan)\b|<", r"(?!)"),
    )
)  # fmt: skip
"""What is said of so much memory; the denials before what they deny."""
_NEAR_SIDE = 30


def _bound(
    reading: Reading, number: int, unit: int
) -> tuple[str | None, tuple[int, int]] | None:
    """The side of an amount of memory, and where it is said; None: nothing is."""
    start, end = reading.items[number].start, reading.items[unit].end
    for side, before, after in _SIDES:
        if said := before.search(reading.plain, max(0, start - _NEAR_SIDE), start):
            return side, (said.start(), end)
        if said := after.match(reading.plain, end):
            return side, (start, said.end())
    return None


RULES = (card_memory, model, unknown_model, alternatives, experts)
EARLY_RULES = (tenants, helpers)

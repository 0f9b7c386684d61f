"""Read a question: the same words always give the same query."""

from collections.abc import Iterator
from typing import Any

from bot.language import aims, choice, second
from bot.language.account import accounted
from bot.language.asked import Found, asked
from bot.language.catalogue import Catalogue, catalogue
from bot.language.grammar import Index, compiled
from bot.language.languages import language_of
from bot.language.loads import (
    alone_on_its_fleet,
    not_used_by_any,
    on_one_card,
    on_one_fleet,
    several,
)
from bot.language.normalise import Clean, normalise
from bot.language.pasted import Pasted, weak
from bot.language.peaks import above_own
from bot.language.reader import items_of
from bot.language.reading import APPEND, NEEDS, Edit, Reading, Rule
from bot.language.rules import (
    alerts,
    beside,
    checkpoints,
    clarify,
    constraints,
    day,
    excluded,
    groups,
    growth,
    hardware,
    intents,
    interruptions,
    kinds,
    life,
    measured,
    money,
    nights,
    passing,
    pictures,
    prefixes,
    reuse,
    runs,
    seeming,
    settled,
    sizes,
    spare,
    spot,
    sums,
    waits,
    wanted,
    worded,
)
from bot.language.rules.runs import calls_of_each
from bot.language.segments import split
from bot.language.shape import shaped
from bot.language.states import recast, two
from core.needed import Text
from core.patterns import regex
from core.query import ABOUT, PLACES, RATES, UPTIME, Clarification, Query
from core.reference.catalogue import Reference

REACH = 2_000
"""Characters from either end of a message in which a question is read: between them
stands what nobody reads as one, and its numbers are listed."""
RULES: tuple[Rule, ...] = (
    *alerts.RULES,
    *reuse.RULES,
    *seeming.RULES,
    *runs.RULES,
    *nights.RULES,
    *excluded.RULES,
    *sizes.EARLY_RULES,
    *sums.EARLY_RULES,
    *beside.RULES,
    *sums.RULES,
    *measured.RULES,
    *pictures.RULES,
    *growth.RULES,
    *passing.RULES,
    *life.RULES,
    *interruptions.RULES,
    *checkpoints.RULES,
    *spare.RULES,
    *constraints.EARLY_RULES,
    *waits.RULES,
    *prefixes.RULES,
    *day.RULES,
    *groups.RULES,
    *money.RULES,
    *worded.RULES,
    *hardware.EARLY_RULES,
    *wanted.EARLY_RULES,
    *choice.RULES,
    *settled.RULES,
    *worded.LATE_RULES,
    *day.LATE_RULES,
    *waits.LATE_RULES,
    *hardware.RULES,
    *measured.LATE_RULES,
    *sizes.RULES,
    *money.LATE_RULES,
    *sums.LATE_RULES,
    *runs.LATE_RULES,
    *constraints.RULES,
    *spot.RULES,
    *hardware.LATE_RULES,
    *intents.RULES,
    *kinds.RULES,
    *wanted.RULES,
    *beside.LATE_RULES,
    *pictures.LATE_RULES,
    *clarify.RULES,
)
"""In this order: what has a unit of its own is read before what has none."""


Rules = Index[tuple[int, Rule]]


def _indexed(rules: tuple[Rule, ...]) -> Rules:
    return Index([(one, NEEDS.get(one[1], [])) for one in enumerate(rules)])


_WEIGHED = RULES.index(spot.RULES[0])
NUMBERS, OTHERS = _indexed(RULES[:_WEIGHED]), _indexed(RULES[_WEIGHED:])
"""What the words state, and then what they are about."""


def parse(text: str, reference: Reference | None = None) -> Query:
    """Read what a text states; total: any text gives a query, none raises.

    `reference`: where to look for names near an unknown one; None: the packaged data.
    """
    known = catalogue(reference)
    clean, reading, query, told = looked_at(text, known)
    if len(text) <= second.LONGEST and (aim := aims.look(clean, reading, query, told)):
        clean, reading = read_message(text, known, told=aim)
        query = query_of(text, clean, reading)
    return _apart(query, reading, known)


def looked_at(text: str, known: Catalogue) -> tuple[Clean, Reading, Query, second.Told]:
    """Read a text as the rules do, and again where a number was surely misread."""
    clean, reading = read_message(text, known)
    query = query_of(text, clean, reading)
    told = second.look(clean, reading, query) if len(text) <= second.LONGEST else None
    if told is not None:
        clean, reading = read_message(text, known, told=told)
        query = query_of(text, clean, reading)
    return clean, reading, query, told or second.Told()


def _apart(query: Query, reading: Reading, known: Catalogue) -> Query:
    """Add the loads of a message that has several, each read alone."""

    def alone(words: str) -> Query:
        clean, read = read_message(words, known)
        return query_of(words, clean, read)

    def whole(words: str) -> Query:
        return looked_at(words, known)[2]

    loads = several(reading, query, alone)
    if not loads and (loads := on_one_card(query, alone)):
        query = query.model_copy(update={"one_fleet": True, "clarify": None})
    if not loads:
        if states := two(reading.plain, query, whole):
            return _of_states(query, states)
        if states := recast(query):
            return query.model_copy(update={"states": states})
        return alone_on_its_fleet(query) if query.one_fleet else query
    if beyond := above_own(query, loads):
        return beyond
    # "on 4 L40S", "all on one box": all parts on them
    if (query.count and loads[0].in_turns) or query.one_machine:
        query = query.model_copy(update={"one_fleet": True})
    if query.one_fleet:
        loads = on_one_fleet(query, loads)
    left = not_used_by_any(query, loads)
    return query.model_copy(update={"loads": loads, "not_used": left})


def _of_states(query: Query, states: tuple[Query, Query]) -> Query:
    """The question as it is after the change, with both states."""
    after = states[1]
    kept = ("intent", "asks_difference", "wanted")  # what is asked, of neither alone
    stated = {name: getattr(after, name) for name in ABOUT if name not in kept}
    left = not_used_by_any(query, states)
    more = {"states": states, "not_used": left, "clarify": None, "unknown": ()}
    return query.model_copy(update=stated | more)


def read_message(
    text: str,
    known: Catalogue,
    kind: str | None = None,
    expect: tuple[str, ...] = (),
    told: second.Told | None = None,
) -> tuple[Clean, Reading]:
    """Read prose and, weaker, what is pasted or quoted beside it.

    `told`: what a second look at a first reading was sure of.
    """
    message = split(text)
    pasted = (
        weak(message, lambda words: _named(words, known)) if message.pasted else None
    )
    clean = _closed(normalise(_ends(message.only("prose"))))
    return clean, read(text, clean, known, kind, expect, pasted, told=told)


def _ends(prose: str) -> str:
    """What stands near the beginning or the end; the rest is no question's."""
    if len(prose) <= 2 * REACH:
        return prose
    first = prose.rfind(" ", 0, REACH) + 1 or REACH
    last = prose.find(" ", len(prose) - REACH)
    last = last if last >= 0 else len(prose) - REACH
    return prose[:first] + " " * (last - first) + prose[last:]


GAP = 1_000
"""Blanks that nothing reaches over."""
_GAP = regex(rf" {{{GAP + 1},}}")


def _closed(clean: Clean) -> Clean:
    """Leave out the rest of a gap: else everything would look for words in it."""
    found = _GAP.search(clean.text) if len(clean.text) > 2 * REACH else None
    if found is None:
        return clean
    start, end = found.start() + GAP, found.end()
    places = clean.origin or range(len(clean.text) + 1)
    text = clean.text[:start] + clean.text[end:]
    return Clean(text, (*places[:start], *places[end:]))


def read(
    text: str,
    clean: Clean,
    known: Catalogue,
    kind: str | None = None,
    expect: tuple[str, ...] = (),
    pasted: Pasted | None = None,
    heard: frozenset[str] | None = None,
    told: second.Told | None = None,
) -> Reading:
    """Apply every rule to a text; `kind`: the work that its thread is about.

    `heard`: concepts that hold in its thread, and need not stand in the text again;
    None: the text stands alone.

    `expect`: the fields that a number of no unit means, such as what was asked for.
    """
    items = items_of(clean, text, known)
    row = shaped(items, clean.plain, heard or frozenset())
    reading = Reading(row, known, kind, clean.plain)
    reading.expect = expect
    reading.threaded = heard is not None
    reading.heard = heard or frozenset()
    reading.seen |= reading.heard
    if pasted is not None:
        hint = {weak.field: weak.value for weak in pasted.readings}.get("kind")
        reading.hints = frozenset(weak.field for weak in pasted.readings)
        reading.kind = kind or (hint if hint in ("training", "finetune") else None)
    if told is not None:
        second.applied(told, reading)
    _apply(NUMBERS, reading)
    if pasted is not None:
        _fill(reading, pasted)
    _apply(OTHERS, reading)
    return reading


def _named(words: str, known: Catalogue) -> dict[str, Any]:
    """The names and numbers of a value that was pasted."""
    clean = normalise(words)
    row = shaped(items_of(clean, words, known), clean.plain)
    reading = Reading(row, known, None, clean.plain)
    _apply(NUMBERS, reading)
    return reading.fields


def _apply(rules: Rules, reading: Reading) -> None:
    """Apply rules, and note where they read what no field of the workload holds.

    A rule may read a word as something else, and then others are due behind it.
    """
    taken, told = reading.taken, (reading.aside, reading.beside, reading.life)
    aside, beside, life = told
    known, done, seen = len(aside) + len(beside) + len(life), -1, None
    while seen != reading.seen:
        seen = reading.seen
        for place, rule in rules.possible(seen):
            if place <= done:
                continue
            done, before = place, len(taken)
            rule(reading)
            now = len(aside) + len(beside) + len(life) if aside or beside or life else 0
            if now > known and len(taken) > before:
                for name in [name for part in told for name in part][known:]:
                    for start, end in _runs(taken[before:]):
                        reading.span(name, start, end)
            known = now
            if reading.seen is not seen:
                if reading.seen != seen:
                    break
                seen = reading.seen


def _runs(indices: list[int]) -> Iterator[tuple[int, int]]:
    """Neighbours as one stretch: the words between two that were read belong to it."""
    runs: list[list[int]] = []
    for index in sorted(set(indices)):
        if runs and index == runs[-1][-1] + 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    yield from ((run[0], run[-1] + 1) for run in runs)


_GROUPS = (
    frozenset(("model", "params_b", "active_params_b")),
    frozenset(("rps", "requests_per_day", "requests_per_month", "users",
               "tokens_per_second",
               "tokens_per_day", "requests_per_user_per_day")),
    frozenset(("requests_total", "tokens_total", "dataset_samples", "dataset_tokens")),
    frozenset(("gpu", "instance")),
)  # fmt: skip
"""Of these, prose that states one leaves nothing for a paste to state."""


def _fill(reading: Reading, pasted: Pasted) -> None:
    """State what only a paste says; prose is stronger."""
    _name_in_full(reading, pasted)
    if pasted.nodes and reading.stated("count") and _OF_A_NODE.search(reading.whole):
        reading.fields["count"] *= pasted.nodes
    counted = (weak.value for weak in pasted.readings if weak.field == "count")
    if (each := next(counted, None)) and _counts_copies(reading):
        reading.fields["count"] *= each
    elif (
        each and reading.stated("instance") and each > reading.fields.get("count", each)
    ):
        reading.fields["count"] = each  # copies, each on a machine of that type
    said = set(reading.fields)
    for name, value, start, end in pasted.readings:
        group = next((g for g in _GROUPS if name in g), frozenset((name,)))
        if name == "kind" or group & said:
            continue
        reading.fields[name] = value
        reading.weak[name] = start, end
    if reading.weak.keys() & {"gpu", "instance"}:
        reading.seen |= {"GPU"}
    reading.pasted_unused = tuple(pasted.unused)
    kinds = [value for name, value, _, _ in pasted.readings if name == "kind"]
    if "inference" in kinds:
        reading.seen |= {"INFER"}


_OF_A_NODE = compiled(
    "(?<!NUM) NODE [W HAVE EACHTOK]{0,2} NUM TIMES? [GPU GPUWORD]|"
    "NUM TIMES? [GPU GPUWORD] W? [PER EACHTOK] NODE"
)
""" "Nodes are 8x MI300X": what a paste counts is nodes of so many."""


_OF_THESE = regex(
    r"\b(?:of (?:these|those|them)|such|identical)\s+(?:\w+\s+)?(?:nodes?|"
    r"servers?|boxes|"
    r"machines?|replicas?|copies|instances?|pods?|deployments?)\b"
)


def _counts_copies(reading: Reading) -> bool:
    """ "We have 3 of these nodes": each is what a paste sets up."""
    found = _OF_THESE.search(reading.plain)
    said = [reading.items[i] for i in reading.places("NUM", "DUPLEX")]
    return found is not None and any(
        item.value == reading.fields.get("count") and 0 <= found.start() - item.end <= 2
        for item in said
    )


def _name_in_full(reading: Reading, pasted: Pasted) -> None:
    """Of a family that prose names, the paste says which model it is."""
    bare = reading.fields.get("model")
    full = (str(weak.value) for weak in pasted.readings if weak.field == "model")
    alone = bare and "params_b" not in reading.fields
    if alone and any(name.startswith(f"{bare}-") for name in full):
        del reading.fields["model"]


def query_of(text: str, clean: Clean, reading: Reading) -> Query:
    """Return what was read as a query with its spans in the original text."""
    fields: dict[str, Any] = dict(reading.fields)
    wanted, own = _asked(fields, reading, clean.plain)
    spans, not_used = accounted(text, clean, reading)
    use = own.pop("use", reading.use_case)
    found = {
        "text": text,
        "spans": spans,
        "not_used": not_used,
        "language": language_of(text),
        "wanted": wanted,
        "beside": reading.beside or None,
        "life": reading.life or None,
        "use": use,
        "clarify": _clarification(text, clean, reading),
        "unknown": [
            {"kind": kind, "text": name, "nearest": nearest}
            for kind, name, nearest in reading.unknown
        ],
    }
    query = Query.model_validate(fields | reading.aside | own | found)
    shrinks = query.wanted == "downsize" and len(query.gpu or ()) > 1
    asked = query.clarify and query.clarify.about == ("model",)
    if asked and (query.size_in_words or shrinks):
        return query.model_copy(update={"clarify": None})
    return query


SURE = (
    "count",
    "duration_hours",
    "audience",
    "spare_replicas",
    "batch_size",
    "context",
    "e2e_ms",
    "concurrency",
)
"""Fields of which a phrase is read where nothing else has filled them."""
NUMBERED = (
    *SURE, "zones", "regions_count", "least_replicas", "images_per_request", "rollouts",
    "adapters", "prompt_pages", "prices_fall",
)  # fmt: skip
"""Fields that a phrase fills with a number, which may be read already."""


def _asked(
    fields: dict[str, Any], reading: Reading, plain: Text
) -> tuple[str | None, dict[str, Any]]:
    """Fill in what phrases ask for: the figure wanted, and fields of their own."""

    def unsaid(field: str, start: int, end: int) -> bool:
        sampled = field == "rollouts" and "method" in fields
        read = field in NUMBERED and not sampled and _is_read(reading, start, end)
        left = [(a, b) for a, b, _ in reading.left]
        left += reading.spans.get("sellers_beside", ())
        if field == "seller_kinds":  # "only hyperscalers" names them already
            left += reading.spans.get("provider", ())
        apart = any(a < end and start < b for a, b in left)
        # the reranker beside a generator, clouds beside the cheapest of all
        helps = field in ("use", "seller_kinds") and apart
        calls = field == "concurrency" and reading.stated(*RATES)
        return read or helps or calls or reading.unsaid(field, start)

    phrases = [
        found
        for found in asked(plain, unsaid)
        if found.field != "wanted" or _is_wanted(found.value, fields, reading)
        if found.field != "techniques"
        or not any(  # "R1-distill-Llama" asks of nothing
            item.start <= found.start < item.end for item in reading.all("MODELNAME")
        )
    ]
    wanted, own = reading.wanted, {}
    for found in phrases:
        name, value = found.field, found.value
        _held(found, reading)
        if name == "wanted":
            wanted = value
        elif name == "system":
            asks = wanted in ("buy_or_rent", "purchase", "energy")
            asks = asks or ("owned" in own and fields.get("count") == value // 8)
            fields |= {"count": value} if asks and fields.get("gpu") else {}
        elif name == "count" and value <= 0:
            fields["count"] = value
        elif name in SURE:
            if name not in reading.aside:
                fields.setdefault(name, value)
        elif name != "adapters" or "runs" not in fields:
            own[name] = value
    _taken_back("dataset_samples", "rollouts", reading, fields)
    _settle(fields, own, reading, plain)
    return _figure(wanted, fields, reading, plain), own


def _held(found: Found, reading: Reading) -> None:
    """Note where a phrase stands; a number in a sum of money is left out no more."""
    start, end = found.start, found.end
    reading.spans.setdefault(found.field, []).append((start, end))
    if found.field == "budget_amount":
        left = (one for one in reading.left if not start <= one[0] < end)
        reading.left = list(left)


_ALONE = {
    "standby": ("gpu", RATES),
    "links": ("", RATES),
    "kept_on": ("gpu", (*RATES, "model", "params_b")),
    "desks": ("users", ("model", "params_b")),
}
"""By figure what has to be told of, and what has an answer of its own."""


def _is_wanted(figure: str, fields: dict[str, Any], reading: Reading) -> bool:
    """Whether a phrase asks for a figure that nothing else answers here."""
    told, other = _ALONE.get(figure, ("", ()))
    sheet = figure == reading.aside.get("sheet") or reading.wanted == "api_bill"
    named = not told or told in fields
    priced = figure == "runs_on" and reading.has(
        "PRICE"
    )  # "going rate, still worth it"
    return named and not (sheet or priced) and not reading.stated(*other)


def _taken_back(name: str, told: str, reading: Reading, fields: Any) -> None:
    """Drop a field whose number belongs to a phrase: "how many billion can we"."""
    for start, end in reading.spans.get(told, ()):
        if any(start <= at < end for at, _ in reading.spans.get(name, ())):
            fields.pop(name, None)


def _figure(
    wanted: str | None, fields: dict[str, Any], reading: Reading, plain: str
) -> str | None:
    """The figure that is asked for, by what else is known of the question."""
    unit = reading.spans.pop("~unit", [])
    if wanted == "usd_per_million" and unit:
        reading.spans.setdefault("wanted", []).extend(unit)
    if wanted in _NO_MONEY and reading.aside.pop("asked_unit", None):
        reading.spans.setdefault("wanted", []).extend(
            reading.spans.pop("asked_unit", [])
        )
    if wanted == "kv_cache" and _asks_room_left(fields, plain):
        fields["intent"] = "fit"
        return None
    if wanted == "downsize" and not {"gpu", "utilization"} <= fields.keys():
        return None  # of no fleet at work
    if wanted == "runs_on":
        _taken_back("params_b", "wanted", reading, fields)
    trains = fields.get("kind") in ("training", "finetune")
    given = fields.get("gpu") or "memory_gb" in reading.aside
    if wanted == "runs_on" and trains and not given:
        return None  # the size that a run may have
    return wanted


def _asks_room_left(fields: dict[str, Any], plain: str) -> bool:
    """Whether it is asked what a model's weights leave free on given GPUs."""
    fitted = fields.get("gpu") and fields.keys() & {"model", "params_b"}
    return bool(fitted) and _LEFT.search(plain) is not None


_NO_MONEY = frozenset(("kv_cache", "weights", "longest_context"))
"""Figures of memory: "per user" asks for one sequence of them, not for dollars."""


_ROBOTS = regex(r"\b(?:ai|llm|tool|autonomous|research|browser|workflow) agents\b")
_ASKED = {*RATES, "requests_per_user_per_day"} - {"users"}


def _settle(
    fields: dict[str, Any], own: dict[str, Any], reading: Reading, plain: str
) -> None:
    """Take back what a phrase says where more is known of it."""
    _of_tasks(fields, own, reading, plain)
    _of_synthetic_data(fields, own, reading)
    several = any(len(fields.get(name) or ()) > 1 for name in ("gpu", "pricing"))
    weighed = fields.get("intent") in ("breakeven", "compare") or several
    adds = any(
        not {*UPTIME, *PLACES}.isdisjoint(said) for said in (fields, own, reading.aside)
    )
    if "asks_difference" in own and not (weighed or adds):
        del own["asks_difference"]  # of other things it is compared anyway
        reading.spans.pop("asks_difference")
    robots = [_ROBOTS.search(plain, *span) for span in reading.spans.get("users", ())]
    if any(robots) and not fields.keys() & _ASKED:
        fields["concurrency"] = fields.pop("users")  # they never go home
        reading.spans["concurrency"] = reading.spans.pop("users")
    if "no_api" in own:
        _rule_out_apis(fields, own, reading)
    if "thinks" in own:
        _answer_at_once(fields, own, reading)
    _keep_asked_techniques(fields, own, reading, plain)
    sized = reading.spans.get("context", ())
    tasks = reading.spans.get("counts_tasks", ())
    if any(a <= start < b for start, _ in tasks for a, b in sized):
        own.pop("counts_tasks", None)  # "how many 32k sessions"
        reading.spans.pop("counts_tasks")
    loaded = fields.keys() & {"rps", "peak_rps", "requests_per_day", "count"}
    if not loaded and fields.get("intent") == "size" and _ENOUGH.search(plain):
        fields["intent"] = "fit"
    if "images_per_request" in own and "image token" in plain:
        del own["images_per_request"]  # the prompt holds them
        reading.spans.pop("images_per_request")
    formats, asked_of = fields.get("precision", ()), own.get("techniques", ())
    cache = "fp8 kv cache" in asked_of and len(_FP8.findall(plain)) == 1
    asked_of += ("fp8",) if cache else ()
    stay = tuple(one for one in formats if one not in asked_of)
    if stay != formats and fields.get("intent") == "fit":
        del own["techniques"]  # what is to fit in them
        reading.spans.pop("techniques")
    elif stay:
        fields["precision"] = stay
    else:
        fields.pop("precision", None)  # asked about, not asked for


def _of_tasks(
    fields: dict[str, Any], own: dict[str, Any], reading: Reading, plain: str
) -> None:
    """Where the calls of a task are told: none are assumed, its totals are shared."""
    calls = _CALLS_OF_A_TASK.search(plain)
    known = "~calls_of_a_task" in reading.notes or calls is not None
    for name, unsaid in (("counts_tasks", known), ("context_course", not known)):
        if unsaid and own.get(name) in (True, "grows"):
            del own[name]  # a conversation fills its context turn by turn
            reading.spans.pop(name)
    at = next((n for n in (1, 2, 3) if calls and calls[n]), 0)
    each = float(calls[at]) if calls and at else 0
    if calls and each and fields.get("requests_per_day"):
        if not _is_read(reading, *calls.span(at)):
            fields["requests_per_day"] *= each  # "every task runs about 18 calls"
        reading.stretch("requests_per_day", *calls.span())
    if "asked_item" in reading.aside and (number := calls_of_each(reading, fields)):
        own["item_calls"] = number
    whole = _OF_THE_TASK.search(plain) if each else None
    if whole is None:
        return
    written = fields.get("output_tokens", fields.pop("total_tokens_per_request", None))
    if written is not None:
        fields["output_tokens"] = written / each
        reading.stretch("output_tokens", *whole.span())


def _of_synthetic_data(
    fields: dict[str, Any], own: dict[str, Any], reading: Reading
) -> None:
    """What is written is output; what is learnt from says nothing of how it is."""
    if own.get("use") != "generation":
        return
    if fields.get("kind") in ("training", "finetune"):
        del own["use"]
        reading.spans.pop("use")
    elif "tokens_total" in fields:
        reading.aside.setdefault("tokens_side", "output")


def _answer_at_once(
    fields: dict[str, Any], own: dict[str, Any], reading: Reading
) -> None:
    """ "Non-thinking mode": no reasoning model is asked for, and no such use."""
    for known, name in ((own, "use"), (own, "model_class"), (fields, "model_class")):
        if known.get(name) == "reasoning":
            del known[name]
            reading.spans.pop(name, None)
    if "model" in fields:
        fields["model"] = fields["model"].removesuffix("-thinking")


_CACHING = r"(?:(?:prefix|prompt|kv)[- ]cach\w*|cach\w+|radix ?attention)"
_EFFECT = (
    r"(?:save|saves|help|helps|worth|effect|benefit|bring|brings|gain|gains|reduce|"
    r"reduces|cut|cuts|change|changes|matter|matters|do|faster)"
)
_ASKS_OF_CACHING = regex(
    rf"\b(?:would|does|will|is|should|could|how much|what (?:if|about|do|can))\b"
    rf"[^.;,?!]{{0,30}}\b{_CACHING}|\b{_CACHING}\b[^.;,?!]{{0,40}}\b{_EFFECT}\b"
)


def _keep_asked_techniques(
    fields: dict[str, Any], own: dict[str, Any], reading: Reading, plain: str
) -> None:
    """ "With 80% prefix cache hits" states how it is served, and asks of nothing."""
    found = own.get("techniques", ())
    stated = "prefix caching" in found and "cache_hit_rate" in fields
    if not stated or _ASKS_OF_CACHING.search(plain):
        return
    places = reading.spans.pop("techniques")
    if rest := tuple(one for one in found if one != "prefix caching"):
        own["techniques"], reading.spans["techniques"] = rest, places
    else:
        del own["techniques"]
        reading.spans["cache_hit_rate"] = reading.spans["cache_hit_rate"] + places


def _rule_out_apis(
    fields: dict[str, Any], own: dict[str, Any], reading: Reading
) -> None:
    """Self-hosting is a must; "external", "compliance" and "own" say no more there."""
    own["self_hosted"] = True
    told = reading.spans["no_api"]
    reading.spans.setdefault("self_hosted", []).extend(told)
    inside = [
        name
        for name in ("audience", "compliance", "owned")
        if reading.spans.get(name)
        and all(any(a <= s and e <= b for a, b in told) for s, e in reading.spans[name])
    ]
    for name in inside:
        for known in (fields, own, reading.aside):
            known.pop(name, None)
        del reading.spans[name]


_ROOM = (
    r"(?:left(?: over)?|remain\w*|free|spare|room|ubrig|bleib\w*|reste\w*|queda\w*|"
    r"sobra\w*|resta\w*|rimane|avanza)"
)
_LEFT = regex(
    rf"\b{_ROOM}\b[^.?!;]{{0,30}}\b(?:kv|key[- ]value)\b|"
    rf"\bkv\b[^.?!;]{{0,30}}\b{_ROOM}\b"
)
_FP8 = regex(r"\bfp8\b")
_ENOUGH = regex(r"\b\d+ ?gb (?:of )?(?:v?ram |memory )?(?:be )?enough\b")
_CALLS_OF_A_TASK = regex(
    r"\b(?:each|every) (?:\w+ ){0,3}?(?:about )?(?:~ ?)?(\d{1,4}) (?:\w+ )?"
    r"(?:calls|steps|turns|requests)\b|"
    r"\bjede[rs]? (?:\w+ ){1,2}(?:etwa |rund )?(\d{1,4}) "
    r"(?:\w*aufrufe|schritte|anfragen)|"
    r"(?:\b(\d{1,4}) (?:\w+ )?)?\b(?:calls?|steps|turns|requests|prompts|completions)\b"
    r"[^.;]{0,12}\b(?:per|each|a|for each|for every|every|in each) "
    r"(?:task|session|agent run|run|ticket|job)s?\b"
)
"""How many model calls one takes is said: nothing is left to assume."""


_OF_THE_TASK = regex(
    r"\b(?:outputs?|answers?|completions?|written|generat\w+|ausgabe|sortie|salida)\b"
    r"[^.;?!,]{0,20}?\d[\d.,]*k? ?(?:tokens? ?)?(?:out |output )?(?:(?:in )?total|"
    r"overall|altogether|(?:per|a|for the(?: whole| entire)?) "
    r"(?:task|session|run|job|ticket)|insgesamt|au total|en total|in tutto)\b"
)
"""The output of all calls of a task together."""


def _is_read(reading: Reading, start: int, end: int) -> bool:
    """Whether a number in a stretch is read as something else, or ends a name."""
    inside = any(item.start < start < item.end for item in reading.items)
    return inside or any(
        start <= reading.items[index].start < end
        and reading.items[index].concept in choice.AMOUNTS
        for index in reading.taken
    )


def _clarification(text: str, clean: Clean, reading: Reading) -> Clarification | None:
    """Ask the first doubt; each choice is the whole question, made clearer."""
    if not reading.doubts:
        return None
    doubt = reading.doubts[0]
    choices = tuple(_edited(text, clean, edit) for edit in doubt.choices)
    return Clarification(about=doubt.about, question=doubt.question, choices=choices)


def _edited(text: str, clean: Clean, edit: Edit) -> str:
    """Write words over a stretch of the text, behind it (" …"), or at its end."""
    start, end, words = edit
    if start == APPEND:
        return text.rstrip(" ?!.") + words
    behind = clean.place(end - 1) + 1
    before = behind if start == end else clean.place(start)
    return text[:before] + words + text[behind:]

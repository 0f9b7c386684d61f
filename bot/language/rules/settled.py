"""What follows from several numbers together, once each of them is read."""

from bot.language.grammar import compiled
from bot.language.reading import Edit, Note, Reading, needs
from bot.language.states import shape
from bot.language.subject import DEMANDS, learns
from bot.language.values.rates import draws
from core.patterns import regex
from core.wording import say

_MOST_OF_ONE = 500
"""More requests a day than anybody sends are those of all."""


def average(reading: Reading) -> None:
    """Put the rate that was called the average; a higher one beside it is the peak."""
    for note in reading.notes.get("~average", ())[:1]:
        for field, value in note.value.items():
            stated = reading.fields.get(field)
            if field == "rps" and stated is not None and stated > value:
                reading.fields.setdefault("peak_rps", reading.fields.pop(field))
                reading.spans.setdefault("peak_rps", reading.spans.pop(field))
            reading.put(field, value, note.start, note.end)


_ADAPTERS = compiled("<n>NUM [NUMB W TUNED MODELNAME METHOD]{0,3} ADAPTER")
_EACH_RATE = compiled("NUM [REQ DOC]+ PER TIME W? EACHTOK")


_PER_ADAPTER = shape("settled_per_adapter")


@needs("ADAPTER")
def each_adapter(reading: Reading) -> None:
    """Read "20 adapters on one base, 2 rps each": what the base serves for all."""
    found = _ADAPTERS.search(reading.whole)
    each = _EACH_RATE.search(reading.whole)
    told = _PER_ADAPTER.search(reading.plain)
    if found is None or not (each or told):
        return
    count = reading.items[found.start("n")].value
    for field in ("rps", "requests_per_day") if 2 <= count <= 10_000 else ():
        rate = reading.fields.get(field)
        if rate is not None and count == int(count):
            reading.fields[field] = rate * count
            reading.span(field, found.start(), found.end())
            if told:
                reading.told(field, told)
            return


def each_rate(reading: Reading) -> None:
    """Read "200 devs, 6 requests per dev per minute": what all of them ask together."""
    part, everybody = map(reading.fields.get, ("concurrency", "users"))
    counted = (
        "users" if everybody and not 0 < (part or 0) < everybody else "concurrency"
    )
    people = reading.fields.get(counted)
    for note in reading.notes.get("~each_rate", ())[:1]:
        if people:
            reading.put("rps", people * note.value, note.start, note.end)
            reading.spans["rps"] += reading.spans.get(counted, [])
            reading.rename("concurrency", "users")  # who is there, not under way
            reading.fields.pop("concurrency", None)  # "600 of them": the rate has it
            reading.spans.pop("concurrency", None)
        else:
            reading.leave(note.start, note.end, "a rate each, of nobody knows how many")


def each_flow(reading: Reading) -> None:
    """Read "30 developers, each burning 3M tokens a day": what all of them use."""
    counted = "users" if reading.fields.get("users") else "concurrency"
    people = reading.fields.get(counted)
    for note in reading.notes.get("~each_flow", ())[:1]:
        if people:
            reading.put("tokens_per_day", people * note.value, note.start, note.end)
            reading.spans["tokens_per_day"] += reading.spans.get(counted, [])
            reading.rename("concurrency", "users")  # who is there, not under way
        else:
            reading.leave(note.start, note.end, "tokens each, of nobody knows how many")


_SHARE_AT_ONCE = (
    "<n>NUM PCT [W OFTHEM USER IN ON INFER RUN USED REQ WORK OK ACTIVE]{0,4} CONC"
)


_IN_AN_HOUR = regex(
    r"(?: (?:prompts|messages|questions|requests|queries|calls))?(?: each)?"
    r" (?:in (?:that|the|an|one)(?: busiest| peak)?|per|an|every) hour\b"
)


@needs("PCT")
def share_at_once(reading: Reading) -> None:
    """Read "assume 3% at once", of users who are named elsewhere."""
    users = reading.fields.get("users")
    if not users or reading.stated("concurrency", "rps", "peak_rps"):
        return
    for match in reading.find(_SHARE_AT_ONCE):
        if 0 < reading.value(match) < 100:
            people = round(users * reading.value(match) / 100)
            reading.take("concurrency", people, match)
            return


_DAILY_PART = shape("settled_daily_part")
_ALREADY_DAILY = regex(r"\b(?:dau|dail\w+|taglich\w*)\b")


@needs("PCT", "USER")
def daily_part(reading: Reading) -> None:
    """Read "220k MAU, about 9% daily actives": those who come on one day."""
    users, places = reading.fields.get("users"), reading.spans.get("users", [])
    found = _DAILY_PART.search(reading.plain)
    if not users or found is None or reading.stated("concurrency"):
        return
    told = any(start < found.end() and found.start() < end for start, end in places)
    if told or any(_ALREADY_DAILY.search(reading.plain, *place) for place in places):
        return
    reading.fields["users"] = users * float(found["n"] or found["m"]) / 100
    reading.told("users", found)


_HISTORY = shape("settled_history")


def history(reading: Reading) -> None:
    """Read "14 messages a day with 3k of history": it is sent with each, as prompt."""
    found = _HISTORY.search(reading.plain)
    if found is None or reading.stated("input_tokens", "context", "gpu"):
        return
    tokens = float(found["n"].replace(",", "")) * (1000 if found["k"] else 1)
    if tokens >= _LEAST_HISTORY and reading.is_service():
        new = reading.fields.pop("total_tokens_per_request", tokens)
        reading.fields["input_tokens"] = tokens + (new if new < tokens else 0)
        places = reading.spans.pop("total_tokens_per_request", [])
        reading.spans.setdefault("input_tokens", []).extend(places)
        reading.told("input_tokens", found)


_LEAST_HISTORY = 256
"""Tokens; fewer count turns or days."""


def each_picture(reading: Reading) -> None:
    """Read "20 images per user, 3,000 users a day" of what is drawn: all of them."""
    users, each = map(reading.fields.get, ("users", "requests_per_user_per_day"))
    if not users or not each or not draws(reading):
        return
    places: list[tuple[int, int]] = []
    for name in ("users", "requests_per_user_per_day"):
        del reading.fields[name]
        places += reading.spans.pop(name, [])
    reading.fields.setdefault("requests_per_day", users * each)
    reading.spans.setdefault("requests_per_day", []).extend(places)


def busiest_hour(reading: Reading) -> None:
    """Read "10 prompts each in that hour" of people: a rate, no day's requests."""
    users = reading.fields.get("users")
    each = reading.fields.get("requests_per_user_per_day")
    spans = reading.spans.get("requests_per_user_per_day", [])
    if not (users and each and spans) or reading.stated("rps", "peak_rps"):
        return
    end = max(last for _, last in spans)
    if hour := _IN_AN_HOUR.match(reading.plain, end):
        del reading.fields["requests_per_user_per_day"]
        reading.spans["peak_rps"] = reading.spans.pop("requests_per_user_per_day")
        reading.fields["peak_rps"] = users * each / 3600
        reading.told("peak_rps", hour)


_PAGES = shape("settled_pages")
_A_PAGE = shape("settled_a_page")


@needs("TOK")
def each_page(reading: Reading) -> None:
    """Read "12 pages each, 500 tokens per page": the length of a whole document."""
    tokens = reading.fields.get("input_tokens")
    if not tokens or not reading.stated("requests_total", "requests_per_day"):
        return
    spans = reading.spans.get("input_tokens", ())
    if not any(_A_PAGE.search(reading.plain, a, b + _PER_PAGE) for a, b in spans):
        return
    taken = [span for places in reading.spans.values() for span in places]
    for found in _PAGES.finditer(reading.plain):
        if not any(start <= found.start() < end for start, end in taken):
            reading.fields["input_tokens"] = tokens * int(found["n"])
            reading.told("input_tokens", found)
            return


_PER_PAGE = 12
"""Letters of "per page" behind a length."""


def peak_factor(reading: Reading) -> None:
    """Read "20 rps, 3x at peak", where the rate that it multiplies is stated."""
    for note in reading.notes.get("~peak_factor", ()):
        stated = reading.fields
        own = stated.get("requests_per_user_per_day")
        daily = stated.get("requests_per_day") or (own and own * stated.get("users", 0))
        open_s = stated.get("hours_per_day", 24) * 3600
        base = stated.get("rps") or (daily and daily / open_s)
        if "peak_rps" in stated and _is_of_an_event(reading, note):
            reading.aside.setdefault("growth_times", note.value)
            reading.span("growth_times", note.start, note.end)
        elif base and 1 < note.value <= 1000:
            reading.put("peak_rps", base * note.value, note.start, note.end)
        elif 1 < note.value <= 1000 and reading.stated(*_FLOWS):
            reading.aside["peak_factor"] = note.value
            reading.span("peak_factor", note.start, note.end)
        else:
            reading.leave(note.start, note.end, "a factor of a rate that is not stated")


_EVENT = shape("settled_event")


def _is_of_an_event(reading: Reading, note: Note) -> bool:
    """Whether a factor is of some days of the year: "Black Friday is 3x"."""
    start, end = reading.items[note.start].start, reading.items[note.end - 1].end
    near = reading.plain[max(0, start - 20) : end + 20]
    return 1 < note.value <= 1000 and _EVENT.search(near) is not None


_FLOWS = (
    "tokens_per_day tokens_per_month requests_per_month users api_spend_amount".split()
)


_NIGHTLY = regex(r"\b(?:every|each) (?:week)?night\b|\bnightly\b")


def nightly(reading: Reading) -> None:
    """Read "every night … 200k PDFs": a pile that comes back each day."""
    if not _NIGHTLY.search(reading.plain) or reading.stated("requests_per_day"):
        return
    if "requests_total" in reading.fields and not reading.has("TRAIN", "FINETUNE"):
        reading.rename("requests_total", "requests_per_day")


def paced(reading: Reading) -> None:
    """Read "6k steps at 9.5 s/step": how long the run takes as it was measured."""
    for note in reading.notes.get("~step_seconds", ())[:1]:
        if steps := reading.fields.get("steps"):
            hours = steps * note.value / 3600
            reading.put("duration_hours", hours, note.start, note.end)
        else:
            reading.leave(
                note.start, note.end, "the time of a step, of no stated number"
            )


@needs("CHINCHILLA")
def optimal(reading: Reading) -> None:
    """Read "chinchilla-optimal … for 2 weeks": its tokens are told, within a time."""
    if reading.has("CHINCHILLA"):
        reading.rename("duration_hours", "deadline_hours")


def cached(reading: Reading) -> None:
    """Read "1.2k tokens (800 cached)": the share of a prompt of stated length.

    "A 4k system prompt and 600 tokens of text": what is shared comes on top.
    """
    for note in reading.notes.get("~cached", ())[:1]:
        prompt = reading.fields.get("input_tokens")
        own = prompt or _own_tokens(reading) or _left_over(reading)
        if note.value <= 1 or (not own and reading.stated("total_tokens_per_request")):
            reading.leave(note.start, note.end, "cached tokens of no stated prompt")
            return
        if not own:
            reading.aside["shared_prompt"] = note.value
            reading.span("shared_prompt", note.start, note.end)
            return
        words = reading.items[note.start - 1].end if note.start else 0
        within = prompt or _PART_OF.search(reading.plain[words:])
        behind = reading.plain[reading.items[note.end - 1].end :]
        front = reading.plain[: reading.items[note.start].start]
        on_top = _ON_TOP.match(behind) or _ADDED.search(front)
        if not within or note.value > own or on_top:
            place = reading.spans.pop("total_tokens_per_request", [])
            reading.fields.pop("total_tokens_per_request", None)
            own += note.value
            reading.fields["input_tokens"] = own
            reading.span("input_tokens", note.start, note.end)
            reading.spans["input_tokens"] += place
        reading.put("cache_hit_rate", note.value / own, note.start, note.end)


_PART_OF = shape("settled_part_of")


_ON_TOP = shape("settled_on_top")
_ADDED = shape("settled_added")


_UNREAD = ("<n>NUM [USER DATA DOC REQ W]{0,2} TOK", "<n>NUM TOK (?!PER TIME)")


def _left_over(reading: Reading) -> float | None:
    """The one number of tokens that nobody has read: what a request adds itself."""
    found = {m.start(): m for m in reading.find(*_UNREAD)}
    if len(found) != 1:
        return None
    (match,) = found.values()
    reading.use(*match.span())
    reading.spans.setdefault("input_tokens", [])
    reading.span("input_tokens", *match.span())
    return float(reading.value(match))


def _own_tokens(reading: Reading) -> float | None:
    """Tokens of a request whose answer is told apart: what a user writes."""
    if "output_tokens" not in reading.fields:
        return None
    return reading.fields.get("total_tokens_per_request")


def each_user(reading: Reading) -> None:
    """Read "10k users, 20 requests a day": fewer than users are those of one."""
    users, daily = (reading.fields.get(f) for f in ("users", "requests_per_day"))
    if users and daily and daily < users and daily <= _MOST_OF_ONE:
        place = reading.spans.pop("requests_per_day")
        del reading.fields["requests_per_day"]
        reading.fields.setdefault("requests_per_user_per_day", daily)
        reading.spans.setdefault("requests_per_user_per_day", place)


def _is_part(reading: Reading, note: Note) -> bool:
    """Whether a number of GPUs is one "of them"."""
    told = "OFTHEM" in map(reading.concept_at, (note.end - 1, note.end))
    return told and not _is_built(reading, note)


def _is_built(reading: Reading, note: Note) -> bool:
    """Whether nodes of GPUs named before are counted: "a node of 8 of them"."""
    said = {reading.concept_at(index) for index in range(note.start, note.end)}
    return said >= {"NODE", "OFTHEM"}


_FAILS = shape("settled_fails")
"""What is said of machines that do not do any more."""
_ENDS = regex(r"[.;!?\n](?=\s|$)|,(?=\s(?:would|will|can|could|does|do|is|are)\b)")


@needs("GPU", "FIT OK CANI")
def in_use(reading: Reading) -> None:
    """ "My two 3090s are slow. Would one h100 hold it?": only one is asked about."""
    if not reading.has("FIT", "OK", "CANI"):
        return
    fails = _FAILS.search(reading.plain)
    if fails is None:
        return
    found = _ENDS.search(reading.plain, fails.end())
    end = found.start() if found else len(reading.plain)
    ends = [found.end() for found in _ENDS.finditer(reading.plain, 0, end)]
    start = ends[-1] if ends else 0
    places = reading.places("GPU")
    gone = [i for i in places if start <= reading.items[i].start < end]
    weighed = reading.places("OR", "VS", "COMPARE", "THAN", "CHEAP")
    if not all(start <= reading.items[i].start < end for i in weighed):
        return
    asks = "?" in reading.plain[:start] + reading.plain[end:]
    if not asks or not 0 < len(gone) < len(places):
        return
    counted = reading.notes.get("count", [])
    for note in [
        note for note in counted if set(gone) & {*range(note.start, note.end)}
    ]:
        counted.remove(note)
        reading.leave(note.start, note.end, "what runs today")
    for index in gone:
        reading.become(index, "W", "")


_OF_ALL = shape("settled_of_all")


def counts(reading: Reading) -> None:
    """Keep one number of GPUs, or one for each of those that are compared."""
    found = reading.notes.get("count", [])
    whole = [note for note in found if not _is_part(reading, note)]
    whole = [note for note in whole if _is_built(reading, note)] or whole
    whole = [
        note
        for note in whole
        if (_OF_ALL.match(reading.plain, reading.items[note.end - 1].end) is not None)
    ] or whole
    found = whole or found  # "12 l40s … 4 of them": some are no number of all
    if "count" in reading.fields or not found:
        return
    values = [int(note.value) for note in found]
    kinds = dict.fromkeys(item.value for item in reading.all("GPU"))
    if len(set(values)) == 1:
        reading.put("count", values[0], found[0].start, found[0].end)
        for note in found[1:]:
            reading.span("count", note.start, note.end)
    elif len(kinds) == len(found) and not reading.has("INSTANCE"):
        reading.aside["gpu_counts"] = tuple(values)
        for note in found:
            reading.span("gpu_counts", note.start, note.end)
    else:
        for note in found:
            reading.leave(note.start, note.end, "several numbers of GPUs are stated")


def sizes(reading: Reading) -> None:
    """Keep the first size; the others are alternatives (see rules/sizes.py)."""
    found = reading.notes.get("params_b", [])
    named = any(item.value.params_b for item in reading.all("MODELNAME"))
    for note in found[: 0 if named else 1]:
        reading.put("params_b", note.value, note.start, note.end)
    first, last = found[:1], found[-1:]
    inside = range(first[0].start, last[0].end) if first else ()
    weighed = any(reading.items[at].concept in _WEIGHING for at in inside)
    weighed = weighed or reading.has("VS", "THAN")
    if len({note.value for note in found}) > 2 and not weighed:
        reading.fields.setdefault("model_count", len(found))
        reading.span("model_count", first[0].start, last[0].end)
    elif _BOTH.search(reading.plain) and not learns(reading):
        reading.fields.setdefault("model_count", 2)
    elif (
        len({note.value for note in found}) > 1
        and not (weighed or learns(reading) or reading.has("SPEC", "COMPARE", "CHEAP"))
        and _SIDE_BY_SIDE.search(reading.plain)
    ):
        reading.fields.setdefault("model_count", 2)
        reading.span("model_count", first[0].start, last[0].end)


_WEIGHING = frozenset(("OR", "VS", "THAN"))
_SIDE_BY_SIDE = shape("settled_side_by_side")
""" "An 8B for chat and a 1B for routing on the same L40S": both are kept loaded."""
_BOTH = shape("settled_both")
""" "Host both the 32B chat model and the 8B one"."""


_AS_MANY = shape("settled_as_many")


@needs("IN OUT")
def as_many(reading: Reading) -> None:
    """ "350 tokens in and as many out": both sides are alike."""
    for index in reading.places("IN", "OUT"):
        sides = ("output_tokens", "input_tokens")
        own, other = sides if reading.concept_at(index) == "OUT" else sides[::-1]
        known = reading.fields.get(other)
        start = reading.items[index].start
        found = _AS_MANY.search(reading.plain, max(0, start - _NEAR), start)
        goes_on = reading.concept_at(index + 1) == "W" and not reading.crossed_at(
            index + 1
        )
        if found and known and not (goes_on or reading.stated(own)):
            reading.put(own, known, index, index + 1)
            reading.stretch(own, found.start(), reading.items[index].end)


_NEAR = 40


_EVENLY = shape("settled_evenly")
_OF_BOTH = (
    "tokens_per_day tokens_per_month tokens_per_second tokens_total "
    "total_tokens_per_request"
).split()


def evenly(reading: Reading) -> None:
    """ "3억 토큰, 입출력 반반", "half input, half output": the share of the input."""
    if not reading.stated(*_OF_BOTH) or reading.stated("input_share"):
        return
    if found := _EVENLY.search(reading.plain):
        reading.fields["input_share"] = 0.5
        reading.told("input_share", found)


def speed(reading: Reading) -> None:
    """TPS may be tokens or transactions per second: written nowhere, asked back."""
    for note in reading.notes.get("~tps", ())[:1]:
        items = reading.items[note.start : note.end]
        unit = next(item for item in items if item.concept == "TPS")
        ways: tuple[Edit, ...] = tuple(
            (unit.start, unit.end, way) for way in ("tokens/s", "requests/s")
        )
        reading.doubt(
            say("questions.is_tps_tokens", value=note.value),
            "tokens_per_second", "rps",
            choices=ways,
        )  # fmt: skip


_ONE_PASS = regex(r"\b(?:one|a single|single|1) pass\b")


def one_pass(reading: Reading) -> None:
    """ "LoRA on 20k samples, one pass" is one epoch."""
    found = _ONE_PASS.search(reading.plain)
    if found and learns(reading) and "epochs" not in reading.fields:
        reading.fields["epochs"] = 1.0
        reading.stretch("epochs", found.start(), found.end())


_CACHE = regex(r"\b(?:kv|key[- ]value)[- ]?cache\b")
_SEQUENCES = frozenset(("sequence", "sequences", "seqs", "seq", "sequenzen"))
_BY_TIME = ("PER", "TIME", "EACH")


@needs("TOPIC FIT", "NUM")
def held_at_once(reading: Reading) -> None:
    """Read "kv cache for 10 requests": memory is asked of so many at the same time."""
    asks = _CACHE.search(reading.plain) or any(
        item.value == "memory" for item in reading.all("FIT")
    )
    if not asks or reading.stated("batch_size", *DEMANDS):
        return
    for match in reading.find("<n>NUM [REQ DOC W]"):
        last = match.end() - 1
        if reading.items[last].concept == "W" and reading.word(last) not in _SEQUENCES:
            continue
        behind = reading.items[last + 1 : last + 2]
        if behind and behind[0].concept in _BY_TIME:
            continue
        reading.fields.pop("requests_total", None)
        reading.spans.pop("requests_total", None)
        reading.take("concurrency", reading.value(match), match)
        return


_SPEEDS = (5, 300)
"""Tokens a second at which one answer is written, in interactive use."""


_ALONE = shape("settled_alone")
_EACH_OF_THEM = regex(
    r"\b(?:(?:to|for) (?:each|every one|all) of|each (?:to|for)) "
    r"(?:(?:our|the|my) )?[\w,.]+ "
    r"(?:users?|people|developers?|engineers?|agents?|devs?)\b"
)
""" "30 tok/s to each of 20 users": all of them are served at the same time."""


def own_speed(reading: Reading) -> None:
    """ "12 req/s of 800 out, 30 tok/s": too few for all, so each is written so fast."""
    stated = reading.fields
    said = stated.get("tokens_per_second")
    paced = {"tok_s_per_user", "users"} <= stated.keys()
    if paced and _EACH_OF_THEM.search(reading.plain) and "concurrency" not in stated:
        reading.rename("users", "concurrency")
    if said is None or not _SPEEDS[0] <= said <= _SPEEDS[1]:
        return
    if _ALONE.search(reading.plain) and not stated.get("rps"):
        reading.rename("tokens_per_second", "tok_s_per_user")
        return
    all_together = stated.get("rps", 0) * stated.get("output_tokens", 0)
    at_once = _SPEEDS[0] * stated.get("concurrency", 0)
    if said < max(all_together / 2, at_once):
        reading.rename("tokens_per_second", "tok_s_per_user")


_ROLLOUTS = compiled("<n>NUM OUT")


def rollouts(reading: Reading) -> None:
    """Read "16 rollouts" as answers of a prompt, never as their length."""
    for note in reading.notes.get("~rollouts", ())[:1]:
        reading.aside["rollouts"] = note.value
        reading.span("rollouts", note.start, note.end)
    for found in _ROLLOUTS.finditer(reading.whole):
        if not reading.word(found.end() - 1).startswith("rollout"):
            continue
        count = reading.items[found.start("n")].value
        reading.aside.setdefault("rollouts", count)
        reading.span("rollouts", *found.span())
        if reading.fields.get("output_tokens") == count:
            del reading.fields["output_tokens"], reading.spans["output_tokens"]


def words(reading: Reading) -> None:
    """Keep what is told in words, and the currency of an API's bill."""
    for name in (
        "answer_words", "prompt_words", "words_total", "api_spend_currency",
        "tokens_side",
    ):  # fmt: skip
        for note in reading.notes.get(f"~{name}", ())[:1]:
            reading.aside[name] = note.value
            reading.span(name, note.start, note.end)


RULES = (
    average, each_adapter, paced, optimal, cached,
    each_user, each_picture, busiest_hour,
    as_many, evenly, each_page, each_rate, each_flow, share_at_once, daily_part,
    history, peak_factor, nightly, held_at_once,
    in_use, counts, sizes, speed, own_speed, one_pass, rollouts,
    words,
)  # fmt: skip

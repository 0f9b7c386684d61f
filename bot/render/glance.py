"""The short form of an answer: what to do, why, what else, and what was read.

A finished view in at most a dozen lines; everything else opens on a press, or in a
terminal with `--full`.
"""

import re

from bot.render.rendering import is_answer
from bot.render.same import told_once
from bot.render.views import AnswerView, Cell, Chip, Lever, Table
from bot.render.words import say
from core.units import BITS, PRECISIONS

ROWS = 3
COLUMNS = 4
NOTES = 2
NOTE_WORDS = 24
"""Of all notes together; the first, and what one server risks, stand all the same."""
LEVERS = 2
SAVING_WORDS = 14
"""Of two levers; the first stands however long it is."""
ASSUMED = 3
LOAD = "concurrency"
"""The load itself, where none was stated: no assumption weighs more."""
PEAK = "peak_rps"
"""What decides the peak in place of a day's hours and its mean."""
WEIGHTY = (
    LOAD, "use", "pause_seconds", "requests_per_user_per_day", "peak_factor",
    "active_hours_per_day", "utilization", "documents_per_query", "region", "method",
    "model_that_writes",
)  # fmt: skip
"""Assumptions that multiply the load or the bill, the first to be told."""
LENGTHS = ("input_tokens", "output_tokens")
WHY_WORDS = 33
"""Of the reasons; the first sentence stands however long it is."""
MONEY = ("$/month", "$/run", say("render.in_all"), "$/GPU-h", "$/1M", "Cost")
"""Which column of a table tells its rows apart, the first that it has."""


def at_a_glance(view: AnswerView) -> AnswerView:
    """The short form; what is no answer with figures is short already."""
    if not is_answer(view):
        return view
    verdict, why = _in_bits(view.verdict, _why(view))
    return view.model_copy(
        update={
            "verdict": verdict,
            "table": None
            if view.picks or _is_told_whole(view)
            else _shortened(view.table),
            "picks": _shortened(view.picks),
            "why": why,
            "notes": _notes(view),
            "levers": (),
            "save": _saving(view),
            "chips": (),
            "charts": view.charts[:1] if view.table is None else (),
            "read_as": _reading(view),
            "small_print": (view.prices,) if view.prices else (),
            "prices": "",
        }
    )


def _is_told_whole(view: AnswerView) -> bool:
    """Whether the only row of a table is what the verdict says: no row to choose."""
    rows = view.table.rows if view.table else ()
    if len(rows) != 1:
        return False
    figures = [cell.text for cell in rows[0] if cell.text.startswith("$")]
    return any(figure in view.verdict for figure in figures)


def _why(view: AnswerView) -> str:
    """The first sentences of the reasons, and always that they are an estimate."""
    sentences = re.split(r"(?<=[.!?]) (?=[A-Z0-9$“])", view.why)
    sentences = [one for one in sentences if not _is_told(one, view.verdict)]
    kept = sentences[:1]
    for sentence in sentences[1:]:
        fits = sum(len(text.split()) for text in (*kept, sentence)) <= WHY_WORDS
        guess = sentence.startswith(say("render.estimate"))
        if guess and any(one.startswith(say("render.estimate")) for one in kept):
            continue
        if guess and (not fits or say("jobs.estimate_not_measured") in sentence):
            kept.append(sentence.partition(":")[0].removesuffix(".") + ".")
        elif fits:
            kept.append(sentence)
    return " ".join(kept)


def _in_bits(verdict: str, why: str) -> tuple[str, str]:
    """Both with the first number format that they name explained: "FP8 (8 bits)"."""
    text = f"{verdict}\0{why}"
    named = None if _EXPLAINED.search(text) else _FORMAT.search(text)
    if named:
        bits = BITS[_FORMATS[named[0]]]
        said = say("fit.bits_of_format", weights=named[0], bits=bits)
        text = text[: named.start()] + said + text[named.end() :]
    verdict, _, why = text.partition("\0")
    return verdict, why


_FORMATS = {name.upper(): name for name in PRECISIONS}
_FORMAT = re.compile(rf"\b(?:{'|'.join(_FORMATS)})\b")
_EXPLAINED = re.compile(r"\b\d+[- ]bits?\b")


def _notes(view: AnswerView) -> tuple[str, ...]:
    kept: list[str] = []
    always = (
        say("advice.stops_the_service"),
        say("advice.peak_works"),
        say("service.requests_assumed"),
        say("service.answer_takes"),
    )
    notes = [note for note in view.notes if not _is_sum_of(note, view.verdict)]
    for at, note in enumerate(notes):
        words = sum(len(text.split()) for text in (*kept, note))
        fits = at < NOTES and words <= NOTE_WORDS
        if not kept or fits or any(said in note for said in always):
            kept.append(note)
    return tuple(kept)


def _is_told(sentence: str, verdict: str) -> bool:
    """Whether a verdict has every figure of a sentence that has two or more.

    A sum stays: it shows how the verdict's figure is made.
    """
    found, told = (_FIGURE.findall(text.rstrip(".")) for text in (sentence, verdict))
    return len(found) > 1 and set(found) <= set(told) and "=" not in sentence


_FIGURE = re.compile(r"(?<![\w.,])\d[\d.,]*[a-zA-Z%]*")


def _is_sum_of(note: str, verdict: str) -> bool:
    """Whether a note only shows how a figure of the verdict is made."""
    total = note.rpartition(" = ")[2].rstrip(".")
    return " = " in note and total in verdict


def _saving(view: AnswerView) -> str:
    """The levers that take money off: "Save: FP4 weights −$5,026/month".

    What a note says already is not said again.
    """
    levers = [one for one in view.levers if not one.beside]
    saving = [one for one in levers if one.difference.startswith(("−", "-"))]
    told = (*view.notes, view.verdict, view.why)
    untold = [one for one in saving if not any(_in(one, text) for text in told)]
    said = [_saved(one) for one in untold[:LEVERS]]
    if len(" ".join(said).split()) > SAVING_WORDS:
        said = said[:1]
    return say("render.saving", said=", or ".join(said)) if said else ""


def _saved(lever: Lever) -> str:
    """What a lever costs in all and its catch; else what it saves."""
    name = lever.text.partition(": ")[0]
    if not lever.leaves:
        return say("render.saves", name=name, saved=lever.difference.lstrip("−-"))
    catch = "" if "(" in name else re.split(r"[:;(]|\. | and ", lever.note)[0].strip()
    caught = say("render.catch", catch=catch) if catch else ""
    return say("render.leaves", name=name, usd=lever.leaves, caught=caught)


def _in(lever: Lever, text: str) -> bool:
    """Whether a text names a lever, or says its sum."""
    name, usd = lever.text.partition(": ")[0], lever.difference.partition("/")[0]
    sum_ = rf"{re.escape(usd.lstrip('−-'))}(?![\d,.]*\d)"
    return name in text or bool(re.search(sum_, text))


def _reading(view: AnswerView) -> str:
    """What was assumed, what weighs most first; then what was read."""
    said = f"{view.verdict} {view.why}"
    untold = [chip for chip in view.chips if not _told(chip, said)]
    if any(say("service.requests_assumed") in note for note in view.notes):
        untold = [one for one in untold if one.field != "requests_per_user_per_day"]
    even = any((chip.field, chip.value) == ("peak_factor", "1 ×") for chip in untold)
    if even:  # then the hours are what makes the peak
        untold = [chip for chip in untold if chip.field != "peak_factor"]
    if any(chip.field == PEAK for chip in untold):
        beside = ("peak_factor", "active_hours_per_day")
        untold.sort(key=lambda chip: chip.field in beside)
    if say("sizing.answer_fast_enough") in view.why:  # then the start decides nothing
        untold = [chip for chip in untold if chip.field != "ttft_ms"]
    untold.sort(key=_weight)
    weighty = sum(_weight(chip) < 2 for chip in untold)
    most = min(max(weighty, ASSUMED), ASSUMED + 1)
    lengths = _lengths(view)
    if lengths and any(chip.field == "use" for chip in untold[:most]):
        untold = [chip for chip in untold if not _whole(chip)]
    assumed = [
        _assumption(chip, lengths if chip.field == "use" else "")
        for chip in untold[:most]
    ]
    parts = [say("render.reading", assumed=", ".join(assumed))] if assumed else []
    return "\n".join((*parts, *_understood(view.read_as, view.why)))


def _understood(read_as: str, why: str) -> tuple[str, ...]:
    """What was read, mostly without what the reasons say again: "50 requests/s"."""
    heading, _, said = read_as.partition(": ")
    parts = said.split(", ")
    untold = [one for one in parts if not (re.match(r"\d", one) and one in why)]
    return (f"{heading}: {', '.join(untold)}",) if said and untold else ()


def _weight(chip: Chip) -> int:
    """How early an assumption is told: the load, its factors, the rest, the model."""
    if chip.field in (LOAD, PEAK):
        return 0
    if chip.field == "model":
        return 3
    of_cache = chip.field == "input_tokens" and not _whole(chip)
    return 1 if chip.field in WEIGHTY or of_cache else 2


def _told(chip: Chip, why: str) -> bool:
    """Whether an answer says a value already: tokens as "1,000 in / 200 out"."""
    count, _, unit = chip.value.partition(" ")
    if chip.field.startswith(("model", "method")):
        return False  # which of its size or kind, or how it is tuned: nobody's word
    if chip.field == "precision" and re.search(
        r"\bin (?:BF16|FP8|INT8|FP4|INT4)\b", why
    ):
        return True
    if chip.field == "tpot_ms" and _assumption(chip).removeprefix("≥ ") in why:
        return True
    value = chip.value.removesuffix(" (p95)")
    if not value.isdigit() and value in why:  # "3" stands in "Llama 3.3"
        return True
    if unit != "tokens":
        return False
    return bool(re.search(rf"(?<![\d,.]){re.escape(count)} (?:in|out)\b", why))


def _lengths(view: AnswerView) -> str:
    """The lengths that a workload is taken to have: "1,000 in/200 out"."""
    whole = [chip for chip in view.chips if _whole(chip)]
    answers = [at for at, chip in enumerate(whole) if chip.field == "output_tokens"]
    # of several loads: the prompt before the answer, and no document of another one
    before = whole[: answers[0]] if answers else whole
    prompts = [chip for chip in before if chip.field == "input_tokens"]
    prompt = prompts[-1].value.split()[0] if prompts else None
    answer = whole[answers[0]].value.split()[0] if answers else None
    parts = [
        *([say("render.tokens_in", tokens=prompt)] if prompt else []),
        *([say("render.tokens_out", tokens=answer)] if answer else []),
    ]
    return "/".join(parts)


def _whole(chip: Chip) -> bool:
    """Whether a value is a length and nothing else: not "3,800 tokens, 1,000 new"."""
    plain = re.fullmatch(r"[\d.,]+[kM]?(?: tokens)?", chip.value)
    return chip.field in LENGTHS and plain is not None


def _assumption(chip: Chip, lengths: str = "") -> str:
    """ "prompt 1,000 tokens"; a value that says what it is of stands alone."""
    told = chip.value if chip.label in chip.value else f"{chip.label} {chip.value}"
    if chip.field == LOAD:
        told = f"{chip.value} {chip.label}"
    if lengths:
        return say("render.with_lengths", use=chip.value, lengths=lengths)
    if chip.field == "use":
        return chip.value
    if chip.field == "utilization" and chip.label == say("shared.usual_use"):
        return say("render.average_load", share=chip.value)
    limit = re.match(r"≤ ([\d.,]+) (ms|s)", chip.value)
    ms = _number(limit[1]) * (1000 if limit[2] == "s" else 1) if limit else None
    if ms and chip.field == "ttft_ms":
        return say("render.starts_within", ms=ms)
    if ms and chip.field == "tpot_ms":
        return say("render.writing_speed", rate=1000 / ms)
    return told.removeprefix("model ").removesuffix(" (p95)").removesuffix(" tokens")


def _number(written: str) -> float:
    return float(written.replace(",", ""))


def _shortened(table: Table | None) -> Table | None:
    """The first rows and the winner, with the columns that tell them apart."""
    if table is None:
        return None
    rows = list(range(len(table.rows) if table.whole else min(ROWS, len(table.rows))))
    if table.winner is not None and table.winner not in rows:
        rows = [table.winner, *rows[: ROWS - 1]]
    if table.told:
        first = dict.fromkeys((*table.told, *rows))
        rows = sorted(list(first)[: max(ROWS, len(table.told))])
    table = told_once(table, rows)
    columns = _columns(table)
    winner = rows.index(table.winner) if table.winner in rows else None
    return table.model_copy(
        update={
            "columns": tuple(table.columns[c] for c in columns),
            "rows": tuple(_row(table.rows[r], columns) for r in rows),
            "winner": winner,
            "shown": len(rows),
            "note": "",
        }
    )


def _columns(table: Table) -> list[int]:
    """The name, then money, then what else there is room for, in the table's order."""
    names = list(table.columns)
    money = next((names.index(name) for name in MONEY if name in names), None)
    chosen = [0] if money in (None, 0) else [0, money]
    rest = [n for n in range(1, len(names)) if n not in chosen and n != money]
    wanted = [*chosen, *rest]
    return sorted(wanted[:COLUMNS])


def _row(row: tuple[Cell, ...], columns: list[int]) -> tuple[Cell, ...]:
    return tuple(row[c] for c in columns if c < len(row))

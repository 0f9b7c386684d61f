"""The data, the passes and the batches of a run."""

from bot.language.reading import Match, Reading
from bot.language.subject import learns
from bot.language.values.conditions import online_rl
from bot.language.values.units import SECONDS, Fields

_LONGEST_SAMPLE = 200_000


def whole_number(reading: Reading, match: Match) -> Fields:
    """A number of which there are no parts."""
    value = reading.value(match)
    return {"": int(value)} if value == int(value) else {}


def steps(reading: Reading, match: Match) -> Fields:
    """Steps of training; "in two steps" are those of a plan."""
    start = match.start("n")
    done = (
        "after" in reading.between(start).split() or reading.word(start - 1) == "after"
    )
    fits = reading.value(match) >= 10 and not (start and done)
    return {"": reading.value(match)} if fits else {"~muted": "steps already done"}


def pace(reading: Reading, match: Match) -> Fields:
    """ "6k steps at 9.5 s/step": how long one takes, of as many as are stated."""
    seconds = SECONDS.get(reading.value(match, "t"), 0) * reading.value(match)
    return {"~step_seconds": seconds} if seconds else {}


def small_batch(reading: Reading, match: Match) -> Fields:
    """ "batch 32" is a size; "batch of 5k docs" is a job."""
    after = reading.concept_at(match.end())
    counted = (
        after
        in (
            "TIME GPU TIMES GPUWORD NODE CUR PCT USER CONC REQ EPOCH STEP PARAMS "
            "ACTIVE PER MODEL GB COUNTER DUPLEX TOK DOC SAMPLE IMAGE"
        ).split()
    )
    least = 1 if learns(reading) else 2
    ok = least <= reading.value(match) <= 4096 and not counted
    return {"batch_size": reading.value(match)} if ok else {}


def samples_of(reading: Reading, match: Match) -> Fields:
    """ "80k samples x 900 tok": how many, and how long one is."""
    return {
        "dataset_samples": reading.value(match),
        "tokens_per_sample": reading.value(match, "m"),
    }


def open_samples(reading: Reading, match: Match) -> Fields:
    """ "25 product photos": things to learn from that no word file knows."""
    enough = reading.value(match) >= 10 and reading.word(match.end() - 1).endswith("s")
    item = reading.item(match, "n")
    if (
        not enough
        or item.concept != "NUM"
        or not (reading.has("FINETUNE", "METHOD") or reading.kind == "finetune")
    ):
        return {}
    return {"dataset_samples": reading.value(match)}


def sample_length(reading: Reading, match: Match) -> Fields:
    """Tokens of one sample."""
    short = reading.value(match) <= _LONGEST_SAMPLE
    return {"tokens_per_sample": reading.value(match)} if short else {}


def per_parameter(reading: Reading, match: Match) -> Fields:
    """ "20 tokens per parameter" of the one size that is told."""
    sizes = {item.value for item in reading.all("NUMB")}
    return {"": reading.value(match) * sizes.pop()} if len(sizes) == 1 else {}


_RERUN = ("month", "quarter", "year")
"""How often a run comes back that is told with its tokens: "100M tokens monthly"."""


def data_tokens(reading: Reading, match: Match) -> Fields:
    """The tokens of a training run: "200b tokens", "on 2T"; few are those of one."""
    value = reading.value(match)
    if "TOK" in reading.concepts(match):
        end = match.end()
        per = [reading.concept_at(end + i) for i in (0, 1)] == ["PER", "TIME"]
        again = reading.items[end + 1].value if per else "total"
        if again not in ("total", *_RERUN):
            return {}  # a flow
        if online_rl(reading) and value <= 32768:
            return {}
        few = _LONGEST_SAMPLE if reading.has("SAMPLE") else 32768
        field = "tokens_per_sample" if value <= few else "dataset_tokens"
        return {field: value}
    if reading.counts_something(match.end()) or reading.concept_at(match.end()) == "W":
        return {}
    if reading.item(match, "n").concept == "NUMB":
        sizes = len(list(reading.find("NUMB")))
        if sizes < (1 if reading.has("MODELNAME") else 2):
            return {}
        last = max(m.start() for m in reading.find("NUMB"))
        if match.start() != last:
            return {}
    return {"dataset_tokens": value}


def pair_of_answers(reading: Reading, match: Match) -> Fields:
    """ "800 tokens per answer plus 400 of prompt": a pair has two answers."""
    pairs = "dpo" in {item.value for item in reading.all("METHOD")}
    answer, prompt = reading.value(match), reading.value(match, "m")
    return {"": 2 * answer + prompt} if pairs else {}

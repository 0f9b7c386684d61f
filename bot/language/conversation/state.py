"""What a conversation stands at, and a turn as it is meant."""

from typing import NamedTuple

from bot.language.catalogue import Catalogue
from bot.language.normalise import Clean
from bot.language.parse import read
from bot.language.reading import Reading
from core.frozen import Frozen
from core.query import ABOUT, Query

_LAID_APART = frozenset(("beside", "life", "wanted", "use", "count_is_most"))

CARRIED = tuple(
    name
    for name, about in ABOUT.items()
    if about.carried and not about.stated and name not in _LAID_APART
)
"""What no field holds and what holds on all the same."""

UNTOUCHED = frozenset(
    ("text", "clarify", "unknown", "spans", "intent", "kind", "alert")
)

LISTS = ("gpu", "provider", "precision", "pricing", "instance", "method")

LOAD = (
    "rps", "peak_rps", "requests_per_day", "requests_per_month", "requests_total",
    "tokens_per_second", "tokens_per_day", "tokens_per_month", "tokens_total",
    "concurrency", "users", "images_per_minute", "audio_hours",
)  # fmt: skip

DATA = ("dataset_tokens", "dataset_samples", "steps", "epochs", "tokens_per_sample")

NAMED = ("model", "params_b", "modality")

NUMBERS = (
    *LOAD, "input_tokens", "output_tokens", "context", "count", *DATA, "batch_size",
    "term_months", "budget_amount", "ttft_ms", "tok_s_per_user", "hours_per_day",
    "deadline_hours", "requests_per_user_per_day", "api_spend_amount",
)  # fmt: skip
"""Fields that a bare number may change."""

SHARES = ("utilization", "cache_hit_rate", "input_share")
"""Fields that hold a share of one, said as a percentage."""

MONEY = ("COST", "BILL", "HOWMUCH")

_KINDS = {
    "finetune": frozenset(("FINETUNE",)),
    "training": frozenset(("TRAIN",)),
    "batch": frozenset(("BATCH",)),
}
"""What a thread is about, as the concepts that its first question held."""


class State(Frozen, frozen=True):
    """What a conversation stands at; kept as JSON between turns."""

    query: Query | None = None
    """The workload in force."""
    first: Query | None = None
    """The workload as it was first asked, for "half the original load"."""
    settled: Query | None = None
    """The first workload with what the bot had to ask for, if it had to."""
    asked: tuple[str, ...] = ()
    """The fields that the bot asked back for last and still lacks."""
    changed: tuple[str, ...] = ()
    """The fields that the last edit changed."""
    before: Query | None = None
    """The workload before the last edit, for "put it back"."""
    adding: bool = False
    """Whether the last edit united lists: "and a10g" then goes on adding."""
    answer_id: str | None = None
    """The answer that a question about it means."""


class Heard(NamedTuple):
    """A turn as it is meant."""

    query: Query
    """What is to be answered: the workload in force, or an aside's own question."""
    state: State
    about: str | None = None
    """What is asked of the answer in force; None: the turn asks or edits."""
    carried: tuple[str, ...] = ()
    """The fields that the conversation stated, not the turn itself."""


def force_of(state: State) -> Query:
    """The workload in force, empty where none is."""
    return state.query or Query()


def asked_of(query: Query) -> tuple[str, ...]:
    return query.clarify.about if query.clarify is not None else ()


def read_turn(text: str, clean: Clean, known: Catalogue, force: Query) -> Reading:
    """Read a turn where the thread's kind of work holds."""
    heard = set(_KINDS.get(force.kind or "", ()))
    heard |= {"RESERVED"} if "reserved" in (force.pricing or ()) else set()
    heard |= {"GPU"} if force.gpu else set()
    heard |= {"COST"} if force.intent == "cost" else set()
    return read(text, clean, known, kind=force.kind, heard=frozenset(heard))


def own(reading: Reading, *concepts: str) -> bool:
    """Whether a turn itself speaks of something, whatever its thread is about."""
    return any(item.concept in concepts for item in reading.items)


def asks_money(reading: Reading) -> bool:
    return own(reading, *MONEY)

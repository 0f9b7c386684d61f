"""The notebook in which a question's gaps are filled."""

from core.defaults import Defaults
from core.query import Query, Use
from core.reference.assumed import profile_name
from core.units import TOKENS_PER_WORD
from core.wording import count
from core.workload import Assumption

LABELS = {
    "input_tokens": "prompt",
    "calls_per_task": "model calls per task",
    "turn_seconds": "seconds a turn",
    "documents_per_query": "documents per query",
    "rollouts": "answers per prompt",
    "cache_hit_rate": "cached share of the prompt",
    "output_tokens": "answer",
    "utilization": "average load",
    "peak_factor": "peak over average",
    "requests_per_user_per_day": "requests per user and day",
    "active_hours_per_day": "active hours",
    "ttft_ms": "TTFT",
    "tpot_ms": "TPOT",
    "tokens_per_sample": "tokens per sample",
    "epochs": "epochs",
    "concurrency": "in flight",
    "batch_size": "sequences per step",
}
UNITS = {
    "input_tokens": " tokens",
    "output_tokens": " tokens",
    "ttft_ms": " ms",
    "tpot_ms": " ms",
    "peak_factor": " ×",
    "active_hours_per_day": " h a day",
}


class Gaps:
    """Takes a stated value where there is one, else a default and writes it down."""

    def __init__(self, query: Query, defaults: Defaults) -> None:
        self.query = query
        self.use: Use = query.use or "chat"
        self.defaults = defaults.for_use(self.use)
        self.assumptions: list[Assumption] = []
        self.notes: list[str] = []

    def take(self, field: str) -> float:
        """The stated value of a field, or its default as an assumption."""
        stated = getattr(self.query, field, None)
        if stated is not None:
            return float(stated)
        if field == "output_tokens" and self.query.answer_words is not None:
            return self._of_words(self.query.answer_words)
        return self.default(field)

    def as_use(self, use: Use) -> None:
        """Take another profile's usual figures, before any was taken."""
        self.use = use
        self.defaults = self.defaults.for_use(use)

    def name_profile(self) -> None:
        """Say which profile the assumed figures are from, where any are."""
        own = self.defaults.of_use(self.use)
        taken = {entry.field for entry in self.assumptions}
        if taken & (set(own) | {"input_tokens", "output_tokens"}):
            why = "as asked" if self.query.use else "no use was named"
            if self.use == "reasoning" and not self.query.use:
                why = "the model thinks before it answers"
            name = profile_name(self.use)
            self.assume("use", name, f"{why}: its usual figures are taken", "workload")

    def _of_words(self, words: float) -> float:
        """The tokens of an answer whose length is stated in words."""
        tokens = words * TOKENS_PER_WORD
        why = f"{count(words)} words at 4 tokens for 3 words of English"
        self.assume("output_tokens", f"{count(round(tokens))} tokens", why)
        return tokens

    def default(self, field: str) -> float:
        """The default of a field, written down as an assumption."""
        entry = self.defaults[field]
        shown = (
            f"{entry.value:.0%}"
            if field in ("utilization", "cache_hit_rate")
            else count(entry.value) + UNITS.get(field, "")
        )
        self.assume(field, shown, entry.why)
        return entry.value

    def assume(self, field: str, value: str, why: str, label: str = "") -> None:
        """Write an assumption down, once per field."""
        if all(known.field != field for known in self.assumptions):
            name = label or LABELS.get(field, field.replace("_", " "))
            self.assumptions.append(
                Assumption(field=field, label=name, value=value, why=why)
            )

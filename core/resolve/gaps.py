"""The notebook in which a question's gaps are filled."""

from core.defaults import Defaults
from core.query import SEEN, Query, Use
from core.reference.assumed import document_name, profile_name
from core.units import TOKENS_PER_WORD
from core.wording import count, say
from core.workload import Assumption

LABELS = {
    "input_tokens": "prompt",
    "calls_per_task": say("assumptions.calls_per_task"),
    "turn_seconds": say("assumptions.seconds_turn"),
    "documents_per_query": say("assumptions.documents_per_query"),
    "rollouts": say("assumptions.answers_per_prompt"),
    "cache_hit_rate": say("assumptions.cached_share"),
    "output_tokens": "answer",
    "utilization": say("assumptions.average_load"),
    "peak_factor": say("assumptions.peak_over_average"),
    "requests_per_user_per_day": say("assumptions.requests_per_user"),
    "active_hours_per_day": say("assumptions.active_hours"),
    "ttft_ms": say("assumptions.first_token"),
    "tpot_ms": say("assumptions.time_per_token"),
    "tokens_per_sample": say("assumptions.tokens_per_sample"),
    "epochs": "epochs",
    "concurrency": say("assumptions.in_flight"),
    "batch_size": say("assumptions.sequences_per_step"),
}
UNITS = {
    "input_tokens": say("assumptions.tokens_unit"),
    "output_tokens": say("assumptions.tokens_unit"),
    "ttft_ms": say("assumptions.ms"),
    "tpot_ms": say("assumptions.ms"),
    "peak_factor": " ×",
    "active_hours_per_day": say("assumptions.day"),
}

READERS: tuple[Use, ...] = (
    "summary", "classification", "extraction", "translation", "moderation",
)  # fmt: skip
"""Uses that read one text a request."""


SOME_PAGES: tuple[Use, ...] = ("rag", "ocr", "vision")
"""Uses that read some pages of a text, or their pictures."""


class Gaps:
    """Takes a stated value where there is one, else a default and writes it down."""

    def __init__(self, query: Query, defaults: Defaults) -> None:
        self.query = query
        self.use: Use = query.use or "chat"
        if query.use in (None, "vision") and query.sees and query.document == "invoice":
            self.use = "extraction"  # a page each, and what is read from it
        self.defaults = defaults.for_use(self.use)
        looks = query.use and query.sees and query.use not in SEEN
        if looks and query.document != "invoice":
            shown = ("ocr", "") if query.document == "page" else ("vision", self.use)
            self.defaults = self.defaults.for_texts(*shown)
        elif self.texts:
            self.defaults = self.defaults.for_texts(self.texts, self.use)
        self.defaults = self.defaults.for_degrees(query.degrees or ())
        self.assumptions: list[Assumption] = []
        self.notes: list[str] = []

    @property
    def texts(self) -> str | None:
        """The kind of text that each request reads; None: none, or of told length."""
        query = self.query
        pages = query.document == "page" and (query.sees or self.use in SOME_PAGES)
        read = not pages and (self.use in READERS or query.kind == "batch")
        told = (query.input_tokens, query.total_tokens_per_request, query.prompt_pages)
        return query.document if read and not any(told) else None

    def take(self, field: str) -> float:
        """The stated value of a field, or its default as an assumption."""
        stated = getattr(self.query, field, None)
        if stated is not None:
            return float(stated)
        words = {
            "output_tokens": self.query.answer_words,
            "input_tokens": self.query.prompt_words,
        }.get(field)
        if words is not None:
            why = say("assumptions.words_at_tokens", words=words)
            return self._counted(field, words * TOKENS_PER_WORD, why)
        pages = self.query.prompt_pages
        if field == "input_tokens" and pages and self.use not in SOME_PAGES:
            page = self.defaults.of_use("page")[field]
            tokens = pages * page.value
            why = say("assumptions.pages_at_tokens", pages=pages, page=page.value)
            return self._counted(field, tokens, f"{why}: {page.why}")
        return self.default(field)

    def with_images(self, tokens: float) -> None:
        """Show what images add to a prompt that nobody states the length of."""
        query, text = self.query, self.defaults["input_tokens"]
        if not (query.input_tokens or query.prompt_words or query.prompt_pages):
            why = say("assumptions.with_images", why=text.why, tokens=tokens)
            self._counted("input_tokens", text.value + tokens, why)

    def as_use(self, use: Use) -> None:
        """Take another profile's usual figures, before any was taken."""
        self.use = use
        self.defaults = self.defaults.for_use(use)
        self.defaults = self.defaults.for_degrees(self.query.degrees or ())

    def name_profile(self) -> None:
        """Say which profile the assumed figures are from, where any are."""
        own = self.defaults.of_use(self.use)
        taken = {entry.field for entry in self.assumptions}
        if taken & (set(own) | {"input_tokens", "output_tokens"}):
            why = (
                say("assumptions.as_asked")
                if self.query.use
                else say("assumptions.no_use_named")
            )
            if self.use == "reasoning" and not self.query.use:
                why = say("assumptions.the_model_thinks")
            if self.use == "code_agent" != self.query.use:
                why = say("assumptions.as_long_as_agents")
            name = profile_name(self.use)
            if self.texts:
                texts = document_name(self.texts)
                used = say("assumptions.use_of_texts", use=name, texts=texts)
                name = used if self.query.use else texts
            self.assume(
                "use", name, say("assumptions.its_usual_figures", why=why), "workload"
            )

    def _counted(self, field: str, tokens: float, why: str) -> float:
        """The tokens of a prompt or an answer of a length in words or in pages."""
        said = say("assumptions.answer_tokens", tokens=round(tokens))
        self.assume(field, said, why)
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

    def forget(self, *fields: str) -> None:
        """Take back what turned out not to count."""
        kept = (one for one in self.assumptions if one.field not in fields)
        self.assumptions = list(kept)

    def assume(self, field: str, value: str, why: str, label: str = "") -> None:
        """Write an assumption down, once per field."""
        if all(known.field != field for known in self.assumptions):
            name = label or LABELS.get(field, field.replace("_", " "))
            self.assumptions.append(
                Assumption(field=field, label=name, value=value, why=why)
            )

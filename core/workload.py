"""What has to be done, with every number known: stated, or assumed and shown."""

from decimal import Decimal
from functools import lru_cache
from typing import Literal, TypeGuard

from core.frozen import Frozen
from core.llm import ModelSpec
from core.offers import Pricing, SellerKind
from core.query import Advised, Period, Technique
from core.units import HOURS_PER_MONTH, Precision

Percentile = Literal["p50", "p90", "p95", "p99"]
TuningMethod = Literal["full", "lora", "qlora", "dpo", "grpo"]


class Assumption(Frozen, frozen=True):
    """A number that nobody stated: what was taken, and why."""

    field: str
    label: str
    value: str
    why: str


class Budget(Frozen, frozen=True):
    """What may be spent, per period, in the currency that was named."""

    amount: Decimal
    period: Period
    currency: str = "USD"


class Constraints(Frozen, frozen=True):
    """What an answer must honour exactly; None or empty: not constrained."""

    providers: tuple[str, ...] = ()
    providers_excluded: tuple[str, ...] = ()
    region: str | None = None
    regions_also: tuple[str, ...] = ()
    """Other places that will do as well."""
    gpus: tuple[str, ...] = ()
    """GPU ids that may be used; the question's words expanded to variants."""
    gpus_excluded: tuple[str, ...] = ()
    """GPU ids that are ruled out."""
    count: int | None = None
    count_is_most: bool = False
    """Fewer than `count` will do."""
    machine_gpus: int | None = None
    """Only machines of so many GPUs, each rented whole."""
    pricing: tuple[Pricing, ...] = ()
    pricing_excluded: tuple[Pricing, ...] = ()
    regions_excluded: tuple[str, ...] = ()
    tiers_excluded: tuple[str, ...] = ()
    """Hosts of strangers ("community"), or machines by the second ("serverless")."""
    sellers: tuple[SellerKind, ...] = ()
    """Kinds of sellers that alone may be used."""
    sellers_excluded: tuple[SellerKind, ...] = ()
    hosts_welcome: bool = False
    """Marketplaces and community hosts may carry live traffic."""
    consumer: bool | None = None
    """Consumer cards: asked for, ruled out, or (None) not for live traffic."""
    owned: bool = False
    gpus_rented: tuple[str, ...] = ()
    """Those of the GPUs that would be rented beside what is in hand."""
    """The GPUs named are the asker's own: they cost no rent."""
    interruptible: bool = False
    """Spot may serve live traffic too: whoever asks bears being interrupted."""
    interrupted_hours: float | None = None
    """Between interruptions of a job on spot, as stated."""
    interrupted_machine: bool = False
    """Of each machine, not of the job."""
    checkpoint_hours: float | None = None
    """Between two saved states of a run, as stated; None: as is best."""
    serverless: bool = False
    term_months: int | None = None
    budget: Budget | None = None
    per_million: Budget | None = None
    """What 1M output tokens may cost at the real load; its period says nothing."""
    sla: float | Literal[True] | None = None
    """A monthly uptime percentage, or True: some commitment is needed."""
    owners: str = ""
    """Where a seller and its parent must be at home: "eu", "outside us"."""
    certifications: tuple[str, ...] = ()
    """What a provider must name of itself; "any": some, whichever."""
    fabric: Literal["infiniband", "any"] | None = None
    """What must join its machines: InfiniBand, or any network that it publishes."""
    hours_per_day: float = 24
    days_per_week: float = 7
    hours_per_month: float = HOURS_PER_MONTH

    @property
    def regions(self) -> tuple[str, ...]:
        """All the places of which one will do; none: anywhere."""
        return (self.region, *self.regions_also) if self.region else ()

    @property
    def billed_hours_per_month(self) -> Decimal:
        """Hours a month for which the GPUs are rented."""
        return _billed_hours(
            self.hours_per_month, self.hours_per_day, self.days_per_week
        )


@lru_cache(maxsize=64)
def _billed_hours(*stated: float) -> Decimal:
    month, day, week = (Decimal(str(value)) for value in stated)
    return month * day * week / (24 * 7)


class LatencyTargets(Frozen, frozen=True):
    """Limits in milliseconds at a percentile; None: not limited."""

    ttft_ms: float | None = None
    tpot_ms: float | None = None
    e2e_ms: float | None = None
    percentile: Percentile = "p95"


class ServingLoad(Frozen, frozen=True):
    """Live traffic: the rate that the fleet must carry, and its average."""

    rps: float
    """Requests per second at the peak that is sized for."""
    average_share: float
    """Average traffic over that peak, 0–1: the utilisation that money is quoted at."""
    concurrency: float | None = None
    """Requests in flight where the question states them instead of a rate."""
    pause_s: float = 0
    """Seconds after an answer in which agents run their tools, and nothing is asked."""

    @property
    def average_rps(self) -> float:
        """Requests per second averaged over the billed hours."""
        return self.rps * self.average_share


class InferenceSpec(Frozen, frozen=True, kw_only=True):
    """A model served to live traffic."""

    kind: Literal["inference"] = "inference"
    model: ModelSpec
    model_count: int = 1
    precisions: tuple[Precision, ...] = ()
    """Stated weight formats; empty: the best that each GPU runs natively."""
    precisions_excluded: tuple[Precision, ...] = ()
    """Weight formats that are ruled out."""
    kv_precision: Precision | None = None
    input_tokens: float
    output_tokens: float
    cache_hit_rate: float = 0.0
    cacheable_share: float = 0.0
    """Of each prompt, what is usual to be common with others: a lever, not assumed."""
    load: ServingLoad
    headroom: float = 0
    """Share of the fleet that the peak leaves free, 0–1."""
    spare_replicas: int = 0
    """Replicas beyond those that the peak needs."""
    places: int = 1
    """Zones or regions that the service stands in; any one of them may fail."""
    places_shape: Literal["machine", "zones", "regions"] = "machine"
    techniques: tuple[Technique, ...] = ()
    """Ways to serve or shrink the model whose effect is asked about."""
    declined: frozenset[Advised] = frozenset()
    """Rules of advice that are ruled out."""
    thinks: bool = True
    """Whether a model that can think does, before it answers."""
    waits_on: bool = False
    """Whoever waits cannot wait longer: in a call, or where it is to be instant."""
    least_replicas: int = 1
    """Replicas at any load: two where a failure must not be an outage."""
    measured: float | None = None
    """Output tokens per second of one of the GPUs named, as the asker measured it."""
    targets: LatencyTargets = LatencyTargets()
    audience: Literal["internal", "external"] | None = None
    constraints: Constraints = Constraints()

    @property
    def output_tokens_per_second(self) -> float:
        """What the fleet must produce at its peak."""
        return self.load.rps * self.output_tokens


class Measured(Frozen, frozen=True):
    """How long a job takes on GPUs of today, as the asker measured it."""

    hours: float
    count: int
    gpus: tuple[str, ...]
    """The ids that its name may mean."""
    estimated: float | None = None
    """Hours of our own estimate for those GPUs; None: not made, or they hold no job."""

    @property
    def pace(self) -> float:
        """Hours that it takes for each hour that we estimate."""
        return self.hours / self.estimated if self.estimated else 1.0


class BatchSpec(Frozen, frozen=True, kw_only=True):
    """A model run over a pile of requests, without a reader waiting."""

    kind: Literal["batch"] = "batch"
    model: ModelSpec
    precisions: tuple[Precision, ...] = ()
    kv_precision: Precision | None = None
    input_tokens: float
    output_tokens: float
    requests: float
    deadline_hours: float | None = None
    horizon_hours: float | None = None
    """What is aimed at where no deadline is stated; missing it is no failure."""
    recurring: Literal["day", "month"] | None = None
    pages: bool = False
    """Each request reads the picture of a page."""
    measured: Measured | None = None
    """Times follow it; None: they are estimated."""
    constraints: Constraints = Constraints()


class Rollouts(Frozen, frozen=True):
    """What reinforcement learning writes; lengths in tokens, the answers' a mean."""

    prompts: float
    """Of all steps together, every epoch."""
    per_prompt: float
    prompt_tokens: float
    answer_tokens: float

    @property
    def answers(self) -> float:
        """Answers written, and trained on."""
        return self.prompts * self.per_prompt

    @property
    def generated_tokens(self) -> float:
        """Tokens that are written."""
        return self.answers * self.answer_tokens

    @property
    def trained_tokens(self) -> float:
        """Tokens that are trained on: each answer with its prompt."""
        return self.answers * self.sequence

    @property
    def sequence(self) -> float:
        """Tokens of one prompt and its answer."""
        return self.prompt_tokens + self.answer_tokens


class FineTuneSpec(Frozen, frozen=True, kw_only=True):
    """A published model adapted to a data set."""

    kind: Literal["finetune"] = "finetune"
    model: ModelSpec
    method: TuningMethod
    adapters: Literal["lora", "qlora"] | None = None
    """What DPO or GRPO trains instead of all weights; None: as the method says."""
    precision: Precision = "bf16"
    samples: float | None = None
    tokens_per_sample: float
    epochs: float = 1
    tokens: float
    """Tokens trained on: samples × length × epochs, or as stated."""
    lora_rank: int = 16
    micro_batch: int | None = None
    """Sequences on a GPU at once, where memory is asked of so many."""
    rollouts: Rollouts | None = None
    """Of GRPO, where the length of its answers is known."""
    deadline_hours: float | None = None
    horizon_hours: float | None = None
    """What is aimed at where no deadline is stated; missing it is no failure."""
    cadence: str | None = None
    runs: float = 1
    """Each time that it comes back: so many adapters, one run each."""
    more_runs: float = 0
    """A year, of the same size, on top of those that come back."""
    mfu: float | None = None
    """Model FLOPs utilisation, as whoever asks reckons; None: estimated."""
    measured: Measured | None = None
    constraints: Constraints = Constraints()


class TrainingSpec(Frozen, frozen=True, kw_only=True):
    """A model trained from scratch, or a published one trained on."""

    kind: Literal["training"] = "training"
    model: ModelSpec
    tokens: float
    continued: bool = False
    """A published model is pre-trained further: all of its weights learn."""
    runs: float = 1
    """Of the same size, those that fail included."""
    precision: Precision = "bf16"
    sequence_length: int
    mfu: float | None = None
    """Model FLOPs utilisation, as whoever asks reckons; None: estimated."""
    deadline_hours: float | None = None
    horizon_hours: float | None = None
    """What is aimed at where no deadline is stated; missing it is no failure."""
    measured: Measured | None = None
    constraints: Constraints = Constraints()


class MediaSpec(Frozen, frozen=True, kw_only=True):
    """Images, video, audio, 3D or embeddings, in their own unit."""

    kind: Literal["media"] = "media"
    modality: Literal["image", "video", "audio", "embedding", "3d"]
    model: str | None = None
    params_b: float | None = None
    units_per_minute: float | None = None
    """Items at the peak: images, clips, hours of audio, documents or scenes."""
    average_share: float = 1
    """The rate over the hours in use, as a share of that at the peak, 0–1."""
    units_total: float | None = None
    """A pile of items; with `recurring`, one that comes back."""
    item_size: float = 1
    """Seconds of a clip, tokens of a document; 1 where an item is the unit itself."""
    steps: float | None = None
    """Sampling steps, as stated; None: those of the published figure."""
    pixels: float | None = None
    """Of an image or a frame, as stated; None: as published."""
    work: Literal["run", "lora", "tune"] = "run"
    """The model at work, or being trained: on steps, or on hours of speech."""
    seconds: float | None = None
    """Of a clip, as stated; None: as published."""
    sound: str | None = None
    """What is done with sound, where it is not written down: "tts"."""
    apis: tuple[str, ...] = ()
    """APIs that are compared with, by their ids."""
    measured: tuple[str, float] | None = None
    """A GPU, and what one of them does in an hour, as the asker measured it."""
    streams: bool = False
    """The rate is of live streams, not of files."""
    answer_ms: float | None = None
    """By when one item must be done."""
    recurring: Literal["day", "week", "month"] | None = None
    deadline_hours: float | None = None
    horizon_hours: float | None = None
    """What is aimed at where no deadline is stated; missing it is no failure."""
    constraints: Constraints = Constraints()


JobSpec = BatchSpec | FineTuneSpec | TrainingSpec
WorkloadSpec = InferenceSpec | JobSpec | MediaSpec


def is_job(spec: WorkloadSpec) -> TypeGuard[JobSpec]:
    """Whether a workload is bounded and made of tokens."""
    return isinstance(spec, JobSpec)


class Resolved(Frozen, frozen=True):
    """A workload ready to be sized, with what had to be assumed to get there."""

    spec: WorkloadSpec
    assumptions: tuple[Assumption, ...]
    notes: tuple[str, ...] = ()
    """Corrections that the reader must see: a typo read through, a unit doubted."""

"""What a question states, and nothing that it does not."""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import fields

from core.frozen import Frozen
from core.offers import SellerKind
from core.units import Precision

Intent = Literal[
    "size", "cost", "run_cost", "price", "compare", "capacity", "fit", "breakeven",
    "idle", "lifecycle", "explain", "alert", "help", "out_of_scope",
]  # fmt: skip
Kind = Literal["inference", "batch", "finetune", "training", "mixed"]
Period = Literal["hour", "day", "month", "year", "total"]
Use = Literal[
    "chat", "rag", "summary", "translation", "completion", "code", "code_assistant",
    "agent", "code_agent", "classification", "moderation", "extraction", "voice",
    "vision", "ocr", "long_document", "reasoning", "reranking", "generation",
]  # fmt: skip
"""What requests are for: a profile of `profiles.toml`."""
SEEN: tuple[Use, ...] = ("vision", "ocr")
"""Uses that show pictures to a language model."""


Document = Literal[
    "ticket", "email", "review", "article", "call", "meeting", "contract", "report",
    "paper", "invoice", "page", "sentence",
]  # fmt: skip
"""What is read one by one: a kind of text of `documents.toml`."""
Degree = Literal[
    "short_prompts", "short_requests", "short_answers", "short_captions",
    "long_answers", "partly_shared", "mostly_shared", "nearly_shared", "high_traffic",
    "low_traffic", "low_presence", "small_model", "mid_model", "large_model",
    "vision_model",
]  # fmt: skip
"""What a word says of an amount that no figure tells: a row of `degrees.toml`."""
Technique = Literal[
    "speculative decoding", "prefix caching", "disaggregation", "int4", "int8", "fp8",
    "fp4", "distillation", "pruning", "batching", "tensor parallelism", "nvlink",
    "fp8 kv cache",
]  # fmt: skip


Advised = Literal[
    "autoscale", "n-plus-one", "quantise-first", "speculative-decoding",
    "serverless-low-traffic",
]  # fmt: skip
"""Rules of advice that a question may rule out."""


class AlertRequest(Frozen, frozen=True):
    """What a question asks of the alerts."""

    action: Literal["create", "remove", "remove_all", "mute", "list"]
    op: Literal["below", "above", "drop", "rise", "change_pct"] | None = None
    value: float | None = None
    unit: Literal["usd_per_gpu_hour", "percent"] | None = None
    schedule: str | None = None
    channel: str | None = None


class Clarification(Frozen, frozen=True):
    """The one short question without which there is no honest answer."""

    about: tuple[str, ...]
    question: str
    choices: tuple[str, ...] = ()
    """Complete questions that a button can ask instead."""


class Unknown(Frozen, frozen=True):
    """A word that looks like a model, GPU or provider and is none we know."""

    kind: Literal["model", "gpu", "provider", "instance"]
    text: str
    nearest: tuple[str, ...] = ()


LeftOut = Literal["clause", "number", "name", "aside"]
"""An aside carries no meaning for the answer: a label, a date, a ticket."""


class NotUsed(Frozen, frozen=True):
    """A stretch of a question that was not taken into account, and why."""

    start: int
    end: int
    text: str
    """In the words of whoever asked."""
    why: str
    kind: LeftOut = "clause"


class Beside(Frozen, frozen=True):
    """What is to be counted beside rented GPU-hours, as far as it is stated."""

    egress_gb: float | None = None
    """A month."""
    storage_gb: float | None = None
    engineering_hours: float | None = None
    """A month."""
    engineering_usd_per_hour: float | None = None
    people: bool | None = None
    """Those who run it are to be counted, and nobody says for how many hours."""
    usd_per_kwh: float | None = None
    pue: float | None = None
    purchase_usd: float | None = None
    """Of one GPU."""
    servers_usd: float | None = None
    """Of all machines, whole."""
    servers_in_dollars: bool | None = None
    """The price of machines has a dollar sign, whatever other sums are in."""
    server_usd: float | None = None
    """Of one machine."""
    servers_kw: float | None = None
    """What all of them draw in use."""
    server_kw: float | None = None
    colocation_usd: float | None = None
    """A month of where they stand."""
    support_per_year: float | None = None
    """Support and spare parts, a share of the price; 0: the price includes them."""
    lease_usd: float | None = None
    """A month of machines that are leased, all of them."""
    on_premises: bool | None = None
    """They stand in rooms of the asker's own, which cost nothing more."""
    office: bool | None = None
    """They stand at somebody's desk, and are used while people are in."""


class Life(Frozen, frozen=True):
    """What is stated of a model's training beside the run itself."""

    retrain_tokens: float | None = None
    """Of each retraining, as is the next."""
    retrain_samples: float | None = None
    retrain_share: float | None = None
    """Of the first run's cost, 0–1."""
    trained_for: float | None = None
    """What the training cost already, in `trained_currency`."""
    trained_currency: str = "USD"
    serve_usd_per_million: float | None = None
    """What a million served tokens costs, in `trained_currency`."""
    serve_usd_per_day: float | None = None
    """What a day of serving costs, in `trained_currency`."""


Group = Literal[
    "purpose", "model", "load", "lengths", "limits", "hardware", "market", "use",
    "money", "job", "alert",
]  # fmt: skip


class About(Struct, frozen=True):
    """The one declaration of a field; parser output, threads and forms derive from it.

    A field without one belongs to the text, not to the workload.
    """

    group: Group
    label: str
    unit: str = ""
    bounds: tuple[float, float] | None = None
    """The least and the most that anybody can mean, in `unit`."""
    form: str = ""
    """The input of the form that shows it; empty: the form keeps it unseen."""
    stated: bool = True
    """Whether it is part of the workload, as `gpucost parse` reports it."""
    carried: bool = True
    """Whether the next message of a thread keeps it."""
    follows: tuple[str, ...] = ()
    """Fields that, changed in a form, leave this one without meaning."""


class _Unstated(Struct, frozen=True):
    """Makes None, the value of a field that is not stated, and knows what it is of."""

    about: About

    def __call__(self) -> None:
        """Return None."""


def about(
    group: Group,
    label: str,
    unit: str = "",
    bounds: tuple[float, float] | None = None,
    *,
    form: str | None = None,
    stated: bool = True,
    carried: bool = True,
    follows: tuple[str, ...] = (),
) -> Any:
    """Declare a field that may be left out; `About` says what each part means."""
    usual = "load" if group == "load" else "more"
    shown = (usual if stated else "") if form is None else form
    told = About(group, label, unit, bounds, shown, stated, carried, follows)
    return field(default_factory=_Unstated(told))


class Query(Frozen, frozen=True):
    """Only what was said, unit conversion apart; None means "not stated"."""

    text: str = ""
    intent: Intent | None = about("purpose", "what is asked", form="ask", carried=False)
    kind: Kind | None = about("purpose", "workload", form="kind", carried=False)
    modality: Literal["image", "video", "audio", "embedding", "3d"] | None = about(
        "purpose", "modality"
    )
    model: str | None = about("model", "model", form="model")
    params_b: float | None = about(
        "model", "model size", "billion parameters", (0.001, 1e5), form="model"
    )
    active_params_b: float | None = about(
        "model", "active parameters", "billion parameters", (0.001, 1e5), form="model"
    )
    model_count: int | None = about("load", "models", "models", (1, 1e6))
    precision: tuple[Precision, ...] | None = about("model", "weights")
    model_class: Literal["vision", "code", "reasoning"] | None = about(
        "model", "kind of model", stated=False, follows=("params_b",)
    )
    """Which models may stand for a bare size."""
    mixture: bool | None = about("model", "mixture of experts", stated=False)
    """Experts take turns: fewer parameters are active than there are."""
    quant_method: tuple[str, ...] | None = about("model", "quantisation")
    rps: float | None = about("load", "requests per second", "requests/s", (0, 1e7))
    peak_rps: float | None = about(
        "load", "peak requests per second", "requests/s", (0, 1e7)
    )
    concurrency: float | None = about("load", "requests at once", "requests", (0, 1e8))
    users: float | None = about("load", "users", "users", (0, 1e10))
    requests_per_user_per_day: float | None = about(
        "load", "requests per user and day", "requests/day", (0, 1e5)
    )
    requests_per_day: float | None = about(
        "load", "requests a day", "requests/day", (0, 1e12)
    )
    requests_per_month: float | None = about(
        "load", "requests a month", "requests/month", (0, 1e14)
    )
    requests_total: float | None = about(
        "load", "requests in all", "requests", (0, 1e14)
    )
    images_per_minute: float | None = about(
        "load", "images a minute", "images/minute", (0, 1e8)
    )
    audio_hours: float | None = about("load", "hours of audio", "hours", (0, 1e9))
    batch_size: float | None = about("job", "batch size", "samples", (1, 1e7))
    tokens_per_second: float | None = about(
        "load", "output tokens per second", "tokens/s", (0, 1e12)
    )
    tokens_per_day: float | None = about(
        "load", "tokens a day", "tokens/day", (0, 1e15)
    )
    tokens_per_month: float | None = about(
        "load", "tokens a month", "tokens/month", (0, 1e17)
    )
    tokens_total: float | None = about("load", "tokens in all", "tokens", (0, 1e18))
    input_tokens: float | None = about(
        "lengths", "prompt length", "tokens", (1, 1e8), form="input_tokens"
    )
    output_tokens: float | None = about(
        "lengths", "answer length", "tokens", (1, 1e7), form="output_tokens"
    )
    total_tokens_per_request: float | None = about(
        "lengths", "tokens per request", "tokens", (1, 1e8)
    )
    context: float | None = about("lengths", "context window", "tokens", (1, 1e8))
    tokens_side: Literal["input", "output"] | None = about(
        "lengths", "side of the tokens", stated=False, follows=("tokens_total",)
    )
    """The tokens of a flow or a pile are of this side alone; None: of both."""
    context_course: Literal["grows", "rolling"] | None = about(
        "lengths", "course of the context", stated=False, follows=("context",)
    )
    """Over the calls of a task it grows to its length; a window that rolls on drops
    what is oldest with each message, and begins otherwise each time."""
    input_share: float | None = about(
        "lengths", "share of prompt tokens", "share", (0, 1)
    )
    cache_hit_rate: float | None = about(
        "lengths", "cached share of the prompt", "share", (0, 1)
    )
    ttft_ms: float | None = about(
        "limits", "time to first token", "ms", (1, 1e8), form="ttft_ms"
    )
    tpot_ms: float | None = about(
        "limits", "time per output token", "ms", (0.01, 1e6), form="tpot_ms"
    )
    e2e_ms: float | None = about("limits", "time per request", "ms", (1, 1e9))
    tok_s_per_user: float | None = about(
        "limits", "tokens per second and user", "tokens/s", (0.001, 1e5)
    )
    percentile: Literal["p50", "p90", "p95", "p99"] | None = about(
        "limits", "percentile"
    )
    latency_class: Literal["interactive", "offline"] | None = about(
        "limits", "latency class"
    )
    sla: bool | float | None = about("limits", "uptime", "%", (0, 100))
    uptime: float | None = about(
        "limits", "availability", "%", (0, 100), stated=False, follows=("sla",)
    )
    """What "99.9 % availability" asks for, where an SLA of it is not named."""
    audience: Literal["internal", "external"] | None = about("limits", "audience")
    gpu: tuple[str, ...] | None = about("hardware", "GPU", form="gpu")
    count: int | None = about("hardware", "GPU count", "GPUs", (1, 1e7))
    instance: tuple[str, ...] | None = about("hardware", "instance")
    provider: tuple[str, ...] | None = about("market", "provider", form="provider")
    sellers_beside: tuple[str, ...] | None = about(
        "market", "sellers to show beside the best", stated=False
    )
    """Named beside all the others: "on CoreWeave versus elsewhere"."""
    provider_preferred: bool | None = about(
        "market", "preferred, not required", stated=False, follows=("provider",)
    )
    """Whether others may be told of: "prefer AWS, but open to others"."""
    provider_exclude: tuple[str, ...] | None = about("market", "excluded providers")
    region: str | None = about("market", "region", form="region")
    region_preferred: bool | None = about(
        "market", "region preferred", stated=False, follows=("region",)
    )
    """Whether the region is a wish: "Paris if possible"."""
    pricing: tuple[str, ...] | None = about("market", "pricing", form="pricing")
    term_months: float | None = about("market", "term", "months", (0, 120))
    hours_per_day: float | None = about("use", "hours a day", "hours/day", (0, 24))
    days_per_week: float | None = about("use", "days a week", "days/week", (0, 7))
    hours_per_month: float | None = about(
        "use", "hours a month", "hours/month", (0, 744), form=""
    )
    duration_hours: float | None = about("use", "duration", "hours", (0, 1e7))
    deadline_hours: float | None = about("limits", "deadline", "hours", (0, 1e7))
    due: tuple[str, int] | None = about(
        "limits", "day when it must be done", stated=False
    )
    """A day of the week, "today", "tomorrow" or "month" (its end), and the hour."""
    utilization: float | None = about("use", "average load", "share", (0, 1))
    budget_amount: float | None = about(
        "money", "budget", "currency", (0, 1e12), form="budget"
    )
    budget_period: Period | None = about("money", "budget period", form="budget")
    budget_currency: str | None = about("money", "budget currency", form="budget")
    compare_api: tuple[str, ...] | None = about("money", "API to compare with")
    api_spend_amount: float | None = about("money", "API spend", "currency", (0, 1e12))
    api_spend_period: Period | None = about("money", "period of the API spend")
    dataset_tokens: float | None = about("job", "training tokens", "tokens", (1, 1e18))
    dataset_samples: float | None = about(
        "job", "training samples", "samples", (1, 1e12)
    )
    tokens_per_sample: float | None = about(
        "job", "tokens per sample", "tokens", (1, 1e8)
    )
    epochs: float | None = about("job", "epochs", "epochs", (0, 1e5))
    steps: float | None = about("job", "steps", "steps", (1, 1e9))
    method: tuple[str, ...] | None = about("job", "method")
    continued: bool | None = about(
        "job", "continued pre-training", stated=False, follows=("kind",)
    )
    """A published model is trained on, all of its weights, on new text."""
    lora_rank: int | None = about("job", "LoRA rank", "", (1, 1e5))
    cadence: str | None = about("job", "cadence")
    runs: float | None = about(
        "job", "runs each time", "runs", (1, 1e6), stated=False, follows=("cadence",)
    )
    """ "40 LoRAs a week": so many jobs of one kind each time."""
    more_runs: float | None = about(
        "job",
        "runs on top",
        "runs a year",
        (0, 1e6),
        stated=False,
        follows=("cadence",),
    )
    """Of the same size as those that come back, so many a year: experiments."""
    alert: AlertRequest | None = about("alert", "alert", form="", carried=False)
    wanted: str | None = about(
        "purpose", "figure asked for", stated=False, follows=("intent",)
    )
    """The figure that the question is about, where it is not the usual one."""
    beside: Beside | None = about("money", "costs beside GPUs", stated=False)
    """What is to be counted beside rented GPU-hours; None: nothing."""
    life: Life | None = about(
        "job",
        "training and serving costs",
        stated=False,
        follows=(
            "intent",
            "cadence",
        ),
    )
    """What training cost already, and what a retraining is made of."""
    interrupted_hours: float | None = about(
        "job",
        "hours between interruptions",
        "hours",
        (0, 1e5),
        stated=False,
        follows=("pricing",),
    )
    """Between interruptions of spot capacity."""
    interrupted_machine: bool | None = about(
        "job", "what an interruption takes", stated=False, follows=("pricing",)
    )
    """That often each machine is lost, not the job stopped."""
    checkpoint_hours: float | None = about(
        "job",
        "hours between checkpoints",
        "hours",
        (0, 1e5),
        stated=False,
        follows=("pricing",),
    )
    """Between two states that a run saves."""
    compliance: tuple[str, ...] | None = about(
        "market", "certificates", form="more", stated=False
    )
    """Certifications that a provider must name; "any": some, whichever."""
    fabric: Literal["infiniband", "any"] | None = about(
        "market", "network between machines", form="more", stated=False
    )
    """What must join the machines: InfiniBand, or any network made for it."""
    interruptible: bool | None = about(
        "market", "spot capacity allowed", stated=False, follows=("pricing",)
    )
    """Spot may be used, beside what stays: said of the work, not of the price."""
    adapters: float | None = about(
        "model", "LoRA adapters", "adapters", (1, 1e6), stated=False, follows=("model",)
    )
    """Served side by side on one model."""
    owned: bool | None = about(
        "hardware", "GPUs of your own", stated=False, follows=("gpu",)
    )
    """The named GPUs are in hand: nothing is rented."""
    self_hosted: bool | None = about(
        "purpose", "self-hosted", stated=False, follows=("kind",)
    )
    """On GPUs of your own or rented ones: no API is asked about."""
    no_api: bool | None = about(
        "limits", "no API of others", stated=False, follows=("kind",)
    )
    """Data may not go to an API: self-hosting is a must, whatever it costs."""
    own_weights: bool | None = about(
        "model", "weights of your own", stated=False, follows=("model",)
    )
    """The model is fine-tuned: no public API of its base serves it."""
    asks_difference: bool | None = about(
        "purpose", "difference asked for", stated=False, carried=False
    )
    """How much more or less one way costs is the question, not which to take."""
    gpu_counts: tuple[int, ...] | None = about(
        "hardware",
        "GPUs of each kind",
        "GPUs",
        (1, 1e7),
        stated=False,
        carried=False,
        follows=("gpu",),
    )
    """How many of each GPU in `gpu`, where they differ."""
    count_before: int | None = about(
        "hardware", "GPUs today", "GPUs", (1, 1e7), stated=False, follows=("count",)
    )
    """How many there are, where `count` is fewer that would do: "from 4 to 2"."""
    gpu_precisions: tuple[Precision, ...] | None = about(
        "hardware",
        "weights on each GPU",
        stated=False,
        carried=False,
        follows=("gpu", "precision"),
    )
    """The format on each GPU in `gpu`, where each has its own."""
    gpu_exclude: tuple[str, ...] | None = about(
        "hardware", "excluded GPUs", form="more", stated=False
    )
    """GPUs, makers and families of them that are ruled out."""
    sold_by: tuple[str, ...] | None = about(
        "market", "the seller of each GPU", stated=False, carried=False,
        follows=("gpu", "provider"),
    )  # fmt: skip
    """Of the named GPUs in order, where each stands beside a seller of its own."""
    gpu_is_example: bool | None = about(
        "hardware", "the GPU is an example", stated=False, follows=("gpu",)
    )
    """The named GPU or any other will do: "L4s or whatever"."""
    count_is_most: bool | None = about("hardware", "count is a maximum", stated=False)
    """So many GPUs at most: fewer will do."""
    machine_gpus: int | None = about(
        "hardware",
        "GPUs of each machine",
        "GPUs",
        (1, 1024),
        form="more",
        stated=False,
        follows=("gpu",),
    )
    """Of the machines that a load is to run on: "8xH200 nodes" says not how many."""
    pricing_exclude: tuple[str, ...] | None = about(
        "market", "excluded pricing", form="more", stated=False
    )
    """Ways to pay that are ruled out."""
    precision_exclude: tuple[str, ...] | None = about(
        "model", "excluded weights", form="more", stated=False
    )
    """Weight formats that are ruled out."""
    region_exclude: tuple[str, ...] | None = about(
        "market", "excluded regions", form="more", stated=False
    )
    """Places that are ruled out."""
    owners: str | None = about("market", "who owns the seller", stated=False)
    """The home of a seller and its parent: "eu", or "outside us"."""
    tier_exclude: tuple[str, ...] | None = about(
        "market", "excluded kinds of hosts", form="more", stated=False
    )
    """Kinds of hosts that are ruled out: "community"."""
    region_also: tuple[str, ...] | None = about(
        "market", "other regions", form="more", stated=False
    )
    """Places that will do as well as `region`."""
    places_compared: tuple[str, ...] | None = about(
        "market", "places to compare", stated=False
    )
    """Whose prices are held against each other: "us vs eu"."""
    users_there: bool | None = about(
        "market", "the place of the users", stated=False, follows=("region",)
    )
    """The places are those of users: it may run anywhere near."""
    seller_kinds: tuple[SellerKind, ...] | None = about(
        "market", "kinds of sellers", form="more", stated=False
    )
    """Kinds of sellers that alone may be used: "only hyperscalers"."""
    seller_kinds_exclude: tuple[SellerKind, ...] | None = about(
        "market", "excluded kinds of sellers", form="more", stated=False
    )
    """Kinds of sellers that are ruled out: "no resellers"."""
    hosts_welcome: bool | None = about(
        "market", "marketplaces allowed", form="more", stated=False
    )
    """Marketplaces and community hosts may carry live traffic."""
    consumer_gpus: bool | None = about(
        "hardware", "consumer cards", form="more", stated=False
    )
    """GeForce cards: welcome, or (False) ruled out."""
    datacenter_gpus: bool | None = about(
        "hardware", "data-centre GPUs only", form="more", stated=False
    )
    """Neither consumer cards nor those of workstations."""
    zones: int | None = about(
        "limits", "availability zones", "zones", (1, 10), form="more", stated=False
    )
    """Zones that the service stands in at once."""
    regions_count: int | None = about(
        "limits", "regions at once", "regions", (1, 10), form="more", stated=False
    )
    """Regions that it stands in at once."""
    counts_tasks: bool | None = about("load", "the load counts tasks", stated=False)
    """The stated load is of tasks whose model calls are not said."""
    thinks: bool | None = about(
        "lengths", "thinking", form="more", stated=False, follows=("model",)
    )
    """False: a model that could think is told not to, and answers as in a chat."""
    images_per_request: float | None = about(
        "lengths", "images per request", "images", (0, 1e4), form="more", stated=False
    )
    """Images that a vision language model reads with each prompt."""
    production: bool | None = about("limits", "in production", stated=False)
    """Whoever serves customers is meant, though no audience is named."""
    techniques: tuple[Technique, ...] | None = about(
        "purpose", "techniques asked about", stated=False, carried=False
    )
    """Ways to serve or shrink a model whose effect is asked about."""
    declined: tuple[Advised, ...] | None = about(
        "limits", "advice ruled out", stated=False
    )
    """What nobody is to be advised: "no autoscaling", "one server is fine"."""
    rollouts: float | None = about(
        "job", "answers sampled per prompt", "answers", (1, 1e5), stated=False
    )
    """Of reinforcement learning: GRPO's group, PPO's one."""
    reward_b: float | None = about(
        "job", "size of the reward model", "billion parameters", (0.01, 1e4),
        stated=False,
    )  # fmt: skip
    """What scores the answers of reinforcement learning."""
    headroom: float | None = about(
        "limits", "headroom", "share", (0, 1), form="more", stated=False
    )
    """Share of the fleet that the peak is to leave free, 0–1."""
    spare_replicas: int | None = about(
        "limits", "spare replicas", "replicas", (0, 1000), form="more", stated=False
    )
    """Replicas that may fail at the peak."""
    one_machine: bool | None = about(
        "purpose", "one machine asked for", stated=False, carried=False
    )
    """Whether a single machine does it is the question."""
    asks_range: bool | None = about(
        "purpose", "low and high asked for", stated=False, carried=False
    )
    """Nobody knows the traffic: what little and much of it cost is the question."""
    any_way: bool | None = about(
        "purpose", "every way to serve", stated=False, carried=False
    )
    """The cheapest way is asked for, whoever runs the GPUs."""
    redundant: bool | None = about(
        "limits", "what redundancy costs", form="more", stated=False, carried=False
    )
    """How many replicas an uptime takes, or what they add to the bill, is asked."""
    least_replicas: int | None = about(
        "limits", "least replicas", "replicas", (1, 1000), form="more", stated=False
    )
    """Replicas that run even where one would do."""
    asked_unit: (
        Literal[
            "blended",
            "thousand",
            "user",
            "request",
            "second",
            "minute",
            "hour",
            "quarter",
            "semester",
            "half-year",
            "year",
            "lasts",
        ]
        | None
    ) = about("money", "unit asked for", stated=False)
    """What dollars are asked for by: prompts and answers together, a thousand tokens,
    a user, a request, a second or a minute that is filmed or heard, an hour, a span of
    months; "lasts": how long a sum lasts."""
    asks_time: bool | None = about(
        "money", "how long it takes", stated=False, carried=False
    )
    """Whether hours are asked for before dollars."""
    asked_item: str | None = about(
        "money", "item that its price is asked of", stated=False, carried=False
    )
    """In English, several of them: "pages", where dollars per request are asked for."""
    item_calls: float | None = about(
        "money", "model calls of such an item", stated=False, carried=False
    )
    """Calls of a model that each of them takes, where the load counts the calls."""
    most_per_million: float | None = about(
        "money", "limit per 1M tokens", "currency", (0, 1e6), form="more", stated=False
    )
    """What 1M output tokens may cost, in `most_per_million_currency`."""
    most_per_million_currency: str | None = about(
        "money", "currency of that limit", form="more", stated=False
    )
    sheet: str | None = about(
        "hardware", "property asked for", stated=False, carried=False, follows=("gpu",)
    )
    """The property of a GPU that is asked for: power, memory … or all of them."""
    memory_gb: float | None = about(
        "hardware",
        "GPU memory",
        "GB",
        (1, 1e5),
        stated=False,
        carried=False,
        follows=("gpu",),
    )
    """What a GPU must have at least, where none is named."""
    memory_bound: Literal["exact", "over", "most", "under"] | None = about(
        "hardware", "side of the memory", stated=False, carried=False, follows=("gpu",)
    )
    """None: at least so much. "24gb cards" name a size, "with 24 GB" is a floor."""
    part_reserved: bool | None = about(
        "market", "part reserved", stated=False, carried=False, follows=("pricing",)
    )
    """How many to reserve is the question: the rest is paid by the hour."""
    least_in_use: int | None = about(
        "use", "GPUs always in use", "GPUs", (1, 1e6), form="more", stated=False
    )
    """Of the GPUs that are told of, those that never rest."""
    sound: str | None = about(
        "purpose", "kind of audio", stated=False, carried=False, follows=("modality",)
    )
    """What is done with audio that is no transcription: tts, voice cloning, music …"""
    in_turns: bool | None = about(
        "purpose", "part of a conversation", stated=False, carried=False
    )
    """It hears or speaks for a voice agent: it works while one side speaks."""
    rivals: tuple[str, ...] | None = about(
        "model",
        "other models",
        stated=False,
        carried=False,
        follows=(
            "model",
            "params_b",
        ),
    )
    """The other models that the named one is held against."""
    sums_currency: str | None = about("money", "currency of stated sums", stated=False)
    """Of the stated prices of GPUs, people, power and purchases; None: dollars."""
    words_total: float | None = about(
        "load", "words in all", "words", (0, 1e15), stated=False, carried=False
    )
    """Of a pile that is read, in words."""
    sampling_steps: int | None = about(
        "lengths", "sampling steps", "steps", (1, 1000), form="more", stated=False
    )
    """Steps in which an image or a clip is drawn."""
    pixels: float | None = about(
        "lengths",
        "pixels of a picture",
        "pixels",
        (1e4, 1e8),
        form="more",
        stated=False,
    )
    """Width × height of an image, or of each frame of a clip."""
    comes_back: Literal["day", "week", "month", "year"] | None = about(
        "load", "how often the pile comes", form="more", stated=False
    )
    """How often a pile of clips or of audio has to be done."""
    rented_gpus: tuple[str, ...] | None = about(
        "hardware", "GPUs to rent instead", form="more", stated=False, follows=("gpu",)
    )
    """Of the named GPUs those that are weighed against the ones in hand."""
    turnaround_hours: float | None = about(
        "load", "turnaround", "h", (0, 720), form="more", stated=False
    )
    """Within how many hours the part of each day of a longer pile comes back."""
    clip_seconds: float | None = about(
        "lengths", "length of a clip", "s", (0.1, 3600), form="more", stated=False
    )
    measured_tokens_per_second: float | None = about(
        "load",
        "measured output of a GPU",
        "tokens/s",
        (0.1, 1e7),
        form="more",
        stated=False,
        follows=("gpu", "model"),
    )
    """Output tokens per second of one GPU, as whoever asks has measured it."""
    measured_rps: float | None = about(
        "load", "measured load of a GPU", "requests/s", (1e-4, 1e6), stated=False,
        follows=("gpu", "model"),
    )  # fmt: skip
    """Requests per second that each GPU of today carries."""
    count_today: int | None = about(
        "hardware", "GPUs today", "GPUs", (1, 1e7), stated=False, follows=("gpu",)
    )
    """How many there are, where it is asked what to add."""
    measured_images: float | None = about(
        "load", "measured images of a GPU", "images/hour", (1e-3, 1e8), stated=False,
        follows=("model",),
    )  # fmt: skip
    """Of one `measured_gpu` in an hour."""
    measured_hours: float | None = about(
        "job", "measured time of the job", "hours", (1e-3, 1e6), stated=False
    )
    """How long the same job takes or took, as whoever asks has measured it."""
    measured_gpu: str | None = about(
        "job", "GPU of the measurement", stated=False, follows=("measured_hours",)
    )
    measured_count: int | None = about(
        "job", "GPUs of the measurement", "GPUs", (1, 1e7), stated=False,
        follows=("measured_hours",),
    )  # fmt: skip
    base_and_burst: bool | None = about(
        "load", "base and burst apart", form="more", stated=False
    )
    """What always runs and what only the peak needs are wanted apart."""
    one_fleet: bool | None = about(
        "hardware", "one fleet for all loads", form="more", stated=False, carried=False
    )
    """The loads of a message are to share their GPUs."""
    payback: bool | None = about(
        "money", "month of the break-even", form="more", stated=False, carried=False
    )
    """It is asked after how many months a purchase is paid back."""
    mfu: float | None = about(
        "job", "model FLOPs utilisation", "share", (0, 1), form="more", stated=False
    )
    """Of the GPUs' dense 16-bit peak, as whoever asks reckons a run, 0–1."""
    answers_each: bool | None = about(
        "job", "tokens of each answer", form="more", stated=False
    )
    """The tokens of a preference pair are those of each of its two answers."""
    peak_factor: float | None = about(
        "load", "peak over average", "", (1, 1000), form="more", stated=False
    )
    """Of the load, where its amount is told by the day, the month or as a spend."""
    working_days: bool | None = about("use", "working days", form="more", stated=False)
    """It is used in the hours of an office, whose days nobody counts."""
    idle_times: tuple[Literal["nights", "weekends"], ...] | None = about(
        "use", "idle times", form="more", stated=False
    )
    """When GPUs that stay on have nothing to do."""
    peak_hour_share: float | None = about(
        "load", "share of the busiest hour", "share", (0, 1), form="more", stated=False
    )
    """Of a day's requests, those of its busiest hour, 0–1."""
    growth_per_month: float | None = about(
        "load", "growth of the load", "share/month", (-1, 100), stated=False
    )
    """Of the load, 0.1 for 10 %."""
    growth_times: float | None = about(
        "load", "times the load grows to", "", (1, 1000), stated=False
    )
    """By a time that no number of months is told of: "doubles by summer"."""
    quiet_rps: float | None = about(
        "load", "load at quiet times", "requests/s", (0, 1e7), stated=False,
        follows=("peak_rps",),
    )  # fmt: skip
    """Of two rates of a day or a week the lower one, `peak_rps` being the other."""
    growth_from_month: int | None = about(
        "load", "month of the year from which it is more", "", (1, 12), stated=False
    )
    peak_hours: float | None = about(
        "load", "how long the peak lasts", "hours", (0, 744), stated=False,
        follows=("peak_rps",),
    )  # fmt: skip
    """Of a peak that comes now and then, above what GPUs in hand carry."""
    growth_months: int | None = about(
        "load", "months of growth", "months", (1, 240), stated=False
    )
    growth_until: int | None = about(
        "load", "month until which it grows", "", (1, 210012), stated=False
    )
    """Year and month, 202712; 12 for this year's December, 106 for June of the next."""
    bound: bool | None = about(
        "money", "a contract that binds already", stated=False, carried=False
    )
    api_share: float | None = about(
        "money", "share of the API spend", "share", (0, 1), stated=False, carried=False
    )
    """Of the API spend, what is to move, 0–1."""
    api_usd_per_million: float | None = about(
        "money", "stated API price", "$/1M tokens", (0, 10_000), stated=False
    )
    """Dollars that an API asks for 1M tokens, read or written, as the asker says."""
    gpu_prices: tuple[tuple[str, float], ...] | None = about(
        "money", "stated GPU prices", "$/GPU-hour", stated=False, follows=("gpu",)
    )
    """Dollars per GPU-hour that the asker pays, by the GPU's slug."""
    term_prices: tuple[tuple[str, float], ...] | None = about(
        "money", "stated prices of terms", "$/GPU-hour", stated=False, follows=("gpu",)
    )
    """Dollars per GPU-hour that the asker is offered, by the way to pay."""
    seller_prices: tuple[tuple[str, float], ...] | None = about(
        "money", "stated prices of sellers", "$/GPU-hour", stated=False,
        follows=("provider",),
    )  # fmt: skip
    """Dollars per GPU-hour that sellers offer to the asker, by the seller's id."""
    seller_discounts: tuple[tuple[str, float], ...] | None = about(
        "money", "stated discounts of sellers", "share", stated=False,
        follows=("provider",),
    )  # fmt: skip
    """What sellers take off their list price for the asker, 0–1, by the seller's id."""
    seller_terms: tuple[tuple[str, float], ...] | None = about(
        "money", "stated terms of sellers", "months", stated=False,
        follows=("provider",),
    )  # fmt: skip
    """How many months each offer of a seller binds, where they differ."""
    paid_a_month: float | None = about(
        "money", "paid today", "currency/month", (0, 1e12), stated=False
    )
    """In `sums_currency`, for what is to be judged or replaced; no API's bill."""
    paid_seats: tuple[float, float] | None = about(
        "money", "seats that are paid", stated=False
    )
    """Of that the seats of a subscription, and a month of one."""
    day_and_night: bool | None = about(
        "purpose",
        "live by day, batch by night",
        stated=False,
        carried=False,
        follows=("kind",),
    )
    """Live by day and a pile at night, neither of them training."""
    prices_fall: int | None = about(
        "money", "expected fall of prices", "%", (0, 100), stated=False, carried=False
    )
    batch_discount: float | None = about(
        "money", "batch discount", "share", (0, 1), stated=False, carried=False
    )
    """What an API takes off for batches, as stated, 0–1."""
    answer_words: float | None = about(
        "lengths", "answer length in words", "words", (0, 1e6), stated=False
    )
    """How long an answer is, in words."""
    shared_prompt: float | None = about(
        "lengths", "shared part of the prompt", "tokens", (1, 1e7), stated=False
    )
    """What all prompts begin with, where nobody says how long the rest of one is."""
    prompt_words: float | None = about(
        "lengths", "prompt length in words", "words", (0, 1e6), stated=False
    )
    """How long a prompt is, in words."""
    quiet_hours: float | None = about("use", "quieter hours a day", stated=False)
    """Those outside of `hours_per_day` in which a part of the load comes as well."""
    prompt_pages: float | None = about(
        "lengths", "prompt length in pages", "pages", (0, 1e5), stated=False
    )
    """How long a text that each request reads is, in pages."""
    degrees: tuple[Degree, ...] | None = about("lengths", "in words", stated=False)
    """Lengths, a shared part and a load as words of degree tell them."""
    api_spend_currency: str | None = about(
        "money",
        "currency of the API spend",
        stated=False,
        follows=("api_spend_amount",),
    )
    loads: "tuple[Query, ...] | None" = about(
        "load", "loads", stated=False, carried=False
    )
    """Of a message with several loads, each with traffic of its own: each alone."""
    states: "tuple[Query, Query] | None" = about(
        "purpose", "before and after", stated=False, carried=False
    )
    """What a change does is asked: the question without it, and with it."""
    lengthened: tuple[str, float] | None = about(
        "lengths", "times the length", stated=False, carried=False
    )
    """A length of which only the factor is told: "answers twice as long"."""
    measured_wait_ms: float | None = about(
        "limits",
        "wait that is measured",
        "ms",
        (0.01, 1e8),
        stated=False,
        carried=False,
    )
    """To the first token or for each one, on the GPUs of today."""
    use: Use | None = about("purpose", "use", stated=False, follows=("kind",))
    """What the requests are for; it decides their usual lengths, and states none."""
    document: Document | None = about("purpose", "texts", stated=False)
    """What is read one by one; it decides the usual length of each, and states none."""
    clarify: Clarification | None = None
    unknown: tuple[Unknown, ...] = ()
    language: str | None = None
    """A language that the question is in and that is not read, by its English name."""
    spans: dict[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    """Field name → the stretches of `text` that it was read from."""
    not_used: tuple[NotUsed, ...] = ()
    """What the question says and no field holds, in order."""

    def stated(self) -> dict[str, object]:
        """The fields that the text states, by name."""
        stated = zip(STATED, _stated(self), strict=True)
        return {name: value for name, value in stated if value is not None}

    @property
    def sees(self) -> bool:
        """Whether a language model reads pages or pictures."""
        return self.use in SEEN or self.model_class == "vision"

    @property
    def size_in_words(self) -> str | None:
        """The row of `degrees.toml` for the size of a model without name and number."""
        if self.model is not None or self.params_b is not None:
            return None
        said = [word for word in self.degrees or () if word.endswith("_model")]
        if self.sees:
            said = said or ["vision_model"]
        return said[0] if len(said) == 1 else None


def each_with(
    loads: tuple[Query, ...] | None, changes: Mapping[str, object]
) -> tuple[Query, ...] | None:
    """The same loads, each with what changed for all of them."""
    known = {name: value for name, value in changes.items() if name in ABOUT}
    known.pop("loads", None)
    return loads and tuple(one.model_copy(update=known) for one in loads)


ABOUT: Mapping[str, About] = {
    one.name: one.default_factory.about
    for one in fields(Query)
    if isinstance(one.default_factory, _Unstated)
}
"""The declaration of each field, in the order of the class."""
STATED = tuple(name for name, about in ABOUT.items() if about.stated)
"""The fields of the workload itself."""
_stated = attrgetter(*STATED)
FEW_PEOPLE = 20
"""So many may all ask at once; more of them are a load to serve."""
RATES = (
    "rps", "peak_rps", "concurrency", "users", "requests_per_day",
    "requests_per_month", "tokens_per_second", "tokens_per_day", "tokens_per_month",
)  # fmt: skip
"""The loads that go on: each says how much traffic there is."""

UPTIME = ("sla", "uptime", "spare_replicas", "least_replicas", "zones", "regions_count")
PLACES = ("region", "region_exclude", "region_also", "owners", "compliance")
"""Demands whose cost can be told apart: to keep up, and where to stand."""


def fields_in(group: Group) -> tuple[str, ...]:
    """Name the fields of a group."""
    return tuple(name for name, about in ABOUT.items() if about.group == group)


def fields_of_input(form: str) -> tuple[str, ...]:
    """Name the fields that an input of the form shows."""
    return tuple(name for name, about in ABOUT.items() if about.form == form)

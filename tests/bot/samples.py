"""Views of every kind, as full as answers get."""

from bot.render.views import (
    Action,
    AnswerView,
    Cell,
    Chart,
    Chip,
    Lever,
    Series,
    Table,
)

OFFERS = (
    ("Vast.ai", "H100 PCIe", "on-demand", 1.53),
    ("RunPod", "H100 SXM", "on-demand", 1.99),
    ("Lambda", "H100 SXM", "on-demand", 2.49),
    ("CoreWeave", "H100 SXM", "reserved 1y", 2.99),
    ("GCP", "A3 High H100", "spot", 3.00),
    ("Together", "H100 SXM", "on-demand", 3.36),
    ("AWS", "p5 H100", "on-demand", 3.90),
    ("Azure", "ND H100 v5", "on-demand", 12.29),
)


def _offer(provider: str, gpu: str, pricing: str, hourly: float) -> tuple[Cell, ...]:
    monthly = hourly * 4 * 720
    return (
        Cell(text=provider),
        Cell(text=gpu),
        Cell(text="4", value=4),
        Cell(text=pricing),
        Cell(text=f"${hourly:.2f}", value=hourly),
        Cell(text=f"${monthly:,.0f}", value=monthly),
        Cell(text="2 d", value=2),
    )


TABLE = Table(
    caption="Offers for 70b inference 50rps",
    columns=("Provider", "GPU", "Count", "Pricing", "$/GPU-h", "$/month", "Age"),
    rows=tuple(_offer(*offer) for offer in OFFERS),
    winner=1,
    note="12 rejected: 9 too small, 3 over budget",
)
BARS = Chart(
    kind="bar",
    title="$/month",
    categories=("RunPod", "Lambda", "AWS"),
    series=(Series(name="$/month", values=(5731, 7171, 11232)),),
    y_label="USD",
)
LINES = Chart(
    kind="line",
    title="H100 $/GPU-hour",
    categories=("Sep", "Oct", "Nov"),
    series=(
        Series(name="RunPod", values=(2.4, 2.2, 1.99)),
        Series(name="Lambda", values=(2.6, 2.5, 2.49)),
    ),
)
ANSWER = AnswerView(
    kind="answer",
    id="k7f2q9",
    question="70b inference 50rps",
    verdict="4 × H100 SXM · RunPod on-demand · $5,731/month · $0.21 per 1M tokens",
    why="Throughput binds; TTFT 310 ms, TPOT 28 ms; 3–5 GPUs; estimated, ±18 %.",
    table=TABLE,
    charts=(BARS, LINES),
    levers=(
        Lever(text="INT8 weights: 2 GPUs instead of 4", difference="−$2,865/mo"),
        Lever(
            text="Reserved base, spot peak",
            difference="−$1,100/mo",
            note="spot may be taken away",
        ),
    ),
    chips=(
        Chip(field="model", label="Model", value="Llama-3.3-70B", why="the usual 70B"),
        Chip(field="precision", label="Precision", value="FP8", why="native on H100"),
        Chip(field="load", label="Load", value="steady", why=""),
    ),
    notes=("Idle at 50 % utilisation costs $2,865/month.",),
    small_print=(
        "Prices of 18 Nov 2026: https://www.runpod.io/pricing, https://lambda.ai/x.",
        "GPU figures: vendors' data sheets",
    ),
    actions=(
        Action(id="share", label="Share", value="k7f2q9"),
        Action(id="why", label="Why?", value="k7f2q9"),
    ),
)
NO = AnswerView(
    kind="no",
    id="n0n0n0",
    question="deepseek-r1 on 1x 4090",
    verdict="No: 671 GB of weights do not fit 24 GB.",
    why="The nearest yes is 8 × H200 at $18,000/month.",
)
CLARIFY = AnswerView(
    kind="clarify",
    id="c1",
    question="qwen 50rps",
    verdict="Which Qwen?",
    actions=(
        Action(id="ask:0", label="Qwen3-32B", value="qwen3-32b 50rps"),
        Action(id="ask:1", label="Qwen3-235B", value="qwen3-235b-a22b 50rps"),
    ),
)
HINT = AnswerView(
    kind="hint",
    question="asdf",
    verdict="I cannot read a workload in that.",
    examples=("70b inference 50rps", "price h100 spot", "fine-tune 8b 1M samples"),
)
ERROR = AnswerView(kind="error", id="deadbeef", verdict="Something went wrong here.")
EVERY_KIND = (ANSWER, NO, CLARIFY, HINT, ERROR)

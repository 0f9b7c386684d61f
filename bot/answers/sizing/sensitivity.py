"""What would change a sizing answer, and what the sources would have answered."""

from collections.abc import Iterable

from bot.answers.shared.figures import gpu_name
from bot.render.views import AnswerView
from core.market.recommendation import Flip, Recommendation
from core.sizing.claims import (
    LAMBDA_APRIL_2026,
    SOURCE_URL,
    TOKENS_PER_H100,
    throughput_claim,
)
from core.wording import count, dollars, milliseconds, significant
from core.workload import InferenceSpec

SHOWN = 3


def flip_line(flips: Iterable[Flip]) -> str:
    """Where another GPU overtakes the winner, in one line."""
    parts = [flip_words(flip) for flip in flips][:SHOWN]
    return " ".join(f"{part}." for part in parts)


def flip_words(flip: Flip) -> str:
    """One input, the value from which a rival wins, and the rival."""
    rival = gpu_name(flip.rival.plan.gpu)
    side = "above" if flip.above else "below"
    match flip.field:
        case "input_tokens":
            limit = f"for prompts {side} {count(float(f'{flip.value:.2g}'))} tokens"
        case "rps":
            limit = f"{side} {significant(flip.value, 2)} requests/s"
        case "tpot_ms":
            each = milliseconds(float(f"{flip.value:.2g}"))
            limit = f"for a time per token {side} {each}"
        case "usd_per_gpu_hour":
            now = flip.rival.offer.usd_per_gpu_hour
            limit = f"below ${flip.value:.2f} per hour (now {dollars(now)})"
    return f"{rival} becomes cheaper {limit}"


CLAIMED_OF = "h100-80gb-sxm"


def claim_line(spec: InferenceSpec) -> str:
    """What the sources' throughput would come to, and what it leaves out."""
    claim = throughput_claim(spec)
    if claim is None or CLAIMED_OF in spec.constraints.gpus_excluded:
        return ""
    slow, fast = TOKENS_PER_H100
    few, many = claim.gpus
    low, high = claim.usd_per_month
    gpus = f"{few}" if few == many else f"{few}–{many}"
    bills = dollars(low) if low == high else f"{dollars(low)}–{dollars(high)}"
    ruled_out = "lambda" in spec.constraints.providers_excluded
    whose = "a price of" if ruled_out else "Lambda's"
    return (
        f"The often quoted {slow:,}–{fast:,} tokens/s per H100 would give {gpus} H100. "
        f"That is {bills}/month at {whose} {dollars(LAMBDA_APRIL_2026)} of April 2026. "
        "The figure ignores prompts and latency limits."
    )


def with_sensitivity(view: AnswerView, found: Recommendation) -> AnswerView:
    """The same answer with its flips and the sources' figure in the small print."""
    spec = found.resolved.spec
    claim = claim_line(spec) if isinstance(spec, InferenceSpec) else ""
    lines = [line for line in (flip_line(found.flips), claim) if line]
    return view.model_copy(update={"small_print": (*lines, *view.small_print)})


def explained_sensitivity(view: AnswerView, found: Recommendation) -> AnswerView:
    """The same explanation with every flip, and why the sources' figure differs."""
    notes = [f"{flip_words(flip)}." for flip in found.flips]
    spec = found.resolved.spec
    if isinstance(spec, InferenceSpec) and found.options:
        notes += _claim_steps(spec, found)
    return view.model_copy(update={"notes": (*view.notes, *notes)})


def _claim_steps(spec: InferenceSpec, found: Recommendation) -> list[str]:
    claim = throughput_claim(spec)
    if claim is None:
        return []
    slow, fast = TOKENS_PER_H100
    few, many = claim.gpus
    prompts = spec.load.rps * spec.input_tokens
    return [
        f"{claim_line(spec)} {count(claim.tokens_per_second)} ÷ {fast:,} = {few}, ÷ "
        f"{slow:,} = {many} ({SOURCE_URL}).",
        f"Our figure also counts {count(prompts)} prompt tokens/s (X-060). TTFT and "
        f"TPOT limit the batch. Queues need headroom, and exactly {few} GPUs have none "
        "(X-001).",
    ]

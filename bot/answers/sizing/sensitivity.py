"""What would change a sizing answer, and what the sources would have answered."""

from collections.abc import Iterable

from bot.answers.shared.figures import gpu_name
from bot.render.views import AnswerView
from bot.render.words import say
from core.market.recommendation import Flip, Recommendation
from core.sizing.claims import (
    LAMBDA_APRIL_2026,
    SOURCE_URL,
    TOKENS_PER_H100,
    throughput_claim,
)
from core.wording import count, dollars, milliseconds
from core.workload import InferenceSpec

SHOWN = 3


def flip_line(flips: Iterable[Flip]) -> str:
    """Where another GPU overtakes the winner, in one line."""
    return " ".join(f"{part}." for part in flip_words(flips)[:SHOWN])


def flip_words(flips: Iterable[Flip]) -> list[str]:
    """For each rival: the values from which it wins, both sides of one input together.

    "B200 becomes cheaper below 24 requests/s and above 26 requests/s".
    """
    limits: dict[tuple[str, str], list[str]] = {}
    for flip in flips:
        limits.setdefault((gpu_name(flip.rival.plan.gpu), flip.field), []).append(
            _limit(flip)
        )
    return [
        say("sizing.becomes_cheaper", rival=rival, limit=" and ".join(sides))
        for (rival, _), sides in limits.items()
    ]


def _limit(flip: Flip) -> str:
    side = "above" if flip.above else "below"
    match flip.field:
        case "input_tokens":
            detail = float(f"{flip.value:.2g}")
            return say("sizing.for_prompts_tokens", side=side, detail=detail)
        case "rps":
            return say("sizing.requests_s", side=side, value=flip.value)
        case "tpot_ms":
            each = milliseconds(float(f"{flip.value:.2g}"))
            return say("sizing.for_time_per_token", side=side, each=each)
        case "usd_per_gpu_hour":
            now = flip.rival.offer.usd_per_gpu_hour
            return say("sizing.below_per_hour_now", value=flip.value, now=now)


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
    whose = say("sizing.a_price_of") if ruled_out else "Lambda's"
    return say(
        "sizing.the_often_quoted_tokens",
        slow=slow,
        fast=fast,
        gpus=gpus,
        bills=bills,
        whose=whose,
        lambda_april_2026=LAMBDA_APRIL_2026,
    )


def with_sensitivity(view: AnswerView, found: Recommendation) -> AnswerView:
    """The same answer with its flips and the sources' figure in the small print."""
    spec = found.resolved.spec
    claim = claim_line(spec) if isinstance(spec, InferenceSpec) else ""
    lines = [line for line in (flip_line(found.flips), claim) if line]
    return view.model_copy(update={"small_print": (*lines, *view.small_print)})


def explained_sensitivity(view: AnswerView, found: Recommendation) -> AnswerView:
    """The same explanation with every flip, and why the sources' figure differs."""
    notes = [f"{words}." for words in flip_words(found.flips)]
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
        say("sizing.claim_steps", prompts=prompts, few=few),
    ]

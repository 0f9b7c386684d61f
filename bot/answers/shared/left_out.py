"""What was considered and left out, counted by reason."""

from collections import Counter
from collections.abc import Sequence

from bot.render.words import say
from core.answers.answer import Rejection

GPU_REASONS = {
    "fits": say("shared.too_small"),
    "aged-architecture": say("shared.too_old"),
    "bf16-training": say("shared.without_bf"),
    "skip-l40s": say("shared.without_nvlink"),
    "no-link-one-machine": say("shared.too_small_for_one"),
    "throughput": say("shared.too_slow_for_the_rate"),
    "latency": say("shared.too_slow_for_the_latency"),
    "pcie-tensor-parallel": say("shared.without_a_fast_link"),
}
OFFER_REASONS = {
    "commitment": "reserved terms",
    "stale-price": say("shared.too_old_to_use"),
    "fresh-first": say("shared.not_updated_lately"),
    "gpu": say("shared.other_or_unclear_gpus"),
    "infiniband": say("shared.without_a_fast_network"),
    "pricing": say("shared.other_pricing"),
    "provider": say("shared.other_providers"),
    "compliance": say("shared.without_the_certificate"),
    "owners": say("shared.owned_elsewhere"),
    "spot-training": say("shared.interrupted_too_often"),
    "spot-live": "spot",
    "serverless-apart": "serverless",
    "community-live": say("shared.community_hosts"),
    "tier": say("shared.of_a_kind_ruled"),
    "deadline": say("shared.too_late"),
}


def left_out(
    rejections: Sequence[Rejection], costlier: int = 0, unpriced: Sequence[str] = ()
) -> str:
    """GPUs and offers by reason, and who sells such work at no price known here."""
    parts = (
        [say("shared.more_expensive_offers", costlier=costlier)] if costlier > 0 else []
    )
    gpus = Counter(GPU_REASONS[r.rule] for r in rejections if r.rule in GPU_REASONS)
    offers: Counter[str] = Counter()
    for entry in rejections:
        if entry.rule in OFFER_REASONS:
            offers[OFFER_REASONS[entry.rule]] += entry.count
    parts += [*counted("GPUs", gpus), *counted("offers", offers)]
    known = GPU_REASONS.keys() | OFFER_REASONS.keys()
    parts += [f"{r.subject} ({r.why})" for r in rejections if r.rule not in known]
    said = [say("shared.left_out") + "; ".join(parts)] if parts else []
    if unpriced:
        names = ", ".join(unpriced[:3])
        said.append(say("shared.other_sellers_price_unknown", names=names))
    return ". ".join(said)


def counted(what: str, reasons: Counter[str]) -> list[str]:
    """So many, and of those so many for each reason; the commonest first."""
    if not reasons:
        return []
    each = ", ".join(f"{number} {reason}" for reason, number in reasons.most_common())
    of = what.removesuffix("s") if reasons.total() == 1 else what
    if len(reasons) == 1:
        return [f"{reasons.total():,} {of} ({next(iter(reasons))})"]
    return [f"{reasons.total():,} {of} ({each})"]

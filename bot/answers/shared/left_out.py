"""What was considered and left out, counted by reason."""

from collections import Counter
from collections.abc import Sequence

from core.answers.answer import Rejection

GPU_REASONS = {
    "fits": "too small",
    "aged-architecture": "too old",
    "bf16-training": "without BF16",
    "skip-l40s": "without NVLink for a full run",
    "no-link-one-machine": "too small for one machine",
    "throughput": "too slow for the rate",
    "latency": "too slow for the latency",
    "pcie-tensor-parallel": "without a fast link",
}
OFFER_REASONS = {
    "commitment": "reserved terms",
    "stale-price": "too old to use",
    "fresh-first": "not updated lately",
    "gpu": "other or unclear GPUs",
    "infiniband": "without a fast network",
    "pricing": "other pricing",
    "provider": "other providers",
    "compliance": "without the certificate",
    "spot-training": "interrupted too often",
    "spot-live": "spot",
    "serverless-apart": "serverless",
    "community-live": "community hosts",
    "tier": "of a kind ruled out",
    "deadline": "too late",
}


def left_out(
    rejections: Sequence[Rejection], dearer: int = 0, unpriced: Sequence[str] = ()
) -> str:
    """GPUs and offers by reason, and who sells such work at no price known here."""
    parts = [f"{dearer} more expensive offers"] if dearer > 0 else []
    gpus = Counter(GPU_REASONS[r.rule] for r in rejections if r.rule in GPU_REASONS)
    offers: Counter[str] = Counter()
    for entry in rejections:
        if entry.rule in OFFER_REASONS:
            offers[OFFER_REASONS[entry.rule]] += entry.count
    parts += [*counted("GPUs", gpus), *counted("offers", offers)]
    known = GPU_REASONS.keys() | OFFER_REASONS.keys()
    parts += [f"{r.subject} ({r.why})" for r in rejections if r.rule not in known]
    said = ["Left out: " + "; ".join(parts)] if parts else []
    if unpriced:
        names = ", ".join(unpriced[:3])
        said.append(f"Other sellers, price unknown: {names}")
    return ". ".join(said)


def counted(what: str, reasons: Counter[str]) -> list[str]:
    """So many, and of those so many for each reason; the commonest first."""
    if not reasons:
        return []
    each = ", ".join(f"{number} {reason}" for reason, number in reasons.most_common())
    one = reasons.total() == 1
    return [f"{reasons.total()} {what.removesuffix('s') if one else what} ({each})"]

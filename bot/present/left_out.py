"""What was considered and left out, counted by reason."""

from collections import Counter
from collections.abc import Iterator, Sequence

from core.recommend.recommendation import Rejection

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
    "commitment": "on a term",
    "stale-price": "with old prices",
    "fresh-first": "with stale market prices",
    "gpu": "of unclear GPUs",
    "infiniband": "without a fast network",
    "pricing": "priced otherwise than asked",
    "provider": "of other providers",
    "compliance": "without the certificate",
    "spot-training": "interrupted faster than the run ends",
    "spot-live": "on spot, for live traffic",
    "serverless-apart": "serverless, priced by use",
    "community-live": "of community hosts, for live traffic",
    "deadline": "too late",
}


def left_out(
    rejections: Sequence[Rejection], dearer: int = 0, unpriced: Sequence[str] = ()
) -> str:
    """GPUs and offers by reason, and who sells such work at no price known here."""
    parts = [f"{dearer} dearer ways"] if dearer > 0 else []
    parts += _gpus(rejections)
    parts += _offers(rejections)
    known = GPU_REASONS.keys() | OFFER_REASONS.keys()
    parts += [f"{r.subject} ({r.why})" for r in rejections if r.rule not in known]
    said = ["Left out: " + "; ".join(parts)] if parts else []
    if unpriced:
        names = ", ".join(unpriced[:3])
        said.append(f"Known for such work, but unpriced here: {names}")
    return ". ".join(said)


def _gpus(rejections: Sequence[Rejection]) -> Iterator[str]:
    found = Counter(r.rule for r in rejections if r.rule in GPU_REASONS)
    if found:
        each = (f"{number} {GPU_REASONS[rule]}" for rule, number in found.items())
        yield "GPUs: " + ", ".join(each)


def _offers(rejections: Sequence[Rejection]) -> Iterator[str]:
    found = [r for r in rejections if r.rule in OFFER_REASONS]
    if found:
        each = (f"{r.subject.split()[0]} {OFFER_REASONS[r.rule]}" for r in found)
        yield "offers: " + ", ".join(each)

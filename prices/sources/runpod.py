"""RunPod's own price list, over the GraphQL API that its pricing page reads.

Prices are per GPU-hour in two clouds, secure and community. The fields for
interruptible pods repeat the on-demand price or a floor for bids, so no spot price is
read from them. Savings plans (1, 3 and 6 months) are paid up front. A price of 0 or 0.5
stands where a GPU is not offered; what says so is the flag of the cloud beside it, or
the most GPUs that one may take there. A copy without the flags leaves nothing but the
price to tell: 0.5 is then no offer.
"""

import json
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from core.offers import Tier
from core.reference.load import reference
from core.wording import say
from prices.sources.machines import form_hints
from prices.sources.payload import json_of, member
from prices.sources.rows import Quote, Rows, flag, gigabytes, is_price, number
from prices.sources.source import Moment, Reading, SourceSpec, Wire

NAME = "runpod"
API = "https://api.runpod.io/graphql"
PAGE = "https://www.runpod.io/pricing"
QUERY = (
    "query GpuTypes { gpuTypes { id displayName memoryInGb secureCloud communityCloud "
    "maxGpuCountSecureCloud maxGpuCountCommunityCloud "
    "securePrice communityPrice oneMonthPrice threeMonthPrice sixMonthPrice } }"
)
NOT_OFFERED = Decimal("0.5")
_MEMORY = re.compile(r"\b(\d+)GB\b")
_NAMING = ("displayName", "memoryInGb")
"""What says, beside its id, which GPU it is; what is left of them may do."""
_TERMS = {"oneMonthPrice": 1, "threeMonthPrice": 3, "sixMonthPrice": 6}


def fetch(wire: Wire) -> Iterable[bytes]:
    """Ask for every GPU type at once."""
    yield wire.post(API, json.dumps({"query": QUERY}).encode())


def read(payload: bytes, moment: Moment) -> Reading:
    """Read one answer of the GraphQL API."""
    rows = Rows(NAME, PAGE, moment, "api")

    def one(gpu: dict[str, Any]) -> None:
        named = gpu.get("displayName") or gpu["id"]
        if not isinstance(gpu["id"], str):
            raise ValueError(say("feeds.gpu_without_id"))
        if gpu["id"] == "unknown" or "MIG" in named:
            # a slice's price is not a GPU's
            rows.aside(NAME, gpu["id"], reason=say("feeds.part_of_gpu"))
            return
        unsaid = [key for key in _NAMING if gpu.get(key) in (None, "")]
        if unsaid and rows.gpu_of(_quote(gpu, 0, "secure")) not in reference().gpus:
            raise ValueError(
                say("feeds.no_gpu_without", ids=", ".join(unsaid), name=named[:40])
            )
        for cloud, tier in _CLOUDS.items():
            if not _is_offered(gpu, cloud):
                rows.leave_out(say("feeds.cloud_not_offered", cloud=cloud))
                continue
            rows.add(_quote(gpu, gpu.get(f"{cloud}Price"), tier))
        for field, months in _TERMS.items():
            if gpu.get(field) is None or not _is_offered(gpu, "secure"):
                continue
            quote = _quote(gpu, gpu[field], "secure")
            quote.pricing, quote.term_months, quote.upfront = "reserved", months, True
            rows.add(quote)

    return rows.each(member(json_of(payload), "data", "gpuTypes"), one)


def _is_offered(gpu: dict[str, Any], cloud: str) -> bool:
    """Whether a GPU can be rented in a cloud; a flag that is absent rules out none."""
    offered, price = gpu.get(f"{cloud}Cloud"), number(gpu.get(f"{cloud}Price"))
    most = number(gpu.get(f"maxGpuCount{cloud.title()}Cloud"))
    listed = price != 0 if offered is None else flag(offered)
    elsewhere = gpu.get("communityPrice" if cloud == "secure" else "securePrice")
    costlier = is_price(elsewhere) and number(elsewhere) >= 2 * NOT_OFFERED
    is_mark = price == NOT_OFFERED and (offered is None or costlier)
    return listed and most != 0 and not is_mark


_CLOUDS: dict[str, Tier] = {"secure": "secure", "community": "community"}


def _quote(gpu: dict[str, Any], price: Any, tier: Tier) -> Quote:
    return Quote(
        price=price,
        gpu=gpu.get("displayName") or gpu["id"],
        provider="runpod",
        memory_gb=gigabytes(gpu.get("memoryInGb") or _memory(gpu["id"])),
        hints=(gpu["id"], *form_hints(gpu["id"])),
        alias=gpu["id"],
        instance=gpu["id"],
        tier=tier,
        includes="host",
        optional=True,
    )


def _memory(name: str) -> str | None:
    """Return the memory in an id: NVIDIA A100 80GB PCIe."""
    found = _MEMORY.search(name)
    return found[1] if found else None


SOURCE = SourceSpec(
    name=NAME, fetch=fetch, read=read, hosts=frozenset({"api.runpod.io"}), label="api"
)

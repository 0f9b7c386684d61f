"""The feeds: what is read without a key, and what a key or a setting adds."""

from collections.abc import Callable, Mapping

from prices.sources import (
    aws_spot,
    azure,
    digitalocean,
    gcp,
    gpuhunt,
    gpurentalprices,
    hyperstack,
    lambda_cloud,
    lium,
    oci,
    own,
    prime_intellect,
    runpod,
    shadeform,
    skypilot,
    tensordock,
    vast,
    verda,
)
from prices.sources.source import SourceSpec

KEYLESS = (
    gpuhunt.SOURCE,
    runpod.SOURCE,
    verda.SOURCE,
    oci.SOURCE,
    azure.SOURCE,
    gcp.SOURCE,
    aws_spot.SOURCE,
    vast.SOURCE,
    lium.SOURCE,
    gpurentalprices.SOURCE,
)
KEYED: dict[str, Callable[[str], SourceSpec]] = {
    lambda_cloud.KEY: lambda_cloud.source,
    shadeform.KEY: shadeform.source,
    prime_intellect.KEY: prime_intellect.source,
    tensordock.KEY: tensordock.source,
    digitalocean.KEY: digitalocean.source,
    hyperstack.KEY: hyperstack.source,
}
"""The feeds that need a key, by the environment variable that holds it."""


def all_sources(settings_env: Mapping[str, str]) -> tuple[SourceSpec, ...]:
    """Return every feed that these settings allow.

    `GPUCOST_PRICE_FILES` names files and URLs of the owner's, separated by spaces;
    `GPUCOST_SKYPILOT=1` asks for SkyPilot's catalogue as a witness.
    """
    keyed = (
        make(settings_env[key]) for key, make in KEYED.items() if settings_env.get(key)
    )
    owned = own.sources(settings_env.get(own.VARIABLE, ""))
    asked = settings_env.get(skypilot.VARIABLE, "") not in ("", "0")
    return (*KEYLESS, *keyed, *owned, *((skypilot.SOURCE,) if asked else ()))

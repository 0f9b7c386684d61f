"""The feeds: what is read without a key, and what a key or a setting adds."""

from collections.abc import Callable, Mapping

from prices.snapshot import published
from prices.sources import (
    api_updates,
    aws,
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
from prices.sources.chosen import NONE, VARIABLE
from prices.sources.source import SourceSpec

ALL = ("", "all", "on")

KEYLESS = (
    gpuhunt.SOURCE,
    runpod.SOURCE,
    verda.SOURCE,
    oci.SOURCE,
    azure.SOURCE,
    gcp.SOURCE,
    aws.SOURCE,
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


def find(name: str) -> SourceSpec | None:
    """Return the feed of a name, with a key or without; "oci" means `oci-list`."""
    keyed = (make("") for make in KEYED.values())
    specs = {spec.name: spec for spec in (*KEYLESS, *keyed, skypilot.SOURCE)}
    if name in specs:
        return specs[name]
    begun = [spec for known, spec in specs.items() if known.startswith(f"{name}-")]
    return begun[0] if len(begun) == 1 else None


def all_sources(settings_env: Mapping[str, str]) -> tuple[SourceSpec, ...]:
    """Return every feed that these settings allow.

    `GPUCOST_PRICE_FILES` names files and URLs of the owner's, separated by spaces;
    `GPUCOST_SKYPILOT=1` asks for SkyPilot's catalogue as a witness,
    `GPUCOST_API_PRICES=update` for newer API prices than the package carries.
    `GPUCOST_CATALOGUE` names a published file in place of every feed without a key.
    `GPUCOST_FEEDS` leaves only those that it names, or none at all: "off".
    """
    chosen = settings_env.get(VARIABLE, "").strip().lower()
    if chosen in NONE:
        return ()
    specs = _possible(settings_env)
    if chosen in ALL:
        return specs
    return tuple(spec for spec in specs if spec.name.lower() in _names(chosen))


def unknown_names(settings_env: Mapping[str, str]) -> list[str]:
    """Return what `GPUCOST_FEEDS` names that is no feed, or lacks its key."""
    chosen = settings_env.get(VARIABLE, "").strip().lower()
    if chosen in (*ALL, *NONE):
        return []
    known = {spec.name.lower() for spec in _possible(settings_env)}
    return [name for name in _names(chosen) if name not in known]


def _possible(settings_env: Mapping[str, str]) -> tuple[SourceSpec, ...]:
    keyed = (
        make(settings_env[key]) for key, make in KEYED.items() if settings_env.get(key)
    )
    owned = own.sources(settings_env.get(own.VARIABLE, ""))
    if address := published.wanted(settings_env):
        # One file says what all of them say.
        return (published.source(address), *keyed, *owned)
    asked = settings_env.get(skypilot.VARIABLE, "") not in ("", "0")
    also = [skypilot.SOURCE] if asked else []
    also += [api_updates.SOURCE] if api_updates.wanted(settings_env) else []
    return (*KEYLESS, *keyed, *owned, *also)


def _names(chosen: str) -> list[str]:
    """Split at commas: the names of the owner's files hold spaces."""
    return [name.strip() for name in chosen.split(",") if name.strip()]

"""What a channel's settings do to a question."""

import hashlib
from collections.abc import Mapping
from typing import get_args

from msgspec.json import encode

from bot.render.views import Chip
from bot.render.words import say
from core.defaults import Defaults
from core.frozen import Frozen
from core.query import Query
from core.units import Precision
from prices.records.preferences import SHARED, WORKSPACE, Setting

WORKLOADS = ("size", "compare", "run_cost", "lifecycle", "breakeven", None)
"""Intents whose GPUs are still to be chosen: a precision may be wished for them."""


class ChannelSettings(Frozen, frozen=True):
    """The settings that hold in a channel, read; None or empty: not set."""

    providers: tuple[str, ...] = ()
    region: str | None = None
    currency: str = "USD"
    hours_per_month: float | None = None
    utilization: float | None = None
    precision: Precision | None = None
    price_book: bool = True
    set_for: Mapping[str, str] = {}
    """For each field that a setting fills: "channel" or "workspace"."""

    @property
    def mark(self) -> str:
        """What tells answers under these settings from answers under others."""
        if self.plain:
            return ""
        found = self.model_dump()
        del found["set_for"]
        return hashlib.blake2b(encode(found), digest_size=4).hexdigest()

    @property
    def plain(self) -> bool:
        """Whether nothing was set that an answer could depend on."""
        return self.model_copy(update={"set_for": {}}) == ChannelSettings()


def channel_settings_of(settings: Mapping[str, Setting]) -> ChannelSettings:
    """Read the settings that hold somewhere."""
    value = {key: setting.value or "" for key, setting in settings.items()}
    share = value.get("utilisation", "").removesuffix("%")
    precision = value.get("precision")
    return ChannelSettings(
        providers=tuple(filter(None, value.get("providers", "").split(","))),
        region=value.get("region"),
        currency=value.get("currency", "USD"),
        hours_per_month=float(value["hours"]) if "hours" in value else None,
        utilization=float(share) / 100 if share else None,
        precision=next((p for p in get_args(Precision) if p == precision), None),
        # What another organisation reads is answered from list prices.
        price_book=value.get("pricebook") != "off" and SHARED not in value,
        set_for={
            key: "workspace" if setting.channel_id == WORKSPACE else "channel"
            for key, setting in settings.items()
        },
    )


def apply(query: Query, channel_settings: ChannelSettings) -> Query:
    """Fill what a question leaves open with what its channel set."""
    return query.model_copy(update=_filled(query, channel_settings))


def _filled(query: Query, channel_settings: ChannelSettings) -> dict[str, object]:
    """The fields that the settings fill: never one that the question states."""
    wanted: dict[str, object] = {}
    if query.provider is None and query.instance is None and channel_settings.providers:
        kept = set(query.provider_exclude or ())
        wanted["provider"] = tuple(
            p for p in channel_settings.providers if p not in kept
        )
    if query.region is None and not query.region_exclude and channel_settings.region:
        wanted["region"] = channel_settings.region
    if query.precision is None and channel_settings.precision and _serves_text(query):
        wanted["precision"] = (channel_settings.precision,)
    if query.hours_per_month is None and channel_settings.hours_per_month:
        wanted["hours_per_month"] = channel_settings.hours_per_month
    return {field: value for field, value in wanted.items() if value}


def _serves_text(query: Query) -> bool:
    trained = query.kind in ("finetune", "training")
    named = query.quant_method is not None or query.modality is not None
    return query.intent in WORKLOADS and not trained and not named


def defaults_for(defaults: Defaults, channel_settings: ChannelSettings) -> Defaults:
    """The defaults as a channel set them."""
    if channel_settings.utilization is None:
        return defaults
    why = _why(channel_settings, "utilisation")
    return defaults.overridden({"utilization": channel_settings.utilization}, why)


def chips_of(query: Query, channel_settings: ChannelSettings) -> tuple[Chip, ...]:
    """Say what the settings filled in a question, as assumptions."""
    shown = {
        "provider": ("providers", "providers"),
        "region": ("region", "region"),
        "precision": ("precision", "precision"),
        "hours_per_month": ("month", "hours"),
    }
    return tuple(
        Chip(
            field=field,
            label=shown[field][0],
            value=_said(field, value),
            why=_why(channel_settings, shown[field][1]),
        )
        for field, value in _filled(query, channel_settings).items()
    )


def _said(field: str, value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(str(part) for part in value)
    return f"{value:g} h" if field == "hours_per_month" else str(value)


def _why(channel_settings: ChannelSettings, key: str) -> str:
    where = channel_settings.set_for.get(key, "workspace")
    return say("preferences.why", where=where)

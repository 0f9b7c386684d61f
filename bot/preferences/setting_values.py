"""The settings: how each is read from words, kept, and shown again."""

import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from bot.render.words import say
from core.money.exchange import exchange_rates
from core.reference.catalogue import Reference
from core.units import HOURS_PER_MONTH, PRECISIONS


class SettingError(ValueError):
    """A value that a setting cannot have; the argument says what it can."""


Read = Callable[[str, Reference], str]


class Key(Struct, frozen=True):
    """One setting; what is kept is the text that `read` returns."""

    name: str
    label: str
    default: str
    """What holds where nobody set anything, in words."""
    example: str
    read: Read
    workspace_only: bool = False

    def shown(self, value: str | None) -> str:
        """What holds, in words."""
        if value is None:
            return self.default
        return ", ".join(value.split(","))


def _names(text: str) -> list[str]:
    return [name.strip() for name in re.split(r"[,;]|\band\b", text) if name.strip()]


def _providers(text: str, reference: Reference) -> str:
    found = []
    for name in _names(text):
        provider = reference.provider(name)
        if provider is None:
            near = " or ".join(reference.nearest("provider", name))
            raise SettingError(say("preferences.providers", name=name, near=near))
        found.append(provider.id)
    return _listed(found, "lambda, runpod")


def _gpus(text: str, reference: Reference) -> str:
    found = []
    for name in _names(text):
        specs = reference.gpus_named(name)
        if not specs:
            near = " or ".join(reference.nearest("gpu", name))
            raise SettingError(say("preferences.no_gpu_called", name=name, near=near))
        found.append(specs[0].id)
    return _listed(found, "h100, h200, mi300x")


def _listed(found: list[str], example: str) -> str:
    if not found:
        raise SettingError(say("preferences.listed", example=example))
    return ",".join(dict.fromkeys(found))


def _region(text: str, reference: Reference) -> str:
    word = text.strip().lower()
    if not re.fullmatch(r"[a-z][a-z0-9 -]{1,29}", word):
        raise SettingError(say("preferences.region"))
    return word


def _currency(text: str, reference: Reference) -> str:
    code = text.strip().upper()
    known = {"USD", *(rate.currency for rate in exchange_rates())}
    if code not in known:
        raise SettingError(
            say(
                "preferences.currency",
                text=text.strip(),
                known=", ".join(sorted(known)),
            )
        )
    return code


def _hours(text: str, reference: Reference) -> str:
    hours = _number(text.lower().removesuffix("hours").removesuffix("h"))
    if hours is None or not 1 <= hours <= 744:
        raise SettingError(say("preferences.hours"))
    return f"{hours:g}"


def _utilisation(text: str, reference: Reference) -> str:
    value = _number(text.removesuffix("%"))
    share = value if value is None or value > 1 else value * 100
    if share is None or not 1 <= share <= 100:
        raise SettingError(say("preferences.utilisation"))
    return f"{share:g}%"


def _number(text: str) -> float | None:
    try:
        return float(text.strip())
    except ValueError:
        return None


def _precision(text: str, reference: Reference) -> str:
    word = text.strip().lower()
    if word not in PRECISIONS:
        raise SettingError(
            say("preferences.precision", precisions=", ".join(PRECISIONS))
        )
    return word


def _switch(text: str, reference: Reference) -> str:
    word = text.strip().lower()
    if word in ("on", "yes", "true"):
        return "on"
    if word in ("off", "no", "false"):
        return "off"
    raise SettingError(say("preferences.switch"))


def _blocks(text: str, reference: Reference) -> str:
    word = text.strip().lower()
    if word not in ("full", "tables", "classic", "plain"):
        raise SettingError(say("preferences.blocks"))
    return word


def _people(text: str, reference: Reference) -> str:
    """Slack's ids of people; a command delivers names, a form delivers ids."""
    found = re.findall(r"\b[UW](?=[A-Z]*\d)[A-Z0-9]+\b", text)
    if not found:
        raise SettingError(say("preferences.people"))
    return ",".join(dict.fromkeys(found))


KEYS: Final = (
    Key("providers", "Providers", "any", "lambda, runpod", _providers),
    Key("region", "Region", "anywhere", "eu", _region),
    Key("currency", "Currency", "USD", "EUR", _currency),
    Key(
        "hours", say("preferences.hours_per_month"), str(HOURS_PER_MONTH), "730", _hours
    ),
    Key(
        "utilisation",
        say("preferences.average_load"),
        say("preferences.as_assumed"),
        "70%",
        _utilisation,
    ),
    Key(
        "precision",
        "Precision",
        say("preferences.best_format"),
        "fp8",
        _precision,
    ),
    Key("pricebook", say("preferences.price_book"), "on", "off", _switch),
    Key(
        "gpus",
        say("preferences.favourite_gpus"),
        "h100, h200, b200, a100-80gb, l40s, mi300x",
        "h100, mi300x",
        _gpus,
        workspace_only=True,
    ),
    Key(
        "admins",
        say("preferences.admin_rights"),
        say("preferences.workspace_admins"),
        "U024BE7LH",
        _people,
        workspace_only=True,
    ),
    Key(
        "blocks",
        say("preferences.tables_and_charts"),
        "full",
        "plain",
        _blocks,
        workspace_only=True,
    ),
)
BY_NAME: Final = {key.name: key for key in KEYS}
_SPELLINGS: Final = {
    "provider": "providers",
    "utilization": "utilisation",
    "util": "utilisation",
    "hours_per_month": "hours",
    "price_book": "pricebook",
    "price-book": "pricebook",
    "book": "pricebook",
    "gpu": "gpus",
    "favourites": "gpus",
    "favorites": "gpus",
    "admin": "admins",
}


def key_named(name: str) -> Key | None:
    """The setting that a word names, in any usual spelling."""
    word = name.strip().lower()
    return BY_NAME.get(_SPELLINGS.get(word, word))

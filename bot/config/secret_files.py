"""Secrets from files, as container platforms hand them over: NAME_FILE names one."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from core.wording import say

SLACK: Final = (
    "SLACK_BOT_TOKEN",
    "SLACK_APP_TOKEN",
    "SLACK_SIGNING_SECRET",
    "SLACK_CLIENT_SECRET",
)
FEEDS: Final = (
    "LAMBDA_API_KEY",
    "SHADEFORM_API_KEY",
    "PRIME_API_KEY",
    "TENSORDOCK_API_KEY",
    "DIGITALOCEAN_TOKEN",
    "HYPERSTACK_API_KEY",
)
DATABASE: Final = ("GPUCOST_DATABASE",)
"""The address of a server holds a password."""
SECRETS: Final = (*SLACK, *FEEDS, *DATABASE)
"""Every variable that holds a secret; each may be a file's content instead."""


def with_files(stated: Mapping[str, str]) -> dict[str, str]:
    """Return what is stated with every secret that a file holds."""
    return dict(stated) | {
        name: _content(name, stated) for name in SECRETS if stated.get(f"{name}_FILE")
    }


def _content(name: str, stated: Mapping[str, str]) -> str:
    variable = f"{name}_FILE"
    if stated.get(name):
        raise SystemExit(say("config.set_twice", name=name, variable=variable))
    try:
        return Path(stated[variable]).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as fault:
        told = getattr(fault, "strerror", None) or say("config.file_is_not_text")
        raise SystemExit(
            say("config.file_unreadable", variable=variable, reason=told)
        ) from None

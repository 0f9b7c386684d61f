"""Which feeds the operator chose, known without loading any of them."""

from collections.abc import Mapping

VARIABLE = "GPUCOST_FEEDS"
NONE = ("off", "none", "0", "false")


def none_chosen(environment: Mapping[str, str]) -> bool:
    """Whether nothing is to be polled."""
    return environment.get(VARIABLE, "").strip().lower() in NONE

"""One flag for every file that is drawn and then read: `--update-golden`."""

import os

import pytest

# A test polls what it brings itself; nothing is fetched because prices are old.
os.environ["GPUCOST_FEEDS"] = "off"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag that rewrites golden files instead of comparing them."""
    parser.addoption("--update-golden", action="store_true", default=False)

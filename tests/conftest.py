"""One flag for every file that is drawn and then read: `--update-golden`."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag that rewrites golden files instead of comparing them."""
    parser.addoption("--update-golden", action="store_true", default=False)
